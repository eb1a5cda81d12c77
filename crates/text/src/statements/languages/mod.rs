//! Reads the words of negation, quantity, time, change and relation of a language as the English
//! words that the rules know.
//!
//! The rules are written once, for English words. Each other language is one table of equivalents;
//! a word that is not in it keeps its own stem and can only equal itself. So the seven languages
//! are judged alike, and a word that nobody listed makes two statements differ, never agree.

mod dutch;
mod french;
mod german;
mod italian;
pub(crate) mod perfect;
mod portuguese;
mod spanish;

use std::sync::OnceLock;

use crate::language::Language;
use crate::pairs::hashing::{WordMap, WordSet};
use crate::pairs::lexicon::Lexicon;
use crate::pairs::markup::unaccented;
use crate::pairs::scan::ScannedWord;

/// The equivalents of a language, by their first word.
type Table = WordMap<String, Vec<TranslatedPhrase>>;

/// A word or phrase and the English words it is read as.
#[derive(Debug)]
struct TranslatedPhrase {
    words: Vec<String>,
    english: Vec<&'static str>,
}

/// Words that are told apart by their accent only, and what they are replaced by before accents are
/// removed.
const ACCENTED: [(Language, &[(&str, &str)]); 4] = [
    (Language::French, &[("à", "at"), ("où", "where"), ("été", "been"), ("dès", "as of")]),
    (Language::Spanish, &[("él", "he"), ("sí", "yes"), ("té", "tee"), ("más", "mas")]),
    (Language::Italian, &[("è", "is"), ("sì", "yes"), ("dà", "gives"), ("più", "piu")]),
    (Language::Portuguese, &[("é", "is"), ("à", "at"), ("às", "at"), ("há", "there is")]),
];

/// English words that replace accented ones before the tables are read.
const INSERTED: [&str; 8] = ["at", "is", "been", "where", "he", "gives", "there", "yes"];

/// Words before an apostrophe that are read apart from the word behind it.
const ELIDED: &str = "l d n j m t s c qu jusqu lorsqu dell all nell dall sull un quest quell";

fn table(language: Language) -> Option<&'static Table> {
    static TABLES: OnceLock<[Table; 6]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        [german::WORDS, french::WORDS, spanish::WORDS, italian::WORDS, portuguese::WORDS, dutch::WORDS].map(parse)
    });
    (language as usize).checked_sub(1).and_then(|at| tables.get(at))
}

fn parse(text: &'static str) -> Table {
    let mut table = Table::default();
    for line in text.lines() {
        let Some((english, words)) = line.split_once(':') else { continue };
        for phrase in words.split_whitespace() {
            let words: Vec<String> = phrase.split('_').map(unaccented).collect();
            let english = english.split_whitespace().collect();
            table.entry(words[0].clone()).or_default().push(TranslatedPhrase { words, english });
        }
    }
    // The longest phrase is tried first.
    table.values_mut().for_each(|phrases| phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len())));
    table
}

