//! BM25 over the fields of a block, on an absolute scale.
//!
//! The score of a block is divided by the best that any block could reach for the query, so 1 means "says all of it" and
//! the number can be compared between queries. Words that no block holds count too: a question that is mostly about
//! something the memory never heard of has no strong answer.

use std::collections::HashMap;

use crate::terms::{Term, terms};
use elfmem_core::block::Block;

/// How quickly repetitions stop to count. Low: memories are short.
pub const K1: f64 = 0.9;
/// How much long texts are held back. Low, for the same reason.
pub const B: f64 = 0.4;

/// How much a word in each field counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights {
    /// In the text itself.
    pub content: f64,
    /// In the cue.
    pub cue: f64,
    /// In a tag.
    pub tags: f64,
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self { content: 1.0, cue: 1.0, tags: 0.6 }
    }
}

/// The words of one block, by field.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    /// Of the text.
    pub content: Vec<Term>,
    /// Of the cue.
    pub cue: Vec<Term>,
    /// Of the tags.
    pub tags: Vec<Term>,
}

impl Fields {
    /// The words of a block.
    pub fn of(block: &Block) -> Self {
        Self {
            content: terms(&block.content),
            cue: terms(block.cue.as_deref().unwrap_or_default()),
            tags: block.tags.iter().flat_map(|tag| terms(tag.as_str())).collect(),
        }
    }

    /// The length BM25 compares: words of the text and cue that are not too common.
    pub fn length(&self) -> u32 {
        self.content.iter().chain(&self.cue).filter(|term| !term.stop).count().try_into().unwrap_or(u32::MAX)
    }
}

/// What the whole memory says about a query's words.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// How many blocks there are.
    pub blocks: u64,
    /// Their mean length.
    pub mean_length: f64,
    /// In how many of them each word occurs.
    pub holding: HashMap<String, u64>,
}

/// A query ready to score blocks.
#[derive(Debug, Clone)]
pub struct Bm25 {
    words: Vec<(String, f64)>,
    ideal: f64,
    mean_length: f64,
    weights: FieldWeights,
}

/// How one block did.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalScore {
    /// Its share of the best possible score, in `[0, 1]`.
    pub score: f64,
    /// The words of the query that it holds.
    pub matched: Vec<String>,
}

impl Bm25 {
    /// Weighs the words of a query by how rare they are.
    pub fn new(query: &[String], corpus: &Corpus, weights: FieldWeights) -> Self {
        let words: Vec<(String, f64)> = query
            .iter()
            .map(|word| {
                let holding = corpus.holding.get(word).copied().unwrap_or(0).min(corpus.blocks);
                (word.clone(), rarity(corpus.blocks, holding))
            })
            .collect();
        let ideal = words.iter().map(|(_, rarity)| rarity * (K1 + 1.0)).sum();
        Self { words, ideal, mean_length: corpus.mean_length.max(1.0), weights }
    }

    /// Scores one block.
    pub fn score(&self, fields: &Fields) -> LexicalScore {
        let long = 1.0 - B + B * f64::from(fields.length()) / self.mean_length;
        let mut total = 0.0;
        let mut matched = Vec::new();
        for (word, rarity) in &self.words {
            let count = |terms: &[Term]| terms.iter().filter(|term| term.text == *word).count() as f64;
            let frequency = self.weights.content * count(&fields.content)
                + self.weights.cue * count(&fields.cue)
                + self.weights.tags * count(&fields.tags);
            if frequency > 0.0 {
                total += rarity * frequency * (K1 + 1.0) / (frequency + K1 * long);
                matched.push(word.clone());
            }
        }
        let score = if self.ideal > 0.0 { (total / self.ideal).clamp(0.0, 1.0) } else { 0.0 };
        LexicalScore { score, matched }
    }
}

/// Inverse document frequency, never negative: a word in every block still counts a little.
fn rarity(blocks: u64, holding: u64) -> f64 {
    let (n, df) = (blocks as f64, holding as f64);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::query_terms;
    use proptest::prelude::*;

    fn fields(content: &str) -> Fields {
        Fields { content: terms(content), ..Fields::default() }
    }

    fn corpus(texts: &[&str]) -> Corpus {
        let all: Vec<Fields> = texts.iter().map(|text| fields(text)).collect();
        let mut holding: HashMap<String, u64> = HashMap::new();
        for block in &all {
            let mut seen: Vec<&str> = block.content.iter().map(|term| term.text.as_str()).collect();
            seen.sort_unstable();
            seen.dedup();
            for word in seen {
                *holding.entry(word.to_owned()).or_default() += 1;
            }
        }
        let total: u32 = all.iter().map(Fields::length).sum();
        Corpus { blocks: all.len() as u64, mean_length: f64::from(total) / all.len().max(1) as f64, holding }
    }

    const MEMORY: [&str; 4] = [
        "Maria is allergic to peanuts",
        "Maria lives in Lisbon",
        "Deploys go out on Tuesdays",
        "The office in Lisbon has a garden",
    ];

    fn rank(query: &str) -> Vec<usize> {
        let bm25 = Bm25::new(&query_terms(query), &corpus(&MEMORY), FieldWeights::default());
        let mut scored: Vec<(usize, f64)> =
            MEMORY.iter().enumerate().map(|(at, text)| (at, bm25.score(&fields(text)).score)).collect();
        scored.retain(|(_, score)| *score > 0.0);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn rare_words_decide_and_more_of_the_question_ranks_higher() {
        assert_eq!(rank("what is Maria allergic to?")[0], 0);
        assert_eq!(rank("where does Maria live? Lisbon?")[0], 1);
        assert_eq!(rank("when do we deploy?"), [2]);
        assert!(rank("who can't eat nuts?").is_empty());
    }

    #[test]
    fn words_the_memory_never_heard_of_weaken_the_answer() {
        let corpus = corpus(&MEMORY);
        let score = |query: &str| {
            Bm25::new(&query_terms(query), &corpus, FieldWeights::default()).score(&fields(MEMORY[2])).score
        };
        assert!(score("deploys") > score("deploys kubernetes"));
        assert!(score("deploys kubernetes") > score("deploys kubernetes terraform"));
    }

    proptest! {
        #[test]
        fn scores_are_in_range_and_a_cue_counts_as_a_match(words in prop::collection::vec("[a-d]{3}", 1..6), text in "[a-d ]{0,40}") {
            let query = query_terms(&words.join(" "));
            let bm25 = Bm25::new(&query, &corpus(&["aaa bbb", "abc dda", &text]), FieldWeights::default());
            let plain = bm25.score(&fields(&text)).score;
            prop_assert!((0.0..=1.0).contains(&plain));
            let fuller = Fields { cue: terms(&words[0]), ..fields(&text) };
            let with_cue = bm25.score(&fuller);
            prop_assert!((0.0..=1.0).contains(&with_cue.score));
            prop_assert!(!with_cue.matched.is_empty() || query.is_empty());
        }
    }
}
