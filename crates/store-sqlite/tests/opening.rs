//! Opening files: new ones, old ones, other people's, broken ones.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use elfmem_core::{BlockId, BlockStatus, ScopeView, Tag, Timestamp};
use elfmem_store::{BlockQuery, JournalQuery, Snapshot, Store, StoreError, Transaction};
use elfmem_store_sqlite::{OpenOptions, SqliteStore, Synchronous};
use rusqlite::Connection;

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, OpenOptions::default(), Timestamp::constant(1_800_000_000, 0))
}

fn read<T>(store: &SqliteStore, work: impl FnOnce(&dyn Snapshot) -> Result<T, StoreError>) -> T {
    store.read(&ScopeView::default(), work).unwrap()
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Refused, and neither the file nor its folder changed.
fn refused(path: &Path) -> StoreError {
    let before = (std::fs::read(path).unwrap(), files_in(path.parent().unwrap()));
    let error = open(path).unwrap_err();
    assert_eq!((std::fs::read(path).unwrap(), files_in(path.parent().unwrap())), before, "{error}");
    assert!(!error.recovery().is_empty());
    error
}

fn columns(connection: &Connection, table: &str) -> Vec<String> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
    let names = statement.query_map([table], |row| row.get(0)).unwrap();
    names.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn a_new_file_has_every_table_column_constraint_and_index_of_the_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    for (table, wanted) in [
        (
            "blocks",
            "id content category source created_at status archive_reason confidence reinforcement_count decay_lambda \
             last_reinforced_at self_alignment embedding embedding_model token_count last_session_id scope summary \
             outcome_evidence pinned cue event_at superseded_by source_peer share envelope_json last_scored_at revision",
        ),
        ("block_tags", "block_id tag"),
        ("edges", "from_id to_id weight reinforcement_count created_at relation_type origin last_active_hours note"),
        ("contradictions", "block_a_id block_b_id score resolved created_at"),
        ("frames", "name weights_json filters_json guarantees_json template token_budget cache_json source created_at"),
        ("sessions", "id task_type started_at ended_at start_active_hours"),
        ("system_config", "key value"),
        ("block_outcomes", "id block_id signal weight source confidence_before confidence_after created_at"),
        ("co_retrieval_staging", "from_id to_id count"),
    ] {
        let found = columns(&connection, table);
        for column in wanted.split_whitespace() {
            assert!(found.iter().any(|name| name == column), "{table} has no column {column}");
        }
    }
    let schema: String =
        connection.query_row("SELECT group_concat(sql, char(10)) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
    for name in [
        "uq_block_tag",
        "uq_edge",
        "uq_contradiction",
        "idx_blocks_status",
        "idx_blocks_last_reinforced",
        "idx_block_tags_tag",
        "idx_block_tags_block_id",
        "idx_edges_from",
        "idx_edges_to",
        "idx_contradictions_unresolved",
        "ON DELETE CASCADE",
    ] {
        assert!(schema.contains(name), "the schema does not mention {name}");
    }
}

#[test]
fn columns_have_the_defaults_of_the_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    for (table, column, expected) in [
        ("blocks", "status", "'inbox'"),
        ("blocks", "confidence", "0.5"),
        ("blocks", "reinforcement_count", "0"),
        ("blocks", "decay_lambda", "0.01"),
        ("blocks", "last_reinforced_at", "0.0"),
        ("edges", "reinforcement_count", "0"),
        ("contradictions", "resolved", "0"),
        ("frames", "guarantees_json", "'[]'"),
        ("frames", "source", "'user'"),
        ("sessions", "task_type", "'general'"),
    ] {
        let sql = "SELECT dflt_value FROM pragma_table_info(?1) WHERE name = ?2";
        let default: Option<String> = connection.query_row(sql, [table, column], |row| row.get(0)).unwrap();
        assert_eq!(default.as_deref(), Some(expected), "{table}.{column}");
    }
    let partial: i64 = connection
        .query_row(
            "SELECT partial FROM pragma_index_list('contradictions') WHERE name = 'idx_contradictions_unresolved'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(partial, 1);
    let created: String = connection.query_row("SELECT min(created_at) FROM frames", [], |row| row.get(0)).unwrap();
    assert_eq!(created, "2027-01-15T08:00:00.000000+00:00");
}

#[test]
fn a_memory_whose_clock_was_never_set_reads_zero() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    Connection::open(&path).unwrap().execute("DELETE FROM system_config", []).unwrap();
    assert_eq!(read(&open(&path).unwrap(), |snapshot| snapshot.get_total_active_hours()).get(), 0.0);
}

