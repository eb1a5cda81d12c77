//! The knowledge graph: entities with observations, and relations between them.
//!
//! This is the data model of the official MCP memory server, kept in ordinary blocks. An entity, an observation and a
//! relation are one block each, with a sentence that recall finds. The exact values are in the document part of the block:
//! the entity is the document. A relation is linked to the blocks of its two entities.

mod model;
mod sentence;
mod stored;
mod write;

use elfmem_store::Store;

use crate::Result;
use crate::memory::Memory;
use crate::trace;

pub use model::{
    AddedObservations, EntityObservations, GraphEntity, GraphRelation, KnowledgeGraph, ObservationDeletion,
    UntrustedItem,
};
pub(crate) use sentence::{GRAPH_SOURCE, GraphItem};
pub(crate) use stored::StoredGraph;
pub use write::{CreatedEntities, CreatedRelations, DeletedItems, ObservationsAdded};

impl<S: Store> Memory<S> {
    /// Returns all entities and relations of the scope, in the order in which they were created.
    pub fn read_graph(&self) -> Result<KnowledgeGraph> {
        let _span = trace::verb("read_graph");
        self.read(|snapshot| Ok(StoredGraph::load(snapshot, &self.options.trust)?.into_graph()))
    }

    /// Returns what of a graph an untrusted source said.
    pub fn untrusted_items(&self, graph: &KnowledgeGraph) -> Result<Vec<UntrustedItem>> {
        let stored = self.read(|snapshot| StoredGraph::load(snapshot, &self.options.trust))?;
        Ok(stored.untrusted().into_iter().filter(|item| graph.shows(item)).collect())
    }

    /// Returns the entities whose name, type or observations contain a text, ignoring case, and their relations.
    pub fn search_nodes(&self, query: &str) -> Result<KnowledgeGraph> {
        Ok(self.read_graph()?.containing(query))
    }

    /// Returns the entities with these names, and their relations.
    pub fn open_nodes(&self, names: &[String]) -> Result<KnowledgeGraph> {
        Ok(self.read_graph()?.named(names))
    }
}
