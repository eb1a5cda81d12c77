//! The vocabulary that all built-in models share: uncased BERT's word pieces.

use std::sync::OnceLock;

use super::word_piece::WordPieces;
use super::words::{WordRules, each_word};
use crate::error::ModelError;

pub(super) static VOCABULARY_FILE: &str = include_str!("../../model/vocab.txt");

/// Splits texts into word pieces.
#[derive(Debug)]
pub(super) struct WordPieceVocabulary(WordPieces);

impl WordPieceVocabulary {
    /// Returns the shared instance. The first call parses the embedded file.
    pub(super) fn shared() -> Result<&'static Self, ModelError> {
        static SHARED: OnceLock<Result<WordPieceVocabulary, ModelError>> = OnceLock::new();
        SHARED.get_or_init(|| WordPieces::read(VOCABULARY_FILE).map(Self)).as_ref().map_err(Clone::clone)
    }

    /// Checks that a model has a row for each piece.
    pub(super) fn check_rows(&self, rows: usize) -> Result<(), ModelError> {
        if self.0.len() == rows {
            return Ok(());
        }
        Err(ModelError::DamagedModel { problem: format!("{} pieces and {rows} vectors", self.0.len()) })
    }

    /// Calls `visit` for every word of a text with the ids of its pieces.
    pub(super) fn each_word(&self, text: &str, mut visit: impl FnMut(&str, &[u32])) {
        let mut ids = Vec::new();
        each_word(text, WordRules::UNCASED, |word| {
            ids.clear();
            self.0.split(word, &mut ids);
            visit(word, &ids);
        });
    }

    /// Returns the ids of the pieces of a text. Unknown words are `[UNK]`, which is 100.
    pub(super) fn piece_ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 4 + 1);
        each_word(text, WordRules::UNCASED, |word| self.0.split(word, &mut ids));
        ids
    }
}
