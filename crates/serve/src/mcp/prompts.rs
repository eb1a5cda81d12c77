//! MCP prompts for the start and the end of a task.

use std::fmt::Write;

use elfmem_engine::catalog::{ToolProfile, nearest};
use elfmem_engine::render::{fence_items, mark_untrusted};
use elfmem_store::Store;
use elfmem_text::fence::safe_text;
use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value, json};

use super::wording;
use crate::caller::Caller;
use crate::memory::LazyMemory;
use crate::refusal::Refusal;

const REFLECT: &str = "reflect";
const RECALL: &str = "recall";
const TASK: &str = "task";

/// Maximum number of blocks in a reflection.
const LISTED: usize = 20;
/// Maximum number of characters per block.
const SHOWN: usize = 120;

pub(super) fn list() -> Vec<Prompt> {
    let task = PromptArgument::new(TASK).with_description("What you are about to do").with_required(true);
    vec![
        Prompt::new(RECALL, Some("Before a task: what the memory holds about it."), Some(vec![task])),
        Prompt::new(REFLECT, Some("At the end of a session: what to remember, and how well memories served."), None),
    ]
}

/// A prompt with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PromptRequest {
    Reflect,
    Recall { task: String },
}

impl PromptRequest {
    pub(super) fn parse(name: &str, arguments: &JsonObject) -> Result<Self, ErrorData> {
        match name {
            REFLECT => Ok(Self::Reflect),
            RECALL => {
                match arguments.get(TASK).and_then(Value::as_str).map(str::trim).filter(|task| !task.is_empty()) {
                    Some(task) => Ok(Self::Recall { task: task.to_owned() }),
                    None => Err(ErrorData::invalid_params(
                        "The prompt 'recall' needs the argument 'task'. Recovery: say in it what you are about to do.",
                        None,
                    )),
                }
            }
            _ => {
                let near = nearest(name, [REFLECT, RECALL].into_iter()).unwrap_or("recall' or 'reflect");
                let message = format!("There is no prompt '{}'. Recovery: use '{near}'.", safe_text(name));
                Err(ErrorData::invalid_params(message, None))
            }
        }
    }

    pub(super) fn render<S: Store>(
        &self,
        memory: &LazyMemory<S>,
        caller: &Caller,
        profile: ToolProfile,
    ) -> Result<GetPromptResult, ErrorData> {
        let text = match self {
            Self::Reflect => reflection(memory, caller),
            Self::Recall { task } => preparation(task, memory, caller),
        }
        .map_err(|refusal| wording::refusal(refusal, profile))
        .map_err(|refusal| ErrorData::internal_error(refusal.to_string(), Some(refusal.to_json())))?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
    }
}

/// Renders the prompt for the start of a task, with its context.
fn preparation<S: Store>(task: &str, memory: &LazyMemory<S>, caller: &Caller) -> Result<String, Refusal> {
    let arguments = Map::from_iter([("name".to_owned(), json!(TASK)), ("query".to_owned(), json!(task))]);
    let frame = memory.render(caller, &arguments)?;
    let ids: Vec<&str> =
        frame.json["blocks"].as_array().into_iter().flatten().filter_map(|block| block["id"].as_str()).collect();
    let mut text = format!(
        "You are about to do this: {}\n\nThis is what your memory holds about it.\n\n{}\n",
        safe_text(task),
        frame.text
    );
    if ids.is_empty() {
        text.push_str("\nAsk elfmem_recall with other words if you expected more.");
    } else {
        let _ = write!(
            text,
            "\nThese are blocks {}. Use what helps. When the work is done, call elfmem_outcome with the ids you used \
             and how well they served, and elfmem_learn for what you found out.",
            ids.join(", ")
        );
    }
    Ok(text)
}

/// Renders the prompt for the end of a session, with its blocks.
fn reflection<S: Store>(memory: &LazyMemory<S>, caller: &Caller) -> Result<String, Refusal> {
    let memory = memory.get(&caller.actor)?;
    let mut text = "The session is ending. Look back over it.\n\n\
        1. What did you find out that will matter later: facts, preferences, decisions, mistakes and what mended them? Call \
        elfmem_learn for each, one fact a call, with its names and dates. Leave out what only mattered today.\n\
        2. Which recalled blocks did you use, and how well did they serve? Call elfmem_outcome with their ids and a signal \
        from 0 (harmful) to 1 (perfect). Leave out those you did not use.\n\
        3. Which of them belong together in a way their words do not show? Call elfmem_connect.\n\
        4. Then call elfmem_consolidate once.\n"
        .to_owned();
    let ids = memory.session_block_ids();
    if ids.is_empty() {
        text.push_str("\nNo block came up in this session.");
        return Ok(text);
    }
    text.push_str("\nThese blocks came up in this session, the latest last:\n");
    let latest = ids.iter().skip(ids.len().saturating_sub(LISTED));
    let shown: Vec<String> = latest
        .filter_map(|id| {
            // Blocks that were removed meanwhile are skipped.
            let details = memory.show(id.as_str()).ok()?;
            Some(format!("- {id}: {}", mark_untrusted(&opening(&details.block.content), details.trusted)))
        })
        .collect();
    text.push_str(&fence_items(&shown));
    Ok(text)
}

/// Returns the start of a text on one line.
fn opening(content: &str) -> String {
    let line: String = content.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_prompts_name_the_missing_argument() {
        let missing = PromptRequest::parse("recall", &Map::new()).unwrap_err();
        assert!(missing.message.contains("'task'"), "{missing:?}");
        let unknown = PromptRequest::parse("reflct", &Map::new()).unwrap_err();
        assert!(unknown.message.contains("use 'reflect'"), "{unknown:?}");
        let stranger = PromptRequest::parse("fly", &Map::new()).unwrap_err();
        assert!(stranger.message.contains("'recall' or 'reflect'"), "{stranger:?}");
    }

    #[test]
    fn long_texts_are_cut_to_one_line() {
        assert_eq!(opening("one\n two"), "one two");
        assert_eq!(opening(&"ä".repeat(200)).chars().count(), SHOWN + 1);
    }
}
