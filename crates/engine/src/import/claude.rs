//! `conversations.json` of a Claude export: each conversation is a list of messages.

use serde::Deserialize;
use serde_json::Value;

use super::conversation::{Conversation, Message, add};
use super::times::time_of;
use super::{TextSet, one_or_many};
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct Given {
    #[serde(default)]
    uuid: Value,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    created_at: Value,
    chat_messages: Vec<GivenMessage>,
}

#[derive(Deserialize)]
struct GivenMessage {
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
    let conversations: Vec<Given> = one_or_many(text)?;
    let mut set = TextSet::default();
    for (at, given) in conversations.iter().enumerate() {
        let title = given.name.clone().unwrap_or_default();
        let key = given.uuid.as_str().map_or_else(|| format!("{}-{title}", at + 1), str::to_owned);
        let messages = given.chat_messages.iter().filter_map(message_of).collect();
        let place = format!("conversation {}", at + 1);
        let conversation = Conversation { place, key, title, at: time_of(&given.created_at), messages };
        add(&mut set, "claude", &conversation);
    }
    Ok(set)
}

fn message_of(given: &GivenMessage) -> Option<Message> {
    let speaker = match given.sender.as_str() {
        "human" => "User",
        "assistant" => "Assistant",
        _ => return None,
    };
    // The parts tell what was said from what tools were asked and answered; older exports have the text alone.
    let is_text = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("text");
    let parts = given.content.iter().filter(is_text).filter_map(|part| part.get("text").and_then(Value::as_str));
    let mut text = parts.collect::<Vec<_>>().join("\n\n");
    if text.trim().is_empty() {
        text = given.text.clone().unwrap_or_default();
    }
    (!text.trim().is_empty()).then(|| Message { speaker, text, at: time_of(&given.created_at) })
}
