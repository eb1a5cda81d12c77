//! Random lives with undo in them, against the model: after every step both agree, and undoing everything leads back.

use std::collections::BTreeSet;
use std::sync::Arc;

use elfmem_core::{BlockId, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Relation, Timestamp};
use elfmem_engine::results::CurateResult;
use elfmem_engine::{
    AddTags, Connect, Curate, Disconnect, Dream, Edit, Error, IfExists, Learn, LearnStatus, ListOperations, Options,
    Outcome, Recall, RemoveTags, Supersede, Undo, UndoError,
};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use proptest::prelude::*;

use super::content;
use super::fading::Staged;
use super::model::{Model, ModelBlock, ModelEdge, Text, pair};
use crate::fixtures::{TestMemory, blocks, check_invariants, edges, edit, models, open_memory, work_for};
use crate::state::{assert_same_state, state};
use crate::{ManualClock, clock, options};

/// Texts there are: few enough that steps meet, and that no block reaches the degree cap (see `crowding.rs` for that).
const TEXTS: Text = 8;
/// What a connect says; none leaves it to the default.
const RELATIONS: [Option<&str>; 4] = [None, Some("supports"), Some("co_occurs"), Some("contradicts")];
/// Very bad, bad, neither, good and very good.
const SIGNALS: [f64; 5] = [0.0, 0.15, 0.5, 0.8, 1.0];
/// Active hours in a step of waiting. No sum of them is the forty of a curate exactly.
const HOURS: f64 = 7.3;

/// One step. Further verbs are added here, in `step`, in `take`, and what they mean in the model.
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
    Connect {
        source: Text,
        target: Text,
        relation: usize,
        weight: Option<f64>,
        if_exists: IfExists,
    },
    /// An edge as a dream makes it, put there below the verbs.
    Alike(Text, Text, f64),
    Disconnect(Text, Text),
    Outcome {
        named: Vec<Text>,
        signal: usize,
        weight: f64,
        name: usize,
    },
    Retract(usize),
    /// Keeps so many of the best fresh.
    Curate(usize),
    Session,
    Undo,
    /// Undo an operation somewhere in the middle, if it lets us, and redo it.
    UndoAndRedo(prop::sample::Index),
    Wait(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let text = || 0..TEXTS;
    let exists = prop::sample::select(vec![IfExists::Reinforce, IfExists::Update, IfExists::Skip, IfExists::Error]);
    let weight = prop::option::of(prop::sample::select(vec![0.05, 0.3, 0.95]));
    let connect = (text(), text(), 0..RELATIONS.len(), weight, exists);
    let outcome = (prop::collection::vec(text(), 1..4), 0..SIGNALS.len(), 0..2usize, 0..6usize);
    prop_oneof![
        7 => (text(), prop::option::of(0..3usize)).prop_map(|(text, tag)| Step::Learn(text, tag)),
        4 => Just(Step::Dream),
        4 => text().prop_map(Step::Recall),
        1 => (text(), 0..3usize).prop_map(|(text, tag)| Step::Tag(text, tag)),
        1 => (text(), 0..3usize).prop_map(|(text, tag)| Step::Untag(text, tag)),
        1 => (text(), any::<bool>()).prop_map(|(text, pinned)| Step::Pin(text, pinned)),
        2 => (text(), text()).prop_map(|(text, to)| Step::Edit(text, to)),
        1 => text().prop_map(Step::Forget),
        2 => text().prop_map(Step::Restore),
        2 => (text(), text()).prop_map(|(old, new)| Step::Supersede(old, new)),
        4 => connect.prop_map(|(source, target, relation, weight, if_exists)| {
            Step::Connect { source, target, relation, weight, if_exists }
        }),
        1 => (text(), text(), 0.05..1.0).prop_map(|(a, b, weight)| Step::Alike(a, b, weight)),
        2 => (text(), text()).prop_map(|(a, b)| Step::Disconnect(a, b)),
        4 => outcome.prop_map(|(named, signal, weight, name)| {
            Step::Outcome { named, signal, weight: [1.0, 2.5][weight], name }
        }),
        2 => (0..6usize).prop_map(Step::Retract),
        3 => prop::sample::select(vec![0, 1, 5]).prop_map(Step::Curate),
        3 => Just(Step::Session),
        3 => Just(Step::Undo),
        2 => any::<prop::sample::Index>().prop_map(Step::UndoAndRedo),
        3 => (0..14u32).prop_map(Step::Wait),
        1 => (30..50u32).prop_map(Step::Wait),
    ]
}

