//! Many edges at once (seed 000, group 9; the names of the tests are the seed's), and what recall makes of edges.

use std::sync::Arc;

use elfmem_core::{ActiveHours, BlockId, EdgeOrigin};
use elfmem_engine::{Connect, ConnectMany, Disconnect, IfExists, Options, ReadLog, RenderFrame, Supersede, Undo};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};

use crate::fixtures::{
    active, check_invariants, degree, edge_between, full_hub, models, open_memory, put_edge, spec, two_active,
};
use crate::{clock, memory, memory_at, options};

#[test]
fn test_connects_creates_multiple_edges() {
    let memory = memory();
    let ids: Vec<BlockId> = ["one", "two", "three"].map(|text| active(&memory, text)).into();
    let result = memory.connects(&[spec(&ids[0], &ids[1]), spec(&ids[1], &ids[2]).relation("supports")]).unwrap();
    assert_eq!((result.created, result.results.len()), (2, 2));
    assert!(edge_between(&memory, &ids[0], &ids[1]).is_some() && edge_between(&memory, &ids[1], &ids[2]).is_some());
}

#[test]
fn test_connects_collects_errors_without_raising() {
    let (memory, a, b) = two_active();
    let bad = [spec(&a, &a), Connect::new(a.as_str(), "ffffffff"), spec(&a, &b).weight(f64::NAN)];
    let result = memory.connects(&bad).unwrap();
    assert_eq!((result.errors.len(), result.results.len()), (3, 0));
    let short = a.short();
    assert!(
        result.errors[1].starts_with(&format!("{short}→ffffffff: Block 'ffffffff…' not found")),
        "{:?}",
        result.errors
    );
    assert_eq!(result.to_string(), "Edges: 0 created, 3 errors.");
    assert_eq!(memory.connects(ConnectMany::new(Vec::<Connect>::new())).unwrap().to_string(), "Edges: 0 created.");
}

#[test]
fn test_connects_returns_aggregate_counts() {
    let memory = memory();
    let ids: Vec<BlockId> = ["one", "two", "three"].map(|text| active(&memory, text)).into();
    let first = spec(&ids[0], &ids[1]);
    let result = memory
        .connects(&[
            first.clone(),
            first.clone(),
            first.clone().if_exists(IfExists::Update).note("n"),
            first.clone().if_exists(IfExists::Skip),
            first.if_exists(IfExists::Error),
            spec(&ids[1], &ids[2]),
        ])
        .unwrap();
    let counts =
        (result.created, result.reinforced, result.updated, result.skipped, result.deferred, result.errors.len());
    assert_eq!(counts, (2, 1, 1, 1, 0, 1));
    assert_eq!(result.to_string(), "Edges: 2 created, 1 reinforced, 1 updated, 1 errors.");
}

#[test]
fn test_connects_partial_failure_does_not_abort_batch() {
    let memory = memory();
    let (hub, _) = full_hub(&memory, "hub", "supports", EdgeOrigin::AGENT);
    let (a, b) = (active(&memory, "a"), active(&memory, "b"));
    let result = memory.connects(&[spec(&a, &hub), spec(&a, &b), spec(&b, &hub)]).unwrap();
    assert_eq!((result.created, result.errors.len()), (1, 2));
    assert_eq!(degree(&memory, &hub), 10, "a refused edge leaves no trace");
    assert!(edge_between(&memory, &a, &b).is_some());
    assert_eq!(
        memory.log(ReadLog::new().block_id(a.as_str()).limit(1)).unwrap()[0].header.operation,
        "connects",
        "one operation, one undo"
    );
}

