//! Maintenance (seed 002): every invariant, edge case and done criterion.

use std::sync::Arc;

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, Confidence, DecayRate, DecayTier, Edge, EdgeKey,
    EdgeOrigin, EdgeWeight, OperationKind, Relation, Timestamp,
};
use elfmem_engine::{
    AutoCurate, Curate, CurateResult, Disconnect, ErrorKind, Learn, ListBlocks, ListOperations, Memory, Options,
    Outcome, ReadLog, Undo,
};
use elfmem_store::{Contradiction, Entity, JournalQuery, Snapshot, Store, StoreError};

use crate::fixtures::{
    TestMemory, active, block, blocks, check_invariants, edge_between, edges, edit, open_memory, put_edge, work_for,
};
use crate::state::{assert_same_state, state, without_uses};
use crate::{ManualClock, clock, memory, memory_at, options};

/// A memory whose clock of use reads `hours`, in an open session.
fn aged(hours: f64) -> (TestMemory, Arc<ManualClock>) {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    work_for(&memory, &clock, hours);
    (memory, clock)
}

/// An active block that was last of use at a given hour.
fn used_at(memory: &Memory<impl Store>, content: &str, hours: f64, tag: Option<&str>) -> BlockId {
    let id = memory.learn(Learn::new(content).tags(tag.map(str::to_owned))).unwrap().block_id;
    edit(memory, |transaction| {
        let edit_block = &mut |block: &mut Block| {
            block.status = BlockStatus::Active;
            block.last_reinforced_at = ActiveHours::new(hours);
        };
        transaction.update_block(&id, edit_block).map(drop)
    });
    id
}

fn curate(memory: &Memory<impl Store>) -> CurateResult {
    memory.curate(Curate::new()).unwrap()
}

fn only_archive() -> Curate {
    Curate::new().reinforce_top_n(0)
}

fn config(memory: &Memory<impl Store>, key: &str) -> Option<String> {
    memory.store().read::<_, StoreError, _>(&Default::default(), |snapshot| snapshot.get_config(key)).unwrap()
}

fn last_curate_at(memory: &Memory<impl Store>) -> Option<f64> {
    config(memory, "last_curate_at").map(|text| text.parse().unwrap())
}

// Phase 1: archive

#[test]
fn tc_l_007_blocks_below_the_prune_threshold_are_archived() {
    let (memory, _) = aged(400.0);
    let old = used_at(&memory, "old", 0.0, None);
    let young = used_at(&memory, "young", 350.0, None);
    let result = memory.curate(only_archive()).unwrap();
    assert_eq!((result.archived, result.archived_ids.as_slice()), (1, &[old.clone()][..]));
    assert_eq!(block(&memory, &old).status, BlockStatus::Archived);
    assert_eq!(block(&memory, &young).status, BlockStatus::Active);
    check_invariants(&memory);
}

#[test]
fn tc_d_001_a_standard_block_lives_for_299_hours_and_an_ephemeral_one_for_59() {
    for (tag, category, last_alive) in [(None, "knowledge", 299.57), (None, "observation", 59.91)] {
        for (hours, lives) in [(last_alive, true), (last_alive + 0.01, false)] {
            let (memory, _) = aged(hours);
            let id = memory.learn(Learn::new("x").tags(tag.map(str::to_owned)).category(category)).unwrap().block_id;
            edit(&memory, |transaction| {
                let edit_block = &mut |block: &mut Block| {
                    block.status = BlockStatus::Active;
                    block.last_reinforced_at = ActiveHours::ZERO;
                };
                transaction.update_block(&id, edit_block).map(drop)
            });
            let archived = memory.curate(only_archive()).unwrap().archived;
            assert_eq!(archived == 0, lives, "{category} after {hours}");
        }
    }
}

