//! The files that the program makes: who can read them, and what is left when there is no room.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::http::Server;
use crate::{Answer, Sandbox, clear_error};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Every file and folder below a folder.
fn below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(below(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

#[test]
fn memories_backups_and_exports_are_for_their_owner_alone() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "m.db"]);
    sandbox.ok(&["backup", "copy.db", "--db", "m.db"]);
    sandbox.ok(&["export", "out.jsonl", "--db", "m.db"]);
    sandbox.ok(&["export", "--format", "markdown", "pages", "--db", "m.db"]);
    sandbox.ok(&["restore-backup", "copy.db", "--yes", "--db", "m.db"]);
    let all = below(sandbox.path());
    assert!(all.len() >= 6, "{all:?}");
    for path in all {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), wanted, "{} has {:o}", path.display(), mode(&path));
    }
    // A file that others could read is replaced by one that they cannot.
    std::fs::set_permissions(sandbox.file("out.jsonl"), std::fs::Permissions::from_mode(0o644)).unwrap();
    sandbox.ok(&["export", "out.jsonl", "--force", "--db", "m.db"]);
    assert_eq!(mode(&sandbox.file("out.jsonl")), 0o600);
}

#[test]
fn a_memory_that_others_can_read_is_noted_by_the_doctor() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "m.db"]);
    assert!(!sandbox.ok(&["doctor", "--db", "m.db"]).contains("chmod"));
    std::fs::set_permissions(sandbox.file("m.db"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let told = sandbox.ok(&["doctor", "--db", "m.db"]);
    assert!(told.contains("others can read") && told.contains("chmod 600"), "{told}");
}

#[test]
fn tokens_that_others_can_read_are_refused_with_the_command_that_helps() {
    let sandbox = Sandbox::new();
    for allowed in [0o644, 0o640, 0o604] {
        sandbox.write_private("my tokens", "0123456789abcdef\n");
        std::fs::set_permissions(sandbox.file("my tokens"), std::fs::Permissions::from_mode(allowed)).unwrap();
        let error = sandbox.fails(&["serve", "--http", "127.0.0.1:0", "--token-file", "my tokens"]);
        assert!(error.contains("Others can read the tokens") && error.contains("chmod 600 'my tokens'"), "{error}");
    }
    std::fs::set_permissions(sandbox.file("my tokens"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let server = Server::start(&sandbox, &["--token-file", "my tokens"]);
    assert_eq!(server.send("GET", "/api/v1", &[("Authorization", "Bearer 0123456789abcdef")], "").status, 200);
    server.stop();
}

/// Runs the program with a limit on the size of files, in blocks of the shell.
fn limited(sandbox: &Sandbox, blocks: u32, arguments: &str) -> Answer {
    let program = env!("CARGO_BIN_EXE_elfmem");
    let script = format!("ulimit -f {blocks} && exec '{program}' {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(sandbox.path()).env("HOME", sandbox.path());
    command.output().unwrap().into()
}

#[test]
fn a_limit_on_file_sizes_is_an_error_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let text: String = (0..400).map(|number| format!("Shelf {number} holds jars of kind {}. ", number * 7)).collect();
    std::fs::write(sandbox.file("shelves.txt"), text).unwrap();
    sandbox.ok(&["learn-document", "shelves.txt", "--db", "m.db"]);
    let before = below(sandbox.path());
    // 100 blocks are 50 or 100 KB; the memory is larger than both.
    assert!(std::fs::metadata(sandbox.file("m.db")).unwrap().len() > 200_000);
    for arguments in
        ["backup copy.db --db m.db", "export out.jsonl --db m.db", "export --format markdown pages --db m.db"]
    {
        // An export holds neither indexes nor the journal.
        let refused = limited(&sandbox, if arguments.starts_with("export") { 20 } else { 100 }, arguments);
        if arguments.contains("markdown") && refused.code == 0 {
            // Every page is small enough.
            continue;
        }
        assert_eq!(refused.code, 1, "{arguments}: {refused:?}");
        clear_error(&refused);
        let mut after = below(sandbox.path());
        after.retain(|path| {
            !path.display().to_string().ends_with("-wal") && !path.display().to_string().ends_with("-shm")
        });
        assert_eq!(after, before, "{arguments}");
    }
    let refused = limited(&sandbox, 100, "learn-document shelves.txt --name again --chunk-words 7 --db m.db");
    assert!(clear_error(&refused).contains("a limit on file sizes was reached"), "{refused:?}");
    // The memory is as it was.
    sandbox.ok(&["verify", "--db", "m.db"]);
}

#[test]
fn a_database_in_memory_is_refused_by_every_command_and_named_for_what_it_is() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["remember", "x"][..], &["recall", "x"], &["ls"], &["status"], &["backup", "copy.db"], &["export"]]
    {
        let error = sandbox.fails(&[arguments, &["--db", ":memory:"]].concat());
        assert!(error.contains("':memory:' names no file, and nothing stored there would last"), "{error}");
    }
    assert!(below(sandbox.path()).is_empty(), "{:?}", below(sandbox.path()));
}

#[test]
fn a_running_server_does_not_go_on_with_a_memory_that_a_newer_program_migrated() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    server.done("learn", &serde_json::json!({"content": "Ana keeps bees"}));
    assert_eq!(server.send("GET", "/healthz", &[], "").status, 200);
    let other = rusqlite::Connection::open(sandbox.file("m.db")).unwrap();
    let version: i64 = other.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    other.pragma_update(None, "user_version", version + 1).unwrap();
    for (verb, arguments) in [("learn", r#"{"content": "by an old program"}"#), ("recall", r#"{"query": "bees"}"#)] {
        let refused = server.verb(verb, &serde_json::from_str(arguments).unwrap()).problem(503);
        assert!(refused["detail"].as_str().unwrap().contains("newer"), "{refused}");
        assert!(refused["recovery"].as_str().unwrap().contains("Upgrade elfmem"), "{refused}");
    }
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    assert_eq!(server.send("GET", "/healthz", &[], "").status, 503);
    let blocks: i64 = other.query_row("SELECT count(*) FROM blocks", [], |row| row.get(0)).unwrap();
    assert_eq!(blocks, 1);
    other.pragma_update(None, "user_version", version).unwrap();
    server.stop();
}

#[test]
fn an_export_to_a_terminal_spells_out_what_the_terminal_would_obey() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "cranes \u{202e}need\u{9b}31m grease", "--db", "m.db"]);
    let told = sandbox.run(&["export", "-", "--db", "m.db"]);
    assert!(told.stdout.contains(r"cranes \u202eneed\u009b31m grease"), "{}", told.stdout);
    std::fs::write(sandbox.file("out.jsonl"), &told.stdout).unwrap();
    sandbox.ok(&["import", "out.jsonl", "--db", "other.db"]);
    let content = sandbox.run(&["ls", "--json", "--db", "other.db"]).json()["blocks"][0]["content"].clone();
    assert_eq!(content, "cranes \u{202e}need\u{9b}31m grease");
}
