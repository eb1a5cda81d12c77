//! What people read on the command line: its own words, not those of the library.

use elfmem_engine::catalog;

use crate::Sandbox;
use crate::http::Server;
use crate::scopes::calls::Filled;
use crate::scopes::typed;
use crate::tending::id;
use crate::terminal::without_colours;

/// Words of the library and of its design notes.
const FOREIGN: [&str; 5] = ["if_exists=", "block(s)", "(s) ", "seed 0", "top_k="];

fn assert_own_words(place: &str, text: &str) {
    for word in FOREIGN {
        assert!(!text.contains(word), "{place} says {word:?}: {text}");
    }
    let calls = text.split("system.").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    assert!(!calls, "{place} speaks of the system: {text}");
    for verb in catalog::all() {
        assert!(!text.contains(&format!("{}()", verb.name)), "{place} says {}(): {text}", verb.name);
    }
}

#[test]
fn no_command_speaks_of_calls_of_the_library() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let filled = Filled::new("crane", &mut |verb, arguments| server.done(verb, &arguments));
    server.stop();
    let mut walked = 0;
    // The guide is for those who call the library, and the lines of the history are those of seed 001.
    for verb in catalog::all().filter(|verb| !["guide", "history"].contains(&verb.name)) {
        let Some(words) = typed(verb, &filled.arguments(verb.name)) else { continue };
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--db", "m.db"]).collect();
        let said = sandbox.run(&words);
        assert_own_words(&words.join(" "), &format!("{}{}", said.stdout, said.stderr));
        let there = without_colours(&sandbox.on_a_terminal("n\n", &words).stdout);
        assert_own_words(&words.join(" "), &there);
        walked += 1;
    }
    assert!(walked > 40, "{walked}");
    for words in [
        &["status", "--db", "none.db"][..],
        &["ls", "--db", "none.db"],
        &["recall", "x", "--db", "none.db"],
        &["show", "ffff"],
        &["connect", "ffff", "eeee"],
        &["outcome", "ffff", "--signal", "0.5"],
        &["undo", "--db", "none.db"],
        &["log"],
        &["contradictions"],
        &["proposals"],
        &["frame", "nothing"],
    ] {
        let said = sandbox.run(words);
        assert_own_words(&words.join(" "), &format!("{}{}", said.stdout, said.stderr));
    }
}

#[test]
fn no_help_speaks_of_calls_of_the_library() {
    let sandbox = Sandbox::new();
    let pages = sandbox.run(&["man", "--dir", "pages", "--json"]).json()["pages"].clone();
    for page in pages.as_array().unwrap() {
        let page = page.as_str().unwrap();
        assert_own_words(page, &std::fs::read_to_string(sandbox.file("pages").join(page)).unwrap());
    }
}

#[test]
fn values_that_cannot_be_used_are_named_in_words() {
    let sandbox = Sandbox::new();
    for (words, said) in [
        (&["recall", "x", "--top-k", "many"][..], "give a whole number from 0 on, got many"),
        (&["outcome", "ffff", "--signal", "abc"], "give a number such as 0.8, got abc"),
        (&["outcome", "ffff", "--signal", "3"], "between 0 and 1"),
    ] {
        let told = sandbox.run(words);
        assert!(told.code != 0 && told.stderr.contains(said), "{words:?}: {told:?}");
    }
    for text in ["Ana keeps bees", "The office closes at six"] {
        sandbox.ok(&["remember", text]);
    }
    let ends = ["Ana keeps bees", "The office closes at six"].map(|text| id(text)[..8].to_owned());
    let clamped = sandbox.ok(&["connect", &ends[0], &ends[1], "-w", "7"]);
    assert!(clamped.contains("A weight is between 0 and 1, so 7 was taken as 1."), "{clamped}");
}

#[test]
fn what_waits_is_named_and_settled_on_a_terminal() {
    let sandbox = Sandbox::new();
    for text in ["The port is 5432", "The port is 5433"] {
        sandbox.ok(&["remember", text, "--db", "m.db"]);
    }
    let [old, new] = ["The port is 5432", "The port is 5433"].map(id);
    let contradiction = serde_json::json!([{"other_id": old, "score": 0.9, "reason": "two ports"}]);
    let server = Server::start(&sandbox, &[]);
    let analysis = serde_json::json!({"alignment": 0.5, "tags": [], "contradictions": contradiction});
    server.done("consolidate", &serde_json::json!({"analyses": {new.as_str(): analysis}}));
    server.stop();
    let open = || sandbox.run(&["contradictions", "--json", "--db", "m.db"]).json()["count"].as_u64().unwrap();
    assert_eq!(open(), 1);
    let status = sandbox.ok(&["status", "--db", "m.db"]);
    assert!(status.contains("1 contradiction to settle: `elfmem contradictions`."), "{status}");
    assert!(!status.contains("No action required"), "{status}");
    let listed = sandbox.ok(&["contradictions", "--db", "m.db"]);
    assert!(listed.contains(&format!("--keep {}", &old[..8])), "{listed}");
    let left = sandbox.on_a_terminal("x\n", &["contradictions", "--db", "m.db"]);
    assert!(left.code == 0 && left.stdout.contains("0 of 1 settled") && open() == 1, "{left:?}");
    let kept = sandbox.on_a_terminal("2\n", &["contradictions", "--db", "m.db"]);
    assert!(kept.stdout.contains("1 of 1 settled") && open() == 0, "{kept:?}");
    assert!(sandbox.ok(&["status", "--db", "m.db"]).contains("No action required"));
}

#[test]
fn taking_back_a_dream_says_how_much_and_how_to_bring_it_back() {
    let sandbox = Sandbox::new();
    for text in ["Ana keeps bees", "The office closes at six"] {
        sandbox.ok(&["remember", text]);
    }
    sandbox.ok(&["dream"]);
    let refused = sandbox.on_a_terminal("n\n", &["undo"]);
    assert!(refused.code == 1 && refused.stdout.contains("Go on? [Y/n]"), "{refused:?}");
    assert!(refused.stdout.contains("2 blocks") && refused.stdout.contains("Nothing was undone."), "{refused:?}");
    let undone = sandbox.ok(&["undo"]);
    assert!(undone.contains("2 blocks") && undone.contains("Bring it back with: elfmem undo "), "{undone}");
    let again = undone.split("elfmem undo ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    sandbox.ok(&["undo", &again]);
    assert_eq!(sandbox.run(&["status", "--json"]).json()["active_count"], 2);
}