#[test]
fn tc_d_003_and_007_durable_and_permanent_blocks_outlive_the_others() {
    let (memory, _) = aged(2_995.0);
    let (durable, permanent) = (
        used_at(&memory, "I value candour", 0.0, Some("self/value")),
        used_at(&memory, "I never lie", 0.0, Some("self/constitutional")),
    );
    assert_eq!(memory.curate(only_archive()).unwrap().archived, 0);
    let (memory, _) = aged(290_000.0);
    let gone = used_at(&memory, "I value candour", 0.0, Some("self/value"));
    used_at(&memory, "I never lie", 0.0, Some("self/constitutional"));
    assert_eq!(memory.curate(only_archive()).unwrap().archived_ids, std::slice::from_ref(&gone));
    assert_eq!(gone, durable);
    assert_eq!(block(&memory, &permanent).status, BlockStatus::Active);
}

#[test]
fn tc_d_005_reinforcement_resets_the_decay_clock() {
    let (memory, _) = aged(400.0);
    let id = used_at(&memory, "old", 0.0, None);
    memory.outcome(Outcome::new([id.as_str()], 0.9)).unwrap();
    assert_eq!(memory.curate(only_archive()).unwrap().archived, 0);
    assert_eq!(block(&memory, &id).last_reinforced_at, ActiveHours::new(400.0));
}

#[test]
fn tc_d_010_archived_blocks_always_have_the_reason_decayed() {
    let (memory, _) = aged(400.0);
    for n in 0..5 {
        used_at(&memory, &format!("old {n}"), 0.0, None);
    }
    curate(&memory);
    assert!(blocks(&memory).iter().all(|block| block.archive_reason == Some(ArchiveReason::Decayed)));
}

#[test]
fn an_outcome_penalty_really_shortens_a_life() {
    let (memory, clock) = aged(0.0);
    let (bad, plain) = (active(&memory, "bad"), active(&memory, "plain"));
    for _ in 0..3 {
        memory.outcome(Outcome::new([bad.as_str()], 0.0)).unwrap();
    }
    assert_eq!(block(&memory, &bad).decay_lambda, DecayRate::CEILING);
    work_for(&memory, &clock, 61.0);
    assert_eq!(memory.curate(only_archive()).unwrap().archived_ids, [bad]);
    assert_eq!(block(&memory, &plain).status, BlockStatus::Active);
}

#[test]
fn pinned_blocks_stay_and_are_named() {
    let (memory, _) = aged(400.0);
    let pinned = used_at(&memory, "pinned", 0.0, None);
    edit(&memory, |transaction| transaction.update_block(&pinned, &mut |block| block.pinned = true).map(drop));
    let result = memory.curate(only_archive()).unwrap();
    assert_eq!((result.archived, result.pinned_kept.as_slice()), (0, &[pinned.clone()][..]));
    assert!(result.to_string().ends_with(" 1 faded but kept: pinned."), "{result}");
    assert_eq!(block(&memory, &pinned).status, BlockStatus::Active);
}

#[test]
fn tc_g_009_archiving_takes_the_edges_and_counts_none_of_them_as_pruned() {
    let (memory, _) = aged(400.0);
    let (old, young) = (used_at(&memory, "old", 0.0, Some("topic/x")), used_at(&memory, "young", 400.0, None));
    put_edge(&memory, &old, &young, "supports", EdgeOrigin::AGENT, 0.05);
    let conflict = Contradiction::between(&old, &young, 0.9, Timestamp::UNIX_EPOCH).unwrap();
    edit(&memory, |transaction| transaction.put_contradiction(&conflict));
    let result = memory.curate(only_archive()).unwrap();
    assert_eq!((result.archived, result.edges_pruned), (1, 0));
    assert!(edges(&memory).is_empty());
    check_invariants(&memory);
    // All that went with the block can be put back from the journal.
    let log = memory.log(ReadLog::new().block_id(old.as_str()).limit(1)).unwrap().remove(0);
    assert_eq!(log.header.operation, "curate");
    let before = |entity| log.changes.iter().find(|change| change.entity == entity).unwrap().before.clone().unwrap();
    assert_eq!(before(Entity::Block)["tags"], serde_json::json!(["topic/x"]));
    assert_eq!(before(Entity::Edge)["relation_type"], "supports");
    assert_eq!(serde_json::from_value::<Contradiction>(before(Entity::Contradiction)).unwrap(), conflict);
}

