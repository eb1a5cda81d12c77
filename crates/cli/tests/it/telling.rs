//! Events, contexts and links from the command line.

use serde_json::{Value, json};

use crate::{Sandbox, clear_error};

/// Tells an event; what came of it.
fn tell(sandbox: &Sandbox, event: &Value) -> Value {
    sandbox.pipe(event.to_string().as_bytes(), &["event", "store", "-", "--json"]).json()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The worked example of the seed, as it is typed.
#[test]
fn a_mistake_becomes_a_pattern_becomes_a_skill_on_the_command_line() {
    let sandbox = Sandbox::new();
    let observed = "Used var instead of const in React component.";
    let stored = sandbox.ok(&["event", "store", "--kind", "observation", "--source", "agent", "--content", observed]);
    assert!(stored.starts_with("Stored observation as block ") && stored.ends_with("Confidence: 0.60.\n"), "{stored}");
    let mistake = sandbox.run(&["ls", "--json"]).json()["blocks"][0]["id"].clone();
    let mistake = text(&mistake);
    let pattern = tell(
        &sandbox,
        &json!({"event_kind": "fact", "source": "agent", "payload": {"data": "Repeated use of var in React."},
            "links": [{"type": "derived_from", "target": mistake}]}),
    );
    let pattern = text(&pattern["block_id"]);
    let (extends, reinforces) = (format!("extends={pattern}"), format!("reinforces={mistake}"));
    let skill = sandbox
        .run(&[
            "event",
            "store",
            "--kind",
            "decision",
            "--source",
            "agent",
            "--content",
            "Always use const or let in React components.",
            "--link",
            &extends,
            "--link",
            &reinforces,
            "--json",
        ])
        .json();
    assert_eq!(skill["links"][1]["effects"][0]["after"], 0.65);
    let skill = text(&skill["block_id"]);
    let found = sandbox.run(&["retrieve", "used", "var", "in", "React", "--json"]).json();
    assert_eq!(found["items"][0]["block_id"], *skill);
    assert_eq!(found["items"][0]["chain"], json!([pattern, mistake]));
    let shown = sandbox.ok(&["chain", skill]);
    assert_eq!(shown.lines().count(), 6, "{shown}");
    assert!(shown.lines().nth(3).unwrap().starts_with("│  └─ derived_from → observation"), "{shown}");
    assert!(sandbox.ok(&["chain", mistake, "--ahead"]).contains("← reinforces decision"));
    let told = sandbox.ok(&["retrieve", "used var in React"]);
    assert!(told.lines().nth(1).unwrap().starts_with(&skill[..8]), "{told}");
}

#[test]
fn three_confirmations_add_fifteen_hundredths_and_taking_one_back_folds_the_rest() {
    let sandbox = Sandbox::new();
    let stored = |content: &str| {
        let told = tell(&sandbox, &json!({"event_kind": "fact", "source": "user", "content": content}));
        text(&told["block_id"]).to_owned()
    };
    let target = stored("The harbour opens at nine");
    let voices: Vec<String> = (0..3).map(|n| stored(&format!("Witness {n} was there"))).collect();
    for voice in &voices {
        sandbox.ok(&["link", voice, "reinforces", &target]);
    }
    let confidence = || sandbox.run(&["show", &target, "--json"]).json()["confidence"].as_f64().unwrap();
    assert!((confidence() - 0.85).abs() < 1e-12);
    let gone = sandbox.ok(&["unlink", &voices[0], "reinforces", &target]);
    assert!(gone.contains("0.85 → 0.80"), "{gone}");
    sandbox.ok(&["undo"]);
    assert!((confidence() - 0.85).abs() < 1e-12);
    assert_eq!(sandbox.run(&["links", "--to", &target, "--json"]).json()["count"], 3);
    assert!(sandbox.fails(&["link", &target, "extends", &target]).contains("cannot be linked with itself"));
    assert_eq!(sandbox.run(&["link", &target, "supports", &voices[0]]).code, 2, "not one of the five");
}

#[test]
fn contexts_are_listed_shown_and_drawn() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["context", "ls"]).starts_with("No contexts yet."));
    tell(
        &sandbox,
        &json!({"event_kind": "rule", "content": "Hooks go first", "context_id": "Skill:React",
        "related_to": ["project:shop"]}),
    );
    let listed = sandbox.run(&["context", "ls", "--type", "skill", "--json"]).json();
    assert_eq!((&listed["total"], &listed["contexts"][0]["context_id"]), (&json!(1), &json!("skill:react")));
    assert!(sandbox.ok(&["context", "show", "skill:react"]).contains("Hooks go first"));
    assert_eq!(sandbox.run(&["links", "--unresolved", "--json"]).json()["count"], 1);
    let learned = sandbox.run(&["remember", "The shop sells boats", "--json"]).json();
    sandbox.ok(&["context", "enrol", "project:shop", text(&learned["block_id"])]);
    assert_eq!(sandbox.run(&["links", "--unresolved", "--json"]).json()["count"], 0);
    let drawn = sandbox.ok(&["context", "graph", "skill:react"]);
    assert_eq!(drawn, "2 contexts, 1 link.\nskill:react related_to → project:shop\n");
    assert!(sandbox.fails(&["context", "show", "skill:vue"]).contains("no context 'skill:vue'"));
    let found = sandbox.run(&["recall", "boats and hooks", "--context", "project:shop", "--json"]).json();
    assert_eq!(found["blocks"].as_array().unwrap().len(), 1);
}

