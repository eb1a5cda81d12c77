//! The vector index of this process, kept in step with the store.
//!
//! The journal is the change feed: what operations after the last look touched is read again, whoever did it. Only the
//! first use, and a change of model, reads everything.

use elfmem_core::BlockId;
use elfmem_index::VectorIndex;
use elfmem_models::Embedder;
use elfmem_store::{Snapshot, Store, StoredVector};

use crate::Result;
use crate::memory::Memory;
use crate::models::MODEL_LOCK;

/// An index and how far it has followed the journal.
#[derive(Debug)]
pub(crate) struct VectorsInStep {
    model: String,
    /// The model the memory was bound to when the vectors were read: a migration is not in the journal.
    bound_to: Option<String>,
    position: i64,
    pub(crate) index: VectorIndex,
}

impl VectorsInStep {
    /// Reads every vector of the model.
    fn load(snapshot: &dyn Snapshot, embedder: &dyn Embedder) -> Result<Self> {
        let position = snapshot.get_journal_position()?;
        let stored = snapshot.get_vectors(embedder.name(), None)?;
        let mut index = VectorIndex::with_capacity(embedder.dimensions(), stored.len())?;
        insert_all(&mut index, &stored);
        let bound_to = snapshot.get_config(MODEL_LOCK)?;
        Ok(Self { model: embedder.name().to_owned(), bound_to, position, index })
    }

    /// Reads again what changed since the last look.
    fn follow(&mut self, snapshot: &dyn Snapshot) -> Result<()> {
        let position = snapshot.get_journal_position()?;
        if position == self.position {
            return Ok(());
        }
        let changed: Vec<BlockId> = snapshot.get_changed_blocks(self.position)?;
        for id in &changed {
            self.index.remove(id);
        }
        insert_all(&mut self.index, &snapshot.get_vectors(&self.model, Some(&changed))?);
        self.position = position;
        Ok(())
    }
}

/// A vector that cannot be used (of another size, or without direction) takes no part; verifying the memory finds it.
fn insert_all(index: &mut VectorIndex, stored: &[StoredVector]) {
    for StoredVector { id, vector, .. } in stored {
        let _ = index.insert(id, vector);
    }
}

impl<S: Store> Memory<S> {
    /// Runs `work` with the index as it should be for `snapshot`.
    pub(crate) fn with_vectors<T>(
        &self,
        snapshot: &dyn Snapshot,
        embedder: &dyn Embedder,
        work: impl FnOnce(&mut VectorIndex) -> Result<T>,
    ) -> Result<T> {
        let bound_to = snapshot.get_config(MODEL_LOCK)?;
        let mut kept = self.vectors();
        let usable = kept.as_ref().is_some_and(|vectors| {
            vectors.model == embedder.name()
                && vectors.bound_to == bound_to
                && vectors.index.dimensions() == embedder.dimensions()
        });
        if !usable {
            *kept = Some(VectorsInStep::load(snapshot, embedder)?);
        }
        match kept.as_mut() {
            Some(vectors) => {
                vectors.follow(snapshot)?;
                work(&mut vectors.index)
            }
            None => work(&mut VectorIndex::new(embedder.dimensions())?),
        }
    }
}
