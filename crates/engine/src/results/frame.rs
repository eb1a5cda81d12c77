//! What a frame rendered.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::recall::{LeftOut, ScoredBlock, Strength};

/// Result of `frame`: a context ready to be read, and what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameResult {
    /// Which frame.
    pub frame_name: String,
    /// How many blocks are in the text.
    pub block_count: usize,
    /// Whether the text was made earlier.
    pub cached: bool,
    /// The context.
    pub text: String,
    /// What was asked; empty when nothing was.
    pub query: String,
    /// How much the answer is worth; none without a question.
    pub strength: Option<Strength>,
    /// The blocks in the text, the guaranteed first, then best first.
    pub blocks: Vec<ScoredBlock>,
    /// What could have been shown and was not.
    pub left_out: Vec<LeftOut>,
    /// How long the text is, in tokens.
    pub tokens: u32,
    /// How long it could have been: the frame's budget, and as much again for what it guarantees.
    pub token_budget: u32,
    /// Why the frame is empty, or what to make of it; none when it speaks for itself.
    pub message: Option<String>,
}

impl fmt::Display for FrameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cached = if self.cached { " (cached)" } else { "" };
        write!(f, "{} frame: {} blocks{cached}.", self.frame_name, self.block_count)?;
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
