//! Imports and backups in which anything may fail: beginning a transaction, a statement, a commit, copying pages. What was
//! there before is there afterwards, nothing is half-done, and the next attempt works.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use elfmem_core::ScopeView;
use elfmem_engine::{Clock, ImportOptions, Memory, Options, ParsedImport};
use elfmem_store::Store;
use elfmem_store_sqlite::{Overwrite, RunMode, SqliteStore, faults};

use crate::fixtures::{FileMemory, exported, file_store};
use crate::verb_calls::{fill, thinking};
use crate::{ManualClock, clock, options};

const MARK: &str = "heron";

/// Makes the call of that number fail.
type Fault = fn(u64);

/// What can fail.
const FAULTS: [(&str, Fault); 4] = [
    ("begin", faults::fail_begin),
    ("statement", faults::fail_statement),
    ("commit", faults::fail_commit),
    ("copy", faults::fail_copy),
];

/// A memory whose made-up numbers are the same whenever `random` is set back.
fn opened(path: &Path, clock: &Arc<ManualClock>, random: &Arc<AtomicU64>) -> FileMemory {
    let random = random.clone();
    let random = Arc::new(move || random.fetch_add(1, Ordering::SeqCst));
    let options = Options { models: thinking(&[MARK]), random, ..options(clock) };
    Memory::open(file_store(path, clock.now()), options)
}

/// What is remembered, without vectors and the journal.
fn remembered(memory: &Memory<SqliteStore>) -> String {
    memory.store().digest().unwrap().memory
}

/// Lets each step of an import fail; how many of each kind failed.
fn every_step_of_an_import_fails(name: &str, text: &str, options: &ImportOptions) -> Vec<u64> {
    faults::arm();
    let (folder, clock, random) = (tempfile::tempdir().unwrap(), clock(), Arc::new(AtomicU64::new(1)));
    let prepared = folder.path().join("prepared.db");
    let memory = opened(&prepared, &clock, &random);
    memory.learn("What was here before").unwrap();
    memory.consolidate().unwrap();
    drop(memory);
    let parsed = ParsedImport::read(name, text, None).unwrap();
    let trial = |to: &str| {
        let path = folder.path().join(to);
        std::fs::copy(&prepared, &path).unwrap();
        random.store(1 << 40, Ordering::SeqCst);
        opened(&path, &clock, &random)
    };
    let undisturbed = trial("undisturbed.db");
    let before = remembered(&undisturbed);
    undisturbed.import(&parsed, options).unwrap();
    let after = remembered(&undisturbed);
    assert_ne!(before, after, "{name} brings nothing");
    let mut failed = Vec::new();
    for (what, fail) in &FAULTS[..3] {
        for number in 1.. {
            let memory = trial(&format!("{what}-{number}.db"));
            fail(number);
            let result = memory.import(&parsed, options);
            if !faults::stop() {
                result.unwrap();
                assert_eq!(remembered(&memory), after);
                failed.push(number - 1);
                break;
            }
            let place = format!("{name}, {what} {number}");
            let now = remembered(&memory);
            match &result {
                Ok(_) => assert_eq!(now, after, "{place}: said it was done, and it was not"),
                Err(error) => assert!(!error.recovery().is_empty(), "{place}: {error}"),
            }
            assert!(now == before || now == after, "{place}: half-done, and said {result:?}");
            let findings = memory.store().examine(&ScopeView::default(), &mut |_| {}).unwrap();
            assert!(findings.is_empty(), "{place}: {findings:#?}");
            random.store(1 << 40, Ordering::SeqCst);
            memory.import(&parsed, options).unwrap_or_else(|error| panic!("{place}, again: {error}"));
            assert_eq!(remembered(&memory), after, "{place}, again");
        }
    }
    failed
}

#[test]
fn an_import_that_fails_anywhere_brings_all_or_nothing_and_can_be_repeated() {
    let (folder, clock, random) = (tempfile::tempdir().unwrap(), clock(), Arc::new(AtomicU64::new(1)));
    let source = opened(&folder.path().join("source.db"), &clock, &random);
    fill(&source, MARK);
    let own = exported(&source, false);
    let peer = ImportOptions { peer: Some("mallory".to_owned()), ..ImportOptions::default() };
    let texts = r#"{"results": [{"id": "1", "memory": "Ana keeps bees"}, {"id": "2", "memory": "Ben keeps goats"}]}"#;
    let imports = [
        ("own.jsonl", own.as_str(), &ImportOptions::default()),
        ("peer.jsonl", &own, &peer),
        ("mem0.json", texts, &peer),
    ];
    for (name, text, options) in imports {
        let failed = every_step_of_an_import_fails(name, text, options);
        assert!(failed.iter().all(|count| *count > 0), "{name}: {failed:?}");
    }
}

/// The names of the files in a folder, without SQLite's own beside a memory in use.
fn files(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with("memory.db-")).collect()
}

#[test]
fn a_backup_that_fails_anywhere_leaves_the_older_one_and_nothing_else() {
    faults::arm();
    let (folder, clock, random) = (tempfile::tempdir().unwrap(), clock(), Arc::new(AtomicU64::new(1)));
    let memory = opened(&folder.path().join("memory.db"), &clock, &random);
    fill(&memory, MARK);
    let target = folder.path().join("backup.db");
    let back_up = || memory.store().backup(&target, Overwrite::Replace, RunMode::Write, &mut |_, _| {});
    back_up().unwrap();
    memory.learn("heron: said after the first backup").unwrap();
    let (before, older, there) =
        (memory.store().digest().unwrap(), std::fs::read(&target).unwrap(), files(folder.path()));
    let mut failed = Vec::new();
    for (what, fail) in FAULTS {
        for number in 1.. {
            fail(number);
            let result = back_up();
            if !faults::stop() {
                result.unwrap();
                assert_ne!(std::fs::read(&target).unwrap(), older, "{what}: the newer backup is in place");
                std::fs::write(&target, &older).unwrap();
                failed.push((what, number - 1));
                break;
            }
            assert!(result.is_err(), "{what} {number}: said it was done: {result:?}");
            assert_eq!(std::fs::read(&target).unwrap(), older, "{what} {number}: the older backup is not what it was");
            assert_eq!(files(folder.path()), there, "{what} {number}: something is left behind");
            assert_eq!(memory.store().digest().unwrap(), before, "{what} {number}: the memory is not what it was");
        }
    }
    assert!(failed.iter().all(|(_, count)| *count > 0), "{failed:?}");
}
