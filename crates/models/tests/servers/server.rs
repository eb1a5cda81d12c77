//! A small HTTP server that answers each request with the next step of a script.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

/// The reaction to one request.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Sends a complete response.
    Reply(u16, String),
    /// Sends a complete response with extra headers.
    ReplyWith(u16, Vec<(&'static str, String)>, String),
    /// Sends nothing until the server stops.
    Hang,
    /// Sends the body one byte at a time with a delay.
    Drip(String, Duration),
    /// Announces more bytes than it sends, then closes the connection.
    CutOff(String),
    /// Sends a complete response after a delay.
    Slow(String, Duration),
}

impl Step {
    pub(crate) fn json(value: &Value) -> Self {
        Self::Reply(200, value.to_string())
    }
}

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Request line and headers in lower case.
    pub(crate) head: String,
    pub(crate) body: Value,
}

#[derive(Debug, Default)]
struct Shared {
    steps: Mutex<Vec<Step>>,
    requests: Mutex<Vec<Request>>,
    stopping: AtomicBool,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

pub(crate) struct Server {
    address: std::net::SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts the server. The last step answers all further requests.
    pub(crate) fn start(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { steps: Mutex::new(steps), ..Shared::default() });
        let seen = Arc::clone(&shared);
        let listening = std::thread::spawn(move || {
            let mut handlers = Vec::new();
            for stream in listener.incoming() {
                if seen.stopping.load(Ordering::SeqCst) {
                    break;
                }
                let shared = Arc::clone(&seen);
                handlers.push(std::thread::spawn(move || {
                    // The client may have given up, which some tests check.
                    let _ = stream.and_then(|stream| handle(&stream, &shared));
                }));
            }
            handlers.into_iter().for_each(|handler| handler.join().unwrap());
        });
        Self { address, shared, listening: Some(listening) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    pub(crate) fn most_open(&self) -> usize {
        self.shared.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            listening.join().unwrap();
        }
    }
}

fn handle(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let request = read_request(stream)?;
    shared.requests.lock().unwrap().push(request);
    let open = shared.open.fetch_add(1, Ordering::SeqCst) + 1;
    shared.most_open.fetch_max(open, Ordering::SeqCst);
    let step = {
        let mut steps = shared.steps.lock().unwrap();
        if steps.len() > 1 { steps.remove(0) } else { steps[0].clone() }
    };
    if let Step::Slow(_, wait) = &step {
        std::thread::sleep(*wait);
    }
    // Before it is sent: whoever has the answer may ask again at once.
    shared.open.fetch_sub(1, Ordering::SeqCst);
    answer(stream, step, shared)
}

fn read_request(stream: &TcpStream) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Request { head, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn answer(mut stream: &TcpStream, step: Step, shared: &Shared) -> std::io::Result<()> {
    match step {
        Step::Reply(status, body) => send(stream, status, &[], &body, body.len()),
        Step::ReplyWith(status, headers, body) => send(stream, status, &headers, &body, body.len()),
        Step::CutOff(body) => send(stream, 200, &[], &body, body.len() + 100),
        Step::Slow(body, _) => send(stream, 200, &[], &body, body.len()),
        Step::Hang => {
            while !shared.stopping.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        }
        Step::Drip(body, wait) => {
            send(stream, 200, &[], "", body.len())?;
            for byte in body.bytes() {
                std::thread::sleep(wait);
                stream.write_all(&[byte])?;
                stream.flush()?;
                if shared.stopping.load(Ordering::SeqCst) {
                    break;
                }
            }
            Ok(())
        }
    }
}

fn send(
    mut stream: &TcpStream,
    status: u16,
    headers: &[(&str, String)],
    body: &str,
    promised: usize,
) -> std::io::Result<()> {
    let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {promised}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{text}\r\n{body}").as_bytes())?;
    stream.flush()
}
