//! What outcomes teach (seed 000, groups 1 and 2, and the design's section on belief).

use elfmem_core::{BlockId, BlockStatus, EdgeOrigin, OutcomeRecord, Relation};
use elfmem_engine::{Dream, Edit, ErrorKind, Fate, Learn, Memory, Outcome, OutcomeResult, ReadLog};
use elfmem_store::{Snapshot, Store, StoreError};

use crate::fixtures::{TestMemory, active, block, check_invariants, edge_between, edit, put_edge};
use crate::{clock, memory, memory_at};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

fn outcome(memory: &Memory<impl Store>, ids: &[&BlockId], signal: f64) -> OutcomeResult {
    memory.outcome(Outcome::new(ids.iter().map(|id| id.to_string()), signal)).unwrap()
}

fn records(memory: &Memory<impl Store>, id: &BlockId) -> Vec<OutcomeRecord> {
    let read = |snapshot: &dyn Snapshot| snapshot.get_outcomes(id);
    memory.store().read::<_, StoreError, _>(&Default::default(), read).unwrap()
}

fn three() -> (TestMemory, [BlockId; 3]) {
    let memory = memory();
    let ids = ["one", "two", "three"].map(|text| active(&memory, text));
    (memory, ids)
}

#[test]
fn test_upsert_outcome_edge_sets_relation_outcome_origin_outcome() {
    let (memory, [a, b, _]) = three();
    outcome(&memory, &[&a, &b], 0.9);
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((edge.relation_type, edge.origin), (Relation::OUTCOME, EdgeOrigin::OUTCOME));
    assert_eq!((edge.last_active_hours, edge.reinforcement_count), (None, 0));
}

#[test]
fn test_outcome_edge_weight_is_signal_times_0_8() {
    let (memory, [a, b, c]) = three();
    let result = outcome(&memory, &[&a, &b, &c], 0.9);
    assert_eq!((result.outcome_edges_created, result.edges_reinforced), (3, 0));
    for (one, other) in [(&a, &b), (&a, &c), (&b, &c)] {
        assert!(close(edge_between(&memory, one, other).unwrap().weight.get(), 0.72));
    }
}

#[test]
fn test_outcome_edge_reinforce_delta_applied_on_second_outcome() {
    let clock = clock();
    let memory = memory_at(&clock);
    let (a, b) = (active(&memory, "one"), active(&memory, "two"));
    outcome(&memory, &[&a, &b], 0.9);
    clock.forward_minutes(12.0);
    let second = outcome(&memory, &[&b, &a], 0.9);
    assert_eq!((second.outcome_edges_created, second.edges_reinforced), (0, 1));
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert!(close(edge.weight.get(), 0.81), "{edge:?}");
    assert_eq!(edge.reinforcement_count, 1);
    assert!(close(edge.last_active_hours.unwrap().get(), 0.2));
    outcome(&memory, &[&a, &b], 0.51);
    assert!(close(edge_between(&memory, &a, &b).unwrap().weight.get(), 0.861));
}

#[test]
fn test_outcome_edge_weight_does_not_exceed_1_0() {
    let (memory, [a, b, _]) = three();
    for _ in 0..6 {
        outcome(&memory, &[&a, &b], 1.0);
    }
    assert_eq!(edge_between(&memory, &a, &b).unwrap().weight.get(), 1.0);
}

#[test]
fn an_edge_of_another_kind_is_reinforced_and_goes_on_saying_what_it_said() {
    let (memory, [a, b, _]) = three();
    put_edge(&memory, &a, &b, "similar", EdgeOrigin::SIMILARITY, 0.6);
    assert_eq!(outcome(&memory, &[&a, &b], 1.0).edges_reinforced, 1);
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((edge.relation_type, edge.origin), (Relation::SIMILAR, EdgeOrigin::SIMILARITY));
    assert!(close(edge.weight.get(), 0.7));
}

