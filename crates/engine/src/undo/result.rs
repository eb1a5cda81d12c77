//! What an undo did.

use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, Operation};
use serde::Serialize;

use super::block_ids;
use super::depend::named;
use super::net::{Net, Nets};

/// Rows that a result names one by one; a dream may have touched a hundred thousand.
const NAMED: usize = 100;

/// How many rows of each kind were put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
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
    /// What outcomes did to blocks.
    pub outcomes: usize,
    /// Events.
    pub events: usize,
    /// Contexts, and what belongs to them.
    pub contexts: usize,
    /// Links, and what they did to blocks.
    pub links: usize,
}

impl UndoCounts {
    /// Rows of every kind.
    pub fn total(&self) -> usize {
        let Self { blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links } = self;
        blocks + edges + contradictions + frames + proposals + outcomes + events + contexts + links
    }
}

/// What became of one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndoEffect {
    /// Which row, in words.
    pub what: String,
    /// `removed`, `returned` or `changed_back`.
    pub effect: &'static str,
    /// The fields that were changed back.
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
pub struct UndoResult {
    /// The operation that was asked for.
    pub seq: i64,
    /// What it was.
    pub operation: OperationKind,
    /// What it had said of itself.
    pub summary: String,
    /// The operations that were taken back together.
    pub operations: Vec<i64>,
    /// Whether what was taken back was an undo, so that an earlier operation stands again.
    pub redo: bool,
    /// The number of this undo; undoing it brings the operation back. None in a rehearsal.
    pub undo_seq: Option<i64>,
    /// How many rows were put back.
    pub counts: UndoCounts,
    /// What became of the first hundred rows.
    pub effects: Vec<UndoEffect>,
    /// What could not be put back because it was purged.
    pub purged: Vec<String>,
    /// Whether this only says what would happen.
    pub dry_run: bool,
    /// What went wrong on the side and what to do about it.
    pub warnings: Vec<String>,
    #[serde(skip)]
    pub(crate) removed_blocks: Vec<BlockId>,
    #[serde(skip)]
    pub(crate) returned_blocks: Vec<BlockId>,
}

impl UndoResult {
    pub(super) fn new(seq: i64, told: &Operation, operations: Vec<i64>, nets: &Nets) -> Self {
        let mut counts = UndoCounts::default();
        let alive = || nets.iter().filter(|net| !net.purged);
        for net in alive() {
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
            operation: told.header.operation.clone(),
            summary: told.header.summary.clone(),
            operations,
            redo: told.links.undoes.is_some(),
            undo_seq: None,
            counts,
            effects: alive().take(NAMED).map(effect).collect(),
            purged: nets.iter().filter(|net| net.purged).map(|net| named(net.entity, &net.id)).collect(),
            dry_run: false,
            warnings: Vec::new(),
            removed_blocks: block_ids(alive().filter(|net| net.before.is_none())),
            returned_blocks: block_ids(alive().filter(|net| net.before.is_some() && net.is_structural())),
        }
    }
}

fn effect(net: &Net) -> UndoEffect {
    let effect = match (&net.before, &net.after) {
        (None, _) => "removed",
        (_, None) => "returned",
        _ => "changed_back",
    };
    let fields = net.fields().map(|(name, ..)| name.clone()).collect();
    UndoEffect { what: named(net.entity, &net.id), effect, fields }
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
        write!(f, " {shown} put back.")?;
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