/// Some texts that are dreamed of first, and steps.
fn life() -> impl Strategy<Value = Vec<Step>> {
    (0..=TEXTS, prop::collection::vec(step(), 1..60)).prop_map(|(known, steps)| {
        let learned = (0..known).map(|text| Step::Learn(text, None));
        learned.chain([Step::Dream]).chain(steps).collect()
    })
}

fn id(text: Text) -> BlockId {
    BlockId::for_content(&content(text))
}

fn tag(number: usize) -> String {
    format!("t{number}")
}

/// A memory and the model beside it.
struct Life {
    memory: TestMemory,
    clock: Arc<ManualClock>,
    model: Model,
    /// The model before and after each operation that stands, the newest last.
    done: Vec<(Model, Model)>,
    staged: Staged,
    /// What was shown in this session: saying it back is no use of it.
    handed_out: BTreeSet<Text>,
    curated_at: Option<f64>,
    now: f64,
}

impl Life {
    fn new() -> Self {
        let clock = clock();
        // No two texts are near each other, so a dream promotes and does nothing else.
        let models = models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(ScriptedAnalyst::new()));
        let memory = open_memory(Options { models, ..options(&clock) });
        let (model, staged) = (Model::default(), Staged::default());
        let (done, handed_out) = (Vec::new(), BTreeSet::new());
        let mut life = Self { memory, clock, model, done, staged, handed_out, curated_at: None, now: 0.0 };
        life.begin_session();
        life
    }

    fn take(&mut self, step: &Step) {
        let now = self.now;
        match step {
            Step::Session => {
                self.memory.end_session().unwrap();
                self.associated();
                return self.begin_session();
            }
            Step::Undo => return self.undo(),
            Step::UndoAndRedo(index) => return self.undo_and_redo(*index),
            Step::Wait(steps) => {
                work_for(&self.memory, &self.clock, f64::from(*steps) * HOURS);
                let hours = self.memory.active_hours().unwrap().get();
                assert!((hours - now - f64::from(*steps) * HOURS).abs() < 1e-6, "{hours} after {now}");
                self.now = hours;
                return;
            }
            _ => {}
        }
        if matches!(step, Step::Curate(_)) {
            self.associated();
        }
        let before = self.model.clone();
        let mut proposed = 0;
        let (mut curated, mut most) = (None, 5);
        match *step {
            Step::Learn(text, number) => {
                let tags: BTreeSet<String> = number.map(tag).into_iter().collect();
                let learned = self.memory.learn(Learn::new(content(text)).tags(tags.clone())).unwrap();
                let echoes = self.handed_out.contains(&text) && self.model.living(text) == Some(text);
                assert_eq!(learned.status == LearnStatus::Echo, echoes);
                if echoes {
                    self.change_living(text, Ok(()), |block| block.tags.extend(tags));
                } else {
                    let new = self.model.learn(text, tags, now);
                    assert_eq!(learned.status == LearnStatus::Created, new);
                }
            }
            Step::Dream => {
                let dreamed = self.memory.dream(Dream::new()).unwrap();
                self.model.dream(now);
                (proposed, curated) = (dreamed.proposed, dreamed.curated);
                assert_eq!(curated.is_some(), now - self.curated_at.unwrap_or(0.0) >= 40.0);
            }
            Step::Recall(text) => {
                let found = self.memory.recall(Recall::new(content(text)).top_k(3)).unwrap();
                let shown: Vec<Text> = found.blocks.iter().map(|block| number(&block.id)).collect();
                self.handed_out.extend(&shown);
                self.model.shown(&shown, &mut self.staged, now);
            }
            Step::Tag(text, number) => {
                let done = self.memory.add_tags(AddTags::new(id(text).as_str(), &[tag(number)]));
                self.change_living(text, done, |block| _ = block.tags.insert(tag(number)));
            }
            Step::Untag(text, number) => {
                let done = self.memory.remove_tags(RemoveTags::new(id(text).as_str(), &[tag(number)]));
                self.change_living(text, done, |block| _ = block.tags.remove(&tag(number)));
            }
            Step::Pin(text, pinned) => {
                let id = id(text);
                let done = if pinned { self.memory.pin(id.as_str()) } else { self.memory.unpin(id.as_str()) };
                self.change_living(text, done, |block| block.pinned = pinned);
            }
            Step::Edit(text, to) => {
                let done = self.memory.edit(Edit::new(id(text).as_str()).content(content(to)));
                let head = self.model.living(text);
                assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
                if let Some(head) = head.filter(|head| *head != to) {
                    self.model.edit(head, to, now);
                }
            }
            Step::Forget(text) => {
                let done = self.memory.forget(id(text).as_str());
                let head = self.model.living(text);
                assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
                if let Some(head) = head {
                    self.model.archive(head, None);
                }
            }
            Step::Restore(text) => {
                let done = self.memory.restore(id(text).as_str());
                assert_eq!(done.is_ok(), self.model.restore(text, now), "{done:?}");
            }
            Step::Supersede(old, new) => {
                let done = self.memory.supersede(Supersede::new(id(old).as_str(), id(new).as_str()));
                let ends = (self.model.living(old), self.model.living(new));
                let allowed = matches!(ends, (Some(old), Some(new)) if old != new);
                assert_eq!(done.is_ok(), allowed, "{done:?}");
                if let ((Some(old), Some(new)), true) = (ends, allowed) {
                    self.model.supersede(old, new);
                }
            }
            Step::Connect { source, target, relation, weight, if_exists } => {
                self.connect(source, target, RELATIONS[relation], weight, if_exists);
            }
            Step::Alike(a, b, weight) => self.find_alike(a, b, weight),
            Step::Disconnect(a, b) => {
                let cut = self.memory.disconnect(Disconnect::new(id(a).as_str(), id(b).as_str())).unwrap();
                let ends = self.model.head(a).zip(self.model.head(b));
                let gone = ends.and_then(|(a, b)| self.model.edges.remove(&pair(a, b)));
                assert_eq!(cut.removed_relation.map(|relation| relation.to_string()), gone.map(|edge| edge.relation));
            }
            Step::Outcome { ref named, signal, weight, name } => self.outcome(named, SIGNALS[signal], weight, name),
            Step::Retract(name) => {
                let retracted = self.memory.retract_outcome(format!("o{name}"));
                let learned = self.model.retract(&format!("o{name}"));
                assert_eq!(retracted.map_or(0, |retracted| retracted.blocks_updated), learned);
            }
            Step::Curate(top) => {
                curated = Some(self.memory.curate(Curate::new().reinforce_top_n(top)).unwrap());
                most = top;
            }
            Step::Session | Step::Undo | Step::UndoAndRedo(_) | Step::Wait(_) => {}
        }
        if self.model.differs(&before) || proposed > 0 {
            self.done.push((before, self.model.clone()));
        }
        if matches!(step, Step::Dream) {
            self.associated();
        }
        self.curated(curated, most);
    }

    /// So is linking what kept coming up together.
    fn associated(&mut self) {
        let before = self.model.clone();
        self.model.associate(&mut self.staged, self.now);
        if self.model.differs(&before) {
            self.done.push((before, self.model.clone()));
        }
    }

    /// A curate is an operation of its own, whoever set it off.
    fn curated(&mut self, curated: Option<CurateResult>, most: usize) {
        let Some(curated) = curated else { return };
        self.curated_at = Some(self.now);
        let before = self.model.clone();
        let fresh: Vec<Text> = curated.reinforced_ids.iter().map(number).collect();
        self.model.curate(&fresh, most, self.now);
        if self.model.differs(&before) {
            self.done.push((before, self.model.clone()));
        }
    }

    fn begin_session(&mut self) {
        let begun = self.memory.begin_session("work").unwrap();
        assert_eq!(begun.curate_failed, None);
        assert_eq!(begun.curated.is_some(), self.curated_at.is_none_or(|last| self.now - last >= 40.0));
        self.curated(begun.curated, 5);
        self.staged.begin_session();
        self.associated();
        self.handed_out.clear();
    }

    fn change_living<T: std::fmt::Debug>(
        &mut self,
        text: Text,
        done: elfmem_engine::Result<T>,
        edit: impl FnOnce(&mut ModelBlock),
    ) {
        let head = self.model.living(text);
        assert_eq!(done.is_ok(), head.is_some(), "{done:?}");
        if let Some(head) = head {
            edit(self.model.blocks.get_mut(&head).unwrap());
        }
    }

    fn connect(&mut self, a: Text, b: Text, relation: Option<&str>, weight: Option<f64>, if_exists: IfExists) {
        let mut spec = Connect::new(id(a).as_str(), id(b).as_str()).if_exists(if_exists);
        if let Some(relation) = relation {
            spec = spec.relation(relation);
        }
        if let Some(weight) = weight {
            spec = spec.weight(weight);
        }
        let done = self.memory.connect(&spec);
        let ends = self.model.living(a).zip(self.model.living(b)).filter(|(a, b)| a != b);
        if let (Ok(_), Some((a, b))) = (&done, ends) {
            self.model.promote(&[a, b], self.now);
        }
        let known = ends.and_then(|(a, b)| self.model.edges.get_mut(&pair(a, b)));
        let refused = known.is_some() && if_exists == IfExists::Error;
        assert_eq!(done.is_ok(), ends.is_some() && !refused, "{done:?}");
        match (known, ends) {
            (Some(edge), Some((from, _))) if if_exists == IfExists::Update => {
                if let Some(relation) = relation {
                    edge.relation = relation.to_owned();
                    edge.from = Some(from);
                    let found = ["similarity", "co_retrieval"].contains(&edge.origin.as_str());
                    edge.origin = if found { "agent".to_owned() } else { edge.origin.clone() };
                }
                edge.weight = weight.unwrap_or(edge.weight);
                edge.used_at = Some(self.now);
            }
            (Some(edge), _) if if_exists == IfExists::Reinforce => edge.confirm(0.10, self.now),
            (None, Some((a, b))) => {
                let relation = relation.unwrap_or("similar");
                let default = match relation {
                    "supports" => 0.75,
                    "co_occurs" => 0.55,
                    "contradicts" => 0.60,
                    _ => 0.65,
                };
                let edge = ModelEdge::new(relation, "agent", weight.unwrap_or(default));
                self.model.edges.insert(pair(a, b), ModelEdge { used_at: Some(self.now), from: Some(a), ..edge });
            }
            _ => {}
        }
    }

    fn find_alike(&mut self, a: Text, b: Text, weight: f64) {
        if a == b || self.model.active(a) != Some(a) || self.model.active(b) != Some(b) {
            return;
        }
        if self.model.edges.contains_key(&pair(a, b)) {
            return;
        }
        self.model.edges.insert(pair(a, b), ModelEdge::new("similar", "similarity", weight));
        let key = EdgeKey::canonical(&id(a), &id(b)).unwrap();
        let weight = EdgeWeight::saturating(weight);
        let edge = Edge { weight, ..Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, Timestamp::UNIX_EPOCH) };
        edit(&self.memory, |transaction| transaction.put_edge(&edge));
    }

    fn outcome(&mut self, named: &[Text], signal: f64, weight: f64, name: usize) {
        let name = format!("o{name}");
        let ids: Vec<String> = named.iter().map(|text| id(*text).to_string()).collect();
        let outcome = Outcome::new(ids, signal).weight(weight).outcome_id(name.clone());
        let done = self.memory.outcome(&outcome);
        match self.model.known_outcome(&name) {
            Some(known) => {
                assert_eq!(done.is_ok_and(|done| done.repeated), known == (signal, weight));
            }
            None => {
                self.model.promote(named, self.now);
                let learned = self.model.outcome(&name, named, signal, weight, self.now);
                assert_eq!(done.unwrap().blocks_updated, learned);
            }
        }
    }

    fn undo(&mut self) {
        match (self.done.pop(), self.memory.undo(Undo::last())) {
            (Some((before, after)), Ok(_)) => {
                self.model.take_back(&before, &after);
                let gone = (0..TEXTS).filter(|text| !self.model.blocks.contains_key(text));
                gone.for_each(|text| self.staged.forget(text));
            }
            (None, Err(Error::Undo(UndoError::NothingToUndo))) => {}
            (done, undone) => panic!("{undone:?} instead of {done:?}"),
        }
    }

    fn undo_and_redo(&mut self, index: prop::sample::Index) {
        let mut standing = self.memory.operations(ListOperations::new().limit(1_000)).unwrap();
        let never = ["embed", "begin_session", "end_session", "create"];
        standing.retain(|past| {
            past.undone_by.is_none() && past.undoes.is_none() && !never.contains(&past.operation.as_str())
        });
        if standing.is_empty() {
            return;
        }
        let seq = index.get(&standing).seq;
        let before = state(&self.memory);
        match self.memory.undo(Undo::operation(seq)) {
            Ok(undone) => {
                check_invariants(&self.memory);
                self.memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
                let removed = |text: &Text| {
                    let name = format!("block {}", id(*text).short());
                    undone.effects.iter().any(|effect| effect.effect == "removed" && effect.what == name)
                };
                (0..TEXTS).filter(removed).for_each(|text| self.staged.forget(text));
            }
            Err(Error::Undo(_)) => {}
            Err(other) => panic!("{other}"),
        }
        assert_same_state(&state(&self.memory), &before);
    }

    /// Both must agree, and what is true of every memory must hold.
    fn check(&self) {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let found = blocks(&self.memory);
        let texts: Vec<Text> = found.iter().map(|block| number(&block.id)).collect();
        assert_eq!(texts.iter().collect::<BTreeSet<_>>(), self.model.blocks.keys().collect::<BTreeSet<_>>());
        for (block, text) in found.iter().zip(texts) {
            let known = &self.model.blocks[&text];
            assert!((0.0..=1.0).contains(&block.confidence.get()));
            let tags: BTreeSet<String> = block.tags.iter().map(|tag| tag.to_string()).collect();
            let successor = block.superseded_by.as_ref().map(number);
            assert_eq!(
                (block.status, tags, block.pinned, successor, block.reinforcement_count),
                (known.status, known.tags.clone(), known.pinned, known.successor, known.uses),
                "{text}: {known:?}"
            );
            for (found, expected) in [
                (block.confidence.get(), known.confidence),
                (block.outcome_evidence.get(), known.evidence),
                (block.decay_lambda.get(), known.rate),
                (block.last_reinforced_at.get(), known.used_at),
            ] {
                assert!(close(found, expected), "{text}: {block:?} and {known:?}");
            }
        }
        let edges = edges(&self.memory);
        assert_eq!(edges.len(), self.model.edges.len(), "{edges:?} and {:?}", self.model.edges);
        for edge in edges {
            assert!(edge.key.from_id < edge.key.to_id, "edges are canonical");
            let key = pair(number(&edge.key.from_id), number(&edge.key.to_id));
            let known = self.model.edges.get(&key).unwrap_or_else(|| panic!("{key:?}: {edge:?}"));
            let (found, origin) = (edge.relation_type.as_str(), edge.origin.as_str());
            assert_eq!((found, origin), (known.relation.as_str(), known.origin.as_str()), "{key:?}");
            assert_eq!(edge.asserted_from.as_ref().map(number), known.from, "{key:?}: {edge:?} and {known:?}");
            assert_eq!(edge.reinforcement_count, known.uses, "{key:?}: {edge:?} and {known:?}");
            assert!(close(edge.weight.get(), known.weight), "{key:?}: {edge:?} and {known:?}");
            let stamps = (edge.last_active_hours.map(|hours| hours.get()), known.used_at);
            assert!(close(stamps.0.unwrap_or(-1.0), stamps.1.unwrap_or(-1.0)), "{key:?}: {edge:?} and {known:?}");
        }
        check_invariants(&self.memory);
    }
}