/// The trace of the reference: confidence, evidence, use, fading and edges over nine outcomes.
#[test]
fn nine_outcomes_move_three_blocks_as_the_reference_moves_them() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let ids = ["one", "two", "three"].map(|text| active(&memory, text));
    edit(&memory, |transaction| {
        for id in &ids {
            transaction.update_block(id, &mut |block| {
                block.confidence = elfmem_core::Confidence::saturating(0.65);
                block.reinforcement_count = 1;
            })?;
        }
        Ok(())
    });
    clock.forward_minutes(240.0);
    // Signal, how many blocks; then of the first block confidence, evidence, uses, hours of last use, rate, and of all blocks the mean gain.
    let steps = [
        (0.9, 3, 0.733_333_333_333_333_4, 1.0, 2, 5.0, 0.01, 0.083_333_333_333_333_37),
        (0.9, 3, 0.775, 2.0, 3, 6.0, 0.01, 0.041_666_666_666_666_63),
        (0.5, 3, 0.72, 3.0, 3, 6.0, 0.01, -0.055),
        (0.51, 2, 0.685, 4.0, 4, 8.0, 0.01, -0.035),
        (0.2, 3, 0.615_714_285_714_285_7, 5.0, 4, 8.0, 0.01, -0.075_079_365_079_365_08),
        (0.19, 3, 0.5625, 6.0, 4, 8.0, 0.02, -0.056_587_301_587_301_554),
        (0.0, 3, 0.5, 7.0, 4, 8.0, 0.04, -0.065_416_666_666_666_66),
        (0.0, 3, 0.45, 8.0, 4, 8.0, 0.05, f64::NAN),
    ];
    for (signal, count, confidence, evidence, uses, used_at, rate, gain) in steps {
        clock.forward_minutes(60.0);
        let named: Vec<&BlockId> = ids.iter().take(count).collect();
        let result = outcome(&memory, &named, signal);
        assert_eq!(result.blocks_updated, count);
        assert!(gain.is_nan() || close(result.mean_confidence_delta, gain), "{signal}: {result:?}");
        assert_eq!(result.blocks_penalized, if signal < 0.20 { count } else { 0 }, "{signal}");
        let first = block(&memory, &ids[0]);
        assert!(close(first.confidence.get(), confidence), "{signal}: {first:?}");
        assert!(close(first.outcome_evidence.get(), evidence) && close(first.decay_lambda.get(), rate), "{first:?}");
        assert_eq!(first.reinforcement_count, uses);
        assert!(close(first.last_reinforced_at.get(), used_at), "{signal}: {first:?}");
    }
    let weight = |a: usize, b: usize| edge_between(&memory, &ids[a], &ids[b]).unwrap().weight.get();
    assert!(close(weight(0, 1), 0.861) && close(weight(0, 2), 0.81) && close(weight(1, 2), 0.81));
    check_invariants(&memory);
}

#[test]
fn one_block_alone_is_kept_fresh_too_and_gets_no_edge() {
    let (memory, [a, ..]) = three();
    let result = outcome(&memory, &[&a], 0.8);
    assert_eq!((result.blocks_updated, result.outcome_edges_created), (1, 0));
    assert_eq!(block(&memory, &a).reinforcement_count, 1);
}

#[test]
fn durable_and_permanent_blocks_do_not_fade_faster() {
    let memory = memory();
    for tag in ["self/value", "self/constitutional"] {
        let id = memory.learn(Learn::new(format!("I value {tag}")).tag(tag)).unwrap().block_id;
        edit(&memory, |transaction| transaction.update_block_status(&id, BlockStatus::Active, None).map(drop));
        let before = block(&memory, &id).decay_lambda;
        assert_eq!(outcome(&memory, &[&id], 0.0).blocks_penalized, 0, "{tag}");
        assert_eq!(block(&memory, &id).decay_lambda, before);
    }
}

#[test]
fn every_block_that_learned_nothing_is_named_with_its_reason() {
    let (memory, [a, b, c]) = three();
    edit(&memory, |transaction| transaction.update_block_status(&c, BlockStatus::Archived, None).map(drop));
    let named = [a.as_str(), "ffffffff", b.as_str(), &a.as_str()[..6], c.as_str(), "x", "two words"];
    let result = memory.outcome(Outcome::new(named, 0.9)).unwrap();
    assert_eq!((result.blocks_updated, result.outcome_edges_created), (2, 1));
    let skipped: Vec<(&str, &str)> =
        result.skipped.iter().map(|skipped| (skipped.id.as_str(), skipped.reason.as_str())).collect();
    let expected = [
        ("ffffffff", "there is no such block"),
        (&a.as_str()[..6], "it was named before"),
        (c.as_str(), "it is archived"),
        ("x", "'x' is not a block id"),
        ("two words", "'two words' is not a block id"),
    ];
    assert_eq!(skipped, expected);
    assert!(close(block(&memory, &a).outcome_evidence.get(), 1.0), "a block that is named twice counts once");
}

