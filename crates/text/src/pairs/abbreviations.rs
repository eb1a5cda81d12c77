//! Expands abbreviations, contracted endings, units attached to numbers, and set phrases.

use std::sync::OnceLock;

use super::hashing::WordSet;
use super::lexicon::is_function_word;
use super::number;
use super::scan::{Break, ScannedWord, starts_as_number};
use super::units::unit;

/// Abbreviations with a full stop that does not end a sentence.
const ABBREVIATIONS: &str = "
    incl e.g i.e eg ie approx vs mr mrs ms dr prof st no etc p.m a.m cf ca dept max min avg inc ltd tel jan feb mar
    apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri fig vol ch p pp sec hr hrs lb lbs oz tbsp
    tsp ave rd blvd co corp jr sr ext ref est ed mt wk yr govt appt mgr
";

pub(crate) fn is_abbreviation(lower: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| ABBREVIATIONS.split_whitespace().collect()).contains(lower)
}

/// Expands abbreviations and set phrases, depending on the surrounding words.
pub(crate) fn expand_abbreviations(pieces: &mut Vec<ScannedWord>) {
    expand_rates(pieces);
    count_times(pieces);
    for at in 0..pieces.len() {
        if let Some(word) = expansion(pieces, at) {
            pieces[at].lower = word.to_owned();
        }
        if let Some(word) = written_out(&pieces[at].lower).filter(|_| !pieces[at].possessor) {
            let piece = &mut pieces[at];
            word.clone_into(&mut piece.lower);
            (piece.capital, piece.acronym) = (piece.opens, false);
        }
        if let Some(word) = set_phrase(pieces, at) {
            pieces[at].lower = word.to_owned();
            pieces[at + 1].lower.clear();
            // "can't stand": drop the "can".
            if word == "hate" {
                pieces[at - 1].lower.clear();
            }
        }
    }
    for at in 1..pieces.len() {
        if pieces[at].lower.is_empty() {
            pieces[at - 1].after = pieces[at - 1].after.max(pieces[at].after);
        }
    }
    pieces.retain(|piece| !piece.lower.is_empty());
}

/// Words of work that are often cut short, and what is read instead. A phrase that is known by its initials is read as
/// them: see [`set_phrase`].
const SHORT: &[(&str, &str)] = &[
    ("k8s", "kubernetes"),
    ("db", "database"),
    ("repo", "repository"),
    ("repos", "repositories"),
    ("config", "configuration"),
    ("prod", "production"),
    ("env", "environment"),
    ("mtg", "meeting"),
    ("pw", "password"),
    ("pwd", "password"),
    ("maint", "maintenance"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("postgres", "postgresql"),
    ("prs", "pr"),
];

fn written_out(word: &str) -> Option<&'static str> {
    SHORT.iter().find(|(short, _)| *short == word).map(|(_, long)| *long)
}

/// Reads "twice" as "2 times", and "once" so before a unit of time: "once an hour".
fn count_times(pieces: &mut Vec<ScannedWord>) {
    for at in (0..pieces.len()).rev() {
        let rate = matches!(word(pieces, at + 1), "a" | "an" | "per" | "every" | "each")
            && matches!(
                word(pieces, at + 2),
                "second" | "minute" | "hour" | "day" | "week" | "month" | "year" | "night"
            );
        let count = match word(pieces, at) {
            "once" if rate => "1",
            "twice" => "2",
            "thrice" => "3",
            _ => continue,
        };
        let times = ScannedWord { lower: "times".to_owned(), opens: false, capital: false, ..pieces[at].clone() };
        count.clone_into(&mut pieces[at].lower);
        pieces[at].after = Break::None;
        pieces.insert(at + 1, times);
    }
}

/// Replaces "twice daily" by "twice per day".
fn expand_rates(pieces: &mut Vec<ScannedWord>) {
    for at in (1..pieces.len()).rev() {
        let unit = match pieces[at].lower.as_str() {
            "hourly" => "hour",
            "daily" => "day",
            "nightly" => "night",
            "weekly" => "week",
            "monthly" => "month",
            "yearly" | "annually" => "year",
            _ => continue,
        };
        if matches!(&*pieces[at - 1].lower, "once" | "twice" | "times") && pieces[at - 1].after == Break::None {
            pieces[at].lower = unit.to_owned();
            pieces.insert(at, ScannedWord { lower: "per".to_owned(), ..ScannedWord::default() });
        }
    }
}

fn word(pieces: &[ScannedWord], at: usize) -> &str {
    pieces.get(at).map_or("", |piece| piece.lower.as_str())
}

/// Expands "she'd been" to "had", "she's been" to "has", "5 a month" to "per month"; drops "number"
/// before a number.
fn expansion(pieces: &[ScannedWord], at: usize) -> Option<&'static str> {
    let (this, next) = (word(pieces, at), word(pieces, at + 1));
    match pieces[at].shortened {
        Some('d') => {
            let done = |word: &str| {
                matches!(word, "been" | "better" | "had" | "got") || word.ends_with("ed") && word.len() > 4
            };
            let delayed = matches!(next, "never" | "already" | "just" | "always") && done(word(pieces, at + 2));
            return (done(next) || delayed).then_some("had");
        }
        Some('s') => return matches!(next, "been" | "got").then_some("has"),
        _ => {}
    }
    match this {
        "approx" | "approximately" | "roughly" | "around" | "circa" | "ca" => {
            (next != "a" && number::parse(pieces, at + 1).is_some()).then_some("about")
        }
        "no" if next == "of" => Some("number"),
        "no" | "nr" | "number" => next.starts_with(|c: char| c.is_ascii_digit()).then_some(""),
        "a" | "an" | "each" => {
            let rate = matches!(next, "second" | "minute" | "hour" | "day" | "week" | "month" | "year" | "night")
                || matches!(next, "person" | "head");
            let before = pieces.get(at.checked_sub(1)?)?;
            let counted = before.lower != "half"
                && before.after == Break::None
                && !before.capital
                && !is_function_word(&before.lower);
            (rate && counted).then_some("per")
        }
        _ => None,
    }
}

