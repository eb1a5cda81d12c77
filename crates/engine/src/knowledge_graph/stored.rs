//! The graph as it is stored: its items with their blocks.

use std::collections::{HashMap, HashSet};

use elfmem_core::trust::TrustPolicy;
use elfmem_core::{
    ArchiveReason, Block, BlockId, BlockStatus, DocumentPart, LinkEnd, LinkKey, LinkOrigin, LinkType, Trust,
};
use elfmem_store::{BlockQuery, DocumentQuery, Snapshot, Transaction};
use elfmem_text::fence::safe_text;

use super::model::{GraphEntity, GraphRelation, KnowledgeGraph, UntrustedItem};
use super::sentence::{GRAPH_CATEGORY, GRAPH_SOURCE, GraphItem};
use crate::documents::archive_part;
use crate::learn::{CheckedLearn, store_block};
use crate::links::{NewLink, place};
use crate::moment::Moment;
use crate::{Error, Result};

/// An item with the place where it is stored.
#[derive(Debug, Clone)]
struct StoredItem {
    block_id: BlockId,
    part: DocumentPart,
    item: GraphItem,
    /// Whether its source is trusted.
    trusted: bool,
}

/// The items of a scope, in the order in which they were created.
#[derive(Debug, Default)]
pub(crate) struct StoredGraph {
    items: Vec<StoredItem>,
    known: HashSet<GraphItem>,
    /// The type and the block of each entity.
    entities: HashMap<String, (String, BlockId)>,
}

impl StoredGraph {
    /// Reads the graph of a scope. A block that consolidation replaced or that decayed stays in the graph; one that was
    /// forgotten does not.
    pub(crate) fn load(snapshot: &(impl Snapshot + ?Sized), trust: &TrustPolicy) -> Result<Self> {
        let document = Some(DocumentQuery::OfSource(GRAPH_SOURCE.to_owned()));
        let query = BlockQuery { document, ..BlockQuery::default() };
        let mut items = Vec::new();
        for block in snapshot.list_blocks(&query)? {
            let is_gone =
                block.status == BlockStatus::Archived && block.archive_reason == Some(ArchiveReason::Forgotten);
            let is_own = block.scope == *snapshot.scope() && block.brought_by.peer.is_none();
            // What a document says is no part of the graph, whatever the document is called.
            if is_gone || !is_own || block.brought_by.document.is_some() {
                continue;
            }
            let trusted = trust.trusts(&block);
            items.extend(block.parts.iter().filter_map(|part| {
                let item = GraphItem::from_part(part, &block.content)?;
                Some(StoredItem { block_id: block.id.clone(), part: part.clone(), item, trusted })
            }));
        }
        items.sort_by_key(|stored| stored.part.position);
        let mut graph = Self::default();
        items.into_iter().for_each(|item| graph.push(item));
        Ok(graph)
    }

    fn push(&mut self, stored: StoredItem) {
        if let GraphItem::Entity { name, entity_type } = &stored.item {
            let entity = (entity_type.clone(), stored.block_id.clone());
            self.entities.entry(name.clone()).or_insert(entity);
        }
        self.known.insert(stored.item.clone());
        self.items.push(stored);
    }

    /// Returns the position after the last item.
    fn next_position(&self) -> u32 {
        self.items.last().map_or(0, |last| last.part.position.saturating_add(1))
    }

    /// Returns the type of an entity, if there is one of that name.
    pub(super) fn entity_type(&self, name: &str) -> Option<&str> {
        self.entities.get(name).map(|(entity_type, _)| entity_type.as_str())
    }

    /// Returns true if the graph has the item, or another entity of the same name.
    pub(super) fn contains(&self, item: &GraphItem) -> bool {
        let is_named = |name: &str| self.entities.contains_key(name);
        self.known.contains(item) || matches!(item, GraphItem::Entity { name, .. } if is_named(name))
    }

    /// Returns the entities of which an untrusted source said something, and the relations that one stated, in their order: the
    /// data model of the graph has no place for a mark.
    pub(super) fn untrusted(&self) -> Vec<UntrustedItem> {
        let mut found: Vec<UntrustedItem> = Vec::new();
        for StoredItem { item, .. } in self.items.iter().filter(|stored| !stored.trusted) {
            let named = match item {
                GraphItem::Entity { name, .. } | GraphItem::Observation { name, .. } => {
                    UntrustedItem::Entity(name.clone())
                }
                GraphItem::Relation(relation) => UntrustedItem::Relation(relation.clone()),
            };
            if !found.contains(&named) {
                found.push(named);
            }
        }
        found
    }

