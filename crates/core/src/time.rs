//! Time stamps and active hours.

use jiff::civil;
use serde::{Deserialize, Serialize};

pub use jiff::Timestamp;
use jiff::civil::Date;
pub use jiff::tz::TimeZone;

/// Hours of activity. They pass only with use and never decrease.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActiveHours(f64);

impl ActiveHours {
    /// The start of a memory.
    pub const ZERO: Self = Self(0.0);

    /// Creates a time stamp or a duration. Negative or non-finite values become zero.
    pub fn new(hours: f64) -> Self {
        Self(if hours.is_finite() { hours.max(0.0) } else { 0.0 })
    }

    /// Returns the number of hours.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns the duration since `earlier`, or zero if `self` is not later.
    pub fn since(self, earlier: Self) -> Self {
        Self((self.0 - earlier.0).max(0.0))
    }

    /// Returns the later of two time stamps.
    pub fn later_of(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl std::ops::Add for ActiveHours {
    type Output = Self;

    fn add(self, span: Self) -> Self {
        Self(self.0 + span.0)
    }
}

impl std::fmt::Display for ActiveHours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} h", self.0)
    }
}

/// Returns the hours from `earlier` to `later` on the wall clock. Negative if the clock went
/// backwards.
pub fn wall_hours_between(earlier: Timestamp, later: Timestamp) -> f64 {
    later.duration_since(earlier).as_secs_f64() / 3600.0
}

/// Formats a time stamp like the Python elfmem: UTC, microseconds, `+00:00`.
pub fn to_iso(stamp: Timestamp) -> String {
    let at = jiff::tz::Offset::UTC.to_datetime(stamp);
    // Formatted by hand: a store writes thousands of time stamps, and a format string would be
    // parsed for each.
    let mut text = String::with_capacity("2026-02-25T06:13:20.123456+00:00".len());
    let year = at.year();
    if year < 0 {
        text.push('-');
    }
    let parts = [
        (u32::from(year.unsigned_abs()), 4, '-'),
        (digits(at.month()), 2, '-'),
        (digits(at.day()), 2, 'T'),
        (digits(at.hour()), 2, ':'),
        (digits(at.minute()), 2, ':'),
        (digits(at.second()), 2, '.'),
        (at.subsec_nanosecond().unsigned_abs() / 1000, 6, '+'),
    ];
    for (number, width, separator) in parts {
        let places = (0..width).rev();
        text.extend(places.map(|place| char::from(b'0' + (number / 10u32.pow(place) % 10) as u8)));
        text.push(separator);
    }
    text + "00:00"
}

fn digits(part: i8) -> u32 {
    u32::from(part.unsigned_abs())
}

/// Parses an ISO 8601 time stamp. Without an offset it is UTC, without a time it is midnight.
pub fn from_iso(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Some(stamp) = from_own_form(text) {
        return Some(stamp);
    }
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(stamp);
    }
    let naive = text.parse::<civil::DateTime>().ok()?;
    naive.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// Parses the result of [`to_iso`], and nothing else. Fast path: a store parses a time stamp for
/// nearly every row.
fn from_own_form(text: &str) -> Option<Timestamp> {
    let text = text.strip_suffix("+00:00").filter(|text| text.len() == "2026-02-25T06:13:20.123456".len())?.as_bytes();
    let is_apart = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.')];
    if is_apart.iter().any(|(at, separator)| text[*at] != *separator) {
        return None;
    }
    let number = |part: &[u8]| {
        let digit = |digit: &u8| digit.is_ascii_digit().then(|| i32::from(digit - b'0'));
        part.iter().map(digit).try_fold(0, |number, digit| Some(number * 10 + digit?))
    };
    let two = |at: usize| number(&text[at..at + 2]).map(|number| number as i8);
    let (year, nanoseconds) = (number(&text[..4])? as i16, number(&text[20..])? * 1000);
    let at = civil::DateTime::new(year, two(5)?, two(8)?, two(11)?, two(14)?, two(17)?, nanoseconds).ok()?;
    jiff::tz::Offset::UTC.to_timestamp(at).ok()
}

