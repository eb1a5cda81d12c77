//! Parses times in text: when an event happened, and which time a question asks about.
//!
//! Two parsers share one grammar. [`explicit_time`] accepts only times that need no clock: dates
//! written out in full. [`parse_time_query`] receives the current time and also accepts relative
//! times such as `last week`.
//!
//! A wrong time is worse than none, because it hides the right memory. Version numbers, prices, ids
//! and the verb *may* must never be parsed as dates, so ambiguous text is not a time. English only;
//! UTC unless an offset is written.
//!
//! ```
//! use elfmem_text::temporal::{TemporalRelation, explicit_time, time_fit, parse_time_query};
//!
//! let talk = explicit_time("Caroline went to a talk at 1:56 pm on 8 May, 2023").unwrap();
//! assert_eq!(talk.from.to_string(), "2023-05-08T13:56:00Z");
//!
//! let now = "2023-06-15T12:00:00Z".parse().unwrap();
//! let query = parse_time_query("Where did Caroline go last month?", now).unwrap();
//! assert_eq!(query.relation, TemporalRelation::During);
//! assert_eq!(time_fit(&query, talk.from), 1.0);
//! ```

mod absolute;
mod calendar;
mod classify;
mod clock;
mod compose;
mod explicit;
mod fit;
mod lexicon;
mod numbers;
mod parser;
mod parts;
mod qualifier;
mod query;
mod question;
mod range;
mod relative;
mod rolling;
mod span;
mod token;
mod value;

#[cfg(test)]
mod tests;

pub use explicit::explicit_time;
pub use fit::time_fit;
pub use query::{ConstraintStrength, TemporalRelation, TimeQuery, parse_time_query};
pub use span::TimeSpan;

use elfmem_core::Timestamp;

/// Parses a single instant: a timestamp, a date, or words such as `yesterday`. Returns the start of
/// a span.
pub fn parse_instant(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let exact = text.parse::<Timestamp>().ok().or_else(|| explicit_time(text).map(|span| span.from));
    exact.or_else(|| parse_time_query(text, now).and_then(|time| time.span).map(|span| span.from))
}
