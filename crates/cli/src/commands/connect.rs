//! `connect`, `connects` and `disconnect`.

use std::fmt::Write;

use elfmem_engine::{Connect, ConnectByQuery, ConnectByQueryResult, Disconnect, Memory};
use elfmem_store_sqlite::SqliteStore;

use super::learn::text_of;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{BAD, DIM, NAME};

pub(crate) fn connect(arguments: &args::Connect, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    if arguments.by_query {
        return by_query(arguments, memory);
    }
    let mut asked = Connect::new(&arguments.source, &arguments.target).if_exists(arguments.if_exists.into());
    if let Some(relation) = &arguments.relation {
        asked = asked.relation(relation);
    }
    if let Some(weight) = arguments.weight {
        asked = asked.weight(weight);
    }
    if let Some(note) = &arguments.note {
        asked = asked.note(note);
    }
    Ok(Output::sentence(&memory.connect(asked)?))
}

fn by_query(arguments: &args::Connect, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let mut asked = ConnectByQuery::new(&arguments.source, &arguments.target)
        .if_exists(arguments.if_exists.into())
        .min_confidence(arguments.min_confidence);
    if let Some(relation) = &arguments.relation {
        asked = asked.relation(relation);
    }
    if let Some(note) = &arguments.note {
        asked = asked.note(note);
    }
    let result = memory.connect_by_query(if arguments.dry_run { asked.dry_run() } else { asked })?;
    Ok(Output::new(matches_text(&result), &result))
}

/// What was done, and both blocks to check.
fn matches_text(result: &ConnectByQueryResult) -> String {
    let mut text = format!("{result}\n");
    let sides = [
        ("source", &result.source_id, &result.source_content, result.source_confidence),
        ("target", &result.target_id, &result.target_content, result.target_confidence),
    ];
    for (side, id, content, confidence) in sides {
        let _ = match (id, content) {
            (Some(id), Some(content)) => {
                writeln!(text, "{DIM}{side}{DIM:#} {NAME}{}{NAME:#} {confidence:.2} {content}", id.short())
            }
            _ => writeln!(text, "{DIM}{side}{DIM:#} nothing in the memory is about that"),
        };
    }
    text
}

pub(crate) fn connects(
    arguments: &args::Connects,
    open: impl FnOnce() -> Result<Memory<SqliteStore>, Failure>,
) -> Result<Output, Failure> {
    let given = text_of(&arguments.file)?;
    let specs: Vec<Connect> = serde_json::from_str(&given).map_err(|error| Failure::bad_edges(&error))?;
    let result = open()?.connects(&specs)?;
    let mut text = format!("{result}\n");
    for edge in &result.results {
        let _ = writeln!(text, "{edge}");
    }
    for error in &result.errors {
        let _ = writeln!(text, "{BAD}!{BAD:#} {error}");
    }
    Ok(Output::new(text, &result))
}

pub(crate) fn disconnect(arguments: &args::Disconnect, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let mut asked = Disconnect::new(&arguments.source, &arguments.target);
    if let Some(relation) = &arguments.guard_relation {
        asked = asked.guard_relation(relation);
    }
    if let Some(reason) = &arguments.reason {
        asked = asked.reason(reason);
    }
    Ok(Output::sentence(&memory.disconnect(asked)?))
}
