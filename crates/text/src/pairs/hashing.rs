//! A small hash for the word tables. Every word of a text is looked up a dozen times, the keys are ours, and the default hash
//! guards against a flood that cannot come: it cost a fifth of the time.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A table keyed by short words.
pub(super) type Table<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;
/// A set of short words.
pub(super) type Words<K> = HashSet<K, BuildHasherDefault<WordHasher>>;

/// Fowler, Noll and Vo's hash, one byte at a time.
#[derive(Debug, Clone)]
pub(super) struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
