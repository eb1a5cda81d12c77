//! The inverted index.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use elfmem_text::bm25::{FieldWeights, TermFields};
use elfmem_text::language::language_mark;

use super::postings::{FieldCounts, Frequencies, Postings};
use super::prepared::PreparedQuery;
use super::query::WordQuery;

/// The length that marks a slot without a block.
const NO_BLOCK: u32 = u32::MAX;

type Lists = HashMap<Box<str>, Arc<Postings>>;

/// Finds blocks by their words: BM25 over text, cue and tags, on the absolute scale of `elfmem_text::bm25`.
///
/// The lengths of all blocks are known from the start. The posting list of a word is loaded when a query first needs it
/// ([`prepare`](Self::prepare)), through a shared reference; a program that answers one question does not read the words
/// of a whole memory. From then on [`insert`](Self::insert) and [`remove`](Self::remove) keep the list up to date.
///
/// Scores equal those of [`Bm25`](elfmem_text::bm25::Bm25) for the same blocks. They do not depend on the order in
/// which blocks were inserted or words were loaded. A word counts as held whichever field holds it.
///
/// A clone shares the posting lists until one of the two changes them. Lists that are loaded later belong to one of the
/// two only, because the blocks may differ by then.
#[derive(Debug)]
pub struct WordIndex {
    frequencies: Arc<Frequencies>,
    lists: RwLock<Lists>,
    /// By slot. Shared with prepared queries, which read it once for every posting.
    lengths: Arc<Vec<u32>>,
    documents: u64,
    total_length: u64,
}

impl Default for WordIndex {
    fn default() -> Self {
        Self::new(FieldWeights::default())
    }
}

impl Clone for WordIndex {
    fn clone(&self) -> Self {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (frequencies, lengths) = (Arc::clone(&self.frequencies), Arc::clone(&self.lengths));
        let &Self { documents, total_length, .. } = self;
        Self { frequencies, lists: RwLock::new(lists), lengths, documents, total_length }
    }
}

impl WordIndex {
    /// Creates an empty index with the given weights of the fields.
    pub fn new(weights: FieldWeights) -> Self {
        let frequencies = Arc::new(Frequencies::new(weights));
        let (lists, lengths) = (RwLock::default(), Arc::default());
        Self { frequencies, lists, lengths, documents: 0, total_length: 0 }
    }

    /// Makes room for the lengths of some blocks.
    pub fn reserve(&mut self, blocks: usize) {
        Arc::make_mut(&mut self.lengths).reserve_exact(blocks);
    }

    /// Returns how many blocks there are.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns the mean length of a block; zero when there are none.
    pub fn mean_length(&self) -> f64 {
        if self.documents == 0 { 0.0 } else { self.total_length as f64 / self.documents as f64 }
    }

    /// Returns whether a block is in the index.
    pub fn contains(&self, slot: u32) -> bool {
        self.lengths.get(slot as usize).is_some_and(|length| *length != NO_BLOCK)
    }

    /// Looks up the words of a query, so that blocks can be scored without the index.
    ///
    /// `load` returns the blocks that hold a word, and how often in text, cue and tags. It is called for words that are
    /// not loaded yet. Blocks without a length are ignored.
    ///
    /// # Errors
    /// Those of `load`.
    pub fn prepare<E>(
        &self,
        query: &WordQuery,
        mut load: impl FnMut(&str) -> Result<Vec<(u32, FieldCounts)>, E>,
    ) -> Result<PreparedQuery, E> {
        let mut found = Vec::with_capacity(query.words().len());
        for word in query.words() {
            let mut lists = Vec::with_capacity(word.terms.len());
            for term in &word.terms {
                // A question has stems in all languages, and most memories hold blocks of one.
                if let Some(mark) = language_mark(term)
                    && self.list(mark, &mut load)?.live() == 0
                {
                    continue;
                }
                let postings = self.list(term, &mut load)?;
                if postings.live() > 0 {
                    lists.push(postings);
                }
            }
            let postings = match lists.as_slice() {
                [] => Arc::default(),
                [only] => Arc::clone(only),
                several => Arc::new(Postings::joined(several)),
            };
            found.push((word, postings));
        }
        let (frequencies, lengths) = (Arc::clone(&self.frequencies), Arc::clone(&self.lengths));
        Ok(PreparedQuery::new(found, frequencies, lengths, self.documents, self.mean_length()))
    }