#[test]
fn block_state_only_moves_forward_and_the_inbox_is_left_alone() {
    let (memory, clock) = aged(0.0);
    let waiting = memory.learn("waiting").unwrap().block_id;
    work_for(&memory, &clock, 400.0);
    let gone = used_at(&memory, "gone", 0.0, None);
    for _ in 0..3 {
        curate(&memory);
        assert_eq!(block(&memory, &waiting).status, BlockStatus::Inbox);
        assert_eq!(block(&memory, &gone).status, BlockStatus::Archived);
    }
}

// Phase 2: prune

#[test]
fn tc_g_006_edges_below_a_tenth_are_pruned_and_those_at_it_stay() {
    let (memory, _) = aged(1.0);
    let ids: Vec<BlockId> = (0..4).map(|n| active(&memory, &format!("block {n}"))).collect();
    for (n, weight) in [(1, 0.0999), (2, 0.10), (3, 0.5)] {
        put_edge(&memory, &ids[0], &ids[n], "similar", EdgeOrigin::SIMILARITY, weight);
    }
    assert_eq!(curate(&memory).edges_pruned, 1);
    assert_eq!(edges(&memory).len(), 2);
    let strict = Curate::new().edge_prune_threshold(0.3);
    assert_eq!(memory.curate(&strict).unwrap().edges_pruned, 1);
    assert!(edge_between(&memory, &ids[0], &ids[3]).is_some());
}

/// An edge that last mattered at a given hour.
fn used_edge(
    memory: &Memory<impl Store>,
    a: &BlockId,
    b: &BlockId,
    origin: EdgeOrigin,
    hours: Option<f64>,
    count: u32,
) {
    let mut edge = Edge::new(EdgeKey::canonical(a, b).unwrap(), Relation::CO_OCCURS, origin, Timestamp::UNIX_EPOCH);
    edge.weight = EdgeWeight::saturating(0.55);
    edge.last_active_hours = hours.map(ActiveHours::new);
    edge.reinforcement_count = count;
    edit(memory, |transaction| transaction.put_edge(&edge));
}

#[test]
fn edges_of_the_machine_fade_with_disuse_and_established_ones_slower() {
    for (hours, gone) in [(340.0, 0), (341.0, 2), (681.0, 2), (682.0, 3)] {
        let (memory, _) = aged(hours);
        let ids: Vec<BlockId> = (0..6).map(|n| active(&memory, &format!("block {n}"))).collect();
        used_edge(&memory, &ids[0], &ids[1], EdgeOrigin::CO_RETRIEVAL, Some(0.0), 0);
        used_edge(&memory, &ids[0], &ids[2], EdgeOrigin::SIMILARITY, Some(0.0), 9);
        used_edge(&memory, &ids[0], &ids[3], EdgeOrigin::CO_RETRIEVAL, Some(0.0), 10);
        used_edge(&memory, &ids[0], &ids[4], EdgeOrigin::SIMILARITY, None, 0);
        used_edge(&memory, &ids[0], &ids[5], EdgeOrigin::CO_RETRIEVAL, Some(hours), 0);
        let result = memory.curate(only_archive()).unwrap();
        assert_eq!((result.edges_decayed, result.edges_pruned), (gone, 0), "after {hours} hours");
        assert_eq!(edges(&memory).len(), 5 - gone);
        if gone > 0 {
            assert!(result.to_string().contains(&format!("{gone} unused edges gone")), "{result}");
        }
    }
}

