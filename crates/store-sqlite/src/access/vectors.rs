//! Vectors.

use elfmem_core::{Block, BlockId};
use elfmem_store::{ReadVectors, StoreError, StoredVector, VectorVisitor, WriteVectors};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::vectors;

impl ReadVectors for SqliteTransaction<'_> {
    fn scan_staged_vectors(&self, model: &str, visit: VectorVisitor<'_>) -> Result<()> {
        vectors::scan_staged(self.connection, model, visit)
    }

    fn get_vectors(&self, model: &str, ids: Option<&[BlockId]>) -> Result<Vec<StoredVector>> {
        vectors::of_model(self.connection, &self.scopes, model, ids)
    }

    fn get_vector_models(&self) -> Result<Vec<(String, u64)>> {
        vectors::models(self.connection, &self.scopes)
    }

    fn get_unstaged_blocks(&self, model: &str, limit: u32) -> Result<Vec<Block>> {
        vectors::unstaged(self.connection, model, limit)
    }

    fn count_staged_vectors(&self, model: &str) -> Result<u64> {
        vectors::count_staged(self.connection, model)
    }
}

impl WriteVectors for SqliteTransaction<'_> {
    fn stage_vectors(&mut self, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()> {
        vectors::stage(self.connection, model, vectors)
    }

    fn clear_staged_vectors(&mut self, model: &str) -> Result<()> {
        vectors::clear_staged(self.connection, model)
    }

    fn set_embedding(&mut self, id: &BlockId, model: &str, vector: &[f32]) -> Result<()> {
        let before = vectors::model_of(self.connection, &self.scopes, id)?
            .ok_or_else(|| StoreError::Missing { what: "block", id: id.to_string() })?;
        vectors::set_embedding(self.connection, id, model, vector)?;
        self.recorder.record_vector(id, before.as_deref(), Some(model));
        Ok(())
    }

    fn adopt_staged_vectors(&mut self, model: &str) -> Result<u64> {
        vectors::adopt_staged(self.connection, model)
    }
}
