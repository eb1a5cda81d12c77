//! Result of `undo`.

use std::collections::BTreeMap;
use std::fmt;

use elfmem_core::{BlockId, OperationKind};
use elfmem_store::{Entity, Operation};
use serde::Serialize;

use super::block_ids;
use super::consolidation::UndoneConsolidation;
use super::dependents::describe_row;
use super::net_change::{NetChange, NetChanges};
use super::skipped::SkippedOperation;
use crate::operations::summary_of;

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
    /// Settings that operations fit to use.
    pub settings: usize,
}

impl UndoCounts {
    /// Returns the number of rows of all kinds.
    pub fn total(&self) -> usize {
        let Self { blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links, settings } =
            self;
        blocks + edges + contradictions + frames + proposals + outcomes + events + contexts + links + settings
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
    /// The summary of the operation, without the advice that was for its moment.
    pub summary: String,
    /// The operations that were undone together.
    pub operations: Vec<i64>,
    /// Whether the undone operation was an undo, so that an earlier operation is in effect again.
    pub redo: bool,
    /// The number of this undo. Undoing it redoes the operation. `None` for a dry run.
    pub undo_seq: Option<i64>,
    /// Number of restored rows.
    pub counts: UndoCounts,
    /// What the consolidation had done that was undone. `None` for other operations.
    pub consolidated: Option<UndoneConsolidation>,
    /// What became of those rows.
    #[serde(skip)]
    pub(crate) tally: UndoTally,
    /// The effects on the first hundred rows.
    pub effects: Vec<UndoEffect>,
    /// The rows that could not be restored because they were purged.
    pub purged: Vec<String>,
    /// The later operations that were passed over, newest first. Empty if the operation was named by its number.
    pub skipped: Vec<SkippedOperation>,
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
        let mut tally = UndoTally::default();
        let restorable = || nets.iter().filter(|net| !net.purged);
        for net in restorable() {
            tally.count(net.entity, RowEffect::of(net));
        }
        let consolidated = is_dream(operation).then(|| UndoneConsolidation::of(nets));
        let summary = match &consolidated {
            // Each part of a long dream has told of itself only.
            Some(whole) if operations.len() > 1 => format!("Consolidated {whole}."),
            _ => summary_of(&operation.header.summary),
        };
        Self {
            seq,
            operation: operation.header.operation.clone(),
            summary,
            operations,
            redo: operation.links.undoes.is_some(),
            undo_seq: None,
            counts: tally.counts(),
            consolidated,
            tally,
            effects: restorable().take(MAX_LISTED_ROWS).map(effect).collect(),
            purged: nets.iter().filter(|net| net.purged).map(|net| describe_row(net.entity, &net.id)).collect(),
            skipped: Vec::new(),
            dry_run: false,
            warnings: Vec::new(),
            removed_blocks: block_ids(restorable().filter(|net| net.before.is_none())),
            returned_blocks: block_ids(restorable().filter(|net| net.before.is_some() && net.is_structural())),
        }
    }
}

/// Returns true if an operation is a dream, and not the undo of one.
fn is_dream(operation: &Operation) -> bool {
    operation.header.operation == OperationKind::Dream && operation.links.undoes.is_none()
}

fn effect(net: &NetChange) -> UndoEffect {
    let fields = net.fields().map(|(name, ..)| name.clone()).collect();
    UndoEffect { what: describe_row(net.entity, &net.id), effect: RowEffect::of(net).name(), fields }
}

/// What an undo does to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowEffect {
    Removed,
    Returned,
    ChangedBack,
}

impl RowEffect {
    fn of(net: &NetChange) -> Self {
        match (&net.before, &net.after) {
            (None, _) => Self::Removed,
            (_, None) => Self::Returned,
            _ => Self::ChangedBack,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Returned => "returned",
            Self::ChangedBack => "changed_back",
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Returned => "brought back",
            Self::ChangedBack => "changed back",
        }
    }
}

/// The number of rows by effect and kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct UndoTally(BTreeMap<(RowEffect, usize), usize>);

/// The kinds of row as they are counted in a sentence, in its order.
const ROW_NAMES: [(&str, &str); 10] = [
    ("block", "blocks"),
    ("edge", "edges"),
    ("contradiction", "contradictions"),
    ("frame", "frames"),
    ("proposal", "proposals"),
    ("outcome", "outcomes"),
    ("event", "events"),
    ("context", "contexts"),
    ("link", "links"),
    ("setting", "settings"),
];

impl UndoTally {
    fn count(&mut self, entity: Entity, effect: RowEffect) {
        let name = match entity {
            Entity::Block => 0,
            Entity::Edge => 1,
            Entity::Contradiction => 2,
            Entity::Frame => 3,
            Entity::Proposal => 4,
            Entity::Outcome => 5,
            Entity::Event => 6,
            Entity::Context | Entity::Enrolment => 7,
            Entity::Link | Entity::Effect => 8,
            Entity::Setting => 9,
            Entity::Session | Entity::Answer => return,
        };
        *self.0.entry((effect, name)).or_default() += 1;
    }

    /// Returns the number of rows by kind, whatever became of them.
    fn counts(&self) -> UndoCounts {
        let mut by_kind = [0; ROW_NAMES.len()];
        for ((_, name), count) in &self.0 {
            by_kind[*name] += count;
        }
        let [blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links, settings] = by_kind;
        UndoCounts { blocks, edges, contradictions, frames, proposals, outcomes, events, contexts, links, settings }
    }
}

/// Lists the rows by what became of them: "1 block removed; 2 edges brought back".
impl fmt::Display for UndoTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing to change");
        }
        let mut last: Option<RowEffect> = None;
        for ((effect, name), count) in &self.0 {
            match last {
                None => {}
                Some(last) if last == *effect => f.write_str(", ")?,
                Some(last) => write!(f, " {}; ", last.in_words())?,
            }
            let (one, many) = ROW_NAMES[*name];
            write!(f, "{count} {}", if *count == 1 { one } else { many })?;
            last = Some(*effect);
        }
        last.map_or(Ok(()), |last| write!(f, " {}", last.in_words()))
    }
}

impl fmt::Display for UndoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.dry_run { "Would undo" } else { "Undid" };
        write!(f, "{verb} operation {} ({}", self.seq, self.operation)?;
        if let Some(consolidated) = &self.consolidated {
            write!(f, " of {consolidated}")?;
        }
        write!(f, "): {}.", self.tally)?;
        if !self.purged.is_empty() {
            write!(f, " {} purged since and left out.", self.purged.len())?;
        }
        for skipped in &self.skipped {
            write!(f, " {skipped}")?;
        }
        if let Some(by) = self.undo_seq {
            write!(f, " Bring it back with undo(seq={by}).")?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}
