//! Edges and contradictions.

use std::ops::ControlFlow;

use elfmem_core::{
    ActiveHours, Block, BlockId, EdgeOrigin, EdgeWeight, Relation, Scope, ScopeView, Session, SessionId, SessionKind,
    Timestamp,
};

use super::{active, edge, header, insert, noon, read, write};
use crate::{
    Answer, Contradiction, JournalHeader, JournalQuery, Row, ShownRelevance, StagedPair, Store, StoreError, Vectors,
};

/// Every field of an edge survives.
pub fn an_edge_comes_back_as_it_was_stored(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let mut stored = edge(&a, &b, 0.75);
    stored.relation_type = Relation::new("supports");
    stored.origin = EdgeOrigin::AGENT;
    stored.note = Some("B is the mechanism behind A".into());
    stored.last_active_hours = Some(ActiveHours::new(4.5));
    stored.asserted_from = Some(b.id.clone());
    write(store, |transaction| transaction.put_edge(&stored));
    assert_eq!(read(store, |snapshot| snapshot.get_edge(&stored.key)), Some(stored.clone()));
    assert!(write(store, |transaction| transaction.delete_edge(&stored.key)));
    assert!(!write(store, |transaction| transaction.delete_edge(&stored.key)));
}

/// Dropping it leaves what it was in the journal; dropping it again leaves nothing.
pub fn an_edge_that_was_read_is_dropped_and_told_once(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let stored = edge(&a, &b, 0.75);
    write(store, |transaction| transaction.put_edge(&stored));
    write(store, |transaction| {
        transaction.remove_edge(&stored)?;
        transaction.remove_edge(&stored)
    });
    assert_eq!(read(store, |snapshot| snapshot.get_edge(&stored.key)), None);
    let journal = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
    let [change] = &journal.last().expect("it was told").changes[..] else { panic!("{journal:?}") };
    let was = change.before.as_ref().and_then(|image| image.get("weight")).and_then(serde_json::Value::as_f64);
    assert_eq!((was, &change.after), (Some(0.75), &None));
}

/// The first edge of a pair wins.
pub fn inserting_an_edge_twice_keeps_the_first(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    assert!(write(store, |transaction| transaction.insert_edge(&edge(&a, &b, 0.7))));
    assert!(!write(store, |transaction| transaction.insert_edge(&edge(&b, &a, 0.9))));
    let found = read(store, |snapshot| snapshot.get_edges_for_block(&a.id));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].weight.get(), 0.7);
}

/// What dream makes says so.
pub fn edges_default_to_similar_and_similarity(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    write(store, |transaction| transaction.insert_edge(&edge(&a, &b, 0.7)));
    let found = read(store, |snapshot| snapshot.get_edges_for_block(&b.id)).remove(0);
    assert_eq!((found.relation_type.as_str(), found.origin.as_str()), ("similar", "similarity"));
    assert_eq!((found.last_active_hours, found.note, found.reinforcement_count), (None, None, 0));
}

/// Either end sees the edge.
pub fn edges_are_listed_from_either_end_strongest_first(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.3))?;
        transaction.put_edge(&edge(&a, &c, 0.9))
    });
    let weights = |id| {
        read(store, |snapshot| snapshot.get_edges_for_block(id)).iter().map(|e| e.weight.get()).collect::<Vec<_>>()
    };
    assert_eq!(weights(&a.id), [0.9, 0.3]);
    assert_eq!(weights(&b.id), [0.3]);
}

/// Seeds are not their own neighbours.
pub fn neighbours_are_one_hop_away_without_the_seeds(store: &impl Store) {
    let (a, b, c, d) = (active("a"), active("b"), active("c"), active("d"));
    insert(store, &[&a, &b, &c, &d]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.5))?;
        transaction.put_edge(&edge(&b, &c, 0.5))?;
        transaction.put_edge(&edge(&c, &d, 0.5))
    });
    let found = read(store, |snapshot| snapshot.get_neighbours(&[a.id.clone(), b.id.clone()]));
    assert_eq!(found, [c.id.clone()]);
    assert!(read(store, |snapshot| snapshot.get_neighbours(&[])).is_empty());
}

