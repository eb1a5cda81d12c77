//! Storing: what is created, what is a duplicate, what is refused.

use elfmem_core::{ActiveHours, ArchiveReason, BlockStatus, ScopeView, Tag};
use elfmem_engine::{AddTags, ErrorKind, Learn, LearnStatus, ListBlocks, MAX_CONTENT_BYTES, ReadLog, RemoveTags};
use elfmem_store::{JournalHeader, Store, Transaction};

use crate::memory;

fn tags(names: &[&str]) -> Vec<Tag> {
    names.iter().map(|name| Tag::parse(name).unwrap()).collect()
}

#[test]
fn a_learned_block_starts_in_the_inbox_at_half_confidence_and_the_standard_rate() {
    let memory = memory();
    let result = memory.learn("Deploys go out on Tuesdays").unwrap();
    assert_eq!(result.status, LearnStatus::Created);
    assert_eq!(result.block_id.as_str(), "980c1114316ac724");
    let block = memory.show("980c1114").unwrap().block;
    assert_eq!((block.status, block.confidence.get(), block.decay_lambda.get()), (BlockStatus::Inbox, 0.5, 0.01));
    assert_eq!(block.source, "api");
}

#[test]
fn the_same_content_again_is_a_duplicate_that_merges_tags() {
    let memory = memory();
    let first = memory.learn(Learn::new("Deploys go out on Tuesdays").tag("a")).unwrap();
    let again = memory.learn(Learn::new("  deploys GO out on tuesdays \n").tags(["b", "a"])).unwrap();
    assert_eq!(again.status, LearnStatus::DuplicateRejected);
    assert_eq!(again.block_id, first.block_id);
    let block = memory.show(first.block_id.as_str()).unwrap().block;
    assert_eq!((block.tags, block.content.as_str()), (tags(&["a", "b"]), "Deploys go out on Tuesdays"));
    assert_eq!(block.reinforcement_count, 1, "said again is used again");
    memory.learn(Learn::new("Deploys go out on Tuesdays").tag("self/goal")).unwrap();
    assert_eq!(memory.show(first.block_id.as_str()).unwrap().block.decay_lambda.get(), 0.001);
    assert_eq!(memory.list(ListBlocks::all()).unwrap().len(), 1);
}

#[test]
fn learning_archived_content_brings_the_same_block_back() {
    let memory = memory();
    let first = memory.learn("A passing thought").unwrap();
    memory
        .store()
        .write(&ScopeView::default(), |transaction: &mut dyn Transaction| {
            transaction.describe(JournalHeader {
                at: elfmem_core::Timestamp::UNIX_EPOCH,
                active_hours: ActiveHours::ZERO,
                session: None,
                actor: "test".into(),
                operation: "forget".into(),
                summary: "forgotten".into(),
            });
            transaction.update_block_status(&first.block_id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))
        })
        .unwrap();
    assert!(memory.recall("passing thought").unwrap().blocks.is_empty());
    let again = memory.learn(Learn::new("A passing thought").tag("kept")).unwrap();
    assert_eq!((again.status, &again.block_id), (LearnStatus::Created, &first.block_id));
    let block = memory.show(first.block_id.as_str()).unwrap().block;
    assert_eq!((block.status, block.archive_reason, block.tags), (BlockStatus::Inbox, None, tags(&["kept"])));
    assert_eq!(memory.recall("passing thought").unwrap().blocks.len(), 1);
}

#[test]
fn tags_and_category_choose_the_decay_tier() {
    let memory = memory();
    for (learn, rate) in [
        (Learn::new("I am careful").tag("self/constitutional"), 0.00001),
        (Learn::new("I value honesty").tag("self/value"), 0.001),
        (Learn::new("It rained").category("observation"), 0.050),
        (Learn::new("Ana wants a raise").category("mind"), 0.001),
    ] {
        let id = memory.learn(learn).unwrap().block_id;
        assert_eq!(memory.show(id.as_str()).unwrap().block.decay_lambda.get(), rate);
    }
}

