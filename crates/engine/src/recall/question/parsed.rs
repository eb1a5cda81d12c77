//! A question: its words, its vector, and the people and the time it names.

use std::collections::HashMap;
use std::sync::Arc;

use elfmem_core::Timestamp;
use elfmem_index::{PreparedQuery, WordQuery};
use elfmem_models::{BuiltinModel, RelevanceCurve};
use elfmem_store::Snapshot;
use elfmem_text::language::{Language, unmarked};
use elfmem_text::lists::asks_for_list;
use elfmem_text::statements::Statement;
use elfmem_text::temporal::{ConstraintStrength, TimeQuery, parse_time_query};
use elfmem_text::terms::{QueryWord, query_words, terms_in};

use crate::Result;
use crate::calibration::CalibratedCurve;
use crate::memory_index::MemoryIndex;
use crate::recall::question::embedding::QuestionEmbedding;
use crate::recall::question::spelling;

/// Different words of a question that are searched for. A longer question is a text, and its first words show its topic.
const MAX_WORDS: usize = 128;
/// Bytes of a text that is read as a question about somebody. A longer one is a text, and names many.
pub(in crate::recall) const MAX_QUESTION: usize = 500;
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
    subject: Vec<String>,
    time: Option<TimeQuery>,
    asks_for_list: bool,
}

impl ParsedQuestion {
    /// Parses a question asked at `now`.
    pub(crate) fn parse(text: &str, now: Timestamp) -> Self {
        let time = parse_time_query(text, now);
        let asks_for_list = asks_for_list(text);
        let (words, names, subject) = (question_words(text), names(text), subject(text));
        Self { text: text.to_owned(), words, names, subject, time, asks_for_list }
    }

    /// Returns whether the question asks for everything of a sort.
    pub(crate) fn asks_for_list(&self) -> bool {
        self.asks_for_list
    }

    /// Drops the time that the question names.
    pub(crate) fn without_time(self) -> Self {
        Self { time: None, ..self }
    }

    /// Returns the time that the question states or hints at.
    pub(crate) fn time(&self) -> Option<&TimeQuery> {
        self.time.as_ref()
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
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) words: PreparedQuery,
    /// Its vector in the memory's model; none when it has none or the model could not be called.
    pub(crate) vector: Option<Arc<[f32]>>,
    /// Its vector with all words weighing the same, by which its relevance is measured.
    pub(crate) plain_vector: Option<Arc<[f32]>>,
    /// How near it is to texts that have nothing to do with any memory.
    pub(crate) background: Option<f64>,
    /// How its cosines become a probability.
    pub(crate) curve: RelevanceCurve,
    /// What use taught about that curve; none when words alone answer.
    pub(crate) calibrated: Option<CalibratedCurve>,
    /// Its vector in the static table, which cues are compared with; none when there are no cues.
    pub(crate) cue_vector: Option<Vec<f32>>,
    /// The people it may name: its capitalised words, as terms.
    pub(crate) names: Vec<String>,
    /// The people and things with names that it asks about, as words.
    pub(crate) subject: Vec<String>,
    /// The people and things it names: capitalised words after the first, and words with digits.
    pub(crate) named: Vec<NamedWord>,
    pub(crate) time: Option<TimeQuery>,
    /// Why it has no vector, if it should have one. It is then answered by words and edges alone.
    pub(crate) embedding_problem: Option<String>,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            words: PreparedQuery::default(),
            vector: None,
            plain_vector: None,
            background: None,
            curve: RelevanceCurve::WORDS,
            calibrated: None,
            cue_vector: None,
            names: Vec::new(),
            subject: Vec::new(),
            named: Vec::new(),
            time: None,
            embedding_problem: None,
        }
    }
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
            subject: parsed.subject.clone(),
            time: parsed.time.clone(),
            ..Self::default()
        };
        question.named = named(&parsed.text, &question.words);
        if question.is_empty() {
            return Ok(question);
        }
        let mut weights = WordWeights::new(&question.words);
        if let Some(time) = &question.time {
            weights.drop_words(&time.matched);
        }
        match embedding.vector_of(&parsed.text, index, &|word| weights.of(word)) {
            Ok(vector) => {
                if let Some((prepared, curve)) = embedding.prepared(&parsed.text).filter(|_| vector.is_some()) {
                    question.plain_vector = prepared.plain.clone();
                    (question.background, question.curve) = (prepared.background, curve);
                    question.calibrated = embedding.calibrated_curve(snapshot)?;
                }
                question.vector = vector;
            }
            Err(problem) => question.embedding_problem = Some(problem),
        }
        if !index.cues.is_empty() {
            // A build without the static table has no vectors of cues: their words are searched like other words.
            if let Ok(embedder) = BuiltinModel::Static.load() {
                question.cue_vector = embedder.embed_query(&parsed.text, &|_| 1.0)?;
            }
        }
        Ok(question)
    }

    /// Returns whether there is nothing to search by.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns whether it states a time, instead of hinting at one.
    pub(in crate::recall) fn states_time(&self) -> bool {
        self.time.as_ref().is_some_and(|time| time.strength == ConstraintStrength::Hard)
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

/// Returns the names that a question asks about, as words; none for a text that is too long to be a question.
fn subject(text: &str) -> Vec<String> {
    if text.len() > MAX_QUESTION {
        return Vec::new();
    }
    let statement = Statement::parse(text);
    let names = statement.asked_names();
    names.into_iter().flat_map(query_words).map(|name| name.word).take(MAX_WORDS).collect()
}

/// A name or a number in a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NamedWord {
    /// Its stems in all languages.
    pub(crate) stems: Vec<String>,
    pub(crate) is_number: bool,
    /// How rare it is in the memory.
    pub(crate) rarity: f64,
}

/// Returns the names and numbers of a question. Its first word is capitalised whatever it is.
fn named(text: &str, words: &PreparedQuery) -> Vec<NamedWord> {
    let is_number = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let is_name = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let language = Language::detect(text).unwrap_or(Language::English);
    let written = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let named = written
        .enumerate()
        .filter(|(at, word)| is_number(word) || *at > 0 && is_name(word))
        .filter(|(_, word)| terms_in(word, language).iter().any(|term| !term.stop))
        .flat_map(|(_, word)| query_words(word));
    let rarity = |word: &str| words.rarities().find(|(known, _)| *known == word).map_or(1.0, |(_, rarity)| rarity);
    named
        .take(MAX_WORDS)
        .map(|QueryWord { word, terms }| NamedWord {
            stems: terms.iter().map(|term| unmarked(term).to_owned()).collect(),
            is_number: is_number(&word),
            rarity: rarity(&word),
        })
        .collect()
}

/// The weight of each word of a question in its vector: the square root of its rarity in the memory.
struct WordWeights(HashMap<String, f64>);

impl WordWeights {
    fn new(words: &PreparedQuery) -> Self {
        Self(words.rarities().map(|(word, rarity)| (word.to_owned(), rarity.sqrt())).collect())
    }

    /// Takes the weight from words that say when: the time of a block is compared by itself.
    fn drop_words(&mut self, text: &str) {
        self.0.extend(terms_in(text, Language::English).into_iter().map(|term| (term.text, 0.0)));
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
