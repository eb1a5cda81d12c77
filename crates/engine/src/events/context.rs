//! Verbs on contexts: `list_contexts`, `show_context`, `context_graph` and `enrol`.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use crate::results::{counted, excerpt};
use elfmem_core::event::ContextId;
use elfmem_core::trust::TrustPolicy;
use elfmem_core::{BlockId, Link, LinkEnd, LinkType, OperationKind, Timestamp};
use elfmem_store::{ContextQuery, CountedContext, LinkQuery, Snapshot, Store};
use serde::Serialize;

use super::admit::enrol;
use super::{Enrol, EventError, ListContexts, ShowContext, ShowContextGraph};
use crate::Result;
use crate::links::{LinkResult, resolve_live_block};
use crate::memory::Memory;
use crate::render::UNTRUSTED_MARK;
use crate::secrets::refuse_secret_name;
use crate::trace;

/// Maximum number of contexts per page.
const MAX_PAGE_SIZE: u32 = 1_000;
/// Maximum depth of a graph.
const MAX_DEPTH: usize = 5;
/// Maximum number of nodes of a graph.
const MAX_NODES: usize = 500;
/// Maximum number of characters of a text per line.
const EXCERPT_LENGTH: usize = 80;

/// A context with its number of blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GraphNode {
    /// The context id.
    pub context_id: ContextId,
    /// The part before the colon.
    pub context_type: String,
    /// The part after the colon.
    pub context_name: String,
    /// Number of live blocks in it. 0 if it is only the target of links.
    pub reference_count: u64,
    /// When it was created. `None` if it is only the target of links.
    pub created_at: Option<Timestamp>,
}

impl GraphNode {
    fn new(id: &ContextId, known: Option<&CountedContext>) -> Self {
        Self {
            context_id: id.clone(),
            context_type: id.kind().to_owned(),
            context_name: id.name().to_owned(),
            reference_count: known.map_or(0, |known| known.reference_count),
            created_at: known.map(|known| known.context.created_at),
        }
    }
}

/// Result of `list_contexts`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextListing {
    /// Number of contexts on this page.
    pub count: usize,
    /// Total number of contexts.
    pub total: u64,
    /// The page number, from 0.
    pub page: u32,
    /// The types of all contexts with their counts.
    pub context_types: Vec<ContextType>,
    /// The contexts, most blocks first.
    pub contexts: Vec<GraphNode>,
}

/// A context type with the number of its contexts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ContextType {
    /// The name.
    pub context_type: String,
    /// Number of contexts.
    pub count: u64,
}

impl fmt::Display for ContextListing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.contexts.is_empty() {
            return f.write_str("No contexts yet. Store an event with a context to create one.");
        }
        for (at, context) in self.contexts.iter().enumerate() {
            let blocks = crate::results::counted(context.reference_count, "block");
            write!(f, "{}{} ({blocks})", if at == 0 { "" } else { "\n" }, context.context_id)?;
        }
        Ok(())
    }
}

/// A link of a context or of one of its blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Relationship {
    /// The other end: a context or a block.
    pub other: LinkEnd,
    /// The link type.
    pub link_type: LinkType,
    /// `outgoing` or `incoming`.
    pub direction: &'static str,
    /// The end on this side: the context or one of its blocks.
    pub own: LinkEnd,
}

/// A block in a context.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextBlock {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// The confidence.
    pub confidence: f64,
    /// Whether this is the block's primary context.
    pub primary: bool,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

/// Result of `show_context`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextDetails {
    /// The context.
    #[serde(flatten)]
    pub context: GraphNode,
    /// The blocks in it, oldest first.
    pub blocks: Vec<ContextBlock>,
    /// The links of the context and its blocks.
    pub relationships: Vec<Relationship>,
    /// Number of pending links: links to it while it has no block yet.
    pub unresolved: usize,
}

impl fmt::Display for ContextDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.context.context_id)?;
        for block in &self.blocks {
            let id = block.block_id.short();
            let trust = if block.trusted { "" } else { UNTRUSTED_MARK };
            write!(f, "\n  {id} [{:.2}] {trust}{}", block.confidence, excerpt(&block.content, EXCERPT_LENGTH))?;
        }
        for Relationship { other, link_type, direction, own } in &self.relationships {
            match *direction {
                "outgoing" => write!(f, "\n  {} {link_type} → {}", own.short(), other.short())?,
                _ => write!(f, "\n  {} ← {link_type} {}", own.short(), other.short())?,
            }
        }
        Ok(())
    }
}

/// An edge of a context graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct GraphEdge {
    /// The source.
    pub from: ContextId,
    /// The target.
    pub to: ContextId,
    /// The link type.
    pub link_type: LinkType,
}

/// Result of `context_graph`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContextGraph {
    /// The contexts.
    pub nodes: Vec<GraphNode>,
    /// The links between them, including those of their primary blocks.
    pub edges: Vec<GraphEdge>,
    /// Whether the graph was truncated.
    pub cut: bool,
}

