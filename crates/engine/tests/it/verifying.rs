//! `verify`: everything that is derived is compared with its source and repaired; equal memories have equal sums.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use elfmem_core::ScopeView;
use elfmem_engine::{ListOperations, Options, Recall, Undo, Verification, Verify};
use elfmem_store::{Check, Digest, Store};
use elfmem_store_sqlite::{Overwrite, RunMode};
use rusqlite::Connection;
use serde_json::json;

use crate::fixtures::{FileMemory, exported, imported, open_file};
use crate::verb_calls::{add_review_frame, call, fill, thinking};
use crate::{ManualClock, clock, options};

const MARK: &str = "zebra";

fn open(path: &Path, clock: &Arc<ManualClock>) -> FileMemory {
    open_file(path, Options { models: thinking(&[MARK]), ..options(clock) })
}

fn filled(path: &Path, clock: &Arc<ManualClock>) -> FileMemory {
    let memory = open(path, clock);
    fill(&memory, MARK);
    add_review_frame(&memory);
    memory
}

fn found(memory: &FileMemory) -> Verification {
    memory.verify(Verify::new()).unwrap()
}

fn digest(memory: &FileMemory) -> Digest {
    memory.store().digest().unwrap()
}

/// Damage, and the checks that must find it.
const DERIVED: [(&str, Check); 15] = [
    ("DELETE FROM search_documents WHERE document = 1", Check::Words),
    ("UPDATE search_documents SET coarse = x'00' WHERE coarse IS NOT NULL", Check::Rows),
    ("UPDATE search_documents SET length = length + 1", Check::Rows),
    ("UPDATE blocks SET embedding = x'0000' WHERE status = 'active' AND rowid = 2", Check::Vectors),
    ("UPDATE blocks SET embedding = NULL WHERE status = 'active' AND rowid = 2", Check::Vectors),
    ("UPDATE edges SET from_id = to_id, to_id = from_id", Check::Edges),
    ("UPDATE contradictions SET block_a_id = block_b_id, block_b_id = block_a_id", Check::Edges),
    (
        "INSERT INTO edges (from_id, to_id, weight, created_at) SELECT min(a.id, b.id), max(a.id, b.id), 0.5, '2027-01-01' \
         FROM blocks a JOIN blocks b ON a.status = 'archived' AND b.status = 'active' LIMIT 1",
        Check::Edges,
    ),
    ("UPDATE proposals SET subject = 'something else' WHERE number = 1", Check::Counts),
    ("UPDATE blocks SET confidence = 0.123 WHERE content LIKE '%5432'", Check::Beliefs),
    ("UPDATE blocks SET outcome_evidence = 77 WHERE content LIKE '%5432'", Check::Beliefs),
    ("UPDATE block_outcomes SET confidence_after = 0.999", Check::Beliefs),
    ("UPDATE block_outcomes SET signal = 0.1", Check::Beliefs),
    ("DELETE FROM journal_touched WHERE seq = 3", Check::Journal),
    ("UPDATE journal SET changed = 99 WHERE seq = 3", Check::Journal),
];

/// Damage that cannot be repaired from other rows.
const LOST: [(&str, Check); 8] = [
    ("UPDATE journal SET changes_json = '[' WHERE seq = 3", Check::Journal),
    ("UPDATE journal SET undoes = 999 WHERE seq = 3", Check::Journal),
    ("UPDATE blocks SET category = 'other' WHERE content LIKE '%5432'", Check::Journal),
    ("UPDATE edges SET weight = 0.01", Check::Journal),
    ("DELETE FROM links", Check::Contexts),
    ("DELETE FROM contexts", Check::Contexts),
    ("DELETE FROM contradictions", Check::Journal),
    ("PRAGMA foreign_keys = OFF; INSERT INTO block_tags (block_id, tag) VALUES ('nobody', 'x')", Check::References),
];

fn damaged(damage: &str) -> (tempfile::TempDir, FileMemory) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = filled(&path, &clock());
    assert!(found(&memory).sound);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    other.execute_batch(damage).unwrap();
    (folder, memory)
}