#[test]
fn edges_that_an_agent_or_an_outcome_made_do_not_fade() {
    let (memory, _) = aged(5_000.0);
    let ids: Vec<BlockId> = (0..4).map(|n| active(&memory, &format!("block {n}"))).collect();
    for (n, origin) in [(1, EdgeOrigin::AGENT), (2, EdgeOrigin::OUTCOME), (3, EdgeOrigin::DOCUMENT)] {
        used_edge(&memory, &ids[0], &ids[n], origin, Some(0.0), 0);
    }
    assert_eq!(curate(&memory).edges_decayed, 0);
    assert_eq!(edges(&memory).len(), 3);
}

#[test]
fn edges_fade_with_the_slower_of_their_ends() {
    let (memory, _) = aged(682.0);
    let (value, fact) = (used_at(&memory, "I value tea", 682.0, Some("self/value")), active(&memory, "tea is green"));
    used_edge(&memory, &value, &fact, EdgeOrigin::SIMILARITY, Some(0.0), 0);
    assert_eq!(curate(&memory).edges_decayed, 0, "a durable end keeps it");
}

#[test]
fn a_block_that_connect_left_one_edge_over_its_cap_is_brought_back() {
    let (memory, _) = aged(1.0);
    let hubs = ["hub one", "hub two"].map(|name| active(&memory, name));
    for hub in &hubs {
        for n in 0..10 {
            let other = active(&memory, &format!("{hub} {n}"));
            put_edge(&memory, hub, &other, "similar", EdgeOrigin::SIMILARITY, 0.5 + f64::from(n) / 100.0);
        }
    }
    let spec = || elfmem_engine::Connect::new(hubs[0].as_str(), hubs[1].as_str()).relation("supports");
    let over = memory.connect(spec()).unwrap().over_cap.unwrap();
    let degree = |id: &BlockId| memory.show(id.as_str()).unwrap().edges.len();
    assert_eq!(degree(&over), 11);
    assert_eq!(curate(&memory).edges_over_cap, 1);
    assert_eq!((degree(&hubs[0]), degree(&hubs[1])), (10, 10));
    assert!(edge_between(&memory, &hubs[0], &hubs[1]).is_some(), "what the agent asserted stays");
    // And a dream does the same.
    memory.disconnect(Disconnect::new(hubs[0].as_str(), hubs[1].as_str())).unwrap();
    for (n, hub) in hubs.iter().enumerate() {
        put_edge(&memory, hub, &active(&memory, &format!("filler {n}")), "similar", EdgeOrigin::SIMILARITY, 0.51);
    }
    assert_eq!(memory.connect(spec()).unwrap().over_cap, Some(over.clone()));
    edit(&memory, |transaction| transaction.set_config("last_curate_at", "1.0"));
    memory.learn("something else entirely").unwrap();
    memory.consolidate().unwrap();
    assert_eq!(degree(&over), 10);
    check_invariants(&memory);
}

// Phase 3: reinforce

#[test]
fn tc_l_008_the_best_five_are_kept_fresh() {
    let (memory, _) = aged(50.0);
    let ids: Vec<BlockId> = (0..9).map(|n| used_at(&memory, &format!("block {n}"), 40.0, None)).collect();
    edit(&memory, |transaction| {
        for (n, id) in ids.iter().enumerate() {
            let confidence = Confidence::saturating(n as f64 / 10.0);
            transaction.update_block(id, &mut |block| block.confidence = confidence)?;
        }
        Ok(())
    });
    let result = curate(&memory);
    let expected: Vec<BlockId> = ids[4..].iter().rev().cloned().collect();
    assert_eq!((result.reinforced, &result.reinforced_ids), (5, &expected));
    for (n, id) in ids.iter().enumerate() {
        let block = block(&memory, id);
        let (count, hours) = if n >= 4 { (1, 50.0) } else { (0, 40.0) };
        assert_eq!(
            (block.reinforcement_count, block.last_reinforced_at),
            (count, ActiveHours::new(hours)),
            "block {n}"
        );
    }
}