#[test]
fn test_edges_table_has_relation_type_column() {
    edge_column_default("relation_type", Some("'similar'"));
}

#[test]
fn test_edges_table_has_origin_column() {
    edge_column_default("origin", Some("'similarity'"));
}

#[test]
fn test_edges_table_has_last_active_hours_column() {
    edge_column_default("last_active_hours", None);
}

#[test]
fn test_edges_table_has_note_column() {
    edge_column_default("note", None);
}

fn edge_column_default(column: &str, expected: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let default: Option<String> = Connection::open(&path)
        .unwrap()
        .query_row("SELECT dflt_value FROM pragma_table_info('edges') WHERE name = ?1", [column], |row| row.get(0))
        .unwrap();
    assert_eq!(default.as_deref(), expected);
}

#[test]
fn test_insert_edge_defaults_to_similar_origin_similarity() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = open(&path).unwrap();
    let [a, b] = ["a fact", "b fact"].map(elfmem_store::conformance::block);
    let (from, to) = if a.id < b.id { (a.id.clone(), b.id.clone()) } else { (b.id.clone(), a.id.clone()) };
    store
        .write::<_, StoreError, _>(&ScopeView::default(), |transaction| {
            transaction.insert_block(&a)?;
            transaction.insert_block(&b)?;
            transaction.describe(elfmem_store::conformance::header("a change"));
            Ok(())
        })
        .unwrap();
    let sql =
        "INSERT INTO edges (from_id, to_id, weight, created_at) VALUES (?1, ?2, 0.7, '2026-01-01T00:00:00+00:00')";
    Connection::open(&path).unwrap().execute(sql, [from.as_str(), to.as_str()]).unwrap();
    let key = elfmem_core::EdgeKey { from_id: from, to_id: to };
    let edge =
        store.read::<_, StoreError, _>(&ScopeView::default(), |snapshot| snapshot.get_edge(&key)).unwrap().unwrap();
    assert_eq!((edge.relation_type.as_str(), edge.origin.as_str()), ("similar", "similarity"));
    assert_eq!((edge.reinforcement_count, edge.last_active_hours, edge.note), (0, None, None));
}

#[test]
fn deleting_a_row_by_hand_cascades_to_tags_edges_and_contradictions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = ON;
             INSERT INTO blocks (id, content, category, source, created_at) VALUES
                ('a', 'x', 'knowledge', 'api', '2026-01-01T00:00:00+00:00'),
                ('b', 'y', 'knowledge', 'api', '2026-01-01T00:00:00+00:00'),
                ('0', 'z', 'knowledge', 'api', '2026-01-01T00:00:00+00:00');
             INSERT INTO block_tags VALUES ('a', 't');
             INSERT INTO edges (from_id, to_id, weight, created_at) VALUES ('a', 'b', 0.5, '2026-01-01T00:00:00+00:00');
             INSERT INTO edges (from_id, to_id, weight, created_at) VALUES ('0', 'a', 0.5, '2026-01-01T00:00:00+00:00');
             INSERT INTO contradictions (block_a_id, block_b_id, score, created_at)
                VALUES ('a', 'b', 0.9, '2026-01-01T00:00:00+00:00'), ('0', 'a', 0.9, '2026-01-01T00:00:00+00:00');
             DELETE FROM blocks WHERE id = 'a';",
        )
        .unwrap();
    let left: i64 = connection
        .query_row(
            "SELECT (SELECT count(*) FROM block_tags) + (SELECT count(*) FROM edges) + (SELECT count(*) FROM contradictions)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 0);
}

#[test]
fn a_new_file_makes_no_backup_and_closes_into_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join("er").join("memory.db");
    drop(open(&path).unwrap());
    assert_eq!(files_in(path.parent().unwrap()), ["memory.db"]);
    drop(open(&path).unwrap());
    assert_eq!(files_in(path.parent().unwrap()), ["memory.db"]);
}

