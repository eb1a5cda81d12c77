//! A build without features stores in process memory, and recalls by words.

#![cfg(not(feature = "builtin-model"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use elfmem::{Learn, Memory};

#[test]
fn words_answer_and_consolidating_says_how_to_get_a_model() {
    let memory = Memory::in_memory().unwrap();
    memory.learn(Learn::new("Maria is allergic to peanuts").cue("cooking for Maria")).unwrap();
    let found = memory.recall("which allergies does Maria have?").unwrap();
    assert_eq!(found.blocks[0].content, "Maria is allergic to peanuts");
    let error = memory.consolidate().unwrap_err();
    assert!(error.to_string().contains("builtin-model"), "{error}");
}
