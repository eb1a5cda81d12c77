//! `connect`, `disconnect`, `connects`, `connect_by_query`: edges that an agent asserts (seed 000).

mod by_query;
mod disconnect;
mod error;
mod matching;
mod place;
mod spec;

use crate::results::{ConnectResult, ConnectsResult};
use elfmem_core::OperationKind;
use elfmem_store::Store;

use crate::memory::Memory;
use crate::{Error, Result};

pub use by_query::ConnectByQuery;
pub use error::ConnectError;
pub(crate) use place::{BLOCKS_OVER_CAP, assert_alike, has_blocks_over_cap, note_over_cap, relieve_blocks_over_cap};
pub use spec::{ConnectSpec, IfExists};

impl<S: Store> Memory<S> {
    /// Creates or strengthens an edge between two blocks.
    ///
    /// USE WHEN: you see a relationship between two blocks that the memory does not know, best right after
    /// [`recall`](Self::recall) or [`learn`](Self::learn), when the ids are at hand. DON'T USE WHEN: you have no ids
    /// ([`connect_by_query`](Self::connect_by_query) looks for them), or have not read the blocks. COST: instant, one durable
    /// write, no model. RETURNS: [`ConnectResult`]: `created`, `reinforced`, `updated` or `skipped`, the edge as it is stored now,
    /// the edge that gave way to it, and what was given but not stored. NEXT: [`disconnect`](Self::disconnect) takes it back;
    /// [`last_recall_block_ids`](Self::last_recall_block_ids) and
    /// [`last_learned_block_id`](Self::last_learned_block_id) hold ids.
    ///
    /// # Errors
    /// [`ConnectError`]: source and target are one block, a block is not active, a block has too many edges that may not
    /// give way, or there is an edge and [`IfExists::Error`] was asked for. A weight that is not a finite number.
    pub fn connect(&self, spec: &ConnectSpec) -> Result<ConnectResult> {
        let checked = spec.checked(self.options.secrets)?;
        self.change(OperationKind::Connect, |transaction, moment| place::place(transaction, moment, &checked))
    }

    /// Creates or strengthens many edges at once.
    ///
    /// USE WHEN: at the end of a session you have several relationships to note. DON'T USE WHEN: there is one;
    /// [`connect`](Self::connect) it. COST: instant, one durable write for all. RETURNS: [`ConnectsResult`]: a result
    /// for each edge that could be placed, counts, and a sentence for each that could not; one that fails does not stop
    /// the others. NEXT: none.
    ///
    /// # Errors
    /// Only what stops the whole batch: a store that cannot be written.
    pub fn connects(&self, specs: &[ConnectSpec]) -> Result<ConnectsResult> {
        self.change(OperationKind::ConnectMany, |transaction, moment| {
            let mut batch = ConnectsResult::default();
            for spec in specs {
                // Whatever keeps an edge from being placed is found before anything is written.
                let placed =
                    spec.checked(self.options.secrets).and_then(|checked| place::place(transaction, moment, &checked));
                match placed {
                    Ok(result) => batch.count(result),
                    Err(Error::Storage(error)) => return Err(Error::Storage(error)),
                    Err(error) => batch.errors.push(format!("{}: {error}", spec.in_short())),
                }
            }
            Ok(batch)
        })
    }
}
