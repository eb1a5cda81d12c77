//! Edges that an agent asserts: `connect`, `connects`, `connect_by_query` and `disconnect` (seed 000).

mod by_query;
mod cap;
mod disconnect;
mod error;
mod matching;
mod place;
mod request;
mod spec;

use crate::results::{ConnectResult, ConnectsResult};
use elfmem_core::OperationKind;
use elfmem_store::Store;

use crate::memory::Memory;
use crate::trace;
use crate::{Error, Result};

pub(crate) use cap::{degree_cap, store_degree_cap};
pub use error::ConnectError;
pub(crate) use place::{BLOCKS_OVER_CAP, connect_similar, has_blocks_over_cap, record_over_cap, trim_blocks_over_cap};
pub use request::{Connect, ConnectByQuery, ConnectMany, Disconnect, IfExists};

impl<S: Store> Memory<S> {
    /// Creates or strengthens an edge between two blocks. See [`Connect`].
    ///
    /// Blocks that wait in the inbox are promoted first. The answer holds the edge as it is stored now, the edge that gave way to it, and what was given but not stored.
    ///
    /// # Errors
    /// [`ConnectError`]: source and target are one block, a block is not active, a block has too many edges that may not
    /// give way, or there is an edge and [`IfExists::Error`] was asked for. A weight that is not a finite number.
    pub fn connect(&self, request: impl Into<Connect>) -> Result<ConnectResult> {
        let _span = trace::verb("connect");
        let spec = request.into();
        let checked = spec.checked(self.options.secrets)?;
        let promotion = self.plan_promotion_of_ends(&[(&checked.source, &checked.target)])?;
        self.change(OperationKind::Connect, |transaction, moment| {
            place::place_promoting(transaction, moment, &checked, &promotion)
        })
    }

    /// Creates or strengthens many edges in one transaction. See [`ConnectMany`].
    ///
    /// An edge that cannot be placed does not stop the others; the answer has a sentence for each.
    ///
    /// # Errors
    /// Only what stops the whole batch: a store that cannot be written.
    pub fn connects(&self, request: impl Into<ConnectMany>) -> Result<ConnectsResult> {
        let _span = trace::verb("connects");
        let ConnectMany { edges } = request.into();
        let ends: Vec<(&str, &str)> = edges.iter().map(|spec| (spec.source.trim(), spec.target.trim())).collect();
        let promotion = self.plan_promotion_of_ends(&ends)?;
        self.change(OperationKind::ConnectMany, |transaction, moment| {
            let mut batch = ConnectsResult::default();
            for spec in &edges {
                // Whatever keeps an edge from being placed is found before anything is written.
                let placed = spec
                    .checked(self.options.secrets)
                    .and_then(|checked| place::place_promoting(transaction, moment, &checked, &promotion));
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
