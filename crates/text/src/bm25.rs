//! BM25 over the fields of a block, normalised to `[0, 1]`.
//!
//! The score is divided by the best possible score of the query, so 1 means that all query terms
//! match, and scores are comparable between queries. Terms that no block contains count too: a
//! query about something unknown has no strong match.

use std::collections::HashMap;

use crate::language::Language;
use crate::terms::{Term, terms, terms_in};
use elfmem_core::block::Block;

/// BM25 term saturation. Low, because memories are short.
pub const K1: f64 = 0.9;
/// BM25 length normalisation. Low, because memories are short.
pub const B: f64 = 0.4;

/// Weights of the fields of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights {
    /// Weight of the content.
    pub content: f64,
    /// Weight of the cue.
    pub cue: f64,
    /// Weight of the tags.
    pub tags: f64,
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self { content: 1.0, cue: 1.0, tags: 0.6 }
    }
}

/// The terms of one block by field.
#[derive(Debug, Clone, Default)]
pub struct TermFields {
    /// Terms of the content.
    pub content: Vec<Term>,
    /// Terms of the cue.
    pub cue: Vec<Term>,
    /// Terms of the tags.
    pub tags: Vec<Term>,
}

impl TermFields {
    /// Tokenizes a block. A content in another language than English also has the mark of the language as a term, so
    /// that an index can tell which languages it holds.
    pub fn of(block: &Block) -> Self {
        let language = Language::detect(&block.content).unwrap_or(Language::English);
        let mark = language.mark().map(|mark| Term { text: mark.to_string(), stop: true });
        Self {
            content: terms_in(&block.content, language).into_iter().chain(mark).collect(),
            cue: terms(block.cue.as_deref().unwrap_or_default()),
            tags: block.tags.iter().flat_map(|tag| terms(tag.as_str())).collect(),
        }
    }

    /// Returns the BM25 document length: the terms of content and cue without stop words.
    pub fn length(&self) -> u32 {
        self.content.iter().chain(&self.cue).filter(|term| !term.stop).count().try_into().unwrap_or(u32::MAX)
    }
}

/// Corpus statistics for the terms of a query.
#[derive(Debug, Clone, Default)]
pub struct CorpusStats {
    /// Number of blocks.
    pub blocks: u64,
    /// Mean document length.
    pub mean_length: f64,
    /// Number of blocks that contain each term.
    pub document_frequency: HashMap<String, u64>,
}

/// A BM25 scorer for one query.
#[derive(Debug, Clone)]
pub struct Bm25 {
    words: Vec<(String, f64)>,
    ideal: f64,
    mean_length: f64,
    weights: FieldWeights,
}

/// The BM25 score of one block.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalScore {
    /// Share of the best possible score, in `[0, 1]`.
    pub score: f64,
    /// The query terms that the block contains.
    pub matched: Vec<String>,
}

impl Bm25 {
    /// Creates a scorer with the inverse document frequency of each query term.
    pub fn new(query: &[String], corpus: &CorpusStats, weights: FieldWeights) -> Self {
        let words: Vec<(String, f64)> = query
            .iter()
            .map(|word| {
                let document_frequency = corpus.document_frequency.get(word).copied().unwrap_or(0).min(corpus.blocks);
                (word.clone(), idf(corpus.blocks, document_frequency))
            })
            .collect();
        let ideal = words.iter().map(|(_, idf)| idf * (K1 + 1.0)).sum();
        Self { words, ideal, mean_length: corpus.mean_length.max(1.0), weights }
    }

    /// Scores one block.
    pub fn score(&self, fields: &TermFields) -> LexicalScore {
        let long = 1.0 - B + B * f64::from(fields.length()) / self.mean_length;
        let mut total = 0.0;
        let mut matched = Vec::new();
        for (word, idf) in &self.words {
            let count = |terms: &[Term]| terms.iter().filter(|term| term.text == *word).count() as f64;
            let frequency = self.weights.content * count(&fields.content)
                + self.weights.cue * count(&fields.cue)
                + self.weights.tags * count(&fields.tags);
            if frequency > 0.0 {
                total += idf * frequency * (K1 + 1.0) / (frequency + K1 * long);
                matched.push(word.clone());
            }
        }
        let score = if self.ideal > 0.0 { (total / self.ideal).clamp(0.0, 1.0) } else { 0.0 };
        LexicalScore { score, matched }
    }
}

/// Returns the inverse document frequency. Never negative: a term in every block still counts a
/// little.
fn idf(blocks: u64, document_frequency: u64) -> f64 {
    let (n, df) = (blocks as f64, document_frequency as f64);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::query_terms;
    use proptest::prelude::*;

    fn fields(content: &str) -> TermFields {
        TermFields { content: terms(content), ..TermFields::default() }
    }

    fn corpus(texts: &[&str]) -> CorpusStats {
        let all: Vec<TermFields> = texts.iter().map(|text| fields(text)).collect();
        let mut document_frequency: HashMap<String, u64> = HashMap::new();
        for block in &all {
            let mut seen: Vec<&str> = block.content.iter().map(|term| term.text.as_str()).collect();
            seen.sort_unstable();
            seen.dedup();
            for word in seen {
                *document_frequency.entry(word.to_owned()).or_default() += 1;
            }
        }
        let total: u32 = all.iter().map(TermFields::length).sum();
        CorpusStats {
            blocks: all.len() as u64,
            mean_length: f64::from(total) / all.len().max(1) as f64,
            document_frequency,
        }
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
    fn rare_words_and_more_matches_rank_higher() {
        assert_eq!(rank("what is Maria allergic to?")[0], 0);
        assert_eq!(rank("where does Maria live? Lisbon?")[0], 1);
        assert_eq!(rank("when do we deploy?"), [2]);
        assert!(rank("who can't eat nuts?").is_empty());
    }

    #[test]
    fn unknown_words_lower_the_score() {
        let corpus = corpus(&MEMORY);
        let score = |query: &str| {
            Bm25::new(&query_terms(query), &corpus, FieldWeights::default()).score(&fields(MEMORY[2])).score
        };
        assert!(score("deploys") > score("deploys kubernetes"));
        assert!(score("deploys kubernetes") > score("deploys kubernetes terraform"));
    }

    proptest! {
        #[test]
        fn scores_are_in_range_and_cues_match(words in prop::collection::vec("[bdx]{3}", 1..6), text in "[bdx ]{0,40}") {
            let query = query_terms(&words.join(" "));
            let bm25 = Bm25::new(&query, &corpus(&["aaa bbb", "abc dda", &text]), FieldWeights::default());
            let plain = bm25.score(&fields(&text)).score;
            prop_assert!((0.0..=1.0).contains(&plain));
            let fuller = TermFields { cue: terms(&words[0]), ..fields(&text) };
            let with_cue = bm25.score(&fuller);
            prop_assert!((0.0..=1.0).contains(&with_cue.score));
            prop_assert!(!with_cue.matched.is_empty() || query.is_empty());
        }
    }
}
