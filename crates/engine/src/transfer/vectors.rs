//! Vectors of what comes in: those of the file where they fit, new ones where not.

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

/// Blocks that are embedded and stored together.
const BATCH: usize = 256;

/// Which vectors can be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Usable {
    model: String,
    dimensions: usize,
}

impl Usable {
    /// Stores the vector of a row under the name its block has here, if it can be used; whether it was stored.
    pub(super) fn take(
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
    /// Vectors come along only from the model in use, and only if that is the one that fills the memory: otherwise a file
    /// would decide which model this memory belongs to.
    pub(super) fn usable_vectors(&self, set: &RowSet) -> Result<Option<Usable>> {
        let model = self.options.models.embedder.name();
        let has_one = |row: &Row| matches!(row, Row::Block(row) if row.vector.is_some() && row.block.embedding_model.as_deref() == Some(model));
        if !set.rows.iter().any(|(_, row)| has_one(row)) {
            return Ok(None);
        }
        let embedder = self.options.models.embedder.load()?;
        let ours = self.read(|snapshot| is_own_model(snapshot, &*embedder))?;
        let (model, dimensions) = (model.to_owned(), embedder.dimensions());
        Ok(ours.then_some(Usable { model, dimensions }))
    }

    /// Makes the vectors that are still missing. What could not be done is told, not failed: the blocks are here, and found by
    /// their words.
    pub(super) fn embed_arrivals(&self, result: &mut ImportResult, options: &ImportOptions) -> Result<()> {
        let missing = std::mem::take(&mut result.without_vector);
        if missing.is_empty() {
            return Ok(());
        }
        options.tell(Progress::Stage("embed", missing.len()));
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            match self.embed_batch(batch) {
                Ok(embedded) => result.embedded += embedded,
                Err(error) => {
                    let left = counted((missing.len() - done) as u64, "block");
                    result.warnings.push(format!(
                        "Without a vector, and found by words only: {left}. {} Run migrate-embeddings.",
                        error.message()
                    ));
                    break;
                }
            }
            done += batch.len();
            options.tell(Progress::Done(done));
        }
        self.account_usage()
    }

    fn embed_batch(&self, ids: &[BlockId]) -> Result<u64> {
        let embedder = self.options.models.embedder.load()?;
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
