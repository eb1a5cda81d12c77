//! Times that mean something only from now: `yesterday morning`, `last Friday`, `this week`, `on Monday`, `last summer`.

use jiff::civil::{Date, Weekday};

use super::absolute::Anchor;
use super::calendar::{
    self, Unit, day, day_part, days_after, monday_of, months, week_of, weekday_after, weekday_before,
};
use super::classify::Kind;
use super::lexicon;
use super::reader::{Found, Now, Reader};
use super::span::Span;
use super::token::Gap;

/// Which one of many: the one before, the one around or the one after now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Last,
    This,
    Next,
}

impl Turn {
    fn steps(self) -> i64 {
        match self {
            Self::Last => -1,
            Self::This => 0,
            Self::Next => 1,
        }
    }
}

impl Reader {
    /// The time relative to now that begins here.
    pub(super) fn relative(&self, at: usize) -> Option<Found> {
        let now = self.now?;
        if self.kind(at) == Kind::Other {
            return None;
        }
        match self.word(at) {
            "today" => self.day_or_part(now.today, at + 1),
            "yesterday" => self.day_or_part(days_after(now.today, -1)?, at + 1),
            "tomorrow" => self.day_or_part(days_after(now.today, 1)?, at + 1),
            "tonight" => Some(Found::fixed(day_part(now.today, calendar::DayPart::Night)?, at + 1)),
            "last" | "previous" | "past" => self.rolling(at, now).or_else(|| self.turn(at, Turn::Last, now)),
            "this" if matches!(self.word(at + 1), "past" | "last") => self.relative(at + 1),
            "this" if self.word(at + 1) == "coming" => self.turn(at + 1, Turn::Next, now),
            "this" => self.turn(at, Turn::This, now),
            "next" | "coming" => self.rolling(at, now).or_else(|| self.turn(at, Turn::Next, now)),
            _ => self.lone_weekday(at, now).or_else(|| self.lone_ordinal(at, now)).or_else(|| self.counted(at, now)),
        }
    }

    /// A day, or the part of it that is named behind it.
    fn day_or_part(&self, date: Date, end: usize) -> Option<Found> {
        let part = if self.gap(end - 1) == Gap::Open { lexicon::day_part(self.word(end)) } else { None };
        match part {
            Some(part) => Some(Found::fixed(day_part(date, part)?, end + 1)),
            None => Some(Found::fixed(day(date)?, end)),
        }
    }

    /// `last week`, `this May`, `next Friday`; the word behind decides whether it is a time at all.
    fn turn(&self, at: usize, turn: Turn, now: Now) -> Option<Found> {
        let word = self.word(at + 1);
        if self.gap(at) != Gap::Open || self.word(at + 2) == "of" {
            return None;
        }
        if let Some(weekday) = lexicon::weekday(word) {
            let sure = word.len() > 5 || self.ends_clause(at + 1) || lexicon::day_part(self.word(at + 2)).is_some();
            return if sure { self.day_or_part(turned_weekday(weekday, turn, now)?, at + 2) } else { None };
        }
        let span = if let Some(unit) = lexicon::unit(word) {
            turned_unit(unit, turn, now)?
        } else if let Some(month) = lexicon::month(word) {
            turned_months(month, 1, turn, now)?
        } else if let Some(first) = lexicon::season(word) {
            turned_months(first, 3, turn, now)?
        } else if let Some(part) = lexicon::day_part(word) {
            day_part(days_after(now.today, turn.steps())?, part)?
        } else if word == "weekend" {
            turned_weekend(turn, now)?
        } else {
            return None;
        };
        Some(Found::fixed(span, at + 2))
    }

    /// `on Monday`, `since Friday`, `Tuesday morning`. Short names are words of their own and need both neighbours.
    fn lone_weekday(&self, at: usize, now: Now) -> Option<Found> {
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
        self.day_or_part(turned_weekday(weekday, if now.ahead { Turn::Next } else { Turn::Last }, now)?, at + 1)
    }

    /// `on the 5th`, at the end of a clause: `on the 5th floor` is no day.
    fn lone_ordinal(&self, at: usize, now: Now) -> Option<Found> {
        let Kind::Ordinal(wanted) = self.kind(at) else { return None };
        let led = self.word_before(at) == "the"
            && (self.word_before(at - 1) == "on" || self.anchor(at - 1) == Anchor::Expected)
            && self.word_before(at - 1) != "in";
        if !led || self.gap(at) == Gap::Open {
            return None;
        }
        let step = if now.ahead { 1 } else { -1 };
        let date = (0..=2).find_map(|distance| {
            let month = now.today.first_of_month().checked_add(jiff::Span::new().months(distance * step)).ok()?;
            let date = Date::new(month.year(), month.month(), wanted).ok()?;
            (if now.ahead { date >= now.today } else { date <= now.today }).then_some(date)
        })?;
        Some(Found::fixed(day(date)?, at + 1))
    }
}

fn turned_weekday(weekday: Weekday, turn: Turn, now: Now) -> Option<Date> {
    match turn {
        Turn::Last => weekday_before(now.today, weekday),
        Turn::This => days_after(monday_of(now.today)?, i64::from(weekday.to_monday_zero_offset())),
        Turn::Next => weekday_after(now.today, weekday),
    }
}

/// The calendar unit before, around or after now. Units shorter than a week are not spoken of in this way.
fn turned_unit(unit: Unit, turn: Turn, now: Now) -> Option<Span> {
    match unit {
        Unit::Week => week_of(days_after(now.today, 7 * turn.steps())?),
        Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade => {
            calendar::around(calendar::shift(now.at, turn.steps(), unit)?, unit)
        }
        _ => None,
    }
}

/// The month or season that ended last, that this year holds, or that begins next.
fn turned_months(first: i8, count: i8, turn: Turn, now: Now) -> Option<Span> {
    let spans = |from: i16, until: i16| {
        let year = now.today.year();
        (year.saturating_add(from)..=year.saturating_add(until)).filter_map(move |year| months(year, first, count))
    };
    match turn {
        Turn::Last => spans(-2, 0).rfind(|span| span.until <= now.at),
        Turn::Next => spans(0, 1).find(|span| span.from > now.at),
        Turn::This => spans(-1, 0).find(|span| span.contains(now.at)).or_else(|| spans(0, 0).next()),
    }
}

/// Saturday and Sunday. On a Sunday the last weekend is not the one that is ending.
fn turned_weekend(turn: Turn, now: Now) -> Option<Span> {
    let saturday = days_after(monday_of(now.today)?, 5 + 7 * turn.steps())?;
    calendar::between(saturday, days_after(saturday, 2)?)
}
