//! Parses the date written out in a text.

use super::parser::TimeParser;
use super::span::TimeSpan;

/// Returns the first date or time written out in `text`, in the precision it was written: a minute,
/// a day, a month, a year.
///
/// Only times that need no clock count: a day without a year and `yesterday` return `None`. Numeric
/// day and month are accepted in ISO order, or where only one order is possible (`25/12/2023`). A
/// bare year needs a word such as `in` before it.
///
/// Cost: one pass over the text, a few microseconds for a sentence.
pub fn explicit_time(text: &str) -> Option<TimeSpan> {
    // Every date contains a digit, and most memories contain none.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parser = TimeParser::without_reference(text);
    (0..parser.tokens.len()).find_map(|at| parser.phrase(at)).map(|phrase| phrase.span)
}
