//! The static table: one vector for every WordPiece, distilled from a sentence transformer.

use std::sync::OnceLock;
use std::time::Instant;

use super::BuiltinModel;
use super::background::Background;
use super::table::VectorTable;
use super::vocabulary::WordPieceVocabulary;
use crate::embedder::{Embedder, QueryEmbedding, SimilarityProfile, unit_vector};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::relevance::RelevanceCurve;
use crate::usage::Usage;

pub(super) static TABLE_FILE: &[u8] = include_bytes!("../../model/elfmem-static-256-v3.bin");
pub(super) static BACKGROUND_FILE: &[u8] = include_bytes!("../../model/background-static.bin");

/// Pieces before this one are markers and unused rows.
const FIRST_MEANINGFUL: u32 = 999;

/// The static table with its vocabulary.
#[derive(Debug)]
pub struct StaticEmbedder {
    vocabulary: &'static WordPieceVocabulary,
    table: VectorTable<'static>,
    background: Background,
}

impl StaticEmbedder {
    /// Returns the shared instance. The first call parses the vocabulary, about a millisecond.
    pub fn shared() -> Result<&'static Self, ModelError> {
        static SHARED: OnceLock<Result<StaticEmbedder, ModelError>> = OnceLock::new();
        SHARED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, ModelError> {
        let vocabulary = WordPieceVocabulary::shared()?;
        let table = VectorTable::read(TABLE_FILE)?;
        vocabulary.check_rows(table.rows())?;
        Ok(Self { vocabulary, table, background: Background::read(BACKGROUND_FILE)? })
    }

    /// Returns the ids of the word pieces of a text. Unknown words are `[UNK]`, which is 100.
    pub fn piece_ids(&self, text: &str) -> Vec<u32> {
        self.vocabulary.piece_ids(text)
    }

    fn embed_one(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.table.dimensions()];
        for id in self.piece_ids(text).into_iter().filter(|id| *id >= FIRST_MEANINGFUL) {
            self.table.add_row(id as usize, 1.0, &mut sum);
        }
        unit_vector(sum)
    }
}

impl Embedder for StaticEmbedder {
    fn name(&self) -> &str {
        BuiltinModel::Static.name()
    }

    fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    fn profile(&self) -> SimilarityProfile {
        BuiltinModel::Static.profile()
    }

    fn relevance_curve(&self) -> RelevanceCurve {
        BuiltinModel::Static.relevance_curve()
    }

    fn background(&self, vector: &[f32]) -> Option<f64> {
        Some(self.background.level(vector))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let mut words = Vec::new();
        self.vocabulary.each_word(text, |word, ids| {
            let ids: Vec<u32> = ids.iter().copied().filter(|id| *id >= FIRST_MEANINGFUL).collect();
            if !ids.is_empty() {
                words.push((word.to_owned(), ids));
            }
        });
        Ok(Box::new(StaticQuery { words, table: self.table }))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        let known = self.embed_one("peanut allergy").is_some_and(|vector| vector.len() == self.table.dimensions());
        if !known {
            return Err(ModelError::DamagedModel { problem: "a plain sentence has no vector".to_owned() });
        }
        let detail = format!("{} dimensions, built in.", self.table.dimensions());
        Ok(HealthReport::since(started, self.name(), detail))
    }

    fn usage(&self) -> Usage {
        // The table uses neither tokens nor calls.
        Usage::default()
    }
}

/// The words of a query with their pieces.
#[derive(Debug)]
struct StaticQuery {
    words: Vec<(String, Vec<u32>)>,
    table: VectorTable<'static>,
}

impl StaticQuery {
    fn sum(&self, weigh: &dyn Fn(&str) -> f64) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.table.dimensions()];
        for (word, ids) in &self.words {
            let weight = weigh(word) as f32;
            let weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
            ids.iter().for_each(|id| self.table.add_row(*id as usize, weight, &mut sum));
        }
        unit_vector(sum)
    }
}

impl QueryEmbedding for StaticQuery {
    fn vector(&self, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        Ok(self.sum(weigh).or_else(|| self.sum(&|_| 1.0)))
    }

    fn bytes(&self) -> usize {
        self.words.iter().map(|(word, ids)| word.len() + size_of_val(ids.as_slice())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::STATIC_PROFILE;
    use proptest::prelude::*;

    fn embedder() -> &'static StaticEmbedder {
        StaticEmbedder::shared().unwrap()
    }

    fn cosine(a: &str, b: &str) -> f64 {
        let vectors = embedder().embed(&[a, b]).unwrap();
        let [Some(a), Some(b)] = vectors.as_slice() else { panic!("no vector") };
        a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
    }

    #[test]
    fn a_question_finds_its_answer_without_a_word_in_common() {
        let allergy = cosine("who can't eat nuts?", "Maria is allergic to peanuts");
        let other = cosine("who can't eat nuts?", "The service listens on port 8080");
        assert!(allergy > other + 0.2, "{allergy} {other}");
    }

    #[test]
    fn negation_barely_changes_the_cosine() {
        assert!(cosine("The cache is thread safe", "The cache is not thread safe") > STATIC_PROFILE.near);
        assert!(STATIC_PROFILE.is_coherent());
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
