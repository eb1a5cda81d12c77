//! Vectors for what has none, and the nearest blocks of each.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId, BlockStatus, OperationKind};
use elfmem_index::{IndexError, VectorIndex};
use elfmem_models::{Embedder, SimilarityProfile};
use elfmem_store::{BlockQuery, BlockText, JournalHeader, Snapshot, Store, Transaction};

use super::Dream;
use super::decide::{JUDGED, PairCandidate};
use super::edges::EdgeRule;
use super::plan::{Candidates, Seen};
use crate::Result;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::{DIMENSIONS_LOCK, MODEL_LOCK};
use crate::progress::Progress;
use crate::results::counted;

/// Texts that are embedded between two reports of progress and committed together.
const BATCH: usize = 256;
/// Neighbours that are looked at for repetition and contradiction, and that may get an edge.
pub(super) const MAX_NEIGHBOURS: usize = 16;

/// Products of two vectors for which another thread is worth starting: a few milliseconds of work.
const WORTH_A_THREAD: usize = 250_000;
/// How far below the prefilter the rules still judge pairs that differ in one place only.
const ONE_PLACE_MARGIN: f64 = 0.25;
/// Cosine from which the nearest are compared by their words. An encoder finds "the fee is 15 euros" and "the fee was raised
/// to 4 euros" far apart, so that among the nearest the words decide and not the cosine.
const LOWEST_COMPARED: f64 = 0.1;

/// What the agent knows about itself: for the analysts.
#[derive(Debug, Default)]
pub(crate) struct Selves {
    /// Its blocks as text.
    pub(crate) text: String,
    /// For each inbox block, the highest cosine with one of them.
    pub(crate) similarity: Vec<Option<f64>>,
}

/// How much of the self an analyst is shown, in bytes.
const SELF_TEXT: usize = 4_000;

impl<S: Store> Memory<S> {
    /// Embeds inbox blocks without a vector of this model. Vectors are stored at once, except in a dry run: they are derived,
    /// and a crash later loses nothing of them.
    pub(super) fn embed_missing(
        &self,
        dream: &Dream,
        embedder: &dyn Embedder,
        inbox: &mut [Block],
    ) -> Result<HashMap<BlockId, Vec<f32>>> {
        let known: Vec<BlockId> = inbox
            .iter()
            .filter(|block| block.embedding_model.as_deref() == Some(embedder.name()))
            .map(|block| block.id.clone())
            .collect();
        let stored = self.read(|snapshot| Ok(snapshot.get_vectors(embedder.name(), Some(&known))?))?;
        let mut vectors: HashMap<BlockId, Vec<f32>> =
            stored.into_iter().map(|stored| (stored.id, stored.vector)).collect();
        let mut missing: Vec<&mut Block> = inbox.iter_mut().filter(|block| !vectors.contains_key(&block.id)).collect();
        dream.tell(Progress::Stage("embed", missing.len()));
        let mut done = 0;
        for batch in missing.chunks_mut(BATCH) {
            let texts: Vec<&str> = batch.iter().map(|block| block.content.as_str()).collect();
            let made = embedder.embed(&texts)?;
            let fresh: Vec<(BlockId, Vec<f32>)> =
                batch.iter().zip(made).filter_map(|(block, vector)| Some((block.id.clone(), vector?))).collect();
            if !dream.dry_run {
                self.store_vectors(embedder, &fresh)?;
                let embedded: HashSet<&BlockId> = fresh.iter().map(|(id, _)| id).collect();
                for block in batch.iter_mut().filter(|block| embedded.contains(&block.id)) {
                    block.embedding_model = Some(embedder.name().to_owned());
                }
            }
            done += batch.len();
            vectors.extend(fresh);
            dream.tell(Progress::Done(done));
        }
        Ok(vectors)
    }

