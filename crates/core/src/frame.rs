//! Frames: recipes for a context, one per intent. The built-ins are defined here and seeded into the store, where
//! users add their own; what the store says is what runs.

use serde::{Deserialize, Serialize};

use crate::score::Weights;

/// What a frame lets in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FrameFilters {
    /// Tags a block must match one of, `%` standing for anything; empty lets every block in.
    #[serde(default)]
    pub tag_patterns: Vec<String>,
    /// Tags that keep a block out, `%` standing for anything: what another frame shows. What is guaranteed stays in.
    #[serde(default)]
    pub exclude_tags: Vec<String>,
    /// Categories a block must be one of; empty lets every block in.
    #[serde(default)]
    pub categories: Vec<String>,
    /// How many active hours back the frame looks for standard and ephemeral blocks; none looks at everything.
    #[serde(default)]
    pub search_window: Option<f64>,
}

/// How long a rendering may be served again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CachePolicy {
    /// Seconds for which a rendering of unchanged content stays good.
    pub ttl_seconds: u64,
}

/// Who defined a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameSource {
    /// Comes with elfmem.
    Builtin,
    /// Added by a user.
    User,
}

impl FrameSource {
    /// The lowercase name that is stored.
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
    /// Its name.
    pub name: String,
    /// What it cares about.
    pub weights: Weights,
    /// What it lets in.
    pub filters: FrameFilters,
    /// Tag patterns whose blocks are always in, beyond the number asked for.
    pub guarantees: Vec<String>,
    /// Which rendering it uses.
    pub template: String,
    /// The longest it may be, in tokens.
    pub token_budget: u32,
    /// Whether and how long renderings are kept.
    pub cache: Option<CachePolicy>,
    /// Who defined it.
    pub source: FrameSource,
}

/// How far back built-in frames look for what is neither durable nor pinned, in active hours.
pub const SEARCH_WINDOW_HOURS: f64 = 200.0;

/// The frames every memory starts with, with the seeds' weights.
pub fn builtin_frames() -> Vec<Frame> {
    let frame = |name: &str, weights: [f64; 5], tags: &[&str], guarantees: &[&str], budget: u32| Frame {
        name: name.to_owned(),
        weights: Weights::new(weights),
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
    // The constitution is for `self` to show; otherwise it crowds out what the question is about.
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
