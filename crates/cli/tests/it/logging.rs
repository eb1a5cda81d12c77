//! `--log` and `--log-file`: what is logged, where it goes, and what is never in it.

use serde_json::json;

use crate::Sandbox;
use crate::http::Server;
use crate::mcp::Client;

/// A word in what is stored and asked, and a key: neither may be in a log.
const CANARY: &str = "canary";

fn key() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0)
}

fn stored() -> String {
    format!("The {CANARY} deploys with {}", key())
}

/// Fails if a log is empty or holds what was stored or asked.
fn assert_silent_about_content(log: &str) {
    assert!(!log.is_empty());
    let shown = log.lines().find(|line| line.to_lowercase().contains(CANARY) || line.contains(&key()[..12]));
    assert_eq!(shown, None);
}

#[test]
fn nothing_is_logged_unless_asked_for() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["remember", &stored()]).stderr, "");
    assert_eq!(sandbox.run(&["recall", CANARY]).stderr, "");
}

#[test]
fn a_level_logs_the_verb_to_standard_error_and_leaves_standard_output_alone() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["remember", &stored(), "--json", "--log", "trace"]);
    assert_eq!(answer.json()["status"], "created");
    assert!(answer.stderr.contains("elfmem_engine: close time.busy="), "{}", answer.stderr);
    assert!(answer.stderr.contains(r#"write{operation="learn"}"#), "{}", answer.stderr);
    assert_silent_about_content(&answer.stderr);
    let failed = sandbox.run(&["show", &format!("{CANARY}1"), "--log", "trace"]);
    assert_eq!(failed.code, 1);
    let log = failed.stderr.lines().filter(|line| line.contains("elfmem_engine")).collect::<Vec<_>>().join("\n");
    assert_silent_about_content(&log);
}

#[test]
fn the_variable_turns_it_on_and_a_file_takes_the_lines_of_several_runs() {
    let sandbox = Sandbox::new();
    for text in ["one", "two"] {
        let mut command = sandbox.command(&["remember", text, "--log-file", "elfmem.log"]);
        let answer: crate::Answer = command.env("ELFMEM_LOG", "elfmem_engine=trace").output().unwrap().into();
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    }
    let log = std::fs::read_to_string(sandbox.file("elfmem.log")).unwrap();
    let learned = log.lines().filter(|line| line.contains(r#"write{operation="learn"}: elfmem_engine: close"#));
    assert_eq!(learned.count(), 2, "{log}");
}

#[test]
fn a_new_memory_logs_its_schema_version_and_an_existing_one_does_not() {
    let sandbox = Sandbox::new();
    let migrated = |answer: crate::Answer| answer.stderr.matches("schema migrated from=0 to=").count();
    assert_eq!(migrated(sandbox.run(&["remember", "one", "--log", "info"])), 1);
    assert_eq!(migrated(sandbox.run(&["remember", "two", "--log", "info"])), 0);
}

#[test]
fn a_filter_that_names_another_crate_and_a_file_that_cannot_be_written_are_refused() {
    let sandbox = Sandbox::new();
    for filter in ["loud", "rmcp=trace"] {
        let error = crate::clear_error(&sandbox.run(&["status", "--log", filter]));
        assert!(error.contains("--log") && error.contains("debug"), "{error}");
    }
    let error = crate::clear_error(&sandbox.run(&["status", "--log-file", "no/such/folder/elfmem.log"]));
    assert!(error.contains("Cannot write"), "{error}");
}

#[test]
fn a_server_logs_calls_without_what_was_said() {
    let sandbox = Sandbox::new();
    let mut client = Client::connect(&sandbox, &["serve", "--tools", "all", "--log", "trace"]);
    client.active_block(&stored());
    client.done("elfmem_recall", json!({"query": format!("what does the {CANARY} do?")}));
    client.refused("elfmem_show", json!({"block": CANARY}));
    client.hang_up();
    let (status, _, log) = client.stopped();
    assert!(status.success());
    assert!(log.contains(r#"call{verb="recall" rights="write"}"#), "{log}");
    assert!(log.contains("call refused kind=") && log.contains("server stops"), "{log}");
    assert_silent_about_content(&log);
}

#[test]
fn a_server_over_http_logs_the_route_and_not_the_path() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--log", "trace", "--log-file", "elfmem.log"]);
    server.done("learn", &json!({"content": stored()}));
    server.send("GET", &format!("/api/v1/recall?query={CANARY}"), &[("x-request-id", CANARY)], "");
    server.send(&CANARY.to_uppercase(), &format!("/{CANARY}"), &[], "");
    server.stop();
    let log = std::fs::read_to_string(sandbox.file("elfmem.log")).unwrap();
    assert!(log.contains(r#"request answered method="POST" route="/api/v1/"#), "{log}");
    assert!(log.contains(r#"method="other" route="none" status=404"#), "{log}");
    assert_silent_about_content(&log);
}
