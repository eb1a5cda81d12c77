//! Edges an agent asserts (seed 000, groups 3 to 7; the names of the tests are the seed's).

use elfmem_core::{ActiveHours, BlockStatus, EdgeKey, EdgeOrigin, EdgeWeight, Relation};
use elfmem_engine::results::Summary;
use elfmem_engine::{
    Connect, ConnectAction, ConnectError, ConnectResult, Disconnect, DisconnectAction, Error, ErrorKind, IfExists,
    ReadLog,
};
use elfmem_store::{Snapshot, Store, StoreError};

use crate::fixtures::{active, check_invariants, degree, edge_between, edit, full_hub, put_edge, spec, two_active};
use crate::{clock, memory, memory_at};

fn connect_error(result: elfmem_engine::Result<ConnectResult>) -> ConnectError {
    match result.unwrap_err() {
        Error::Connect(error) => error,
        other => panic!("{other}"),
    }
}

// Group 3: happy paths

#[test]
fn test_connect_creates_edge_between_two_active_blocks() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b)).unwrap();
    assert!(edge_between(&memory, &a, &b).is_some());
    check_invariants(&memory);
}

#[test]
fn test_connect_returns_connect_result_with_action_created() {
    let (memory, a, b) = two_active();
    let result = memory.connect(spec(&a, &b)).unwrap();
    assert_eq!((result.action, &result.source_id, &result.target_id), (ConnectAction::Created, &a, &b));
    let expected = format!("Created similar edge: {}…→{}… (weight=0.65).", a.short(), b.short());
    assert_eq!(result.summary(), expected);
}

#[test]
fn test_connect_default_relation_is_similar() {
    let (memory, a, b) = two_active();
    assert_eq!(memory.connect(spec(&a, &b)).unwrap().relation, Relation::SIMILAR);
    assert_eq!(edge_between(&memory, &a, &b).unwrap().relation_type, Relation::SIMILAR);
}

#[test]
fn test_connect_supports_relation_uses_weight_0_75() {
    let (memory, a, b) = two_active();
    let result = memory.connect(spec(&a, &b).relation("supports")).unwrap();
    assert_eq!((result.relation.as_str(), result.weight.get()), ("supports", 0.75));
}

#[test]
fn test_connect_custom_relation_uses_fallback_weight() {
    let (memory, a, b) = two_active();
    let result = memory.connect(spec(&a, &b).relation("  is part of ")).unwrap();
    assert_eq!((result.relation.as_str(), result.weight.get()), ("is part of", 0.65));
}

#[test]
fn test_connect_explicit_weight_overrides_default() {
    let (memory, a, b) = two_active();
    assert_eq!(memory.connect(spec(&a, &b).relation("supports").weight(0.33)).unwrap().weight.get(), 0.33);
    assert_eq!(edge_between(&memory, &a, &b).unwrap().weight.get(), 0.33);
}

#[test]
fn test_connect_note_stored_on_edge() {
    let (memory, a, b) = two_active();
    let result = memory.connect(spec(&a, &b).note(" B gives the mechanism ")).unwrap();
    assert_eq!(result.note.as_deref(), Some("B gives the mechanism"));
    assert_eq!(edge_between(&memory, &a, &b).unwrap().note.as_deref(), Some("B gives the mechanism"));
}

#[test]
fn test_connect_sets_origin_to_agent() {
    let clock = clock();
    let memory = memory_at(&clock);
    let (a, b) = (active(&memory, "one"), active(&memory, "two"));
    clock.forward_minutes(15.0);
    memory.connect(spec(&b, &a)).unwrap();
    let edge = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((edge.origin, edge.reinforcement_count), (EdgeOrigin::AGENT, 0));
    assert_eq!(edge.last_active_hours, Some(ActiveHours::new(0.25)));
    assert_eq!(edge.asserted_from, Some(b), "the direction is kept to show it");
}

#[test]
fn the_order_of_source_and_target_does_not_matter() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b)).unwrap();
    assert_eq!(memory.connect(spec(&b, &a)).unwrap().action, ConnectAction::Reinforced);
    assert_eq!(degree(&memory, &a), 1);
}