#[test]
fn centrality_counts_relative_to_the_largest_and_contradictions_do_not() {
    let (memory, _) = aged(50.0);
    let ids: Vec<BlockId> = (0..4).map(|n| used_at(&memory, &format!("block {n}"), 50.0, None)).collect();
    put_edge(&memory, &ids[0], &ids[1], "supports", EdgeOrigin::AGENT, 0.9);
    put_edge(&memory, &ids[1], &ids[2], "supports", EdgeOrigin::AGENT, 0.9);
    put_edge(&memory, &ids[2], &ids[3], "contradicts", EdgeOrigin::AGENT, 1.0);
    let best = memory.curate(Curate::new().reinforce_top_n(1)).unwrap().reinforced_ids;
    assert_eq!(best, [ids[1].clone()]);
}

#[test]
fn reinforcing_more_than_there_are_reinforces_all() {
    let (memory, _) = aged(1.0);
    for n in 0..3 {
        active(&memory, &format!("block {n}"));
    }
    let result = memory.curate(Curate::new().reinforce_top_n(usize::MAX)).unwrap();
    assert_eq!(result.reinforced, 3);
    assert_eq!(memory.curate(only_archive()).unwrap().reinforced, 0);
}

// Edge cases

#[test]
fn on_an_empty_memory_curate_does_nothing_but_note_the_hour() {
    let memory = memory();
    let before = memory.log(ReadLog::new().limit(100)).unwrap();
    let result = curate(&memory);
    assert_eq!(result, CurateResult::default());
    assert_eq!(result.to_string(), "Curated: 0 archived, 0 edges pruned, 0 reinforced.");
    assert_eq!(memory.log(ReadLog::new().limit(100)).unwrap(), before, "nothing changed, so nothing is in the journal");
    assert_eq!(last_curate_at(&memory), Some(0.0));
    assert_eq!(memory.history(1)[0].operation, "curate");
}

#[test]
fn when_all_blocks_have_faded_all_are_archived_and_none_is_reinforced() {
    let (memory, _) = aged(400.0);
    for n in 0..7 {
        used_at(&memory, &format!("old {n}"), 0.0, None);
    }
    let result = curate(&memory);
    assert_eq!((result.archived, result.reinforced, result.edges_pruned), (7, 0, 0));
    let counts = memory.status().unwrap();
    assert_eq!((counts.active_count, counts.archived_count), (0, 7));
}

#[test]
fn thresholds_outside_their_range_are_clear_errors_and_change_nothing() {
    let (memory, _) = aged(400.0);
    let old = used_at(&memory, "old", 0.0, None);
    for bad in [f64::NAN, -0.1, 1.5, f64::INFINITY] {
        for curate in [Curate::new().prune_threshold(bad), Curate::new().edge_prune_threshold(bad)] {
            assert_eq!(memory.curate(&curate).unwrap_err().kind(), ErrorKind::Input, "{curate:?}");
        }
    }
    assert_eq!(block(&memory, &old).status, BlockStatus::Active);
    assert_eq!(memory.curate(only_archive().prune_threshold(0.0)).unwrap().archived, 0);
    assert_eq!(memory.curate(only_archive().prune_threshold(0.02)).unwrap().archived, 1);
}

#[test]
fn curate_during_a_session_uses_the_current_hours() {
    let (memory, clock) = aged(10.0);
    let id = active(&memory, "one");
    clock.forward_minutes(90.0);
    curate(&memory);
    assert_eq!(last_curate_at(&memory), Some(11.5));
    assert_eq!(block(&memory, &id).last_reinforced_at, ActiveHours::new(11.5));
}

// When it runs by itself

#[test]
fn should_curate_is_true_on_the_first_run_and_after_forty_hours() {
    let clock = clock();
    let memory = memory_at(&clock);
    assert!(memory.should_curate().unwrap(), "no last_curate_at");
    memory.begin_session("work").unwrap();
    assert_eq!(last_curate_at(&memory), Some(0.0));
    for (hours, due) in [(0.0, false), (39.9, false), (0.1, true), (1.0, true)] {
        work_for(&memory, &clock, hours);
        assert_eq!(memory.should_curate().unwrap(), due);
    }
    curate(&memory);
    assert!(!memory.should_curate().unwrap());
}

