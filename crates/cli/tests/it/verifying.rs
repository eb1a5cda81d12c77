//! `verify`: what it prints, what it ends with, and sums that copies share.

use crate::Sandbox;

fn damage(sandbox: &Sandbox, sql: &str) {
    rusqlite::Connection::open(sandbox.file("m.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_sound_memory_agrees_with_itself_and_a_copy_has_its_sums() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Maria is allergic to peanuts", "--db", "m.db"]);
    assert_eq!(sandbox.ok(&["verify", "--db", "m.db"]), "The memory is consistent.\n");
    let sums = sandbox.run(&["verify", "--db", "m.db", "--digest", "--json"]).json()["digest"].clone();
    assert_eq!(sums["memory"].as_str().map(str::len), Some(64), "{sums}");
    sandbox.ok(&["backup", "copy.db", "--db", "m.db"]);
    assert_eq!(sandbox.run(&["verify", "--db", "copy.db", "--digest", "--json"]).json()["digest"], sums);
    let exported = sandbox.run(&["export", "--db", "m.db"]).stdout;
    std::fs::write(sandbox.file("m.jsonl"), exported).unwrap();
    sandbox.ok(&["import", "m.jsonl", "--db", "other.db"]);
    let other = sandbox.run(&["verify", "--db", "other.db", "--digest", "--json"]).json()["digest"].clone();
    assert_eq!(other["memory"], sums["memory"]);
    let told = sandbox.ok(&["verify", "--db", "m.db", "--digest"]);
    assert!(told.contains(sums["everything"].as_str().unwrap()), "{told}");
    sandbox.ok(&["remember", "something else", "--db", "m.db"]);
    let changed = sandbox.run(&["verify", "--db", "m.db", "--digest", "--json"]).json()["digest"].clone();
    assert!(["memory", "journal", "everything"].iter().all(|sum| changed[sum] != sums[sum]), "{changed}");
}

#[test]
fn what_is_wrong_is_named_ends_with_code_one_and_is_repaired() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Maria is allergic to peanuts", "--db", "m.db"]);
    damage(&sandbox, "UPDATE blocks SET confidence = 0.9; DELETE FROM search_documents");
    let found = sandbox.run(&["verify", "--db", "m.db", "--json"]);
    assert_eq!((found.code, found.json()["sound"].as_bool()), (1, Some(false)));
    let checks: Vec<String> =
        found.json()["findings"].as_array().unwrap().iter().map(|one| one["check"].to_string()).collect();
    assert_eq!(checks, ["\"words\"", "\"beliefs\""], "{found:?}");
    assert_eq!(found.json()["findings"][1]["where"].as_array().map(Vec::len), Some(1));
    let told = sandbox.run(&["verify", "--db", "m.db"]);
    assert!(told.code == 1 && told.stdout.contains("verify --repair makes it anew"), "{told:?}");
    let doctor = sandbox.run(&["doctor", "--db", "m.db"]);
    assert!(doctor.code == 1 && doctor.stdout.contains("is not in the full-text index"), "{doctor:?}");
    let repaired = sandbox.ok(&["verify", "--db", "m.db", "--repair"]);
    assert!(repaired.contains("repaired") && repaired.contains("2 were repaired."), "{repaired}");
    assert!(sandbox.ok(&["log", "--db", "m.db"]).contains("Set beliefs to what outcomes and links add up to."));
    sandbox.ok(&["doctor", "--db", "m.db"]);
    damage(&sandbox, "UPDATE blocks SET source = 'someone else'");
    let lost = sandbox.run(&["verify", "--db", "m.db", "--repair"]);
    assert!(lost.code == 1 && lost.stdout.contains("go back to a backup"), "{lost:?}");
}
