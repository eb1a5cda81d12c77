//! Each command, as text and as JSON.

use serde_json::json;

use crate::mcp::Client;
use crate::{Answer, Sandbox};

#[test]
fn what_was_remembered_is_recalled_in_the_first_minute() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.ok(&["remember", "Maria is allergic to peanuts"]),
        "Stored block 5d4c4f30. Status: created.\n".replace("5d4c4f30", &id_of("Maria is allergic to peanuts")[..8])
    );
    let recalled = sandbox.ok(&["recall", "what is Maria allergic to?"]);
    assert!(recalled.contains("Maria is allergic to peanuts"), "{recalled}");
    assert!(recalled.lines().nth(1).unwrap().starts_with(&id_of("Maria is allergic to peanuts")[..8]), "{recalled}");
}

fn id_of(content: &str) -> String {
    elfmem_core::BlockId::for_content(content).to_string()
}

#[test]
fn results_in_json_have_the_keys_of_the_seeds() {
    let sandbox = Sandbox::new();
    let stored = sandbox.run(&["--json", "remember", "Deploys go out on Tuesdays", "--tag", "topic/release"]).json();
    assert_eq!(stored, serde_json::json!({"block_id": "980c1114316ac724", "status": "created"}));
    let again = sandbox.run(&["remember", "deploys go out on TUESDAYS", "--json"]).json();
    assert_eq!(again["status"], "duplicate_rejected");
    let recalled = sandbox.run(&["recall", "deploys", "--json"]).json();
    assert_eq!(recalled["blocks"][0]["id"], "980c1114316ac724");
    assert_eq!(recalled["blocks"][0]["status"], "inbox");
    assert_eq!(recalled["message"], serde_json::Value::Null);
    let listed = sandbox.run(&["ls", "--json"]).json();
    assert_eq!((listed["count"].as_u64(), &listed["blocks"][0]["tags"][0]), (Some(1), &"topic/release".into()));
    let status = sandbox.run(&["status", "--json"]).json();
    assert_eq!((status["inbox_count"].as_u64(), status["health"].as_str()), (Some(1), Some("good")));
    assert_eq!(status["database"]["found_by"], "user");
    let shown = sandbox.run(&["show", "980c", "--json"]).json();
    assert_eq!((shown["tier"].as_str(), shown["confidence"].as_f64()), (Some("standard"), Some(0.5)));
    let log = sandbox.run(&["log", "980c", "--json"]).json();
    assert_eq!(log["operations"][0]["operation"], "learn");
    assert_eq!(log["operations"][0]["changes"][0]["after"]["status"], "inbox");
}

#[test]
fn a_duplicate_is_named_and_not_an_error() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays"]);
    let again = sandbox.ok(&["remember", "  deploys go out on tuesdays"]);
    assert_eq!(again, "Duplicate rejected — block 980c1114 already exists.\n");
}

#[test]
fn commands_answer_to_the_names_that_people_try() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["add", "Deploys go out on Tuesdays"]);
    for recalls in ["search", "find", "query", "ask"] {
        assert!(sandbox.ok(&[recalls, "when do deploys go out"]).contains("Tuesdays"), "{recalls}");
    }
    assert_eq!(sandbox.ok(&["get", "980c"]), sandbox.ok(&["show", "980c"]));
    assert_eq!(sandbox.ok(&["list"]), sandbox.ok(&["ls"]));
    for (listing, same) in [(["event", "list"], ["event", "ls"]), (["context", "list"], ["context", "ls"])] {
        assert_eq!(sandbox.ok(&listing), sandbox.ok(&same));
    }
    assert!(sandbox.ok(&["stats"]).contains("1/10 inbox"));
    sandbox.ok(&["rm", "980c"]);
    assert!(sandbox.ok(&["ls", "--status", "archived"]).contains("Tuesdays"));
}

