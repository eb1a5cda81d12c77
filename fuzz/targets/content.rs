//! Any text as a memory: it is learned, shown, dreamed of together with another, recalled, exported and imported.
//!
//! The parts of the input, separated by lines of three dashes: the text, another text, a cue, tags (one a line), a question.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use elfmem_core::BlockId;
use elfmem_engine::{ParsedImport, Dream, ImportOptions, Learn, LearnDocument, LearnStatus, RenderFrame};
use elfmem_fuzz::{contents, empty, furnished, must_be_sound, told};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let mut parts = input.split("\n---\n");
    let mut part = || parts.next().unwrap_or_default();
    let (one, other, cue, tags, question) = (part(), part(), part(), part(), part());
    remember(one, other, cue, tags, question);
});

/// What a memory makes of it.
fn remember(one: &str, other: &str, cue: &str, tags: &str, question: &str) {
    let memory = furnished();
    let before = contents(&memory);
    let Some(learned) = told(memory.learn(Learn::new(one).cue(cue).tags(tags.lines()))) else {
        assert_eq!(contents(&memory), before, "what was refused changed something");
        return;
    };
    let shown = memory.show(learned.block_id.as_str()).unwrap();
    assert_eq!(BlockId::for_content(&shown.block.content), learned.block_id);
    let again = memory.learn(one).unwrap();
    assert_eq!((again.block_id, again.status), (learned.block_id.clone(), LearnStatus::DuplicateRejected));
    told(memory.learn(other));
    told(memory.learn_document(LearnDocument::new(other).chunk_words(40)));
    memory.dream(Dream::new()).unwrap();
    for asked in [one, question] {
        told(memory.recall(asked));
        told(memory.frame(RenderFrame::new("attention").query(asked)));
    }
    must_be_sound(&memory);
    if learned.block_id.as_str() > "4" {
        return;
    }

    // One in four, because another memory takes as long as all of the above.
    let exported = String::from_utf8(contents(&memory)).unwrap();
    let copy = empty();
    copy.import(&ParsedImport::read("export.jsonl", &exported, None).unwrap(), &ImportOptions::default()).unwrap();
    must_be_sound(&copy);
    let blocks = |memory: &elfmem_engine::Memory<_>| {
        let status = memory.status().unwrap();
        (status.inbox_count, status.active_count, status.archived_count)
    };
    assert_eq!(blocks(&copy), blocks(&memory), "an export brings every block along");
}
