//! Operations that were acknowledged and are gone: damage of the log, older copies, rows removed from the journal.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::conformance::{block, header};
use elfmem_store::{Snapshot, Store, StoreError, Tombstone};
use elfmem_store_sqlite::{OpenOptions, Overwrite, RunMode, SqliteStore, restore};
use rusqlite::Connection;

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
/// The endings of a memory's files.
const FILES: [&str; 3] = ["", "-wal", "-position"];

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, OpenOptions::default(), NOW).unwrap()
}

fn learn(store: &SqliteStore, texts: impl IntoIterator<Item = usize>) {
    for text in texts {
        let stored: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
            transaction.describe(header("learn"));
            transaction.insert_block(&block(&format!("fact number {text}")))
        });
        stored.unwrap();
    }
}

fn newest(store: &SqliteStore) -> i64 {
    let read = |snapshot: &dyn Snapshot| snapshot.get_journal_position();
    store.read::<_, StoreError, _>(&ScopeView::default(), read).unwrap()
}

/// The problems that a check finds.
fn problems(store: &SqliteStore) -> Vec<String> {
    let findings = store.examine(&ScopeView::default(), &mut |_| {}).unwrap();
    findings.into_iter().map(|finding| finding.problem).collect()
}

fn file(memory: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", memory.display()))
}

/// Copies the files of a memory as they are: what a killed process leaves.
fn copy_files(from: &Path, to: &Path, endings: &[&str]) {
    for ending in FILES {
        let _ = std::fs::remove_file(file(to, ending));
    }
    let _ = std::fs::remove_file(file(to, "-shm"));
    for ending in endings {
        std::fs::copy(file(from, ending), file(to, ending)).unwrap();
    }
}

/// A folder with a memory of 100 operations that is still open, and the path of a copy.
struct Killed {
    _folder: tempfile::TempDir,
    store: SqliteStore,
    memory: PathBuf,
    copy: PathBuf,
}

fn killed() -> Killed {
    let folder = tempfile::tempdir().unwrap();
    let [memory, copy] = ["memory.db", "copy.db"].map(|name| folder.path().join(name));
    let store = open(&memory);
    // The first operation made the memory; the position is recorded with the last one.
    learn(&store, 0..97);
    assert_eq!(newest(&store), 98);
    Killed { _folder: folder, store, memory, copy }
}

/// Checks that a memory reports the loss of the operations up to 98, keeps reporting it while others are written, and stops when
/// it is accepted.
fn assert_lost(copy: &Path) {
    let store = open(copy);
    let first = newest(&store) + 1;
    assert!((2..98).contains(&first), "{first}");
    let expected = format!("operations {first} to 98 were acknowledged and are missing");
    let [problem] = &problems(&store)[..] else { panic!("{:?}", problems(&store)) };
    assert!(problem.starts_with(&expected) && problem.contains("restore-backup"), "{problem}");
    assert!(store.notices().iter().any(|notice| notice.contains(&expected)), "{:?}", store.notices());
    learn(&store, 1_000..1_200);
    store.checkpoint().unwrap();
    drop(store);
    let store = open(copy);
    let [problem] = &problems(&store)[..] else { panic!("{:?}", problems(&store)) };
    assert!(problem.starts_with("operation 98, and perhaps some before it"), "{problem}");
    std::fs::remove_file(file(copy, "-position")).unwrap();
    assert_eq!(problems(&store), [""; 0]);
    learn(&store, 2_000..2_040);
    drop(store);
    let store = open(copy);
    assert_eq!((problems(&store), store.notices()), (vec![], vec![]));
}

#[test]
fn a_flipped_byte_in_the_middle_of_the_log_is_told() {
    let Killed { memory, copy, .. } = &killed();
    let log = std::fs::read(file(memory, "-wal")).unwrap();
    for part in [3, 5, 7] {
        copy_files(memory, copy, &FILES);
        let mut damaged = log.clone();
        damaged[log.len() * part / 10] ^= 0x10;
        std::fs::write(file(copy, "-wal"), damaged).unwrap();
        assert_lost(copy);
    }
}

