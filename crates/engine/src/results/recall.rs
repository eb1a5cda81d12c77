//! What recall found, and why.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excerpt;
use elfmem_core::block::{BlockStatus, Category, Tag};
use elfmem_core::id::BlockId;
use elfmem_core::score::ScoreComponents;
use elfmem_core::time::Timestamp;

/// How much an answer is worth, told from how well its best block fits the question.
///
/// It measures whether the memory knows the topic, not whether the answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Nothing fits: what came back is the least bad.
    Weak,
    /// It may fit.
    Doubtful,
    /// The memory knows the topic.
    Strong,
}

impl Strength {
    /// The lowercase name that is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Doubtful => "doubtful",
            Self::Strong => "strong",
        }
    }

    /// What a best relevance says in a memory of so many blocks. The best of many strangers looks better than the best
    /// of few, so the lines rise with the size of the memory.
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

/// The edge over which a block was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Via {
    /// The block at the other end, which the question found.
    pub block_id: BlockId,
    /// What the edge says.
    pub relation: String,
    /// How strong it is.
    pub weight: f64,
}

/// A block that was left out for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Which block.
    pub block_id: BlockId,
    /// Why: `contradiction` or `token_budget`.
    pub reason: LeftOutReason,
    /// The block that took its place, if one did.
    pub by: Option<BlockId>,
    /// The same in words.
    pub detail: String,
}

/// Why a block that could have been shown was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// It contradicts a block that is believed more.
    Contradiction,
    /// It did not fit the budget.
    TokenBudget,
    /// Its source is not trusted to say who the agent is.
    Untrusted,
}

/// How a block was found and what its score is made of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// The five components of the score.
    pub components: ScoreComponents,
    /// The share of the question's words that it holds, rare words counting more.
    pub words: f64,
    /// How near its meaning is to the question's; none without a vector.
    pub meaning: Option<f64>,
    /// How near its nearest cue is; none without a cue.
    pub cue: Option<f64>,
    /// What it gained from what was stored around it.
    pub context: f64,
    /// What it gained from who said it.
    pub who: f64,
    /// How well its time fits the time asked about; none when the question names none.
    pub time: Option<f64>,
    /// The edge that brought it in or lifted it.
    pub via: Option<Via>,
    /// What it displaced.
    pub displaced: Vec<LeftOut>,
}

/// One block that answers a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredBlock {
    /// Which block.
    pub id: BlockId,
    /// Its text.
    pub content: String,
    /// Its score in the frame, in `[0, 1]`.
    pub score: f64,
    /// How well it fits the question on a scale that does not depend on the others, in `[0, 1]`; none without a question.
    pub relevance: Option<f64>,
    /// Whether it has been consolidated yet.
    pub status: BlockStatus,
    /// Its kind.
    pub category: Category,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// Which surface or person brought it.
    pub source: String,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When what it tells of happened.
    pub event_at: Option<Timestamp>,
    /// The words of the query that it shares.
    pub matched: Vec<String>,
    /// Whether the frame promises to show it.
    pub guaranteed: bool,
    /// Why it is here.
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

/// Result of `recall`: the best blocks first, and a reason when there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecallResult {
    /// What was asked; empty when nothing was.
    pub query: String,
    /// The frame it was asked in.
    pub frame: String,
    /// How much the answer is worth; none without a question.
    pub strength: Option<Strength>,
    /// How well the best block fits the question; none without a question.
    pub relevance: Option<f64>,
    /// What was found, best first; what the frame guarantees comes before the rest.
    pub blocks: Vec<ScoredBlock>,
    /// What could have been shown and was not.
    pub left_out: Vec<LeftOut>,
    /// Why nothing was found, or what to make of what was, and what to do; none when the answer speaks for itself.
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

/// A block as recall shows it, for tests.
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
    fn a_hit_shows_its_score_eighty_characters_and_three_tags() {
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
    fn the_lines_of_weak_and_doubtful_rise_with_the_memory() {
        assert_eq!(Strength::of(0.24, 500), Strength::Weak);
        assert_eq!(Strength::of(0.26, 500), Strength::Doubtful);
        assert_eq!(Strength::of(0.30, 500), Strength::Strong);
        assert_eq!(Strength::of(0.30, 10_000), Strength::Weak);
        assert_eq!(Strength::of(0.36, 10_000), Strength::Doubtful);
        assert_eq!(Strength::of(0.0, 0), Strength::Weak);
    }
}
