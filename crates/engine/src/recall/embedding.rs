//! The vector of a question, from a model that may be slow or down.
//!
//! A hosted model is called before any lock is taken and before the store is read, so no other request waits for it. Its
//! vectors are cached. If it fails, the question is answered by words and edges, and the answer says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem_models::Embedder;
use elfmem_store::Store;

use super::question::ParsedQuestion;
use crate::Result;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::locked_model;
use crate::trace;

/// Vectors that are cached at most.
const MAX_CACHED: usize = 256;
/// Longer questions are not cached, in bytes.
const MAX_CACHED_TEXT: usize = 4096;

/// Why a question has no vector when the memory was filled by another model.
const OTHER_MODEL: &str = "the vectors come from another model. Run migrate-embeddings.";

/// A unit vector; none for a text without anything to embed.
type QuestionVector = Option<Arc<[f32]>>;

/// Where the vectors of one question come from.
pub(crate) enum QuestionEmbedding {
    /// A local model that weighs each word by its rarity in the memory. It is called when the index is known.
    Weighted(Arc<dyn Embedder>),
    /// A model that was called before the store was read.
    Ready {
        model: String,
        dimensions: usize,
        /// By text: the question, and the event that it names a time by.
        vectors: HashMap<String, QuestionVector>,
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
            Self::Weighted(embedder) if !index.accepts_model(embedder.name(), embedder.dimensions()) => {
                Err(OTHER_MODEL.to_owned())
            }
            Self::Weighted(embedder) => {
                let vector = embedder.embed_query(text, weigh).map_err(|error| error.to_string())?;
                Ok(vector.map(Arc::from))
            }
            Self::Ready { model, dimensions, .. } if !index.accepts_model(model, *dimensions) => {
                Err(OTHER_MODEL.to_owned())
            }
            Self::Ready { vectors, .. } => Ok(vectors.get(text).cloned().flatten()),
            Self::NotNeeded => Ok(None),
            Self::Unavailable(reason) => Err(reason.clone()),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Embeds a question with the memory's model, unless that needs the index. No lock is held meanwhile.
    pub(super) fn embed_question(&self, question: Option<&ParsedQuestion>) -> Result<QuestionEmbedding> {
        let Some(question) = question.filter(|question| !question.is_empty()) else {
            return Ok(QuestionEmbedding::NotNeeded);
        };
        let texts: Vec<&str> = std::iter::once(question.text()).chain(question.event()).collect();
        self.embed_questions(&texts)
    }

    /// Embeds several questions, unless that needs the index.
    pub(crate) fn embed_questions(&self, texts: &[&str]) -> Result<QuestionEmbedding> {
        let choice = &self.options.models.embedder;
        if let Some(embedder) = choice.loaded().filter(|embedder| embedder.weighs_words()) {
            return Ok(QuestionEmbedding::Weighted(embedder));
        }
        // A model that cannot be compared with the stored vectors need not be called.
        let locked = self.read(locked_model)?;
        if locked.is_some_and(|locked| locked != choice.name()) {
            trace::question_not_embedded("other_model");
            return Ok(QuestionEmbedding::Unavailable(OTHER_MODEL.to_owned()));
        }
        let embedder = match choice.load() {
            Ok(embedder) => embedder,
            Err(error) => {
                trace::question_not_embedded(error.kind().as_str());
                return Ok(QuestionEmbedding::Unavailable(error.to_string()));
            }
        };
        if embedder.weighs_words() {
            return Ok(QuestionEmbedding::Weighted(embedder));
        }
        let mut vectors = HashMap::new();
        for text in texts {
            match self.question_vectors.get_or_embed(&*embedder, text) {
                Ok(vector) => vectors.insert((*text).to_owned(), vector),
                Err(error) => {
                    trace::question_not_embedded(error.code());
                    return Ok(QuestionEmbedding::Unavailable(error.to_string()));
                }
            };
        }
        let (model, dimensions) = (embedder.name().to_owned(), embedder.dimensions());
        Ok(QuestionEmbedding::Ready { model, dimensions, vectors })
    }
}

/// The vectors of the last questions, by model and text. The least recently used one is replaced.
#[derive(Debug, Default)]
pub(crate) struct QuestionVectors(Mutex<CachedVectors>);

#[derive(Debug, Default)]
struct CachedVectors {
    vectors: HashMap<(String, String), (u64, QuestionVector)>,
    /// Counts uses: the time of the cache.
    uses: u64,
}

impl QuestionVectors {
    /// Returns the vector of a question; calls the model, without a lock, if it is not cached.
    fn get_or_embed(
        &self,
        embedder: &dyn Embedder,
        text: &str,
    ) -> std::result::Result<QuestionVector, elfmem_models::ModelError> {
        let key = (embedder.name().to_owned(), text.to_owned());
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key);
        if let Some(vector) = cached {
            return Ok(vector);
        }
        let vector: QuestionVector = embedder.embed_query(text, &|_| 1.0)?.map(Arc::from);
        if text.len() <= MAX_CACHED_TEXT {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, vector.clone());
        }
        Ok(vector)
    }
}

