//! A time by its name, perhaps without the year.

use jiff::civil::Date;

use super::calendar::{self, months};
use super::reader::Now;
use super::span::Span;

/// What a text calls a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// Whole months: a month, a quarter, a season, a year.
    Months { year: Option<i16>, first: i8, count: i8 },
    /// A day.
    Day { year: Option<i16>, month: i8, day: i8 },
    /// A time that needs nothing more.
    Fixed(Span),
}

impl Named {
    pub(super) fn year_of(year: i16) -> Self {
        Self::Months { year: Some(year), first: 1, count: 12 }
    }

    pub(super) fn date(date: Date) -> Self {
        Self::Day { year: Some(date.year()), month: date.month(), day: date.day() }
    }

    /// The year it carries. A fixed time carries the year it begins in.
    pub(super) fn year(self) -> Option<i16> {
        match self {
            Self::Months { year, .. } | Self::Day { year, .. } => year,
            Self::Fixed(span) => Some(calendar::date_of(span.from).year()),
        }
    }

    /// The same with a year, unless it has one.
    pub(super) fn or_year(self, given: i16) -> Self {
        match self {
            Self::Months { year, first, count } => Self::Months { year: Some(year.unwrap_or(given)), first, count },
            Self::Day { year, month, day } => Self::Day { year: Some(year.unwrap_or(given)), month, day },
            Self::Fixed(_) => self,
        }
    }

    /// The day, when it is one.
    pub(super) fn as_date(self) -> Option<Date> {
        match self {
            Self::Day { year: Some(year), month, day } => Date::new(year, month, day).ok(),
            Self::Fixed(span) => {
                let date = calendar::date_of(span.from);
                (calendar::day(date) == Some(span)).then_some(date)
            }
            _ => None,
        }
    }

    /// The stretch it means. Without a year it is the last one that has begun, or the next one that has not ended when the
    /// question looks ahead; without a clock it is nothing.
    pub(super) fn span(self, now: Option<Now>) -> Option<Span> {
        match self {
            Self::Fixed(span) => Some(span),
            Self::Months { year: Some(year), first, count } => months(year, first, count),
            Self::Day { year: Some(_), .. } => calendar::day(self.as_date()?),
            _ => {
                let now = now?;
                // The 29th of February may be seven years away.
                let mut years = (-1..=8).map(|distance: i16| {
                    let year = now.today.year();
                    self.or_year(if now.ahead { year.saturating_add(distance) } else { year.saturating_sub(distance) })
                });
                years.find_map(|named| {
                    named.span(None).filter(|span| if now.ahead { span.until > now.at } else { span.from <= now.at })
                })
            }
        }
    }
}
