//! Blocks: the units of knowledge in a memory.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::belief::Evidence;
use crate::decay::{DecayRate, DecayTier};
use crate::document::{DocumentPart, parts_or_null};
use crate::id::BlockId;
use crate::provenance::BroughtBy;
use crate::replacement::BlockReplacement;
use crate::scope::Scope;
use crate::session::SessionId;
use crate::time::{ActiveHours, Timestamp};
use crate::unit::Confidence;

/// The lifecycle state of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockStatus {
    /// Stored, not yet consolidated.
    Inbox,
    /// Consolidated.
    Active,
    /// Excluded from recall, but kept.
    Archived,
}

impl BlockStatus {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }

    /// Parses a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Inbox, Self::Active, Self::Archived].into_iter().find(|status| status.as_str() == name)
    }
}

impl std::fmt::Display for BlockStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a block was archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ArchiveReason {
    /// Its recency fell below the prune threshold.
    Decayed,
    /// A newer block replaced it.
    Superseded,
    /// A user or agent requested it.
    Forgotten,
}

impl ArchiveReason {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decayed => "decayed",
            Self::Superseded => "superseded",
            Self::Forgotten => "forgotten",
        }
    }

    /// Parses a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Decayed, Self::Superseded, Self::Forgotten].into_iter().find(|reason| reason.as_str() == name)
    }
}

/// The most tags of one block.
pub const MAX_TAGS: usize = 64;

/// A label is invalid: empty, too long, or with control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {problem}")]
pub struct LabelError {
    /// `tag`, `category`, `scope`, `relation` and so on.
    pub what: &'static str,
    /// What is wrong.
    pub problem: String,
}

/// Maximum length of a tag or category in bytes.
pub const LONGEST_LABEL: usize = 128;

/// Trims and validates a label.
pub(crate) fn checked_label(what: &'static str, text: &str) -> Result<SmolStr, LabelError> {
    let text = text.trim();
    let problem = if text.is_empty() {
        "is empty".to_owned()
    } else if text.len() > LONGEST_LABEL {
        format!("is longer than {LONGEST_LABEL} bytes: '{}…'", text.chars().take(24).collect::<String>())
    } else if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        format!("contains a control character: {text:?}")
    } else if text.contains(',') {
        format!("contains a comma: '{text}'")
    } else {
        return Ok(SmolStr::new(text));
    };
    Err(LabelError { what, problem })
}

