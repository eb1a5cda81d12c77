//! The words of time. All are looked up in lower case.

use jiff::civil::Weekday;

use super::calendar::{DayPart, Unit};

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

const COUNTS: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// A number written as a word.
pub(super) fn count(word: &str) -> Option<u32> {
    match word {
        "thirty" => Some(30),
        "sixty" => Some(60),
        "ninety" => Some(90),
        _ => COUNTS.iter().position(|&known| known == word).and_then(|at| u32::try_from(at + 1).ok()),
    }
}

const ORDINALS: [&str; 31] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
];

/// A day of the month written as a word.
pub(super) fn ordinal(word: &str) -> Option<i8> {
    let at = ORDINALS.iter().position(|&known| known == word)?;
    i8::try_from(at + 1).ok()
}

/// Things that are counted: `in 2019 cases` does not speak of a year.
pub(super) fn is_counted(word: &str) -> bool {
    matches!(
        word,
        "people" | "users" | "cases" | "files" | "items" | "rows" | "tests" | "places" | "times" | "tokens" | "bytes"
            | "words" | "lines" | "steps" | "units" | "dollars" | "euros" | "pounds" | "points" | "entries" | "records"
            | "requests" | "messages" | "pages" | "days" | "hours" | "minutes" | "seconds" | "weeks" | "months"
            | "years" | "ms" | "kb" | "mb" | "gb" | "percent" | "km" | "meters" | "metres" | "miles" | "kilometers"
            | "kilometres" | "cities" | "countries" | "samples" | "nodes" | "edges" | "blocks" | "memories" | "men"
            | "women" | "children" | "students" | "iterations" | "epochs" | "calories" | "characters"
            | "chars" | "queries" | "documents" | "customers" | "employees" | "votes" | "copies" | "retries" | "attempts"
    )
}