/// Returns the language of a text. Notes are short, so what the detector leaves open is settled by the
/// words that the tables list; English is assumed if there is none of them, but a common English word.
pub(crate) fn language_of(text: &str) -> Option<Language> {
    // Addresses are of no language: "mia@initech.com" is neither Italian nor Portuguese.
    let is_address = |word: &str| word.contains('@') || word.contains("://") || word.starts_with("www.");
    if text.split_whitespace().any(is_address) {
        let words: Vec<&str> = text.split_whitespace().filter(|word| !is_address(word)).collect();
        return language_of(&words.join(" "));
    }
    let detected = Language::detect(text);
    if detected == Some(Language::English) {
        return detected;
    }
    // Two of the seven have a word of one letter with an accent.
    let has = |letter: &str| text.split_whitespace().any(|word| word == letter);
    if detected.is_none() && (has("è") || has("é")) {
        return Some(if has("è") { Language::Italian } else { Language::Portuguese });
    }
    // Words in capitals are abbreviations.
    let words: Vec<String> = text
        .split_whitespace()
        .filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
        .flat_map(|word| word.split(|c: char| !c.is_alphabetic()))
        .filter(|word| !(word.is_empty() || word.len() > 1 && word.chars().all(char::is_uppercase)))
        .map(unaccented)
        .collect();
    let (english, lexicon) = (english_words(), Lexicon::shared());
    let known = |word: &str| {
        Language::English.is_stop_word(word)
            || english.contains(word)
            || lexicon.is_irregular(word)
            || lexicon.is_verb(&lexicon.key(word))
    };
    let listed = |language: Language, all: bool| {
        let listed =
            |word: &&String| table(language).is_some_and(|table| table.contains_key(*word)) && (all || !known(word));
        words.iter().filter(listed).count()
    };
    let best = Language::ALL
        .into_iter()
        .skip(1)
        .max_by_key(|language| (listed(*language, false), listed(*language, true), detected == Some(*language)));
    let best = best.filter(|language| listed(*language, false) > 0);
    // "Commutes by car": one word of another language is no evidence beside an English one.
    let only_english = |word: &String| {
        let shared = |language: Language| {
            language.is_stop_word(word) || table(language).is_some_and(|table| table.contains_key(word))
        };
        Language::English.is_stop_word(word) && !Language::ALL.into_iter().skip(1).any(shared)
    };
    if detected.is_none() && words.iter().any(only_english) && best.is_some_and(|best| listed(best, false) == 1) {
        return Some(Language::English);
    }
    if let Some(best) = best {
        let score = |language: Language| (listed(language, false), listed(language, true));
        let ties = Language::ALL.into_iter().skip(1).filter(|language| score(*language) == score(best)).count();
        return detected.or((ties == 1).then_some(best));
    }
    let common = words.iter().any(|word| known(word));
    if common && text.is_ascii() { Some(Language::English) } else { detected }
}

/// The English words of the tables: a text of these may be English.
fn english_words() -> &'static WordSet<&'static str> {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let tables = Language::ALL.into_iter().filter_map(table);
        tables.flat_map(|table| table.values().flatten()).flat_map(|phrase| phrase.english.iter().copied()).collect()
    })
}

/// Replaces words whose accent decides, and splits elided words: "l'école" becomes "l école".
pub(crate) fn prepare(text: &str, language: Language) -> String {
    let accented = ACCENTED.iter().find(|(of, _)| *of == language).map_or(&[][..], |(_, words)| *words);
    let elides = matches!(language, Language::French | Language::Italian);
    let mut prepared = String::with_capacity(text.len() + 8);
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let space = &piece[word.len()..];
        // "am 3. April": the full stop marks an ordinal.
        let ordinal = word.strip_suffix('.').filter(|day| {
            language == Language::German && !space.is_empty() && day.len() <= 2 && day.parse::<u8>().is_ok()
        });
        if let Some(day) = ordinal {
            prepared.push_str(day);
            prepared.push_str(space);
            continue;
        }
        let (word, elided) = if elides { split_elided(word) } else { (word, None) };
        if let Some(elided) = elided {
            prepared.push_str(elided);
            prepared.push(' ');
        }
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        if let Some((hours, minutes)) = bare.split_once('h').filter(|_| language == Language::French)
            && [hours, minutes].iter().all(|part| part.len() <= 2 && part.parse::<u8>().is_ok())
        {
            prepared.push_str(&format!("{hours} h {minutes}{}{space}", &word[bare.len()..]));
            continue;
        }
        let lower = bare.to_lowercase();
        match accented.iter().find(|(from, _)| *from == lower) {
            Some((_, to)) => {
                prepared.push_str(to);
                prepared.push_str(&word[bare.len()..]);
            }
            None => prepared.push_str(word),
        }
        prepared.push_str(space);
    }
    prepared
}

