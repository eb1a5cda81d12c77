//! Analyses by the host agent: it is a language model itself, so with no key at all it can do what an analyst would.

use std::collections::HashMap;

use elfmem_core::{Block, BlockId, BlockStatus, Category, Tag};
use elfmem_models::{Analysis, SelfAspect};
use elfmem_store::{BlockQuery, Snapshot, Store};
use serde::{Deserialize, Serialize};

use super::ListPending;
use crate::memory::Memory;
use crate::trace;
use crate::{Error, Result};

/// The longest summary.
const LONGEST_SUMMARY: usize = 2_000;
/// The most contradictions of one block.
const MOST_CONTRADICTIONS: usize = 16;

/// A block that waits, with what is needed to analyse it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PendingBlock {
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// Its kind.
    pub category: Category,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

/// What the host found out about a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HostAnalysis {
    /// How much the block speaks of the agent itself, in `[0, 1]`.
    pub alignment: f64,
    /// What it says about the agent: `value`, `constraint`, `style`, `goal` or `context`, with or without `self/`.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A shorter form.
    #[serde(default)]
    pub summary: Option<String>,
    /// Blocks it cannot hold together with.
    #[serde(default)]
    pub contradictions: Vec<HostContradiction>,
}

/// A contradiction the host found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HostContradiction {
    /// The other block.
    pub other_id: BlockId,
    /// How sure that is, in `[0, 1]`.
    pub score: f64,
    /// Why, on one line.
    pub reason: String,
}

impl HostContradiction {
    /// Makes a contradiction with another block.
    pub fn new(other_id: BlockId, score: f64, reason: impl Into<String>) -> Self {
        Self { other_id, score, reason: reason.into() }
    }
}

impl HostAnalysis {
    /// Makes an analysis without tags, summary and contradictions.
    pub fn new(alignment: f64) -> Self {
        Self { alignment, tags: Vec::new(), summary: None, contradictions: Vec::new() }
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Sets the shorter form.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = Some(summary.into());
        self
    }

    /// Adds a contradiction.
    #[must_use]
    pub fn contradiction(mut self, contradiction: HostContradiction) -> Self {
        self.contradictions.push(contradiction);
        self
    }

    /// Checks everything; the error says what is wrong with which block.
    ///
    /// # Errors
    /// A number out of range, a tag that may not be attached, a text that is too long, too many contradictions.
    pub fn check(&self, id: &BlockId) -> Result<()> {
        let bad = |problem: String| Err(Error::BadAnalysis { id: id.clone(), problem });
        if !(0.0..=1.0).contains(&self.alignment) {
            return bad(format!("alignment must be between 0 and 1, got {}", self.alignment));
        }
        for tag in &self.tags {
            if !SelfAspect::from_name(tag).is_some_and(SelfAspect::is_assignable) {
                return bad(format!(
                    "'{tag}' is not a tag an analysis may attach (value, constraint, style, goal, context)"
                ));
            }
        }
        if self.summary.as_ref().is_some_and(|summary| summary.len() > LONGEST_SUMMARY || summary.contains('\0')) {
            return bad(format!("the summary must be text of at most {LONGEST_SUMMARY} bytes"));
        }
        if self.contradictions.len() > MOST_CONTRADICTIONS {
            return bad(format!("at most {MOST_CONTRADICTIONS} contradictions may be named"));
        }
        for found in &self.contradictions {
            if !(0.0..=1.0).contains(&found.score) || found.other_id == *id || found.reason.len() > LONGEST_SUMMARY {
                return bad(format!("the contradiction with '{}' is not valid", found.other_id));
            }
        }
        Ok(())
    }

    /// Whether it says that the block contradicts `other`.
    pub(super) fn names(&self, other: &BlockId) -> bool {
        self.contradictions.iter().any(|found| found.other_id == *other)
    }

    pub(super) fn analysis(&self) -> Analysis {
        let aspects = self.tags.iter().filter_map(|tag| SelfAspect::from_name(tag));
        let mut tags: Vec<Tag> = aspects.filter(|aspect| aspect.is_assignable()).map(SelfAspect::tag).collect();
        tags.sort();
        tags.dedup();
        Analysis { alignment: self.alignment, tags, summary: self.summary.clone(), proposed_tags: Vec::new() }
    }
}

impl<S: Store> Memory<S> {
    /// Inbox blocks for the host agent to analyse, the oldest first. See [`ListPending`].
    pub fn pending(&self, request: impl Into<ListPending>) -> Result<Vec<PendingBlock>> {
        let _span = trace::verb("pending");
        let ListPending { max } = request.into();
        let query = BlockQuery { status: Some(BlockStatus::Inbox), limit: Some(max), ..BlockQuery::default() };
        let pending = |block: Block| PendingBlock {
            trusted: self.options.trust.trusts(&block),
            block_id: block.id,
            content: block.content,
            category: block.category,
            tags: block.tags,
        };
        self.read(|snapshot| Ok(snapshot.list_blocks(&query)?.into_iter().map(pending).collect()))
    }
}

impl<S: Store> Memory<S> {
    /// Analyses by the blocks that their ids name; ids may be shortened like everywhere else.
    ///
    /// # Errors
    /// An id that names no block, or several.
    pub(crate) fn analyses_by_block(
        &self,
        given: HashMap<String, HostAnalysis>,
    ) -> Result<HashMap<BlockId, HostAnalysis>> {
        let mut analyses = HashMap::with_capacity(given.len());
        for (id, mut analysis) in given {
            for contradiction in &mut analysis.contradictions {
                contradiction.other_id = self.resolve(contradiction.other_id.as_str())?;
            }
            analyses.insert(self.resolve(&id)?, analysis);
        }
        Ok(analyses)
    }
}

/// Analyses must be valid, of blocks that are there to be analysed, and name blocks that are there. The texts of those.
pub(super) fn refuse_unknown(
    snapshot: &dyn Snapshot,
    host: &HashMap<BlockId, HostAnalysis>,
    inbox: &[Block],
) -> Result<HashMap<BlockId, String>> {
    let mut named = HashMap::new();
    for (id, analysis) in host {
        analysis.check(id)?;
        let bad = |problem: String| Error::BadAnalysis { id: id.clone(), problem };
        if !inbox.iter().any(|block| block.id == *id) {
            return Err(bad("the block is not among those to be consolidated".to_owned()));
        }
        for HostContradiction { other_id, .. } in &analysis.contradictions {
            let other = snapshot.get_block(other_id)?.filter(|block| block.status != BlockStatus::Archived);
            let other = other.ok_or_else(|| bad(format!("there is no block '{other_id}' to contradict")))?;
            named.insert(other.id, other.content);
        }
    }
    Ok(named)
}
