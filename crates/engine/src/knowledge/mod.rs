//! What this process knows of the memory without asking the store: vectors, words, order, standing and edges by slot.
//!
//! The journal is the change feed: what operations after the last look touched is read again, whoever did it. Only the
//! first use, and a change of model, reads everything; and even then the words and the edges are read as questions need
//! them, so that a program started for one question does not pay for a thousand.

mod cues;
mod sources;

use std::collections::HashMap;

use elfmem_core::BlockId;
use elfmem_core::lexical::Fields;
use elfmem_core::when::parse_time_query;
use elfmem_index::{Adjacency, LinkKind, Names, Sequence, VectorIndex, WordIndex, WordQuery, WordScores};
use elfmem_models::{Embedder, StaticEmbedder};
use elfmem_store::{Aspect, Contradiction, IndexRow, Snapshot, Standing, Store};
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::models::MODEL_LOCK;
use crate::recall::Renderings;

pub(crate) use cues::Cues;
pub(crate) use sources::Sources;

/// Changed blocks beyond which the lists of words are forgotten instead of followed.
const FOLLOWED_WORDS: usize = 64;

/// Everything known, and how far it has followed the journal.
#[derive(Debug)]
pub(crate) struct Knowledge {
    model: String,
    /// The model the memory was bound to when the vectors were read: a migration is not in the journal.
    bound_to: Option<String>,
    position: i64,
    /// Counts the changes that may alter an answer, use alone left out.
    pub(crate) version: u64,
    /// The vectors, and the numbering of all blocks, those without a vector too.
    pub(crate) vectors: VectorIndex,
    pub(crate) words: WordIndex,
    pub(crate) cues: Cues,
    pub(crate) sources: Sources,
    sessions: Names,
    /// What was stored one after the other, by session.
    pub(crate) sequence: Sequence,
    standings: Vec<Option<Standing>>,
    /// Edges of the blocks that were asked about; which those are is in `linked`.
    pub(crate) links: Adjacency,
    linked: Vec<bool>,
    /// Unresolved contradictions.
    pub(crate) contradictions: Vec<Contradiction>,
    /// Blocks that ask instead of telling.
    asking: Vec<bool>,
    /// Whether blocks say when, in whichever words, for those that were asked about.
    dated: Vec<Option<bool>>,
    /// Blocks that have no vector and were not tried yet.
    unembedded: Vec<u32>,
    /// Renderings that may be served again.
    pub(crate) renderings: Renderings,
    /// Lists that one question after the other writes its scores into.
    pub(crate) scratch: Scratch,
}

/// A place for every slot's scores.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) cosines: Vec<f32>,
    pub(crate) words: WordScores,
    /// How near the nearest cue is, for blocks with cues.
    pub(crate) cues: HashMap<u32, f32>,
}

impl Knowledge {
    /// Reads everything but words and edges.
    fn load(snapshot: &dyn Snapshot, embedder: &dyn Embedder) -> Result<Self> {
        let counts = snapshot.get_block_counts()?;
        let blocks = usize::try_from(counts.inbox + counts.active).unwrap_or_default();
        let mut known = Self {
            model: embedder.name().to_owned(),
            bound_to: snapshot.get_config(MODEL_LOCK)?,
            position: snapshot.get_journal_position()?,
            version: 0,
            vectors: VectorIndex::with_capacity(embedder.dimensions(), blocks)?,
            words: WordIndex::default(),
            cues: Cues::default(),
            sources: Sources::default(),
            sessions: Names::new(),
            sequence: Sequence::new(),
            standings: Vec::new(),
            links: Adjacency::new(),
            linked: Vec::new(),
            contradictions: snapshot.list_contradictions(false)?,
            asking: Vec::new(),
            dated: Vec::new(),
            unembedded: Vec::new(),
            renderings: Renderings::default(),
            scratch: Scratch::default(),
        };
        known.take_rows(snapshot, None)?;
        for (id, length) in snapshot.get_lengths(None)? {
            if let Some(slot) = known.vectors.slots().get(&id) {
                known.words.insert_length(slot, length);
            }
        }
        Ok(known)
    }

    /// Reads again what changed since the last look.
    fn follow(&mut self, snapshot: &dyn Snapshot) -> Result<()> {
        let position = snapshot.get_journal_position()?;
        if position == self.position {
            return Ok(());
        }
        let changes = snapshot.get_changes_after(self.position)?;
        let of = |wanted: &[Aspect]| -> Vec<BlockId> {
            changes.iter().filter(|change| wanted.contains(&change.aspect)).map(|change| change.id.clone()).collect()
        };
        self.follow_texts(snapshot, &of(&[Aspect::Text]))?;
        self.follow_standings(snapshot, &of(&[Aspect::Use, Aspect::Standing]))?;
        for id in of(&[Aspect::Edges]) {
            if let Some(slot) = self.vectors.slots().get(&id) {
                self.linked[slot as usize] = false;
            }
        }
        if changes.iter().any(|change| change.aspect == Aspect::Contradictions) {
            self.contradictions = snapshot.list_contradictions(false)?;
        }
        self.version += u64::from(changes.iter().any(|change| change.aspect > Aspect::Use));
        self.position = position;
        Ok(())
    }