#[test]
fn tc_l_011_begin_session_curates_first_when_due_and_end_session_never_does() {
    let clock = clock();
    let memory = memory_at(&clock);
    let first = memory.begin_session("work").unwrap();
    assert_eq!(first.curated, Some(CurateResult::default()));
    assert!(first.to_string().ends_with(" begun."), "nothing to say about nothing: {first}");
    let old = active(&memory, "old");
    work_for(&memory, &clock, 400.0);
    memory.end_session().unwrap();
    assert_eq!(block(&memory, &old).status, BlockStatus::Active, "not at the end");
    clock.forward_minutes(600.0);
    let begun = memory.begin_session("work").unwrap();
    assert_eq!(begun.curated.as_ref().map(|curated| curated.archived), Some(1));
    assert!(begun.to_string().contains("Curated: 1 archived"), "{begun}");
    assert_eq!(block(&memory, &old).status, BlockStatus::Archived);
    let operations: Vec<OperationKind> =
        memory.log(ReadLog::new().limit(2)).unwrap().into_iter().map(|entry| entry.header.operation).collect();
    assert_eq!(operations, ["curate", "begin_session"], "before the session starts, in a transaction of its own");
    memory.end_session().unwrap();
    assert_eq!(memory.begin_session("work").unwrap().curated, None, "not again until the interval has passed");
}

#[test]
fn a_dream_curates_when_due() {
    let (memory, clock) = aged(0.0);
    let old = active(&memory, "old");
    memory.learn("the first thing").unwrap();
    assert_eq!(memory.consolidate().unwrap().curated, None, "the memory has only just begun");
    work_for(&memory, &clock, 400.0);
    memory.learn("the second thing").unwrap();
    let dreamed = memory.consolidate().unwrap();
    assert_eq!(dreamed.curated.as_ref().map(|curated| curated.archived), Some(2), "{dreamed:?}");
    assert!(dreamed.to_string().contains("Curated: 2 archived"), "{dreamed}");
    assert_eq!(block(&memory, &old).status, BlockStatus::Archived);
    assert_eq!(memory.consolidate().unwrap().curated, None);
}

#[test]
fn a_curate_that_fails_undoes_neither_dream_nor_session() {
    let clock = clock();
    let broken = AutoCurate { curate: Curate::new().prune_threshold(f64::NAN), ..AutoCurate::default() };
    let options = Options { auto_curate: Some(broken), ..options(&clock) };
    let memory = open_memory(options);
    let begun = memory.begin_session("work").unwrap();
    assert!(begun.curate_failed.as_deref().is_some_and(|problem| problem.contains("prune_threshold")), "{begun:?}");
    assert!(memory.status().unwrap().session_active);
    work_for(&memory, &clock, 41.0);
    let id = memory.learn("kept").unwrap().block_id;
    let dreamed = memory.consolidate().unwrap();
    assert!(dreamed.warnings.iter().any(|warning| warning.starts_with("Curate failed: ")), "{dreamed:?}");
    assert_eq!(block(&memory, &id).status, BlockStatus::Active);
}

#[test]
fn a_memory_that_is_told_so_never_curates_by_itself() {
    let clock = clock();
    let options = Options { auto_curate: None, ..options(&clock) };
    let memory = open_memory(options);
    assert!(!memory.should_curate().unwrap());
    assert_eq!(memory.begin_session("work").unwrap().curated, None);
    work_for(&memory, &clock, 400.0);
    memory.learn("something").unwrap();
    assert_eq!(memory.consolidate().unwrap().curated, None);
    assert_eq!(last_curate_at(&memory), None);
    assert_eq!(curate(&memory).reinforced, 1, "asked for, it runs");
}

#[test]
fn an_hour_that_cannot_be_read_counts_as_never() {
    let memory = memory();
    for text in ["yesterday", "NaN", ""] {
        edit(&memory, |transaction| transaction.set_config("last_curate_at", text));
        assert!(memory.should_curate().unwrap(), "{text:?}");
    }
}

