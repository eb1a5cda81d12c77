//! Times counted from now: `in the last 3 days`, `past month`, `two weeks ago`, `recently`.

use jiff::{SignedDuration, Timestamp};

use super::calendar::{Unit, around, shift};
use super::lexicon;
use super::named::Named;
use super::reader::{Found, Now, Reader};
use super::span::Span;
use super::token::Gap;

/// How far back `recently` reaches.
const RECENT_DAYS: i64 = 14;

/// How far back `the other day` reaches.
const OTHER_DAY_DAYS: i64 = 7;

/// The number `recent weeks` stands for.
const RECENT_UNITS: i64 = 4;

impl Reader {
    /// `last 3 days`, `past month`, `next two weeks`: up to now or from now on. `last month` is the calendar's.
    pub(super) fn rolling(&self, at: usize, now: Now) -> Option<Found> {
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
            Unit::Hour | Unit::Minute => word != "previous",
            Unit::Second => false,
            _ => word == "past" || (word == "last" && self.is_within_the(at)),
        };
        if !counted && !plain {
            return None;
        }
        let steps = i64::from(count);
        let span = if matches!(word, "next" | "coming") {
            Span::new(now.at, shift(now.at, steps, unit)?)?
        } else {
            back_to(shift(now.at, -steps, unit)?, now)?
        };
        Some(Found::fixed(span, unit_at + 1).vague_if(vague))
    }

    /// `in the last month`: with those words it ends now, without them it is the calendar's.
    fn is_within_the(&self, at: usize) -> bool {
        self.word_before(at) == "the" && matches!(self.word_before(at - 1), "in" | "over" | "within" | "during")
    }

    /// `two weeks ago`, `3 days from now`, `recently`, `the other day`.
    pub(super) fn counted(&self, at: usize, now: Now) -> Option<Found> {
        if let Some(found) = self.recent(at, now) {
            return Some(found);
        }
        let (count, vague, unit_at) = self.count(at)?;
        let unit = lexicon::unit(self.word(unit_at))?;
        let open = (at..unit_at).all(|place| self.gap(place) == Gap::Open);
        let (steps, end) = match (self.word(unit_at + 1), self.word(unit_at + 2)) {
            ("ago" | "back", _) => (-i64::from(count), unit_at + 2),
            ("from", "now") => (i64::from(count), unit_at + 3),
            _ if now.ahead && self.word_before(at) == "in" => (i64::from(count), unit_at + 1),
            _ => return None,
        };
        let span = around(shift(now.at, steps, unit)?, unit)?;
        open.then(|| Found::fixed(span, end).vague_if(vague))
    }

    /// Words that say *not long ago* and no more.
    fn recent(&self, at: usize, now: Now) -> Option<Found> {
        let next = self.word(at + 1);
        let (days, end) = match self.word(at) {
            "recently" | "lately" | "nowadays" => (RECENT_DAYS, at + 1),
            "these" if next == "days" => (RECENT_DAYS, at + 2),
            "of" if next == "late" && self.ends_clause(at + 1) => (RECENT_DAYS, at + 2),
            "other" if next == "day" && self.word_before(at) == "the" => (OTHER_DAY_DAYS, at + 2),
            "recent" if self.word_before(at) != "most" => {
                if let Some(unit) = lexicon::unit(next) {
                    let from = shift(now.at, -RECENT_UNITS, unit)?;
                    return Some(Found::fixed(back_to(from, now)?, at + 2).vague_if(true));
                }
                (RECENT_DAYS, at + 1)
            }
            _ => return None,
        };
        let span = back_to(shift(now.at, -days, Unit::Day)?, now)?;
        Some(Found { named: Named::Fixed(span), end, vague: true })
    }
}

/// From an instant up to now, which counts.
fn back_to(from: Timestamp, now: Now) -> Option<Span> {
    Span::new(from, now.at.checked_add(SignedDuration::from_secs(1)).ok()?)
}
