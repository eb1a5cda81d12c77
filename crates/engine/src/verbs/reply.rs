//! The answer of a verb that is called by name.

use elfmem_text::fence::{fence_items, safe_text};
use elfmem_text::terms::strip_hidden;
use serde::Serialize;
use serde_json::{Value, json};

use crate::results::one_line;

/// The answer of a verb.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// For readers: one sentence, or the text that was asked for.
    pub text: String,
    /// For programs: the keys that the verb declares.
    pub json: Value,
}

/// Returns an answer as JSON. Every block in it is named by `block_id`, the word for it in all answers and arguments; the `id`
/// of a whole block stays beside it.
pub fn answer_json(value: &impl Serialize) -> Value {
    let mut json = serde_json::to_value(value).unwrap_or(Value::Null);
    name_blocks(&mut json);
    json
}

fn name_blocks(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(name_blocks),
        Value::Object(fields) => {
            if let (Some(Value::String(id)), Some(Value::String(_)), None) =
                (fields.get("id"), fields.get("content"), fields.get("block_id"))
            {
                let id = Value::String(id.clone());
                fields.insert("block_id".to_owned(), id);
            }
            fields.values_mut().for_each(name_blocks);
        }
        _ => {}
    }
}

/// A type that a verb answers with.
pub(crate) trait IntoReply {
    /// Renders it as text and JSON.
    fn into_reply(self) -> Reply;
}

/// Implements [`IntoReply`] for types whose `Display` is the whole text.
macro_rules! sentence_replies {
    ($($answer:ty),+ $(,)?) => {
        $(impl crate::verbs::IntoReply for $answer {
            fn into_reply(self) -> crate::verbs::Reply {
                crate::verbs::Reply::sentence(&self)
            }
        })+
    };
}
pub(super) use sentence_replies;

impl Reply {
    /// Makes an answer with a text of its own.
    pub(super) fn new(text: impl Into<String>, value: &impl Serialize) -> Self {
        // Whatever a text repeats, hidden characters do not get out.
        Self { text: strip_hidden(&text.into()).into_owned(), json: answer_json(value) }
    }

    /// Makes an answer whose `Display` is the whole text, without a fence.
    pub(super) fn sentence(value: &(impl Serialize + std::fmt::Display)) -> Self {
        Self::unfenced(&value.to_string(), value)
    }

    /// Makes an answer with a text of its own that has no fence, so that nothing in it may look like one.
    pub(super) fn unfenced(text: &str, value: &impl Serialize) -> Self {
        Self::new(safe_text(text), value)
    }

    /// Makes an answer of a list: its length and its items.
    pub(super) fn list<T: Serialize>(key: &str, items: &[T], line: impl Fn(&T) -> String, none: &str) -> Self {
        let lines: Vec<String> = items.iter().map(|item| one_line(&line(item))).collect();
        let text = if items.is_empty() { none.to_owned() } else { lines.join("\n") };
        Self::unfenced(&text, &json!({"count": items.len(), key: items}))
    }

    /// Makes an answer of a list of stored texts, which are fenced as data.
    pub(super) fn fenced_list<T: Serialize>(key: &str, items: &[T], line: impl Fn(&T) -> String, none: &str) -> Self {
        let reply = Self::list(key, items, &line, none);
        match items.is_empty() {
            true => reply,
            false => Self { text: fence_items(&items.iter().map(line).collect::<Vec<_>>()), ..reply },
        }
    }
}