    /// Stores vectors of blocks that still exist, and locks the memory to the model that made them.
    pub(crate) fn store_vectors(&self, embedder: &dyn Embedder, vectors: &[(BlockId, Vec<f32>)]) -> Result<()> {
        let at = self.options.clock.now();
        self.store().write(&self.options.view, |transaction: &mut dyn Transaction| -> Result<()> {
            crate::models::refuse_other_model(&*transaction, embedder)?;
            transaction.set_config(MODEL_LOCK, embedder.name())?;
            transaction.set_config(DIMENSIONS_LOCK, &embedder.dimensions().to_string())?;
            let mut stored = 0;
            let ids: Vec<BlockId> = vectors.iter().map(|(id, _)| id.clone()).collect();
            let known = transaction.get_statuses(&ids)?;
            for (id, vector) in vectors.iter().filter(|(id, _)| known.contains_key(id)) {
                transaction.set_embedding(id, embedder.name(), vector)?;
                stored += 1;
            }
            transaction.describe(JournalHeader {
                at,
                active_hours: transaction.get_total_active_hours()?,
                session: self.running().current.clone(),
                actor: self.options.actor.clone(),
                operation: OperationKind::Embed,
                summary: format!("Embedded {} with {}.", counted(stored as u64, "block"), embedder.name()),
            });
            Ok(())
        })
    }
}

/// Returns the nearest active blocks and earlier inbox blocks of each inbox block, and how close each is to the self.
pub(super) fn find_candidates(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    inbox: &[Block],
    vectors: &HashMap<BlockId, Vec<f32>>,
    profile: SimilarityProfile,
    edges: EdgeRule,
) -> Result<(Candidates, Selves)> {
    // In a dry run the vectors are not stored: they are added to a clone of the index.
    let missing: Vec<&BlockId> = inbox.iter().map(|block| &block.id).filter(|id| !index.vectors.contains(id)).collect();
    let added = missing.into_iter().filter_map(|id| Some((id, vectors.get(id)?)));
    let mut with_inbox = None;
    for (id, vector) in added {
        let _ = with_inbox.get_or_insert_with(|| index.clone()).vectors.insert(id, vector);
    }
    search(snapshot, with_inbox.as_ref().unwrap_or(index), inbox, vectors, profile, edges)
}

fn search(
    snapshot: &dyn Snapshot,
    index: &MemoryIndex,
    inbox: &[Block],
    vectors: &HashMap<BlockId, Vec<f32>>,
    profile: SimilarityProfile,
    edges: EdgeRule,
) -> Result<(Candidates, Selves)> {
    let order: HashMap<&BlockId, usize> = inbox.iter().enumerate().map(|(at, block)| (&block.id, at)).collect();
    let waiting: HashSet<BlockId> = snapshot.get_inbox_ids()?.into_iter().collect();
    let embedded: Vec<(usize, &[f32])> = inbox
        .iter()
        .enumerate()
        .filter(|(_, block)| index.vectors.contains(&block.id))
        .filter_map(|(at, block)| Some((at, vectors.get(&block.id)?.as_slice())))
        .collect();
    let queries: Vec<&[f32]> = embedded.iter().map(|(_, vector)| *vector).collect();
    // A block is compared with active blocks and with those that came before it in the batch.
    let contenders = contenders_of_each(&index.vectors, &queries, &|query, id| match order.get(id) {
        Some(position) => *position < embedded[query].0,
        None => !waiting.contains(id),
    })?;
    let mut compared: Vec<u32> = contenders.iter().flatten().copied().collect();
    compared.sort_unstable();
    compared.dedup();
    index.full_vectors(snapshot, compared)?;
    let near = queries
        .iter()
        .zip(contenders)
        .map(|(query, contenders)| index.vectors.nearest_among(query, &contenders, MAX_NEIGHBOURS))
        .collect::<std::result::Result<Vec<_>, IndexError>>()?;
    let lowest = lowest_cosine(profile, edges);
    let mut candidates: Candidates = vec![Vec::new(); inbox.len()];
    let mut wanted: Vec<BlockId> = Vec::new();
    for ((at, _), neighbours) in embedded.iter().zip(near) {
        let near_enough = neighbours.into_iter().enumerate().filter(|(rank, neighbour)| {
            neighbour.cosine >= if *rank < JUDGED { lowest.min(LOWEST_COMPARED) } else { lowest }
        });
        for (rank, neighbour) in near_enough {
            // Only the nearest are compared word by word; of the others nothing but the id matters.
            if rank < JUDGED && !order.contains_key(&neighbour.id) {
                wanted.push(neighbour.id.clone());
            }
            let seen = Seen { id: neighbour.id, content: String::new() };
            let trusted = index.slot(&seen.id).is_some_and(|slot| index.is_trusted(slot));
            candidates[*at].push(PairCandidate { seen, cosine: neighbour.cosine, mergeable: true, trusted });
        }
    }
    wanted.sort();
    wanted.dedup();
    let texts: HashMap<BlockId, BlockText> =
        snapshot.get_texts(&wanted)?.into_iter().map(|text| (text.id.clone(), text)).collect();
    for candidate in candidates.iter_mut().flat_map(|near| near.iter_mut().take(JUDGED)) {
        let id = &candidate.seen.id;
        let of_inbox = order.get(id).map(|at| (&inbox[*at].content, &inbox[*at].category));
        let stored = || texts.get(id).map(|text| (&text.content, &text.category));
        if let Some((content, category)) = of_inbox.or_else(stored) {
            candidate.seen.content.clone_from(content);
            candidate.mergeable = category.as_str() != "message";
        }
    }
    Ok((candidates, selves(snapshot, index, inbox)?))
}

