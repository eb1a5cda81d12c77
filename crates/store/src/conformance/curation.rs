//! Maintenance: many blocks and edges at once.

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, DecayRate, EdgeWeight, Origin, Relation, Scope,
};
use serde_json::json;

use super::{active, block, edge, insert, noon, read, tags, write};
use crate::{Contradiction, Entity, JournalQuery, Store, StoreError};

/// Everything attached to them goes, everything else stays, and the journal keeps it all.
pub fn archiving_many_blocks_is_archiving_each(store: &impl Store) {
    let tagged = Block { tags: tags(&["x", "y"]), ..active("faded apples") };
    let (plain, stays) = (active("faded pears"), active("fresh plums"));
    insert(store, &[&tagged, &plain, &stays]);
    let (inner, outer) = (edge(&tagged, &plain, 0.7), edge(&plain, &stays, 0.4));
    let conflict = Contradiction::between(&tagged.id, &stays.id, 0.9, noon()).expect("two different blocks");
    write(store, |transaction| {
        transaction.put_edge(&inner)?;
        transaction.put_edge(&outer)?;
        transaction.put_contradiction(&conflict)
    });
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let ids = [tagged.id.clone(), plain.id.clone(), tagged.id.clone()];
    write(store, |transaction| transaction.archive_blocks(&ids, ArchiveReason::Decayed));
    for id in &ids {
        let gone = read(store, |snapshot| snapshot.get_block(id)).expect("the block is kept");
        assert_eq!((gone.status, gone.archive_reason), (BlockStatus::Archived, Some(ArchiveReason::Decayed)));
        assert_eq!((gone.tags.len(), gone.revision), (0, 1), "each counts as changed once");
        assert!(read(store, |snapshot| snapshot.get_edges_for_block(id)).is_empty());
    }
    assert_eq!(read(store, |snapshot| snapshot.get_block(&stays.id)), Some(stays.clone()));
    assert!(read(store, |snapshot| snapshot.list_contradictions(true)).is_empty());
    let found = read(store, |snapshot| snapshot.search_words(&["fade".into(), "fresh".into()], 9));
    assert_eq!((found.candidates, found.corpus.blocks), (vec![stays.id.clone()], 1));
    let query = JournalQuery { after: Some(position), ..JournalQuery::default() };
    let entries = read(store, |snapshot| snapshot.get_journal(&query));
    assert_eq!(entries.len(), 1);
    let change = |entity, id: &str| {
        let found = entries[0].changes.iter().find(|change| change.entity == entity && change.id.contains(id));
        found.cloned().unwrap_or_else(|| panic!("nothing about {id} is in the journal"))
    };
    let archived = change(Entity::Block, tagged.id.as_str());
    assert_eq!(archived.before, Some(json!({"status": "active", "archive_reason": null, "tags": ["x", "y"]})));
    assert_eq!(archived.after, Some(json!({"status": "archived", "archive_reason": "decayed", "tags": []})));
    let untagged = change(Entity::Block, plain.id.as_str());
    assert_eq!(untagged.before, Some(json!({"status": "active", "archive_reason": null})));
    let dropped = change(Entity::Edge, stays.id.as_str());
    let whole: elfmem_core::Edge = serde_json::from_value(dropped.before.expect("it was there")).expect("it is whole");
    assert_eq!(whole, outer);
    let counts = |entity| entries[0].changes.iter().filter(|change| change.entity == entity).count();
    assert_eq!((counts(Entity::Block), counts(Entity::Edge), counts(Entity::Contradiction)), (2, 2, 1));
}

/// All or nothing.
pub fn archiving_a_missing_block_is_refused_and_archives_none(store: &impl Store) {
    let known = active("known");
    insert(store, &[&known]);
    let ids = [known.id.clone(), BlockId::from_stored("nobody")];
    let refused: Result<(), StoreError> = store.write(&Default::default(), |transaction| {
        transaction.describe(super::header("test"));
        transaction.archive_blocks(&ids, ArchiveReason::Decayed)
    });
    assert!(matches!(refused, Err(StoreError::Missing { id, .. }) if id == "nobody"));
    assert_eq!(read(store, |snapshot| snapshot.get_block(&known.id)), Some(known));
    write(store, |transaction| transaction.archive_blocks(&[], ArchiveReason::Decayed));
}

