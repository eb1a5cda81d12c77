//! Changing a memory, all or nothing.

use crate::{
    Snapshot, WriteBlocks, WriteEvents, WriteEvidence, WriteGraph, WriteJournal, WriteProposals, WriteRows,
    WriteSettings, WriteVectors,
};

/// A snapshot that can also change what it reads. Changes are recorded for the journal;
/// [`describe`](WriteJournal::describe) says which operation they belong to.
///
/// Implemented for every type that implements the traits it consists of.
pub trait Transaction: Snapshot + WriteVectors + WriteProposals + WriteSettings {}

impl<T> Transaction for T where
    T: Snapshot
        + WriteRows
        + WriteBlocks
        + WriteVectors
        + WriteGraph
        + WriteEvidence
        + WriteEvents
        + WriteProposals
        + WriteSettings
        + WriteJournal
{
}
