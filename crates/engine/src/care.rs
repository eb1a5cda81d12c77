//! Looking at blocks and tending them: `ls`, `show`, tags.

use std::fmt;

use elfmem_core::{ActiveHours, Block, BlockId, DecayTier, Edge, Tag};
use elfmem_store::{BlockQuery, Store};
use serde::Serialize;

use crate::Result;
use crate::learn::checked_tags;
use crate::memory::{Memory, resolve};

/// Everything there is to know about one block.
#[derive(Debug, Clone, Serialize)]
pub struct BlockDetails {
    /// The block itself.
    #[serde(flatten)]
    pub block: Block,
    /// The tier its tags and category put it in.
    pub tier: DecayTier,
    /// How present it is now.
    pub recency: f64,
    /// Its edges, strongest first.
    pub edges: Vec<Edge>,
}

/// Result of adding or removing tags.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TagResult {
    /// Which block.
    pub block_id: BlockId,
    /// Its tags now.
    pub tags: Vec<Tag>,
    /// How many of those given made a difference.
    pub changed: usize,
}

impl fmt::Display for TagResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<&str> = self.tags.iter().map(Tag::as_str).collect();
        let shown = if tags.is_empty() { "none".to_owned() } else { tags.join(", ") };
        write!(f, "Changed {} tags of block {}. Tags now: {shown}.", self.changed, self.block_id.short())
    }
}

impl<S: Store> Memory<S> {
    /// Blocks that meet every condition of the query.
    pub fn list(&self, query: &BlockQuery) -> Result<Vec<Block>> {
        self.read(|snapshot| Ok(snapshot.list_blocks(query)?))
    }

    /// Everything about one block, named by its id or an unambiguous prefix.
    pub fn show(&self, id: &str) -> Result<BlockDetails> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| {
            let id = resolve(snapshot, id)?;
            let now: ActiveHours = self.hours_at(snapshot, at, held.as_ref())?;
            let block = snapshot.get_blocks(std::slice::from_ref(&id))?.into_iter().next();
            let block = block.ok_or_else(|| crate::Error::UnknownBlock { id: id.to_string() })?;
            Ok(BlockDetails {
                tier: DecayTier::of(&block.tags, &block.category),
                recency: block.recency_at(now),
                edges: snapshot.get_edges_for_block(&id)?,
                block,
            })
        })
    }

    /// Adds tags to a block. A tag that asks for a longer life gives it one.
    pub fn add_tags(&self, id: &str, tags: &[String]) -> Result<TagResult> {
        let tags = checked_tags(tags)?;
        self.change_tags("add_tags", id, |all| all.extend(tags.iter().cloned()))
    }

    /// Takes tags off a block.
    pub fn remove_tags(&self, id: &str, tags: &[String]) -> Result<TagResult> {
        let tags = checked_tags(tags)?;
        self.change_tags("remove_tags", id, |all| all.retain(|tag| !tags.contains(tag)))
    }

    fn change_tags(&self, operation: &str, id: &str, edit: impl Fn(&mut Vec<Tag>)) -> Result<TagResult> {
        self.change(operation, |transaction, _| {
            let id = resolve(&*transaction, id)?;
            let before = transaction.get_tags(&id)?.len();
            let block = transaction.update_block(&id, &mut |block| block.retag(&edit))?;
            Ok(TagResult { changed: before.abs_diff(block.tags.len()), tags: block.tags, block_id: id })
        })
    }
}
