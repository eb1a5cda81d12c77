//! What recall found.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excerpt;
use crate::block::{BlockStatus, Category, Tag};
use crate::id::BlockId;
use crate::time::Timestamp;

/// One block that answers a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredBlock {
    /// Which block.
    pub id: BlockId,
    /// Its text.
    pub content: String,
    /// How well it answers, in `[0, 1]`.
    pub score: f64,
    /// Whether it has been consolidated yet.
    pub status: BlockStatus,
    /// Its kind.
    pub category: Category,
    /// Its tags.
    pub tags: Vec<Tag>,
    /// When it was stored.
    pub created_at: Timestamp,
    /// The words of the query that it shares.
    pub matched: Vec<String>,
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
    /// What was asked.
    pub query: String,
    /// What was found, best first.
    pub blocks: Vec<ScoredBlock>,
    /// Why nothing was found and what to do; none when something was.
    pub message: Option<String>,
}

impl fmt::Display for RecallResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => f.write_str(message),
            None => {
                let count = self.blocks.len();
                let noun = if count == 1 { "block" } else { "blocks" };
                write!(f, "Recalled {count} {noun} for '{}'.", excerpt(&self.query, 60))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> ScoredBlock {
        ScoredBlock {
            id: BlockId::for_content("x"),
            content: format!("line one\n{}", "y".repeat(100)),
            score: 0.8251,
            status: BlockStatus::Inbox,
            category: Category::default(),
            tags: ["a", "b", "c", "d"].map(Tag::from_stored).to_vec(),
            created_at: Timestamp::UNIX_EPOCH,
            matched: vec![],
        }
    }

    #[test]
    fn a_hit_shows_its_score_eighty_characters_and_three_tags() {
        assert_eq!(block().to_string(), format!("[0.83] line one {}… (a, b, c)", "y".repeat(71)));
    }

    #[test]
    fn an_empty_answer_says_why() {
        let message = "Nothing stored yet. Call learn() to add knowledge.";
        let empty = RecallResult { query: "tea".into(), blocks: vec![], message: Some(message.to_owned()) };
        assert_eq!(empty.to_string(), message);
        let found = RecallResult { query: "tea".into(), blocks: vec![block()], message: None };
        assert_eq!(found.to_string(), "Recalled 1 block for 'tea'.");
    }
}
