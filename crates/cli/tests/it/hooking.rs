//! Hooks: what a host gets, and that it never suffers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use elfmem_text::tokens::estimate;
use serde_json::{Value, json};

use crate::slow_model::SlowModel;
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
fn a_session_that_goes_on_is_told_nothing_twice() {
    let sandbox = prepared();
    sandbox.ok(&["remember", "Deploys go out on Tuesdays"]);
    let start = |source: &str| {
        let answer = call(&sandbox, "session-start", &json!({"session_id": "s", "source": source}));
        added(&answer)
    };
    let first = start("startup").unwrap();
    for text in ["billing service", "port 5433", "Tuesdays"] {
        assert_eq!(first.matches(text).count(), 1, "{first}");
    }
    assert_eq!(start("resume"), None);
    let prompt = json!({"session_id": "s", "prompt": "which port does the staging database listen on?"});
    assert_eq!(added(&call(&sandbox, "prompt", &prompt)), None, "it was shown at the start");
    assert!(start("compact").unwrap().contains("billing service"), "what was told is gone from the context");
}

#[test]
fn a_prompt_gets_what_is_surely_known_about_it_once_or_nothing() {
    let sandbox = prepared();
    let port = |session: &str| {
        let input = json!({"session_id": session, "prompt": "which port does the staging database listen on?"});
        added(&call(&sandbox, "prompt", &input))
    };
    let context = port("a").unwrap();
    let id = sandbox.run(&["ls", "--json"]).json()["blocks"][0]["block_id"].as_str().unwrap()[..8].to_owned();
    assert!(context.contains("port 5433") && context.contains(&format!("[{id} | today, ")), "{context}");
    assert_eq!(port("a"), None, "nothing is said twice in a session");
    assert!(port("b").is_some(), "another session has not heard it");
    for nothing in [
        json!({"prompt": "write a poem about rain in Lisbon"}),
        json!({"prompt": "what did we say about the holidays of the database team?"}),
        json!({"prompt": "  "}),
        json!({}),
    ] {
        assert_eq!(added(&call(&sandbox, "prompt", &nothing)), None, "{nothing}");
    }
}

/// A memory whose texts have words that replies have too.
fn with_everyday_words() -> Sandbox {
    let sandbox = Sandbox::new();
    for text in [
        "Never push to main on Fridays",
        "Maria prefers tabs over spaces in Go code",
        "The production cluster runs in eu-west-1",
        "Tom's birthday is on 3 May",
        "Deploys go out on Tuesdays",
        "Ravi is allergic to peanuts",
    ] {
        sandbox.ok(&["remember", text]);
    }
    sandbox
}

#[test]
fn a_prompt_about_nothing_brings_nothing() {
    let sandbox = with_everyday_words();
    for prompt in "thanks|perfect|do it|go on|1|weiter|2|ok|k|y|yes|yes please|no|go ahead|continue|next|next step|\
        looks good|lgtm|ship it|try again|why?|really?|tell me more|hello|ja, bitte|danke|mach weiter|alles klar|passt|\
        oui|d'accord|merci|vas-y|sí|vale|gracias|sigue|va bene|grazie|avanti|sim|obrigado|de novo|ga door|dank je|prima|👍|42"
        .split('|')
    {
        let answer = added(&call(&sandbox, "prompt", &json!({"prompt": prompt})));
        assert_eq!(answer, None, "{prompt}");
    }
}

#[test]
fn a_short_prompt_about_something_brings_it() {
    let sandbox = with_everyday_words();
    for (prompt, text) in [
        ("deploy?", "Tuesdays"),
        ("deploys", "Tuesdays"),
        ("ok, when do we deploy?", "Tuesdays"),
        ("Tom's birthday?", "3 May"),
        ("Tom?", "3 May"),
        ("birthday", "3 May"),
        ("thanks! and Tom's birthday?", "3 May"),
        ("tabs?", "tabs"),
        ("tabs or spaces?", "tabs"),
        ("Maria?", "tabs"),
        ("Go code", "tabs"),
        ("push it", "Never push"),
        ("push to main", "Never push"),
        ("go on and push to main", "Never push"),
        ("push on Friday?", "Never push"),
        ("eu-west-1?", "eu-west-1"),
        ("production cluster", "eu-west-1"),
        ("the cluster?", "eu-west-1"),
        ("peanuts?", "Ravi"),
        ("Ravi's allergies", "Ravi"),
        ("is Ravi allergic?", "Ravi"),
    ] {
        let answer = added(&call(&sandbox, "prompt", &json!({"prompt": prompt})));
        assert!(answer.as_ref().is_some_and(|answer| answer.contains(text)), "{prompt}: {answer:?}");
    }
}

