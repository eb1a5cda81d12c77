//! The inverted index.

use elfmem_text::bm25::{B, FieldWeights, K1, TermFields};

use super::frequencies::{Counts, Frequencies, NEVER};
use super::postings::Postings;
use super::query::WordQuery;
use super::scores::WordScores;
use crate::names::Names;
use crate::room::widen;

/// The length that marks a slot without a block.
const NO_BLOCK: u32 = u32::MAX;

/// Finds blocks by their words: BM25 over text, cue and tags, on the absolute scale of `elfmem_text::bm25`.
///
/// Every block is known by its length from the start, but which blocks hold a word is told when the word is first asked
/// about ([`load`](Self::load)): a program that answers one question should not read the words of a whole memory. From
/// then on the list is kept in step by [`insert`](Self::insert) and [`remove`](Self::remove).
///
/// Scores equal those of [`Bm25`](elfmem_text::bm25::Bm25) for the same blocks, and do not depend on the order in
/// which blocks came or words were loaded. A word counts as held whichever field holds it.
#[derive(Debug, Clone)]
pub struct WordIndex {
    /// The words that were loaded.
    vocabulary: Names,
    /// By word number.
    postings: Vec<Postings>,
    frequencies: Frequencies,
    /// By slot.
    lengths: Vec<u32>,
    documents: u64,
    total_length: u64,
}

impl Default for WordIndex {
    fn default() -> Self {
        Self::new(FieldWeights::default())
    }
}

impl WordIndex {
    /// An empty index whose fields count as given.
    pub fn new(weights: FieldWeights) -> Self {
        Self {
            vocabulary: Names::new(),
            postings: Vec::new(),
            frequencies: Frequencies::new(weights),
            lengths: Vec::new(),
            documents: 0,
            total_length: 0,
        }
    }

    /// Makes room for the lengths of some blocks.
    pub fn reserve(&mut self, blocks: usize) {
        self.lengths.reserve_exact(blocks);
    }

    /// How many blocks there are.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// How long they are in the mean; zero when there are none.
    pub fn mean_length(&self) -> f64 {
        if self.documents == 0 { 0.0 } else { self.total_length as f64 / self.documents as f64 }
    }

    /// In how many blocks a word occurs.
    pub fn document_frequency(&self, word: &str) -> u64 {
        self.postings_of(word).map_or(0, |postings| u64::from(postings.live()))
    }

    /// Whether a block is here.
    pub fn contains(&self, slot: u32) -> bool {
        self.lengths.get(slot as usize).is_some_and(|length| *length != NO_BLOCK)
    }

    /// Whether it is known which blocks hold a word.
    pub fn is_loaded(&self, word: &str) -> bool {
        self.vocabulary.get(word).is_some()
    }

    /// Says which blocks hold a word, and how often in the text, the cue and the tags. Blocks without a length are left
    /// out. A word that is loaded already stays as it is.
    pub fn load(&mut self, word: &str, holding: impl IntoIterator<Item = (u32, Counts)>) {
        if self.is_loaded(word) {
            return;
        }
        let mut holding: Vec<(u32, Counts)> = holding.into_iter().filter(|(slot, _)| self.contains(*slot)).collect();
        holding.sort_unstable();
        let mut postings = Postings::default();
        for (slot, counts) in holding {
            postings.add(slot, self.frequencies.code(counts));
        }
        self.vocabulary.intern(word);
        self.postings.push(postings);
    }

    /// Forgets which blocks hold which words, for when more changed than is worth following. Lengths stay.
    pub fn unload(&mut self) {
        self.vocabulary = Names::new();
        self.postings = Vec::new();
    }

