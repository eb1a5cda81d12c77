//! WordPiece tokenization: greedy longest match from the left.

use std::collections::HashMap;

use crate::error::ModelError;

/// Prefix of a piece that continues a word.
const CONTINUES: &str = "##";
/// The piece for words outside the vocabulary.
const UNKNOWN: &str = "[UNK]";
/// Maximum length of a word in characters. Longer words are unknown.
const MAX_WORD_CHARS: usize = 100;

/// A WordPiece vocabulary.
#[derive(Debug)]
pub struct WordPieces {
    texts: Vec<&'static str>,
    starting: HashMap<&'static str, u32>,
    continuing: HashMap<&'static str, u32>,
    unknown: u32,
    longest_piece: usize,
}

impl WordPieces {
    /// Parses a vocabulary, one piece per line. The line number is the id.
    pub fn read(file: &'static str) -> Result<Self, ModelError> {
        let texts: Vec<&'static str> = file.lines().collect();
        let mut starting = HashMap::with_capacity(texts.len());
        let mut continuing = HashMap::with_capacity(texts.len() / 4);
        let mut longest_piece = 0;
        for (text, id) in texts.iter().zip(0..) {
            let (bare, pieces) = match text.strip_prefix(CONTINUES) {
                Some(rest) if !rest.is_empty() => (rest, &mut continuing),
                _ => (*text, &mut starting),
            };
            longest_piece = longest_piece.max(bare.len());
            pieces.insert(bare, id);
        }
        let unknown = starting.get(UNKNOWN).copied();
        let unknown =
            unknown.ok_or_else(|| ModelError::DamagedModel { problem: format!("no {UNKNOWN} in the vocabulary") })?;
        Ok(Self { texts, starting, continuing, unknown, longest_piece })
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns true if the vocabulary is empty.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the text of a piece, with `##` if it continues a word. Empty for an unknown id.
    pub fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).copied().unwrap_or_default()
    }

    /// Appends the pieces of a lowercase word. A word that cannot be split completely is unknown as
    /// a whole.
    pub(super) fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut rest = if word.chars().nth(MAX_WORD_CHARS).is_some() { "" } else { word };
        if rest.is_empty() {
            ids.push(self.unknown);
        }
        while !rest.is_empty() {
            let pieces = if rest.len() == word.len() { &self.starting } else { &self.continuing };
            match self.longest_match(rest, pieces) {
                Some((id, length)) => {
                    ids.push(id);
                    rest = &rest[length..];
                }
                None => {
                    ids.truncate(before);
                    ids.push(self.unknown);
                    return;
                }
            }
        }
    }

    fn longest_match(&self, text: &str, pieces: &HashMap<&'static str, u32>) -> Option<(u32, usize)> {
        let max = text.len().min(self.longest_piece);
        (1..=max)
            .rev()
            .filter(|end| text.is_char_boundary(*end))
            .find_map(|end| Some((*pieces.get(&text[..end])?, end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<u32> {
        let pieces = WordPieces::read("[UNK]\nun\n##aff\n##able\nunaff\n##é\n##").unwrap();
        let mut ids = Vec::new();
        pieces.split(word, &mut ids);
        ids
    }

    #[test]
    fn the_longest_piece_wins() {
        assert_eq!(split("unaffable"), [4, 3]);
        assert_eq!(split("unable"), [1, 3]);
        assert_eq!(split("uné"), [1, 5]);
    }

    #[test]
    fn a_word_that_cannot_be_finished_is_unknown_as_a_whole() {
        assert_eq!(split("unaffx"), [0]);
        assert_eq!(split("able"), [0]);
        assert_eq!(split(&"un".repeat(60)), [0]);
    }

    #[test]
    fn a_vocabulary_without_a_piece_for_the_unknown_is_damaged() {
        assert!(WordPieces::read("a\nb").is_err());
    }
}
