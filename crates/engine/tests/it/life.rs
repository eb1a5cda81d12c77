//! The life of a memory over weeks of work, on a clock the test moves.
//!
//! Every number is computed a second time here, with plain arithmetic from the formulas, and compared after each step.

use std::collections::BTreeMap;
use std::sync::Arc;

use elfmem_core::{ArchiveReason, BlockId, BlockStatus};
use elfmem_engine::{Connect, Curate, Disconnect, Learn, Outcome, Recall};

use crate::fixtures::{TestMemory, block, check_invariants, edge_between, edges};
use crate::{ManualClock, clock, memory_at};

/// What a block should be, by the formulas alone.
#[derive(Debug, Clone)]
struct Expected {
    confidence: f64,
    evidence: f64,
    uses: u32,
    used_at: f64,
    rate: f64,
    alive: bool,
}

impl Expected {
    fn recency(&self, now: f64) -> f64 {
        (-self.rate * (now - self.used_at)).exp()
    }

    fn outcome(&mut self, signal: f64, weight: f64, now: f64) {
        let mass = 2.0 + self.evidence;
        self.confidence = (self.confidence * mass + signal * weight) / (mass + weight);
        self.evidence += weight;
        if signal > 0.5 {
            self.reinforce(now);
        }
        if signal < 0.20 && self.rate > 0.001 {
            self.rate = (self.rate * 2.0).min(0.050);
        }
    }

    fn reinforce(&mut self, now: f64) {
        self.uses += 1;
        self.used_at = now;
    }
}

/// What an edge should be.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ExpectedEdge {
    weight: f64,
    count: u32,
    /// When it last mattered, where it fades with disuse.
    fades_since: Option<f64>,
}

struct Life {
    memory: TestMemory,
    clock: Arc<ManualClock>,
    now: f64,
    blocks: BTreeMap<&'static str, (BlockId, Expected)>,
    edges: BTreeMap<(&'static str, &'static str), ExpectedEdge>,
    last_curate: f64,
    /// In how many sessions two that are not joined were shown together, and the last of those.
    together: BTreeMap<(&'static str, &'static str), (u32, usize)>,
    session: usize,
}

/// The facts of this life: name, text, tag, category, rate.
const FACTS: [(&str, &str, &str, &str, f64); 7] = [
    ("rust", "The parser is written in Rust", "topic/parser", "knowledge", 0.010),
    ("tests", "Every release needs a green test run on Windows", "topic/release", "knowledge", 0.010),
    ("maria", "Maria is allergic to peanuts", "topic/people", "knowledge", 0.010),
    ("weather", "It rained all morning in Lisbon", "topic/weather", "observation", 0.050),
    ("candour", "Saying plainly what failed matters more than looking good", "self/value", "knowledge", 0.001),
    ("oath", "Never hand out the data of one user to another", "self/constitutional", "knowledge", 0.00001),
    ("wrong", "The staging database listens on port 99999", "topic/db", "knowledge", 0.010),
];

impl Life {
    fn begin() -> Self {
        let clock = clock();
        let memory = memory_at(&clock);
        let (blocks, edges) = (BTreeMap::new(), BTreeMap::new());
        Self { memory, clock, now: 0.0, blocks, edges, last_curate: 0.0, together: BTreeMap::new(), session: 0 }
    }

    fn work(&mut self, hours: f64) {
        self.clock.forward_minutes(hours * 60.0);
        self.now += hours;
    }

    /// A night: what was shown together for the third day is joined, and time passes on the wall and not on the clock of use.
    fn night(&mut self) {
        self.memory.end_session().unwrap();
        let now = self.now;
        for (key, _) in self.together.extract_if(.., |_, (sessions, _)| *sessions == 3) {
            self.edges.insert(key, ExpectedEdge { weight: 0.55, count: 0, fades_since: Some(now) });
        }
        self.clock.forward_minutes(14.0 * 60.0);
        let begun = self.memory.begin_session("work").unwrap();
        self.session += 1;
        let due = self.now - self.last_curate >= 40.0;
        assert_eq!(begun.curated.is_some(), due, "at {}", self.now);
        if due {
            let (archived, reinforced) = self.expect_curate(5);
            let curated = begun.curated.unwrap();
            assert_eq!((curated.archived, curated.reinforced), (archived, reinforced), "at {}", self.now);
        }
        self.check("after a night");
    }

