//! What a long-lived reader keeps in its own memory, and how it learns what has changed.

use elfmem_core::coarse::CoarseVector;
use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{BlockId, EdgeKey, Timestamp};

/// How a block stands: what ranking needs to know of it beyond its words and its meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Whether it is to be kept whatever happens.
    pub pinned: bool,
    /// How often it was of use.
    pub reinforcement_count: u32,
    /// How much it is believed.
    pub confidence: f32,
    /// How fast it fades.
    pub decay_lambda: f64,
    /// When it last was of use, in active hours.
    pub last_reinforced_at: f64,
}

/// One block as an index takes it in: what does not change by use. How it [stands](Standing) is read apart, and for the
/// blocks that come into question only.
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
pub struct LinkRow {
    /// Its two ends.
    pub key: EdgeKey,
    /// How strong it is, what use has added included.
    pub weight: f64,
    /// Whether its ends exclude each other.
    pub contradicts: bool,
}

/// What about a block has changed, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// It was of use: only its count and its stamp moved.
    Use,
    /// How it stands: belief, rate of fading, pin, summary and the like.
    Standing,
    /// An edge at it.
    Edges,
    /// A contradiction with another.
    Contradictions,
    /// Everything: it was made, removed, moved to another status, or its words or its vector changed.
    Text,
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
