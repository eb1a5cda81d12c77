//! Classifies a run of characters without white space. The whole run must match, so `v2023-05-07`,
//! `$2019` and `10.5.20.23` need no rule of their own.

use jiff::civil::Date;
use jiff::tz::Offset;

use super::calendar::LIKELY_YEARS;
use super::clock::{self, ClockTime, digits};
use super::lexicon;
use super::span::TimeSpan;

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeTokenKind {
    /// Letters, with hyphens or dots allowed inside.
    Word,
    /// Digits only: the value and the number of digits.
    Number(u32, u8),
    /// `7th`.
    Ordinal(i8),
    /// `2023-05-07`.
    Date(Date),
    /// `2023-05`.
    YearMonth(i16, i8),
    /// `2023-05-07T14:00Z`.
    Stamp(TimeSpan),
    /// `1:56pm`.
    Clock(ClockTime),
    /// `+02:00`.
    Offset(Offset),
    /// `1990s`.
    Decade(i16),
    /// A dash, alone or between the two ends of a range.
    Dash,
    /// Anything else.
    Other,
}

/// Classifies a whole run.
pub(super) fn classify(run: &str) -> TimeTokenKind {
    match run.as_bytes().first() {
        Some(b'0'..=b'9') => classify_number(run),
        Some(b'-') if run.bytes().all(|byte| byte == b'-') => TimeTokenKind::Dash,
        Some(b'+' | b'-') => clock::offset(run).map_or(TimeTokenKind::Other, TimeTokenKind::Offset),
        Some(_) if run.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '.' | '\'' | '’')) => {
            TimeTokenKind::Word
        }
        Some(b'u' | b'U' | b'g' | b'G') => clock::offset(run).map_or(TimeTokenKind::Other, TimeTokenKind::Offset),
        _ => TimeTokenKind::Other,
    }
}

fn classify_number(run: &str) -> TimeTokenKind {
    let length = run.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = run.split_at(length);
    let Some(value) = (length <= 9).then(|| number.parse::<u32>().ok()).flatten() else { return TimeTokenKind::Other };
    match rest {
        "" => return TimeTokenKind::Number(value, u8::try_from(length).unwrap_or(u8::MAX)),
        "s" if length == 4 && value % 10 == 0 => {
            return likely_year(value).map_or(TimeTokenKind::Other, TimeTokenKind::Decade);
        }
        "st" | "nd" | "rd" | "th" | "ST" | "ND" | "RD" | "TH" if (1..=31).contains(&value) => {
            return i8::try_from(value).map_or(TimeTokenKind::Other, TimeTokenKind::Ordinal);
        }
        _ => {}
    }
    if let Some(date) = numeric_date(run) {
        return TimeTokenKind::Date(date);
    }
    if let Some((year, month)) = year_month(run) {
        return TimeTokenKind::YearMonth(year, month);
    }
    if let Some(span) = stamp(run) {
        return TimeTokenKind::Stamp(span);
    }
    clock::parse(run, false).map_or(TimeTokenKind::Other, TimeTokenKind::Clock)
}

/// Returns the year that a bare number may mean.
pub(super) fn likely_year(value: u32) -> Option<i16> {
    i16::try_from(value).ok().filter(|year| LIKELY_YEARS.contains(year))
}

/// Parses `2023-05-07` and `2023/5/7`. With the year last, day and month are accepted only if one
/// order is possible.
fn numeric_date(run: &str) -> Option<Date> {
    let separator = if run.contains('/') { '/' } else { '-' };
    let mut parts = run.split(separator);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let short =
        |part: &str| digits(part, 1..=2).filter(|(_, rest)| rest.is_empty()).and_then(|(n, _)| i8::try_from(n).ok());
    let year = |part: &str| {
        digits(part, 4..=4).filter(|(_, rest)| rest.is_empty()).and_then(|(n, _)| likely_year(n.unsigned_abs()))
    };
    if let Some(year) = year(first) {
        return Date::new(year, short(second)?, short(third)?).ok();
    }
    let (year, one, other) = (year(third)?, short(first)?, short(second)?);
    match (one > 12, other > 12) {
        (true, false) => Date::new(year, other, one).ok(),
        (false, true) => Date::new(year, one, other).ok(),
        _ if one == other => Date::new(year, one, other).ok(),
        _ => None,
    }
}

/// Parses `2023-05`, both parts in full.
fn year_month(run: &str) -> Option<(i16, i8)> {
    let (year, rest) = digits(run, 4..=4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2..=2)?;
    let month = i8::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
    rest.is_empty().then_some((likely_year(year.unsigned_abs())?, month))
}

/// Parses `2023-05-07T14:00Z`.
fn stamp(run: &str) -> Option<TimeSpan> {
    let (date, time) = run.split_once(['T', 't'])?;
    let date = numeric_date(date).filter(|_| date.len() == 10 && date.as_bytes()[4] == b'-')?;
    clock::parse(time, true)?.on(date)
}

/// Returns true if part of a run such as `7-May-2023` or `2024-Q3` can belong to a date.
pub(super) fn is_date_piece(piece: &str) -> bool {
    match classify(piece) {
        TimeTokenKind::Number(value, length) => (length <= 2 && (1..=31).contains(&value)) || is_year(value, length),
        TimeTokenKind::Ordinal(_) => true,
        _ => is_named_piece(piece),
    }
}

/// Returns true for the name of a month, a quarter or a half-year.
pub(super) fn is_named_piece(piece: &str) -> bool {
    let lower = piece.to_ascii_lowercase();
    lexicon::month(&lower).is_some() || lexicon::year_part(&lower).is_some()
}

/// Returns true for the two ends of a range of days or years: `3-7`, `2019-2021`.
pub(super) fn is_number_range(from: &str, until: &str) -> bool {
    match (classify(from), classify(until)) {
        (TimeTokenKind::Number(from, a), TimeTokenKind::Number(until, b)) => {
            let days = a <= 2 && b <= 2 && from >= 1 && until <= 31;
            from < until && (days || (is_year(from, a) && is_year(until, b)))
        }
        _ => false,
    }
}

fn is_year(value: u32, length: u8) -> bool {
    length == 4 && likely_year(value).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn ambiguous_numeric_dates_are_rejected() {
        for text in ["2023-05-07", "2023/05/07", "2023/5/7"] {
            assert_eq!(classify(text), TimeTokenKind::Date(date(2023, 5, 7)), "{text}");
        }
        assert_eq!(classify("25/12/2023"), TimeTokenKind::Date(date(2023, 12, 25)));
        assert_eq!(classify("12/25/2023"), TimeTokenKind::Date(date(2023, 12, 25)));
        assert_eq!(classify("5/5/2023"), TimeTokenKind::Date(date(2023, 5, 5)));
        for text in ["7/5/2023", "05/07/2023", "2023-13-01", "2023-02-30", "13/13/2023", "1/2/23", "2023-05-07-1"] {
            assert_eq!(classify(text), TimeTokenKind::Other, "{text}");
        }
    }

    #[test]
    fn partial_matches_are_not_dates() {
        for text in
            ["v2023-05-07", "$2019", "10.5.20.23", "2.0.2023", "#2023", "555-2023", "2023%", "20230507123456", "2019x"]
        {
            assert_eq!(classify(text), TimeTokenKind::Other, "{text}");
        }
    }
}
