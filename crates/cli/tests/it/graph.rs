//! Connecting, outcomes and maintenance from the command line.

use crate::{Sandbox, clear_error};

/// A memory with three consolidated blocks; their ids.
fn consolidated(sandbox: &Sandbox) -> Vec<String> {
    let texts = ["Deploys go out on Tuesdays", "Maria is allergic to peanuts", "The kettle in the kitchen is broken"];
    let ids = texts.map(|text| {
        let stored = sandbox.run(&["remember", text, "--json"]).json();
        stored["block_id"].as_str().unwrap().to_owned()
    });
    sandbox.ok(&["dream"]);
    ids.into()
}

#[test]
fn blocks_are_connected_reinforced_shown_and_disconnected() {
    let sandbox = Sandbox::new();
    let ids = consolidated(&sandbox);
    let (a, b) = (&ids[0][..6], &ids[1][..6]);
    let made = sandbox.ok(&["connect", a, b, "--relation", "supports", "--note", "a reason"]);
    let (short_a, short_b) = (&ids[0][..8], &ids[1][..8]);
    assert_eq!(made, format!("Created supports edge: {short_a}…→{short_b}… (weight=0.75).\n"));
    let again = sandbox.ok(&["connect", b, a, "--relation", "similar"]);
    assert!(again.starts_with("Reinforced supports edge") && again.contains("stays 'supports'"), "{again}");
    let shown = sandbox.ok(&["show", a]);
    assert!(shown.contains(&format!("→ {short_b} supports 0.85 a reason")), "{shown}");
    assert!(sandbox.ok(&["show", b]).contains(&format!("← {short_a}")));
    let updated = sandbox.run(&["connect", a, b, "--weight", "0.2", "--if-exists", "update", "--json"]).json();
    assert_eq!(
        (&updated["action"], &updated["weight"], &updated["relation"]),
        (&"updated".into(), &0.2.into(), &"supports".into())
    );
    assert!(sandbox.ok(&["disconnect", a, b, "--guard-relation", "similar"]).contains("not removed"));
    let gone = sandbox.ok(&["disconnect", a, b, "--reason", "it was wrong"]);
    assert_eq!(gone, format!("Removed supports edge: {short_a}…→{short_b}… (was weight=0.20).\n"));
    assert!(sandbox.ok(&["log", a]).contains("Reason: it was wrong"));
    assert!(sandbox.ok(&["disconnect", a, b]).starts_with("No edge found between"));
}

#[test]
fn what_cannot_be_connected_is_a_clear_error() {
    let sandbox = Sandbox::new();
    let ids = consolidated(&sandbox);
    assert!(sandbox.fails(&["connect", &ids[0], &ids[0]]).contains("Cannot connect block"));
    assert!(sandbox.fails(&["connect", &ids[0], "ffffffff"]).contains("not found in active memory"));
    assert!(sandbox.fails(&["connect", &ids[0], &ids[1], "--weight", "NaN"]).contains("weight"));
    sandbox.ok(&["connect", &ids[0], &ids[1]]);
    assert!(sandbox.fails(&["connect", &ids[0], &ids[1], "--if-exists", "error"]).contains("already exists"));
    let as_json = sandbox.run(&["connect", &ids[0], &ids[0], "--json"]);
    let error: serde_json::Value = serde_json::from_str(&as_json.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "SelfLoopError");
    sandbox.fails(&["connect", "aaaa", "bbbb", "--db", "nowhere.db"]);
    assert!(!sandbox.file("nowhere.db").exists());
}

