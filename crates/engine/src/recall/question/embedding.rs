//! The vector of a question, from a model that may be slow or down.
//!
//! The model is called before any lock is taken and before the store is read, so no other request waits for it. Its work is
//! cached. What is left for later is the weight of each word, which depends on the memory. If the model fails, the question
//! is answered by words and edges, and the answer says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem_models::{Embedder, ModelError, QueryEmbedding, RelevanceCurve};
use elfmem_store::{Snapshot, Store};

use crate::calibration::CalibratedCurve;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::{EmbedderChoice, locked_model, serving_embedder};
use crate::recall::question::parsed::ParsedQuestion;
use crate::trace;
use crate::{Error, Result};

/// Questions that are cached at most.
const MAX_CACHED: usize = 256;
/// Longer questions are not cached, in bytes.
const MAX_CACHED_TEXT: usize = 4096;
/// Memory of all cached questions at most, in bytes. A question of the encoder takes 20 kB.
const MAX_CACHED_BYTES: usize = 8 << 20;

/// The part of a question that is embedded, in bytes. A longer one is a text, whose beginning shows its topic.
const MAX_EMBEDDED_TEXT: usize = 2048;

/// Why a question has no vector when the memory was filled by another model.
const OTHER_MODEL: &str = "the vectors come from another model. Run migrate_embeddings().";

/// A unit vector; none for a text without anything to embed.
type QuestionVector = Option<Arc<[f32]>>;

/// Where the vectors of one question come from.
pub(crate) enum QuestionEmbedding {
    /// A model that was called before the store was read.
    Ready {
        model: String,
        dimensions: usize,
        /// By text: the question, and the event that it names a time by.
        queries: HashMap<String, Arc<PreparedQuestion>>,
        curve: RelevanceCurve,
    },
    /// No vector is needed.
    NotNeeded,
    /// There is no vector, for the given reason.
    Unavailable(String),
}

impl QuestionEmbedding {
    /// Returns the vector of a text, or the reason why there is none.
    pub(crate) fn vector_of(
        &self,
        text: &str,
        index: &MemoryIndex,
        weigh: &dyn Fn(&str) -> f64,
    ) -> std::result::Result<QuestionVector, String> {
        match self {
            Self::Ready { model, dimensions, .. } if !index.accepts_model(model, *dimensions) => {
                Err(OTHER_MODEL.to_owned())
            }
            Self::Ready { queries, .. } => {
                let Some(query) = queries.get(text) else { return Ok(None) };
                let vector = query.embedding.vector(weigh).map_err(|error| error.to_string())?;
                Ok(vector.map(Arc::from))
            }
            Self::NotNeeded => Ok(None),
            Self::Unavailable(reason) => Err(reason.clone()),
        }
    }
}

impl QuestionEmbedding {
    /// Returns a prepared question that was embedded, and the curve of its model.
    pub(crate) fn prepared(&self, text: &str) -> Option<(&PreparedQuestion, RelevanceCurve)> {
        match self {
            Self::Ready { queries, curve, .. } => Some((queries.get(text)?, *curve)),
            Self::NotNeeded | Self::Unavailable(_) => None,
        }
    }

    /// Returns the name of the model's curve, with the calibration that the memory has for it.
    pub(crate) fn calibrated_curve(&self, snapshot: &dyn Snapshot) -> Result<Option<CalibratedCurve>> {
        match self {
            Self::Ready { model, curve, .. } => CalibratedCurve::read(snapshot, model, curve).map(Some),
            Self::NotNeeded | Self::Unavailable(_) => Ok(None),
        }
    }
}

/// A question that a model has read.
#[derive(Debug)]
pub(crate) struct PreparedQuestion {
    embedding: Box<dyn QueryEmbedding>,
    /// Its vector with all words weighing the same.
    pub(crate) plain: QuestionVector,
    /// How near it is to texts that have nothing to do with any memory.
    pub(crate) background: Option<f64>,
}

