//! `migrate_embeddings`: from one model to another, while the old vectors keep serving.

mod request;

use std::fmt;
use std::time::{Duration, Instant};

use elfmem_core::{BlockId, OperationKind};
use elfmem_models::Embedder;
use elfmem_store::{Snapshot, Store, Transaction};
use serde::Serialize;

use crate::Result;
use crate::dream::Dream;
use crate::memory::Memory;
use crate::models::{DIMENSIONS_LOCK, EmbedderChoice, MODEL_LOCK, locked_model};
use crate::progress::Progress;
use crate::results::counted;
use crate::trace;

pub use request::MigrateEmbeddings;

/// Blocks that are embedded and kept aside together.
const BATCH: u32 = 256;
/// Time that one dream spends on moving a memory to a newer built-in model.
const DREAM_TIME: Duration = Duration::from_secs(5);

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
        let blocks = counted(self.embedded + self.resumed, "block");
        write!(f, "Embedded {blocks} with {} (before: {from}).", self.to_model)?;
        if self.resumed > 0 {
            write!(f, " {} were done by an earlier run.", self.resumed)?;
        }
        Ok(())
    }
}

/// How far a memory has moved to the chosen model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MigrationProgress {
    /// The model that answers meanwhile.
    pub from_model: String,
    /// The model that the memory moves to.
    pub to_model: String,
    /// Blocks that have a vector of the new model.
    pub done: u64,
    /// All blocks.
    pub total: u64,
}

impl MigrationProgress {
    pub(crate) fn is_complete(&self) -> bool {
        self.done >= self.total
    }
}

impl fmt::Display for MigrationProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from_model, to_model, done, total } = self;
        if self.is_complete() {
            let blocks = if *total == 1 {
                "The block has a vector".to_owned()
            } else {
                format!("All {total} blocks have vectors")
            };
            return write!(f, "{blocks} of {to_model} now (before: {from_model}).");
        }
        write!(f, "The vectors move from {from_model} to {to_model}: {done} of {total} blocks are done.")
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
        let mut result = MigrateResult { from_model, to_model: model, embedded: 0, resumed };
        loop {
            let before = resumed + result.embedded;
            let (staged, _) =
                self.stage_missing(&*embedder, None, |done| tell(Progress::Done((before + done) as usize)))?;
            result.embedded += staged;
            if let Some(result) = self.adopt_vectors(&*embedder, &result)? {
                return Ok(result);
            }
        }
    }

    /// Lets the staged vectors of a model take over; none if blocks came in since the last look, which have to be embedded
    /// first: an active block without a vector would never get one.
    fn adopt_vectors(&self, embedder: &dyn Embedder, result: &MigrateResult) -> Result<Option<MigrateResult>> {
        let model = embedder.name();
        let mut complete = false;
        let result = self.change(OperationKind::MigrateEmbeddings, |transaction, _| {
            complete = transaction.get_unstaged_blocks(model, 1)?.is_empty();
            if complete {
                transaction.adopt_staged_vectors(model)?;
                transaction.set_config(MODEL_LOCK, model)?;
                transaction.set_config(DIMENSIONS_LOCK, &embedder.dimensions().to_string())?;
            }
            Ok(result.clone())
        })?;
        if !complete {
            return Ok(None);
        }
        self.index.reset();
        trace::embeddings_migrated(result.embedded, result.resumed);
        Ok(Some(result))
    }

    /// Moves a memory of an older built-in model a bounded step towards the chosen one. None if it need not move.
    pub(crate) fn continue_migration(&self, dream: &Dream) -> Result<Option<MigrationProgress>> {
        let Some(mut progress) = self.migration_progress()? else { return Ok(None) };
        if dream.dry_run {
            return Ok(Some(progress));
        }
        let embedder = self.options.models.embedder.load()?;
        let (resumed, from_model) = (progress.done, Some(progress.from_model.clone()));
        dream.tell(Progress::Stage("migrate", progress.total as usize));
        let deadline = Instant::now() + dream.migration_time.unwrap_or(DREAM_TIME);
        let tell = |done: u64| dream.tell(Progress::Done((resumed + done) as usize));
        let (embedded, all) = self.stage_missing(&*embedder, Some(deadline), tell)?;
        let result = MigrateResult { from_model, to_model: progress.to_model.clone(), embedded, resumed };
        let adopted = all && self.adopt_vectors(&*embedder, &result)?.is_some();
        progress.done =
            if adopted { progress.total } else { (resumed + embedded).min(progress.total.saturating_sub(1)) };
        Ok(Some(progress))
    }

    /// Returns how far a memory of an older built-in model has moved to the chosen one; none if it need not move.
    pub fn migration_progress(&self) -> Result<Option<MigrationProgress>> {
        self.read(|snapshot| migration_progress(snapshot, &self.options.models.embedder))
    }

    /// Embeds every block that has no staged vector yet, and stages the vectors. Stops at the deadline, after at least one
    /// batch. Returns how many were staged and whether none is left.
    fn stage_missing(
        &self,
        embedder: &dyn Embedder,
        deadline: Option<Instant>,
        tell: impl Fn(u64),
    ) -> Result<(u64, bool)> {
        let mut staged = 0;
        loop {
            tell(staged);
            let batch = self.read(|snapshot| Ok(snapshot.get_unstaged_blocks(embedder.name(), BATCH)?))?;
            if batch.is_empty() {
                return Ok((staged, true));
            }
            if staged > 0 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok((staged, false));
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

/// Returns how far a memory of an older built-in model has moved to the chosen one; none if it need not move.
pub(crate) fn migration_progress(
    snapshot: &dyn Snapshot,
    choice: &EmbedderChoice,
) -> Result<Option<MigrationProgress>> {
    let Some(from_model) = locked_model(snapshot)?.filter(|locked| choice.upgrades(locked)) else { return Ok(None) };
    let to_model = choice.name().to_owned();
    let (done, total) = (snapshot.count_staged_vectors(&to_model)?, snapshot.count_index_rows()?);
    Ok(Some(MigrationProgress { from_model, done: done.min(total.saturating_sub(1)), total, to_model }))
}
