//! What indexes outside the store live on: rows as they take them in, words, filters, and the feed of changes.

use std::collections::BTreeMap;

use elfmem_core::coarse::CoarseVector;
use elfmem_core::{ActiveHours, ArchiveReason, BlockId, BlockStatus, SessionId, Timestamp};

use super::{active, block, edge, insert, noon, read, tags, write};
use crate::{Aspect, BlockFilter, Contradiction, RankingState, Store};

/// A reader that remembers a position learns what changed since, and how much of it.
pub fn the_journal_is_a_feed_of_what_changed_about_blocks(store: &impl Store) {
    let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(active);
    insert(store, &[&a, &b, &c, &d]);
    let position = read(store, |snapshot| snapshot.get_journal_position());
    assert!(read(store, |snapshot| snapshot.get_changes_after(position)).is_empty());
    insert(store, &[&e]);
    write(store, |transaction| transaction.reinforce_blocks(&[a.id.clone(), b.id.clone()], ActiveHours::new(2.0)));
    write(store, |transaction| transaction.update_block(&b.id, &mut |block| block.pinned = true));
    write(store, |transaction| transaction.put_edge(&edge(&c, &d, 0.5)));
    write(store, |transaction| {
        transaction.insert_contradiction(&Contradiction::between(&c.id, &d.id, 0.9, noon()).expect("two blocks"))
    });
    write(store, |transaction| transaction.add_tags(&d.id, &tags(&["topic/db"])));
    let changes = read(store, |snapshot| snapshot.get_changes_after(position));
    let of = |id: &BlockId| -> Vec<Aspect> {
        changes.iter().filter(|change| change.id == *id).map(|change| change.aspect).collect()
    };
    assert_eq!(of(&a.id), [Aspect::Usage]);
    assert!(of(&b.id).contains(&Aspect::State));
    assert_eq!(of(&c.id), [Aspect::Contradictions, Aspect::Edges]);
    assert_eq!(of(&d.id), [Aspect::Content, Aspect::Contradictions, Aspect::Edges], "one does not hide the other");
    assert_eq!(of(&e.id), [Aspect::Content]);
    assert!(changes.is_sorted_by(|one, next| one.id <= next.id));
    assert!(read(store, |snapshot| snapshot.get_journal_position()) > position);
}

/// With the vector of the model asked for and no other; archived blocks are left out.
pub fn index_rows_carry_order_time_and_vector(store: &impl Store) {
    let (mut first, mut second, gone) = (active("first"), block("second?"), active("gone"));
    first.last_session_id = Some(SessionId::from_stored("s1"));
    first.event_at = Some(noon());
    second.cue = Some("when it rains".into());
    second.pinned = true;
    insert(store, &[&first, &second, &gone]);
    write(store, |transaction| {
        transaction.set_embedding(&first.id, "m1", &[0.6, 0.8])?;
        transaction.set_embedding(&second.id, "m2", &[1.0, 0.0])?;
        transaction.update_block_status(&gone.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))
    });
    let all = rows(store, "m1", None);
    assert_eq!(all.iter().map(|row| &row.id).collect::<Vec<_>>(), [&first.id, &second.id]);
    assert_eq!((all[0].session.as_deref(), all[0].length, all[0].asking), (Some("s1"), 1, false));
    assert_eq!((all[1].cue.as_deref(), &all[1].vector, all[1].asking), (Some("when it rains"), &None, true));
    assert_eq!((all[0].happened_at, all[0].source.as_str()), (noon().as_second(), first.source.as_str()));
    assert_eq!(all[0].vector, coarse(&[0.6, 0.8]));
    assert_eq!(read(store, |snapshot| snapshot.count_index_rows()), 2);
    assert_eq!(rows(store, "m1", Some(std::slice::from_ref(&second.id))).len(), 1);
    assert!(rows(store, "m1", Some(std::slice::from_ref(&gone.id))).is_empty());
}

/// An owned copy of an index row, for comparison.
#[derive(Debug, PartialEq)]
struct OwnedIndexRow {
    id: BlockId,
    length: u32,
    happened_at: i64,
    source: String,
    session: Option<String>,
    order: i64,
    asking: bool,
    cue: Option<String>,
    /// Its scale and its numbers.
    vector: Option<(f32, Vec<i8>)>,
}

fn coarse(vector: &[f32]) -> Option<(f32, Vec<i8>)> {
    let bytes = CoarseVector::encode(vector)?;
    CoarseVector::decode(&bytes).map(|vector| (vector.scale, vector.numbers().collect()))
}