fn number(id: &BlockId) -> Text {
    (0..TEXTS).find(|text| self::id(*text) == *id).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_in_reverse_gives_the_first_state_back(steps in life()) {
        let mut life = Life::new();
        let first = state(&life.memory);
        let mut hours = 0.0;
        for step in &steps {
            life.take(step);
            life.check();
            let now = life.memory.active_hours().unwrap().get();
            prop_assert!(now >= hours, "the clock never runs backwards");
            hours = now;
        }
        let last = state(&life.memory);
        let mut undos = Vec::new();
        while !life.done.is_empty() {
            undos.push(life.memory.undo(Undo::last().dry_run()).unwrap().seq);
            life.undo();
            life.check();
        }
        assert_same_state(&state(&life.memory), &first);
        // And all the way forward again: the undos taken back, the newest first.
        let taken: Vec<i64> = undos.iter().rev().map(|seq| {
            life.memory.operations(ListOperations::new().limit(1_000)).unwrap().iter().find(|past| past.seq == *seq).unwrap().undone_by.unwrap()
        }).collect();
        for undo in taken {
            life.memory.undo(Undo::operation(undo)).unwrap();
        }
        assert_same_state(&state(&life.memory), &last);
    }
}

/// A redo while a later use hides the time of the first one: when the later use is taken back, and then the redone operation,
/// the time is what it was before the first.
#[test]
fn the_time_of_a_use_is_reverted_after_an_undo_and_a_redo_under_a_later_use() {
    let mut life = Life::new();
    let mut steps: Vec<Step> = (0..TEXTS).map(|text| Step::Learn(text, None)).collect();
    steps.extend([Step::Dream, Step::Wait(8), Step::Learn(0, Some(0)), Step::Wait(13), Step::Dream]);
    for step in &steps {
        life.take(step);
        life.check();
    }
    let all = life.memory.operations(ListOperations::new().limit(1_000)).unwrap();
    let said_again = all.iter().filter(|past| past.operation.as_str() == "learn").map(|past| past.seq).max().unwrap();
    let undone = life.memory.undo(Undo::operation(said_again)).unwrap();
    life.memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    life.check();
    while !life.done.is_empty() {
        life.undo();
        life.check();
    }
}
