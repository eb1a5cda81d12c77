//! `doctor`: a sound set-up is called so, and each thing that can be wrong is found with a way out that works.

use crate::{Answer, Sandbox};

fn problems(answer: &Answer) -> Vec<String> {
    let checks = answer.json()["checks"].as_array().unwrap().clone();
    let wrong = checks.iter().filter(|check| check["verdict"] == "problem");
    wrong.map(|check| format!("{}: {}", check["name"].as_str().unwrap(), check["detail"].as_str().unwrap())).collect()
}

#[test]
fn a_sound_memory_has_nothing_wrong_and_no_key_is_asked_for() {
    let sandbox = Sandbox::new();
    let empty = sandbox.run(&["doctor", "--json"]);
    assert_eq!((empty.code, problems(&empty)), (0, vec![]), "{empty:?}");
    sandbox.ok(&["remember", "a fact"]);
    sandbox.ok(&["dream"]);
    let told = sandbox.ok(&["doctor", "--online"]);
    assert!(told.contains("Nothing is wrong.") && told.contains("full-text index are sound"), "{told}");
    assert!(!told.to_lowercase().contains("key for"), "{told}");
}

#[test]
fn a_full_text_index_out_of_step_is_found_and_fixed() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Maria is allergic to peanuts", "--db", "m.db"]);
    let database = rusqlite::Connection::open(sandbox.file("m.db")).unwrap();
    database.execute("DELETE FROM search_documents", []).unwrap();
    drop(database);
    let found = sandbox.run(&["doctor", "--db", "m.db", "--json"]);
    assert_eq!((found.code, found.json()["sound"].as_bool()), (1, Some(false)));
    assert!(problems(&found)[0].contains("is not in the full-text index"), "{found:?}");
    let status = sandbox.run(&["status", "--db", "m.db", "--json"]).json();
    assert_eq!(status["health"], "degraded", "{status}");
    let fixed = sandbox.ok(&["doctor", "--db", "m.db", "--fix"]);
    assert!(fixed.contains("it was made anew") && fixed.contains("Nothing is wrong."), "{fixed}");
    assert_eq!(sandbox.run(&["doctor", "--db", "m.db"]).code, 0);
    assert_eq!(sandbox.run(&["status", "--db", "m.db", "--json"]).json()["health"], "good");
}

#[test]
fn wrong_settings_other_models_broken_files_and_torn_registrations_are_named() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.file("work/.git")).unwrap();
    let at_work = |arguments: &[&str]| -> Answer {
        sandbox.command(arguments).current_dir(sandbox.file("work")).output().unwrap().into()
    };
    let doctor_says = |beginning: &str| {
        let answer = at_work(&["doctor", "--json"]);
        assert_eq!(answer.code, 1);
        assert!(problems(&answer).iter().any(|problem| problem.starts_with(beginning)), "{beginning}: {answer:?}");
    };
    for arguments in [&["init"][..], &["remember", "a fact"], &["dream"], &["doctor"]] {
        assert_eq!(at_work(arguments).code, 0, "{arguments:?}");
    }
    let memory = sandbox.file("work/.elfmem/memory.db");
    let database = rusqlite::Connection::open(&memory).unwrap();
    let changed = database.execute("UPDATE system_config SET value = 'another' WHERE key LIKE '%embedding_model%'", []);
    assert_eq!(changed.unwrap(), 1);
    drop(database);
    doctor_says("model lock: ");
    std::fs::write(sandbox.file("work/.mcp.json"), "{").unwrap();
    doctor_says("mcp: ");
    std::fs::write(&memory, "this is no database, whatever its name says").unwrap();
    doctor_says("memory: ");
    std::fs::write(sandbox.file("work/.elfmem/config.toml"), "[memory]\ninbox_treshold = 5\n").unwrap();
    doctor_says("settings: ");
}
