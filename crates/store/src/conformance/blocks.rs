//! Blocks and tags.

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockReplacement, BlockStatus, BroughtBy, Confidence, DocumentLabels,
    DocumentPart, ReplacementKind, SessionId, Tag, Timestamp,
};

use super::{active, block, edge, insert, noon, read, tags, write};
use crate::{
    BlockOrder, BlockQuery, BlockText, Contradiction, Entity, JournalQuery, LearnedState, ProvenanceBefore, RowChange,
    Store, StoreError,
};

/// Every field of a block survives.
pub fn a_block_comes_back_as_it_was_stored(store: &impl Store) {
    let mut stored = block("Maria is allergic to peanuts");
    stored.tags = tags(&["health", "people/maria"]);
    stored.cue = Some("planning a dinner".into());
    stored.summary = Some("Maria: peanuts".into());
    stored.event_at = Some(Timestamp::constant(1_700_000_000, 0));
    stored.last_scored_at = Some(noon());
    stored.last_session_id = Some(SessionId::from_stored("s1"));
    stored.pinned = true;
    stored.self_alignment = Some(0.25);
    stored.token_count = Some(7);
    stored.brought_by = BroughtBy {
        surface: Some("mcp".into()),
        client: Some("an editor".into()),
        document: Some("notes.md".into()),
        peer: Some("bob".into()),
    };
    stored.parts = vec![DocumentPart {
        document: "notes.md".into(),
        source: "document".into(),
        position: 2,
        headings: vec!["Health".into()],
        verbatim: Some("\n# Health\n".into()),
        labels: Some(DocumentLabels {
            tags: vec![Tag::from_stored("people/maria")],
            event_at: Some(noon()),
            ..DocumentLabels::default()
        }),
    }];
    let (kind, reason, at) = (ReplacementKind::Update, "she was tested".into(), noon());
    stored.replacement = Some(BlockReplacement { kind, reason, at, reviewed: true });
    insert(store, &[&stored]);
    assert_eq!(read(store, |snapshot| snapshot.get_block(&stored.id)), Some(stored.clone()));
    assert!(read(store, |snapshot| snapshot.block_exists(&stored.id)));
}

/// Who brought a block can change, and what a transaction gave blocks for labels can be asked before it ends.
pub fn labels_and_origins_that_change_are_told(store: &impl Store) {
    let stored = block("labelled");
    insert(store, &[&stored]);
    let mut rows = Vec::new();
    let labels = write(store, |transaction| {
        transaction.reinforce_blocks(std::slice::from_ref(&stored.id), ActiveHours::new(1.0))?;
        assert_eq!(transaction.changed_labels()?, []);
        transaction.update_block(&stored.id, &mut |block| {
            block.tags = tags(&["self/value"]);
            block.brought_by.peer = Some("bob".into());
        })?;
        transaction.insert_block(&Block { tags: tags(&["t"]), ..block("another") })?;
        rows = transaction.changed_rows()?;
        transaction.changed_labels()
    });
    let changed: Vec<_> = rows.iter().map(|row| (row.entity, row.id.as_str(), row.change.clone())).collect();
    let before = ProvenanceBefore { source: None, brought_by: Some(stored.brought_by.clone()) };
    let another = block("another").id;
    let expected = [
        (Entity::Block, stored.id.as_str(), RowChange::Updated(ProvenanceBefore::default())),
        (Entity::Block, stored.id.as_str(), RowChange::Updated(before)),
        (Entity::Block, another.as_str(), RowChange::Added),
    ];
    assert_eq!(changed, expected);
    let told: Vec<_> = labels.iter().map(|labels| (labels.block_id.clone(), labels.tags.clone())).collect();
    assert_eq!(told, [(Some(stored.id.clone()), tags(&["self/value"])), (Some(block("another").id), tags(&["t"]))]);
    let found = read(store, |snapshot| snapshot.get_block(&stored.id)).expect("it is there");
    assert_eq!(found.brought_by.peer.as_deref(), Some("bob"));
}

/// The second insert of an id fails and leaves the first.
pub fn inserting_an_id_twice_is_refused(store: &impl Store) {
    let stored = block("once");
    insert(store, &[&stored]);
    let again = store.write(&Default::default(), |transaction| {
        transaction.describe(super::header("again"));
        transaction.insert_block(&stored)
    });
    assert!(matches!(again, Err(StoreError::Duplicate { id }) if id == stored.id));
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_count()), 1);
}

