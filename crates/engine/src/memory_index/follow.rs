//! Building the index, and following the journal.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use elfmem_core::{BlockId, BroughtBy, Speaker, TrustPolicy};
use elfmem_index::{Adjacency, ChunkedVec, Interner, Sequence, VectorIndex, WordIndex};
use elfmem_models::BuiltinModel;
use elfmem_store::{Aspect, ContradictionFilter, IndexRow, Snapshot};
use elfmem_text::bm25::TermFields;

use super::{BlockNames, CueVectors, Flag, Flags, IndexVersion, MemoryIndex, RankingStates, Sources, Vocabulary};
use crate::Result;
use crate::models::VectorModel;

/// Changed blocks beyond which posting lists are dropped instead of updated.
const MAX_UPDATED_WORDS: usize = 64;

/// The next number for a content that no frame was rendered from yet.
static NEXT_CONTENT: AtomicU64 = AtomicU64::new(1);

impl MemoryIndex {
    /// Reads what does not change by use, of all blocks.
    pub(super) fn load(
        snapshot: &dyn Snapshot,
        version: IndexVersion,
        model: Option<VectorModel>,
        trust: &TrustPolicy,
    ) -> Result<Self> {
        let blocks = usize::try_from(snapshot.count_index_rows()?).unwrap_or_default();
        // Without a model no vector is ever inserted, and the dimensions do not matter.
        let dimensions = model.as_ref().map_or(1, |model| model.dimensions.max(1));
        let mut index = Self {
            version,
            model,
            content: 0,
            vectors: VectorIndex::with_capacity(dimensions, blocks)?,
            words: WordIndex::default(),
            vocabulary: Vocabulary::default(),
            cues: CueVectors::default(),
            sources: Sources::default(),
            names: BlockNames::default(),
            sessions: Arc::new(Interner::new()),
            sequence: Sequence::with_capacity(blocks),
            happened: ChunkedVec::default(),
            waiting: Arc::default(),
            ranking_states: RankingStates::default(),
            links: Adjacency::new(),
            flags: Flags::default(),
            contradictions: snapshot.list_contradictions(ContradictionFilter::Open)?.into(),
            contradicting_pairs: Arc::default(),
            trust: Arc::new(trust.clone()),
            untrusted: 0,
        };
        index.words.reserve(blocks);
        index.happened.grow_to(blocks);
        Ok(index)
    }

    /// Reads all blocks into a new index.
    pub(super) fn fill(&mut self, snapshot: &dyn Snapshot) -> Result<()> {
        self.waiting = self.read_rows(snapshot, None)?.unembedded.into();
        self.content_changed();
        Ok(())
    }

    /// Reads again what changed since the journal position of this index.
    pub(super) fn follow(&mut self, snapshot: &dyn Snapshot, version: IndexVersion) -> Result<()> {
        let changes = snapshot.get_changes_after(self.version.position)?;
        let of = |wanted: &[Aspect]| -> Vec<BlockId> {
            changes.iter().filter(|change| wanted.contains(&change.aspect)).map(|change| change.id.clone()).collect()
        };
        let texts = of(&[Aspect::Content]);
        let unembedded = self.follow_texts(snapshot, &texts)?;
        if !texts.is_empty() {
            self.wait_for_vectors(unembedded);
        }
        let states = of(&[Aspect::Usage, Aspect::State, Aspect::Content]);
        self.ranking_states.follow(snapshot, self.vectors.slots(), &states)?;
        for slot in of(&[Aspect::Edges]).iter().filter_map(|id| self.vectors.slots().get(id)) {
            self.links.clear(slot);
        }
        let contradictions = changes.iter().any(|change| change.aspect == Aspect::Contradictions);
        if contradictions {
            self.contradictions = snapshot.list_contradictions(ContradictionFilter::Open)?.into();
        }
        if changes.iter().any(|change| change.aspect > Aspect::Usage) {
            self.content_changed();
        }
        self.version = version;
        Ok(())
    }

    /// Adds blocks to those that wait for a vector, and drops those that are gone or have one.
    fn wait_for_vectors(&mut self, added: Vec<BlockId>) {
        let mut seen = HashSet::new();
        let mut lacks_vector =
            |id: &BlockId| self.slot(id).is_some_and(|slot| !self.vectors.matrix().contains(slot) && seen.insert(slot));
        self.waiting = self.waiting.iter().cloned().chain(added).filter(|id| lacks_vector(id)).collect();
    }

    /// Adds vectors that were computed for waiting blocks. A block that has nothing to embed waits no longer.
    pub(super) fn add_vectors(&mut self, vectors: &[(BlockId, Option<Vec<f32>>)]) -> Result<()> {
        for (id, vector) in vectors {
            if let Some(vector) = vector
                && self.slot(id).is_some_and(|slot| !self.vectors.matrix().contains(slot))
            {
                self.vectors.insert(id, vector)?;
            }
        }
        let tried: HashSet<&BlockId> = vectors.iter().map(|(id, _)| id).collect();
        self.waiting = self.waiting.iter().filter(|id| !tried.contains(id)).cloned().collect();
        self.content_changed();
        Ok(())
    }

