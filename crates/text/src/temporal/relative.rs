//! Parses times relative to now: `yesterday morning`, `last Friday`, `this week`, `on Monday`,
//! `last summer`.

use jiff::civil::{Date, Weekday};

use super::absolute::Anchor;
use super::calendar::{
    self, TimeUnit, day, day_part, days_after, monday_of, months, week_of, weekday_after, weekday_before,
};
use super::classify::TimeTokenKind;
use super::lexicon;
use super::parser::{ReferenceTime, TimeMatch, TimeParser};
use super::span::TimeSpan;
use super::token::Gap;

/// Selects the previous, current or next period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adjacent {
    Last,
    This,
    Next,
}

impl Adjacent {
    fn steps(self) -> i64 {
        match self {
            Self::Last => -1,
            Self::This => 0,
            Self::Next => 1,
        }
    }
}

impl TimeParser {
    /// Parses the relative time that starts at `at`.
    pub(super) fn relative(&self, at: usize) -> Option<TimeMatch> {
        let now = self.now?;
        if self.kind(at) == TimeTokenKind::Other {
            return None;
        }
        match self.word(at) {
            "today" => self.day_or_part(now.today, at + 1),
            "yesterday" => self.day_or_part(days_after(now.today, -1)?, at + 1),
            "tomorrow" => self.day_or_part(days_after(now.today, 1)?, at + 1),
            "tonight" => Some(TimeMatch::fixed(day_part(now.today, calendar::DayPart::Night)?, at + 1)),
            "last" | "previous" | "past" => self.rolling(at, now).or_else(|| self.adjacent(at, Adjacent::Last, now)),
            "this" if matches!(self.word(at + 1), "past" | "last") => self.relative(at + 1),
            "this" if self.word(at + 1) == "coming" => self.adjacent(at + 1, Adjacent::Next, now),
            "this" => self.adjacent(at, Adjacent::This, now),
            "next" | "coming" => self.rolling(at, now).or_else(|| self.adjacent(at, Adjacent::Next, now)),
            _ => self
                .lone_weekday(at, now)
                .or_else(|| self.lone_ordinal(at, now))
                .or_else(|| self.offset_from_now(at, now)),
        }
    }

    /// Returns a day, or the part of it named after it.
    fn day_or_part(&self, date: Date, end: usize) -> Option<TimeMatch> {
        let part = if self.gap(end - 1) == Gap::Open { lexicon::day_part(self.word(end)) } else { None };
        match part {
            Some(part) => Some(TimeMatch::fixed(day_part(date, part)?, end + 1)),
            None => Some(TimeMatch::fixed(day(date)?, end)),
        }
    }

    /// Parses `last week`, `this May`, `next Friday`. The word after decides whether it is a time
    /// at all.
    fn adjacent(&self, at: usize, adjacent: Adjacent, now: ReferenceTime) -> Option<TimeMatch> {
        let word = self.word(at + 1);
        if self.gap(at) != Gap::Open || self.word(at + 2) == "of" {
            return None;
        }
        if let Some(weekday) = lexicon::weekday(word) {
            let sure = word.len() > 5 || self.ends_clause(at + 1) || lexicon::day_part(self.word(at + 2)).is_some();
            return if sure { self.day_or_part(adjacent_weekday(weekday, adjacent, now)?, at + 2) } else { None };
        }
        let span = if let Some(unit) = lexicon::unit(word) {
            adjacent_unit(unit, adjacent, now)?
        } else if let Some(month) = lexicon::month(word) {
            adjacent_months(month, 1, adjacent, now)?
        } else if let Some(first) = lexicon::season(word) {
            adjacent_months(first, 3, adjacent, now)?
        } else if let Some(part) = lexicon::day_part(word) {
            day_part(days_after(now.today, adjacent.steps())?, part)?
        } else if word == "weekend" {
            adjacent_weekend(adjacent, now)?
        } else {
            return None;
        };
        Some(TimeMatch::fixed(span, at + 2))
    }

