//! How much an agent has done in a session, read from the transcript that its host writes.
//!
//! A transcript has one JSON object a line. Hosts differ in how they nest a tool call or a text, but not in how they name
//! it, so that both are looked for at any depth.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

use super::reminder::REMINDER_MARK;

/// As much of the end of a transcript is looked at.
const MOST_BYTES: u64 = 32 * 1024 * 1024;
/// Tools that change files.
const EDITING: [&str; 7] = ["edit", "write", "multiedit", "notebookedit", "apply_patch", "str_replace", "create"];
/// Verbs of the memory by which an agent keeps what it learned.
const KEEPING: [&str; 4] = ["learn", "remember", "outcome", "learn_document"];
/// Tool calls from which on a session is work, without a change of a file.
const WORKING_CALLS: usize = 8;
/// Characters of an agent's own text from which on a session is work.
const WORKING_CHARACTERS: usize = 6_000;
/// How deep a line is looked into.
const MOST_DEPTH: usize = 12;

/// What an agent did in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WorkDone {
    /// Calls of tools that change files.
    pub(super) edits: usize,
    /// Calls of all tools.
    pub(super) calls: usize,
    /// Characters that the agent wrote.
    pub(super) characters: usize,
    /// Whether it has used its memory for more than asking.
    pub(super) kept: bool,
    /// Whether it was asked to.
    pub(super) reminded: bool,
}

impl WorkDone {
    /// Whether there may be something to keep: files were changed, or much was done or said.
    pub(super) fn is_real(self) -> bool {
        self.edits > 0 || self.calls >= WORKING_CALLS || self.characters >= WORKING_CHARACTERS
    }

    /// Reads a transcript. Returns `None` if it cannot be read, or if nothing in it looks like one.
    pub(super) fn read(transcript: &Path) -> Option<Self> {
        let mut file = std::fs::File::open(transcript).ok()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(MOST_BYTES))).ok()?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        Self::in_lines(&String::from_utf8_lossy(&bytes))
    }

    fn in_lines(text: &str) -> Option<Self> {
        let mut done = Self::default();
        let mut lines = 0;
        // The first line may be cut, and the last one half-written.
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            lines += usize::from(line.is_object());
            done.add(&line, TranscriptRole::Unknown, 0);
        }
        done.reminded = text.contains(REMINDER_MARK);
        (lines > 0).then_some(done)
    }

    fn add(&mut self, value: &Value, speaker: TranscriptRole, depth: usize) {
        if depth > MOST_DEPTH {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.add(item, speaker, depth + 1)),
            Value::Object(fields) => {
                let field = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
                let speaker = speaker.or(field("role")).or(field("type"));
                match field("type") {
                    "tool_use" | "function_call" | "custom_tool_call" | "local_shell_call" => {
                        self.add_call(field("name"), value);
                        return;
                    }
                    "tool_result" | "function_call_output" => return,
                    "text" | "output_text" if speaker == TranscriptRole::Agent => {
                        self.characters += field("text").chars().count();
                        return;
                    }
                    _ => {}
                }
                fields.values().for_each(|inner| self.add(inner, speaker, depth + 1));
            }
            _ => {}
        }
    }

    fn add_call(&mut self, name: &str, call: &Value) {
        let name = name.to_lowercase();
        self.calls += 1;
        self.edits += usize::from(EDITING.contains(&name.as_str()));
        let verb = name.rsplit_once("elfmem_").map(|(_, verb)| verb);
        let command = || {
            let typed = call.to_string();
            KEEPING.iter().any(|verb| typed.contains(&format!("elfmem {verb}")))
        };
        self.kept |= verb.map_or_else(command, |verb| KEEPING.contains(&verb));
    }
}

/// Whose part of a transcript it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TranscriptRole {
    Unknown,
    Agent,
    Other,
}

impl TranscriptRole {
    /// Returns the speaker that a role names, else the one that is known already.
    fn or(self, role: &str) -> Self {
        match role {
            "assistant" => Self::Agent,
            "user" | "system" | "tool" | "developer" => Self::Other,
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_texts_are_counted_however_a_host_nests_them() {
        let text = concat!(
            r#"ut off": 1}"#,
            "\n",
            r#"{"type":"user","message":{"role":"user","content":"Fix the parser, and use elfmem remember"}}"#,
            "\n",
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Looking."},{"type":"tool_use","name":"Edit","input":{}}]}}"#,
            "\n",
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"ok"}]}]}}"#,
            "\n",
            r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"elfmem remember x\"]}"}}"#,
            "\n",
            r#"{"type":"assist"#,
        );
        let done = WorkDone::in_lines(text).unwrap();
        assert_eq!(done, WorkDone { edits: 1, calls: 2, characters: 8, kept: true, reminded: false });
        assert!(done.is_real());
    }

    #[test]
    fn a_mention_of_the_memory_is_no_use_of_it() {
        let text =
            r#"{"type":"user","message":{"role":"user","content":"what does elfmem_learn do? and elfmem remember?"}}"#;
        assert_eq!(WorkDone::in_lines(text), Some(WorkDone::default()));
        assert_eq!(WorkDone::in_lines("no transcript at all\n\u{0}"), None);
        let recall = r#"{"type":"tool_use","name":"mcp__elfmem__elfmem_recall","input":{"query":"elfmem remember"}}"#;
        assert_eq!(WorkDone::in_lines(recall).map(|done| (done.kept, done.calls)), Some((false, 1)));
    }
}
