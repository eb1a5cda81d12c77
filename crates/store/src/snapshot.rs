//! Reading one consistent state of a memory.

use crate::{
    IndexFeed, ReadBlocks, ReadEvents, ReadEvidence, ReadGraph, ReadJournal, ReadProposals, ReadRows, ReadSettings,
    ReadVectors,
};

/// A consistent state of what one view may see. Blocks of other scopes, and edges to them, do not exist here.
///
/// Implemented for every type that implements the traits it consists of.
pub trait Snapshot: IndexFeed + ReadProposals + ReadSettings {}

impl<T> Snapshot for T where
    T: ReadRows
        + ReadBlocks
        + ReadVectors
        + ReadGraph
        + ReadEvidence
        + ReadEvents
        + ReadProposals
        + ReadSettings
        + ReadJournal
        + IndexFeed
{
}
