//! What a consolidation had done, in the numbers of its own result, read from the rows that its undo restores.

use std::fmt;

use elfmem_store::Entity;
use serde::Serialize;
use serde_json::{Map, Value};

use super::net_change::{NetChange, NetChanges};

/// The counts of a consolidation that was undone; they are those of its
/// [`ConsolidateResult`](crate::ConsolidateResult).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct UndoneConsolidation {
    /// Number of blocks that were processed and are in the inbox again.
    pub processed: usize,
    /// Number of blocks that had become active.
    pub promoted: usize,
    /// Number of blocks that had been archived as duplicates.
    pub deduplicated: usize,
    /// Number of blocks that had been archived because they were out of date.
    pub updated: usize,
    /// Number of edges that had been created.
    pub edges_created: usize,
}

impl fmt::Display for UndoneConsolidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processed, promoted, deduplicated, edges_created, .. } = self;
        write!(f, "{processed}: {promoted} promoted, {deduplicated} deduped, {edges_created} edges")?;
        match self.updated {
            0 => Ok(()),
            updated => write!(f, ", {updated} outdated replaced"),
        }
    }
}

impl UndoneConsolidation {
    /// Counts the rows that a consolidation changed.
    pub(super) fn of(nets: &NetChanges) -> Self {
        let mut counts = Self::default();
        for net in nets.iter() {
            match net.entity {
                Entity::Block => counts.add_block(net),
                Entity::Edge => counts.edges_created += usize::from(net.before.is_none()),
                _ => {}
            }
        }
        counts
    }

    fn add_block(&mut self, net: &NetChange) {
        let was = text(net.before.as_ref(), "status");
        let replacement = net.after.as_ref().and_then(|after| after.get("replacement"));
        let kind = replacement.and_then(|replacement| replacement.get("kind")).and_then(Value::as_str);
        if was == Some("inbox") {
            self.processed += 1;
            // What was replaced by a later block of the same dream had been promoted before.
            let promoted =
                text(net.after.as_ref(), "status") == Some("active") || kind.is_some_and(|kind| kind != "duplicate");
            self.promoted += usize::from(promoted);
        }
        match kind {
            Some("update") => self.updated += 1,
            Some(_) => self.deduplicated += 1,
            None => {}
        }
    }
}

fn text<'a>(fields: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a str> {
    fields?.get(name)?.as_str()
}
