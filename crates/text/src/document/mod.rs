//! Splits documents into chunks: by structure first, by sentences if a part is too long.
//!
//! A heading starts a new chunk and stays with the text after it. Code fences and lists stay whole
//! if they fit. Sentences do not end after `Dr.`, `e.g.` or an initial. A later version of a document
//! is split along the chunks of the earlier one where its text did not change.

mod elements;
mod pieces;
mod sentences;
mod versions;

use std::collections::{HashMap, HashSet};

use pieces::{DocumentPiece, pieces};
pub use sentences::sentences;
pub use versions::{Successor, VersionPart, successors};

/// Default target size of a chunk, in words.
pub const DEFAULT_CHUNK_WORDS: usize = 256;

/// The longest title of a heading that is kept, in characters.
const MAX_TITLE: usize = 120;

/// Splits `text` into chunks of about `target_words` words, none longer than `max_bytes`.
///
/// Keeps the order and drops only white space between chunks. A text without words returns no
/// chunks.
pub fn split_document(text: &str, target_words: usize, max_bytes: usize) -> Vec<String> {
    DocumentChunks::new(target_words, max_bytes).split(text).into_iter().map(|chunk| chunk.text).collect()
}

/// A chunk of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentChunk {
    /// The text.
    pub text: String,
    /// The headings above the text, outermost first.
    pub headings: Vec<String>,
}

/// How a document is split.
#[derive(Debug, Clone)]
pub struct DocumentChunks {
    target: usize,
    max_bytes: usize,
    /// The chunks of an earlier version.
    known: Vec<KnownChunk>,
}

impl DocumentChunks {
    /// Splits into chunks of about `target_words` words, none longer than `max_bytes`.
    pub fn new(target_words: usize, max_bytes: usize) -> Self {
        Self { target: target_words.max(1), max_bytes: max_bytes.max(4), known: Vec::new() }
    }

    /// Keeps the chunks of an earlier version where the text did not change. Without them, a sentence
    /// that comes in would move the boundaries of all chunks after it.
    #[must_use]
    pub fn known(mut self, chunks: &[String]) -> Self {
        let known =
            |text: &String| KnownChunk { text: text.clone(), pieces: pieces(text, self.target, self.max_bytes) };
        self.known = chunks.iter().map(known).collect();
        self
    }

    /// Splits a document.
    pub fn split(&self, text: &str) -> Vec<DocumentChunk> {
        let pieces = pieces(text, self.target, self.max_bytes);
        let known = KnownChunks::new(&self.known);
        let (mut chunks, mut path) = (Vec::new(), HeadingPath::default());
        let mut start = 0;
        while start < pieces.len() {
            let mut end = self.end_of_chunk(&pieces, start);
            let mut next = None;
            if !known.contains(&pieces[start..end]) {
                // Out of step with the earlier version: in step again where one of its chunks begins.
                next = (start + 1..end).find_map(|at| Some((at, known.chunk_at(&pieces, at)?)));
                next = next.filter(|(at, _)| !is_only_headings(&pieces[start..*at]));
                end = next.map_or(end, |(at, _)| at);
            }
            chunks.extend(path.chunk(&pieces[start..end]));
            start = end;
            if let Some((at, length)) = next {
                chunks.extend(path.chunk(&pieces[at..at + length]));
                start = at + length;
            }
        }
        chunks
    }

    /// Returns where the chunk that begins at `start` ends: before the piece that does not fit, or at the next heading.
    fn end_of_chunk(&self, pieces: &[DocumentPiece], start: usize) -> usize {
        let (mut words, mut bytes) = (0, 0);
        let mut only_headings = true;
        for (at, piece) in pieces.iter().enumerate().skip(start) {
            let is_first = at == start;
            if piece.alone {
                return if is_first { at + 1 } else { at };
            }
            let length = bytes + piece.text.len() + if is_first { 0 } else { piece.joint.len() };
            let fits = words + piece.words <= self.target && length <= self.max_bytes;
            let begins = piece.heading.is_some() || !fits;
            if begins && !only_headings || !is_first && length > self.max_bytes {
                return at;
            }
            words += piece.words;
            bytes = length;
            only_headings &= piece.heading.is_some();
        }
        pieces.len()
    }
}

