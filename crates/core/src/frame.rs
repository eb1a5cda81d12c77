//! Frames: named recipes for a context. The built-in frames are stored like user frames; the stored
//! version is used.

use serde::{Deserialize, Deserializer, Serialize};

use crate::score::ScoreWeights;

/// Selects the blocks that a frame may show.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FrameFilters {
    /// A block must match one of these tag patterns; `%` is a wildcard. Empty allows all.
    #[serde(default, deserialize_with = "null_as_empty")]
    pub tag_patterns: Vec<String>,
    /// A block must not match any of these tag patterns; `%` is a wildcard. Guaranteed blocks are
    /// exempt.
    #[serde(default, deserialize_with = "null_as_empty")]
    pub exclude_tags: Vec<String>,
    /// A block must have one of these categories. Empty allows all.
    #[serde(default, deserialize_with = "null_as_empty")]
    pub categories: Vec<String>,
    /// Maximum age in active hours of standard and ephemeral blocks. `None` for no limit.
    #[serde(default)]
    pub search_window: Option<f64>,
}

/// Reads a list. The Python elfmem writes some empty ones as null.
fn null_as_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// How long a rendering may be reused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CachePolicy {
    /// Seconds for which a rendering of unchanged content is valid.
    pub ttl_seconds: u64,
}

/// Who defined a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FrameSource {
    /// Built in.
    Builtin,
    /// Defined by a user.
    User,
}

impl FrameSource {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::User => "user",
        }
    }
}

/// A recipe for a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The name.
    pub name: String,
    /// The score weights.
    pub weights: ScoreWeights,
    /// The selection of blocks.
    pub filters: FrameFilters,
    /// Tag patterns of blocks that are always included, beyond `top_k`.
    pub guarantees: Vec<String>,
    /// The template of the rendering.
    pub template: String,
    /// Maximum length in tokens.
    pub token_budget: u32,
    /// Whether and how long renderings are cached.
    pub cache: Option<CachePolicy>,
    /// Who defined the frame.
    pub source: FrameSource,
}

/// Search window of the built-in frames in active hours.
pub const SEARCH_WINDOW_HOURS: f64 = 200.0;

/// Returns the built-in frames with the weights of the seeds.
pub fn builtin_frames() -> Vec<Frame> {
    let frame = |name: &str, weights: [f64; 5], tags: &[&str], guarantees: &[&str], budget: u32| Frame {
        name: name.to_owned(),
        weights: ScoreWeights::new(weights),
        filters: FrameFilters {
            tag_patterns: tags.iter().map(|&tag| tag.to_owned()).collect(),
            exclude_tags: Vec::new(),
            categories: Vec::new(),
            search_window: Some(SEARCH_WINDOW_HOURS),
        },
        guarantees: guarantees.iter().map(|&tag| tag.to_owned()).collect(),
        template: name.to_owned(),
        token_budget: budget,
        cache: None,
        source: FrameSource::Builtin,
    };
    let mut own = frame("self", [0.10, 0.30, 0.05, 0.25, 0.30], &["self/%"], &["self/constitutional"], 600);
    own.cache = Some(CachePolicy { ttl_seconds: 3600 });
    let mut search = frame("search", [0.92, 0.04, 0.02, 0.00, 0.02], &[], &[], 2000);
    search.filters.search_window = None;
    // Constitutional blocks belong to `self`; elsewhere they displace the blocks the query is
    // about.
    let mut attention = frame("attention", [0.35, 0.15, 0.25, 0.15, 0.10], &[], &[], 2000);
    let mut task = frame("task", [0.20, 0.20, 0.20, 0.20, 0.20], &[], &["self/goal"], 800);
    for frame in [&mut attention, &mut task] {
        frame.filters.exclude_tags = vec!["self/constitutional".to_owned()];
    }
    vec![
        own,
        attention,
        task,
        frame("simulate", [0.25, 0.25, 0.15, 0.20, 0.15], &[], &["self/constitutional", "mind/%"], 2000),
        search,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_frames_have_valid_weights_and_a_queryless_form() {
        for frame in builtin_frames() {
            assert!(frame.weights.checked().is_ok(), "{}", frame.name);
            assert!(frame.weights.queryless().is_ok(), "{}", frame.name);
        }
    }
}