fn split_elided(word: &str) -> (&str, Option<&str>) {
    let Some(at) = word.find(['\'', '\u{2019}']) else { return (word, None) };
    let width = word[at..].chars().next().map_or(1, char::len_utf8);
    let (before, behind) = (&word[..at], &word[at + width..]);
    let lower = before.to_lowercase();
    if behind.is_empty() || !ELIDED.split(' ').any(|elided| elided == lower) {
        return (word, None);
    }
    (behind, Some(before))
}

/// Replaces the words of a language by their English equivalents. English stays as it is.
pub(crate) fn to_english(mut pieces: Vec<ScannedWord>, language: Language) -> Vec<ScannedWord> {
    let Some(table) = table(language) else { return pieces };
    perfect::read_perfect(&mut pieces, language);
    let mut english: Vec<ScannedWord> = Vec::with_capacity(pieces.len() + 4);
    let mut at = 0;
    while at < pieces.len() {
        let piece = &pieces[at];
        let found = table.get(&piece.lower).into_iter().flatten().find(|phrase| fits(phrase, &pieces[at..]));
        // A capitalised word inside a sentence is a noun or a name, not a function word, except
        // for the days, months and nouns that the table lists.
        let noun = piece.capital && !piece.opens && language != Language::German;
        match found.filter(|phrase| !noun || phrase.words.len() > 1 || is_calendar(phrase.english[0])) {
            Some(phrase) => {
                let last = &pieces[at + phrase.words.len() - 1];
                for (number, word) in phrase.english.iter().enumerate() {
                    let end = number + 1 == phrase.english.len();
                    english.push(ScannedWord {
                        lower: (*word).to_owned(),
                        capital: is_month(&phrase.words[0]),
                        opens: piece.opens && number == 0,
                        after: if end { last.after } else { Default::default() },
                        ..piece.clone()
                    });
                }
                at += phrase.words.len();
            }
            None => {
                if INSERTED.contains(&piece.lower.as_str()) {
                    english.push(piece.clone());
                    at += 1;
                    continue;
                }
                let stopped = language.is_stop_word(&piece.lower);
                english.push(ScannedWord { native: Some(language), stopped, ..piece.clone() });
                at += 1;
            }
        }
    }
    settle(&mut english, language);
    english
}

fn fits(phrase: &TranslatedPhrase, pieces: &[ScannedWord]) -> bool {
    phrase.words.len() <= pieces.len() && phrase.words.iter().zip(pieces).all(|(word, piece)| *word == piece.lower)
}

/// Returns true for the months that are written like an English verb once translated.
fn is_month(word: &str) -> bool {
    matches!(word, "mai" | "mei" | "maggio" | "mayo" | "maio" | "marz" | "mars" | "marzo" | "maart" | "marco")
}

fn is_calendar(english: &str) -> bool {
    english.ends_with("day")
        || matches!(english, "january" | "february" | "march" | "april" | "may" | "june")
        || matches!(english, "july" | "august" | "september" | "october" | "november" | "december" | "mr" | "mrs")
}

