//! Dreaming as a whole: what goes in, what comes out, what is reported, and what is always true afterwards.

use std::collections::BTreeMap;

use elfmem_core::{Block, BlockId, BlockStatus, EdgeKey, ScopeView};
use elfmem_engine::{ConsolidateResult, Decision, Dream, Fate, Options, ReadLog, Undo};
use elfmem_store::{Snapshot, Store, StoreError};

use crate::fixtures::{
    block, blocks, check_arithmetic, check_invariants, check_same, contradictions, edges, essence, facts, inbox, learn,
    learn_facts, open_file, open_memory,
};
use crate::{clock, memory, memory_at, options};

#[test]
fn without_a_key_two_hundred_facts_are_consolidated_and_every_fate_is_told() {
    let memory = memory();
    learn_facts(&memory);
    let learned: Vec<BlockId> = inbox(&memory);
    assert!(learned.len() >= 195);
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.processed, result.left), (learned.len(), 0));
    assert!(result.warnings.is_empty(), "{result}");
    check_arithmetic(&result);
    check_invariants(&memory);
    let blocks: BTreeMap<BlockId, Block> = blocks(&memory).into_iter().map(|block| (block.id.clone(), block)).collect();
    for id in &learned {
        let block = &blocks[id];
        if block.status == BlockStatus::Archived {
            let told = |decision: &&Decision| match decision.fate {
                Fate::Rejected => decision.block_id == *id && decision.other_id == block.superseded_by,
                Fate::Superseded | Fate::Updated => decision.other_id.as_ref() == Some(id),
                _ => false,
            };
            let decision = result.decisions.iter().find(told).unwrap_or_else(|| panic!("nobody tells of {block:?}"));
            assert!(!decision.reason.is_empty() && decision.other_content.is_some() && decision.cosine.is_some());
        } else {
            assert_eq!(block.status, BlockStatus::Active);
        }
    }
    for told in &result.contradictions {
        assert!(!told.reason.is_empty() && !told.content.is_empty() && !told.other_content.is_empty());
    }
    assert_eq!(contradictions(&memory).len(), result.contradictions_detected);
}

#[test]
fn duplicates_go_updates_replace_and_contradictions_are_never_merged() {
    let memory = memory();
    learn_facts(&memory);
    memory.dream(Dream::new()).unwrap();
    let found = contradictions(&memory);
    let status = |text: &str| block(&memory, &BlockId::for_content(text)).status;
    let mut seen: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (kind, older, newer) in facts() {
        let Some(newer) = newer else {
            assert_eq!(status(older), BlockStatus::Active, "{older}");
            continue;
        };
        let fates = (status(older), status(newer));
        let key = EdgeKey::canonical(&BlockId::for_content(older), &BlockId::for_content(newer)).unwrap();
        let contradicting = found.iter().any(|pair| pair.block_a_id == key.from_id && pair.block_b_id == key.to_id);
        let as_hoped = match kind {
            "same" => fates == (BlockStatus::Active, BlockStatus::Archived),
            "reworded" => fates != (BlockStatus::Active, BlockStatus::Active),
            "update" => fates == (BlockStatus::Archived, BlockStatus::Active),
            "related" => true,
            _ => contradicting,
        };
        if !["same", "reworded", "update"].contains(&kind) {
            assert_eq!(fates, (BlockStatus::Active, BlockStatus::Active), "{kind}: {older} | {newer}");
        }
        assert!(!contradicting || !["same", "reworded", "related"].contains(&kind), "{kind}: {older} | {newer}");
        let (hoped, all) = seen.entry(kind).or_default();
        *hoped += usize::from(as_hoped);
        *all += 1;
    }
    for (kind, (hoped, all)) in seen {
        let least = if kind == "same" { all } else { all.div_ceil(2) };
        assert!(hoped >= least, "{kind}: {hoped} of {all}");
    }
}

#[test]
fn an_empty_inbox_says_so() {
    let memory = memory();
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!(result.to_string(), "Nothing to consolidate. Inbox was empty.");
    assert_eq!(result, ConsolidateResult::default());
    let dry = memory.dream(Dream::new().dry_run()).unwrap();
    assert_eq!(dry.to_string(), "Nothing to consolidate. Inbox was empty.");
}

#[test]
fn a_dream_of_no_blocks_says_that_some_wait() {
    let memory = memory();
    learn(&memory, &["Basil grows best in full sun", "Octopuses have three hearts"]);
    let none = Dream::new().max(0);
    let said = "Nothing consolidated: none were asked for, 2 blocks wait.";
    assert_eq!(memory.dream(none.clone().dry_run()).unwrap().to_string(), said);
    let result = memory.dream(&none).unwrap();
    assert_eq!((result.waiting, result.to_string().as_str()), (2, said));
    assert_eq!(memory.history(1).remove(0).summary, said);
    assert_eq!(memory.dream(Dream::new().max(1)).unwrap().waiting, 1);
}

