//! Near-duplicates at the time of learning: a text that says what a stored block says in almost the same words takes its
//! place at once (`near_duplicate_superseded` of seed 001).
//!
//! No model is asked, so only the words decide: the rules of [`elfmem_text::pairs`] must find nothing but cosmetic
//! differences. A number, a name, a negation or another attribute keeps both, and `dream` compares them by meaning. The
//! reasons are in `docs/decisions/0031-near-duplicates-at-learn.md`.

use elfmem_core::{Block, BlockStatus};
use elfmem_store::Transaction;
use elfmem_text::terms::rarest_terms;

use super::CheckedLearn;
use crate::Result;
use crate::echo::EchoCandidate;
use crate::moment::Moment;

/// Longest text, in bytes, that is compared. The time of a comparison grows with the square of the length.
const MAX_BYTES: usize = 1_000;
/// Fewest words of a text that can be told to have the same subject as another.
const MIN_WORDS: usize = 3;
/// How many of its rarest words are looked up at most, and the most holders of one of them: a word that more blocks hold says too
/// little about which block is meant.
const LOOKED_UP: usize = 4;
const MAX_HOLDERS: usize = 32;
/// So few blocks are compared rather than made fewer by a further look-up, which costs as much.
const COMPARED: usize = 6;

/// Returns the block that a new text says again in other words, if it may take its place.
pub(super) fn near_duplicate_of(
    transaction: &dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
) -> Result<Option<Block>> {
    if new.category.as_str() == "message" || new.origin.document.is_some() || new.content.len() > MAX_BYTES {
        return Ok(None);
    }
    let terms = rarest_terms(&new.content, LOOKED_UP);
    if terms.len() < MIN_WORDS {
        return Ok(None);
    }
    // A text that says the same in almost the same words holds its numbers, its names and its longest words too.
    let candidates = transaction.get_common_holders(&terms, MAX_HOLDERS, COMPARED)?;
    let candidate = EchoCandidate::new(&new.content);
    for text in transaction.get_texts(&candidates)? {
        if text.category == new.category && text.content.len() <= MAX_BYTES && candidate.repeats(&text.content) {
            let old = transaction.get_block(&text.id)?.filter(|old| may_be_replaced(old, moment, new));
            if old.is_some() {
                return Ok(old);
            }
        }
    }
    Ok(None)
}

/// Whether a block may give way without a dream: it is no part of a document, nobody pinned it, it tells of the same time, and
/// both or neither are trusted.
fn may_be_replaced(old: &Block, moment: &Moment, new: &CheckedLearn) -> bool {
    old.status != BlockStatus::Archived
        && old.brought_by.document.is_none()
        && !old.pinned
        && old.event_at == new.event_at
        && moment.trust.trust_of(old) == new.trust(moment)
}
