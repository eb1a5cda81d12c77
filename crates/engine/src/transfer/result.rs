//! Results of `export` and `import`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::results::counted;
use elfmem_core::BlockId;
use elfmem_store::{LeftBehind, Row};
use elfmem_text::secrets::Redactions;
use serde::Serialize;

use crate::import::ImportFormat;

/// Result of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ExportResult {
    /// Number of rows of all kinds.
    pub rows: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// Number of edges.
    pub edges: u64,
    /// Number of bytes written.
    pub bytes: u64,
    /// Whether vectors are included.
    pub vectors: bool,
    /// Rows that are not in the export.
    pub skipped: Vec<SkippedRows>,
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
        write!(f, "Exported {blocks}, {edges} and {others} ({:.0} KiB).", self.bytes as f64 / 1024.0)?;
        for skipped in &self.skipped {
            write!(f, " Not exported: {} of {} ({}).", skipped.count, skipped.places.join(", "), skipped.reason)?;
        }
        Ok(())
    }
}

/// Rows that were skipped for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SkippedRows {
    /// The reason.
    pub reason: String,
    /// Number of rows.
    pub count: u64,
    /// The locations of the first few rows.
    pub places: Vec<String>,
}

impl From<&LeftBehind> for SkippedRows {
    fn from(rows: &LeftBehind) -> Self {
        Self { reason: rows.reason.clone(), count: rows.count, places: vec![rows.what.clone()] }
    }
}

/// Maximum number of locations listed for one reason.
const MAX_LISTED_PLACES: usize = 5;

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ImportResult {
    /// The format of the file.
    pub format: ImportFormat,
    /// Number of new blocks.
    pub created: u64,
    /// Number of blocks that existed before and were merged.
    pub merged: u64,
    /// Number of blocks that existed before and got or lost tags, dates, headings or files.
    pub updated: u64,
    /// Number of blocks of earlier versions of the notes that new texts superseded.
    pub changed: u64,
    /// Number of blocks that were archived because the notes do not contain them any more.
    pub removed: u64,
    /// The folder that the notes were in before it was moved. Its documents have the names of the new folder now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Number of new edges.
    pub edges_created: u64,
    /// Number of edges that were weaker than in the file.
    pub edges_strengthened: u64,
    /// Number of other new rows: contradictions, outcomes, proposals, sessions, frames, settings.
    pub others: u64,
    /// The skipped rows by reason.
    pub skipped: Vec<SkippedRows>,
    /// Number of blocks that got a vector, from the file or from the embedder.
    pub embedded: u64,
    /// Number of secrets redacted from the texts.
    pub redacted: Redactions,
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
    /// The blocks that need a vector.
    #[serde(skip)]
    pub(super) without_vector: Vec<BlockId>,
    /// The blocks that `updated` counts.
    #[serde(skip)]
    pub(super) updated_blocks: BTreeSet<BlockId>,
}

impl ImportResult {
    /// An import of a format, with what its parser left out.
    pub(super) fn new(format: ImportFormat, left_out: &[(String, String)]) -> Self {
        let mut result = Self {
            format,
            created: 0,
            merged: 0,
            updated: 0,
            changed: 0,
            removed: 0,
            moved_from: None,
            edges_created: 0,
            edges_strengthened: 0,
            others: 0,
            skipped: Vec::new(),
            embedded: 0,
            redacted: Redactions::default(),
            dry_run: false,
            warnings: Vec::new(),
            without_vector: Vec::new(),
            updated_blocks: BTreeSet::new(),
        };
        for (reason, place) in left_out {
            result.skip(reason, || place.clone());
        }
        result
    }

    /// Records a skipped row.
    pub(super) fn skip(&mut self, reason: impl Into<String>, place: impl FnOnce() -> String) {
        let reason = reason.into();
        let known = self.skipped.iter().position(|skipped| skipped.reason == reason);
        let at = known.unwrap_or_else(|| {
            self.skipped.push(SkippedRows { reason, count: 0, places: Vec::new() });
            self.skipped.len() - 1
        });
        let skipped = &mut self.skipped[at];
        skipped.count += 1;
        if skipped.places.len() < MAX_LISTED_PLACES {
            skipped.places.push(place());
        }
    }

    /// Counts a block that got or lost tags, dates, headings or files, once.
    pub(super) fn count_updated(&mut self, id: &BlockId) {
        self.updated += u64::from(self.updated_blocks.insert(id.clone()));
    }

    /// Adds a warning for each reason why a part of what came in was not used.
    pub(super) fn warn_of(&mut self, remarks: &[(String, String)]) {
        let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (reason, place) in remarks {
            places.entry(reason).or_default().push(place);
        }
        for (reason, places) in places {
            let more = if places.len() > MAX_LISTED_PLACES { ", …" } else { "" };
            let listed = places.iter().take(MAX_LISTED_PLACES).copied().collect::<Vec<_>>().join(", ");
            self.warnings.push(format!("Not used, {}: {reason} ({listed}{more}).", places.len()));
        }
    }

    /// Returns the number of skipped rows.
    pub fn skipped_count(&self) -> u64 {
        self.skipped.iter().map(|skipped| skipped.count).sum()
    }
}

impl fmt::Display for ImportResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.dry_run { "Would import" } else { "Imported" };
        let (blocks, edges) = (counted(self.created, "block"), counted(self.edges_created, "edge"));
        write!(f, "{verb} {}: {blocks} created, {} here already", self.format.description(), self.merged)?;
        if self.updated > 0 {
            write!(f, " ({} with other tags, dates or places)", self.updated)?;
        }
        if self.changed + self.removed > 0 {
            write!(f, ", {} replaced, {} archived", self.changed, self.removed)?;
        }
        write!(f, ", {edges} created")?;
        if self.edges_strengthened > 0 {
            write!(f, ", {} strengthened", self.edges_strengthened)?;
        }
        write!(f, ", {} skipped.", self.skipped_count())?;
        if let Some(folder) = &self.moved_from {
            write!(f, " The folder was moved: it was {folder} before.")?;
        }
        self.redacted.write_suffix(f)?;
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}
