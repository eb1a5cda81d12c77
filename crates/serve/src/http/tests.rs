//! Tests over real sockets, with short timeouts.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use elfmem_core::Timestamp;
use elfmem_engine::catalog::ToolProfile;
use elfmem_engine::{Memory, Options};
use elfmem_store_sqlite::SqliteStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{AccessTokens, HttpOptions, Limits, listen, router};
use crate::call_pool::CallPool;
use crate::mcp::{Clients, Handler};
use crate::memory::{LazyMemory, Opener};

/// Timeout for slow test machines.
const PATIENCE: Duration = Duration::from_secs(60);

struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn in_memory() -> Opener<SqliteStore> {
    Box::new(|actor| {
        let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
        Ok(Memory::open(store, Options { actor: actor.to_owned(), ..Options::default() }).into())
    })
}

fn served(open: Opener<SqliteStore>, tokens: Option<&str>, limits: Limits) -> Served {
    let (stop, stopped) = oneshot::channel();
    let (bound, wait) = std::sync::mpsc::channel();
    let tokens = tokens.map(|tokens| AccessTokens::parse(tokens).unwrap());
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let calls = CallPool::new(Arc::new(LazyMemory::new(open)));
            let handler = Handler::new(calls.clone(), ToolProfile::All.into(), Clients::Several);
            let http = HttpOptions { address, tokens, allowed_hosts: Vec::new(), limits, access_log: false };
            let (router, conversations) = router(calls, handler, &http);
            bound.send(address).unwrap();
            let stop = async {
                let _ = stopped.await;
            };
            listen(listener, router, limits, conversations, stop, Duration::from_secs(10)).await;
        });
        runtime.shutdown_background();
    });
    Served { address: wait.recv().unwrap(), stop: Some(stop), thread: Some(thread) }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }
}

impl Served {
    fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    fn head(&self, method: &str, path: &str, headers: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address)
    }

    /// Sends raw bytes and returns everything until the connection closes.
    fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        answer(stream)
    }

    fn get(&self, path: &str, headers: &str) -> Answer {
        self.raw(self.head("GET", path, headers).as_bytes())
    }

    fn post(&self, path: &str, headers: &str, body: &str) -> Answer {
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n{headers}", body.len());
        self.raw(format!("{}{body}", self.head("POST", path, &headers)).as_bytes())
    }

    fn learn(&self, content: &str) -> Answer {
        self.post("/api/v1/learn", "", &json!({"content": content}).to_string())
    }
}

fn answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

fn quick() -> Limits {
    let soon = Duration::from_millis(400);
    Limits { header_time: soon, body_time: soon, write_time: soon, ..Limits::default() }
}

#[test]
fn a_panic_returns_500_and_the_server_continues() {
    let server = served(Box::new(|_| panic!("a fault of ours")), None, Limits::default());
    let broken = server.post("/api/v1/status", "X-Request-Id: broken-1\r\n", "{}");
    assert_eq!((broken.status, broken.header("x-request-id")), (500, Some("broken-1")), "{broken:?}");
    let problem = broken.json();
    assert_eq!((&problem["code"], &problem["request_id"]), (&json!("InternalError"), &json!("broken-1")));
    assert!(!broken.body.contains("a fault of ours"), "what broke is not the client's business: {problem}");
    assert_eq!(server.get("/api/v1", "").status, 200);
    assert_eq!(server.get("/healthz", "").status, 503);
}

