//! What an adoption found, changed and kept.

use std::fmt;
use std::path::PathBuf;

use elfmem_core::BlockId;
use elfmem_core::eviction::DEGREE_CAP;
use elfmem_store::{BadRow, LeftBehind, StoreError};
use elfmem_text::phrase::counted;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::KEPT_TABLES;
use crate::errors::OrStoreError;
use crate::schema::columns_of;

/// The rows of an adopted memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AdoptionCounts {
    /// Blocks in the inbox.
    pub inbox: u64,
    /// Active blocks.
    pub active: u64,
    /// Archived blocks.
    pub archived: u64,
    /// Edges.
    pub edges: u64,
    /// Contradictions.
    pub contradictions: u64,
    /// Outcomes.
    pub outcomes: u64,
    /// Sessions.
    pub sessions: u64,
    /// Frames of the user.
    pub frames: u64,
    /// Peers, kept for later.
    pub peers: u64,
    /// Amendments, kept for later.
    pub amendments: u64,
}

/// A conversion of rows, with how many it changed or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Conversion {
    /// What was done.
    pub what: String,
    /// How many rows.
    pub count: u64,
    /// Whether the rows were removed. The backup has them.
    pub removed: bool,
}

/// How a database of the Python elfmem was taken over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Adoption {
    /// The schema version of the Python elfmem.
    pub schema: i64,
    /// The copy that was made before; none for a database that is itself a copy.
    pub backup: Option<PathBuf>,
    /// The rows that the memory has now.
    pub counts: AdoptionCounts,
    /// What was changed.
    pub conversions: Vec<Conversion>,
    /// Rows that could not be read and were left out.
    pub left_out: Vec<BadRow>,
    /// Blocks with more edges than the degree cap, by their short ids. The next dream drops the weakest edges of each.
    #[serde(default)]
    pub over_degree_cap: Vec<String>,
}

impl Adoption {
    pub(super) fn new(schema: i64) -> Self {
        Self { schema, ..Self::default() }
    }

    /// Notes that rows were changed, unless there were none.
    pub(super) fn changed(&mut self, count: usize, what: &str) {
        self.note(count, what, false);
    }

    /// Notes that rows were removed, unless there were none.
    pub(super) fn removed(&mut self, count: usize, what: &str) {
        self.note(count, what, true);
    }

    fn note(&mut self, count: usize, what: &str, removed: bool) {
        if count > 0 {
            self.conversions.push(Conversion { what: what.to_owned(), count: count as u64, removed });
        }
    }

    /// Counts the rows of the memory.
    pub(super) fn count(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let count = |table: &str, condition: &str| -> Result<u64, StoreError> {
            if columns_of(connection, table)?.is_empty() {
                return Ok(0);
            }
            let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
            connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs).or_store_error()
        };
        let [peers, amendments] = KEPT_TABLES;
        self.counts = AdoptionCounts {
            inbox: count("blocks", "status = 'inbox'")?,
            active: count("blocks", "status = 'active'")?,
            archived: count("blocks", "status = 'archived'")?,
            edges: count("edges", "1")?,
            contradictions: count("contradictions", "1")?,
            outcomes: count("block_outcomes", "1")?,
            sessions: count("sessions", "1")?,
            frames: count("frames", "source <> 'builtin'")?,
            peers: count(peers, "1")?,
            amendments: count(amendments, "1")?,
        };
        self.over_degree_cap = blocks_over_cap(connection)?;
        Ok(())
    }

    /// Names the rows that were removed or left out.
    pub(crate) fn left_behind(&self) -> Vec<LeftBehind> {
        let removed = self.conversions.iter().filter(|conversion| conversion.removed);
        let removed = removed.map(|conversion| LeftBehind {
            what: "rows".to_owned(),
            count: conversion.count,
            reason: conversion.what.clone(),
        });
        let left_out = self.left_out.iter().map(|row| LeftBehind {
            what: format!("{} '{}'", row.table, row.name),
            count: 1,
            reason: row.problem.clone(),
        });
        removed.chain(left_out).collect()
    }

    /// The sentence that the journal keeps.
    pub fn summary(&self) -> String {
        let AdoptionCounts { inbox, active, archived, edges, outcomes, .. } = &self.counts;
        let (edges, outcomes) = (counted(*edges, "edge"), counted(*outcomes, "outcome"));
        format!(
            "Took over a database of the Python elfmem (schema {}): {active} active, {inbox} inbox and {archived} \
             archived blocks, {edges}, {outcomes}.",
            self.schema
        )
    }
}

impl fmt::Display for Adoption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary())?;
        let AdoptionCounts { contradictions, sessions, frames, peers, amendments, .. } = &self.counts;
        let found = [(contradictions, "contradiction"), (sessions, "session"), (frames, "own frame")];
        writeln!(f, "Also found: {}.", found.map(|(count, noun)| counted(*count, noun)).join(", "))?;
        if peers + amendments > 0 {
            let (peers, amendments) = (counted(*peers, "peer"), counted(*amendments, "amendment"));
            writeln!(f, "Kept for later, as no verb uses them yet: {peers}, {amendments}.")?;
        }
        for conversion in &self.conversions {
            let verb = if conversion.removed { "Removed" } else { "Changed" };
            writeln!(f, "{verb} {}: {}.", conversion.count, conversion.what)?;
        }
        for row in &self.left_out {
            writeln!(f, "Left out {row}.")?;
        }
        if !self.over_degree_cap.is_empty() {
            let (blocks, cap) = (self.over_degree_cap.join(", "), DEGREE_CAP);
            writeln!(f, "More than {cap} edges: {blocks}. The next dream drops the weakest of each.")?;
        }
        match &self.backup {
            Some(backup) => write!(f, "The database as it was is {}.", backup.display()),
            None => write!(f, "The database itself stays as it is."),
        }
    }
}

/// Returns the short ids of the blocks with more edges than the degree cap.
fn blocks_over_cap(connection: &Connection) -> Result<Vec<String>, StoreError> {
    if columns_of(connection, "edges")?.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "SELECT id FROM (SELECT from_id AS id FROM edges UNION ALL SELECT to_id FROM edges) \
               GROUP BY id HAVING count(*) > ?1 ORDER BY id";
    let mut statement = connection.prepare(sql).or_store_error()?;
    let short = |row: &rusqlite::Row<'_>| Ok(BlockId::from_stored(&row.get::<_, String>(0)?).short().to_owned());
    let rows = statement.query_map([DEGREE_CAP as i64], short).or_store_error()?;
    rows.collect::<rusqlite::Result<_>>().or_store_error()
}
