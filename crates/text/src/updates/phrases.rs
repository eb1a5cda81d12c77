//! Lists of phrases, compiled once, and the search for one of them in a text.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words;
use crate::language::Language;
use crate::terms::folded;

/// Words between the two ends of a phrase with a gap at most.
const MAX_GAP: usize = 4;

/// One word of a phrase.
#[derive(Debug)]
enum PhraseWord {
    /// This word.
    Exactly(&'static str),
    /// A word that begins so.
    Begins(&'static str),
    /// A word that ends so.
    Ends(&'static str),
    /// A word that holds this.
    Holds(&'static str),
    /// One to four words.
    Gap,
}

impl PhraseWord {
    fn compile(word: &'static str) -> Self {
        let part = word.trim_matches('*');
        match (word.starts_with('*'), word.ends_with('*')) {
            _ if word == "…" => Self::Gap,
            (false, true) => Self::Begins(part),
            (true, false) => Self::Ends(part),
            (true, true) => Self::Holds(part),
            (false, false) => Self::Exactly(word),
        }
    }

    fn is(&self, word: &str) -> bool {
        match self {
            Self::Exactly(known) => word == *known,
            Self::Begins(beginning) => word.starts_with(beginning),
            Self::Ends(ending) => word.ends_with(ending),
            Self::Holds(part) => word.contains(part),
            Self::Gap => false,
        }
    }
}

/// Where phrases are kept whose first word may begin with any letter.
const ANY: char = '*';

/// Phrases by the first letter of their first word.
#[derive(Debug)]
pub(crate) struct Phrases(HashMap<char, Vec<Vec<PhraseWord>>>);

/// The compiled lists of one kind, by language.
pub(crate) type PhraseTable = OnceLock<Vec<(Language, Phrases)>>;

impl Phrases {
    /// Returns the phrases that announce a change.
    pub(super) fn change(language: Language) -> &'static Self {
        static TABLE: PhraseTable = OnceLock::new();
        Self::of_table(&TABLE, language, words::change)
    }

    /// Returns the phrases that ask for what was so before.
    pub(super) fn former(language: Language) -> &'static Self {
        static TABLE: PhraseTable = OnceLock::new();
        Self::of_table(&TABLE, language, words::former)
    }

    /// Returns the phrases that ask about what happened.
    pub(super) fn past(language: Language) -> &'static Self {
        static TABLE: PhraseTable = OnceLock::new();
        Self::of_table(&TABLE, language, words::past)
    }

    /// Returns the phrases of a language from a table, which is compiled at the first use.
    pub(crate) fn of_table(
        table: &'static PhraseTable,
        language: Language,
        list: fn(Language) -> &'static [&'static str],
    ) -> &'static Self {
        let compiled = table
            .get_or_init(|| Language::ALL.iter().map(|language| (*language, Self::compile(list(*language)))).collect());
        &compiled[language as usize].1
    }

    /// Compiles a list of phrases.
    pub(crate) fn compile(phrases: &[&'static str]) -> Self {
        let mut by_letter: HashMap<char, Vec<Vec<PhraseWord>>> = HashMap::new();
        for phrase in phrases {
            let words = phrase.split(' ').map(PhraseWord::compile).collect();
            by_letter.entry(phrase.chars().next().unwrap_or_default()).or_default().push(words);
        }
        Self(by_letter)
    }

    /// Returns whether one of the phrases occurs among the words of a text.
    pub(crate) fn occur_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|at| {
            let begins_with = words[at].chars().next().unwrap_or_default();
            let phrases = [begins_with, ANY].into_iter().filter_map(|letter| self.0.get(&letter)).flatten();
            phrases.into_iter().any(|phrase| occurs(phrase, &words[at..]))
        })
    }
}

/// Returns whether a phrase stands at the beginning of some words.
fn occurs(phrase: &[PhraseWord], words: &[String]) -> bool {
    match phrase {
        [] => true,
        [PhraseWord::Gap, rest @ ..] => (1..=MAX_GAP).any(|gap| words.len() > gap && occurs(rest, &words[gap..])),
        [first, rest @ ..] => words.first().is_some_and(|word| first.is(word)) && occurs(rest, &words[1..]),
    }
}

/// Returns the words of a text in lower case, without accents.
pub(crate) fn fold_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_language_is_its_own() {
        for language in Language::ALL {
            let first = words::change(language)[0];
            assert!(Phrases::change(language).occur_in(&[first.to_owned()]), "{language:?} {first}");
        }
    }

    #[test]
    fn phrases_are_written_as_words_are_compared() {
        for language in Language::ALL {
            for phrase in words::change(language).iter().chain(words::former(language)).chain(words::past(language)) {
                let plain = phrase.replace(['*', '…'], "");
                assert_eq!(fold_words(&plain).join(" "), plain.replace("  ", " "), "{language:?} {phrase}");
            }
        }
    }
}
