//! Isolation between scopes.

use elfmem_core::{Block, Scope, ScopeView};

use super::{block, edge, header, tags};
use crate::{BlockFilter, BlockQuery, JournalQuery, Snapshot, Store, StoreError};

fn store_in(store: &impl Store, scope: &str, content: &str) -> Block {
    let scope = Scope::from_stored(scope);
    let stored = Block { scope: scope.clone(), tags: tags(&["t"]), ..block(content) };
    let written = store.write(&ScopeView::only(scope), |transaction| {
        transaction.describe(header("test"));
        transaction.insert_block(&stored)
    });
    written.unwrap_or_else(|error: StoreError| panic!("{error}"));
    stored
}

fn seen(store: &impl Store, view: &ScopeView) -> Vec<String> {
    let read = |snapshot: &dyn Snapshot| snapshot.list_blocks(&BlockQuery::default());
    store.read(view, read).expect("the read succeeds").into_iter().map(|block| block.content).collect()
}

/// Inheriting is one-way.
pub fn a_scope_sees_its_own_blocks_and_those_it_inherits(store: &impl Store) {
    store_in(store, "user", "of the user");
    store_in(store, "agent", "of the agent");
    let (user, agent) = (Scope::from_stored("user"), Scope::from_stored("agent"));
    assert_eq!(seen(store, &ScopeView::only(user.clone())), ["of the user"]);
    let both = ScopeView::only(agent).inheriting(user);
    assert_eq!(seen(store, &both), ["of the user", "of the agent"]);
    assert!(seen(store, &ScopeView::default()).is_empty());
}

/// Every read and every change, one by one.
pub fn nothing_of_another_scope_is_found_counted_or_changed(store: &impl Store) {
    let (hidden, other) = (store_in(store, "private", "secret plan"), store_in(store, "private", "second secret"));
    let private = ScopeView::only(Scope::from_stored("private"));
    let joined = edge(&hidden, &other, 0.9);
    let tie: Result<(), StoreError> = store.write(&private, |transaction| {
        transaction.describe(header("test"));
        transaction.put_edge(&joined)
    });
    tie.expect("the owner may");
    let ids = std::slice::from_ref(&hidden.id);
    let looked: Result<(), StoreError> = store.read(&ScopeView::default(), |snapshot| {
        assert_eq!(snapshot.get_block(&hidden.id)?, None);
        assert!(snapshot.get_blocks(ids)?.is_empty());
        assert!(snapshot.find_block_ids(&hidden.id.as_str()[..4], 5)?.is_empty());
        assert_eq!(snapshot.get_block_counts()?.inbox, 0);
        let tagged = BlockQuery { tag_pattern: Some("t".to_owned()), ..BlockQuery::default() };
        assert!(snapshot.list_blocks(&tagged)?.is_empty());
        assert!(snapshot.get_postings("secret")?.is_empty());
        assert!(snapshot.get_index_edges(ids)?.is_empty());
        assert!(snapshot.filter_block_ids(&BlockFilter::default())?.is_empty());
        for ids in [None, Some(ids)] {
            snapshot.visit_index_rows("m", ids, &mut |row| panic!("{} is seen", row.id))?;
            snapshot.visit_ranking_states(ids, &mut |id, _| panic!("{id} is seen"))?;
        }
        assert_eq!(snapshot.get_edge(&joined.key)?, None);
        assert!(snapshot.get_edges_for_block(&hidden.id)?.is_empty());
        assert!(snapshot.get_neighbours(ids)?.is_empty());
        let journal = snapshot.get_journal(&JournalQuery::default())?;
        assert!(journal.iter().flat_map(|entry| &entry.changes).all(|change| !change.id.contains(hidden.id.as_str())));
        Ok(())
    });
    looked.expect("the read succeeds");
    let touched = store.write(&ScopeView::default(), |transaction| {
        transaction.describe(header("test"));
        transaction.update_block(&hidden.id, &mut |block| block.pinned = true)
    });
    assert!(matches!(touched, Err(StoreError::Missing { .. })));
}
