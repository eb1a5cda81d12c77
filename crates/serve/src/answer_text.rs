//! The texts of an answer that speak to the caller, said in the words of a surface.

use elfmem_engine::Reply;
use elfmem_engine::catalog::{Verb, VerbId};
use elfmem_text::fence::{CLOSING, OPENING};
use serde_json::Value;

/// The fields of an answer that speak to the caller.
const MESSAGES: [&str; 4] = ["message", "suggestion", "remedy", "warnings"];

/// Returns true for a verb whose card the seeds write out: its texts are the same on every surface.
pub(crate) fn is_of_the_seeds(verb: &Verb) -> bool {
    matches!(verb.id, VerbId::Learn | VerbId::Connect | VerbId::Disconnect)
}

/// Returns an answer whose texts are said by `say`. Stored text, which is fenced, stays as it is.
pub(crate) fn say_answer(reply: Reply, say: impl Fn(&str) -> String) -> Reply {
    let Reply { text, mut json } = reply;
    for name in MESSAGES {
        match json.get_mut(name) {
            Some(Value::String(message)) => *message = say(message),
            Some(Value::Array(messages)) => {
                for message in messages {
                    if let Value::String(message) = message {
                        *message = say(message);
                    }
                }
            }
            _ => {}
        }
    }
    Reply { text: outside_of_fences(&text, say), json }
}

fn outside_of_fences(text: &str, say: impl Fn(&str) -> String) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(OPENING) {
        let end = rest[start..].find(CLOSING).map_or(rest.len(), |at| start + at + CLOSING.len());
        said.push_str(&say(&rest[..start]));
        said.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    said.push_str(&say(rest));
    said
}
