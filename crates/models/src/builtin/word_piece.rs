//! WordPiece tokenization: greedy longest match from the left.

use std::borrow::Cow;

use crate::error::ModelError;

/// Prefix of a piece that continues a word.
const CONTINUES: &str = "##";
/// The piece for words outside the vocabulary.
const UNKNOWN: &str = "[UNK]";
/// Maximum length of a word in characters. Longer words are unknown.
const MAX_WORD_CHARS: usize = 100;

/// A WordPiece vocabulary.
///
/// Pieces are found through a hash table of our own. Programs are started for one question, and filling the standard map
/// took most of the time until the first vector.
#[derive(Debug)]
pub struct WordPieces {
    texts: Vec<Cow<'static, str>>,
    /// By hash, with linear probing: the id of a piece and one, or zero. Half of the places are free.
    places: Vec<u32>,
    unknown: u32,
    longest_piece: usize,
}

/// Where a piece may stand in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PiecePosition {
    Start,
    Later,
}

/// Splits a piece into its place and its letters.
fn parse(piece: &str) -> (PiecePosition, &str) {
    match piece.strip_prefix(CONTINUES) {
        Some(rest) if !rest.is_empty() => (PiecePosition::Later, rest),
        _ => (PiecePosition::Start, piece),
    }
}

/// Hashes a piece: FNV-1a, with the high bits mixed into the low ones.
fn hash(place: PiecePosition, letters: &str) -> usize {
    const PRIME: u64 = 0x0100_0000_01b3;
    let start = if place == PiecePosition::Start { 0xcbf2_9ce4_8422_2325 } else { 0x8422_2325_cbf2_9ce4 };
    let hash = letters.bytes().fold(start, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    (hash ^ (hash >> 32)) as usize
}

impl WordPieces {
    /// Parses a vocabulary, one piece per line. The line number is the id. Of two equal lines the later one counts.
    pub fn read(file: &'static str) -> Result<Self, ModelError> {
        Self::from_pieces(file.lines().map(Cow::Borrowed).collect())
    }

    /// Makes a vocabulary of pieces. The number of a piece is its id. Of two equal pieces the later one counts.
    pub fn from_pieces(texts: Vec<Cow<'static, str>>) -> Result<Self, ModelError> {
        let places = vec![0; (2 * texts.len() + 1).next_power_of_two()];
        let mut pieces = Self { texts, places, unknown: 0, longest_piece: 0 };
        for id in 0..pieces.texts.len() {
            let (place, letters) = parse(&pieces.texts[id]);
            pieces.longest_piece = pieces.longest_piece.max(letters.len());
            let at = pieces.find(place, letters);
            pieces.places[at] = u32::try_from(id + 1).unwrap_or_default();
        }
        let unknown = pieces.get(PiecePosition::Start, UNKNOWN);
        pieces.unknown =
            unknown.ok_or_else(|| ModelError::DamagedModel { problem: format!("no {UNKNOWN} in the vocabulary") })?;
        Ok(pieces)
    }

    /// Returns where a piece is in the table, or the free place where it would be.
    fn find(&self, place: PiecePosition, letters: &str) -> usize {
        let mask = self.places.len() - 1;
        let mut at = hash(place, letters) & mask;
        while let Some(id) = self.places[at].checked_sub(1) {
            if parse(&self.texts[id as usize]) == (place, letters) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, place: PiecePosition, letters: &str) -> Option<u32> {
        self.places[self.find(place, letters)].checked_sub(1)
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
        self.texts.get(id as usize).map(Cow::as_ref).unwrap_or_default()
    }

    /// Returns the id of a piece that starts a word.
    #[cfg(feature = "folder")]
    pub(crate) fn id(&self, piece: &str) -> Option<u32> {
        self.get(PiecePosition::Start, piece)
    }

    /// Appends the pieces of a lowercase word. A word that cannot be split completely is unknown as
    /// a whole.
    pub(crate) fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut rest = if word.chars().nth(MAX_WORD_CHARS).is_some() { "" } else { word };
        if rest.is_empty() {
            ids.push(self.unknown);
        }
        while !rest.is_empty() {
            let place = if rest.len() == word.len() { PiecePosition::Start } else { PiecePosition::Later };
            match self.longest_match(rest, place) {
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

    fn longest_match(&self, text: &str, place: PiecePosition) -> Option<(u32, usize)> {
        let max = text.len().min(self.longest_piece);
        (1..=max)
            .rev()
            .filter(|end| text.is_char_boundary(*end))
            .find_map(|end| Some((self.get(place, &text[..end])?, end)))
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
    fn of_equal_lines_the_later_one_counts() {
        let pieces = WordPieces::read("[UNK]\na\n##a\na").unwrap();
        let mut ids = Vec::new();
        pieces.split("aa", &mut ids);
        assert_eq!(ids, [3, 2]);
    }

    #[test]
    fn a_vocabulary_without_a_piece_for_the_unknown_is_damaged() {
        assert!(WordPieces::read("a\nb").is_err());
    }
}
