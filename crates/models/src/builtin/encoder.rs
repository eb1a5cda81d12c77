//! The encoder: a transformer that reads words in their context.

use std::num::NonZero;
use std::sync::OnceLock;
use std::time::Instant;

use elfmem_encoder::{Encoder, EncoderError, PieceStates};

use super::BuiltinModel;
use super::background::Background;
use super::vocabulary::WordPieceVocabulary;
use crate::embedder::{Embedder, QueryEmbedding, SimilarityProfile};
use crate::error::ModelError;
use crate::health::HealthReport;
use crate::relevance::RelevanceCurve;
use crate::usage::Usage;

pub(super) static BACKGROUND_FILE: &[u8] = include_bytes!("../../model/background-encoder.bin");

/// The encoder with its vocabulary. Copies share the model.
#[derive(Debug, Clone, Copy)]
pub struct EncoderEmbedder(&'static EncoderModel);

#[derive(Debug)]
struct EncoderModel {
    vocabulary: &'static WordPieceVocabulary,
    encoder: Encoder<'static>,
    background: Background,
    /// Threads that embed a batch.
    threads: usize,
}

impl EncoderEmbedder {
    /// Returns the model. The first call parses the vocabulary, about a millisecond; the weights are used as they lie in the
    /// program.
    pub fn shared() -> Result<Self, ModelError> {
        static SHARED: OnceLock<Result<EncoderModel, ModelError>> = OnceLock::new();
        SHARED.get_or_init(EncoderModel::load).as_ref().map(Self).map_err(Clone::clone)
    }

    /// Returns the ids of the word pieces of a text. Unknown words are `[UNK]`, which is 100.
    pub fn piece_ids(&self, text: &str) -> Vec<u32> {
        self.0.vocabulary.piece_ids(text)
    }

    pub(super) fn encoder(&self) -> &'static Encoder<'static> {
        &self.0.encoder
    }

    pub(super) fn threads(&self) -> usize {
        self.0.threads
    }
}

impl EncoderModel {
    fn load() -> Result<Self, ModelError> {
        let vocabulary = WordPieceVocabulary::shared()?;
        let parts = [elfmem_encoder_data_1::PART, elfmem_encoder_data_2::PART];
        let encoder = Encoder::read(&parts).map_err(damaged)?;
        vocabulary.check_rows(encoder.sizes().pieces)?;
        let background = Background::read(BACKGROUND_FILE)?;
        Ok(Self {
            vocabulary,
            encoder,
            background,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
        })
    }
}

pub(super) fn damaged(error: EncoderError) -> ModelError {
    ModelError::DamagedModel { problem: error.to_string() }
}

impl Embedder for EncoderEmbedder {
    fn name(&self) -> &str {
        BuiltinModel::Encoder.name()
    }

    fn dimensions(&self) -> usize {
        self.0.encoder.sizes().dimensions
    }

    fn profile(&self) -> SimilarityProfile {
        BuiltinModel::Encoder.profile()
    }

    fn relevance_curve(&self) -> RelevanceCurve {
        BuiltinModel::Encoder.relevance_curve()
    }

    fn background(&self, vector: &[f32]) -> Option<f64> {
        Some(self.0.background.level(vector))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| self.piece_ids(text)).collect();
        let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
        self.0.encoder.embed(&ids, self.0.threads).map_err(damaged)
    }

    fn prepare_query(&self, text: &str) -> Result<Box<dyn QueryEmbedding>, ModelError> {
        let (mut words, mut pieces, sizes) = (Vec::new(), Vec::new(), self.0.encoder.sizes());
        self.0.vocabulary.each_word(text, |word, ids| {
            let before = pieces.len();
            pieces.extend(ids.iter().filter(|id| sizes.is_text(**id)));
            if pieces.len() > before {
                words.push((word.to_owned(), pieces.len() - before));
            }
        });
        Ok(Box::new(EncodedQuery { model: self.0, words, states: self.0.encoder.states(&pieces) }))
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        let started = Instant::now();
        if self.embed(&["peanut allergy"])?.first().is_none_or(Option::is_none) {
            return Err(ModelError::DamagedModel { problem: "a plain sentence has no vector".to_owned() });
        }
        let detail = format!("{} dimensions, built in, {} kernel.", self.dimensions(), self.0.encoder.kernel().name());
        Ok(HealthReport::since(started, self.name(), detail))
    }

    fn usage(&self) -> Usage {
        // The encoder uses neither tokens nor calls.
        Usage::default()
    }
}

