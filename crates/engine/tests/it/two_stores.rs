//! One history on two stores: every verb answers alike, and both memories end with equal rows and equal journals.

use std::collections::BTreeSet;

use elfmem_core::ScopeView;
use elfmem_engine::catalog;
use elfmem_engine::{Memory, Options};
use elfmem_store::{JournalQuery, Snapshot, Store, StoreError};
use elfmem_store_sqlite::SqliteStore;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::fixtures::{TestStore, check_invariants, rows};
use crate::verb_calls::{Filled, add_review_frame, fill, thinking};
use crate::{ManualClock, clock, options};

const MARKS: [&str; 2] = ["north", "south"];
const TEXTS: [&str; 6] = [
    "Bread rises in the proofing room",
    "The proofing room is warm, so the bread rises",
    "The van leaves for the market at five",
    "The van does not leave for the market at five",
    "Maria is allergic to walnuts",
    "オーブンは二百度です",
];

/// One call of a verb.
#[derive(Debug, Clone)]
enum Step {
    /// Any verb, with arguments about the blocks of one mark.
    Verb(&'static str, usize),
    Learn(usize),
    Recall(usize),
    Outcome(usize, u8),
    Wait(u16),
}

fn step() -> impl Strategy<Value = Step> {
    let verbs: Vec<&'static str> = catalog::all().map(|verb| verb.name).collect();
    prop_oneof![
        12 => (select(verbs), 0..MARKS.len()).prop_map(|(verb, mark)| Step::Verb(verb, mark)),
        4 => (0..TEXTS.len()).prop_map(Step::Learn),
        3 => (0..TEXTS.len()).prop_map(Step::Recall),
        1 => (0..TEXTS.len(), 0..=10u8).prop_map(|(text, signal)| Step::Outcome(text, signal)),
        1 => (1..3_000u16).prop_map(Step::Wait),
    ]
}

/// A memory on one of the stores, with a clock of its own.
struct Side<S: Store> {
    memory: Memory<S>,
    clock: std::sync::Arc<ManualClock>,
    filled: [Filled; 2],
}

impl<S: Store> Side<S> {
    fn new(open: impl FnOnce(elfmem_core::Timestamp) -> S) -> Self {
        let clock = clock();
        let store = open(elfmem_engine::Clock::now(&*clock));
        let memory = Memory::open(store, Options { models: thinking(&MARKS), undo_window_days: 1, ..options(&clock) });
        let filled = MARKS.map(|mark| fill(&memory, mark));
        add_review_frame(&memory);
        Self { memory, clock, filled }
    }

    /// Runs a step; its answer or its error.
    fn run(&self, step: &Step) -> Value {
        let id = |text: usize| elfmem_core::BlockId::for_content(TEXTS[text]).to_string();
        match step {
            Step::Verb(verb, mark) => self.call(verb, self.filled[*mark].arguments(verb)),
            Step::Learn(text) => self.call("learn", json!({"content": TEXTS[*text]})),
            Step::Recall(text) => self.call("recall", json!({"query": TEXTS[*text]})),
            Step::Outcome(text, signal) => {
                self.call("outcome", json!({"block_ids": [id(*text)], "signal": f64::from(*signal) / 10.0}))
            }
            Step::Wait(minutes) => {
                self.clock.forward_minutes(f64::from(*minutes));
                Value::Null
            }
        }
    }

    fn call(&self, verb: &str, arguments: Value) -> Value {
        match self.memory.invoke(verb, arguments.as_object().unwrap()) {
            Ok(reply) => {
                let mut json = reply.json;
                // Digests of different stores cannot be compared.
                json.as_object_mut().unwrap().remove("digest");
                json
            }
            Err(error) => json!({"error": error.to_string(), "recovery": error.recovery()}),
        }
    }

    /// Every row, every operation of the journal and the answers to some questions, as lines.
    fn contents(&self) -> BTreeSet<String> {
        let rows = rows(&self.memory).into_iter().map(|row| json!(row).to_string());
        let journal = |snapshot: &dyn Snapshot| snapshot.get_journal(&JournalQuery::default());
        let journal = self.memory.store().read::<_, StoreError, _>(&ScopeView::default(), journal).unwrap();
        let mut lines: BTreeSet<String> = rows.collect();
        lines.extend(journal.iter().map(|entry| json!(entry).to_string()));
        for text in TEXTS {
            let answer = self.call("recall", json!({"query": text, "preview": true}));
            lines.insert(format!("{text}: {answer}"));
        }
        lines
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_stores_answer_alike_and_end_alike_after_any_history(steps in prop::collection::vec(step(), 1..60)) {
        let in_memory = Side::new(|now| TestStore::new(now).unwrap());
        let sqlite = Side::new(|now| SqliteStore::in_memory(now).unwrap());
        for (at, step) in steps.iter().enumerate() {
            prop_assert_eq!(in_memory.run(step), sqlite.run(step), "step {}: {:?}", at, step);
        }
        crate::fixtures::check_same(&in_memory.contents(), &sqlite.contents());
        check_invariants(&in_memory.memory);
        check_invariants(&sqlite.memory);
    }
}
