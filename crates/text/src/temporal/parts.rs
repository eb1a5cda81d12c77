//! Parses parts of a time and times relative to another: `end of May`, `early 2022`, `first week of
//! May`, `the Friday before 7 May`.

use jiff::SignedDuration;
use jiff::civil::Weekday;

use super::absolute::Anchor;
use super::calendar::{
    self, TimeUnit, around, between, date_of, days_after, monday_of, shift, week_of, weekday_after, weekday_before,
};
use super::lexicon;
use super::numbers;
use super::parser::{TimeMatch, TimeParser};
use super::span::TimeSpan;
use super::token::Gap;

/// A part of a period.
#[derive(Debug, Clone, Copy)]
enum PeriodPart {
    Begin,
    Middle,
    End,
    FirstHalf,
    SecondHalf,
}

impl TimeParser {
    /// Parses a part of the time that follows it.
    pub(super) fn part(&self, at: usize) -> Option<TimeMatch> {
        let word = self.word(at);
        if self.gap(at) != Gap::Open {
            return None;
        }
        if let Some(found) = self.week_or_day_of(at) {
            return Some(found);
        }
        let (part, of) = match (word, self.word(at + 1)) {
            ("first", "half") => (PeriodPart::FirstHalf, Some(at + 2)),
            ("second", "half") => (PeriodPart::SecondHalf, Some(at + 2)),
            ("beginning" | "start", _) => (PeriodPart::Begin, Some(at + 1)),
            ("middle", _) => (PeriodPart::Middle, Some(at + 1)),
            ("end", _) => (PeriodPart::End, Some(at + 1)),
            ("early", _) => (PeriodPart::Begin, None),
            ("mid", _) => (PeriodPart::Middle, None),
            ("late", _) => (PeriodPart::End, None),
            _ => return None,
        };
        let whole_at = match of {
            Some(of) if self.word(of) == "of" => self.skip(of + 1, &["the"]),
            Some(_) => return None,
            None => at + 1,
        };
        let found = self.simple(whole_at, Anchor::Expected).or_else(|| self.current_unit(whole_at))?;
        Some(TimeMatch::fixed(take_part(found.value.resolve(self.now)?, part)?, found.end).vague_if(found.vague))
    }

    /// Parses the current unit in `end of the year`. `end of the day` is an idiom and not accepted.
    fn current_unit(&self, at: usize) -> Option<TimeMatch> {
        let unit = lexicon::unit(self.word(at))
            .filter(|unit| matches!(unit, TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year))?;
        let alone = self.word_before(at) == "the" && self.word(at + 1) != "of";
        Some(TimeMatch::fixed(around(self.now?.at, unit)?, at + 1)).filter(|_| alone)
    }

    /// Parses `week of 8 May`, `the second week of May`, `the last two weeks of May`, `the first
    /// day of 2023`.
    fn week_or_day_of(&self, at: usize) -> Option<TimeMatch> {
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
        let span = whole.value.resolve(self.now)?;
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
        Some(TimeMatch::fixed(part, whole.end).vague_if(vague))
    }

    /// Parses `the day before yesterday`, `the week after 7 May`, `two days before 9 June 2023`,
    /// `the year before last`.
    pub(super) fn relative_to(&self, at: usize) -> Option<TimeMatch> {
        // `last weekend before 10 April` means the weekend before 10 April.
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
            return Some(TimeMatch::fixed(self.one_before_last(word)?, unit_at + 3));
        }
        let named = self.simple(self.skip(unit_at + 2, &["the"]), Anchor::Expected)?;
        let beside = named.value.resolve(self.now)?;
        let near = if later { days_after(date_of(beside.until), -1)? } else { date_of(beside.from) };
        let steps = if later { i64::from(count) } else { -i64::from(count) };
        let span = match (unit, weekday) {
            (_, Some(weekday)) => {
                let first = if later { weekday_after(near, weekday)? } else { weekday_before(near, weekday)? };
                between(first, days_after(first, if word == "weekend" { 2 } else { 1 })?)?
            }
            (Some(unit), _) if unit_at > first => around(shift(calendar::midnight(near)?, steps, unit)?, unit)?,
            (Some(unit), _) if later => TimeSpan::new(beside.until, shift(beside.until, 1, unit)?)?,
            (Some(unit), _) => TimeSpan::new(shift(beside.from, -1, unit)?, beside.from)?,
            _ => return None,
        };
        Some(TimeMatch::fixed(span, named.end).vague_if(vague || named.vague))
    }
}

impl TimeParser {
    /// Resolves `the week before last`.
    fn one_before_last(&self, word: &str) -> Option<TimeSpan> {
        let now = self.now?;
        let monday = days_after(monday_of(now.today)?, -14)?;
        match (word, lexicon::unit(word)) {
            ("weekend", _) => between(days_after(monday, 5)?, days_after(monday, 7)?),
            (_, Some(TimeUnit::Week)) => week_of(monday),
            (_, Some(unit)) => around(shift(now.at, -2, unit)?, unit),
            _ => None,
        }
    }
}

/// Returns a half or a third of a span, in whole days if it is long enough.
fn take_part(span: TimeSpan, part: PeriodPart) -> Option<TimeSpan> {
    let seconds =
        span.length().as_secs() / if matches!(part, PeriodPart::FirstHalf | PeriodPart::SecondHalf) { 2 } else { 3 };
    let whole = if seconds >= 86_400 { seconds - seconds % 86_400 } else { seconds };
    let step = SignedDuration::from_secs(whole);
    let (begin, end) = (span.from.checked_add(step).ok()?, span.until.checked_sub(step).ok()?);
    match part {
        PeriodPart::Begin | PeriodPart::FirstHalf => TimeSpan::new(span.from, begin),
        PeriodPart::Middle => TimeSpan::new(begin, end),
        PeriodPart::SecondHalf => TimeSpan::new(begin, span.until),
        PeriodPart::End => TimeSpan::new(end, span.until),
    }
}
