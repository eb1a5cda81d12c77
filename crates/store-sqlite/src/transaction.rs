//! One open transaction, bound to a view. What it reads and writes is in [`crate::access`].

use std::cell::OnceCell;

use elfmem_core::ScopeView;
use elfmem_store::{Recorder, StoreError};
use rusqlite::Connection;

use crate::journal;
use crate::visibility::{Sight, sees_everything, visible_scopes};

/// A connection inside `BEGIN … COMMIT`, bound to a view.
pub(crate) struct SqliteTransaction<'c> {
    pub(crate) connection: &'c Connection,
    pub(crate) view: ScopeView,
    /// The visible scopes between separators.
    pub(crate) scopes: String,
    /// Whether the view sees all scopes, once that was asked. No other scope can appear during a transaction.
    sees_everything: OnceCell<bool>,
    pub(crate) recorder: Recorder,
    /// Whether the connection was given a larger page cache than usual.
    pub(crate) has_large_cache: bool,
}

impl<'c> SqliteTransaction<'c> {
    pub(crate) fn new(connection: &'c Connection, view: &ScopeView) -> Self {
        Self {
            connection,
            view: view.clone(),
            scopes: visible_scopes(view),
            sees_everything: OnceCell::new(),
            recorder: Recorder::default(),
            has_large_cache: false,
        }
    }

    /// The scope that new rows go to.
    pub(crate) fn own_scope(&self) -> &str {
        self.view.own().as_str()
    }

    /// Appends the recorded changes to the journal, if there are any.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        match self.recorder.finish()? {
            Some(operation) => journal::append(self.connection, self.view.own().as_str(), &operation),
            None => Ok(()),
        }
    }

    pub(crate) fn sight(&self) -> Result<Sight<'_>, StoreError> {
        let everything = match self.sees_everything.get() {
            Some(everything) => *everything,
            None => {
                let everything = sees_everything(self.connection, &self.scopes)?;
                *self.sees_everything.get_or_init(|| everything)
            }
        };
        Ok(Sight { scopes: &self.scopes, everything })
    }
}
