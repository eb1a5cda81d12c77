//! Dates by the calendar: `7 May 2023`, `May 7, 2023`, `May 2023`, `Q3 2024`, `summer of 2023`, `in 2019`.

use super::calendar::{LIKELY_YEARS, WRITTEN_YEARS};
use super::classify::Kind;
use super::lexicon;
use super::named::Named;
use super::numbers;
use super::reader::{Found, Reader};
use super::token::Gap;

/// Whether a time stands where one is expected, which decides about names that are also verbs, people or counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// After `in`, `since`, `until` and the like.
    Expected,
    /// Anywhere.
    None,
}

/// Words after which a bare year or month means a time in any text.
const ANCHORS: [&str; 5] = ["in", "during", "since", "throughout", "within"];

/// Words after which it does in a question only: a memory done *before 2019* did not happen then.
const QUESTION_ANCHORS: [&str; 8] = ["before", "after", "until", "till", "by", "following", "prior", "up"];

/// Words that may stand between an anchor and its time.
pub(super) const FILLERS: [&str; 11] =
    ["the", "about", "around", "roughly", "approximately", "circa", "sometime", "early", "mid", "late", "to"];

impl Reader {
    /// What the words before a place lead one to expect there.
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

    /// The calendar time that begins here.
    pub(super) fn absolute(&self, at: usize, anchor: Anchor) -> Option<Found> {
        match self.kind(at) {
            Kind::Date(date) => Some(Found::new(Named::date(date), at + 1)),
            Kind::Stamp(span) => Some(Found::fixed(span, at + 1)),
            Kind::YearMonth(year, first) if anchor == Anchor::Expected => {
                Some(Found::new(Named::Months { year: Some(year), first, count: 1 }, at + 1))
            }
            Kind::Decade(year) if anchor == Anchor::Expected => {
                Some(Found::new(Named::Months { year: Some(year), first: 1, count: 120 }, at + 1))
            }
            Kind::Number(..) => {
                self.day_first(at, anchor).or_else(|| self.year_first(at)).or_else(|| self.lone_year(at, anchor))
            }
            Kind::Ordinal(_) => self.nth_quarter(at, anchor).or_else(|| self.day_first(at, anchor)),
            Kind::Word => self.absolute_word(at, anchor),
            _ => None,
        }
    }

