//! Parses dates and times of day, complete or partial. Two of them disagree if a common field
//! differs.

use std::sync::OnceLock;

use super::hashing::WordSet;
use super::scan::{Break, ScannedWord};

/// A partial date and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PartialDateTime {
    pub(crate) year: Option<u16>,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
    pub(crate) season: Option<u8>,
    pub(crate) weekday: Option<u8>,
    /// Minutes after midnight.
    pub(crate) time: Option<u16>,
}

impl PartialDateTime {
    /// Returns true if both can be the same moment.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        fn same<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        same(self.year, other.year)
            && same(self.month, other.month)
            && same(self.day, other.day)
            && same(self.season, other.season)
            && same(self.weekday, other.weekday)
            && same(self.time, other.time)
    }

    /// Returns true if both specify comparable fields.
    pub(crate) fn is_comparable(&self, other: &Self) -> bool {
        let days = |when: &Self| when.year.is_some() || when.month.is_some() || when.day.is_some();
        (days(self) && days(other) && (!self.agrees(other) || self.shares_field(other)))
            || (self.season.is_some() && other.season.is_some())
            || (self.weekday.is_some() && other.weekday.is_some())
            || (self.time.is_some() && other.time.is_some())
    }

    fn shares_field(&self, other: &Self) -> bool {
        (self.year.is_some() && other.year.is_some())
            || (self.month.is_some() && other.month.is_some())
            || (self.day.is_some() && other.day.is_some())
    }

    /// Returns the normalised spelling.
    pub(crate) fn canon(&self) -> String {
        let part = |mark: char, value: Option<u16>| value.map(|value| format!("{mark}{value}")).unwrap_or_default();
        let mut canon = part('y', self.year) + &part('m', self.month.map(u16::from));
        canon.push_str(&part('d', self.day.map(u16::from)));
        canon.push_str(&part('s', self.season.map(u16::from)));
        canon.push_str(&part('w', self.weekday.map(u16::from)));
        canon.push_str(&part('t', self.time));
        canon
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Parses the date or time that starts at `at`. Returns the number of words it covers.
pub(crate) fn parse(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let piece = &pieces[at];
    let word = piece.lower.as_str();
    if !may_be_date(word) {
        return None;
    }
    if let Some(when) = written_with_digits(word) {
        return Some((when, 1));
    }
    if let Some(weekday) = weekday(piece) {
        return Some((PartialDateTime { weekday: Some(weekday), ..PartialDateTime::default() }, 1));
    }
    if let Some(season) = season(pieces, at) {
        let of = usize::from(pieces.get(at + 1).is_some_and(|piece| piece.lower == "of"));
        let year = year_number(pieces.get(at + 1 + of)).filter(|_| piece.after == Break::None);
        let taken = 1 + if year.is_some() { of + 1 } else { 0 };
        return Some((PartialDateTime { season: Some(season), year, ..PartialDateTime::default() }, taken));
    }
    if let Some(found) = spoken_time(pieces, at).or_else(|| time(pieces, at)) {
        return Some(found);
    }
    day_first(pieces, at).or_else(|| month_first(pieces, at)).or_else(|| lone_year(pieces, at))
}

/// Returns false quickly for most words.
fn may_be_date(word: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let named = MONTHS.iter().chain(&WEEKDAYS).flat_map(|name| (3..=name.len()).map(|length| &name[..length]));
        named
            .chain(["spring", "summer", "autumn", "fall", "winter", "noon", "midday", "midnight", "half", "quarter"])
            .collect()
    });
    word.starts_with(|c: char| c.is_ascii_digit()) || words.contains(word) || words.contains(word.trim_end_matches('s'))
}

/// Parses `2024-11-05`, `05.11.2024`, and `11/25/2024` if only one order is possible.
fn written_with_digits(word: &str) -> Option<PartialDateTime> {
    let separator = ['-', '.', '/'].into_iter().find(|separator| word.matches(*separator).count() == 2)?;
    let mut parts = [0u16; 3];
    for (slot, part) in parts.iter_mut().zip(word.split(separator)) {
        if part.is_empty() || part.len() > 4 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *slot = part.parse().ok()?;
    }
    let (year, month, day) = match parts {
        [year @ 1000..=2999, month @ 1..=12, day @ 1..=31] => (year, month, day),
        [day @ 1..=31, month @ 1..=12, year @ 1000..=2999] if separator == '.' || day > 12 || day == month => {
            (year, month, day)
        }
        [month @ 1..=12, day @ 13..=31, year @ 1000..=2999] => (year, month, day),
        _ => return None,
    };
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    Some(PartialDateTime { year: Some(year), month: Some(month), day: Some(day), ..PartialDateTime::default() })
}

