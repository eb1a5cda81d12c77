//! Status, history and the journal (seed 001).

use std::sync::Arc;

use elfmem_core::OperationKind;
use elfmem_engine::results::Health;
use elfmem_engine::{AddTags, Dream, Options, ReadLog, Recall, Verify};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_store::Entity;

use crate::fixtures::open_file;
use crate::{clock, memory, memory_at};

#[test]
fn test_status_empty_db_health_good() {
    let status = memory().status().unwrap();
    assert_eq!(status.health, Health::Good);
    assert_eq!((status.inbox_count, status.active_count, status.archived_count), (0, 0, 0));
    assert_eq!(status.suggestion, "Memory empty. Call learn() to add knowledge.");
    assert_eq!(status.last_consolidated, "never");
}

#[test]
fn test_status_inbox_count_reflects_learns() {
    let memory = memory();
    for n in 0..3 {
        memory.learn(format!("fact {n}")).unwrap();
    }
    memory.learn("fact 0").unwrap();
    assert_eq!(memory.status().unwrap().inbox_count, 3);
}

#[test]
fn test_status_full_inbox_health_attention() {
    let memory = memory();
    for n in 0..10 {
        memory.learn(format!("fact {n}")).unwrap();
    }
    let status = memory.status().unwrap();
    assert_eq!(status.health, Health::Attention);
    assert_eq!(status.suggestion, "Inbox full. Call consolidate() to process pending blocks.");
}

#[test]
fn test_status_session_active_flag() {
    let memory = memory();
    assert!(!memory.status().unwrap().session_active);
    memory.begin_session("work").unwrap();
    assert!(memory.status().unwrap().session_active);
}

#[test]
fn test_history_empty_initially() {
    assert!(memory().history(10).is_empty());
}

#[test]
fn test_history_records_learn_operation() {
    let clock = clock();
    let memory = memory_at(&clock);
    let result = memory.learn("User prefers dark mode").unwrap();
    clock.forward_minutes(2.0);
    let record = memory.history(10).remove(0);
    assert_eq!((record.operation.as_str(), &record.summary), ("learn", &result.to_string()));
    assert_eq!(record.to_string(), "learn() → Stored block 058e6f30. Status: created. (2 min ago)");
}

#[test]
fn sessions_are_in_the_history_and_results_give_their_sentence() {
    use elfmem_engine::Summary;
    let memory = memory();
    let begun = memory.begin_session("work").unwrap();
    let ended = memory.end_session().unwrap();
    let summaries: Vec<String> = memory.history(10).into_iter().map(|record| record.summary).collect();
    assert_eq!(summaries, [begun.summary(), ended.summary()]);
}

#[test]
fn test_history_last_n_limit() {
    let memory = memory();
    for n in 0..5 {
        memory.learn(format!("fact {n}")).unwrap();
    }
    memory.recall(Recall::new("fact").top_k(2)).unwrap();
    let last: Vec<OperationKind> = memory.history(2).into_iter().map(|record| record.operation).collect();
    assert_eq!(last, ["learn", "recall"]);
    assert_eq!(memory.history(50).len(), 6);
    assert!(memory.history(0).is_empty());
}

#[test]
fn test_history_max_100_records() {
    let memory = memory();
    for n in 0..105 {
        memory.learn(format!("fact {n}")).unwrap();
    }
    let records = memory.history(1000);
    assert_eq!(records.len(), 100);
    assert!(records[99].summary.contains(memory.last_learned_block_id().unwrap().short()));
}

#[test]
fn the_journal_tells_what_happened_to_a_block_and_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let open = || crate::memory_on(&path, &clock, elfmem_engine::SessionStyle::Held);
    let id = open().learn("watched").unwrap().block_id;
    open().add_tags(AddTags::new(id.as_str(), ["t"])).unwrap();
    open().recall(Recall::new("watched").top_k(1)).unwrap();
    let memory = open();
    let log = memory.log(ReadLog::new().block_id(id.short()).limit(10)).unwrap();
    let operations: Vec<&str> = log.iter().map(|entry| entry.header.operation.as_str()).collect();
    assert_eq!(operations, ["learn", "add_tags", "embed", "recall"], "being shown counts as use");
    assert_eq!(log[0].changes[0].entity, Entity::Block);
    assert_eq!((log[0].header.actor.as_str(), log[0].header.session.is_some()), ("test", true));
    let all = memory.log(ReadLog::new().limit(10)).unwrap();
    assert_eq!(all[0].header.operation, "create");
    assert_eq!(memory.log(ReadLog::new().limit(1)).unwrap().len(), 1);
    assert!(memory.log(ReadLog::new().block_id("ffffffff").limit(10)).is_err());
}

#[test]
fn health_is_degraded_from_a_failed_consolidation_until_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("m.db"), crate::clock());
    let with = |embedder: ScriptedEmbedder| {
        let models = crate::fixtures::models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new()));
        open_file(&path, Options { models, ..crate::options(&clock) })
    };
    let failing = with(ScriptedEmbedder::new(8).failing_every(1));
    failing.learn("a fact").unwrap();
    assert!(failing.dream(Dream::new().dry_run()).is_err());
    assert_eq!(failing.status().unwrap().health, Health::Good, "a rehearsal is no failure");
    failing.consolidate().unwrap_err();
    let working = with(ScriptedEmbedder::new(8));
    let status = working.status().unwrap();
    assert_eq!(status.health, Health::Degraded);
    assert!(status.suggestion.starts_with("The last consolidation failed: "), "{}", status.suggestion);
    working.consolidate().unwrap();
    assert_eq!(working.status().unwrap().health, Health::Good);
}

#[test]
fn a_memory_written_in_the_ordinary_way_is_sound() {
    let memory = memory();
    memory.learn("a fact").unwrap();
    memory.consolidate().unwrap();
    let examined = memory.examine(Verify::new().repair()).unwrap();
    assert!(examined.is_sound() && !examined.repaired, "{examined:?}");
    assert_eq!(examined.to_string(), "The store is sound.");
}
