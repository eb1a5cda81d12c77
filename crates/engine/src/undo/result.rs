//! Result of `undo`.

use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, Operation};
use serde::Serialize;

use super::block_ids;
use super::dependents::describe_row;
use super::net_change::{NetChange, NetChanges};

/// Maximum number of rows listed in a result. A dream may change a hundred thousand.
const MAX_LISTED_ROWS: usize = 100;

/// Number of restored rows by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct UndoCounts {
    /// Blocks.
    pub blocks: usize,
    /// Edges.
    pub edges: usize,
    /// Contradictions.
    pub contradictions: usize,
    /// Frames.
    pub frames: usize,
    /// Proposals.
    pub proposals: usize,
    /// Outcome records.
    pub outcomes: usize,
    /// Events.
    pub events: usize,
    /// Contexts and enrolments.
    pub contexts: usize,
    /// Links and their effects.
    pub links: usize,
}

impl UndoCounts {
    /// Returns the number of rows of all kinds.
    pub fn total(&self) -> usize {
        let Self { blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links } = self;
        blocks + edges + contradictions + frames + proposals + outcomes + events + contexts + links
    }
}

/// The effect of an undo on one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UndoEffect {
    /// A description of the row.
    pub what: String,
    /// `removed`, `returned` or `changed_back`.
    pub effect: &'static str,
    /// The reverted fields.
    pub fields: Vec<String>,
}

impl fmt::Display for UndoEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.effect {
            "removed" => write!(f, "- {}", self.what),
            "returned" => write!(f, "+ {}", self.what),
            _ => write!(f, "~ {}: {}", self.what, self.fields.join(", ")),
        }
    }
}

/// Result of `undo`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UndoResult {
    /// The requested operation.
    pub seq: i64,
    /// The kind of operation.
    pub operation: OperationKind,
    /// The summary of the operation.
    pub summary: String,
    /// The operations that were undone together.
    pub operations: Vec<i64>,
    /// Whether the undone operation was an undo, so that an earlier operation is in effect again.
    pub redo: bool,
    /// The number of this undo. Undoing it redoes the operation. `None` for a dry run.
    pub undo_seq: Option<i64>,
    /// Number of restored rows.
    pub counts: UndoCounts,
    /// The effects on the first hundred rows.
    pub effects: Vec<UndoEffect>,
    /// The rows that could not be restored because they were purged.
    pub purged: Vec<String>,
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
    #[serde(skip)]
    pub(crate) removed_blocks: Vec<BlockId>,
    #[serde(skip)]
    pub(crate) returned_blocks: Vec<BlockId>,
}

impl UndoResult {
    pub(super) fn new(seq: i64, operation: &Operation, operations: Vec<i64>, nets: &NetChanges) -> Self {
        let mut counts = UndoCounts::default();
        let restorable = || nets.iter().filter(|net| !net.purged);
        for net in restorable() {
            match net.entity {
                Entity::Block => counts.blocks += 1,
                Entity::Edge => counts.edges += 1,
                Entity::Contradiction => counts.contradictions += 1,
                Entity::Frame => counts.frames += 1,
                Entity::Proposal => counts.proposals += 1,
                Entity::Outcome => counts.outcomes += 1,
                Entity::Event => counts.events += 1,
                Entity::Context | Entity::Enrolment => counts.contexts += 1,
                Entity::Link | Entity::Effect => counts.links += 1,
                Entity::Session => {}
            }
        }
        Self {
            seq,
            operation: operation.header.operation.clone(),
            summary: operation.header.summary.clone(),
            operations,
            redo: operation.links.undoes.is_some(),
            undo_seq: None,
            counts,
            effects: restorable().take(MAX_LISTED_ROWS).map(effect).collect(),
            purged: nets.iter().filter(|net| net.purged).map(|net| describe_row(net.entity, &net.id)).collect(),
            dry_run: false,
            warnings: Vec::new(),
            removed_blocks: block_ids(restorable().filter(|net| net.before.is_none())),
            returned_blocks: block_ids(restorable().filter(|net| net.before.is_some() && net.is_structural())),
        }
    }
}

fn effect(net: &NetChange) -> UndoEffect {
    let effect = match (&net.before, &net.after) {
        (None, _) => "removed",
        (_, None) => "returned",
        _ => "changed_back",
    };
    let fields = net.fields().map(|(name, ..)| name.clone()).collect();
    UndoEffect { what: describe_row(net.entity, &net.id), effect, fields }
}

impl fmt::Display for UndoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.dry_run { "Would undo" } else { "Undid" };
        write!(f, "{verb} operation {} ({}):", self.seq, self.operation)?;
        let UndoCounts { blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links } =
            self.counts;
        let mut parts = Vec::new();
        for (count, one, many) in [
            (blocks, "block", "blocks"),
            (edges, "edge", "edges"),
            (contradictions, "contradiction", "contradictions"),
            (frames, "frame", "frames"),
            (proposals, "proposal", "proposals"),
            (outcomes, "outcome", "outcomes"),
            (events, "event", "events"),
            (contexts, "context", "contexts"),
            (links, "link", "links"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        let shown = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        write!(f, " {shown} restored.")?;
        if !self.purged.is_empty() {
            write!(f, " {} purged since and left out.", self.purged.len())?;
        }
        if let Some(by) = self.undo_seq {
            write!(f, " Bring it back with undo {by}.")?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}
