//! The same over HTTP: who may ask, and that it stops.

use serde_json::{Value, json};

use crate::http::{Response, Server};
use crate::{Sandbox, clear_error};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// What a client of the protocol asks.
pub(crate) trait Protocol {
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> Response;

    fn introduce(&self, headers: &[(&str, &str)]) -> String;

    fn call(&self, conversation: &str, tool: &str, arguments: Value) -> Value;
}

impl Protocol for Server {
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> Response {
        let mut all = vec![("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        all.extend(headers);
        self.send("POST", "/mcp", &all, &message.to_string())
    }

    /// Introduces a client; the name of its conversation.
    fn introduce(&self, headers: &[(&str, &str)]) -> String {
        let response = self.post(headers, &initialize());
        assert_eq!(response.status, 200, "{response:?}");
        response.header("mcp-session-id").unwrap().to_owned()
    }

    fn call(&self, conversation: &str, tool: &str, arguments: Value) -> Value {
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let response = self.post(&[("Mcp-Session-Id", conversation)], &call);
        assert_eq!(response.status, 200, "{response:?}");
        response.message()["result"].clone()
    }
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tester", "version": "1"},
    }})
}

#[test]
fn two_clients_share_one_memory_over_http() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let (one, two) = (server.introduce(&[]), server.introduce(&[]));
    assert_ne!(one, two);
    server.call(&one, "elfmem_learn", json!({"content": "Maria is allergic to peanuts"}));
    let recalled = server.call(&two, "elfmem_recall", json!({"query": "who can't eat nuts?"}));
    assert!(recalled["content"][0]["text"].as_str().unwrap().contains("Maria"), "{recalled}");
    assert_eq!(server.stop(), "");
    let connection = rusqlite::Connection::open(sandbox.file("m.db")).unwrap();
    let ended: (u32, u32) = connection
        .query_row("SELECT count(*), count(ended_at) FROM sessions WHERE task_type = 'mcp'", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(ended, (1, 1), "one session for the server, ended");
}

#[test]
fn a_second_initialize_over_http_is_refused_and_changes_nothing() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let client = server.introduce(&[]);
    let ask = |message: &Value| server.post(&[("Mcp-Session-Id", &client)], message).message();
    let mut again = initialize();
    again["params"]["protocolVersion"] = json!("9999");
    assert_eq!(ask(&again)["error"]["code"], -32_600);
    assert_eq!(ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}))["result"], json!({}));
    server.stop();
}

#[test]
fn a_client_that_takes_its_leave_is_gone() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let client = server.introduce(&[]);
    assert_eq!(server.send("DELETE", "/mcp", &[("Mcp-Session-Id", &client)], "").status, 204);
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    assert_eq!(server.post(&[("Mcp-Session-Id", &client)], &list).status, 404);
    server.stop();
}

#[test]
fn foreign_hosts_and_pages_are_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--allow-host", "memory.example"]);
    for headers in [
        [("Host", "evil.example")].as_slice(),
        &[("Origin", "https://evil.example")],
        &[("Origin", "null")],
        &[("Host", "memory.example"), ("Origin", "https://memory.example.evil")],
    ] {
        let response = server.post(headers, &initialize());
        assert_eq!(response.status, 403, "{headers:?}: {response:?}");
        assert!(!response.head.contains("mcp-session-id"), "{response:?}");
    }
    for headers in [
        [("Host", "memory.example")].as_slice(),
        &[("Host", "memory.example:80"), ("Origin", "https://memory.example")],
        &[("Origin", "http://localhost:3000")],
    ] {
        assert_eq!(server.post(headers, &initialize()).status, 200, "{headers:?}");
    }
    server.stop();
}

#[test]
fn with_a_token_only_who_shows_it_may_ask() {
    let sandbox = Sandbox::new();
    sandbox.write_private("token", &format!("{TOKEN}\n"));
    let server = Server::start(&sandbox, &["--token-file", "token"]);
    for wrong in [None, Some("Bearer wrong"), Some(TOKEN), Some("Basic MDEyMzQ1Njc4OWFiY2RlZg==")] {
        let headers: Vec<_> = wrong.map(|shown| ("Authorization", shown)).into_iter().collect();
        let response = server.post(&headers, &initialize());
        assert_eq!((response.status, response.header("www-authenticate")), (401, Some("Bearer")), "{response:?}");
    }
    server.introduce(&[("Authorization", &format!("Bearer {TOKEN}"))]);
    server.stop();
}

#[test]
fn the_token_may_come_from_the_environment() {
    let sandbox = Sandbox::new();
    let refused = sandbox.run(&["serve", "--http", "127.0.0.1:0", "--token-env", "MY_TOKEN"]);
    assert!(clear_error(&refused).contains("MY_TOKEN holds no token"), "{refused:?}");
    let mut command = sandbox.command(&["serve", "--http", "127.0.0.1:0", "--token-env", "MY_TOKEN"]);
    let refused: crate::Answer = command.env("MY_TOKEN", "short").output().unwrap().into();
    assert!(clear_error(&refused).contains("at least 16"), "{refused:?}");
    assert!(!refused.stderr.contains("short"), "a token is never printed: {refused:?}");
}

#[test]
fn beyond_this_machine_a_token_is_needed() {
    let sandbox = Sandbox::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let error = clear_error(&sandbox.run(&["serve", "--http", address]));
        assert!(error.contains("there is no token") && error.contains("--token-file"), "{error}");
    }
}

#[test]
fn an_address_that_is_taken_is_a_clear_error() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let error = clear_error(&sandbox.run(&["serve", "--http", &server.address]));
    assert!(error.contains("Cannot listen at") && error.contains("port 0"), "{error}");
    server.stop();
}

#[test]
fn large_and_foreign_requests_are_refused_and_the_server_goes_on() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let large = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y".repeat(5 * 1024 * 1024)}});
    assert_eq!(server.post(&[], &large).status, 413);
    assert_eq!(server.send("GET", "/", &[], "").status, 404);
    assert_eq!(server.send("POST", "/mcp", &[], "hello").status, 406);
    let unknown = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(server.post(&[("Mcp-Session-Id", "nobody")], &unknown).status, 404);
    server.introduce(&[]);
    server.stop();
}