impl PreparedQuestion {
    fn new(embedder: &dyn Embedder, text: &str) -> std::result::Result<Self, ModelError> {
        let end = text.floor_char_boundary(MAX_EMBEDDED_TEXT);
        let embedding = embedder.prepare_query(&text[..end])?;
        let plain = embedding.vector(&|_| 1.0)?;
        let background = plain.as_deref().and_then(|vector| embedder.background(vector));
        Ok(Self { embedding, plain: plain.map(Arc::from), background })
    }

    fn bytes(&self) -> usize {
        self.embedding.bytes()
    }
}

impl<S: Store> Memory<S> {
    /// Calls the memory's model for a question. No lock is held meanwhile.
    pub(in crate::recall) fn embed_question(&self, question: Option<&ParsedQuestion>) -> Result<QuestionEmbedding> {
        let Some(question) = question.filter(|question| !question.is_empty()) else {
            return Ok(QuestionEmbedding::NotNeeded);
        };
        let texts: Vec<&str> = std::iter::once(question.text()).chain(question.event()).collect();
        self.embed_questions(&texts)
    }

    /// Returns the model that filled the memory; none if that is the chosen one.
    fn other_model(&self) -> Result<Option<String>> {
        let choice = &self.options.models.embedder;
        // A built-in model that the index has vectors of is in use: there is nothing to read.
        let is_built_in = matches!(choice, EmbedderChoice::BuiltIn(_));
        if is_built_in && self.published_model().is_some_and(|model| model.name == choice.name()) {
            return Ok(None);
        }
        Ok(self.read(locked_model)?.filter(|locked| locked != choice.name()))
    }

    /// Calls the memory's model for several questions.
    pub(crate) fn embed_questions(&self, texts: &[&str]) -> Result<QuestionEmbedding> {
        // A model that cannot be compared with the stored vectors is not called.
        let other = self.other_model()?;
        let embedder = match serving_embedder(&self.options.models.embedder, other.as_deref()) {
            Ok(embedder) => embedder,
            Err(Error::OtherModel { .. }) => {
                trace::question_not_embedded("other_model");
                return Ok(QuestionEmbedding::Unavailable(OTHER_MODEL.to_owned()));
            }
            Err(error) => {
                trace::question_not_embedded(error.kind().as_str());
                return Ok(QuestionEmbedding::Unavailable(error.to_string()));
            }
        };
        let mut queries = HashMap::new();
        for text in texts {
            match self.prepared_questions.get_or_prepare(&*embedder, text) {
                Ok(query) => queries.insert((*text).to_owned(), query),
                Err(error) => {
                    trace::question_not_embedded(error.code());
                    return Ok(QuestionEmbedding::Unavailable(error.to_string()));
                }
            };
        }
        let (model, dimensions) = (embedder.name().to_owned(), embedder.dimensions());
        Ok(QuestionEmbedding::Ready { model, dimensions, queries, curve: embedder.relevance_curve() })
    }
}

/// The last questions, prepared, by model and text. The least recently used one is replaced.
#[derive(Debug, Default)]
pub(crate) struct PreparedQuestions(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    queries: HashMap<(String, String), (u64, Arc<PreparedQuestion>)>,
    bytes: usize,
    /// Counts uses: the time of the cache.
    uses: u64,
}

impl PreparedQuestions {
    /// Returns a prepared question; calls the model, without a lock, if it is not cached.
    fn get_or_prepare(
        &self,
        embedder: &dyn Embedder,
        text: &str,
    ) -> std::result::Result<Arc<PreparedQuestion>, ModelError> {
        let key = (embedder.name().to_owned(), text.to_owned());
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key);
        if let Some(query) = cached {
            return Ok(query);
        }
        let query = Arc::new(PreparedQuestion::new(embedder, text)?);
        if text.len() <= MAX_CACHED_TEXT {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, Arc::clone(&query));
        }
        Ok(query)
    }
}

impl Cached {
    fn get(&mut self, key: &(String, String)) -> Option<Arc<PreparedQuestion>> {
        self.uses += 1;
        let (used, query) = self.queries.get_mut(key)?;
        *used = self.uses;
        Some(Arc::clone(query))
    }

