//! Parts of a time and times beside a time: `end of May`, `early 2022`, `first week of May`, `the Friday before 7 May`.

use jiff::SignedDuration;

use super::absolute::Anchor;
use super::calendar::{self, Unit, around, between, date_of, days_after, shift, week_of, weekday_after, weekday_before};
use super::lexicon;
use super::reader::{Found, Reader};
use super::span::Span;
use super::token::Gap;

/// Which part of a whole.
#[derive(Debug, Clone, Copy)]
enum Part {
    Begin,
    Middle,
    End,
}

impl Reader {
    /// A part of the time that is named behind it.
    pub(super) fn part(&self, at: usize) -> Option<Found> {
        let word = self.word(at);
        if self.gap(at) != Gap::Open {
            return None;
        }
        if let Some(found) = self.week_or_day_of(at) {
            return Some(found);
        }
        let adjective = matches!(word, "early" | "mid" | "late");
        let part = match word {
            "early" | "beginning" | "start" => Part::Begin,
            "mid" | "middle" => Part::Middle,
            "late" | "end" => Part::End,
            _ => return None,
        };
        if !adjective && self.word(at + 1) != "of" {
            return None;
        }
        let whole_at = if adjective { at + 1 } else { self.skip(at + 2, &["the"]) };
        let found = self.simple(whole_at, Anchor::Expected)?;
        Some(Found::fixed(third(found.named.span(self.now)?, part)?, found.end).vague_if(found.vague))
    }

    /// `week of 8 May`, `the last week of May`, `the first day of 2023`.
    fn week_or_day_of(&self, at: usize) -> Option<Found> {
        let nth = match self.word(at) {
            "last" => Some(-1),
            word => lexicon::ordinal(word).map(i64::from).filter(|nth| *nth <= 4),
        };
        let unit_at = if nth.is_some() { at + 1 } else { at };
        let unit = lexicon::unit(self.word(unit_at)).filter(|unit| matches!(unit, Unit::Week | Unit::Day))?;
        if self.word(unit_at + 1) != "of" || (nth.is_none() && unit == Unit::Day) {
            return None;
        }
        let whole = self.simple(self.skip(unit_at + 2, &["the"]), Anchor::Expected)?;
        let span = whole.named.span(self.now)?;
        let days = if unit == Unit::Week { 7 } else { 1 };
        let part = match nth {
            None => week_of(date_of(span.from))?,
            Some(-1) => {
                let end = date_of(span.until);
                between(days_after(end, -days)?, end)?
            }
            Some(nth) => {
                let start = days_after(date_of(span.from), (nth - 1) * days)?;
                between(start, days_after(start, days)?)?
            }
        };
        Some(Found::fixed(part, whole.end))
    }

    /// `the day before yesterday`, `the week after 7 May`, `two days before 9 June 2023`, `the year before last`.
    pub(super) fn beside(&self, at: usize) -> Option<Found> {
        let (count, vague, unit_at) = self.count(at).unwrap_or((1, false, at));
        let later = match self.word(unit_at + 1) {
            "before" => false,
            "after" => true,
            _ => return None,
        };
        if self.gap(unit_at) != Gap::Open || self.gap(unit_at + 1) != Gap::Open {
            return None;
        }
        let unit = lexicon::unit(self.word(unit_at));
        let weekday = lexicon::weekday(self.word(unit_at));
        if unit.is_none() && weekday.is_none() {
            return None;
        }
        if let (Some(unit), Some(now), "last") = (unit, self.now, self.word(unit_at + 2))
            && !later
            && self.ends_clause(unit_at + 2)
        {
            let span = if unit == Unit::Week {
                week_of(days_after(now.today, -14)?)
            } else {
                around(shift(now.at, -2, unit)?, unit)
            };
            return Some(Found::fixed(span?, unit_at + 3));
        }
        let named = self.simple(self.skip(unit_at + 2, &["the"]), Anchor::Expected)?;
        let beside = named.named.span(self.now)?;
        let near = if later { days_after(date_of(beside.until), -1)? } else { date_of(beside.from) };
        let steps = if later { i64::from(count) } else { -i64::from(count) };
        let span = match (unit, weekday) {
            (_, Some(weekday)) if later => calendar::day(weekday_after(near, weekday)?)?,
            (_, Some(weekday)) => calendar::day(weekday_before(near, weekday)?)?,
            (Some(unit), _) if unit_at > at => around(shift(calendar::midnight(near)?, steps, unit)?, unit)?,
            (Some(unit), _) if later => Span::new(beside.until, shift(beside.until, 1, unit)?)?,
            (Some(unit), _) => Span::new(shift(beside.from, -1, unit)?, beside.from)?,
            _ => return None,
        };
        Some(Found::fixed(span, named.end).vague_if(vague || named.vague))
    }
}

/// The first, second or last third; in whole days where there are enough of them.
fn third(span: Span, part: Part) -> Option<Span> {
    let seconds = span.length().as_secs() / 3;
    let whole = if seconds >= 86_400 { seconds - seconds % 86_400 } else { seconds };
    let step = SignedDuration::from_secs(whole);
    let (begin, end) = (span.from.checked_add(step).ok()?, span.until.checked_sub(step).ok()?);
    match part {
        Part::Begin => Span::new(span.from, begin),
        Part::Middle => Span::new(begin, end),
        Part::End => Span::new(end, span.until),
    }
}