#[test]
fn a_value_that_is_no_number_is_refused_in_words() {
    let sandbox = Sandbox::new();
    let refused = sandbox.run(&["outcome", "abcd", "--signal", "abc"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("the signal must be between 0 and 1, got abc"), "{refused:?}");
    let refused = sandbox.run(&["recall", "x", "--top-k", "-1"]);
    assert_eq!(refused.code, 2);
}

#[test]
fn text_comes_from_arguments_or_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "several", "plain", "words"]);
    assert_eq!(sandbox.pipe("from a pipe: naïve\n".as_bytes(), &["remember"]).code, 0);
    assert_eq!(sandbox.pipe(b"from a dash", &["remember", "-"]).code, 0);
    let listed = sandbox.ok(&["ls"]);
    for text in ["several plain words", "from a pipe: naïve", "from a dash"] {
        assert!(listed.contains(text), "{listed}");
    }
    let asked = sandbox.pipe(b"what came from the pipe?", &["recall", "-"]);
    assert!(asked.stdout.contains("from a pipe"), "{asked:?}");
}

#[test]
fn an_empty_answer_is_never_an_empty_line() {
    let sandbox = Sandbox::new();
    for arguments in [&["recall", "tea"][..], &["ls"], &["log"]] {
        let answer = sandbox.said(arguments);
        assert!(answer.trim().len() > 20, "{arguments:?}: {answer:?}");
    }
    sandbox.ok(&["remember", "Maria is allergic to peanuts"]);
    assert!(sandbox.ok(&["recall", "who can't eat nuts?"]).contains("Maria is allergic to peanuts"));
    assert!(sandbox.said(&["recall", "?!"]).contains("no words to search for"));
    assert!(sandbox.said(&["frame", "self"]).trim().len() > 20);
    assert!(sandbox.ok(&["ls", "--status", "archived"]).contains("elfmem ls"));
}

#[test]
fn looking_at_a_missing_memory_makes_no_file() {
    let sandbox = Sandbox::new();
    for arguments in [&["recall", "x"][..], &["ls"], &["log"], &["status"]] {
        sandbox.said(&[arguments, &["--db", "nowhere/memory.db"]].concat());
    }
    assert!(!sandbox.file("nowhere").exists());
}

#[test]
fn ids_can_be_pasted_back_by_any_unambiguous_prefix() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "hello world", "--tag", "greeting", "--category", "observation"]);
    let listed = sandbox.ok(&["ls"]);
    let pasted = listed.split_whitespace().next().unwrap();
    let shown = sandbox.ok(&["show", pasted]);
    for part in ["hello world", "b94d27b9934d3e08", "inbox", "observation", "greeting", "ephemeral"] {
        assert!(shown.contains(part), "{shown}");
    }
    sandbox.ok(&["show", "b94d"]);
    assert!(sandbox.fails(&["show", "b94"]).contains("not a block id"));
    assert!(sandbox.fails(&["show", "ffff0000"]).contains("no block 'ffff0000'"));
}

#[test]
fn lists_are_filtered_and_limited() {
    let sandbox = Sandbox::new();
    for (text, tag) in [("one", "a/x"), ("two", "a/y"), ("three", "b")] {
        sandbox.ok(&["remember", text, "--tag", tag]);
    }
    assert_eq!(sandbox.ok(&["ls", "--tag", "a/%"]).lines().count(), 2);
    assert_eq!(sandbox.run(&["ls", "-n", "1"]).stdout.lines().count(), 1);
    assert!(sandbox.run(&["ls", "-n", "1"]).stdout.contains("three"));
    assert_eq!(sandbox.ok(&["ls", "-n", "0"]).lines().count(), 3);
}

#[test]
fn a_session_that_ends_with_a_full_inbox_consolidates_it() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["session", "begin"]);
    for word in ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "ivory", "jade"] {
        sandbox.ok(&["remember", &format!("The {word} box stands by the {word} door")]);
    }
    let status = || sandbox.run(&["status", "--json"]).json();
    assert_eq!((status()["inbox_count"].as_u64(), status()["active_count"].as_u64()), (Some(10), Some(0)));
    let text = sandbox.ok(&["session", "end"]);
    assert!(text.contains("ended after") && text.contains("Consolidated 10: 10 promoted"), "{text}");
    assert_eq!((status()["inbox_count"].as_u64(), status()["active_count"].as_u64()), (Some(0), Some(10)));
}

