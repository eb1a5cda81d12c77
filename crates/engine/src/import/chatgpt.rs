//! Parses `conversations.json` of a ChatGPT export. Each conversation is a tree of messages with
//! one current branch.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;

use super::conversation::{Conversation, Message, add};
use super::times::parse_time;
use super::{TextSet, one_or_many};
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct ChatgptConversation {
    #[serde(default, alias = "conversation_id")]
    id: Value,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    create_time: Value,
    mapping: HashMap<String, MessageNode>,
    #[serde(default)]
    current_node: Option<String>,
}

#[derive(Deserialize)]
struct MessageNode {
    #[serde(default)]
    message: Option<ChatgptMessage>,
    #[serde(default)]
    parent: Option<String>,
    #[serde(default)]
    children: Vec<String>,
}

#[derive(Deserialize)]
struct ChatgptMessage {
    #[serde(default)]
    author: MessageAuthor,
    #[serde(default)]
    create_time: Value,
    #[serde(default)]
    content: MessageContent,
}

#[derive(Deserialize, Default)]
struct MessageAuthor {
    #[serde(default)]
    role: String,
}

#[derive(Deserialize, Default)]
struct MessageContent {
    #[serde(default)]
    parts: Vec<Value>,
    #[serde(default)]
    text: Option<String>,
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let conversations: Vec<ChatgptConversation> = one_or_many(text)?;
    let mut set = TextSet::default();
    for (at, exported) in conversations.iter().enumerate() {
        let title = exported.title.clone().unwrap_or_default();
        let key = exported.id.as_str().map_or_else(|| format!("{}-{title}", at + 1), str::to_owned);
        let messages = current_branch(exported).into_iter().filter_map(to_message).collect();
        let place = format!("conversation {}", at + 1);
        let conversation = Conversation { place, key, title, at: parse_time(&exported.create_time), messages };
        add(&mut set, "chatgpt", &conversation);
    }
    Ok(set)
}

/// Returns the messages of the current branch, oldest first. A cycle in the tree ends the branch.
fn current_branch(conversation: &ChatgptConversation) -> Vec<&ChatgptMessage> {
    let mut found = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let current = conversation.current_node.as_deref().filter(|id| conversation.mapping.contains_key(*id));
    let mut at = current.or_else(|| latest_leaf(conversation));
    while let Some((id, node)) = at.and_then(|id| conversation.mapping.get_key_value(id)) {
        if !seen.insert(id) {
            break;
        }
        found.extend(&node.message);
        at = node.parent.as_deref();
    }
    found.reverse();
    found
}

/// Returns the leaf with the latest message, for conversations without a current node.
fn latest_leaf(conversation: &ChatgptConversation) -> Option<&str> {
    let leaves = conversation.mapping.iter().filter(|(_, node)| node.children.is_empty());
    let when = |node: &MessageNode| node.message.as_ref().and_then(|message| parse_time(&message.create_time));
    leaves.max_by_key(|(id, node)| (when(node), id.as_str())).map(|(id, _)| id.as_str())
}

/// Converts a message of the user or the assistant. Returns `None` for messages of tools and the
/// system.
fn to_message(message: &ChatgptMessage) -> Option<Message> {
    let speaker = match message.author.role.as_str() {
        "user" => "User",
        "assistant" => "Assistant",
        _ => return None,
    };
    let mut texts: Vec<&str> = message.content.parts.iter().filter_map(part_text).collect();
    texts.extend(message.content.text.as_deref());
    let text = texts.join("\n\n");
    (!text.trim().is_empty()).then(|| Message { speaker, text, at: parse_time(&message.create_time) })
}

/// Returns the text of a part, which is a string or an object with a text, such as an audio
/// transcript.
fn part_text(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| part.get("text").and_then(Value::as_str)).filter(|text| !text.trim().is_empty())
}
