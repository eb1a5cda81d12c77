//! Embeds events before the transaction, so that no transaction waits for a model.

use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_models::Embedder;
use elfmem_store::{Store, Transaction};

use super::check::CheckedEvent;
use super::result::StoreEventResult;
use crate::memory::Memory;
use crate::models::{DIMENSIONS_LOCK, MODEL_LOCK, is_own_model, refuse_other_model};
use crate::{Error, Result};

/// The vectors of a batch of events.
pub(super) struct EmbeddedEvents {
    embedder: Option<Arc<dyn Embedder>>,
    vectors: Vec<Option<Vec<f32>>>,
    warning: Option<String>,
}

/// The vector of one event and the embedder that made it, if there is one.
#[derive(Default)]
pub(crate) struct EmbeddedText<'a>(Option<(&'a dyn Embedder, &'a [f32])>);

impl EmbeddedEvents {
    /// Returns the vector of the event at an index.
    pub(super) fn of(&self, place: usize) -> EmbeddedText<'_> {
        let vector = self.vectors.get(place).and_then(Option::as_deref);
        EmbeddedText(self.embedder.as_deref().zip(vector))
    }

    /// Adds the warning of a failed embedding to a result.
    pub(super) fn add_warning(&self, mut result: StoreEventResult) -> StoreEventResult {
        if result.block_id.is_some() {
            result.warnings.extend(self.warning.clone());
        }
        result
    }
}

impl EmbeddedText<'_> {
    /// Stores the vector of a block that has none of this model, and locks the memory to the model.
    pub(super) fn store(&self, transaction: &mut dyn Transaction, block: &BlockId) -> Result<()> {
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
    /// Embeds the texts of events. If the embedder is unavailable or is not the memory's model, the
    /// result has no vectors but a warning: full-text search still finds the blocks.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub(super) fn embed_events<'a>(&self, events: impl Iterator<Item = &'a CheckedEvent>) -> Result<EmbeddedEvents> {
        let texts: Vec<(&str, bool)> = events.map(|event| (event.content.as_str(), event.kind.is_admitted())).collect();
        let admitted: Vec<&str> = texts.iter().filter(|(_, admitted)| *admitted).map(|(text, _)| *text).collect();
        Ok(match self.embed_texts(&admitted) {
            Ok((embedder, made)) => {
                let mut made = made.into_iter();
                let vectors =
                    texts.iter().map(|(_, admitted)| admitted.then(|| made.next().flatten()).flatten()).collect();
                EmbeddedEvents { embedder, vectors, warning: None }
            }
            Err(error @ Error::Storage(_)) => return Err(error),
            Err(error) => {
                let warning = format!("It is found by full-text search only: {} {}", error.message(), error.recovery());
                EmbeddedEvents { embedder: None, vectors: Vec::new(), warning: Some(warning) }
            }
        })
    }

    #[expect(clippy::type_complexity, reason = "the two parts belong together here and nowhere else")]
    fn embed_texts(&self, texts: &[&str]) -> Result<(Option<Arc<dyn Embedder>>, Vec<Option<Vec<f32>>>)> {
        if texts.is_empty() {
            return Ok((None, Vec::new()));
        }
        let embedder = self.working_embedder()?;
        self.read(|snapshot| refuse_other_model(snapshot, &*embedder))?;
        let made = embedder.embed(texts)?;
        Ok((Some(embedder), made))
    }
}
