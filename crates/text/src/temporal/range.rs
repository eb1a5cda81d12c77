//! Parses ranges: `between March and June 2023`, `from 3 to 7 May`, `May 3–7, 2023`, `2019 to
//! 2021`.

use jiff::SignedDuration;

use super::absolute::Anchor;
use super::calendar::{WRITTEN_YEARS, date_of};
use super::classify::TimeTokenKind;
use super::parser::{TimeMatch, TimeParser};
use super::span::TimeSpan;
use super::token::Gap;
use super::value::TimeValue;

/// One end of a range. A bare day takes its month from the other end.
#[derive(Debug, Clone, Copy)]
enum RangeEnd {
    Whole(TimeMatch),
    Day(i8),
}

impl TimeParser {
    /// Parses the range that starts at `at`, with or without `between` or `from`.
    pub(super) fn range(&self, at: usize) -> Option<TimeMatch> {
        let led = matches!(self.word(at), "between" | "from");
        let first_at = if led { self.skip(at + 1, &["the", "early", "late", "mid"]) } else { at };
        let (first, connector) = self.range_start(first_at, led)?;
        let joins = match (self.word(connector), self.kind(connector)) {
            ("and" | "to", _) if self.word(at) == "between" => true,
            ("to" | "until" | "till" | "through" | "thru", _) | (_, TimeTokenKind::Dash) => true,
            _ => false,
        };
        if !joins || self.gap(connector - 1) == Gap::Stop {
            return None;
        }
        let second_at = self.skip(connector + 1, &["the"]);
        let second = self.range_end(second_at, first)?;
        let (from, until) = match first {
            RangeEnd::Whole(found) => (found.value, second.value),
            RangeEnd::Day(day) => match second.value {
                TimeValue::Day { year, month, .. } => (TimeValue::Day { year, month, day }, second.value),
                _ => return None,
            },
        };
        let anchored = led || self.anchor(at) == Anchor::Expected;
        let lone_years = matches!(self.kind(first_at), TimeTokenKind::Number(_, 4));
        if !anchored && (lone_years || from.year().or(until.year()).is_none()) {
            return None;
        }
        self.joined(from, until).map(|span| TimeMatch::fixed(span, second.end))
    }

    fn range_start(&self, at: usize, led: bool) -> Option<(RangeEnd, usize)> {
        let whole = if led { self.simple(at, Anchor::Expected) } else { self.absolute(at, Anchor::Expected) };
        if let Some(found) = whole {
            return Some((RangeEnd::Whole(found), found.end));
        }
        let day = self.day(at).filter(|_| self.kind(at) != TimeTokenKind::Word)?;
        Some((RangeEnd::Day(day), at + 1))
    }

    fn range_end(&self, at: usize, first: RangeEnd) -> Option<TimeMatch> {
        if let Some(now) = self.now
            && matches!(self.word(at), "now" | "present")
        {
            let instant = TimeSpan::lasting(now.at, SignedDuration::from_secs(1))?;
            return Some(TimeMatch::fixed(instant, at + 1));
        }
        if let Some(found) = self.simple(at, Anchor::Expected) {
            return Some(found);
        }
        // `May 3 to 7, 2023`.
        let RangeEnd::Whole(TimeMatch { value: TimeValue::Day { year: None, month, .. }, .. }) = first else {
            return None;
        };
        let day = self.day(at)?;
        let year = if self.gap(at) == Gap::Stop { None } else { self.year(at + 1, &WRITTEN_YEARS) };
        Some(TimeMatch::new(TimeValue::Day { year, month, day }, at + 1 + usize::from(year.is_some())))
    }

    /// Moves one end by a week. In `from Monday to Friday` on a Wednesday, each day was resolved
    /// alone.
    fn within_a_week(&self, from: TimeSpan, until: TimeSpan) -> Option<(TimeSpan, TimeSpan)> {
        let week = SignedDuration::from_hours(7 * 24);
        let moved =
            |span: TimeSpan, by: SignedDuration| TimeSpan::lasting(span.from.checked_add(by).ok()?, span.length());
        if from.from.duration_since(until.from) >= week {
            return None;
        }
        if self.now?.future { Some((from, moved(until, week)?)) } else { Some((moved(from, -week)?, until)) }
    }

    /// Joins both ends into one span. An end without a year takes the year of the other end, or the
    /// adjacent year if the order requires it.
    fn joined(&self, from: TimeValue, until: TimeValue) -> Option<TimeSpan> {
        let (from, until) = match (from.year(), until.year()) {
            (None, Some(year)) => {
                let until = until.resolve(self.now)?;
                let same = from.or_year(year).resolve(None);
                let fits = same.filter(|span| span.from <= until.from);
                (fits.or_else(|| from.or_year(year - 1).resolve(None))?, until)
            }
            (_, None) => {
                let from = from.resolve(self.now)?;
                let year = date_of(from.from).year();
                let same = until.or_year(year).resolve(None);
                let fits = same.filter(|span| span.from >= from.from);
                (from, fits.or_else(|| until.or_year(year + 1).resolve(None))?)
            }
            _ => (from.resolve(self.now)?, until.resolve(self.now)?),
        };
        let (from, until) = if from.from <= until.from { (from, until) } else { self.within_a_week(from, until)? };
        Some(from.joined(until))
    }
}