#[test]
fn blocks_are_named_by_any_unambiguous_prefix() {
    let (memory, a, b) = two_active();
    let result = memory.connect(Connect::new(&a.as_str()[..6], &b.as_str()[..6])).unwrap();
    assert_eq!((result.source_id, result.target_id), (a, b));
}

#[test]
fn connecting_and_disconnecting_are_in_history_and_journal() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b)).unwrap();
    memory.disconnect(Disconnect::new(a.as_str(), b.as_str()).reason("it was about something else")).unwrap();
    let history = memory.history(2);
    assert_eq!((history[0].operation.as_str(), history[1].operation.as_str()), ("connect", "disconnect"));
    let log = memory.log(ReadLog::new().block_id(b.as_str()).limit(2)).unwrap();
    assert!(log[1].header.summary.ends_with(" Reason: it was about something else"), "{}", log[1].header.summary);
}

// Group 4: what to do when there is an edge

#[test]
fn test_connect_reinforce_increments_count_on_existing_edge() {
    let (memory, a, b) = two_active();
    for expected in 0..3 {
        memory.connect(spec(&a, &b)).unwrap();
        assert_eq!(edge_between(&memory, &a, &b).unwrap().reinforcement_count, expected);
    }
}

#[test]
fn test_connect_reinforce_boosts_weight_by_delta() {
    let (memory, a, b) = two_active();
    let mut seen = Vec::new();
    for _ in 0..5 {
        let result = memory.connect(spec(&a, &b).relation("supports")).unwrap();
        seen.push((result.action, (result.weight.get() * 100.0).round()));
        assert_eq!(result.weight, edge_between(&memory, &a, &b).unwrap().weight);
    }
    let reinforced = |weight| (ConnectAction::Reinforced, weight);
    let expected =
        [(ConnectAction::Created, 75.0), reinforced(85.0), reinforced(95.0), reinforced(100.0), reinforced(100.0)];
    assert_eq!(seen, expected);
}

#[test]
fn a_relation_that_differs_on_reinforcing_is_kept_and_said() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports").note("first")).unwrap();
    let plain = memory.connect(spec(&a, &b)).unwrap();
    assert_eq!((plain.relation_conflict, plain.not_applied.len()), (None, 0), "no relation given, none in conflict");
    let result = memory.connect(spec(&a, &b).relation("contradicts").note("second").weight(0.1)).unwrap();
    assert_eq!((result.action, result.relation.as_str()), (ConnectAction::Reinforced, "supports"));
    assert_eq!(result.relation_conflict, Some(Relation::CONTRADICTS));
    assert_eq!((result.note.as_deref(), result.not_applied.join(",")), (Some("first"), "weight,note".to_owned()));
    assert!(result.summary().contains("stays 'supports', not 'contradicts'"), "{result}");
}

#[test]
fn test_connect_update_changes_relation_type() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("similar").weight(0.9).note("kept")).unwrap();
    let update = spec(&a, &b).if_exists(IfExists::Update);
    let result = memory.connect(update.clone().relation("elaborates")).unwrap();
    assert_eq!((result.action, result.relation.as_str()), (ConnectAction::Updated, "elaborates"));
    assert_eq!((result.weight.get(), result.note.as_deref()), (0.9, Some("kept")), "only what was given is written");
    let stored = edge_between(&memory, &a, &b).unwrap();
    assert_eq!((stored.relation_type.as_str(), stored.weight.get()), ("elaborates", 0.9));
    let result = memory.connect(update.weight(0.2)).unwrap();
    assert_eq!((result.relation.as_str(), result.weight.get()), ("elaborates", 0.2));
}

#[test]
fn test_connect_update_changes_note() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports").note("first")).unwrap();
    let result = memory.connect(spec(&a, &b).note("second").if_exists(IfExists::Update)).unwrap();
    assert_eq!((result.note.as_deref(), result.relation.as_str()), (Some("second"), "supports"));
    assert_eq!(edge_between(&memory, &a, &b).unwrap().note.as_deref(), Some("second"));
}

#[test]
fn test_connect_skip_returns_existing_edge_unchanged() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports").note("first")).unwrap();
    let before = edge_between(&memory, &a, &b);
    let result = memory.connect(spec(&a, &b).relation("similar").note("no").if_exists(IfExists::Skip)).unwrap();
    assert_eq!(
        (result.action, result.relation.as_str(), result.weight.get()),
        (ConnectAction::Skipped, "supports", 0.75)
    );
    assert_eq!(edge_between(&memory, &a, &b), before);
}

