//! `chain`: what stands behind a block, as a tree.

use std::collections::HashSet;
use std::fmt;

use crate::results::excerpt;
use elfmem_core::{LinkEnd, LinkType};
use elfmem_store::{EventQuery, LinkQuery, Snapshot, Store};
use serde::Serialize;

use super::ends::existing;
use crate::Result;
use crate::memory::Memory;

/// Steps that are followed unless told otherwise, and at most.
const DEFAULT_DEPTH: usize = 8;
const DEEPEST: usize = 32;
/// The most nodes of one tree.
const MOST_NODES: usize = 500;
/// How much of a text one line shows.
const SHOWN: usize = 80;

/// Which way a chain is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChainWay {
    /// What it rests on: from where a link starts to where it ends.
    #[default]
    Behind,
    /// What grew out of it: the other way.
    Ahead,
}

/// Result of `chain`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chain {
    /// Which way it was followed.
    pub way: ChainWay,
    /// How many nodes the tree has.
    pub nodes: usize,
    /// Whether there is more than is shown.
    pub cut: bool,
    /// The block or context it is about.
    pub root: ChainNode,
}

/// One block or context in a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainNode {
    /// Its id.
    pub id: LinkEnd,
    /// How it is linked to what stands above it; none at the root.
    pub link_type: Option<LinkType>,
    /// Its text; none for a context.
    pub content: Option<String>,
    /// The kind of the event that told it; none when no event did.
    pub kind: Option<String>,
    /// How much it is believed; none for a context.
    pub confidence: Option<f64>,
    /// Whether a link that stands contradicts it.
    pub contradicted: bool,
    /// Whether it stands in the tree already, with what hangs on it.
    pub repeated: bool,
    /// What it is linked to.
    pub links: Vec<ChainNode>,
}

impl<S: Store> Memory<S> {
    /// What stands behind a block or a context: everything it is linked to, and what that is linked to, as a tree.
    ///
    /// USE WHEN: you want to know why something is believed, or where a lesson comes from. DON'T USE WHEN: you want why it was
    /// recalled; [`why`](Self::why) tells. COST: fast, a few reads. RETURNS: [`Chain`]. With [`ChainWay::Ahead`] it tells what grew
    /// out of it. NEXT: [`show`](Self::show) a block of it.
    ///
    /// # Errors
    /// A block or a context that is not there.
    pub fn chain(&self, start: &str, way: ChainWay, depth: Option<usize>) -> Result<Chain> {
        let depth = depth.unwrap_or(DEFAULT_DEPTH).min(DEEPEST);
        self.read(|snapshot| {
            let root = existing(snapshot, start)?;
            let mut walk = Walk { snapshot, way, seen: HashSet::new(), nodes: 0, cut: false };
            let root = walk.node(&root, None, depth)?;
            Ok(Chain { way, nodes: walk.nodes, cut: walk.cut, root })
        })
    }
}

/// A tree on its way.
struct Walk<'a> {
    snapshot: &'a dyn Snapshot,
    way: ChainWay,
    seen: HashSet<LinkEnd>,
    nodes: usize,
    cut: bool,
}

impl Walk<'_> {
    fn node(&mut self, end: &LinkEnd, link_type: Option<LinkType>, depth: usize) -> Result<ChainNode> {
        self.nodes += 1;
        let mut node = self.described(end)?;
        node.link_type = link_type;
        node.repeated = !self.seen.insert(end.clone());
        if node.repeated {
            return Ok(node);
        }
        let here = Some(vec![end.clone()]);
        let query = match self.way {
            ChainWay::Behind => LinkQuery { from: here, ..LinkQuery::default() },
            ChainWay::Ahead => LinkQuery { to: here, ..LinkQuery::default() },
        };
        for link in self.snapshot.list_links(&query)? {
            if depth == 0 || self.nodes >= MOST_NODES {
                self.cut = true;
                break;
            }
            let next = match self.way {
                ChainWay::Behind => &link.key.to,
                ChainWay::Ahead => &link.key.from,
            };
            node.links.push(self.node(next, Some(link.key.link_type), depth - 1)?);
        }
        Ok(node)
    }

    fn described(&self, end: &LinkEnd) -> Result<ChainNode> {
        let mut node = ChainNode {
            id: end.clone(),
            link_type: None,
            content: None,
            kind: None,
            confidence: None,
            contradicted: false,
            repeated: false,
            links: Vec::new(),
        };
        let Some(id) = end.block() else { return Ok(node) };
        if let Some(block) = self.snapshot.get_block(id)? {
            node.confidence = Some(block.confidence.get());
            node.content = Some(block.content);
        }
        // The first event that told it says what it is.
        let told = self.snapshot.list_events(&EventQuery::of_blocks(std::slice::from_ref(id)))?;
        node.kind = told.last().map(|event| event.kind.as_str().to_owned());
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

fn write_node(f: &mut fmt::Formatter<'_>, node: &ChainNode, way: ChainWay, first: &str, rest: &str) -> fmt::Result {
    f.write_str(first)?;
    if let Some(link_type) = node.link_type {
        match way {
            ChainWay::Behind => write!(f, "{link_type} → ")?,
            ChainWay::Ahead => write!(f, "← {link_type} ")?,
        }
    }
    if let Some(kind) = &node.kind {
        write!(f, "{kind} ")?;
    }
    f.write_str(node.id.short())?;
    if let (Some(content), Some(confidence)) = (&node.content, node.confidence) {
        write!(f, " [{confidence:.2}] {}", excerpt(content, SHOWN))?;
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