/// Returns the single word that a two-word phrase stands for.
fn set_phrase(pieces: &[ScannedWord], at: usize) -> Option<&'static str> {
    Some(match (word(pieces, at), word(pieces, at + 1)) {
        ("no", "one") => "nobody",
        ("pull", "request" | "requests") => "pr",
        ("continuous", "integration") => "ci",
        ("virtual", "machine") => "vm",
        ("for", "example" | "instance") => "eg",
        ("not", "stand" | "bear") if at > 0 && pieces[at - 1].lower == "can" => "hate",
        ("called", "off") => "cancelled",
        ("put" | "pushed", "off" | "back") => "postponed",
        ("take" | "takes" | "took", "place") => "happens",
        ("turned", "down") => "rejected",
        ("12", "noon") => "noon",
        ("12", "midnight") => "midnight",
        ("has", "got") if word(pieces, at + 2) != "to" => "has",
        ("have", "got") if word(pieces, at + 2) != "to" => "have",
        _ => return None,
    })
}

/// Splits numbers from attached units and ranges: `5/month` is "5 per month", `5-7` is "5 to 7",
/// `3x` is "3 times".
pub(crate) fn split_number(lower: &str) -> Option<Vec<String>> {
    let words = |one: &str, link: &str, other: &str| {
        Some([one, link, other].into_iter().filter(|word| !word.is_empty()).map(str::to_owned).collect())
    };
    if let Some((one, other)) =
        lower.split_once('/').filter(|(one, other)| starts_as_number(one) && unit(other).is_some())
    {
        return words(one, "per", other);
    }
    if let Some(count) = lower.strip_suffix(['x', '\u{d7}']).filter(|count| count.parse::<u8>().is_ok()) {
        return words(count, "", "times");
    }
    if let Some(quarter) = lower.strip_prefix('q').filter(|quarter| matches!(*quarter, "1" | "2" | "3" | "4")) {
        return words(&format!("{quarter}th"), "", "quarter");
    }
    let (one, other) = lower.split_once('-')?;
    if one.bytes().all(|byte| byte.is_ascii_digit())
        && other.len() >= 3
        && other.chars().all(|c| c.is_alphabetic() || c == '-')
    {
        return Some(
            [one].into_iter().chain(other.split('-')).filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        );
    }
    let clock = |word: &str| word.contains(':') && starts_as_number(word);
    let rising =
        one.parse::<u16>().ok().zip(other.parse::<u16>().ok()).is_some_and(|(one, other)| one < other && other < 1000);
    let named = is_weekday(one) && is_weekday(other);
    if rising || named || (clock(one) && clock(other)) { words(one, "to", other) } else { None }
}

fn is_weekday(word: &str) -> bool {
    let long = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    word.len() >= 3 && long.iter().any(|name| name.starts_with(word.trim_end_matches("days")) || name == &word)
}

#[cfg(test)]
mod tests {
    use crate::pairs::scan::scan;

    fn words(text: &str) -> Vec<String> {
        scan(text).pieces.into_iter().map(|piece| piece.lower).collect()
    }

    #[test]
    fn abbreviations_expand_by_context() {
        assert_eq!(words("She'd been"), ["she", "had", "been"]);
        assert_eq!(words("She'd go"), ["she", "would", "go"]);
        assert_eq!(words("Ticket No. 5"), ["ticket", "5"]);
        assert_eq!(words("No. of seats"), ["number", "of", "seats"]);
        assert_eq!(words("approx. 15 kg, roughly fifteen"), ["about", "15", "kg", "about", "fifteen"]);
        assert_eq!(words("around the lake, roughly"), ["around", "the", "lake", "roughly"]);
        assert_eq!(words("three times daily"), ["three", "times", "per", "day"]);
        assert_eq!(words("the daily report"), ["the", "daily", "report"]);
        assert_eq!(words("It's got four at 12 noon"), ["it", "has", "four", "at", "noon"]);
    }

    #[test]
    fn short_words_are_read_as_the_long_ones() {
        for (short, long) in [
            ("The PR needs two approvals", "The pull request needs two approvals"),
            ("K8s runs on port 80", "Kubernetes runs on port 80"),
            ("The DB password", "The database password"),
        ] {
            assert_eq!(words(short), words(long));
        }
        assert_eq!(words("the repository of DBs"), ["the", "repository", "of", "dbs"]);
    }

    #[test]
    fn numbers_are_split_from_their_units() {
        assert_eq!(
            words("5/month, 5-7, 3x, Q2, 5-star"),
            ["5", "per", "month", "5", "to", "7", "3", "times", "2th", "quarter", "5", "star"]
        );
    }
}
