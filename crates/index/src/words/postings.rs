//! The blocks that hold one word.

use super::frequencies::NEVER;

/// The fewest postings that room is made for: what the smallest piece of heap holds anyway.
const LEAST_ROOM: usize = 4;

/// One block that holds the word, in six bytes: the halves of its number, because a `u32` would be padded to eight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posting {
    halves: [u16; 2],
    /// How often; `NEVER` once the block is gone.
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

/// All of them, in the order of their numbers.
///
/// A block that goes leaves its posting behind with the code `NEVER`, which counts for nothing; when a quarter of the
/// list is dead it is swept. So a removal costs a search and not a move of half the list.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    entries: Vec<Posting>,
    live: u32,
}

impl Postings {
    /// How many blocks hold the word.
    pub(super) fn live(&self) -> u32 {
        self.live
    }

    /// All entries, the dead ones too.
    pub(super) fn entries(&self) -> &[Posting] {
        &self.entries
    }

    /// How often a block holds the word.
    pub(super) fn code(&self, slot: u32) -> u16 {
        self.entries.binary_search_by_key(&slot, |entry| entry.slot()).map_or(NEVER, |at| self.entries[at].code)
    }

    /// Adds a block that did not hold the word. Cheapest when its number is the highest so far.
    pub(super) fn add(&mut self, slot: u32, code: u16) {
        self.live += 1;
        let at = match self.entries.last() {
            Some(last) if last.slot() >= slot => self.entries.binary_search_by_key(&slot, |entry| entry.slot()),
            _ => Err(self.entries.len()),
        };
        match at {
            Ok(at) => self.entries[at].code = code,
            Err(at) => {
                if self.entries.len() == self.entries.capacity() {
                    // Doubling would leave a third of all room unused.
                    self.entries.reserve_exact((self.entries.len() / 4).max(LEAST_ROOM));
                }
                self.entries.insert(at, Posting::new(slot, code));
            }
        }
    }

    /// Takes a block out.
    pub(super) fn remove(&mut self, slot: u32) {
        let Ok(at) = self.entries.binary_search_by_key(&slot, |entry| entry.slot()) else { return };
        if std::mem::replace(&mut self.entries[at].code, NEVER) == NEVER {
            return;
        }
        self.live -= 1;
        if (self.entries.len() - self.live as usize) * 4 > self.entries.len() {
            self.entries.retain(|entry| entry.code != NEVER);
            self.entries.shrink_to(self.entries.len() / 4 * 5);
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Posting>()
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
        fn any_history_lists_what_a_map_holds(steps in prop::collection::vec((0..50u32, 0..4u16), 0..200)) {
            let (mut postings, mut model) = (Postings::default(), BTreeMap::<u32, u16>::new());
            for (slot, code) in steps {
                let slot = slot * 7919;
                if code == NEVER {
                    postings.remove(slot);
                    model.remove(&slot);
                } else if let Entry::Vacant(place) = model.entry(slot) {
                    postings.add(slot, code);
                    place.insert(code);
                }
                prop_assert_eq!(postings.live() as usize, model.len());
                prop_assert!(postings.entries().len() * 3 <= model.len() * 4);
            }
            let listed: Vec<(u32, u16)> =
                postings.entries().iter().map(|e| (e.slot(), e.code)).filter(|e| e.1 != NEVER).collect();
            prop_assert_eq!(listed, model.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_posting_takes_six_bytes_and_keeps_every_bit() {
        assert_eq!(size_of::<Posting>(), 6);
        assert_eq!(Posting::new(0xdead_beef, 3).slot(), 0xdead_beef);
    }
}
