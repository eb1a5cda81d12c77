//! How old a block is, in words and as a date, in the time zone of the reader.

use elfmem_core::Timestamp;
use elfmem_core::time::{TimeZone, day_in, is_day};

/// Days for which the time of day is shown: later the date tells two texts apart.
const TIMED_DAYS: i64 = 2;

/// Formats an age by days: `today`, `3 days ago`, `2 weeks ago`. It changes at midnight only, so that a rendering stays the
/// same for as long as a conversation usually takes.
pub(crate) fn in_words(then: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let days = days_between(then, now, zone);
    let counted = |count: i64, noun: &str| elfmem_text::phrase::counted(count.unsigned_abs(), noun);
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        -1 => "tomorrow".to_owned(),
        2..=13 => format!("{} ago", counted(days, "day")),
        14..=59 => format!("{} ago", counted(days / 7, "week")),
        60..=729 => format!("{} ago", counted(days / 30, "month")),
        730.. => format!("{} ago", counted(days / 365, "year")),
        _ => format!("in {}", counted(days, "day")),
    }
}

/// Formats the date, with the time of day if it was within the last two days.
pub(crate) fn date(then: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let recent = (0..TIMED_DAYS).contains(&days_between(then, now, zone));
    match recent && !is_day(then) {
        true => then.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
        false => day_in(then, zone).to_string(),
    }
}

fn days_between(then: Timestamp, now: Timestamp, zone: &TimeZone) -> i64 {
    let days = day_in(then, zone).until(now.to_zoned(zone.clone()).date());
    days.map_or(0, |days| i64::from(days.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::time;

    #[test]
    fn ages_are_counted_in_days_weeks_months_and_years() {
        let now = time::from_iso("2026-11-18T00:10:00Z").unwrap();
        for (then, words, dated) in [
            ("2026-11-18T00:05:30Z", "today", "2026-11-18 00:05"),
            ("2026-11-17T23:59:00Z", "yesterday", "2026-11-17 23:59"),
            ("2026-11-15T10:00:00Z", "3 days ago", "2026-11-15"),
            ("2026-11-01T10:00:00Z", "2 weeks ago", "2026-11-01"),
            ("2026-06-01T10:00:00Z", "5 months ago", "2026-06-01"),
            ("2021-11-18T10:00:00Z", "5 years ago", "2021-11-18"),
            ("2026-11-19T01:00:00Z", "tomorrow", "2026-11-19"),
            ("2026-12-18T01:00:00Z", "in 30 days", "2026-12-18"),
        ] {
            let then = time::from_iso(then).unwrap();
            assert_eq!(
                (in_words(then, now, &TimeZone::UTC).as_str(), date(then, now, &TimeZone::UTC).as_str()),
                (words, dated)
            );
        }
    }
}