/// The states of the pieces of a query, and to which word each belongs.
#[derive(Debug)]
struct EncodedQuery {
    model: &'static EncoderModel,
    /// The words that have pieces, and how many.
    words: Vec<(String, usize)>,
    /// None if there is no piece.
    states: Option<PieceStates>,
}

impl QueryEmbedding for EncodedQuery {
    fn vector(&self, weigh: &dyn Fn(&str) -> f64) -> Result<Option<Vec<f32>>, ModelError> {
        let Some(states) = &self.states else { return Ok(None) };
        let weights: Vec<f32> =
            self.words.iter().flat_map(|(word, pieces)| std::iter::repeat_n(weigh(word) as f32, *pieces)).collect();
        self.model.encoder.pool(states, &weights).map(Some).map_err(damaged)
    }

    fn bytes(&self) -> usize {
        self.words.iter().map(|(word, _)| word.len()).sum::<usize>()
            + self.states.as_ref().map_or(0, PieceStates::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn vectors(texts: &[&str]) -> Vec<Vec<f32>> {
        let vectors = EncoderEmbedder::shared().unwrap().embed(texts).unwrap();
        vectors.into_iter().map(Option::unwrap).collect()
    }

    #[test]
    fn negation_roles_and_languages_are_told_apart() {
        let found =
            vectors(&["Anna beat Tom.", "Tom was beaten by Anna.", "Tom beat Anna.", "Anna hat Tom geschlagen."]);
        let [same, swapped, german] = [1, 2, 3].map(|at| cosine(&found[0], &found[at]));
        assert!(same > swapped + 0.1 && german > 0.6, "{same} {swapped} {german}");
        let found = vectors(&["The cache is thread safe", "The cache is not thread safe"]);
        assert!(cosine(&found[0], &found[1]) < 0.7);
    }

    #[test]
    fn a_question_is_its_text_until_words_are_weighted() {
        let model = EncoderEmbedder::shared().unwrap();
        let text = "When does Maria's café [UNK] open?";
        let query = model.prepare_query(text).unwrap();
        let plain = vectors(&[text]).remove(0);
        assert_eq!(query.vector(&|_| 1.0).unwrap(), Some(plain.clone()));
        assert_eq!(query.vector(&|_| 0.0).unwrap(), Some(plain.clone()));
        let asked = std::cell::RefCell::new(Vec::new());
        let weighted = query.vector(&|word| {
            asked.borrow_mut().push(word.to_owned());
            if word == "cafe" { 5.0 } else { 0.2 }
        });
        assert_eq!(*asked.borrow(), ["when", "does", "maria", "'", "s", "cafe", "[", "unk", "]", "open", "?"]);
        let cafe = vectors(&["café"]).remove(0);
        assert!(cosine(&weighted.unwrap().unwrap(), &cafe) > cosine(&plain, &cafe));
        assert!(query.bytes() > 1000);
    }

    #[test]
    fn nothing_to_read_has_no_vector() {
        let model = EncoderEmbedder::shared().unwrap();
        assert_eq!(model.embed(&["", "  \n"]).unwrap(), [None, None]);
        assert_eq!(model.prepare_query(" ").unwrap().vector(&|_| 1.0).unwrap(), None);
    }

    #[test]
    fn a_check_names_the_kernel() {
        let detail = EncoderEmbedder::shared().unwrap().check().unwrap().detail;
        assert!(detail.starts_with("256 dimensions, built in, ") && detail.ends_with(" kernel."), "{detail}");
    }
}