macro_rules! label {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(SmolStr);

        impl $name {
            /// Trims and validates input.
            pub fn parse(text: &str) -> Result<Self, LabelError> {
                checked_label($what, text).map(Self)
            }

            /// Creates a label from its stored form.
            pub fn from_stored(text: &str) -> Self {
                Self(SmolStr::new(text))
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

label!(
    /// A tag of a block, such as `topic/db` or `self/value`.
    Tag,
    "tag"
);
label!(
    /// The category of a block, by default `knowledge`.
    Category,
    "category"
);

impl Default for Category {
    fn default() -> Self {
        Self(SmolStr::new_static("knowledge"))
    }
}

/// A block with all its metadata, except its vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The id.
    pub id: BlockId,
    /// The authored text: searched, embedded and shown.
    pub content: String,
    /// The category.
    pub category: Category,
    /// The surface or person that added it.
    pub source: String,
    /// When it was stored.
    pub created_at: Timestamp,
    /// The lifecycle state.
    pub status: BlockStatus,
    /// Why it was archived, if it was.
    pub archive_reason: Option<ArchiveReason>,
    /// The confidence.
    pub confidence: Confidence,
    /// The evidence behind the confidence.
    pub outcome_evidence: Evidence,
    /// Number of reinforcements.
    pub reinforcement_count: u32,
    /// The decay rate.
    pub decay_lambda: DecayRate,
    /// When it was last reinforced.
    pub last_reinforced_at: ActiveHours,
    /// How much it is about the agent itself. `None` until analysed.
    pub self_alignment: Option<f64>,
    /// The model of its vector. `None` without a vector.
    pub embedding_model: Option<String>,
    /// Length in tokens. `None` until consolidated.
    pub token_count: Option<u32>,
    /// The session that last changed it.
    pub last_session_id: Option<SessionId>,
    /// The scope.
    pub scope: Scope,
    /// A shorter form for small budgets.
    pub summary: Option<String>,
    /// Whether it is exempt from curation.
    pub pinned: bool,
    /// Situations in which to recall it, one cue per line.
    pub cue: Option<String>,
    /// When the described event happened.
    pub event_at: Option<Timestamp>,
    /// The block that replaced it.
    pub superseded_by: Option<BlockId>,
    /// When it was last analysed.
    pub last_scored_at: Option<Timestamp>,
    /// Change counter, to detect plans based on an older version.
    pub revision: u64,
    /// How it entered the memory.
    #[serde(default)]
    pub brought_by: BroughtBy,
    /// Its places in named documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "parts_or_null")]
    pub parts: Vec<DocumentPart>,
    /// Why consolidation archived it for another block. `None` if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<BlockReplacement>,
    /// The tags in alphabetical order.
    pub tags: Vec<Tag>,
}

impl Block {
    /// Creates an inbox block with default metadata.
    pub fn new(id: BlockId, content: impl Into<String>, source: impl Into<String>, created_at: Timestamp) -> Self {
        Self {
            id,
            content: content.into(),
            category: Category::default(),
            source: source.into(),
            created_at,
            status: BlockStatus::Inbox,
            archive_reason: None,
            confidence: Confidence::default(),
            outcome_evidence: Evidence::NONE,
            reinforcement_count: 0,
            decay_lambda: DecayTier::Standard.rate(),
            last_reinforced_at: ActiveHours::ZERO,
            self_alignment: None,
            embedding_model: None,
            token_count: None,
            last_session_id: None,
            scope: Scope::DEFAULT,
            summary: None,
            pinned: false,
            cue: None,
            event_at: None,
            superseded_by: None,
            last_scored_at: None,
            revision: 0,
            brought_by: BroughtBy::default(),
            parts: Vec::new(),
            replacement: None,
            tags: Vec::new(),
        }
    }

    /// Changes the tags, sorted and without duplicates. If the new tags imply another decay tier,
    /// the decay rate is reset to it; otherwise the rate, which outcomes may have changed, stays.
    pub fn retag(&mut self, edit: impl FnOnce(&mut Vec<Tag>)) {
        let tier = DecayTier::of(&self.tags, &self.category);
        edit(&mut self.tags);
        self.tags.sort();
        self.tags.dedup();
        let retiered = DecayTier::of(&self.tags, &self.category);
        if retiered != tier {
            self.decay_lambda = retiered.rate();
        }
    }

    /// Adds tags as long as there is room for them ([`MAX_TAGS`]). Returns those that were left out.
    pub fn add_tags(&mut self, tags: impl IntoIterator<Item = Tag>) -> Vec<Tag> {
        let mut left_out = Vec::new();
        self.retag(|own| {
            for tag in tags {
                if own.contains(&tag) {
                    continue;
                }
                if own.len() < MAX_TAGS { own.push(tag) } else { left_out.push(tag) }
            }
        });
        left_out
    }

    /// Returns the recency at `now`: 1 directly after reinforcement, then decaying.
    pub fn recency_at(&self, now: ActiveHours) -> f64 {
        self.decay_lambda.recency_after(now.since(self.last_reinforced_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_trimmed_and_validated() {
        assert_eq!(Tag::parse("  topic/db ").unwrap().as_str(), "topic/db");
        assert_eq!(Tag::parse("  ").unwrap_err().to_string(), "tag is empty");
        assert_eq!(Category::parse("a\0b").unwrap_err().what, "category");
        assert!(Tag::parse(&"x".repeat(129)).unwrap_err().problem.contains("longer than 128 bytes"));
        assert!(Tag::parse("a,b").is_err());
        for broken in ["a\nb", "a\u{2028}b", "a\u{2029}b", "a\u{85}b"] {
            assert!(Tag::parse(broken).unwrap_err().problem.contains("control character"), "{broken:?}");
        }
    }

    #[test]
    fn statuses_and_reasons_have_lowercase_names() {
        for status in [BlockStatus::Inbox, BlockStatus::Active, BlockStatus::Archived] {
            assert_eq!(BlockStatus::from_name(status.as_str()), Some(status));
        }
        for reason in [ArchiveReason::Decayed, ArchiveReason::Superseded, ArchiveReason::Forgotten] {
            assert_eq!(ArchiveReason::from_name(reason.as_str()), Some(reason));
        }
        assert_eq!(BlockStatus::from_name("Inbox"), None);
    }
}