    /// Reads changed blocks again; returns those that have no vector.
    fn follow_texts(&mut self, snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<Vec<BlockId>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let many = ids.len() > MAX_UPDATED_WORDS;
        if many {
            self.words.unload();
            self.vocabulary.clear();
        }
        let rows = self.read_rows(snapshot, Some(ids))?;
        let gone =
            ids.iter().filter_map(|id| Some((id, self.slot(id)?))).filter(|(_, slot)| !rows.found.contains(slot));
        let gone: Vec<(&BlockId, u32)> = gone.collect();
        self.remove_blocks(&gone);
        if !many {
            for block in snapshot.get_blocks(ids)? {
                if let Some(slot) = self.slot(&block.id) {
                    let fields = TermFields::of(&block);
                    self.vocabulary.add(&fields);
                    self.words.insert(slot, &fields);
                }
            }
        }
        Ok(rows.unembedded)
    }

    /// Adds or replaces blocks: all that the view shows, or those of `ids`.
    fn read_rows(&mut self, snapshot: &dyn Snapshot, ids: Option<&[BlockId]>) -> Result<LoadedRows> {
        let model = self.model.as_ref().map_or_else(String::new, |model| model.name.clone());
        let (mut read, mut cued) = (LoadedRows::default(), Vec::new());
        snapshot.visit_index_rows(&model, ids, &mut |row| {
            let slot = self.put_row(&row);
            if ids.is_some() {
                read.found.insert(slot);
            }
            if !self.vectors.matrix().contains(slot) {
                read.unembedded.push(row.id.clone());
            }
            self.cues.remove(slot);
            // A cue says when a block should come up: who is not trusted does not decide that.
            if let Some(cue) = row.cue.filter(|_| self.is_trusted(slot)) {
                cued.push((slot, cue.to_owned()));
            }
        })?;
        if !cued.is_empty() {
            // Always with the static table, whichever the texts are embedded with: it is fast, and a cue is short.
            if let Ok(embedder) = BuiltinModel::Static.load() {
                self.cues.add(&*embedder, &cued)?;
            }
        }
        self.links.grow_to(self.bound());
        self.ranking_states.grow_to(self.bound());
        Ok(read)
    }

    fn put_row(&mut self, row: &IndexRow<'_>) -> u32 {
        let slot = self.vectors.admit(&row.id);
        let brought_by = &BroughtBy::from_line(row.origin);
        let untrusted = !self.trust.trusts(Speaker { source: row.source, brought_by });
        self.untrusted += usize::from(untrusted);
        self.untrusted -= usize::from(self.flags.has(slot, Flag::Untrusted));
        let flags = [
            (Flag::Question, row.asking),
            (Flag::Untrusted, untrusted),
            (Flag::Document, brought_by.document.is_some()),
        ];
        let flags: Vec<Flag> = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag).collect();
        self.flags.set(slot, &flags);
        self.happened.set(slot as usize, row.happened_at);
        self.words.insert_length(slot, row.length);
        self.sources.set(slot, row.source);
        self.names.forget(&row.id);
        // A vector that cannot be used (of another size, or without direction) is left out; `verify` reports it.
        let usable = row.vector.as_ref().is_some_and(|vector| self.vectors.insert_coarse(slot, vector).is_ok());
        if !usable {
            self.vectors.remove_vector(&row.id);
        }
        match row.session {
            Some(session) => {
                let group = match self.sessions.get(session) {
                    Some(group) => group,
                    None => Arc::make_mut(&mut self.sessions).intern(session),
                };
                self.sequence.insert(slot, group, row.order);
            }
            None => {
                self.sequence.remove(slot);
            }
        }
        slot
    }

    /// Removes blocks that are no longer in the inbox or active.
    fn remove_blocks(&mut self, blocks: &[(&BlockId, u32)]) {
        if blocks.is_empty() {
            return;
        }
        self.links.remove_blocks(&blocks.iter().map(|(_, slot)| *slot).collect());
        for (id, slot) in blocks {
            self.words.remove(*slot);
            self.cues.remove(*slot);
            self.sequence.remove(*slot);
            self.untrusted -= usize::from(self.flags.has(*slot, Flag::Untrusted));
            self.flags.set(*slot, &[]);
            self.ranking_states.clear(*slot);
            self.vectors.remove(id);
        }
    }

    /// Records that frames must be rendered again, and that slots may have changed.
    fn content_changed(&mut self) {
        self.content = NEXT_CONTENT.fetch_add(1, Ordering::Relaxed);
        let pairs = self.contradictions.iter().filter_map(|found| {
            let (a, b) = (self.slot(&found.block_a_id)?, self.slot(&found.block_b_id)?);
            Some((a, b))
        });
        self.contradicting_pairs = pairs.collect();
    }
}

/// What was read of some blocks.
#[derive(Debug, Default)]
struct LoadedRows {
    /// The blocks that are there, if some were asked for by id.
    found: HashSet<u32>,
    /// The blocks without a vector.
    unembedded: Vec<BlockId>,
}
