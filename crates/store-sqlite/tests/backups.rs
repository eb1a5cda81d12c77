//! Backups, going back to them, and reading memories that stay as they are.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::conformance::{active, block, edge, header};
use elfmem_store::{Row, Store, StoreError};
use elfmem_store_sqlite::{BadRows, Maker, OpenOptions, Overwrite, RestoreReport, RunMode, SqliteStore, restore};
use rusqlite::Connection;

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, OpenOptions::default(), NOW).unwrap()
}

fn learn(store: &SqliteStore, text: &str) {
    let stored: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("learn"));
        transaction.insert_block(&block(text))
    });
    stored.unwrap();
}

fn rows(store: &SqliteStore) -> Vec<Row> {
    let mut rows = Vec::new();
    let visited: Result<(), StoreError> = store.read(&ScopeView::default(), |snapshot| {
        snapshot.visit_rows(elfmem_store::Vectors::Include, &mut |row| {
            rows.push(row);
            ControlFlow::Continue(())
        })
    });
    visited.unwrap();
    rows
}

fn texts(store: &SqliteStore) -> Vec<String> {
    let text = |row: Row| match row {
        Row::Block(row) => Some(row.block.content),
        _ => None,
    };
    rows(store).into_iter().filter_map(text).collect()
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A memory of two joined blocks.
fn small(path: &Path) -> SqliteStore {
    let store = open(path);
    let (a, b) = (active("one"), active("two"));
    let stored: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("learn"));
        transaction.insert_block(&a)?;
        transaction.insert_block(&b)?;
        transaction.put_edge(&edge(&a, &b, 0.5))
    });
    stored.unwrap();
    store
}

fn quiet(_: u64, _: u64) {}

fn go_back(path: &Path, backup: &Path) -> Result<RestoreReport, StoreError> {
    restore(path, backup, None, NOW, RunMode::Write, &mut quiet)
}

#[test]
fn a_backup_is_a_whole_checked_copy_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = small(&folder.path().join("memory.db"));
    let target = folder.path().join("copy.db");
    let mut steps = Vec::new();
    let report =
        store.backup(&target, Overwrite::Refuse, RunMode::Write, &mut |done, all| steps.push((done, all))).unwrap();
    assert_eq!((report.blocks, report.edges, report.operations), (2, 1, 2));
    assert_eq!(report.bytes, std::fs::metadata(&target).unwrap().len());
    assert!(steps.last().is_some_and(|(done, all)| done == all && *all > 0));
    assert_eq!(
        files_in(folder.path()),
        ["copy.db", "memory.db", "memory.db-position", "memory.db-shm", "memory.db-wal"]
    );
    assert_eq!(rows(&open(&target)), rows(&store));
    assert!(report.to_string().starts_with("Backed up 2 blocks, 1 edge and 2 operations to "), "{report}");
}

#[test]
fn a_backup_is_made_while_others_write_and_holds_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = small(&path);
    for number in 0..200 {
        learn(&store, &format!("{number} {}", "filling ".repeat(400)));
    }
    let others = open(&path);
    let mut written = 0;
    let target = folder.path().join("copy.db");
    let report = store.backup(&target, Overwrite::Refuse, RunMode::Write, &mut |_, _| {
        learn(&others, &format!("written meanwhile {written}"));
        written += 1;
    });
    assert_eq!(report.unwrap().blocks, 202);
    assert!(written > 0);
    assert_eq!(texts(&open(&target)).len(), 202);
    assert_eq!(texts(&store).len(), 202 + written);
}

#[test]
fn a_backup_does_not_replace_a_file_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = small(&folder.path().join("memory.db"));
    let target = folder.path().join("mine.txt");
    std::fs::write(&target, "mine").unwrap();
    let error = store.backup(&target, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }) && error.recovery().contains("replaced"), "{error}");
    assert_eq!(std::fs::read(&target).unwrap(), b"mine");
    assert!(store.backup(&target, Overwrite::Replace, RunMode::Write, &mut quiet).unwrap().replaced);
    assert_eq!(texts(&open(&target)), ["one", "two"]);
    for bad in [folder.path().join("memory.db"), folder.path().to_owned(), folder.path().join("no/such/folder.db")] {
        assert!(store.backup(&bad, Overwrite::Replace, RunMode::Write, &mut quiet).is_err(), "{}", bad.display());
    }
    assert_eq!(texts(&store), ["one", "two"]);
}

