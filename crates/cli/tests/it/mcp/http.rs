//! The same over HTTP: who may ask, and that it stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::PATIENCE;
use crate::{Sandbox, clear_error};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server and where it is.
struct Server {
    child: Child,
    address: String,
}

/// What came back.
#[derive(Debug)]
struct Response {
    status: u16,
    head: String,
    body: String,
}

impl Response {
    /// The message in it: the body itself, or the last event of a stream.
    fn message(&self) -> Value {
        let event =
            self.body.lines().rev().find_map(|line| line.strip_prefix("data: ").filter(|data| !data.is_empty()));
        serde_json::from_str(event.unwrap_or(&self.body)).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Server {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut all = vec!["serve", "--db", "m.db", "--http", "127.0.0.1:0"];
        all.extend(arguments);
        let mut child = sandbox.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("elfmem serves MCP at http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, address }
    }

    /// One request with its own connection.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        // A server that refuses early may close before all of a large body is sent.
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(b"\r\n"))
            .and_then(|()| stream.write_all(body.as_bytes()));
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head: head.to_owned(), body: body.to_owned() }
    }

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

    fn stop(mut self) -> String {
        let sent = std::process::Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(self.child.wait().unwrap().success(), "{stderr}");
        assert_eq!(stdout, "");
        stderr
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
    std::fs::write(sandbox.file("token"), format!("{TOKEN}\n")).unwrap();
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
