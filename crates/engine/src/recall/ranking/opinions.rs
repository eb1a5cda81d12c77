//! What the model of pairs says about two candidates of an answer.
//!
//! The model is never called while the store is read. A request notes the pairs that it would like to know about; they are
//! judged between two reads, and the request runs again. Blocks are named by their content, so an opinion never becomes
//! outdated, and asking for the same notes again costs nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem_core::{Block, BlockId};
use elfmem_models::PairJudge;
use elfmem_store::Store;
use elfmem_text::statements::PairProbabilities;

use crate::Result;
use crate::memory::Memory;

/// Opinions that are kept at most.
const MAX_CACHED: usize = 16_384;
/// Pairs that are judged for one request at most.
const MAX_ASKED: usize = 4;
/// Longer texts tell of many things, in bytes.
const MAX_TEXT: usize = 600;

/// An older and a newer block.
type Pair = [BlockId; 2];

/// The opinions that this process knows. All are forgotten when there are too many.
#[derive(Debug, Default)]
pub(crate) struct PairOpinions(Mutex<HashMap<Pair, Option<PairProbabilities>>>);

impl PairOpinions {
    fn get(&self, pair: &Pair) -> Option<Option<PairProbabilities>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(pair).copied()
    }

    fn put(&self, found: impl Iterator<Item = (Pair, Option<PairProbabilities>)>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_CACHED {
            known.clear();
        }
        known.extend(found);
    }
}

/// A pair that nobody has judged yet, with its texts.
#[derive(Debug)]
struct OpenPair {
    pair: Pair,
    texts: [String; 2],
    cosine: f64,
}

/// The opinions that one request can use, and the pairs that it asks for.
pub(in crate::recall) struct RequestOpinions<'a> {
    known: &'a PairOpinions,
    judge: Option<Arc<dyn PairJudge>>,
    open: RefCell<Vec<OpenPair>>,
}

impl<'a> RequestOpinions<'a> {
    /// Returns the opinion on an older and a newer block with some cosine. An unknown one is asked for, so that it is known
    /// when the request runs again.
    pub(in crate::recall) fn of(&self, older: &Block, newer: &Block, cosine: f64) -> Option<PairProbabilities> {
        self.judge.as_ref()?;
        if older.content.len().max(newer.content.len()) > MAX_TEXT {
            return None;
        }
        let pair = [older.id.clone(), newer.id.clone()];
        if let Some(known) = self.known.get(&pair) {
            return known;
        }
        let mut open = self.open.borrow_mut();
        if open.iter().all(|one| one.pair != pair) {
            open.push(OpenPair { pair, texts: [older.content.clone(), newer.content.clone()], cosine });
        }
        None
    }

    /// Returns true if the request asked for opinions that are not known yet.
    pub(in crate::recall) fn are_open(&self) -> bool {
        !self.open.borrow().is_empty()
    }
}

impl<S: Store> Memory<S> {
    /// Returns what a request can know of pairs.
    pub(in crate::recall) fn request_opinions(&self) -> Result<RequestOpinions<'_>> {
        let judge = self.options.models.pair_judge()?.filter(|judge| judge.is_local());
        Ok(RequestOpinions { known: &self.pair_opinions, judge, open: RefCell::default() })
    }

    /// Judges the nearest of the pairs that a request asked for. Returns true if there were any. Those that the model cannot
    /// read count as judged without a result.
    pub(in crate::recall) fn judge_open_pairs(&self, opinions: &RequestOpinions<'_>) -> bool {
        let (Some(judge), mut open) = (&opinions.judge, opinions.open.take()) else { return false };
        open.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
        open.truncate(MAX_ASKED);
        let texts: Vec<[&str; 2]> = open.iter().map(|one| one.texts.each_ref().map(String::as_str)).collect();
        let mut found = if texts.is_empty() { Vec::new() } else { judge.judge(&texts).unwrap_or_default() };
        found.resize(open.len(), None);
        let any = !open.is_empty();
        self.pair_opinions.put(open.into_iter().map(|one| one.pair).zip(found));
        any
    }
}