impl fmt::Display for ContextGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (contexts, links) = (counted(self.nodes.len() as u64, "context"), counted(self.edges.len() as u64, "link"));
        write!(f, "{contexts}, {links}.")?;
        for edge in &self.edges {
            write!(f, "\n{} {} → {}", edge.from, edge.link_type, edge.to)?;
        }
        let connected =
            |node: &GraphNode| self.edges.iter().any(|edge| edge.from == node.context_id || edge.to == node.context_id);
        for node in self.nodes.iter().filter(|node| !connected(node)) {
            write!(f, "\n{}", node.context_id)?;
        }
        Ok(())
    }
}

/// Result of `enrol`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EnrolResult {
    /// The block id.
    pub block_id: BlockId,
    /// The context id.
    pub context_id: ContextId,
    /// The pending links to the context that were resolved.
    pub resolved_links: Vec<LinkResult>,
}

impl fmt::Display for EnrolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block {} belongs to {}.", self.block_id.short(), self.context_id)?;
        match self.resolved_links.len() {
            0 => Ok(()),
            1 => f.write_str(" 1 pending link was resolved."),
            count => write!(f, " {count} pending links were resolved."),
        }
    }
}

/// Parses a context id.
pub(crate) fn checked_context(text: &str) -> Result<ContextId> {
    ContextId::parse(text).map_err(|error| EventError::BadContext(error).into())
}

impl<S: Store> Memory<S> {
    /// The contexts there are, the fullest first. See [`ListContexts`].
    pub fn list_contexts(&self, request: impl Into<ListContexts>) -> Result<ContextListing> {
        let _span = trace::verb("list_contexts");
        let ListContexts { context_type, context_name, min_references, limit, page } = request.into();
        let lower = |text: Option<String>| text.map(|text| text.trim().to_lowercase());
        let size = limit.clamp(1, MAX_PAGE_SIZE);
        let query = ContextQuery {
            kind: lower(context_type),
            text: lower(context_name),
            least_references: min_references,
            limit: Some(size),
            offset: page.saturating_mul(size),
        };
        self.read(|snapshot| {
            let contexts: Vec<GraphNode> = snapshot
                .list_contexts(&query)?
                .iter()
                .map(|known| GraphNode::new(&known.context.id, Some(known)))
                .collect();
            let types = snapshot.count_contexts(&query)?;
            let total = types.iter().map(|(_, count)| count).sum();
            let context_types =
                types.into_iter().map(|(context_type, count)| ContextType { context_type, count }).collect();
            Ok(ContextListing { count: contexts.len(), total, page, context_types, contexts })
        })
    }

    /// Everything about one context: what belongs to it and what it is linked with. See [`ShowContext`].
    ///
    /// # Errors
    /// A context that nothing was told in and no link speaks of.
    pub fn show_context(&self, request: impl Into<ShowContext>) -> Result<ContextDetails> {
        let _span = trace::verb("show_context");
        let id = checked_context(&request.into().context)?;
        self.read(|snapshot| {
            let known = snapshot.get_context(&id)?;
            let end = LinkEnd::from(id.clone());
            let relationships = relationships(snapshot, &end)?;
            if known.is_none() && relationships.is_empty() {
                return Err(EventError::UnknownContext { id: id.to_string() }.into());
            }
            let unresolved = if known.is_some() { 0 } else { relationships.len() };
            let blocks = blocks_of(snapshot, &id, &self.options.trust)?;
            Ok(ContextDetails { context: GraphNode::new(&id, known.as_ref()), blocks, relationships, unresolved })
        })
    }

    /// How contexts hang together: around one of them, or all of them. See [`ShowContextGraph`].
    ///
    /// # Errors
    /// A context that is not there.
    pub fn context_graph(&self, request: impl Into<ShowContextGraph>) -> Result<ContextGraph> {
        let _span = trace::verb("context_graph");
        let ShowContextGraph { context, depth, limit, min_references } = request.into();
        let around = context.as_deref().map(checked_context).transpose()?;
        self.read(|snapshot| {
            let start = match &around {
                Some(id) if snapshot.get_context(id)?.is_none() => {
                    return Err(EventError::UnknownContext { id: id.to_string() }.into());
                }
                Some(id) => vec![id.clone()],
                None => {
                    let (limit, least_references) = (Some(limit.min(MAX_NODES as u32)), min_references);
                    let query = ContextQuery { limit, least_references, ..ContextQuery::default() };
                    snapshot.list_contexts(&query)?.into_iter().map(|known| known.context.id).collect()
                }
            };
            let depth = if around.is_some() { depth.min(MAX_DEPTH) } else { 0 };
            graph(snapshot, start, depth, around.is_none())
        })
    }