/// Active ones only, in the order of their ids.
pub fn vitals_are_those_of_the_active_blocks(store: &impl Store) {
    let mut old = active("old");
    old.decay_lambda = DecayRate::new(0.02);
    old.last_reinforced_at = ActiveHours::new(12.5);
    old.reinforcement_count = 7;
    old.pinned = true;
    let constitution = Block { tags: tags(&["self/constitutional", "x"]), ..active("constitution") };
    insert(store, &[&old, &constitution, &block("inbox")]);
    write(store, |transaction| {
        transaction.insert_block(&active("gone"))?;
        transaction.archive_blocks(&[active("gone").id], ArchiveReason::Decayed)
    });
    let vitals = read(store, |snapshot| snapshot.get_vitals());
    assert!(vitals.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(vitals.len(), 2);
    let seen = vitals.iter().find(|vitals| vitals.id == old.id).expect("it is active");
    assert_eq!((seen.decay_lambda, seen.last_reinforced_at), (old.decay_lambda, old.last_reinforced_at));
    assert_eq!((seen.reinforcement_count, seen.pinned, seen.constitutional), (7, true, false));
    assert!(vitals.iter().any(|vitals| vitals.id == constitution.id && vitals.constitutional));
}

/// What contradicts makes nothing central.
pub fn centralities_sum_effective_weights_without_contradictions(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    let mut confirmed = edge(&a, &b, 0.5);
    confirmed.reinforcement_count = 4;
    let mut conflict = edge(&a, &c, 0.9);
    conflict.relation_type = Relation::CONTRADICTS;
    write(store, |transaction| {
        transaction.put_edge(&confirmed)?;
        transaction.put_edge(&conflict)
    });
    let sums = read(store, |snapshot| snapshot.get_centralities());
    assert!((sums[&a.id] - (0.5 + 0.1 * 5f64.ln())).abs() < 1e-12);
    assert_eq!((sums.get(&b.id), sums.get(&c.id)), (sums.get(&a.id), None));
    let other = elfmem_core::ScopeView::only(Scope::from_stored("other"));
    let unseen: Result<_, StoreError> =
        store.read(&other, |snapshot| Ok((snapshot.get_vitals()?, snapshot.get_centralities()?)));
    let (vitals, sums) = unseen.expect("the read succeeds");
    assert!(vitals.is_empty() && sums.is_empty());
}

/// Nothing that could be gone is left out, and nothing that an agent or an outcome made is among them.
pub fn fading_edges_are_the_unused_ones_of_the_memorys_own_making(store: &impl Store) {
    let blocks: Vec<Block> = (0..6).map(|n| active(&format!("block {n}"))).collect();
    insert(store, &blocks.iter().collect::<Vec<_>>());
    let made = |n: usize, origin: Origin, last: Option<f64>, weight: f64| {
        let mut made = edge(&blocks[0], &blocks[n], weight);
        made.origin = origin;
        made.last_active_hours = last.map(ActiveHours::new);
        made
    };
    let fading = made(1, Origin::CO_RETRIEVAL, Some(10.0), 0.55);
    let edges = [
        fading.clone(),
        made(2, Origin::SIMILARITY, None, 0.6),
        made(3, Origin::AGENT, Some(10.0), 0.55),
        made(4, Origin::OUTCOME, Some(10.0), 0.55),
        made(5, Origin::SIMILARITY, Some(999.0), 0.6),
    ];
    write(store, |transaction| edges.iter().try_for_each(|edge| transaction.put_edge(edge)));
    let threshold = EdgeWeight::saturating(0.10);
    let found = |hours: f64| read(store, |snapshot| snapshot.get_fading_edges(ActiveHours::new(hours), threshold));
    let unused = found(1000.0);
    assert_eq!(unused.iter().map(|fading| fading.edge.clone()).collect::<Vec<_>>(), [fading]);
    assert_eq!((unused[0].from_rate, unused[0].to_rate), (blocks[0].decay_lambda, blocks[1].decay_lambda));
    assert!(found(11.0).is_empty());
}

/// In one go, each with its own journal row.
pub fn edges_are_deleted_together_and_kept_whole_in_the_journal(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    let edges = [edge(&a, &b, 0.5), edge(&b, &c, 0.6)];
    write(store, |transaction| edges.iter().try_for_each(|edge| transaction.put_edge(edge)));
    write(store, |transaction| transaction.delete_edges(&edges));
    assert!(read(store, |snapshot| snapshot.get_edges_for_block(&b.id)).is_empty());
    let query = JournalQuery { block: Some(b.id.clone()), limit: Some(1), ..JournalQuery::default() };
    let changes = read(store, |snapshot| snapshot.get_journal(&query)).remove(0).changes;
    assert_eq!(changes.len(), 2);
    assert!(changes.iter().all(|change| change.entity == Entity::Edge && change.after.is_none()));
}