/// Reading what is not there is none; changing it is an error.
pub fn a_missing_block_is_none_and_cannot_be_updated(store: &impl Store) {
    let nobody = BlockId::from_stored("ffffffffffffffff");
    assert_eq!(read(store, |snapshot| snapshot.get_block(&nobody)), None);
    assert!(!read(store, |snapshot| snapshot.block_exists(&nobody)));
    let update = store.write(&Default::default(), |transaction| transaction.update_block(&nobody, &mut |_| {}));
    assert!(matches!(update, Err(StoreError::Missing { what: "block", .. })));
}

/// Counts follow the statuses.
pub fn blocks_start_in_the_inbox_and_are_counted_by_status(store: &impl Store) {
    let (a, b, c) = (block("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    write(store, |transaction| {
        transaction.update_block_status(&c.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))
    });
    let counts = read(store, |snapshot| snapshot.get_block_counts());
    assert_eq!((counts.inbox, counts.active, counts.archived), (1, 1, 1));
    assert_eq!(read(store, |snapshot| snapshot.get_inbox_ids()), [a.id.clone()]);
    let nobody = BlockId::from_stored("ffffffffffffffff");
    let mut texts = read(store, |snapshot| snapshot.get_texts(&[b.id.clone(), nobody.clone(), a.id.clone()]));
    texts.sort_by(|one, other| one.content.cmp(&other.content));
    let text = |of: &Block| BlockText { id: of.id.clone(), content: of.content.clone(), category: of.category.clone() };
    assert_eq!(texts, [text(&a), text(&b)]);
}

/// Inbox blocks and archived ones are left out.
pub fn active_blocks_are_listed_without_the_others(store: &impl Store) {
    let (old, new) = (active("old"), active("new"));
    let archived = Block { status: BlockStatus::Archived, ..block("archived") };
    insert(store, &[&old, &new, &block("waiting"), &archived]);
    assert_eq!(read(store, |snapshot| snapshot.get_active_blocks()), [old, new]);
}

/// Only the fields that the caller changes differ afterwards.
pub fn a_partial_update_leaves_the_rest_alone(store: &impl Store) {
    let stored = active("scored");
    insert(store, &[&stored]);
    write(store, |transaction| {
        transaction.set_embedding(&stored.id, "model-x", &[1.0])?;
        transaction.update_block(&stored.id, &mut |block| block.confidence = Confidence::saturating(0.9))
    });
    let after = read(store, |snapshot| snapshot.get_block(&stored.id)).expect("it is there");
    assert_eq!(after.confidence.get(), 0.9);
    assert_eq!(after.embedding_model.as_deref(), Some("model-x"));
    assert_eq!((after.decay_lambda, after.self_alignment, after.token_count), (stored.decay_lambda, None, None));
}

/// An older hour does not rewind a block.
pub fn reinforcing_counts_and_never_turns_a_stamp_back(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    let ids = [a.id.clone(), b.id.clone()];
    write(store, |transaction| transaction.reinforce_blocks(&ids, ActiveHours::new(12.0)));
    write(store, |transaction| transaction.reinforce_blocks(&ids[..1], ActiveHours::new(3.0)));
    let after = read(store, |snapshot| snapshot.get_blocks(&ids));
    assert_eq!((after[0].reinforcement_count, after[0].last_reinforced_at.get()), (2, 12.0));
    assert_eq!((after[1].reinforcement_count, after[1].last_reinforced_at.get()), (1, 12.0));
}

