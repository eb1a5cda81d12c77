//! The pieces of a document that are not divided: headings, code, lists or their items, sentences.

use super::elements::{DocumentElement, elements};
use super::sentences::sentences;

/// A list may exceed the target by this factor before it is split between its items.
const LIST_FACTOR: usize = 2;

/// One piece, and how it is joined to the piece before it in the same chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentPiece {
    pub(super) text: String,
    pub(super) joint: &'static str,
    pub(super) words: usize,
    /// The level of a heading; none for other pieces.
    pub(super) heading: Option<usize>,
    /// Whether it is a chunk of its own: a part of a text that was longer than a chunk.
    pub(super) alone: bool,
}

impl DocumentPiece {
    /// Returns the title of a heading.
    pub(super) fn title(&self) -> &str {
        self.text.trim_matches('#').trim()
    }
}

/// Divides a document into pieces, none longer than `max_bytes`.
pub(super) fn pieces(text: &str, target: usize, max_bytes: usize) -> Vec<DocumentPiece> {
    let mut list = DocumentPieces { max_bytes, pieces: Vec::new() };
    for element in elements(text) {
        match element {
            DocumentElement::Heading(text) => {
                let level = text.bytes().take_while(|&byte| byte == b'#').count();
                list.add(&text, "\n\n", Some(level));
            }
            DocumentElement::Code(text) => list.add(&text, "\n\n", None),
            DocumentElement::List(items) => {
                let whole = items.join("\n");
                if count_words(&whole) <= LIST_FACTOR * target && whole.len() <= max_bytes {
                    list.add(&whole, "\n\n", None);
                } else {
                    list.add_all(&items, "\n");
                }
            }
            DocumentElement::Paragraph(text) => list.add_all(&sentences(&text), " "),
        }
    }
    list.pieces
}

struct DocumentPieces {
    max_bytes: usize,
    pieces: Vec<DocumentPiece>,
}

impl DocumentPieces {
    fn add_all(&mut self, parts: &[String], joint: &'static str) {
        for (at, part) in parts.iter().enumerate() {
            self.add(part, if at == 0 { "\n\n" } else { joint }, None);
        }
    }

    fn add(&mut self, text: &str, joint: &'static str, heading: Option<usize>) {
        if text.len() <= self.max_bytes {
            let (text, words) = (text.to_owned(), count_words(text));
            self.pieces.push(DocumentPiece { text, joint, words, heading, alone: false });
            return;
        }
        for text in split_hard(text, self.max_bytes) {
            let words = count_words(&text);
            if words > 0 {
                self.pieces.push(DocumentPiece { text, joint, words, heading: None, alone: true });
            }
        }
    }
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Splits text without boundaries: at a line break, else at a space, else between characters.
fn split_hard(text: &str, max_bytes: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > max_bytes {
        let mut limit = max_bytes;
        while !rest.is_char_boundary(limit) {
            limit -= 1;
        }
        let window = &rest[..limit];
        let cut = window.rfind('\n').or_else(|| window.rfind(' ')).map_or(limit, |at| at + 1);
        pieces.push(rest[..cut].to_owned());
        rest = &rest[cut..];
    }
    pieces.push(rest.to_owned());
    pieces
}