#[test]
fn signals_and_weights_are_checked_and_nothing_is_changed() {
    let (memory, [a, ..]) = three();
    let before = block(&memory, &a);
    for signal in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let error = memory.outcome(Outcome::new([a.as_str()], signal)).unwrap_err();
        assert!(error.kind() == ErrorKind::Input && error.message().contains("signal"), "{error}");
    }
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let bad = Outcome::new([a.as_str()], 0.5).weight(weight);
        let error = memory.outcome(&bad).unwrap_err();
        assert!(error.kind() == ErrorKind::Input && error.message().contains("weight"), "{error}");
    }
    let endless = Outcome::new(std::iter::repeat_n("abcd", 501), 0.5);
    assert_eq!(memory.outcome(&endless).unwrap_err().kind(), ErrorKind::Input);
    assert_eq!(block(&memory, &a), before);
    let nothing = memory.outcome(Outcome::new(Vec::<String>::new(), 0.9)).unwrap();
    assert_eq!(nothing.to_string(), "Outcome recorded: nothing to update.");
}

#[test]
fn heavier_outcomes_count_more() {
    let (memory, [a, ..]) = three();
    memory.outcome(Outcome::new([a.as_str()], 0.9).weight(3.0).source("validator")).unwrap();
    let taught = block(&memory, &a);
    assert!(close(taught.confidence.get(), 0.74) && close(taught.outcome_evidence.get(), 3.0), "{taught:?}");
    let record = records(&memory, &a).remove(0);
    assert_eq!((record.source.as_str(), record.weight, record.confidence_before.get()), ("validator", 3.0, 0.5));
}

#[test]
fn an_outcome_that_is_sent_again_counts_once() {
    let (memory, [a, b, _]) = three();
    let sent = Outcome::new([a.as_str(), b.as_str()], 0.9).outcome_id("run 7");
    let first = memory.outcome(&sent).unwrap();
    assert_eq!((first.outcome_id.as_str(), first.repeated), ("run 7", false));
    let before = (block(&memory, &a), edge_between(&memory, &a, &b));
    let again = memory.outcome(&sent).unwrap();
    assert!(again.repeated && again.blocks_updated == 0, "{again:?}");
    assert_eq!((block(&memory, &a), edge_between(&memory, &a, &b)), before);
    let other = Outcome::new([a.as_str(), b.as_str()], 0.1).outcome_id("run 7");
    let error = memory.outcome(&other).unwrap_err();
    assert!(error.message().contains("another signal or weight"), "{error}");
    assert!(!memory.outcome(Outcome::new([a.as_str()], 0.9)).unwrap().repeated, "without a name each one counts");
    assert!(close(block(&memory, &a).outcome_evidence.get(), 2.0));
}