#[test]
fn connections_use_the_pragmas_of_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    for (synchronous, expected) in [(Synchronous::Normal, 1), (Synchronous::Full, 2)] {
        let path = folder.path().join(format!("{expected}.db"));
        let options = OpenOptions { synchronous, ..OpenOptions::default() };
        let store = SqliteStore::open(&path, options, Timestamp::UNIX_EPOCH).unwrap();
        let check = || {
            assert_eq!(store.pragma("journal_mode").unwrap(), "wal");
            assert_eq!(store.pragma("foreign_keys").unwrap(), "1");
            assert_eq!(store.pragma("synchronous").unwrap(), expected.to_string());
            assert_eq!(store.pragma("cache_size").unwrap(), "-32000");
            assert_eq!(store.pragma("temp_store").unwrap(), "2");
            assert_ne!(store.pragma("busy_timeout").unwrap(), "0");
            let pages: i64 = store.pragma("wal_autocheckpoint").unwrap().parse().unwrap();
            assert_eq!(store.pragma("journal_size_limit").unwrap(), (pages * 4096).to_string());
        };
        check();
        // Whoever reads holds a connection: the next one asks another.
        let view = ScopeView::default();
        let nested = store.read(&view, |_| {
            check();
            store.read(&view, |_| {
                check();
                Ok::<_, StoreError>(())
            })
        });
        nested.unwrap();
    }
}

fn python_copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elfmem.db");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/python-0.15.db"), &path).unwrap();
    (folder, path)
}

