//! `elfmem serve`: the real program, spoken to in the protocol's own lines.

pub(crate) mod http;
mod life;
mod other_tool_lists;
mod prompts_and_resources;
mod tools;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Sandbox;

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a server of its own, over standard streams.
pub(crate) struct Client {
    child: Child,
    stdin: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    /// Answers that came before they were asked for: calls run at once.
    early: Vec<Value>,
    last_id: u64,
}

impl Client {
    /// Starts a server and says nothing yet.
    pub(crate) fn silent(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::started(sandbox.command(arguments))
    }

    /// Starts a server by a command and says nothing yet.
    pub(crate) fn started(mut command: std::process::Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self::over(child, Box::new(stdin), stdout)
    }

    /// Starts a server on sockets, which some hosts use in place of pipes.
    pub(crate) fn on_sockets(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let ((to_server, its_input), (from_server, its_output)) =
            (UnixStream::pair().unwrap(), UnixStream::pair().unwrap());
        let mut command = sandbox.command(arguments);
        command.stdin(OwnedFd::from(its_input)).stdout(OwnedFd::from(its_output)).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // The command keeps the server's ends open as long as it lives.
        drop(command);
        let mut client = Self::over(child, Box::new(to_server), from_server);
        client.initialize();
        client
    }

    fn over(child: Child, stdin: Box<dyn Write + Send>, stdout: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin: Some(stdin), lines, early: Vec::new(), last_id: 0 }
    }

    /// Starts a server and introduces itself.
    pub(crate) fn connect(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut client = Self::silent(sandbox, arguments);
        client.initialize();
        client
    }

    pub(crate) fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tester", "version": "1"},
        });
        let answer = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    pub(crate) fn send_line(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).unwrap();
    }

    /// Sends a request and does not wait; its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.early.iter().position(|message| message["id"] == id) {
            return self.early.remove(at);
        }
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the server answers");
            let message: Value = serde_json::from_str(&line).expect("nothing but the protocol on standard output");
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["id"] == id {
                return message;
            }
            self.early.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// What a tool answered.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must succeed; returns its text and its dictionary.
    pub(crate) fn done(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        (text_of(&result), result["structuredContent"].clone())
    }

    /// Calls a tool that must refuse; returns its text and its dictionary.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        (text_of(&result), result["structuredContent"].clone())
    }

    /// The id of a block that is learned and consolidated.
    pub(crate) fn active_block(&mut self, content: &str) -> String {
        let (_, learned) = self.done("elfmem_learn", json!({"content": content}));
        self.done("elfmem_consolidate", json!({}));
        learned["block_id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, name: &str) {
        let sent = std::process::Command::new("kill").args([name, &self.pid().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Closes the client's end, without waiting.
    pub(crate) fn hang_up(&mut self) {
        drop(self.stdin.take());
    }

    /// Waits for the server to stop; its status, what it still wrote to standard output, and its standard error.
    pub(crate) fn stopped(mut self) -> (ExitStatus, Vec<String>, String) {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "the server does not stop");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut rest: Vec<String> = self.early.iter().map(Value::to_string).collect();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("standard output stays open"),
            }
        }
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (status, rest, stderr)
    }

    /// Closes the client's end and expects an orderly stop.
    pub(crate) fn close(mut self) {
        self.hang_up();
        let (status, rest, stderr) = self.stopped();
        assert!(status.success() && rest.is_empty() && stderr.is_empty(), "{status} {rest:?} {stderr}");
    }
}

pub(crate) fn text_of(result: &Value) -> String {
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(result["content"][0]["type"], "text");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}
