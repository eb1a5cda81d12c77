//! Parses times counted from now: `in the last 3 days`, `past month`, `two weeks ago`, `recently`.

use jiff::{SignedDuration, Timestamp};

use super::calendar::{TimeUnit, around, shift};
use super::lexicon;
use super::parser::{ReferenceTime, TimeMatch, TimeParser};
use super::span::TimeSpan;
use super::token::Gap;
use super::value::TimeValue;

/// Days covered by `recently`.
const RECENT_DAYS: i64 = 14;

/// Days covered by `the other day`.
const OTHER_DAY_DAYS: i64 = 7;

/// Units covered by `recent weeks`.
const RECENT_UNITS: i64 = 4;

impl TimeParser {
    /// Parses `last 3 days`, `past month`, `next two weeks`: spans that end or start now. `last
    /// month` is a calendar month.
    pub(super) fn rolling(&self, at: usize, now: ReferenceTime) -> Option<TimeMatch> {
        let word = self.word(at);
        let (count, vague, unit_at) = match self.count(at + 1) {
            Some(counted) => counted,
            None => (1, false, at + 1),
        };
        let unit = lexicon::unit(self.word(unit_at))?;
        if self.gap(at) != Gap::Open || self.word(unit_at + 1) == "of" {
            return None;
        }
        let counted = unit_at > at + 1;
        let plain = match unit {
            TimeUnit::Hour | TimeUnit::Minute => word != "previous",
            TimeUnit::Second => false,
            _ => word == "past" || (word == "last" && self.is_within_the(at)),
        };
        if !counted && !plain {
            return None;
        }
        let steps = i64::from(count);
        let span = if matches!(word, "next" | "coming") {
            TimeSpan::new(now.at, shift(now.at, steps, unit)?)?
        } else {
            back_to(shift(now.at, -steps, unit)?, now)?
        };
        Some(TimeMatch::fixed(span, unit_at + 1).vague_if(vague))
    }

    /// Returns true for `in the last month`, which ends now. Without these words it is a calendar
    /// month.
    fn is_within_the(&self, at: usize) -> bool {
        self.word_before(at) == "the" && matches!(self.word_before(at - 1), "in" | "over" | "within" | "during")
    }

    /// Parses `two weeks ago`, `3 days from now`, `recently`, `the other day`.
    pub(super) fn offset_from_now(&self, at: usize, now: ReferenceTime) -> Option<TimeMatch> {
        if let Some(found) = self.recent(at, now) {
            return Some(found);
        }
        let (count, vague, unit_at) = self.count(at)?;
        let unit = lexicon::unit(self.word(unit_at))?;
        let open = (at..unit_at).all(|place| self.gap(place) == Gap::Open);
        let (steps, end) = match (self.word(unit_at + 1), self.word(unit_at + 2)) {
            ("ago" | "back", _) => (-i64::from(count), unit_at + 2),
            ("from", "now") => (i64::from(count), unit_at + 3),
            _ if now.future && self.word_before(at) == "in" => (i64::from(count), unit_at + 1),
            _ => return None,
        };
        let span = around(shift(now.at, steps, unit)?, unit)?;
        open.then(|| TimeMatch::fixed(span, end).vague_if(vague))
    }

    /// Parses words that only mean *not long ago*.
    fn recent(&self, at: usize, now: ReferenceTime) -> Option<TimeMatch> {
        let next = self.word(at + 1);
        let (days, end) = match self.word(at) {
            "recently" | "lately" | "nowadays" => (RECENT_DAYS, at + 1),
            "these" if next == "days" => (RECENT_DAYS, at + 2),
            "of" if next == "late" && self.ends_clause(at + 1) => (RECENT_DAYS, at + 2),
            "other" if next == "day" && self.word_before(at) == "the" => (OTHER_DAY_DAYS, at + 2),
            "recent" if self.word_before(at) != "most" => {
                if let Some(unit) = lexicon::unit(next) {
                    let from = shift(now.at, -RECENT_UNITS, unit)?;
                    return Some(TimeMatch::fixed(back_to(from, now)?, at + 2).vague_if(true));
                }
                (RECENT_DAYS, at + 1)
            }
            _ => return None,
        };
        let span = back_to(shift(now.at, -days, TimeUnit::Day)?, now)?;
        Some(TimeMatch { value: TimeValue::Fixed(span), end, vague: true })
    }
}

/// Returns the span from an instant up to and including now.
fn back_to(from: Timestamp, now: ReferenceTime) -> Option<TimeSpan> {
    TimeSpan::new(from, now.at.checked_add(SignedDuration::from_secs(1)).ok()?)
}
