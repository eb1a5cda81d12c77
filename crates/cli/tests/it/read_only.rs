//! A memory that can only be read: of another user, in a folder that cannot be written, with and without a log beside it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::http::Server;
use crate::mcp::Client;
use crate::{Answer, Sandbox, clear_error};

/// A user who owns nothing.
const NOBODY: u32 = 65_534;

/// What is closed for writing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Closed {
    File,
    Folder,
    Both,
}

/// A memory in a folder of its own, and a copy of the program that anybody may start.
struct Shelf {
    sandbox: Sandbox,
    program: PathBuf,
}

impl Shelf {
    fn new(with_log: bool) -> Self {
        let sandbox = Sandbox::new();
        let (folder, program) = (sandbox.file("shelf"), sandbox.file("elfmem-for-all"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_elfmem"), &program).unwrap();
        for text in ["Ana keeps bees", "The office closes at six"] {
            sandbox.ok(&["remember", text, "--db", "shelf/memory.db"]);
        }
        if with_log {
            // As a process leaves it that was killed: what it wrote last is in the log alone.
            let connection = rusqlite::Connection::open(folder.join("memory.db")).unwrap();
            connection.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
            connection.execute("UPDATE blocks SET source = 'log' WHERE content = 'Ana keeps bees'", []).unwrap();
            let kept: Vec<(PathBuf, Vec<u8>)> = ["memory.db", "memory.db-wal"]
                .map(|name| (folder.join(name), std::fs::read(folder.join(name)).unwrap()))
                .into();
            drop(connection);
            for (path, bytes) in kept {
                std::fs::write(path, bytes).unwrap();
            }
        }
        Self { sandbox, program }
    }

    fn folder(&self) -> PathBuf {
        self.sandbox.file("shelf")
    }

    fn close(&self, closed: Closed) {
        let (file, folder) = match closed {
            Closed::File => (0o444, 0o777),
            Closed::Folder => (0o666, 0o555),
            Closed::Both => (0o444, 0o555),
        };
        for name in files_in(&self.folder()) {
            set_mode(&self.folder().join(name), file);
        }
        set_mode(&self.folder(), folder);
    }

    /// Runs the program as one who may not write what is closed.
    fn run(&self, arguments: &[&str]) -> Answer {
        self.command(arguments).output().unwrap().into()
    }

    /// The program as one starts it who may not write what is closed.
    fn command(&self, arguments: &[&str]) -> Command {
        let typed = self.sandbox.command(&[arguments, &["--db", "shelf/memory.db"]].concat());
        let mut command = Command::new(&self.program);
        command.args(typed.get_args()).current_dir(self.sandbox.path()).env("HOME", self.sandbox.path());
        for (name, value) in typed.get_envs().filter(|(_, value)| value.is_none()) {
            assert!(value.is_none());
            command.env_remove(name);
        }
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        set_mode(&self.folder(), 0o755);
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn what_can_only_be_read_is_read_and_nothing_is_left_beside_it() {
    for with_log in [false, true] {
        for closed in [Closed::File, Closed::Folder, Closed::Both] {
            let shelf = Shelf::new(with_log);
            set_mode(shelf.sandbox.path(), 0o755);
            shelf.close(closed);
            let case = format!("{closed:?}, log: {with_log}");
            let before: Vec<(String, Vec<u8>)> =
                files_in(&shelf.folder()).into_iter().map(|name| (name.clone(), read(&shelf, &name))).collect();
            assert_eq!(before.len(), if with_log { 3 } else { 2 }, "{case}: {:?}", files_in(&shelf.folder()));
            for words in [
                &["ls"][..],
                &["recall", "bees", "--preview"],
                &["recall", "bees"],
                &["frame", "search", "bees"],
                &["export"],
                &["show", &crate::tending::id("Ana keeps bees")[..8]],
            ] {
                let answer = shelf.run(words);
                assert_eq!(answer.code, 0, "{case}, {words:?}: {answer:?}");
                assert!(answer.stdout.contains("Ana keeps bees"), "{case}, {words:?}: {answer:?}");
            }
            for (words, says) in [
                (&["verify"][..], if with_log { "what the journal says last" } else { "The memory is consistent" }),
                (&["doctor"], "can only be read"),
                (&["secrets", "scan"], ""),
                (&["curate", "--dry-run"], "Would curate"),
            ] {
                let answer = shelf.run(words);
                // What was written past the journal is found.
                let is_found = with_log && ["verify", "doctor"].contains(&words[0]);
                assert_eq!(answer.code, i32::from(is_found), "{case}, {words:?}: {answer:?}");
                assert!(answer.stdout.contains(says), "{case}, {words:?}: {answer:?}");
            }
            let status = shelf.run(&["status", "--json"]);
            assert_eq!((status.code, &status.json()["inbox_count"]), (0, &2.into()), "{case}: {status:?}");
            let source = &shelf.run(&["ls", "--json"]).json()["blocks"];
            let log = source.as_array().unwrap().iter().any(|block| block["source"] == "log");
            assert_eq!(log, with_log, "{case}: what the log holds is read: {source}");
            let after: Vec<(String, Vec<u8>)> =
                files_in(&shelf.folder()).into_iter().map(|name| (name.clone(), read(&shelf, &name))).collect();
            assert!(before == after, "{case}: {:?}", files_in(&shelf.folder()));
        }
    }
}

fn read(shelf: &Shelf, name: &str) -> Vec<u8> {
    std::fs::read(shelf.folder().join(name)).unwrap()
}

#[test]
fn what_can_only_be_read_says_so_when_it_is_written_to() {
    let shelf = Shelf::new(false);
    set_mode(shelf.sandbox.path(), 0o755);
    std::fs::create_dir(shelf.sandbox.file("notes")).unwrap();
    std::fs::write(shelf.sandbox.file("notes/bees.md"), "# Bees\n\nAna sold her bees\n").unwrap();
    let bees = &crate::tending::id("Ana keeps bees")[..8];
    for closed in [Closed::File, Closed::Folder, Closed::Both] {
        shelf.close(closed);
        for words in [
            &["remember", "Ana sold her bees"][..],
            &["dream"],
            &["edit", bees, "Ana kept bees"],
            &["forget", bees],
            &["tag", "add", bees, "topic/bees"],
            &["outcome", bees, "--signal", "0.9"],
            &["undo"],
            &["import", "notes"],
            &["verify", "--repair"],
            &["secrets", "scan", "--redact", "--yes"],
        ] {
            let told = clear_error(&shelf.run(words));
            let is_plain = told.contains("shelf/memory.db can only be read. Nothing was changed.");
            assert!(is_plain && told.contains("elfmem backup COPY.db"), "{closed:?}, {words:?}: {told}");
        }
        let recalled = shelf.run(&["recall", "bees"]);
        assert!(recalled.stderr.contains("not recorded"), "{recalled:?}");
        assert_eq!(files_in(&shelf.folder()), ["memory.db", "memory.db-position"], "{closed:?}");
    }
    set_mode(&shelf.folder(), 0o755);
    set_mode(&shelf.folder().join("memory.db"), 0o644);
    assert!(shelf.sandbox.ok(&["remember", "Ana sold her bees", "--db", "shelf/memory.db"]).contains("created"));
}

#[test]
fn servers_answer_questions_about_what_can_only_be_read_and_refuse_changes() {
    let bees = json!({"query": "bees"});
    for closed in [Closed::File, Closed::Folder, Closed::Both] {
        let shelf = Shelf::new(false);
        set_mode(shelf.sandbox.path(), 0o755);
        shelf.close(closed);
        let before = (files_in(&shelf.folder()), read(&shelf, "memory.db"));
        let refused = |told: &str| {
            let is_plain = told.contains("shelf/memory.db can only be read. Nothing was changed.");
            assert!(is_plain && told.contains("Everything that only reads works."), "{closed:?}: {told}");
            assert!(!told.contains("--db") && !told.contains("elfmem backup"), "{closed:?}: {told}");
        };

        let mut client = Client::started(shelf.command(&["serve"]));
        client.initialize();
        for (tool, arguments) in
            [("elfmem_recall", bees.clone()), ("elfmem_frame", json!({"name": "search", "query": "bees"}))]
        {
            assert!(client.done(tool, arguments).0.contains("Ana keeps bees"), "{closed:?}, {tool}");
        }
        assert_eq!(client.done("elfmem_status", json!({})).1["inbox_count"], 2);
        client.done("elfmem_consolidate", json!({"dry_run": true}));
        for (tool, arguments) in [
            ("elfmem_learn", json!({"content": "Ana sold her bees"})),
            ("elfmem_consolidate", json!({})),
            ("elfmem_forget", json!({"block_id": crate::tending::id("Ana keeps bees")})),
        ] {
            refused(&client.refused(tool, arguments).0);
        }

        let server = Server::started(shelf.command(&["serve", "--http", "127.0.0.1:0"]));
        assert_eq!(server.done("recall", &bees)["blocks"][0]["content"], "Ana keeps bees");
        assert_eq!(server.done("status", &json!({}))["inbox_count"], 2);
        let problem = server.verb("learn", &json!({"content": "Ana sold her bees"})).message();
        refused(&format!("{} {}", problem["detail"], problem["recovery"]));
        assert_eq!((files_in(&shelf.folder()), read(&shelf, "memory.db")), before, "{closed:?}");

        // What the owner stores meanwhile is read, and a memory that may be written again is written.
        if !is_root() {
            set_mode(&shelf.folder(), 0o755);
            set_mode(&shelf.folder().join("memory.db"), 0o644);
        }
        shelf.sandbox.ok(&["remember", "Ana bought a hive", "--db", "shelf/memory.db"]);
        assert!(client.done("elfmem_recall", json!({"query": "hive"})).0.contains("Ana bought a hive"), "{closed:?}");
        assert_eq!(server.done("recall", &json!({"query": "hive"}))["blocks"][0]["content"], "Ana bought a hive");
        client.close();
    }
}

#[test]
fn a_copy_of_what_can_only_be_read_can_be_written() {
    let shelf = Shelf::new(true);
    shelf.close(Closed::Both);
    set_mode(shelf.sandbox.path(), 0o777);
    let copied = shelf.run(&["backup", "copy.db"]);
    assert_eq!(copied.code, 0, "{copied:?}");
    assert_eq!(files_in(&shelf.folder()), ["memory.db", "memory.db-position", "memory.db-wal"]);
    let listed = shelf.sandbox.run(&["ls", "--json", "--db", "copy.db"]).json();
    assert_eq!(listed["count"], 2, "{listed}");
}

#[test]
fn a_memory_that_may_not_be_looked_at_is_not_called_empty() {
    let shelf = Shelf::new(false);
    set_mode(&shelf.folder(), 0o700);
    if !is_root() {
        set_mode(&shelf.folder(), 0o000);
    }
    for words in [&["ls"][..], &["status"], &["recall", "bees"], &["export"]] {
        let error = clear_error(&shelf.run(words));
        assert!(error.contains("Permission denied"), "{words:?}: {error}");
    }
    set_mode(&shelf.folder(), 0o700);
}