/// What a block learns is stored like any other change: a revision, a line in the journal, nothing when nothing changed.
pub fn what_a_block_learns_is_a_change_like_any_other(store: &impl Store) {
    let stored = active("learner");
    insert(store, &[&stored]);
    let before = read(store, |snapshot| snapshot.get_journal_position());
    write(store, |transaction| {
        let before = LearnedState::of(&stored);
        let mut after = LearnedState { confidence: Confidence::saturating(0.9), ..before };
        after.record_use(ActiveHours::new(7.0));
        transaction.update_learned_state(&stored.id, &before, &after)
    });
    let now = || read(store, |snapshot| snapshot.get_block(&stored.id));
    let expected = Block {
        confidence: Confidence::saturating(0.9),
        reinforcement_count: stored.reinforcement_count + 1,
        last_reinforced_at: ActiveHours::new(7.0),
        revision: stored.revision + 1,
        ..stored.clone()
    };
    assert_eq!(now(), Some(expected.clone()));
    let query = JournalQuery { after: Some(before), ..JournalQuery::default() };
    let entries = read(store, |snapshot| snapshot.get_journal(&query));
    let changes: Vec<_> =
        entries.iter().flat_map(|entry| &entry.changes).filter_map(|change| change.after.clone()).collect();
    assert_eq!(
        (changes.len(), &changes[0]["confidence"], &changes[0]["last_reinforced_at"]),
        (1, &0.9.into(), &7.0.into())
    );
    assert!(changes[0].get("decay_lambda").is_none(), "only what changed is on record");
    let same = LearnedState::of(&expected);
    write(store, |transaction| transaction.update_learned_state(&stored.id, &same, &same));
    assert_eq!(now(), Some(expected));
}

/// Adding a tag twice keeps one.
pub fn tags_are_added_once_sorted_and_removed(store: &impl Store) {
    let stored = block("tagged");
    insert(store, &[&stored]);
    write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["b", "a", "b"])));
    write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["a", "c"])));
    let kept = || read(store, |snapshot| snapshot.get_block(&stored.id)).map(|block| block.tags);
    assert_eq!(kept(), Some(tags(&["a", "b", "c"])));
    write(store, |transaction| transaction.remove_tags(&stored.id, &tags(&["b", "nope"])));
    assert_eq!(kept(), Some(tags(&["a", "c"])));
}

/// `self/%` matches what begins so, and nothing else.
pub fn tag_patterns_mind_case_and_take_no_wildcards_but_percent(store: &impl Store) {
    let mut blocks = [block("one"), block("two"), block("three"), block("four")];
    for (block, tag) in blocks.iter_mut().zip(["self/value", "SELF/value", "selfish", "a*b[c]?"]) {
        block.tags = tags(&[tag]);
    }
    insert(store, &blocks.each_ref());
    let found = |pattern: &str| -> Vec<BlockId> {
        let query = BlockQuery { tag_pattern: Some(pattern.to_owned()), ..BlockQuery::default() };
        read(store, |snapshot| snapshot.list_blocks(&query)).into_iter().map(|block| block.id).collect()
    };
    assert_eq!(found("self/%"), [blocks[0].id.clone()]);
    assert_eq!(found("a*b[c]?"), [blocks[3].id.clone()]);
    assert!(found("*").is_empty());
    assert_eq!(found("%").len(), 4);
}

/// What archiving takes is the graph around a block, never its text.
pub fn archiving_drops_tags_edges_and_contradictions_and_keeps_the_text(store: &impl Store) {
    let (mut a, b) = (active("a"), active("b"));
    a.tags = tags(&["t"]);
    insert(store, &[&a, &b]);
    let contradiction = Contradiction::between(&a.id, &b.id, 0.9, noon()).expect("two different blocks");
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.7))?;
        transaction.put_contradiction(&contradiction)?;
        transaction.update_block_status(&a.id, BlockStatus::Archived, Some(ArchiveReason::Decayed))
    });
    let after = read(store, |snapshot| snapshot.get_block(&a.id)).expect("it is kept");
    assert_eq!((after.content.as_str(), after.archive_reason), ("a", Some(ArchiveReason::Decayed)));
    assert!(after.tags.is_empty());
    assert!(read(store, |snapshot| snapshot.block_exists(&a.id)), "archived is not gone");
    assert!(read(store, |snapshot| snapshot.get_edges_for_block(&b.id)).is_empty());
    assert!(read(store, |snapshot| snapshot.get_contradictions_for_blocks(std::slice::from_ref(&b.id))).is_empty());
}

/// A block that comes back is not marked as archived any more.
pub fn leaving_the_archive_clears_reason_and_successor(store: &impl Store) {
    let (a, b) = (active("a"), active("b"));
    insert(store, &[&a, &b]);
    write(store, |transaction| {
        transaction.update_block_status(&a.id, BlockStatus::Archived, Some(ArchiveReason::Superseded))?;
        transaction.update_block(&a.id, &mut |block| block.superseded_by = Some(b.id.clone()))?;
        transaction.update_block_status(&a.id, BlockStatus::Inbox, None)
    });
    let after = read(store, |snapshot| snapshot.get_block(&a.id)).expect("it is there");
    assert_eq!((after.status, after.archive_reason, after.superseded_by), (BlockStatus::Inbox, None, None));
}

