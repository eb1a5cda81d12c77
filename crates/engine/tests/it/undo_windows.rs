//! The undo window: what is older than it is folded, and every verb that needs the journal says where it begins.

use std::collections::BTreeMap;
use std::sync::Arc;

use elfmem_core::{BlockId, OperationKind, Scope, ScopeView};
use elfmem_engine::{
    AddTags, Connect, Curate, Dream, Error, Learn, ListOperations, Memory, Options, Outcome, Recall, Undo, UndoError,
    Verify,
};
use elfmem_store::{JournalQuery, Snapshot, Store, StoreError};
use elfmem_store_memory::InMemoryStore;
use elfmem_store_sqlite::SqliteStore;
use serde_json::json;

use crate::fixtures::{ManualClock, SharedStore, block, check_invariants};
use crate::state::{assert_same_state, state};
use crate::{clock, options};

const WINDOW: u32 = 5;
const DAYS: usize = 12;

struct Year<S: Store> {
    store: SharedStore<S>,
    clock: Arc<ManualClock>,
    memory: Memory<SharedStore<S>>,
}

impl<S: Store> Year<S> {
    /// A memory that was used on twelve days, with a pause that does not count.
    fn new(open: impl FnOnce(elfmem_core::Timestamp) -> S) -> Self {
        let clock = clock();
        let store = SharedStore::new(open(elfmem_engine::Clock::now(&*clock)));
        let memory = memory_over(&store, &clock, ScopeView::default());
        for day in 0..DAYS {
            memory.learn(Learn::new(fact(day)).tag(format!("day/{day}"))).unwrap();
            memory.dream(Dream::new()).unwrap();
            for _ in 0..3 {
                memory.recall(Recall::new(fact(day)).top_k(3)).unwrap();
            }
            memory.outcome(Outcome::new([id(day)], 0.9)).unwrap();
            if day > 0 {
                memory.connect(Connect::new(id(day), id(day - 1))).unwrap();
            }
            clock.forward_minutes(24.0 * 60.0 * if day == 3 { 40.0 } else { 1.0 });
        }
        Self { store, clock, memory }
    }

    fn kinds(&self) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        let read = |snapshot: &dyn Snapshot| snapshot.get_operations(&JournalQuery::default());
        for operation in self.store.read::<_, StoreError, _>(&ScopeView::default(), read).unwrap() {
            *kinds.entry(operation.header.operation.to_string()).or_default() += 1;
        }
        kinds
    }
}

