//! Random lives with undo in them, against the model: after every step both agree, and undoing everything leads back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use elfmem::core::{ActiveHours, BlockId, BlockStatus};
use elfmem::model::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem::store::Store;
use elfmem::{Dream, Edit, Error, Learn, LearnStatus, Memory, Options, UndoError};
use elfmem_store_sqlite::SqliteStore;
use proptest::prelude::*;

use super::content;
use super::model::{Model, ModelBlock, Text};
use crate::dreaming::{agent_edge, blocks, check_invariants, edges, edit, models};
use crate::state::{assert_same_state, state};
use crate::{ManualClock, clock, options};

/// Texts there are: few enough that steps meet, and that no block reaches the degree cap.
const TEXTS: Text = 8;

/// One step. Further verbs (outcome, curate, …) are added here, in `step`, in `take`, and what they mean in `model.rs`.
#[derive(Debug, Clone)]
enum Step {
    Learn(Text, Option<usize>),
    Dream,
    Recall(Text),
    Tag(Text, usize),
    Untag(Text, usize),
    Pin(Text, bool),
    Edit(Text, Text),
    Forget(Text),
    Restore(Text),
    Supersede(Text, Text),
    Connect(Text, Text),
    Disconnect(Text, Text),
    Undo,
    /// Undo an operation somewhere in the middle, if it lets us, and redo it.
    UndoAndRedo(prop::sample::Index),
    Wait(i32),
}

fn step() -> impl Strategy<Value = Step> {
    let text = || 0..TEXTS;
    prop_oneof![
        6 => (text(), prop::option::of(0..3usize)).prop_map(|(text, tag)| Step::Learn(text, tag)),
        3 => Just(Step::Dream),
        1 => text().prop_map(Step::Recall),
        1 => (text(), 0..3usize).prop_map(|(text, tag)| Step::Tag(text, tag)),
        1 => (text(), 0..3usize).prop_map(|(text, tag)| Step::Untag(text, tag)),
        1 => (text(), any::<bool>()).prop_map(|(text, pinned)| Step::Pin(text, pinned)),
        2 => (text(), text()).prop_map(|(text, to)| Step::Edit(text, to)),
        2 => text().prop_map(Step::Forget),
        2 => text().prop_map(Step::Restore),
        2 => (text(), text()).prop_map(|(old, new)| Step::Supersede(old, new)),
        3 => (text(), text()).prop_map(|(a, b)| Step::Connect(a, b)),
        1 => (text(), text()).prop_map(|(a, b)| Step::Disconnect(a, b)),
        3 => Just(Step::Undo),
        2 => any::<prop::sample::Index>().prop_map(Step::UndoAndRedo),
        1 => (0..90i32).prop_map(Step::Wait),
    ]
}

fn id(text: Text) -> BlockId {
    BlockId::for_content(&content(text))
}

fn tag(number: usize) -> String {
    format!("t{number}")
}

/// A memory and the model beside it.
struct Life {
    memory: Memory<SqliteStore>,
    clock: Arc<ManualClock>,
    model: Model,
    /// The model before each operation that stands, the newest last.
    before: Vec<Model>,
}