#[test]
fn test_connect_error_raises_on_existing_edge() {
    let (memory, a, b) = two_active();
    let strict = spec(&a, &b).if_exists(IfExists::Error);
    assert_eq!(memory.connect(&strict).unwrap().action, ConnectAction::Created);
    let before = edge_between(&memory, &a, &b);
    let error = memory.connect(&strict).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect);
    assert!(error.message().starts_with("Edge already exists between "), "{error}");
    assert_eq!(error.recovery(), "Use if_exists='reinforce' or 'update' to modify existing edges.");
    assert_eq!(edge_between(&memory, &a, &b), before);
}

// Group 5: validation and errors

#[test]
fn test_connect_self_loop_raises_self_loop_error() {
    let (memory, a, _) = two_active();
    assert_eq!(memory.connect(spec(&a, &a)).unwrap_err().kind(), ErrorKind::SelfLoop);
    let shortened = Connect::new(a.as_str(), &a.as_str()[..5]);
    assert_eq!(connect_error(memory.connect(&shortened)), ConnectError::SelfLoop { id: a.clone() });
    let unknown = Connect::new("ffffffff", "ffffffff");
    assert_eq!(
        memory.connect(&unknown).unwrap_err().kind(),
        ErrorKind::SelfLoop,
        "checked before anything is looked up"
    );
}

#[test]
fn test_connect_self_loop_error_has_recovery() {
    let (memory, a, _) = two_active();
    let error = memory.connect(spec(&a, &a)).unwrap_err();
    assert_eq!(error.recovery(), "source and target must be different block IDs.");
}

#[test]
fn test_connect_unknown_source_raises_block_not_active_error() {
    let (memory, a, _) = two_active();
    for (source, target) in [("ffffffffffffffff", a.as_str()), (a.as_str(), "ffffffffffffffff")] {
        let error = connect_error(memory.connect(Connect::new(source, target)));
        assert_eq!(error.message(), "Block 'ffffffff…' not found in active memory.");
    }
}

#[test]
fn test_connect_archived_block_raises_block_not_active_error() {
    let (memory, a, b) = two_active();
    edit(&memory, |transaction| transaction.update_block_status(&b, BlockStatus::Archived, None).map(drop));
    for (source, target) in [(&a, &b), (&b, &a)] {
        let error = connect_error(memory.connect(spec(source, target)));
        assert_eq!(error, ConnectError::BlockNotActive { id: b.clone(), status: Some(BlockStatus::Archived) });
    }
    assert!(memory.show(a.as_str()).unwrap().edges.is_empty());
}

#[test]
fn test_connect_block_not_active_error_has_recovery() {
    let (memory, a, _) = two_active();
    let recovery = memory.connect(Connect::new(a.as_str(), "ffffffff")).unwrap_err().recovery();
    assert!(recovery.contains("system.recall()") && recovery.contains("re-learn its content"), "{recovery}");
}

