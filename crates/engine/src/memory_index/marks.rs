//! Yes and no by slot: five answers in a byte.

use elfmem_index::widen;

/// What can be said of a block with yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// All of its edges are known.
    Linked = 1,
    /// It asks instead of telling.
    Asking = 2,
    /// It is known whether it says when.
    DateKnown = 4,
    /// It says when, in whichever words.
    Dated = 8,
    /// Its source is not trusted.
    Untrusted = 16,
}

/// The answers for every slot, no to begin with.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<u8>);

impl Marks {
    pub(crate) fn with_capacity(blocks: usize) -> Self {
        Self(Vec::with_capacity(blocks))
    }

    pub(crate) fn has(&self, slot: u32, mark: Mark) -> bool {
        self.0.get(slot as usize).is_some_and(|marks| marks & mark as u8 != 0)
    }

    pub(crate) fn set(&mut self, slot: u32, mark: Mark, yes: bool) {
        widen(&mut self.0, slot as usize, 0);
        let marks = &mut self.0[slot as usize];
        if yes {
            *marks |= mark as u8;
        } else {
            *marks &= !(mark as u8);
        }
    }

    /// Says no to everything.
    pub(crate) fn clear(&mut self, slot: u32) {
        widen(&mut self.0, slot as usize, 0);
        self.0[slot as usize] = 0;
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_set_one_by_one_and_cleared_together() {
        let mut marks = Marks::with_capacity(2);
        marks.set(3, Mark::Asking, true);
        marks.set(3, Mark::Dated, true);
        marks.set(3, Mark::Asking, false);
        let of =
            |marks: &Marks| [Mark::Linked, Mark::Asking, Mark::DateKnown, Mark::Dated].map(|mark| marks.has(3, mark));
        assert_eq!(of(&marks), [false, false, false, true]);
        assert!(!marks.has(2, Mark::Dated) && !marks.has(9, Mark::Dated));
        marks.clear(3);
        assert_eq!(of(&marks), [false; 4]);
    }
}
