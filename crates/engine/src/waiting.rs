//! Vectors of blocks that have none yet: computed when a recall first meets them, and while a server is idle.
//!
//! A block is found by words as soon as it is stored. Its vector is computed outside any lock and transaction, for a bounded
//! time, added to the index of this process and stored. What is left waits for the next recall, an idle moment or a dream.

use std::time::{Duration, Instant};

use elfmem_core::BlockId;
use elfmem_models::Embedder;
use elfmem_store::{BlockText, Snapshot, Store};

use crate::Result;
use crate::memory::Memory;
use crate::memory_index::MemoryIndex;
use crate::models::{LocalEmbedder, VectorModel, local_embedder};
use crate::trace;

/// Default time that one recall spends on blocks that have no vector yet.
pub(crate) const RECALL_TIME: Duration = Duration::from_millis(50);
/// Most blocks that are read at a time.
const MAX_READ: usize = 4096;
/// Share of the time that the first batch may take, because nothing is measured yet.
const FIRST_SHARE: f64 = 0.25;

/// Blocks that have no vector, with what embeds them.
pub(crate) struct WaitingBlocks {
    local: LocalEmbedder,
    model: VectorModel,
    /// The shortest first.
    texts: Vec<BlockText>,
}

/// Vectors that were computed and should be stored.
pub(crate) struct FreshVectors {
    local: LocalEmbedder,
    vectors: Vec<(BlockId, Vec<f32>)>,
    /// Blocks that were tried. Not every text has a vector.
    tried: usize,
}

/// Result of [`Memory::embed_waiting`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EmbeddedBlocks {
    /// Blocks that were tried.
    pub embedded: usize,
    /// Blocks that still have no vector and can be embedded on this machine.
    pub waiting: usize,
}

/// Says how many blocks have no vector; nothing if all have one.
pub(crate) fn waiting_note(waiting: usize) -> Option<String> {
    match waiting {
        0 => None,
        1 => Some("1 block has no vector yet and was searched by words alone.".to_owned()),
        count => Some(format!("{count} blocks have no vector yet and were searched by words alone.")),
    }
}

impl<S: Store> Memory<S> {
    /// Embeds blocks that have no vector yet and stores the vectors: what a recall would do first, at a moment when nobody
    /// waits. Takes about `time`; a longer text is embedded all the same if it is the first.
    ///
    /// Only models that run on this machine are used. With others, `dream` embeds.
    ///
    /// # Errors
    /// A memory that cannot be read. One that cannot be written keeps the vectors for this process.
    pub fn embed_waiting(&self, time: Duration) -> Result<EmbeddedBlocks> {
        let waiting = self.read_indexed(|snapshot, index| self.waiting_blocks(snapshot, index))?;
        let Some(mut waiting) = waiting else { return Ok(EmbeddedBlocks::default()) };
        let shortest = waiting.texts.first().map_or(0, |text| text.content.len());
        waiting.local.pace = waiting.local.pace.max(shortest as f64 / milliseconds(time).max(1.0) / FIRST_SHARE);
        let fresh = self.embed_waiting_blocks(waiting, time);
        let embedded = fresh.tried;
        self.store_fresh_vectors(fresh);
        let waiting = self.read_indexed(|_, index| Ok(index.waiting().len()))?;
        Ok(EmbeddedBlocks { embedded, waiting })
    }

    /// Returns blocks of an index that have no vector, if there are any and this machine can embed them.
    pub(crate) fn waiting_blocks(&self, snapshot: &dyn Snapshot, index: &MemoryIndex) -> Result<Option<WaitingBlocks>> {
        let ids = index.waiting();
        let Some(model) = index.model().filter(|_| !ids.is_empty()) else { return Ok(None) };
        let Some(local) = local_embedder(&self.options.models.embedder, Some(model)) else { return Ok(None) };
        let mut texts = snapshot.get_texts(&ids[..ids.len().min(MAX_READ)])?;
        texts.sort_by(|a, b| a.content.len().cmp(&b.content.len()).then_with(|| a.id.cmp(&b.id)));
        Ok((!texts.is_empty()).then(|| WaitingBlocks { local, model: model.clone(), texts }))
    }

    /// Computes vectors for about `time`, without any lock, and adds them to the index. A failure leaves the blocks waiting:
    /// words find them.
    pub(crate) fn embed_waiting_blocks(&self, waiting: WaitingBlocks, time: Duration) -> FreshVectors {
        let WaitingBlocks { local, model, texts } = waiting;
        let made = embed_within(&*local.embedder, &texts, local.pace, time);
        if let Err(error) = self.publish_vectors(&model, &made) {
            trace::upkeep_failed("vectors", error.kind().as_str());
        }
        let tried = made.len();
        let vectors = made.into_iter().filter_map(|(id, vector)| Some((id, vector?))).collect();
        FreshVectors { local, vectors, tried }
    }

    /// Stores vectors, so that the next process need not compute them again. A memory that cannot be written answers all
    /// the same.
    pub(crate) fn store_fresh_vectors(&self, fresh: FreshVectors) {
        let FreshVectors { local, vectors, .. } = fresh;
        if vectors.len() >= local.min_stored
            && let Err(error) = self.store_vectors(&*local.embedder, &vectors)
        {
            trace::upkeep_failed("vectors", error.kind().as_str());
        }
    }
}

/// Embeds texts in their order for about `time`. `pace` is a guess of the bytes that are embedded in a millisecond; it is
/// measured from the first batch on. A text that would take longer than what is left is not begun.
fn embed_within(
    embedder: &dyn Embedder,
    texts: &[BlockText],
    mut pace: f64,
    time: Duration,
) -> Vec<(BlockId, Option<Vec<f32>>)> {
    let (started, mut made, mut share) = (Instant::now(), Vec::new(), FIRST_SHARE);
    while made.len() < texts.len() {
        let left = pace * milliseconds(time.saturating_sub(started.elapsed()));
        let rest = &texts[made.len()..];
        let count = fitting(rest, left * share).max(usize::from(fitting(rest, left) > 0));
        if count == 0 {
            break;
        }
        let batch: Vec<&str> = rest[..count].iter().map(|text| text.content.as_str()).collect();
        let began = Instant::now();
        let vectors = match embedder.embed(&batch) {
            Ok(vectors) => vectors,
            Err(error) => {
                trace::upkeep_failed("vectors", error.code());
                break;
            }
        };
        made.extend(rest.iter().map(|text| text.id.clone()).zip(vectors));
        let bytes: usize = batch.iter().map(|text| text.len()).sum();
        pace = bytes as f64 / milliseconds(began.elapsed()).max(0.01);
        share = 1.0;
    }
    made
}

/// Returns how many texts have at most `bytes` bytes together.
fn fitting(texts: &[BlockText], bytes: f64) -> usize {
    let mut total = 0;
    texts
        .iter()
        .take_while(|text| {
            total += text.content.len();
            total as f64 <= bytes
        })
        .count()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