    /// Returns the graph. Nothing in its texts is hidden or looks like the fence around recalled text.
    pub(super) fn into_graph(self) -> KnowledgeGraph {
        let mut graph = KnowledgeGraph::default();
        let mut observations = Vec::new();
        for StoredItem { item, .. } in self.items {
            match item {
                GraphItem::Entity { name, entity_type } => {
                    let entity_type = safe_text(&entity_type);
                    graph.entities.push(GraphEntity { name, entity_type, observations: Vec::new() });
                }
                GraphItem::Observation { name, text } => observations.push((name, safe_text(&text))),
                GraphItem::Relation(GraphRelation { from, to, relation_type }) => {
                    let relation_type = safe_text(&relation_type);
                    graph.relations.push(GraphRelation { from, to, relation_type });
                }
            }
        }
        let places: HashMap<String, usize> =
            graph.entities.iter().enumerate().map(|(at, entity)| (entity.name.clone(), at)).collect();
        for (name, text) in observations {
            if let Some(at) = places.get(&name) {
                graph.entities[*at].observations.push(text);
            }
        }
        graph
    }

    /// Stores an item.
    pub(super) fn put(
        &mut self,
        transaction: &mut dyn Transaction,
        moment: &Moment,
        item: GraphItem,
        learn: &CheckedLearn,
    ) -> Result<()> {
        let stored = store_block(transaction, moment, learn)?;
        self.place(transaction, &stored.block_id, item)
    }

    /// Returns true if an item says something about an entity of a trusted source.
    pub(crate) fn is_about_trusted(
        &self,
        snapshot: &(impl Snapshot + ?Sized),
        moment: &Moment,
        item: &GraphItem,
    ) -> Result<bool> {
        let names: &[&String] = match item {
            GraphItem::Entity { .. } => &[],
            GraphItem::Observation { name, .. } => &[name],
            GraphItem::Relation(GraphRelation { from, to, .. }) => &[from, to],
        };
        for (_, id) in names.iter().filter_map(|name| self.entities.get(*name)) {
            if snapshot.get_block(id)?.is_some_and(|block| moment.trust.trusts(&block)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fails if an untrusted speaker says something about an entity of a trusted source: it would stand among what is known of it.
    pub(super) fn refuse_foreign(
        &self,
        snapshot: &(impl Snapshot + ?Sized),
        moment: &Moment,
        item: &GraphItem,
    ) -> Result<()> {
        if moment.speaker == Trust::Owner || !self.is_about_trusted(snapshot, moment, item)? {
            return Ok(());
        }
        Err(Error::ForeignChange { what: "entity", id: item.about().to_owned() })
    }

    /// Adds an item whose sentence is the content of a stored block.
    pub(crate) fn place(&mut self, transaction: &mut dyn Transaction, id: &BlockId, item: GraphItem) -> Result<()> {
        if self.contains(&item) {
            return Ok(());
        }
        let Some(block) = transaction.get_block(id)? else { return Ok(()) };
        let part = item.part(self.next_position(), &block.content);
        transaction.update_block(id, &mut |block| block.parts.push(part.clone()))?;
        // Whose it is counts where a graph is shown, which is one that was loaded.
        self.push(StoredItem { block_id: id.clone(), part, item, trusted: false });
        Ok(())
    }

    /// Links the blocks of some relations to the blocks of their entities.
    pub(crate) fn link_relations(
        &self,
        transaction: &mut dyn Transaction,
        moment: &Moment,
        selects: impl Fn(&GraphRelation) -> bool,
    ) -> Result<()> {
        for StoredItem { block_id, item, .. } in &self.items {
            let GraphItem::Relation(relation) = item else { continue };
            if !selects(relation) || !is_live(&*transaction, block_id)? {
                continue;
            }
            for (_, entity) in [&relation.from, &relation.to].into_iter().filter_map(|name| self.entities.get(name)) {
                if entity == block_id || !is_live(&*transaction, entity)? {
                    continue;
                }
                let (from, to) = (LinkEnd::from(block_id.clone()), LinkEnd::from(entity.clone()));
                let key = LinkKey { from, link_type: LinkType::RelatedTo, to };
                place(transaction, moment, &key, &NewLink { origin: LinkOrigin::Stated, event_id: None, note: None })?;
            }
        }
        Ok(())
    }

    /// Removes the items that match. A block that only the graph knows is archived. Returns the number of items.
    pub(super) fn remove(
        &mut self,
        transaction: &mut dyn Transaction,
        moment: &Moment,
        matches: impl Fn(&GraphItem) -> bool,
    ) -> Result<usize> {
        let (removed, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.items).into_iter().partition(|stored| matches(&stored.item));
        *self = Self::default();
        kept.into_iter().for_each(|stored| self.push(stored));
        for stored in &removed {
            let Some(block) = transaction.get_block(&stored.block_id)? else { continue };
            transaction.update_block(&stored.block_id, &mut |block| block.parts.retain(|part| *part != stored.part))?;
            if is_only_in_graph(&block) && block.status != BlockStatus::Archived {
                archive_part(transaction, moment, &block)?;
            }
        }
        Ok(removed.len())
    }
}

/// Returns true if the graph created a block and has one item in it, and no document contains it.
fn is_only_in_graph(block: &Block) -> bool {
    block.category.as_str() == GRAPH_CATEGORY && block.parts.len() <= 1
}

fn is_live(transaction: &dyn Transaction, id: &BlockId) -> Result<bool> {
    let status = transaction.get_statuses(std::slice::from_ref(id))?.remove(id);
    Ok(status.is_some_and(|status| status != BlockStatus::Archived))
}
