//! Vectors: those of the blocks, and those that a change of models stages until it is complete.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use elfmem_core::{Block, BlockId, BlockStatus};

use crate::rows::{RowKey, RowKind, RowQuery, get, missing};
use crate::{BlockRow, Internal, ReadBlocks, Result, Row, RowEdit, WriteBlocks};

/// A vector that recall and dream search.
#[derive(Debug, Clone)]
pub struct StoredVector {
    /// The block it belongs to.
    pub id: BlockId,
    /// The status of that block: inbox or active.
    pub status: BlockStatus,
    /// The vector.
    pub vector: Vec<f32>,
}

/// Receives staged vectors.
pub type VectorVisitor<'a> = &'a mut dyn FnMut(&BlockId, &[f32]);

/// Reads vectors.
pub trait ReadVectors: ReadBlocks {
    /// Visits the staged vectors of a model, those of blocks of every scope, in id order. An empty one belongs to a block that the model
    /// cannot embed.
    fn scan_staged_vectors(&self, model: &str, visit: VectorVisitor<'_>) -> Result<()>;

    /// Lists the vectors of a model that belong to inbox and active blocks: all, or those of `ids`.
    fn get_vectors(&self, model: &str, ids: Option<&[BlockId]>) -> Result<Vec<StoredVector>> {
        let mut found = Vec::new();
        let query = RowQuery { blocks: ids, ..RowQuery::all(RowKind::Block) }.with_vectors();
        self.scan_rows(query, &mut |row, _| {
            if let Row::Block(row) = row
                && row.block.status != BlockStatus::Archived
                && row.block.embedding_model.as_deref() == Some(model)
                && let Some(vector) = row.vector.clone()
            {
                found.push(StoredVector { id: row.block.id.clone(), status: row.block.status, vector });
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Counts the vectors of inbox and active blocks by model, the largest count first.
    fn get_vector_models(&self) -> Result<Vec<(String, u64)>> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        self.scan_rows(RowQuery::all(RowKind::Block).with_vectors(), &mut |row, _| {
            if let Row::Block(row) = row
                && row.vector.is_some()
                && row.block.status != BlockStatus::Archived
            {
                *counts.entry(row.block.embedding_model.clone().unwrap_or_default()).or_default() += 1;
            }
            ControlFlow::Continue(())
        })?;
        let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Ok(counts)
    }

    /// Lists inbox and active blocks without a staged vector of `model`, in id order, at most `limit`. These are blocks of every scope:
    /// all vectors of a memory come from one model.
    fn get_unstaged_blocks(&self, model: &str, limit: u32) -> Result<Vec<Block>> {
        let mut staged = BTreeSet::new();
        self.scan_staged_vectors(model, &mut |id, _| _ = staged.insert(id.clone()))?;
        let mut found: Vec<Block> = Vec::new();
        self.scan_rows(RowQuery::all(RowKind::Block).in_every_scope(Internal(())), &mut |row, _| {
            if let Row::Block(row) = row
                && row.block.status != BlockStatus::Archived
                && !staged.contains(&row.block.id)
            {
                found.push(row.block.clone());
            }
            ControlFlow::Continue(())
        })?;
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found.truncate(limit as usize);
        Ok(found)
    }

    /// Counts the blocks with a staged vector of `model`.
    fn count_staged_vectors(&self, model: &str) -> Result<u64> {
        let mut count = 0;
        self.scan_staged_vectors(model, &mut |_, _| count += 1)?;
        Ok(count)
    }
}

/// Changes vectors.
pub trait WriteVectors: ReadVectors + WriteBlocks {
    /// Stages vectors of another model until all blocks have one. Vectors are derived and not journaled; those of blocks
    /// that are gone are passed over.
    fn stage_vectors(&mut self, model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()>;

    /// Removes the staged vectors of a model.
    fn clear_staged_vectors(&mut self, model: &str) -> Result<()>;

    /// Stores a block's vector and the model it comes from. The journal has the model only.
    ///
    /// # Errors
    /// [`StoreError::Missing`](crate::StoreError::Missing) when there is no such block.
    fn set_embedding(&mut self, id: &BlockId, model: &str, vector: &[f32]) -> Result<()> {
        let mut row: BlockRow = get(self, &RowKey::Block(id.clone()))?.ok_or_else(|| missing("block", id))?;
        let before = row.block.embedding_model.replace(model.to_owned());
        row.vector = Some(vector.to_vec());
        self.update_row(&Row::Block(Box::new(row)), Internal(()))?;
        self.recorder(Internal(())).record_vector(id, before.as_deref(), Some(model));
        Ok(())
    }

    /// Makes the staged vectors of `model` the vectors of their blocks, in every scope, and empties the staging area; how many there
    /// were. Blocks with a vector of another model lose it: there is nothing in them that `model` can embed, or they are archived.
    fn adopt_staged_vectors(&mut self, model: &str) -> Result<u64> {
        let mut staged: BTreeMap<BlockId, Vec<f32>> = BTreeMap::new();
        self.scan_staged_vectors(model, &mut |id, vector| _ = staged.insert(id.clone(), vector.to_vec()))?;
        let adopted = staged.len() as u64;
        let adopt = &mut |row: &mut Row| {
            let Row::Block(row) = row else { return RowEdit::Keep };
            row.vector = match staged.remove(&row.block.id) {
                Some(vector) => Some(vector).filter(|vector| !vector.is_empty()),
                None if row.block.embedding_model.as_deref().is_some_and(|other| other != model) => None,
                None => return RowEdit::Keep,
            };
            row.block.embedding_model = row.vector.is_some().then(|| model.to_owned());
            RowEdit::Replace
        };
        self.rewrite_rows(RowQuery::all(RowKind::Block).with_vectors(), adopt, Internal(()))?;
        self.clear_staged_vectors(model)?;
        Ok(adopted)
    }
}
