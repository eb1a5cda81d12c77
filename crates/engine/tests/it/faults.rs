//! Any statement of any verb may fail, and any commit may be lost before or after it happened: nothing is ever half-done, what
//! a process knows agrees with the store, and the verb works when it is called again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use elfmem_core::ScopeView;
use elfmem_engine::catalog::{self, Effect, Verb};
use elfmem_engine::{Clock, Error, Memory, Options, Recall, Reply};
use elfmem_store::{Digest, Snapshot, Store, StoreError, Transaction};
use elfmem_store_sqlite::{SqliteStore, faults};
use serde_json::json;

use crate::fixtures::file_store;
use crate::verb_calls::{Filled, add_review_frame, call, fill, thinking};
use crate::{ManualClock, clock, options};

const MARK: &str = "zebra";

/// Verbs that do their work once more when they are asked once more: they count uses, add to edges, go further back.
const NOT_IDEMPOTENT: [&str; 10] = [
    "connect",
    "connects",
    "connect_by_query",
    "curate",
    "frame",
    "learn",
    "learn_document",
    "recall",
    "retrieve_memories",
    "undo",
];

/// What is remembered, and what was done. Settings count what models cost, also for what failed.
type Sum = [String; 2];

fn sum(store: &impl Store) -> Sum {
    let Digest { memory, journal, .. } = store.digest().unwrap();
    [memory, journal]
}

/// The sum of all rows.
fn everything(store: &impl Store) -> String {
    store.digest().unwrap().everything
}

/// How failures are told.
const FAILURES: [&str; 4] = ["interrupted", "constraint failed", "not authorized", "the commit was lost"];

/// A store that notes the sum of the memory after each of its writes, and may forget to say that one happened.
#[derive(Debug)]
struct Forgetful {
    inner: SqliteStore,
    sums: Mutex<Vec<Sum>>,
    /// The write whose success is not told; 0 for none.
    lost: AtomicUsize,
}

impl Store for Forgetful {
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>,
    {
        self.inner.read(view, work)
    }

    fn write<T, E, F>(&self, view: &ScopeView, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>,
    {
        let done = self.inner.write(view, work)?;
        let mut sums = self.sums.lock().unwrap();
        if self.lost.load(Ordering::SeqCst) > 0 {
            sums.push(sum(&self.inner));
            if sums.len() == self.lost.load(Ordering::SeqCst) {
                return Err(StoreError::driver("the commit was lost").into());
            }
        }
        Ok(done)
    }

    elfmem_store::forward_rest!(inner);
}

/// The file that every trial starts from a copy of.
struct Prepared {
    folder: tempfile::TempDir,
    clock: Arc<ManualClock>,
    filled: Filled,
}

impl Prepared {
    fn new() -> Self {
        faults::arm();
        let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
        let memory = open(&folder.path().join("prepared.db"), &clock, Arc::new(AtomicU64::new(1)));
        let filled = fill(&memory, MARK);
        add_review_frame(&memory);
        call(&memory, "learn", json!({"content": "zebra: the last thing"}));
        recalled(&memory);
        Self { folder, clock, filled }
    }

