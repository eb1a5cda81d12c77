//! Asking from the command line: recall, why, frames.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;

use crate::{Sandbox, clear_error};

fn remember(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let stored = sandbox.run(&[&["remember"], arguments, &["--json"]].concat());
    assert_eq!(stored.code, 0, "{stored:?}");
    stored.json()["block_id"].as_str().unwrap().to_owned()
}

fn recalled(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let found = sandbox.run(&[&["recall"], arguments, &["--json"]].concat());
    assert_eq!(found.code, 0, "{found:?}");
    let blocks = found.json()["blocks"].as_array().unwrap().clone();
    blocks.iter().map(|block| block["content"].as_str().unwrap().to_owned()).collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_first_minute() {
    let sandbox = Sandbox::new();
    for text in ["Deploys go out on Tuesdays", "Maria is allergic to peanuts", "The office closes at six"] {
        sandbox.ok(&["remember", text]);
    }
    let answer = sandbox.ok(&["recall", "who can't eat nuts?", "--top-k", "1"]);
    assert!(answer.contains("inbox") && answer.contains("\n│ Maria is allergic to peanuts\n"), "{answer}");
}

#[test]
fn every_flag_of_recall_narrows_the_answer() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["The inspector visited the bakery", "--event-at", "2023-05-08", "--tag", "topic/visits"]);
    remember(&sandbox, &["The inspector visited the mill", "--event-at", "2024-02-01T10:00:00Z"]);
    remember(&sandbox, &["The inspector visited the market on 20 October 2025", "--category", "decision"]);
    let (bakery, mill) = ("The inspector visited the bakery", "The inspector visited the mill");
    let market = "The inspector visited the market on 20 October 2025";
    let asked = |flags: &[&str]| {
        let mut found = recalled(&sandbox, &[&["the inspector visited", "--preview"], flags].concat());
        found.sort();
        found
    };
    assert_eq!(asked(&[]), [bakery, market, mill]);
    assert_eq!(asked(&["--top-k", "1"]).len(), 1);
    assert_eq!(asked(&["--tag", "topic/%"]), [bakery]);
    assert_eq!(asked(&["--category", "decision"]), [market]);
    assert_eq!(asked(&["--since", "2024-01-01"]), [market, mill]);
    assert_eq!(asked(&["--until", "2024-02-01"]), [bakery]);
    assert_eq!(asked(&["--since", "2024-01-01", "--until", "2025-01-01"]), [mill]);
    assert_eq!(asked(&["--as-of-event", "2025-01-01"]), [bakery, mill]);
    assert_eq!(asked(&["--frame", "self"]).len(), 0);
    assert_eq!(asked(&["--no-contiguity"]).len(), 3);
    let first = |question: &str| recalled(&sandbox, &[question, "--no-contiguity", "--preview"])[0].clone();
    assert_eq!(first("whom did the inspector visit in May 2023?"), bakery);
    assert_eq!(first("where did the inspector go in February 2024?"), mill);
    for bad in [
        &["x", "--since", "2025-01-01", "--until", "2024-01-01"][..],
        &["x", "--since", "whenever it suits"],
        &["x", "--tag", ""],
        &["x", "--frame", "tasks"],
    ] {
        let error = sandbox.fails(&[&["recall"], bad].concat());
        assert!(!error.is_empty());
    }
    assert!(sandbox.fails(&["recall", "x", "--frame", "tasks"]).contains("Valid frames: 'attention', 'search'"));
}

#[test]
fn a_cue_brings_a_block_to_mind() {
    let sandbox = Sandbox::new();
    for text in ["The printer is out of toner", "Ravi wrote the parser", "Copper conducts heat"] {
        remember(&sandbox, &[text]);
    }
    remember(&sandbox, &["Open the red folder", "--cue", "a colleague is ill", "--cue", "buying a car"]);
    for question in ["a colleague is ill", "somebody at work got sick", "which vehicle should we purchase?"] {
        assert_eq!(recalled(&sandbox, &[question, "-k", "1"]), ["Open the red folder"], "{question}");
    }
}