#[test]
fn a_log_that_is_cut_off_or_gone_is_told() {
    let Killed { memory, copy, .. } = &killed();
    let log = std::fs::read(file(memory, "-wal")).unwrap();
    copy_files(memory, copy, &FILES);
    std::fs::write(file(copy, "-wal"), &log[..log.len() / 2]).unwrap();
    assert_lost(copy);
}

#[test]
fn whatever_a_kill_leaves_is_no_loss() {
    let folder = tempfile::tempdir().unwrap();
    let [memory, copy] = ["memory.db", "copy.db"].map(|name| folder.path().join(name));
    let store = open(&memory);
    for text in 0..80 {
        learn(&store, [text]);
        // The position is read first, as it is behind whatever comes later.
        copy_files(&memory, &copy, if text % 3 == 0 { &["-position", "", "-wal"] } else { &["", "-wal"] });
        if text % 8 == 0 {
            let copied = open(&copy);
            assert_eq!((newest(&copied), problems(&copied), copied.notices()), (newest(&store), vec![], vec![]));
        }
    }
}

#[test]
fn an_older_copy_in_the_place_of_a_memory_is_told_and_a_restored_backup_is_not() {
    let Killed { store, memory, copy, _folder } = killed();
    let backup = copy.with_file_name("backup.db");
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap();
    learn(&store, 200..240);
    drop(store);
    copy_files(&memory, &copy, &["", "-position"]);
    std::fs::copy(&backup, &copy).unwrap();
    let store = open(&copy);
    assert!(problems(&store)[0].starts_with("operations 99 to 138 were acknowledged"), "{:?}", problems(&store));
    drop(store);
    restore(&memory, &backup, None, NOW, RunMode::Write, &mut |_, _| {}).unwrap();
    let store = open(&memory);
    learn(&store, 300..302);
    assert_eq!((problems(&store), store.notices()), (vec![], vec![]));
}

#[test]
fn a_copy_without_its_position_and_a_torn_record_are_no_loss() {
    let Killed { store, memory, copy, _folder } = killed();
    drop(store);
    copy_files(&memory, &copy, &[""]);
    assert_eq!(problems(&open(&copy)), [""; 0]);
    let record = std::fs::read(file(&memory, "-position")).unwrap();
    for torn in [&record[..40], b"", b"elfmem-position 1 99"] {
        std::fs::write(file(&copy, "-position"), torn).unwrap();
        let store = open(&copy);
        assert_eq!(problems(&store), [""; 0]);
        drop(store);
    }
    // The next write records the position again.
    let store = open(&copy);
    learn(&store, [500]);
    drop(store);
    assert_eq!(std::fs::read(file(&copy, "-position")).unwrap().len(), record.len());
}

#[test]
fn two_processes_record_one_position() {
    let Killed { store, memory, .. } = &killed();
    let other = open(memory);
    for text in 300..380 {
        learn(if text % 3 == 0 { &other } else { store }, [text]);
    }
    for store in [store, &other] {
        store.checkpoint().unwrap();
        assert_eq!(problems(store), [""; 0]);
    }
}

#[test]
fn a_row_that_is_missing_or_changed_in_the_journal_is_told() {
    for damage in [
        "DELETE FROM journal WHERE seq = 50; DELETE FROM journal_touched WHERE seq = 50",
        "UPDATE journal SET actor = 'somebody' WHERE seq = 51",
        "UPDATE journal SET chain = NULL WHERE seq = 51",
    ] {
        let Killed { store, memory, .. } = &killed();
        Connection::open(memory).unwrap().execute_batch(damage).unwrap();
        let found = problems(store);
        assert!(found.iter().any(|problem| problem.contains("operation 51 does not follow")), "{damage}: {found:?}");
    }
}

#[test]
fn purging_and_folding_leave_the_chain_whole() {
    let Killed { store, .. } = &killed();
    let purged: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("purge"));
        let stone = Tombstone { block_id: block("fact number 20").id, purged_at: NOW, actor: "cli".to_owned() };
        transaction.purge_block(&stone)
    });
    purged.unwrap();
    assert_eq!(problems(store), [""; 0]);
    let folded: Result<bool, StoreError> =
        store.write(&ScopeView::default(), |transaction| transaction.fold_journal(60, 1_000));
    folded.unwrap();
    learn(store, 700..720);
    assert_eq!(problems(store), [""; 0]);
}
