//! Errors of the verbs that change blocks and proposals.

use elfmem_core::{ArchiveReason, BlockId, Timestamp};
use elfmem_store::ProposalState;

use crate::ErrorKind;

/// A verb on a block or a proposal failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum CareError {
    /// The block is archived.
    Archived {
        /// The block id.
        id: BlockId,
        /// Why it was archived.
        reason: Option<ArchiveReason>,
    },
    /// The block is not archived.
    NotArchived {
        /// The block id.
        id: BlockId,
    },
    /// No dream replaced the block.
    NotReplaced {
        /// The block id.
        id: BlockId,
    },
    /// The block is archived and not trusted, and what stands in its place is trusted.
    LeadsToTrusted {
        /// The block id.
        id: BlockId,
        /// The trusted block that it leads to.
        to: BlockId,
    },
    /// A block cannot supersede itself.
    SameBlock {
        /// The block id.
        id: BlockId,
    },
    /// The block was replaced by the other one before.
    Replaced {
        /// The block id.
        id: BlockId,
        /// The block that took its place.
        by: BlockId,
    },
    /// The block was purged.
    Purged {
        /// The block id.
        id: BlockId,
        /// When it was purged.
        at: Timestamp,
    },
    /// The text that confirms a purge is not that of the block.
    NotConfirmed {
        /// The block id.
        id: BlockId,
    },
    /// Who asks for the purge is not trusted.
    UntrustedPurge {
        /// The block id.
        id: BlockId,
    },
    /// The edit contains no changes.
    EmptyEdit,
    /// The cue is invalid.
    BadCue {
        /// What is wrong with the cue.
        problem: String,
    },
    /// There is no such proposal.
    NoProposal {
        /// The proposal number.
        number: i64,
    },
    /// The proposal was decided already.
    Settled {
        /// The proposal number.
        number: i64,
        /// The decision.
        state: ProposalState,
    },
    /// The blocks of the proposal have changed since it was made.
    Outdated {
        /// The proposal number.
        number: i64,
        /// What has changed.
        problem: String,
    },
}

impl CareError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Purged { .. } | Self::NoProposal { .. } => ErrorKind::NotFound,
            Self::EmptyEdit | Self::BadCue { .. } | Self::SameBlock { .. } | Self::NotConfirmed { .. } => {
                ErrorKind::Input
            }
            Self::Archived { .. }
            | Self::LeadsToTrusted { .. }
            | Self::UntrustedPurge { .. }
            | Self::Replaced { .. }
            | Self::NotArchived { .. }
            | Self::NotReplaced { .. }
            | Self::Settled { .. }
            | Self::Outdated { .. } => ErrorKind::Conflict,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::Archived { id, reason } => {
                let why = reason.map(|reason| format!(" ({})", reason.as_str())).unwrap_or_default();
                format!("Block {} is archived{why}.", id.short())
            }
            Self::NotArchived { id } => format!("Block {} is not archived.", id.short()),
            Self::LeadsToTrusted { id, to } => format!(
                "Block {} is archived and not trusted, and block {}, which stands in its place, is trusted.",
                id.short(),
                to.short()
            ),
            Self::NotReplaced { id } => format!("No dream replaced block {}.", id.short()),
            Self::SameBlock { id } => format!("Block {} cannot supersede itself.", id.short()),
            Self::Replaced { id, by } => format!("Block {} was replaced by {} before.", id.short(), by.short()),
            Self::Purged { id, at } => {
                format!("Block {} was purged on {}; its text is gone.", id.short(), at.strftime("%Y-%m-%d"))
            }
            Self::NotConfirmed { id } => {
                format!("Block {} was not purged: the confirmation is not its text.", id.short())
            }
            Self::UntrustedPurge { id } => {
                format!("Block {} was not purged: who asks is not trusted, and a purge cannot be undone.", id.short())
            }
            Self::EmptyEdit => "The edit contains no changes.".to_owned(),
            Self::BadCue { problem } => format!("Invalid cue: it {problem}."),
            Self::NoProposal { number } => format!("There is no proposal {number}."),
            Self::Settled { number, state } => format!("Proposal {number} is {} already.", state.as_str()),
            Self::Outdated { number, problem } => format!("Proposal {number} is outdated: {problem}."),
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Archived { id, .. } => format!(
                "It is out of recall, and nothing was changed. Bring it back first with restore(block_id={}), or store its \
                 text again with learn().",
                id.short()
            ),
            Self::LeadsToTrusted { id, to } => format!(
                "To change the trusted block, name it: {}. To bring the other one back: restore(block_id={}).",
                to.short(),
                id.short()
            ),
            Self::NotArchived { id } => format!("There is nothing to restore; see show(block_id={}).", id.short()),
            Self::NotReplaced { .. } => "List the replaced blocks with review().".to_owned(),
            Self::SameBlock { .. } => "Name two different blocks.".to_owned(),
            Self::Replaced { by, .. } => {
                format!("There is nothing to do; show(block_id={}) shows what holds.", by.short())
            }
            Self::Purged { .. } => "Learn the text again to store it.".to_owned(),
            Self::NotConfirmed { id } => {
                format!("Read it with show(block_id={}), and give its whole text as confirm.", id.short())
            }
            Self::UntrustedPurge { id } => {
                format!("Archive it with forget(block_id={}); the owner can purge it.", id.short())
            }
            Self::EmptyEdit => "Give a new text, a category, a cue, or tags to add or remove.".to_owned(),
            Self::BadCue { .. } => "Give a few short lines of text, or an empty text to remove the cue.".to_owned(),
            Self::NoProposal { .. } => "List them with proposals().".to_owned(),
            Self::Settled { .. } => "Undo that decision to decide again; history() has its number.".to_owned(),
            Self::Outdated { number, .. } => format!("Reject it with reject_proposals(numbers={number})."),
        }
    }
}