    /// Lets a block belong to a context too. Links that waited for the context find it. See [`Enrol`].
    ///
    /// # Errors
    /// A text that is no context, a block that is not there.
    pub fn enrol(&self, request: impl Into<Enrol>) -> Result<EnrolResult> {
        let _span = trace::verb("enrol");
        let Enrol { context, block_id: block } = request.into();
        let context_id = checked_context(&context)?;
        refuse_secret_name("context", &context, self.options.secrets)?;
        self.change(OperationKind::Enrol, |transaction, moment| {
            let end = resolve_live_block(&*transaction, &block)?;
            let Some(block_id) = end.block().cloned() else {
                return Err(EventError::SelfLink { id: end.to_string() }.into());
            };
            let resolved_links = enrol(transaction, moment, &block_id, &context_id, false)?;
            Ok(EnrolResult { block_id, context_id: context_id.clone(), resolved_links })
        })
    }
}

fn blocks_of(snapshot: &dyn Snapshot, id: &ContextId, trust: &TrustPolicy) -> Result<Vec<ContextBlock>> {
    let enrolled = snapshot.get_enrolled(id)?;
    let mut blocks = Vec::with_capacity(enrolled.len());
    for enrolment in enrolled {
        if let Some(block) = snapshot.get_block(&enrolment.block_id)? {
            let (confidence, primary, trusted) = (block.confidence.get(), enrolment.primary, trust.trusts(&block));
            blocks.push(ContextBlock { block_id: block.id, content: block.content, confidence, primary, trusted });
        }
    }
    Ok(blocks)
}

/// Returns the links of a context and its primary blocks to anything else.
fn relationships(snapshot: &dyn Snapshot, context: &LinkEnd) -> Result<Vec<Relationship>> {
    let own = ends_of(snapshot, context)?;
    let (outgoing, incoming) = links_at(snapshot, &own)?;
    let mut found: Vec<Relationship> = Vec::new();
    for (links, direction) in [(outgoing, "outgoing"), (incoming, "incoming")] {
        for Link { key, .. } in links {
            let (here, other) = if direction == "outgoing" { (key.from, key.to) } else { (key.to, key.from) };
            if !own.contains(&other) {
                found.push(Relationship { other, link_type: key.link_type, direction, own: here });
            }
        }
    }
    Ok(found)
}

/// Returns a context and its primary blocks.
fn ends_of(snapshot: &dyn Snapshot, context: &LinkEnd) -> Result<Vec<LinkEnd>> {
    let mut ends = vec![context.clone()];
    if let Some(id) = context.context() {
        let primary = snapshot.get_enrolled(id)?.into_iter().filter(|enrolment| enrolment.primary);
        ends.extend(primary.map(|enrolment| LinkEnd::from(enrolment.block_id)));
    }
    Ok(ends)
}

fn links_at(snapshot: &dyn Snapshot, ends: &[LinkEnd]) -> Result<(Vec<Link>, Vec<Link>)> {
    let here = Some(ends.to_vec());
    let outgoing = snapshot.list_links(&LinkQuery { from: here.clone(), ..LinkQuery::default() })?;
    let incoming = snapshot.list_links(&LinkQuery { to: here, ..LinkQuery::default() })?;
    Ok((outgoing, incoming))
}

/// Returns the contexts of a link end: the context itself, or the primary contexts of the block.
fn contexts_of(snapshot: &dyn Snapshot, end: &LinkEnd) -> Result<Vec<ContextId>> {
    Ok(match end {
        LinkEnd::Context(id) => vec![id.clone()],
        LinkEnd::Block(id) => {
            let enrolments = snapshot.get_enrolments(std::slice::from_ref(id))?;
            enrolments.into_iter().filter(|enrolment| enrolment.primary).map(|enrolment| enrolment.context_id).collect()
        }
    })
}

fn graph(snapshot: &dyn Snapshot, start: Vec<ContextId>, depth: usize, closed: bool) -> Result<ContextGraph> {
    let mut seen: BTreeSet<ContextId> = start.iter().cloned().collect();
    let mut edges: BTreeSet<GraphEdge> = BTreeSet::new();
    let mut waiting: VecDeque<(ContextId, usize)> = start.into_iter().map(|id| (id, 0)).collect();
    let mut cut = false;
    while let Some((id, step)) = waiting.pop_front() {
        let own = ends_of(snapshot, &LinkEnd::from(id.clone()))?;
        let (outgoing, incoming) = links_at(snapshot, &own)?;
        for (links, out) in [(outgoing, true), (incoming, false)] {
            for link in links {
                let other = if out { &link.key.to } else { &link.key.from };
                for there in contexts_of(snapshot, other)? {
                    if there == id {
                        continue;
                    }
                    let known = seen.contains(&there);
                    if !known && (closed || step >= depth || seen.len() >= MAX_NODES) {
                        cut |= !closed && seen.len() >= MAX_NODES;
                        continue;
                    }
                    if !known {
                        seen.insert(there.clone());
                        waiting.push_back((there.clone(), step + 1));
                    }
                    let (from, to) = if out { (id.clone(), there) } else { (there, id.clone()) };
                    edges.insert(GraphEdge { from, to, link_type: link.key.link_type });
                }
            }
        }
    }
    let mut nodes = Vec::with_capacity(seen.len());
    for id in &seen {
        nodes.push(GraphNode::new(id, snapshot.get_context(id)?.as_ref()));
    }
    Ok(ContextGraph { nodes, edges: edges.into_iter().collect(), cut })
}