#[test]
fn a_declared_length_over_the_limit_is_rejected_at_once() {
    let server = served(in_memory(), None, Limits::default());
    let mut stream = server.connect();
    stream.write_all(server.head("POST", "/api/v1/learn", "Content-Length: 10000000\r\n").as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 413", "answered with not one byte of the body sent");
}

#[test]
fn a_large_body_is_rejected_with_a_response() {
    let server = served(in_memory(), None, Limits::default());
    for path in ["/api/v1/learn", "/mcp", "/nowhere"] {
        let refused = server.post(path, "", &"x".repeat(10_000_000));
        assert_eq!(refused.status, 413, "{path}: {refused:?}");
        assert!(refused.json()["recovery"].as_str().is_some_and(|recovery| !recovery.is_empty()), "{refused:?}");
    }
}

#[test]
fn chunked_bodies_are_limited() {
    let server = served(in_memory(), None, Limits { body_bytes: 2_000, ..Limits::default() });
    let chunked = |pieces: usize| {
        let mut bytes = server.head("POST", "/api/v1/learn", "Transfer-Encoding: chunked\r\n").into_bytes();
        let text = format!("{{\"content\": \"{}\"}}", "x".repeat(pieces * 100));
        for piece in text.as_bytes().chunks(100) {
            bytes.extend(format!("{:x}\r\n", piece.len()).into_bytes());
            bytes.extend(piece);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        server.raw(&bytes).status
    };
    assert_eq!((chunked(10), chunked(30)), (200, 413));
}

#[test]
fn slow_clients_time_out_without_blocking_others() {
    let server = served(in_memory(), None, Limits { connections: 300, ..quick() });
    let half_heads: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"POST /api/v1/learn HTTP/1.1\r\nHost: loc").unwrap();
            stream
        })
        .collect();
    let half_bodies: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(server.head("POST", "/api/v1/learn", "Content-Length: 100\r\n").as_bytes()).unwrap();
            stream.write_all(b"{\"content\"").unwrap();
            stream
        })
        .collect();
    for number in 0..20 {
        assert_eq!(server.learn(&format!("fact {number}")).status, 200, "answered beside two hundred slow clients");
    }
    for stream in half_bodies {
        let answer = answer(stream);
        assert_eq!((answer.status, &answer.json()["code"]), (408, &json!("TimeoutError")));
    }
    for stream in half_heads {
        assert!(matches!(answer(stream).status, 0 | 408), "let go");
    }
    assert_eq!(server.get("/api/v1/status", "").json()["inbox_count"], 20, "nothing of the slow ones was stored");
}

#[test]
fn clients_that_do_not_read_time_out() {
    let server = served(in_memory(), None, Limits { connections: 1, ..quick() });
    let mut deaf = server.connect();
    let list = format!("GET /openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // More responses than both socket buffers hold.
    let _ = deaf.set_write_timeout(Some(Duration::from_millis(200)));
    for _ in 0..200 {
        if deaf.write_all(list.as_bytes()).is_err() {
            break;
        }
    }
    let asked = Instant::now();
    assert_eq!(server.get("/healthz", "").status, 200, "there is one place, and it was given up");
    assert!(asked.elapsed() < Duration::from_secs(30));
}

#[test]
fn shutdown_finishes_running_requests() {
    let mut server = served(in_memory(), None, Limits::default());
    let body = json!({"content": "the last words"}).to_string();
    let mut under_way = server.connect();
    let head = server.head("POST", "/api/v1/learn", &format!("Content-Length: {}\r\n", body.len()));
    under_way.write_all(head.as_bytes()).unwrap();
    // The server has accepted the connection once it answers another one.
    assert_eq!(server.get("/healthz", "").status, 200);
    server.stop();
    let gone = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        TcpStream::connect(server.address).is_err()
    });
    assert!(gone, "nobody is let in any more");
    under_way.write_all(body.as_bytes()).unwrap();
    let finished = answer(under_way);
    assert_eq!((finished.status, &finished.json()["status"]), (200, &json!("created")));
}

#[test]
fn requests_over_the_limit_get_retry_after() {
    let tokens = "write aaaaaaaaaaaaaaaa\nread bbbbbbbbbbbbbbbb";
    let server = served(in_memory(), Some(tokens), Limits { requests_per_minute: 3, ..Limits::default() });
    let ask = |token: &str| server.get("/api/v1/status", &format!("Authorization: Bearer {token}\r\n"));
    for left in ["2", "1", "0"] {
        let answer = ask("aaaaaaaaaaaaaaaa");
        assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, Some(left)), "{answer:?}");
    }
    let refused = ask("aaaaaaaaaaaaaaaa");
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RateLimitError")));
    assert!(refused.header("retry-after").is_some_and(|seconds| seconds.parse::<u64>().is_ok_and(|s| s <= 20)));
    assert_eq!(ask("bbbbbbbbbbbbbbbb").status, 200, "each token has its own");
    assert_eq!(server.get("/healthz", "").status, 200, "health is not counted");
}