#[test]
fn damage_to_what_is_derived_is_found_and_repaired_and_then_nothing_is_found() {
    for (damage, check) in DERIVED {
        let (_folder, memory) = damaged(damage);
        let told = found(&memory);
        let checks: Vec<Check> = told.findings.iter().map(|finding| finding.check).collect();
        assert!(checks.contains(&check), "{damage}: {told:#?}");
        assert!(told.findings.iter().all(|finding| finding.repairable && !finding.problem.is_empty()), "{told:#?}");
        let repaired = memory.verify(Verify::new().repair()).unwrap();
        assert!(repaired.sound && !repaired.repaired.is_empty(), "{damage}: {repaired:#?}");
        assert!(found(&memory).sound, "{damage}");
        let asked = Recall::new("zebra: the port is 5432").preview();
        assert!(!memory.recall(&asked).unwrap().blocks.is_empty(), "{damage}");
    }
}

#[test]
fn damage_to_what_nothing_else_says_is_found_and_named_as_beyond_repair() {
    for (damage, check) in LOST {
        let (_folder, memory) = damaged(damage);
        let told = memory.verify(Verify::new().repair()).unwrap();
        assert!(!told.sound && told.repaired.is_empty(), "{damage}: {told:#?}");
        let named = told.findings.iter().any(|finding| finding.check == check && !finding.repairable);
        assert!(named, "{damage}: {told:#?}");
    }
}

#[test]
fn too_many_machine_made_edges_are_found_and_the_weakest_go() {
    let (_folder, memory) = damaged("");
    let texts: Vec<String> = (0..14).map(|number| format!("Number {number} of many")).collect();
    let ids: Vec<String> = texts
        .iter()
        .map(|text| call(&memory, "learn", json!({"content": text}))["block_id"].as_str().unwrap().into())
        .collect();
    let other = Connection::open(memory.store().path().unwrap()).unwrap();
    for (at, id) in ids[1..].iter().enumerate() {
        let ends = BTreeSet::from([&ids[0], id]);
        let ends: Vec<_> = ends.into_iter().collect();
        let sql = "INSERT INTO edges (from_id, to_id, weight, created_at) VALUES (?1, ?2, ?3, '2027-01-01')";
        other.execute(sql, rusqlite::params![ends[0], ends[1], 0.2 + at as f64 / 100.0]).unwrap();
    }
    let told = memory.verify(Verify::new().repair()).unwrap();
    assert!(told.sound && told.repaired[0].check == Check::Edges, "{told:#?}");
    assert_eq!(told.repaired[0].places, [ids[0].clone()]);
    let kept: f64 = other.query_row("SELECT min(weight) FROM edges WHERE weight < 0.4", [], |row| row.get(0)).unwrap();
    assert!((kept - 0.23).abs() < 1e-9, "{kept}");
}

#[test]
fn a_repaired_belief_is_what_it_was_and_the_repair_is_in_the_journal_and_stays() {
    let (_folder, memory) = damaged("");
    let before = digest(&memory).memory;
    let other = Connection::open(memory.store().path().unwrap()).unwrap();
    other.execute("UPDATE blocks SET confidence = 0.01 WHERE content LIKE '%5432'", []).unwrap();
    assert_ne!(digest(&memory).memory, before);
    assert!(memory.verify(Verify::new().repair()).unwrap().sound);
    assert_eq!(digest(&memory).memory, before);
    let last = memory.operations(ListOperations::new().limit(1)).unwrap().remove(0);
    assert_eq!(last.operation, "repair");
    assert!(memory.undo(Undo::operation(last.seq)).unwrap_err().message().contains("agree with its source"));
}