    fn absolute_word(&self, at: usize, anchor: Anchor) -> Option<Found> {
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
            // `Friday, 7 May 2023`: the date says it all. A weekday behind it begins a date of its own.
            let date = self.skip(at + 1, &["the"]);
            if self.gap(at) == Gap::Stop || lexicon::weekday(self.word(date)).is_some() {
                return None;
            }
            return self.absolute(date, anchor).filter(|found| matches!(found.named, Named::Day { .. }));
        }
        if word == "year" && self.gap(at) == Gap::Open {
            let year = self.year(at + 1, &LIKELY_YEARS)?;
            return Some(Found::new(Named::year_of(year), at + 2));
        }
        self.nth_quarter(at, anchor).or_else(|| self.day_first(at, anchor))
    }

    /// `the third quarter of 2024`.
    fn nth_quarter(&self, at: usize, anchor: Anchor) -> Option<Found> {
        let nth = self.day(at).filter(|nth| *nth <= 4 && self.word(at + 1) == "quarter")?;
        self.months_of_year(at + 2, nth * 3 - 2, 3, anchor)
    }

    /// `7 May 2023`, `7th of May`.
    fn day_first(&self, at: usize, anchor: Anchor) -> Option<Found> {
        let day = self.day(at)?;
        let month_at = self.skip(at + 1, &["of"]);
        let month = lexicon::month(self.word(month_at))?;
        let said_of = month_at > at + 1;
        if self.gap(at) != Gap::Open || (self.kind(at) == Kind::Word && !said_of) {
            return None;
        }
        if let Some((year, end)) = self.year_after(month_at) {
            return Some(Found::new(Named::Day { year: Some(year), month, day }, end));
        }
        let doubtful = lexicon::is_also_a_verb(self.word(month_at)) && !self.tokens[month_at].capital;
        let sure = said_of || self.is_ordinal(at) || anchor == Anchor::Expected || self.word_before(at) == "on";
        (sure || !doubtful || self.ends_clause(month_at))
            .then(|| Found::new(Named::Day { year: None, month, day }, month_at + 1))
    }

    /// `May 7, 2023`, `May 2023`, `in May`.
    fn month_first(&self, at: usize, month: i8, anchor: Anchor) -> Option<Found> {
        let word = self.word(at);
        // A number before it that is no day of it: `31 February 2023`.
        let after_number =
            at > 0 && matches!(self.kind(at - 1), Kind::Number(_, 1..=2)) && self.gap(at - 1) == Gap::Open;
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
                return Some(Found::new(Named::Day { year: Some(year), month, day }, end));
            }
            if !doubtful || matches!(self.kind(day_at), Kind::Ordinal(_)) {
                return Some(Found::new(Named::Day { year: None, month, day }, day_at + 1));
            }
        }
        if let Some((year, end)) = self.year_after(at)
            && !(doubtful && numbers::is_counted(self.word(end)))
        {
            return Some(Found::new(Named::Months { year: Some(year), first: month, count: 1 }, end));
        }
        // `in the march` is no month.
        let bare = (anchor == Anchor::Expected && self.word_before(at) != "the") || lexicon::is_only_a_month(word);
        bare.then(|| Found::new(Named::Months { year: None, first: month, count: 1 }, at + 1))
    }

    /// Whether the number behind a month is a day and not a count of something or the hour (`May 5 people`, `May 5 pm`).
    fn is_day_of_month(&self, at: usize) -> bool {
        let word = if self.gap(at) == Gap::Open { self.word(at + 1) } else { "" };
        let word_ordinal = self.kind(at) == Kind::Word;
        let counts =
            numbers::is_counted(word) || lexicon::unit(word).is_some() || super::clock::meridiem(word).is_some();
        !counts && (!word_ordinal || self.ends_clause(at) || self.year_after(at).is_some())
    }

    /// The year behind a month or a day: `May 2023`, `May, 2023`, `May of 2023`.
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

    /// A quarter or season with its year behind it; without one only where a time is expected.
    fn months_of_year(&self, end: usize, first: i8, count: i8, anchor: Anchor) -> Option<Found> {
        if let Some((year, end)) = self.year_after(end - 1) {
            return Some(Found::new(Named::Months { year: Some(year), first, count }, end));
        }
        let expected = anchor == Anchor::Expected || (self.now.is_some() && self.follows_over_the(end - 1));
        let bare = expected && self.word(end) != "of";
        bare.then(|| Found::new(Named::Months { year: None, first, count }, end))
    }

    /// `over the summer`, where `over` alone would lead a count.
    fn follows_over_the(&self, at: usize) -> bool {
        self.word_before(at) == "the" && self.word_before(at - 1) == "over"
    }

    /// `2024 Q3`.
    fn year_first(&self, at: usize) -> Option<Found> {
        let year = Some(self.year(at, &LIKELY_YEARS)?);
        let word = if self.gap(at) == Gap::Open { self.word(at + 1) } else { "" };
        let (first, count) = lexicon::year_part(word)?;
        Some(Found::new(Named::Months { year, first, count }, at + 2))
    }

    /// `in 2019`, but not `in 2019 cases`.
    fn lone_year(&self, at: usize, anchor: Anchor) -> Option<Found> {
        let year = self.year(at, &LIKELY_YEARS)?;
        let counted = self.gap(at) == Gap::Open && numbers::is_counted(self.word(at + 1));
        (anchor == Anchor::Expected && !counted).then(|| Found::new(Named::year_of(year), at + 1))
    }
}
