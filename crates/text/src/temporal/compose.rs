//! Parses whole time phrases: a date or relative time, alone, in a range, relative to another, or
//! with a time of day.

use jiff::tz::Offset;

use super::absolute::Anchor;
use super::classify::TimeTokenKind;
use super::clock::{self, ClockTime};
use super::lexicon;
use super::parser::{TimeMatch, TimeParser};
use super::span::TimeSpan;
use super::token::Gap;
use super::value::TimeValue;

/// A time phrase: its span and the tokens it covers.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimePhrase {
    pub(super) span: TimeSpan,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) vague: bool,
}

impl TimeParser {
    /// Parses the time phrase that starts at `at`.
    pub(super) fn phrase(&self, at: usize) -> Option<TimePhrase> {
        if !self.can_begin(at) {
            return None;
        }
        if let Some((span, end)) = self.clock_then_day(at) {
            return Some(TimePhrase { span, start: at, end, vague: false });
        }
        let found = self
            .range(at)
            .or_else(|| self.relative_to(at))
            .or_else(|| self.part(at))
            .or_else(|| self.simple(at, self.anchor(at)))?;
        let span = found.value.resolve(self.now)?;
        let (span, end) = self.clock_after_day(span, found.end).unwrap_or((span, found.end));
        Some(TimePhrase { span, start: at, end, vague: found.vague })
    }

    /// Parses a time without range, part or time of day.
    pub(super) fn simple(&self, at: usize, anchor: Anchor) -> Option<TimeMatch> {
        self.relative(at).or_else(|| self.absolute(at, anchor))
    }

    /// Returns false for tokens that cannot start a time. This check first keeps long texts cheap.
    fn can_begin(&self, at: usize) -> bool {
        match self.kind(at) {
            TimeTokenKind::Word => lexicon::can_begin_time(self.word(at)),
            TimeTokenKind::Dash | TimeTokenKind::Other | TimeTokenKind::Offset(_) => false,
            _ => true,
        }
    }

    /// Parses `1:56 pm on 8 May, 2023`.
    fn clock_then_day(&self, at: usize) -> Option<(TimeSpan, usize)> {
        let (clock, end) = self.clock(at)?;
        if self.gap(end - 1) == Gap::Stop {
            return None;
        }
        let day_at = self.skip(end, &["on", "of", "the"]);
        let found = self.simple(day_at, Anchor::Expected)?;
        let date = TimeValue::Fixed(found.value.resolve(self.now)?).as_date()?;
        Some((clock.on(date)?, found.end))
    }

    /// Parses the time of day after a date: `8 May 2023 at 13:56`, `2023/05/20 (Sat) 02:21`.
    fn clock_after_day(&self, span: TimeSpan, end: usize) -> Option<(TimeSpan, usize)> {
        let date = TimeValue::Fixed(span).as_date()?;
        if self.gap(end - 1) == Gap::Stop {
            return None;
        }
        let named_day = lexicon::weekday(self.word(end)).is_some() && self.gap(end) != Gap::Stop;
        let clock_at = self.skip(end + usize::from(named_day), &["at", "around", "about"]);
        let (clock, end) = self.clock(clock_at)?;
        Some((clock.on(date)?, end))
    }

    /// Parses a time of day with its meridiem and zone: `1:56 pm`, `14:00 UTC`, `noon`.
    fn clock(&self, at: usize) -> Option<(ClockTime, usize)> {
        let open = self.gap(at) == Gap::Open;
        let half = if open { clock::meridiem(self.word(at + 1)) } else { None };
        let (clock, end) = match self.kind(at) {
            TimeTokenKind::Clock(clock) => match half.and_then(|half| clock.with_meridiem(half)) {
                Some(clock) => (clock, at + 2),
                None => (clock, at + 1),
            },
            TimeTokenKind::Number(hour, 1..=2) => (ClockTime::of_hour(hour, half?)?, at + 2),
            TimeTokenKind::Word => (ClockTime::of_word(self.word(at))?, at + 1),
            _ => return None,
        };
        match self.zone(end).filter(|_| self.gap(end - 1) == Gap::Open) {
            Some(offset) => Some((clock.with_offset(offset), end + 1)),
            None => Some((clock, end)),
        }
    }

    fn zone(&self, at: usize) -> Option<Offset> {
        match self.kind(at) {
            TimeTokenKind::Offset(offset) => Some(offset),
            TimeTokenKind::Word if matches!(self.word(at), "utc" | "gmt" | "z") => Some(Offset::UTC),
            _ => None,
        }
    }
}