#[test]
fn taking_an_outcome_back_leaves_what_the_rest_says() {
    let (memory, [a, b, _]) = three();
    let name = |id: &str, signal: f64| Outcome::new([a.as_str()], signal).outcome_id(id);
    for (id, signal) in [("first", 1.0), ("second", 0.0), ("third", 0.9)] {
        memory.outcome(name(id, signal)).unwrap();
    }
    let result = memory.retract_outcome("second").unwrap();
    assert_eq!(result.blocks_updated, 1);
    for signal in [1.0, 0.9] {
        outcome(&memory, &[&b], signal);
    }
    let (without, never) = (block(&memory, &a), block(&memory, &b));
    assert_eq!((without.confidence, without.outcome_evidence), (never.confidence, never.outcome_evidence));
    let left = records(&memory, &a);
    assert_eq!(left.iter().map(|record| record.outcome_id.as_str()).collect::<Vec<_>>(), ["first", "third"]);
    assert_eq!(left[0].after(), left[1].before());
    memory.retract_outcome("first").unwrap();
    memory.retract_outcome(" third ").unwrap();
    let back = block(&memory, &a);
    assert!(close(back.confidence.get(), 0.5) && back.outcome_evidence.get() == 0.0, "{back:?}");
    assert_eq!(memory.retract_outcome("third").unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn the_degree_cap_holds_and_only_weaker_edges_of_the_machine_give_way() {
    let memory = memory();
    let hub = active(&memory, "hub");
    let others: Vec<BlockId> = (0..10).map(|n| active(&memory, &format!("other {n}"))).collect();
    for (n, other) in others.iter().enumerate() {
        put_edge(&memory, &hub, other, "similar", EdgeOrigin::SIMILARITY, 0.70 + n as f64 / 50.0);
    }
    let new = active(&memory, "newcomer");
    let result = outcome(&memory, &[&hub, &new], 0.95);
    assert_eq!((result.outcome_edges_created, result.displaced_edges.len()), (1, 1));
    assert_eq!(result.displaced_edges[0].weight.get(), 0.70);
    assert_eq!(memory.show(hub.as_str()).unwrap().edges.len(), 10);
    let weak = active(&memory, "another newcomer");
    let result = outcome(&memory, &[&hub, &weak], 0.6);
    assert_eq!(
        (result.outcome_edges_created, result.edges_at_cap, result.displaced_edges.len()),
        (0, 1, 0),
        "{result:?}"
    );
    assert!(result.to_string().contains("1 pairs at the degree cap"), "{result}");
    check_invariants(&memory);
}

#[test]
fn many_blocks_at_once_stay_within_the_cap() {
    let memory = memory();
    let ids: Vec<BlockId> = (0..40).map(|n| active(&memory, &format!("block {n}"))).collect();
    let result = outcome(&memory, &ids.iter().collect::<Vec<_>>(), 1.0);
    assert_eq!(result.blocks_updated, 40);
    assert!(result.outcome_edges_created > 150 && result.edges_at_cap > 0, "{result}");
    check_invariants(&memory);
}

#[test]
fn an_heir_has_the_outcomes_of_the_block_whose_place_it_took() {
    let memory = memory();
    let old = memory.learn("The staging server runs on port 5432").unwrap().block_id;
    memory.consolidate().unwrap();
    memory.outcome(Outcome::new([old.as_str()], 0.0).outcome_id("wrong")).unwrap();
    memory.outcome(Outcome::new([old.as_str()], 1.0).outcome_id("right")).unwrap();
    let new = memory.learn("The staging server now runs on port 6543").unwrap().block_id;
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!(dreamed.decisions[0].fate, Fate::Updated, "{dreamed:?}");
    let heir = block(&memory, &new);
    assert!(close(heir.confidence.get(), 0.5) && heir.outcome_evidence.get() == 2.0, "{heir:?}");
    memory.retract_outcome("wrong").unwrap();
    let heir = block(&memory, &new);
    assert!(close(heir.confidence.get(), 2.0 / 3.0) && heir.outcome_evidence.get() == 1.0, "{heir:?}");
}

#[test]
fn outcomes_are_in_the_journal_and_survive_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let open = || crate::memory_on(&path, &clock, elfmem_engine::SessionStyle::Detached);
    let id = active(&open(), "one");
    open().outcome(Outcome::new([id.as_str()], 0.9).outcome_id("run")).unwrap();
    let log = open().log(ReadLog::new().block_id(id.as_str()).limit(1)).unwrap().remove(0);
    assert_eq!(log.header.operation, "outcome");
    assert!(log.changes.iter().any(|change| change.id == format!("{id}:run")), "{log:?}");
    assert_eq!(records(&open(), &id).len(), 1);
    open().retract_outcome("run").unwrap();
    assert!(close(block(&open(), &id).confidence.get(), 0.5));
}

#[test]
fn a_rewording_that_is_dreamed_of_fades_as_fast_as_bad_outcomes_made_it() {
    let memory = memory();
    let id = memory.learn("The staging database listens on port 99999").unwrap().block_id;
    memory.consolidate().unwrap();
    memory.outcome(Outcome::new([id.as_str()], 0.1)).unwrap();
    assert_eq!(block(&memory, &id).decay_lambda.get(), 0.020);
    let edit = Edit::new(id.as_str()).content("The staging database is at port 99999");
    let reworded = memory.edit(edit).unwrap().block_id;
    memory.consolidate().unwrap();
    assert_eq!(block(&memory, &reworded).decay_lambda.get(), 0.020);
}
