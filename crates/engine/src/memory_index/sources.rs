//! Who brought each block, so that a question about a person can prefer what that person said.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use elfmem_index::{ChunkedVec, Interner};
use elfmem_text::language::Language;
use elfmem_text::terms::terms_in;

/// A source with more words than this is a path or a sentence, not a name.
const MAX_NAME_WORDS: usize = 4;
/// Blocks that are copied together when a shared list is written to.
const CHUNK: usize = 1024;

/// The source of each block by slot, and the sources that a name may mean.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    names: Arc<SourceNames>,
    /// By slot: the number of its source plus one, zero for none.
    by_slot: ChunkedVec<u32, CHUNK>,
}

/// The different sources.
#[derive(Debug, Clone, Default)]
struct SourceNames {
    numbers: Interner,
    by_word: HashMap<String, Vec<u32>>,
}

impl Sources {
    /// Records the source of a block.
    pub(crate) fn set(&mut self, slot: u32, source: &str) {
        let number = match self.names.numbers.get(source) {
            Some(number) => number,
            None => Arc::make_mut(&mut self.names).add(source),
        };
        self.by_slot.set(slot as usize, number + 1);
    }

    /// Returns the sources that some names, given as terms, may mean.
    pub(crate) fn named(&self, names: &[String]) -> HashSet<u32> {
        names.iter().filter_map(|name| self.names.by_word.get(name)).flatten().copied().collect()
    }

    /// Returns the source of a block.
    pub(crate) fn get(&self, slot: u32) -> Option<u32> {
        self.by_slot.get(slot as usize)?.checked_sub(1)
    }

    /// Returns the size on the heap, without the words of the sources.
    pub(crate) fn bytes(&self) -> usize {
        self.names.numbers.bytes() + self.by_slot.bytes()
    }
}

impl SourceNames {
    fn add(&mut self, source: &str) -> u32 {
        let number = self.numbers.intern(source);
        let words: HashSet<String> =
            terms_in(source, Language::English).into_iter().filter(|term| !term.stop).map(|term| term.text).collect();
        if words.len() <= MAX_NAME_WORDS {
            for word in words {
                self.by_word.entry(word).or_default().push(number);
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_question_means_the_sources_that_contain_it() {
        let mut sources = Sources::default();
        for (slot, source) in (0..).zip(["Caroline", "api", "Dr. Caroline Weiss", "Caroline"]) {
            sources.set(slot, source);
        }
        let named = sources.named(&["carolin".to_owned(), "maria".to_owned()]);
        let said = (0..5).filter(|slot| sources.get(*slot).is_some_and(|source| named.contains(&source)));
        assert_eq!(said.collect::<Vec<u32>>(), [0, 2, 3]);
    }
}
