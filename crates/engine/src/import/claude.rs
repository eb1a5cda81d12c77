//! Parses `conversations.json` of a Claude export. Each conversation is a list of messages.

use serde::Deserialize;
use serde_json::Value;

use super::conversation::{Conversation, Message, add};
use super::times::parse_time;
use super::{TextSet, one_or_many};
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct ClaudeConversation {
    #[serde(default)]
    uuid: Value,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    created_at: Value,
    chat_messages: Vec<ClaudeMessage>,
}

#[derive(Deserialize)]
struct ClaudeMessage {
    #[serde(default)]
    sender: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    content: Vec<Value>,
    #[serde(default)]
    created_at: Value,
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let conversations: Vec<ClaudeConversation> = one_or_many(text)?;
    let mut set = TextSet::default();
    for (at, exported) in conversations.iter().enumerate() {
        let title = exported.name.clone().unwrap_or_default();
        let key = exported.uuid.as_str().map_or_else(|| format!("{}-{title}", at + 1), str::to_owned);
        let messages = exported.chat_messages.iter().filter_map(to_message).collect();
        let place = format!("conversation {}", at + 1);
        let conversation = Conversation { place, key, title, at: parse_time(&exported.created_at), messages };
        add(&mut set, "claude", &conversation);
    }
    Ok(set)
}

fn to_message(message: &ClaudeMessage) -> Option<Message> {
    let speaker = match message.sender.as_str() {
        "human" => "User",
        "assistant" => "Assistant",
        _ => return None,
    };
    // Parts of type `text` exclude tool calls. Older exports have only the plain text.
    let is_text = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("text");
    let parts = message.content.iter().filter(is_text).filter_map(|part| part.get("text").and_then(Value::as_str));
    let mut text = parts.collect::<Vec<_>>().join("\n\n");
    if text.trim().is_empty() {
        text = message.text.clone().unwrap_or_default();
    }
    (!text.trim().is_empty()).then(|| Message { speaker, text, at: parse_time(&message.created_at) })
}
