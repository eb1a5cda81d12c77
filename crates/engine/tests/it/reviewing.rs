//! What dreams replaced: the count, the review, the decision, and where it is seen.

use elfmem_core::{BlockId, BlockStatus, ReplacementKind};
use elfmem_engine::{CareError, Dream, Error, KeepReplaced, Recall, Restore, ReviewReplaced, Stage, Undo, Why};

use crate::fixtures::{TestMemory, block};
use crate::memory;

const OLD: &str = "Ada lives in Porto.";
const NEW: &str = "Ada moved from Porto to Faro.";
const QUESTION: &str = "where does Ada live, in Porto?";

/// A memory in which a dream replaced a block by a later one.
fn replaced() -> (TestMemory, BlockId, BlockId) {
    let memory = memory();
    let old = memory.learn(OLD).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    let new = memory.learn(NEW).unwrap().block_id;
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.updated, result.deduplicated), (1, 0), "{result:?}");
    (memory, old, new)
}

#[test]
fn status_counts_what_dreams_replaced_until_it_is_reviewed() {
    let (memory, old, new) = replaced();
    let status = memory.status().unwrap();
    assert_eq!(status.replaced_count, 1);
    assert!(status.to_string().contains("1 block was replaced by dreams since the last review"), "{status}");
    let found = memory.review(ReviewReplaced::new()).unwrap();
    assert_eq!((&found[0].block_id, found[0].kind), (&old, ReplacementKind::Update));
    assert_eq!(found[0].by.as_ref().unwrap().block_id, new);
    assert!(!found[0].reason.is_empty() && !found[0].reviewed);
    assert_eq!(memory.status().unwrap().replaced_count, 1, "looking at the list decides nothing");

    let kept = memory.keep_replaced(KeepReplaced::new([old.short()])).unwrap();
    assert_eq!((kept.kept.as_slice(), kept.left), ([old.clone()].as_slice(), 0));
    assert_eq!(memory.status().unwrap().replaced_count, 0);
    assert!(memory.review(ReviewReplaced::new()).unwrap().is_empty());
    assert!(memory.review(ReviewReplaced::new().all()).unwrap()[0].reviewed);
    memory.undo(Undo::last()).unwrap();
    assert_eq!(memory.status().unwrap().replaced_count, 1, "the decision can be undone");
    assert_eq!(memory.keep_replaced(KeepReplaced::new(["all"])).unwrap().kept, [old]);
    let error = memory.keep_replaced(KeepReplaced::new([new.as_str()])).unwrap_err();
    assert!(matches!(error, Error::Care(CareError::NotReplaced { .. })), "{error}");
}

#[test]
fn a_replaced_block_that_is_restored_stays() {
    let (memory, old, new) = replaced();
    memory.restore(Restore::new(old.as_str())).unwrap();
    let back = block(&memory, &old);
    assert_eq!((back.status, &back.replacement, back.superseded_by), (BlockStatus::Active, &None, None));
    assert_eq!(memory.status().unwrap().replaced_count, 0);
    memory.dream(Dream::new()).unwrap();
    assert_eq!(memory.show(old.as_str()).unwrap().block.status, BlockStatus::Active);

    // What was rejected in the inbox would be rejected again there.
    let repeated = memory.learn("Ada did move from Porto to Faro").unwrap().block_id;
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!(result.deduplicated, 1, "{result:?}");
    let gone = if block(&memory, &repeated).status == BlockStatus::Archived { repeated } else { new };
    memory.restore(Restore::new(gone.as_str())).unwrap();
    memory.dream(Dream::new()).unwrap();
    assert_eq!(block(&memory, &gone).status, BlockStatus::Active);
}

#[test]
fn an_undone_dream_leaves_nothing_to_review() {
    let (memory, ..) = replaced();
    memory.undo(Undo::last()).unwrap();
    assert_eq!(memory.status().unwrap().replaced_count, 0);
}

#[test]
fn recall_includes_superseded_blocks_when_asked_and_marks_them() {
    let (memory, old, new) = replaced();
    let question = QUESTION;
    let plain = memory.recall(Recall::new(question)).unwrap();
    assert!(plain.blocks.iter().all(|block| block.id != old && block.superseded_by.is_none()));
    let both = memory.recall(Recall::new(question).superseded()).unwrap();
    assert_eq!(both.blocks[0].id, new);
    let found = both.blocks.iter().find(|block| block.id == old).expect("it is included");
    assert_eq!((found.superseded_by.as_ref(), found.status), (Some(&new), BlockStatus::Archived));
    // By its own words too, when what replaced it is not in the answer.
    let none = memory.recall(Recall::new("zebra").superseded()).unwrap();
    assert!(none.blocks.is_empty());
    let uses = memory.show(old.as_str()).unwrap().block.reinforcement_count;
    memory.recall(Recall::new(question).superseded()).unwrap();
    assert_eq!(memory.show(old.as_str()).unwrap().block.reinforcement_count, uses, "being shown is no use of it");
}

#[test]
fn why_answers_for_the_replaced_block_itself() {
    let (memory, old, new) = replaced();
    let why = memory.why(Why::new(QUESTION, old.as_str())).unwrap();
    assert_eq!((&why.block_id, why.stage, why.replaced_by.as_ref()), (&old, Stage::Status, Some(&new)));
    assert!(why.reason.contains(&format!("{} took its place (update: ", new.short())), "{why}");
    assert!(why.remedy.unwrap().contains(&format!("restore {}", old.short())));
}
