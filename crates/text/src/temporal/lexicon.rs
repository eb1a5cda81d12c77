//! English words for times. All lookups expect lower case.

use jiff::civil::Weekday;

use super::calendar::{DayPart, TimeUnit};
use super::numbers;

/// Returns the number of a month by name or abbreviation.
pub(super) fn month(word: &str) -> Option<i8> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

/// Returns true if the name of a month has no other meaning: no verb, no personal name, no
/// abbreviation.
pub(super) fn is_only_a_month(word: &str) -> bool {
    matches!(word, "january" | "february" | "july" | "september" | "october" | "november" | "december")
}

/// Returns true if the name of a month is also a common verb, so that a number beside it may be a
/// count.
pub(super) fn is_also_a_verb(word: &str) -> bool {
    matches!(word, "may" | "march" | "mar")
}

/// Returns true if a dot after the name of a month belongs to the abbreviation.
pub(super) fn is_month_abbreviation(word: &str) -> bool {
    word != "may" && word.len() <= 4 && !matches!(word, "june" | "july") && month(word).is_some()
}

/// Returns a day of the week by name or abbreviation.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wed" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

/// Returns the first of the three months of a season: northern hemisphere, meteorological.
pub(super) fn season(word: &str) -> Option<i8> {
    Some(match word {
        "spring" | "springtime" => 3,
        "summer" | "summertime" => 6,
        "autumn" | "fall" => 9,
        "winter" | "wintertime" => 12,
        _ => return None,
    })
}

/// Returns the first month and the number of months of a quarter or half-year (`q3`, `h1`).
pub(super) fn year_part(word: &str) -> Option<(i8, i8)> {
    Some(match word {
        "q1" => (1, 3),
        "q2" => (4, 3),
        "q3" => (7, 3),
        "q4" => (10, 3),
        "h1" => (1, 6),
        "h2" => (7, 6),
        _ => return None,
    })
}

/// Returns a part of the day by name.
pub(super) fn day_part(word: &str) -> Option<DayPart> {
    Some(match word {
        "morning" => DayPart::Morning,
        "afternoon" => DayPart::Afternoon,
        "evening" => DayPart::Evening,
        "night" => DayPart::Night,
        _ => return None,
    })
}

/// Returns a unit of time, singular or plural.
pub(super) fn unit(word: &str) -> Option<TimeUnit> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => TimeUnit::Second,
        "minute" | "minutes" | "min" | "mins" => TimeUnit::Minute,
        "hour" | "hours" | "hr" | "hrs" => TimeUnit::Hour,
        "day" | "days" => TimeUnit::Day,
        "week" | "weeks" | "wk" | "wks" => TimeUnit::Week,
        "fortnight" | "fortnights" => TimeUnit::Fortnight,
        "month" | "months" => TimeUnit::Month,
        "quarter" | "quarters" => TimeUnit::Quarter,
        "year" | "years" | "yr" | "yrs" => TimeUnit::Year,
        "decade" | "decades" => TimeUnit::Decade,
        _ => return None,
    })
}

/// Returns true if a time can start with this word. Most words fail here, which keeps long texts
/// cheap.
pub(super) fn can_begin_time(word: &str) -> bool {
    let opens = matches!(
        word,
        "a" | "an"
            | "between"
            | "beginning"
            | "coming"
            | "couple"
            | "early"
            | "end"
            | "few"
            | "from"
            | "last"
            | "late"
            | "lately"
            | "mid"
            | "midday"
            | "middle"
            | "midnight"
            | "next"
            | "noon"
            | "nowadays"
            | "of"
            | "other"
            | "past"
            | "previous"
            | "recent"
            | "recently"
            | "several"
            | "start"
            | "these"
            | "this"
            | "today"
            | "tomorrow"
            | "tonight"
            | "weekend"
            | "yesterday"
    );
    opens
        || month(word).is_some()
        || weekday(word).is_some()
        || unit(word).is_some()
        || season(word).is_some()
        || year_part(word).is_some()
        || numbers::count(word).is_some()
        || numbers::ordinal(word).is_some()
}
