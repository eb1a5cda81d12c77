//! Each command, as text and as JSON.

use crate::Sandbox;

#[test]
fn what_was_remembered_is_recalled_in_the_first_minute() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.ok(&["remember", "Maria is allergic to peanuts"]),
        "Stored block 5d4c4f30. Status: created.\n".replace("5d4c4f30", &id_of("Maria is allergic to peanuts")[..8])
    );
    let recalled = sandbox.ok(&["recall", "what is Maria allergic to?"]);
    assert!(recalled.contains("Maria is allergic to peanuts"), "{recalled}");
    assert!(recalled.starts_with(&id_of("Maria is allergic to peanuts")[..8]));
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
    assert_eq!(log["operations"][0]["operation"], "remember");
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
        let answer = sandbox.ok(arguments);
        assert!(answer.trim().len() > 20, "{arguments:?}: {answer:?}");
    }
    sandbox.ok(&["remember", "Maria is allergic to peanuts"]);
    assert!(sandbox.ok(&["recall", "who can't eat nuts?"]).contains("Maria is allergic to peanuts"));
    assert!(sandbox.ok(&["recall", "?!"]).contains("no words to search for"));
    assert!(sandbox.ok(&["frame", "self"]).trim().len() > 20);
    assert!(sandbox.ok(&["ls", "--status", "archived"]).contains("elfmem ls"));
}

#[test]
fn looking_at_a_missing_memory_makes_no_file() {
    let sandbox = Sandbox::new();
    for arguments in [&["recall", "x"][..], &["ls"], &["log"], &["status"]] {
        sandbox.ok(&[arguments, &["--db", "nowhere/memory.db"]].concat());
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
    assert_eq!(sandbox.ok(&["ls", "-n", "1"]).lines().count(), 1);
    assert!(sandbox.ok(&["ls", "-n", "1"]).contains("three"));
    assert_eq!(sandbox.ok(&["ls", "-n", "0"]).lines().count(), 3);
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
        "Stored document as 2 blocks: 2 created, 0 duplicates, 1 edges.\n"
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
    assert_eq!(operations, ["create", "remember", "remember"]);
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
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_guide_needs_no_memory_and_makes_none() {
    let sandbox = Sandbox::new();
    let overview = sandbox.ok(&["guide"]);
    assert!(overview.contains("recall") && overview.contains("consolidate"), "{overview}");
    let card = sandbox.ok(&["guide", "dream"]);
    assert!(card.starts_with("consolidate: ") && card.contains("Use when"), "{card}");
    let unknown = sandbox.run(&["guide", "fly", "--json"]).json();
    assert!(unknown["text"].as_str().unwrap().starts_with("Unknown method. Available: learn, "), "{unknown}");
    assert_eq!(sandbox.run(&["--db", "/proc/nowhere/x.db", "guide"]).code, 0);
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0, "something was made");
}
