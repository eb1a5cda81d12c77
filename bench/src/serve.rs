//! Measures the MCP server: start-up time and idle cost.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use elfmem_engine::{Clock, Learn, Memory, Options, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use serde_json::{Value, json};

use crate::corpus::Corpus;
use crate::report::Report;
use crate::timing::{milliseconds, of_walls};
use crate::{Result, program};

/// How soon the server answers, and what it costs while nobody asks.
#[derive(Debug, Args)]
pub(crate) struct ServeCommand {
    /// How many blocks the memory holds
    #[arg(long, default_value_t = 10_000)]
    blocks: usize,

    /// How often the server is started
    #[arg(long, default_value_t = 40)]
    starts: usize,

    /// How many seconds it is watched at rest
    #[arg(long, default_value_t = 10)]
    rest: u64,
}

impl ServeCommand {
    pub(crate) fn run(&self) -> Result<Report> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("memory.db");
        let memory =
            Memory::open(SqliteStore::open(&path, OpenOptions::default(), SystemClock.now())?, Options::default());
        let mut corpus = Corpus::new(3);
        let bulk: Vec<Learn> = (0..self.blocks).map(|_| Learn::new(corpus.sentence())).collect();
        memory.learn_all(&bulk)?;
        memory.consolidate()?;
        drop(memory);

        let elfmem = program::locate()?;
        let mut report = Report::default();
        let (mut introduced, mut answered) = (Vec::new(), Vec::new());
        for _ in 0..self.starts {
            let started = Instant::now();
            let mut server = McpServer::start(&elfmem, &path)?;
            server.introduce()?;
            introduced.push(started.elapsed());
            server.call("elfmem_recall", json!({"query": corpus.question()}))?;
            answered.push(started.elapsed());
            server.stop()?;
        }
        let blocks = self.blocks;
        report.add(format!("initialize, from the start, {blocks} blocks"), of_walls(introduced), Some("<= 50 ms"));
        report.add(format!("first recall, from the start, {blocks} blocks"), of_walls(answered), None);

        let mut server = McpServer::start(&elfmem, &path)?;
        server.introduce()?;
        server.call("elfmem_recall", json!({"query": corpus.question()}))?;
        let mut warm = Vec::new();
        for _ in 0..200 {
            let asked = Instant::now();
            server.call("elfmem_recall", json!({"query": corpus.question(), "preview": true}))?;
            warm.push(asked.elapsed());
        }
        report.add(format!("recall without use, warm, over the protocol, {blocks} blocks"), of_walls(warm), None);
        let before = server.processor_time()?;
        std::thread::sleep(Duration::from_secs(self.rest));
        let spent = server.processor_time()?.saturating_sub(before);
        let (spent, rest) = (milliseconds(spent), self.rest);
        report.note(format!(
            "at rest for {rest} s the server used {spent:.0} ms of processor time (counted in steps of 10 ms)"
        ));
        report.note(format!("resident while serving {blocks} blocks: {:.1} MB (aim <= 60 MB)", server.resident()?));
        server.stop()?;
        Ok(report)
    }
}

/// A running server with its streams.
struct McpServer {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    asked: u64,
}

impl McpServer {
    fn start(program: &Path, database: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .arg("serve")
            .arg("--db")
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) = stdin.zip(stdout).ok_or("the server has no streams")?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout), asked: 0 })
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.asked += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        writeln!(self.stdin, "{message}")?;
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    fn introduce(&mut self) -> Result<()> {
        let client = json!({"name": "bench", "version": "1"});
        let answer = self.request(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        )?;
        if answer["result"]["serverInfo"]["name"] != "elfmem" {
            return Err(format!("the server introduces itself wrongly: {answer}").into());
        }
        writeln!(self.stdin, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(())
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Result<()> {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        if answer["result"]["structuredContent"].is_object() && answer["result"]["isError"] != true {
            return Ok(());
        }
        Err(format!("{tool} failed: {answer}").into())
    }

    /// Processor time so far, as Linux counts it.
    fn processor_time(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it.
        let after = stat.rsplit_once(") ").ok_or("no process")?.1;
        let ticks: u64 = after.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum();
        Ok(Duration::from_millis(ticks * 10))
    }

    /// Megabytes of the process in memory, files mapped into it included, as Linux counts them.
    fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no process")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1000.0)
    }

    fn stop(mut self) -> Result<()> {
        drop(self.stdin);
        if self.child.wait()?.success() { Ok(()) } else { Err("the server did not stop in order".into()) }
    }
}
