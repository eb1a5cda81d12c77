//! What went out and what came in.

use std::fmt;

use crate::results::counted;
use elfmem_core::BlockId;
use elfmem_store::Row;
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use crate::import::Format;

/// Result of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ExportResult {
    /// Rows of every kind.
    pub rows: u64,
    /// Blocks.
    pub blocks: u64,
    /// Edges.
    pub edges: u64,
    /// How much was written.
    pub bytes: u64,
    /// Whether vectors went along.
    pub vectors: bool,
}

impl ExportResult {
    pub(super) fn count(&mut self, row: &Row) {
        self.rows += 1;
        match row {
            Row::Block(_) => self.blocks += 1,
            Row::Edge(_) => self.edges += 1,
            _ => {}
        }
    }
}

impl fmt::Display for ExportResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blocks, edges) = (counted(self.blocks, "block"), counted(self.edges, "edge"));
        let others = counted(self.rows.saturating_sub(self.blocks + self.edges), "other row");
        write!(f, "Exported {blocks}, {edges} and {others} ({:.0} KiB).", self.bytes as f64 / 1024.0)
    }
}

/// Rows that were not taken, for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedRows {
    /// Why not.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// Where the first few of them stand.
    pub places: Vec<String>,
}

/// Places that a reason names.
const NAMED: usize = 5;

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportResult {
    /// What the file was read as.
    pub format: Format,
    /// Blocks that are new here.
    pub created: u64,
    /// Blocks that were here already; what the file knew beyond that was added.
    pub merged: u64,
    /// Edges that are new here.
    pub edges_created: u64,
    /// Edges that were here and weaker than in the file.
    pub edges_strengthened: u64,
    /// Other rows that are new here: contradictions, outcomes, proposals, sessions, frames, settings.
    pub others: u64,
    /// What was not taken, and why.
    pub skipped: Vec<SkippedRows>,
    /// Blocks that got a vector, from the file or made anew.
    pub embedded: u64,
    /// Secrets that were taken out of what came in.
    pub redacted: Redactions,
    /// Whether this only says what would happen.
    pub dry_run: bool,
    /// What went wrong on the side and what to do about it.
    pub warnings: Vec<String>,
    /// Blocks that still need a vector.
    #[serde(skip)]
    pub(super) without_vector: Vec<BlockId>,
}

impl ImportResult {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            created: 0,
            merged: 0,
            edges_created: 0,
            edges_strengthened: 0,
            others: 0,
            skipped: Vec::new(),
            embedded: 0,
            redacted: Redactions::default(),
            dry_run: false,
            warnings: Vec::new(),
            without_vector: Vec::new(),
        }
    }

    /// Notes that something was not taken.
    pub(super) fn skip(&mut self, reason: impl Into<String>, place: impl FnOnce() -> String) {
        let reason = reason.into();
        let known = self.skipped.iter().position(|skipped| skipped.reason == reason);
        let at = known.unwrap_or_else(|| {
            self.skipped.push(SkippedRows { reason, count: 0, places: Vec::new() });
            self.skipped.len() - 1
        });
        let skipped = &mut self.skipped[at];
        skipped.count += 1;
        if skipped.places.len() < NAMED {
            skipped.places.push(place());
        }
    }

    /// How many rows were not taken.
    pub fn skipped_count(&self) -> u64 {
        self.skipped.iter().map(|skipped| skipped.count).sum()
    }
}

impl fmt::Display for ImportResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.dry_run { "Would import" } else { "Imported" };
        let (blocks, edges) = (counted(self.created, "block"), counted(self.edges_created, "edge"));
        write!(
            f,
            "{verb} {}: {blocks} created, {} here already, {edges} created",
            self.format.in_words(),
            self.merged
        )?;
        if self.edges_strengthened > 0 {
            write!(f, ", {} strengthened", self.edges_strengthened)?;
        }
        write!(f, ", {} skipped.", self.skipped_count())?;
        self.redacted.write_suffix(f)?;
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}
