//! The full-text index.

use std::collections::BTreeMap;

use elfmem_core::{ArchiveReason, BlockId, BlockStatus, ScopeView};
use elfmem_text::terms::query_terms;

use super::{active, block, header, insert, lengths, read, tags, write};
use crate::Store;

/// Blocks that hold at least one of the words of a question, in id order.
fn found(store: &impl Store, query: &str) -> Vec<BlockId> {
    let mut found: Vec<BlockId> = Vec::new();
    for word in query_terms(query).iter().take(64) {
        found.extend(read(store, |snapshot| snapshot.get_postings(word)).into_iter().map(|(id, _)| id));
    }
    found.sort();
    found.dedup();
    found
}

/// No waiting for a consolidation, no exact forms needed.
pub fn stored_text_is_found_by_its_words_at_once(store: &impl Store) {
    let (inbox, consolidated) = (block("Maria is allergic to peanuts"), active("Deploys go out on Tuesdays"));
    insert(store, &[&inbox, &consolidated]);
    assert_eq!(found(store, "which peanut allergies?"), [inbox.id.clone()]);
    assert_eq!(found(store, "when do we deploy"), [consolidated.id.clone()]);
    assert!(found(store, "who can't eat nuts?").is_empty());
}

/// Looking through what was written in the ordinary way finds nothing.
pub fn a_sound_store_finds_nothing_and_repairing_it_changes_nothing(store: &impl Store) {
    let mut cued = active("Maria is allergic to peanuts, 漢字 and C++");
    cued.cue = Some("planning a dinner".into());
    cued.tags = tags(&["topic/food", "people/maria"]);
    let (mut gone, plain) = (block("An old fact"), block("A fact a fact a fact"));
    gone.status = BlockStatus::Archived;
    gone.archive_reason = Some(ArchiveReason::Forgotten);
    insert(store, &[&cued, &gone, &plain]);
    let findings = || store.examine(&ScopeView::default(), &mut |_| {}).expect("it can be looked through");
    assert_eq!(findings(), []);
    let sum = || store.digest().expect("it can be summed up");
    let before = sum();
    store.repair(&ScopeView::default(), &header("repair")).expect("it can be repaired");
    assert_eq!(findings(), []);
    assert_eq!(sum(), before);
    assert_eq!(found(store, "dinner"), [cued.id.clone()]);
    assert!(found(store, "old").is_empty());
}

/// What a block is about may be outside its text.
pub fn cue_and_tags_are_searched_too(store: &impl Store) {
    let mut cued = block("Maria is allergic");
    cued.cue = Some("planning a dinner".into());
    let mut tagged = block("The port is 5433");
    tagged.tags = tags(&["topic/postgres"]);
    insert(store, &[&cued, &tagged]);
    assert_eq!(found(store, "dinner"), [cued.id.clone()]);
    assert_eq!(found(store, "postgres"), [tagged.id.clone()]);
}

/// The index follows the status.
pub fn archived_blocks_are_not_found_and_restored_ones_are(store: &impl Store) {
    let stored = active("fleeting thought");
    insert(store, &[&stored]);
    write(store, |transaction| {
        transaction.update_block_status(&stored.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))
    });
    assert!(found(store, "fleeting").is_empty());
    write(store, |transaction| transaction.update_block_status(&stored.id, BlockStatus::Inbox, None));
    assert_eq!(found(store, "fleeting"), [stored.id.clone()]);
}

/// Old words do not linger.
pub fn changed_text_is_found_by_its_new_words_only(store: &impl Store) {
    let stored = block("colour");
    insert(store, &[&stored]);
    write(store, |transaction| transaction.update_block(&stored.id, &mut |block| block.cue = Some("paint".into())));
    write(store, |transaction| transaction.update_block(&stored.id, &mut |block| block.cue = Some("brush".into())));
    assert_eq!(found(store, "brush"), [stored.id.clone()]);
    assert!(found(store, "paint").is_empty());
    assert_eq!(lengths(store).len(), 1);
}

/// The numbers that weigh words are those of the searched blocks.
pub fn lengths_are_those_of_what_is_searched(store: &impl Store) {
    let (a, b, gone) = (block("red apple"), block("green apple tree"), active("apple pie"));
    insert(store, &[&a, &b, &gone]);
    write(store, |transaction| transaction.update_block_status(&gone.id, BlockStatus::Archived, None));
    assert_eq!(lengths(store), BTreeMap::from([(a.id.clone(), 2), (b.id.clone(), 3)]));
    assert_eq!((found(store, "apple").len(), found(store, "red").len()), (2, 1));
}

/// No syntax leaks through.
pub fn any_text_is_a_query(store: &impl Store) {
    insert(store, &[&block("plain words")]);
    let long = "plain ".repeat(20_000);
    for query in [
        "\"",
        "plain\" OR \"",
        "NOT AND OR NEAR(",
        "content:plain*",
        "^plain",
        "-plain",
        "{a b}: plain",
        "🧠",
        "",
        "שלום",
        "'; --",
        &long,
    ] {
        let _ = found(store, query);
    }
    assert_eq!(found(store, "content:plain*").len(), 1);
}
