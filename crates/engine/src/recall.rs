//! `recall`: what the memory holds about a question, found by its words.

use elfmem_core::lexical::{Bm25, FieldWeights, Fields};
use elfmem_core::results::{RecallResult, ScoredBlock};
use elfmem_core::text::query_terms;
use elfmem_core::{Block, BlockId};
use elfmem_store::{Snapshot, Store};

use crate::Result;
use crate::memory::Memory;

/// Candidates that are weighed exactly, for each block asked for.
const CANDIDATES_PER_RESULT: u32 = 8;
/// Never fewer than this many.
const FEWEST_CANDIDATES: u32 = 64;
/// Different words of a question that are searched for; a longer question is a text, and its first words tell its topic.
const MOST_WORDS: usize = 128;

impl<S: Store> Memory<S> {
    /// Finds the blocks that answer a question best, inbox blocks included.
    ///
    /// USE WHEN: you need what was stored about something. COST: fast, no model. RETURNS: [`RecallResult`], best first;
    /// when nothing fits, `message` says why and what to do. NEXT: use the ids with other verbs.
    pub fn recall(&self, query: &str, top_k: usize) -> Result<RecallResult> {
        let result = self.read(|snapshot| recall_by_words(snapshot, query, top_k))?;
        let ids: Vec<BlockId> = result.blocks.iter().map(|block| block.id.clone()).collect();
        // Counting the use must not stand between a reader and a memory that can only be read.
        let counted = self.change("recall", |_, _| Ok(result.to_string()));
        if let Err(error) = counted {
            let at = self.options.clock.now();
            self.running().history.record("recall", format!("{result} (not counted: {})", error.message()), at);
        }
        self.running().breadcrumbs.recalled(ids);
        Ok(result)
    }
}

fn recall_by_words(snapshot: &dyn Snapshot, query: &str, top_k: usize) -> Result<RecallResult> {
    let mut words = query_terms(query);
    words.truncate(MOST_WORDS);
    let wanted = u32::try_from(top_k).unwrap_or(u32::MAX).saturating_mul(CANDIDATES_PER_RESULT).max(FEWEST_CANDIDATES);
    let matches = snapshot.search_words(&words, wanted)?;
    let bm25 = Bm25::new(&words, &matches.corpus, FieldWeights::default());
    let mut blocks: Vec<ScoredBlock> =
        snapshot.get_blocks(&matches.candidates)?.into_iter().map(|block| scored(block, &bm25)).collect();
    blocks.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| b.created_at.cmp(&a.created_at)).then_with(|| a.id.cmp(&b.id))
    });
    blocks.truncate(top_k);
    let message = if blocks.is_empty() { Some(why_nothing(snapshot, &words, top_k)?) } else { None };
    Ok(RecallResult { query: query.to_owned(), blocks, message })
}

fn scored(block: Block, bm25: &Bm25) -> ScoredBlock {
    let lexical = bm25.score(&Fields::of(&block));
    ScoredBlock {
        id: block.id,
        content: block.content,
        score: lexical.score,
        status: block.status,
        category: block.category,
        tags: block.tags,
        created_at: block.created_at,
        matched: lexical.matched,
    }
}

/// Says why an answer is empty and what to do about it.
fn why_nothing(snapshot: &dyn Snapshot, words: &[String], top_k: usize) -> Result<String> {
    let counts = snapshot.get_block_counts()?;
    let blocks = counts.inbox + counts.active;
    Ok(if blocks == 0 {
        "Nothing is stored yet. Remember something first, then ask again.".to_owned()
    } else if words.is_empty() {
        "The question has no words to search for. Ask with at least one word.".to_owned()
    } else if top_k == 0 {
        "No blocks were asked for. Ask for at least one.".to_owned()
    } else {
        let shown: Vec<String> = words.iter().take(8).map(|word| format!("'{word}'")).collect();
        let noun = if blocks == 1 { "block" } else { "blocks" };
        format!(
            "None of the {blocks} {noun} holds a word of the question ({}). Ask with other words, or look through \
             them with ls.",
            shown.join(", "),
        )
    })
}
