//! Queries for blocks, and what they return beside blocks.

use elfmem_core::{ActiveHours, Block, BlockId, BlockStatus, Category, Timestamp};
use serde::{Deserialize, Serialize};

/// The order of listed blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockOrder {
    /// By the time they were stored, the oldest first.
    #[default]
    OldestFirst,
    /// By the time they were stored, the newest first.
    NewestFirst,
    /// By their last use, the latest first.
    RecentlyUsedFirst,
}

/// Which blocks to list. Every condition that is set must be met.
#[derive(Debug, Clone, Default)]
pub struct BlockQuery {
    /// Only of this status.
    pub status: Option<BlockStatus>,
    /// Only with a tag that matches this pattern, in which `%` matches any text.
    pub tag_pattern: Option<String>,
    /// Only of this category.
    pub category: Option<Category>,
    /// Only parts of documents.
    pub document: Option<DocumentQuery>,
    /// Only blocks that consolidation archived for another one and that are still archived.
    pub replaced: Option<ReplacedQuery>,
    /// The order of the result.
    pub order: BlockOrder,
    /// At most this many; none for all.
    pub limit: Option<u32>,
}

/// Of which documents blocks must be a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentQuery {
    /// Any named document.
    Any,
    /// A document of this name, whatever its source.
    Named(String),
    /// Documents of this source, whatever their names.
    OfSource(String),
}

impl DocumentQuery {
    fn matches(&self, block: &Block) -> bool {
        match self {
            Self::Any => !block.parts.is_empty(),
            Self::Named(name) => block.parts.iter().any(|part| part.document == *name),
            Self::OfSource(source) => block.parts.iter().any(|part| part.source == *source),
        }
    }
}

/// Which of the blocks that consolidation archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplacedQuery {
    /// All.
    All,
    /// Those that nobody has reviewed.
    Unreviewed,
}

impl ReplacedQuery {
    fn matches(self, block: &Block) -> bool {
        let replacement = block.replacement.as_ref().filter(|_| block.status == BlockStatus::Archived);
        replacement.is_some_and(|replacement| self == Self::All || !replacement.reviewed)
    }
}

impl BlockQuery {
    /// Returns whether a block meets every condition.
    pub fn matches(&self, block: &Block) -> bool {
        self.status.is_none_or(|status| block.status == status)
            && self.category.as_ref().is_none_or(|category| block.category == *category)
            && self
                .tag_pattern
                .as_ref()
                .is_none_or(|pattern| block.tags.iter().any(|tag| matches_pattern(tag.as_str(), pattern)))
            && self.document.as_ref().is_none_or(|document| document.matches(block))
            && self.replaced.is_none_or(|replaced| replaced.matches(block))
    }
}

/// The text and the category of a block: what a comparison with others needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockText {
    /// The block.
    pub id: BlockId,
    /// Its text.
    pub content: String,
    /// Its category.
    pub category: Category,
}

/// The number of blocks of each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BlockCounts {
    /// Waiting to be consolidated.
    pub inbox: u64,
    /// Consolidated.
    pub active: u64,
    /// Excluded from recall.
    pub archived: u64,
}

/// Which fading blocks to look for.
#[derive(Debug, Clone, Copy)]
pub struct FadingQuery {
    /// The active hours now.
    pub now: ActiveHours,
    /// Recency strictly above this.
    pub above: f64,
    /// Recency at or below this.
    pub up_to: f64,
    /// Used at least so often …
    pub least_uses: u32,
    /// … or with at least this confidence, based on evidence.
    pub least_confidence: f64,
    /// At most this many.
    pub limit: u32,
}

/// What remains of a purged block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The id of the block.
    pub block_id: BlockId,
    /// When it was purged.
    pub purged_at: Timestamp,
    /// Who purged it.
    pub actor: String,
}

/// Returns whether a text matches a pattern in which `%` matches any text. Case matters.
pub(crate) fn matches_pattern(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('%');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn a_percent_sign_matches_any_text_and_nothing_else_is_special() {
        for (text, pattern) in [
            ("self/value", "self/%"),
            ("abc", "%"),
            ("", "%"),
            ("a-b-c", "a%b%c"),
            ("a*b[c]?", "a*b[c]?"),
            ("aa", "a%a"),
        ] {
            assert!(matches_pattern(text, pattern), "{text} {pattern}");
        }
        for (text, pattern) in
            [("SELF/value", "self/%"), ("selfish", "self/%"), ("abc", ""), ("abc", "*"), ("a", "a%a"), ("abcd", "a%c")]
        {
            assert!(!matches_pattern(text, pattern), "{text} {pattern}");
        }
    }
}
