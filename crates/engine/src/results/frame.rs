//! Result of `frame`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::recall::{LeftOut, ScoredBlock, Strength};

/// Result of `frame`: the rendered context and its blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FrameResult {
    /// The frame name.
    pub frame_name: String,
    /// Number of blocks in the text.
    pub block_count: usize,
    /// Whether the text comes from the cache.
    pub cached: bool,
    /// The rendered context.
    pub text: String,
    /// The query. Empty if there was none.
    pub query: String,
    /// The strength of the answer. `None` without a query.
    pub strength: Option<Strength>,
    /// The blocks in the text, in its order.
    pub blocks: Vec<ScoredBlock>,
    /// The candidates that were left out.
    pub left_out: Vec<LeftOut>,
    /// Length of the text in tokens.
    pub tokens: u32,
    /// The token budget: that of the frame, and as much again for guaranteed blocks.
    pub token_budget: u32,
    /// Why the frame is empty, or a note about the answer.
    pub message: Option<String>,
}

impl FrameResult {
    /// What the journal says of it (seed 001), without what it would say to the caller alone.
    pub(crate) fn sentence(&self) -> String {
        let cached = if self.cached { " (cached)" } else { "" };
        format!("{} frame: {} blocks{cached}.", self.frame_name, self.block_count)
    }
}

impl fmt::Display for FrameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence())?;
        match &self.message {
            Some(message) => write!(f, " {message}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(cached: bool) -> FrameResult {
        FrameResult {
            frame_name: "self".into(),
            block_count: 3,
            cached,
            text: "## Identity".into(),
            query: String::new(),
            strength: None,
            blocks: vec![],
            left_out: vec![],
            tokens: 3,
            token_budget: 600,
            message: None,
        }
    }

    #[test]
    fn test_frame_result_str_uncached() {
        assert_eq!(result(false).to_string(), "self frame: 3 blocks.");
    }

    #[test]
    fn test_frame_result_str_cached() {
        assert_eq!(result(true).to_string(), "self frame: 3 blocks (cached).");
    }

    #[test]
    fn test_frame_result_to_dict_keys() {
        let json = serde_json::to_value(result(true)).unwrap();
        assert_eq!((&json["frame_name"], &json["block_count"]), (&"self".into(), &3.into()));
        assert_eq!(json["cached"], true);
        assert_eq!(json["text"], "## Identity");
    }
}
