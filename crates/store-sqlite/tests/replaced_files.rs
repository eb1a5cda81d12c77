//! A file that is deleted or replaced while it is open.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use elfmem_core::{ActiveHours, Block, BlockId, OperationKind, ScopeView, Timestamp};
use elfmem_store::{JournalHeader, Store, StoreError, Transaction};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, OpenOptions::default(), NOW).unwrap()
}

fn insert(transaction: &mut dyn Transaction, text: &str) -> Result<(), StoreError> {
    transaction.insert_block(&Block::new(BlockId::for_content(text), text, "test", NOW))?;
    transaction.describe(JournalHeader {
        at: NOW,
        active_hours: ActiveHours::ZERO,
        session: None,
        actor: "test".to_owned(),
        operation: OperationKind::Learn,
        summary: "Stored a block.".to_owned(),
    });
    Ok(())
}

fn store(store: &SqliteStore, text: &str) -> Result<(), StoreError> {
    store.write(&ScopeView::default(), |transaction| insert(transaction, text))
}

fn holds(store: &SqliteStore, text: &str) -> Result<bool, StoreError> {
    store.read(&ScopeView::default(), |snapshot| snapshot.block_exists(&BlockId::for_content(text)))
}

fn is_replaced<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> bool {
    let error = outcome.unwrap_err();
    assert!(!error.is_retryable() && error.recovery().contains("open the memory again"), "{}", error.recovery());
    matches!(error, StoreError::FileReplaced { .. })
}

/// Moves a database with its log somewhere else.
fn move_all(from: &Path, to: &Path) {
    for end in ["", "-wal", "-shm"] {
        let with_end = |path: &Path| format!("{}{end}", path.display());
        if Path::new(&with_end(from)).exists() {
            std::fs::rename(with_end(from), with_end(to)).unwrap();
        }
    }
}

#[test]
fn nothing_is_acknowledged_into_a_file_that_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = open(&path);
    store(&memory, "before").unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(is_replaced(store(&memory, "after")));
    assert!(is_replaced(holds(&memory, "before")));
    assert!(is_replaced(memory.digest()) && is_replaced(memory.bytes()) && is_replaced(memory.checkpoint()));
    assert!(!path.exists(), "nobody made an empty one");
}

#[test]
fn a_file_that_is_deleted_during_a_write_is_noticed_before_it_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = open(&path);
    let outcome = memory.write(&ScopeView::default(), |transaction| {
        std::fs::remove_file(&path).unwrap();
        insert(transaction, "into nothing")
    });
    assert!(is_replaced(outcome));
}

#[test]
fn a_replaced_file_is_refused_until_the_old_one_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, aside) = (folder.path().join("memory.db"), folder.path().join("aside.db"));
    let memory = open(&path);
    store(&memory, "mine").unwrap();
    move_all(&path, &aside);
    drop(open(&path));
    assert!(is_replaced(store(&memory, "after")) && is_replaced(holds(&memory, "mine")));
    std::fs::remove_file(&path).unwrap();
    move_all(&aside, &path);
    assert!(holds(&memory, "mine").unwrap());
    store(&memory, "more").unwrap();
    drop(memory);
    let memory = open(&path);
    assert!(holds(&memory, "mine").unwrap() && holds(&memory, "more").unwrap() && !holds(&memory, "after").unwrap());
}

#[test]
fn closing_a_memory_whose_file_was_replaced_leaves_the_log_of_the_new_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (path, aside) = (folder.path().join("memory.db"), folder.path().join("aside.db"));
    let old = open(&path);
    store(&old, "old").unwrap();
    move_all(&path, &aside);
    let new = open(&path);
    store(&new, "new").unwrap();
    drop(old);
    let log = folder.path().join("memory.db-wal");
    assert!(log.metadata().unwrap().len() > 0, "the new file's log");
    assert!(holds(&open(&path), "new").unwrap());
    drop(new);
    assert!(holds(&open(&path), "new").unwrap());
}
