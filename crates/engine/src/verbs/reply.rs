//! The answer of a verb that is called by name.

use elfmem_text::fence::fence_items;
use serde::Serialize;
use serde_json::{Value, json};

/// The answer of a verb.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// For readers: one sentence, or the text that was asked for.
    pub text: String,
    /// For programs: the keys that the verb declares.
    pub json: Value,
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
                crate::verbs::Reply::new(self.to_string(), &self)
            }
        })+
    };
}
pub(super) use sentence_replies;

impl Reply {
    /// Makes an answer with a text of its own.
    pub(super) fn new(text: impl Into<String>, value: &impl Serialize) -> Self {
        Self { text: text.into(), json: serde_json::to_value(value).unwrap_or(Value::Null) }
    }

    /// Makes an answer of a list: its length and its items.
    pub(super) fn list<T: Serialize>(key: &str, items: &[T], line: impl Fn(&T) -> String, none: &str) -> Self {
        let lines: Vec<String> = items.iter().map(line).collect();
        let text = if items.is_empty() { none.to_owned() } else { lines.join("\n") };
        Self::new(text, &json!({"count": items.len(), key: items}))
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
