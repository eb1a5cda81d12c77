//! A memory whose vectors come from the built-in encoder.

use std::sync::Arc;

use elfmem_engine::{EmbedderChoice, Models};
use elfmem_models::{BuiltinModel, RulesAnalyst};

use crate::fixtures::{TestMemory, learn, memory_with};

fn memory() -> TestMemory {
    let embedder = EmbedderChoice::BuiltIn(BuiltinModel::Encoder);
    memory_with(Models { embedder, analyst: Arc::new(RulesAnalyst), ..Models::default() })
}

#[test]
fn a_question_finds_its_answer_in_another_language() {
    let memory = memory();
    learn(
        &memory,
        &["Maria is allergic to peanuts", "The service listens on port 8080", "Trains to Bern leave at noon"],
    );
    for consolidated in [false, true] {
        let found = memory.recall("Wer verträgt keine Erdnüsse?").unwrap();
        assert_eq!(found.blocks[0].content, "Maria is allergic to peanuts", "consolidated: {consolidated}");
        memory.consolidate().unwrap();
    }
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some("elfmem-encoder-256-v1"));
}

#[test]
fn what_differs_in_a_negation_is_no_duplicate() {
    let memory = memory();
    learn(&memory, &["The cache is thread safe"]);
    memory.consolidate().unwrap();
    learn(&memory, &["The cache is not thread safe", "The cache is thread-safe."]);
    let dreamed = memory.consolidate().unwrap();
    assert_eq!(memory.status().unwrap().active_count, 2, "{dreamed:?}");
}