    fn trial(&self, verb: &'static Verb) -> Trial {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        std::fs::copy(self.folder.path().join("prepared.db"), &path).unwrap();
        let random = Arc::new(AtomicU64::new(1 << 32));
        let memory = open(&path, &self.clock, random.clone());
        if let Some(first) = Filled::before(verb) {
            call(&memory, first, self.filled.arguments(first));
        }
        let (answers, before, file) = (recalled(&memory), sum(memory.store()), everything(memory.store()));
        let (filled, clock) = (self.filled.clone(), self.clock.clone());
        Trial { _folder: folder, path, clock, memory, random, verb, filled, before, file, answers }
    }
}

fn open(path: &Path, clock: &Arc<ManualClock>, random: Arc<AtomicU64>) -> Memory<Forgetful> {
    let inner = file_store(path, clock.now());
    let store = Forgetful { inner, sums: Mutex::default(), lost: AtomicUsize::new(0) };
    let random = Arc::new(move || random.fetch_add(1, Ordering::SeqCst));
    Memory::open(store, Options { models: thinking(&[MARK]), random, ..options(clock) })
}

/// What comes back for some questions.
fn recalled(memory: &Memory<Forgetful>) -> Vec<String> {
    let asked = ["zebra: the port is 5432", "who rides to work in something new?"];
    let answer = |question: &&str| {
        let answer = memory.recall(Recall::new(*question).preview()).unwrap();
        answer.blocks.iter().map(|hit| format!("{} {:.9}", hit.id, hit.score)).collect::<Vec<_>>().join("\n")
    };
    asked.iter().map(answer).collect()
}

/// One memory on which a verb is tried.
struct Trial {
    _folder: tempfile::TempDir,
    path: PathBuf,
    clock: Arc<ManualClock>,
    memory: Memory<Forgetful>,
    random: Arc<AtomicU64>,
    verb: &'static Verb,
    filled: Filled,
    before: Sum,
    /// The sum of all rows, also of derived ones such as vectors.
    file: String,
    /// What a fresh process answers before the verb.
    answers: Vec<String>,
}

impl Trial {
    fn invoke(&self) -> Result<Reply, Error> {
        // What is made up is the same in every trial.
        self.random.store(1 << 40, Ordering::SeqCst);
        self.memory.invoke(self.verb.name, self.filled.arguments(self.verb.name).as_object().unwrap())
    }

    fn sum(&self) -> Sum {
        sum(self.memory.store())
    }

    /// The sums after each of the verb's commits when nothing fails, the one before it first.
    fn undisturbed(&self) -> Vec<Sum> {
        self.memory.store().lost.store(usize::MAX, Ordering::SeqCst);
        self.invoke().unwrap_or_else(|error| panic!("{}: {error}", self.verb.name));
        let mut sums = vec![self.before.clone()];
        sums.append(&mut self.memory.store().sums.lock().unwrap());
        sums.push(self.sum());
        sums.dedup();
        sums
    }

    /// How many blocks there are of each status.
    fn blocks(&self) -> [u64; 3] {
        let status = self.memory.status().unwrap();
        [status.inbox_count, status.active_count, status.archived_count]
    }

