//! The length of the write-ahead log: bounded while others read all the time, and given back afterwards.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::conformance::header;
use elfmem_store::{Store, StoreError};
use elfmem_store_sqlite::{MAX_LOG_BYTES, OpenOptions, SqliteStore};

/// The size of one written value. A commit appends it a few times: as the setting, and in the journal.
const VALUE_BYTES: u64 = 500_000;
const SLACK: u64 = 16 * VALUE_BYTES;

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, OpenOptions::default(), Timestamp::UNIX_EPOCH).unwrap()
}

fn log_length(path: &Path) -> u64 {
    std::fs::metadata(path.with_extension("db-wal")).map_or(0, |log| log.len())
}

/// Writes a long value; a setting needs no index.
fn write(store: &SqliteStore, number: u64) {
    let text = format!("{number} {}", "-".repeat(VALUE_BYTES as usize));
    let written: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("test"));
        transaction.set_config(&format!("value {number}"), &text)
    });
    written.unwrap();
}

/// Reads, and keeps the snapshot for a while.
fn read(store: &SqliteStore, during: impl FnOnce()) {
    let read: Result<(), StoreError> = store.read(&ScopeView::default(), |snapshot| {
        snapshot.list_frames()?;
        during();
        Ok(())
    });
    read.unwrap();
}

#[test]
fn the_log_stays_within_its_bound_while_others_read_without_a_pause() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (writer, stop) = (open(&path), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // At every moment at least one of them holds a snapshot.
        for _ in 0..3 {
            scope.spawn(|| {
                let store = open(&path);
                while !stop.load(Ordering::Relaxed) {
                    read(&store, || std::thread::sleep(Duration::from_millis(15)));
                }
            });
        }
        let mut longest = 0;
        for number in 0..2 * MAX_LOG_BYTES / VALUE_BYTES {
            write(&writer, number);
            longest = longest.max(log_length(&path));
        }
        stop.store(true, Ordering::Relaxed);
        assert!(longest > MAX_LOG_BYTES / 2, "{longest} bytes: the readers hold nothing up");
        assert!(longest <= MAX_LOG_BYTES + SLACK, "{longest} bytes");
    });
}

#[test]
fn writers_go_on_during_a_long_read_and_the_log_is_short_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let (writer, reader) = (open(&path), open(&path));
    let mut written = 0;
    read(&reader, || {
        while log_length(&path) <= MAX_LOG_BYTES + 2 * SLACK {
            write(&writer, written);
            written += 1;
        }
    });
    for number in written..written + 3 {
        write(&writer, number);
    }
    assert!(log_length(&path) <= MAX_LOG_BYTES / 2 + SLACK, "{} bytes", log_length(&path));
}