impl CachedVectors {
    fn get(&mut self, key: &(String, String)) -> Option<QuestionVector> {
        self.uses += 1;
        let (used, vector) = self.vectors.get_mut(key)?;
        *used = self.uses;
        Some(vector.clone())
    }

    fn put(&mut self, key: (String, String), vector: QuestionVector) {
        if self.vectors.len() >= MAX_CACHED && !self.vectors.contains_key(&key) {
            let oldest = self.vectors.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| key.clone());
            oldest.map(|key| self.vectors.remove(&key));
        }
        self.uses += 1;
        self.vectors.insert(key, (self.uses, vector));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_models::scripted::ScriptedEmbedder;

    #[test]
    fn a_question_is_embedded_once_while_it_is_among_the_last() {
        let (cache, embedder) = (QuestionVectors::default(), ScriptedEmbedder::new(4));
        let calls = || embedder.usage().embedding_calls;
        let first = cache.get_or_embed(&embedder, "tea").unwrap();
        assert_eq!(cache.get_or_embed(&embedder, "tea").unwrap(), first);
        assert_eq!(cache.get_or_embed(&embedder, "  ").unwrap(), None);
        assert_eq!(cache.get_or_embed(&embedder, "  ").unwrap(), None);
        assert_eq!(calls(), 2);
        for number in 0..MAX_CACHED - 1 {
            cache.get_or_embed(&embedder, &number.to_string()).unwrap();
            cache.get_or_embed(&embedder, "tea").unwrap();
        }
        assert_eq!(calls(), 2 + MAX_CACHED as u64 - 1, "what is used stays");
        cache.get_or_embed(&embedder, "  ").unwrap();
        assert_eq!(calls(), 2 + MAX_CACHED as u64, "the least recently used was replaced");
        assert_eq!(cache.0.lock().unwrap().vectors.len(), MAX_CACHED);
    }

    #[test]
    fn another_model_has_vectors_of_its_own_and_failures_are_not_cached() {
        let cache = QuestionVectors::default();
        let (one, other) = (ScriptedEmbedder::new(4), ScriptedEmbedder::new(8));
        assert_eq!(cache.get_or_embed(&one, "tea").unwrap().unwrap().len(), 4);
        assert_eq!(cache.get_or_embed(&other, "tea").unwrap().unwrap().len(), 8);
        let failing = ScriptedEmbedder::new(16).failing_every(2);
        assert!(cache.get_or_embed(&failing, "one").is_ok());
        assert!(cache.get_or_embed(&failing, "two").is_err());
        assert!(cache.get_or_embed(&failing, "two").is_ok());
    }

    #[test]
    fn a_long_text_is_not_cached() {
        let (cache, embedder) = (QuestionVectors::default(), ScriptedEmbedder::new(4));
        let long = "tea ".repeat(MAX_CACHED_TEXT);
        cache.get_or_embed(&embedder, &long).unwrap();
        cache.get_or_embed(&embedder, &long).unwrap();
        assert_eq!(embedder.usage().embedding_calls, 2);
    }
}
