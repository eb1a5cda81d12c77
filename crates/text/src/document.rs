//! Splits documents into chunks: by structure first, by sentences if a part is too long.
//!
//! A heading starts a new chunk and stays with the text after it. Code fences and lists stay whole
//! if they fit. Sentences do not end after `Dr.`, `e.g.` or an initial.

/// Default target size of a chunk, in words.
pub const DEFAULT_CHUNK_WORDS: usize = 256;

/// A list may exceed the target by this factor before it is split between its items.
const LIST_FACTOR: usize = 2;

/// Splits `text` into chunks of about `target_words` words, none longer than `max_bytes`.
///
/// Keeps the order and drops only white space between chunks. A text without words returns no
/// chunks.
pub fn split_document(text: &str, target_words: usize, max_bytes: usize) -> Vec<String> {
    let target = target_words.max(1);
    let mut packer =
        ChunkPacker { target, max_bytes: max_bytes.max(4), done: Vec::new(), open: String::new(), words: 0 };
    for element in elements(text) {
        packer.add_element(&element);
    }
    packer.flush();
    packer.done
}

/// A structural element of a document.
#[derive(Debug, PartialEq)]
enum DocumentElement {
    Heading(String),
    Code(String),
    List(Vec<String>),
    Paragraph(String),
}

/// Parses the structure line by line.
fn elements(text: &str) -> Vec<DocumentElement> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(fence) = fence_of(trimmed) {
            let mut code = vec![line];
            for inner in lines.by_ref() {
                code.push(inner);
                if inner.trim() == fence {
                    break;
                }
            }
            found.push(DocumentElement::Code(code.join("\n")));
        } else if is_heading(trimmed) {
            found.push(DocumentElement::Heading(line.trim().to_owned()));
        } else if is_list_item(trimmed) {
            let mut items = vec![line.trim_end().to_owned()];
            while let Some(next) = lines.next_if(|next| continues_list(next)) {
                match items.last_mut() {
                    Some(item) if !is_list_item(next.trim_start()) => {
                        item.push('\n');
                        item.push_str(next.trim_end());
                    }
                    _ => items.push(next.trim_end().to_owned()),
                }
            }
            found.push(DocumentElement::List(items));
        } else {
            let mut paragraph = vec![line.trim()];
            while let Some(next) = lines.next_if(|next| continues_paragraph(next.trim_start())) {
                paragraph.push(next.trim());
            }
            found.push(DocumentElement::Paragraph(paragraph.join("\n")));
        }
    }
    found
}

fn fence_of(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence))
}

fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with(' ')
}

fn is_list_item(line: &str) -> bool {
    let after_bullet = line.strip_prefix(['-', '*', '+', '•']);
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')']);
    let numbered = line.starts_with(|c: char| c.is_ascii_digit());
    after_bullet.is_some_and(|rest| rest.starts_with(' '))
        || (numbered && after_number.is_some_and(|rest| rest.starts_with(' ')))
}

fn continues_list(line: &str) -> bool {
    let trimmed = line.trim_start();
    !trimmed.is_empty() && (is_list_item(trimmed) || line.starts_with([' ', '\t'])) && fence_of(trimmed).is_none()
}

fn continues_paragraph(line: &str) -> bool {
    !line.is_empty() && !is_heading(line) && !is_list_item(line) && fence_of(line).is_none()
}

/// Packs elements into chunks up to the target size.
struct ChunkPacker {
    target: usize,
    max_bytes: usize,
    done: Vec<String>,
    open: String,
    words: usize,
}

impl ChunkPacker {
    fn add_element(&mut self, element: &DocumentElement) {
        match element {
            DocumentElement::Heading(text) => {
                if !is_only_headings(&self.open) {
                    self.flush();
                }
                self.add(text, "\n\n");
            }
            DocumentElement::Code(text) => self.add(text, "\n\n"),
            DocumentElement::List(items) => {
                let whole = items.join("\n");
                if count_words(&whole) <= LIST_FACTOR * self.target && whole.len() <= self.max_bytes {
                    self.add(&whole, "\n\n");
                } else {
                    self.add_all(items, "\n");
                }
            }
            DocumentElement::Paragraph(text) => self.add_all(&sentences(text), " "),
        }
    }

