//! The program on a terminal: what it asks, what it shows while it works, and what a text cannot do there.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::tending::id;
use crate::{Answer, Sandbox};

/// What text can do to a terminal: change a title, a colour, the place where it goes on.
const HOSTILE: &str = "the code is \u{1b}]0;owned\u{7}\u{1b}[8mhidden\u{1b}[0m\r\u{8}1234";

impl Sandbox {
    /// Runs it on a terminal on which `typed` is typed; everything that was to be seen there, in `stdout`.
    pub(crate) fn on_a_terminal(&self, typed: &str, arguments: &[&str]) -> Answer {
        on_a_terminal(self.command(arguments), typed)
    }
}

/// The columns and rows of a terminal that does not say how large it is.
const UNKNOWN: (u16, u16) = (0, 0);

fn on_a_terminal(command: Command, typed: &str) -> Answer {
    on_a_terminal_of(UNKNOWN, command, typed)
}

/// Runs a program on a terminal with so many columns and rows.
pub(crate) fn on_a_terminal_of((columns, rows): (u16, u16), mut command: Command, typed: &str) -> Answer {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).unwrap();
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.stdin(terminal.try_clone().unwrap()).stdout(terminal.try_clone().unwrap()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    // Ours are closed with it: when the program ends, nobody has the terminal any more and reading ends.
    drop(command);
    let mut seat = File::from(master);
    seat.write_all(typed.as_bytes()).unwrap();
    let mut seen = Vec::new();
    let mut part = [0; 4096];
    while let Ok(read) = seat.read(&mut part)
        && read > 0
    {
        seen.extend_from_slice(&part[..read]);
    }
    let code = child.wait().unwrap().code().unwrap_or(-1);
    Answer { code, stdout: String::from_utf8(seen).unwrap(), stderr: String::new() }
}

/// What is seen on a terminal, without our own colours and the line ends of terminals.
pub(crate) fn without_colours(seen: &str) -> String {
    let mut plain = String::new();
    let mut rest = seen;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, code) = rest.split_at(at);
        plain.push_str(before);
        let end = code.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        // Bars of progress clear their line.
        assert!(["m", "K", "A", "G"].contains(&&code[end..=end]), "{code:?}");
        rest = &code[end + 1..];
    }
    plain.push_str(rest);
    plain.replace("\r\n", "\n").replace('\r', "\n")
}

/// Nothing but letters, signs and our own colours.
fn assert_harmless(seen: &str) {
    let plain = seen.replace("\r\n", "\n");
    assert!(!plain.contains("\u{1b}]") && !plain.contains("\u{1b}[8m"), "{seen:?}");
    assert!(!plain.contains(['\u{7}', '\u{8}', '\r']), "{seen:?}");
}

#[test]
fn purging_on_a_terminal_asks_and_only_a_yes_is_one() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "memory.db"]);
    let purge = ["purge", &id("Ana keeps bees")[..8], "--db", "memory.db"];
    for answer in ["n\n", "\n", "yellow\n"] {
        let refused = sandbox.on_a_terminal(answer, &purge);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.stdout.contains("Ana keeps bees\r\n\r\nRemove this for good?"), "{refused:?}");
        assert!(refused.stdout.contains("Nothing was purged."), "{refused:?}");
    }
    assert!(sandbox.ok(&["recall", "bees", "--db", "memory.db"]).contains("Ana keeps bees"));
    let done = sandbox.on_a_terminal("Yes\n", &purge);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("Its words are gone from the file."), "{done:?}");
}

#[test]
fn going_back_to_a_backup_on_a_terminal_asks_first() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "memory.db"]);
    sandbox.ok(&["backup", "kept.db", "--db", "memory.db"]);
    sandbox.ok(&["remember", "Ana sold her bees", "--db", "memory.db"]);
    let restore = ["restore-backup", "kept.db", "--db", "memory.db"];
    let refused = sandbox.on_a_terminal("n\n", &restore);
    assert!(refused.code == 1 && refused.stdout.contains("Nothing was restored."), "{refused:?}");
    assert_eq!(sandbox.run(&["ls", "--json", "--db", "memory.db"]).json()["count"], 2);
    let done = sandbox.on_a_terminal("y\n", &restore);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(sandbox.run(&["ls", "--json", "--db", "memory.db"]).json()["count"], 1);
}

#[test]
fn setting_up_on_a_terminal_asks_before_it_changes_what_is_there() {
    let sandbox = Sandbox::new();
    let (project, agents) = (sandbox.file("project"), sandbox.file("project/AGENTS.md"));
    std::fs::create_dir(&project).unwrap();
    std::fs::write(&agents, "# Ours\n").unwrap();
    let init = |typed| {
        let mut command = sandbox.command(&["init"]);
        command.current_dir(&project);
        on_a_terminal(command, typed)
    };
    let refused = init("n\n");
    assert!(refused.code == 1 && refused.stdout.contains("Go on? [Y/n]"), "{refused:?}");
    assert!(refused.stdout.contains("Nothing was set up."), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&agents).unwrap(), "# Ours\n");
    assert!(!project.join(".elfmem").exists());
    let done = init("\n");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(std::fs::read_to_string(&agents).unwrap().contains("elfmem"));
}