    /// What must hold whatever failed.
    fn check(&self, result: &Result<Reply, Error>, steps: &[Sum], which: &str) {
        let name = self.verb.name;
        if let Err(error) = result {
            assert!(!error.message().is_empty() && !error.recovery().is_empty(), "{name} {which}: {error}");
        }
        let now = self.sum();
        // New vectors of the same model change answers, though nothing more is remembered.
        let expected = if everything(self.memory.store()) == self.file {
            self.answers.clone()
        } else {
            let findings = self.memory.store().examine(&ScopeView::default(), &mut |_| {}).unwrap();
            assert!(findings.is_empty(), "{name} {which}: {findings:#?}");
            recalled(&open(&self.path, &self.clock, Arc::new(AtomicU64::new(1 << 50))))
        };
        assert_eq!(recalled(&self.memory), expected, "{name} {which}: a fresh process knows better");
        if result.as_ref().is_ok_and(|reply| FAILURES.iter().any(|failure| reply.json.to_string().contains(failure))) {
            // A part that is not needed failed, and that is told.
            return;
        }
        let at = steps.iter().position(|step| *step == now);
        let at = at.unwrap_or_else(|| panic!("{name} {which}: half-done, and said {result:?}"));
        // What only reads answers even where its use cannot be counted.
        if result.is_ok() && steps.len() > 1 && self.verb.effect != Effect::Reads {
            assert!(at > 0, "{name} {which}: said it was done, and nothing was");
        }
        if result.is_err() && steps.len() == 2 {
            assert!(at == 0 || which.starts_with("lost after"), "{name} {which}: said it failed, and it was done");
        }
    }
}

/// Lets every statement of a verb fail, or every beginning of a transaction, one after the other; how many there were.
fn each_fails(prepared: &Prepared, verb: &'static Verb, what: &str, fail: fn(u64)) -> u64 {
    let steps = prepared.trial(verb).undisturbed();
    let mut trial = prepared.trial(verb);
    for number in 1.. {
        fail(number);
        let result = trial.invoke();
        let struck = faults::stop();
        if !struck {
            let findings = trial.memory.store().examine(&ScopeView::default(), &mut |_| {}).unwrap();
            assert!(findings.is_empty(), "{} after all failures: {findings:#?}", verb.name);
            let reply = result.unwrap_or_else(|error| panic!("{} after all failures: {error}", verb.name));
            assert!(!reply.text.is_empty());
            assert_eq!(trial.sum(), *steps.last().unwrap(), "{} after all failures", verb.name);
            return number - 1;
        }
        trial.check(&result, &steps, &format!("{what} {number}"));
        if trial.sum() != trial.before {
            trial = prepared.trial(verb);
        }
    }
    unreachable!()
}

/// Loses every commit of a verb, before and after it happened.
fn every_commit_is_lost(prepared: &Prepared, verb: &'static Verb) {
    let undisturbed = prepared.trial(verb);
    let (steps, blocks) = (undisturbed.undisturbed(), undisturbed.blocks());
    for number in 1.. {
        let trial = prepared.trial(verb);
        faults::fail_commit(number);
        let result = trial.invoke();
        if !faults::stop() {
            break;
        }
        trial.check(&result, &steps, &format!("lost before commit {number}"));
        let again = trial.invoke();
        assert!(again.is_ok() || trial.sum() != trial.before, "{} again: {again:?}", verb.name);
    }
    for number in 1..=steps.len() {
        let trial = prepared.trial(verb);
        trial.memory.store().lost.store(number, Ordering::SeqCst);
        let result = trial.invoke();
        let commits = trial.memory.store().sums.lock().unwrap().len();
        trial.memory.store().lost.store(0, Ordering::SeqCst);
        if commits < number {
            break;
        }
        trial.check(&result, &steps, &format!("lost after commit {number}"));
        if let Err(error) = trial.invoke() {
            assert!(!error.recovery().is_empty(), "{} again: {error}", verb.name);
        }
        if !NOT_IDEMPOTENT.contains(&verb.name) && steps.len() == 2 {
            assert_eq!(trial.sum()[0], steps[1][0], "{} did it twice", verb.name);
        }
        if verb.name != "undo" {
            assert_eq!(trial.blocks(), blocks, "{} made or took more the second time", verb.name);
        }
    }
}

/// A part of the table, so that parts can run beside each other.
fn part(of: usize, parts: usize) -> impl Iterator<Item = &'static Verb> {
    catalog::all().skip(of).step_by(parts)
}

fn statements_of_part(of: usize) {
    let prepared = Prepared::new();
    for verb in part(of, 4) {
        let statements = each_fails(&prepared, verb, "statement", faults::fail_statement);
        assert!(statements > 0 || verb.name == "guide", "{} asks the store for nothing", verb.name);
    }
}

#[test]
fn no_failing_statement_leaves_anything_half_done_first_part() {
    statements_of_part(0);
}

#[test]
fn no_failing_statement_leaves_anything_half_done_second_part() {
    statements_of_part(1);
}

#[test]
fn no_failing_statement_leaves_anything_half_done_third_part() {
    statements_of_part(2);
}

#[test]
fn no_failing_statement_leaves_anything_half_done_fourth_part() {
    statements_of_part(3);
}

#[test]
fn no_transaction_that_cannot_begin_leaves_anything_half_done() {
    let prepared = Prepared::new();
    for verb in catalog::all() {
        let begun = each_fails(&prepared, verb, "begin", faults::fail_begin);
        assert!(begun > 0 || verb.name == "guide", "{} begins no transaction", verb.name);
    }
}

#[test]
fn no_lost_commit_leaves_anything_half_done() {
    let prepared = Prepared::new();
    for verb in catalog::all() {
        every_commit_is_lost(&prepared, verb);
    }
}
