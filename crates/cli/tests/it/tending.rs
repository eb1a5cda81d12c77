//! The care of blocks, undo, history and proposals from the command line.

use elfmem_core::BlockId;

use crate::{Sandbox, clear_error};

pub(crate) fn id(content: &str) -> String {
    BlockId::for_content(content).to_string()
}

#[test]
fn a_block_is_edited_forgotten_restored_pinned_and_tagged() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The port is 5432", "--tag", "topic/db"]);
    let port = id("The port is 5432");
    let short = &port[..8];
    assert_eq!(sandbox.ok(&["pin", short]), format!("Pinned block {short}: it never fades away.\n"));
    assert_eq!(sandbox.ok(&["unpin", short]), format!("Unpinned block {short}.\n"));
    let tagged = sandbox.ok(&["tag", "add", short, "durable", "x"]);
    assert_eq!(tagged, format!("Changed 2 tags of block {short}. Tags now: durable, topic/db, x.\n"));
    sandbox.ok(&["tag", "rm", short, "x"]);
    assert_eq!(sandbox.ok(&["edit", short, "--cue", "connecting"]), format!("Edited block {short}: cue.\n"));
    let forgotten = sandbox.ok(&["forget", short, "--reason", "no longer so"]);
    assert_eq!(
        forgotten,
        format!(
            "Forgot block {short}: no longer so. Bring it back with `elfmem undo`, or later with `elfmem restore {short}`.\n"
        )
    );
    assert!(sandbox.fails(&["pin", short]).contains("is archived (forgotten)"));
    let restored = sandbox.ok(&["restore", short]);
    assert_eq!(restored, format!("Restored block {short} (inbox) with 2 tags and 0 edges.\n"));
    assert!(sandbox.fails(&["restore", short]).contains("is not archived"));
    assert!(sandbox.fails(&["edit", short]).contains("The edit contains no changes"));
}

#[test]
fn the_id_of_an_edited_block_leads_to_its_successor() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The port is 5432", "--tag", "topic/db"]);
    let (old, new) = (id("The port is 5432"), id("The port is 6000"));
    let edited = sandbox.run(&["edit", &old[..8], "The port is 6000", "--json"]).json();
    assert_eq!((edited["block_id"].as_str(), edited["previous"].as_str()), (Some(&*new), Some(&*old)));
    let shown = sandbox.ok(&["show", &old[..6]]);
    assert!(shown.contains("archived (superseded)") && shown.contains(&format!("{new} The port is 6000")), "{shown}");
    assert_eq!(sandbox.run(&["show", &old, "--json"]).json()["leads_to"]["block_id"], new.as_str());
    let pinned = sandbox.ok(&["pin", &old]);
    assert!(pinned.contains(&new[..8]) && pinned.contains(&old[..8]), "{pinned}");
    let piped = sandbox.pipe(b"The port is 7000", &["edit", &old, "-"]);
    assert_eq!(piped.code, 0, "{piped:?}");
    assert!(sandbox.ok(&["show", &id("The port is 7000")]).contains("topic/db"));
}

#[test]
fn one_block_takes_the_place_of_another() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees"]);
    sandbox.ok(&["remember", "Ana has been a beekeeper since May"]);
    let (old, new) = (id("Ana keeps bees"), id("Ana has been a beekeeper since May"));
    let said = sandbox.ok(&["supersede", &old[..8], "--by", &new[..8]]);
    assert_eq!(said, format!("Block {} supersedes {}.\n", &new[..8], &old[..8]));
    assert!(sandbox.fails(&["supersede", &new, "--by", &new]).contains("cannot supersede itself"));
}