/// In the order of storing.
fn rows(store: &impl Store, model: &str, ids: Option<&[BlockId]>) -> Vec<OwnedIndexRow> {
    let mut rows = Vec::new();
    read(store, |snapshot| {
        snapshot.visit_index_rows(model, ids, &mut |row| {
            rows.push(OwnedIndexRow {
                id: row.id,
                length: row.length,
                happened_at: row.happened_at,
                source: row.source.to_owned(),
                session: row.session.map(str::to_owned),
                order: row.order,
                asking: row.asking,
                cue: row.cue.map(str::to_owned),
                vector: row.vector.map(|vector| (vector.scale, vector.numbers().collect())),
            });
        })
    });
    rows.sort_by_key(|row| row.order);
    rows
}

/// Whatever changes a block or its vector, by whichever way; and what comes back comes back to its place.
pub fn index_rows_follow_every_change_of_a_block(store: &impl Store) {
    let [a, b, c] = ["a?", "b", "c"].map(active);
    insert(store, &[&a, &b, &c]);
    write(store, |transaction| transaction.set_embedding(&a.id, "m1", &[1.0, 0.0]));
    let before = rows(store, "m1", None);
    assert_eq!(before[0].vector, coarse(&[1.0, 0.0]));
    write(store, |transaction| transaction.set_embedding(&a.id, "m1", &[0.0, -2.0]));
    assert_eq!(rows(store, "m1", None)[0].vector, coarse(&[0.0, -1.0]), "another vector");
    write(store, |transaction| {
        transaction.update_block(&a.id, &mut |block| {
            block.content = "a, and more of it".into();
            block.last_session_id = Some(SessionId::from_stored("s2"));
            block.event_at = Some(Timestamp::constant(1_600_000_000, 0));
            block.source = "someone else".into();
            block.cue = Some("one day".into());
        })
    });
    let after = rows(store, "m1", None);
    assert_eq!((after[0].session.as_deref(), after[0].source.as_str()), (Some("s2"), "someone else"));
    assert_eq!((after[0].happened_at, after[0].cue.as_deref()), (1_600_000_000, Some("one day")));
    assert!(!after[0].asking && after[0].length > before[0].length);
    assert_eq!((after[0].order, &after[0].vector), (before[0].order, &coarse(&[0.0, -1.0])), "what it keeps");
    write(store, |transaction| transaction.update_block(&a.id, &mut |block| block.event_at = None));
    assert_eq!(rows(store, "m1", None)[0].happened_at, a.created_at.as_second(), "a time alone");
    let kept = rows(store, "m1", None);
    write(store, |transaction| transaction.update_block_status(&a.id, BlockStatus::Archived, None));
    assert_eq!(rows(store, "m1", None).len(), 2);
    write(store, |transaction| transaction.update_block_status(&a.id, BlockStatus::Active, None));
    assert_eq!(rows(store, "m1", None), kept, "back in its place, with its vector");
    write(store, |transaction| {
        transaction.stage_vectors("m2", &[(a.id.clone(), vec![0.6, 0.8]), (b.id.clone(), Vec::new())])
    });
    assert_eq!(rows(store, "m1", None), kept, "staged is not stored");
    write(store, |transaction| transaction.adopt_staged_vectors("m2").map(drop));
    let vectors = |model: &str| rows(store, model, None).into_iter().map(|row| row.vector).collect::<Vec<_>>();
    assert_eq!(vectors("m2"), [coarse(&[0.6, 0.8]), None, None]);
    assert_eq!(vectors("m1"), [None, None, None]);
    write(store, |transaction| transaction.archive_blocks(&[a.id.clone(), b.id.clone()], ArchiveReason::Decayed));
    assert_eq!(rows(store, "m2", None).len(), 1);
    write(store, |transaction| transaction.delete_block(&c.id));
    assert!(rows(store, "m2", None).is_empty() && read(store, |snapshot| snapshot.count_index_rows()) == 0);
}

/// All of them or some, and no archived one.
pub fn standings_are_read_apart(store: &impl Store) {
    let (used, mut pinned, gone) = (active("used"), block("pinned"), active("gone"));
    pinned.pinned = true;
    insert(store, &[&used, &pinned, &gone]);
    write(store, |transaction| {
        transaction.reinforce_blocks(std::slice::from_ref(&used.id), ActiveHours::new(2.0))?;
        transaction.update_block_status(&gone.id, BlockStatus::Archived, Some(ArchiveReason::Forgotten))
    });
    let standings = |ids: Option<&[BlockId]>| -> BTreeMap<BlockId, RankingState> {
        let mut found = BTreeMap::new();
        read(store, |snapshot| {
            snapshot.visit_ranking_states(ids, &mut |id, standing| {
                found.insert(id.clone(), standing);
            })
        });
        found
    };
    let all = standings(None);
    assert_eq!(all.len(), 2);
    let (of_used, of_pinned) = (all[&used.id], all[&pinned.id]);
    assert_eq!((of_used.reinforcement_count, of_used.last_reinforced_at), (used.reinforcement_count + 1, 2.0));
    assert!(of_pinned.pinned && (of_pinned.confidence - 0.5).abs() < 1e-6 && !of_used.pinned);
    assert!((of_used.decay_lambda - used.decay_lambda.get()).abs() < 1e-12);
    let some = [pinned.id.clone(), gone.id.clone(), BlockId::from_stored("nobody")];
    assert_eq!(standings(Some(&some)), BTreeMap::from([(pinned.id, of_pinned)]));
}