#[test]
fn specs_are_read_with_the_defaults_of_the_seed() {
    let spec: Connect = serde_json::from_str(r#"{"source": "a", "target": "b"}"#).unwrap();
    assert_eq!(spec, Connect::new("a", "b"));
    let full =
        r#"{"source": "a", "target": "b", "relation": "supports", "weight": 0.4, "note": "n", "if_exists": "skip"}"#;
    let expected = Connect::new("a", "b").relation("supports").weight(0.4).note("n").if_exists(IfExists::Skip);
    assert_eq!(serde_json::from_str::<Connect>(full).unwrap(), expected);
    assert!(serde_json::from_str::<Connect>(r#"{"source": "a", "target": "b", "wieght": 1}"#).is_err());
}

#[test]
fn saying_what_a_found_edge_means_makes_it_the_agents_own() {
    let (memory, a, b) = two_active();
    put_edge(&memory, &a, &b, "similar", EdgeOrigin::SIMILARITY, 0.9);
    let update = spec(&a, &b).if_exists(IfExists::Update);
    memory.connect(update.clone().weight(0.8)).unwrap();
    assert_eq!(edge_between(&memory, &a, &b).unwrap().origin, EdgeOrigin::SIMILARITY, "nothing was said of it");
    memory.connect(update.relation("supports")).unwrap();
    assert_eq!(edge_between(&memory, &a, &b).unwrap().origin, EdgeOrigin::AGENT);
}

#[test]
fn a_successor_keeps_within_the_degree_cap_whatever_it_inherits() {
    for (relation, origin) in [("supports", EdgeOrigin::AGENT), ("co_occurs", EdgeOrigin::CO_RETRIEVAL)] {
        let memory = memory();
        let (old, _) = full_hub(&memory, "former hub", relation, origin.clone());
        let (new, own) = full_hub(&memory, "newer hub", "supports", EdgeOrigin::AGENT);
        memory.supersede(Supersede::new(old.as_str(), new.as_str())).unwrap();
        assert_eq!(degree(&memory, &new), 10, "{relation}");
        assert!(own.iter().all(|other| edge_between(&memory, &new, other).is_some()), "its own edges stay");
        check_invariants(&memory);
        memory.undo(Undo::last()).unwrap();
        assert_eq!((degree(&memory, &old), degree(&memory, &new)), (10, 10));
    }
}

#[test]
fn undoing_the_relief_of_a_crowded_block_notes_it_to_be_relieved_again() {
    let memory = memory();
    let (one, _) = full_hub(&memory, "hub one", "similar", EdgeOrigin::SIMILARITY);
    let (two, _) = full_hub(&memory, "hub two", "similar", EdgeOrigin::SIMILARITY);
    let over = memory.connect(spec(&two, &one).relation("supports")).unwrap().over_cap.unwrap();
    memory.curate(elfmem_engine::Curate::new()).unwrap();
    assert_eq!(degree(&memory, &over), 10);
    memory.undo(Undo::last()).unwrap();
    assert_eq!(degree(&memory, &over), 11, "as it was");
    assert_eq!(memory.curate(elfmem_engine::Curate::new()).unwrap().edges_over_cap, 1);
    assert_eq!(degree(&memory, &over), 10);
}

#[test]
fn a_recall_that_shows_both_ends_confirms_the_edge_at_the_current_hours() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let (a, b) = (active(&memory, "apples are red"), active(&memory, "apples grow on trees"));
    put_edge(&memory, &a, &b, "similar", EdgeOrigin::SIMILARITY, 0.7);
    clock.forward_minutes(90.0);
    assert_eq!(memory.recall("apples").unwrap().blocks.len(), 2);
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((edge.reinforcement_count, edge.last_active_hours), (1, Some(ActiveHours::new(1.5))));
    assert_eq!(edge.weight.get(), 0.7, "being shown makes it no stronger");
}

#[test]
fn recall_follows_an_edge_until_it_is_disconnected() {
    let clock = clock();
    // With vectors that have nothing in common, only an edge leads from one block to the other.
    let models = models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(ScriptedAnalyst::new()));
    let memory = open_memory(Options { models, ..options(&clock) });
    let a = memory.learn("The parser is written in Rust").unwrap().block_id;
    // What was stored around an answer is lifted too: these two were not.
    for n in 0..20 {
        clock.forward_minutes(600.0);
        memory.learn(format!("Drawer {n} is for odds and ends")).unwrap();
    }
    let b = memory.learn("Nightly builds finish at four").unwrap().block_id;
    memory.consolidate().unwrap();
    let via = || {
        let found =
            memory.frame(RenderFrame::new("attention").query("parser written in Rust").top_k(5)).unwrap().blocks;
        found.into_iter().find(|block| block.id == b).and_then(|block| block.explain.via).map(|via| via.block_id)
    };
    assert_eq!(via(), None);
    memory.connect(spec(&a, &b).relation("supports").weight(1.0)).unwrap();
    assert_eq!(via(), Some(a.clone()));
    memory.disconnect(Disconnect::new(a.as_str(), b.as_str())).unwrap();
    assert_eq!(via(), None);
}
