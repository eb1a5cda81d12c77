//! Tables of time expressions and properties of the parsers.

mod explicit;
mod properties;
mod queries;

use super::TimeSpan;
use elfmem_core::time::{Timestamp, from_iso};

/// A Thursday.
const NOW: &str = "2023-06-15T12:00:00Z";

fn at(text: &str) -> Timestamp {
    match text {
        "start" => Timestamp::MIN,
        "end" => Timestamp::MAX,
        _ => from_iso(text).unwrap(),
    }
}

/// `2023-05-07..2023-05-08`.
fn span(text: &str) -> TimeSpan {
    let (from, until) = text.split_once("..").unwrap();
    TimeSpan::new(at(from), at(until)).unwrap()
}

fn shown(span: Option<TimeSpan>) -> String {
    span.map_or("nothing".to_owned(), |span| format!("{}..{}", span.from, span.until))
}
