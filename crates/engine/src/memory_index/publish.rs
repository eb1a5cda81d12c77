//! Sharing the newest state of the index between readers.
//!
//! A reader clones a pointer to the newest state and then works without any lock. When its store snapshot is newer than
//! that state, it follows the journal first, one thread at a time. If no other reader holds the state, it is changed in
//! place; otherwise the next state is a clone that shares all unchanged chunks. Readers of the older state go on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elfmem_core::BlockId;
use elfmem_store::{Snapshot, Store};

use super::{IndexVersion, MemoryIndex};
use crate::Result;
use crate::memory::Memory;
use crate::models::{ModelLock, VectorModel, index_model};
use crate::trace;

/// The newest state of the index, if there is one.
#[derive(Debug, Default)]
pub(crate) struct PublishedIndex {
    newest: Mutex<Option<Arc<MemoryIndex>>>,
    /// Held by the thread that prepares the next state.
    update: Mutex<()>,
}

/// The state that was the newest before a snapshot was opened. So its journal position is not after that of the snapshot.
#[derive(Debug, Default)]
pub(crate) struct LatestIndex(Option<Arc<MemoryIndex>>);

impl PublishedIndex {
    /// Returns the newest state.
    pub(super) fn current(&self) -> Option<Arc<MemoryIndex>> {
        self.newest().clone()
    }

    /// Drops the index. The next reader builds it again.
    pub(crate) fn reset(&self) {
        let _updating = self.updating();
        *self.newest() = None;
    }

    /// Returns the newest state, and waits if it is being changed in place.
    fn latest(&self) -> LatestIndex {
        let latest = self.current();
        if latest.is_some() {
            return LatestIndex(latest);
        }
        drop(self.updating());
        LatestIndex(self.current())
    }

    /// Returns a state to change: the newest one itself if nobody reads it, else a clone.
    fn take_or_clone(&self) -> Option<MemoryIndex> {
        let mut newest = self.newest();
        if newest.as_ref().is_some_and(|index| Arc::strong_count(index) == 1) {
            return newest.take().map(Arc::unwrap_or_clone);
        }
        let shared = newest.clone();
        drop(newest);
        shared.map(|index| (*index).clone())
    }

    fn newest(&self) -> MutexGuard<'_, Option<Arc<MemoryIndex>>> {
        // A pointer: a panic elsewhere does not make it wrong.
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn updating(&self) -> MutexGuard<'_, ()> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Store> Memory<S> {
    /// Returns the newest state of the index. To be called before the snapshot is opened that [`index_at`](Self::index_at)
    /// gets.
    pub(crate) fn latest_index(&self) -> LatestIndex {
        self.index.latest()
    }

    /// Runs `work` on one state of the store and of the index.
    pub(crate) fn read_indexed<T>(&self, work: impl FnOnce(&dyn Snapshot, &MemoryIndex) -> Result<T>) -> Result<T> {
        let latest = self.latest_index();
        self.read(|snapshot| {
            let index = self.index_at(snapshot, latest)?;
            work(snapshot, &index)
        })
    }

    /// Returns the state of the index that belongs to a snapshot.
    pub(crate) fn index_at(&self, snapshot: &dyn Snapshot, latest: LatestIndex) -> Result<Arc<MemoryIndex>> {
        let version = IndexVersion { position: snapshot.get_journal_position()?, lock: ModelLock::read(snapshot)? };
        let is_current = |index: &Arc<MemoryIndex>| index.version == version;
        if let Some(index) = latest.0.as_ref().filter(|index| is_current(index)) {
            return Ok(Arc::clone(index));
        }
        let _updating = self.index.updating();
        let newest = self.index.current();
        if let Some(index) = newest.as_ref().filter(|index| is_current(index)) {
            return Ok(Arc::clone(index));
        }
        // Another reader with a newer snapshot may have been faster. Then this one gets a state of its own.
        let is_older = |index: &Arc<MemoryIndex>| index.version.position <= version.position;
        let overtaken = newest.is_some_and(|index| !is_older(&index)) && latest.0.as_ref().is_some_and(is_older);
        let base = if overtaken {
            latest.0.map(|index| (*index).clone())
        } else {
            drop(latest);
            self.index.take_or_clone()
        };
        let index = Arc::new(self.next_index(snapshot, base, version)?);
        if !overtaken {
            *self.index.newest() = Some(Arc::clone(&index));
        }
        Ok(index)
    }

    /// Returns the model of the newest state of the index.
    pub(crate) fn published_model(&self) -> Option<VectorModel> {
        self.index.current()?.model().cloned()
    }

