//! `chain`: the tree of links from or to a block.

use std::collections::HashSet;
use std::fmt;

use crate::results::excerpt;
use elfmem_core::trust::TrustPolicy;
use elfmem_core::{LinkEnd, LinkType};
use elfmem_store::{EventQuery, LinkQuery, Snapshot, Store};
use serde::Serialize;

use super::ShowChain;
use super::ends::resolve_existing_end;
use crate::Result;
use crate::memory::Memory;
use crate::render::UNTRUSTED_MARK;
use crate::trace;

/// Maximum depth of a tree.
const MAX_DEPTH: usize = 32;
/// Maximum number of nodes of a tree.
const MAX_NODES: usize = 500;
/// Maximum number of characters of a text per line.
const EXCERPT_LENGTH: usize = 80;

/// The direction in which a chain follows links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChainDirection {
    /// From the source of a link to its target: what a block is based on.
    #[default]
    Behind,
    /// From the target of a link to its source: what is based on a block.
    Ahead,
}

/// Result of `chain`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Chain {
    /// The direction.
    pub way: ChainDirection,
    /// Number of nodes in the tree.
    pub nodes: usize,
    /// Whether the tree was truncated.
    pub cut: bool,
    /// The requested block or context.
    pub root: ChainNode,
}

/// One block or context in a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChainNode {
    /// The id.
    pub id: LinkEnd,
    /// The type of the link to the parent node. `None` at the root.
    pub link_type: Option<LinkType>,
    /// The text. `None` for a context.
    pub content: Option<String>,
    /// The kind of the event that stored it. `None` if no event did.
    pub kind: Option<String>,
    /// The confidence. `None` for a context.
    pub confidence: Option<f64>,
    /// Whether its source speaks for the owner of the memory. `None` for a context.
    pub trusted: Option<bool>,
    /// Whether a `contradicts` link affects it.
    pub contradicted: bool,
    /// Whether it occurs earlier in the tree, where its children are.
    pub repeated: bool,
    /// The child nodes.
    pub links: Vec<ChainNode>,
}

impl<S: Store> Memory<S> {
    /// What stands behind a block or a context: everything it is linked to, and what that is linked to, as a tree.
    /// See [`ShowChain`].
    ///
    /// # Errors
    /// A block or a context that is not there.
    pub fn chain(&self, request: impl Into<ShowChain>) -> Result<Chain> {
        let _span = trace::verb("chain");
        let ShowChain { block_id: block, ahead, depth } = request.into();
        let (way, depth) = (if ahead { ChainDirection::Ahead } else { ChainDirection::Behind }, depth.min(MAX_DEPTH));
        self.read(|snapshot| {
            let root = resolve_existing_end(snapshot, &block)?;
            let mut walk =
                ChainWalk { snapshot, trust: &self.options.trust, way, seen: HashSet::new(), nodes: 0, cut: false };
            let root = walk.node(&root, None, depth)?;
            Ok(Chain { way, nodes: walk.nodes, cut: walk.cut, root })
        })
    }
}

/// A depth-first traversal of links.
struct ChainWalk<'a> {
    snapshot: &'a dyn Snapshot,
    trust: &'a TrustPolicy,
    way: ChainDirection,
    seen: HashSet<LinkEnd>,
    nodes: usize,
    cut: bool,
}

impl ChainWalk<'_> {
    fn node(&mut self, end: &LinkEnd, link_type: Option<LinkType>, depth: usize) -> Result<ChainNode> {
        self.nodes += 1;
        let mut node = self.describe(end)?;
        node.link_type = link_type;
        node.repeated = !self.seen.insert(end.clone());
        if node.repeated {
            return Ok(node);
        }
        let here = Some(vec![end.clone()]);
        let query = match self.way {
            ChainDirection::Behind => LinkQuery { from: here, ..LinkQuery::default() },
            ChainDirection::Ahead => LinkQuery { to: here, ..LinkQuery::default() },
        };
        for link in self.snapshot.list_links(&query)? {
            if depth == 0 || self.nodes >= MAX_NODES {
                self.cut = true;
                break;
            }
            let next = match self.way {
                ChainDirection::Behind => &link.key.to,
                ChainDirection::Ahead => &link.key.from,
            };
            node.links.push(self.node(next, Some(link.key.link_type), depth - 1)?);
        }
        Ok(node)
    }

    fn describe(&self, end: &LinkEnd) -> Result<ChainNode> {
        let mut node = ChainNode {
            id: end.clone(),
            link_type: None,
            content: None,
            kind: None,
            confidence: None,
            trusted: None,
            contradicted: false,
            repeated: false,
            links: Vec::new(),
        };
        let Some(id) = end.block() else { return Ok(node) };
        if let Some(block) = self.snapshot.get_block(id)? {
            node.confidence = Some(block.confidence.get());
            node.trusted = Some(self.trust.trusts(&block));
            node.content = Some(block.content);
        }
        // The first event that stored the block determines its kind.
        let events = self.snapshot.list_events(&EventQuery::of_blocks(std::slice::from_ref(id)))?;
        node.kind = events.last().map(|event| event.kind.as_str().to_owned());
        let effects = self.snapshot.get_effects(id)?;
        node.contradicted = effects.iter().any(|effect| effect.key.link_type == LinkType::Contradicts);
        Ok(node)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, &self.root, self.way, "", "")?;
        if self.cut {
            f.write_str("\n…")?;
        }
        Ok(())
    }
}

fn write_node(
    f: &mut fmt::Formatter<'_>,
    node: &ChainNode,
    way: ChainDirection,
    first: &str,
    rest: &str,
) -> fmt::Result {
    f.write_str(first)?;
    if let Some(link_type) = node.link_type {
        match way {
            ChainDirection::Behind => write!(f, "{link_type} → ")?,
            ChainDirection::Ahead => write!(f, "← {link_type} ")?,
        }
    }
    if let Some(kind) = &node.kind {
        write!(f, "{kind} ")?;
    }
    f.write_str(node.id.short())?;
    if let (Some(content), Some(confidence)) = (&node.content, node.confidence) {
        let trust = if node.trusted == Some(false) { UNTRUSTED_MARK } else { "" };
        write!(f, " [{confidence:.2}] {trust}{}", excerpt(content, EXCERPT_LENGTH))?;
    }
    if node.contradicted {
        f.write_str(" (contradicted)")?;
    }
    if node.repeated {
        f.write_str(" (above)")?;
    }
    for (at, child) in node.links.iter().enumerate() {
        let last = at + 1 == node.links.len();
        let (branch, trunk) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        f.write_str("\n")?;
        write_node(f, child, way, &format!("{rest}{branch}"), &format!("{rest}{trunk}"))?;
    }
    Ok(())
}
