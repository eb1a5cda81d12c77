//! Changes of the knowledge graph. Each call is one operation for undo.

use std::fmt;

use elfmem_core::{OperationKind, Trust};
use elfmem_store::Store;
use elfmem_text::fence::safe_text;
use elfmem_text::phrase::counted;

use super::model::{AddedObservations, EntityObservations, GraphEntity, GraphRelation, ObservationDeletion};
use super::sentence::GraphItem;
use super::stored::StoredGraph;
use crate::learn::CheckedLearn;
use crate::memory::Memory;
use crate::{Error, Result, trace};

/// The entities that were created: those whose name was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CreatedEntities {
    /// The new entities.
    pub entities: Vec<GraphEntity>,
}

impl fmt::Display for CreatedEntities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Created {}.", counted_items(self.entities.len(), "entity", "entities"))
    }
}

/// The relations that were created: those that did not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CreatedRelations {
    /// The new relations.
    pub relations: Vec<GraphRelation>,
}

impl fmt::Display for CreatedRelations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Created {}.", counted(self.relations.len() as u64, "relation"))
    }
}

/// The observations that were added.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObservationsAdded {
    /// One result for each entity of the request.
    pub results: Vec<AddedObservations>,
}

impl fmt::Display for ObservationsAdded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.results.iter().map(|result| result.added_observations.len()).sum();
        write!(f, "Added {}.", counted(count as u64, "observation"))
    }
}

/// The number of items that were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeletedItems {
    /// Entities, observations and relations.
    pub removed: usize,
}

impl fmt::Display for DeletedItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Removed {} from the knowledge graph.", counted(self.removed as u64, "item"))
    }
}