#[test]
fn undo_takes_back_shows_what_it_would_do_and_says_what_stands_in_the_way() {
    let sandbox = Sandbox::new();
    assert!(sandbox.fails(&["undo"]).contains("nothing to undo"));
    sandbox.ok(&["remember", "one thing"]);
    sandbox.ok(&["remember", "another thing"]);
    let one = id("one thing");
    sandbox.ok(&["tag", "add", &one, "x"]);
    let would = sandbox.ok(&["undo", "--dry-run"]);
    assert!(would.starts_with("Would undo operation 4 (add_tags): 1 block changed back."), "{would}");
    assert!(would.contains(&format!("~ block {}: tags", &one[..8])), "{would}");
    let refused = sandbox.fails(&["undo", "2"]);
    assert!(refused.contains("operation 4 (add_tags) changed block"), "{refused}");
    assert!(refused.contains("Recovery: Undo operation 4 first, then repeat."), "{refused}");
    let undone = sandbox.ok(&["undo"]);
    let expected = "Undid operation 4 (add_tags): 1 block changed back. Bring it back with `elfmem undo 5`.\nIt had said: Changed 1 tag of";
    assert!(undone.starts_with(expected), "{undone}");
    sandbox.ok(&["undo", "2"]);
    assert!(sandbox.fails(&["show", &one]).contains("no block"));
    assert!(sandbox.fails(&["undo", "2"]).contains("undone already, by operation 6"));
    assert!(sandbox.fails(&["undo", "77"]).contains("no operation 77"));
    let redone = sandbox.run(&["undo", "6", "--json"]).json();
    assert_eq!((redone["redo"].as_bool(), redone["undo_seq"].as_i64()), (Some(true), Some(7)));
    assert!(sandbox.ok(&["show", &one]).contains("one thing"));
    let refused = sandbox.run(&["undo", "1", "--json"]);
    let error: serde_json::Value = serde_json::from_str(&refused.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "ConflictError");
}

#[test]
fn a_history_survives_restarts_and_shows_what_stands() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["history"]).contains("Created an empty memory."));
    sandbox.ok(&["remember", "one thing"]);
    sandbox.ok(&["remember", "another thing"]);
    sandbox.ok(&["dream"]);
    sandbox.ok(&["undo"]);
    let history = sandbox.ok(&["history"]);
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines.len(), 6, "{history}");
    assert!(lines[4].contains("consolidate()") && lines[4].ends_with("undone by 6"), "{history}");
    assert!(lines[5].contains("Undid operation 5 (dream of 2: 2 promoted"), "{history}");
    let json = sandbox.run(&["history", "-n", "2", "--json"]).json();
    assert_eq!((json["count"].as_i64(), json["operations"][0]["undone_by"].as_i64()), (Some(2), Some(6)));
    assert_eq!(json["operations"][1]["undoes"], 5);
    assert_eq!(sandbox.ok(&["history", "--since", "2026-01-01"]), history);
    assert_eq!(sandbox.ok(&["history", "--since", "2099-01-01"]), "No operation fits.\n");
}

#[test]
fn purging_asks_first_and_leaves_no_word_in_the_file() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The phrase is quixotic marmalade", "--db", "memory.db"]);
    sandbox.ok(&["remember", "Something else", "--db", "memory.db"]);
    let secret = id("The phrase is quixotic marmalade");
    let purge = ["purge", &secret[..8], "--db", "memory.db"];
    let refused = clear_error(&sandbox.pipe(b"y\n", &purge));
    assert!(refused.contains("no terminal to ask on") && refused.contains("--yes"), "{refused}");
    assert!(sandbox.fails(&["purge", "ffff0000", "--db", "memory.db"]).contains("no block 'ffff0000'"));
    let purged = sandbox.ok(&[&purge[..], &["--yes"]].concat());
    assert_eq!(purged, format!("Purged block {}. Its words are gone from the file.\n", &secret[..8]));
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let bytes = std::fs::read(sandbox.file(name)).unwrap_or_default().to_ascii_lowercase();
        assert!(!bytes.windows(6).any(|window| window == b"quixot"), "{name}");
    }
    let gone = sandbox.fails(&["show", &secret[..8], "--db", "memory.db"]);
    assert!(gone.contains("was purged on"), "{gone}");
    assert!(sandbox.ok(&["log", "--db", "memory.db"]).contains("Purged block"));
}

