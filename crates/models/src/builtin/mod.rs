//! The built-in embedder: no key, no network, no download.
//!
//! Contains a vector for every WordPiece, distilled from a sentence transformer. The vector of a
//! text is the sum of its pieces. It ignores word order; in return, a text costs microseconds and
//! startup costs almost nothing. `MODEL_CARD.md` describes origin and quality.

mod table;
mod word_piece;
mod words;

use std::sync::OnceLock;
use std::time::Instant;

use crate::embedder::{Embedder, SimilarityProfile, unit_vector};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::usage::Usage;

pub use table::VectorTable;
pub use word_piece::WordPieces;

static TABLE_FILE: &[u8] = include_bytes!("../../model/elfmem-static-256.bin");
static VOCABULARY_FILE: &str = include_str!("../../model/vocab.txt");

/// The name stored with vectors of the built-in table.
pub const BUILTIN_NAME: &str = "elfmem-static-256";

/// The similarity thresholds of the built-in table.
///
/// Measured: duplicates with cosmetic changes score 0.99 to 1, but so do half of the pairs that
/// differ in one negation, number or name. At 0.99 as many sentence pairs contradict as agree. So
/// the duplicate thresholds are high and only select candidates. At 0.95 with equal content words
/// and no deciding difference, 89 to 100 % of the pairs are duplicates. Contradictions start at
/// 0.62; a prefilter of 0.70 with a difference in negation, number or antonym finds 88 % of them.
/// Unrelated texts stay below 0.05 and related ones have their median at 0.53, so 0.60 gives
/// meaningful edges if each block gets only a few.
pub const BUILTIN_PROFILE: SimilarityProfile =
    SimilarityProfile { exact: 0.99, near: 0.95, edge: 0.60, contradiction_prefilter: 0.70, contradiction: 0.80 };

/// Pieces before this one are markers and unused rows.
const FIRST_MEANINGFUL: u32 = 999;

/// The built-in vector table with its vocabulary.
#[derive(Debug)]
pub struct StaticEmbedder {
    pieces: WordPieces,
    table: VectorTable<'static>,
}

impl StaticEmbedder {
    /// Returns the shared instance. The first call parses the embedded files (a few milliseconds).
    pub fn shared() -> Result<&'static Self, ModelError> {
        static SHARED: OnceLock<Result<StaticEmbedder, ModelError>> = OnceLock::new();
        SHARED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    /// Parses the model again, for measurements. Use [`shared`](Self::shared) otherwise.
    pub fn load() -> Result<Self, ModelError> {
        let table = VectorTable::read(TABLE_FILE)?;
        let pieces = WordPieces::read(VOCABULARY_FILE)?;
        if pieces.len() != table.rows() {
            let problem = format!("{} pieces and {} vectors", pieces.len(), table.rows());
            return Err(ModelError::DamagedModel { problem });
        }
        Ok(Self { pieces, table })
    }

    /// Returns the ids of the word pieces of a text. Unknown words are `[UNK]`, which is 100.
    pub fn piece_ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 4 + 1);
        words::each_word(text, |word| self.pieces.split(word, &mut ids));
        ids
    }

    fn meaningful_ids(&self, text: &str) -> Vec<u32> {
        let mut ids = self.piece_ids(text);
        ids.retain(|id| *id >= FIRST_MEANINGFUL);
        ids
    }

    fn sum(&self, ids: &[u32], weight: impl Fn(u32) -> f32) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.table.dimensions()];
        for id in ids {
            self.table.add_row(*id as usize, weight(*id), &mut sum);
        }
        unit_vector(sum)
    }

    fn embed_one(&self, text: &str) -> Option<Vec<f32>> {
        self.sum(&self.meaningful_ids(text), |_| 1.0)
    }
}

impl Embedder for StaticEmbedder {
    fn name(&self) -> &str {
        BUILTIN_NAME
    }

    fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        BUILTIN_PROFILE
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }

    fn embed_query(&self, text: &str, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        let (mut sum, mut ids) = (vec![0.0; self.table.dimensions()], Vec::new());
        words::each_word(text, |word| {
            ids.clear();
            self.pieces.split(word, &mut ids);
            ids.retain(|id| *id >= FIRST_MEANINGFUL);
            if !ids.is_empty() {
                let weight = weigh(word) as f32;
                let weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
                ids.iter().for_each(|id| self.table.add_row(*id as usize, weight, &mut sum));
            }
        });
        Ok(unit_vector(sum).or_else(|| self.embed_one(text)))
    }

    fn weighs_words(&self) -> bool {
        true
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        let known = self.embed_one("peanut allergy").is_some_and(|vector| vector.len() == self.table.dimensions());
        if !known {
            return Err(ModelError::DamagedModel { problem: "a plain sentence has no vector".to_owned() });
        }
        let detail = format!("{} dimensions, built in.", self.table.dimensions());
        Ok(HealthReport::since(started, BUILTIN_NAME, detail))
    }

    fn usage(&self) -> Usage {
        // The table uses neither tokens nor calls.
        Usage::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    fn embedder() -> &'static StaticEmbedder {
        StaticEmbedder::shared().unwrap()
    }

    fn cosine(a: &str, b: &str) -> f64 {
        let vectors = embedder().embed(&[a, b]).unwrap();
        let [Some(a), Some(b)] = vectors.as_slice() else { panic!("no vector") };
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    }

    fn hex(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_files_are_the_ones_the_model_card_names() {
        let card = include_str!("../../MODEL_CARD.md");
        assert!(card.contains(&hex(TABLE_FILE)));
        assert!(card.contains(&hex(VOCABULARY_FILE.as_bytes())));
        assert_eq!(hex(TABLE_FILE), "645a0a2fd64c5ff57af2a8c6129969d17e4ec6a845043831fe27ecf5c63a43fc");
        assert_eq!(hex(VOCABULARY_FILE.as_bytes()), "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3");
    }

    #[test]
    fn a_question_finds_its_answer_without_a_word_in_common() {
        let allergy = cosine("who can't eat nuts?", "Maria is allergic to peanuts");
        let other = cosine("who can't eat nuts?", "The service listens on port 8080");
        assert!(allergy > other + 0.2, "{allergy} {other}");
    }

    #[test]
    fn negation_barely_changes_the_cosine() {
        assert!(cosine("The cache is thread safe", "The cache is not thread safe") > BUILTIN_PROFILE.near);
        assert!(BUILTIN_PROFILE.is_coherent());
    }

    #[test]
    fn weights_shift_the_query_vector() {
        let weigh = |word: &str| if word == "peanuts" { 4.0 } else { 0.1 };
        let question = embedder().embed_query("Maria peanuts", &weigh).unwrap().unwrap();
        let plain = embedder().embed(&["Maria peanuts", "peanuts"]).unwrap();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        let peanuts = plain[1].as_ref().unwrap();
        assert!(dot(&question, peanuts) > dot(plain[0].as_ref().unwrap(), peanuts));
    }

    #[test]
    fn invalid_weights_are_ignored() {
        let plain = embedder().embed(&["red apples"]).unwrap().remove(0);
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(embedder().embed_query("red apples", &|_| nonsense).unwrap(), plain, "{nonsense}");
        }
        assert_eq!(embedder().embed_query("", &|_| 1.0).unwrap(), None);
    }

    #[test]
    fn query_weights_are_requested_per_word() {
        let asked = std::cell::RefCell::new(Vec::new());
        let note = |word: &str| {
            asked.borrow_mut().push(word.to_owned());
            1.0
        };
        let question = embedder().embed_query("Deploys [UNK] 数?", &note).unwrap();
        assert_eq!(*asked.borrow(), ["deploys", "[", "unk", "]", "?"]);
        assert_eq!(question, embedder().embed(&["Deploys [UNK] 数?"]).unwrap()[0]);
    }

    #[test]
    fn a_check_reports_the_dimensions() {
        assert_eq!(embedder().check().unwrap().detail, "256 dimensions, built in.");
    }

    proptest! {
        #[test]
        fn every_vector_has_length_one(text in any::<String>()) {
            if let Some(vector) = &embedder().embed(&[&text]).unwrap()[0] {
                let length: f64 = vector.iter().map(|x| f64::from(*x).powi(2)).sum();
                prop_assert!((length - 1.0).abs() < 1e-5);
            }
        }

        #[test]
        fn letter_case_and_white_space_do_not_matter(text in "[a-zA-Z ,.]{0,40}") {
            let spaced = format!("\t{}\n", text.replace(' ', "  ").to_uppercase());
            let vectors = embedder().embed(&[&text, &spaced]).unwrap();
            prop_assert_eq!(&vectors[0], &vectors[1]);
        }
    }
}
