//! A build without features stores in process memory, recalls by words and consolidates by words.

#![cfg(not(feature = "builtin-model"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use elfmem::{Learn, Memory};

#[test]
fn words_answer_and_consolidate_and_the_result_says_how_to_get_a_model() {
    let memory = Memory::in_memory().unwrap();
    memory.learn(Learn::new("Maria is allergic to peanuts").cue("cooking for Maria")).unwrap();
    memory.learn("The oven heats to 260 degrees").unwrap();
    let found = memory.recall("which allergies does Maria have?").unwrap();
    assert_eq!(found.blocks[0].content, "Maria is allergic to peanuts");
    let result = memory.consolidate().unwrap();
    assert_eq!((result.promoted, result.deduplicated), (2, 0), "{result}");
    assert!(result.warnings[0].contains("by words") && result.warnings[0].contains("builtin-model"), "{result}");
}
