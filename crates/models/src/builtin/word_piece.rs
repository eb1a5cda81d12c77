//! Words to word pieces: always the longest piece that fits, from the left.

use std::collections::HashMap;

use crate::error::ModelError;

/// What marks a piece that continues a word.
const CONTINUES: &str = "##";
/// The piece of words that cannot be spelt with the vocabulary.
const UNKNOWN: &str = "[UNK]";
/// Longer words are unknown, in characters.
const LONGEST_WORD: usize = 100;

/// A vocabulary of word pieces.
#[derive(Debug)]
pub struct WordPieces {
    texts: Vec<&'static str>,
    starting: HashMap<&'static str, u32>,
    continuing: HashMap<&'static str, u32>,
    unknown: u32,
    longest_piece: usize,
}

impl WordPieces {
    /// Reads a vocabulary, one piece a line; the line number is the id.
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

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text of a piece, with `##` in front when it continues a word; empty for an id that does not exist.
    pub fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).copied().unwrap_or_default()
    }

    /// Appends the pieces of one lowercase word. A word that cannot be spelt to its end is unknown as a whole.
    pub(super) fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut rest = if word.chars().nth(LONGEST_WORD).is_some() { "" } else { word };
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
        let longest = text.len().min(self.longest_piece);
        (1..=longest)
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
