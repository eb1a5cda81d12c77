//! How often a word occurs in the fields of a block, as a two-byte code.
//!
//! Nearly all words occur once in the text and nowhere else, so a memory knows only a few dozen different answers to
//! "how often". Posting lists hold the number of the answer: a quarter of its size, and exact.

use std::collections::HashMap;

use elfmem_text::bm25::FieldWeights;

/// The code of "not at all": what a removed posting is given.
pub(super) const NEVER: u16 = 0;

/// How often a word occurs in the text, the cue and the tags of one block.
pub type Counts = [u32; 3];

/// The known counts and what they weigh together.
#[derive(Debug, Clone)]
pub(super) struct Frequencies {
    weights: FieldWeights,
    /// The weighted frequency of each code.
    weighted: Vec<f64>,
    codes: HashMap<Counts, u16>,
}

impl Frequencies {
    pub(super) fn new(weights: FieldWeights) -> Self {
        Self { weights, weighted: vec![0.0], codes: HashMap::new() }
    }

    /// The code of some counts. A memory with more than 65,535 different ones (none was ever seen with a thousand)
    /// takes the last for all that follow.
    pub(super) fn code(&mut self, counts: Counts) -> u16 {
        if let Some(code) = self.codes.get(&counts) {
            return *code;
        }
        let Ok(code) = u16::try_from(self.weighted.len()) else { return u16::MAX };
        let [content, cue, tags] = counts.map(f64::from);
        let weights = self.weights;
        self.weighted.push(weights.content * content + weights.cue * cue + weights.tags * tags);
        self.codes.insert(counts, code);
        code
    }

    /// The weighted frequency of each code, by code.
    pub(super) fn weighted(&self) -> &[f64] {
        &self.weighted
    }
}
