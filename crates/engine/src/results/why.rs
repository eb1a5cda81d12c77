//! Why a block came back, or did not.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::recall::Explanation;
use elfmem_core::id::BlockId;

/// The stage of recall at which a block's way ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It is archived.
    Status,
    /// It does not meet the filters of the frame or of the question.
    Filter,
    /// It was not of use for longer than the frame looks back.
    Window,
    /// Nothing in it speaks to the question, or too little for a closer look.
    Candidates,
    /// Another block contradicts it and is believed more.
    Suppression,
    /// Others are better.
    Rank,
    /// It did not fit the budget.
    Budget,
    /// It was shown.
    Shown,
}

/// Result of `why`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WhyResult {
    /// Which block.
    pub block_id: BlockId,
    /// For which question.
    pub query: String,
    /// In which frame.
    pub frame: String,
    /// Where its way ended.
    pub stage: Stage,
    /// Its place in the answer, or the place it would have had; none when it took no part.
    pub rank: Option<usize>,
    /// Its score in the frame; none when it took no part.
    pub score: Option<f64>,
    /// How well it fits the question, on a scale of its own.
    pub relevance: f64,
    /// The words of the question that it holds.
    pub matched: Vec<String>,
    /// What happened, in one sentence.
    pub reason: String,
    /// What would have brought it in; none when it was shown.
    pub remedy: Option<String>,
    /// What speaks for it.
    pub explain: Explanation,
}

impl fmt::Display for WhyResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.remedy {
            Some(remedy) => write!(f, " {remedy}"),
            None => Ok(()),
        }
    }
}
