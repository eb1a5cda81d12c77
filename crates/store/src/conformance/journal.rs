//! The journal.

use elfmem_core::{ActiveHours, BlockId, Session, SessionId, SessionKind};
use serde_json::json;

use super::{active, block, edge, header, insert, noon, read, tags, write};
use crate::{Entity, JournalEntry, JournalQuery, Store, StoreError};

fn log_of(store: &impl Store, id: &BlockId) -> Vec<JournalEntry> {
    read(store, |snapshot| snapshot.get_journal(&JournalQuery { block: Some(id.clone()), ..Default::default() }))
}

/// What happened to a block can be read back.
pub fn every_change_is_in_the_journal_with_before_and_after(store: &impl Store) {
    let stored = block("watched");
    insert(store, &[&stored]);
    write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["t"])));
    let log = log_of(store, &stored.id);
    assert_eq!(log.len(), 2);
    assert_eq!((log[0].changes[0].entity, log[0].changes[0].before.clone()), (Entity::Block, None));
    let made = log[0].changes[0].after.as_ref().expect("it was made");
    assert_eq!(made["status"], "inbox");
    assert_eq!(made.get("content"), None, "the text is in the row, not in the journal");
    assert_eq!(log[1].changes[0].before, Some(json!({"tags": []})));
    assert_eq!(log[1].changes[0].after, Some(json!({"tags": ["t"]})));
    assert_eq!(log[1].header, header("test"));
}

/// A transaction that changes nothing is not an event.
pub fn no_change_leaves_no_journal_row(store: &impl Store) {
    let stored = block("still");
    insert(store, &[&stored]);
    write(store, |transaction| transaction.remove_tags(&stored.id, &tags(&["absent"])));
    assert_eq!(log_of(store, &stored.id).len(), 1);
}

/// Nobody can forget the journal.
pub fn a_change_without_a_description_is_refused_and_undone(store: &impl Store) {
    let stored = block("silent");
    let silent = store.write(&Default::default(), |transaction| transaction.insert_block(&stored));
    assert!(matches!(silent, Err(StoreError::Undescribed)));
    assert_eq!(read(store, |snapshot| snapshot.get_block(&stored.id)), None);
}

/// An edge is part of the story of both of its blocks.
pub fn the_log_of_a_block_shows_its_edges_too(store: &impl Store) {
    let (a, b, c) = (active("a"), active("b"), active("c"));
    insert(store, &[&a, &b, &c]);
    let made = edge(&a, &b, 0.5);
    write(store, |transaction| transaction.put_edge(&made));
    write(store, |transaction| transaction.delete_edge(&made.key));
    for id in [&a.id, &b.id] {
        let log = log_of(store, id);
        assert_eq!(log.len(), 3);
        let removed = &log[2].changes[0];
        assert_eq!((removed.entity, removed.after.clone()), (Entity::Edge, None));
        assert_eq!(removed.before.as_ref().expect("it was there")["weight"], 0.5);
        assert_eq!(removed.id, format!("{}:{}", made.key.from_id, made.key.to_id));
    }
    assert_eq!(log_of(store, &c.id).len(), 1);
}

/// A reader can follow along.
pub fn the_journal_is_read_in_order_and_after_a_number(store: &impl Store) {
    for content in ["one", "two", "three"] {
        insert(store, &[&block(content)]);
    }
    let all = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default()));
    assert!(all.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    let last = all.last().expect("there is one").seq;
    let after = |after, limit| {
        read(store, |snapshot| snapshot.get_journal(&JournalQuery { after, limit, ..Default::default() }))
    };
    assert_eq!(after(Some(last - 1), None).len(), 1);
    assert!(after(Some(last), None).is_empty());
    let newest = after(None, Some(2));
    assert_eq!(newest.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [last - 1, last]);
}

/// Signs of life are not events.
pub fn touching_a_session_leaves_no_trace(store: &impl Store) {
    let session = Session {
        id: SessionId::from_stored("auto"),
        task_type: "general".into(),
        kind: SessionKind::Automatic,
        started_at: noon(),
        ended_at: None,
        start_active_hours: ActiveHours::ZERO,
        last_seen_at: noon(),
    };
    let before = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default())).len();
    write(store, |transaction| transaction.touch_session(&session));
    assert_eq!(read(store, |snapshot| snapshot.get_session(&session.id)), Some(session));
    assert_eq!(read(store, |snapshot| snapshot.get_journal(&JournalQuery::default())).len(), before);
}

/// What is too old to be undone loses its values, step by step; uses are counted and removed.
pub fn folding_counts_uses_and_keeps_the_names_of_changes(store: &impl Store) {
    let stored = active("folded");
    insert(store, &[&stored]);
    write(store, |transaction| transaction.reinforce_blocks(std::slice::from_ref(&stored.id), ActiveHours::new(1.0)));
    write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["t"])));
    let position = read(store, |snapshot| snapshot.get_journal_position());
    let mut steps = 1;
    while write(store, |transaction| transaction.fold_journal(position, 1)) {
        steps += 1;
    }
    assert_eq!(steps, position, "one operation at a time");
    let folded = read(store, |snapshot| snapshot.get_folded_journal());
    assert_eq!((folded.through, folded.at), (position, Some(noon())));
    assert_eq!(folded.removed[&elfmem_core::Scope::DEFAULT]["test"], 1, "{folded:?}");
    let log = log_of(store, &stored.id);
    assert_eq!(log.len(), 2, "the use is gone: {log:?}");
    assert!(log.iter().flat_map(|entry| &entry.changes).all(crate::Change::is_folded), "{log:?}");
    let query = JournalQuery { block: Some(stored.id.clone()), ..Default::default() };
    let counts = read(store, |snapshot| snapshot.get_operations(&query));
    assert!(counts.iter().all(|operation| operation.changed == 1 && operation.header == header("test")), "{counts:?}");
    write(store, |transaction| transaction.add_tags(&stored.id, &tags(&["u"])));
    assert_eq!(read(store, |snapshot| snapshot.get_journal_position()), position + 1, "numbers go on");
    assert!(!write(store, |transaction| transaction.fold_journal(position, 10)), "nothing is left");
}

/// Days without an operation do not count.
pub fn the_days_of_use_are_counted_back(store: &impl Store) {
    let mut positions = Vec::new();
    for day in [0i64, 1, 1, 40] {
        let at = elfmem_core::Timestamp::from_second(noon().as_second() + day * 86_400).expect("a time");
        let stored = block(&format!("day {day}, {}", positions.len()));
        let written: Result<(), StoreError> = store.write(&Default::default(), |transaction| {
            transaction.insert_block(&stored)?;
            transaction.describe(crate::JournalHeader { at, ..header("test") });
            Ok(())
        });
        written.expect("the write succeeds");
        positions.push(read(store, |snapshot| snapshot.get_journal_position()));
    }
    let before = |days| read(store, |snapshot| snapshot.get_position_before_days(days));
    assert_eq!((before(1), before(2)), (positions[2], positions[0]));
    assert_eq!(before(100), 0);
}