    fn id(&self, name: &str) -> BlockId {
        self.blocks[name].0.clone()
    }

    fn outcome(&mut self, names: &[&'static str], signal: f64, weight: f64) {
        let ids: Vec<String> = names.iter().map(|name| self.id(name).to_string()).collect();
        let result = self.memory.outcome(Outcome::new(ids, signal).weight(weight)).unwrap();
        assert_eq!(result.blocks_updated, names.len());
        let now = self.now;
        for name in names {
            self.blocks.get_mut(name).unwrap().1.outcome(signal, weight, now);
        }
        if signal > 0.5 {
            for (at, a) in names.iter().enumerate() {
                for b in &names[at + 1..] {
                    let known = self.edges.contains_key(&pair(a, b));
                    let edge = self.edges.entry(pair(a, b)).or_insert(ExpectedEdge {
                        weight: signal * 0.8,
                        count: 0,
                        fades_since: None,
                    });
                    if known {
                        edge.weight = (edge.weight + signal * 0.10).min(1.0);
                        edge.count += 1;
                    }
                }
            }
        }
        self.check(&format!("outcome {signal} on {names:?}"));
    }

    fn connect(&mut self, a: &'static str, b: &'static str, relation: &str, weight: f64) {
        self.memory.connect(Connect::new(self.id(a).as_str(), self.id(b).as_str()).relation(relation)).unwrap();
        let known = self.edges.contains_key(&pair(a, b));
        let edge = self.edges.entry(pair(a, b)).or_insert(ExpectedEdge { weight, count: 0, fades_since: None });
        if known {
            edge.weight = (edge.weight + 0.10).min(1.0);
            edge.count += 1;
        }
        self.check(&format!("{a} {relation} {b}"));
    }

    /// Asks, and counts what was shown: a use for every block, one for every edge between two of them, and a session
    /// for every two that are not joined.
    fn recall(&mut self, question: &str, expected: &[&'static str]) {
        let found = self.memory.recall(Recall::new(question).top_k(expected.len())).unwrap();
        let name = |id: &BlockId| self.blocks.iter().find(|(_, (known, _))| known == id).map(|(name, _)| *name);
        let mut shown: Vec<&'static str> = found.blocks.iter().filter_map(|block| name(&block.id)).collect();
        shown.sort_unstable();
        assert_eq!(shown, expected, "{question}");
        for name in &shown {
            self.blocks.get_mut(name).unwrap().1.reinforce(self.now);
        }
        for (at, a) in shown.iter().enumerate() {
            for b in &shown[at + 1..] {
                if let Some(edge) = self.edges.get_mut(&pair(a, b)) {
                    edge.count += 1;
                    edge.fades_since = edge.fades_since.map(|_| self.now);
                    continue;
                }
                let (sessions, last) = self.together.entry(pair(a, b)).or_insert((0, usize::MAX));
                if *last != self.session {
                    (*sessions, *last) = (*sessions + 1, self.session);
                }
            }
        }
        self.check(&format!("recalled {shown:?}"));
    }

    /// What a curate does now: how many blocks go and how many are kept fresh.
    fn expect_curate(&mut self, top: usize) -> (usize, usize) {
        let now = self.now;
        let mut archived = 0;
        for (_, expected) in self.blocks.values_mut().filter(|(_, expected)| expected.alive) {
            if expected.recency(now) < 0.05 {
                expected.alive = false;
                archived += 1;
            }
        }
        let alive: Vec<&'static str> =
            self.blocks.iter().filter(|(_, (_, expected))| expected.alive).map(|(name, _)| *name).collect();
        let rate = |name: &str| self.blocks[name].1.rate;
        self.edges.retain(|(a, b), edge| {
            let unused = edge.fades_since.map_or(0.0, |since| now - since);
            let pace = rate(a).min(rate(b)) * if edge.count >= 10 { 0.25 } else { 0.5 };
            alive.contains(a) && alive.contains(b) && edge.weight * (-pace * unused).exp() >= 0.10
        });
        let degree = |name: &str| -> f64 {
            let touching = self.edges.iter().filter(|((a, b), _)| *a == name || *b == name);
            touching.map(|(_, edge)| edge.weight + 0.10 * f64::from(1 + edge.count).ln()).sum()
        };
        let highest = alive.iter().map(|name| degree(name)).fold(0.0, f64::max);
        let most = alive.iter().map(|name| self.blocks[name].1.uses).max().unwrap_or(0);
        let mut scored: Vec<(f64, &'static str)> = alive
            .iter()
            .map(|name| {
                let expected = &self.blocks[name].1;
                let centrality = if highest > 0.0 { degree(name) / highest } else { 0.0 };
                let use_share =
                    if most > 0 { f64::from(1 + expected.uses).ln() / f64::from(1 + most).ln() } else { 0.0 };
                let score =
                    (0.30 * expected.confidence + 0.05 * expected.recency(now) + 0.25 * centrality + 0.30 * use_share)
                        / 0.90;
                (score, *name)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best: Vec<&'static str> = scored.into_iter().take(top).map(|(_, name)| name).collect();
        for name in &best {
            self.blocks.get_mut(name).unwrap().1.reinforce(now);
        }
        self.last_curate = now;
        (archived, best.len())
    }

    fn check(&self, when: &str) {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(self.memory.active_hours().unwrap().get(), self.now), "{when}: the clock");
        for (name, (id, expected)) in &self.blocks {
            let found = block(&self.memory, id);
            let status = if expected.alive { BlockStatus::Active } else { BlockStatus::Archived };
            assert_eq!(found.status, status, "{when}: {name}");
            assert_eq!(found.archive_reason.is_some(), !expected.alive);
            assert!(close(found.confidence.get(), expected.confidence), "{when}: {name} {found:?} {expected:?}");
            assert!(close(found.outcome_evidence.get(), expected.evidence), "{when}: {name} {found:?} {expected:?}");
            assert!(close(found.decay_lambda.get(), expected.rate), "{when}: {name} {found:?} {expected:?}");
            assert!(close(found.last_reinforced_at.get(), expected.used_at), "{when}: {name} {found:?} {expected:?}");
            assert_eq!(found.reinforcement_count, expected.uses, "{when}: {name}");
            if expected.alive {
                let shown = self.memory.show(id.as_str()).unwrap();
                assert!(close(shown.recency, expected.recency(self.now)), "{when}: {name}");
            }
        }
        assert_eq!(edges(&self.memory).len(), self.edges.len(), "{when}: {:?}", edges(&self.memory));
        for ((a, b), expected) in &self.edges {
            let found = edge_between(&self.memory, &self.id(a), &self.id(b)).unwrap();
            assert!(close(found.weight.get(), expected.weight), "{when}: {a}–{b} {found:?} {expected:?}");
            assert_eq!(found.reinforcement_count, expected.count, "{when}: {a}–{b}");
        }
        check_invariants(&self.memory);
    }
}

fn pair(a: &'static str, b: &'static str) -> (&'static str, &'static str) {
    if a < b { (a, b) } else { (b, a) }
}

#[test]
fn weeks_of_work_come_out_as_the_formulas_say() {
    let mut life = Life::begin();
    life.memory.begin_session("work").unwrap();
    for (name, text, tag, category, rate) in FACTS {
        let stored = life.memory.learn(Learn::new(text).tag(tag).category(category)).unwrap();
        let expected = Expected { confidence: 0.5, evidence: 0.0, uses: 0, used_at: 0.0, rate, alive: true };
        life.blocks.insert(name, (stored.block_id, expected));
    }
    life.work(2.0);
    let dreamed = life.memory.consolidate().unwrap();
    assert_eq!((dreamed.promoted, dreamed.edges_created), (7, 0), "seven things that have nothing in common");
    for (_, expected) in life.blocks.values_mut() {
        expected.reinforce(2.0);
    }
    life.check("dreamed");

    // The first day: good and bad news, and what belongs together.
    life.work(1.0);
    life.outcome(&["rust", "tests"], 0.9, 1.0);
    life.connect("rust", "tests", "supports", 0.75);
    life.connect("maria", "candour", "elaborates", 0.70);
    life.work(3.0);
    life.outcome(&["wrong"], 0.1, 1.0);
    life.outcome(&["maria"], 0.5, 1.0);
    life.outcome(&["wrong"], 0.0, 2.0);
    life.outcome(&["wrong", "weather"], 0.15, 1.0);
    assert_eq!(life.blocks["wrong"].1.rate, 0.050, "doubled three times, up to the ceiling");
    assert_eq!(life.blocks["weather"].1.rate, 0.050, "it was there already");

    // What is asked for is of use, and so is the edge between what is shown together.
    life.recall("In which language is the parser written, and what does a release need?", &["rust", "tests"]);
    life.recall("What is Maria allergic to?", &["maria"]);

    // Nights do not count. Six more days of eight hours: the first curate of its own comes when forty hours have passed.
    life.work(2.0);
    for day in 0..6 {
        life.night();
        life.work(4.0);
        // Two things that have nothing to do with each other and are asked for together, day after day.
        life.recall("Maria peanuts, parser Rust", &["maria", "rust"]);
        life.recall("parser Rust, Maria peanuts", &["maria", "rust"]);
        let joined = life.edges.get(&pair("maria", "rust")).map(|edge| edge.count);
        assert_eq!(joined, [None, None, None, Some(2), Some(4), Some(6)][day], "joined after the third day");
        if day % 2 == 0 {
            life.outcome(&["rust", "tests", "candour"], 0.8, 1.0);
        } else {
            life.outcome(&["maria"], 0.95, 0.5);
        }
        life.work(4.0);
    }
    assert!(life.last_curate >= 40.0, "it has curated by itself");

    assert_eq!(life.edges[&pair("maria", "rust")].weight, 0.55);

    // Three weeks in which nothing of this is touched.
    for _ in 0..15 {
        life.night();
        life.work(8.0);
    }
    assert!(
        !life.blocks["weather"].1.alive && !life.blocks["wrong"].1.alive,
        "faded: an observation and what was wrong"
    );
    assert!(life.blocks["oath"].1.alive && life.blocks["candour"].1.alive);
    let gone = block(&life.memory, &life.id("wrong"));
    assert_eq!(gone.archive_reason, Some(ArchiveReason::Decayed));

    // A disconnect, a last good outcome, and a curate that is asked for with other numbers.
    let (rust, tests) = (life.id("rust"), life.id("tests"));
    life.memory
        .disconnect(Disconnect::new(rust.as_str(), tests.as_str()).reason("the parser has its own tests"))
        .unwrap();
    life.edges.remove(&pair("rust", "tests"));
    life.check("disconnected");
    life.outcome(&["rust", "oath"], 1.0, 3.0);
    let (archived, reinforced) = life.expect_curate(2);
    let curated = life.memory.curate(Curate::new().reinforce_top_n(2)).unwrap();
    assert_eq!((curated.archived, curated.reinforced), (archived, reinforced));
    life.check("curated");

    // Knowledge that came back after it had faded starts where its evidence left it.
    let wrong = life.memory.learn("The staging database listens on port 99999").unwrap().block_id;
    assert_eq!(wrong, life.id("wrong"));
    assert_eq!(block(&life.memory, &wrong).status, BlockStatus::Inbox);
    life.memory.consolidate().unwrap();
    let now = life.now;
    let back = &mut life.blocks.get_mut("wrong").unwrap().1;
    (back.alive, back.rate) = (true, 0.010);
    back.reinforce(now);
    life.check("learned again");
}
