//! In-memory search index over one scope, kept up to date from the journal.
//!
//! The first use, and a change of model, reads one narrow row per block. Posting lists, edges, ranking state and full
//! vectors are loaded when a question first needs them, so a program started for one question does not pay for a
//! thousand. Before each use, the journal entries after the last position say which blocks to read again.

mod cues;
mod marks;
mod sources;
mod standings;

use std::collections::{HashMap, HashSet};

use elfmem_core::{BlockId, BroughtBy, UntrustedSources};
use elfmem_index::{Adjacency, LinkKind, Names, Sequence, VectorIndex, WordIndex, WordQuery, WordScores, widen};
use elfmem_models::{Embedder, StaticEmbedder};
use elfmem_store::{Aspect, Contradiction, IndexRow, RankingState, Snapshot, Store};
use elfmem_text::bm25::TermFields;
use elfmem_text::temporal::parse_time_query;
use serde::Serialize;

use crate::Result;
use crate::memory::Memory;
use crate::models::MODEL_LOCK;
use crate::recall::Renderings;

pub(crate) use cues::Cues;
use marks::{Mark, Marks};
pub(crate) use sources::Sources;
use standings::Standings;

/// Changed blocks beyond which the lists of words are forgotten instead of followed.
const FOLLOWED_WORDS: usize = 64;

/// The search index and the journal position it reflects.
#[derive(Debug)]
pub(crate) struct MemoryIndex {
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
    /// When what a block tells of happened, in seconds of the epoch, by slot.
    happened: Vec<i64>,
    standings: Standings,
    /// Edges of the blocks that were asked about; which those are is in `marks`.
    pub(crate) links: Adjacency,
    marks: Marks,
    /// Unresolved contradictions.
    pub(crate) contradictions: Vec<Contradiction>,
    /// Blocks that have no vector and were not tried yet.
    unembedded: Vec<u32>,
    /// Renderings that may be served again.
    pub(crate) renderings: Renderings,
    /// Lists that one question after the other writes its scores into.
    pub(crate) scratch: Scratch,
    untrusted: UntrustedSources,
    /// Whether there is a block whose source is not trusted, or was one.
    pub(crate) any_untrusted: bool,
}

/// A place for every slot's scores.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) cosines: Vec<f32>,
    pub(crate) words: WordScores,
    /// How near the nearest cue is, for blocks with cues.
    pub(crate) cues: HashMap<u32, f32>,
}

