//! The agent contract of the library: what is exported and what is recorded.

use elfmem_core::OperationKind;
use elfmem_engine::{
    ConsolidateResult, CurateResult, FrameResult, LearnResult, ListOperations, OperationRecord, RenderFrame,
    ScoredBlock, SessionStyle, SystemStatus,
};

use crate::{clock, memory, memory_on};

/// Public under the names of the seed; this compiles or it does not.
#[test]
fn the_types_of_the_seed_are_exported() {
    fn is_a_result<T: serde::Serialize + std::fmt::Display + Send>() {}
    is_a_result::<LearnResult>();
    is_a_result::<ConsolidateResult>();
    is_a_result::<FrameResult>();
    is_a_result::<CurateResult>();
    is_a_result::<ScoredBlock>();
    is_a_result::<SystemStatus>();
    is_a_result::<OperationRecord>();
    let names = [
        elfmem_engine::ErrorKind::Session,
        elfmem_engine::ErrorKind::Config,
        elfmem_engine::ErrorKind::Storage,
        elfmem_engine::ErrorKind::Frame,
    ]
    .map(elfmem_engine::ErrorKind::as_str);
    assert_eq!(names, ["SessionError", "ConfigError", "StorageError", "FrameError"]);
}

#[test]
fn frames_and_sessions_are_recorded_in_the_history() {
    let memory = memory();
    memory.begin_session("work").unwrap();
    memory.learn("a fact").unwrap();
    memory.frame(RenderFrame::new("attention").query("fact")).unwrap();
    memory.end_session().unwrap();
    let records = memory.history(10);
    let operations: Vec<OperationKind> = records.iter().map(|record| record.operation.clone()).collect();
    assert_eq!(operations, ["begin_session", "learn", "frame", "end_session"]);
    assert_eq!(records[2].summary, "attention frame: 1 blocks.", "the sentence of the result");
}

#[test]
fn the_status_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    memory.learn("a fact").unwrap();
    // Every setting too: the clock of use and the stamp of the last activity are among them.
    let settings = || -> Vec<(String, String)> {
        let connection = rusqlite::Connection::open(&path).unwrap();
        let mut statement = connection.prepare("SELECT key, value FROM system_config ORDER BY key").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = (crate::state::state(&memory), settings());
    clock.forward_minutes(5.0);
    memory.status().unwrap();
    crate::state::assert_same_state(&crate::state::state(&memory), &before.0);
    assert_eq!(settings(), before.1);
    assert_eq!(memory.operations(ListOperations::new().limit(10)).unwrap().len(), 2);
}
