//! A memory of an older built-in model moves to the newer one in bounded steps.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use elfmem_engine::results::Health;
use elfmem_engine::{Dream, EmbedderChoice, ErrorKind, Learn, MigrateEmbeddings, Models, Recall, RecallResult, Verify};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{BuiltinModel, RulesAnalyst};

use crate::fixtures::{FileMemory, check_invariants, learn, memory_thinking, models};
use crate::{ManualClock, clock};

/// The name of a table that no program contains any more.
const FORGOTTEN: &str = "elfmem-static-256-v0";
const HEARTS: &str = "Octopuses have three hearts";

fn built_in(path: &Path, clock: &Arc<ManualClock>, model: BuiltinModel) -> FileMemory {
    let embedder = EmbedderChoice::BuiltIn(model);
    memory_thinking(path, clock, Models { embedder, analyst: Arc::new(RulesAnalyst), ..Models::default() })
}

/// Stores enough blocks for two steps.
fn fill(memory: &FileMemory) {
    let texts: Vec<Learn> =
        (0..300).map(|number| Learn::new(format!("Shelf {number} holds box {}", number * 7))).collect();
    memory.learn_all(&texts).unwrap();
    learn(memory, &[HEARTS]);
    memory.dream(Dream::new()).unwrap();
}

/// Whether the question had a vector.
fn by_meaning(found: &RecallResult) -> bool {
    found.message.as_deref().is_none_or(|message| !message.contains("words alone"))
}

fn one_step() -> Dream {
    Dream::new().migration_time(Duration::ZERO)
}

#[test]
fn dreams_move_a_memory_step_by_step_while_the_old_vectors_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    fill(&built_in(&path, &clock, BuiltinModel::Static));
    let memory = built_in(&path, &clock, BuiltinModel::Encoder);
    let hearts = || {
        let found = memory.recall(Recall::new("how many hearts does an octopus have?").top_k(1)).unwrap();
        assert_eq!(found.blocks[0].content, HEARTS);
        assert!(found.blocks[0].explain.meaning.is_some() && by_meaning(&found), "{:?}", found.message);
    };
    hearts();
    let status = memory.status().unwrap();
    assert_ne!(status.health, Health::Degraded);
    assert!(status.suggestion.contains("0 of 301 blocks are done"), "{}", status.suggestion);
    let examined = memory.examine(Verify::new()).unwrap();
    assert!(examined.is_sound() && examined.migration.is_some(), "{examined:?}");
    let dry = memory.dream(Dream::new().dry_run()).unwrap();
    assert!(dry.warnings[0].contains("0 of 301"), "{dry:?}");

    learn(&memory, &["Honey does not spoil"]);
    let first = memory.dream(one_step()).unwrap();
    assert_eq!((first.processed, first.promoted), (1, 1), "the inbox is consolidated with the old vectors");
    assert!(first.warnings[0].contains("256 of 302 blocks are done. The next dream goes on"), "{first:?}");
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::Static.name()));
    hearts();

    let second = memory.dream(one_step()).unwrap();
    assert!(second.warnings[0].contains("have vectors of elfmem-encoder"), "{second:?}");
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::Encoder.name()));
    assert_eq!(memory.migration_progress().unwrap(), None);
    assert!(memory.dream(one_step()).unwrap().warnings.is_empty());
    hearts();
    check_invariants(&memory);
}

#[test]
fn a_model_that_is_not_in_the_program_any_more_leaves_words_until_the_memory_has_moved() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = ScriptedEmbedder::new(64).named(FORGOTTEN);
    fill(&memory_thinking(&path, &clock, models(Arc::new(old), Arc::new(RulesAnalyst))));
    let memory = built_in(&path, &clock, BuiltinModel::Encoder);
    learn(&memory, &["Honey does not spoil"]);
    let found = memory.recall(Recall::new("octopuses hearts").top_k(1)).unwrap();
    assert_eq!(found.blocks[0].content, HEARTS);
    assert!(found.message.unwrap().contains("the vectors come from another model"));
    let first = memory.dream(one_step()).unwrap();
    assert_eq!((first.processed, first.waiting), (0, 1), "the inbox waits");
    assert!(first.warnings[0].contains("256 of 302"), "{first:?}");
    let second = memory.dream(one_step()).unwrap();
    assert_eq!((second.processed, second.promoted), (1, 1), "{second:?}");
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::Encoder.name()));
    let found = memory.recall(Recall::new("Wie viele Herzen haben Kraken?").top_k(1)).unwrap();
    assert!(found.blocks[0].content == HEARTS && by_meaning(&found), "{:?}", found.message);
}

#[test]
fn an_interrupted_move_can_be_finished_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    fill(&built_in(&path, &clock, BuiltinModel::Static));
    let memory = built_in(&path, &clock, BuiltinModel::Encoder);
    memory.dream(one_step()).unwrap();
    let result = memory.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!((result.resumed, result.embedded), (256, 45));
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::Encoder.name()));
}

#[test]
fn nothing_moves_back_on_its_own_and_the_old_vectors_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let newer = built_in(&path, &clock, BuiltinModel::Encoder);
    learn(&newer, &[HEARTS, "Honey does not spoil"]);
    newer.dream(Dream::new()).unwrap();
    let older = built_in(&path, &clock, BuiltinModel::Static);
    assert_eq!(older.dream(Dream::new()).unwrap_err().kind(), ErrorKind::EmbeddingLock);
    assert_eq!(older.migration_progress().unwrap(), None);
    let found = older.recall(Recall::new("Wie viele Herzen haben Kraken?").top_k(1)).unwrap();
    assert!(found.blocks[0].content == HEARTS && by_meaning(&found), "{:?}", found.message);
    assert_eq!(older.status().unwrap().health, Health::Degraded);
    let other = models(Arc::new(ScriptedEmbedder::new(8).named("other")), Arc::new(RulesAnalyst));
    let other = memory_thinking(&path, &clock, other);
    assert!(by_meaning(&other.recall(Recall::new("hearts").top_k(1)).unwrap()), "with any model that is chosen");
    assert_eq!(other.dream(Dream::new()).unwrap_err().kind(), ErrorKind::EmbeddingLock);
}
