//! The blocks that hold one word.

use elfmem_text::bm25::FieldWeights;

/// How often a word occurs in the text, the cue and the tags of one block.
pub type Counts = [u32; 3];

/// The code of a posting whose block was removed.
const REMOVED: u16 = 0;
/// Smallest number of postings that room is made for: what the smallest allocation holds anyway.
const MIN_ROOM: usize = 4;

/// One block that holds the word, in six bytes: the halves of its slot, because a `u32` would be padded to eight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    halves: [u16; 2],
    /// How often the block holds the word, as a position in [`Postings::weighted`].
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

/// All blocks that hold a word, in the order of their slots.
///
/// Nearly all blocks hold a word once in the text and nowhere else. So there are few different counts, and a posting
/// holds the position of its counts in a table: a quarter of their size, and exact.
///
/// Removing a block marks its posting, which then counts for nothing. Marked postings are swept when they are a quarter
/// of the list. So a removal costs a search and not a move of half the list.
#[derive(Debug, Clone)]
pub(super) struct Postings {
    entries: Vec<Posting>,
    /// How many entries are not marked as removed.
    live: u32,
    /// The counts of each code.
    counts: Vec<Counts>,
    /// The weighted frequency of each code.
    weighted: Vec<f64>,
}

impl Default for Postings {
    fn default() -> Self {
        Self { entries: Vec::new(), live: 0, counts: vec![[0; 3]], weighted: vec![0.0] }
    }
}

impl Postings {
    /// Returns how many blocks hold the word.
    pub(super) fn live(&self) -> u32 {
        self.live
    }

    /// Returns all entries, the removed ones too, whose frequency is zero.
    pub(super) fn entries(&self) -> &[Posting] {
        &self.entries
    }

    /// Returns the weighted frequency of each code.
    pub(super) fn weighted(&self) -> &[f64] {
        &self.weighted
    }

    /// Returns how often a block holds the word, with weighted fields; zero when it does not.
    pub(super) fn frequency(&self, slot: u32) -> f64 {
        let code = self.search(slot).map_or(REMOVED, |at| self.entries[at].code);
        self.weighted[code as usize]
    }

    /// Returns whether a block holds the word in any field, whatever the field weighs.
    pub(super) fn holds(&self, slot: u32) -> bool {
        self.search(slot).is_ok_and(|at| self.entries[at].code != REMOVED)
    }

    /// Adds a block that did not hold the word. Cheapest for the highest slot so far.
    pub(super) fn add(&mut self, slot: u32, counts: Counts, weights: FieldWeights) {
        let code = self.code(counts, weights);
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
        self.entries.capacity() * size_of::<Posting>()
            + self.counts.capacity() * size_of::<Counts>()
            + self.weighted.capacity() * size_of::<f64>()
    }

    /// Returns the code of some counts. A list with more than 65,535 different counts uses the last code for the rest.
    fn code(&mut self, counts: Counts, weights: FieldWeights) -> u16 {
        if let Some(code) = self.counts.iter().skip(1).position(|known| *known == counts) {
            return (code + 1) as u16;
        }
        let Ok(code) = u16::try_from(self.counts.len()) else { return u16::MAX };
        let [content, cue, tags] = counts.map(f64::from);
        self.counts.push(counts);
        self.weighted.push(weights.content * content + weights.cue * cue + weights.tags * tags);
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
        fn any_history_lists_what_a_map_holds(steps in prop::collection::vec((0..50u32, 0..4u32), 0..200)) {
            let (mut postings, mut model) = (Postings::default(), BTreeMap::<u32, f64>::new());
            for (slot, count) in steps {
                let slot = slot * 7919;
                if count == 0 {
                    postings.remove(slot);
                    model.remove(&slot);
                } else if let Entry::Vacant(place) = model.entry(slot) {
                    postings.add(slot, [count, 0, 1], FieldWeights { content: 1.0, cue: 1.0, tags: 0.5 });
                    place.insert(f64::from(count) + 0.5);
                }
                prop_assert_eq!(postings.live() as usize, model.len());
                prop_assert!(postings.entries().len() * 3 <= model.len() * 4);
            }
            let listed = postings.entries().iter().map(|e| (e.slot(), postings.weighted()[e.code as usize]));
            let listed: Vec<(u32, f64)> = listed.filter(|(_, frequency)| *frequency > 0.0).collect();
            prop_assert_eq!(listed, model.clone().into_iter().collect::<Vec<_>>());
            for slot in (0..50).map(|slot| slot * 7919) {
                prop_assert_eq!(postings.frequency(slot), model.get(&slot).copied().unwrap_or(0.0));
                prop_assert_eq!(postings.holds(slot), model.contains_key(&slot));
            }
        }
    }

    #[test]
    fn a_posting_takes_six_bytes_and_keeps_every_bit() {
        assert_eq!(size_of::<Posting>(), 6);
        assert_eq!(Posting::new(0xdead_beef, 3).slot(), 0xdead_beef);
    }
}
