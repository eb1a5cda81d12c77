//! Maintenance: many blocks and edges at once.

use elfmem_core::curation::{CurationEdge, CurationGraph};
use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockStatus, DecayRate, EdgeOrigin, Relation, Scope, ScopeView,
};
use serde_json::json;

use super::{active, block, edge, insert, lengths, noon, read, tags, write};
use crate::{Contradiction, ContradictionFilter, Entity, JournalQuery, Store, StoreError};

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
    assert!(read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::All)).is_empty());
    assert!(read(store, |snapshot| snapshot.get_postings("fade")).is_empty());
    assert_eq!(lengths(store).into_keys().collect::<Vec<_>>(), [stays.id.clone()]);
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

/// Active ones only, in the order of their ids, and only what may be seen.
pub fn the_living_graph_is_that_of_the_active_blocks(store: &impl Store) {
    let mut old = active("old");
    old.decay_lambda = DecayRate::new(0.02);
    old.last_reinforced_at = ActiveHours::new(12.5);
    old.reinforcement_count = 7;
    old.pinned = true;
    let constitution = Block { tags: tags(&["self/constitutional", "x"]), ..active("constitution") };
    let (waiting, gone) = (block("inbox"), active("gone"));
    insert(store, &[&old, &constitution, &waiting, &gone]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&old, &waiting, 0.8))?;
        transaction.archive_blocks(&[gone.id.clone()], ArchiveReason::Decayed)
    });
    let CurationGraph { blocks, edges } = read(store, |snapshot| snapshot.get_living_graph());
    assert!(edges.is_empty(), "an edge to a block that is not active is not among them");
    assert!(blocks.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(blocks.len(), 2);
    let seen = blocks.iter().find(|vitals| vitals.id == old.id).expect("it is active");
    assert_eq!((seen.decay_lambda, seen.last_reinforced_at), (old.decay_lambda, old.last_reinforced_at));
    assert_eq!((seen.reinforcement_count, seen.pinned, seen.constitutional), (7, true, false));
    assert!(blocks.iter().any(|vitals| vitals.id == constitution.id && vitals.constitutional));
    let other = ScopeView::only(Scope::from_stored("other"));
    let unseen: Result<CurationGraph, StoreError> = store.read(&other, |snapshot| snapshot.get_living_graph());
    assert_eq!(unseen.expect("the read succeeds"), CurationGraph::default());
}

/// By the places of their ends, with who made them and whether they say that the two conflict.
pub fn living_edges_name_their_ends_by_place(store: &impl Store) {
    let blocks: Vec<Block> = (0..5).map(|n| active(&format!("block {n}"))).collect();
    insert(store, &blocks.iter().collect::<Vec<_>>());
    let mut edges = Vec::new();
    for (n, origin) in
        [(1, EdgeOrigin::SIMILARITY), (2, EdgeOrigin::CO_RETRIEVAL), (3, EdgeOrigin::AGENT), (4, EdgeOrigin::OUTCOME)]
    {
        let mut made = edge(&blocks[0], &blocks[n], n as f64 / 10.0);
        made.origin = origin;
        made.reinforcement_count = n as u32;
        made.last_active_hours = (n % 2 == 0).then(|| ActiveHours::new(n as f64));
        made.relation_type = if n == 3 { Relation::CONTRADICTS } else { Relation::SIMILAR };
        edges.push(made);
    }
    write(store, |transaction| edges.iter().try_for_each(|edge| transaction.put_edge(edge)));
    let graph = read(store, |snapshot| snapshot.get_living_graph());
    assert_eq!(graph.edges.len(), 4);
    for (n, made) in (1..).zip(&edges) {
        let ends = |edge: &CurationEdge| {
            let ids = [edge.from, edge.to].map(|place| graph.blocks[place as usize].id.clone());
            ids == [made.key.from_id.clone(), made.key.to_id.clone()]
        };
        let found = graph.edges.iter().find(|edge| ends(edge)).expect("it is there");
        assert_eq!((found.weight, found.reinforcement_count), (made.weight, made.reinforcement_count));
        assert_eq!((found.last_active_hours, found.machine_made), (made.last_active_hours, n <= 2));
        assert_eq!(found.contradicts, n == 3);
    }
}
