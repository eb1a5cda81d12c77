//! Who can read the files, and what is left of those that were not finished.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::conformance::{block, header};
use elfmem_store::{Store, StoreError};
use elfmem_store_sqlite::{OpenOptions, Overwrite, RunMode, SqliteStore, restore};

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn learned(path: &Path) -> SqliteStore {
    let store = SqliteStore::open(path, OpenOptions::default(), NOW).unwrap();
    let stored: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("learn"));
        transaction.insert_block(&block("Maria is allergic to peanuts"))
    });
    stored.unwrap();
    store
}

/// Every file of a folder with its permissions, in the order of the names.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut modes: Vec<(String, u32)> = entries
        .map(|entry| {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            (entry.file_name().into_string().unwrap(), mode)
        })
        .collect();
    modes.sort();
    modes
}

#[test]
fn a_memory_its_log_and_its_backups_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = learned(&path("m.db"));
    store.backup(&path("copy.db"), Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap();
    let names: Vec<String> = modes(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["copy.db", "m.db", "m.db-position", "m.db-shm", "m.db-wal"]);
    drop(store);
    restore(&path("m.db"), &path("copy.db"), None, NOW, RunMode::Write, &mut |_, _| {}).unwrap();
    restore(&path("other.db"), &path("copy.db"), None, NOW, RunMode::Write, &mut |_, _| {}).unwrap();
    for (name, mode) in modes(folder.path()) {
        assert_eq!(mode, 0o600, "{name} has {mode:o}");
    }
}

#[test]
fn permissions_that_the_owner_has_chosen_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    drop(learned(&path));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let store = SqliteStore::open(&path, OpenOptions::default(), NOW).unwrap();
    // The position file has the permissions that it was created with.
    let all: Vec<(String, u32)> = modes(folder.path());
    let expected = |name: &str| if name.ends_with("-position") { 0o600 } else { 0o640 };
    assert!(!all.is_empty() && all.iter().all(|(name, mode)| *mode == expected(name)), "{all:?}");
    drop(store);
}

#[test]
fn a_journal_that_an_interrupted_backup_left_does_not_get_into_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let store = learned(&path("m.db"));
    for left in ["copy.db.partial", "copy.db.partial-journal", "copy.db.partial-wal"] {
        std::fs::write(path(left), "left behind").unwrap();
    }
    let report = store.backup(&path("copy.db"), Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap();
    assert_eq!(report.blocks, 1);
    assert!(modes(folder.path()).iter().all(|(name, _)| !name.contains("partial")), "{:?}", modes(folder.path()));
}

#[test]
fn a_memory_that_a_newer_program_migrated_meanwhile_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let store = learned(&path);
    let other = rusqlite::Connection::open(&path).unwrap();
    let version: i64 = other.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    other.pragma_update(None, "user_version", version + 1).unwrap();
    let before: i64 = other.query_row("SELECT count(*) FROM journal", [], |row| row.get(0)).unwrap();
    let is_newer = |error: StoreError| matches!(error, StoreError::Newer { found, known, path: named } if found == known + 1 && named == path);
    let read: Result<(), StoreError> = store.read(&ScopeView::default(), |_| Ok(()));
    assert!(is_newer(read.unwrap_err()));
    let written: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("learn"));
        transaction.insert_block(&block("written by an old program"))
    });
    assert!(is_newer(written.unwrap_err()));
    assert!(is_newer(store.scrub().unwrap_err()));
    assert!(is_newer(store.repair(&ScopeView::default(), &header("repair")).unwrap_err()));
    let after: i64 = other.query_row("SELECT count(*) FROM journal", [], |row| row.get(0)).unwrap();
    assert_eq!(before, after);
    other.pragma_update(None, "user_version", version).unwrap();
    let again: Result<(), StoreError> = store.read(&ScopeView::default(), |_| Ok(()));
    again.unwrap();
}

#[test]
fn a_link_in_the_place_of_a_backup_is_not_followed_and_that_of_a_memory_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("real.db", path("m.db")).unwrap();
    let store = learned(&path("m.db"));
    let real = std::fs::metadata(path("real.db")).unwrap();
    assert_eq!(real.permissions().mode() & 0o777, 0o600);
    // What somebody else has put where the copy is made, and cannot be removed: a folder stands for it here.
    std::fs::create_dir(path("copy.db.partial")).unwrap();
    let refused = store.backup(&path("copy.db"), Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap_err();
    assert!(matches!(refused, StoreError::Exists { .. }), "{refused}");
    std::fs::remove_dir(path("copy.db.partial")).unwrap();
    std::os::unix::fs::symlink("elsewhere.db", path("copy.db.partial")).unwrap();
    store.backup(&path("copy.db"), Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap();
    assert!(!path("elsewhere.db").exists() && path("copy.db").exists());
}
