//! The blocks that hold one word.

use std::sync::Arc;

use elfmem_text::bm25::FieldWeights;

/// How often a word occurs in the text, the cue and the tags of one block.
pub type FieldCounts = [u32; 3];

/// The code of a posting whose block was removed: no count in any field.
const REMOVED: u16 = 0;
/// Numbers of small counts in text, cue and tags. Nearly all blocks hold a word a few times in the text.
const SMALL: FieldCounts = [64, 4, 4];
const SMALL_CODES: usize = (SMALL[0] * SMALL[1] * SMALL[2]) as usize;
/// Smallest number of postings that room is made for: what the smallest allocation holds anyway.
const MIN_ROOM: usize = 4;

/// One block that holds the word, in six bytes: the halves of its slot, because a `u32` would be padded to eight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    halves: [u16; 2],
    /// How often the block holds the word: small counts as [`small_code`], larger ones by position after those.
    pub(super) code: u16,
}

impl Posting {
    fn new(slot: u32, code: u16) -> Self {
        Self { halves: [slot as u16, (slot >> 16) as u16], code }
    }

    #[inline(always)]
    pub(super) fn slot(self) -> u32 {
        u32::from(self.halves[0]) | u32::from(self.halves[1]) << 16
    }
}

/// Returns the code of counts that are all small.
fn small_code(counts: FieldCounts) -> Option<u16> {
    let is_small = counts.iter().zip(SMALL).all(|(count, bound)| *count < bound);
    is_small.then(|| ((counts[0] * SMALL[1] + counts[1]) * SMALL[2] + counts[2]) as u16)
}

/// The weighted frequencies of counts.
#[derive(Debug)]
pub(super) struct Frequencies {
    weights: FieldWeights,
    /// Those of small counts, by code. They fit the fastest cache.
    small: [f64; SMALL_CODES],
}

impl Frequencies {
    pub(super) fn new(weights: FieldWeights) -> Self {
        let mut frequencies = Self { weights, small: [0.0; SMALL_CODES] };
        for content in 0..SMALL[0] {
            for cue in 0..SMALL[1] {
                for tags in 0..SMALL[2] {
                    let counts = [content, cue, tags];
                    if let Some(code) = small_code(counts) {
                        frequencies.small[code as usize] = frequencies.of(counts);
                    }
                }
            }
        }
        frequencies
    }

    fn of(&self, counts: FieldCounts) -> f64 {
        let [content, cue, tags] = counts.map(f64::from);
        self.weights.content * content + self.weights.cue * cue + self.weights.tags * tags
    }
}

/// All blocks that hold a word, in the order of their slots.
///
/// Removing a block marks its posting, which then counts for nothing. Marked postings are swept when they are a quarter
/// of the list. So a removal costs a search and not a move of half the list.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    entries: Vec<Posting>,
    /// How many entries are not marked as removed.
    live: u32,
    /// Counts too large for a code of their own, by the rest of their code. Nearly no word has any.
    #[expect(clippy::box_collection, reason = "eight bytes where a vector takes 24, in every list")]
    large: Option<Box<Vec<FieldCounts>>>,
}

impl Postings {
    /// Joins the lists of several terms that stand for one word. The counts of a block that holds several are added.
    pub(super) fn joined(lists: &[Arc<Self>]) -> Self {
        let entries = lists.iter().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
        let mut counted: Vec<(u32, FieldCounts)> = entries
            .filter(|(_, entry)| entry.code != REMOVED)
            .map(|(list, entry)| (entry.slot(), list.counts(*entry)))
            .collect();
        // Each list is in order already, which this sort makes use of.
        counted.sort_by_key(|(slot, _)| *slot);
        let mut joined = Self::default();
        for same in counted.chunk_by(|a, b| a.0 == b.0) {
            let mut sum = FieldCounts::default();
            for (_, counts) in same {
                sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
            }
            joined.add(same[0].0, sum);
        }
        joined
    }

    /// Returns the counts of a posting.
    fn counts(&self, posting: Posting) -> FieldCounts {
        let code = u32::from(posting.code);
        match (code as usize).checked_sub(SMALL_CODES) {
            None => [code / (SMALL[1] * SMALL[2]), code / SMALL[2] % SMALL[1], code % SMALL[2]],
            Some(at) => self.large.as_ref().and_then(|large| large.get(at)).copied().unwrap_or_default(),
        }
    }

    /// Returns how many blocks hold the word.
    pub(super) fn live(&self) -> u32 {
        self.live
    }

    /// Returns all entries, the removed ones too, whose frequency is zero.
    pub(super) fn entries(&self) -> &[Posting] {
        &self.entries
    }

    /// Returns how often a posting's block holds the word, with weighted fields.
    #[inline(always)]
    pub(super) fn weighted(&self, posting: Posting, frequencies: &Frequencies) -> f64 {
        match frequencies.small.get(posting.code as usize) {
            Some(weighted) => *weighted,
            None => self.weighted_large(posting.code, frequencies),
        }
    }

    #[cold]
    fn weighted_large(&self, code: u16, frequencies: &Frequencies) -> f64 {
        let at = code as usize - frequencies.small.len();
        self.large.as_ref().and_then(|large| large.get(at)).map_or(0.0, |counts| frequencies.of(*counts))
    }