impl MemoryIndex {
    /// Reads what does not change by use, of all blocks.
    fn load(snapshot: &dyn Snapshot, embedder: &dyn Embedder, untrusted: &UntrustedSources) -> Result<Self> {
        let blocks = usize::try_from(snapshot.count_index_rows()?).unwrap_or_default();
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
            sequence: Sequence::with_capacity(blocks),
            happened: Vec::with_capacity(blocks),
            standings: Standings::default(),
            links: Adjacency::new(),
            marks: Marks::with_capacity(blocks),
            contradictions: snapshot.list_contradictions(false)?,
            unembedded: Vec::new(),
            renderings: Renderings::default(),
            scratch: Scratch::default(),
            untrusted: untrusted.clone(),
            any_untrusted: false,
        };
        known.words.reserve(blocks);
        known.sources.reserve(blocks);
        known.take_rows(snapshot, None)?;
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
        self.follow_texts(snapshot, &of(&[Aspect::Content]))?;
        self.standings.follow(snapshot, self.vectors.slots(), &of(&[Aspect::Usage, Aspect::State, Aspect::Content]))?;
        for id in of(&[Aspect::Edges]) {
            if let Some(slot) = self.vectors.slots().get(&id) {
                self.marks.set(slot, Mark::Linked, false);
            }
        }
        if changes.iter().any(|change| change.aspect == Aspect::Contradictions) {
            self.contradictions = snapshot.list_contradictions(false)?;
        }
        self.version += u64::from(changes.iter().any(|change| change.aspect > Aspect::Usage));
        self.position = position;
        Ok(())
    }

    fn follow_texts(&mut self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let many = ids.len() > FOLLOWED_WORDS;
        if many {
            self.words.unload();
        }
        let here = self.take_rows(snapshot, Some(ids))?;
        for id in ids {
            if let Some(slot) = self.vectors.slots().get(id).filter(|slot| !here.contains(slot)) {
                self.drop_block(id, slot);
            }
        }
        if !many {
            for block in snapshot.get_blocks(ids)? {
                if let Some(slot) = self.vectors.slots().get(&block.id) {
                    self.words.insert(slot, &TermFields::of(&block));
                }
            }
        }
        Ok(())
    }

    /// Takes in blocks: all that the view sees, or those of `ids`. For the latter it tells which were there.
    fn take_rows(&mut self, snapshot: &dyn Snapshot, ids: Option<&[BlockId]>) -> Result<HashSet<u32>> {
        let model = self.model.clone();
        let (mut cued, mut here) = (Vec::new(), HashSet::new());
        snapshot.visit_index_rows(&model, ids, &mut |row| {
            let slot = self.take_row(&row);
            if ids.is_some() {
                here.insert(slot);
            }
            self.cues.remove(slot);
            if let Some(cue) = row.cue {
                cued.push((slot, cue.to_owned()));
            }
        })?;
        if !cued.is_empty() {
            // Whichever model the texts are embedded with: the table is at hand, and a cue is a few words.
            self.cues.take(StaticEmbedder::shared()?, &cued)?;
        }
        Ok(here)
    }

    /// Whether the source of a block is trusted.
    pub(crate) fn is_trusted(&self, slot: u32) -> bool {
        !self.marks.has(slot, Mark::Untrusted)
    }

    fn take_row(&mut self, row: &IndexRow<'_>) -> u32 {
        let slot = self.vectors.admit(&row.id);
        self.marks.clear(slot);
        self.marks.set(slot, Mark::Asking, row.asking);
        widen(&mut self.happened, slot as usize, 0);
        self.happened[slot as usize] = row.happened_at;
        self.words.insert_length(slot, row.length);
        self.sources.set(slot, row.source);
        let untrusted = self.untrusted.hold(row.source, &BroughtBy::from_line(row.origin));
        self.marks.set(slot, Mark::Untrusted, untrusted);
        self.any_untrusted |= untrusted;
        // A vector that cannot be used (of another size, or without direction) takes no part; verifying the memory
        // finds it.
        let usable = row.vector.as_ref().is_some_and(|vector| self.vectors.insert_coarse(slot, vector).is_ok());
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
    fn drop_block(&mut self, id: &BlockId, slot: u32) {
        self.words.remove(slot);
        self.cues.remove(slot);
        self.sequence.remove(slot);
        self.links.remove_block(slot);
        self.marks.clear(slot);
        self.standings.forget(slot);
        self.unembedded.retain(|other| *other != slot);
        self.vectors.remove(id);
    }

    /// What it takes up.
    fn footprint(&self) -> Footprint {
        let other = self.vectors.slots().bytes()
            + self.sequence.bytes()
            + self.sessions.bytes()
            + self.happened.capacity() * size_of::<i64>()
            + self.standings.bytes()
            + self.marks.bytes()
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

    /// Whether a slot has a block.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.id(slot).is_some()
    }

    /// How a block stands, if that was loaded ([some](Self::load_standings), [all](Self::load_all_standings)).
    pub(crate) fn standing(&self, slot: u32) -> Option<&RankingState> {
        self.standings.get(slot)
    }

    /// When what a block tells of happened, in seconds of the epoch.
    pub(crate) fn happened_at(&self, slot: u32) -> Option<i64> {
        self.happened.get(slot as usize).copied().filter(|_| self.contains(slot))
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
                let holders = snapshot.get_postings(word)?;
                let slots = self.vectors.slots();
                self.words.load(word, holders.into_iter().filter_map(|(id, counts)| Some((slots.get(&id)?, counts))));
            }
        }
        Ok(())
    }

    /// Makes sure that it is known how some blocks stand.
    pub(crate) fn load_standings(&mut self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        self.standings.load(snapshot, self.vectors.slots(), slots)
    }

    /// Makes sure that it is known how all blocks stand.
    pub(crate) fn load_all_standings(&mut self, snapshot: &dyn Snapshot) -> Result<()> {
        self.standings.load_all(snapshot, self.vectors.slots())
    }

    /// Makes sure that the vectors of some blocks are here in full, so that their cosines are exact.
    pub(crate) fn load_vectors(&mut self, snapshot: &dyn Snapshot, slots: impl Iterator<Item = u32>) -> Result<()> {
        let missing: Vec<BlockId> = slots
            .filter(|slot| self.vectors.matrix().lacks_exact(*slot))
            .filter_map(|slot| self.id(slot).cloned())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        for stored in snapshot.get_vectors(&self.model, Some(&missing))? {
            self.vectors.insert_exact(&stored.id, &stored.vector)?;
        }
        Ok(())
    }

    /// Makes sure that all edges of some blocks are known.
    pub(crate) fn load_links(&mut self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        let missing: Vec<u32> =
            slots.iter().copied().filter(|slot| self.contains(*slot) && !self.marks.has(*slot, Mark::Linked)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        for slot in &missing {
            let known: Vec<u32> = self.links.neighbours(*slot).map(|link| link.neighbour).collect();
            for neighbour in known {
                self.links.remove(*slot, neighbour);
            }
            self.marks.set(*slot, Mark::Linked, true);
        }
        let ids: Vec<BlockId> = missing.iter().filter_map(|slot| self.id(*slot).cloned()).collect();
        for link in snapshot.get_index_edges(&ids)? {
            if let (Some(from), Some(to)) = (self.slot(&link.key.from_id), self.slot(&link.key.to_id)) {
                let kind = if link.contradicts { LinkKind::Contradicts } else { LinkKind::Associates };
                self.links.set(from, to, link.weight as f32, kind);
            }
        }
        Ok(())
    }

    /// Whether a block ends in a question mark: it asks instead of telling.
    pub(crate) fn is_asking(&self, slot: u32) -> bool {
        self.marks.has(slot, Mark::Asking)
    }

    /// Whether a block says when, if that was [loaded](Self::load_dates).
    pub(crate) fn is_dated(&self, slot: u32) -> bool {
        self.marks.has(slot, Mark::Dated)
    }

    /// Makes sure that it is known which of some blocks say when.
    pub(crate) fn load_dates(&mut self, snapshot: &dyn Snapshot, slots: &[u32]) -> Result<()> {
        let unknown = |slot: &&u32| !self.marks.has(**slot, Mark::DateKnown);
        let missing: Vec<BlockId> = slots.iter().filter(unknown).filter_map(|slot| self.id(*slot).cloned()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        for block in snapshot.get_blocks(&missing)? {
            let said_at = block.event_at.unwrap_or(block.created_at);
            let dated = parse_time_query(&block.content, said_at).is_some_and(|time| time.span.is_some());
            if let Some(slot) = self.slot(&block.id) {
                self.marks.set(slot, Mark::DateKnown, true);
                self.marks.set(slot, Mark::Dated, dated);
            }
        }
        Ok(())
    }

    /// Blocks without a vector that the built-in table should be asked about; each is named once.
    pub(crate) fn take_unembedded(&mut self) -> Vec<BlockId> {
        let slots = std::mem::take(&mut self.unembedded);
        let mut ids: Vec<BlockId> = slots
            .into_iter()
            .filter(|slot| self.contains(*slot) && !self.vectors.matrix().contains(*slot))
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
        self.index().as_ref().map(MemoryIndex::footprint)
    }

    /// Runs `work` with what is known, brought in step with `snapshot`.
    pub(crate) fn with_index<T>(
        &self,
        snapshot: &dyn Snapshot,
        embedder: &dyn Embedder,
        work: impl FnOnce(&mut MemoryIndex) -> Result<T>,
    ) -> Result<T> {
        let bound_to = snapshot.get_config(MODEL_LOCK)?;
        let mut kept = self.index();
        let usable = kept.as_ref().is_some_and(|known| {
            known.model == embedder.name()
                && known.bound_to == bound_to
                && known.vectors.dimensions() == embedder.dimensions()
        });
        let mut known = match kept.take().filter(|_| usable) {
            Some(known) => known,
            None => MemoryIndex::load(snapshot, embedder, &self.options.untrusted)?,
        };
        // Kept only when all of it succeeded: half-followed changes would answer wrongly.
        known.follow(snapshot)?;
        let answer = work(&mut known);
        *kept = Some(known);
        answer
    }
}
