//! Parses calendar dates: `7 May 2023`, `May 7, 2023`, `May 2023`, `Q3 2024`, `summer of 2023`, `in
//! 2019`.

use super::calendar::{LIKELY_YEARS, WRITTEN_YEARS};
use super::classify::TimeTokenKind;
use super::lexicon;
use super::numbers;
use super::parser::{TimeMatch, TimeParser};
use super::token::Gap;
use super::value::TimeValue;

/// Whether the preceding words announce a time. Decides for words that are also verbs, names or
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// After `in`, `since`, `until` and the like.
    Expected,
    /// Anywhere.
    None,
}

/// Words after which a bare year or month is a time, in any text.
const ANCHORS: [&str; 5] = ["in", "during", "since", "throughout", "within"];

/// Words after which a bare year or month is a time, in questions only. A memory "done before 2019"
/// did not happen in 2019.
const QUESTION_ANCHORS: [&str; 8] = ["before", "after", "until", "till", "by", "following", "prior", "up"];

/// Words allowed between an anchor and its time.
pub(super) const FILLERS: [&str; 11] =
    ["the", "about", "around", "roughly", "approximately", "circa", "sometime", "early", "mid", "late", "to"];

impl TimeParser {
    /// Returns whether the words before `at` announce a time.
    pub(super) fn anchor(&self, at: usize) -> Anchor {
        let mut place = at;
        while FILLERS.contains(&self.word_before(place)) {
            if matches!(self.word_before(place), "early" | "mid" | "late") {
                return Anchor::Expected;
            }
            place -= 1;
        }
        let before = self.word_before(place);
        let part_of =
            before == "of" && matches!(self.word_before(place - 1), "month" | "week" | "day" | "part" | "rest" | "all");
        let open_end = before == "from" && matches!(self.word(at + 1), "on" | "onward" | "onwards");
        let asked = self.now.is_some() && QUESTION_ANCHORS.contains(&before);
        if asked || open_end || part_of || ANCHORS.contains(&before) { Anchor::Expected } else { Anchor::None }
    }

    /// Parses the calendar time that starts at `at`.
    pub(super) fn absolute(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        match self.kind(at) {
            TimeTokenKind::Date(date) => Some(TimeMatch::new(TimeValue::date(date), at + 1)),
            TimeTokenKind::Stamp(span) => Some(TimeMatch::fixed(span, at + 1)),
            TimeTokenKind::YearMonth(year, first) if anchor == Anchor::Expected => {
                Some(TimeMatch::new(TimeValue::Months { year: Some(year), first, count: 1 }, at + 1))
            }
            TimeTokenKind::Decade(year) if anchor == Anchor::Expected => {
                Some(TimeMatch::new(TimeValue::Months { year: Some(year), first: 1, count: 120 }, at + 1))
            }
            TimeTokenKind::Number(..) => {
                self.day_first(at, anchor).or_else(|| self.year_first(at)).or_else(|| self.lone_year(at, anchor))
            }
            TimeTokenKind::Ordinal(_) => self.nth_quarter(at, anchor).or_else(|| self.day_first(at, anchor)),
            TimeTokenKind::Word => self.absolute_word(at, anchor),
            _ => None,
        }
    }

    fn absolute_word(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        let word = self.word(at);
        if let Some(first) = lexicon::month(word) {
            return self.month_first(at, first, anchor);
        }
        if let Some((first, count)) = lexicon::year_part(word) {
            return self.months_of_year(at + 1, first, count, anchor);
        }
        if let Some(first) = lexicon::season(word) {
            return self.months_of_year(at + 1, first, 3, anchor);
        }
        if lexicon::weekday(word).is_some() {
            // `Friday, 7 May 2023`: use the date. A weekday after the weekday starts another date.
            let date = self.skip(at + 1, &["the"]);
            if self.gap(at) == Gap::Stop || lexicon::weekday(self.word(date)).is_some() {
                return None;
            }
            return self.absolute(date, anchor).filter(|found| matches!(found.value, TimeValue::Day { .. }));
        }
        if word == "year" && self.gap(at) == Gap::Open {
            let year = self.year(at + 1, &LIKELY_YEARS)?;
            return Some(TimeMatch::new(TimeValue::year_of(year), at + 2));
        }
        self.nth_quarter(at, anchor).or_else(|| self.day_first(at, anchor))
    }

    /// Parses `the third quarter of 2024`.
    fn nth_quarter(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        let nth = self.day(at).filter(|nth| *nth <= 4 && self.word(at + 1) == "quarter")?;
        self.months_of_year(at + 2, nth * 3 - 2, 3, anchor)
    }

    /// Parses `30. September 2027` and `am 30. September`: in German and other languages the dot makes the number an ordinal.
    fn dotted_day(&self, at: usize) -> Option<TimeMatch> {
        let (own, next) = (self.tokens.get(at)?, self.tokens.get(at + 1)?);
        let is_dotted = matches!(own.kind, TimeTokenKind::Number(_, 1..=2))
            && own.gap == Gap::Stop
            && next.start == own.end + ". ".len();
        let (day, month) = (self.day(at).filter(|_| is_dotted)?, lexicon::month(&next.word)?);
        if let Some((year, end)) = self.year_after(at + 1) {
            return Some(TimeMatch::new(TimeValue::Day { year: Some(year), month, day }, end));
        }
        let is_led = matches!(self.word_before(at), "am" | "vom" | "zum" | "bis" | "ab" | "dem" | "den" | "der");
        is_led.then(|| TimeMatch::new(TimeValue::Day { year: None, month, day }, at + 2))
    }

