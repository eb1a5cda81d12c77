//! The words of time. All are looked up in lower case.

use jiff::civil::Weekday;

use super::calendar::{DayPart, Unit};
use super::numbers;

/// A month by name or abbreviation.
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

/// Whether a month's name means nothing but the month: not a verb, not a person, not an abbreviation.
pub(super) fn is_only_a_month(word: &str) -> bool {
    matches!(word, "january" | "february" | "july" | "september" | "october" | "november" | "december")
}

/// Whether a month's name is a common verb too, so that a number beside it may be a count.
pub(super) fn is_also_a_verb(word: &str) -> bool {
    matches!(word, "may" | "march" | "mar")
}

/// Whether a dot behind a month's name belongs to the abbreviation.
pub(super) fn is_month_abbreviation(word: &str) -> bool {
    word != "may" && word.len() <= 4 && !matches!(word, "june" | "july") && month(word).is_some()
}

/// A day of the week by name or abbreviation.
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

/// The first month of a season; each lasts three. Northern and by whole months, as weather services count.
pub(super) fn season(word: &str) -> Option<i8> {
    Some(match word {
        "spring" | "springtime" => 3,
        "summer" | "summertime" => 6,
        "autumn" | "fall" => 9,
        "winter" | "wintertime" => 12,
        _ => return None,
    })
}

/// A quarter or half of a year (`q3`, `h1`): its first month and how many months it lasts.
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

/// A part of a day.
pub(super) fn day_part(word: &str) -> Option<DayPart> {
    Some(match word {
        "morning" => DayPart::Morning,
        "afternoon" => DayPart::Afternoon,
        "evening" => DayPart::Evening,
        "night" => DayPart::Night,
        _ => return None,
    })
}

/// A unit of time, in the singular or the plural.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "second" | "seconds" | "sec" | "secs" => Unit::Second,
        "minute" | "minutes" | "min" | "mins" => Unit::Minute,
        "hour" | "hours" | "hr" | "hrs" => Unit::Hour,
        "day" | "days" => Unit::Day,
        "week" | "weeks" | "wk" | "wks" => Unit::Week,
        "fortnight" | "fortnights" => Unit::Fortnight,
        "month" | "months" => Unit::Month,
        "quarter" | "quarters" => Unit::Quarter,
        "year" | "years" | "yr" | "yrs" => Unit::Year,
        "decade" | "decades" => Unit::Decade,
        _ => return None,
    })
}

/// Whether a time can begin with this word. Most words fail here, which keeps long texts cheap.
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
