//! In-memory search index over one scope, kept up to date from the journal.
//!
//! The first use, and a change of model, reads one narrow row per block. Posting lists, edges, ranking states and full
//! vectors are loaded when a question first needs them, so a program started for one question does not pay for a
//! thousand.
//!
//! A [`MemoryIndex`] is one state of the index: that of one journal position. Readers share the newest state
//! ([`publish`]) and use it together with a store snapshot of the same position. Following the journal ([`follow`])
//! makes the next state, which shares all unchanged chunks with the one before. Loading on demand ([`load`]) adds to a
//! state that others read at the same time.

mod block_names;
mod cue_vectors;
mod flags;
mod follow;
mod load;
mod publish;
mod ranking_states;
mod sources;
mod vocabulary;

use std::collections::HashMap;
use std::sync::Arc;

use elfmem_core::{BlockId, TrustPolicy};
use elfmem_index::{Adjacency, AdjacencyList, ChunkedVec, Interner, Sequence, VectorIndex, WordIndex};
use elfmem_store::{Contradiction, Snapshot, Store};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::models::{ModelLock, VectorModel};

use block_names::BlockNames;
pub(crate) use block_names::NameTerms;
use cue_vectors::CueVectors;
use flags::{Flag, Flags};
pub(crate) use publish::PublishedIndex;
pub(crate) use ranking_states::AllRankingStates;
use ranking_states::RankingStates;
use sources::Sources;
use vocabulary::Vocabulary;

/// Timestamps that are copied together when a shared list is written to.
const CHUNK: usize = 1024;

/// The links of some blocks by slot.
pub(crate) type LinkLists<'a> = HashMap<u32, &'a AdjacencyList>;

/// One state of the search index. A clone shares its data until one of the two changes.
#[derive(Debug, Clone)]
pub(crate) struct MemoryIndex {
    /// The journal position and the model that this state belongs to.
    version: IndexVersion,
    /// The model of the vectors; none while the memory has no vectors.
    model: Option<VectorModel>,
    /// Identifies the content that rendered frames depend on, within this process. Use alone does not change it.
    content: u64,
    /// The vectors, and the slots of all blocks, those without a vector too.
    pub(crate) vectors: VectorIndex,
    words: WordIndex,
    vocabulary: Vocabulary,
    pub(crate) cues: CueVectors,
    pub(crate) sources: Sources,
    names: BlockNames,
    sessions: Arc<Interner>,
    /// The order in which blocks were stored, by session.
    pub(crate) sequence: Sequence,
    /// By slot: when what a block says happened, in seconds of the epoch.
    happened: ChunkedVec<i64, CHUNK>,
    /// Blocks without a vector that nobody has tried to embed yet.
    waiting: Arc<[BlockId]>,
    ranking_states: RankingStates,
    links: Adjacency,
    flags: Flags,
    /// Unresolved contradictions, and the same by slot.
    contradictions: Arc<[Contradiction]>,
    contradicting_pairs: Arc<[(u32, u32)]>,
    trust: Arc<TrustPolicy>,
    /// The number of blocks whose source is not trusted.
    untrusted: usize,
}

/// The state of the store that an index belongs to. Two snapshots of one version have the same blocks, words, edges and
/// vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IndexVersion {
    position: i64,
    /// A migration to another model replaces vectors without naming the blocks in the journal.
    lock: ModelLock,
}

impl MemoryIndex {
    /// Returns how many blocks there are.
    pub(crate) fn len(&self) -> usize {
        self.vectors.slots().len()
    }

    /// Returns an upper bound of all slots.
    pub(crate) fn bound(&self) -> usize {
        self.vectors.slots().bound()
    }

