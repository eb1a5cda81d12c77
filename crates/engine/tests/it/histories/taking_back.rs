//! Random histories of links, edits, redactions and purges in two scopes. After every step the memory verifies clean; an
//! undo changes the rows of its operation and no others, back to what they were; and plain undo is never stuck.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use elfmem_core::{BlockId, Scope, ScopeView};
use elfmem_engine::{Error, ListLinks, Memory, Options, Undo, UndoError, UndoResult};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_store::{JournalQuery, Operation, Snapshot, Store, StoreError};
use elfmem_store_memory::InMemoryStore;
use elfmem_store_sqlite::SqliteStore;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::fixtures::{ManualClock, SharedStore, models};
use crate::state::{state_in, without_uses};
use crate::{clock, options};

/// Texts there are; every third holds a key.
const TEXTS: usize = 7;
const LINK_TYPES: [&str; 4] = ["related_to", "derived_from", "reinforces", "contradicts"];
const CONTEXTS: [&str; 2] = ["skill:baking", "error:oven"];
const SCOPES: usize = 2;

/// One call of a verb in one of the scopes.
#[derive(Debug, Clone)]
enum Step {
    Learn(usize),
    Dream,
    Recall(usize),
    Link { from: usize, kind: usize, to: usize },
    LinkContext { from: usize, kind: usize, context: usize },
    Unlink { from: usize, kind: usize, to: usize },
    Enrol(usize, usize),
    Connect(usize, usize),
    Outcome(usize, usize),
    Tag(usize),
    Edit(usize, usize),
    Supersede(usize, usize),
    Forget(usize),
    Restore(usize),
    Redact,
    Purge(usize),
    Undo,
    UndoAndRedo(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let text = || 0..TEXTS;
    let kind = || 0..LINK_TYPES.len();
    prop_oneof![
        6 => text().prop_map(Step::Learn),
        3 => Just(Step::Dream),
        1 => text().prop_map(Step::Recall),
        6 => (text(), kind(), text()).prop_map(|(from, kind, to)| Step::Link { from, kind, to }),
        2 => (text(), kind(), 0..CONTEXTS.len()).prop_map(|(from, kind, context)| Step::LinkContext { from, kind, context }),
        2 => (text(), kind(), text()).prop_map(|(from, kind, to)| Step::Unlink { from, kind, to }),
        2 => (text(), 0..CONTEXTS.len()).prop_map(|(text, context)| Step::Enrol(text, context)),
        2 => (text(), text()).prop_map(|(a, b)| Step::Connect(a, b)),
        2 => (text(), 0..3usize).prop_map(|(text, signal)| Step::Outcome(text, signal)),
        1 => text().prop_map(Step::Tag),
        4 => (text(), text()).prop_map(|(text, to)| Step::Edit(text, to)),
        1 => (text(), text()).prop_map(|(old, new)| Step::Supersede(old, new)),
        1 => text().prop_map(Step::Forget),
        1 => text().prop_map(Step::Restore),
        2 => Just(Step::Redact),
        3 => text().prop_map(Step::Purge),
        3 => Just(Step::Undo),
        2 => any::<prop::sample::Index>().prop_map(Step::UndoAndRedo),
    ]
}

/// Some blocks to begin with, and steps, each in a scope.
fn history() -> impl Strategy<Value = Vec<(usize, Step)>> {
    let begin = (0..TEXTS).prop_map(|known| {
        let learned = (0..known).map(|text| (text % SCOPES, Step::Learn(text)));
        learned.chain((0..SCOPES).map(|scope| (scope, Step::Dream))).collect::<Vec<_>>()
    });
    let steps = prop::collection::vec((select(vec![0, 1, 1]), step()), 1..30);
    (begin, steps).prop_map(|(begin, steps)| begin.into_iter().chain(steps).collect())
}

/// Put together here, so that no key stands in this file.
fn content(text: usize) -> String {
    match text % 3 {
        2 => format!("Deploy number {text} with gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0),
        _ => format!("memory word{text} about things"),
    }
}

fn id(text: usize) -> String {
    BlockId::for_content(&content(text)).to_string()
}

type Rows = BTreeMap<String, Value>;

/// The rows before and after an operation.
struct Done {
    seq: i64,
    before: Rows,
    after: Rows,
}

/// A memory in two scopes, the second of which inherits from the first.
struct Life<S: Store> {
    memories: [Memory<SharedStore<S>>; SCOPES],
    clock: Arc<ManualClock>,
    all: ScopeView,
    done: Vec<Done>,
}

impl<S: Store> Life<S> {
    fn new(open: impl FnOnce(elfmem_core::Timestamp) -> S) -> Self {
        let clock = clock();
        let store = SharedStore::new(open(elfmem_engine::Clock::now(&*clock)));
        let all = ScopeView::only(Scope::parse("child").unwrap()).inheriting(Scope::DEFAULT);
        let memory = |view: &ScopeView, process: u64| {
            // Two processes never draw the same number.
            let counter = AtomicU64::new(process * 1_000_000);
            let random = Arc::new(move || counter.fetch_add(1, Ordering::Relaxed));
            let models = models(Arc::new(ScriptedEmbedder::new(64)), Arc::new(ScriptedAnalyst::new()));
            Memory::open(store.share(), Options { models, random, view: view.clone(), ..options(&clock) })
        };
        let memories = [memory(&ScopeView::default(), 1), memory(&all, 2)];
        Self { memories, clock, all, done: Vec::new() }
    }

    fn state(&self) -> Rows {
        without_uses(state_in(self.memories[0].store(), &self.all))
    }

    fn operations(&self, after: i64) -> Vec<Operation> {
        let query = JournalQuery { after: Some(after), ..JournalQuery::default() };
        let read = |snapshot: &dyn Snapshot| snapshot.get_operations(&query);
        self.memories[0].store().read::<_, StoreError, _>(&self.all, read).unwrap()
    }

    fn position(&self) -> i64 {
        let read = |snapshot: &dyn Snapshot| snapshot.get_journal_position();
        self.memories[0].store().read::<_, StoreError, _>(&self.all, read).unwrap()
    }

    /// Takes a step in a scope. A refusal is fine, a failure of the store is not.
    fn take(&mut self, scope: usize, step: &Step) {
        self.clock.forward_minutes(1.0);
        match step {
            Step::Undo => return self.undo(scope).map_or((), drop),
            Step::UndoAndRedo(_) if self.done.is_empty() => return,
            Step::UndoAndRedo(index) => return self.undo_and_redo(scope, index.get(&self.done).seq),
            _ => {}
        }
        let (before, position) = (self.state(), self.position());
        let verb = |verb: &str, arguments: Value| {
            let done = self.memories[scope].invoke(verb, arguments.as_object().unwrap());
            if let Err(Error::Storage(error)) = &done {
                assert!(matches!(error, StoreError::Duplicate { .. }), "{verb}: {error}");
            }
        };
        match *step {
            Step::Learn(text) => verb("learn", json!({"content": content(text), "allow_secrets": true})),
            Step::Dream => verb("consolidate", json!({})),
            Step::Recall(text) => verb("recall", json!({"query": content(text)})),
            Step::Link { from, kind, to } => {
                verb("link", json!({"from": id(from), "link_type": LINK_TYPES[kind], "to": id(to)}));
            }
            Step::LinkContext { from, kind, context } => {
                verb("link", json!({"from": id(from), "link_type": LINK_TYPES[kind], "to": CONTEXTS[context]}));
            }
            Step::Unlink { from, kind, to } => {
                verb("unlink", json!({"from": id(from), "link_type": LINK_TYPES[kind], "to": id(to)}));
            }
            Step::Enrol(text, context) => verb("enrol", json!({"block": id(text), "context": CONTEXTS[context]})),
            Step::Connect(a, b) => verb("connect", json!({"source": id(a), "target": id(b)})),
            Step::Outcome(text, signal) => {
                let signal = [0.1, 0.5, 0.9][signal];
                verb("outcome", json!({"block_ids": [id(text)], "signal": signal}));
            }
            Step::Tag(text) => verb("add_tags", json!({"block": id(text), "tags": ["topic/bread"]})),
            Step::Edit(text, to) => {
                verb("edit", json!({"block": id(text), "content": content(to), "allow_secrets": true}));
            }
            Step::Supersede(old, new) => verb("supersede", json!({"old": id(old), "by": id(new)})),
            Step::Forget(text) => verb("forget", json!({"block": id(text)})),
            Step::Restore(text) => verb("restore", json!({"block": id(text)})),
            Step::Redact => verb("scan_secrets", json!({"redact": true})),
            Step::Purge(text) => verb("purge", json!({"block": id(text)})),
            Step::Undo | Step::UndoAndRedo(_) => {}
        }
        let after = self.state();
        let changed = |operation: &Operation| operation.header.operation.not_undoable().is_none();
        let operations: Vec<i64> =
            self.operations(position).into_iter().filter(changed).map(|operation| operation.seq).collect();
        if let [seq] = operations[..] {
            self.done.push(Done { seq, before, after });
        }
    }

    /// A plain undo. It takes something back, or nothing is left that this scope could take back: nothing else is an answer.
    fn undo(&mut self, scope: usize) -> Option<UndoResult> {
        let before = self.state();
        match self.memories[scope].undo(Undo::last()) {
            Ok(undone) => {
                self.check_undone(&undone, &before);
                Some(undone)
            }
            Err(Error::Undo(
                UndoError::NothingToUndo
                | UndoError::DependedElsewhere { .. }
                | UndoError::OfAnotherScope { .. }
                | UndoError::ReplacedElsewhere { .. },
            )) => {
                assert_eq!(self.state(), before);
                None
            }
            Err(error) => panic!("plain undo is stuck: {error}"),
        }
    }

    /// An undo changes rows of its operation, back to what they were, and all of them that are as the operation left them.
    fn check_undone(&self, undone: &UndoResult, before: &Rows) {
        assert!(undone.operation != "redact_secrets" && undone.operation != "purge", "{undone}");
        let now = self.state();
        let Some(done) = self.done.iter().find(|done| undone.operations.contains(&done.seq)) else { return };
        let names: BTreeSet<&String> =
            [before, &now, &done.before, &done.after].into_iter().flat_map(BTreeMap::keys).collect();
        for name in names {
            let (was, is) = (before.get(name), now.get(name));
            let (original, left) = (done.before.get(name), done.after.get(name));
            if was != is {
                assert_eq!(is, original, "{name} after {undone}\n  was {was:?}");
            }
            if original != left && was == left {
                let purged = undone.purged.len();
                assert!(is == original || purged > 0, "{name} after {undone}\n  is {is:?}\n  should {original:?}");
            }
        }
    }

    fn undo_and_redo(&mut self, scope: usize, seq: i64) {
        let before = self.state();
        match self.memories[scope].undo(Undo::operation(seq)) {
            Ok(undone) => {
                self.check_undone(&undone, &before);
                self.verify();
                self.memories[scope].undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
            }
            Err(Error::Undo(_)) => {}
            Err(other) => panic!("{other}"),
        }
        let after = self.state();
        for name in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
            assert_eq!(after.get(name), before.get(name), "{name} after undo and redo of {seq}");
        }
    }

    fn verify(&self) {
        let findings = self.memories[0].store().examine(&self.all, &mut |_| {}).unwrap();
        assert!(findings.is_empty(), "{findings:#?}");
    }

    fn run(mut self, steps: &[(usize, Step)]) {
        for (scope, step) in steps {
            self.take(*scope, step);
            self.verify();
        }
        let most = self.operations(0).len();
        for scope in 0..SCOPES {
            let mut undone = 0;
            while self.undo(scope).is_some() {
                self.verify();
                undone += 1;
                assert!(undone <= most, "plain undo goes round in a circle");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn undo_is_exact_among_links_redactions_and_purges_in_two_scopes(steps in history()) {
        Life::new(|now| SqliteStore::in_memory(now).unwrap()).run(&steps);
    }

    #[test]
    fn undo_is_exact_among_links_redactions_and_purges_on_the_store_in_memory(steps in history()) {
        Life::new(|now| InMemoryStore::new(now).unwrap()).run(&steps);
    }
}

/// Runs a history on both stores.
fn run_on_both_stores(history: &[(usize, Step)]) {
    Life::new(|now| SqliteStore::in_memory(now).unwrap()).run(history);
    Life::new(|now| InMemoryStore::new(now).unwrap()).run(history);
}

/// Takes the steps of a history, all in the first scope.
fn lived<S: Store>(store: impl FnOnce(elfmem_core::Timestamp) -> S, steps: &[Step]) -> Life<S> {
    let mut life = Life::new(store);
    steps.iter().for_each(|step| life.take(0, step));
    life
}

/// A link that was inherited twice, and the block in the middle purged: nothing in the journal joins the first link and the
/// last any more, so an undo of the first edit brings the first back beside the last.
#[test]
fn a_link_comes_back_beside_the_one_that_a_later_block_inherited() {
    let link = Step::LinkContext { from: 0, kind: 0, context: 0 };
    let steps = [Step::Learn(0), link, Step::Edit(0, 1), Step::Edit(1, 3), Step::Purge(1)];
    fn check<S: Store>(life: Life<S>) {
        life.memories[0].undo(Undo::operation(life.done[2].seq)).unwrap();
        let links = life.memories[0].links(ListLinks::new()).unwrap();
        let numbers: BTreeSet<u64> = links.iter().map(|link| link.sequence).collect();
        assert_eq!((links.len(), numbers.len()), (2, 2), "{links:#?}");
        life.verify();
    }
    check(lived(|now| SqliteStore::in_memory(now).unwrap(), &steps));
    check(lived(|now| InMemoryStore::new(now).unwrap(), &steps));
}

/// The effect of a link on a block that came later: the link is not taken back from under it.
#[test]
fn a_link_is_not_undone_while_a_later_enrolment_rests_on_it() {
    let steps = [
        Step::Learn(0),
        Step::Learn(1),
        Step::Dream,
        Step::LinkContext { from: 0, kind: 2, context: 1 },
        Step::Enrol(1, 1),
    ];
    fn check<S: Store>(mut life: Life<S>) {
        let [.., linking, enrolling] = &life.done[..] else { panic!("both are operations") };
        let (linking, enrolling) = (linking.seq, enrolling.seq);
        let refused = life.memories[0].undo(Undo::operation(linking)).unwrap_err();
        let Error::Undo(UndoError::Depended { later, .. }) = &refused else { panic!("{refused}") };
        assert_eq!(*later, [enrolling]);
        life.undo_and_redo(0, enrolling);
        life.verify();
    }
    check(lived(|now| SqliteStore::in_memory(now).unwrap(), &steps));
    check(lived(|now| InMemoryStore::new(now).unwrap(), &steps));
}

/// A redaction hands the effect of a link to the redacted block, and cannot be undone.
#[test]
fn what_a_redaction_rests_on_is_taken_back_by_the_opposite_verb() {
    let steps = [
        Step::Learn(0),
        Step::Learn(2),
        Step::Dream,
        Step::LinkContext { from: 0, kind: 2, context: 1 },
        Step::Enrol(2, 1),
        Step::Redact,
    ];
    fn check<S: Store>(life: Life<S>) {
        let linking = life.done[3].seq;
        let refused = life.memories[0].undo(Undo::operation(linking)).unwrap_err();
        assert!(matches!(refused, Error::Undo(UndoError::DependedForGood { .. })), "{refused}");
        assert!(refused.recovery().contains("unlink()"), "{}", refused.recovery());
        let unlinked = json!({"from": id(0), "link_type": LINK_TYPES[2], "to": CONTEXTS[1]});
        life.memories[0].invoke("unlink", unlinked.as_object().unwrap()).unwrap();
        life.verify();
    }
    check(lived(|now| SqliteStore::in_memory(now).unwrap(), &steps));
    check(lived(|now| InMemoryStore::new(now).unwrap(), &steps));
    run_on_both_stores(&steps.map(|step| (0, step)));
}

/// What the inner scope replaced and the outer one said again: the outer scope does not see what took the block's place, so
/// only the inner one takes the saying back, and both ways.
#[test]
fn a_block_that_an_inner_scope_replaced_is_given_back_to_it_there_alone() {
    fn check<S: Store>(mut life: Life<S>) {
        let steps = [(0, Step::Learn(0)), (0, Step::Dream), (1, Step::Edit(0, 1)), (0, Step::Learn(0))];
        steps.iter().for_each(|(scope, step)| life.take(*scope, step));
        let (seq, before) = (life.done.last().unwrap().seq, life.state());
        let refused = life.memories[0].undo(Undo::operation(seq)).unwrap_err();
        assert!(matches!(refused, Error::Undo(UndoError::ReplacedElsewhere { .. })), "{refused}");
        assert_eq!(life.state(), before);
        life.undo_and_redo(1, seq);
        life.verify();
    }
    check(Life::new(|now| SqliteStore::in_memory(now).unwrap()));
    check(Life::new(|now| InMemoryStore::new(now).unwrap()));
}

/// A context may exist in two scopes. An undo in one never removes the context of the other.
#[test]
fn a_context_is_taken_back_in_the_scope_that_made_it() {
    fn check<S: Store>(mut life: Life<S>) {
        let learned = [(0, Step::Learn(0)), (0, Step::Learn(1)), (0, Step::Dream)];
        let enrolled = [(1, Step::Enrol(0, 1)), (0, Step::Enrol(1, 1))];
        learned.iter().chain(&enrolled).for_each(|(scope, step)| life.take(*scope, step));
        let (seq, before) = (life.done.last().unwrap().seq, life.state());
        let refused = life.memories[1].undo(Undo::operation(seq)).unwrap_err();
        let Error::Undo(UndoError::OfAnotherScope { scope, .. }) = &refused else { panic!("{refused}") };
        assert_eq!((scope, life.state()), (&Scope::DEFAULT, before));
        life.undo_and_redo(0, seq);
        life.verify();
    }
    check(Life::new(|now| SqliteStore::in_memory(now).unwrap()));
    check(Life::new(|now| InMemoryStore::new(now).unwrap()));
}

#[test]
fn a_link_to_a_block_that_an_outer_scope_edited_since_is_taken_back_and_made_again() {
    let mut history: Vec<(usize, Step)> = (0..2).map(|text| (text % SCOPES, Step::Learn(text))).collect();
    history.extend([(0, Step::Dream), (1, Step::Dream), (1, Step::Link { from: 1, kind: 0, to: 0 })]);
    history.push((0, Step::Edit(0, 1)));
    fn check<S: Store>(mut life: Life<S>, history: &[(usize, Step)]) {
        history.iter().for_each(|(scope, step)| life.take(*scope, step));
        let links = life.operations(0).into_iter().filter(|found| found.header.operation.as_str() == "link");
        let seq = links.map(|found| found.seq).next().unwrap();
        life.undo_and_redo(1, seq);
        life.verify();
    }
    check(Life::new(|now| SqliteStore::in_memory(now).unwrap()), &history);
    check(Life::new(|now| InMemoryStore::new(now).unwrap()), &history);
}
