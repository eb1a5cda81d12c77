//! Learning what is stored already in almost the same words (seed 001: `near_duplicate_superseded`).

use elfmem_core::{ArchiveReason, BlockStatus, ReplacementKind};
use elfmem_engine::{
    Connect, Learn, LearnDocument, LearnResult, LearnStatus, Options, Outcome, Recall, ReviewReplaced, Undo,
};

use crate::fixtures::{TestMemory, block, check_invariants, edge_between, open_memory};
use crate::state::{assert_same_state, state};
use crate::{clock, options};

fn replacing() -> TestMemory {
    open_memory(Options { supersede_at_learn: true, ..options(&clock()) })
}

fn learn(memory: &TestMemory, text: &str) -> LearnResult {
    memory.learn(text).unwrap()
}

#[test]
fn a_near_duplicate_of_an_inbox_or_active_block_takes_its_place_at_once() {
    for dreamed in [false, true] {
        let memory = replacing();
        let old = memory.learn(Learn::new("The user prefers dark mode in editors").tag("topic/ui")).unwrap().block_id;
        let other = learn(&memory, "Deploys go out on Tuesdays").block_id;
        if dreamed {
            memory.consolidate().unwrap();
            memory.connect(Connect::new(old.as_str(), other.as_str()).relation("supports")).unwrap();
            memory.outcome(Outcome::new([old.as_str()], 1.0)).unwrap();
        }
        let confidence = block(&memory, &old).confidence;
        let new = learn(&memory, "The user prefers dark mode in the editors.");
        assert_eq!((new.status, new.superseded.as_ref()), (LearnStatus::NearDuplicateSuperseded, Some(&old)));
        assert_eq!(
            new.to_string(),
            format!("Stored block {}. Status: near_duplicate_superseded.", new.block_id.short())
        );
        let review = memory.review(ReviewReplaced::new()).unwrap();
        assert!(review.iter().any(|one| one.block_id == old && one.kind == ReplacementKind::Paraphrase), "{review:?}");
        let (gone, here) = (block(&memory, &old), block(&memory, &new.block_id));
        assert_eq!((gone.status, gone.archive_reason), (BlockStatus::Archived, Some(ArchiveReason::Superseded)));
        assert_eq!((gone.superseded_by.as_ref(), here.status), (Some(&new.block_id), BlockStatus::Inbox));
        assert!(here.tags.iter().any(|tag| tag.as_str() == "topic/ui") && here.confidence == confidence, "{here:?}");
        assert_eq!(edge_between(&memory, &new.block_id, &other).is_some(), dreamed);
        assert_eq!(memory.last_learned_block_id(), Some(new.block_id.clone()));
        assert_eq!(memory.resolve(old.as_str()).unwrap(), new.block_id, "the old id leads to it");
        check_invariants(&memory);
    }
}

#[test]
fn what_differs_in_more_than_its_wording_is_stored_beside_it() {
    let memory = replacing();
    learn(&memory, "The staging database listens on port 5432");
    for text in [
        "The staging database listens on port 5433",
        "The production database listens on port 5432",
        "The staging database does not listen on port 5432",
        "The staging database listens on port 5432 and keeps three replicas in Porto",
    ] {
        assert_eq!(learn(&memory, text).status, LearnStatus::Created, "{text}");
    }
    // In sentences of another form, too.
    for text in ["Orders over 50 euros ship without a fee", "Orders over 80 euros ship without a fee"] {
        assert_eq!(learn(&memory, text).status, LearnStatus::Created, "{text}");
    }
    assert_eq!(learn(&memory, "the staging database listens on port 5432").status, LearnStatus::DuplicateRejected);
    let report = |day: &str| Learn::new("The greenhouse heating failed").event_at(day.parse().unwrap());
    memory.learn(report("2026-01-01T00:00:00Z")).unwrap();
    let again = Learn::new("The greenhouse heating failed.").event_at("2026-02-01T00:00:00Z".parse().unwrap());
    assert_eq!(memory.learn(again).unwrap().status, LearnStatus::Created, "another event");
    memory.learn_document(LearnDocument::new("Trains to Porto leave at nine sharp")).unwrap();
    assert_eq!(learn(&memory, "Trains to Porto leave at nine, sharp.").status, LearnStatus::Created, "a document");
}

#[test]
fn a_long_text_is_not_compared() {
    let memory = replacing();
    let long = "a fairly long line of text about the greenhouse ".repeat(1_000);
    let started = std::time::Instant::now();
    for number in 0..4 {
        assert_eq!(learn(&memory, &format!("{number} {long}")).status, LearnStatus::Created);
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn neither_an_untrusted_source_nor_the_setting_off_replaces_anything() {
    let memory = replacing();
    let own = learn(&memory, "Customer refunds need approval by Maria").block_id;
    let page = memory.learn(Learn::new("Customer refunds need an approval by Maria!").source("web")).unwrap();
    assert_eq!((page.status, block(&memory, &own).status), (LearnStatus::Created, BlockStatus::Inbox));
    let memory = crate::memory();
    learn(&memory, "Customer refunds need approval by Maria");
    assert_eq!(learn(&memory, "Customer refunds need an approval by Maria!").status, LearnStatus::Created);
}

#[test]
fn learning_a_near_duplicate_is_undone_as_one() {
    let memory = replacing();
    learn(&memory, "The user prefers dark mode in editors");
    let before = state(&memory);
    learn(&memory, "The user prefers dark mode in the editors.");
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn an_earlier_wording_that_is_learned_again_takes_the_place_of_its_successor() {
    for dreamed in [false, true] {
        let memory = replacing();
        let (first, second) = ("The user prefers dark mode in editors", "The user prefers dark mode in the editors.");
        let old = memory.learn(Learn::new(first).tag("topic/ui")).unwrap().block_id;
        let new = learn(&memory, second).block_id;
        if dreamed {
            memory.consolidate().unwrap();
            memory.outcome(Outcome::new([new.as_str()], 1.0)).unwrap();
        }
        let (before, successor) = (state(&memory), block(&memory, &new));
        let again = learn(&memory, first);
        assert_eq!((again.status, &again.block_id), (LearnStatus::NearDuplicateSuperseded, &old));
        assert_eq!(again.superseded.as_ref(), Some(&new));
        let (here, gone) = (block(&memory, &old), block(&memory, &new));
        assert_eq!((here.status, here.superseded_by.as_ref()), (BlockStatus::Inbox, None), "{here:?}");
        assert_eq!((gone.status, gone.superseded_by.as_ref()), (BlockStatus::Archived, Some(&old)));
        assert_eq!(here.confidence, successor.confidence, "what was learned of the successor comes with it");
        assert_eq!(here.reinforcement_count, successor.reinforcement_count, "no use counts twice");
        assert!(here.tags.iter().any(|tag| tag.as_str() == "topic/ui"), "{here:?}");
        assert_eq!(memory.resolve(new.as_str()).unwrap(), old, "the later id leads to it");
        let shown = memory.recall(Recall::new("does the user prefer dark mode?").preview()).unwrap().blocks;
        assert_eq!(shown.iter().map(|block| &block.id).collect::<Vec<_>>(), [&old], "one text, not two");
        check_invariants(&memory);
        memory.undo(Undo::last()).unwrap();
        assert_same_state(&state(&memory), &before);
    }
}