/// A chunk of an earlier version. Read alone, a chunk can have other pieces than in its document: an
/// open code fence ends with the chunk.
#[derive(Debug, Clone)]
struct KnownChunk {
    text: String,
    pieces: Vec<DocumentPiece>,
}

/// The chunks of an earlier version, by their first pieces.
struct KnownChunks<'a> {
    by_first: HashMap<&'a str, Vec<&'a [DocumentPiece]>>,
    texts: HashSet<&'a str>,
}

impl<'a> KnownChunks<'a> {
    fn new(chunks: &'a [KnownChunk]) -> Self {
        let mut by_first: HashMap<&str, Vec<&[DocumentPiece]>> = HashMap::new();
        for chunk in chunks {
            if let Some(first) = chunk.pieces.first() {
                by_first.entry(first.text.as_str()).or_default().push(&chunk.pieces);
            }
        }
        Self { by_first, texts: chunks.iter().map(|chunk| chunk.text.as_str()).collect() }
    }

    fn contains(&self, chunk: &[DocumentPiece]) -> bool {
        !self.texts.is_empty() && self.texts.contains(joined(chunk).as_str())
    }

    /// Returns the length in pieces of the longest known chunk that begins at a piece.
    fn chunk_at(&self, pieces: &[DocumentPiece], at: usize) -> Option<usize> {
        let candidates = self.by_first.get(pieces.get(at)?.text.as_str())?;
        let begins = |known: &&&[DocumentPiece]| {
            let here = pieces.get(at..at + known.len());
            here.is_some_and(|here| here.iter().zip(**known).skip(1).all(|(one, other)| is_same(one, other)))
        };
        candidates.iter().filter(begins).map(|known| known.len()).max()
    }
}

/// Returns true if two pieces that are not the first of their chunks are written alike.
fn is_same(one: &DocumentPiece, other: &DocumentPiece) -> bool {
    one.text == other.text && one.joint == other.joint
}

fn is_only_headings(pieces: &[DocumentPiece]) -> bool {
    pieces.iter().all(|piece| piece.heading.is_some())
}

fn joined(pieces: &[DocumentPiece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        if !text.is_empty() {
            text.push_str(piece.joint);
        }
        text.push_str(&piece.text);
    }
    text.trim().to_owned()
}

/// The headings above the text that follows, with their levels.
#[derive(Default)]
struct HeadingPath(Vec<(usize, String)>);

