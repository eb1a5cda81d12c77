//! Ranges: `between March and June 2023`, `from 3 to 7 May`, `May 3–7, 2023`, `2019 to 2021`.

use jiff::SignedDuration;

use super::absolute::Anchor;
use super::calendar::{WRITTEN_YEARS, date_of};
use super::classify::Kind;
use super::named::Named;
use super::reader::{Found, Reader};
use super::span::Span;
use super::token::Gap;

/// One end of a range as written; a bare day takes its month from the other end.
#[derive(Debug, Clone, Copy)]
enum End {
    Whole(Found),
    Day(i8),
}

impl Reader {
    /// The range that begins here, with `between` or `from`, or with its first end.
    pub(super) fn range(&self, at: usize) -> Option<Found> {
        let led = matches!(self.word(at), "between" | "from");
        let first_at = if led { self.skip(at + 1, &["the", "early", "late", "mid"]) } else { at };
        let (first, connector) = self.range_start(first_at, led)?;
        let joins = match (self.word(connector), self.kind(connector)) {
            ("and" | "to", _) if self.word(at) == "between" => true,
            ("to" | "until" | "till" | "through" | "thru", _) | (_, Kind::Dash) => true,
            _ => false,
        };
        if !joins || self.gap(connector - 1) == Gap::Stop {
            return None;
        }
        let second_at = self.skip(connector + 1, &["the"]);
        let second = self.range_end(second_at, first)?;
        let (from, until) = match first {
            End::Whole(found) => (found.named, second.named),
            End::Day(day) => match second.named {
                Named::Day { year, month, .. } => (Named::Day { year, month, day }, second.named),
                _ => return None,
            },
        };
        let anchored = led || self.anchor(at) == Anchor::Expected;
        let lone_years = matches!(self.kind(first_at), Kind::Number(_, 4));
        if !anchored && (lone_years || from.year().or(until.year()).is_none()) {
            return None;
        }
        self.joined(from, until).map(|span| Found::fixed(span, second.end))
    }

    fn range_start(&self, at: usize, led: bool) -> Option<(End, usize)> {
        let whole = if led { self.simple(at, Anchor::Expected) } else { self.absolute(at, Anchor::Expected) };
        if let Some(found) = whole {
            return Some((End::Whole(found), found.end));
        }
        let day = self.day(at).filter(|_| self.kind(at) != Kind::Word)?;
        Some((End::Day(day), at + 1))
    }

    fn range_end(&self, at: usize, first: End) -> Option<Found> {
        if let Some(now) = self.now
            && matches!(self.word(at), "now" | "present")
        {
            let instant = Span::lasting(now.at, SignedDuration::from_secs(1))?;
            return Some(Found::fixed(instant, at + 1));
        }
        if let Some(found) = self.simple(at, Anchor::Expected) {
            return Some(found);
        }
        // `May 3 to 7, 2023`.
        let End::Whole(Found { named: Named::Day { year: None, month, .. }, .. }) = first else { return None };
        let day = self.day(at)?;
        let year = if self.gap(at) == Gap::Stop { None } else { self.year(at + 1, &WRITTEN_YEARS) };
        Some(Found::new(Named::Day { year, month, day }, at + 1 + usize::from(year.is_some())))
    }

    /// `from Monday to Friday` on a Wednesday: each was looked up alone, so one of them is a week off.
    fn within_a_week(&self, from: Span, until: Span) -> Option<(Span, Span)> {
        let week = SignedDuration::from_hours(7 * 24);
        let moved = |span: Span, by: SignedDuration| Span::lasting(span.from.checked_add(by).ok()?, span.length());
        if from.from.duration_since(until.from) >= week {
            return None;
        }
        if self.now?.ahead { Some((from, moved(until, week)?)) } else { Some((moved(from, -week)?, until)) }
    }

    /// Both ends as one span; an end without a year takes the other's, or the one beside it where the order asks for it.
    fn joined(&self, from: Named, until: Named) -> Option<Span> {
        let (from, until) = match (from.year(), until.year()) {
            (None, Some(year)) => {
                let until = until.span(self.now)?;
                let same = from.or_year(year).span(None);
                let fits = same.filter(|span| span.from <= until.from);
                (fits.or_else(|| from.or_year(year - 1).span(None))?, until)
            }
            (_, None) => {
                let from = from.span(self.now)?;
                let year = date_of(from.from).year();
                let same = until.or_year(year).span(None);
                let fits = same.filter(|span| span.from >= from.from);
                (from, fits.or_else(|| until.or_year(year + 1).span(None))?)
            }
            _ => (from.span(self.now)?, until.span(self.now)?),
        };
        let (from, until) = if from.from <= until.from { (from, until) } else { self.within_a_week(from, until)? };
        Some(from.joined(until))
    }
}
