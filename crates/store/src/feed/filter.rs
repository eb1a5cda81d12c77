//! Which blocks may answer a question.

use std::collections::{HashMap, HashSet};

use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{Block, BlockId, Timestamp};

use super::IndexFeed;
use crate::blocks::{matches_pattern, visit_blocks};
use crate::rows::each;
use crate::{Enrolment, Event, Result};

/// Which blocks may answer. Every condition that is set must be met.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockFilter {
    /// One of its tags matches one of these patterns, in which `%` matches any text.
    pub any_tag: Vec<String>,
    /// Each of these patterns matches one of its tags.
    pub all_tags: Vec<String>,
    /// Its category is one of these.
    pub categories: Vec<String>,
    /// Its event happened at or after this.
    pub since: Option<Timestamp>,
    /// Its event happened before this.
    pub until: Option<Timestamp>,
    /// It is enrolled in one of these contexts.
    pub contexts: Vec<ContextId>,
    /// It is enrolled in a context of one of these types.
    pub context_kinds: Vec<String>,
    /// One of these sources reported it as an event, or reported a block that it supersedes.
    pub sources: Vec<EventSource>,
}

impl BlockFilter {
    /// Returns whether it admits every block.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a block meets the conditions on its own row. Those on contexts and sources are not looked at.
    pub fn matches(&self, block: &Block) -> bool {
        let has = |pattern: &String| block.tags.iter().any(|tag| matches_pattern(tag.as_str(), pattern));
        let happened_at = block.event_at.unwrap_or(block.created_at);
        (self.any_tag.is_empty() || self.any_tag.iter().any(has))
            && self.all_tags.iter().all(has)
            && (self.categories.is_empty() || self.categories.iter().any(|name| name == block.category.as_str()))
            && self.since.is_none_or(|since| happened_at >= since)
            && self.until.is_none_or(|until| happened_at < until)
    }
}

/// Collects the blocks enrolled where a filter asks for; none when it does not ask.
pub(super) fn enrolled_blocks(
    rows: &(impl IndexFeed + ?Sized),
    filter: &BlockFilter,
) -> Result<Option<HashSet<BlockId>>> {
    if filter.contexts.is_empty() && filter.context_kinds.is_empty() {
        return Ok(None);
    }
    let wanted = |context: &ContextId| {
        filter.contexts.contains(context) || filter.context_kinds.iter().any(|kind| kind == context.kind())
    };
    let mut found = HashSet::new();
    each(rows, None, |enrolment: &Enrolment| {
        if wanted(&enrolment.context_id) {
            found.insert(enrolment.block_id.clone());
        }
    })?;
    Ok(Some(found))
}

/// Collects the blocks that the sources of a filter reported, and their successors; none when it does not ask.
pub(super) fn reported_blocks(
    rows: &(impl IndexFeed + ?Sized),
    filter: &BlockFilter,
) -> Result<Option<HashSet<BlockId>>> {
    if filter.sources.is_empty() {
        return Ok(None);
    }
    let mut open: Vec<BlockId> = Vec::new();
    each(rows, None, |event: &Event| {
        open.extend(event.block_id.clone().filter(|_| filter.sources.contains(&event.source)));
    })?;
    let mut successors: HashMap<BlockId, BlockId> = HashMap::new();
    visit_blocks(rows, None, |block, _| {
        if let Some(successor) = &block.superseded_by {
            successors.insert(block.id.clone(), successor.clone());
        }
    })?;
    let mut found = HashSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id.clone()) {
            open.extend(successors.get(&id).cloned());
        }
    }
    Ok(Some(found))
}
