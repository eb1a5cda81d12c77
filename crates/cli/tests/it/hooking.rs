//! Hooks: what a host gets, and that it never suffers.

use std::fs;

use serde_json::{Value, json};

use crate::{Answer, Sandbox};

fn call(sandbox: &Sandbox, event: &str, input: &Value) -> Answer {
    sandbox.pipe(input.to_string().as_bytes(), &["hook", event])
}

/// What the host adds to the context.
fn added(answer: &Answer) -> Option<String> {
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{answer:?}");
    if answer.stdout.is_empty() {
        return None;
    }
    assert_eq!(answer.stdout.lines().count(), 1, "one object on one line");
    Some(answer.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned())
}

fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "I look after the billing service", "--tag", "self/constitutional"]);
    sandbox.ok(&["remember", "The staging database listens on port 5433"]);
    sandbox
}

#[test]
fn a_session_begins_with_identity_and_attention() {
    let sandbox = prepared();
    let answer =
        call(&sandbox, "session-start", &json!({"session_id": "s", "source": "startup", "cwd": sandbox.path()}));
    assert_eq!(answer.json()["hookSpecificOutput"]["hookEventName"], "SessionStart");
    let context = added(&answer).unwrap();
    assert!(context.starts_with("## Identity\n<memory note="), "{context}");
    assert!(context.contains("billing service") && context.contains("port 5433"), "{context}");
    assert_eq!(added(&call(&Sandbox::new(), "session-start", &json!({}))), None, "an empty memory says nothing");
}

#[test]
fn a_prompt_gets_what_is_known_about_it_or_nothing() {
    let sandbox = prepared();
    let context = added(&call(&sandbox, "prompt", &json!({"prompt": "which port does staging use?"}))).unwrap();
    let id = sandbox.run(&["ls", "--json"]).json()["blocks"][0]["id"].as_str().unwrap()[..8].to_owned();
    assert!(context.contains("port 5433") && context.ends_with(&id), "{context}");
    for nothing in [json!({"prompt": "write a poem about rain in Lisbon"}), json!({"prompt": "  "}), json!({})] {
        assert_eq!(added(&call(&sandbox, "prompt", &nothing)), None, "{nothing}");
    }
}

#[test]
fn only_what_was_shown_counts_as_used() {
    let sandbox = prepared();
    let uses = || {
        let blocks = sandbox.run(&["ls", "--json"]).json()["blocks"].as_array().unwrap().clone();
        let port = blocks.into_iter().find(|block| block["content"].as_str().unwrap().contains("5433")).unwrap();
        port["reinforcement_count"].as_u64().unwrap()
    };
    call(&sandbox, "prompt", &json!({"prompt": "write a poem about rain in Lisbon"}));
    assert_eq!(uses(), 0);
    call(&sandbox, "prompt", &json!({"prompt": "which port does staging use?"}));
    assert_eq!(uses(), 1);
    let log = sandbox.run(&["log", "--json"]).stdout;
    assert!(log.contains("\"actor\": \"hook\""), "the journal says who asked: {log}");
}

#[test]
fn the_memory_is_that_of_the_folder_the_host_works_in() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file("a/.elfmem")).unwrap();
    let stored = sandbox.command(&["remember", "The mascot is a heron"]).current_dir(sandbox.file("a")).status();
    assert!(stored.unwrap().success());
    let input = json!({"prompt": "what is the mascot?", "cwd": sandbox.file("a")});
    assert!(added(&call(&sandbox, "prompt", &input)).unwrap().contains("heron"));
    assert_eq!(added(&call(&sandbox, "prompt", &json!({"prompt": "what is the mascot?"}))), None);
}

#[test]
fn the_end_is_reminded_of_once_and_never_in_a_loop() {
    let sandbox = Sandbox::new();
    let transcript = sandbox.file("transcript.jsonl");
    let stop =
        |active: bool| call(&sandbox, "stop", &json!({"stop_hook_active": active, "transcript_path": transcript}));
    let first = stop(false).json();
    assert_eq!(first["decision"], "block");
    assert!(first["reason"].as_str().unwrap().contains("elfmem remember"));
    assert_eq!(stop(true).stdout, "", "the host goes on because of us already");
    fs::write(&transcript, format!("{{\"content\": {}}}\n", first["reason"])).unwrap();
    assert_eq!(stop(false).stdout, "", "the session has heard it");
    fs::write(&transcript, "{\"tool\": \"elfmem_learn\"}\n").unwrap();
    assert_eq!(stop(false).stdout, "", "the agent has done it by itself");
    fs::write(&transcript, "{\"content\": \"nothing of the kind\"}\n").unwrap();
    assert_eq!(stop(false).json()["decision"], "block");
}

#[test]
fn a_host_never_suffers() {
    let sandbox = prepared();
    let quiet = |answer: Answer| {
        assert_eq!((answer.code, answer.stdout.as_str()), (0, ""), "{answer:?}");
        assert!(answer.stderr.starts_with("elfmem hook: ") && answer.stderr.lines().count() == 1, "{answer:?}");
    };
    for input in [&b"nonsense"[..], b"", b"[]", b"{\"prompt\": 5}", b"caf\xe9", b"{\"prompt\": \"x\""] {
        quiet(sandbox.pipe(input, &["hook", "prompt"]));
    }
    quiet(call(&sandbox, "other", &json!({})));
    quiet(sandbox.pipe(b"{}", &["hook"]));
    quiet(sandbox.pipe(b"{}", &["hook", "prompt", "--bogus"]));
    quiet(sandbox.pipe(b"{}", &["hook", "prompt", "more"]));
    let port = json!({"prompt": "which port does staging use?"});
    fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    fs::write(sandbox.file(".config/elfmem/config.toml"), "[memory]\nnonsense = 1\n").unwrap();
    quiet(call(&sandbox, "prompt", &port));
    fs::remove_file(sandbox.file(".config/elfmem/config.toml")).unwrap();
    fs::write(sandbox.file("broken.db"), "this is no database, and it is long enough to be looked at").unwrap();
    quiet(sandbox.pipe(port.to_string().as_bytes(), &["hook", "prompt", "--db", "broken.db"]));
    quiet(sandbox.pipe(port.to_string().as_bytes(), &["hook", "prompt", "--embedder", "nonsense"]));
    assert!(sandbox.ok(&["hook", "--help"]).contains("the host goes on"), "help is help");
}

#[test]
fn a_long_prompt_is_a_question_all_the_same() {
    let sandbox = prepared();
    let pasted = "at frame (module.js:1)\n".repeat(50_000);
    let prompt = format!("See this trace:\n\n{pasted}\n\nWhich port does staging use?");
    assert!(
        added(&call(&sandbox, "prompt", &json!({"prompt": prompt}))).is_some_and(|context| context.contains("5433"))
    );
}
