//! Parses mem0 exports: a list of memories, at the top level or under `results` or `memories`.

use serde::Deserialize;
use serde_json::Value;

use super::labels::slug;
use super::times::parse_time;
use super::{ImportedText, TextSet, from_json};
use crate::learn::Learn;
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct Mem0Export {
    #[serde(alias = "memories")]
    results: Vec<Value>,
    /// Relations between entities, in exports with graph memory.
    #[serde(default)]
    relations: Vec<Mem0Relation>,
}

#[derive(Deserialize)]
struct Mem0Relation {
    source: String,
    #[serde(alias = "relation")]
    relationship: String,
    #[serde(alias = "destination")]
    target: String,
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let (memories, relations) = if text.trim_start().starts_with('[') {
        (from_json(text)?, Vec::new())
    } else {
        let Mem0Export { results, relations } = from_json(text)?;
        (results, relations)
    };
    let memories: Vec<Value> = memories;
    let mut set = TextSet::default();
    for (at, memory) in memories.iter().enumerate() {
        let place = format!("memory {}", at + 1);
        let Some(text) = ["memory", "text", "data"].iter().find_map(|name| memory.get(name)).and_then(Value::as_str)
        else {
            return Err(TransferError::damaged(place, "it has no text under 'memory'"));
        };
        if text.trim().is_empty() {
            set.leave_out("there is no text", place);
            continue;
        }
        set.texts.push(ImportedText {
            place,
            learn: Learn::new(text).tags(tags_of(memory)).source("mem0"),
            created_at: memory.get("created_at").and_then(parse_time),
            session: None,
            item: None,
            part: None,
        });
    }
    for (at, Mem0Relation { source, relationship, target }) in relations.into_iter().enumerate() {
        let verb = relationship.replace('_', " ");
        set.texts.push(ImportedText {
            place: format!("relation {}", at + 1),
            learn: Learn::new(format!("{} {} {}", source.trim(), verb.trim(), target.trim()))
                .tag("relation")
                .source("mem0"),
            created_at: None,
            session: None,
            item: None,
            part: None,
        });
    }
    Ok(set)
}

/// Returns tags for the categories, user and agent of a memory.
fn tags_of(memory: &Value) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let metadata = memory.get("metadata");
    for categories in
        [memory.get("categories"), metadata.and_then(|fields| fields.get("category"))].into_iter().flatten()
    {
        match categories {
            Value::String(one) => tags.push(one.clone()),
            Value::Array(many) => tags.extend(many.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ => {}
        }
    }
    for (field, prefix) in [("user_id", "user"), ("agent_id", "agent")] {
        let slug = memory.get(field).and_then(Value::as_str).map(slug).filter(|slug| !slug.is_empty());
        tags.extend(slug.map(|slug| format!("{prefix}/{slug}")));
    }
    tags
}