#[test]
fn test_connect_weight_clamped_to_0_1_range() {
    let (memory, a, b) = two_active();
    assert_eq!(memory.connect(spec(&a, &b).weight(7.0)).unwrap().weight.get(), 1.0);
    let low = spec(&a, &b).weight(-7.0).if_exists(IfExists::Update);
    assert_eq!(memory.connect(&low).unwrap().weight.get(), 0.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = memory.connect(spec(&a, &b).weight(bad)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    }
}

#[test]
fn bad_relations_notes_and_ids_are_clear_errors_and_change_nothing() {
    let (memory, a, b) = two_active();
    let long = "x".repeat(5_000);
    for bad in [
        spec(&a, &b).relation(" "),
        spec(&a, &b).relation("a\nb"),
        spec(&a, &b).relation(long.clone()),
        spec(&a, &b).note(long),
        spec(&a, &b).note("nul \0"),
        Connect::new("", a.as_str()),
        Connect::new(a.as_str(), "two words"),
        Connect::new(a.as_str(), &b.as_str()[..2]),
    ] {
        let error = memory.connect(&bad).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{bad:?}: {error}");
        assert!(!error.recovery().is_empty());
    }
    assert_eq!(edge_between(&memory, &a, &b), None);
}

// Group 6: the degree cap

#[test]
fn test_connect_displaces_weakest_similar_edge_when_at_cap() {
    let memory = memory();
    let (hub, others) = full_hub(&memory, "hub", "similar", EdgeOrigin::SIMILARITY);
    let new = active(&memory, "newcomer");
    memory.connect(spec(&new, &hub).relation("supports")).unwrap();
    assert_eq!(degree(&memory, &hub), 10);
    assert_eq!(edge_between(&memory, &hub, &others[0]), None, "the weakest gave way");
    assert!(edge_between(&memory, &hub, &others[1]).is_some());
    assert!(edge_between(&memory, &hub, &new).is_some());
}

#[test]
fn test_connect_displaced_edge_present_in_result() {
    let memory = memory();
    let (hub, others) = full_hub(&memory, "hub", "similar", EdgeOrigin::SIMILARITY);
    put_edge(&memory, &hub, &others[9], "co_occurs", EdgeOrigin::CO_RETRIEVAL, 0.1);
    let new = active(&memory, "newcomer");
    let result = memory.connect(spec(&hub, &new)).unwrap();
    let displaced = result.displaced_edge.clone().unwrap();
    assert_eq!((displaced.relation_type, displaced.weight.get()), (Relation::SIMILAR, 0.5));
    let ends = EdgeKey::canonical(&hub, &others[0]).unwrap();
    assert_eq!((displaced.from_id, displaced.to_id), (ends.from_id, ends.to_id));
    assert!(result.to_string().ends_with("Displaced auto-similar edge (weight=0.50) to fit degree cap."), "{result}");
    assert_eq!(result.over_cap, None);
}

#[test]
fn test_connect_never_displaces_supports_edge() {
    for relation in ["supports", "elaborates", "contradicts", "a word of its own"] {
        let memory = memory();
        let (hub, others) = full_hub(&memory, "hub", relation, EdgeOrigin::SIMILARITY);
        put_edge(&memory, &hub, &others[9], "similar", EdgeOrigin::SIMILARITY, 1.0);
        let result = memory.connect(spec(&hub, &active(&memory, "newcomer"))).unwrap();
        assert_eq!(result.displaced_edge.unwrap().relation_type, Relation::SIMILAR, "{relation}");
        assert!(others[..9].iter().all(|other| edge_between(&memory, &hub, other).is_some()), "{relation}");
    }
}

#[test]
fn test_connect_never_displaces_outcome_edge() {
    let memory = memory();
    let (hub, others) = full_hub(&memory, "hub", "outcome", EdgeOrigin::OUTCOME);
    put_edge(&memory, &hub, &others[9], "co_occurs", EdgeOrigin::CO_RETRIEVAL, 1.0);
    let result = memory.connect(spec(&hub, &active(&memory, "newcomer"))).unwrap();
    assert_eq!(result.displaced_edge.unwrap().relation_type, Relation::CO_OCCURS);
    assert!(others[..9].iter().all(|other| edge_between(&memory, &hub, other).is_some()));
}

#[test]
fn test_connect_all_protected_raises_degree_limit_error() {
    for (relation, origin) in [("outcome", EdgeOrigin::OUTCOME), ("similar", EdgeOrigin::AGENT)] {
        let memory = memory();
        let (hub, others) = full_hub(&memory, "hub", relation, origin);
        let new = active(&memory, "newcomer");
        let error = connect_error(memory.connect(spec(&new, &hub)));
        assert_eq!(error, ConnectError::DegreeLimit { id: hub.clone(), cap: 10 });
        assert_eq!((degree(&memory, &hub), degree(&memory, &new)), (10, 0));
        assert!(memory.connect(spec(&hub, &others[3])).is_ok(), "the cap does not keep an edge from being reinforced");
    }
}

#[test]
fn test_connect_degree_limit_error_has_recovery() {
    let memory = memory();
    let (hub, _) = full_hub(&memory, "hub", "supports", EdgeOrigin::AGENT);
    let error = memory.connect(spec(&hub, &active(&memory, "newcomer"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DegreeLimit);
    for way in ["system.curate()", "edge_degree_cap", "system.disconnect()"] {
        assert!(error.recovery().contains(way), "{error}");
    }
}

#[test]
fn with_both_ends_full_one_edge_gives_way_and_the_other_end_is_one_over() {
    let memory = memory();
    let (one, ones) = full_hub(&memory, "hub one", "similar", EdgeOrigin::SIMILARITY);
    let (two, twos) = full_hub(&memory, "hub two", "similar", EdgeOrigin::SIMILARITY);
    let result = memory.connect(spec(&two, &one).relation("supports")).unwrap();
    let (first, second) = if one < two { (&one, &two) } else { (&two, &one) };
    assert!(result.displaced_edge.is_some());
    assert_eq!(result.over_cap.as_ref(), Some(second), "the first full end in canonical order is relieved");
    assert!(result.to_string().contains("one over its degree cap"), "{result}");
    assert_eq!((degree(&memory, first), degree(&memory, second)), (10, 11));
    // Never two over: whoever has one too many loses it before the next one comes.
    for n in 0..4 {
        let (another, _) = full_hub(&memory, &format!("hub {n}"), "similar", EdgeOrigin::SIMILARITY);
        let result = memory.connect(spec(&another, second).relation("supports")).unwrap();
        assert!(degree(&memory, second) <= 11 && degree(&memory, &another) <= 11, "{result}");
        assert_eq!(result.also_displaced.is_some(), another < *second, "{result}");
    }
    assert_eq!((ones.len(), twos.len()), (10, 10));
}

// Group 7: disconnect

#[test]
fn test_disconnect_removes_existing_edge() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b)).unwrap();
    memory.disconnect(Disconnect::new(b.as_str(), a.as_str())).unwrap();
    assert_eq!(edge_between(&memory, &a, &b), None);
}

