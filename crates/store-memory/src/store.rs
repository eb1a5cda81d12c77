//! The store: one state, many readers, one writer at a time.

use std::sync::{Arc, PoisonError, RwLock};

use elfmem_core::{ActiveHours, OperationKind, ScopeView, Timestamp};
use elfmem_store::{
    CheckProgress, Digest, Finding, JournalHeader, JournalRecord, RecordedChange, RecordedOperation, Snapshot, Store,
    StoreError, Transaction,
};

use crate::Result;
use crate::open::Open;
use crate::state::{State, Working};
use crate::{digest, examine};

/// A memory that lives as long as this value.
///
/// Writers take turns, and readers that begin meanwhile wait for the one that writes. A transaction that fails or panics leaves nothing
/// behind.
#[derive(Debug, Default)]
pub struct InMemoryStore {
    state: RwLock<Arc<State>>,
}

impl InMemoryStore {
    /// Makes an empty memory with the built-in frames and settings. `now` dates its first operation.
    pub fn new(now: Timestamp) -> Result<Self> {
        let store = Self::default();
        store.write(&ScopeView::default(), |transaction| {
            transaction.seed_builtin_data(now)?;
            transaction.describe(JournalHeader {
                at: now,
                active_hours: ActiveHours::ZERO,
                session: None,
                actor: "elfmem".to_owned(),
                operation: OperationKind::Create,
                summary: "Created an empty memory.".to_owned(),
            });
            Ok::<(), StoreError>(())
        })?;
        Ok(store)
    }

    /// The state as it is now.
    fn state(&self) -> Arc<State> {
        // A transaction that panicked was rolled back, so a poisoned lock guards a sound state.
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Store for InMemoryStore {
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> std::result::Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> std::result::Result<T, E>,
        E: From<StoreError>,
    {
        work(&Open::new(self.state(), view))
    }

    fn write<T, E, F>(&self, view: &ScopeView, mut work: F) -> std::result::Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> std::result::Result<T, E>,
        E: From<StoreError>,
    {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut open = Open::new(Working::new(Arc::make_mut(&mut state)), view);
        let value = work(&mut open)?;
        let Open { state, view, recorder } = open;
        let operation = match recorder.finish()? {
            Some(operation) => Some(record(&state, &view, operation)?),
            None => None,
        };
        state.keep(operation);
        Ok(value)
    }

    /// What was removed is not in memory any more, once no snapshot holds it.
    fn scrub(&self) -> Result<bool> {
        Ok(true)
    }

    fn examine(&self, view: &ScopeView, progress: CheckProgress<'_>) -> Result<Vec<Finding>> {
        Ok(examine::examine(&self.state(), view, progress))
    }

    fn repair(&self, _: &ScopeView, _: &JournalHeader) -> Result<()> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut state).rebuild();
        Ok(())
    }

    fn digest(&self) -> Result<Digest> {
        digest::digest(&self.state())
    }

    /// The length of all rows and operations as JSON: about what they take in memory.
    fn bytes(&self) -> Result<u64> {
        digest::size(&self.state())
    }

    fn location(&self) -> String {
        "memory".to_owned()
    }
}

/// The operation of a transaction, as the journal keeps it.
fn record(state: &State, view: &ScopeView, operation: RecordedOperation) -> Result<JournalRecord> {
    let RecordedOperation { header, links, changes } = operation;
    let seq = state.journal.last().map_or(1, |last| last.seq + 1);
    let changes = changes.iter().map(RecordedChange::parse).collect::<Result<Vec<_>>>()?;
    let (scope, changed) = (Some(view.own().clone()), changes.len() as u64);
    Ok(JournalRecord { seq, scope, header, links, changed, changes })
}
