//! One proposal.

use elfmem_core::{BlockId, EdgeKey, Timestamp};
use serde::{Deserialize, Serialize};

/// The kind of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// Let a block supersede another that says nearly the same.
    NearDuplicate,
    /// Keep a block that is about to be archived although it was used.
    Stale,
    /// Connect two blocks.
    Connection,
    /// Add a tag that only a person or the agent may add.
    Tag,
    /// Describe what repeated mistakes have in common.
    Pattern,
    /// Describe what to do about a confirmed pattern.
    Skill,
    /// Turn a contradicted skill back into a pattern.
    Demotion,
    /// Record that two blocks contradict each other.
    Contradiction,
}

impl ProposalKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::NearDuplicate,
        Self::Stale,
        Self::Connection,
        Self::Tag,
        Self::Pattern,
        Self::Skill,
        Self::Demotion,
        Self::Contradiction,
    ];

    /// The name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NearDuplicate => "near_duplicate",
            Self::Stale => "stale",
            Self::Connection => "connection",
            Self::Tag => "tag",
            Self::Pattern => "pattern",
            Self::Skill => "skill",
            Self::Demotion => "demotion",
            Self::Contradiction => "contradiction",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The state of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Not decided.
    Open,
    /// Accepted and carried out.
    Accepted,
    /// Rejected; it is not proposed again.
    Rejected,
}

impl ProposalState {
    /// The name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Open, Self::Accepted, Self::Rejected].into_iter().find(|state| state.as_str() == name)
    }
}

/// One proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number; 0 until it is stored.
    pub number: i64,
    /// The kind.
    pub kind: ProposalKind,
    /// The block it is about. Of two near-duplicates, the newer one.
    pub block_id: BlockId,
    /// The other block of a pair.
    pub other_id: Option<BlockId>,
    /// The tag to add, or the context for the new event.
    pub tag: Option<String>,
    /// The proposed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The strength of the proposal, in `[0, 1]`.
    pub score: f64,
    /// Why, in one sentence.
    pub reason: String,
    /// The state.
    pub state: ProposalState,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was accepted or rejected.
    pub settled_at: Option<Timestamp>,
}

impl Proposal {
    /// What the proposal is about. There is one proposal for each subject, whichever way round a pair is given.
    pub fn subject(&self) -> String {
        let blocks = match self.other_id.as_ref().and_then(|other| EdgeKey::canonical(&self.block_id, other)) {
            Some(pair) => format!("{}:{}", pair.from_id, pair.to_id),
            None => self.block_id.to_string(),
        };
        match &self.tag {
            Some(tag) => format!("{}:{blocks}:{tag}", self.kind.as_str()),
            None => format!("{}:{blocks}", self.kind.as_str()),
        }
    }

    /// The blocks it is about.
    pub fn blocks(&self) -> impl Iterator<Item = &BlockId> {
        std::iter::once(&self.block_id).chain(&self.other_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_one_subject_whichever_way_round() {
        let (a, b) = (BlockId::from_stored("aaaa"), BlockId::from_stored("bbbb"));
        let proposal = |block: &BlockId, other: Option<&BlockId>, tag: Option<&str>| Proposal {
            number: 0,
            kind: ProposalKind::Connection,
            block_id: block.clone(),
            other_id: other.cloned(),
            tag: tag.map(str::to_owned),
            text: None,
            score: 0.9,
            reason: String::new(),
            state: ProposalState::Open,
            created_at: Timestamp::UNIX_EPOCH,
            settled_at: None,
        };
        assert_eq!(proposal(&b, Some(&a), None).subject(), proposal(&a, Some(&b), None).subject());
        assert_ne!(proposal(&a, None, Some("x")).subject(), proposal(&a, None, Some("y")).subject());
        assert_eq!(proposal(&a, Some(&b), None).blocks().count(), 2);
    }

    #[test]
    fn kinds_and_states_are_stored_by_their_names() {
        for kind in ProposalKind::ALL {
            assert_eq!(ProposalKind::from_name(kind.as_str()), Some(kind));
        }
        for state in [ProposalState::Open, ProposalState::Accepted, ProposalState::Rejected] {
            assert_eq!(ProposalState::from_name(state.as_str()), Some(state));
        }
    }
}