/// Revisions tell a plan that what it read has changed.
pub fn every_change_raises_the_revision_and_no_change_does_not(store: &impl Store) {
    let stored = block("counted");
    insert(store, &[&stored]);
    let same = write(store, |transaction| transaction.update_block(&stored.id, &mut |_| {}));
    assert_eq!(same.revision, 0);
    let changed = write(store, |transaction| transaction.update_block(&stored.id, &mut |block| block.pinned = true));
    assert_eq!(changed.revision, 1);
    let tagged = write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["t"])));
    assert_eq!(tagged.revision, 2);
}

/// A prefix finds every id that begins so, and odd characters in it find nothing.
pub fn ids_are_found_by_prefix_in_order(store: &impl Store) {
    let mut blocks = [block("1"), block("2"), block("3")];
    for (block, id) in blocks.iter_mut().zip(["abcd000000000001", "abcd000000000002", "abce000000000003"]) {
        block.id = BlockId::from_stored(id);
    }
    insert(store, &blocks.each_ref());
    let found = |prefix: &str, limit| read(store, |snapshot| snapshot.find_block_ids(prefix, limit));
    assert_eq!(found("abcd", 10), [blocks[0].id.clone(), blocks[1].id.clone()]);
    assert_eq!(found("abc", 1), [blocks[0].id.clone()]);
    assert_eq!(found("abcd000000000002", 10), [blocks[1].id.clone()]);
    assert!(found("%", 10).is_empty());
    assert!(found("abcd' OR 1=1 --", 10).is_empty());
}

/// Oldest, newest, most recently used; with filters and a limit.
pub fn blocks_come_in_the_order_asked_for(store: &impl Store) {
    let (mut a, mut b, mut c) = (active("a"), active("b"), active("c"));
    (a.created_at, b.created_at, c.created_at) =
        (Timestamp::constant(100, 0), Timestamp::constant(200, 0), Timestamp::constant(300, 0));
    b.last_reinforced_at = ActiveHours::new(9.0);
    c.category = elfmem_core::Category::from_stored("decision");
    insert(store, &[&b, &c, &a]);
    let list = |query: BlockQuery| {
        read(store, |snapshot| snapshot.list_blocks(&query)).into_iter().map(|block| block.content).collect::<Vec<_>>()
    };
    assert_eq!(list(BlockQuery::default()), ["a", "b", "c"]);
    assert_eq!(list(BlockQuery { order: BlockOrder::NewestFirst, limit: Some(2), ..Default::default() }), ["c", "b"]);
    assert_eq!(list(BlockQuery { order: BlockOrder::RecentlyUsedFirst, limit: Some(1), ..Default::default() }), ["b"]);
    assert_eq!(list(BlockQuery { category: Some(c.category.clone()), ..Default::default() }), ["c"]);
}

/// Nothing is left behind.
pub fn deleting_a_block_takes_everything_attached_with_it(store: &impl Store) {
    let (mut a, b) = (active("a gone"), active("b"));
    a.tags = tags(&["t"]);
    insert(store, &[&a, &b]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.7))?;
        transaction.delete_block(&a.id)
    });
    assert_eq!(read(store, |snapshot| snapshot.get_block(&a.id)), None);
    assert!(read(store, |snapshot| snapshot.get_edges_for_block(&b.id)).is_empty());
    let tagged = BlockQuery { tag_pattern: Some("t".to_owned()), ..BlockQuery::default() };
    assert!(read(store, |snapshot| snapshot.list_blocks(&tagged)).is_empty());
    assert!(read(store, |snapshot| snapshot.get_postings("gone")).is_empty());
}

/// Quotes, emoji, right-to-left text and long lines are just text.
pub fn any_text_survives_the_round_trip(store: &impl Store) {
    let long = "x".repeat(65_536);
    for content in
        ["O'Brien; DROP TABLE blocks; --", "🧠 emoji", "שלום עולם", "line\r\nline\ttab", "\u{202e}bidi", &long]
    {
        let stored = block(content);
        insert(store, &[&stored]);
        assert_eq!(read(store, |snapshot| snapshot.get_block(&stored.id)).expect("it is there").content, content);
    }
}
