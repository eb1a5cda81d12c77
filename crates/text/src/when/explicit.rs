//! The date a text carries.

use super::reader::Reader;
use super::span::Span;

/// The first date or time written out in `text`, as wide as it was written: a minute, a day, a month, a year.
///
/// Only what needs no clock counts: a day without a year and `yesterday` give nothing. Day and month as numbers count in
/// ISO order or where one order only is possible (`25/12/2023`). A bare year needs a word such as `in` before it.
///
/// One pass over the text, some microseconds for a sentence.
pub fn explicit_time(text: &str) -> Option<Span> {
    // Every date holds a digit, and most memories hold none.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let reader = Reader::timeless(text);
    (0..reader.tokens.len()).find_map(|at| reader.phrase(at)).map(|phrase| phrase.span)
}