#[test]
fn a_python_database_opens_in_place_with_everything_it_held() {
    let (_folder, path) = python_copy();
    let store = open(&path).unwrap();
    let counts = read(&store, |snapshot| snapshot.get_block_counts());
    assert_eq!((counts.inbox, counts.active, counts.archived), (1, 4, 1));
    let deploys = read(&store, |snapshot| snapshot.get_block(&BlockId::from_stored("16c099c41936aa36"))).unwrap();
    assert_eq!(deploys.content, "Deploys go out on Tuesdays after the stand-up");
    assert_eq!((deploys.status, deploys.tags.clone()), (BlockStatus::Active, vec![Tag::from_stored("topic/release")]));
    assert_eq!((deploys.outcome_evidence.get(), deploys.reinforcement_count), (1.0, 4));
    assert!((deploys.confidence.get() - 0.633_333_333_333_333_3).abs() < 1e-12);
    let edges = read(&store, |snapshot| snapshot.get_edges_for_block(&deploys.id));
    assert_eq!((edges.len(), edges[0].relation_type.as_str(), edges[0].origin.as_str()), (1, "supports", "agent"));
    assert_eq!(edges[0].note.as_deref(), Some("the deploy touches the database"));
    let vectors = read(&store, |snapshot| {
        let models = snapshot.get_vector_models()?;
        snapshot.get_vectors(&models[0].0, None)
    });
    assert!(vectors.len() == 4 && vectors.iter().all(|found| found.vector.len() == 64));
    // Its vectors are of length one: the numbers were read as they were written.
    for found in &vectors {
        let length: f32 = found.vector.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
    assert!(read(&store, |snapshot| snapshot.get_total_active_hours()).get() > 0.0);
    let holding = |word: &str| -> Vec<BlockId> {
        read(&store, |snapshot| snapshot.get_postings(word)).into_iter().map(|(id, _)| id).collect()
    };
    assert_eq!(holding("deploy"), [deploys.id]);
    assert!(holding("rain").is_empty(), "archived blocks are not searched");
    assert_eq!(read(&store, |snapshot| snapshot.list_frames()).len(), 5);
    let task = read(&store, |snapshot| snapshot.get_frame("self")).unwrap();
    assert_eq!(task.guarantees, ["self/constitutional"]);
    let journal = read(&store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
    assert_eq!(journal[0].header.operation, "adopt");
}

#[test]
fn a_python_database_is_backed_up_first_and_only_once() {
    let (folder, path) = python_copy();
    let original = std::fs::read(&path).unwrap();
    drop(open(&path).unwrap());
    drop(open(&path).unwrap());
    let backups: Vec<String> = files_in(folder.path()).into_iter().filter(|name| name.ends_with(".bak")).collect();
    assert_eq!(backups, ["elfmem.db.before-v9.20270115-080000.bak"]);
    let rows = |path: &Path| -> i64 {
        Connection::open(path).unwrap().query_row("SELECT count(*) FROM blocks", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(rows(&folder.path().join(&backups[0])), 6);
    assert_ne!(std::fs::read(&path).unwrap(), original);
}

#[test]
fn a_python_database_with_an_unfinished_log_opens_with_what_the_log_holds() {
    let (folder, path) = python_copy();
    let writer = Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    writer.execute("UPDATE blocks SET content = 'changed in the log' WHERE status = 'inbox'", []).unwrap();
    // Copying while the writer is open leaves the log as a crash would.
    let crashed = folder.path().join("crashed.db");
    for suffix in ["", "-wal"] {
        let name = |base: &Path| PathBuf::from(format!("{}{suffix}", base.display()));
        std::fs::copy(name(&path), name(&crashed)).unwrap();
    }
    let store = open(&crashed).unwrap();
    let inbox = read(&store, |snapshot| {
        let query = BlockQuery { status: Some(BlockStatus::Inbox), ..BlockQuery::default() };
        snapshot.list_blocks(&query)
    });
    assert_eq!(inbox[0].content, "changed in the log");
}

#[test]
fn a_database_from_before_connect_opens_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("early.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "CREATE TABLE blocks (id TEXT PRIMARY KEY, content TEXT NOT NULL, category TEXT NOT NULL, source TEXT NOT NULL,
                created_at TEXT NOT NULL, status TEXT NOT NULL, archive_reason TEXT, confidence REAL NOT NULL,
                reinforcement_count INTEGER NOT NULL, decay_lambda REAL NOT NULL, last_reinforced_at REAL NOT NULL,
                self_alignment REAL, embedding BLOB, embedding_model TEXT, token_count INTEGER, last_session_id TEXT);
             CREATE TABLE block_tags (block_id TEXT NOT NULL, tag TEXT NOT NULL, UNIQUE (block_id, tag));
             CREATE TABLE edges (from_id TEXT NOT NULL, to_id TEXT NOT NULL, weight REAL NOT NULL,
                reinforcement_count INTEGER NOT NULL, created_at TEXT NOT NULL, UNIQUE (from_id, to_id));
             CREATE TABLE system_config (key TEXT PRIMARY KEY, value TEXT NOT NULL);
             INSERT INTO blocks VALUES ('b1', 'an early block', 'knowledge', 'api', '2026-03-01T10:00:00+00:00', 'active',
                NULL, 0.7, 2, 0.01, 1.5, NULL, NULL, NULL, 4, NULL),
                ('a1', 'another', 'knowledge', 'api', '2026-03-01T10:00:00+00:00', 'active',
                NULL, 0.7, 2, 0.01, 1.5, NULL, NULL, NULL, 4, NULL);
             INSERT INTO edges VALUES ('b1', 'a1', 0.8, 0, '2026-03-01T10:00:00+00:00'), ('a1', 'a1', 0.8, 0, '2026-03-01T10:00:00+00:00');",
        )
        .unwrap();
    let store = open(&path).unwrap();
    let edges = read(&store, |snapshot| snapshot.get_edges_for_block(&BlockId::from_stored("b1")));
    assert_eq!(edges.len(), 1);
    assert_eq!((edges[0].key.from_id.as_str(), edges[0].relation_type.as_str()), ("a1", "similar"));
    assert_eq!(edges[0].origin.as_str(), "similarity");
    assert_eq!(read(&store, |snapshot| snapshot.list_blocks(&BlockQuery::default())).len(), 2);
}

#[test]
fn other_files_are_refused_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "just some notes, longer than a header ".repeat(9)).unwrap();
    assert!(matches!(refused(&text), StoreError::NotElfmem { .. }));
    let stranger = folder.path().join("stranger.db");
    Connection::open(&stranger)
        .unwrap()
        .execute_batch("CREATE TABLE customers (id); CREATE TABLE blocks (x);")
        .unwrap();
    assert!(matches!(refused(&stranger), StoreError::NotElfmem { .. }));
    let walled = folder.path().join("walled.db");
    Connection::open(&walled)
        .unwrap()
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE customers (id); INSERT INTO customers VALUES (1);")
        .unwrap();
    assert!(matches!(refused(&walled), StoreError::NotElfmem { .. }));
}

#[test]
fn newer_files_are_refused_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("ours.db");
    drop(open(&ours).unwrap());
    Connection::open(&ours).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(refused(&ours), StoreError::Newer { found: 99, .. }));
    let (_folder, python) = python_copy();
    Connection::open(&python)
        .unwrap()
        .execute("UPDATE system_config SET value = '10' WHERE key = 'schema_version'", [])
        .unwrap();
    assert!(matches!(refused(&python), StoreError::Newer { found: 10, known: 9, .. }));
}