/// Parses a weekday: a full name, or a capitalised abbreviation.
fn weekday(piece: &ScannedWord) -> Option<u8> {
    let word = piece.lower.strip_suffix('s').filter(|word| word.ends_with("day")).unwrap_or(&piece.lower);
    let short = piece.capital && !piece.opens && (3..=5).contains(&word.len());
    (0u8..).zip(WEEKDAYS).find(|(_, name)| *name == word || (short && name.starts_with(word))).map(|(at, _)| at)
}

/// Parses a season used as a time and not as part of a name: "in the spring", "since autumn".
fn season(pieces: &[ScannedWord], at: usize) -> Option<u8> {
    let season = match pieces[at].lower.as_str() {
        "spring" => 0,
        "summer" => 1,
        "autumn" | "fall" => 2,
        "winter" => 3,
        _ => return None,
    };
    let before = |steps: usize| at.checked_sub(steps).map_or("", |at| pieces[at].lower.as_str());
    let timed = |word: &str| {
        matches!(word, "in" | "since" | "until" | "last" | "next" | "this" | "every" | "early" | "late" | "during")
    };
    (timed(before(1)) || (before(1) == "the" && timed(before(2)))).then_some(season)
}

/// Parses the name of a month. `may` and `march` are also verbs and need a capital or a number
/// beside them.
fn month(piece: &ScannedWord, beside_number: bool) -> Option<u8> {
    let word = piece.lower.as_str();
    let certain = beside_number || (piece.capital && !piece.opens);
    if matches!(word, "may" | "march") && !certain {
        return None;
    }
    let short = certain && (word.len() == 3 || word == "sept");
    (1u8..).zip(MONTHS).find(|(_, name)| *name == word || (short && name.starts_with(word))).map(|(at, _)| at)
}

/// Returns true if the name of a month is that of a person: "does Jan work", "April's desk", "extension of Jan: 12".
fn names_somebody(pieces: &[ScannedWord], at: usize) -> bool {
    let piece = &pieces[at];
    if !matches!(&*piece.lower, "jan" | "april" | "may" | "june" | "august") {
        return false;
    }
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    let asked = matches!(before, "does" | "did" | "is" | "was" | "has" | "reach" | "find");
    piece.possessor && before != "in"
        || asked
        || before == "of" && (piece.after >= Break::Colon || at + 1 == pieces.len())
}

fn day_number(word: &str) -> Option<u8> {
    let figure = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    figure.parse().ok().filter(|day| (1..=31).contains(day) && figure.bytes().all(|byte| byte.is_ascii_digit()))
}

fn year_number(piece: Option<&ScannedWord>) -> Option<u16> {
    let word = piece?.lower.as_str();
    (word.len() == 4).then(|| word.parse().ok()).flatten().filter(|year| (1000..=2999).contains(year))
}

/// Parses `5 November 2024` and `5th of Nov`.
fn day_first(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let day = day_number(&pieces[at].lower)?;
    let mut next = at + 1;
    if pieces.get(next).is_some_and(|piece| piece.lower == "of") {
        next += 1;
    }
    let month = month(pieces.get(next)?, true)?;
    let year = year_number(pieces.get(next + 1)).filter(|_| pieces[next].after <= Break::Comma);
    let taken = next + 1 + usize::from(year.is_some()) - at;
    Some((PartialDateTime { year, month: Some(month), day: Some(day), ..PartialDateTime::default() }, taken))
}

/// Parses `November 5, 2024`, `Nov 5`, `November 2024` and `November`.
fn month_first(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let beside = pieces.get(at + 1).filter(|_| pieces[at].after == Break::None);
    let year = year_number(beside);
    let day = beside.and_then(|piece| day_number(&piece.lower));
    let month = month(&pieces[at], year.is_some() || (day.is_some() && pieces[at].capital))?;
    if year.is_none() && day.is_none() && names_somebody(pieces, at) {
        return None;
    }
    if let Some(day) = day {
        let year = year_number(pieces.get(at + 2)).filter(|_| pieces[at + 1].after <= Break::Comma);
        let taken = 2 + usize::from(year.is_some());
        return Some((
            PartialDateTime { year, month: Some(month), day: Some(day), ..PartialDateTime::default() },
            taken,
        ));
    }
    // "in May of 2019"
    let skip = usize::from(beside.is_some_and(|piece| piece.lower == "of"));
    let year = year.or_else(|| year_number(pieces.get(at + 1 + skip)).filter(|_| skip == 1));
    let taken = 1 + if year.is_some() { skip + 1 } else { 0 };
    Some((PartialDateTime { year, month: Some(month), ..PartialDateTime::default() }, taken))
}

