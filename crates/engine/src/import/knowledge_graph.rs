//! What the official MCP memory server keeps: entities with observations, and relations between entities.
//!
//! An observation becomes a block that names its entity; a relation becomes a block that says it in words, and an edge between
//! the two entities.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::labels::word;
use super::{Join, Piece, TextSet, from_json, problem_of};
use crate::learn::Learn;
use crate::transfer::TransferError;

#[derive(Deserialize)]
struct Entity {
    name: String,
    #[serde(rename = "entityType", default)]
    entity_type: String,
    #[serde(default)]
    observations: Vec<Value>,
}

#[derive(Deserialize)]
struct Relation {
    from: String,
    to: String,
    #[serde(rename = "relationType")]
    relation_type: String,
}

/// The whole graph in one object, as the server's `read_graph` answers.
#[derive(Deserialize)]
struct Graph {
    entities: Vec<Entity>,
    #[serde(default)]
    relations: Vec<Relation>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Entity(Entity),
    Relation(Relation),
}

pub(super) fn parse(text: &str) -> Result<TextSet, TransferError> {
    let mut building = Building::default();
    let first = text.trim_start().lines().next().unwrap_or_default();
    if serde_json::from_str::<Line>(first).is_err()
        && from_json::<Value>(text).is_ok_and(|value| value.get("entities").is_some())
    {
        let graph: Graph = from_json(text)?;
        for (at, entity) in graph.entities.into_iter().enumerate() {
            building.entity(&format!("entity {}", at + 1), entity)?;
        }
        building.relations = graph
            .relations
            .into_iter()
            .enumerate()
            .map(|(at, found)| (format!("relation {}", at + 1), found))
            .collect();
        return Ok(building.finish());
    }
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", at + 1);
        let read: Line =
            serde_json::from_str(line).map_err(|error| TransferError::damaged(place.clone(), problem_of(&error)))?;
        match read {
            Line::Entity(entity) => building.entity(&place, entity)?,
            Line::Relation(relation) => building.relations.push((place, relation)),
        }
    }
    Ok(building.finish())
}

#[derive(Default)]
struct Building {
    set: TextSet,
    /// The first block of each entity.
    heads: HashMap<String, usize>,
    /// Relations may come before what they join.
    relations: Vec<(String, Relation)>,
}

impl Building {
    fn entity(&mut self, place: &str, entity: Entity) -> Result<(), TransferError> {
        let Entity { name, entity_type, observations } = entity;
        let kind = entity_type.trim();
        let mut texts = Vec::with_capacity(observations.len());
        for observation in &observations {
            let text = match observation {
                Value::String(text) => text.as_str(),
                // Later servers keep more than the text of an observation.
                Value::Object(fields) => fields.get("content").and_then(Value::as_str).unwrap_or_default(),
                other => return Err(TransferError::damaged(place, format!("an observation is text, not {other}"))),
            };
            if !text.trim().is_empty() {
                texts.push(format!("{}: {}", name.trim(), text.trim()));
            }
        }
        if texts.is_empty() {
            texts.push(if kind.is_empty() { name.trim().to_owned() } else { format!("{} is a {kind}", name.trim()) });
        }
        let tags = [("entity", word(&name)), ("type", word(kind))];
        let tags = tags.into_iter().filter(|(_, word)| !word.is_empty()).map(|(kind, word)| format!("{kind}/{word}"));
        let tags: Vec<String> = tags.collect();
        for text in texts {
            let at = self.push(place, text, &tags);
            self.heads.entry(name.clone()).or_insert(at);
        }
        Ok(())
    }

    fn push(&mut self, place: &str, text: String, tags: &[String]) -> usize {
        let learn = Learn::new(text).tags(tags).source("mcp-memory");
        self.set.pieces.push(Piece { place: place.to_owned(), learn, created_at: None, session: None });
        self.set.pieces.len() - 1
    }

    fn finish(mut self) -> TextSet {
        for (place, relation) in std::mem::take(&mut self.relations) {
            let said = relation.relation_type.replace('_', " ");
            let text = format!("{} {} {}", relation.from.trim(), said.trim(), relation.to.trim());
            self.push(&place, text, &["relation".to_owned()]);
            match (self.heads.get(&relation.from), self.heads.get(&relation.to)) {
                (Some(from), Some(to)) => self.set.joins.push(Join {
                    from: *from,
                    to: *to,
                    relation: relation.relation_type,
                    weight: None,
                    note: None,
                    neighbours: false,
                }),
                _ => self.set.leave_out("the relation is kept as text: one of its entities is not in the file", place),
            }
        }
        self.set
    }
}