fn memory_over<S: Store>(store: &SharedStore<S>, clock: &Arc<ManualClock>, view: ScopeView) -> Memory<SharedStore<S>> {
    let number = std::sync::atomic::AtomicU64::new(if view == ScopeView::default() { 1 } else { 1_000_000 });
    let random = Arc::new(move || number.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let options = Options { view, random, undo_window_days: WINDOW, auto_curate: None, ..options(clock) };
    Memory::open(store.share(), options)
}

fn fact(day: usize) -> String {
    let things = ["bread", "violin", "harbour", "ledger", "garden", "kettle", "bridge", "parrot"];
    format!("On day {day} the {} was number {}", things[day % things.len()], day * 37)
}

fn id(day: usize) -> String {
    BlockId::for_content(&fact(day)).to_string()
}

fn a_curate_folds_what_is_older_than_the_window<S: Store>(open: impl FnOnce(elfmem_core::Timestamp) -> S) {
    let year = Year::new(open);
    let other = memory_over(&year.store, &year.clock, ScopeView::default());
    let answers = |memory: &Memory<SharedStore<S>>| -> Vec<String> {
        let ask = |day| memory.recall(Recall::new(fact(day)).top_k(5).preview()).unwrap();
        (0..DAYS).flat_map(|day| ask(day).blocks).map(|block| format!("{} {:.9}", block.id, block.score)).collect()
    };
    let before = year.kinds();
    answers(&other);
    year.memory.curate(Curate::new().reinforce_top_n(0)).unwrap();
    let (kept, after) = (state(&year.memory), year.kinds());
    check_invariants(&year.memory);
    let in_window = WINDOW as usize;
    assert_eq!((before["recall"], after["recall"]), (3 * DAYS, 3 * in_window), "{after:?}");
    assert_eq!(before["outcome"], after["outcome"], "changes of knowledge stay");
    assert_eq!(before["learn"], after["learn"]);
    assert_eq!(answers(&other), answers(&memory_over(&year.store, &year.clock, ScopeView::default())));

    let history = year.memory.invoke("history", json!({"limit": 200}).as_object().unwrap()).unwrap();
    let begins = history.json["undo_window"]["begins"].as_i64().unwrap();
    assert_eq!(history.json["undo_window"]["folded"]["recall"], 3 * (DAYS - in_window), "{}", history.json);
    let sentence = format!("The undo window begins at operation {begins}");
    assert!(history.text.contains(&sentence), "{}", history.text);
    let verified = year.memory.verify(Verify::new()).unwrap();
    assert!(verified.sound && verified.to_string().contains(&sentence), "{verified}");
    let blamed = year.memory.blame(id(0).as_str()).unwrap();
    assert_eq!(blamed.stored_by.as_ref().map(|stored| &stored.operation), Some(&OperationKind::Learn), "{blamed:?}");
    assert!(blamed.to_string().contains(&sentence), "{blamed}");

    let operations = year.memory.operations(ListOperations::new().limit(1_000)).unwrap();
    let old = operations.iter().find(|past| past.seq < begins && past.operation == OperationKind::Outcome).unwrap();
    assert!(old.changed > 1, "how much it changed is still known: {old:?}");
    let refused = year.memory.undo(Undo::operation(old.seq)).unwrap_err();
    assert!(matches!(refused, Error::Undo(UndoError::BeyondWindow { .. })), "{refused}");
    assert!(refused.to_string().contains(&format!("begins at operation {begins}")), "{refused}");

    // Within the window undo is as exact as ever, and it ends where the window begins.
    let changed = year.memory.add_tags(AddTags::new(id(0), ["more"])).unwrap();
    assert_eq!(block(&year.memory, &changed.block_id).tags.len(), 2);
    year.memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&year.memory), &kept);
    let end = loop {
        match year.memory.undo(Undo::last()) {
            Ok(undone) => assert!(undone.seq >= begins, "{undone}"),
            Err(error) => break error,
        }
    };
    assert!(matches!(end, Error::Undo(UndoError::NothingInWindow { .. })), "{end}");
    check_invariants(&year.memory);
    year.memory.curate(Curate::new().reinforce_top_n(0)).unwrap();
    check_invariants(&year.memory);
}

#[test]
fn a_curate_folds_what_is_older_than_the_window_in_sqlite() {
    a_curate_folds_what_is_older_than_the_window(|now| SqliteStore::in_memory(now).unwrap());
}

#[test]
fn a_curate_folds_what_is_older_than_the_window_in_memory() {
    a_curate_folds_what_is_older_than_the_window(|now| InMemoryStore::new(now).unwrap());
}

#[test]
fn a_block_that_was_archived_before_the_window_comes_back_with_its_tags() {
    let year = Year::new(|now| SqliteStore::in_memory(now).unwrap());
    year.memory.forget(id(0).as_str()).unwrap();
    for _ in 0..=WINDOW {
        year.clock.forward_minutes(24.0 * 60.0);
        year.memory.recall(Recall::new("bread")).unwrap();
    }
    year.memory.curate(Curate::new()).unwrap();
    let restored = year.memory.restore(id(0).as_str()).unwrap();
    assert_eq!(restored.tags.iter().map(ToString::to_string).collect::<Vec<_>>(), ["day/0"], "{restored}");
    check_invariants(&year.memory);
}

#[test]
fn a_purge_reaches_into_what_was_folded() {
    let year = Year::new(|now| SqliteStore::in_memory(now).unwrap());
    year.memory.curate(Curate::new()).unwrap();
    year.memory.purge(id(1).as_str()).unwrap();
    check_invariants(&year.memory);
}

#[test]
fn a_scope_is_told_only_of_its_own_counts() {
    let year = Year::new(|now| SqliteStore::in_memory(now).unwrap());
    let elsewhere = memory_over(&year.store, &year.clock, ScopeView::only(Scope::parse("elsewhere").unwrap()));
    year.memory.curate(Curate::new()).unwrap();
    let history = elsewhere.invoke("history", json!({}).as_object().unwrap()).unwrap();
    assert_eq!(history.json["undo_window"]["folded"], json!({}), "{}", history.json);
}
