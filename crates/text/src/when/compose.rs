//! One time phrase from its parts: a date or a relative time, alone, in a range, beside another or with a time of day.

use jiff::tz::Offset;

use super::absolute::Anchor;
use super::classify::Kind;
use super::clock::{self, ClockTime};
use super::lexicon;
use super::named::Named;
use super::reader::{Found, Reader};
use super::span::Span;
use super::token::Gap;

/// A time phrase: what it means and the tokens it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phrase {
    pub(super) span: Span,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) vague: bool,
}

impl Reader {
    /// The time phrase that begins exactly here.
    pub(super) fn phrase(&self, at: usize) -> Option<Phrase> {
        if !self.can_begin(at) {
            return None;
        }
        if let Some((span, end)) = self.clock_then_day(at) {
            return Some(Phrase { span, start: at, end, vague: false });
        }
        let found = self
            .range(at)
            .or_else(|| self.beside(at))
            .or_else(|| self.part(at))
            .or_else(|| self.simple(at, self.anchor(at)))?;
        let span = found.named.span(self.now)?;
        let (span, end) = self.clock_after_day(span, found.end).unwrap_or((span, found.end));
        Some(Phrase { span, start: at, end, vague: found.vague })
    }

    /// A time with neither range, part nor time of day.
    pub(super) fn simple(&self, at: usize, anchor: Anchor) -> Option<Found> {
        self.relative(at).or_else(|| self.absolute(at, anchor))
    }

    /// Most tokens begin nothing; asking this first keeps long texts cheap.
    fn can_begin(&self, at: usize) -> bool {
        match self.kind(at) {
            Kind::Word => lexicon::can_begin_time(self.word(at)),
            Kind::Dash | Kind::Other | Kind::Offset(_) => false,
            _ => true,
        }
    }

    /// `1:56 pm on 8 May, 2023`.
    fn clock_then_day(&self, at: usize) -> Option<(Span, usize)> {
        let (clock, end) = self.clock(at)?;
        if self.gap(end - 1) == Gap::Stop {
            return None;
        }
        let day_at = self.skip(end, &["on", "of", "the"]);
        let found = self.simple(day_at, Anchor::Expected)?;
        let date = Named::Fixed(found.named.span(self.now)?).as_date()?;
        Some((clock.on(date)?, found.end))
    }

    /// `8 May 2023 at 13:56`, `2023/05/20 (Sat) 02:21`.
    fn clock_after_day(&self, span: Span, end: usize) -> Option<(Span, usize)> {
        let date = Named::Fixed(span).as_date()?;
        if self.gap(end - 1) == Gap::Stop {
            return None;
        }
        let named_day = lexicon::weekday(self.word(end)).is_some() && self.gap(end) != Gap::Stop;
        let clock_at = self.skip(end + usize::from(named_day), &["at", "around", "about"]);
        let (clock, end) = self.clock(clock_at)?;
        Some((clock.on(date)?, end))
    }

    /// A time of day with what belongs to it: `1:56 pm`, `14:00 UTC`, `noon`.
    fn clock(&self, at: usize) -> Option<(ClockTime, usize)> {
        let open = self.gap(at) == Gap::Open;
        let half = if open { clock::meridiem(self.word(at + 1)) } else { None };
        let (clock, end) = match self.kind(at) {
            Kind::Clock(clock) => match half.and_then(|half| clock.with_meridiem(half)) {
                Some(clock) => (clock, at + 2),
                None => (clock, at + 1),
            },
            Kind::Number(hour, 1..=2) => (ClockTime::of_hour(hour, half?)?, at + 2),
            Kind::Word => (ClockTime::of_word(self.word(at))?, at + 1),
            _ => return None,
        };
        match self.zone(end).filter(|_| self.gap(end - 1) == Gap::Open) {
            Some(offset) => Some((clock.with_offset(offset), end + 1)),
            None => Some((clock, end)),
        }
    }

    fn zone(&self, at: usize) -> Option<Offset> {
        match self.kind(at) {
            Kind::Offset(offset) => Some(offset),
            Kind::Word if matches!(self.word(at), "utc" | "gmt" | "z") => Some(Offset::UTC),
            _ => None,
        }
    }
}
