//! Who may ask for what: hosts, pages, tokens and their rights.

use serde_json::{Value, json};

use super::Server;
use crate::{Sandbox, clear_error};

const WRITER: &str = "Bearer wwwwwwwwwwwwwwwwwwwwwwww";
const READER: &str = "Bearer rrrrrrrrrrrrrrrrrrrrrrrr";
const TOKENS: &str = "# for tests\nwrite wwwwwwwwwwwwwwwwwwwwwwww\nread rrrrrrrrrrrrrrrrrrrrrrrr\n";

fn with_tokens(sandbox: &Sandbox, arguments: &[&str]) -> Server {
    sandbox.write_private("tokens", TOKENS);
    let mut all = vec!["--token-file", "tokens"];
    all.extend(arguments);
    Server::start(sandbox, &all)
}

#[test]
fn foreign_hosts_and_pages_are_refused_everywhere_but_at_the_question_for_health() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    for path in ["/api/v1", "/api/v1/status", "/openapi.json", "/metrics", "/mcp", "/nowhere"] {
        for headers in [
            [("Host", "evil.example")].as_slice(),
            &[("Origin", "https://evil.example")],
            &[("Origin", "null")],
            &[("Sec-Fetch-Site", "cross-site")],
        ] {
            server.send("GET", path, headers, "").problem(403);
        }
    }
    assert_eq!(server.send("GET", "/healthz", &[("Host", "evil.example")], "").status, 200);
    assert_eq!(server.send("GET", "/api/v1/status", &[("Origin", "http://localhost:3000")], "").status, 200);
    server.stop();
}

#[test]
fn without_a_token_nothing_but_health_is_told() {
    let sandbox = Sandbox::new();
    let server = with_tokens(&sandbox, &[]);
    for path in ["/api/v1", "/api/v1/status", "/openapi.json", "/metrics", "/mcp", "/nowhere"] {
        for shown in [None, Some("Bearer wrong"), Some("wwwwwwwwwwwwwwwwwwwwwwww")] {
            let headers: Vec<_> = shown.map(|shown| ("Authorization", shown)).into_iter().collect();
            let response = server.send("GET", path, &headers, "");
            response.problem(401);
            assert_eq!(response.header("www-authenticate"), Some("Bearer"));
        }
    }
    assert_eq!(server.send("GET", "/healthz", &[], "").status, 200);
    assert_eq!(server.send("GET", "/api/v1/status", &[("Authorization", READER)], "").status, 200);
    server.stop();
}

#[test]
fn a_token_to_read_cannot_write() {
    let sandbox = Sandbox::new();
    let server = with_tokens(&sandbox, &[]);
    let fact = json!({"content": "Maria is allergic to peanuts"});
    let refused = server.verb_with("learn", &[("Authorization", READER)], &fact).problem(403);
    assert_eq!(refused["code"], "PermissionError");
    assert_eq!(server.verb_with("learn", &[("Authorization", WRITER)], &fact).status, 200);
    let asked = server.verb_with("recall", &[("Authorization", READER)], &json!({"query": "nuts"}));
    assert_eq!(asked.message()["blocks"].as_array().unwrap().len(), 1, "{asked:?}");
    for verb in elfmem_engine::catalog::all().filter(|verb| verb.effect != elfmem_engine::catalog::Effect::Reads) {
        server.verb_with(verb.name, &[("Authorization", READER)], &json!({})).problem(403);
    }
    assert_eq!(server.stop(), "");
    let history = sandbox.run(&["history", "--json", "--db", "m.db"]).json();
    let operations: Vec<&Value> =
        history["operations"].as_array().unwrap().iter().map(|past| &past["operation"]).collect();
    assert!(operations.contains(&&json!("learn")), "{operations:?}");
    assert!(
        !operations.iter().any(|name| name.as_str().unwrap().contains("recall")),
        "a reader leaves no trace: {operations:?}"
    );
}

#[test]
fn a_client_of_the_protocol_with_a_token_to_read_cannot_write() {
    let sandbox = Sandbox::new();
    let server = with_tokens(&sandbox, &["--tools", "all"]);
    let ask = |token: &str, conversation: Option<&str>, message: Value| {
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Authorization", token),
        ];
        headers.extend(conversation.map(|id| ("Mcp-Session-Id", id)));
        server.send("POST", "/mcp", &headers, &message.to_string())
    };
    let introduce = |token: &str| {
        let client = json!({"name": "tester", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = ask(token, None, json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        answer.header("mcp-session-id").unwrap().to_owned()
    };
    let call = |token: &str, conversation: &str, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        ask(token, Some(conversation), message).message()["result"].clone()
    };
    let (reader, writer) = (introduce(READER), introduce(WRITER));
    let fact = json!({"content": "Maria is allergic to peanuts"});
    for conversation in [&reader, &writer] {
        let refused = call(READER, conversation, "elfmem_learn", fact.clone());
        assert_eq!(refused["isError"], true, "{refused}");
        assert_eq!(
            refused["structuredContent"]["error"], "PermissionError",
            "whoever began the conversation: {refused}"
        );
    }
    assert_eq!(call(WRITER, &writer, "elfmem_learn", fact)["isError"], json!(false));
    let recalled = call(READER, &reader, "elfmem_recall", json!({"query": "who can't eat nuts?"}));
    assert_eq!(recalled["structuredContent"]["blocks"].as_array().unwrap().len(), 1, "{recalled}");
    let list = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"});
    let tools = ask(READER, Some(&reader), list).message()["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"elfmem_recall") && !names.contains(&"elfmem_learn"), "{names:?}");
    server.stop();
}

#[test]
fn tokens_may_come_from_the_settings_and_are_never_printed() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    std::fs::write(
        sandbox.file(".config/elfmem/config.toml"),
        "[serve]\ntoken_file = \"tokens\"\nrequests_per_minute = 2\n",
    )
    .unwrap();
    let refused = clear_error(&sandbox.run(&["serve", "--http", "127.0.0.1:0"]));
    assert!(refused.contains(".config/elfmem/tokens"), "a path in a file is relative to that file: {refused}");
    sandbox.write_private(".config/elfmem/tokens", "read rrrrrrrrrrrrrrrrrrrrrrrr\nwrite tiny\n");
    let refused = clear_error(&sandbox.run(&["serve", "--http", "127.0.0.1:0"]));
    assert!(refused.contains("line 2") && !refused.contains("tiny") && !refused.contains("rrrr"), "{refused}");
    sandbox.write_private(".config/elfmem/tokens", TOKENS);
    let server = Server::start(&sandbox, &[]);
    server.send("GET", "/api/v1", &[], "").problem(401);
    let shown = [("Authorization", READER)];
    assert_eq!(server.send("GET", "/api/v1", &shown, "").status, 200);
    assert_eq!(server.send("GET", "/api/v1", &shown, "").header("x-ratelimit-remaining"), Some("0"));
    server.send("GET", "/api/v1", &shown, "").problem(429);
    server.stop();
}