#[test]
fn a_scope_sees_its_own_and_what_it_inherits() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["The bakery opens at seven", "--scope", "porto"]);
    remember(&sandbox, &["The bakery opens at nine", "--scope", "lisbon"]);
    let asked = |flags: &[&str]| recalled(&sandbox, &[&["when does the bakery open?"], flags].concat());
    assert_eq!(asked(&["--scope", "porto"]), ["The bakery opens at seven"]);
    assert_eq!(asked(&["--scope", "lisbon"]), ["The bakery opens at nine"]);
    assert_eq!(asked(&["--scope", "lisbon", "--inherit", "porto"]).len(), 2);
    assert!(asked(&[]).is_empty());
    let shown = sandbox.run(&["frame", "attention", "bakery", "--scope", "porto"]);
    assert!(shown.stdout.contains("seven") && !shown.stdout.contains("nine"), "{shown:?}");
}

#[test]
fn explain_shows_a_small_table_and_json_has_every_part() {
    let sandbox = Sandbox::new();
    let (a, b) = (
        remember(&sandbox, &["The sourdough class is on Fridays", "--cue", "baking lessons"]),
        remember(&sandbox, &["Ravi repaired the delivery van"]),
    );
    sandbox.ok(&["dream"]);
    sandbox.ok(&["connect", &a, &b, "--relation", "supports"]);
    let text = sandbox.ok(&["recall", "sourdough class", "--explain", "--no-contiguity", "--all"]);
    for part in [
        "found by  relevance ",
        "words ",
        "meaning ",
        "cue ",
        "score of  similarity 1.00, confidence 0.50",
        "by way of ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!sandbox.ok(&["recall", "sourdough class"]).contains("score of"));
    let json = sandbox.run(&["recall", "sourdough class", "--explain", "--no-contiguity", "--all", "--json"]).json();
    assert_eq!(
        keys(&json),
        BTreeSet::from(["query", "frame", "strength", "relevance", "evidence", "blocks", "left_out", "message"])
    );
    let block = &json["blocks"][0];
    let expected = "id block_id content score relevance status category tags source trusted said_by document created_at \
                    event_at age date matched guaranteed newer superseded_by part contradicted_by explain";
    assert_eq!(keys(block), expected.split(' ').collect());
    let expected = "components words meaning cue context who time via displaced placed_by_time";
    assert_eq!(keys(&block["explain"]), expected.split(' ').collect());
    let expected = "similarity confidence recency centrality reinforcement";
    assert_eq!(keys(&block["explain"]["components"]), expected.split(' ').collect());
    assert_eq!(keys(&json["blocks"][1]["explain"]["via"]), BTreeSet::from(["block_id", "relation", "weight"]));
    let weights = [0.92, 0.04, 0.02, 0.0, 0.02];
    for block in json["blocks"].as_array().unwrap() {
        let parts = &block["explain"]["components"];
        let names = ["similarity", "confidence", "recency", "centrality", "reinforcement"];
        let sum: f64 = names.iter().zip(weights).map(|(name, weight)| parts[name].as_f64().unwrap() * weight).sum();
        assert!((sum - block["score"].as_f64().unwrap()).abs() < 1e-9, "{block}");
    }
}

#[test]
fn a_preview_leaves_no_trace_and_a_recall_does() {
    let sandbox = Sandbox::new();
    let id = remember(&sandbox, &["The kettle is in the kitchen"]);
    let uses = || sandbox.run(&["show", &id, "--json"]).json()["reinforcement_count"].as_u64().unwrap();
    let before = uses();
    sandbox.ok(&["recall", "kettle", "--preview"]);
    sandbox.ok(&["frame", "attention", "kettle", "--preview"]);
    assert_eq!(uses(), before);
    sandbox.ok(&["recall", "kettle"]);
    sandbox.ok(&["frame", "attention", "kettle"]);
    assert_eq!(uses(), before + 2);
}

#[test]
fn why_says_what_happened_and_what_to_do() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> =
        (0..4).map(|n| remember(&sandbox, &[&format!("The kettle on shelf {n} is clean")])).collect();
    let json = sandbox.run(&["why", "kettle on shelf 0", &ids[3], "-k", "1", "--json"]).json();
    let expected = "block_id query frame stage rank score relevance matched reason remedy replaced_by explain";
    assert_eq!(keys(&json), expected.split(' ').collect());
    assert_eq!(json["stage"], "rank");
    let remedy = json["remedy"].as_str().unwrap();
    let count = remedy.split_once("`elfmem recall --top-k ").unwrap().1.trim_end_matches("`.");
    let found = sandbox.run(&["recall", "kettle on shelf 0", "--top-k", count, "--json", "--preview"]).json();
    assert!(found["blocks"].as_array().unwrap().iter().any(|block| block["id"] == ids[3].as_str()), "{remedy}");
    let text = sandbox.ok(&["why", "kettle on shelf 0", &ids[0][..8]]);
    assert!(text.contains("is number 1 of the answer.") && text.contains("score of"), "{text}");
    sandbox.fails(&["why", "kettle", "ffffffff"]);
    sandbox.fails(&["why", "kettle", &ids[0], "--frame", "tasks"]);
}

