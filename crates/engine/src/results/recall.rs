//! Result of `recall`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excerpt;
use elfmem_core::block::{BlockStatus, Category, Tag};
use elfmem_core::id::BlockId;
use elfmem_core::score::ScoreComponents;
use elfmem_core::time::Timestamp;

/// The strength of an answer, from the relevance of its best block.
///
/// It measures whether the memory covers the topic, not whether the answer is correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Strength {
    /// No block is relevant.
    Weak,
    /// The best block may be relevant.
    Doubtful,
    /// The memory covers the topic.
    Strong,
}

impl Strength {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Doubtful => "doubtful",
            Self::Strong => "strong",
        }
    }

    /// Classifies the best relevance in a memory with `blocks` blocks. The thresholds rise with the
    /// size of the memory, because the best of many irrelevant blocks scores higher than the best
    /// of a few.
    pub fn of(relevance: f64, blocks: usize) -> Self {
        let size = (blocks.max(1) as f64).log10();
        if relevance < 0.085 + 0.062 * size {
            Self::Weak
        } else if relevance < 0.127 + 0.062 * size {
            Self::Doubtful
        } else {
            Self::Strong
        }
    }
}

/// The edge through which a block was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Via {
    /// The block at the other end, which matches the query.
    pub block_id: BlockId,
    /// The relation of the edge.
    pub relation: String,
    /// The weight of the edge.
    pub weight: f64,
}

/// A candidate that was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The block id.
    pub block_id: BlockId,
    /// The reason.
    pub reason: LeftOutReason,
    /// The block that replaced it, if any.
    pub by: Option<BlockId>,
    /// The reason as a sentence.
    pub detail: String,
}

/// Why a candidate was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// It contradicts a block with higher confidence, or one of a trusted source.
    Contradiction,
    /// It did not fit the budget.
    TokenBudget,
    /// Its source may not set reserved labels.
    Untrusted,
}

/// How a block was found, and the parts of its score.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The five components of the score.
    pub components: ScoreComponents,
    /// The lexical score: the share of the query's words in the block, weighted by rarity.
    pub words: f64,
    /// The cosine similarity to the query. `None` without a vector.
    pub meaning: Option<f64>,
    /// The similarity of its nearest cue. `None` without a cue.
    pub cue: Option<f64>,
    /// The boost from blocks stored next to it.
    pub context: f64,
    /// The boost from its source.
    pub who: f64,
    /// How well its time matches the time in the query. `None` if the query has none.
    pub time: Option<f64>,
    /// The edge that added or boosted it.
    pub via: Option<Via>,
    /// The candidates that it replaced.
    pub displaced: Vec<LeftOut>,
}

/// A recalled block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoredBlock {
    /// The block id.
    pub id: BlockId,
    /// The text.
    pub content: String,
    /// The score in the frame, in `[0, 1]`.
    pub score: f64,
    /// The relevance to the query on an absolute scale, in `[0, 1]`. `None` without a query.
    pub relevance: Option<f64>,
    /// The status.
    pub status: BlockStatus,
    /// The category.
    pub category: Category,
    /// The tags.
    pub tags: Vec<Tag>,
    /// The surface or person that added it.
    pub source: String,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When the described event happened.
    pub event_at: Option<Timestamp>,
    /// The words of the query that it contains.
    pub matched: Vec<String>,
    /// Whether the frame guarantees it.
    pub guaranteed: bool,
    /// How it was found and scored.
    pub explain: Explanation,
}

impl fmt::Display for ScoredBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}] {}", self.score, excerpt(&self.content, 80))?;
        if !self.tags.is_empty() {
            let shown: Vec<&str> = self.tags.iter().take(3).map(Tag::as_str).collect();
            write!(f, " ({})", shown.join(", "))?;
        }
        Ok(())
    }
}

/// Result of `recall`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecallResult {
    /// The query. Empty if there was none.
    pub query: String,
    /// The frame.
    pub frame: String,
    /// The strength of the answer. `None` without a query.
    pub strength: Option<Strength>,
    /// The relevance of the best block. `None` without a query.
    pub relevance: Option<f64>,
    /// The blocks: guaranteed blocks first, then best first.
    pub blocks: Vec<ScoredBlock>,
    /// The candidates that were left out.
    pub left_out: Vec<LeftOut>,
    /// Why nothing was found, or a note about the answer.
    pub message: Option<String>,
}

impl fmt::Display for RecallResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.blocks.len();
        if count > 0 {
            let noun = if count == 1 { "block" } else { "blocks" };
            write!(f, "Recalled {count} {noun}")?;
            match self.query.is_empty() {
                true => write!(f, " in frame '{}'.", self.frame)?,
                false => write!(f, " for '{}'.", excerpt(&self.query, 60))?,
            }
        }
        match &self.message {
            Some(message) if count > 0 => write!(f, " {message}"),
            Some(message) => f.write_str(message),
            None => Ok(()),
        }
    }
}

/// Creates a recalled block for tests.
#[cfg(test)]
pub(crate) fn scored_block(content: &str, tags: &[&str]) -> ScoredBlock {
    ScoredBlock {
        id: BlockId::for_content(content),
        content: content.to_owned(),
        score: 0.5,
        relevance: None,
        status: BlockStatus::Active,
        category: Category::default(),
        tags: tags.iter().map(|&tag| Tag::from_stored(tag)).collect(),
        source: "api".into(),
        trusted: true,
        created_at: Timestamp::UNIX_EPOCH,
        event_at: None,
        matched: vec![],
        guaranteed: false,
        explain: Explanation::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> ScoredBlock {
        let content = format!("line one\n{}", "y".repeat(100));
        ScoredBlock { score: 0.8251, ..scored_block(&content, &["a", "b", "c", "d"]) }
    }

    fn result(blocks: Vec<ScoredBlock>, message: Option<&str>) -> RecallResult {
        RecallResult {
            query: "tea".into(),
            frame: "search".into(),
            strength: None,
            relevance: None,
            blocks,
            left_out: vec![],
            message: message.map(str::to_owned),
        }
    }

    #[test]
    fn a_block_displays_its_score_eighty_characters_and_three_tags() {
        assert_eq!(block().to_string(), format!("[0.83] line one {}… (a, b, c)", "y".repeat(71)));
    }

    #[test]
    fn an_empty_answer_says_why_and_a_weak_one_says_so() {
        let message = "Nothing stored yet. Call learn() to add knowledge.";
        assert_eq!(result(vec![], Some(message)).to_string(), message);
        assert_eq!(result(vec![block()], None).to_string(), "Recalled 1 block for 'tea'.");
        let weak = result(vec![block()], Some("Weak evidence."));
        assert_eq!(weak.to_string(), "Recalled 1 block for 'tea'. Weak evidence.");
        assert_eq!(
            RecallResult { query: String::new(), ..weak }.to_string(),
            "Recalled 1 block in frame 'search'. Weak evidence."
        );
    }

    #[test]
    fn the_thresholds_rise_with_the_size_of_the_memory() {
        assert_eq!(Strength::of(0.24, 500), Strength::Weak);
        assert_eq!(Strength::of(0.26, 500), Strength::Doubtful);
        assert_eq!(Strength::of(0.30, 500), Strength::Strong);
        assert_eq!(Strength::of(0.30, 10_000), Strength::Weak);
        assert_eq!(Strength::of(0.36, 10_000), Strength::Doubtful);
        assert_eq!(Strength::of(0.0, 0), Strength::Weak);
    }
}