/// Formats an age: `just now`, `2 min ago`, `3 h ago`, `5 d ago`.
pub fn age_in_words(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    match seconds {
        0..=4 => "just now".to_owned(),
        5..=59 => format!("{seconds} s ago"),
        60..=3599 => format!("{} min ago", seconds / 60),
        3600..=86_399 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// Returns true for midnight in UTC: a day that was named without a time.
pub fn is_day(at: Timestamp) -> bool {
    at.as_second().rem_euclid(86_400) == 0 && at.subsec_nanosecond() == 0
}

/// Returns the day of a time in a zone. A day that was named without a time is that day everywhere.
pub fn day_in(at: Timestamp, zone: &TimeZone) -> Date {
    let zone = if is_day(at) { TimeZone::UTC } else { zone.clone() };
    at.to_zoned(zone).date()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn timestamps_are_formatted_like_the_python_elfmem() {
        let stamp = Timestamp::new(1_772_000_000, 123_456_789).unwrap();
        assert_eq!(to_iso(stamp), "2026-02-25T06:13:20.123456+00:00");
        let before_the_epoch = Timestamp::new(0, -250_000_000).unwrap();
        assert_eq!(to_iso(before_the_epoch), "1969-12-31T23:59:59.750000+00:00");
    }

    #[test]
    fn timestamps_parse_with_optional_parts() {
        let expected = from_iso("2026-03-09T10:00:00+00:00").unwrap();
        for text in ["2026-03-09T10:00:00Z", "2026-03-09T10:00:00", "2026-03-09T11:00:00+01:00", "2026-03-09 10:00:00"]
        {
            assert_eq!(from_iso(text), Some(expected), "{text}");
        }
        assert_eq!(from_iso("2026-03-09").map(to_iso).unwrap(), "2026-03-09T00:00:00.000000+00:00");
        assert_eq!(from_iso("yesterday"), None);
    }

    #[test]
    fn ages_are_formatted_in_words() {
        let then = Timestamp::from_second(1_000_000).unwrap();
        let after = |seconds: i64| age_in_words(then, Timestamp::from_second(1_000_000 + seconds).unwrap());
        assert_eq!(after(0), "just now");
        assert_eq!(after(130), "2 min ago");
        assert_eq!(after(7_300), "2 h ago");
        assert_eq!(after(200_000), "2 d ago");
        assert_eq!(after(-50), "just now");
    }

    proptest! {
        #[test]
        fn timestamps_round_trip_to_the_microsecond(seconds in -10_000_000_000i64..100_000_000_000, micros in 0i32..1_000_000) {
            let stamp = Timestamp::new(seconds, 0).unwrap() + jiff::SignedDuration::from_micros(i64::from(micros));
            prop_assert_eq!(from_iso(&to_iso(stamp)), Some(stamp));
            prop_assert_eq!(from_own_form(&to_iso(stamp)), Some(stamp));
        }

        #[test]
        fn the_fast_path_parses_like_the_general_parser(
            date in (0..10_000i32, 0..14, 0..33), time in (0..26, 0..62, 0..62), micros in 0..1_000_000, offset in "[+]0[01]:00|Z",
        ) {
            let ((year, month, day), (hour, minute, second)) = (date, time);
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}{offset}");
            let by_the_rules = text.parse::<Timestamp>().ok();
            prop_assert_eq!(from_iso(&text), by_the_rules);
            let own_form = from_own_form(&text);
            prop_assert!(own_form.is_none() || own_form == by_the_rules);
        }

        #[test]
        fn active_hours_are_never_negative(a in any::<f64>(), b in any::<f64>()) {
            let (a, b) = (ActiveHours::new(a), ActiveHours::new(b));
            prop_assert!(a.get() >= 0.0);
            prop_assert!(a.since(b).get() >= 0.0);
            prop_assert!(a.later_of(b) >= a);
        }
    }
}
