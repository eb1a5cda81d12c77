//! The values of the knowledge graph, with the field names of the official MCP memory server.

use serde::{Deserialize, Serialize};

/// An entity with its observations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphEntity {
    /// The name, which is unique in a graph.
    pub name: String,
    /// The type, such as `person`.
    pub entity_type: String,
    /// The observations, in the order in which they were added.
    pub observations: Vec<String>,
}

/// A directed relation between two entities, by name. The entities need not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphRelation {
    /// The name of the entity where it starts.
    pub from: String,
    /// The name of the entity where it ends.
    pub to: String,
    /// The type, such as `works_at`.
    pub relation_type: String,
}

/// Entities and relations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeGraph {
    /// The entities.
    pub entities: Vec<GraphEntity>,
    /// The relations.
    pub relations: Vec<GraphRelation>,
}

impl KnowledgeGraph {
    /// Returns true if an item is in the graph.
    pub fn shows(&self, item: &UntrustedItem) -> bool {
        match item {
            UntrustedItem::Entity(name) => self.entities.iter().any(|entity| entity.name == *name),
            UntrustedItem::Relation(relation) => {
                let is_it = |other: &GraphRelation| other.from == relation.from && other.to == relation.to;
                self.relations.iter().any(is_it)
            }
        }
    }
}

/// What an untrusted source said in a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UntrustedItem {
    /// An entity, or an observation of it, by the name of the entity.
    Entity(String),
    /// A relation.
    Relation(GraphRelation),
}

/// Observations to add to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityObservations {
    /// The name of the entity.
    pub entity_name: String,
    /// The observations.
    pub contents: Vec<String>,
}

/// The observations that were added to an entity: those that it did not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddedObservations {
    /// The name of the entity.
    pub entity_name: String,
    /// The new observations.
    pub added_observations: Vec<String>,
}

/// Observations to remove from an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservationDeletion {
    /// The name of the entity.
    pub entity_name: String,
    /// The observations.
    pub observations: Vec<String>,
}

impl KnowledgeGraph {
    /// Returns the entities that contain a text, ignoring case, and the relations that touch them.
    pub(super) fn containing(self, query: &str) -> Self {
        let query = query.to_lowercase();
        let contains = |text: &String| text.to_lowercase().contains(&query);
        self.part(|entity| {
            contains(&entity.name) || contains(&entity.entity_type) || entity.observations.iter().any(contains)
        })
    }

    /// Returns the entities with these names, and the relations that touch them.
    pub(super) fn named(self, names: &[String]) -> Self {
        self.part(|entity| names.contains(&entity.name))
    }

    fn part(mut self, keeps: impl Fn(&GraphEntity) -> bool) -> Self {
        self.entities.retain(keeps);
        let has = |name: &str| self.entities.iter().any(|entity| entity.name == name);
        self.relations.retain(|relation| has(&relation.from) || has(&relation.to));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(name: &str, entity_type: &str, observations: &[&str]) -> GraphEntity {
        let observations = observations.iter().map(|text| (*text).to_owned()).collect();
        GraphEntity { name: name.to_owned(), entity_type: entity_type.to_owned(), observations }
    }

    fn graph() -> KnowledgeGraph {
        let relation = |from: &str, to: &str| GraphRelation {
            from: from.to_owned(),
            to: to.to_owned(),
            relation_type: "knows".to_owned(),
        };
        KnowledgeGraph {
            entities: vec![
                entity("Maria", "Person", &["likes TEA"]),
                entity("Ravi", "person", &[]),
                entity("Ö", "x", &[]),
            ],
            relations: vec![relation("Maria", "Ravi"), relation("Ravi", "nobody"), relation("Ö", "Ö")],
        }
    }

    #[test]
    fn a_search_ignores_case_and_looks_at_names_types_and_observations() {
        let found = |query: &str| {
            let found = graph().containing(query);
            (found.entities.into_iter().map(|entity| entity.name).collect::<Vec<_>>(), found.relations.len())
        };
        assert_eq!(found("tea"), (vec!["Maria".to_owned()], 1));
        assert_eq!(found("PERSON"), (vec!["Maria".to_owned(), "Ravi".to_owned()], 2));
        assert_eq!(found("ö"), (vec!["Ö".to_owned()], 1));
        assert_eq!(found("coffee"), (Vec::new(), 0));
        assert_eq!(found("").0.len(), 3);
    }

    #[test]
    fn opened_nodes_come_with_the_relations_that_touch_them() {
        let found = graph().named(&["Ravi".to_owned(), "nobody".to_owned()]);
        assert_eq!((found.entities.len(), found.relations.len()), (1, 2));
    }
}