    /// Returns whether a slot has a block.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.id(slot).is_some()
    }

    /// Returns the block of a slot.
    pub(crate) fn id(&self, slot: u32) -> Option<&BlockId> {
        self.vectors.slots().id(slot)
    }

    /// Returns the slot of a block.
    pub(crate) fn slot(&self, id: &BlockId) -> Option<u32> {
        self.vectors.slots().get(id)
    }

    /// Compares the blocks of two slots by id: an order that does not depend on the slots.
    pub(crate) fn by_id(&self, a: u32, b: u32) -> std::cmp::Ordering {
        self.id(a).cmp(&self.id(b))
    }

    /// Returns the names in the texts of blocks, in their order; none for a block that is gone.
    pub(crate) fn names_of(&self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<Vec<Option<NameTerms>>> {
        self.names.get(snapshot, ids)
    }

    /// Returns the content that a rendered frame depends on, as a number that no other content has in this process.
    pub(crate) fn content(&self) -> u64 {
        self.content
    }

    /// Returns whether vectors of a model can be compared with those of this index. A memory without vectors accepts any.
    pub(crate) fn accepts_model(&self, name: &str, dimensions: usize) -> bool {
        self.model.as_ref().is_none_or(|model| model.name == name && model.dimensions == dimensions)
    }

    /// Returns the model of the vectors; none while the memory has no vectors.
    pub(crate) fn model(&self) -> Option<&VectorModel> {
        self.model.as_ref()
    }

    /// Returns the blocks that have no vector yet. Words find them.
    pub(crate) fn waiting(&self) -> &[BlockId] {
        &self.waiting
    }

    /// Returns when what a block says happened, in seconds of the epoch.
    pub(crate) fn happened_at(&self, slot: u32) -> Option<i64> {
        self.happened.get(slot as usize).copied().filter(|_| self.contains(slot))
    }

    /// Returns whether a block is a part of a document.
    pub(crate) fn is_in_document(&self, slot: u32) -> bool {
        self.flags.has(slot, Flag::Document)
    }

    /// Returns whether the text of a block is a question.
    pub(crate) fn is_question(&self, slot: u32) -> bool {
        self.flags.has(slot, Flag::Question)
    }

    /// Returns whether the source of a block is trusted.
    pub(crate) fn is_trusted(&self, slot: u32) -> bool {
        !self.flags.has(slot, Flag::Untrusted)
    }

    /// Returns whether there is a block whose source is not trusted.
    pub(crate) fn has_untrusted(&self) -> bool {
        self.untrusted > 0
    }

    /// Returns the number of blocks whose source is trusted.
    pub(crate) fn count_trusted(&self) -> usize {
        self.len().saturating_sub(self.untrusted)
    }

    /// Returns the pairs of slots with an unresolved contradiction.
    pub(crate) fn contradicting_pairs(&self) -> &[(u32, u32)] {
        &self.contradicting_pairs
    }

    /// Returns the memory that the index uses.
    fn footprint(&self) -> Footprint {
        let other = self.vectors.slots().bytes()
            + self.sequence.bytes()
            + self.sessions.bytes()
            + self.happened.bytes()
            + self.ranking_states.bytes()
            + self.flags.bytes()
            + self.sources.bytes()
            + self.names.bytes();
        Footprint {
            blocks: self.len(),
            vectors: self.vectors.matrix().bytes(),
            words: self.words.bytes() + self.vocabulary.bytes(),
            edges: self.links.bytes(),
            other,
        }
    }
}

/// Memory used by the search index of a process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Footprint {
    /// Number of blocks.
    pub blocks: usize,
    /// Vectors, quantized and in full.
    pub vectors: usize,
    /// Posting lists that questions needed, and the reusable buffers for scores.
    pub words: usize,
    /// Edges that questions needed.
    pub edges: usize,
    /// Everything else: ids, ranking states, order.
    pub other: usize,
}

impl<S: Store> Memory<S> {
    /// Returns the memory that the search index of this process uses; none before the first question.
    pub fn footprint(&self) -> Option<Footprint> {
        let index = self.index.current()?;
        let footprint = index.footprint();
        Some(Footprint { words: footprint.words + self.scratch.bytes(), ..footprint })
    }
}