impl Life {
    fn new() -> Self {
        let clock = clock();
        let store = SqliteStore::in_memory(elfmem::Clock::now(&*clock)).unwrap();
        // No two texts are near each other, so a dream promotes and does nothing else.
        let models = models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(ScriptedAnalyst::new()));
        let memory = Memory::open(store, Options { models, ..options(&clock) });
        Self { memory, clock, model: Model::default(), before: Vec::new() }
    }

    fn take(&mut self, step: &Step) {
        let before = self.model.clone();
        match *step {
            Step::Learn(text, number) => {
                let tags: BTreeSet<String> = number.map(tag).into_iter().collect();
                let learned = self.memory.learn(Learn::new(content(text)).tags(tags.clone())).unwrap();
                let new = self.model.learn(text, tags);
                assert_eq!(learned.status == LearnStatus::Created, new);
            }
            Step::Dream => {
                self.memory.dream(&Dream::default()).unwrap();
                self.model.dream();
            }
            Step::Recall(text) => drop(self.memory.recall(&content(text), 3).unwrap()),
            Step::Tag(text, number) => {
                let done = self.memory.add_tags(id(text).as_str(), &[tag(number)]);
                self.change_living(text, done, |block| _ = block.tags.insert(tag(number)));
            }
            Step::Untag(text, number) => {
                let done = self.memory.remove_tags(id(text).as_str(), &[tag(number)]);
                self.change_living(text, done, |block| _ = block.tags.remove(&tag(number)));
            }
            Step::Pin(text, pinned) => {
                let id = id(text);
                let done = if pinned { self.memory.pin(id.as_str()) } else { self.memory.unpin(id.as_str()) };
                self.change_living(text, done, |block| block.pinned = pinned);
            }
            Step::Edit(text, to) => {
                let done = self.memory.edit(id(text).as_str(), &Edit::default().content(content(to)));
                let head = self.model.living(text);
                assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
                if let Some(head) = head.filter(|head| *head != to) {
                    self.model.learn(to, BTreeSet::new());
                    self.model.supersede(head, to);
                }
            }
            Step::Forget(text) => {
                let done = self.memory.forget(id(text).as_str(), None);
                let head = self.model.living(text);
                assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
                if let Some(head) = head {
                    self.model.archive(head, None);
                }
            }
            Step::Restore(text) => {
                let done = self.memory.restore(id(text).as_str());
                assert_eq!(done.is_ok(), self.model.restore(text), "{done:?}");
            }
            Step::Supersede(old, new) => {
                let done = self.memory.supersede(id(old).as_str(), id(new).as_str());
                let pair = (self.model.living(old), self.model.living(new));
                let allowed = matches!(pair, (Some(old), Some(new)) if old != new);
                assert_eq!(done.is_ok(), allowed, "{done:?}");
                if let ((Some(old), Some(new)), true) = (pair, allowed) {
                    self.model.supersede(old, new);
                }
            }
            Step::Connect(a, b) => self.join(a, b, true),
            Step::Disconnect(a, b) => self.join(a, b, false),
            Step::Undo => return self.undo(),
            Step::UndoAndRedo(index) => return self.undo_and_redo(index),
            Step::Wait(minutes) => self.clock.forward_minutes(f64::from(minutes)),
        }
        if self.model != before {
            self.before.push(before);
        }
    }

    fn change_living<T: std::fmt::Debug>(
        &mut self,
        text: Text,
        done: elfmem::Result<T>,
        edit: impl FnOnce(&mut ModelBlock),
    ) {
        let head = self.model.living(text);
        assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
        if let Some(head) = head {
            edit(self.model.blocks.get_mut(&head).unwrap());
        }
    }

    /// Edges are made and cut below the verbs here: `connect` and `disconnect` have their own rules and tests.
    fn join(&mut self, a: Text, b: Text, joined: bool) {
        let alive =
            |text: Text| self.model.blocks.get(&text).is_some_and(|block| block.status != BlockStatus::Archived);
        if a == b || !alive(a) || !alive(b) || !self.model.join(a, b, joined) {
            return;
        }
        let edge = agent_edge(&id(a), &id(b));
        edit(&self.memory, |transaction| match joined {
            true => transaction.put_edge(&edge),
            false => transaction.delete_edge(&edge.key).map(drop),
        });
    }

    fn undo(&mut self) {
        match (self.before.pop(), self.memory.undo(None, false)) {
            (Some(before), Ok(_)) => self.model = before,
            (None, Err(Error::Undo(UndoError::NothingToUndo))) => {}
            (before, undone) => panic!("{undone:?} instead of {before:?}"),
        }
    }

    fn undo_and_redo(&mut self, index: prop::sample::Index) {
        let mut standing = self.memory.operations(1_000).unwrap();
        standing.retain(|past| past.undone_by.is_none() && past.undoes.is_none() && past.operation != "embed");
        let seq = index.get(&standing).seq;
        let before = state(&self.memory);
        match self.memory.undo(Some(seq), false) {
            Ok(undone) => {
                check_invariants(&self.memory);
                self.memory.undo(undone.undo_seq, false).unwrap();
            }
            Err(Error::Undo(_)) => {}
            Err(other) => panic!("{other}"),
        }
        assert_same_state(&state(&self.memory), &before);
    }

    /// Both must agree, and what is true of every memory must hold.
    fn check(&self) {
        let number: BTreeMap<BlockId, Text> = (0..TEXTS).map(|text| (id(text), text)).collect();
        let mut found = Model::default();
        for block in blocks(&self.memory) {
            assert!((0.0..=1.0).contains(&block.confidence.get()));
            let known = ModelBlock {
                status: block.status,
                tags: block.tags.iter().map(|tag| tag.to_string()).collect(),
                pinned: block.pinned,
                successor: block.superseded_by.as_ref().map(|id| number[id]),
                dropped: self.model.blocks.get(&number[&block.id]).and_then(|block| block.dropped.clone()),
            };
            found.blocks.insert(number[&block.id], known);
        }
        for edge in edges(&self.memory) {
            assert!(edge.key.from_id < edge.key.to_id, "edges are canonical");
            let (a, b) = (number[&edge.key.from_id], number[&edge.key.to_id]);
            found.edges.insert((a.min(b), a.max(b)));
        }
        assert_eq!(found, self.model);
        check_invariants(&self.memory);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_in_reverse_gives_the_first_state_back(steps in prop::collection::vec(step(), 1..50)) {
        let mut life = Life::new();
        let first = state(&life.memory);
        let mut hours = ActiveHours::ZERO;
        for step in &steps {
            life.take(step);
            life.check();
            let now = life.memory.store().read(&Default::default(), |snapshot| snapshot.get_total_active_hours()).unwrap();
            prop_assert!(now >= hours, "the clock never runs backwards");
            hours = now;
        }
        let last = state(&life.memory);
        let mut undos = Vec::new();
        while !life.before.is_empty() {
            undos.push(life.memory.undo(None, true).unwrap().seq);
            life.undo();
            life.check();
        }
        assert_same_state(&state(&life.memory), &first);
        // And all the way forward again: the undos taken back, the newest first.
        let taken: Vec<i64> = undos.iter().rev().map(|seq| {
            life.memory.operations(1_000).unwrap().iter().find(|past| past.seq == *seq).unwrap().undone_by.unwrap()
        }).collect();
        for undo in taken {
            life.memory.undo(Some(undo), false).unwrap();
        }
        assert_same_state(&state(&life.memory), &last);
    }
}