    fn follow_texts(&mut self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let before: Vec<u32> = ids.iter().filter_map(|id| self.vectors.slots().get(id)).collect();
        for slot in before {
            self.standings[slot as usize] = None;
        }
        self.take_rows(snapshot, Some(ids))?;
        for id in ids {
            self.drop_if_gone(id);
        }
        if ids.len() > FOLLOWED_WORDS {
            self.words.unload();
            for (id, length) in snapshot.get_lengths(Some(ids))? {
                if let Some(slot) = self.vectors.slots().get(&id) {
                    self.words.insert_length(slot, length);
                }
            }
        } else {
            for block in snapshot.get_blocks(ids)? {
                if let Some(slot) = self.vectors.slots().get(&block.id) {
                    self.words.insert(slot, &Fields::of(&block));
                }
            }
        }
        Ok(())
    }

    fn follow_standings(&mut self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let Self { vectors, standings, .. } = self;
        snapshot.visit_index_rows("", Some(ids), &mut |row| {
            if let Some(slot) = vectors.slots().get(&row.id) {
                standings[slot as usize] = Some(row.standing);
            }
        })?;
        Ok(())
    }

    /// Takes in blocks: all that the view sees, or those of `ids`.
    fn take_rows(&mut self, snapshot: &dyn Snapshot, ids: Option<&[BlockId]>) -> Result<()> {
        let model = self.model.clone();
        let mut cued = Vec::new();
        snapshot.visit_index_rows(&model, ids, &mut |row| {
            let slot = self.take_row(&row);
            self.cues.remove(slot);
            if let Some(cue) = row.cue {
                cued.push((slot, cue.to_owned()));
            }
        })?;
        if !cued.is_empty() {
            // Whichever model the texts are embedded with: the table is at hand, and a cue is a few words.
            self.cues.take(StaticEmbedder::shared()?, &cued)?;
        }
        Ok(())
    }

    fn take_row(&mut self, row: &IndexRow<'_>) -> u32 {
        let slot = self.vectors.admit(&row.id);
        let at = slot as usize;
        if at >= self.standings.len() {
            self.standings.resize(at + 1, None);
            self.linked.resize(at + 1, false);
            self.asking.resize(at + 1, false);
            self.dated.resize(at + 1, None);
        }
        self.asking[at] = row.asking;
        self.dated[at] = None;
        self.standings[at] = Some(row.standing);
        self.linked[at] = false;
        self.sources.set(slot, row.source);
        // A vector that cannot be used (of another size, or without direction) takes no part; verifying the memory
        // finds it.
        let usable = row.vector.is_some_and(|vector| self.vectors.insert(&row.id, vector).is_ok());
        if !usable {
            self.vectors.remove_vector(&row.id);
            self.unembedded.push(slot);
        }
        match row.session {
            Some(session) => {
                let group = self.sessions.intern(session);
                self.sequence.insert(slot, group, row.order);
            }
            None => {
                self.sequence.remove(slot);
            }
        }
        slot
    }

    /// Takes a block out that no longer is in the inbox or active.
    fn drop_if_gone(&mut self, id: &BlockId) {
        let Some(slot) = self.vectors.slots().get(id) else { return };
        if self.standings[slot as usize].is_some() {
            return;
        }
        self.words.remove(slot);
        self.cues.remove(slot);
        self.sequence.remove(slot);
        self.links.remove_block(slot);
        self.linked[slot as usize] = false;
        self.unembedded.retain(|other| *other != slot);
        self.vectors.remove(id);
    }

    /// What it takes up.
    fn footprint(&self) -> Footprint {
        let other = self.vectors.slots().bytes()
            + self.sequence.bytes()
            + self.sessions.bytes()
            + self.standings.capacity() * size_of::<Option<Standing>>()
            + self.linked.capacity()
            + self.asking.capacity()
            + self.dated.capacity() * size_of::<Option<bool>>()
            + self.sources.bytes();
        let scratch = self.scratch.cosines.capacity() * size_of::<f32>() + self.scratch.words.bytes();
        Footprint {
            blocks: self.len(),
            vectors: self.vectors.matrix().bytes(),
            words: self.words.bytes() + scratch,
            edges: self.links.bytes(),
            other,
        }
    }

    /// How many blocks there are.
    pub(crate) fn len(&self) -> usize {
        self.vectors.slots().len()
    }

    /// What every slot is below.
    pub(crate) fn bound(&self) -> usize {
        self.vectors.slots().bound()
    }

    /// How a block stands; none for a slot without a block.
    pub(crate) fn standing(&self, slot: u32) -> Option<&Standing> {
        self.standings.get(slot as usize)?.as_ref()
    }

    /// The block of a slot.
    pub(crate) fn id(&self, slot: u32) -> Option<&BlockId> {
        self.vectors.slots().id(slot)
    }

    /// The slot of a block.
    pub(crate) fn slot(&self, id: &BlockId) -> Option<u32> {
        self.vectors.slots().get(id)
    }

