//! A fast hash for the word tables. Each word is looked up a dozen times. The keys are constants,
//! so the default hash's protection against collision attacks is not needed; it took a fifth of the
//! time.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map keyed by short words.
pub(crate) type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;
/// A set of short words.
pub(crate) type WordSet<K> = HashSet<K, BuildHasherDefault<WordHasher>>;

/// The FNV-1a hash.
#[derive(Debug, Clone)]
pub(crate) struct WordHasher(u64);

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
