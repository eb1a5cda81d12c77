//! Tests over real sockets, with short timeouts.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use elfmem_core::Timestamp;
use elfmem_engine::catalog::Profile;
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
        Ok(Memory::open(store, Options { actor: actor.to_owned(), ..Options::default() }))
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
            let handler = Handler::new(calls.clone(), Profile::All, Clients::Several);
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
