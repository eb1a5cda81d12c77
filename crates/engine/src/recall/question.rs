//! A question: its words, its vector, and the people and the time it names.

use std::collections::HashMap;
use std::sync::Arc;

use elfmem_core::Timestamp;
use elfmem_index::{PreparedQuery, WordQuery};
use elfmem_models::BuiltinModel;
use elfmem_store::Snapshot;
use elfmem_text::language::Language;
use elfmem_text::temporal::{TimeQuery, parse_time_query};
use elfmem_text::terms::{QueryWord, query_words, terms_in};

use super::embedding::QuestionEmbedding;
use super::spelling;
use crate::Result;
use crate::memory_index::MemoryIndex;

/// Different words of a question that are searched for. A longer question is a text, and its first words show its topic.
const MAX_WORDS: usize = 128;
/// The weight of a stop word in the vector of a question, beside the square roots of rarities.
const STOP_WORD_WEIGHT: f64 = 0.8;
/// The weight of a word that the index does not have as a term.
const UNKNOWN_WORD_WEIGHT: f64 = 1.0;

/// What can be read from the text of a question alone.
#[derive(Debug, Clone)]
pub(crate) struct ParsedQuestion {
    text: String,
    words: WordQuery,
    names: Vec<String>,
    time: Option<TimeQuery>,
}

impl ParsedQuestion {
    /// Parses a question asked at `now`.
    pub(crate) fn parse(text: &str, now: Timestamp) -> Self {
        let time = parse_time_query(text, now);
        Self { text: text.to_owned(), words: question_words(text), names: names(text), time }
    }

    /// Drops the time that the question names.
    pub(crate) fn without_time(self) -> Self {
        Self { time: None, ..self }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the event that the question names a time by: `the release` in `before the release`.
    pub(crate) fn event(&self) -> Option<&str> {
        let time = self.time.as_ref().filter(|time| time.span.is_none() && !time.asks_when)?;
        Some(time.matched.split_once(char::is_whitespace)?.1)
    }

    /// Returns whether the question has no words to search for.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// A question with the posting lists of its words and its vectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Question {
    pub(crate) words: PreparedQuery,
    /// Its vector in the memory's model; none when it has none or the model could not be called.
    pub(crate) vector: Option<Arc<[f32]>>,
    /// Its vector in the static table, which cues are compared with; none when there are no cues.
    pub(crate) cue_vector: Option<Vec<f32>>,
    /// The people it may name: its capitalised words, as terms.
    pub(crate) names: Vec<String>,
    pub(crate) time: Option<TimeQuery>,
    /// Why it has no vector, if it should have one. It is then answered by words and edges alone.
    pub(crate) embedding_problem: Option<String>,
}

impl Question {
    /// Looks up the words of a question in an index, and gets its vectors.
    pub(crate) fn prepare(
        parsed: &ParsedQuestion,
        snapshot: &dyn Snapshot,
        index: &MemoryIndex,
        embedding: &QuestionEmbedding,
    ) -> Result<Self> {
        let mut question = Self {
            words: spelling::prepare(index, snapshot, &parsed.words)?,
            names: parsed.names.clone(),
            time: parsed.time.clone(),
            ..Self::default()
        };
        if question.is_empty() {
            return Ok(question);
        }
        let weights = WordWeights::new(&question.words);
        match embedding.vector_of(&parsed.text, index, &|word| weights.of(word)) {
            Ok(vector) => question.vector = vector,
            Err(problem) => question.embedding_problem = Some(problem),
        }
        if !index.cues.is_empty() {
            // A build without the static table has no vectors of cues: their words are searched like other words.
            if let Ok(embedder) = BuiltinModel::Static.load() {
                question.cue_vector = embedder.embed_query(&parsed.text, &|word| weights.of(word))?;
            }
        }
        Ok(question)
    }

    /// Returns whether there is nothing to search by.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Returns the words worth searching for. A repeated word weighs as often as it occurs.
pub(crate) fn question_words(text: &str) -> WordQuery {
    let mut query = WordQuery::default();
    for QueryWord { word, terms } in query_words(text) {
        let known = query.words().iter().any(|known| known.word == word);
        if known || query.words().len() < MAX_WORDS {
            query.add_word(&word, 1.0, terms);
        }
    }
    query
}

/// Returns the words that begin with a capital letter, as terms: people and things with names.
fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().next().is_some_and(char::is_uppercase))
        .flat_map(|word| terms_in(word, Language::English))
        .filter(|term| !term.stop)
        .map(|term| term.text)
        .take(MAX_WORDS)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The weight of each word of a question in its vector: the square root of its rarity in the memory.
struct WordWeights(HashMap<String, f64>);

impl WordWeights {
    fn new(words: &PreparedQuery) -> Self {
        Self(words.rarities().map(|(word, rarity)| (word.to_owned(), rarity.sqrt())).collect())
    }

    /// Returns the weight of a word as the model splits it, which may differ from the terms of the index.
    fn of(&self, word: &str) -> f64 {
        let Some(term) = terms_in(word, Language::English).into_iter().next() else { return 0.0 };
        match self.0.get(&term.text) {
            Some(weight) => *weight,
            None if term.stop => STOP_WORD_WEIGHT,
            None => UNKNOWN_WORD_WEIGHT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_repeated_counts_as_often_as_it_occurs() {
        let query = question_words("the deploy after the deploys, when deployed on Tuesday");
        let weights: Vec<(&str, f64)> = query.words().iter().map(|word| (word.word.as_str(), word.weight)).collect();
        assert_eq!(weights, [("deploy", 3.0), ("tuesday", 1.0)]);
        assert_eq!(question_words("who are you").words().len(), 3, "a question of common words is searched as it is");
    }

    #[test]
    fn a_long_text_is_asked_by_its_first_words() {
        let long: String = (0..5_000).map(|n| format!("word{n} ")).collect();
        assert_eq!(question_words(&long).words().len(), MAX_WORDS);
    }

    #[test]
    fn a_question_may_name_a_time_by_an_event() {
        let event = |text: &str| {
            let parsed = ParsedQuestion::parse(text, Timestamp::UNIX_EPOCH);
            parsed.event().map(str::to_owned)
        };
        assert_eq!(event("what broke before the release").as_deref(), Some("the release"));
        assert_eq!(event("what broke yesterday"), None);
        assert_eq!(event("what broke"), None);
    }

    #[test]
    fn names_are_capitalised_words() {
        assert_eq!(names("What did Caroline tell Dr. Müller?"), ["carolin", "dr", "muller"].map(str::to_owned));
        assert!(names("who is it").is_empty());
    }
}
