//! Vectors of imported blocks: from the file if they are usable, otherwise from the embedder.

use crate::results::counted;
use elfmem_core::{Block, BlockId};
use elfmem_store::{Row, Store, Transaction};

use super::import::ImportOptions;
use super::result::ImportResult;
use crate::Result;
use crate::import::RowSet;
use crate::memory::Memory;
use crate::models::{DIMENSIONS_LOCK, MODEL_LOCK, is_own_model};
use crate::progress::Progress;

/// Number of blocks embedded and stored per batch.
const BATCH_SIZE: usize = 256;

/// The model and dimensions of vectors that can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImportableVectors {
    model: String,
    dimensions: usize,
}

impl ImportableVectors {
    /// Stores the vector of a row for the block `id`. Returns false if the vector is unusable.
    pub(super) fn store(
        &self,
        transaction: &mut dyn Transaction,
        id: &BlockId,
        row: &elfmem_store::BlockRow,
    ) -> Result<bool> {
        let Some(vector) = &row.vector else { return Ok(false) };
        let fits = row.block.embedding_model.as_deref() == Some(self.model.as_str())
            && vector.len() == self.dimensions
            && vector.iter().all(|value| value.is_finite());
        if fits {
            transaction.set_config(MODEL_LOCK, &self.model)?;
            transaction.set_config(DIMENSIONS_LOCK, &self.dimensions.to_string())?;
            transaction.set_embedding(id, &self.model, vector)?;
        }
        Ok(fits)
    }
}

impl<S: Store> Memory<S> {
    /// Returns which vectors can be imported: those of the configured model, if it is the memory's
    /// model too. Otherwise a file could choose the model of the memory.
    pub(super) fn importable_vectors(&self, set: &RowSet) -> Result<Option<ImportableVectors>> {
        let model = self.options.models.embedder.name();
        let has_one = |row: &Row| matches!(row, Row::Block(row) if row.vector.is_some() && row.block.embedding_model.as_deref() == Some(model));
        if !set.rows.iter().any(|(_, row)| has_one(row)) {
            return Ok(None);
        }
        let embedder = self.options.models.embedder.load()?;
        let ours = self.read(|snapshot| is_own_model(snapshot, &*embedder))?;
        let (model, dimensions) = (model.to_owned(), embedder.dimensions());
        Ok(ours.then_some(ImportableVectors { model, dimensions }))
    }

    /// Embeds the imported blocks without a vector. A failure becomes a warning, because the blocks
    /// are already stored and full-text search finds them.
    pub(super) fn embed_imported(&self, result: &mut ImportResult, options: &ImportOptions) -> Result<()> {
        let missing = std::mem::take(&mut result.without_vector);
        if missing.is_empty() {
            return Ok(());
        }
        options.report(Progress::Stage("embed", missing.len()));
        let mut done = 0;
        for batch in missing.chunks(BATCH_SIZE) {
            match self.embed_batch(batch) {
                Ok(embedded) => result.embedded += embedded,
                Err(error) => {
                    let left = counted((missing.len() - done) as u64, "block");
                    result.warnings.push(format!(
                        "Without a vector, and found by full-text search only: {left}. {} Run migrate_embeddings().",
                        error.message()
                    ));
                    break;
                }
            }
            done += batch.len();
            options.report(Progress::Done(done));
        }
        self.account_usage()
    }

    fn embed_batch(&self, ids: &[BlockId]) -> Result<u64> {
        let embedder = self.working_embedder()?;
        let blocks = self.read(|snapshot| Ok(snapshot.get_blocks(ids)?))?;
        let lacks = |block: &&Block| block.embedding_model.as_deref() != Some(embedder.name());
        let lacking: Vec<&Block> = blocks.iter().filter(lacks).collect();
        let texts: Vec<&str> = lacking.iter().map(|block| block.content.as_str()).collect();
        let made = embedder.embed(&texts)?;
        let vectors: Vec<(BlockId, Vec<f32>)> =
            lacking.iter().zip(made).filter_map(|(block, vector)| Some((block.id.clone(), vector?))).collect();
        self.store_vectors(&*embedder, &vectors)?;
        Ok(vectors.len() as u64)
    }
}
