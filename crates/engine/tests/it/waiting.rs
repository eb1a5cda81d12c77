//! Blocks that have no vector yet: embedded when a recall meets them, or at an idle moment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use elfmem_core::ScopeView;
use elfmem_engine::{Dream, EmbedderChoice, LateEmbedder, Learn, Memory, Models, Options, ReadLog, Recall};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{BuiltinModel, ModelError, RulesAnalyst};
use elfmem_store::{Snapshot, Store, StoreError};

use crate::fixtures::{FileMemory, TestMemory, learn, memory_thinking, memory_with, models, open_memory};
use crate::{ManualClock, clock, options};

const ENCODER: BuiltinModel = BuiltinModel::Encoder;

fn on(path: &Path, clock: &Arc<ManualClock>) -> FileMemory {
    let embedder = EmbedderChoice::BuiltIn(ENCODER);
    memory_thinking(path, clock, Models { embedder, analyst: Arc::new(RulesAnalyst), ..Models::default() })
}

/// A memory whose recalls embed only for as long as they do by default.
fn memory_of_default_time() -> TestMemory {
    let models = Models { embedder: EmbedderChoice::BuiltIn(ENCODER), ..Models::default() };
    open_memory(Options { models, embedding_time: Options::default().embedding_time, ..options(&clock()) })
}

fn stored_vectors(memory: &Memory<impl Store>) -> usize {
    let read = |snapshot: &dyn Snapshot| snapshot.get_vectors(ENCODER.name(), None);
    memory.store().read::<_, StoreError, _>(&ScopeView::default(), read).unwrap().len()
}

#[test]
fn a_recall_embeds_new_blocks_and_stores_their_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = on(&path, &clock);
    learn(&memory, &["Maria is allergic to peanuts", "The service listens on port 8080"]);
    let asked = Recall::new("Wer verträgt keine Erdnüsse?").top_k(1);
    let operations = || memory.log(ReadLog::new().limit(100)).unwrap().len();
    let before = operations();
    let preview = memory.recall(asked.clone().preview()).unwrap();
    assert_eq!(preview.blocks[0].content, "Maria is allergic to peanuts", "by meaning, at the first question");
    assert_eq!((stored_vectors(&memory), operations()), (0, before), "a preview writes nothing");
    learn(&memory, &["Trains to Bern leave at noon"]);
    memory.recall(asked.clone()).unwrap();
    assert_eq!(stored_vectors(&memory), 1, "those that this recall computed");
    let other = on(&path, &clock);
    other.recall(asked).unwrap();
    assert_eq!(stored_vectors(&memory), 3, "another process computes what is missing, and stores it");
    assert_eq!(other.embed_waiting(Duration::from_secs(1)).unwrap(), elfmem_engine::EmbeddedBlocks::default());
}

#[test]
fn what_takes_too_long_waits_is_found_by_words_and_the_answer_says_so() {
    let memory = memory_of_default_time();
    let long = format!("The harbour log: {}", "the pilot boat went out at dawn and came back. ".repeat(150));
    let long = long.trim_end();
    learn(&memory, &[long, "The mooring is paid until May"]);
    let ask = || memory.recall(Recall::new("harbour pilot boat").top_k(5)).unwrap();
    let found = ask();
    assert!(found.blocks.iter().any(|block| block.content == long && block.explain.meaning.is_none()));
    let message = found.message.unwrap();
    assert!(message.ends_with("1 block has no vector yet and was searched by words alone."), "{message}");
    let step = memory.embed_waiting(Duration::from_millis(1)).unwrap();
    assert_eq!((step.embedded, step.waiting), (1, 0), "an idle moment embeds at least one block");
    let found = ask();
    assert!(found.blocks.iter().any(|block| block.content == long && block.explain.meaning.is_some()));
    assert!(found.message.is_none_or(|message| !message.contains("no vector")));
}

#[test]
fn a_full_inbox_is_embedded_step_by_step() {
    let memory = memory_of_default_time();
    let notes: Vec<Learn> = (0..1500).map(|number| Learn::new(format!("note {number} on the harbour"))).collect();
    memory.learn_all(&notes).unwrap();
    let ask = || memory.recall(Recall::new("which note on the harbour?").top_k(3).preview()).unwrap().message;
    let message = ask().unwrap();
    assert!(message.contains("blocks have no vector yet and were searched by words alone."), "{message}");
    let mut steps = 0;
    while ask().is_some_and(|message| message.contains("no vector")) {
        steps += 1;
        assert!(steps < 400);
    }
    assert!(steps > 0);
}

#[test]
fn a_model_on_a_server_is_not_asked_for_it_and_the_next_dream_embeds() {
    let memory = memory_with(models(Arc::new(ScriptedEmbedder::new(16)), Arc::new(RulesAnalyst)));
    learn(&memory, &["Octopuses have three hearts", "Honey does not spoil"]);
    let ask = || memory.recall("how many hearts?").unwrap().message.unwrap_or_default();
    assert!(ask().contains("2 blocks have no vector yet"), "{}", ask());
    assert_eq!(memory.embed_waiting(Duration::from_secs(1)).unwrap().embedded, 0);
    memory.dream(Dream::new()).unwrap();
    assert!(!ask().contains("no vector"), "{}", ask());
}

#[test]
fn a_model_on_this_machine_is_loaded_for_it_and_one_that_fails_leaves_words() {
    let local = LateEmbedder::local("local-model", || Ok(Arc::new(ScriptedEmbedder::new(16).named("local-model"))));
    let memory = memory_with(Models { embedder: EmbedderChoice::Late(Arc::new(local)), ..Models::default() });
    learn(&memory, &["Octopuses have three hearts"]);
    assert!(memory.recall("how many hearts?").unwrap().blocks[0].explain.meaning.is_some());
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some("local-model"));
    let problem = ModelError::Configuration { problem: "the folder is gone".to_owned() };
    let broken = LateEmbedder::unusable("local-model", problem);
    let memory = memory_with(Models { embedder: EmbedderChoice::Late(Arc::new(broken)), ..Models::default() });
    learn(&memory, &["Octopuses have three hearts"]);
    let found = memory.recall("how many hearts?").unwrap();
    assert_eq!(found.blocks.len(), 1);
    assert!(found.message.unwrap().contains("the folder is gone"));
    assert!(memory.status().unwrap().suggestion.contains("the folder is gone"));
    assert!(memory.dream(Dream::new()).unwrap_err().to_string().contains("the folder is gone"));
    assert_eq!(memory.status().unwrap().inbox_count, 1, "nothing is lost");
}
