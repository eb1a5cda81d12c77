//! A hosted embedder that takes its time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server with the API of hosted embedders. It ends with the test.
pub(crate) struct SlowModel {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl SlowModel {
    /// Starts a server that takes this long for every request.
    pub(crate) fn start(delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let counted = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let asked = counted.clone();
                std::thread::spawn(move || serve(stream, delay, &asked));
            }
        });
        Self { address, asked }
    }

    /// Settings that use it.
    pub(crate) fn settings(&self) -> String {
        format!("[models]\nembedder = \"ollama:slow\"\nbase_url = \"http://{}/v1\"\n", self.address)
    }

    /// When it was asked.
    pub(crate) fn asked(&self) -> Vec<Instant> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, delay: Duration, asked: &Mutex<Vec<Instant>>) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = read_request(&mut reader) {
        asked.lock().unwrap().push(Instant::now());
        std::thread::sleep(delay);
        let texts = match &body["input"] {
            Value::Array(texts) => texts.len(),
            _ => 1,
        };
        let data: Vec<Value> =
            (0..texts).map(|index| json!({"index": index, "embedding": vector(&body, index)})).collect();
        let answer = json!({"object": "list", "model": body["model"], "data": data}).to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", answer.len());
        if reader.get_mut().write_all((head + &answer).as_bytes()).is_err() {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// A vector of the letters of a text.
fn vector(body: &Value, index: usize) -> Vec<f32> {
    let text = body["input"][index].as_str().or(body["input"].as_str()).unwrap_or_default();
    let mut vector = vec![0.01; 32];
    text.bytes().enumerate().for_each(|(at, byte)| vector[(usize::from(byte) * 7 + at) % 32] += 1.0);
    vector
}