    fn put(&mut self, key: (String, String), query: Arc<PreparedQuestion>) {
        self.remove(&key);
        while self.queries.len() >= MAX_CACHED || self.bytes + query.bytes() > MAX_CACHED_BYTES {
            let oldest = self.queries.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| key.clone());
            // A question that is larger than the cache is not kept.
            let Some(oldest) = oldest else { return };
            self.remove(&oldest);
        }
        self.uses += 1;
        self.bytes += query.bytes();
        self.queries.insert(key, (self.uses, query));
    }

    fn remove(&mut self, key: &(String, String)) {
        if let Some((_, query)) = self.queries.remove(key) {
            self.bytes -= query.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_models::scripted::ScriptedEmbedder;

    fn vector(cache: &PreparedQuestions, embedder: &dyn Embedder, text: &str) -> Option<Vec<f32>> {
        cache.get_or_prepare(embedder, text).unwrap().plain.as_deref().map(<[f32]>::to_vec)
    }

    #[test]
    fn a_question_is_embedded_once_while_it_is_among_the_last() {
        let (cache, embedder) = (PreparedQuestions::default(), ScriptedEmbedder::new(4));
        let calls = || embedder.usage().embedding_calls;
        let first = vector(&cache, &embedder, "tea");
        assert!(first.is_some() && vector(&cache, &embedder, "tea") == first);
        assert_eq!(vector(&cache, &embedder, "  "), None);
        assert_eq!(vector(&cache, &embedder, "  "), None);
        assert_eq!(calls(), 2);
        for number in 0..MAX_CACHED - 1 {
            cache.get_or_prepare(&embedder, &number.to_string()).unwrap();
            cache.get_or_prepare(&embedder, "tea").unwrap();
        }
        assert_eq!(calls(), 2 + MAX_CACHED as u64 - 1, "what is used stays");
        cache.get_or_prepare(&embedder, "  ").unwrap();
        assert_eq!(calls(), 2 + MAX_CACHED as u64, "the least recently used was replaced");
        assert_eq!(cache.0.lock().unwrap().queries.len(), MAX_CACHED);
    }

    #[test]
    fn another_model_has_vectors_of_its_own_and_failures_are_not_cached() {
        let cache = PreparedQuestions::default();
        let (one, other) = (ScriptedEmbedder::new(4), ScriptedEmbedder::new(8));
        assert_eq!(vector(&cache, &one, "tea").unwrap().len(), 4);
        assert_eq!(vector(&cache, &other, "tea").unwrap().len(), 8);
        let failing = ScriptedEmbedder::new(16).failing_every(2);
        assert!(cache.get_or_prepare(&failing, "one").is_ok());
        assert!(cache.get_or_prepare(&failing, "two").is_err());
        assert!(cache.get_or_prepare(&failing, "two").is_ok());
    }

    #[test]
    fn the_cache_is_bounded_in_bytes() {
        let (cache, embedder) = (PreparedQuestions::default(), ScriptedEmbedder::new(1 << 19));
        for number in 0..6 {
            vector(&cache, &embedder, &number.to_string());
        }
        let cached = cache.0.lock().unwrap();
        assert_eq!((cached.queries.len(), cached.bytes), (4, MAX_CACHED_BYTES));
        drop(cached);
        vector(&cache, &ScriptedEmbedder::new(1 << 22), "larger than the cache");
        assert_eq!(cache.0.lock().unwrap().bytes, 0);
    }

    #[test]
    fn a_long_text_is_not_cached() {
        let (cache, embedder) = (PreparedQuestions::default(), ScriptedEmbedder::new(4));
        let long = "tea ".repeat(MAX_CACHED_TEXT);
        cache.get_or_prepare(&embedder, &long).unwrap();
        cache.get_or_prepare(&embedder, &long).unwrap();
        assert_eq!(embedder.usage().embedding_calls, 2);
    }
}
