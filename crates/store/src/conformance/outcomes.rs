//! What outcomes did to blocks.

use elfmem_core::{Block, BlockId, Confidence, Evidence, OutcomeRecord, Scope, ScopeView, Signal, Timestamp};

use super::{active, header, insert, noon, read, write};
use crate::{Entity, JournalQuery, Store, StoreError};

fn record(outcome: &str, block: &BlockId, sequence: u64) -> OutcomeRecord {
    OutcomeRecord {
        outcome_id: outcome.to_owned(),
        block_id: block.clone(),
        sequence,
        signal: Signal::saturating(0.9),
        weight: 1.5,
        source: "a test: with a colon".to_owned(),
        confidence_before: Confidence::saturating(0.5),
        confidence_after: Confidence::saturating(0.1 + 0.2),
        evidence_before: Evidence::new(2.25),
        created_at: noon(),
        ceiling: Some(Confidence::saturating(0.7)),
    }
}

/// Every field survives, bit by bit: belief is folded again from them.
pub fn an_outcome_comes_back_as_it_was_stored(store: &impl Store) {
    let a = active("a");
    insert(store, &[&a]);
    assert_eq!(read(store, |snapshot| snapshot.get_last_evidence_sequence(&a.id)), 0);
    let stored = record("run 1", &a.id, 1);
    write(store, |transaction| transaction.put_outcome(&stored));
    assert_eq!(read(store, |snapshot| snapshot.get_outcomes(&a.id)), [stored.clone()]);
    let changed = OutcomeRecord { confidence_after: Confidence::saturating(0.7), ..stored };
    write(store, |transaction| transaction.put_outcome(&changed));
    assert_eq!(read(store, |snapshot| snapshot.get_outcomes_by_id("run 1")), [changed.clone()]);
    assert_eq!(read(store, |snapshot| snapshot.get_last_evidence_sequence(&a.id)), 1);
    write(store, |transaction| transaction.delete_outcome(&changed));
    write(store, |transaction| transaction.delete_outcome(&changed));
    assert!(read(store, |snapshot| snapshot.get_outcomes(&a.id)).is_empty());
}

/// In whichever order they were stored.
pub fn outcomes_come_in_their_own_order(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    write(store, |transaction| {
        for (outcome, block, sequence) in [("z", &a, 3), ("y", &a, 1), ("z", &b, 1), ("x", &a, 2)] {
            transaction.put_outcome(&record(outcome, &block.id, sequence))?;
        }
        Ok(())
    });
    let of = |id| read(store, |snapshot| snapshot.get_outcomes(id));
    let names: Vec<String> = of(&a.id).into_iter().map(|record| record.outcome_id).collect();
    assert_eq!(names, ["y", "x", "z"]);
    assert_eq!(read(store, |snapshot| snapshot.get_outcomes_by_id("z")).len(), 2);
    assert!(read(store, |snapshot| snapshot.get_outcomes_by_id("w")).is_empty());
}

/// Those of a time are listed whatever else was stored.
pub fn outcomes_are_listed_from_a_time_on(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let second = |second| Timestamp::from_second(noon().as_second() + second).expect("a time");
    write(store, |transaction| {
        for (outcome, block, sequence, at) in [("late", &b, 1, 60), ("early", &a, 2, 0), ("old", &a, 1, -1)] {
            transaction
                .put_outcome(&OutcomeRecord { created_at: second(at), ..record(outcome, &block.id, sequence) })?;
        }
        Ok(())
    });
    let since = |at| {
        let found = read(store, |snapshot| snapshot.get_outcomes_since(second(at)));
        found.into_iter().map(|record| record.outcome_id).collect::<Vec<String>>()
    };
    let mut both = vec!["late", "early"];
    both.sort_by_key(|name| if *name == "late" { &b.id } else { &a.id });
    assert_eq!(since(0), both);
    assert_eq!(since(1), ["late"]);
    assert!(since(61).is_empty());
}

/// They are part of the story of their block, and can be put back.
pub fn outcomes_are_in_the_journal_of_their_block(store: &impl Store) {
    let a = active("a");
    insert(store, &[&a]);
    let stored = record("run:1", &a.id, 1);
    write(store, |transaction| transaction.put_outcome(&stored));
    write(store, |transaction| transaction.delete_block(&a.id));
    let query = JournalQuery { block: Some(a.id.clone()), ..JournalQuery::default() };
    let log = read(store, |snapshot| snapshot.get_journal(&query));
    let (made, gone) = (&log[1].changes[0], &log[2].changes[0]);
    for change in [made, gone] {
        assert_eq!((change.entity, change.id.clone()), (Entity::Outcome, format!("{}:run:1", a.id)));
    }
    let kept: OutcomeRecord = serde_json::from_value(gone.before.clone().expect("it was there")).expect("it is whole");
    assert_eq!((kept, made.before.clone(), gone.after.clone()), (stored, None, None));
}

/// Outcomes of a block that is not seen are not seen.
pub fn outcomes_stay_within_their_scope(store: &impl Store) {
    let scope = Scope::from_stored("other");
    let hidden = Block { scope: scope.clone(), ..active("hidden") };
    let put: Result<(), StoreError> = store.write(&ScopeView::only(scope), |transaction| {
        transaction.describe(header("test"));
        transaction.insert_block(&hidden)?;
        transaction.put_outcome(&record("run", &hidden.id, 1))
    });
    put.expect("the write succeeds");
    assert!(read(store, |snapshot| snapshot.get_outcomes(&hidden.id)).is_empty());
    assert!(read(store, |snapshot| snapshot.get_outcomes_by_id("run")).is_empty());
    assert!(read(store, |snapshot| snapshot.get_outcomes_since(Timestamp::UNIX_EPOCH)).is_empty());
}
