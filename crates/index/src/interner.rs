//! Strings with numbers: the sessions, documents and sources of a memory.

use std::hash::{BuildHasher, RandomState};

use crate::table::NumberTable;

/// Numbers strings in the order in which they are first met. Names are never removed.
///
/// Cost: the characters and 12 to 20 bytes a name.
#[derive(Debug, Clone, Default)]
pub struct Interner {
    /// All names, one after the other.
    text: String,
    /// Where each name ends in the text.
    ends: Vec<usize>,
    table: NumberTable,
    hasher: RandomState,
}

impl Interner {
    /// Creates an empty interner.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of a name.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.table.find(self.hasher.hash_one(name), |number| self.name(number) == Some(name))
    }

    /// Returns the name of a number.
    pub fn name(&self, number: u32) -> Option<&str> {
        let end = *self.ends.get(number as usize)?;
        Some(&self.text[start(&self.ends, number)..end])
    }

    /// Returns the number of a name, a new one if it had none.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.get(name) {
            return number;
        }
        let number = u32::try_from(self.ends.len()).expect("a process holds fewer than four billion names");
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let hash_of = |other: u32| hasher.hash_one(&text[start(ends, other)..ends[other as usize]]);
        self.table.insert(self.hasher.hash_one(name), number, hash_of);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        number
    }

    /// Returns the size on the heap.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<usize>() + self.table.bytes()
    }
}

/// A name starts where the one before it ends.
fn start(ends: &[usize], number: u32) -> usize {
    (number as usize).checked_sub(1).map_or(0, |before| ends[before])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_in_the_order_they_are_met() {
        let mut names = Interner::new();
        for round in 0..2 {
            for number in 0..1000u32 {
                assert_eq!(names.intern(&format!("name {number}")), number, "round {round}");
            }
        }
        assert_eq!((names.len(), names.name(17), names.name(1000)), (1000, Some("name 17"), None));
        assert_eq!((names.get("name 999"), names.get("")), (Some(999), None));
        assert_eq!((names.intern(""), names.name(1000)), (1000, Some("")));
    }
}
