//! Memories that are encrypted at rest.

#![cfg(feature = "encryption")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use elfmem_core::{BlockId, ScopeView, Timestamp};
use elfmem_store::conformance::{block, header};
use elfmem_store::{BlockQuery, Finding, Store, StoreError};
use elfmem_store_sqlite::{
    BadRows, Key, Maker, OpenOptions, Overwrite, RunMode, SqliteStore, looks_encrypted, restore,
};
use elfmem_text::terms::query_terms;

const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
const TEXTS: [&str; 3] = ["Maria is allergic to peanuts", "Deploys go out on Tuesdays", "The port is 5433"];

fn passphrase() -> Option<Key> {
    Some(Key::new("correct horse battery staple").unwrap())
}

fn digits(pair: &str) -> Option<Key> {
    Some(Key::new(&pair.repeat(32)).unwrap())
}

fn open(path: &Path, key: Option<Key>) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, OpenOptions { key, ..OpenOptions::default() }, NOW)
}

fn quiet(_: u64, _: u64) {}

fn learn(store: &SqliteStore, texts: &[&str]) {
    let written = store.write(&ScopeView::default(), |transaction| -> Result<(), StoreError> {
        for text in texts {
            transaction.insert_block(&block(text))?;
        }
        transaction.describe(header("learn"));
        Ok(())
    });
    written.unwrap();
}

fn contents(store: &SqliteStore) -> Vec<String> {
    let listed = store.read(&ScopeView::default(), |snapshot| snapshot.list_blocks(&BlockQuery::default()));
    let mut contents: Vec<String> = listed.unwrap().into_iter().map(|block| block.content).collect();
    contents.sort();
    contents
}

fn examined(store: &SqliteStore) -> Vec<Finding> {
    store.examine(&ScopeView::default(), &mut |_| {}).unwrap()
}

/// Every file of the folder, the log too.
fn bytes_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

fn holds(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window.eq_ignore_ascii_case(words.as_bytes()))
}

#[test]
fn what_is_stored_with_a_key_comes_back_with_it_by_words_too() {
    for key in [passphrase(), digits("a7")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.db");
        learn(&open(&path, key.clone()).unwrap(), &TEXTS);
        assert!(looks_encrypted(&path));
        let again = open(&path, key).unwrap();
        assert_eq!(
            contents(&again),
            ["Deploys go out on Tuesdays", "Maria is allergic to peanuts", "The port is 5433"]
        );
        assert_eq!(examined(&again), []);
        again.repair(&ScopeView::default(), &header("repair")).unwrap();
        assert!(again.scrub().unwrap());
        assert_eq!(examined(&again), []);
        let word = &query_terms("peanuts")[0];
        let found = again.read(&ScopeView::default(), |snapshot| snapshot.get_postings(word)).unwrap();
        assert_eq!(found[0].0, BlockId::for_content(TEXTS[0]));
    }
}

#[test]
fn no_word_is_in_any_file_neither_before_nor_after_the_log_is_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("m.db"), digits("0f")).unwrap();
    learn(&store, &TEXTS);
    let in_use = bytes_of(folder.path());
    assert!(in_use.iter().any(|(name, bytes)| name.ends_with("-wal") && !bytes.is_empty()), "there is a log");
    store.scrub().unwrap();
    let backup = folder.path().join("backup.db");
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    drop(store);
    for (name, bytes) in in_use.into_iter().chain(bytes_of(folder.path())) {
        for words in ["peanut", "tuesday", "allerg", "CREATE TABLE", "SQLite format", "5433"] {
            assert!(!holds(&bytes, words), "{name} holds {words}");
        }
    }
    // The same look at a plain memory sees them: it is not the look that is blind.
    let plain = tempfile::tempdir().unwrap();
    let store = open(&plain.path().join("m.db"), None).unwrap();
    learn(&store, &TEXTS);
    assert!(bytes_of(plain.path()).iter().any(|(_, bytes)| holds(bytes, "peanut")));
}