/// Only edges that exist are reinforced.
pub fn reinforcing_an_edge_counts_and_stamps(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    let (known, unknown) = (edge(&a, &b, 0.5), edge(&a, &c, 0.5));
    write(store, |transaction| {
        transaction.put_edge(&known)?;
        transaction.reinforce_edges(&[known.key.clone(), unknown.key.clone()], ActiveHours::new(7.0))
    });
    let found = read(store, |snapshot| snapshot.get_edge(&known.key)).expect("it is there");
    assert_eq!((found.reinforcement_count, found.last_active_hours), (1, Some(ActiveHours::new(7.0))));
    assert_eq!(read(store, |snapshot| snapshot.get_edge(&unknown.key)), None);
}

/// An edge at exactly the threshold stays (seed 002).
pub fn pruning_is_strictly_below_the_threshold(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    let (at, below) = (edge(&a, &b, 0.10), edge(&a, &c, 0.0999));
    let pruned = write(store, |transaction| {
        transaction.put_edge(&at)?;
        transaction.put_edge(&below)?;
        transaction.prune_weak_edges(EdgeWeight::saturating(0.10))
    });
    assert_eq!(pruned, 1);
    assert!(read(store, |snapshot| snapshot.get_edge(&at.key)).is_some());
}

/// Foreign keys hold.
pub fn an_edge_to_a_missing_block_is_refused(store: &impl Store) {
    let (a, nobody) = (active("a"), active("never stored"));
    insert(store, &[&a]);
    let put = store.write(&Default::default(), |transaction| {
        transaction.describe(super::header("test"));
        transaction.put_edge(&edge(&a, &nobody, 0.5))
    });
    assert!(put.is_err());
    assert!(read(store, |snapshot| snapshot.get_edges_for_block(&a.id)).is_empty());
}

/// A settled contradiction is out of the way and stays on record.
pub fn contradictions_are_listed_until_resolved(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let contradiction = Contradiction::between(&a.id, &b.id, 0.85, noon()).expect("two different blocks");
    assert_eq!(Contradiction::between(&b.id, &a.id, 0.85, noon()), Some(contradiction.clone()));
    assert!(contradiction.block_a_id < contradiction.block_b_id);
    assert!(write(store, |transaction| transaction.insert_contradiction(&contradiction)));
    assert!(!write(store, |transaction| transaction.insert_contradiction(&contradiction)));
    let open = || read(store, |snapshot| snapshot.get_contradictions_for_blocks(std::slice::from_ref(&b.id)));
    assert_eq!(open(), [contradiction.clone()]);
    write(store, |transaction| transaction.resolve_contradiction(&contradiction.block_a_id, &contradiction.block_b_id));
    assert!(open().is_empty());
    assert!(!write(store, |transaction| transaction.insert_contradiction(&contradiction)));
}

/// However often and in whichever order they come back.
pub fn pairs_that_come_up_together_are_counted_by_distinct_sessions(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let key = edge(&a, &b, 0.5).key;
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let count = |session: &str| {
        let session = SessionId::from_stored(session);
        let counts = write(store, |transaction| transaction.stage_co_retrieval(std::slice::from_ref(&key), &session));
        counts[0].1
    };
    assert_eq!(["s1", "s1", "s2", "s1", "s2", "s3"].map(count), [1, 1, 2, 2, 2, 3]);
    assert_eq!(read(store, |snapshot| snapshot.get_journal_position()), position, "a count is no knowledge");
    write(store, |transaction| transaction.unstage_co_retrieval(&key));
    assert_eq!(count("s1"), 1, "forgotten");
}

