//! Number words, and nouns that are counted.

use crate::terms::number_words::{BELOW_TWENTY, TENS};

/// Returns the value of a number word.
pub(super) fn count(word: &str) -> Option<u32> {
    let place = |words: &[&str]| words.iter().position(|&known| known == word).and_then(|at| u32::try_from(at).ok());
    let small = place(&BELOW_TWENTY).filter(|number| *number > 0);
    small.or_else(|| place(&TENS).map(|at| 20 + 10 * at))
}

const ORDINALS: [&str; 20] = [
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
];

/// Returns the day of the month for an ordinal word.
pub(super) fn ordinal(word: &str) -> Option<i8> {
    let (tens, rest) = match word.split_once('-') {
        Some(("twenty", rest)) => (20, rest),
        Some(("thirty", "first")) => (30, "first"),
        None if word == "thirtieth" => return Some(30),
        None => (0, word),
        Some(_) => return None,
    };
    let at = ORDINALS.iter().position(|&known| known == rest)?;
    let ones = i8::try_from(at + 1).ok()?;
    (tens == 0 || ones < 10).then_some(tens + ones)
}

/// Nouns that follow a count: `in 2019 cases` does not name a year.
const COUNTED: &[&str] = &[
    "people",
    "users",
    "cases",
    "files",
    "items",
    "rows",
    "tests",
    "places",
    "times",
    "tokens",
    "bytes",
    "words",
    "lines",
    "steps",
    "units",
    "dollars",
    "euros",
    "pounds",
    "points",
    "entries",
    "records",
    "requests",
    "messages",
    "pages",
    "days",
    "hours",
    "minutes",
    "seconds",
    "weeks",
    "months",
    "years",
    "ms",
    "kb",
    "mb",
    "gb",
    "percent",
    "km",
    "meters",
    "metres",
    "miles",
    "cities",
    "countries",
    "samples",
    "nodes",
    "edges",
    "blocks",
    "memories",
    "men",
    "women",
    "children",
    "students",
    "epochs",
    "calories",
    "chars",
    "queries",
    "customers",
    "employees",
    "votes",
    "copies",
    "retries",
    "attempts",
];

/// Returns true if a number before this word is a count.
pub(super) fn is_counted(word: &str) -> bool {
    COUNTED.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_month_has_an_ordinal() {
        let days = ["first", "twelfth", "twentieth", "twenty-first", "thirtieth", "thirty-first"];
        assert_eq!(days.map(ordinal), [1, 12, 20, 21, 30, 31].map(Some));
        for word in ["twenty-tenth", "thirty-second", "well-first", "zeroth"] {
            assert_eq!(ordinal(word), None, "{word}");
        }
    }
}
