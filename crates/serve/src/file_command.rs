//! Commands on memory files, for MCP and HTTP.

use elfmem_engine::catalog::Effect;
use elfmem_engine::{Error, ErrorKind, FileCommand};
use elfmem_store::Store;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::memory::LazyMemory;
use crate::refusal::Refusal;

/// The name of the calls in counters and logs.
const CALL: &str = "memory_tool";

/// The answer for the model.
pub(crate) struct FileAnswer {
    pub(crate) content: String,
    pub(crate) is_error: bool,
}

/// Returns the JSON Schema of a command.
pub(crate) fn schema() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "properties": {
            "command": {
                "type": "string",
                "enum": ["view", "create", "str_replace", "insert", "delete", "rename"],
                "description": "What to do",
            },
            "path": text("The file or folder, such as /memories/notes.md (all commands but rename)"),
            "view_range": {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 2,
                "maxItems": 2,
                "description": "view: the first and the last line; -1 is the end of the file",
            },
            "file_text": text("create: the text of the new file"),
            "old_str": text("str_replace: the text to replace, which must occur once"),
            "new_str": text("str_replace: the text in its place"),
            "insert_line": {"type": "integer", "description": "insert: the line after which to insert; 0 is the beginning"},
            "insert_text": text("insert: the text to insert"),
            "old_path": text("rename: the file or folder"),
            "new_path": text("rename: its new path"),
        },
        "required": ["command"],
    })
}

/// Runs a command. What the model can correct is an answer with `is_error`.
///
/// # Errors
/// Missing permissions, and errors of the memory itself.
pub(crate) fn run<S: Store>(input: &Value, memory: &LazyMemory<S>, caller: &Caller) -> Result<FileAnswer, Refusal> {
    let command: FileCommand = match serde_json::from_value(input.clone()) {
        Ok(command) => command,
        Err(error) => return Ok(FileAnswer { content: format!("Error: Invalid input: {error}"), is_error: true }),
    };
    let effect = if command.only_reads() { Effect::Reads } else { Effect::Destroys };
    memory.using(caller, CALL, effect, |memory| match memory.run_file_command(&command) {
        Ok(content) => Ok(FileAnswer { content, is_error: false }),
        Err(error @ Error::File(_)) => Ok(FileAnswer { content: error.message(), is_error: true }),
        Err(error) if error.kind() == ErrorKind::Input => {
            Ok(FileAnswer { content: format!("Error: {error}"), is_error: true })
        }
        Err(error) => Err(error),
    })
}