#[test]
fn rehearsing_a_backup_or_a_restore_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = small(&path);
    let backup = folder.path().join("backup.db");
    let told = store.backup(&backup, Overwrite::Refuse, RunMode::DryRun, &mut quiet).unwrap();
    assert!(told.dry_run && told.blocks == 2 && told.bytes > 0 && !backup.exists());
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    learn(&store, "later");
    drop(store);
    let before = (files_in(folder.path()), std::fs::read(&path).unwrap());
    let told = restore(&path, &backup, None, NOW, RunMode::DryRun, &mut quiet).unwrap();
    assert_eq!((told.blocks, told.blocks_before, told.dry_run), (2, Some(3), true));
    assert_eq!((files_in(folder.path()), std::fs::read(&path).unwrap()), before);
    assert!(told.to_string().contains("would be kept as"), "{told}");
}

#[test]
fn restoring_keeps_the_present_memory_aside_as_a_dated_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let backup = folder.path().join("backup.db");
    let store = small(&path);
    let then = rows(&store);
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    learn(&store, "later");
    let later = rows(&store);
    drop(store);
    let report = go_back(&path, &backup).unwrap();
    let kept = report.kept.clone().unwrap();
    assert_eq!(kept.file_name().unwrap(), "memory.db.before-restore.20270115-080000.bak");
    assert_eq!(rows(&open(&path)), then);
    assert_eq!(rows(&open(&kept)), later);
    // The way back: what was kept is a backup like any other. Twice in one second does not collide.
    let again = go_back(&path, &kept).unwrap();
    assert_eq!(rows(&open(&path)), later);
    assert_ne!(again.kept, report.kept);
}

#[test]
fn restoring_where_nothing_is_makes_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup.db");
    small(&folder.path().join("memory.db")).backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    let path = folder.path().join("deep/er/memory.db");
    let report = go_back(&path, &backup).unwrap();
    assert_eq!((report.kept, report.blocks_before), (None, None));
    assert_eq!(texts(&open(&path)), ["one", "two"]);
}

#[test]
fn restoring_is_refused_while_another_has_the_memory_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let backup = folder.path().join("backup.db");
    let store = small(&path);
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    learn(&store, "later");
    let error = go_back(&path, &backup).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }) && !error.recovery().is_empty(), "{error}");
    assert_eq!(texts(&store), ["one", "two", "later"]);
    learn(&store, "and goes on");
    drop(store);
    go_back(&path, &backup).unwrap();
    assert_eq!(texts(&open(&path)), ["one", "two"]);
}

#[test]
fn a_damaged_memory_is_moved_aside_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let backup = folder.path().join("backup.db");
    small(&path).backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 4;
    bytes[middle..].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let report = go_back(&path, &backup).unwrap();
    assert_eq!(report.blocks_before, None);
    assert_eq!(std::fs::read(report.kept.unwrap()).unwrap(), bytes);
    assert_eq!(texts(&open(&path)), ["one", "two"]);
}

#[test]
fn what_is_no_good_backup_is_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = small(&path);
    let good = folder.path().join("good.db");
    store.backup(&good, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    drop(store);
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut bytes = std::fs::read(&good).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x5a);
    let stranger = folder.path().join("stranger.db");
    Connection::open(&stranger).unwrap().execute_batch("CREATE TABLE songs (id); CREATE TABLE bands (id);").unwrap();
    let before = std::fs::read(&path).unwrap();
    for bad in [
        file("damaged.db", &bytes),
        file("text.txt", b"not a database"),
        file("empty.db", b""),
        folder.path().join("missing.db"),
        folder.path().to_owned(),
        path.clone(),
        stranger.clone(),
    ] {
        let error = go_back(&path, &bad).unwrap_err();
        assert!(!error.recovery().is_empty(), "{}: {error}", bad.display());
        assert_eq!(std::fs::read(&path).unwrap(), before, "{}", bad.display());
    }
    // Neither does a restore write over a file of another program.
    let theirs = std::fs::read(&stranger).unwrap();
    assert!(matches!(go_back(&stranger, &good).unwrap_err(), StoreError::NotElfmem { .. }));
    assert_eq!(std::fs::read(&stranger).unwrap(), theirs);
}

