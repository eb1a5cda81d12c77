//! The arguments of a locus request, checked against the route table.

use elfmem_engine::{is_of_kind, whole_number};
use serde_json::{Map, Value};

use super::routes::Route;
use crate::http::problem::Problem;
use crate::http::query;

/// Id of the single graph.
pub(super) const GRAPH: &str = "default";

/// The arguments of one request.
#[derive(Debug, Default)]
pub(super) struct LocusFields(Map<String, Value>);

impl LocusFields {
    /// Validates the arguments of a route. Reports all errors at once.
    pub(super) fn checked(route: &Route, given: Map<String, Value>) -> Result<Self, Problem> {
        let mut faults = Vec::new();
        for (name, value) in &given {
            match route.takes.iter().find(|taken| taken.name == name) {
                None => faults.push(format!("there is no field '{name:.60}'")),
                Some(taken) if !value.is_null() && !taken.kind.is_none_or(|kind| is_of_kind(kind, value)) => {
                    faults.push(format!("'{name}' cannot be {value:.60}"));
                }
                Some(_) => {}
            }
        }
        let missing = |name: &str| given.get(name).is_none_or(Value::is_null);
        for taken in route.takes.iter().filter(|taken| taken.required && missing(taken.name)) {
            faults.push(format!("'{}' is missing", taken.name));
        }
        if faults.is_empty() {
            return Ok(Self(given));
        }
        let known: Vec<&str> = route.takes.iter().map(|taken| taken.name).collect();
        let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
        Err(Problem::bad_request(
            format!("The request cannot be used: {}.", faults.join("; ")),
            format!("This address takes {known}; nothing was changed."),
        ))
    }

    /// Parses and validates the query string of a route.
    pub(super) fn of_query(route: &Route, query: &str) -> Result<Self, Problem> {
        let mut given = Map::new();
        for (name, text) in query::pairs(query)? {
            let kind = route.takes.iter().find(|taken| taken.name == name).and_then(|taken| taken.kind);
            let value = kind.map_or_else(|| Value::from(text.as_str()), |kind| query::value(kind, &text));
            if given.insert(name.clone(), value).is_some() {
                return Err(Problem::bad_request(format!("'{name:.60}' is given twice."), "Give it once."));
            }
        }
        Self::checked(route, given)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    /// Returns a required string.
    pub(super) fn needed(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let values = self.value(name).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    pub(super) fn objects(&self, name: &str) -> Vec<Map<String, Value>> {
        let values = self.value(name).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_object).cloned().collect()
    }

    pub(super) fn count(&self, name: &str) -> Option<u64> {
        whole_number(self.value(name)?)
    }

    /// Returns an error if the request names another graph.
    pub(super) fn for_this_graph(&self) -> Result<(), Problem> {
        self.text("graph_id").map_or(Ok(()), this_graph)
    }

    /// Returns all arguments.
    pub(super) fn whole(&self) -> Map<String, Value> {
        self.0.clone()
    }
}

/// Returns an error if the graph does not exist.
pub(super) fn this_graph(id: &str) -> Result<(), Problem> {
    if id == GRAPH {
        return Ok(());
    }
    Err(Problem::new(
        axum::http::StatusCode::NOT_FOUND,
        elfmem_engine::ErrorKind::NotFound.as_str(),
        format!("There is no graph '{id:.60}'."),
        format!("A server holds one memory, which is the graph '{GRAPH}'."),
    ))
}
