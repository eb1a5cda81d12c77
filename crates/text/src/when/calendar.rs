//! The calendar in UTC: days, weeks, months and what people call the parts of a day, as spans.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::span::Span;

/// The years a bare number may mean. Outside them it is far more often a count.
pub(super) const LIKELY_YEARS: std::ops::RangeInclusive<i16> = 1900..=2099;

/// The years that may follow the name of a month.
pub(super) const WRITTEN_YEARS: std::ops::RangeInclusive<i16> = 1000..=2999;

/// A length people count in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
}

/// A part of a day. The hours are a convention; `fit` forgives what lies just outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayPart {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// Midnight at the beginning of a day.
pub(super) fn midnight(date: Date) -> Option<Timestamp> {
    Offset::UTC.to_timestamp(date.to_datetime(Time::midnight())).ok()
}

/// The day of an instant.
pub(super) fn date_of(at: Timestamp) -> Date {
    Offset::UTC.to_datetime(at).date()
}

/// From the beginning of one day to the beginning of another.
pub(super) fn between(from: Date, until: Date) -> Option<Span> {
    Span::new(midnight(from)?, midnight(until)?)
}

/// One day.
pub(super) fn day(date: Date) -> Option<Span> {
    between(date, date.tomorrow().ok()?)
}

/// `count` months from the first of `month`.
pub(super) fn months(year: i16, month: i8, count: i8) -> Option<Span> {
    let first = Date::new(year, month, 1).ok()?;
    between(first, first.checked_add(i64::from(count).months()).ok()?)
}

/// `days` later, or earlier when negative.
pub(super) fn days_after(date: Date, days: i64) -> Option<Date> {
    date.checked_add(SignedDuration::from_hours(days * 24)).ok()
}

/// The seven days from Monday that hold `date`.
pub(super) fn week_of(date: Date) -> Option<Span> {
    let monday = monday_of(date)?;
    between(monday, days_after(monday, 7)?)
}

/// The Monday on or before `date`.
pub(super) fn monday_of(date: Date) -> Option<Date> {
    days_after(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

/// The nearest such weekday strictly before `date`.
pub(super) fn weekday_before(date: Date, weekday: Weekday) -> Option<Date> {
    let back = (date.weekday().to_monday_zero_offset() - weekday.to_monday_zero_offset()).rem_euclid(7);
    days_after(date, -i64::from(if back == 0 { 7 } else { back }))
}

/// The nearest such weekday strictly after `date`.
pub(super) fn weekday_after(date: Date, weekday: Weekday) -> Option<Date> {
    days_after(weekday_before(date, weekday)?, if weekday == date.weekday() { 14 } else { 7 })
}

/// A part of the day `date`. A night ends on the next morning.
pub(super) fn day_part(date: Date, part: DayPart) -> Option<Span> {
    let (from, until) = match part {
        DayPart::Morning => (5, 12),
        DayPart::Afternoon => (12, 18),
        DayPart::Evening => (17, 24),
        DayPart::Night => (18, 30),
    };
    let start = midnight(date)?;
    let hour = |hour: i64| start.checked_add(SignedDuration::from_hours(hour)).ok();
    Span::new(hour(from)?, hour(until)?)
}

/// `count` units later, or earlier when negative.
pub(super) fn shift(at: Timestamp, count: i64, unit: Unit) -> Option<Timestamp> {
    let exact = |seconds: i64| at.checked_add(SignedDuration::from_secs(seconds.checked_mul(count)?)).ok();
    let by_months = |months: i64| {
        let months = jiff::Span::new().try_months(months.checked_mul(count)?).ok()?;
        Offset::UTC.to_timestamp(Offset::UTC.to_datetime(at).checked_add(months).ok()?).ok()
    };
    match unit {
        Unit::Second => exact(1),
        Unit::Minute => exact(60),
        Unit::Hour => exact(3_600),
        Unit::Day => exact(86_400),
        Unit::Week => exact(7 * 86_400),
        Unit::Fortnight => exact(14 * 86_400),
        Unit::Month => by_months(1),
        Unit::Quarter => by_months(3),
        Unit::Year => by_months(12),
        Unit::Decade => by_months(120),
    }
}

/// The calendar unit around an instant, as wide as people mean it: the day, the seven days around it, the month.
pub(super) fn around(at: Timestamp, unit: Unit) -> Option<Span> {
    let date = date_of(at);
    match unit {
        Unit::Second | Unit::Minute | Unit::Hour => {
            let half = SignedDuration::from_secs(if unit == Unit::Hour { 1_800 } else { 60 });
            Span::new(at.checked_sub(half).ok()?, at.checked_add(half).ok()?)
        }
        Unit::Day => day(date),
        Unit::Week | Unit::Fortnight => between(days_after(date, -3)?, days_after(date, 4)?),
        Unit::Month => months(date.year(), date.month(), 1),
        Unit::Quarter => months(date.year(), first_of_quarter(date.month()), 3),
        Unit::Year => months(date.year(), 1, 12),
        Unit::Decade => months(date.year() - date.year().rem_euclid(10), 1, 120),
    }
}

fn first_of_quarter(month: i8) -> i8 {
    (month - 1) / 3 * 3 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn weekdays_are_searched_strictly_before_and_after() {
        let wednesday = date(2023, 6, 14);
        assert_eq!(weekday_before(wednesday, Weekday::Wednesday), Some(date(2023, 6, 7)));
        assert_eq!(weekday_before(wednesday, Weekday::Friday), Some(date(2023, 6, 9)));
        assert_eq!(weekday_after(wednesday, Weekday::Wednesday), Some(date(2023, 6, 21)));
        assert_eq!(weekday_after(wednesday, Weekday::Friday), Some(date(2023, 6, 16)));
        assert_eq!(monday_of(wednesday), Some(date(2023, 6, 12)));
    }

    #[test]
    fn months_are_shifted_by_the_calendar() {
        let end_of_march = midnight(date(2023, 3, 31)).unwrap();
        assert_eq!(shift(end_of_march, -1, Unit::Month), midnight(date(2023, 2, 28)));
        assert_eq!(shift(end_of_march, -1, Unit::Quarter), midnight(date(2022, 12, 31)));
        assert_eq!(shift(end_of_march, i64::MAX, Unit::Decade), None);
    }
}
