//! Calls of every verb on the library.

use std::sync::Arc;

use elfmem_engine::{Memory, Models};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_store::Store;
use serde_json::{Value, json};

use crate::fixtures::models;

#[path = "../../../../tests/verbs/calls.rs"]
mod calls;

pub(crate) use calls::Filled;

/// Models that find the pairs of some marks alike.
pub(crate) fn thinking(marks: &[&str]) -> Models {
    let mut embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE);
    for (old, new) in marks.iter().flat_map(|mark| calls::near_pairs(mark)) {
        embedder = embedder.with_cosine(&old, &new, 0.97);
    }
    models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new()))
}

/// Calls a verb that must work, and gives its answer back.
pub(crate) fn call(memory: &Memory<impl Store>, verb: &str, arguments: Value) -> Value {
    let reply = memory.invoke(verb, arguments.as_object().unwrap());
    reply.unwrap_or_else(|error| panic!("{verb}: {error}")).json
}

/// Fills a memory.
pub(crate) fn fill(memory: &Memory<impl Store>, mark: &str) -> Filled {
    let filled = Filled::new(mark, &mut |verb, arguments| call(memory, verb, arguments));
    assert!(filled.proposals().len() >= 2);
    filled
}

/// A frame that is there to be changed and removed. Frames belong to the whole memory.
pub(crate) fn add_review_frame(memory: &Memory<impl Store>) {
    call(memory, "add_frame", json!({"name": "review", "weights": [0.5, 0.2, 0.1, 0.1, 0.1], "budget": 800}));
}
