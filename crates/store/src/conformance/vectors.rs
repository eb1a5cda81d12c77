//! Vectors, their staging area, and the feed of changes that indexes follow.

use elfmem_core::{ArchiveReason, Block, BlockId, BlockStatus, Scope, ScopeView};

use super::{active, block, edge, header, insert, noon, read, write};
use crate::{Contradiction, ContradictionFilter, NodeState, Store, StoreError};

/// Only of the requested model, without blocks that have no vector or are archived.
pub fn vectors_are_read_by_model_and_by_block(store: &impl Store) {
    let (a, b, c) = (active("a"), block("b"), active("c"));
    insert(store, &[&a, &b, &c, &active("without a vector")]);
    write(store, |transaction| {
        transaction.set_embedding(&a.id, "m1", &[1.0, 0.0])?;
        transaction.set_embedding(&b.id, "m1", &[0.0, 1.0])?;
        transaction.set_embedding(&c.id, "m2", &[0.5, 0.5])
    });
    let all = read(store, |snapshot| snapshot.get_vectors("m1", None));
    assert_eq!(all.len(), 2);
    let some = read(store, |snapshot| snapshot.get_vectors("m1", Some(&[b.id.clone(), c.id.clone()])));
    assert_eq!((some.len(), &some[0].id, some[0].status), (1, &b.id, BlockStatus::Inbox));
    assert_eq!(some[0].vector, [0.0, 1.0]);
    assert_eq!(read(store, |snapshot| snapshot.get_vector_models()), [("m1".to_owned(), 2), ("m2".to_owned(), 1)]);
    write(store, |transaction| {
        transaction.update_block_status(&a.id, BlockStatus::Archived, Some(ArchiveReason::Decayed))
    });
    assert_eq!(read(store, |snapshot| snapshot.get_vectors("m1", None)).len(), 1);
}

/// The old vectors serve until the new ones take over, all at once.
pub fn staged_vectors_take_over_all_at_once(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    write(store, |transaction| {
        transaction.set_embedding(&a.id, "old", &[1.0])?;
        transaction.set_embedding(&b.id, "old", &[1.0])?;
        transaction.stage_vectors("new", &[(a.id.clone(), vec![0.0, 1.0])])
    });
    // A block that was purged after it was read is passed over.
    write(store, |transaction| transaction.stage_vectors("new", &[(active("purged").id, vec![1.0, 0.0])]));
    assert_eq!(read(store, |snapshot| snapshot.count_staged_vectors("new")), 1);
    let missing = read(store, |snapshot| snapshot.get_unstaged_blocks("new", 10));
    assert_eq!(missing.into_iter().map(|block| block.id).collect::<Vec<_>>(), [b.id.clone()]);
    assert_eq!(read(store, |snapshot| snapshot.get_vectors("old", None)).len(), 2);
    // An empty vector says: there is nothing in this block to embed.
    write(store, |transaction| transaction.stage_vectors("new", &[(b.id.clone(), vec![])]));
    assert!(read(store, |snapshot| snapshot.get_unstaged_blocks("new", 10)).is_empty());
    write(store, |transaction| transaction.adopt_staged_vectors("new"));
    let vectors = read(store, |snapshot| snapshot.get_vectors("new", None));
    assert_eq!((vectors.len(), vectors[0].vector.clone()), (1, vec![0.0, 1.0]));
    assert!(read(store, |snapshot| snapshot.get_vectors("old", None)).is_empty());
    assert_eq!(read(store, |snapshot| snapshot.count_staged_vectors("new")), 0);
}

/// A memory has vectors of one model, so whoever changes it changes it for every scope.
pub fn vectors_of_another_model_take_over_in_every_scope(store: &impl Store) {
    let (mine, gone) = (active("mine"), active("gone"));
    insert(store, &[&mine, &gone]);
    let hidden = Block { scope: Scope::from_stored("hidden"), ..active("hidden") };
    let view = ScopeView::only(hidden.scope.clone());
    let stored: Result<(), StoreError> = store.write(&view, |transaction| {
        transaction.describe(header("test"));
        transaction.insert_block(&hidden)?;
        transaction.set_embedding(&hidden.id, "old", &[1.0])
    });
    stored.unwrap_or_else(|error| panic!("{error}"));
    write(store, |transaction| {
        transaction.set_embedding(&gone.id, "old", &[1.0])?;
        transaction.update_block_status(&gone.id, BlockStatus::Archived, Some(ArchiveReason::Decayed))
    });
    let missing = read(store, |snapshot| snapshot.get_unstaged_blocks("new", 10));
    let (mut ids, mut expected) = (missing.into_iter().map(|block| block.id).collect::<Vec<_>>(), [&mine, &hidden]);
    ids.sort();
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(ids.iter().collect::<Vec<_>>(), expected.map(|block| &block.id));
    write(store, |transaction| {
        transaction.stage_vectors("new", &ids.iter().map(|id| (id.clone(), vec![0.5])).collect::<Vec<_>>())?;
        transaction.adopt_staged_vectors("new")
    });
    let of_hidden = store.read::<_, StoreError, _>(&view, |snapshot| snapshot.get_vectors("new", None));
    assert_eq!(of_hidden.expect("the read succeeds").len(), 1);
    let gone = read(store, |snapshot| snapshot.get_block(&gone.id)).expect("it is archived");
    assert_eq!(gone.embedding_model, None, "a vector of the old model does not come back with an archived block");
}

/// Every edge counts at both of its ends.
pub fn degrees_count_edges(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.5))?;
        transaction.put_edge(&edge(&a, &c, 0.5))
    });
    let degrees = read(store, |snapshot| snapshot.get_degrees(&[a.id.clone(), b.id.clone()]));
    assert_eq!((degrees[&a.id], degrees[&b.id]), (2, 1));
    write(store, |transaction| transaction.update_block(&b.id, &mut |block| block.status = BlockStatus::Inbox));
    let nobody = BlockId::from_stored("ffffffffffffffff");
    let connected = read(store, |snapshot| snapshot.get_node_states(&[a.id.clone(), b.id.clone(), nobody.clone()]));
    assert_eq!(connected.len(), 2);
    assert_eq!(connected[&a.id], NodeState { status: BlockStatus::Active, degree: 2 });
    assert_eq!(connected[&b.id], NodeState { status: BlockStatus::Inbox, degree: 1 });
}

/// With the reason and, once settled, the note.
pub fn contradictions_are_listed_with_their_reason_and_note(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let found = Contradiction::between(&a.id, &b.id, 0.9, noon()).expect("two different blocks");
    let mut found = Contradiction { reason: Some("'5' became '6'".into()), ..found };
    write(store, |transaction| transaction.put_contradiction(&found));
    assert_eq!(read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::Open)), [found.clone()]);
    (found.resolved, found.note) = (true, Some("both hold".into()));
    write(store, |transaction| transaction.put_contradiction(&found));
    assert!(read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::Open)).is_empty());
    assert_eq!(read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::All)), [found.clone()]);
    assert_eq!(read(store, |snapshot| snapshot.get_settled_contradictions(&b.id)), [found.clone()]);
    write(store, |transaction| transaction.delete_contradiction(&found));
    assert!(read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::All)).is_empty());
}
