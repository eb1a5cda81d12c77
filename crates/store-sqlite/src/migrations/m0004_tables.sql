-- The tables of seeds 003, 000 and 004 with the columns that the design adds.
-- `position` is an explicit key where the order of insertion matters: VACUUM may renumber a plain rowid.
CREATE TABLE blocks (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
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
    last_session_id TEXT,
    scope TEXT NOT NULL DEFAULT 'default',
    summary TEXT,
    outcome_evidence REAL NOT NULL DEFAULT 0.0,
    pinned INTEGER NOT NULL DEFAULT 0,
    cue TEXT,
    event_at TEXT,
    superseded_by TEXT,
    source_peer TEXT,
    share TEXT NOT NULL DEFAULT 'private',
    envelope_json TEXT,
    last_scored_at TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    surface TEXT,
    client TEXT,
    document_name TEXT
);
CREATE TABLE block_tags (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    CONSTRAINT uq_block_tag UNIQUE (block_id, tag)
);
-- Edges are stored in their key: those of a block are read together, and a separate row for each would be a page for each.
CREATE TABLE edges (
    from_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    to_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    weight REAL NOT NULL,
    reinforcement_count INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    relation_type TEXT NOT NULL DEFAULT 'similar',
    origin TEXT NOT NULL DEFAULT 'similarity',
    last_active_hours REAL,
    note TEXT,
    asserted_from TEXT,
    CONSTRAINT uq_edge PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;
CREATE TABLE contradictions (
    position INTEGER PRIMARY KEY,
    block_a_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    block_b_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    score REAL NOT NULL,
    resolved INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    reason TEXT,
    note TEXT,
    CONSTRAINT uq_contradiction UNIQUE (block_a_id, block_b_id)
);
CREATE TABLE frames (
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
CREATE TABLE sessions (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    task_type TEXT NOT NULL DEFAULT 'general',
    started_at TEXT NOT NULL,
    ended_at TEXT,
    start_active_hours REAL NOT NULL,
    kind TEXT NOT NULL DEFAULT 'held',
    last_seen_at TEXT
);
CREATE TABLE system_config (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE block_outcomes (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    signal REAL NOT NULL,
    weight REAL NOT NULL,
    source TEXT NOT NULL,
    confidence_before REAL NOT NULL,
    confidence_after REAL NOT NULL,
    created_at TEXT NOT NULL,
    outcome_id TEXT,
    evidence_before REAL,
    sequence INTEGER NOT NULL DEFAULT 0,
    ceiling REAL
);
CREATE TABLE co_retrieval_staging (
    from_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    to_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    count INTEGER NOT NULL,
    sessions TEXT,
    CONSTRAINT uq_staging PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;
CREATE TABLE staged_vectors (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    embedding BLOB,
    PRIMARY KEY (block_id, model)
);
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    active_hours REAL NOT NULL,
    session_id TEXT,
    actor TEXT NOT NULL,
    operation TEXT NOT NULL,
    summary TEXT NOT NULL,
    run TEXT,
    undoes INTEGER,
    changed INTEGER NOT NULL DEFAULT 0,
    changes_json TEXT NOT NULL DEFAULT '[]'
);
CREATE TABLE journal_touched (
    seq INTEGER PRIMARY KEY,
    ids TEXT NOT NULL
);
CREATE TABLE proposals (
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
    settled_at TEXT,
    text TEXT
);
CREATE TABLE tombstones (
    position INTEGER PRIMARY KEY,
    block_id TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    purged_at TEXT NOT NULL,
    actor TEXT NOT NULL
);
CREATE TABLE events (
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
CREATE TABLE contexts (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id, scope)
) WITHOUT ROWID;
CREATE TABLE enrolments (
    block_id TEXT NOT NULL REFERENCES blocks (id) ON DELETE CASCADE,
    context_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    is_primary INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (block_id, context_id, scope)
) WITHOUT ROWID;
CREATE TABLE links (
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
CREATE TABLE link_effects (
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
-- Derived: what recall reads of every searched block, a tenth of the pages of `blocks`. `document` is the rowid in
-- `search_terms`, `place` the block's position, `coarse` its vector in the coarse form. Values that change with every
-- use are not in it. Below it the full-text index: our own terms in a contentless table.
CREATE TABLE search_documents (
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
CREATE VIRTUAL TABLE search_terms USING fts5 (
    content, cue, tags, content = '', contentless_delete = 1, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE search_instances USING fts5vocab (search_terms, 'instance');