#[test]
fn a_near_duplicate_takes_the_place_of_what_it_repeats() {
    let sandbox = Sandbox::new();
    let old = sandbox.run(&["remember", "The user prefers dark mode in editors", "--json"]).json();
    let new = sandbox.run(&["remember", "The user prefers dark mode in the editors.", "--json"]).json();
    assert_eq!((&new["status"], &new["superseded"]), (&"near_duplicate_superseded".into(), &old["block_id"]));
    let status = sandbox.run(&["status", "--json"]).json();
    assert_eq!((status["inbox_count"].as_u64(), status["archived_count"].as_u64()), (Some(1), Some(1)));
}

/// One source of truth: what `status`, `doctor` and the server say of the model that filled the memory.
#[test]
fn health_knows_the_embedder_in_use_on_every_surface() {
    // From an older model of the program to a newer one the vectors move by themselves; not the other way round.
    let (filled, other) = ("encoder", "static");
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Maria is allergic to peanuts"]);
    sandbox.ok(&["dream", "--embedder", filled]);
    let health = |embedder: &str| {
        let status = sandbox.run(&["status", "--json", "--embedder", embedder]).json();
        let mut client = Client::connect(&sandbox, &["serve", "--embedder", embedder]);
        let (_, served) = client.done("elfmem_status", json!({}));
        client.close();
        let doctor = sandbox.run(&["doctor", "--json", "--embedder", embedder]).stdout;
        let locked = doctor.contains("come from");
        assert_eq!(status["health"], served["health"]);
        // The server leaves out advice that needs a tool which it does not offer.
        let (whole, served) = (status["suggestion"].as_str().unwrap(), served["suggestion"].as_str().unwrap());
        assert!(whole.starts_with(served), "{whole} / {served}");
        assert_eq!(status["health"] == "degraded", locked, "{embedder}: {doctor}");
        (status["health"].as_str().unwrap().to_owned(), status["suggestion"].as_str().unwrap().to_owned())
    };
    assert_eq!(health(filled).0, "good");
    assert_eq!(health(other).0, "degraded");
    let (hosted, suggestion) = health("openai:text-embedding-3-small");
    assert!(hosted == "degraded" && suggestion.contains("'text-embedding-3-small' is configured"), "{suggestion}");
    let by_variable = |name: &str| -> Answer {
        sandbox.command(&["status", "--json"]).env("ELFMEM_EMBEDDER", name).output().unwrap().into()
    };
    assert_eq!(by_variable(filled).json()["health"], "good");
    assert_eq!(by_variable(other).json()["health"], "degraded");
}

/// The way out that the degree error names: the setting exists, and raising it helps.
#[test]
fn edge_reinforce_delta_says_how_much_an_edge_grows() {
    let sandbox = Sandbox::new();
    let ids = ["Only amber", "Only basil"]
        .map(|text| sandbox.run(&["remember", text, "--json"]).json()["block_id"].as_str().unwrap().to_owned());
    let weight = |delta: Option<&str>, arguments: &[&str]| -> f64 {
        let mut command = sandbox.command(arguments);
        if let Some(delta) = delta {
            command.env("ELFMEM_EDGE_REINFORCE_DELTA", delta);
        }
        let done: Answer = command.output().unwrap().into();
        assert_eq!(done.code, 0, "{done:?}");
        sandbox.run(&["show", &ids[0], "--json"]).json()["edges"][0]["weight"].as_f64().unwrap()
    };
    let connect =
        ["connect", &ids[0], &ids[1], "--relation", "supports", "--weight", "0.3", "--if-exists", "reinforce"];
    assert!((weight(None, &connect) - 0.30).abs() < 1e-9);
    assert!((weight(None, &connect) - 0.40).abs() < 1e-9);
    assert!((weight(Some("0.2"), &connect) - 0.60).abs() < 1e-9);
    let outcome = ["outcome", &ids[0], &ids[1], "--signal", "1.0"];
    assert!((weight(Some("0.05"), &outcome) - 0.65).abs() < 1e-9);
}