#[test]
fn a_stored_text_does_nothing_to_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", HOSTILE, "--db", "memory.db"]);
    let block = &id(HOSTILE)[..8];
    let shown: [&[&str]; 7] = [
        &["recall", "the code"],
        &["recall", "the code", "--explain"],
        &["ls"],
        &["show", block],
        &["log"],
        &["frame", "search", "the code"],
        &["why", "the code", block],
    ];
    for arguments in shown {
        let answer = sandbox.on_a_terminal("", &[arguments, &["--db", "memory.db"][..]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        assert_harmless(&answer.stdout);
    }
    let asked = sandbox.on_a_terminal("n\n", &["purge", block, "--db", "memory.db"]);
    assert!(asked.stdout.contains("hidden") && asked.stdout.contains("Remove this for good?"), "{asked:?}");
    assert_harmless(&asked.stdout);
}

#[test]
fn an_error_does_nothing_to_a_terminal() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.file("wrong.jsonl"), format!("{{\"{HOSTILE}\": \n")).unwrap();
    let refused: [&[&str]; 3] = [&["show", HOSTILE], &["recall", "x", "--frame", HOSTILE], &["import", "wrong.jsonl"]];
    for arguments in refused {
        let answer = sandbox.on_a_terminal("", &[arguments, &["--db", "memory.db"][..]].concat());
        assert_eq!(answer.code, 1, "{arguments:?}: {answer:?}");
        assert!(answer.stdout.contains("Recovery:"), "{answer:?}");
        assert_harmless(&answer.stdout);
    }
}

#[test]
fn long_work_shows_how_far_it_is_on_a_terminal_and_leaves_nothing_of_that() {
    let sandbox = Sandbox::new();
    let text: String = (0..400).map(|number| format!("Shelf {number} holds jars of kind {}. ", number * 7)).collect();
    std::fs::write(sandbox.file("shelves.txt"), text).unwrap();
    sandbox.ok(&["learn-document", "shelves.txt", "--db", "memory.db"]);
    let seen = sandbox.on_a_terminal("", &["dream", "--db", "memory.db"]);
    assert_eq!(seen.code, 0, "{seen:?}");
    let bars = seen.stdout.matches("█").count() + seen.stdout.matches("░").count();
    assert!(bars > 0, "{:?}", seen.stdout);
    // The last that is seen is the answer.
    let last = seen.stdout.rsplit("\u{1b}[2K").next().unwrap();
    assert!(last.contains("Consolidated") && !last.contains('█') && !last.contains('░'), "{last:?}");
}

#[test]
fn json_spells_out_characters_that_a_terminal_would_obey() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "cranes \u{202e}need\u{9b}31m grease", "--db", "m.db"]);
    let output = sandbox.run(&["recall", "cranes grease", "--json", "--db", "m.db"]);
    let text = output.json()["blocks"][0]["content"].as_str().unwrap().to_owned();
    assert_eq!(text, "cranes \u{202e}need\u{9b}31m grease");
    assert!(output.stdout.contains(r"cranes \u202eneed\u009b31m"), "{}", output.stdout);
}

#[test]
fn browsing_on_a_terminal_finds_forgets_and_leaves_the_screen_as_it_was() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees", "--db", "memory.db"]);
    sandbox.ok(&["remember", HOSTILE, "--db", "memory.db"]);
    // Ask, to the list, forget, quit.
    let browse = sandbox.command(&["browse", "--db", "memory.db"]);
    let seen = on_a_terminal_of((80, 24), browse, "/who keeps bees\rfq");
    assert_eq!(seen.code, 0, "{seen:?}");
    // Between words the cursor is moved.
    assert!(["Ana", "keeps", "bees"].iter().all(|word| seen.stdout.contains(word)), "{seen:?}");
    assert!(!seen.stdout.contains("\u{1b}]") && !seen.stdout.contains("\u{1b}[8m"), "{seen:?}");
    let (_, after) = seen.stdout.rsplit_once("\u{1b}[?1049l").expect("the other screen is left");
    assert!(after.contains("One change was made."), "{after:?}");
    let archived = sandbox.run(&["ls", "--status", "archived", "--json", "--db", "memory.db"]).json();
    assert_eq!(archived["blocks"][0]["content"], "Ana keeps bees");
    let refused = sandbox.run(&["browse", "--db", "memory.db"]);
    assert!(refused.code == 1 && refused.stderr.contains("needs a terminal"), "{refused:?}");
}
