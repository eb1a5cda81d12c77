//! The agent contract of the library: what is exported, what every verb's documentation says, what is recorded.

use std::path::{Path, PathBuf};

use elfmem_core::OperationKind;
use elfmem_engine::catalog::{self, VerbId};
use elfmem_engine::{
    ConsolidateResult, CurateResult, FrameResult, LearnResult, OperationRecord, ScoredBlock, SystemStatus,
};

use crate::memory;

/// Every source file below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The documentation of a method of the memory.
fn documentation(name: &str, texts: &[String]) -> Option<String> {
    let header = format!("    pub fn {name}");
    for text in texts {
        let lines: Vec<&str> = text.lines().collect();
        let is_it = |line: &&str| line.strip_prefix(&header).is_some_and(|rest| rest.starts_with(['(', '<']));
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_it(line)) {
            let takes_self = lines[at..].iter().take(6).any(|line| line.contains("&self"));
            let above = lines[..at].iter().rev().take_while(|line| line.trim_start().starts_with("///"));
            let mut doc: Vec<&str> = above.map(|line| line.trim_start().trim_start_matches("///").trim()).collect();
            doc.reverse();
            if takes_self && !doc.is_empty() {
                return Some(doc.join(" "));
            }
        }
    }
    None
}

#[test]
fn the_documentation_of_every_verb_says_when_to_use_it_what_it_costs_and_what_follows() {
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for verb in catalog::all() {
        let method = match verb.id {
            VerbId::Consolidate => "dream",
            VerbId::History => "operations",
            _ => verb.name,
        };
        let doc = documentation(method, &texts).unwrap_or_else(|| panic!("{method} has no documentation"));
        let without_negation = doc.replace("DON'T USE WHEN:", "");
        assert!(without_negation.contains("USE WHEN:"), "{method}: USE WHEN");
        for part in ["DON'T USE WHEN:", "COST:", "RETURNS:", "NEXT:"] {
            assert!(doc.contains(part), "{method}: {part} is missing");
        }
    }
}

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
    memory.frame("attention", Some("fact"), None).unwrap();
    memory.end_session().unwrap();
    let operations: Vec<OperationKind> = memory.history(10).into_iter().map(|record| record.operation).collect();
    assert_eq!(operations, ["begin_session", "learn", "frame", "end_session"]);
}

#[test]
fn the_status_changes_nothing() {
    let memory = memory();
    memory.learn("a fact").unwrap();
    let before = crate::state::state(&memory);
    memory.status().unwrap();
    crate::state::assert_same_state(&crate::state::state(&memory), &before);
    assert_eq!(memory.operations(10).unwrap().len(), 2);
}
