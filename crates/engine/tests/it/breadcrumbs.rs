//! What a session touched (seed 000, group 10).

use elfmem_engine::{RenderFrame, SessionStyle};

use crate::{clock, memory, memory_at, memory_on};

#[test]
fn test_last_learned_block_id_set_after_learn() {
    let memory = memory();
    assert_eq!(memory.last_learned_block_id(), None);
    let id = memory.learn("one").unwrap().block_id;
    assert_eq!(memory.last_learned_block_id(), Some(id.clone()));
    let two = memory.remember("two").unwrap().block_id;
    memory.learn("one").unwrap();
    assert_eq!(memory.last_learned_block_id(), Some(two), "a duplicate is not learned");
    assert_ne!(memory.last_learned_block_id(), Some(id));
}

#[test]
fn test_last_recall_block_ids_set_after_recall() {
    let memory = memory();
    let id = memory.learn("apples are red").unwrap().block_id;
    assert!(memory.last_recall_block_ids().is_empty());
    memory.recall("apples").unwrap();
    assert_eq!(memory.last_recall_block_ids(), [id]);
    memory.recall("?!").unwrap();
    assert!(memory.last_recall_block_ids().is_empty());
}

#[test]
fn test_session_block_ids_accumulates_across_operations() {
    let memory = memory();
    let one = memory.learn("apples are red").unwrap().block_id;
    let two = memory.learn("pears are green").unwrap().block_id;
    memory.recall("apples").unwrap();
    assert_eq!(memory.session_block_ids(), [one, two]);
}

#[test]
fn test_breadcrumbs_reset_on_begin_session() {
    let memory = memory();
    memory.learn("apples are red").unwrap();
    memory.recall("apples").unwrap();
    memory.begin_session("work").unwrap();
    assert_eq!(memory.last_learned_block_id(), None);
    assert!(memory.last_recall_block_ids().is_empty() && memory.session_block_ids().is_empty());
    memory.learn("in the session").unwrap();
    assert_eq!(memory.session_block_ids().len(), 1);
}

#[test]
fn a_long_pause_starts_the_breadcrumbs_anew() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.learn("before").unwrap();
    clock.forward_minutes(45.0);
    memory.learn("after").unwrap();
    assert_eq!(memory.session_block_ids().len(), 1);
}

#[test]
fn a_frame_leaves_what_it_showed() {
    let memory = memory();
    let id = memory.learn("apples are red").unwrap().block_id;
    let shown = memory.frame(RenderFrame::new("attention").query("apples")).unwrap();
    assert_eq!(shown.blocks.iter().map(|block| &block.id).collect::<Vec<_>>(), [&id]);
    assert_eq!(memory.last_recall_block_ids(), [id]);
}

#[test]
fn breadcrumbs_are_kept_in_memory_only() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let first = memory_on(&path, &clock, SessionStyle::Detached);
    first.learn("apples are red").unwrap();
    first.recall("apples").unwrap();
    assert!(first.last_learned_block_id().is_some() && !first.last_recall_block_ids().is_empty());
    drop(first);
    let memory = memory_on(&path, &clock, SessionStyle::Detached);
    assert_eq!(memory.last_learned_block_id(), None);
    assert!(memory.last_recall_block_ids().is_empty() && memory.session_block_ids().is_empty());
}
