//! When something happened, and when a question asks about.
//!
//! A memory of an event knows its time best from whoever tells it; where nobody does, a date written out in the text is
//! the next best thing. A question says its time in looser words, which mean something only relative to now. So there are
//! two readers over one grammar: [`explicit_time`] takes only what needs no clock, [`parse_time_query`] is handed the clock.
//!
//! A wrong time is worse than none: it hides the right memory. Version numbers, prices, ids and the verb *may* must never
//! be read as dates, so a doubtful reading is no reading. English only; everything is UTC unless an offset is written.
//!
//! ```
//! use elfmem_text::when::{Relation, explicit_time, fit, parse_time_query};
//!
//! let talk = explicit_time("Caroline went to a talk at 1:56 pm on 8 May, 2023").unwrap();
//! assert_eq!(talk.from.to_string(), "2023-05-08T13:56:00Z");
//!
//! let now = "2023-06-15T12:00:00Z".parse().unwrap();
//! let query = parse_time_query("Where did Caroline go last month?", now).unwrap();
//! assert_eq!(query.relation, Relation::During);
//! assert_eq!(fit(&query, talk.from), 1.0);
//! ```

mod absolute;
mod asks;
mod calendar;
mod classify;
mod clock;
mod compose;
mod explicit;
mod fit;
mod lead;
mod lexicon;
mod named;
mod numbers;
mod parts;
mod query;
mod range;
mod reader;
mod relative;
mod rolling;
mod span;
mod token;

#[cfg(test)]
mod tests;

pub use explicit::explicit_time;
pub use fit::fit;
pub use query::{Relation, Strength, TimeQuery, parse_time_query};
pub use span::Span;

use elfmem_core::Timestamp;

/// The instant a text names, told on its own: a timestamp, a date, or words such as `yesterday`. A span counts by its
/// beginning.
pub fn instant(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let exact = text.parse::<Timestamp>().ok().or_else(|| explicit_time(text).map(|span| span.from));
    exact.or_else(|| parse_time_query(text, now).and_then(|time| time.span).map(|span| span.from))
}