#[test]
fn equal_memories_have_equal_sums_whatever_happened_to_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = filled(&path, &clock);
    let before = digest(&memory);
    let copy = folder.path().join("copy.db");
    memory.store().backup(&copy, Overwrite::Refuse, RunMode::Write, &mut |_, _| {}).unwrap();
    assert_eq!(digest(&open(&copy, &clock)), before, "a backup");
    assert!(memory.store().scrub().unwrap());
    assert_eq!(digest(&memory), before, "a file that was written anew");
    Connection::open(&path).unwrap().execute("UPDATE search_documents SET length = 99", []).unwrap();
    assert_eq!(digest(&memory), before, "what is derived does not count");
    assert!(memory.verify(Verify::new().repair()).unwrap().sound);
    assert_eq!(digest(&memory), before, "a repair");
    drop(memory);
    let memory = open(&path, &clock);
    assert_eq!(digest(&memory), before, "opened again");
    let other = open(&folder.path().join("other.db"), &clock);
    imported(&other, &exported(&memory, true));
    assert_eq!(digest(&other).memory, before.memory, "an export and an import");
    assert_ne!(digest(&other).everything, before.everything, "which has another journal");
    assert_eq!(digest(&memory).journal, before.journal);
}

/// Every table and column that is not made from others.
fn columns(database: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
               AND m.name NOT GLOB 'sqlite_*' AND m.name NOT GLOB 'search_*' \
               AND m.name NOT IN ('journal_touched', 'staged_vectors')";
    let mut statement = database.prepare(sql).unwrap();
    let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    columns.map(Result::unwrap).collect()
}

#[test]
fn any_change_of_a_single_column_gives_another_sum() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let before = digest(&filled(&path, &clock));
    let mut untried: BTreeSet<String> = BTreeSet::new();
    let mut tried: BTreeSet<String> = BTreeSet::new();
    for (table, column) in columns(&Connection::open(&path).unwrap()) {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).unwrap();
        let other = Connection::open(&copy).unwrap();
        other.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        let sql = format!(
            "UPDATE {table} SET {column} = CASE typeof({column}) WHEN 'null' THEN 'x' WHEN 'text' THEN {column} || 'x' \
             WHEN 'blob' THEN x'00' ELSE {column} + 1000 END"
        );
        let one = format!("{sql} WHERE rowid = (SELECT min(rowid) FROM {table})");
        // Tables without numbered rows are changed whole.
        let changed = other.execute(&one, []).or_else(|_| other.execute(&sql, [])).unwrap();
        drop(other);
        if changed == 0 {
            untried.insert(table);
            continue;
        }
        let now = digest(&open(&copy, &clock));
        let which = (table.as_str(), column.as_str());
        let incidental = which == ("events", "number") || which.1 == "position";
        let not_remembered = ["journal", "sessions", "system_config"].contains(&which.0)
            || [
                ("blocks", "embedding"),
                ("blocks", "embedding_model"),
                ("blocks", "revision"),
                ("frames", "created_at"),
            ]
            .contains(&which);
        assert_eq!(now.everything == before.everything, incidental, "{which:?}");
        assert_eq!(now.memory == before.memory, incidental || not_remembered, "{which:?}");
        tried.insert(table);
    }
    assert!(tried.len() >= 15, "{tried:?}");
    assert!(
        untried.iter().all(|table| ["co_retrieval_staging", "tombstones"].contains(&table.as_str())),
        "{untried:?}"
    );
}

#[test]
fn what_is_wrong_in_a_scope_is_named_only_there() {
    let (folder, memory) = damaged("");
    let in_a = ScopeView::only(elfmem_core::Scope::parse("a").unwrap());
    let elsewhere = open_file(&folder.path().join("memory.db"), Options { view: in_a, ..options(&clock()) });
    let other = Connection::open(memory.store().path().unwrap()).unwrap();
    other.execute("UPDATE blocks SET confidence = 0.01 WHERE content LIKE '%5432'", []).unwrap();
    let told = elsewhere.verify(Verify::new().repair()).unwrap();
    assert_eq!(told.findings.len(), 1, "{told:#?}");
    assert!(
        told.findings[0].problem.contains("(1 of other scopes)") && told.findings[0].places.is_empty(),
        "{told:#?}"
    );
    assert!(!told.findings[0].repairable, "{told:#?}");
    assert!(memory.verify(Verify::new().repair()).unwrap().sound);
}