fn counted_items(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl<S: Store> Memory<S> {
    /// Creates entities with their observations. Entities whose name is taken are left as they are.
    ///
    /// # Errors
    /// A name with hidden characters or over 1,024 bytes; otherwise the errors of [`learn`](Self::learn).
    pub fn create_entities(&self, entities: &[GraphEntity]) -> Result<CreatedEntities> {
        let _span = trace::verb("create_entities");
        let mut wanted: Vec<(&GraphEntity, Vec<(GraphItem, CheckedLearn)>)> = Vec::new();
        for entity in entities {
            let GraphEntity { name, entity_type, observations } = entity;
            let mut items =
                vec![self.checked(GraphItem::Entity { name: name.clone(), entity_type: entity_type.clone() }, None)?];
            for text in observations {
                let item = GraphItem::Observation { name: name.clone(), text: text.clone() };
                items.push(self.checked(item, Some(entity_type))?);
            }
            wanted.push((entity, items));
        }
        let speaker = self.speaker(wanted.iter().flat_map(|(_, items)| items));
        self.change_as(OperationKind::CreateEntities, None, speaker, |transaction, moment| {
            let mut graph = StoredGraph::load(&*transaction, &moment.trust)?;
            let mut created: Vec<GraphEntity> = Vec::new();
            for (entity, items) in &wanted {
                if graph.entity_type(&entity.name).is_some() {
                    continue;
                }
                let mut observations = Vec::new();
                for (item, learn) in items {
                    if graph.contains(item) {
                        continue;
                    }
                    if let GraphItem::Observation { text, .. } = item {
                        observations.push(safe_text(text));
                    }
                    graph.put(transaction, moment, item.clone(), learn)?;
                }
                graph.link_relations(transaction, moment, |relation| {
                    relation.from == entity.name || relation.to == entity.name
                })?;
                created.push(GraphEntity { observations, ..(*entity).clone() });
            }
            Ok(CreatedEntities { entities: created })
        })
    }

    /// Creates relations. Those that exist are left as they are.
    ///
    /// # Errors
    /// The errors of [`create_entities`](Self::create_entities).
    pub fn create_relations(&self, relations: &[GraphRelation]) -> Result<CreatedRelations> {
        let _span = trace::verb("create_relations");
        let wanted = relations.iter().map(|relation| self.checked(GraphItem::Relation(relation.clone()), None));
        let wanted = wanted.collect::<Result<Vec<_>>>()?;
        let speaker = self.speaker(&wanted);
        self.change_as(OperationKind::CreateRelations, None, speaker, |transaction, moment| {
            let mut graph = StoredGraph::load(&*transaction, &moment.trust)?;
            let mut created = Vec::new();
            for (item, learn) in &wanted {
                let GraphItem::Relation(relation) = item else { continue };
                if !graph.contains(item) {
                    graph.refuse_foreign(&*transaction, moment, item)?;
                    graph.put(transaction, moment, item.clone(), learn)?;
                    graph.link_relations(transaction, moment, |other| other == relation)?;
                    created.push(relation.clone());
                }
            }
            Ok(CreatedRelations { relations: created })
        })
    }

    /// Adds observations to entities. Those that an entity has are left as they are.
    ///
    /// # Errors
    /// [`Error::UnknownEntity`]; otherwise the errors of [`create_entities`](Self::create_entities).
    pub fn add_observations(&self, observations: &[EntityObservations]) -> Result<ObservationsAdded> {
        let _span = trace::verb("add_observations");
        let known = self.read(|snapshot| StoredGraph::load(snapshot, &self.options.trust))?;
        let mut wanted = Vec::new();
        for EntityObservations { entity_name, contents } in observations {
            let entity_type = known.entity_type(entity_name);
            let checked = contents.iter().map(|text| {
                self.checked(GraphItem::Observation { name: entity_name.clone(), text: text.clone() }, entity_type)
            });
            wanted.push((entity_name, checked.collect::<Result<Vec<_>>>()?));
        }
        let speaker = self.speaker(wanted.iter().flat_map(|(_, items)| items));
        self.change_as(OperationKind::AddObservations, None, speaker, |transaction, moment| {
            let mut graph = StoredGraph::load(&*transaction, &moment.trust)?;
            let mut results = Vec::new();
            for (name, items) in &wanted {
                if graph.entity_type(name).is_none() {
                    return Err(Error::UnknownEntity { name: (*name).clone() });
                }
                let mut added = Vec::new();
                for (item, learn) in items {
                    let GraphItem::Observation { text, .. } = item else { continue };
                    if !graph.contains(item) {
                        graph.refuse_foreign(&*transaction, moment, item)?;
                        graph.put(transaction, moment, item.clone(), learn)?;
                        added.push(safe_text(text));
                    }
                }
                results.push(AddedObservations { entity_name: (*name).clone(), added_observations: added });
            }
            Ok(ObservationsAdded { results })
        })
    }

    /// Removes entities with their observations and all relations that touch them. Unknown names are ignored.
    pub fn delete_entities(&self, names: &[String]) -> Result<DeletedItems> {
        let _span = trace::verb("delete_entities");
        self.remove_items(OperationKind::DeleteEntities, |item| match item {
            GraphItem::Entity { name, .. } | GraphItem::Observation { name, .. } => names.contains(name),
            GraphItem::Relation(relation) => names.contains(&relation.from) || names.contains(&relation.to),
        })
    }

    /// Removes observations of entities. Unknown ones are ignored.
    pub fn delete_observations(&self, deletions: &[ObservationDeletion]) -> Result<DeletedItems> {
        let _span = trace::verb("delete_observations");
        self.remove_items(OperationKind::DeleteObservations, |item| {
            let GraphItem::Observation { name, text } = item else { return false };
            let text = safe_text(text);
            let names =
                |deletion: &ObservationDeletion| deletion.observations.iter().any(|wanted| safe_text(wanted) == text);
            deletions.iter().any(|deletion| deletion.entity_name == *name && names(deletion))
        })
    }

    /// Removes relations. Unknown ones are ignored.
    pub fn delete_relations(&self, relations: &[GraphRelation]) -> Result<DeletedItems> {
        let _span = trace::verb("delete_relations");
        self.remove_items(
            OperationKind::DeleteRelations,
            |item| matches!(item, GraphItem::Relation(relation) if relations.contains(relation)),
        )
    }

    fn remove_items(&self, operation: OperationKind, matches: impl Fn(&GraphItem) -> bool) -> Result<DeletedItems> {
        self.change(operation, |transaction, moment| {
            let mut graph = StoredGraph::load(&*transaction, &moment.trust)?;
            Ok(DeletedItems { removed: graph.remove(transaction, moment, &matches)? })
        })
    }

    /// Checks an item. Secrets in its text are treated as in any text; a name cannot contain one.
    fn checked(&self, item: GraphItem, entity_type: Option<&str>) -> Result<(GraphItem, CheckedLearn)> {
        item.check_names(self.options.secrets)?;
        let learn = item.learn(entity_type).or_source(&self.options.actor).checked(self.options.secrets)?;
        let item = match item {
            // The stored text is the one without the secret.
            GraphItem::Observation { name, .. } if !learn.redacted.is_empty() => {
                let text = learn.content.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix(": "));
                GraphItem::Observation { text: text.unwrap_or(&learn.content).to_owned(), name }
            }
            item => item,
        };
        Ok((item, learn))
    }

    fn speaker<'a>(&self, items: impl IntoIterator<Item = &'a (GraphItem, CheckedLearn)>) -> Trust {
        items.into_iter().map(|(_, learn)| self.trust_of(learn)).max().unwrap_or(Trust::Owner)
    }
}
