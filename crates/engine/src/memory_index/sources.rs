//! Who brought each block, so that a question about a person can prefer what that person said.

use std::collections::{HashMap, HashSet};

use elfmem_index::{Names, widen};
use elfmem_text::terms::terms;

/// A source with more words than this is a path or a sentence, not a name.
const LONGEST_NAME: usize = 4;

/// The source of each block by slot, and which sources a name may mean.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    names: Names,
    of_slot: Vec<u32>,
    by_word: HashMap<String, Vec<u32>>,
}

impl Sources {
    /// Makes room for some blocks.
    pub(crate) fn reserve(&mut self, blocks: usize) {
        self.of_slot.reserve_exact(blocks);
    }

    /// Notes who brought a block.
    pub(crate) fn set(&mut self, slot: u32, source: &str) {
        let known = self.names.len();
        let number = self.names.intern(source);
        if number as usize == known {
            let words: HashSet<String> =
                terms(source).into_iter().filter(|term| !term.stop).map(|term| term.text).collect();
            if words.len() <= LONGEST_NAME {
                for word in words {
                    self.by_word.entry(word).or_default().push(number);
                }
            }
        }
        widen(&mut self.of_slot, slot as usize, u32::MAX);
        self.of_slot[slot as usize] = number;
    }

    /// The sources that some names, given as terms, may mean.
    pub(crate) fn named(&self, names: &[String]) -> HashSet<u32> {
        names.iter().filter_map(|name| self.by_word.get(name)).flatten().copied().collect()
    }

    /// Bytes on the heap, the few words of the sources left out.
    pub(crate) fn bytes(&self) -> usize {
        self.names.bytes() + self.of_slot.capacity() * size_of::<u32>()
    }

    /// The source of a block.
    pub(crate) fn of(&self, slot: u32) -> u32 {
        self.of_slot.get(slot as usize).copied().unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_question_means_the_sources_that_bear_it() {
        let mut sources = Sources::default();
        for (slot, source) in (0..).zip(["Caroline", "api", "Dr. Caroline Weiss", "Caroline"]) {
            sources.set(slot, source);
        }
        let named = sources.named(&["carolin".to_owned(), "maria".to_owned()]);
        let said: Vec<u32> = (0..5).filter(|slot| named.contains(&sources.of(*slot))).collect();
        assert_eq!(said, [0, 2, 3]);
    }
}
