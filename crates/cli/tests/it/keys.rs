//! `--json` answers with the keys of the table, which are those of every other surface.

use std::collections::BTreeSet;

use elfmem_engine::catalog;

use crate::Sandbox;

fn id(content: &str) -> String {
    elfmem_core::BlockId::for_content(content).to_string()
}

#[test]
fn every_command_answers_in_json_with_the_keys_of_its_verb() {
    let sandbox = Sandbox::new();
    let (a, b) = (id("The staging database listens on port 5432"), id("The staging database listens on port 5433"));
    let c = id("Maria is allergic to peanuts");
    std::fs::write(sandbox.file("edges.json"), format!("[{{\"source\": \"{a}\", \"target\": \"{c}\"}}]")).unwrap();
    std::fs::write(sandbox.file("events.jsonl"), "{\"event_kind\": \"fact\", \"content\": \"one\"}\n").unwrap();
    std::fs::write(sandbox.file("chat.json"), r#"[{"speaker": "Ana", "content": "I keep bees on the roof."}]"#)
        .unwrap();
    std::fs::write(sandbox.file("page.md"), "One thought.\n\nAnother thought.").unwrap();
    let calls: &[(&str, &[&str])] = &[
        ("begin_session", &["session", "begin", "work"]),
        ("learn", &["remember", "The staging database listens on port 5432"]),
        ("learn", &["learn", "The staging database listens on port 5433"]),
        ("learn", &["remember", "Maria is allergic to peanuts"]),
        ("learn_messages", &["remember", "--messages", "chat.json"]),
        ("learn_document", &["learn-document", "page.md"]),
        ("pending", &["dream", "--pending"]),
        ("consolidate", &["consolidate"]),
        ("recall", &["recall", "who is allergic?"]),
        ("frame", &["frame", "attention", "allergies"]),
        ("why", &["why", "who is allergic?", &c]),
        ("frames", &["frame", "ls"]),
        ("add_frame", &["frame", "add", "mine"]),
        ("edit_frame", &["frame", "edit", "mine", "--budget", "500"]),
        ("remove_frame", &["frame", "rm", "mine"]),
        ("connect", &["connect", &a, &c]),
        ("connects", &["connects", "edges.json"]),
        ("connect_by_query", &["connect", "--by-query", "allergic Maria", "staging port", "--dry-run"]),
        ("disconnect", &["disconnect", &a, &c]),
        ("outcome", &["outcome", &a, &c, "--signal", "0.9", "--id", "one"]),
        ("retract_outcome", &["outcome", "--retract", "one"]),
        ("contradictions", &["contradictions"]),
        ("resolve_contradiction", &["contradictions", "resolve", &a, &b, "--both", "two machines"]),
        ("list", &["list"]),
        ("show", &["show", &a]),
        ("edit", &["edit", &a, "--tag", "topic/db"]),
        ("add_tags", &["tag", "add", &a, "x"]),
        ("remove_tags", &["tag", "rm", &a, "x"]),
        ("pin", &["pin", &a]),
        ("unpin", &["unpin", &a]),
        ("forget", &["forget", &a]),
        ("restore", &["restore", &a]),
        ("undo", &["undo", "--dry-run"]),
        ("store_event", &["event", "store", "--kind", "rule", "--content", "Never sail", "--context", "skill:sea"]),
        ("store_events", &["event", "batch", "events.jsonl"]),
        ("list_events", &["event", "ls"]),
        ("list_contexts", &["context", "ls"]),
        ("show_context", &["context", "show", "skill:sea"]),
        ("context_graph", &["context", "graph"]),
        ("enrol", &["context", "enrol", "skill:sea", &b]),
        ("link", &["link", &b, "reinforces", "skill:sea"]),
        ("links", &["links"]),
        ("unlink", &["unlink", &b, "reinforces", "skill:sea"]),
        ("chain", &["chain", &b]),
        ("retrieve_memories", &["retrieve", "sail"]),
        ("generate_insights", &["insights", "sail"]),
        ("graduate", &["graduate"]),
        ("supersede", &["supersede", &a, "--by", &b]),
        ("purge", &["purge", &c, "--yes"]),
        ("blame", &["blame", &b]),
        ("influence", &["influence", &b]),
        ("retract_source", &["retract", "--source", "page.md"]),
        ("learn_document", &["learn-document", "page.md"]),
        ("documents", &["ls", "--documents"]),
        ("forget_document", &["forget", "--document", "page.md"]),
        ("review", &["dream", "--review"]),
        ("keep_replaced", &["dream", "--keep", "all"]),
        ("scan_secrets", &["secrets", "scan"]),
        ("curate", &["curate"]),
        ("proposals", &["proposals"]),
        ("status", &["status"]),
        ("history", &["history"]),
        ("verify", &["verify"]),
        ("log", &["log"]),
        ("guide", &["guide", "recall"]),
        ("migrate_embeddings", &["migrate-embeddings"]),
        ("end_session", &["session", "end"]),
    ];
    for (name, arguments) in calls {
        let answer = sandbox.run(&[arguments, &["--json"][..]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        let json = answer.json();
        let mut keys: BTreeSet<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        if *name == "status" {
            assert!(keys.remove("database"), "the command line also says which file it is");
            assert!(keys.remove("python_memories"), "and which memories of the Python elfmem there are");
        }
        let fields = || catalog::find(name).unwrap().fields.iter();
        // What is only there when there is something to tell may be missing.
        keys.extend(fields().filter(|field| field.optional).map(|field| field.name));
        let told: BTreeSet<&str> = fields().map(|field| field.name).collect();
        assert_eq!(keys, told, "{arguments:?}");
    }
    // Deciding needs proposals, which need texts that the rules cannot judge.
    let tried: BTreeSet<&str> =
        calls.iter().map(|(name, _)| *name).chain(["accept_proposals", "reject_proposals"]).collect();
    assert_eq!(tried, catalog::all().map(|verb| verb.name).collect());
}