    fn add_all<T: AsRef<str>>(&mut self, parts: &[T], joint: &str) {
        for (at, part) in parts.iter().enumerate() {
            self.add(part.as_ref(), if at == 0 { "\n\n" } else { joint });
        }
    }

    /// Adds one indivisible piece and starts a new chunk if it does not fit. Splits only pieces
    /// longer than a whole chunk.
    fn add(&mut self, text: &str, joint: &str) {
        if text.len() > self.max_bytes {
            self.flush();
            for piece in split_hard(text, self.max_bytes) {
                self.open = piece;
                self.flush();
            }
            return;
        }
        let words = count_words(text);
        let fits = self.words + words <= self.target && self.open.len() + joint.len() + text.len() <= self.max_bytes;
        if !fits && !is_only_headings(&self.open) {
            self.flush();
        }
        if self.open.len() + joint.len() + text.len() > self.max_bytes {
            self.flush();
        }
        if !self.open.is_empty() {
            self.open.push_str(joint);
        }
        self.open.push_str(text);
        self.words += words;
    }

    fn flush(&mut self) {
        let piece = std::mem::take(&mut self.open);
        self.words = 0;
        if !piece.trim().is_empty() {
            self.done.push(piece.trim().to_owned());
        }
    }
}

/// Returns true if the text contains only headings or is empty, so that a chunk must not end here.
fn is_only_headings(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty() || is_heading(line.trim()))
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

/// Abbreviations whose dot does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "sr", "jr", "st", "vs", "etc", "e.g", "i.e", "cf", "al", "no", "nos", "fig",
    "figs", "eq", "sec", "ch", "vol", "pp", "p", "ed", "eds", "approx", "inc", "ltd", "co", "corp", "dept", "est",
    "min", "max", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "a.m", "p.m",
    "u.s", "u.k",
];

/// Splits a paragraph into trimmed sentences.
pub fn sentences(paragraph: &str) -> Vec<String> {
    let characters: Vec<(usize, char)> = paragraph.char_indices().collect();
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        let mut end = at + 1;
        if is_terminal(characters[at].1) {
            while end < characters.len() && (is_terminal(characters[end].1) || closes(characters[end].1)) {
                end += 1;
            }
            if ends_sentence(paragraph, &characters, start, at, end) {
                let stop = characters.get(end).map_or(paragraph.len(), |(byte, _)| *byte);
                push_trimmed(&paragraph[start..stop], &mut found);
                start = stop;
            }
        }
        at = end;
    }
    push_trimmed(&paragraph[start..], &mut found);
    found
}

fn push_trimmed(text: &str, found: &mut Vec<String>) {
    if !text.trim().is_empty() {
        found.push(text.trim().to_owned());
    }
}

fn is_terminal(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | ')' | ']' | '»' | '」' | '』')
}

/// Returns true if the punctuation at `mark`, with closing marks up to `end`, ends a sentence that
/// starts at byte `start`.
fn ends_sentence(paragraph: &str, characters: &[(usize, char)], start: usize, mark: usize, end: usize) -> bool {
    if matches!(characters[mark].1, '。' | '！' | '？') {
        return true;
    }
    let Some((_, next)) = characters.get(end) else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let following = characters[end..].iter().map(|(_, c)| *c).find(|c| !c.is_whitespace());
    if following.is_some_and(char::is_lowercase) {
        return false;
    }
    characters[mark].1 != '.' || !is_abbreviation(&paragraph[start..characters[mark].0])
}

/// Returns true if the text before a dot ends in an abbreviation or a single initial.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"')).next().unwrap_or(before);
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    initial || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_do_not_end_at_abbreviations() {
        let text = "Dr. Smith went home. He met J. Doe, e.g. at 5 p.m. on Main St. in town! \"Really?\" Yes. Version 2.5 is out.";
        assert_eq!(
            sentences(text),
            [
                "Dr. Smith went home.",
                "He met J. Doe, e.g. at 5 p.m. on Main St. in town!",
                "\"Really?\"",
                "Yes.",
                "Version 2.5 is out.",
            ]
        );
        assert_eq!(sentences("一つ。二つ。"), ["一つ。", "二つ。"]);
    }

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

    proptest! {
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