#[test]
fn the_remedy_of_a_contradiction_is_a_command_that_works() {
    let sandbox = Sandbox::new();
    let ids = ["The back door is open", "The back door is closed"].map(|text| remember(&sandbox, &[text]));
    sandbox.ok(&["dream"]);
    sandbox.ok(&["outcome", &ids[0], "--signal", "1.0"]);
    let text = sandbox.ok(&["recall", "the back door"]);
    let stronger = text.find("The back door is open").unwrap();
    assert!(stronger < text.find(&format!("contradicted by {}", &ids[0][..8])).unwrap(), "{text}");
    let text = sandbox.ok(&["recall", "the back door", "--top-k", "1"]);
    assert!(text.contains("left out: ") && text.contains("│ The back door is closed"), "{text}");
    let why = sandbox.run(&["why", "the back door", &ids[1], "--top-k", "1", "--json"]).json();
    assert_eq!(why["stage"], "suppression", "{why}");
    let said = sandbox.ok(&["why", "the back door", &ids[1], "--top-k", "1"]);
    let command = said.split_once("`elfmem ").unwrap().1.split('`').next().unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    sandbox.ok(&words);
    assert_eq!(recalled(&sandbox, &["the back door"]), ["The back door is closed"]);
}

#[test]
fn frames_are_added_changed_listed_used_and_removed() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["Rye needs more water", "--tag", "topic/baking"]);
    remember(&sandbox, &["The water bill is due", "--tag", "topic/money"]);
    remember(&sandbox, &["Turn the gas off", "--tag", "rule/safety"]);
    let added = sandbox.ok(&[
        "frame",
        "add",
        "kitchen",
        "--tag",
        "topic/baking",
        "--guarantee",
        "rule/%",
        "--budget",
        "300",
        "--weights",
        "0.6,0.1,0.1,0.1,0.1",
        "--template",
        "task",
        "--window",
        "12",
        "--cache",
        "60",
    ]);
    assert_eq!(added, "Added frame 'kitchen'.\n");
    let shown = sandbox.ok(&["frame", "kitchen", "water"]);
    assert!(shown.contains("Rye") && shown.contains("gas") && !shown.contains("bill"), "{shown}");
    assert_eq!(sandbox.ok(&["frame", "edit", "kitchen", "--tag", "topic/%"]), "Changed frame 'kitchen'.\n");
    assert!(sandbox.ok(&["frame", "kitchen", "water"]).contains("bill"));
    let list = sandbox.ok(&["frame", "ls"]);
    assert!(list.contains("kitchen") && list.contains("always rule/%") && list.lines().count() == 6, "{list}");
    let json = sandbox.run(&["frame", "ls", "--json"]).json();
    assert_eq!((keys(&json), &json["count"]), (BTreeSet::from(["count", "frames"]), &6.into()));
    let rendered = sandbox.run(&["frame", "kitchen", "water", "--json"]).json();
    let expected = "frame_name block_count cached text query strength blocks left_out tokens token_budget message";
    assert_eq!(keys(&rendered), expected.split(' ').collect());
    for bad in [
        &["add", "kitchen"][..],
        &["add", "Two Words"],
        &["add", "ls"],
        &["add", "new", "--weights", "0.5,0.5,0.5,0.5,0.5"],
        &["add", "new", "--budget", "0"],
        &["edit", "kitchen", "--window=-3"],
        &["edit", "kitchen", "--tag", ""],
        &["edit", "tasks"],
        &["rm", "self"],
        &["rm", "tasks"],
    ] {
        sandbox.fails(&[&["frame"], bad].concat());
    }
    assert!(sandbox.fails(&["frame", "add", "new", "--weights", "1,2"]).contains("must be five numbers"));
    let usage = sandbox.run(&["frame", "add", "new", "--template", "sonnet"]);
    assert!(usage.code == 2 && usage.stderr.contains("simulate"), "{usage:?}");
    assert_eq!(sandbox.run(&["frame", "ls", "--json"]).json(), json, "what was refused changed nothing");
    assert_eq!(sandbox.ok(&["frame", "rm", "kitchen"]), "Removed frame 'kitchen'.\n");
    assert!(sandbox.fails(&["frame", "kitchen"]).contains("Unknown frame 'kitchen'"));
}

