//! Any question to a small memory: the words, the times and the full-text query made of it, with whatever else can be asked for.
//!
//! The first line of the input is flags and numbers; the rest is the question.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::sync::LazyLock;

use elfmem_core::BlockId;
use elfmem_engine::{ConnectByQuery, Memory, Recall, RetrieveMemories, Why};
use elfmem_fuzz::{CONTEXTS, KNOWN, furnished, told};
use elfmem_store_sqlite::SqliteStore;
use libfuzzer_sys::fuzz_target;

/// Nothing here changes it, so one serves all questions.
static MEMORY: LazyLock<Memory<SqliteStore>> = LazyLock::new(furnished);

const FRAMES: [&str; 6] = ["self", "attention", "task", "simulate", "search", "no such frame"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&[kind, count, narrowed, block], rest)) = bytes.split_first_chunk::<4>() else { return };
    let question = String::from_utf8_lossy(rest);
    let memory = &*MEMORY;
    let mut asked = Recall::new(&*question).preview().top_k(usize::from(count));
    if kind & 1 != 0 {
        asked = asked.no_contiguity();
    }
    if kind & 2 != 0 {
        asked = asked.frame(FRAMES[usize::from(kind >> 4) % FRAMES.len()]);
    }
    let first_line = question.lines().next().unwrap_or_default();
    match narrowed % 8 {
        1 => asked = asked.tag(first_line),
        2 => asked = asked.category(first_line),
        3 => asked = asked.context(first_line),
        5 => asked = asked.context(CONTEXTS[usize::from(block) % CONTEXTS.len()]),
        6 => asked = asked.tag("topic/%"),
        _ => {}
    }
    if let Some(found) = told(memory.recall(&asked)) {
        let again = memory.recall(&asked).unwrap();
        let ids = |blocks: &[elfmem_engine::ScoredBlock]| blocks.iter().map(|block| block.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&again.blocks), ids(&found.blocks), "the same question has the same answer");
        assert!(found.blocks.iter().all(|block| block.score.is_finite()), "{found:?}");
        let _ = (found.to_string(), serde_json::to_string(&found).unwrap());
    }
    told(memory.frame(&asked));
    told(memory.why(Why::about(&asked, BlockId::for_content(KNOWN[usize::from(block) % KNOWN.len()]).as_str())));
    let retrieval =
        RetrieveMemories::new(&*question).preview().limit(usize::from(count)).offset(usize::from(block));
    told(memory.retrieve_memories(&retrieval));
    if kind & 4 != 0 {
        told(memory.connect_by_query(ConnectByQuery::new(&*question, KNOWN[0]).dry_run()));
    }
});