#[test]
fn a_list_of_edges_comes_from_a_file_or_a_pipe() {
    let sandbox = Sandbox::new();
    let ids = consolidated(&sandbox);
    let list = serde_json::json!([
        {"source": ids[0], "target": ids[1], "relation": "supports"},
        {"source": ids[0], "target": "ffffffff"},
        {"source": ids[1], "target": ids[2], "note": "why"},
    ]);
    let answer = sandbox.pipe(list.to_string().as_bytes(), &["connects", "-"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(
        answer.stdout.starts_with("Edges: 2 created, 1 errors.\n") && answer.stdout.contains("ffffffff"),
        "{answer:?}"
    );
    std::fs::write(sandbox.file("edges.json"), list.to_string()).unwrap();
    let again = sandbox.run(&["connects", "edges.json", "--json"]).json();
    assert_eq!((&again["reinforced"], &again["created"]), (&2.into(), &0.into()));
    let error = clear_error(&sandbox.pipe(b"{\"source\": 1}", &["connects", "-"]));
    assert!(error.contains("JSON list"), "{error}");
}

#[test]
fn blocks_are_connected_by_what_they_say() {
    let sandbox = Sandbox::new();
    let ids = consolidated(&sandbox);
    let queries = ["connect", "--by-query", "what is Maria allergic to", "when do deploys go out"];
    let preview = sandbox.ok(&[&queries[..], &["--dry-run"]].concat());
    let told = "dry_run: source='Maria is allergic to peanuts…' | target='Deploys go out on Tuesdays…'. Call again \
                without dry_run=True to connect.";
    assert!(preview.contains(told), "{preview}");
    assert!(sandbox.ok(&["show", &ids[0]]).contains("edges        none"));
    assert!(sandbox.ok(&queries).starts_with("Created similar edge"));
    let unsure = sandbox.run(&["connect", "--by-query", "medieval tax law", "deploys on tuesdays", "--json"]).json();
    assert_eq!(unsure["action"], "insufficient_confidence");
}

#[test]
fn outcomes_move_confidence_and_can_be_taken_back() {
    let sandbox = Sandbox::new();
    let ids = consolidated(&sandbox);
    let said = sandbox.ok(&["outcome", &ids[0][..6], &ids[1][..6], "ffffffff", "--signal", "0.9", "--id", "run-1"]);
    assert!(said.starts_with("Outcome recorded: 2 blocks updated (+0.133 avg confidence), 1 outcome edges created."));
    assert!(said.contains("Skipped ffffffff: there is no such block.") && said.contains("--retract run-1"), "{said}");
    assert!(sandbox.ok(&["show", &ids[0]]).contains("0.63 (evidence 1.0)"));
    assert!(sandbox.ok(&["outcome", &ids[0], "--signal", "0.9", "--id", "run-1"]).contains("on record already"));
    assert!(sandbox.ok(&["outcome", "--retract", "run-1"]).starts_with("Retracted outcome run-1: 2 blocks"));
    assert!(sandbox.ok(&["show", &ids[0]]).contains("0.50 (evidence 0.0)"));
    assert!(sandbox.fails(&["outcome", "--retract", "run-1"]).contains("No outcome 'run-1'"));
    assert!(sandbox.fails(&["outcome", &ids[0], "--signal", "1.5"]).contains("signal"));
    assert!(sandbox.fails(&["outcome", &ids[0], "--signal", "0.5", "--weight", "-1"]).contains("weight"));
}

#[test]
fn a_dry_curate_lists_texts_and_reasons() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The printer on floor two is out of toner"]);
    sandbox.ok(&["dream"]);
    let dry = sandbox.ok(&["curate", "--dry-run", "--prune-threshold", "1"]);
    assert!(dry.contains("Would curate: "), "{dry}");
    let json = sandbox.run(&["curate", "--dry-run", "--json"]).json();
    assert_eq!((&json["dry_run"], json["faded"].as_array().map(Vec::len)), (&serde_json::json!(true), Some(0)));
    assert!(!sandbox.ok(&["history"]).contains("curate"), "nothing was done");
}

#[test]
fn what_reaches_nothing_ends_with_an_error_code() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays"]);
    let outcome = sandbox.run(&["outcome", "ffffffff", "--signal", "0.9"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("There is no block 'ffffffff'"), "{outcome:?}");
    for empty in ["", "  "] {
        assert!(sandbox.fails(&["recall", empty]).contains("the question is empty"));
    }
    assert_eq!(sandbox.run(&["frame", "attention", ""]).code, 0);
}

#[test]
fn curate_says_what_it_did() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.ok(&["curate"]), "Curated: 0 archived, 0 edges pruned, 0 reinforced.\n");
    assert!(!sandbox.file(".local").exists(), "looking after nothing makes no file");
    consolidated(&sandbox);
    let said = sandbox.ok(&["curate", "--reinforce-top-n", "2"]);
    assert!(said.starts_with("Curated: 0 archived, 0 edges pruned, 2 reinforced.\nkept fresh "), "{said}");
    let json = sandbox.run(&["curate", "--json"]).json();
    assert_eq!((&json["archived"], &json["edges_pruned"], &json["reinforced"]), (&0.into(), &0.into(), &3.into()));
    assert!(sandbox.fails(&["curate", "--prune-threshold", "2"]).contains("--prune-threshold"));
    assert!(sandbox.ok(&["log"]).contains("curate"));
}