fn python(version: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agent.db");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let sql = std::fs::read_to_string(fixtures.join(format!("python-{version}.sql"))).unwrap();
    Connection::open(&path).unwrap().execute_batch(&sql).unwrap();
    (folder, path)
}

#[test]
fn copies_of_python_databases_of_both_schemas_hold_the_same_and_the_files_stay_as_they_were() {
    let copied = ["0.15", "0.20"].map(|version| {
        let (folder, path) = python(version);
        let before = (files_in(folder.path()), std::fs::read(&path).unwrap());
        let (copy, maker) = SqliteStore::copy_of(&path, None, BadRows::Refuse, NOW, &mut quiet).unwrap();
        assert_eq!(maker, Maker::Python);
        let found = rows(&copy);
        drop(copy);
        assert_eq!((files_in(folder.path()), std::fs::read(&path).unwrap()), before);
        found
    });
    let block = |rows: &[Row], text: &str| {
        let is_it = |row: &Row| matches!(row, Row::Block(row) if row.block.content == text);
        let Some(Row::Block(row)) = rows.iter().find(|row| is_it(row)).cloned() else { panic!("no {text}") };
        row
    };
    for found in &copied {
        let deploys = block(found, "Deploys go out on Tuesdays").block;
        assert_eq!((deploys.confidence.get(), deploys.outcome_evidence.get()), (0.75, 3.0));
        assert_eq!((deploys.reinforcement_count, deploys.tags.len()), (7, 1));
        let port = block(found, "The staging database listens on port 5433").block;
        assert_eq!((port.confidence.get(), port.outcome_evidence.get()), (0.25, 1.0));
        assert_eq!(block(found, "Maria is allergic to peanuts").provenance.source_peer.as_deref(), Some("elf:ada"));
        let edges: Vec<_> = found.iter().filter(|row| row.kind().as_str() == "edge").collect();
        assert_eq!(edges.len(), 2);
        assert!(edges.iter().all(|row| matches!(row, Row::Edge(edge) if edge.key.from_id < edge.key.to_id)));
        assert_eq!(found.iter().filter(|row| row.kind().as_str() == "pair").count(), 1);
    }
    let newer = block(&copied[1], "Deploys go out on Tuesdays").block;
    assert!(newer.pinned && newer.cue.as_deref() == Some("when a release is planned"));
    let asserted = |row: &Row| matches!(row, Row::Edge(edge) if edge.asserted_from.as_ref() == Some(&edge.key.to_id));
    assert!(copied[1].iter().any(asserted), "the direction is kept");
}

#[test]
fn our_own_memories_can_be_copied_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let store = small(&path);
    // Much of it is still in the log.
    let (copy, maker) = SqliteStore::copy_of(&path, None, BadRows::Refuse, NOW, &mut quiet).unwrap();
    assert_eq!((maker, rows(&copy)), (Maker::Elfmem, rows(&store)));
    let newer = folder.path().join("newer.db");
    let connection = Connection::open(&newer).unwrap();
    let (_folder, old) = python("0.20");
    connection.execute_batch(&format!("ATTACH '{}' AS old", old.display())).unwrap();
    for table in ["blocks", "block_tags", "system_config"] {
        connection.execute_batch(&format!("CREATE TABLE {table} AS SELECT * FROM old.{table}")).unwrap();
    }
    connection.execute_batch("UPDATE system_config SET value = '10' WHERE key = 'schema_version'").unwrap();
    let error = SqliteStore::copy_of(&newer, None, BadRows::Refuse, NOW, &mut quiet).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 10, .. }), "{error}");
    let blank = folder.path().join("blank.db");
    Connection::open(&blank).unwrap().execute_batch("CREATE TABLE t (x); DROP TABLE t;").unwrap();
    assert!(matches!(
        SqliteStore::copy_of(&blank, None, BadRows::Refuse, NOW, &mut quiet).unwrap_err(),
        StoreError::NotElfmem { .. }
    ));
}