/// Of every scope, in steps; what is counted without a session or in one that nobody knows stays.
pub fn pairs_of_sessions_that_are_long_over_are_forgotten(store: &impl Store) {
    let blocks = ["a", "b", "c", "d", "e"].map(active);
    insert(store, &blocks.each_ref());
    let at = |hours: i64| Timestamp::constant(noon().as_second() + 3_600 * hours, 0);
    let session = |id: &str, hours: i64| Session {
        id: SessionId::from_stored(id),
        task_type: "general".into(),
        kind: SessionKind::Automatic,
        started_at: at(-2),
        ended_at: None,
        start_active_hours: ActiveHours::ZERO,
        last_seen_at: at(hours),
    };
    let sessions = [session("old", 0), session("older", -1), session("new", 2)];
    let [a, b, c, d, e] = &blocks;
    let staged = |one: &Block, other: &Block, sessions: &[&str]| StagedPair {
        key: edge(one, other, 0.5).key,
        count: 2,
        sessions: sessions.iter().map(|id| SessionId::from_stored(id)).collect(),
    };
    let stale = [staged(a, b, &["old"]), staged(a, c, &["older", "old"]), staged(d, e, &["older"])];
    let kept = [staged(a, d, &["old", "new"]), staged(b, c, &[]), staged(b, d, &["unknown"]), staged(c, d, &["new"])];
    write(store, |transaction| {
        sessions.iter().try_for_each(|session| transaction.start_session(session))?;
        stale.iter().chain(&kept).try_for_each(|pair| transaction.put_staged_pair(pair))
    });
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let elsewhere = ScopeView::only(Scope::from_stored("elsewhere"));
    let mut after = None;
    loop {
        let step: Result<_, StoreError> =
            store.write(&elsewhere, |transaction| transaction.forget_stale_pairs(at(1), after.as_ref(), 2));
        after = step.expect("they are forgotten");
        if after.is_none() {
            break;
        }
    }
    let mut left = Vec::new();
    read(store, |snapshot| {
        snapshot.visit_rows(Vectors::Skip, &mut |row| {
            left.extend(Some(row).and_then(|row| if let Row::Pair(pair) = row { Some(pair) } else { None }));
            ControlFlow::Continue(())
        })
    });
    let mut kept = kept.to_vec();
    kept.sort_by(|one, other| one.key.cmp(&other.key));
    assert_eq!(left, kept);
    assert_eq!(read(store, |snapshot| snapshot.get_journal_position()), position, "a count is no knowledge");
}

/// In their order, each with its session, of this scope and after the position only.
pub fn answers_tell_what_they_showed(store: &impl Store) {
    let blocks = ["a", "b", "c"].map(active);
    insert(store, &blocks.each_ref());
    let answer = |operation: &str, session: &str, shown: &[&Block]| {
        let ids: Vec<BlockId> = shown.iter().map(|block| block.id.clone()).collect();
        let session = SessionId::from_stored(session);
        let described = JournalHeader { session: Some(session.clone()), ..header(operation) };
        // A frame without a question has no relevance.
        let probabilities = ids.iter().map(|id| (id.clone(), 0.25)).collect();
        let relevance = (operation == "recall").then(|| ShownRelevance { curve: "c".into(), relevance: probabilities });
        let written = store.write(&ScopeView::default(), |transaction| -> Result<(), StoreError> {
            transaction.describe(described.clone());
            transaction.reinforce_blocks(&ids, ActiveHours::ZERO)?;
            if let Some(relevance) = &relevance {
                transaction.record_relevance(relevance);
            }
            Ok(())
        });
        written.expect("it is counted");
        Answer { at: described.at, session, shown: ids, relevance }
    };
    let [a, b, c] = &blocks;
    let first = answer("recall", "s1", &[c, a]);
    let position = read(store, |snapshot| snapshot.get_journal_position());
    answer("outcome", "s1", &[a, b]);
    let second = answer("frame", "s2", &[b, a, c]);
    let third = answer("recall", "s1", &[a]);
    let after = |position, limit| read(store, |snapshot| snapshot.get_answers_after(position, limit));
    assert_eq!(after(0, 10), [first, second.clone(), third.clone()]);
    assert_eq!(after(position, 10), [second, third.clone()]);
    assert_eq!(after(position, 1), [third], "the newest");
    let elsewhere = ScopeView::only(Scope::from_stored("elsewhere"));
    let seen: Result<Vec<Answer>, StoreError> = store.read(&elsewhere, |snapshot| snapshot.get_answers_after(0, 10));
    assert!(seen.expect("it can be read").is_empty(), "other scopes' answers are theirs");
}