/// Settles what depends on other words of the sentence: the second half of a negation, and the
/// prepositions of a move.
fn settle(pieces: &mut Vec<ScannedWord>, language: Language) {
    let more: &[&str] = match language {
        Language::German => &["more"],
        Language::Dutch => &["more"],
        Language::French => &["plus"],
        Language::Spanish => &["mas"],
        Language::Italian => &["piu"],
        Language::Portuguese => &["mais"],
        Language::English => return,
    };
    let mut negated = false;
    let mut changed = false;
    for at in 0..pieces.len() {
        let word = pieces[at].lower.as_str();
        let next = pieces.get(at + 1).map_or("", |piece| piece.lower.as_str());
        let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
        negated |= matches!(word, "not" | "no" | "ne" | "nobody" | "nothing");
        let replacement = match word {
            word if negated && more.contains(&word) => {
                Some(if language == Language::French { "nolonger" } else { "anymore" })
            }
            // French "ne ... que" means only.
            "that" if negated && language == Language::French => Some("only"),
            "of" if changed => Some("from"),
            "at" if changed && language != Language::German && language != Language::Dutch => Some("to"),
            "of" if before == "changed" || before == "switched" => Some("from"),
            "clock" if next.starts_with(|c: char| c.is_ascii_digit()) => Some("hour"),
            _ => None,
        };
        changed |= matches!(word, "moved" | "switched" | "migrated" | "changed" | "raised" | "reduced" | "postponed");
        if let Some(word) = replacement {
            pieces[at].lower = word.to_owned();
            pieces[at].native = None;
            pieces[at].stopped = false;
        }
        if pieces[at].after >= crate::pairs::scan::Break::Stop {
            negated = false;
            changed = false;
        }
    }
    read_clock(pieces);
    pieces.retain(|piece| piece.lower != "ne");
}

/// Joins the hours of a clock: "19 Uhr", "18 h 05", "19 Uhr 30".
fn read_clock(pieces: &mut Vec<ScannedWord>) {
    let mut at = 1;
    while at < pieces.len() {
        let hour = pieces[at - 1].lower.parse::<u8>().ok().filter(|hour| *hour < 25);
        if let (Some(hour), "clock" | "hour") = (hour, pieces[at].lower.as_str()) {
            let clock =
                pieces[at].lower == "clock" || pieces.get(at + 1).is_some_and(|next| next.lower.parse::<u8>().is_ok());
            if clock {
                let minutes =
                    pieces.get(at + 1).and_then(|next| next.lower.parse::<u8>().ok()).filter(|minutes| *minutes < 60);
                let end = if minutes.is_some() { at + 1 } else { at };
                pieces[at - 1].lower = format!("{hour}:{:02}", minutes.unwrap_or(0));
                pieces[at - 1].after = pieces[end].after;
                pieces.drain(at..=end);
            }
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::scan::scan_in;

    fn words(text: &str, language: Language) -> Vec<String> {
        scan_in(text, Some(language)).pieces.into_iter().map(|piece| piece.lower).collect()
    }

    #[test]
    fn words_of_change_and_negation_are_read_alike() {
        for (language, text) in [
            (Language::German, "Oma nimmt nicht mehr Ramipril"),
            (Language::French, "Oma ne prend plus Ramipril"),
            (Language::Spanish, "Oma ya no toma Ramipril"),
            (Language::Portuguese, "Oma já não toma Ramipril"),
            (Language::Dutch, "Oma neemt niet meer Ramipril"),
        ] {
            let words = words(text, language);
            assert!(words.contains(&"nolonger".to_owned()) && words.contains(&"takes".to_owned()), "{words:?}");
        }
        assert_eq!(
            words("Oma nimmt kein Ramipril mehr", Language::German),
            ["oma", "takes", "no", "ramipril", "anymore"]
        );
        assert_eq!(words("Non fuma più", Language::Italian), ["not", "smokes", "anymore"]);
    }

    #[test]
    fn elided_words_and_accents_are_settled() {
        assert_eq!(words("L'école est à Lyon", Language::French), ["the", "ecole", "is", "at", "lyon"]);
        assert_eq!(words("Il negozio è aperto", Language::Italian), ["the", "negozio", "is", "open"]);
    }

    #[test]
    fn clock_times_are_joined() {
        assert_eq!(words("um 19 Uhr 30", Language::German), ["at", "19:30"]);
        assert_eq!(words("à 18 h 05", Language::French), ["at", "18:05"]);
        assert_eq!(words("à 18h05", Language::French), ["at", "18:05"]);
    }

    #[test]
    fn moves_have_an_origin_and_a_goal() {
        assert_eq!(
            words("Hemos cambiado de Jira a GitLab", Language::Spanish),
            ["we", "have", "switched", "from", "jira", "to", "gitlab"]
        );
    }
}