    /// Returns how often a block holds the word, with weighted fields; zero when it does not.
    pub(super) fn frequency(&self, slot: u32, frequencies: &Frequencies) -> f64 {
        self.search(slot).map_or(0.0, |at| self.weighted(self.entries[at], frequencies))
    }

    /// Returns whether a block holds the word in any field, whatever the field weighs.
    pub(super) fn holds(&self, slot: u32) -> bool {
        self.search(slot).is_ok_and(|at| self.entries[at].code != REMOVED)
    }

    /// Adds a block that did not hold the word. Cheapest for the highest slot so far.
    pub(super) fn add(&mut self, slot: u32, counts: FieldCounts) {
        let code = self.code(counts);
        self.live += 1;
        let at = match self.entries.last() {
            Some(last) if last.slot() >= slot => self.search(slot),
            _ => Err(self.entries.len()),
        };
        match at {
            Ok(at) => self.entries[at].code = code,
            Err(at) => {
                if self.entries.len() == self.entries.capacity() {
                    // Doubling would leave a third of all room unused.
                    self.entries.reserve_exact((self.entries.len() / 4).max(MIN_ROOM));
                }
                self.entries.insert(at, Posting::new(slot, code));
            }
        }
    }

    /// Removes a block.
    pub(super) fn remove(&mut self, slot: u32) {
        let Ok(at) = self.search(slot) else { return };
        if std::mem::replace(&mut self.entries[at].code, REMOVED) == REMOVED {
            return;
        }
        self.live -= 1;
        if (self.entries.len() - self.live as usize) * 4 > self.entries.len() {
            self.entries.retain(|entry| entry.code != REMOVED);
            self.entries.shrink_to(self.entries.len() / 4 * 5);
        }
    }

    /// Returns the size on the heap.
    pub(super) fn bytes(&self) -> usize {
        let large = self.large.as_ref().map_or(0, |large| (large.capacity() + 2) * size_of::<FieldCounts>());
        self.entries.capacity() * size_of::<Posting>() + large
    }

    /// Returns the code of some counts. A list with tens of thousands of different large counts uses the last code for
    /// the rest.
    fn code(&mut self, counts: FieldCounts) -> u16 {
        if let Some(code) = small_code(counts) {
            return code;
        }
        let large = self.large.get_or_insert_default();
        let at = large.iter().position(|known| *known == counts).unwrap_or(large.len());
        let Some(code) = u16::try_from(SMALL_CODES + at).ok() else { return u16::MAX };
        if at == large.len() {
            large.push(counts);
        }
        code
    }

    fn search(&self, slot: u32) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&slot, |entry| entry.slot())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_history_lists_what_a_map_holds(
            steps in prop::collection::vec((0..50u32, prop_oneof![9 => 0..4u32, 1 => 60..1000u32]), 0..200),
        ) {
            let frequencies = Frequencies::new(FieldWeights { content: 1.0, cue: 1.0, tags: 0.5 });
            let (mut postings, mut model) = (Postings::default(), BTreeMap::<u32, f64>::new());
            for (slot, count) in steps {
                let slot = slot * 7919;
                if count == 0 {
                    postings.remove(slot);
                    model.remove(&slot);
                } else if let Entry::Vacant(place) = model.entry(slot) {
                    postings.add(slot, [count, 0, 1]);
                    place.insert(f64::from(count) + 0.5);
                }
                prop_assert_eq!(postings.live() as usize, model.len());
                prop_assert!(postings.entries().len() * 3 <= model.len() * 4);
            }
            let listed = postings.entries().iter().map(|e| (e.slot(), postings.weighted(*e, &frequencies)));
            let listed: Vec<(u32, f64)> = listed.filter(|(_, frequency)| *frequency > 0.0).collect();
            prop_assert_eq!(listed, model.clone().into_iter().collect::<Vec<_>>());
            for slot in (0..50).map(|slot| slot * 7919) {
                prop_assert_eq!(postings.frequency(slot, &frequencies), model.get(&slot).copied().unwrap_or(0.0));
                prop_assert_eq!(postings.holds(slot), model.contains_key(&slot));
            }
        }
    }

    proptest! {
        #[test]
        fn joined_lists_add_their_counts(lists in prop::collection::vec(
            prop::collection::btree_map(0..20u32, (0..100u32, 0..6u32, 1..3u32), 0..10), 0..4,
        )) {
            let mut expected: BTreeMap<u32, FieldCounts> = BTreeMap::new();
            let lists: Vec<Arc<Postings>> = lists.into_iter().map(|list| {
                let mut postings = Postings::default();
                for (slot, (a, b, c)) in list {
                    postings.add(slot, [a, b, c]);
                    let sum = expected.entry(slot).or_default();
                    *sum = [sum[0] + a, sum[1] + b, sum[2] + c];
                }
                Arc::new(postings)
            }).collect();
            let joined = Postings::joined(&lists);
            let found: BTreeMap<u32, FieldCounts> = joined.entries().iter().map(|e| (e.slot(), joined.counts(*e))).collect();
            prop_assert_eq!(joined.live() as usize, expected.len());
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_posting_takes_six_bytes_and_keeps_every_bit() {
        assert_eq!(size_of::<Posting>(), 6);
        assert_eq!(Posting::new(0xdead_beef, 3).slot(), 0xdead_beef);
    }
}
