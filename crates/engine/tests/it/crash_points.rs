//! A process that dies at any write of a dream: the memory it leaves is sound, and dreaming again ends where an undisturbed
//! dream would have ended.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use elfmem_core::BlockStatus;
use elfmem_engine::{Dream, Memory, Models, Options};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};

use crate::fixtures::{
    Death, DyingStore, agent_edge, blocks, check_arithmetic, check_invariants, check_same, edit, essence, facts,
    file_store, inbox, learn, memory_thinking, models,
};
use crate::{ManualClock, clock, options};

/// Models for which the pairs of facts are near each other and nothing else is.
fn thinking() -> Models {
    let embedder = ScriptedEmbedder::new(128).with_profile(STATIC_PROFILE);
    let embedder = facts().into_iter().fold(embedder, |embedder, (_, older, newer)| match newer {
        Some(newer) => embedder.with_cosine(older, newer, 0.96),
        None => embedder,
    });
    models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new().saying("honest", 0.9, &["self/value"])))
}

/// A memory with some active blocks, an agent's edges, and more than two hundred blocks in the inbox, so that a dream takes
/// several writes and pairs lie in different ones.
fn prepare(path: &Path, clock: &Arc<ManualClock>) {
    let memory = memory_thinking(path, clock, thinking());
    let facts = facts();
    let older: Vec<&str> = facts.iter().map(|fact| fact.1).collect();
    let newer: Vec<&str> = facts.iter().filter_map(|fact| fact.2).collect();
    let fillers: Vec<String> = (0..70).map(|number| format!("Drawer {number} is for odds and ends")).collect();
    let first = learn(&memory, &older[..30]);
    memory.dream(Dream::new()).unwrap();
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&first[1], &first[20])));
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&first[12], &first[2])));
    learn(&memory, &older[30..]);
    learn(&memory, &fillers.iter().map(String::as_str).collect::<Vec<_>>());
    let newer = learn(&memory, &newer);
    edit(&memory, |transaction| transaction.put_edge(&agent_edge(&newer[0], &newer[11])));
    assert!(inbox(&memory).len() > 200);
}

/// Dreams over a copy of the prepared file until death, and gives the copy.
fn dream_until(prepared: &Path, clock: &Arc<ManualClock>, death: Death) -> (tempfile::TempDir, usize, bool) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("memory.db");
    std::fs::copy(prepared, &copy).unwrap();
    let store = file_store(&copy, elfmem_engine::Clock::now(&**clock));
    let memory = Memory::open(DyingStore::new(store, death), Options { models: thinking(), ..options(clock) });
    let survived = memory.dream(Dream::new()).is_ok();
    let writes = memory.store().writes();
    (folder, writes, survived)
}

fn every_death_is_survived(death: impl Fn(usize) -> Death) {
    let folder = tempfile::tempdir().unwrap();
    let (prepared, clock) = (folder.path().join("prepared.db"), clock());
    prepare(&prepared, &clock);
    let essence_of = |folder: &tempfile::TempDir| -> BTreeSet<String> {
        let memory = memory_thinking(&folder.path().join("memory.db"), &clock, thinking());
        essence(&memory)
    };
    let (undisturbed, writes, survived) = dream_until(&prepared, &clock, Death::Never);
    assert!(survived && writes >= 4, "a dream of {writes} writes has too few points to die at");
    let expected = essence_of(&undisturbed);
    for number in 1..=writes {
        let (folder, _, survived) = dream_until(&prepared, &clock, death(number));
        // The last write keeps what the dream proposes; that it fails is told as a warning.
        assert!(!survived || number == writes, "the dream went on after it died at write {number}");
        let memory = memory_thinking(&folder.path().join("memory.db"), &clock, thinking());
        check_invariants(&memory);
        assert_eq!(memory.store().pragma("integrity_check").unwrap(), "ok");
        let result = memory.dream(Dream::new()).unwrap();
        check_arithmetic(&result);
        check_invariants(&memory);
        assert!(blocks(&memory).iter().all(|block| block.status != BlockStatus::Inbox));
        check_same(&essence(&memory), &expected);
    }
}

#[test]
fn dying_before_any_write_of_a_dream_loses_work_never_consistency() {
    every_death_is_survived(Death::Before);
}

#[test]
fn dying_after_any_write_of_a_dream_loses_work_never_consistency() {
    every_death_is_survived(Death::After);
}