// Settings that are off by default

#[test]
fn bridges_are_kept_only_where_that_is_switched_on() {
    let setup = || {
        let (memory, _) = aged(400.0);
        let hub = used_at(&memory, "hub", 0.0, None);
        for n in 0..4 {
            let other = used_at(&memory, &format!("spoke {n}"), 0.0, None);
            put_edge(&memory, &hub, &other, "supports", EdgeOrigin::AGENT, 0.9);
        }
        (memory, hub)
    };
    let (memory, _) = setup();
    assert_eq!(curate(&memory).archived, 5);
    let (memory, hub) = setup();
    let result = memory.curate(only_archive().protect_bridges()).unwrap();
    assert_eq!((result.archived, result.bridges_kept), (4, vec![hub]));
}

#[test]
fn the_constitution_is_kept_fresh_only_where_that_is_switched_on() {
    let (memory, _) = aged(100.0);
    let constitution = used_at(&memory, "I never lie", 0.0, Some("self/constitutional"));
    let fact = used_at(&memory, "tea is green", 50.0, None);
    assert_eq!(memory.curate(only_archive()).unwrap().constitutional_reinforced, 0);
    let rules = Curate::new().reinforce_constitutional();
    let result = memory.curate(&rules).unwrap();
    assert_eq!((result.constitutional_reinforced, result.reinforced_ids.as_slice()), (1, &[fact][..]));
    assert_eq!(block(&memory, &constitution).reinforcement_count, 1, "once, not twice");
}

#[test]
fn curating_row_by_row_would_give_the_same() {
    let (memory, _) = aged(400.0);
    let ids: Vec<BlockId> =
        (0..30).map(|n| used_at(&memory, &format!("block {n}"), f64::from(n) * 13.0, Some("topic/t"))).collect();
    for (n, pair) in ids.windows(2).enumerate() {
        put_edge(&memory, &pair[0], &pair[1], "similar", EdgeOrigin::SIMILARITY, n as f64 / 40.0);
    }
    let before = blocks(&memory);
    let rate = DecayTier::Standard.rate().get();
    let expected: Vec<BlockId> = {
        let gone = |block: &&Block| (-rate * (400.0 - block.last_reinforced_at.get())).exp() < 0.05;
        let mut gone: Vec<BlockId> = before.iter().filter(gone).map(|block| block.id.clone()).collect();
        gone.sort();
        gone
    };
    let result = memory.curate(only_archive()).unwrap();
    assert_eq!(result.archived_ids, expected);
    for block in blocks(&memory) {
        let was = before.iter().find(|was| was.id == block.id).unwrap();
        if expected.contains(&block.id) {
            let archived = Block {
                status: BlockStatus::Archived,
                archive_reason: Some(ArchiveReason::Decayed),
                tags: vec![],
                revision: was.revision + 1,
                ..was.clone()
            };
            assert_eq!(block, archived);
        } else {
            assert_eq!(block, *was);
        }
    }
    let left = memory.list(ListBlocks::all().status(BlockStatus::Active)).unwrap();
    assert_eq!(left.len() + result.archived, 30);
    let entries = memory
        .store()
        .read::<_, StoreError, _>(&Default::default(), |snapshot: &dyn Snapshot| {
            snapshot.get_journal(&JournalQuery { limit: Some(1), ..JournalQuery::default() })
        })
        .unwrap();
    let archived = entries[0].changes.iter().filter(|change| change.entity == Entity::Block);
    assert_eq!(archived.count(), result.archived);
    check_invariants(&memory);
}

// Undo

