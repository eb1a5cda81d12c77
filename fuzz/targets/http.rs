//! Any requests of a client over HTTP, several on one memory: each is answered, no answer is a fault of the server's, and what is refused
//! is told with the way out.
//!
//! The input is requests, separated by lines of three dashes: `METHOD /path`, lines of headers, an empty line, the body.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use elfmem_fuzz::furnished;
use elfmem_serve::{HttpOptions, Limits, Opener, serve_requests};
use elfmem_store_sqlite::SqliteStore;
use http::{Request, Response};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// The most requests of one input.
const MOST: usize = 6;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let requests: Vec<Request<Vec<u8>>> = input.split("\n---\n").take(MOST).filter_map(request).collect();
    if requests.is_empty() {
        return;
    }
    let http = HttpOptions {
        address: ([127, 0, 0, 1], 7777).into(),
        tokens: None,
        allowed_hosts: Vec::new(),
        limits: Limits { body_bytes: 4096, ..Limits::default() },
        access_log: false,
    };
    let open: Opener<SqliteStore> = Box::new(|_| Ok(furnished().into()));
    let count = requests.len();
    let answers = serve_requests(open, &http, requests).unwrap();
    assert_eq!(answers.len(), count);
    answers.iter().for_each(must_be_proper);
});

/// A request, if it can be one at all. The protocol has a target of its own.
fn request(text: &str) -> Option<Request<Vec<u8>>> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, path) = lines.next()?.split_once(' ')?;
    if path.starts_with("/mcp") {
        return None;
    }
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        request = request.header(name, value);
    }
    request.body(body.as_bytes().to_vec()).ok()
}

fn must_be_proper(answer: &Response<Vec<u8>>) {
    let status = answer.status().as_u16();
    let body = String::from_utf8(answer.body().clone()).unwrap();
    assert!(status < 500, "{status} {body}");
    let kind = answer.headers().get("content-type").map_or("", |kind| kind.to_str().unwrap());
    if kind.contains("json") && !body.is_empty() {
        let told: Value = serde_json::from_str(&body).unwrap();
        let recovery = told["recovery"].as_str().or(told["error"]["recovery"].as_str());
        assert!(status < 400 || recovery.is_some_and(|recovery| !recovery.is_empty()), "{status} {body}");
    }
}
