//! Embeds active blocks that were restored without a vector.

use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::Store;

use crate::Result;
use crate::memory::Memory;
use crate::models::locked_model;

impl<S: Store> Memory<S> {
    /// Embeds the active blocks among `ids` that have no vector of the stored model. No other
    /// operation embeds active blocks. A failure is returned as a warning, because the blocks are
    /// already restored and full-text search finds them.
    pub(crate) fn embed_active(&self, ids: &[BlockId]) -> Option<String> {
        let missing = self.read(|snapshot| {
            let Some(locked) = locked_model(snapshot)? else { return Ok(Vec::new()) };
            let lacks = |block: &Block| {
                block.status == BlockStatus::Active && block.embedding_model.as_deref() != Some(locked.as_str())
            };
            Ok(snapshot.get_blocks(ids)?.into_iter().filter(lacks).collect())
        });
        let missing: Vec<Block> = match missing {
            Ok(missing) if missing.is_empty() => return None,
            Ok(missing) => missing,
            // The operation itself is already committed.
            Err(error) => {
                return Some(format!("Vectors may be missing: {} Run migrate_embeddings().", error.message()));
            }
        };
        let embedded = self.embed_blocks(&missing);
        embedded.err().map(|error| {
            format!(
                "{} active blocks have no vector and are found by full-text search only: {} Run migrate_embeddings().",
                missing.len(),
                error.message()
            )
        })
    }

    fn embed_blocks(&self, blocks: &[Block]) -> Result<()> {
        let embedder = self.working_embedder()?;
        let texts: Vec<&str> = blocks.iter().map(|block| block.content.as_str()).collect();
        let made = embedder.embed(&texts)?;
        let vectors: Vec<(BlockId, Vec<f32>)> =
            blocks.iter().zip(made).filter_map(|(block, vector)| Some((block.id.clone(), vector?))).collect();
        self.store_vectors(&*embedder, &vectors)
    }
}
