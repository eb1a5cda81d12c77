//! Result of `why`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::recall::Explanation;
use elfmem_core::id::BlockId;

/// The last stage of recall that a block reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// It is archived.
    Status,
    /// It does not match the filters of the frame or the request.
    Filter,
    /// Its last use is outside the time window of the frame.
    Window,
    /// It matches the query too little to be a candidate.
    Candidates,
    /// Its relevance is below the floor.
    Floor,
    /// It was suppressed by a contradicting block with higher confidence.
    Suppression,
    /// Other blocks rank higher.
    Rank,
    /// It did not fit the budget.
    Budget,
    /// It was returned.
    Shown,
}

/// Result of `why`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WhyResult {
    /// The block id.
    pub block_id: BlockId,
    /// The query.
    pub query: String,
    /// The frame.
    pub frame: String,
    /// The last stage it reached.
    pub stage: Stage,
    /// Its rank in the answer, or the rank it would have had. `None` if it was not a candidate.
    pub rank: Option<usize>,
    /// The score in the frame. `None` if it was not a candidate.
    pub score: Option<f64>,
    /// The probability that it helps to answer the query.
    pub relevance: f64,
    /// The words of the query that it contains.
    pub matched: Vec<String>,
    /// The reason as a sentence.
    pub reason: String,
    /// What would have included it. `None` if it was returned.
    pub remedy: Option<String>,
    /// The block that replaced it. `None` if it was not replaced.
    #[serde(default)]
    pub replaced_by: Option<BlockId>,
    /// How it was scored.
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
