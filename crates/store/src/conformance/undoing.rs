//! What undo, restore and purge need of a store.

use elfmem_core::{ActiveHours, ArchiveReason, BlockId, BlockStatus, DecayTier, Evidence, Frame, ScopeView};
use serde_json::Value;

use super::{active, block, edge, header, insert, noon, read, tags, write};
use crate::{
    Change, Contradiction, ContradictionFilter, Entity, FadingQuery, JournalLinks, JournalQuery, NumberedChange,
    PURGED, Proposal, ProposalKind, ProposalState, REMOVED_VECTOR, Store, StoreError, Tombstone, Transaction,
    vector_from_text,
};

fn position(store: &impl Store) -> i64 {
    read(store, |snapshot| snapshot.get_journal_position())
}

fn linked(
    store: &impl Store,
    links: &JournalLinks,
    mut work: impl FnMut(&mut dyn Transaction) -> Result<(), StoreError>,
) -> i64 {
    write(store, |transaction| {
        transaction.set_journal_links(links.clone());
        work(transaction)
    });
    position(store)
}

/// Transactions of one request are found together, undos by what they took back.
pub fn operations_know_their_run_and_what_they_took_back(store: &impl Store) {
    let run = JournalLinks { run: Some("r1".into()), undoes: None };
    let first = linked(store, &run, |transaction| transaction.insert_block(&block("one")));
    let between = linked(store, &JournalLinks::default(), |transaction| transaction.insert_block(&block("two")));
    let last = linked(store, &run, |transaction| transaction.insert_block(&block("three")));
    let undo = JournalLinks { run: None, undoes: Some(last) };
    let undone = linked(store, &undo, |transaction| transaction.delete_block(&block("three").id));
    assert_eq!(read(store, |snapshot| snapshot.get_run("r1")), [first, last]);
    assert!(read(store, |snapshot| snapshot.get_run("r2")).is_empty());
    assert_eq!(read(store, |snapshot| snapshot.get_undos()), [(undone, last)]);
    let query = JournalQuery { after: Some(first - 1), before: Some(undone), ..JournalQuery::default() };
    let operations = read(store, |snapshot| snapshot.get_operations(&query));
    assert_eq!(operations.iter().map(|found| found.seq).collect::<Vec<_>>(), [first, between, last]);
    assert_eq!((operations[0].links.clone(), operations[1].links.clone()), (run, JournalLinks::default()));
    assert_eq!((operations[0].changed, operations[0].header.clone()), (1, header("test")));
}

/// Changes are read by operation and by block.
pub fn changes_are_read_by_operation_and_by_block(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let making = position(store);
    write(store, |transaction| transaction.put_edge(&edge(&a, &b, 0.5)));
    let joining = position(store);
    let seqs = |changes: Vec<NumberedChange>| changes.iter().map(|found| found.seq).collect::<Vec<_>>();
    assert_eq!(seqs(read(store, |snapshot| snapshot.get_changes(&[joining, making]))), [making, making, joining]);
    assert_eq!(seqs(read(store, |snapshot| snapshot.get_block_changes(&b.id))), [joining, making]);
    assert!(read(store, |snapshot| snapshot.get_changes(&[])).is_empty());
}

/// What came later and touched the same blocks is found, and nothing else.
pub fn later_changes_of_the_same_blocks_are_found(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&c]);
    insert(store, &[&a, &b]);
    let making = position(store);
    write(store, |transaction| transaction.add_tags(&c.id, &tags(&["t"])));
    write(store, |transaction| transaction.put_edge(&edge(&a, &c, 0.5)));
    write(store, |transaction| transaction.add_tags(&b.id, &tags(&["t"])));
    let later = read(store, |snapshot| snapshot.get_later_changes(&[making]));
    assert_eq!(later.iter().map(|found| found.change.entity).collect::<Vec<_>>(), [Entity::Edge, Entity::Block]);
    assert!(later.iter().all(|found| found.seq > making));
    // What gave its place to one of them is found too.
    write(store, |transaction| transaction.update_block(&c.id, &mut |block| block.superseded_by = Some(b.id.clone())));
    let later = read(store, |snapshot| snapshot.get_later_changes(&[making]));
    assert_eq!(
        later.last().map(|found| (found.change.entity, found.change.id.as_str())),
        Some((Entity::Block, c.id.as_str()))
    );
    let last = position(store);
    assert!(read(store, |snapshot| snapshot.get_later_changes(&[last])).is_empty());
    assert!(read(store, |snapshot| snapshot.get_later_changes(&[])).is_empty());
}