    /// Parses `on Monday`, `since Friday`, `Tuesday morning`. Abbreviations have other meanings and
    /// need context on both sides.
    fn lone_weekday(&self, at: usize, now: ReferenceTime) -> Option<TimeMatch> {
        let word = self.word(at);
        let weekday = lexicon::weekday(word)?;
        let leads = ["on", "since", "until", "till", "by", "before", "after", "from", "and", "to", "than"];
        let before = self.word_before(if self.word_before(at) == "the" { at - 1 } else { at });
        let not_a_day = ["every", "each", "any", "a", "some", "black", "good", "cyber", "ash", "palm", "easter"];
        let led = leads.contains(&before);
        let closed = self.ends_clause(at) || lexicon::day_part(self.word(at + 1)).is_some();
        let sure = if word.len() > 5 { led || closed } else { led && closed };
        let dated = self.absolute(at, Anchor::None).is_some();
        if !sure || dated || not_a_day.contains(&self.word_before(at)) {
            return None;
        }
        self.day_or_part(
            adjacent_weekday(weekday, if now.future { Adjacent::Next } else { Adjacent::Last }, now)?,
            at + 1,
        )
    }

    /// Parses `on the 5th` at the end of a clause. `on the 5th floor` is not a day.
    fn lone_ordinal(&self, at: usize, now: ReferenceTime) -> Option<TimeMatch> {
        let TimeTokenKind::Ordinal(wanted) = self.kind(at) else { return None };
        let led = self.word_before(at) == "the"
            && (self.word_before(at - 1) == "on" || self.anchor(at - 1) == Anchor::Expected)
            && self.word_before(at - 1) != "in";
        if !led || self.gap(at) == Gap::Open {
            return None;
        }
        let step = if now.future { 1 } else { -1 };
        let date = (0..=2).find_map(|distance| {
            let month = now.today.first_of_month().checked_add(jiff::Span::new().months(distance * step)).ok()?;
            let date = Date::new(month.year(), month.month(), wanted).ok()?;
            (if now.future { date >= now.today } else { date <= now.today }).then_some(date)
        })?;
        Some(TimeMatch::fixed(day(date)?, at + 1))
    }
}

fn adjacent_weekday(weekday: Weekday, adjacent: Adjacent, now: ReferenceTime) -> Option<Date> {
    match adjacent {
        Adjacent::Last => weekday_before(now.today, weekday),
        Adjacent::This => days_after(monday_of(now.today)?, i64::from(weekday.to_monday_zero_offset())),
        Adjacent::Next => weekday_after(now.today, weekday),
    }
}

/// Returns the previous, current or next calendar unit. Units shorter than a week are not used this
/// way.
fn adjacent_unit(unit: TimeUnit, adjacent: Adjacent, now: ReferenceTime) -> Option<TimeSpan> {
    match unit {
        TimeUnit::Week => week_of(days_after(now.today, 7 * adjacent.steps())?),
        TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year | TimeUnit::Decade => {
            calendar::around(calendar::shift(now.at, adjacent.steps(), unit)?, unit)
        }
        _ => None,
    }
}

/// Returns the month or season that ended last, that lies in this year, or that starts next.
fn adjacent_months(first: i8, count: i8, adjacent: Adjacent, now: ReferenceTime) -> Option<TimeSpan> {
    let spans = |from: i16, until: i16| {
        let year = now.today.year();
        (year.saturating_add(from)..=year.saturating_add(until)).filter_map(move |year| months(year, first, count))
    };
    match adjacent {
        Adjacent::Last => spans(-2, 0).rfind(|span| span.until <= now.at),
        Adjacent::Next => spans(0, 1).find(|span| span.from > now.at),
        Adjacent::This => spans(-1, 0).find(|span| span.contains(now.at)).or_else(|| spans(0, 0).next()),
    }
}

/// Returns a weekend. On a Sunday, the last weekend is not the current one.
fn adjacent_weekend(adjacent: Adjacent, now: ReferenceTime) -> Option<TimeSpan> {
    let saturday = days_after(monday_of(now.today)?, 5 + 7 * adjacent.steps())?;
    calendar::between(saturday, days_after(saturday, 2)?)
}