#[test]
fn a_curate_after_a_dream_is_an_operation_of_its_own_and_is_undone_alone() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let old = memory.learn(Learn::new("The printer is on the second floor").tag("topic/office")).unwrap().block_id;
    memory.consolidate().unwrap();
    work_for(&memory, &clock, 350.0);
    let new = memory.learn("Maria is allergic to peanuts").unwrap().block_id;
    let waiting = state(&memory);
    let dreamed = memory.consolidate().unwrap();
    assert_eq!(dreamed.curated.as_ref().map(|curated| curated.archived_ids.clone()), Some(vec![old.clone()]));
    let after = state(&memory);
    let past = memory.operations(ListOperations::new().limit(2)).unwrap();
    let names: Vec<(&str, usize)> = past.iter().map(|past| (past.operation.as_str(), past.parts.len())).collect();
    assert_eq!(names, [("dream", 1), ("curate", 1)]);

    // The last thing first: what faded is back, and the dream stands.
    assert_eq!(memory.undo(Undo::last()).unwrap().seq, past[1].seq);
    let status = |id: &BlockId| block(&memory, id).status;
    assert_eq!((status(&old), status(&new)), (BlockStatus::Active, BlockStatus::Active));
    assert_eq!(block(&memory, &old).tags.len(), 1);
    assert!(!memory.should_curate().unwrap(), "it ran, and what it did was not wanted: it does not run again at once");
    assert_eq!(memory.undo(Undo::last()).unwrap().seq, past[0].seq);
    assert_same_state(&without_uses(state(&memory)), &without_uses(waiting));
    for past in &past {
        let undo = memory
            .operations(ListOperations::new().limit(10))
            .unwrap()
            .iter()
            .find(|found| found.seq == past.seq)
            .unwrap()
            .undone_by;
        memory.undo(Undo::operation(undo.unwrap())).unwrap();
    }
    assert_same_state(&state(&memory), &after);

    // The dream alone, by its number: the curate had nothing to do with what it made, and stands.
    assert_eq!(memory.undo(Undo::operation(past[0].seq)).unwrap().operation, "dream");
    assert_eq!((status(&old), status(&new)), (BlockStatus::Archived, BlockStatus::Inbox));
}

#[test]
fn a_curate_before_a_session_is_undone_and_the_session_goes_on() {
    let (memory, clock) = aged(1.0);
    let old = used_at(&memory, "The printer is on the second floor", 1.0, Some("topic/office"));
    curate(&memory);
    work_for(&memory, &clock, 350.0);
    // Whoever curates by hand keeps the best fresh; this one has had its time.
    edit(&memory, |transaction| {
        transaction.update_block(&old, &mut |block| block.last_reinforced_at = ActiveHours::new(1.0)).map(drop)
    });
    memory.end_session().unwrap();
    let before = state(&memory);
    let begun = memory.begin_session("work").unwrap();
    assert_eq!(begun.curated.unwrap().archived_ids, [old]);
    let undone = memory.undo(Undo::last()).unwrap();
    assert_eq!(undone.operation, "curate");
    assert_same_state(&state(&memory), &before);
    assert!(memory.begin_session("work").unwrap().already_open);
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_a_run_then_does() {
    let (memory, _) = aged(400.0);
    let faded = used_at(&memory, "The printer on floor two is out of toner", 0.0, None);
    let fresh = used_at(&memory, "The printer on floor three works", 399.0, None);
    let weak = active(&memory, "A third block");
    put_edge(&memory, &fresh, &weak, "similar", EdgeOrigin::SIMILARITY, 0.05);
    let before = state(&memory);
    let dry = memory.curate(Curate::new().dry_run()).unwrap();
    assert_same_state(&before, &state(&memory));
    assert!(dry.to_string().starts_with("Would curate: 1 archived, 1 edges pruned"), "{dry}");
    assert_eq!(dry.faded.len(), 1);
    assert_eq!(
        (&dry.faded[0].block_id, dry.faded[0].content.as_str()),
        (&faded, "The printer on floor two is out of toner")
    );
    assert!(dry.faded[0].recency < 0.05 && dry.faded[0].unused_hours > 399.0, "{dry:?}");
    let run = curate(&memory);
    assert_eq!(
        (run.archived_ids, run.edges_pruned, run.reinforced_ids),
        (dry.archived_ids, dry.edges_pruned, dry.reinforced_ids)
    );
}
