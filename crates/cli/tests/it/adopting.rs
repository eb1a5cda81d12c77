//! Memories of the Python elfmem: noticed, taken over, imported.

use rusqlite::Connection;

use crate::Sandbox;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../store-sqlite/tests/fixtures");

/// Puts a memory of the Python elfmem at a place in the sandbox.
fn python(sandbox: &Sandbox, name: &str, change: &str) -> String {
    let path = sandbox.file(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let script = std::fs::read_to_string(format!("{FIXTURES}/python-0.20.sql")).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&script).unwrap();
    connection.execute_batch(change).unwrap();
    path.display().to_string()
}

#[test]
fn status_and_doctor_name_the_command_that_brings_the_python_memory_in_until_it_was_run() {
    let sandbox = Sandbox::new();
    let agent = python(&sandbox, ".elfmem/agent.db", "");
    let project = python(&sandbox, ".elfmem/databases/shop.db", "");
    sandbox.ok(&["remember", "a fact", "--db", "m.db"]);
    let command = format!("elfmem import {agent}");
    let status = sandbox.ok(&["status", "--db", "m.db"]);
    assert!(status.contains(&command) && status.contains("holds 6 blocks") && status.contains(&project), "{status}");
    let json = sandbox.run(&["status", "--json", "--db", "m.db"]).json();
    assert_eq!(json["python_memories"][0]["command"], command);
    let doctor = sandbox.run(&["doctor", "--db", "m.db"]).stdout;
    assert!(doctor.contains(&command), "{doctor}");

    let before = std::fs::read(&agent).unwrap();
    let imported = sandbox.ok(&["import", &agent, "--db", "m.db"]);
    assert!(imported.contains("6 blocks created") && imported.contains("setting peer_identity"), "{imported}");
    assert!(std::fs::read(&agent).unwrap() == before, "the file stays as it is");
    let status = sandbox.ok(&["status", "--db", "m.db"]);
    assert!(!status.contains(&command) && status.contains(&project), "{status}");
    Connection::open(&agent)
        .unwrap()
        .execute_batch(
            "INSERT INTO blocks (id, content, category, source, created_at, status, confidence, reinforcement_count, decay_lambda, \
             last_reinforced_at, outcome_evidence) SELECT 'abab', 'said later', category, source, created_at, status, confidence, \
             0, decay_lambda, 0, 0 FROM blocks LIMIT 1",
        )
        .unwrap();
    assert!(sandbox.ok(&["status", "--db", "m.db"]).contains(&command), "it holds more since");
}

#[test]
fn adopt_reports_what_was_found_changed_and_backed_up() {
    let sandbox = Sandbox::new();
    python(&sandbox, "old.db", "");
    let rehearsed = sandbox.ok(&["adopt", "old.db", "--dry-run"]);
    assert!(rehearsed.starts_with("Nothing was changed."), "{rehearsed}");
    let report = sandbox.ok(&["adopt", "old.db"]);
    for words in
        ["schema 9", "4 active, 1 inbox and 1 archived blocks", "Changed", "The database as it was is old.db.before-v"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(sandbox.ok(&["adopt", "old.db"]).starts_with("old.db was taken over before"));
    let answer = sandbox.run(&["verify", "--db", "old.db"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
    let doctor = sandbox.run(&["doctor", "--db", "old.db"]);
    assert_eq!(doctor.code, 0, "{doctor:?}");
    sandbox.ok(&["remember", "a fact", "--db", "m.db"]);
    assert!(sandbox.ok(&["adopt", "m.db"]).contains("is a memory of this elfmem already"));
}

#[test]
fn any_command_that_takes_a_database_over_says_so_once() {
    let sandbox = Sandbox::new();
    python(&sandbox, "old.db", "");
    let first = sandbox.run(&["status", "--db", "old.db"]);
    assert!(first.stderr.contains("Took over a database of the Python elfmem"), "{first:?}");
    assert_eq!(sandbox.run(&["status", "--db", "old.db"]).stderr, "");
}

#[test]
fn a_row_that_cannot_be_read_is_named_and_can_be_left_out() {
    let sandbox = Sandbox::new();
    let change = "UPDATE blocks SET created_at = 'tuesday' WHERE id = '0df8edae6b966de1'";
    python(&sandbox, "old.db", change);
    let files = || std::fs::read_dir(sandbox.path()).unwrap().count();
    let before = files();
    let refused = sandbox.fails(&["status", "--db", "old.db"]);
    for words in ["blocks '0df8edae6b966de1'", "created_at", "'tuesday'", "elfmem adopt FILE --leave-out"] {
        assert!(refused.contains(words), "{words}: {refused}");
    }
    assert_eq!(files(), before, "no litter");
    assert!(sandbox.fails(&["import", "old.db", "--db", "m.db"]).contains("'tuesday'"));
    assert!(sandbox.ok(&["import", "old.db", "--leave-out", "--db", "m.db"]).contains("created_at is no time"));
    let report = sandbox.ok(&["adopt", "old.db", "--leave-out"]);
    assert!(report.contains("Left out blocks '0df8edae6b966de1'"), "{report}");
}