#[test]
fn test_disconnect_returns_removed_action() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports")).unwrap();
    let result = memory.disconnect(Disconnect::new(&a.as_str()[..6], &b.as_str()[..6])).unwrap();
    assert_eq!(result.action, DisconnectAction::Removed);
    assert_eq!(
        (result.removed_relation, result.removed_weight.map(EdgeWeight::get)),
        (Some(Relation::new("supports")), Some(0.75))
    );
}

#[test]
fn test_disconnect_returns_not_found_for_missing_edge() {
    let (memory, a, b) = two_active();
    let result = memory.disconnect(Disconnect::new(a.as_str(), b.as_str())).unwrap();
    assert_eq!((result.action, result.removed_relation), (DisconnectAction::NotFound, None));
    for (source, target) in [(a.as_str(), "ffffffff"), (a.as_str(), a.as_str())] {
        let result = memory.disconnect(Disconnect::new(source, target)).unwrap();
        assert_eq!(result.action, DisconnectAction::NotFound);
    }
}

#[test]
fn test_disconnect_guard_relation_prevents_wrong_type_removal() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports")).unwrap();
    let result = memory.disconnect(Disconnect::new(a.as_str(), b.as_str()).guard_relation("similar")).unwrap();
    assert_eq!((result.action, result.removed_weight), (DisconnectAction::Guarded, None));
    assert!(edge_between(&memory, &a, &b).is_some());
}

#[test]
fn test_disconnect_guard_relation_removes_matching_type() {
    let (memory, a, b) = two_active();
    memory.connect(spec(&a, &b).relation("supports")).unwrap();
    let result = memory.disconnect(Disconnect::new(a.as_str(), b.as_str()).guard_relation("supports")).unwrap();
    assert_eq!(result.action, DisconnectAction::Removed);
    assert_eq!(edge_between(&memory, &a, &b), None);
}

#[test]
fn test_disconnect_removed_edge_not_in_graph_expansion() {
    let (memory, a, b) = two_active();
    let neighbours = || {
        let read = |snapshot: &dyn Snapshot| snapshot.get_neighbours(std::slice::from_ref(&a));
        memory.store().read::<_, StoreError, _>(&elfmem_core::ScopeView::default(), read).unwrap()
    };
    memory.connect(spec(&a, &b)).unwrap();
    assert_eq!(neighbours(), std::slice::from_ref(&b));
    memory.disconnect(Disconnect::new(a.as_str(), b.as_str())).unwrap();
    assert!(neighbours().is_empty());
}