impl HeadingPath {
    /// Makes a chunk of pieces and takes up the headings in them.
    fn chunk(&mut self, pieces: &[DocumentPiece]) -> Option<DocumentChunk> {
        for piece in pieces {
            let Some(level) = piece.heading else { continue };
            self.0.retain(|(above, _)| *above < level);
            self.0.push((level, piece.title().chars().take(MAX_TITLE).collect()));
        }
        let text = joined(pieces);
        let titles = self.0.iter().map(|(_, title)| title.clone()).filter(|title| !title.is_empty());
        (!text.is_empty()).then(|| DocumentChunk { text, headings: titles.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn headings_start_a_chunk_and_stay_with_the_text_after() {
        let text = "# Guide\n\n## Install\nRun it.\n\n## Use\nCall it. Enjoy.";
        assert_eq!(split_document(text, 100, 1000), ["# Guide\n\n## Install\n\nRun it.", "## Use\n\nCall it. Enjoy."]);
    }

    #[test]
    fn code_fences_and_lists_stay_whole() {
        let code = "```rust\nfn main() {\n\n    run();\n}\n```";
        let list = "- first item here\n- second item\n  with more";
        let text = format!("One. Two three.\n\n{code}\n\n{list}\n\nEnd.");
        let pieces = split_document(&text, 8, 1000);
        assert!(pieces.iter().any(|piece| piece.contains(code)), "{pieces:?}");
        assert!(pieces.iter().any(|piece| piece.contains(list)), "{pieces:?}");
    }

    #[test]
    fn chunks_are_filled_up_to_the_target() {
        let text = "One two three. Four five! Six seven eight nine? Ten. Dr. Smith went home.";
        assert_eq!(
            split_document(text, 5, 1000),
            ["One two three. Four five!", "Six seven eight nine? Ten.", "Dr. Smith went home."]
        );
        assert_eq!(split_document(text, 100, 1000), [text]);
        assert!(split_document(" \n\n ", 10, 100).is_empty());
    }

    #[test]
    fn a_chunk_knows_the_headings_above_it() {
        let text = "Intro.\n\n# Guide\n\n## Install #\n\nRun it. Wait.\n\n## Use\n\nCall it.\n\n# End\n\nBye.";
        let chunks = DocumentChunks::new(20, 1000).split(text);
        let headings: Vec<String> = chunks.iter().map(|chunk| chunk.headings.join("/")).collect();
        assert_eq!(headings, ["", "Guide/Install", "Guide/Use", "End"]);
        let long = DocumentChunks::new(1, 1000).split("# A\n\nOne. Two.");
        assert_eq!(long.iter().map(|chunk| chunk.headings.join("/")).collect::<Vec<_>>(), ["A", "A"]);
    }

    #[test]
    fn a_sentence_that_comes_in_changes_one_chunk() {
        let sentence = |n: usize| format!("Sentence number {n} is here. ");
        let text: String = (0..60).map(sentence).collect();
        let chunks = DocumentChunks::new(25, 1000);
        let before: Vec<String> = chunks.split(&text).into_iter().map(|chunk| chunk.text).collect();
        let longer = text.replacen("Sentence number 7 is", "Something new came in. Sentence number 7 is", 1);
        let after = chunks.clone().known(&before).split(&longer);
        let changed = after.iter().filter(|chunk| !before.contains(&chunk.text)).count();
        assert_eq!((before.len(), after.len()), (12, 13));
        assert_eq!(changed, 2, "the chunk with the sentence, in two: {after:?}");
        let shifted = chunks.split(&longer).into_iter().filter(|chunk| !before.contains(&chunk.text)).count();
        assert!(shifted > 9, "without the known chunks all that follow move: {shifted}");
        let appended = chunks.known(&before).split(&format!("{text}One more."));
        assert_eq!(appended.len(), 13);
    }

    #[test]
    fn a_chunk_with_an_open_code_fence_is_known_again() {
        let text = "```\n```\n# x\n# x\n# x\n# x\na? ```\n```\n```\n";
        let chunks = DocumentChunks::new(3, 200);
        let first = chunks.split(text);
        let known: Vec<String> = first.iter().map(|chunk| chunk.text.clone()).collect();
        assert_eq!(chunks.known(&known).split(text), first);
    }

    #[test]
    fn a_last_chunk_grows_by_what_is_appended() {
        let chunks = DocumentChunks::new(25, 1000).known(&["One. Two.".to_owned()]);
        assert_eq!(chunks.split("One. Two. Three.")[0].text, "One. Two. Three.");
    }

    proptest! {
        #[test]
        fn known_chunks_change_nothing_in_a_document_that_did_not_change(text in "([a-e]{1,3}[ .!?\n]{1,2}|# x\n|- y\n|```\n){0,60}", target in 1usize..12) {
            let chunks = DocumentChunks::new(target, 200);
            let first = chunks.split(&text);
            let known: Vec<String> = first.iter().map(|chunk| chunk.text.clone()).collect();
            prop_assert_eq!(chunks.known(&known).split(&text), first);
        }

        #[test]
        fn chunks_keep_all_words_in_order_within_the_limit(text in "([a-z]{1,9}[ .!?\n]{1,2}|# x\n|- y\n|```\n){0,60}", target in 1usize..30, max in 16usize..200) {
            let pieces = split_document(&text, target, max);
            for piece in &pieces {
                prop_assert!(!piece.trim().is_empty());
                prop_assert!(piece.len() <= max, "{} > {max}", piece.len());
            }
            let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(squeeze(&pieces.concat()), squeeze(&text));
        }
    }
}
