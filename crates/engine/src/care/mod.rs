//! Verbs on stored blocks: `ls`, `show`, tags, and one file for each of the others.

mod archive;
mod edit;
mod error;
mod pin;
mod purge;
mod request;
mod succeed;

use std::collections::BTreeMap;
use std::fmt;

use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, Category, DecayTier, Edge, OperationKind, Tag, TrustPolicy,
};
use elfmem_store::{BlockOrder, BlockQuery, Snapshot, Store};
use serde::Serialize;

use crate::Result;
use crate::learn::{checked_tags, refuse_crowded};
use crate::memory::{Memory, head_of, refuse_untrusted_redirect, resolve_exactly};
use crate::recall::contradicting;
use crate::results::{counted, one_line};
use crate::secrets::Screen;
use crate::trace;

pub(crate) use archive::restore_block;
pub use archive::{ForgetResult, RestoreResult};
pub use edit::EditResult;
pub use error::CareError;
pub use pin::PinResult;
pub use purge::PurgeResult;
pub use request::{AddTags, Edit, Forget, ListBlocks, Pin, Purge, RemoveTags, Restore, ShowBlock, Supersede, Unpin};
pub use succeed::SupersedeResult;

/// Result of `show`: a block with its edges and derived values.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct BlockDetails {
    /// The block.
    #[serde(flatten)]
    pub block: Block,
    /// Whether its source may set reserved labels.
    pub trusted: bool,
    /// The decay tier of its tags and category.
    pub tier: DecayTier,
    /// The current recency.
    pub recency: f64,
    /// The edges, strongest first.
    pub edges: Vec<Edge>,
    /// The latest successor, if the block was superseded.
    pub leads_to: Option<BlockSummary>,
    /// Stronger blocks that contradict the block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted_by: Vec<BlockId>,
    /// Blocks that contradict the block and are not stronger. The contradiction is open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicts: Vec<BlockId>,
}

/// A block of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListedBlock {
    /// The block.
    #[serde(flatten)]
    pub block: Block,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

/// The blocks of a list, and how many there are with those that its limit left out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BlockList {
    pub(crate) blocks: Vec<ListedBlock>,
    pub(crate) total: u64,
}

/// The id and text of a block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BlockSummary {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

impl BlockSummary {
    pub(crate) fn new(block: Block, trust: &TrustPolicy) -> Self {
        Self { trusted: trust.trusts(&block), block_id: block.id, content: block.content }
    }
}

/// Result of adding or removing tags.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TagResult {
    /// The block id.
    pub block_id: BlockId,
    /// The tags after the change.
    pub tags: Vec<Tag>,
    /// Number of tags added or removed.
    pub changed: usize,
    /// The requested block, if this one superseded it.
    pub led_from: Option<BlockId>,
}

impl fmt::Display for TagResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<&str> = self.tags.iter().map(Tag::as_str).collect();
        let shown = if tags.is_empty() { "none".to_owned() } else { one_line(&tags.join(", ")) };
        let (changed, id) = (counted(self.changed as u64, "tag"), self.block_id.short());
        write!(f, "Changed {changed} of block {id}. Tags now: {shown}.")?;
        write!(f, "{}", RedirectNote(&self.led_from))
    }
}

/// Displays a note that the requested block was superseded.
struct RedirectNote<'a>(&'a Option<BlockId>);

impl fmt::Display for RedirectNote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(from) => write!(f, " (It supersedes the requested block {}.)", from.short()),
            None => Ok(()),
        }
    }
}

/// Resolves an id to a block that is not archived. If the named block was superseded, returns its
/// latest successor and the id of the named block. The id of an untrusted block is not followed to a trusted one.
fn live_block(snapshot: &dyn Snapshot, trust: &TrustPolicy, id: &str) -> Result<(Block, Option<BlockId>)> {
    let named = resolve_exactly(snapshot, id)?;
    let head = head_of(snapshot, named.clone())?;
    refuse_untrusted_redirect(snapshot, trust, named.as_str(), &head)?;
    let block = snapshot.get_block(&head)?.ok_or_else(|| crate::Error::UnknownBlock { id: head.to_string() })?;
    if block.status == BlockStatus::Archived {
        return Err(CareError::Archived { id: block.id, reason: block.archive_reason }.into());
    }
    Ok((block, (named != head).then_some(named)))
}

fn block_query(ListBlocks { status, tag, category, limit }: ListBlocks) -> Result<BlockQuery> {
    Ok(BlockQuery {
        status,
        tag_pattern: tag,
        category: category.as_deref().map(Category::parse).transpose()?,
        order: BlockOrder::NewestFirst,
        limit: (limit > 0).then_some(limit),
        ..BlockQuery::default()
    })
}

impl<S: Store> Memory<S> {
    /// Blocks that meet every condition of the query. See [`ListBlocks`].
    pub fn list(&self, request: impl Into<ListBlocks>) -> Result<Vec<Block>> {
        let _span = trace::verb("list");
        let query = block_query(request.into())?;
        self.read(|snapshot| Ok(snapshot.list_blocks(&query)?))
    }

