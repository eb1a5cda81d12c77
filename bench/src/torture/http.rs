//! A client of the HTTP API: one connection, one request at a time.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ChildStderr;

use serde_json::Value;

use crate::Result;

/// The longest answer that is read.
const LONGEST: u64 = 64 << 20;

/// A connection to a server.
#[derive(Debug)]
pub(super) struct TortureClient {
    address: String,
    stream: BufReader<TcpStream>,
}

impl TortureClient {
    /// Connects to a server that was just started: its first line says where it listens. The others go to a file.
    pub(super) fn connect(stderr: ChildStderr, mut errors: File) -> Result<Self> {
        let mut told = BufReader::new(stderr);
        let address = loop {
            let mut line = String::new();
            if told.read_line(&mut line)? == 0 {
                return Err("the server is gone".into());
            }
            let found = line.split_once(" at http://").and_then(|(_, rest)| rest.split_once("/mcp"));
            if let Some((address, _)) = found {
                break address.to_owned();
            }
            errors.write_all(line.as_bytes())?;
        };
        // Ends with the server.
        std::thread::spawn(move || std::io::copy(&mut told, &mut errors));
        let stream = BufReader::new(TcpStream::connect(&address)?);
        Ok(Self { address, stream })
    }

    /// Posts JSON to a path; the status and the answer.
    pub(super) fn post(&mut self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let (body, address) = (body.to_string(), &self.address);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let stream = self.stream.get_mut();
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the server hung up".into());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            match line.split_once(": ") {
                None => status = line.split(' ').nth(1).map(str::parse::<u16>).transpose()?,
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse::<u64>()?,
                Some(_) => {}
            }
        }
        let mut answer = Vec::new();
        (&mut self.stream).take(length.min(LONGEST)).read_to_end(&mut answer)?;
        if (answer.len() as u64) < length {
            return Err("the answer ended early".into());
        }
        Ok((status.ok_or("no status")?, serde_json::from_slice(&answer)?))
    }
}
