//! A question, made ready to be asked: its words, its meaning, the people and the time it names.

use std::collections::{HashMap, HashSet};

use elfmem_core::Timestamp;
use elfmem_index::{WordIndex, WordQuery};
use elfmem_models::{Embedder, StaticEmbedder};
use elfmem_text::temporal::{TimeQuery, parse_time_query};
use elfmem_text::terms::{query_terms, terms};

use crate::Result;
use crate::memory_index::MemoryIndex;

/// Different words of a question that are searched for; a longer question is a text, and its first words tell its topic.
const MOST_WORDS: usize = 128;
/// What a word too common to search for weighs in the meaning of a question, beside the square root of a rarity.
const STOP_WORD_WEIGHT: f64 = 0.8;

/// Why nobody can be asked for the meaning of a question.
const OTHER_MODEL: &str = "the vectors come from another model. Run migrate-embeddings.";

/// What is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Question {
    pub(crate) words: WordQuery,
    /// Its meaning in the memory's model; none when it has none or the model could not be asked.
    pub(crate) meaning: Option<Vec<f32>>,
    /// Its meaning in the built-in table, which cues are compared with; none when there are no cues.
    pub(crate) cue_meaning: Option<Vec<f32>>,
    /// The people it may name: its capitalised words, as terms.
    pub(crate) names: Vec<String>,
    pub(crate) time: Option<TimeQuery>,
    /// What went wrong with the model, if something did: the answer then goes by words alone.
    pub(crate) trouble: Option<String>,
}

impl Question {
    /// The words, people and time of a question asked at `now`.
    pub(crate) fn read(text: &str, now: Timestamp) -> Self {
        Self { words: words(text), names: names(text), time: parse_time_query(text, now), ..Self::default() }
    }

    /// Adds its meaning, unless there is nobody to ask: the memory was filled by another model. The words must be loaded by now: how rare they are decides what they weigh.
    pub(crate) fn embed(&mut self, text: &str, index: &MemoryIndex, embedder: Option<&dyn Embedder>) -> Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        let weights = Weights::new(&self.words, &index.words);
        match embedder.map(|embedder| embedder.embed_query(text, &|word| weights.of(word))) {
            Some(Ok(meaning)) => self.meaning = meaning,
            Some(Err(error)) => self.trouble = Some(error.to_string()),
            None => self.trouble = Some(OTHER_MODEL.to_owned()),
        }
        if !index.cues.is_empty() {
            self.cue_meaning = StaticEmbedder::shared()?.embed_query(text, &|word| weights.of(word))?;
        }
        Ok(())
    }

    /// Whether there is nothing to search by: a question without a word means nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The words worth searching for. What a question repeats counts as often as it occurs.
fn words(text: &str) -> WordQuery {
    let mut chosen = query_terms(text);
    chosen.truncate(MOST_WORDS);
    let chosen: HashSet<String> = chosen.into_iter().collect();
    let mut query = WordQuery::default();
    for term in terms(text).into_iter().filter(|term| chosen.contains(&term.text)) {
        query.add(&term.text, 1.0);
    }
    query
}

/// Words that begin with a capital letter, as they are searched: people and things with names.
fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().next().is_some_and(char::is_uppercase))
        .flat_map(terms)
        .filter(|term| !term.stop)
        .map(|term| term.text)
        .take(MOST_WORDS)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// How much each word of a question says in this memory: the square root of its rarity.
struct Weights {
    by_word: HashMap<String, f64>,
    unknown: f64,
}

impl Weights {
    fn new(query: &WordQuery, words: &WordIndex) -> Self {
        let by_word = query.words().iter().map(|(word, _)| (word.clone(), words.rarity(word).sqrt())).collect();
        Self { by_word, unknown: 1.0 }
    }

    /// A word as the model sees it, which may not be quite as the index does.
    fn of(&self, word: &str) -> f64 {
        let Some(term) = terms(word).into_iter().next() else { return 0.0 };
        match self.by_word.get(&term.text) {
            Some(weight) => *weight,
            None if term.stop => STOP_WORD_WEIGHT,
            None => self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_repeated_counts_as_often_as_it_occurs() {
        let query = words("the deploy after the deploys, when deployed on Tuesday");
        assert_eq!(query.words(), [("deploy".to_owned(), 3.0), ("tuesday".to_owned(), 1.0)]);
        assert_eq!(words("who are you").words().len(), 3, "a question of common words is searched as it is");
    }

    #[test]
    fn a_long_text_is_asked_by_its_first_words() {
        let long: String = (0..5_000).map(|n| format!("word{n} ")).collect();
        assert_eq!(words(&long).words().len(), MOST_WORDS);
    }

    #[test]
    fn names_are_capitalised_words() {
        assert_eq!(names("What did Caroline tell Dr. Müller?"), ["carolin", "dr", "muller"].map(str::to_owned));
        assert!(names("who is it").is_empty());
    }
}
