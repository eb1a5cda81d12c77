//! Parses the knowledge graph of the official MCP memory server: entities with observations, and
//! relations.
//!
//! An entity, an observation and a relation become a sentence each ([`GraphItem`]), and a relation also an edge between the
//! two entities. The texts are the ones that the tools of the official server make here.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::{ImportedText, TextEdge, TextSet, from_json, message_without_position};
use crate::knowledge_graph::{GRAPH_SOURCE, GraphItem, GraphRelation};
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct EntityEntry {
    name: String,
    #[serde(rename = "entityType", default)]
    entity_type: String,
    #[serde(default)]
    observations: Vec<Value>,
}

/// The whole graph as one object, as returned by the server's `read_graph`.
#[derive(Deserialize)]
struct GraphObject {
    entities: Vec<EntityEntry>,
    #[serde(default)]
    relations: Vec<GraphRelation>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GraphLine {
    Entity(EntityEntry),
    Relation(GraphRelation),
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let mut builder = GraphBuilder::default();
    let first = text.trim_start().lines().next().unwrap_or_default();
    if serde_json::from_str::<GraphLine>(first).is_err()
        && from_json::<Value>(text).is_ok_and(|value| value.get("entities").is_some())
    {
        let graph: GraphObject = from_json(text)?;
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
    /// The index of the text of each entity.
    heads: HashMap<String, usize>,
    /// The relations, which may precede their entities.
    relations: Vec<(String, GraphRelation)>,
}

impl GraphBuilder {
    fn entity(&mut self, place: &str, entity: EntityEntry) -> Result<(), TransferError> {
        let EntityEntry { name, entity_type, observations } = entity;
        let head = self.push(place, GraphItem::Entity { name: name.clone(), entity_type: entity_type.clone() }, None);
        self.heads.entry(name.clone()).or_insert(head);
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
                let item = GraphItem::Observation { name: name.clone(), text: text.to_owned() };
                self.push(place, item, Some(&entity_type));
            }
        }
        Ok(())
    }

    fn push(&mut self, place: &str, item: GraphItem, entity_type: Option<&str>) -> usize {
        let learn = item.learn(entity_type).source(GRAPH_SOURCE);
        let place = place.to_owned();
        self.set.texts.push(ImportedText {
            place,
            learn,
            created_at: None,
            session: None,
            item: Some(item),
            part: None,
        });
        self.set.texts.len() - 1
    }

    fn finish(mut self) -> TextSet {
        for (place, relation) in std::mem::take(&mut self.relations) {
            self.push(&place, GraphItem::Relation(relation.clone()), None);
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