/// By field, and never a block that is gone or whose words have changed.
pub fn holders_of_a_word_are_counted_by_field_and_follow_changes(store: &impl Store) {
    let mut cued = block("apple pie and apple juice");
    cued.cue = Some("an apple a day".into());
    cued.tags = tags(&["food/apple"]);
    let plain = block("apple tree");
    insert(store, &[&cued, &plain]);
    let holders = |word: &str| {
        let mut found = read(store, |snapshot| snapshot.get_postings(word));
        found.sort();
        found
    };
    let mut expected = vec![(cued.id.clone(), [2, 1, 1]), (plain.id.clone(), [1, 0, 0])];
    expected.sort();
    assert_eq!(holders("appl"), expected);
    assert!(holders("pear").is_empty());
    assert_eq!(rows(store, "", Some(std::slice::from_ref(&plain.id)))[0].length, 2);
    // The newest goes and another takes its place in the index: none of its words may stay behind.
    write(store, |transaction| transaction.update_block_status(&plain.id, BlockStatus::Archived, None));
    let other = block("pear tree");
    insert(store, &[&other]);
    assert_eq!(holders("appl"), [(cued.id.clone(), [2, 1, 1])]);
    assert_eq!(holders("tree"), [(other.id.clone(), [1, 0, 0])]);
    write(store, |transaction| transaction.update_block(&cued.id, &mut |block| block.cue = None));
    assert_eq!(holders("appl"), [(cued.id.clone(), [2, 0, 1])]);
    assert_eq!(rows(store, "", None).len(), 2);
}

/// Every condition that is given holds for what is let in.
pub fn filters_let_in_what_meets_every_condition(store: &impl Store) {
    let (mut own, mut goal, mut dated) = (block("own"), active("goal"), active("dated"));
    own.tags = tags(&["self/value", "topic/db"]);
    goal.tags = tags(&["self/goal"]);
    dated.category = elfmem_core::Category::from_stored("decision");
    dated.event_at = Some(noon());
    insert(store, &[&own, &goal, &dated]);
    let let_in = |filter: BlockFilter| read(store, |snapshot| snapshot.filter_block_ids(&filter));
    let texts = |tags: &[&str]| tags.iter().map(|&tag| tag.to_owned()).collect::<Vec<String>>();
    assert_eq!(let_in(BlockFilter::default()).len(), 3);
    assert_eq!(let_in(BlockFilter { any_tag: texts(&["self/%"]), ..BlockFilter::default() }).len(), 2);
    assert_eq!(let_in(BlockFilter { any_tag: texts(&["self/goal", "topic/%"]), ..BlockFilter::default() }).len(), 2);
    let both = BlockFilter { all_tags: texts(&["self/%", "topic/db"]), ..BlockFilter::default() };
    assert_eq!(let_in(both), [own.id.clone()]);
    let decided = BlockFilter { categories: texts(&["decision", "plan"]), ..BlockFilter::default() };
    assert_eq!(let_in(decided.clone()), [dated.id.clone()]);
    assert_eq!(let_in(BlockFilter { since: Some(noon()), ..decided.clone() }), [dated.id.clone()]);
    assert!(let_in(BlockFilter { until: Some(noon()), ..decided }).is_empty());
}

/// With what use has added to their weight.
pub fn links_of_many_blocks_are_read_at_once(store: &impl Store) {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(active);
    insert(store, &[&a, &b, &c, &d]);
    write(store, |transaction| {
        transaction.put_edge(&edge(&a, &b, 0.5))?;
        transaction.put_edge(&edge(&b, &c, 0.4))?;
        transaction.put_edge(&edge(&c, &d, 0.3))
    });
    let links = |ids: &[BlockId]| {
        let mut found = read(store, |snapshot| snapshot.get_index_edges(ids));
        found.sort_by(|one, next| one.key.cmp(&next.key));
        found.dedup();
        found
    };
    assert_eq!(links(&[a.id.clone(), b.id.clone()]).len(), 2);
    assert_eq!(links(&[a.id.clone(), b.id.clone(), c.id.clone(), d.id.clone()]).len(), 3);
    let key = elfmem_core::EdgeKey::canonical(&a.id, &b.id).expect("two blocks");
    write(store, |transaction| transaction.reinforce_edges(std::slice::from_ref(&key), ActiveHours::new(1.0)));
    let found = links(std::slice::from_ref(&a.id));
    assert!((found[0].weight - (0.5 + 0.1 * 2f64.ln())).abs() < 1e-9 && !found[0].contradicts);
}