/// Returns the cosine below which two blocks are neither compared nor connected. Pairs that differ in one place only are
/// judged well below the prefilter.
pub(super) fn lowest_cosine(profile: SimilarityProfile, edges: EdgeRule) -> f64 {
    (profile.contradiction_prefilter - ONE_PLACE_MARGIN).min(edges.min_cosine())
}

/// What may be among the nearest neighbours of many vectors, the work shared by the cores.
fn contenders_of_each(
    index: &VectorIndex,
    queries: &[&[f32]],
    filter: &(dyn Fn(usize, &BlockId) -> bool + Sync),
) -> Result<Vec<Vec<u32>>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let fewest = WORTH_A_THREAD.div_ceil(index.len().max(1));
    let share = queries.len().div_ceil(threads).max(fewest);
    let parts: Vec<std::result::Result<Vec<Vec<u32>>, IndexError>> = std::thread::scope(|scope| {
        let running: Vec<_> = queries
            .chunks(share)
            .enumerate()
            .map(|(part, chunk)| {
                let allowed = move |query: usize, id: &BlockId| filter(part * share + query, id);
                scope.spawn(move || index.contenders(chunk, MAX_NEIGHBOURS, allowed))
            })
            .collect();
        running.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut near = Vec::with_capacity(queries.len());
    for part in parts {
        near.extend(part?);
    }
    Ok(near)
}

/// The blocks about the agent, and how close each inbox block is to the closest of them.
fn selves(snapshot: &dyn Snapshot, index: &MemoryIndex, inbox: &[Block]) -> Result<Selves> {
    let blocks = self_blocks(snapshot)?;
    if !blocks.is_empty() {
        let compared: Vec<u32> = blocks.iter().chain(inbox).filter_map(|block| index.slot(&block.id)).collect();
        index.full_vectors(snapshot, compared)?;
    }
    let closest = |block: &Block| {
        let cosines = blocks.iter().filter_map(|own| index.vectors.cosine(&block.id, &own.id));
        cosines.reduce(f64::max)
    };
    Ok(Selves { text: self_text(&blocks), similarity: inbox.iter().map(closest).collect() })
}

/// Active blocks about the agent itself.
pub(super) fn self_blocks(snapshot: &dyn Snapshot) -> Result<Vec<Block>> {
    Ok(snapshot.list_blocks(&BlockQuery {
        status: Some(BlockStatus::Active),
        tag_pattern: Some("self/%".to_owned()),
        ..BlockQuery::default()
    })?)
}

/// The self as an analyst is shown it, the oldest blocks first, as many as fit a bearable length.
pub(super) fn self_text(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        if text.len() + block.content.len() > SELF_TEXT {
            continue;
        }
        text.push_str("- ");
        text.push_str(&block.content);
        text.push('\n');
    }
    text
}