/// A removed block can be put back bit by bit.
pub fn a_removed_block_is_in_the_journal_with_its_text_and_its_vector(store: &impl Store) {
    let stored = active("gone soon");
    insert(store, &[&stored]);
    let vector = [0.25f32, -1.5, 0.1];
    write(store, |transaction| transaction.set_embedding(&stored.id, "m", &vector));
    write(store, |transaction| transaction.delete_block(&stored.id));
    let last = position(store);
    let removed = read(store, |snapshot| snapshot.get_changes(&[last]));
    let image = removed[0].change.before.as_ref().expect("it was there");
    assert_eq!(image["content"], "gone soon");
    let kept = image[REMOVED_VECTOR].as_str().and_then(vector_from_text);
    assert_eq!(kept.as_deref(), Some(&vector[..]));
}

/// Frames can go.
pub fn a_frame_is_removed_by_name(store: &impl Store) {
    let built_in = read(store, |snapshot| snapshot.get_frame("self")).expect("it is built in");
    let own = Frame { name: "mine".into(), ..built_in };
    write(store, |transaction| transaction.upsert_frame(&own, noon()));
    assert!(write(store, |transaction| transaction.delete_frame("mine")));
    assert!(!write(store, |transaction| transaction.delete_frame("mine")));
    assert_eq!(read(store, |snapshot| snapshot.get_frame("mine")), None);
    let last = position(store);
    assert_eq!(read(store, |snapshot| snapshot.get_changes(&[last]))[0].change.entity, Entity::Frame);
}

fn proposal(block: &BlockId, other: Option<&BlockId>) -> Proposal {
    Proposal {
        number: 0,
        kind: ProposalKind::NearDuplicate,
        block_id: block.clone(),
        other_id: other.cloned(),
        tag: None,
        text: None,
        score: 0.97,
        reason: "nearly the same".into(),
        state: ProposalState::Open,
        created_at: noon(),
        settled_at: None,
    }
}

/// Proposals are numbered, found by what they are about, settled and removed.
pub fn proposals_are_numbered_found_settled_and_removed(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let first = write(store, |transaction| transaction.insert_proposal(&proposal(&a.id, Some(&b.id))));
    let second = write(store, |transaction| transaction.insert_proposal(&proposal(&a.id, None)));
    assert!(first.number > 0 && second.number > first.number);
    assert_eq!(read(store, |snapshot| snapshot.get_proposal(first.number)), Some(first.clone()));
    let turned = proposal(&b.id, Some(&a.id)).subject();
    assert_eq!(read(store, |snapshot| snapshot.find_proposal(&turned)), Some(first.clone()));
    let rejected = Proposal { state: ProposalState::Rejected, settled_at: Some(noon()), ..first.clone() };
    write(store, |transaction| transaction.update_proposal(&rejected));
    let open = read(store, |snapshot| snapshot.list_proposals(Some(ProposalState::Open)));
    assert_eq!(open, [second.clone()]);
    assert_eq!(read(store, |snapshot| snapshot.list_proposals(None)), [rejected, second.clone()]);
    assert!(write(store, |transaction| transaction.delete_proposal(second.number)));
    assert!(!write(store, |transaction| transaction.delete_proposal(second.number)));
    // One that comes back keeps its number.
    let back = write(store, |transaction| transaction.insert_proposal(&second));
    assert_eq!(back, second);
    let unknown = Proposal { number: 999, ..second };
    let missing = store.write(&ScopeView::default(), |transaction| transaction.update_proposal(&unknown));
    assert!(matches!(missing, Err(StoreError::Missing { .. })));
}

/// Proposals about a block go with it, and the journal knows.
pub fn proposals_go_with_their_block_and_are_seen_where_it_is(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let made = write(store, |transaction| transaction.insert_proposal(&proposal(&a.id, Some(&b.id))));
    let elsewhere = ScopeView::only(elfmem_core::Scope::from_stored("elsewhere"));
    let seen = store.read(&elsewhere, |snapshot| snapshot.list_proposals(None)).expect("the read succeeds");
    assert!(seen.is_empty());
    write(store, |transaction| transaction.delete_block(&b.id));
    assert_eq!(read(store, |snapshot| snapshot.get_proposal(made.number)), None);
    let last = position(store);
    let changes = read(store, |snapshot| snapshot.get_changes(&[last]));
    assert!(changes.iter().any(|found| found.change.entity == Entity::Proposal && found.change.after.is_none()));
}

