//! `connect --by-query` and `connects`.

use std::fmt::Write;

use elfmem_engine::render::mark_untrusted;
use elfmem_engine::{ConnectByQuery, ConnectByQueryResult, ConnectMany, Memory, QueryAction};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::one_line;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::spoken::as_typed;
use crate::style::{BAD, DIM, NAME};

pub(super) fn by_query(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.connect_by_query(input.request::<ConnectByQuery>()?)?;
    let sides = sides_text(&result);
    Ok(match result.action {
        // The sentence of the seed quotes both texts, so it stands in the fence with them.
        QueryAction::DryRunPreview => Output::stored(format!("{result}\n{sides}"), &result),
        _ => Output::stored(sides, &result).between(as_typed(&result.to_string()), ""),
    })
}

/// Both blocks, to check.
fn sides_text(result: &ConnectByQueryResult) -> String {
    let mut text = String::new();
    let sides = [
        ("source", &result.source_id, &result.source_content, result.source_trusted, result.source_confidence),
        ("target", &result.target_id, &result.target_content, result.target_trusted, result.target_confidence),
    ];
    for (side, id, content, trusted, confidence) in sides {
        let _ = match (id, content) {
            (Some(id), Some(content)) => {
                let content = one_line(content);
                let content = mark_untrusted(&content, trusted != Some(false));
                writeln!(text, "{DIM}{side}{DIM:#} {NAME}{}{NAME:#} {confidence:.2} {content}", id.short())
            }
            _ => writeln!(text, "{DIM}{side}{DIM:#} nothing in the memory is about that"),
        };
    }
    text
}

pub(super) fn connects(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.connects(input.request::<ConnectMany>()?)?;
    let mut text = format!("{}\n", as_typed(&result.to_string()));
    for edge in &result.results {
        let _ = writeln!(text, "{}", as_typed(&edge.to_string()));
    }
    for error in &result.errors {
        let _ = writeln!(text, "{BAD}!{BAD:#} {}", as_typed(&error.to_string()));
    }
    Ok(Output::new(text, &result))
}