    /// Returns the posting list of a term, loaded if it is not yet.
    fn list<E>(
        &self,
        term: &str,
        load: &mut impl FnMut(&str) -> Result<Vec<(u32, FieldCounts)>, E>,
    ) -> Result<Arc<Postings>, E> {
        let known = self.lists.read().unwrap_or_else(PoisonError::into_inner).get(term).cloned();
        match known {
            Some(postings) => Ok(postings),
            None => Ok(self.add(term, load(term)?)),
        }
    }

    /// Adds a loaded posting list; returns the one that is there if another thread was faster.
    fn add(&self, word: &str, mut holding: Vec<(u32, FieldCounts)>) -> Arc<Postings> {
        holding.retain(|(slot, _)| self.contains(*slot));
        holding.sort_unstable();
        let mut postings = Postings::default();
        for (slot, counts) in holding {
            postings.add(slot, counts);
        }
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lists.entry(word.into()).or_insert_with(|| Arc::new(postings)))
    }

    /// Drops all posting lists, when more changed than is worth following. Lengths stay.
    pub fn unload(&mut self) {
        self.lists_mut().clear();
    }

    /// Adds a block by its length alone, in the place of what the slot held.
    pub fn insert_length(&mut self, slot: u32, length: u32) {
        self.remove(slot);
        let (at, length) = (slot as usize, length.min(NO_BLOCK - 1));
        let lengths = Arc::make_mut(&mut self.lengths);
        if at >= lengths.len() {
            if at >= lengths.capacity() {
                // Doubling would leave up to half of it unused.
                lengths.reserve_exact(at + 1 + at / 16 - lengths.len());
            }
            lengths.resize(at + 1, NO_BLOCK);
        }
        lengths[at] = length;
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    /// Adds a block in the place of what the slot held.
    ///
    /// Cost: a search for every word. A slot that is not the highest so far may also move parts of posting lists.
    pub fn insert(&mut self, slot: u32, fields: &TermFields) {
        self.insert_length(slot, fields.length());
        let mut counts: HashMap<&str, FieldCounts> = HashMap::new();
        for (field, terms) in [&fields.content, &fields.cue, &fields.tags].into_iter().enumerate() {
            terms.iter().for_each(|term| counts.entry(&term.text).or_default()[field] += 1);
        }
        let lists = self.lists_mut();
        for (word, counts) in counts {
            if let Some(postings) = lists.get_mut(word) {
                Arc::make_mut(postings).add(slot, counts);
            }
        }
    }

    /// Removes a block; returns whether it was there. Cost: a search in every loaded posting list.
    pub fn remove(&mut self, slot: u32) -> bool {
        if !self.contains(slot) {
            return false;
        }
        for postings in self.lists_mut().values_mut().filter(|postings| postings.holds(slot)) {
            Arc::make_mut(postings).remove(slot);
        }
        let length = std::mem::replace(&mut Arc::make_mut(&mut self.lengths)[slot as usize], NO_BLOCK);
        self.documents -= 1;
        self.total_length -= u64::from(length);
        true
    }

    /// Returns the size on the heap, without what the allocator adds.
    pub fn bytes(&self) -> usize {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        let entries = lists.iter().map(|(word, postings)| word.len() + size_of::<Postings>() + postings.bytes());
        lists.capacity() * size_of::<(Box<str>, Arc<Postings>)>()
            + entries.sum::<usize>()
            + self.lengths.capacity() * size_of::<u32>()
    }

    fn lists_mut(&mut self) -> &mut Lists {
        self.lists.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
