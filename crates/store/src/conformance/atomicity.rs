//! All or nothing, one state at a time, everyone in turn.

use elfmem_core::ScopeView;

use super::{block, header, insert, read, write};
use crate::{Store, StoreError};

/// Whatever was done before the failure is undone.
pub fn a_failing_transaction_changes_nothing(store: &impl Store) {
    let stored = block("half");
    let failed: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("test"));
        transaction.insert_block(&stored)?;
        transaction.set_config("half", "done")?;
        Err(StoreError::Undescribed)
    });
    assert!(failed.is_err());
    assert_eq!(read(store, |snapshot| snapshot.get_block(&stored.id)), None);
    assert_eq!(read(store, |snapshot| snapshot.get_config("half")), None);
    assert!(read(store, |snapshot| snapshot.get_postings("half")).is_empty());
}

/// Whatever was done before a panic is undone, and the store goes on.
pub fn a_panicking_transaction_changes_nothing(store: &impl Store) {
    insert(store, &[&block("before")]);
    let digest = || store.digest().unwrap_or_else(|error| panic!("{error}"));
    let (stored, before) = (block("half"), digest());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let written: Result<(), StoreError> = store.write(&ScopeView::default(), |transaction| {
            transaction.describe(header("test"));
            transaction.insert_block(&stored)?;
            panic!("on purpose");
        });
        written
    }));
    assert!(panicked.is_err());
    assert_eq!(digest(), before);
    assert!(read(store, |snapshot| snapshot.get_postings("half")).is_empty());
    insert(store, &[&block("after")]);
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 2);
}

/// Two reads of one snapshot agree. (Stores with one connection cannot write meanwhile; then there is nothing to see.)
pub fn a_snapshot_does_not_see_what_is_written_during_it(store: &impl Store) {
    insert(store, &[&block("before")]);
    if store.location() == ":memory:" {
        return;
    }
    read(store, |snapshot| {
        let first = snapshot.get_inbox_count()?;
        insert(store, &[&block("meanwhile")]);
        assert_eq!(snapshot.get_inbox_count()?, first);
        Ok(())
    });
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 2);
}

/// Eight threads, every write there.
pub fn writers_on_many_threads_lose_nothing(store: &impl Store) {
    std::thread::scope(|threads| {
        for thread in 0..8 {
            threads.spawn(move || {
                for number in 0..25 {
                    let stored = block(&format!("thread {thread} number {number}"));
                    write(store, |transaction| transaction.insert_block(&stored));
                    assert!(read(store, |snapshot| snapshot.block_exists(&stored.id)));
                }
            });
        }
    });
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 200);
}

/// The size says something about what is held.
pub fn what_is_stored_takes_room(store: &impl Store) {
    let size = || store.bytes().unwrap_or_else(|error| panic!("{error}"));
    let empty = size();
    assert!(empty > 0);
    for number in 0..100 {
        insert(store, &[&block(&format!("{number} {}", "a text of some length ".repeat(100)))]);
    }
    assert!(size() >= empty + 100_000, "{empty} bytes before, {} after", size());
}

/// Doing what was put off changes nothing that is read, also while somebody reads.
pub fn checkpointing_changes_nothing_that_is_read(store: &impl Store) {
    let checkpoint = || store.checkpoint().unwrap_or_else(|error| panic!("{error}"));
    checkpoint();
    insert(store, &[&block("still here")]);
    checkpoint();
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 1);
    if store.location() == ":memory:" {
        return;
    }
    read(store, |snapshot| {
        let first = snapshot.get_inbox_count()?;
        insert(store, &[&block("meanwhile")]);
        checkpoint();
        assert_eq!(snapshot.get_inbox_count()?, first);
        Ok(())
    });
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 2);
}