#[test]
fn test_status_last_consolidated_after_consolidate() {
    let clock = clock();
    let memory = memory_at(&clock);
    assert_eq!(memory.status().unwrap().last_consolidated, "never");
    memory.learn("Basil grows best in full sun").unwrap();
    memory.consolidate().unwrap();
    let first = memory.status().unwrap().last_consolidated;
    assert!(first.starts_with("2027-01-15T08:00:00"), "{first}");
    clock.forward_minutes(60.0);
    memory.consolidate().unwrap();
    assert!(memory.status().unwrap().last_consolidated.starts_with("2027-01-15T09:00:00"));
}

#[test]
fn test_history_records_consolidate_operation() {
    let memory = memory();
    memory.learn("Basil grows best in full sun").unwrap();
    memory.consolidate().unwrap();
    let last = memory.history(1).remove(0);
    assert_eq!(
        (last.operation.as_str(), last.summary.as_str()),
        ("dream", "Consolidated 1: 1 promoted, 0 deduped, 0 edges.")
    );
    memory.consolidate().unwrap();
    let last = memory.history(1).remove(0);
    assert_eq!((last.operation.as_str(), last.summary.as_str()), ("dream", "Nothing to consolidate. Inbox was empty."));
}

#[test]
fn the_journal_tells_of_a_dream_in_the_words_of_its_result() {
    let memory = memory();
    learn(&memory, &["The parser is written in Rust", "The parser is written in Rust.", "Octopuses have three hearts"]);
    let result = memory.dream(Dream::new()).unwrap();
    let last = memory.log(ReadLog::new().limit(1)).unwrap().remove(0);
    assert_eq!((last.header.operation.as_str(), last.header.summary), ("dream", result.to_string()));
    assert_eq!(result.to_string(), "Consolidated 3: 2 promoted, 1 deduped, 0 edges.");
}

#[test]
fn the_oldest_come_first_and_no_more_than_asked_for() {
    let memory = memory();
    let alone: Vec<&str> = facts().into_iter().filter(|fact| fact.0 == "alone").map(|fact| fact.1).take(12).collect();
    let ids = learn(&memory, &alone);
    for (part, expected) in [(5, 5), (5, 10), (5, 12)] {
        let result = memory.dream(Dream::new().max(part)).unwrap();
        assert!(result.processed <= part as usize);
        assert_eq!(inbox(&memory), ids[expected..]);
    }
    assert_eq!(memory.dream(Dream::new().max(0)).unwrap().processed, 0);
}

#[test]
fn a_part_of_the_inbox_is_compared_with_what_earlier_parts_made_active() {
    let (parts, whole) = (memory(), memory());
    learn_facts(&parts);
    learn_facts(&whole);
    whole.dream(Dream::new()).unwrap();
    while !inbox(&parts).is_empty() {
        check_arithmetic(&parts.dream(Dream::new().max(60)).unwrap());
        check_invariants(&parts);
    }
    check_same(&essence(&parts), &essence(&whole));
}