#[test]
fn tagging_a_block_later_changes_its_life_too() {
    let memory = memory();
    let id = memory.learn("I value honesty").unwrap().block_id;
    let added = memory.add_tags(AddTags::new(id.as_str(), ["self/value", "self/value"])).unwrap();
    assert_eq!((added.changed, added.tags), (1, tags(&["self/value"])));
    assert_eq!(memory.show(id.as_str()).unwrap().block.decay_lambda.get(), 0.001);
    let removed = memory.remove_tags(RemoveTags::new(id.as_str(), ["self/value", "absent"])).unwrap();
    assert_eq!(removed.to_string(), format!("Changed 1 tag of block {}. Tags now: none.", id.short()));
    assert_eq!(memory.show(id.as_str()).unwrap().block.decay_lambda.get(), 0.01);
}

#[test]
fn what_cannot_be_stored_is_refused_with_a_way_out_and_changes_nothing() {
    let memory = memory();
    let longest = "x".repeat(MAX_CONTENT_BYTES);
    for bad in [
        Learn::new(""),
        Learn::new(" \n\t "),
        Learn::new(format!("{longest}x")),
        Learn::new("nul\0byte"),
        Learn::new("fine").tag(" "),
        Learn::new("fine").tag("a,b"),
        Learn::new("fine").tags((0..65).map(|n| n.to_string())),
        Learn::new("fine").category(""),
        Learn::new("fine").category("bell\u{7}"),
    ] {
        let error = memory.learn(bad.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{bad:?}");
        assert!(error.to_string().contains(" — Recovery: "), "{error}");
    }
    assert!(memory.learn(format!("{longest}x")).unwrap_err().recovery().contains("learn_document"));
    assert!(memory.list(ListBlocks::all()).unwrap().is_empty());
    assert!(memory.learn(longest).is_ok());
}

#[test]
fn a_list_is_stored_in_one_operation_or_not_at_all() {
    let memory = memory();
    let results = memory.learn_all(&["one", "two", "ONE"].map(Learn::from)).unwrap();
    let statuses: Vec<LearnStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(statuses, [LearnStatus::Created, LearnStatus::Created, LearnStatus::DuplicateRejected]);
    assert!(memory.learn_all(&["three", ""].map(Learn::from)).is_err());
    assert_eq!(memory.list(ListBlocks::all()).unwrap().len(), 2);
    let last = memory.log(ReadLog::new().limit(1)).unwrap().remove(0);
    assert_eq!(last.header.summary, "Stored 3 blocks: 2 created, 1 duplicate.");
}

#[test]
fn blocks_are_named_by_any_unambiguous_prefix_of_four_characters() {
    let memory = memory();
    let id = memory.learn("hello world").unwrap().block_id;
    for name in [id.as_str(), "b94d", "B94D27b9…", " b94d27b9 "] {
        assert_eq!(memory.resolve(name).unwrap(), id, "{name}");
    }
    assert_eq!(memory.resolve("b94").unwrap_err().kind(), ErrorKind::Input);
    assert_eq!(memory.resolve("ffffffff").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(memory.resolve("").unwrap_err().kind(), ErrorKind::Input);
}

#[test]
fn a_prefix_of_several_blocks_names_the_candidates() {
    let memory = memory();
    // 1200 ids of sixteen bits of prefix: some four-character prefix is shared with near certainty, and always the same.
    let mut ids: Vec<String> =
        (0..1200).map(|n| memory.learn(format!("fact number {n}")).unwrap().block_id.to_string()).collect();
    ids.sort();
    let shared = ids.windows(2).find(|pair| pair[0][..4] == pair[1][..4]).unwrap();
    let error = memory.resolve(&shared[0][..4]).unwrap_err();
    assert!(error.message().contains(&shared[0]) && error.message().contains(&shared[1]), "{error}");
}