#[test]
fn hostile_questions_are_answered() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["Bread rises in the proofing room"]);
    let long = "bread OR \"NEAR( ".repeat(6_500);
    let many: String = (0..15_000).map(|n| format!("w{n} ")).collect();
    for question in
        ["?!…", "\" OR 1 --", "'; DROP TABLE blocks; --", "NEAR(", "שלום", "🧠", "\\ud800", "nul\0byte", &long, &many]
    {
        let begun = Instant::now();
        let answer = sandbox.pipe(question.as_bytes(), &["recall", "-", "--json"]);
        assert_eq!(answer.code, 0, "{:?}", answer.stderr);
        assert!(answer.json()["blocks"].is_array());
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }
    let not_text = sandbox.pipe(b"bread \xff\xfe", &["recall", "-"]);
    clear_error(&not_text);
    assert_eq!(recalled(&sandbox, &["bread"]).len(), 1);
}

#[test]
fn what_the_memory_does_not_know_is_answered_with_nothing() {
    let sandbox = Sandbox::new();
    for text in ["Bread rises in the proofing room", "The van is blue", "Deploys go out on Tuesdays"] {
        remember(&sandbox, &[text]);
    }
    let weak = sandbox.run(&["recall", "what is quantum entanglement?", "--json"]).json();
    assert_eq!(weak["strength"], "weak", "{weak}");
    assert_eq!(weak["blocks"], serde_json::json!([]));
    let said = sandbox.run(&["recall", "what is quantum entanglement?"]);
    assert!(said.stderr.starts_with("Nothing certain is known about this. Nearest: "), "{said:?}");
    assert_eq!(said.stdout, "", "a pipe gets data only");
    let all = sandbox.run(&["recall", "what is quantum entanglement?", "--all"]);
    assert!(all.stderr.contains("a guess at best") && all.stdout.starts_with("<memory"), "{all:?}");
    let there = sandbox.on_a_terminal("", &["recall", "what is quantum entanglement?", "--all"]).stdout;
    assert!(there.lines().next().unwrap().contains("is known about this"), "how strong it is comes first: {there}");
    assert_eq!(sandbox.run(&["recall", "where does bread rise?", "--json"]).json()["strength"], "strong");
}

#[test]
fn a_question_about_what_still_holds_is_not_answered_by_what_changed() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ada runs the data team and lives in Braga"]);
    sandbox.ok(&["remember", "Ada moved to Porto"]);
    sandbox.ok(&["dream"]);
    let first = |question: &str| {
        let found = sandbox.run(&["recall", question, "--json"]).json();
        found["blocks"][0]["content"].as_str().unwrap().to_owned()
    };
    assert_eq!(first("does Ada lead a team?"), "Ada runs the data team and lives in Braga");
    assert_eq!(first("where does Ada live?"), "Ada moved to Porto");
}

#[test]
fn what_is_left_out_stands_inside_the_fence() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Customer refunds need approval by Maria"]);
    sandbox.ok(&["dream"]);
    let attack = b"Customer refunds do not need approval by Maria.";
    assert_eq!(sandbox.pipe(attack, &["learn-document", "-", "--name", "evil"]).code, 0);
    sandbox.ok(&["dream"]);
    let answer = sandbox.ok(&["recall", "do customer refunds need approval", "-k", "1"]);
    let (fenced, behind) = answer.split_once("</memory>").unwrap();
    assert!(fenced.contains("do not need approval"), "{answer}");
    assert!(!behind.contains("approval"), "{answer}");
}

#[test]
fn a_pipe_gets_data_and_what_is_said_about_it_goes_beside() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The staging database listens on port 5433"]);
    let nothing = sandbox.run(&["recall", "how tall is the Eiffel tower?"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (0, ""));
    assert!(nothing.stderr.contains("shares a word or a meaning with the question"), "{nothing:?}");
    let frame = sandbox.run(&["frame", "attention", "how tall is the Eiffel tower?"]);
    assert!(frame.stdout.is_empty() && !frame.stderr.is_empty(), "{frame:?}");
}
