//! What indexes outside the store live on: rows as they take them in, words, filters, and the feed of changes.

use elfmem_core::{ActiveHours, ArchiveReason, BlockId, BlockStatus, SessionId};

use super::{active, block, edge, insert, noon, read, tags, write};
use crate::{Aspect, BlockFilter, Contradiction, Standing, Store};

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
    assert_eq!(of(&a.id), [Aspect::Use]);
    assert!(of(&b.id).contains(&Aspect::Standing));
    assert_eq!(of(&c.id), [Aspect::Contradictions, Aspect::Edges]);
    assert_eq!(of(&d.id), [Aspect::Text, Aspect::Contradictions, Aspect::Edges], "one does not hide the other");
    assert_eq!(of(&e.id), [Aspect::Text]);
    assert!(changes.is_sorted_by(|one, next| one.id <= next.id));
    assert!(read(store, |snapshot| snapshot.get_journal_position()) > position);
}

/// With the vector of the model asked for and no other; archived blocks are left out.
pub fn index_rows_carry_standing_order_and_vector(store: &impl Store) {
    let (mut first, mut second, gone) = (active("first"), block("second"), active("gone"));
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
    type Row = (BlockId, Standing, Option<String>, i64, Option<String>, Option<Vec<f32>>);
    let rows = |ids: Option<&[BlockId]>| -> Vec<Row> {
        let mut rows = Vec::new();
        read(store, |snapshot| {
            snapshot.visit_index_rows("m1", ids, &mut |row| {
                let (session, cue) = (row.session.map(str::to_owned), row.cue.map(str::to_owned));
                rows.push((row.id, row.standing, session, row.order, cue, row.vector.map(<[f32]>::to_vec)));
            })
        });
        rows.sort_by_key(|row| row.3);
        rows
    };
    let all = rows(None);
    assert_eq!(all.iter().map(|row| &row.0).collect::<Vec<_>>(), [&first.id, &second.id]);
    assert_eq!((all[0].2.as_deref(), all[0].5.as_deref()), (Some("s1"), Some([0.6, 0.8].as_slice())));
    assert_eq!((all[1].4.as_deref(), &all[1].5), (Some("when it rains"), &None));
    assert_eq!((all[0].1.happened_at, all[0].1.status), (noon().as_second(), BlockStatus::Active));
    assert!(all[1].1.pinned && (all[1].1.confidence - 0.5).abs() < 1e-6);
    assert_eq!(rows(Some(std::slice::from_ref(&second.id))).len(), 1);
    assert!(rows(Some(std::slice::from_ref(&gone.id))).is_empty());
}

/// By field, and never a block that is gone or whose words have changed.
pub fn holders_of_a_word_are_counted_by_field_and_follow_changes(store: &impl Store) {
    let mut cued = block("apple pie and apple juice");
    cued.cue = Some("an apple a day".into());
    cued.tags = tags(&["food/apple"]);
    let plain = block("apple tree");
    insert(store, &[&cued, &plain]);
    let holders = |word: &str| {
        let mut found = read(store, |snapshot| snapshot.get_word_holders(word));
        found.sort();
        found
    };
    let mut expected = vec![(cued.id.clone(), [2, 1, 1]), (plain.id.clone(), [1, 0, 0])];
    expected.sort();
    assert_eq!(holders("appl"), expected);
    assert!(holders("pear").is_empty());
    let lengths = read(store, |snapshot| snapshot.get_lengths(Some(std::slice::from_ref(&plain.id))));
    assert_eq!(lengths, [(plain.id.clone(), 2)]);
    // The newest goes and another takes its place in the index: none of its words may stay behind.
    write(store, |transaction| transaction.update_block_status(&plain.id, BlockStatus::Archived, None));
    let other = block("pear tree");
    insert(store, &[&other]);
    assert_eq!(holders("appl"), [(cued.id.clone(), [2, 1, 1])]);
    assert_eq!(holders("tree"), [(other.id.clone(), [1, 0, 0])]);
    write(store, |transaction| transaction.update_block(&cued.id, &mut |block| block.cue = None));
    assert_eq!(holders("appl"), [(cued.id.clone(), [2, 0, 1])]);
    assert_eq!(read(store, |snapshot| snapshot.get_lengths(None)).len(), 2);
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
        let mut found = read(store, |snapshot| snapshot.get_links_of(ids));
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
