//! Parts of a time and times beside a time: `end of May`, `early 2022`, `first week of May`, `the Friday before 7 May`.

use jiff::SignedDuration;
use jiff::civil::Weekday;

use super::absolute::Anchor;
use super::calendar::{
    self, Unit, around, between, date_of, days_after, monday_of, shift, week_of, weekday_after, weekday_before,
};
use super::lexicon;
use super::numbers;
use super::reader::{Found, Reader};
use super::span::Span;
use super::token::Gap;

/// Which part of a whole.
#[derive(Debug, Clone, Copy)]
enum Part {
    Begin,
    Middle,
    End,
    FirstHalf,
    SecondHalf,
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
        let (part, of) = match (word, self.word(at + 1)) {
            ("first", "half") => (Part::FirstHalf, Some(at + 2)),
            ("second", "half") => (Part::SecondHalf, Some(at + 2)),
            ("beginning" | "start", _) => (Part::Begin, Some(at + 1)),
            ("middle", _) => (Part::Middle, Some(at + 1)),
            ("end", _) => (Part::End, Some(at + 1)),
            ("early", _) => (Part::Begin, None),
            ("mid", _) => (Part::Middle, None),
            ("late", _) => (Part::End, None),
            _ => return None,
        };
        let whole_at = match of {
            Some(of) if self.word(of) == "of" => self.skip(of + 1, &["the"]),
            Some(_) => return None,
            None => at + 1,
        };
        let found = self.simple(whole_at, Anchor::Expected).or_else(|| self.the_current(whole_at))?;
        Some(Found::fixed(cut(found.named.span(self.now)?, part)?, found.end).vague_if(found.vague))
    }

    /// The year in `end of the year`, which is this one. `end of the day` is only said.
    fn the_current(&self, at: usize) -> Option<Found> {
        let unit =
            lexicon::unit(self.word(at)).filter(|unit| matches!(unit, Unit::Month | Unit::Quarter | Unit::Year))?;
        let alone = self.word_before(at) == "the" && self.word(at + 1) != "of";
        Some(Found::fixed(around(self.now?.at, unit)?, at + 1)).filter(|_| alone)
    }

    /// `week of 8 May`, `the second week of May`, `the last two weeks of May`, `the first day of 2023`.
    fn week_or_day_of(&self, at: usize) -> Option<Found> {
        let (ends, nth) = match self.word(at) {
            "last" => (true, 1),
            word => (false, numbers::ordinal(word).map_or(0, i64::from)),
        };
        let numbered = ends || (1..=4).contains(&nth);
        let (count, vague, unit_at) = match self.count(at + 1) {
            Some(counted) if numbered && nth == 1 => counted,
            _ => (1, false, at + usize::from(numbered)),
        };
        let days = match self.word(unit_at) {
            "week" => 7,
            "weeks" if numbered => 7,
            "day" | "days" if numbered => 1,
            _ => return None,
        };
        if self.word(unit_at + 1) != "of" {
            return None;
        }
        let whole = self.simple(self.skip(unit_at + 2, &["the"]), Anchor::Expected)?;
        let span = whole.named.span(self.now)?;
        let length = days * i64::from(count);
        let part = if ends {
            let end = date_of(span.until);
            between(days_after(end, -length)?, end)?
        } else if numbered {
            let start = days_after(date_of(span.from), (nth - 1) * days)?;
            between(start, days_after(start, length)?)?
        } else {
            week_of(date_of(span.from))?
        };
        Some(Found::fixed(part, whole.end).vague_if(vague))
    }

    /// `the day before yesterday`, `the week after 7 May`, `two days before 9 June 2023`, `the year before last`.
    pub(super) fn beside(&self, at: usize) -> Option<Found> {
        // `last weekend before 10 April` is the weekend before it.
        let first = at + usize::from(self.word(at) == "last");
        let (count, vague, unit_at) = self.count(at).unwrap_or((1, false, first));
        let later = match self.word(unit_at + 1) {
            "before" => false,
            "after" => true,
            _ => return None,
        };
        if self.gap(unit_at) != Gap::Open || self.gap(unit_at + 1) != Gap::Open {
            return None;
        }
        let word = self.word(unit_at);
        let unit = lexicon::unit(word);
        let weekday = if word == "weekend" { Some(Weekday::Saturday) } else { lexicon::weekday(word) };
        if unit.is_none() && weekday.is_none() {
            return None;
        }
        if !later && self.word(unit_at + 2) == "last" && self.ends_clause(unit_at + 2) {
            return Some(Found::fixed(self.one_before_last(word)?, unit_at + 3));
        }
        let named = self.simple(self.skip(unit_at + 2, &["the"]), Anchor::Expected)?;
        let beside = named.named.span(self.now)?;
        let near = if later { days_after(date_of(beside.until), -1)? } else { date_of(beside.from) };
        let steps = if later { i64::from(count) } else { -i64::from(count) };
        let span = match (unit, weekday) {
            (_, Some(weekday)) => {
                let first = if later { weekday_after(near, weekday)? } else { weekday_before(near, weekday)? };
                between(first, days_after(first, if word == "weekend" { 2 } else { 1 })?)?
            }
            (Some(unit), _) if unit_at > first => around(shift(calendar::midnight(near)?, steps, unit)?, unit)?,
            (Some(unit), _) if later => Span::new(beside.until, shift(beside.until, 1, unit)?)?,
            (Some(unit), _) => Span::new(shift(beside.from, -1, unit)?, beside.from)?,
            _ => return None,
        };
        Some(Found::fixed(span, named.end).vague_if(vague || named.vague))
    }
}

impl Reader {
    /// `the week before last`.
    fn one_before_last(&self, word: &str) -> Option<Span> {
        let now = self.now?;
        let monday = days_after(monday_of(now.today)?, -14)?;
        match (word, lexicon::unit(word)) {
            ("weekend", _) => between(days_after(monday, 5)?, days_after(monday, 7)?),
            (_, Some(Unit::Week)) => week_of(monday),
            (_, Some(unit)) => around(shift(now.at, -2, unit)?, unit),
            _ => None,
        }
    }
}

/// A half or a third; in whole days where there are enough of them.
fn cut(span: Span, part: Part) -> Option<Span> {
    let seconds = span.length().as_secs() / if matches!(part, Part::FirstHalf | Part::SecondHalf) { 2 } else { 3 };
    let whole = if seconds >= 86_400 { seconds - seconds % 86_400 } else { seconds };
    let step = SignedDuration::from_secs(whole);
    let (begin, end) = (span.from.checked_add(step).ok()?, span.until.checked_sub(step).ok()?);
    match part {
        Part::Begin | Part::FirstHalf => Span::new(span.from, begin),
        Part::Middle => Span::new(begin, end),
        Part::SecondHalf => Span::new(begin, span.until),
        Part::End => Span::new(end, span.until),
    }
}