    /// Parses `7 May 2023` and `7th of May`.
    fn day_first(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        if let Some(dotted) = self.dotted_day(at) {
            return Some(dotted);
        }
        let day = self.day(at)?;
        let month_at = self.skip(at + 1, &["of"]);
        let month = lexicon::month(self.word(month_at))?;
        let said_of = month_at > at + 1;
        if self.gap(at) != Gap::Open || (self.kind(at) == TimeTokenKind::Word && !said_of) {
            return None;
        }
        if let Some((year, end)) = self.year_after(month_at) {
            return Some(TimeMatch::new(TimeValue::Day { year: Some(year), month, day }, end));
        }
        let doubtful = lexicon::is_also_a_verb(self.word(month_at)) && !self.tokens[month_at].capital;
        let sure = said_of || self.is_ordinal(at) || anchor == Anchor::Expected || self.word_before(at) == "on";
        (sure || !doubtful || self.ends_clause(month_at))
            .then(|| TimeMatch::new(TimeValue::Day { year: None, month, day }, month_at + 1))
    }

    /// Parses `May 7, 2023`, `May 2023` and `in May`.
    fn month_first(&self, at: usize, month: i8, anchor: Anchor) -> Option<TimeMatch> {
        let word = self.word(at);
        // The number before the month is not one of its days: `31 February 2023`.
        let after_number =
            at > 0 && matches!(self.kind(at - 1), TimeTokenKind::Number(_, 1..=2)) && self.gap(at - 1) == Gap::Open;
        if after_number {
            return None;
        }
        let led = anchor == Anchor::Expected || self.word_before(at) == "on";
        let doubtful = !led && lexicon::is_also_a_verb(word) && !self.tokens[at].capital;
        let day_at = self.skip(at + 1, &["the"]);
        if self.gap(at) == Gap::Open
            && let Some(day) = self.day(day_at)
            && self.is_day_of_month(day_at)
        {
            if let Some((year, end)) = self.year_after(day_at) {
                return Some(TimeMatch::new(TimeValue::Day { year: Some(year), month, day }, end));
            }
            if !doubtful || matches!(self.kind(day_at), TimeTokenKind::Ordinal(_)) {
                return Some(TimeMatch::new(TimeValue::Day { year: None, month, day }, day_at + 1));
            }
        }
        if let Some((year, end)) = self.year_after(at)
            && !(doubtful && numbers::is_counted(self.word(end)))
        {
            return Some(TimeMatch::new(TimeValue::Months { year: Some(year), first: month, count: 1 }, end));
        }
        // `in the march` is not a month.
        let bare = (anchor == Anchor::Expected && self.word_before(at) != "the") || lexicon::is_only_a_month(word);
        bare.then(|| TimeMatch::new(TimeValue::Months { year: None, first: month, count: 1 }, at + 1))
    }

    /// Returns true if the number after a month is a day, and not a count or an hour (`May 5
    /// people`, `May 5 pm`).
    fn is_day_of_month(&self, at: usize) -> bool {
        let word = if self.gap(at) == Gap::Open { self.word(at + 1) } else { "" };
        let word_ordinal = self.kind(at) == TimeTokenKind::Word;
        let counts =
            numbers::is_counted(word) || lexicon::unit(word).is_some() || super::clock::meridiem(word).is_some();
        !counts && (!word_ordinal || self.ends_clause(at) || self.year_after(at).is_some())
    }

    /// Parses the year after a month or a day: `May 2023`, `May, 2023`, `May of 2023`.
    fn year_after(&self, at: usize) -> Option<(i16, usize)> {
        if self.gap(at) == Gap::Stop {
            return None;
        }
        let year_at = self.skip(at + 1, &["of", "in"]).min(at + 2);
        if let Some(year) = self.year(year_at, &WRITTEN_YEARS) {
            return Some((year, year_at + 1));
        }
        let distance = match (self.word(year_at), self.word(year_at + 1)) {
            ("last", "year") => -1,
            ("this", "year") => 0,
            ("next", "year") => 1,
            _ => return None,
        };
        Some((self.now?.today.year() + distance, year_at + 2))
    }

    /// Parses the year of a quarter or season. The year is optional only where the context
    /// announces a time.
    fn months_of_year(&self, end: usize, first: i8, count: i8, anchor: Anchor) -> Option<TimeMatch> {
        if let Some((year, end)) = self.year_after(end - 1) {
            return Some(TimeMatch::new(TimeValue::Months { year: Some(year), first, count }, end));
        }
        let expected = anchor == Anchor::Expected || (self.now.is_some() && self.follows_over_the(end - 1));
        let bare = expected && self.word(end) != "of";
        bare.then(|| TimeMatch::new(TimeValue::Months { year: None, first, count }, end))
    }

    /// Returns true for `over the summer`. `over` alone would introduce a count.
    fn follows_over_the(&self, at: usize) -> bool {
        self.word_before(at) == "the" && self.word_before(at - 1) == "over"
    }

    /// Parses `2024 Q3`.
    fn year_first(&self, at: usize) -> Option<TimeMatch> {
        let year = Some(self.year(at, &LIKELY_YEARS)?);
        let word = if self.gap(at) == Gap::Open { self.word(at + 1) } else { "" };
        let (first, count) = lexicon::year_part(word)?;
        Some(TimeMatch::new(TimeValue::Months { year, first, count }, at + 2))
    }

    /// Parses `in 2019`, but not `in 2019 cases`.
    fn lone_year(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        let year = self.year(at, &LIKELY_YEARS)?;
        let counted = self.gap(at) == Gap::Open && numbers::is_counted(self.word(at + 1));
        (anchor == Anchor::Expected && !counted).then(|| TimeMatch::new(TimeValue::year_of(year), at + 1))
    }
}