#[test]
fn malformed_requests_are_rejected_and_the_server_continues() {
    let server = served(in_memory(), None, quick());
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /api/v1 HTTP/1.1\r\n\r\n",
        b"POST /api/v1/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/v1/learn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let status = server.raw(bytes).status;
        assert!((400..500).contains(&status), "{status}: {}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(server.get("/api/v1", "").status, 200);
}

fn half_sent(server: &Served, count: usize) -> Vec<TcpStream> {
    let open = |number: usize| {
        let mut stream = server.connect();
        let whole = server.head("POST", "/api/v1/learn", "Content-Length: 100\r\n");
        let bytes = if number.is_multiple_of(2) { "POST /api/v1/learn HTTP/1.1\r\nHost: loc" } else { whole.as_str() };
        let _ = stream.write_all(bytes.as_bytes());
        stream
    };
    (0..count).map(open).collect()
}

#[test]
fn half_sent_requests_do_not_keep_others_out() {
    let limits = Limits { connections: 40, connections_per_address: 30, ..Limits::default() };
    let server = served(in_memory(), None, limits);
    let started = Instant::now();
    let half = half_sent(&server, 200);
    for number in 0..20 {
        assert_eq!(server.learn(&format!("fact {number}")).status, 200, "answered beside 200 half-sent requests");
        assert_eq!(server.get("/healthz", "").status, 200);
    }
    assert!(started.elapsed() < Limits::default().header_time, "without waiting for them to time out");
    drop(half);
    assert_eq!(server.get("/api/v1/status", "").json()["inbox_count"], 20);
}

/// A memory whose opening takes as long as the lock is held.
fn stuck() -> (Opener<SqliteStore>, Arc<std::sync::Mutex<()>>) {
    let lock = Arc::new(std::sync::Mutex::new(()));
    let held = Arc::clone(&lock);
    let open = in_memory();
    let open: Opener<SqliteStore> = Box::new(move |actor| {
        let _wait = held.lock();
        open(actor)
    });
    (open, lock)
}

#[test]
fn requests_that_are_being_handled_keep_their_place_and_others_are_told_to_come_back() {
    let (open, lock) = stuck();
    let server = served(open, None, Limits { connections: 4, ..Limits::default() });
    let held = lock.lock().unwrap();
    let asked: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(server.head("GET", "/api/v1/status", "").as_bytes()).unwrap();
            stream
        })
        .collect();
    // Until all four have their place.
    std::thread::sleep(Duration::from_millis(300));
    let refused = (0..200).map(|_| server.get("/api/v1", "")).find(|answer| answer.status != 200).unwrap();
    assert_eq!((refused.status, &refused.json()["code"]), (503, &json!("CrowdedError")));
    assert!(refused.header("retry-after").is_some() && refused.header("connection") == Some("close"), "{refused:?}");
    assert_eq!(server.get("/healthz", "").json()["code"], json!("StorageError"), "the health check is answered");
    drop(held);
    assert!(asked.into_iter().all(|stream| answer(stream).status == 200), "nobody was turned away in the middle");
}

#[test]
fn one_client_cannot_have_too_many_requests_at_once() {
    let (open, lock) = stuck();
    let tokens = "write aaaaaaaaaaaaaaaa\nread bbbbbbbbbbbbbbbb";
    let server = served(open, Some(tokens), Limits { running_requests: 2, ..Limits::default() });
    let held = lock.lock().unwrap();
    let one = "Authorization: Bearer aaaaaaaaaaaaaaaa\r\n";
    let asked: Vec<TcpStream> = (0..2)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(server.head("GET", "/api/v1/status", one).as_bytes()).unwrap();
            stream
        })
        .collect();
    let refused = (0..200).map(|_| server.get("/api/v1", one)).find(|answer| answer.status != 200).unwrap();
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("CrowdedError")));
    assert_eq!(server.get("/api/v1", "Authorization: Bearer bbbbbbbbbbbbbbbb\r\n").status, 200, "another one can");
    drop(held);
    assert!(asked.into_iter().all(|stream| answer(stream).status == 200));
}

