//! The value of a parsed time, possibly without its year.

use jiff::civil::Date;

use super::calendar::{self, months};
use super::parser::ReferenceTime;
use super::span::TimeSpan;

/// A parsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeValue {
    /// Whole months: a month, a quarter, a season or a year.
    Months { year: Option<i16>, first: i8, count: i8 },
    /// A day.
    Day { year: Option<i16>, month: i8, day: i8 },
    /// A complete span.
    Fixed(TimeSpan),
}

impl TimeValue {
    pub(super) fn year_of(year: i16) -> Self {
        Self::Months { year: Some(year), first: 1, count: 12 }
    }

    pub(super) fn date(date: Date) -> Self {
        Self::Day { year: Some(date.year()), month: date.month(), day: date.day() }
    }

    /// Returns the year, if known. For a span, the year in which it starts.
    pub(super) fn year(self) -> Option<i16> {
        match self {
            Self::Months { year, .. } | Self::Day { year, .. } => year,
            Self::Fixed(span) => Some(calendar::date_of(span.from).year()),
        }
    }

    /// Fills in the year if it is missing.
    pub(super) fn or_year(self, given: i16) -> Self {
        match self {
            Self::Months { year, first, count } => Self::Months { year: Some(year.unwrap_or(given)), first, count },
            Self::Day { year, month, day } => Self::Day { year: Some(year.unwrap_or(given)), month, day },
            Self::Fixed(_) => self,
        }
    }

    /// Returns the date if this is a single day.
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

    /// Resolves the time to a span. Without a year, returns the last occurrence that has started,
    /// or the next one that has not ended if the question is about the future. Returns `None` if
    /// the year is missing and there is no reference time.
    pub(super) fn resolve(self, now: Option<ReferenceTime>) -> Option<TimeSpan> {
        match self {
            Self::Fixed(span) => Some(span),
            Self::Months { year: Some(year), first, count } => months(year, first, count),
            Self::Day { year: Some(_), .. } => calendar::day(self.as_date()?),
            _ => {
                let now = now?;
                // 29 February may be up to eight years away.
                let mut years = (-1..=8).map(|distance: i16| {
                    let year = now.today.year();
                    self.or_year(if now.future { year.saturating_add(distance) } else { year.saturating_sub(distance) })
                });
                years.find_map(|value| {
                    value
                        .resolve(None)
                        .filter(|span| if now.future { span.until > now.at } else { span.from <= now.at })
                })
            }
        }
    }
}
