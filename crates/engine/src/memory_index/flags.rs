//! Yes-or-no properties of blocks, in one byte a block.

use std::sync::atomic::{AtomicU8, Ordering};

use elfmem_index::ChunkedVec;

/// Blocks that stop being shared together when a property of one of them changes.
const CHUNK: usize = 1024;

/// A property of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flag {
    /// Its text is a question.
    Question = 1,
    /// Its source is not trusted.
    Untrusted = 2,
    /// Its text was searched for a date.
    DateKnown = 4,
    /// Its text states a date.
    Dated = 8,
    /// It is a part of a document.
    Document = 16,
}

/// The properties of one block. They can be added through a shared reference.
#[derive(Debug, Default)]
struct FlagSet(AtomicU8);

impl Clone for FlagSet {
    fn clone(&self) -> Self {
        Self(AtomicU8::new(self.0.load(Ordering::Relaxed)))
    }
}

/// The properties of all blocks by slot, unset to begin with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags(ChunkedVec<FlagSet, CHUNK>);

impl Flags {
    /// Returns whether a block has a property.
    pub(crate) fn has(&self, slot: u32, flag: Flag) -> bool {
        self.0.get(slot as usize).is_some_and(|flags| flags.0.load(Ordering::Relaxed) & flag as u8 != 0)
    }

    /// Replaces all properties of a block.
    pub(crate) fn set(&mut self, slot: u32, flags: &[Flag]) {
        let bits = flags.iter().fold(0, |bits, flag| bits | *flag as u8);
        self.0.set(slot as usize, FlagSet(AtomicU8::new(bits)));
    }

    /// Adds properties that were found out later.
    pub(crate) fn add(&self, slot: u32, flags: &[Flag]) {
        let bits = flags.iter().fold(0, |bits, flag| bits | *flag as u8);
        if let Some(flags) = self.0.get(slot as usize) {
            flags.0.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Returns the size on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Flag; 4] = [Flag::Question, Flag::Untrusted, Flag::DateKnown, Flag::Dated];

    #[test]
    fn flags_are_added_one_by_one_and_replaced_together() {
        let mut flags = Flags::default();
        flags.set(3, &[Flag::Question]);
        flags.add(3, &[Flag::DateKnown, Flag::Dated]);
        let of = |flags: &Flags| ALL.map(|flag| flags.has(3, flag));
        assert_eq!(of(&flags), [true, false, true, true]);
        assert!(!flags.has(2, Flag::Dated) && !flags.has(9_999, Flag::Dated));
        flags.set(3, &[Flag::Untrusted]);
        assert_eq!(of(&flags), [false, true, false, false]);
    }

    #[test]
    fn what_is_found_out_about_an_older_state_does_not_reach_a_newer_one() {
        let mut flags = Flags::default();
        flags.set(3, &[]);
        let older = flags.clone();
        flags.set(3, &[Flag::Question]);
        older.add(3, &[Flag::Dated]);
        assert!(older.has(3, Flag::Dated) && !flags.has(3, Flag::Dated));
    }
}
