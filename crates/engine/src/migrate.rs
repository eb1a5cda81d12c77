//! `migrate_embeddings`: from one model to another, while the old vectors keep serving.

mod request;

use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_models::Embedder;
use elfmem_store::{Store, Transaction};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::models::{DIMENSIONS_LOCK, MODEL_LOCK, locked_model};
use crate::progress::Progress;
use crate::trace;

pub use request::MigrateEmbeddings;

/// Blocks that are embedded and kept aside together.
const BATCH: u32 = 256;

/// Result of `migrate_embeddings`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MigrateResult {
    /// The model the vectors came from; none in a memory that had none.
    pub from_model: Option<String>,
    /// The model they come from now.
    pub to_model: String,
    /// Blocks that were embedded in this run.
    pub embedded: u64,
    /// Blocks an earlier, interrupted run had embedded.
    pub resumed: u64,
}

impl fmt::Display for MigrateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.from_model.as_deref().unwrap_or("no model");
        write!(f, "Embedded {} blocks with {} (before: {from}).", self.embedded + self.resumed, self.to_model)?;
        if self.resumed > 0 {
            write!(f, " {} were done by an earlier run.", self.resumed)?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// Embeds every block, whatever its scope, with the model in use and locks the memory to it. See
    /// [`MigrateEmbeddings`].
    ///
    /// The new vectors are staged and take over all at once at the end; until then the old ones serve. An interrupted run
    /// continues where it stopped.
    pub fn migrate_embeddings(&self, request: impl Into<MigrateEmbeddings>) -> Result<MigrateResult> {
        let _span = trace::verb("migrate_embeddings");
        let MigrateEmbeddings { progress } = request.into();
        let embedder = self.options.models.embedder.load()?;
        let model = embedder.name().to_owned();
        let tell = |step: Progress| {
            if let Some(listener) = &progress {
                listener.report(step);
            }
        };
        let (from_model, resumed, total) = self.read(|snapshot| {
            Ok((locked_model(snapshot)?, snapshot.count_staged_vectors(&model)?, snapshot.count_index_rows()?))
        })?;
        tell(Progress::Stage("embed", total as usize));
        let mut embedded = 0;
        let mut complete = false;
        let mut result = MigrateResult { from_model, to_model: model.clone(), embedded, resumed };
        while !complete {
            embedded +=
                self.stage_missing(&*embedder, |done| tell(Progress::Done((resumed + embedded + done) as usize)))?;
            result = self.change(OperationKind::MigrateEmbeddings, |transaction, _| {
                // What came in since the last look is embedded first: an active block without a vector would never get one.
                complete = transaction.get_unstaged_blocks(&model, 1)?.is_empty();
                if complete {
                    transaction.adopt_staged_vectors(&model)?;
                    transaction.set_config(MODEL_LOCK, &model)?;
                    transaction.set_config(DIMENSIONS_LOCK, &embedder.dimensions().to_string())?;
                }
                Ok(MigrateResult { embedded, ..result.clone() })
            })?;
        }
        self.index.reset();
        trace::embeddings_migrated(result.embedded, result.resumed);
        Ok(result)
    }

    /// Embeds every block that has no vector kept aside yet, and keeps it there; how many there were.
    fn stage_missing(&self, embedder: &dyn Embedder, tell: impl Fn(u64)) -> Result<u64> {
        let mut staged = 0;
        loop {
            tell(staged);
            let batch = self.read(|snapshot| Ok(snapshot.get_unstaged_blocks(embedder.name(), BATCH)?))?;
            if batch.is_empty() {
                return Ok(staged);
            }
            let texts: Vec<&str> = batch.iter().map(|block| block.content.as_str()).collect();
            let made = embedder.embed(&texts)?.into_iter().map(Option::unwrap_or_default);
            let vectors: Vec<(BlockId, Vec<f32>)> = batch.iter().map(|block| block.id.clone()).zip(made).collect();
            self.store().write(&self.options.view, |transaction: &mut dyn Transaction| -> Result<()> {
                Ok(transaction.stage_vectors(embedder.name(), &vectors)?)
            })?;
            trace::vectors_staged(vectors.len() as u64);
            staged += vectors.len() as u64;
        }
    }
}