#[test]
fn a_prompt_gets_at_most_as_many_tokens_as_the_settings_say() {
    let sandbox = Sandbox::new();
    for number in 0..12 {
        let text = format!(
            "The staging database of team {number} listens on port {}, behind the proxy in rack {number}",
            5000 + number
        );
        sandbox.ok(&["remember", &text]);
    }
    let input = json!({"prompt": "which port does the staging database listen on?"}).to_string();
    let tokens = |settings: &[(&str, &str)]| {
        let mut command = sandbox.command(&["hook", "prompt"]);
        command.envs(settings.iter().copied()).env("ELFMEM_TOP_K", "12");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let answer = Answer::from(child.wait_with_output().unwrap());
        if answer.stdout.is_empty() { 0 } else { estimate(&added(&answer).unwrap()) }
    };
    let usual = tokens(&[]);
    assert!((1..=400).contains(&usual), "{usual}");
    let fewer = (usual - 1).to_string();
    assert!(tokens(&[("ELFMEM_PROMPT_TOKENS", &fewer)]) < usual);
    assert_eq!(tokens(&[("ELFMEM_PROMPT_TOKENS", "0")]), 0);
}

#[test]
fn a_long_document_is_quoted_only_when_it_is_named() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.file("handbook.md"), "# Opening hours\n\nThe office closes at six on Fridays.\n").unwrap();
    sandbox.ok(&["learn-document", "handbook.md", "--name", "handbook.md"]);
    let asked = |prompt: &str| added(&call(&sandbox, "prompt", &json!({"prompt": prompt})));
    assert_eq!(asked("when does the office close on Fridays?"), None);
    let named = asked("when does the office close on Fridays, according to the handbook?").unwrap();
    assert!(named.contains("closes at six") && named.contains("| handbook.md"), "{named}");
}