#[test]
fn raising_edge_degree_cap_makes_room_for_another_edge() {
    let sandbox = Sandbox::new();
    let words =
        ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "ivory", "jade", "kelp", "lark"];
    let ids: Vec<String> = words
        .iter()
        .map(|word| sandbox.run(&["remember", &format!("Only {word}"), "--json"]).json()["block_id"].to_string())
        .map(|id| id.trim_matches('"').to_owned())
        .collect();
    sandbox.ok(&["dream"]);
    for id in &ids[1..11] {
        sandbox.ok(&["connect", &ids[0], id, "--relation", "supports"]);
    }
    let error = sandbox.fails(&["connect", &ids[0], &ids[11], "--relation", "supports"]);
    assert!(error.contains("edge_degree_cap"), "{error}");
    assert!(sandbox.ok(&["config", "keys"]).contains("memory.edge_degree_cap"));
    let raised = |arguments: &[&str]| -> Answer {
        sandbox.command(arguments).env("ELFMEM_EDGE_DEGREE_CAP", "20").output().unwrap().into()
    };
    assert_eq!(raised(&["connect", &ids[0], &ids[11], "--relation", "supports"]).code, 0);
    sandbox.ok(&["verify"]);
}

#[test]
fn a_session_spans_commands_and_ends_once() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["session", "begin"]).contains("begun"));
    assert!(sandbox.ok(&["session", "begin"]).contains("open already"));
    assert!(sandbox.ok(&["status"]).contains("session        open"));
    assert!(sandbox.ok(&["session", "end"]).contains("ended after 0.00 active hours"));
    assert!(sandbox.fails(&["session", "end"]).contains("No session is open."));
}

#[test]
fn a_document_is_stored_from_a_file_or_a_pipe() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.file("notes.md"), "# One\n\nFirst thing.\n\n# Two\n\nSecond thing.").unwrap();
    assert_eq!(
        sandbox.ok(&["learn-document", "notes.md", "--tag", "notes"]),
        "Stored document as 2 blocks: 2 created, 0 duplicates, 1 edge.\n"
    );
    assert_eq!(sandbox.pipe(b"A third thing.", &["learn-document", "-"]).code, 0);
    assert!(sandbox.ok(&["recall", "second"]).contains("# Two"));
    assert!(sandbox.fails(&["learn-document", "missing.md"]).contains("missing.md"));
}

#[test]
fn the_log_tells_what_happened_in_order() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "one"]);
    sandbox.ok(&["remember", "two"]);
    let log = sandbox.ok(&["log"]);
    let operations: Vec<&str> = log.lines().map(|line| line.split_whitespace().nth(4).unwrap()).collect();
    assert_eq!(operations, ["create", "learn", "learn"]);
}

#[test]
fn a_reader_that_goes_away_early_is_no_error() {
    let sandbox = Sandbox::new();
    let text = "a fairly long line of text to fill the pipe with ".repeat(1000);
    for n in 0..20 {
        sandbox.pipe(format!("{n} {text}").as_bytes(), &["remember"]);
    }
    let mut child = sandbox
        .command(&["recall", "fairly", "-k", "20"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let said = "20 blocks have no vector yet and were searched by words alone.\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), said));
}

#[test]
fn a_word_that_is_no_command_leads_to_the_one_that_is_meant() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["save", "Deploys go out on Tuesdays"]);
    sandbox.ok(&["note", "The office closes at six"]);
    assert!(sandbox.ok(&["blocks"]).contains("office"));
    assert!(sandbox.ok(&["update", "980c1114", "--tag", "topic/release"]).starts_with("Edited block 980c1114"));
    assert!(sandbox.ok(&["events", "ls"]).contains("No events yet. Store one with: elfmem event store"));
    for (typed, meant) in [
        ("documents", "ls --documents"),
        ("version", "--version"),
        ("operations", "history"),
        ("tui", "browse"),
        ("remeber", "remember"),
    ] {
        let refused = sandbox.run(&[typed]);
        let tip = format!("a similar subcommand exists: '{meant}'");
        assert!(refused.code == 2 && refused.stderr.contains(&tip), "{typed}: {refused:?}");
    }
}

