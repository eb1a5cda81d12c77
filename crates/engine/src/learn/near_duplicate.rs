//! Near-duplicates at the time of learning: a text that says what a stored block says in almost the same words takes its
//! place at once (`near_duplicate_superseded` of seed 001).
//!
//! No model is asked, so only the words decide: the rules of [`elfmem_text::pairs`] must find nothing but cosmetic
//! differences. A number, a name, a negation or another attribute keeps both, and `dream` compares them by meaning. The
//! reasons are in `docs/decisions/0031-near-duplicates-at-learn.md`.

use std::cmp::Reverse;

use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_store::{Snapshot, Transaction};
use elfmem_text::terms::query_terms;

use super::CheckedLearn;
use crate::Result;
use crate::echo::EchoCandidate;
use crate::moment::Moment;

/// Longest text, in bytes, that is compared. The time of a comparison grows with the square of the length.
const MAX_BYTES: usize = 1_000;
/// Fewest words of a text that can be told to have the same subject as another.
const MIN_WORDS: usize = 3;
/// How many of its longest words are looked up at most, how many of them both texts must hold, and the most holders of one of them:
/// words that more blocks hold say too little about which block is meant. A word that no block holds ends the search, so that a
/// new text costs one look-up.
const LOOKED_UP: usize = 4;
const SHARED: usize = 2;
const MAX_HOLDERS: usize = 32;

/// Returns the block that a new text says again in other words, if it may take its place.
pub(super) fn near_duplicate_of(
    transaction: &dyn Transaction,
    moment: &Moment,
    new: &CheckedLearn,
) -> Result<Option<Block>> {
    if new.category.as_str() == "message" || new.origin.document.is_some() || new.content.len() > MAX_BYTES {
        return Ok(None);
    }
    let candidates = holders_of_rare_words(transaction, &new.content)?;
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

/// Returns the blocks that hold the longest words of a text, of those that few blocks hold. A text that says the same in almost the
/// same words holds them too; every other block would be read and compared in vain, the more of them the longer a memory is used.
fn holders_of_rare_words(snapshot: &(impl Snapshot + ?Sized), text: &str) -> Result<Vec<BlockId>> {
    let mut words = query_terms(text);
    if words.len() < MIN_WORDS {
        return Ok(Vec::new());
    }
    words.sort_by_cached_key(|word| (Reverse(word.chars().count()), word.clone()));
    words.truncate(LOOKED_UP);
    Ok(snapshot.get_common_holders(&words, SHARED, MAX_HOLDERS)?)
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