    /// Notes a block by its length alone, before any word was loaded.
    pub fn insert_length(&mut self, slot: u32, length: u32) {
        self.remove(slot);
        widen(&mut self.lengths, slot as usize, NO_BLOCK);
        let length = length.min(NO_BLOCK - 1);
        self.lengths[slot as usize] = length;
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    /// Puts a block in, in the place of what the slot held.
    ///
    /// Cost: a search for every word; a slot that is not the highest so far may also move parts of its words' lists.
    pub fn insert(&mut self, slot: u32, fields: &TermFields) {
        self.insert_length(slot, fields.length());
        for (word, counts) in self.counts(fields) {
            let code = self.frequencies.code(counts);
            self.postings[word as usize].add(slot, code);
        }
    }

    /// Takes a block out; false when it was not here. Cost: a search in the list of every loaded word.
    pub fn remove(&mut self, slot: u32) -> bool {
        if !self.contains(slot) {
            return false;
        }
        for postings in &mut self.postings {
            postings.remove(slot);
        }
        let length = std::mem::replace(&mut self.lengths[slot as usize], NO_BLOCK);
        self.documents -= 1;
        self.total_length -= u64::from(length);
        true
    }

    /// The scores of all blocks that hold a word of the query.
    pub fn score(&self, query: &WordQuery) -> WordScores {
        let mut scores = WordScores::new();
        self.score_into(query, &mut scores);
        scores
    }

    /// Like [`score`](Self::score), into a list that was used before: nothing is allocated.
    ///
    /// Cost: one pass over the blocks that hold each word.
    pub fn score_into(&self, query: &WordQuery, scores: &mut WordScores) {
        scores.prepare(self.lengths.len());
        let ideal: f64 = query.words().iter().map(|(word, weight)| weight * self.rarity(word)).sum();
        if ideal <= 0.0 {
            return;
        }
        let flat = K1 * (1.0 - B);
        let per_word = K1 * B / self.mean_length().max(1.0);
        let weighted = self.frequencies.weighted();
        let mut adder = scores.adder();
        for (word, weight) in query.words() {
            let Some(postings) = self.postings_of(word) else { continue };
            let share = weight * self.rarity(word) / ideal;
            for posting in postings.entries() {
                let slot = posting.slot();
                let frequency = weighted[posting.code as usize];
                let length = f64::from(self.lengths[slot as usize]);
                adder.add(slot, share * frequency / (frequency + flat + per_word * length));
            }
        }
    }

    /// The words of the query that a block holds, in the order of the query.
    pub fn matched<'q>(&self, slot: u32, query: &'q WordQuery) -> Vec<&'q str> {
        let weighted = self.frequencies.weighted();
        let holds = |word: &str| {
            let code = self.postings_of(word).map_or(NEVER, |postings| postings.code(slot));
            weighted[code as usize] > 0.0
        };
        query.words().iter().map(|(word, _)| word.as_str()).filter(|word| holds(word)).collect()
    }

    /// Bytes on the heap, without what the allocator adds.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes()
            + self.postings.capacity() * size_of::<Postings>()
            + self.postings.iter().map(Postings::bytes).sum::<usize>()
            + self.lengths.capacity() * size_of::<u32>()
    }

    /// Inverse document frequency, as in `elfmem_text::bm25`: how much a loaded word says.
    pub fn rarity(&self, word: &str) -> f64 {
        let (n, df) = (self.documents as f64, self.document_frequency(word) as f64);
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    }

    pub(super) fn postings_of(&self, word: &str) -> Option<&Postings> {
        self.vocabulary.get(word).map(|number| &self.postings[number as usize])
    }

    /// The length of a block; zero when it is not here.
    pub(super) fn length(&self, slot: u32) -> u32 {
        self.lengths.get(slot as usize).copied().filter(|length| *length != NO_BLOCK).unwrap_or(0)
    }

    /// How often a code says a word occurs, fields weighed.
    pub(super) fn frequency(&self, code: u16) -> f64 {
        self.frequencies.weighted()[code as usize]
    }

    /// How often each loaded word occurs in each field, in the order of the words' numbers.
    fn counts(&self, fields: &TermFields) -> Vec<(u32, Counts)> {
        let mut met: Vec<(u32, usize)> = Vec::with_capacity(fields.content.len());
        for (field, terms) in [&fields.content, &fields.cue, &fields.tags].into_iter().enumerate() {
            met.extend(terms.iter().filter_map(|term| Some((self.vocabulary.get(&term.text)?, field))));
        }
        met.sort_unstable();
        let mut counts: Vec<(u32, Counts)> = Vec::with_capacity(met.len());
        for (word, field) in met {
            if counts.last().is_none_or(|(last, _)| *last != word) {
                counts.push((word, [0; 3]));
            }
            if let Some((_, counts)) = counts.last_mut() {
                counts[field] += 1;
            }
        }
        counts
    }
}