    /// Lists the tags of blocks that are not archived, each with the number of its blocks, the most frequent first.
    ///
    /// # Errors
    /// Those of the store.
    pub fn tag_counts(&self) -> Result<Vec<(Tag, u64)>> {
        let mut counts: BTreeMap<Tag, u64> = BTreeMap::new();
        let blocks = self.list(ListBlocks::all())?;
        for block in blocks.iter().filter(|block| block.status != BlockStatus::Archived) {
            for tag in &block.tags {
                *counts.entry(tag.clone()).or_default() += 1;
            }
        }
        let mut counts: Vec<(Tag, u64)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(counts)
    }

    /// Counts the blocks that meet every condition of the query, whatever its limit is.
    ///
    /// # Errors
    /// What [`list`](Self::list) refuses.
    pub fn count(&self, request: impl Into<ListBlocks>) -> Result<u64> {
        let query = BlockQuery { limit: None, ..block_query(request.into())? };
        self.read(|snapshot| Ok(snapshot.count_blocks(&query)?))
    }

    /// Lists blocks, newest first, and counts those that the limit leaves out.
    pub(crate) fn list_and_count(&self, request: ListBlocks) -> Result<BlockList> {
        Ok(BlockList { total: self.count(request.clone())?, blocks: self.list_with_trust(request)? })
    }

    /// Lists blocks, newest first, each with whether its source speaks for the owner of the memory.
    ///
    /// # Errors
    /// What [`list`](Self::list) refuses.
    pub fn list_with_trust(&self, request: impl Into<ListBlocks>) -> Result<Vec<ListedBlock>> {
        let trust = &self.options.trust;
        let listed = |block: Block| ListedBlock { trusted: trust.trusts(&block), block };
        Ok(self.list(request)?.into_iter().map(listed).collect())
    }

    /// Everything about one block, named by its id or an unambiguous prefix. See [`ShowBlock`].
    pub fn show(&self, request: impl Into<ShowBlock>) -> Result<BlockDetails> {
        let _span = trace::verb("show");
        let ShowBlock { block_id: block } = request.into();
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| {
            let id = resolve_exactly(snapshot, &block)?;
            let now: ActiveHours = self.hours_at(snapshot, at, held.as_ref())?;
            let block = snapshot.get_blocks(std::slice::from_ref(&id))?.into_iter().next();
            let block = block.ok_or_else(|| crate::Error::UnknownBlock { id: id.to_string() })?;
            let contradicted_by = contradicting(snapshot, &self.options.trust, &id)?;
            let open = snapshot.get_contradictions_for_blocks(std::slice::from_ref(&id))?;
            let others = open.iter().map(|contradiction| contradiction.other(&id).clone());
            Ok(BlockDetails {
                contradicts: others.filter(|other| !contradicted_by.contains(other)).collect(),
                contradicted_by,
                trusted: self.options.trust.trusts(&block),
                tier: DecayTier::of(&block.tags, &block.category),
                recency: block.recency_at(now),
                edges: snapshot.get_edges_for_block(&id)?,
                leads_to: successor(snapshot, &self.options.trust, &block)?,
                block,
            })
        })
    }

    /// Adds tags to a block. A tag that asks for a longer life gives it one. See [`AddTags`].
    pub fn add_tags(&self, request: impl Into<AddTags>) -> Result<TagResult> {
        let _span = trace::verb("add_tags");
        let AddTags { block_id: block, tags } = request.into();
        let mut screen = Screen::new(self.options.secrets);
        let tags = checked_tags(&screen.pass_all(&tags))?;
        screen.finish()?;
        self.change_tags(OperationKind::AddTags, &block, |all| all.extend(tags.iter().cloned()))
    }

    /// Takes tags off a block. See [`RemoveTags`].
    pub fn remove_tags(&self, request: impl Into<RemoveTags>) -> Result<TagResult> {
        let _span = trace::verb("remove_tags");
        let RemoveTags { block_id: block, tags } = request.into();
        let tags = checked_tags(&tags)?;
        self.change_tags(OperationKind::RemoveTags, &block, |all| all.retain(|tag| !tags.contains(tag)))
    }

    fn change_tags(&self, operation: OperationKind, id: &str, edit: impl Fn(&mut Vec<Tag>)) -> Result<TagResult> {
        self.change(operation, |transaction, moment| {
            let (before, led_from) = live_block(&*transaction, &moment.trust, id)?;
            let block = transaction.update_block(&before.id, &mut |block| block.retag(&edit))?;
            refuse_crowded(&before, &block)?;
            let changed = before.tags.len().abs_diff(block.tags.len());
            Ok(TagResult { changed, tags: block.tags, block_id: block.id, led_from })
        })
    }
}

fn successor(snapshot: &dyn Snapshot, trust: &TrustPolicy, block: &Block) -> Result<Option<BlockSummary>> {
    let head = head_of(snapshot, block.id.clone())?;
    if head == block.id {
        return Ok(None);
    }
    Ok(snapshot.get_block(&head)?.map(|head| BlockSummary::new(head, trust)))
}
