//! Why a block was not tended as asked.

use elfmem_core::{ArchiveReason, BlockId, Timestamp};
use elfmem_store::ProposalState;

use crate::ErrorKind;

/// Why a block was not tended as asked. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum CareError {
    /// The block is archived.
    Archived {
        /// Which block.
        id: BlockId,
        /// Why it is.
        reason: Option<ArchiveReason>,
    },
    /// The block is not archived.
    NotArchived {
        /// Which block.
        id: BlockId,
    },
    /// A block cannot take its own place.
    SameBlock {
        /// Which block.
        id: BlockId,
    },
    /// The block was purged.
    Purged {
        /// Which block.
        id: BlockId,
        /// When.
        at: Timestamp,
    },
    /// An edit says nothing.
    NothingGiven,
    /// A cue cannot be used.
    BadCue {
        /// What is wrong with it.
        problem: String,
    },
    /// There is no such proposal.
    NoProposal {
        /// Its number.
        number: i64,
    },
    /// The proposal was decided before.
    Settled {
        /// Its number.
        number: i64,
        /// What was decided.
        state: ProposalState,
    },
    /// What the proposal rests on has changed.
    Outdated {
        /// Its number.
        number: i64,
        /// What has changed.
        problem: String,
    },
}

impl CareError {
    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Purged { .. } | Self::NoProposal { .. } => ErrorKind::NotFound,
            Self::NothingGiven | Self::BadCue { .. } | Self::SameBlock { .. } => ErrorKind::Input,
            Self::Archived { .. } | Self::NotArchived { .. } | Self::Settled { .. } | Self::Outdated { .. } => {
                ErrorKind::Conflict
            }
        }
    }

    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::Archived { id, reason } => {
                let why = reason.map(|reason| format!(" ({})", reason.as_str())).unwrap_or_default();
                format!("Block {} is archived{why}.", id.short())
            }
            Self::NotArchived { id } => format!("Block {} is not archived.", id.short()),
            Self::SameBlock { id } => format!("Block {} cannot take its own place.", id.short()),
            Self::Purged { id, at } => {
                format!("Block {} was purged on {}; its text is gone.", id.short(), at.strftime("%Y-%m-%d"))
            }
            Self::NothingGiven => "The edit says nothing.".to_owned(),
            Self::BadCue { problem } => format!("The cue {problem}."),
            Self::NoProposal { number } => format!("There is no proposal {number}."),
            Self::Settled { number, state } => format!("Proposal {number} is {} already.", state.as_str()),
            Self::Outdated { number, problem } => format!("Proposal {number} no longer holds: {problem}."),
        }
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Archived { id, .. } => format!("Bring it back first with restore {}.", id.short()),
            Self::NotArchived { .. } => "There is nothing to restore; look at it with show.".to_owned(),
            Self::SameBlock { .. } => "Name two different blocks.".to_owned(),
            Self::Purged { .. } => "Learn it again if it should be known after all.".to_owned(),
            Self::NothingGiven => "Give a new text, a category, a cue, or tags to add or take off.".to_owned(),
            Self::BadCue { .. } => "Give a few short lines of text, or an empty one to take the cue away.".to_owned(),
            Self::NoProposal { .. } => "List them with proposals.".to_owned(),
            Self::Settled { .. } => "Undo that decision to decide again; history has its number.".to_owned(),
            Self::Outdated { number, .. } => format!("Reject it with proposals reject {number}."),
        }
    }
}
