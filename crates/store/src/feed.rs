//! What a long-lived reader keeps in its own memory, and how it learns what has changed.

use elfmem_core::coarse::CoarseVector;
use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{BlockId, EdgeKey, Timestamp};

/// The fields of a block that ranking needs beside its words and its vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingState {
    /// Whether it is exempt from decay and pruning.
    pub pinned: bool,
    /// How often it was used.
    pub reinforcement_count: u32,
    /// The confidence in it.
    pub confidence: f32,
    /// Its decay rate per active hour.
    pub decay_lambda: f64,
    /// When it was last used, in active hours.
    pub last_reinforced_at: f64,
}

/// One block as a search index stores it: the fields that use does not change. The [`RankingState`] is read apart, for candidates
/// only.
#[derive(Debug)]
pub struct IndexRow<'a> {
    /// Which block.
    pub id: BlockId,
    /// How many words it counts as.
    pub length: u32,
    /// When what it tells of happened, or else when it was stored, in seconds of the epoch.
    pub happened_at: i64,
    /// Which surface or person brought it.
    pub source: &'a str,
    /// By which way it came, as [`BroughtBy::to_line`](elfmem_core::BroughtBy::to_line) writes it.
    pub origin: &'a str,
    /// The session it was stored in.
    pub session: Option<&'a str>,
    /// Its place in the order in which blocks were stored.
    pub order: i64,
    /// Whether its text ends in a question mark.
    pub asking: bool,
    /// When it should come to mind, one cue a line.
    pub cue: Option<&'a str>,
    /// Its vector of the model asked for, in the coarse form.
    pub vector: Option<CoarseVector<'a>>,
}

/// An edge as an index takes it in.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEdge {
    /// Its two ends.
    pub key: EdgeKey,
    /// How strong it is, what use has added included.
    pub weight: f64,
    /// Whether its ends exclude each other.
    pub contradicts: bool,
}

/// What changed about a block, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Only its use count and the time of its last use.
    Usage,
    /// Its [`RankingState`], or another field that decides whether it may answer.
    State,
    /// An edge at it.
    Edges,
    /// A contradiction with another.
    Contradictions,
    /// The block was added or removed, changed its status, or has new words or a new vector.
    Content,
}

/// A block that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockChange {
    /// Which block.
    pub id: BlockId,
    /// What about it.
    pub aspect: Aspect,
}

/// Which blocks may answer. Every condition that is given must be met.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockFilter {
    /// One of its tags matches one of these, `%` standing for anything.
    pub any_tag: Vec<String>,
    /// For each of these, one of its tags matches.
    pub all_tags: Vec<String>,
    /// Its category is one of these.
    pub categories: Vec<String>,
    /// What it tells of happened at or after this.
    pub since: Option<Timestamp>,
    /// What it tells of happened before this.
    pub until: Option<Timestamp>,
    /// It belongs to one of these contexts.
    pub contexts: Vec<ContextId>,
    /// It belongs to a context of one of these types.
    pub context_kinds: Vec<String>,
    /// It was told by one of these sources, as an event.
    pub sources: Vec<EventSource>,
}

impl BlockFilter {
    /// Whether it lets every block in.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}
