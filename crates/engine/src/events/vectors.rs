//! Vectors for events, made before anything is written: no transaction waits for a model.

use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_models::Embedder;
use elfmem_store::{Store, Transaction};

use super::request::CheckedEvent;
use super::result::StoreEventResult;
use crate::memory::Memory;
use crate::models::{DIMENSIONS_LOCK, MODEL_LOCK, is_own_model, refuse_other_model};
use crate::{Error, Result};

/// What the embedder made of some events.
pub(super) struct Embedded {
    embedder: Option<Arc<dyn Embedder>>,
    vectors: Vec<Option<Vec<f32>>>,
    trouble: Option<String>,
}

/// What it made of one.
#[derive(Default)]
pub(crate) struct EmbeddedText<'a>(Option<(&'a dyn Embedder, &'a [f32])>);

impl Embedded {
    /// That of one event by its place.
    pub(super) fn of(&self, place: usize) -> EmbeddedText<'_> {
        let vector = self.vectors.get(place).and_then(Option::as_deref);
        EmbeddedText(self.embedder.as_deref().zip(vector))
    }

    /// Tells what went wrong.
    pub(super) fn warn(&self, mut result: StoreEventResult) -> StoreEventResult {
        if result.block_id.is_some() {
            result.warnings.extend(self.trouble.clone());
        }
        result
    }
}

impl EmbeddedText<'_> {
    /// Gives a block that has none its vector, and locks the memory to the model that made it.
    pub(super) fn keep(&self, transaction: &mut dyn Transaction, block: &BlockId) -> Result<()> {
        let Some((embedder, vector)) = self.0 else { return Ok(()) };
        let known = transaction.get_block(block)?.and_then(|block| block.embedding_model);
        if known.as_deref() == Some(embedder.name()) || !is_own_model(&*transaction, embedder)? {
            return Ok(());
        }
        transaction.set_config(MODEL_LOCK, embedder.name())?;
        transaction.set_config(DIMENSIONS_LOCK, &embedder.dimensions().to_string())?;
        Ok(transaction.set_embedding(block, embedder.name(), vector)?)
    }
}

impl<S: Store> Memory<S> {
    /// Embeds what events say. An embedder that cannot be reached, or is not the one that filled the memory, is no reason to
    /// refuse them: they are found by their words, and that is told.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub(super) fn embed_events<'a>(&self, events: impl Iterator<Item = &'a CheckedEvent>) -> Result<Embedded> {
        let texts: Vec<(&str, bool)> = events.map(|event| (event.content.as_str(), event.kind.is_admitted())).collect();
        let wanted: Vec<&str> = texts.iter().filter(|(_, admitted)| *admitted).map(|(text, _)| *text).collect();
        Ok(match self.embed_texts(&wanted) {
            Ok((embedder, made)) => {
                let mut made = made.into_iter();
                let vectors =
                    texts.iter().map(|(_, admitted)| admitted.then(|| made.next().flatten()).flatten()).collect();
                Embedded { embedder, vectors, trouble: None }
            }
            Err(error @ Error::Storage(_)) => return Err(error),
            Err(error) => {
                let trouble = format!("It is found by its words only: {} {}", error.message(), error.recovery());
                Embedded { embedder: None, vectors: Vec::new(), trouble: Some(trouble) }
            }
        })
    }

    #[expect(clippy::type_complexity, reason = "the two parts belong together here and nowhere else")]
    fn embed_texts(&self, texts: &[&str]) -> Result<(Option<Arc<dyn Embedder>>, Vec<Option<Vec<f32>>>)> {
        if texts.is_empty() {
            return Ok((None, Vec::new()));
        }
        let embedder = self.options.models.embedder.load()?;
        self.read(|snapshot| refuse_other_model(snapshot, &*embedder))?;
        let made = embedder.embed(texts)?;
        Ok((Some(embedder), made))
    }
}