#[test]
fn events_come_in_batches_and_are_listed_filtered_ones_too() {
    let sandbox = Sandbox::new();
    let lines =
        "{\"event_kind\": \"fact\", \"content\": \"one\"}\n\n{\"event_kind\": \"debug\", \"content\": \"two\"}\n";
    let told = sandbox.pipe(lines.as_bytes(), &["event", "batch", "-", "--json"]).json();
    assert_eq!((&told["stored"], &told["filtered"]), (&json!(1), &json!(1)));
    let wrong = br#"[{"event_kind": "fact", "content": "three"}, {"event_kind": "opinion"}]"#;
    let refused = clear_error(&sandbox.pipe(wrong, &["event", "batch", "-", "--atomic"]));
    assert!(refused.contains("No event was stored because event 1 is invalid"), "{refused}");
    assert_eq!(sandbox.run(&["event", "ls", "--filtered", "--json"]).json()["total"], 1);
    let listed = sandbox.ok(&["event", "ls", "--kind", "knowledge"]);
    assert!(listed.contains("fact user") && listed.contains("one"), "{listed}");
    assert!(clear_error(&sandbox.pipe(b"{]", &["event", "store", "-"])).contains("cannot be read"));
    assert!(sandbox.fails(&["event", "store", "--kind", "opinion"]).contains("the payload says nothing"));
    assert!(sandbox.fails(&["event", "ls", "--kind", "opinion"]).contains("the kinds are"));
    assert!(sandbox.fails(&["retrieve", "x", "--context-types", "{]"]).contains("--context-types cannot be read"));
}

#[test]
fn what_is_ready_graduates_when_it_is_asked_for_and_insights_cite() {
    let sandbox = Sandbox::new();
    for source in ["agent", "user"] {
        tell(
            &sandbox,
            &json!({"event_kind": "observation", "source": source, "content": "Forgot the migration",
            "context_id": "error:migration"}),
        );
    }
    assert!(sandbox.ok(&["graduate", "--dry-run"]).starts_with("Ready: 1 step."));
    let proposed = sandbox.ok(&["dream"]);
    assert!(proposed.contains("1 proposal waits."), "{proposed}");
    sandbox.ok(&["proposals", "accept", "1"]);
    assert!(sandbox.ok(&["context", "show", "pattern:migration"]).contains("Seen 2 times: Forgot the migration"));
    let insight = sandbox.run(&["insights", "prepare", "the", "migration", "--json"]).json();
    assert_eq!((&insight["written_by"], &insight["sources"][0]["number"]), (&json!("extract"), &json!(1)));
    assert_eq!(sandbox.ok(&["graduate"]), "Nothing is ready to graduate.\n");
}

#[test]
fn a_context_holds_a_single_memory_where_the_settings_say_so() {
    let sandbox = Sandbox::new();
    let single = |event: &Value| {
        let mut command = sandbox.command(&["event", "store", "-", "--json"]);
        command.env("ELFMEM_CONTEXT_MODE", "single").stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), event.to_string().as_bytes()).unwrap();
        crate::Answer::from(child.wait_with_output().unwrap())
    };
    let event = |content: &str| json!({"event_kind": "fact", "content": content, "context_id": "project:db"});
    assert_eq!(single(&event("The port is 5432")).json()["status"], "created");
    let refused = single(&event("The port is 5433"));
    let error: Value = serde_json::from_str(&refused.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "ConflictError");
    let mut replacing = event("The port is 5433");
    replacing["replace"] = json!(true);
    assert_eq!(single(&replacing).json()["status"], "replaced");
}