#[test]
fn proposals_are_listed_accepted_and_rejected_by_number() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["proposals"]).contains("No proposals wait."));
    assert!(sandbox.fails(&["proposals", "accept", "3"]).contains("no proposal 3"));
    for text in ["Ana keeps bees", "The port is 5432"] {
        sandbox.ok(&["remember", text, "--db", "memory.db"]);
    }
    sandbox.ok(&["dream", "--db", "memory.db"]);
    // Rules and the built-in model propose little on so little text: the queue is filled as a dream would fill it.
    let connection = rusqlite::Connection::open(sandbox.file("memory.db")).unwrap();
    for (block, other) in [("Ana keeps bees", None), ("The port is 5432", Some("Ana keeps bees"))] {
        let (block, other) = (id(block), other.map(id));
        let kind = if other.is_some() { "connection" } else { "stale" };
        connection
            .execute(
                "INSERT INTO proposals (subject, kind, block_id, other_id, score, reason, created_at) \
                 VALUES (?1 || ?2, ?1, ?2, ?3, 0.8, 'for a reason', '2026-01-01T00:00:00.000000+00:00')",
                rusqlite::params![kind, block, other],
            )
            .unwrap();
    }
    drop(connection);
    let listed = sandbox.ok(&["proposals", "--db", "memory.db"]);
    assert!(
        listed.contains("   1 Keep ") && listed.contains("   2 Connect ") && listed.contains("for a reason"),
        "{listed}"
    );
    let accepted = sandbox.ok(&["proposals", "accept", "2", "--db", "memory.db"]);
    assert!(accepted.starts_with("Accepted proposal 2: ") && accepted.contains("Created similar edge"), "{accepted}");
    assert_eq!(sandbox.ok(&["proposals", "reject", "1", "--db", "memory.db"]), "Rejected proposal 1.\n");
    assert!(sandbox.ok(&["proposals", "--db", "memory.db"]).contains("No proposals wait."));
    let all = sandbox.run(&["proposals", "--all", "--json", "--db", "memory.db"]).json();
    assert_eq!((all["count"].as_i64(), all["proposals"][0]["state"].as_str()), (Some(2), Some("rejected")));
    sandbox.ok(&["undo", "--db", "memory.db"]);
    assert!(sandbox.ok(&["proposals", "--db", "memory.db"]).contains("   1 Keep "));
}

#[test]
fn a_list_that_is_cut_says_so_beside_the_data() {
    let sandbox = Sandbox::new();
    for number in 0..23 {
        sandbox.ok(&["remember", &format!("Shelf {number} holds jar {}", number * 7)]);
    }
    let listed = sandbox.run(&["ls"]);
    assert_eq!(listed.stdout.lines().count(), 20, "a line is a block: {listed:?}");
    assert_eq!(listed.stderr, "20 of 23; all of them: elfmem ls --limit 0\n");
    let history = sandbox.run(&["history"]);
    assert_eq!(history.stdout.lines().count(), 20, "{history:?}");
    assert!(history.stderr.starts_with("20 of ") && history.stderr.contains("elfmem history --limit"), "{history:?}");
    let some = sandbox.run(&["ls", "--limit", "5", "--json"]);
    assert_eq!((&some.json()["count"], &some.json()["total"]), (&5.into(), &23.into()));
    assert_eq!(some.stderr, "");
    let all = sandbox.run(&["ls", "--limit", "0"]);
    assert_eq!((all.stdout.lines().count(), all.stderr.as_str()), (23, ""));
    let operations = sandbox.run(&["history", "--limit", "3", "--json"]).json();
    assert!(operations["total"].as_u64().unwrap() >= 23, "{operations}");
}

#[test]
fn an_undo_does_not_repeat_the_advice_of_what_it_takes_back() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "one thing"]);
    sandbox.ok(&["forget", &id("one thing")[..8]]);
    let undone = sandbox.ok(&["undo"]);
    let said = undone.split("It had said: ").nth(1).unwrap();
    assert!(said.contains(&id("one thing")[..8]) && !said.contains("elfmem"), "{undone}");
}

#[test]
fn an_outcome_of_blocks_that_are_not_there_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "one thing"]);
    for unknown in [&["zz"][..], &["ffffffff"], &["zz", "ffffffff"]] {
        let refused = sandbox.fails(&[&["outcome"][..], unknown, &["--signal", "0.9"]].concat());
        assert!(refused.contains(&format!("no block '{}'", unknown[0])), "{refused}");
        let refused = sandbox.run(&[&["outcome"][..], unknown, &["--signal", "0.9", "--json"]].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{refused:?}");
    }
}