#[test]
fn another_key_or_none_opens_nothing_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    learn(&open(&path, passphrase()).unwrap(), &TEXTS);
    let before = std::fs::read(&path).unwrap();
    let error = open(&path, None).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }) && error.recovery().contains("Give its key"), "{error}");
    for wrong in [Some(Key::new("correct horse battery stapel").unwrap()), digits("a7")] {
        let error = open(&path, wrong).unwrap_err();
        assert!(matches!(error, StoreError::WrongKey { .. }) && error.recovery().contains("key"), "{error}");
        assert!(!error.to_string().contains("stapel"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(contents(&open(&path, passphrase()).unwrap()).len(), 3);
}

#[test]
fn a_key_for_a_plain_memory_is_refused_and_the_memory_stays_plain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    learn(&open(&path, None).unwrap(), &TEXTS);
    let error = open(&path, passphrase()).unwrap_err();
    assert!(matches!(error, StoreError::NotEncrypted { .. }) && error.recovery().contains("import"), "{error}");
    assert_eq!(contents(&open(&path, None).unwrap()).len(), 3);
}

#[test]
fn a_backup_has_the_same_key_and_leads_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (folder.path().join("m.db"), folder.path().join("backup.db"));
    let (key, other) = (digits("3c"), digits("c3"));
    let store = open(&path, key.clone()).unwrap();
    learn(&store, &TEXTS[..2]);
    store.backup(&backup, Overwrite::Refuse, RunMode::Write, &mut quiet).unwrap();
    learn(&store, &TEXTS[2..]);
    drop(store);
    assert!(looks_encrypted(&backup));
    for wrong in [None, other.as_ref()] {
        assert!(restore(&path, &backup, wrong, NOW, RunMode::Write, &mut quiet).is_err());
    }
    let report = restore(&path, &backup, key.as_ref(), NOW, RunMode::Write, &mut quiet).unwrap();
    assert_eq!((report.blocks, report.blocks_before), (2, Some(3)));
    assert_eq!(contents(&open(&path, key.clone()).unwrap()).len(), 2);
    let kept = report.kept.unwrap();
    assert!(looks_encrypted(&kept));
    assert_eq!(contents(&open(&kept, key.clone()).unwrap()).len(), 3);

    let elsewhere = folder.path().join("elsewhere.db");
    restore(&elsewhere, &backup, key.as_ref(), NOW, RunMode::Write, &mut quiet).unwrap();
    assert!(looks_encrypted(&elsewhere));
    assert_eq!(contents(&open(&elsewhere, key).unwrap()).len(), 2);
}

#[test]
fn a_plain_backup_does_not_become_an_encrypted_memory_unnoticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (folder.path().join("m.db"), folder.path().join("plain.db"));
    learn(&open(&backup, None).unwrap(), &TEXTS);
    let refused = restore(&path, &backup, passphrase().as_ref(), NOW, RunMode::Write, &mut quiet).unwrap_err();
    assert!(matches!(refused, StoreError::NotEncrypted { .. }), "{refused}");
    assert!(!path.exists());
}

#[test]
fn a_memory_to_be_read_may_be_encrypted_or_plain() {
    let folder = tempfile::tempdir().unwrap();
    let (locked, plain) = (folder.path().join("locked.db"), folder.path().join("plain.db"));
    let key = passphrase();
    learn(&open(&locked, key.clone()).unwrap(), &TEXTS);
    learn(&open(&plain, None).unwrap(), &TEXTS);
    for path in [&locked, &plain] {
        let (copy, maker) = SqliteStore::copy_of(path, key.as_ref(), BadRows::Refuse, NOW, &mut quiet).unwrap();
        assert_eq!((contents(&copy).len(), maker), (3, Maker::Elfmem));
    }
    assert!(matches!(
        SqliteStore::copy_of(&locked, None, BadRows::Refuse, NOW, &mut quiet),
        Err(StoreError::Locked { .. })
    ));
    let other = digits("11");
    let refused = SqliteStore::copy_of(&locked, other.as_ref(), BadRows::Refuse, NOW, &mut quiet);
    assert!(matches!(refused, Err(StoreError::WrongKey { .. })));
}

#[test]
fn a_changed_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let store = open(&path, digits("5e")).unwrap();
    learn(&store, &TEXTS);
    store.scrub().unwrap();
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    for page in 0..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096 + 2000] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let noticed = match open(&path, digits("5e")) {
            Err(_) => true,
            Ok(store) => {
                !matches!(store.examine(&ScopeView::default(), &mut |_| {}), Ok(findings) if findings.is_empty())
            }
        };
        assert!(noticed, "page {page}");
    }
}