/// Parses `1896` where a year can occur, and decades: `the 1890s`.
fn lone_year(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let word = pieces[at].lower.as_str();
    let year = match word.strip_suffix('s') {
        Some(decade) if decade.len() == 4 && decade.ends_with('0') => decade.parse().ok()?,
        _ => {
            let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
            let follows = pieces.get(at + 1).filter(|_| pieces[at].after == Break::None);
            let closes = follows.is_none_or(|piece| super::lexicon::is_function_word(&piece.lower) || piece.code);
            let expected = matches!(
                before,
                "in" | "since"
                    | "until"
                    | "till"
                    | "by"
                    | "from"
                    | "before"
                    | "after"
                    | "of"
                    | "during"
                    | "around"
                    | "to"
                    | "and"
                    | "year"
                    | "spring"
                    | "summer"
                    | "autumn"
                    | "winter"
                    | "early"
                    | "late"
                    | "mid"
                    | "for"
            );
            year_number(Some(&pieces[at])).filter(|_| expected && closes)?
        }
    };
    Some((PartialDateTime { year: Some(year), ..PartialDateTime::default() }, 1))
}

/// Parses "half past three" and "quarter to five".
fn spoken_time(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let word = |at: usize| pieces.get(at).map_or("", |piece| piece.lower.as_str());
    let minutes = match (word(at), word(at + 1)) {
        ("half", "past") => 30,
        ("quarter", "past") => 15,
        ("quarter", "to") => -15,
        _ => return None,
    };
    let (hour, taken) = super::number::parse(pieces, at + 2)?;
    let hour = Some(hour.value).filter(|hour| (1.0..=12.0).contains(hour) && hour.fract() == 0.0)?;
    let time = (hour as i32 * 60 + minutes).rem_euclid(1440);
    Some((PartialDateTime { time: u16::try_from(time).ok(), ..PartialDateTime::default() }, taken + 2))
}

/// Parses `15:00`, `3 pm`, `9:30 AM` and `noon`.
fn time(pieces: &[ScannedWord], at: usize) -> Option<(PartialDateTime, usize)> {
    let word = pieces[at].lower.as_str();
    let named = match word {
        "noon" | "midday" => Some(720),
        "midnight" => Some(0),
        _ => None,
    };
    let (minutes, taken) = match named {
        Some(minutes) => (minutes, 1),
        None => {
            let (clock, half) = match word.strip_suffix("pm").or_else(|| word.strip_suffix("am")) {
                Some(clock) if !clock.is_empty() => (clock, Some(word.ends_with("pm"))),
                _ => (word, None),
            };
            let follows = pieces.get(at + 1).map_or("", |piece| piece.lower.as_str());
            let (half, taken) = match (half, follows) {
                (None, "pm") => (Some(true), 2),
                (None, "am") => (Some(false), 2),
                (None, "oclock") => (None, 2),
                _ => (half, 1),
            };
            let (hours, minutes) = match clock.split_once([':', '.']) {
                Some((hours, minutes)) if minutes.len() == 2 && (clock.contains(':') || half.is_some()) => {
                    (hours, minutes)
                }
                None if half.is_some() || taken == 2 => (clock, "0"),
                _ => return None,
            };
            let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
            let hours = match half {
                Some(true) if hours < 12 => hours + 12,
                Some(false) if hours == 12 => 0,
                _ => hours,
            };
            ((hours <= 24 && minutes < 60).then(|| (hours * 60 + minutes) % 1440)?, taken)
        }
    };
    Some((PartialDateTime { time: Some(minutes), ..PartialDateTime::default() }, taken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::scan::scan;

    fn first(text: &str) -> PartialDateTime {
        let pieces = scan(text).pieces;
        (0..pieces.len()).find_map(|at| parse(&pieces, at)).unwrap().0
    }

    #[test]
    fn date_spellings_are_equal() {
        for (one, other) in [
            ("2024-11-05", "5 November 2024"),
            ("Nov 5, 2024", "the 5th of November 2024"),
            ("17:00", "5 pm"),
            ("9:30 AM", "09:30"),
            ("12 p.m.", "noon"),
            ("in May of 2019", "in May 2019"),
            ("on Tuesdays", "every tuesday"),
        ] {
            assert_eq!(first(one), first(other), "{one} / {other}");
        }
    }

    #[test]
    fn partial_dates_agree_with_complete_dates() {
        assert!(first("in 2024").agrees(&first("5 November 2024")));
        assert!(!first("in 2023").agrees(&first("5 November 2024")));
        assert!(!first("on Monday").agrees(&first("on Tuesday")));
        assert!(!first("at 8 am").agrees(&first("at 8 pm")));
    }

    #[test]
    fn a_name_is_no_month() {
        for text in ["Where does Jan work", "April's desk is A12", "Extension of Jan: 12"] {
            let pieces = scan(text).pieces;
            assert!(
                (0..pieces.len()).all(|at| parse(&pieces, at).is_none_or(|(when, _)| when.month.is_none())),
                "{text}"
            );
        }
        assert_eq!(first("The fair is in Jan").month, Some(1));
        assert_eq!(first("The fair is on Jan 5").month, Some(1));
    }

    #[test]
    fn common_words_are_not_months() {
        let pieces = scan("They may march on with 2000 men").pieces;
        assert!((0..pieces.len()).all(|at| parse(&pieces, at).is_none()));
    }
}
