//! Blocks: the pieces of knowledge a memory holds.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::belief::Evidence;
use crate::decay::{DecayRate, DecayTier};
use crate::id::BlockId;
use crate::provenance::BroughtBy;
use crate::scope::Scope;
use crate::session::SessionId;
use crate::time::{ActiveHours, Timestamp};
use crate::unit::Confidence;

/// Where a block stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockStatus {
    /// Stored, not yet consolidated.
    Inbox,
    /// Consolidated.
    Active,
    /// Out of recall, kept.
    Archived,
}

impl BlockStatus {
    /// The lowercase name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }

    /// Reads a stored name.
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
pub enum ArchiveReason {
    /// It faded below the prune threshold.
    Decayed,
    /// A newer block took its place.
    Superseded,
    /// Someone asked for it to be forgotten.
    Forgotten,
}

impl ArchiveReason {
    /// The lowercase name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decayed => "decayed",
            Self::Superseded => "superseded",
            Self::Forgotten => "forgotten",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Decayed, Self::Superseded, Self::Forgotten].into_iter().find(|reason| reason.as_str() == name)
    }
}

/// A label cannot be used: empty, too long, or with characters that would not survive a terminal or a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {problem}")]
pub struct LabelError {
    /// `tag`, `category`, `scope`, `relation` and so on.
    pub what: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

/// The longest tag or category, in bytes.
pub const LONGEST_LABEL: usize = 128;

/// Trims a label that was typed and checks it.
pub(crate) fn checked_label(what: &'static str, text: &str) -> Result<SmolStr, LabelError> {
    let text = text.trim();
    let problem = if text.is_empty() {
        "is empty".to_owned()
    } else if text.len() > LONGEST_LABEL {
        format!("is longer than {LONGEST_LABEL} bytes: '{}…'", text.chars().take(24).collect::<String>())
    } else if text.chars().any(char::is_control) {
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
            /// Trims and checks what was typed.
            pub fn parse(text: &str) -> Result<Self, LabelError> {
                checked_label($what, text).map(Self)
            }

            /// Takes a label as a store holds it.
            pub fn from_stored(text: &str) -> Self {
                Self(SmolStr::new(text))
            }

            /// The text.
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
    /// A word attached to a block, such as `topic/db` or `self/value`.
    Tag,
    "tag"
);
label!(
    /// The kind of a block: `knowledge` unless said otherwise.
    Category,
    "category"
);

impl Default for Category {
    fn default() -> Self {
        Self(SmolStr::new_static("knowledge"))
    }
}

/// One piece of knowledge with everything the memory knows about it, except its vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its name.
    pub id: BlockId,
    /// The authored text: what is searched, embedded and shown.
    pub content: String,
    /// Its kind.
    pub category: Category,
    /// Which surface or person brought it.
    pub source: String,
    /// When it was stored.
    pub created_at: Timestamp,
    /// Where it stands in its life.
    pub status: BlockStatus,
    /// Why it is archived, if it is.
    pub archive_reason: Option<ArchiveReason>,
    /// How much it is believed.
    pub confidence: Confidence,
    /// How much of that was observed.
    pub outcome_evidence: Evidence,
    /// How often it was of use.
    pub reinforcement_count: u32,
    /// How fast it fades.
    pub decay_lambda: DecayRate,
    /// When it last was of use.
    pub last_reinforced_at: ActiveHours,
    /// How much it speaks of the agent itself; none until analysed.
    pub self_alignment: Option<f64>,
    /// Which model its vector comes from; none until it has one.
    pub embedding_model: Option<String>,
    /// Its length in tokens; none until consolidated.
    pub token_count: Option<u32>,
    /// The session that last touched it.
    pub last_session_id: Option<SessionId>,
    /// Who may see it.
    pub scope: Scope,
    /// A shorter form for tight budgets.
    pub summary: Option<String>,
    /// Whether curate must leave it alone.
    pub pinned: bool,
    /// When it should come to mind, one cue a line.
    pub cue: Option<String>,
    /// When what it tells of happened.
    pub event_at: Option<Timestamp>,
    /// The block that took its place.
    pub superseded_by: Option<BlockId>,
    /// When an analyst last looked at it.
    pub last_scored_at: Option<Timestamp>,
    /// Counts its changes, so that a plan made from an older reading is noticed.
    pub revision: u64,
    /// By which way it came in.
    #[serde(default)]
    pub brought_by: BroughtBy,
    /// Its tags, in alphabetical order.
    pub tags: Vec<Tag>,
}

impl Block {
    /// A text as it waits in the inbox when nothing else is known of it.
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
            tags: Vec::new(),
        }
    }

    /// Changes the tags, sorted and each once. A tag that asks for another length of life gives the block that; otherwise its
    /// rate, which outcomes may have changed, stays.
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

    /// How present the block is at `now`: 1 when just reinforced, falling at its own rate.
    pub fn recency_at(&self, now: ActiveHours) -> f64 {
        self.decay_lambda.recency_after(now.since(self.last_reinforced_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_trimmed_and_bad_ones_say_what_is_wrong() {
        assert_eq!(Tag::parse("  topic/db ").unwrap().as_str(), "topic/db");
        assert_eq!(Tag::parse("  ").unwrap_err().to_string(), "tag is empty");
        assert_eq!(Category::parse("a\0b").unwrap_err().what, "category");
        assert!(Tag::parse(&"x".repeat(129)).unwrap_err().problem.contains("longer than 128 bytes"));
        assert!(Tag::parse("a,b").is_err());
    }

    #[test]
    fn statuses_and_reasons_are_stored_by_their_lowercase_names() {
        for status in [BlockStatus::Inbox, BlockStatus::Active, BlockStatus::Archived] {
            assert_eq!(BlockStatus::from_name(status.as_str()), Some(status));
        }
        for reason in [ArchiveReason::Decayed, ArchiveReason::Superseded, ArchiveReason::Forgotten] {
            assert_eq!(ArchiveReason::from_name(reason.as_str()), Some(reason));
        }
        assert_eq!(BlockStatus::from_name("Inbox"), None);
    }
}
