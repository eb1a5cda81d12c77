//! Measures the HTTP API under load: requests per second and latency.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use clap::Args;
use elfmem_engine::{Clock, SystemClock};
use elfmem_models::BuiltinModel;
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use serde_json::{Value, json};

use crate::corpus::Corpus;
use crate::recall::fill;
use crate::report::Report;
use crate::timing::Timing;
use crate::{Result, program};

/// Number of distinct request bodies.
const BODIES: usize = 5_000;
/// Seconds of warm-up. The first query of a process loads the index.
const WARM_UP: u64 = 3;
/// The wrk script.
const SCRIPT: &str = include_str!("load.lua");

/// The HTTP API under load.
#[derive(Debug, Args)]
pub(crate) struct Http {
    /// Sizes of the memory, in blocks
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    sizes: Vec<usize>,

    /// Numbers of connections that ask at once
    #[arg(long, value_delimiter = ',', default_values_t = [16])]
    connections: Vec<usize>,

    /// Only the kinds of requests with this in their name
    #[arg(long, default_value = "")]
    only: String,

    /// Another program to measure in turn with this one, such as an older version
    #[arg(long)]
    beside: Option<PathBuf>,

    /// How many seconds each kind of request is sent
    #[arg(long, default_value_t = 10)]
    seconds: u64,
}

/// One kind of request.
struct RequestKind {
    name: &'static str,
    path: &'static str,
    body: fn(&mut Corpus) -> Value,
}

const KINDS: [RequestKind; 6] = [
    RequestKind { name: "guide: no memory is read", path: "/api/v1/guide", body: |_| json!({"method_name": "recall"}) },
    RequestKind {
        name: "retrieve, not counted as used",
        path: "/api/v1/recall",
        body: |corpus| json!({"query": corpus.question(), "preview": true}),
    },
    RequestKind { name: "retrieve", path: "/api/v1/recall", body: |corpus| json!({"query": corpus.question()}) },
    RequestKind { name: "retrieve, /v1", path: "/v1/memories", body: |corpus| json!({"query": corpus.question()}) },
    RequestKind {
        name: "store",
        path: "/api/v1/learn",
        body: |corpus| json!({"content": format!("{} Copy @@.", corpus.sentence())}),
    },
    RequestKind {
        name: "store, /v1",
        path: "/v1/events",
        body: |corpus| {
            let text = format!("{} Event @@.", corpus.sentence());
            json!({"event_kind": "fact", "context_id": "topic:notes", "payload": {"data": text}})
        },
    },
];

impl Http {
    pub(crate) fn run(&self) -> Result<Report> {
        if Command::new("wrk").arg("-v").output().is_err() {
            return Err("the load comes from wrk, and there is none: apt-get install wrk, or brew install wrk".into());
        }
        let mut programs = vec![("", program::locate()?)];
        programs.extend(self.beside.clone().map(|path| (", beside", path)));
        let mut report = Report::default();
        for size in &self.sizes {
            let folder = tempfile::tempdir()?;
            let filled = folder.path().join("filled.db");
            let store = SqliteStore::open(&filled, OpenOptions::default(), SystemClock.now())?;
            fill(&store, &mut Corpus::new(11), *size, BuiltinModel::Static)?;
            drop(store);
            let mut servers = Vec::new();
            for (number, (label, program)) in programs.iter().enumerate() {
                let path = folder.path().join(format!("{number}.db"));
                std::fs::copy(&filled, &path)?;
                servers.push((*label, HttpServer::start(program, &path)?));
            }
            for kind in KINDS.iter().filter(|kind| kind.name.contains(&self.only)) {
                let most = self.connections.iter().copied().max().unwrap_or(1);
                for (_, server) in &servers {
                    self.load(kind, server, folder.path(), most, WARM_UP)?;
                }
                for connections in &self.connections {
                    for (label, server) in &servers {
                        let (timing, rate) = self.load(kind, server, folder.path(), *connections, self.seconds)?;
                        let name = format!("{}, {size} blocks, {connections} connections{label}", kind.name);
                        report.note(format!("{name}: {rate:.0} requests a second, {} MB", server.megabytes()?));
                        report.add(name, timing, None);
                    }
                }
            }
            servers.into_iter().try_for_each(|(_, server)| server.stop())?;
        }
        report.note(format!("on two threads of wrk, {} s each, on loopback", self.seconds));
        Ok(report)
    }

    /// Sends one kind of request for a while; how long they took and how many there were in a second.
    fn load(
        &self,
        kind: &RequestKind,
        server: &HttpServer,
        folder: &Path,
        connections: usize,
        seconds: u64,
    ) -> Result<(Timing, f64)> {
        let mut corpus = Corpus::new(12);
        let bodies: Vec<String> = (0..BODIES).map(|_| (kind.body)(&mut corpus).to_string()).collect();
        let (script, bodies_file) = (folder.join("load.lua"), folder.join("bodies.jsonl"));
        std::fs::write(&script, SCRIPT)?;
        std::fs::write(&bodies_file, bodies.join("\n"))?;
        let told = Command::new("wrk")
            .args(["--threads", &connections.clamp(1, 2).to_string(), "--timeout", "30s"])
            .args(["--connections", &connections.to_string(), "--duration", &format!("{seconds}s")])
            .arg("--script")
            .arg(&script)
            .arg(format!("http://{}{}", server.address, kind.path))
            .arg("--")
            .arg(&bodies_file)
            .output()?;
        let text = String::from_utf8_lossy(&told.stdout);
        let result = text.lines().find_map(|line| line.strip_prefix("RESULT "));
        let result = result.ok_or_else(|| format!("wrk failed: {text}{}", String::from_utf8_lossy(&told.stderr)))?;
        let numbers: Vec<f64> = result.split(' ').map(str::parse).collect::<std::result::Result<_, _>>()?;
        let &[requests, failed, duration, p50, p99] = numbers.as_slice() else {
            return Err(format!("wrk said something else: {result}").into());
        };
        if failed > 0.0 || requests < 1.0 {
            return Err(format!("{failed} of {requests} requests failed: {}\n{text}", kind.name).into());
        }
        let timing = Timing { operations: requests as usize, p50_ms: p50 / 1e3, p99_ms: p99 / 1e3, cpu_ms: None };
        Ok((timing, requests / Duration::from_micros(duration as u64).as_secs_f64()))
    }
}

/// A running server with its address.
struct HttpServer {
    child: Child,
    address: String,
}

/// Stops the server on drop, also after a failed measurement.
impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl HttpServer {
    fn start(program: &Path, database: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .args(["serve", "--http", "127.0.0.1:0", "--db"])
            .arg(database)
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stderr.take().ok_or("the server has no streams")?).read_line(&mut line)?;
        let address = line.strip_prefix("elfmem serves MCP at http://").and_then(|rest| rest.split_once("/mcp"));
        let address = address.ok_or_else(|| format!("the server says: {line}"))?.0.to_owned();
        Ok(Self { child, address })
    }

    /// Returns the memory that the server uses, as Linux counts it.
    fn megabytes(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no process")?;
        Ok(resident.trim().trim_end_matches(" kB").parse::<u64>()? / 1024)
    }

    fn stop(mut self) -> Result<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        if self.child.wait()?.success() { Ok(()) } else { Err("the server did not stop in order".into()) }
    }
}
