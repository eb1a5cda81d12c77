//! Parses the knowledge graph of the official MCP memory server: entities with observations, and
//! relations.
//!
//! An observation becomes a text that starts with the name of its entity. A relation becomes a
//! sentence, and an edge between the two entities.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::labels::slug;
use super::{ImportedText, TextEdge, TextSet, from_json, message_without_position};
use crate::learn::Learn;
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct GraphEntity {
    name: String,
    #[serde(rename = "entityType", default)]
    entity_type: String,
    #[serde(default)]
    observations: Vec<Value>,
}

#[derive(Deserialize)]
struct GraphRelation {
    from: String,
    to: String,
    #[serde(rename = "relationType")]
    relation_type: String,
}

/// The whole graph as one object, as returned by the server's `read_graph`.
#[derive(Deserialize)]
struct KnowledgeGraph {
    entities: Vec<GraphEntity>,
    #[serde(default)]
    relations: Vec<GraphRelation>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GraphLine {
    Entity(GraphEntity),
    Relation(GraphRelation),
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let mut builder = GraphBuilder::default();
    let first = text.trim_start().lines().next().unwrap_or_default();
    if serde_json::from_str::<GraphLine>(first).is_err()
        && from_json::<Value>(text).is_ok_and(|value| value.get("entities").is_some())
    {
        let graph: KnowledgeGraph = from_json(text)?;
        for (at, entity) in graph.entities.into_iter().enumerate() {
            builder.entity(&format!("entity {}", at + 1), entity)?;
        }
        builder.relations = graph
            .relations
            .into_iter()
            .enumerate()
            .map(|(at, found)| (format!("relation {}", at + 1), found))
            .collect();
        return Ok(builder.finish());
    }
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", at + 1);
        let read: GraphLine = serde_json::from_str(line)
            .map_err(|error| TransferError::damaged(place.clone(), message_without_position(&error)))?;
        match read {
            GraphLine::Entity(entity) => builder.entity(&place, entity)?,
            GraphLine::Relation(relation) => builder.relations.push((place, relation)),
        }
    }
    Ok(builder.finish())
}

/// Collects the texts and edges of a graph.
#[derive(Default)]
struct GraphBuilder {
    set: TextSet,
    /// The index of the first text of each entity.
    heads: HashMap<String, usize>,
    /// The relations, which may precede their entities.
    relations: Vec<(String, GraphRelation)>,
}

impl GraphBuilder {
    fn entity(&mut self, place: &str, entity: GraphEntity) -> Result<(), TransferError> {
        let GraphEntity { name, entity_type, observations } = entity;
        let kind = entity_type.trim();
        let mut texts = Vec::with_capacity(observations.len());
        for observation in &observations {
            let text = match observation {
                Value::String(text) => text.as_str(),
                // Later servers store an observation as an object.
                Value::Object(fields) => fields.get("content").and_then(Value::as_str).unwrap_or_default(),
                other => {
                    return Err(TransferError::damaged(place, format!("an observation must be text, not {other}")));
                }
            };
            if !text.trim().is_empty() {
                texts.push(format!("{}: {}", name.trim(), text.trim()));
            }
        }
        if texts.is_empty() {
            texts.push(if kind.is_empty() { name.trim().to_owned() } else { format!("{} is a {kind}", name.trim()) });
        }
        let tags = [("entity", slug(&name)), ("type", slug(kind))];
        let tags = tags.into_iter().filter(|(_, slug)| !slug.is_empty()).map(|(kind, slug)| format!("{kind}/{slug}"));
        let tags: Vec<String> = tags.collect();
        for text in texts {
            let at = self.push(place, text, &tags);
            self.heads.entry(name.clone()).or_insert(at);
        }
        Ok(())
    }

    fn push(&mut self, place: &str, text: String, tags: &[String]) -> usize {
        let learn = Learn::new(text).tags(tags).source("mcp-memory");
        self.set.texts.push(ImportedText { place: place.to_owned(), learn, created_at: None, session: None });
        self.set.texts.len() - 1
    }

    fn finish(mut self) -> TextSet {
        for (place, relation) in std::mem::take(&mut self.relations) {
            let verb = relation.relation_type.replace('_', " ");
            let text = format!("{} {} {}", relation.from.trim(), verb.trim(), relation.to.trim());
            self.push(&place, text, &["relation".to_owned()]);
            match (self.heads.get(&relation.from), self.heads.get(&relation.to)) {
                (Some(from), Some(to)) => self.set.edges.push(TextEdge {
                    from: *from,
                    to: *to,
                    relation: relation.relation_type,
                    weight: None,
                    note: None,
                    consecutive: false,
                }),
                _ => self.set.leave_out("the relation is imported as text only: one of its entities is missing", place),
            }
        }
        self.set
    }
}
