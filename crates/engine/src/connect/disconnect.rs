//! `disconnect`: take an edge back.

use std::fmt;

use crate::results::{DisconnectAction, DisconnectResult, one_line};
use elfmem_core::{BlockId, EdgeKey, OperationKind};
use elfmem_store::{Snapshot, Store};

use super::Disconnect;
use crate::memory::{Memory, resolve};
use crate::secrets::checked_remark;
use crate::trace;
use crate::{Error, Result};

/// The longest reason for taking an edge back, in bytes.
const LONGEST_REASON: usize = 4_096;

/// What was done, with the reason that the journal and the history keep.
struct Reasoned<'a> {
    result: DisconnectResult,
    reason: Option<&'a str>,
}

impl fmt::Display for Reasoned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.result.fmt(f)?;
        match self.reason {
            Some(reason) => write!(f, " Reason: {}", one_line(reason)),
            None => Ok(()),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Removes the edge between two blocks. See [`Disconnect`].
    ///
    /// # Errors
    /// Ids that cannot be ids or could be several; a reason that is no text or too long.
    pub fn disconnect(&self, request: impl Into<Disconnect>) -> Result<DisconnectResult> {
        let _span = trace::verb("disconnect");
        let Disconnect { source, target, guard_relation, reason } = request.into();
        let reason = checked_remark("reason", reason.as_deref(), LONGEST_REASON, self.options.secrets)?;
        let done = self.change(OperationKind::Disconnect, |transaction, _| {
            let (source_id, target_id) = (named(transaction, &source)?, named(transaction, &target)?);
            let key = EdgeKey::canonical(&source_id, &target_id);
            let edge = key.map(|key| transaction.get_edge(&key)).transpose()?.flatten();
            let (action, removed) = match edge {
                None => (DisconnectAction::NotFound, None),
                Some(edge)
                    if guard_relation.as_ref().is_some_and(|guard| guard.trim() != edge.relation_type.as_str()) =>
                {
                    (DisconnectAction::Guarded, None)
                }
                Some(edge) => {
                    transaction.remove_edge(&edge)?;
                    (DisconnectAction::Removed, Some(edge))
                }
            };
            let result = DisconnectResult {
                source_id,
                target_id,
                action,
                removed_relation: removed.as_ref().map(|edge| edge.relation_type.clone()),
                removed_weight: removed.map(|edge| edge.weight),
            };
            Ok(Reasoned { result, reason: reason.as_deref() })
        })?;
        Ok(done.result)
    }
}

/// The block that is named; one that does not exist has no edges either.
fn named(snapshot: &dyn Snapshot, text: &str) -> Result<BlockId> {
    match resolve(snapshot, text) {
        Err(Error::UnknownBlock { id }) => Ok(BlockId::from_stored(&id)),
        other => other,
    }
}