#[test]
fn what_is_injected_is_shown_and_used_only_when_the_agent_says_so() {
    let sandbox = prepared();
    let port = || {
        let blocks = sandbox.run(&["ls", "--json"]).json()["blocks"].as_array().unwrap().clone();
        blocks.into_iter().find(|block| block["content"].as_str().unwrap().contains("5433")).unwrap()
    };
    call(&sandbox, "prompt", &json!({"session_id": "s", "prompt": "which port does the staging database listen on?"}));
    assert_eq!(port()["reinforcement_count"], 0);
    let echoed = sandbox.run(&["remember", "The staging database listens on port 5433!", "--json"]).json();
    assert_eq!(echoed["status"], "echo", "saying back what was shown is no evidence");
    sandbox.ok(&["outcome", port()["block_id"].as_str().unwrap(), "--signal", "0.9"]);
    assert!(port()["reinforcement_count"].as_u64().unwrap() > 0);
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

/// A transcript as a host writes it.
fn transcript(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/transcripts").join(name)
}

#[test]
fn a_short_question_ends_in_peace() {
    let sandbox = prepared();
    let input = json!({"session_id": "s", "transcript_path": transcript("short-question.jsonl")});
    assert_eq!(call(&sandbox, "stop", &input).stdout, "");
    assert_eq!(call(&sandbox, "pre-compact", &input).stdout, "");
}

#[test]
fn a_working_session_is_asked_once_to_keep_what_it_learned() {
    let sandbox = prepared();
    let stop = |session: &str, file: &str, active: bool| {
        let path = transcript(file);
        call(&sandbox, "stop", &json!({"session_id": session, "stop_hook_active": active, "transcript_path": path}))
    };
    assert_eq!(stop("s", "long-session.jsonl", true).stdout, "", "the host goes on because of us already");
    let first = stop("s", "long-session.jsonl", false).json();
    assert_eq!(first["decision"], "block");
    // The tests run the program by its path, as a host does that cannot find it by its name.
    let typed = format!("`{} remember`", env!("CARGO_BIN_EXE_elfmem"));
    assert!(first["reason"].as_str().unwrap().contains(&typed), "{first}");
    assert_eq!(stop("s", "long-session.jsonl", false).stdout, "", "the session has heard it");
    assert_eq!(stop("other", "kept-session.jsonl", false).stdout, "", "the agent has done it by itself");
    assert_eq!(stop("third", "codex-session.jsonl", false).json()["decision"], "block", "another host's form");
    let summary =
        call(&sandbox, "pre-compact", &json!({"session_id": "s", "transcript_path": transcript("long-session.jsonl")}));
    assert!(summary.stdout.starts_with("elfmem: list in the summary"), "{summary:?}");
}

#[test]
fn where_the_server_is_registered_its_tool_is_named() {
    let sandbox = prepared();
    fs::write(sandbox.file(".mcp.json"), r#"{"mcpServers": {"elfmem": {"command": "elfmem"}}}"#).unwrap();
    let input = json!({"session_id": "s", "cwd": sandbox.path(), "transcript_path": transcript("long-session.jsonl")});
    let asked = call(&sandbox, "stop", &input).json()["reason"].as_str().unwrap().to_owned();
    assert!(asked.contains("`elfmem_learn`") && asked.contains("`elfmem_outcome`"), "{asked}");
    assert!(!asked.contains("remember`"), "{asked}");
}

#[test]
fn a_session_without_a_memory_is_asked_once_too() {
    let sandbox = Sandbox::new();
    let heard = sandbox.file("transcript.jsonl");
    let work = fs::read_to_string(transcript("long-session.jsonl")).unwrap();
    fs::write(&heard, &work).unwrap();
    let stop = || call(&sandbox, "stop", &json!({"session_id": "s", "transcript_path": heard}));
    let reason = stop().json()["reason"].clone();
    assert!(!sandbox.file(".local/share/elfmem/memory.db").exists(), "a reminder makes no memory");
    fs::write(&heard, format!("{work}{}\n", json!({"type": "user", "message": {"role": "user", "content": reason}})))
        .unwrap();
    assert_eq!(stop().stdout, "");
}

#[test]
fn a_transcript_that_cannot_be_read_asks_for_nothing() {
    let sandbox = prepared();
    fs::write(sandbox.file("binary"), [0u8, 159, 146, 150, 10, 255]).unwrap();
    fs::write(sandbox.file("other"), "a transcript of some other kind\n").unwrap();
    for path in [
        json!("missing.jsonl"),
        json!(sandbox.file("binary")),
        json!(sandbox.file("other")),
        json!(sandbox.path()),
        Value::Null,
    ] {
        for event in ["stop", "pre-compact"] {
            let answer = call(&sandbox, event, &json!({"session_id": "s", "transcript_path": path}));
            assert_eq!((answer.code, answer.stdout.as_str()), (0, ""), "{path}: {answer:?}");
        }
    }
}

#[test]
fn the_end_of_a_session_consolidates_in_the_background() {
    let sandbox = prepared();
    let started = Instant::now();
    let answer = call(&sandbox, "session-end", &json!({"session_id": "s", "reason": "other", "cwd": sandbox.path()}));
    assert_eq!((answer.code, answer.stdout.as_str(), answer.stderr.as_str()), (0, "", ""));
    let waiting = || sandbox.run(&["status", "--json"]).json()["inbox_count"].as_u64().unwrap();
    while waiting() > 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing was consolidated");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(sandbox.run(&["log", "--json"]).stdout.contains("\"actor\": \"hook\""), "the journal says who");
}

#[test]
fn consolidation_at_the_end_of_a_session_stops_when_its_time_is_over() {
    const WAITING: u64 = 200;
    let (sandbox, model) = (Sandbox::new(), SlowModel::start(Duration::from_millis(700)));
    fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    let settings = format!("{}[session]\nconsolidate_seconds = 1\n", model.settings());
    fs::write(sandbox.file(".config/elfmem/config.toml"), settings).unwrap();
    fs::create_dir(sandbox.file("notes")).unwrap();
    for number in 0..WAITING {
        fs::write(
            sandbox.file(&format!("notes/{number}.md")),
            format!("Shelf {number} holds the boxes of year {number}."),
        )
        .unwrap();
    }
    sandbox.ok(&["import", "notes"]);
    let waiting = || sandbox.run(&["status", "--json"]).json()["inbox_count"].as_u64().unwrap();
    assert_eq!(waiting(), WAITING);
    let (before, started) = (model.asked().len(), Instant::now());
    call(&sandbox, "session-end", &json!({"session_id": "s", "reason": "other", "cwd": sandbox.path()}));
    // It is over when the model is asked for nothing any more.
    let is_over = || {
        let asked = model.asked();
        asked.len() > before && asked.last().unwrap().elapsed() > Duration::from_secs(3)
    };
    while !is_over() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "it has a second: {} requests",
            model.asked().len() - before
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    // A second and the request that runs then; the whole inbox would have taken seven.
    assert!((1..=3).contains(&(model.asked().len() - before)), "{} requests", model.asked().len() - before);
    let left = waiting();
    assert!(left > 0 && left < WAITING, "{left} of {WAITING} wait for the next time");
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