#[test]
fn damaged_files_are_refused_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.db");
    drop(open(&cut).unwrap());
    let whole = std::fs::read(&cut).unwrap();
    std::fs::write(&cut, &whole[..50]).unwrap();
    assert!(matches!(refused(&cut), StoreError::NotElfmem { .. }));
    std::fs::write(&cut, &whole[..whole.len() / 3]).unwrap();
    let error = refused(&cut);
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    for page in [2, 5, 12, 20] {
        let (_folder, python) = python_copy();
        let mut bytes = std::fs::read(&python).unwrap();
        bytes[4096 * page..4096 * (page + 1)].fill(0xA5);
        std::fs::write(&python, bytes).unwrap();
        let error = refused(&python);
        assert!(matches!(error, StoreError::Damaged { .. }), "page {page}: {error:?}");
    }
}

#[test]
fn a_folder_and_a_place_that_cannot_exist_are_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Unreachable { reason, .. } if reason.contains("folder")));
    std::fs::write(folder.path().join("file"), "").unwrap();
    let error = open(&folder.path().join("file").join("memory.db")).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
}

#[test]
fn a_full_disk_is_a_clear_error_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { most_pages: Some(70), ..OpenOptions::default() };
    let store = SqliteStore::open(folder.path().join("memory.db"), options, Timestamp::UNIX_EPOCH).unwrap();
    let big = elfmem_store::conformance::block(&"long words to fill the disk ".repeat(2_000));
    let mut stored = 0;
    let error = loop {
        let mut block = big.clone();
        block.id = BlockId::for_content(&format!("copy {stored}"));
        let written = store.write(&ScopeView::default(), |transaction: &mut dyn Transaction| {
            transaction.describe(elfmem_store::conformance::header("fill"));
            transaction.insert_block(&block)
        });
        match written {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    assert_eq!(read(&store, |snapshot| snapshot.get_inbox_count()), stored);
}

#[test]
fn eight_openers_of_one_new_file_all_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| open(&path).unwrap());
        }
    });
    let journal = read(&open(&path).unwrap(), |snapshot| snapshot.get_journal(&JournalQuery::default()));
    assert_eq!(journal.len(), 1, "the file was made once");
}

#[test]
fn an_edge_without_a_relation_or_an_origin_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    drop(open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    let insert = |relation: &str, origin: &str| {
        let sql = format!(
            "INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin) \
             VALUES ('a', 'b', 0.5, 0, '2026-03-01T10:00:00+00:00', {relation}, {origin})"
        );
        connection.execute(&sql, [])
    };
    assert!(insert("NULL", "'agent'").is_err() && insert("'similar'", "NULL").is_err());
    assert_eq!(insert("'similar'", "'agent'").unwrap(), 1);
}

#[test]
fn a_log_that_grew_long_at_once_gives_the_disk_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = open(&path).unwrap();
    let most: u64 = store.pragma("journal_size_limit").unwrap().parse().unwrap();
    let length = || std::fs::metadata(folder.path().join("memory.db-wal")).unwrap().len();
    let learn = |texts: std::ops::Range<u64>, bytes: usize| {
        let stored: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
            transaction.describe(elfmem_store::conformance::header("test"));
            texts.clone().try_for_each(|number| {
                // Without words there is little to index.
                let text = format!("{number} {}", "-".repeat(bytes));
                transaction.insert_block(&elfmem_store::conformance::block(&text))
            })
        });
        stored.unwrap();
    };
    learn(0..most / 60_000 + 50, 60_000);
    assert!(length() > most, "{} bytes", length());
    learn(10_000..10_001, 10);
    assert!(length() <= most, "{} bytes", length());
}
