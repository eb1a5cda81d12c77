//! The tables, and how a file comes to have them.
//!
//! The version is stamped into the file's header when the tables are made (`user_version`), together with a mark that
//! says whose file it is (`application_id`). Migrations are numbered functions, run in order inside one transaction.

use elfmem_store::StoreError;
use rusqlite::Connection;

use crate::errors::OrStoreError;
use crate::journal;

/// "elfm" in the file's header.
pub(crate) const APPLICATION_ID: i64 = 0x656C_666D;

/// The newest schema this code knows. Each released version adds a migration; none is ever edited.
pub(crate) const VERSION: i64 = 3;

/// Tables of seeds 003, 000 and 004, with the design's columns. Edges live in their key: those of a block are looked at together, and
/// a row somewhere else for each would be a page for each.
pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS blocks (
    id TEXT NOT NULL PRIMARY KEY,
    content TEXT NOT NULL,
    category TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'inbox',
    archive_reason TEXT,
    confidence REAL NOT NULL DEFAULT 0.5,
    reinforcement_count INTEGER NOT NULL DEFAULT 0,
    decay_lambda REAL NOT NULL DEFAULT 0.01,
    last_reinforced_at REAL NOT NULL DEFAULT 0.0,
    self_alignment REAL,
    embedding BLOB,
    embedding_model TEXT,
    token_count INTEGER,
    last_session_id TEXT
);
CREATE TABLE IF NOT EXISTS block_tags (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    CONSTRAINT uq_block_tag UNIQUE (block_id, tag)
);
CREATE TABLE IF NOT EXISTS edges (
    from_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    to_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    weight REAL NOT NULL,
    reinforcement_count INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    CONSTRAINT uq_edge PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contradictions (
    block_a_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    block_b_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    score REAL NOT NULL,
    resolved INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    CONSTRAINT uq_contradiction UNIQUE (block_a_id, block_b_id)
);
CREATE TABLE IF NOT EXISTS frames (
    name TEXT NOT NULL PRIMARY KEY,
    weights_json TEXT NOT NULL,
    filters_json TEXT NOT NULL,
    guarantees_json TEXT NOT NULL DEFAULT '[]',
    template TEXT NOT NULL,
    token_budget INTEGER NOT NULL,
    cache_json TEXT,
    source TEXT NOT NULL DEFAULT 'user',
    created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT NOT NULL PRIMARY KEY,
    task_type TEXT NOT NULL DEFAULT 'general',
    started_at TEXT NOT NULL,
    ended_at TEXT,
    start_active_hours REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS system_config (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS block_outcomes (
    id TEXT NOT NULL PRIMARY KEY,
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    signal REAL NOT NULL,
    weight REAL NOT NULL,
    source TEXT NOT NULL,
    confidence_before REAL NOT NULL,
    confidence_after REAL NOT NULL,
    created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS co_retrieval_staging (
    from_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    to_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    CONSTRAINT uq_staging PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS staged_vectors (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    embedding BLOB,
    PRIMARY KEY (block_id, model)
);
CREATE TABLE IF NOT EXISTS journal (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    active_hours REAL NOT NULL,
    session_id TEXT,
    actor TEXT NOT NULL,
    operation TEXT NOT NULL,
    summary TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS journal_touched (
    seq INTEGER PRIMARY KEY,
    ids TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS proposals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    other_id TEXT REFERENCES blocks (id) ON DELETE CASCADE,
    tag TEXT,
    score REAL NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    created_at TEXT NOT NULL,
    settled_at TEXT
);
CREATE TABLE IF NOT EXISTS tombstones (
    block_id TEXT NOT NULL PRIMARY KEY,
    scope TEXT NOT NULL,
    purged_at TEXT NOT NULL,
    actor TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    payload TEXT NOT NULL,
    content TEXT NOT NULL,
    links TEXT NOT NULL DEFAULT '[]',
    context_id TEXT,
    block_id TEXT,
    session_id TEXT,
    happened_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS contexts (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id, scope)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS enrolments (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    context_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    is_primary INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (block_id, context_id, scope)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS links (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    from_end TEXT NOT NULL,
    link_type TEXT NOT NULL,
    to_end TEXT NOT NULL,
    origin TEXT NOT NULL,
    event_id TEXT,
    note TEXT,
    created_at TEXT NOT NULL,
    CONSTRAINT uq_link UNIQUE (scope, from_end, link_type, to_end)
);
CREATE TABLE IF NOT EXISTS link_effects (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    from_end TEXT NOT NULL,
    link_type TEXT NOT NULL,
    to_end TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    confidence_before REAL NOT NULL,
    confidence_after REAL NOT NULL,
    evidence_before REAL NOT NULL,
    created_at TEXT NOT NULL,
    ceiling REAL,
    PRIMARY KEY (block_id, from_end, link_type, to_end)
) WITHOUT ROWID;
";

/// Columns that later seeds and the design add, as `(table, column, declaration)`. Their order is the order of columns in a new file.
pub(crate) const ADDED_COLUMNS: &[(&str, &str, &str)] = &[
    ("edges", "relation_type", "TEXT NOT NULL DEFAULT 'similar'"),
    ("edges", "origin", "TEXT NOT NULL DEFAULT 'similarity'"),
    ("edges", "last_active_hours", "REAL"),
    ("edges", "note", "TEXT"),
    ("edges", "asserted_from", "TEXT"),
    ("blocks", "scope", "TEXT NOT NULL DEFAULT 'default'"),
    ("blocks", "summary", "TEXT"),
    ("blocks", "outcome_evidence", "REAL NOT NULL DEFAULT 0.0"),
    ("blocks", "pinned", "INTEGER NOT NULL DEFAULT 0"),
    ("blocks", "cue", "TEXT"),
    ("blocks", "event_at", "TEXT"),
    ("blocks", "superseded_by", "TEXT"),
    ("blocks", "source_peer", "TEXT"),
    ("blocks", "share", "TEXT NOT NULL DEFAULT 'private'"),
    ("blocks", "envelope_json", "TEXT"),
    ("blocks", "last_scored_at", "TEXT"),
    ("blocks", "revision", "INTEGER NOT NULL DEFAULT 0"),
    ("blocks", "surface", "TEXT"),
    ("blocks", "client", "TEXT"),
    ("blocks", "document_name", "TEXT"),
    ("co_retrieval_staging", "sessions", "TEXT"),
    ("block_outcomes", "outcome_id", "TEXT"),
    ("block_outcomes", "evidence_before", "REAL"),
    ("block_outcomes", "sequence", "INTEGER NOT NULL DEFAULT 0"),
    ("block_outcomes", "ceiling", "REAL"),
    ("contradictions", "reason", "TEXT"),
    ("contradictions", "note", "TEXT"),
    ("sessions", "kind", "TEXT NOT NULL DEFAULT 'held'"),
    ("sessions", "last_seen_at", "TEXT"),
    ("proposals", "text", "TEXT"),
    ("journal", "run", "TEXT"),
    ("journal", "undoes", "INTEGER"),
    ("journal", "changed", "INTEGER NOT NULL DEFAULT 0"),
    ("journal", "changes_json", "TEXT NOT NULL DEFAULT '[]'"),
];

/// What recall reads of every block that is searched, and nothing else: a tenth of the pages of `blocks`. All of it is derived
/// (`search.rs` keeps it in step and can make it anew): the number of the block in the full-text index, its length, its
/// place in the order of storing, and its vector in the coarse form. What moves with every use is not in it. Below it the
/// full-text index: our own terms in a contentless table.
pub(crate) const SEARCH: &str = "
CREATE TABLE IF NOT EXISTS search_documents (
    document INTEGER PRIMARY KEY,
    block_id TEXT NOT NULL UNIQUE REFERENCES blocks (id),
    length INTEGER NOT NULL,
    scope TEXT NOT NULL,
    place INTEGER NOT NULL,
    happened_at INTEGER NOT NULL,
    asking INTEGER NOT NULL,
    source TEXT NOT NULL,
    session TEXT,
    cue TEXT,
    model TEXT,
    coarse BLOB,
    origin TEXT NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS search_terms USING fts5 (
    content, cue, tags, content = '', contentless_delete = 1, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE IF NOT EXISTS search_instances USING fts5vocab (search_terms, 'instance');
";

/// Indexes of the seeds, then ours.
pub(crate) const INDEXES: &str = "
CREATE INDEX IF NOT EXISTS idx_blocks_status ON blocks (status);
CREATE INDEX IF NOT EXISTS idx_blocks_last_reinforced ON blocks (last_reinforced_at);
CREATE INDEX IF NOT EXISTS idx_block_tags_tag ON block_tags (tag);
CREATE INDEX IF NOT EXISTS idx_block_tags_block_id ON block_tags (block_id);
CREATE INDEX IF NOT EXISTS idx_edges_from ON edges (from_id);
CREATE INDEX IF NOT EXISTS idx_edges_to ON edges (to_id);
CREATE INDEX IF NOT EXISTS idx_contradictions_unresolved ON contradictions (block_a_id, block_b_id) WHERE resolved = 0;
CREATE INDEX IF NOT EXISTS idx_contradictions_b ON contradictions (block_b_id);
CREATE INDEX IF NOT EXISTS idx_blocks_id_scope ON blocks (id, scope);
CREATE INDEX IF NOT EXISTS idx_blocks_other_scope ON blocks (scope) WHERE scope <> 'default';
CREATE INDEX IF NOT EXISTS idx_block_outcomes_block_id ON block_outcomes (block_id, sequence);
CREATE INDEX IF NOT EXISTS idx_sessions_open ON sessions (started_at) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS idx_journal_run ON journal (run) WHERE run IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_journal_undoes ON journal (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_journal_handed_out ON journal (session_id) WHERE operation IN ('recall', 'frame');
CREATE INDEX IF NOT EXISTS idx_blocks_superseded_by ON blocks (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_proposals_block ON proposals (block_id);
CREATE INDEX IF NOT EXISTS idx_proposals_other ON proposals (other_id) WHERE other_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_events_block ON events (block_id) WHERE block_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_events_context ON events (context_id) WHERE context_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_events_recorded ON events (recorded_at, number);
CREATE INDEX IF NOT EXISTS idx_enrolments_context ON enrolments (context_id);
CREATE INDEX IF NOT EXISTS idx_links_from ON links (from_end);
CREATE INDEX IF NOT EXISTS idx_links_to ON links (to_end);
CREATE INDEX IF NOT EXISTS idx_link_effects_link ON link_effects (from_end, to_end);
";

/// Makes every table, column and index that is missing, and stamps the file. Safe on a file that has some of them.
pub(crate) fn complete(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(TABLES).or_store_error()?;
    for (table, column, declaration) in ADDED_COLUMNS {
        if !columns_of(connection, table)?.iter().any(|name| name == column) {
            let sql = format!("ALTER TABLE {table} ADD COLUMN {column} {declaration}");
            connection.execute_batch(&sql).or_store_error()?;
        }
    }
    let searched = columns_of(connection, "search_documents")?;
    if !searched.is_empty() && !searched.iter().any(|name| name == "origin") {
        // Of an older form, and derived: whoever completes an older file makes its rows anew.
        connection.execute_batch("DROP TABLE search_documents").or_store_error()?;
    }
    if !columns_of(connection, "journal_changes")?.is_empty() {
        journal::gather_changes(connection)?;
    }
    connection.execute_batch(SEARCH).or_store_error()?;
    connection.execute_batch(INDEXES).or_store_error()?;
    stamp(connection)
}

fn stamp(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "application_id", APPLICATION_ID).or_store_error()?;
    connection.pragma_update(None, "user_version", VERSION).or_store_error()
}

/// The names of a table's columns; empty when there is no such table.
pub(crate) fn columns_of(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT name FROM pragma_table_info(?1)").or_store_error()?;
    let names = statement.query_map([table], |row| row.get(0)).or_store_error()?;
    names.collect::<rusqlite::Result<_>>().or_store_error()
}

/// The version stamped into the file.
pub(crate) fn version_of(connection: &Connection) -> Result<i64, StoreError> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).or_store_error()
}

/// Whether the file carries our mark.
pub(crate) fn is_marked(connection: &Connection) -> Result<bool, StoreError> {
    let mark: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).or_store_error()?;
    Ok(mark == APPLICATION_ID)
}