/// Only what has faded to the band, is not pinned and was of use.
pub fn fading_blocks_are_those_in_the_band_that_were_of_use(store: &impl Store) {
    let rate = DecayTier::Standard.rate();
    let at = |content: &str, hours: f64, uses: u32| {
        let mut block = active(content);
        (block.decay_lambda, block.last_reinforced_at) = (rate, ActiveHours::new(1_000.0 - hours));
        block.reinforcement_count = uses;
        block
    };
    // Recency is exp(-0.01 h): 0.10 at 230.3 hours, 0.05 at 299.6.
    let mut pinned = at("pinned", 250.0, 9);
    pinned.pinned = true;
    let mut believed = at("believed", 240.0, 0);
    (believed.confidence, believed.outcome_evidence) = (elfmem_core::Confidence::saturating(0.9), Evidence::new(1.0));
    let mut unobserved = at("unobserved", 240.0, 0);
    unobserved.confidence = elfmem_core::Confidence::saturating(0.9);
    let mut waiting = at("waiting", 250.0, 9);
    waiting.status = BlockStatus::Inbox;
    let inside = at("inside", 290.0, 5);
    for block in [
        &pinned,
        &believed,
        &unobserved,
        &waiting,
        &inside,
        &at("fresh", 200.0, 9),
        &at("gone", 310.0, 9),
        &at("unused", 250.0, 4),
    ] {
        insert(store, &[block]);
    }
    let fading = |limit| {
        read(store, |snapshot| {
            snapshot.get_fading_blocks(&FadingQuery {
                now: ActiveHours::new(1_000.0),
                above: 0.05,
                up_to: 0.10,
                least_uses: 5,
                least_confidence: 0.75,
                limit,
            })
        })
    };
    let ids: Vec<BlockId> = fading(10).into_iter().map(|block| block.id).collect();
    assert_eq!(ids, [inside.id.clone(), believed.id]);
    assert_eq!(fading(1)[0].id, inside.id);
}

/// The wordings a block had before and after.
pub fn the_lineage_of_a_block_is_followed_both_ways(store: &impl Store) {
    let chain = [block("first"), block("second"), active("third")];
    insert(store, &[&chain[0], &chain[1], &chain[2], &active("stranger")]);
    for pair in chain.windows(2) {
        write(store, |transaction| {
            transaction.update_block_status(&pair[0].id, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
            transaction.update_block(&pair[0].id, &mut |block| block.superseded_by = Some(pair[1].id.clone()))
        });
    }
    for block in &chain {
        let mut others: Vec<BlockId> =
            chain.iter().map(|other| other.id.clone()).filter(|id| *id != block.id).collect();
        others.sort();
        assert_eq!(read(store, |snapshot| snapshot.get_lineage(&block.id)), others);
    }
}

/// Purging leaves a tombstone and not a word anywhere in the store.
pub fn purging_leaves_a_tombstone_and_no_word(store: &impl Store) {
    let mut secret = active("xylophone quokka");
    (secret.tags, secret.cue, secret.summary) =
        (tags(&["zeugma"]), Some("ocelotic".into()), Some("about the numbat".into()));
    let (other, heir) = (active("other"), active("heir"));
    insert(store, &[&secret, &other, &heir]);
    let mut joined = edge(&secret, &other, 0.5);
    joined.note = Some("the quokka one".into());
    write(store, |transaction| transaction.put_edge(&joined));
    write(store, |transaction| transaction.insert_proposal(&proposal(&secret.id, Some(&other.id))).map(drop));
    write(store, |transaction| {
        transaction.update_block_status(&secret.id, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
        transaction.update_block(&secret.id, &mut |block| block.superseded_by = Some(heir.id.clone()))
    });
    let moved = Contradiction::between(&heir.id, &other.id, 0.9, noon()).expect("two blocks");
    let moved = Contradiction { reason: Some("'quokka' against 'emu'".into()), ..moved };
    write(store, |transaction| transaction.put_contradiction(&moved));
    let tombstone = Tombstone { block_id: secret.id.clone(), purged_at: noon(), actor: "test".into() };
    write(store, |transaction| transaction.purge_block(&tombstone));
    assert!(store.scrub().expect("the store is scrubbed"));
    assert_eq!(read(store, |snapshot| snapshot.get_block(&secret.id)), None);
    for prefix in [secret.id.as_str(), secret.id.short()] {
        assert_eq!(read(store, |snapshot| snapshot.find_tombstone(prefix)), Some(tombstone.clone()));
    }
    let journal = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
    let rest = read(store, |snapshot| snapshot.list_contradictions(ContradictionFilter::All));
    let text = format!("{journal:?} {rest:?}").to_lowercase();
    for word in ["xylophone", "quokka", "zeugma", "ocelotic", "numbat"] {
        assert!(!text.contains(word), "{word} is still told");
        assert!(read(store, |snapshot| snapshot.get_postings(word)).is_empty(), "{word} is still found");
    }
    let purged = |change: &Change| change.is_purged() && change.before != Some(Value::Null);
    let touched = read(store, |snapshot| snapshot.get_block_changes(&secret.id));
    assert!(!touched.is_empty() && touched.iter().all(|found| purged(&found.change)), "{touched:?} {PURGED}");
    let missing = store.write(&ScopeView::default(), |transaction| transaction.purge_block(&tombstone));
    assert!(matches!(missing, Err(StoreError::Missing { .. })));
}