#[test]
fn a_dry_run_changes_nothing_and_tells_what_a_dream_then_does() {
    let memory = memory();
    let facts = facts();
    let (first, second) = facts.split_at(60);
    let texts = |part: &[(&'static str, &'static str, Option<&'static str>)]| -> Vec<&'static str> {
        part.iter().flat_map(|(_, older, newer)| std::iter::once(*older).chain(*newer)).collect()
    };
    learn(&memory, &texts(first)[1..]);
    memory.dream(Dream::new()).unwrap();
    learn(&memory, &texts(second));
    learn(&memory, &texts(first)[..1]);
    let state = || {
        (blocks(&memory), edges(&memory), contradictions(&memory), memory.log(ReadLog::new().limit(u32::MAX)).unwrap())
    };
    let before = (state(), memory.status().unwrap().last_consolidated, memory.history(100).len());
    let told = memory.dream(Dream::new().dry_run()).unwrap();
    assert_eq!((state(), memory.status().unwrap().last_consolidated, memory.history(100).len()), before);
    assert!(told.dry_run && told.to_string().starts_with("Would consolidate "));
    check_arithmetic(&told);
    assert_eq!(told.decisions.len(), told.processed);
    let done = memory.dream(Dream::new()).unwrap();
    let worth_telling: Vec<Decision> =
        told.decisions.iter().filter(|decision| decision.fate != Fate::Promoted).cloned().collect();
    assert_eq!(worth_telling, done.decisions);
    assert_eq!(told.contradictions, done.contradictions);
    let counts = |result: &ConsolidateResult| {
        (result.processed, result.promoted, result.deduplicated, result.superseded, result.edges_created)
    };
    assert_eq!(counts(&told), counts(&done));
}

#[test]
fn a_dry_run_over_a_new_memory_does_not_bind_it_to_a_model() {
    let memory = memory();
    learn(&memory, &["The parser is written in Rust", "The parser is written in Rust."]);
    let told = memory.dream(Dream::new().dry_run()).unwrap();
    assert_eq!((told.promoted, told.deduplicated), (1, 1));
    assert_eq!(memory.filled_by().unwrap(), None);
    assert!(blocks(&memory).iter().all(|block| block.embedding_model.is_none()));
}

#[test]
fn it_is_time_to_dream_when_the_inbox_reaches_the_threshold() {
    let clock = clock();
    let memory = open_memory(Options { inbox_threshold: 3, ..options(&clock) });
    for (at, expected) in [false, false, false, true, true].into_iter().enumerate() {
        assert_eq!(memory.should_dream().unwrap(), expected, "{at} wait");
        memory.learn(facts()[at].1).unwrap();
    }
    memory.dream(Dream::new()).unwrap();
    assert!(!memory.should_dream().unwrap());
}

#[test]
fn an_adaptive_threshold_rises_with_new_blocks_falls_with_repetitions_and_outlives_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let open = || open_file(&path, Options { adaptive_threshold: true, ..options(&clock) });
    let memory = open();
    let alone: Vec<&str> = facts().into_iter().filter(|fact| fact.0 == "alone").map(|fact| fact.1).collect();
    learn(&memory, &alone[..9]);
    assert!(!memory.should_dream().unwrap());
    learn(&memory, &alone[9..10]);
    assert!(memory.should_dream().unwrap());
    memory.dream(Dream::new()).unwrap();
    drop(memory);
    // All ten were new: the threshold is 13 now, for another process too.
    let memory = open();
    learn(&memory, &alone[10..22]);
    assert!(!memory.should_dream().unwrap());
    learn(&memory, &alone[22..23]);
    assert!(memory.should_dream().unwrap());
    memory.dream(Dream::new().max(0)).unwrap();
    assert!(memory.should_dream().unwrap(), "a dream over nothing teaches nothing");
    memory.dream(Dream::new()).unwrap();
    for round in 0..3 {
        let again: Vec<String> = (0..9).map(|at| format!("{}{}", alone[at], ".".repeat(round + 1))).collect();
        learn(&memory, &again.iter().map(String::as_str).collect::<Vec<_>>());
        memory.dream(Dream::new()).unwrap();
    }
    // 16, then three dreams over repetitions: 7.
    learn(&memory, &alone[30..36]);
    assert!(!memory.should_dream().unwrap());
    learn(&memory, &alone[36..37]);
    assert!(memory.should_dream().unwrap());
}

#[test]
fn a_block_has_no_vector_until_it_is_consolidated_and_then_names_the_model_of_it() {
    let memory = memory();
    let id = memory.learn("The boiler needs service in March").unwrap().block_id;
    let vectors = |model: &str| {
        let read = |snapshot: &dyn Snapshot| snapshot.get_vectors(model, Some(std::slice::from_ref(&id)));
        memory.store().read::<_, StoreError, _>(&ScopeView::default(), read).unwrap()
    };
    assert_eq!(block(&memory, &id).embedding_model, None);
    memory.consolidate().unwrap();
    let model = block(&memory, &id).embedding_model.unwrap();
    assert_eq!(vectors(&model).len(), 1);
    assert!(vectors("another model").is_empty());
}

#[test]
fn a_later_state_retires_every_wording_of_the_earlier_one() {
    let memory = memory();
    let old = ["Ada lives in Braga.", "Ada lives in Faro."];
    for text in old {
        memory.learn(text).unwrap();
        memory.dream(Dream::new()).unwrap();
    }
    assert_eq!(contradictions(&memory).len(), 1);
    let new = memory.learn("Ada now lives in Porto.").unwrap().block_id;
    let result = memory.dream(Dream::new()).unwrap();
    assert_eq!((result.promoted, result.updated, result.superseded), (1, 2, 2), "{result}");
    assert_eq!(result.decisions.iter().filter(|decision| decision.fate == Fate::Updated).count(), 2);
    for text in old {
        assert_eq!(block(&memory, &BlockId::for_content(text)).superseded_by, Some(new.clone()), "{text}");
    }
    check_invariants(&memory);
    let undone = memory.undo(Undo::last()).unwrap();
    assert!(undone.to_string().contains("2 outdated replaced"), "{undone}");
    assert_eq!(block(&memory, &BlockId::for_content(old[1])).status, BlockStatus::Active);
}

#[test]
fn the_same_event_weeks_apart_may_have_happened_twice() {
    for (days, stays) in [(1_u8, false), (60, true)] {
        let clock = clock();
        let memory = open_memory(options(&clock));
        let first = memory.learn("The backup server migrated from Sydney to Frankfurt.").unwrap().block_id;
        memory.dream(Dream::new()).unwrap();
        clock.forward_minutes(f64::from(days) * 1_440.0);
        memory.learn("The backup server was moved from Sydney to Frankfurt.").unwrap();
        memory.dream(Dream::new()).unwrap();
        assert_eq!(block(&memory, &first).status == BlockStatus::Active, stays, "after {days} days");
    }
}
