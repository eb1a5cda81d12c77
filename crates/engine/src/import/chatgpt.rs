//! `conversations.json` of a ChatGPT export: each conversation is a tree of messages, of which one branch was the last.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::Value;

use super::conversation::{Conversation, Message, add};
use super::times::time_of;
use super::{TextSet, one_or_many};
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct Given {
    #[serde(default, alias = "conversation_id")]
    id: Value,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    create_time: Value,
    mapping: HashMap<String, Node>,
    #[serde(default)]
    current_node: Option<String>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    message: Option<GivenMessage>,
    #[serde(default)]
    parent: Option<String>,
    #[serde(default)]
    children: Vec<String>,
}

#[derive(Deserialize)]
struct GivenMessage {
    #[serde(default)]
    author: Author,
    #[serde(default)]
    create_time: Value,
    #[serde(default)]
    content: Content,
}

#[derive(Deserialize, Default)]
struct Author {
    #[serde(default)]
    role: String,
}

#[derive(Deserialize, Default)]
struct Content {
    #[serde(default)]
    parts: Vec<Value>,
    #[serde(default)]
    text: Option<String>,
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let conversations: Vec<Given> = one_or_many(text)?;
    let mut set = TextSet::default();
    for (at, given) in conversations.iter().enumerate() {
        let title = given.title.clone().unwrap_or_default();
        let key = given.id.as_str().map_or_else(|| format!("{}-{title}", at + 1), str::to_owned);
        let messages = branch(given).into_iter().filter_map(message_of).collect();
        let place = format!("conversation {}", at + 1);
        let conversation = Conversation { place, key, title, at: time_of(&given.create_time), messages };
        add(&mut set, "chatgpt", &conversation);
    }
    Ok(set)
}

/// The messages of the branch that was last, the oldest first. A tree that leads in a circle ends where it would begin again.
fn branch(given: &Given) -> Vec<&GivenMessage> {
    let mut found = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut at =
        given.current_node.as_deref().filter(|id| given.mapping.contains_key(*id)).or_else(|| last_leaf(given));
    while let Some((id, node)) = at.and_then(|id| given.mapping.get_key_value(id)) {
        if !seen.insert(id) {
            break;
        }
        found.extend(&node.message);
        at = node.parent.as_deref();
    }
    found.reverse();
    found
}

/// Where no branch is said to be the last: the one that ends latest.
fn last_leaf(given: &Given) -> Option<&str> {
    let leaves = given.mapping.iter().filter(|(_, node)| node.children.is_empty());
    let when = |node: &Node| node.message.as_ref().and_then(|message| time_of(&message.create_time));
    leaves.max_by_key(|(id, node)| (when(node), id.as_str())).map(|(id, _)| id.as_str())
}

/// What people and the model said; what tools and the system put in is not conversation.
fn message_of(given: &GivenMessage) -> Option<Message> {
    let speaker = match given.author.role.as_str() {
        "user" => "User",
        "assistant" => "Assistant",
        _ => return None,
    };
    let mut texts: Vec<&str> = given.content.parts.iter().filter_map(part_text).collect();
    texts.extend(given.content.text.as_deref());
    let text = texts.join("\n\n");
    (!text.trim().is_empty()).then(|| Message { speaker, text, at: time_of(&given.create_time) })
}

/// A part is text, or an object that may hold some (a transcript of something spoken).
fn part_text(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| part.get("text").and_then(Value::as_str)).filter(|text| !text.trim().is_empty())
}
