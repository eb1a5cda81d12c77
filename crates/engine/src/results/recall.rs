//! Result of `recall`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excerpt;
use elfmem_core::DocumentPart;
use elfmem_core::block::{BlockStatus, Category, Tag};
use elfmem_core::id::BlockId;
use elfmem_core::score::ScoreComponents;
use elfmem_core::time::Timestamp;
use elfmem_models::AnswerEvidence;

/// The strength of an answer, from the probability that the memory holds one.
///
/// It measures whether the memory covers the topic, not whether the answer is correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Strength {
    /// Nothing is known about it, and nothing is returned.
    Weak,
    /// The memory may cover the topic.
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

    /// Probability below which nothing is returned.
    pub const FLOOR: f64 = 0.30;
    /// Probability below which an answer is doubtful.
    pub const DOUBTFUL: f64 = 0.60;

    /// Classifies the probability that the memory holds an answer.
    pub fn of(relevance: f64) -> Self {
        if relevance < Self::FLOOR {
            Self::Weak
        } else if relevance < Self::DOUBTFUL {
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
    /// The text, if a block of the answer contradicts it.
    pub content: Option<String>,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
}

impl LeftOut {
    /// Creates an entry that no other block replaced.
    pub(crate) fn new(block_id: BlockId, reason: LeftOutReason, detail: String, trusted: bool) -> Self {
        Self { block_id, reason, by: None, detail, content: None, trusted }
    }
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
    /// Enough other constraints concern the task more.
    MoreConstraints,
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
    /// Whether it was placed before others for its time: it says what holds, or what held at the time of the query.
    #[serde(default)]
    pub placed_by_time: bool,
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
    /// The probability that it helps to answer the query. `None` without a query.
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
    /// Who said it: its source, or the program that brought it. Empty if that is unknown.
    pub said_by: String,
    /// The document it is a part of, and the heading above it.
    pub document: Option<String>,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When the described event happened.
    pub event_at: Option<Timestamp>,
    /// How long ago that was, or how long ago it was stored, in words.
    pub age: String,
    /// That time as a date.
    pub date: String,
    /// The words of the query that it contains.
    pub matched: Vec<String>,
    /// Whether the frame guarantees it.
    pub guaranteed: bool,
    /// A later block that says something else about the same thing.
    pub newer: Option<BlockId>,
    /// The block that holds its place now, if it was superseded. Only blocks that `superseded` asked for have one.
    pub superseded_by: Option<BlockId>,
    /// Its place in a document: the name of the document and the headings above the text.
    pub part: Option<DocumentPart>,
    /// The stronger block that it contradicts, if any.
    pub contradicted_by: Vec<BlockId>,
    /// Whether it comes first because it constrains the task: a need, a rule, a limit or a deadline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constraint: bool,
    /// How it was found and scored.
    pub explain: Explanation,
}

impl fmt::Display for ScoredBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}] {}", self.relevance.unwrap_or(self.score), excerpt(&self.content, 80))?;
        if !self.tags.is_empty() {
            let shown: Vec<&str> = self.tags.iter().take(3).map(Tag::as_str).collect();
            write!(f, " ({})", shown.join(", "))?;
        }
        if let Some(newer) = &self.newer {
            write!(f, " [older than {}]", newer.short())?;
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
    /// The probability that the memory holds an answer. `None` without a query.
    pub relevance: Option<f64>,
    /// What the relevance was computed from. `None` without a query.
    pub evidence: Option<AnswerEvidence>,
    /// The blocks: guaranteed blocks first, then best first, then what extends them (in addition to
    /// those asked for), then contradicted ones where places are left.
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
        said_by: "cli".into(),
        document: None,
        created_at: Timestamp::UNIX_EPOCH,
        event_at: None,
        age: "3 days ago".into(),
        date: "2026-11-15".into(),
        matched: vec![],
        guaranteed: false,
        newer: None,
        superseded_by: None,
        part: None,
        contradicted_by: vec![],
        constraint: false,
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
            evidence: None,
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
    fn an_answer_is_weak_below_the_floor_and_strong_when_it_is_likely() {
        assert_eq!(Strength::of(0.0), Strength::Weak);
        assert_eq!(Strength::of(Strength::FLOOR), Strength::Doubtful);
        assert_eq!(Strength::of(Strength::DOUBTFUL), Strength::Strong);
        assert!(Strength::Weak < Strength::Strong);
    }
}
