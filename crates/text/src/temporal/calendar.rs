//! Calendar arithmetic in UTC: days, weeks, months and parts of a day as spans.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::span::TimeSpan;

/// Years that a bare number may mean. A number outside this range is usually a count.
pub(super) const LIKELY_YEARS: std::ops::RangeInclusive<i16> = 1900..=2099;

/// Years accepted after the name of a month.
pub(super) const WRITTEN_YEARS: std::ops::RangeInclusive<i16> = 1000..=2999;

/// A unit of calendar time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
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

/// A part of a day. The hours are a convention; [`time_fit`](super::time_fit) tolerates events just
/// outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayPart {
    Morning,
    Afternoon,
    Evening,
    Night,
}

/// Returns midnight at the start of a day.
pub(super) fn midnight(date: Date) -> Option<Timestamp> {
    Offset::UTC.to_timestamp(date.to_datetime(Time::midnight())).ok()
}

/// Returns the UTC date of an instant.
pub(super) fn date_of(at: Timestamp) -> Date {
    Offset::UTC.to_datetime(at).date()
}

/// Returns the span from the start of `from` to the start of `until`.
pub(super) fn between(from: Date, until: Date) -> Option<TimeSpan> {
    TimeSpan::new(midnight(from)?, midnight(until)?)
}

/// Returns the span of one day.
pub(super) fn day(date: Date) -> Option<TimeSpan> {
    between(date, date.tomorrow().ok()?)
}

/// Returns `count` months, starting on the first of `month`.
pub(super) fn months(year: i16, month: i8, count: i8) -> Option<TimeSpan> {
    let first = Date::new(year, month, 1).ok()?;
    between(first, first.checked_add(i64::from(count).months()).ok()?)
}

/// Returns the date `days` after `date`; a negative number counts backwards.
pub(super) fn days_after(date: Date, days: i64) -> Option<Date> {
    date.checked_add(SignedDuration::from_hours(days * 24)).ok()
}

/// Returns the week, Monday to Sunday, that contains `date`.
pub(super) fn week_of(date: Date) -> Option<TimeSpan> {
    let monday = monday_of(date)?;
    between(monday, days_after(monday, 7)?)
}

/// Returns the Monday on or before `date`.
pub(super) fn monday_of(date: Date) -> Option<Date> {
    days_after(date, -i64::from(date.weekday().to_monday_zero_offset()))
}

/// Returns the nearest `weekday` strictly before `date`.
pub(super) fn weekday_before(date: Date, weekday: Weekday) -> Option<Date> {
    let back = (date.weekday().to_monday_zero_offset() - weekday.to_monday_zero_offset()).rem_euclid(7);
    days_after(date, -i64::from(if back == 0 { 7 } else { back }))
}

/// Returns the nearest `weekday` strictly after `date`.
pub(super) fn weekday_after(date: Date, weekday: Weekday) -> Option<Date> {
    days_after(weekday_before(date, weekday)?, if weekday == date.weekday() { 14 } else { 7 })
}

/// Returns a part of the day `date`. A night ends on the next morning.
pub(super) fn day_part(date: Date, part: DayPart) -> Option<TimeSpan> {
    let (from, until) = match part {
        DayPart::Morning => (5, 12),
        DayPart::Afternoon => (12, 18),
        DayPart::Evening => (17, 24),
        DayPart::Night => (18, 30),
    };
    let start = midnight(date)?;
    let hour = |hour: i64| start.checked_add(SignedDuration::from_hours(hour)).ok();
    TimeSpan::new(hour(from)?, hour(until)?)
}

/// Returns the instant `count` units after `at`; a negative number counts backwards.
pub(super) fn shift(at: Timestamp, count: i64, unit: TimeUnit) -> Option<Timestamp> {
    let exact = |seconds: i64| at.checked_add(SignedDuration::from_secs(seconds.checked_mul(count)?)).ok();
    let by_months = |months: i64| {
        let months = jiff::Span::new().try_months(months.checked_mul(count)?).ok()?;
        Offset::UTC.to_timestamp(Offset::UTC.to_datetime(at).checked_add(months).ok()?).ok()
    };
    match unit {
        TimeUnit::Second => exact(1),
        TimeUnit::Minute => exact(60),
        TimeUnit::Hour => exact(3_600),
        TimeUnit::Day => exact(86_400),
        TimeUnit::Week => exact(7 * 86_400),
        TimeUnit::Fortnight => exact(14 * 86_400),
        TimeUnit::Month => by_months(1),
        TimeUnit::Quarter => by_months(3),
        TimeUnit::Year => by_months(12),
        TimeUnit::Decade => by_months(120),
    }
}

/// Returns the calendar unit that contains `at`; for a week, the seven days centred on it.
pub(super) fn around(at: Timestamp, unit: TimeUnit) -> Option<TimeSpan> {
    let date = date_of(at);
    match unit {
        TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour => {
            let half = SignedDuration::from_secs(if unit == TimeUnit::Hour { 1_800 } else { 60 });
            TimeSpan::new(at.checked_sub(half).ok()?, at.checked_add(half).ok()?)
        }
        TimeUnit::Day => day(date),
        TimeUnit::Week | TimeUnit::Fortnight => between(days_after(date, -3)?, days_after(date, 4)?),
        TimeUnit::Month => months(date.year(), date.month(), 1),
        TimeUnit::Quarter => months(date.year(), first_of_quarter(date.month()), 3),
        TimeUnit::Year => months(date.year(), 1, 12),
        TimeUnit::Decade => months(date.year() - date.year().rem_euclid(10), 1, 120),
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
        assert_eq!(shift(end_of_march, -1, TimeUnit::Month), midnight(date(2023, 2, 28)));
        assert_eq!(shift(end_of_march, -1, TimeUnit::Quarter), midnight(date(2022, 12, 31)));
        assert_eq!(shift(end_of_march, i64::MAX, TimeUnit::Decade), None);
    }
}
