//! Asking on a surface: a command line started for each thing, an MCP server, an HTTP server, the library in its own
//! process.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::act::Act;
use super::http::TortureClient;
use crate::Result;

/// What came back.
pub(super) enum SurfaceAnswer {
    /// It was done, and this was said of it.
    Done(Value),
    /// It was refused, for this reason.
    Refused(String),
    /// Nobody can tell: the process is dead.
    Died,
}

/// The process that is running for a worker just now, where it can be killed.
#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<Option<Child>>);

impl Slot {
    /// Kills what is running; whether something was.
    pub(super) fn kill(&self) -> bool {
        let Ok(mut running) = self.0.lock() else { return false };
        running.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)) && child.kill().is_ok())
    }

    fn put(&self, child: Child) {
        if let Ok(mut running) = self.0.lock() {
            *running = Some(child);
        }
    }

    /// Waits for the end of what was running; the code it ended with, unless it was killed.
    fn finish(&self) -> Option<i32> {
        let child = self.0.lock().ok().and_then(|mut running| running.take());
        child.and_then(|mut child| child.wait().ok()).and_then(|status| status.code())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SurfaceKind {
    CommandLine,
    Mcp,
    Http,
    Library,
}

impl SurfaceKind {
    /// One after the other.
    pub(super) fn of(number: usize) -> Self {
        [Self::CommandLine, Self::Mcp, Self::Http, Self::Library][number % 4]
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CommandLine => "cli",
            Self::Mcp => "mcp",
            Self::Http => "http",
            Self::Library => "library",
        }
    }
}

/// A surface, and the process behind it where one stays.
pub(super) struct Surface<'s> {
    kind: SurfaceKind,
    program: PathBuf,
    database: PathBuf,
    errors: PathBuf,
    slot: &'s Slot,
    streams: Option<(ChildStdin, BufReader<ChildStdout>)>,
    http: Option<TortureClient>,
    asked: u64,
}

impl<'s> Surface<'s> {
    pub(super) fn new(
        kind: SurfaceKind,
        program: &Path,
        database: &Path,
        errors: &Path,
        slot: &'s Slot,
    ) -> Result<Self> {
        let program = match kind {
            SurfaceKind::Library => std::env::current_exe()?,
            _ => program.to_owned(),
        };
        let (database, errors) = (database.to_owned(), errors.to_owned());
        Ok(Self { kind, program, database, errors, slot, streams: None, http: None, asked: 0 })
    }

    pub(super) fn kind(&self) -> SurfaceKind {
        self.kind
    }

    pub(super) fn ask(&mut self, act: &Act) -> SurfaceAnswer {
        let answer = match self.kind {
            SurfaceKind::CommandLine => self.run(act),
            SurfaceKind::Mcp => self.call(act),
            SurfaceKind::Http => self.post(act),
            SurfaceKind::Library => self.invoke(act),
        };
        answer.unwrap_or_else(|_| {
            self.stop();
            SurfaceAnswer::Died
        })
    }

    /// Lets the process end.
    pub(super) fn stop(&mut self) {
        self.streams = None;
        // Nothing else ends a server without streams.
        if self.kind == SurfaceKind::Http {
            self.http = None;
            self.slot.kill();
        }
        self.slot.finish();
    }

    fn errors(&self) -> Result<File> {
        Ok(OpenOptions::new().create(true).append(true).open(&self.errors)?)
    }

    fn command(&self) -> Result<Command> {
        let mut command = Command::new(&self.program);
        command.stdout(Stdio::piped()).stderr(self.errors()?).env("RUST_BACKTRACE", "1");
        Ok(command)
    }