    /// Makes sure that the words of a question are known.
    pub(crate) fn load_words(&mut self, snapshot: &dyn Snapshot, query: &WordQuery) -> Result<()> {
        for (word, _) in query.words() {
            if !self.words.is_loaded(word) {
                let holders = snapshot.get_word_holders(word)?;
                let slots = self.vectors.slots();
                self.words.load(word, holders.into_iter().filter_map(|(id, counts)| Some((slots.get(&id)?, counts))));
            }
        }
        Ok(())
    }

    /// Makes sure that all edges of some blocks are known.
    pub(crate) fn load_links(&mut self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        let missing: Vec<u32> =
            slots.iter().copied().filter(|slot| !self.linked.get(*slot as usize).copied().unwrap_or(true)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        for slot in &missing {
            let known: Vec<u32> = self.links.neighbours(*slot).map(|link| link.neighbour).collect();
            for neighbour in known {
                self.links.remove(*slot, neighbour);
            }
            self.linked[*slot as usize] = true;
        }
        let ids: Vec<BlockId> = missing.iter().filter_map(|slot| self.id(*slot).cloned()).collect();
        for link in snapshot.get_links_of(&ids)? {
            if let (Some(from), Some(to)) = (self.slot(&link.key.from_id), self.slot(&link.key.to_id)) {
                let kind = if link.contradicts { LinkKind::Contradicts } else { LinkKind::Associates };
                self.links.set(from, to, link.weight as f32, kind);
            }
        }
        Ok(())
    }

    /// Whether a block ends in a question mark: it asks instead of telling.
    pub(crate) fn is_asking(&self, slot: u32) -> bool {
        self.asking.get(slot as usize).copied().unwrap_or(false)
    }

    /// Whether a block says when, if that was [loaded](Self::load_dates).
    pub(crate) fn is_dated(&self, slot: u32) -> bool {
        self.dated.get(slot as usize).copied().flatten().unwrap_or(false)
    }

    /// Makes sure that it is known which of some blocks say when.
    pub(crate) fn load_dates(&mut self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        let unknown = |slot: &&u32| matches!(self.dated.get(**slot as usize), Some(None));
        let missing: Vec<BlockId> = slots.iter().filter(unknown).filter_map(|slot| self.id(*slot).cloned()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        for block in snapshot.get_blocks(&missing)? {
            let said_at = block.event_at.unwrap_or(block.created_at);
            let dated = parse_time_query(&block.content, said_at).is_some_and(|time| time.span.is_some());
            if let Some(slot) = self.slot(&block.id) {
                self.dated[slot as usize] = Some(dated);
            }
        }
        Ok(())
    }

    /// Blocks without a vector that the built-in table should be asked about; each is named once.
    pub(crate) fn take_unembedded(&mut self) -> Vec<BlockId> {
        let slots = std::mem::take(&mut self.unembedded);
        let mut ids: Vec<BlockId> = slots
            .into_iter()
            .filter(|slot| self.standing(*slot).is_some() && !self.vectors.matrix().contains(*slot))
            .filter_map(|slot| self.id(slot).cloned())
            .collect();
        ids.sort();
        ids.dedup();
        ids
    }
}

/// What a process keeps of a memory to answer quickly, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// For so many blocks.
    pub blocks: usize,
    /// Their vectors.
    pub vectors: usize,
    /// Their words, as far as questions needed them, and room for the scores of a question.
    pub words: usize,
    /// Their edges, as far as questions needed them.
    pub edges: usize,
    /// Everything else: names, standing, order.
    pub other: usize,
}

impl<S: Store> Memory<S> {
    /// What this process keeps of the memory to answer quickly; none before the first question.
    pub fn footprint(&self) -> Option<Footprint> {
        self.knowledge().as_ref().map(Knowledge::footprint)
    }

    /// Runs `work` with what is known, brought in step with `snapshot`.
    pub(crate) fn with_knowledge<T>(
        &self,
        snapshot: &dyn Snapshot,
        embedder: &dyn Embedder,
        work: impl FnOnce(&mut Knowledge) -> Result<T>,
    ) -> Result<T> {
        let bound_to = snapshot.get_config(MODEL_LOCK)?;
        let mut kept = self.knowledge();
        let usable = kept.as_ref().is_some_and(|known| {
            known.model == embedder.name()
                && known.bound_to == bound_to
                && known.vectors.dimensions() == embedder.dimensions()
        });
        let mut known = match kept.take().filter(|_| usable) {
            Some(known) => known,
            None => Knowledge::load(snapshot, embedder)?,
        };
        // Kept only when all of it succeeded: half-followed changes would answer wrongly.
        known.follow(snapshot)?;
        let answer = work(&mut known);
        *kept = Some(known);
        answer
    }

    /// Runs `work` with the vectors alone.
    pub(crate) fn with_vectors<T>(
        &self,
        snapshot: &dyn Snapshot,
        embedder: &dyn Embedder,
        work: impl FnOnce(&mut VectorIndex) -> Result<T>,
    ) -> Result<T> {
        self.with_knowledge(snapshot, embedder, |known| work(&mut known.vectors))
    }
}
