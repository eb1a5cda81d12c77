//! Arguments in an address: texts that the table of verbs gives their kinds.

use elfmem_engine::catalog::{Parameter, ValueKind, Verb};
use serde_json::{Map, Value, json};

use super::problem::Problem;
use crate::percent::decoded;

/// The arguments of a verb from the part of an address behind `?`. A list is written by repeating its name. What is not of the
/// right kind stays the text it is, for the engine to refuse.
pub(super) fn arguments(verb: &Verb, query: &str) -> Result<Map<String, Value>, Problem> {
    let mut arguments = Map::new();
    for (name, text) in pairs(query)? {
        let parameter = verb.parameter(&name);
        let value = parameter.map_or_else(|| json!(text), |parameter| value(parameter.kind, &text));
        let list = parameter.is_some_and(Parameter::is_list);
        match arguments.get_mut(&name) {
            None if list => drop(arguments.insert(name, json!([value]))),
            None => drop(arguments.insert(name, value)),
            Some(Value::Array(values)) if list => values.push(value),
            Some(_) => {
                return Err(Problem::bad_request(
                    format!("'{name}' is given twice."),
                    "Give it once; nothing was changed.",
                ));
            }
        }
    }
    Ok(arguments)
}

/// Names and texts, in their order.
pub(super) fn pairs(query: &str) -> Result<Vec<(String, String)>, Problem> {
    let plain = |part: &str| decoded(&part.replace('+', " "));
    let pair = |part: &str| {
        let (name, text) = part.split_once('=').unwrap_or((part, ""));
        plain(name).zip(plain(text)).ok_or_else(|| {
            Problem::bad_request(
                "The part of the address behind ? cannot be read.",
                "Write names and texts in UTF-8, what is special in them as %XX.",
            )
        })
    };
    query.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

/// A text as one value of a kind; as the text it is where it is not of that kind.
pub(super) fn value(kind: ValueKind, text: &str) -> Value {
    let fits: fn(&Value) -> bool = match kind {
        ValueKind::Text | ValueKind::Texts | ValueKind::Time | ValueKind::Choice(_) => return json!(text),
        ValueKind::Count | ValueKind::Counts | ValueKind::Number | ValueKind::Numbers => Value::is_number,
        ValueKind::Flag => Value::is_boolean,
        ValueKind::Object | ValueKind::Objects => Value::is_object,
    };
    serde_json::from_str(text).ok().filter(fits).unwrap_or_else(|| json!(text))
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::find;

    use super::*;

    fn given(verb: &str, query: &str) -> Value {
        Value::Object(arguments(find(verb).unwrap(), query).unwrap())
    }

    #[test]
    fn texts_become_what_the_table_says() {
        assert_eq!(
            given("recall", "query=who+can%27t+eat%3F&top_k=3&tags=a&tags=b%26c&preview=true"),
            json!({"query": "who can't eat?", "top_k": 3, "tags": ["a", "b&c"], "preview": true})
        );
        assert_eq!(given("recall", "query=5&&tags=1"), json!({"query": "5", "tags": ["1"]}), "a text stays a text");
        assert_eq!(given("status", ""), json!({}));
    }

    #[test]
    fn what_does_not_fit_is_left_for_the_engine() {
        assert_eq!(given("list", "limit=many&nonsense"), json!({"limit": "many", "nonsense": ""}));
        assert_eq!(given("list", "limit=null"), json!({"limit": "null"}), "who gives nothing leaves it out");
        assert_eq!(given("contradictions", "all=1"), json!({"all": "1"}));
    }

    #[test]
    fn what_cannot_be_read_or_is_said_twice_is_refused() {
        for bad in ["query=%ff", "query=%2", "query=a&query=b", "top_k=1&top_k=2", "x=1&x=2"] {
            assert!(arguments(find("recall").unwrap(), bad).is_err(), "{bad}");
        }
    }
}