    fn run(&mut self, act: &Act) -> Result<SurfaceAnswer> {
        let mut command = self.command()?;
        let mut child =
            command.arg("--db").arg(&self.database).arg("--json").args(&act.typed).stdin(Stdio::null()).spawn()?;
        let mut stdout = child.stdout.take().ok_or("no output")?;
        self.slot.put(child);
        let mut told = String::new();
        stdout.read_to_string(&mut told)?;
        let code = self.slot.finish();
        // An answer that came out whole was given, whatever happened to the process after it.
        Ok(match (serde_json::from_str::<Value>(&told), code) {
            (Ok(answer), _) => SurfaceAnswer::Done(answer),
            (Err(_), Some(code)) => SurfaceAnswer::Refused(if code == 1 { "refused" } else { "failed" }.to_owned()),
            (Err(_), None) => SurfaceAnswer::Died,
        })
    }

    /// The process that stays, started if there is none.
    fn streams(&mut self) -> Result<&mut (ChildStdin, BufReader<ChildStdout>)> {
        if self.streams.is_none() {
            let mut command = self.command()?;
            let arguments: &[&str] = match self.kind {
                SurfaceKind::Mcp => &["serve", "--tools", "all", "--db"],
                _ => &["torture-library", "--db"],
            };
            let mut child = command.args(arguments).arg(&self.database).stdin(Stdio::piped()).spawn()?;
            let (stdin, stdout) = child.stdin.take().zip(child.stdout.take()).ok_or("no streams")?;
            self.slot.put(child);
            self.streams = Some((stdin, BufReader::new(stdout)));
            if self.kind == SurfaceKind::Mcp {
                let client = json!({"name": "torture", "version": "1"});
                let wanted = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
                self.exchange(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": wanted}))?;
                let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
                let (stdin, _) = self.streams.as_mut().ok_or("no streams")?;
                writeln!(stdin, "{ready}")?;
            }
        }
        self.streams.as_mut().ok_or_else(|| "no streams".into())
    }

    fn exchange(&mut self, message: &Value) -> Result<Value> {
        let (stdin, stdout) = self.streams()?;
        writeln!(stdin, "{message}")?;
        stdin.flush()?;
        let mut line = String::new();
        if stdout.read_line(&mut line)? == 0 {
            return Err("the process is gone".into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    fn call(&mut self, act: &Act) -> Result<SurfaceAnswer> {
        self.asked += 1;
        let params = json!({"name": format!("elfmem_{}", act.verb), "arguments": act.arguments});
        let answer =
            self.exchange(&json!({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params}))?;
        let result = &answer["result"];
        Ok(if answer["error"].is_object() {
            SurfaceAnswer::Refused(reason(&answer["error"]))
        } else if result["isError"] == true {
            SurfaceAnswer::Refused(reason(&result["structuredContent"]))
        } else {
            SurfaceAnswer::Done(result["structuredContent"].clone())
        })
    }

    fn post(&mut self, act: &Act) -> Result<SurfaceAnswer> {
        if self.http.is_none() {
            let mut command = self.command()?;
            command.args(["serve", "--http", "127.0.0.1:0", "--db"]).arg(&self.database);
            let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
            let stderr = child.stderr.take().ok_or("no errors")?;
            self.slot.put(child);
            self.http = Some(TortureClient::connect(stderr, self.errors()?)?);
        }
        let client = self.http.as_mut().ok_or("no connection")?;
        let (status, answer) = client.post(&format!("/api/v1/{}", act.verb), &Value::Object(act.arguments.clone()))?;
        Ok(match status {
            200..300 => SurfaceAnswer::Done(answer),
            _ => SurfaceAnswer::Refused(reason(&answer)),
        })
    }

    fn invoke(&mut self, act: &Act) -> Result<SurfaceAnswer> {
        let answer = self.exchange(&json!({"verb": act.verb, "arguments": act.arguments}))?;
        Ok(match answer.get("done") {
            Some(told) => SurfaceAnswer::Done(told.clone()),
            None => SurfaceAnswer::Refused(answer["refused"].as_str().unwrap_or_default().to_owned()),
        })
    }
}

/// Why something was refused, in one line.
fn reason(error: &Value) -> String {
    let told = [&error["message"], &error["detail"], &error["error"]["message"], &error["error"]];
    told.into_iter().find_map(Value::as_str).map_or_else(|| error.to_string(), str::to_owned)
}