#[test]
fn requests_for_another_host_are_refused_however_they_name_it() {
    let server = served(in_memory(), None, quick());
    let port = server.address.port();
    for (request, status) in [
        (format!("GET /api/v1 HTTP/1.1\r\nHost: localhost:{port}\r\n"), 200),
        (format!("GET http://localhost:{port}/api/v1 HTTP/1.1\r\nHost: localhost:{port}\r\n"), 200),
        ("GET /api/v1 HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n".to_owned(), 400),
        ("GET http://evil.example/api/v1 HTTP/1.1\r\nHost: localhost\r\n".to_owned(), 403),
        ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n".to_owned(), 403),
        (format!("GET /api/v1 HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:{port}.evil\r\n"), 403),
        (format!("GET /api/v1 HTTP/1.1\r\nHost: localhost:{port}.evil\r\n"), 403),
    ] {
        let answer = server.raw(format!("{request}Connection: close\r\n\r\n").as_bytes());
        assert_eq!(answer.status, status, "{request}: {answer:?}");
    }
}

#[test]
fn wrong_tokens_are_limited() {
    let server = served(in_memory(), Some("0123456789abcdef"), Limits::default());
    let ask = |token: &str| server.get("/api/v1", &format!("Authorization: Bearer {token}\r\n"));
    let wrong: Vec<u16> = (0..22).map(|number| ask(&format!("guess-{number:010}")).status).collect();
    assert_eq!((wrong[..20].iter().all(|status| *status == 401), wrong[21]), (true, 429), "{wrong:?}");
    let refused = ask("0123456789abcdef");
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RateLimitError")));
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    assert_eq!(server.get("/healthz", "").status, 200);
}

const SPEAKS_MCP: &str = "Accept: application/json, text/event-stream\r\n";

fn begin_session(server: &Served) -> String {
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let answer = server.post("/mcp", SPEAKS_MCP, &begin.to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.header("mcp-session-id").unwrap().to_owned()
}

fn session_status(server: &Served, session: &str) -> Answer {
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "elfmem_status", "arguments": {}}});
    server.post("/mcp", &format!("{SPEAKS_MCP}Mcp-Session-Id: {session}\r\n"), &call.to_string())
}

#[test]
fn sessions_that_are_too_many_end_and_come_back_when_they_are_used() {
    let server = served(in_memory(), None, Limits::default());
    let first = begin_session(&server);
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let headers = format!("{SPEAKS_MCP}Mcp-Session-Id: {first}\r\n");
    assert_eq!(server.post("/mcp", &headers, &begun.to_string()).status, 202);
    assert!(session_status(&server, &first).body.contains("inbox_count"));
    let others: Vec<String> = (0..200).map(|_| begin_session(&server)).collect();
    for session in [&first, &others[0], &others[199]] {
        let answer = session_status(&server, session);
        assert!(answer.status == 200 && answer.body.contains("inbox_count"), "{answer:?}");
    }
    assert_eq!(server.raw(server.head("DELETE", "/mcp", &headers).as_bytes()).status, 204);
    assert_eq!(session_status(&server, &first).status, 404, "what its client has ended does not come back");
}

#[test]
fn a_session_cannot_begin_with_too_much_and_calls_can_be_large() {
    let server = served(in_memory(), None, Limits::default());
    let text = "x".repeat(100_000);
    let begin = json!({"jsonrpc": "2.0", "id": 1, "params": {"protocolVersion": "2025-06-18",
        "capabilities": {"experimental": {"x": {"y": text}}}, "clientInfo": {"name": "test", "version": "1"}},
        "method": "initialize"});
    let refused = server.post("/mcp", SPEAKS_MCP, &begin.to_string());
    assert_eq!((refused.status, &refused.json()["code"]), (413, &json!("TooLargeError")));
    let session = begin_session(&server);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "elfmem_learn_document", "arguments": {"text": text}}});
    let answer = server.post("/mcp", &format!("{SPEAKS_MCP}Mcp-Session-Id: {session}\r\n"), &call.to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
}