#[test]
fn errors_name_options_and_values_as_they_are_typed() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays"]);
    for (words, says) in [
        (&["ls", "--limit", "-3"][..], "give a whole number from 0 on, got -3"),
        (&["recall", "deploys", "--top-k", "-1"], "give a whole number from 0 on, got -1"),
        (&["outcome", "980c1114", "--signal", "-0.5"], "between 0 and 1"),
        (&["curate", "--prune-threshold", "9"], "The --prune-threshold must be a number between 0 and 1"),
        (&["restore-backup", "missing.db"], "Cannot read missing.db"),
    ] {
        let told = sandbox.run(words);
        assert!(told.code != 0 && told.stderr.contains(says), "{words:?}: {told:?}");
        assert!(!told.stderr.contains("prune_threshold"), "{told:?}");
    }
}

#[test]
fn advice_for_programs_names_commands() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays"]);
    sandbox.ok(&["remember", "Deploys go out on Thursdays now"]);
    let weak = sandbox.run(&["recall", "who waters the plants of the office?", "--json"]).json()["message"].clone();
    assert!(weak.as_str().unwrap().contains("`elfmem "), "{weak}");
    sandbox.ok(&["dream"]);
    let old = &crate::tending::id("Deploys go out on Tuesdays")[..8];
    let why = sandbox.run(&["why", "deploys", old, "--json"]).json();
    assert!(why["remedy"].as_str().unwrap().contains("`elfmem recall --superseded`"), "{why}");
    sandbox.ok(&["forget", &crate::tending::id("Deploys go out on Thursdays now")[..8], "--reason", "wrong"]);
    let undone = sandbox.run(&["undo", "--json"]).json();
    assert!(undone["summary"].as_str().unwrap().ends_with(": wrong."), "{undone}");
}

#[test]
fn the_guide_needs_no_memory_and_makes_none() {
    let sandbox = Sandbox::new();
    let overview = sandbox.ok(&["guide"]);
    assert!(overview.contains("recall") && overview.contains("consolidate"), "{overview}");
    let card = sandbox.ok(&["guide", "dream"]);
    assert!(card.starts_with("consolidate: ") && card.contains("Use when"), "{card}");
    let unknown = sandbox.fails(&["guide", "recal"]);
    assert!(unknown.contains("Unknown method. Available: ") && unknown.contains("`elfmem guide recall`"), "{unknown}");
    let unknown = sandbox.run(&["guide", "fly", "--json"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("\"recovery\":\"`elfmem guide` lists them all.\""), "{unknown:?}");
    assert_eq!(sandbox.run(&["--db", "/proc/nowhere/x.db", "guide"]).code, 0);
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0, "something was made");
}

#[test]
fn the_facts_of_a_conversation_are_remembered() {
    let sandbox = Sandbox::new();
    let chat = r#"[{"speaker": "Maria", "content": "Hi! I am allergic to peanuts. Thanks!", "at": "2026-05-08"},
                   {"speaker": "Ravi", "content": "Oh no! Good to know."}]"#;
    std::fs::write(sandbox.file("chat.json"), chat).unwrap();
    let said = sandbox.ok(&["remember", "--messages", "chat.json", "--tag", "chat"]);
    assert!(said.starts_with("Kept 1 fact of 2 messages: 1 created, 0 known."), "{said}");
    let blocks = sandbox.run(&["ls", "--json"]).json();
    assert_eq!(blocks["blocks"][0]["content"], "Maria: I am allergic to peanuts.");
    assert_eq!(blocks["blocks"][0]["source"], "speaker:Maria");
    assert_eq!(sandbox.run(&["remember", "--messages", "chat.json", "--json"]).json()["duplicates"], 1);
    assert!(sandbox.fails(&["remember", "--messages", "missing.json"]).contains("missing.json"));
    for (text, says) in [
        ("[]", "The conversation has no messages."),
        (
            "[{\"speaker\": \"x\"}]",
            "Invalid arguments of `elfmem remember --messages`: message 1 of --messages cannot be used: missing field",
        ),
    ] {
        let refused = sandbox.pipe(text.as_bytes(), &["remember", "--messages", "-"]);
        assert!(refused.code == 1 && refused.stderr.contains(says), "{text}: {refused:?}");
    }
}