    /// Adds vectors of a model to the newest state of the index. They were computed without any lock; a state with vectors
    /// of another model stays as it is.
    pub(crate) fn publish_vectors(&self, model: &VectorModel, vectors: &[(BlockId, Option<Vec<f32>>)]) -> Result<()> {
        let _updating = self.index.updating();
        let Some(mut index) = self.index.take_or_clone() else { return Ok(()) };
        if index.model() == Some(model) {
            // A state that could not be changed is dropped, and built again.
            index.add_vectors(vectors)?;
        }
        *self.index.newest() = Some(Arc::new(index));
        Ok(())
    }

    /// Brings a state of the index up to date, or builds one. A state that could not be brought up to date is dropped.
    fn next_index(
        &self,
        snapshot: &dyn Snapshot,
        base: Option<MemoryIndex>,
        version: IndexVersion,
    ) -> Result<MemoryIndex> {
        let model = index_model(snapshot, &version.lock, &self.options.models.embedder)?;
        // What was folded is not in the journal any more.
        let followable = snapshot.get_folded_journal()?.through..=version.position;
        let can_follow = |index: &MemoryIndex| followable.contains(&index.version.position) && index.model == model;
        match base.filter(can_follow) {
            Some(mut index) => {
                let _span = trace::follow_index();
                index.follow(snapshot, version)?;
                Ok(index)
            }
            None => {
                let _span = trace::build_index();
                let mut index = MemoryIndex::load(snapshot, version, model, &self.options.trust)?;
                index.fill(snapshot)?;
                Ok(index)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use elfmem_store_sqlite::{OpenOptions, SqliteStore};

    use super::*;
    use crate::{Clock, Options, Recall, SystemClock};

    fn memory(folder: &tempfile::TempDir) -> Memory<SqliteStore> {
        let path = folder.path().join("memory.db");
        Memory::open(SqliteStore::open(path, OpenOptions::default(), SystemClock.now()).unwrap(), Options::default())
    }

    fn look(memory: &Memory<SqliteStore>) -> usize {
        memory.recall(Recall::new("tea").preview()).unwrap().blocks.len()
    }

    #[test]
    fn a_state_is_changed_in_place_unless_somebody_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let memory = memory(&folder);
        memory.learn("tea one").unwrap();
        assert_eq!(look(&memory), 1);
        let reader = memory.index.current().unwrap();
        memory.learn("tea two").unwrap();
        assert_eq!(look(&memory), 2);
        assert_eq!((reader.len(), memory.index.current().unwrap().len()), (1, 2));
        assert!(memory.index.take_or_clone().is_some() && memory.index.current().is_none(), "taken, nobody reads it");
        assert_eq!(look(&memory), 2, "built again");
        drop(reader);
    }

    #[test]
    fn a_reader_that_was_overtaken_gets_the_state_of_its_own_snapshot() {
        let folder = tempfile::tempdir().unwrap();
        let memory = memory(&folder);
        memory.learn("tea one").unwrap();
        assert_eq!(look(&memory), 1);
        let latest = memory.latest_index();
        let first = memory.learn("tea two").unwrap().block_id;
        memory
            .read(|snapshot| {
                let position = snapshot.get_journal_position()?;
                memory.forget(first.as_str())?;
                memory.learn("tea three")?;
                memory.learn("tea four")?;
                assert_eq!(look(&memory), 3);
                let newest = memory.index.current().unwrap();
                assert!(newest.version.position > position);
                let index = memory.index_at(snapshot, latest)?;
                assert_eq!((index.version.position, index.len()), (position, 2));
                assert!(index.slot(&first).is_some() && newest.slot(&first).is_none());
                assert!(Arc::ptr_eq(&newest, &memory.index.current().unwrap()), "the newest stays published");
                // What it loads belongs to its own state.
                let links = index.links(snapshot, &[index.slot(&first).unwrap()])?;
                assert_eq!(links.len(), 1);
                Ok(())
            })
            .unwrap();
        assert_eq!(look(&memory), 3);
    }

    #[test]
    fn an_index_ahead_of_a_store_that_was_set_back_is_built_again() {
        let folder = tempfile::tempdir().unwrap();
        let memory = memory(&folder);
        memory.learn("tea one").unwrap();
        look(&memory);
        let mut ahead = memory.index.take_or_clone().unwrap();
        ahead.version.position += 100;
        *memory.index.newest() = Some(Arc::new(ahead));
        memory.learn("tea two").unwrap();
        assert_eq!(look(&memory), 2);
    }
}
