//! Which words a block holds, so that it can be taken out again.
//!
//! Only removal asks, so the lists are kept small instead of quick: the numbers of the words, sorted, as differences
//! of seven bits a byte. Common words were met early and have small numbers, which makes the differences small too.

/// Marks a slot without a list.
const NONE: usize = usize::MAX;
/// Below this, unused bytes are left alone.
const SWEPT_FROM: usize = 4096;

/// The word numbers of each slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Forward {
    bytes: Vec<u8>,
    /// Where the list of each slot starts.
    starts: Vec<usize>,
    unused: usize,
}

impl Forward {
    /// Keeps the words of a slot that has no list; they must be sorted.
    pub(super) fn insert(&mut self, slot: u32, words: &[u32]) {
        let at = slot as usize;
        if at >= self.starts.len() {
            self.starts.resize(at + 1, NONE);
        }
        self.starts[at] = self.bytes.len();
        push(&mut self.bytes, words.len() as u32);
        let mut before = 0;
        for word in words {
            push(&mut self.bytes, word - before);
            before = *word;
        }
    }

    /// Takes the list of a slot out.
    pub(super) fn remove(&mut self, slot: u32) -> Option<Vec<u32>> {
        let start = self.starts.get_mut(slot as usize).map(|start| std::mem::replace(start, NONE))?;
        if start == NONE {
            return None;
        }
        let (words, end) = self.read(start);
        self.unused += end - start;
        if self.unused > SWEPT_FROM && self.unused * 2 > self.bytes.len() {
            self.sweep();
        }
        Some(words)
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.starts.capacity() * size_of::<usize>()
    }

    fn read(&self, start: usize) -> (Vec<u32>, usize) {
        let mut at = start;
        let count = pull(&self.bytes, &mut at);
        let mut word = 0;
        let words = (0..count).map(|_| {
            word += pull(&self.bytes, &mut at);
            word
        });
        (words.collect(), at)
    }

    /// Writes all lists anew, without the bytes that nobody points at.
    fn sweep(&mut self) {
        let mut kept = Vec::with_capacity(self.bytes.len() - self.unused);
        for at in 0..self.starts.len() {
            let start = self.starts[at];
            if start != NONE {
                self.starts[at] = kept.len();
                let end = self.read(start).1;
                kept.extend_from_slice(&self.bytes[start..end]);
            }
        }
        self.bytes = kept;
        self.unused = 0;
    }
}

fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn pull(bytes: &[u8], at: &mut usize) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_come_back_as_they_were_given(
            steps in prop::collection::vec((0..30u32, prop::collection::btree_set(any::<u32>(), 0..60)), 0..200),
        ) {
            let (mut forward, mut model) = (Forward::default(), BTreeMap::new());
            for (slot, words) in steps {
                prop_assert_eq!(forward.remove(slot), model.remove(&slot));
                let words: Vec<u32> = words.into_iter().collect();
                if !words.is_empty() {
                    forward.insert(slot, &words);
                    model.insert(slot, words);
                }
            }
            for (slot, words) in model {
                prop_assert_eq!(forward.remove(slot), Some(words));
            }
        }
    }
}
