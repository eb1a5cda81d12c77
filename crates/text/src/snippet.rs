//! The part of a text that a question is about, with the words that both share.

use std::collections::{HashMap, HashSet};

use crate::language::Language;
use crate::terms::{query_words, terms_in};

/// What is shown before the first shared word, as a share of the whole.
const LEAD: usize = 4;

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnippetPiece {
    /// The text, with its white space.
    pub text: String,
    /// Whether it is a word of the question, in any form of it.
    pub matches: bool,
}

/// A word of the text with the white space before it.
struct Word<'a> {
    space: &'a str,
    text: &'a str,
    /// The term of the question that it is; none if it is none.
    term: Option<String>,
    length: usize,
}

/// Returns at most `most` characters of a text, around the words that it shares with a question, in pieces. An ellipsis stands
/// where something was left out. A short text is returned whole.
pub fn snippet(text: &str, question: &str, most: usize) -> Vec<SnippetPiece> {
    let text = text.trim();
    let words = words(text, question);
    let (start, end) = match text.chars().count() <= most {
        true => (0, words.len()),
        false => window(&words, most),
    };
    let mut pieces = Vec::new();
    if start > 0 {
        push(&mut pieces, "… ", false);
    }
    for (at, word) in words.iter().enumerate().take(end).skip(start) {
        let space = if at == start && start > 0 { "" } else { word.space };
        push(&mut pieces, space, false);
        let is_cut = end == start + 1 && word.text.chars().count() > most;
        let shown = if is_cut { word.text.chars().take(most).collect() } else { word.text.to_owned() };
        push(&mut pieces, &shown, word.term.is_some());
        if is_cut {
            push(&mut pieces, "…", false);
        }
    }
    if end < words.len() {
        push(&mut pieces, " …", false);
    }
    pieces
}

fn push(pieces: &mut Vec<SnippetPiece>, text: &str, matches: bool) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.matches == matches && !matches => last.text.push_str(text),
        _ => pieces.push(SnippetPiece { text: text.to_owned(), matches }),
    }
}

fn words<'a>(text: &'a str, question: &str) -> Vec<Word<'a>> {
    let language = Language::detect(text).unwrap_or(Language::English);
    let wanted: HashSet<String> = query_words(question).into_iter().flat_map(|word| word.terms).collect();
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        let (space, after) = rest.split_at(start);
        let (word, after) = after.split_at(after.find(char::is_whitespace).unwrap_or(after.len()));
        let term = terms_in(word, language).into_iter().map(|term| term.text).find(|term| wanted.contains(term));
        words.push(Word { space, text: word, term, length: word.chars().count() + space.chars().count() });
        rest = after;
    }
    words
}

/// The words with the most different terms of the question, within a number of characters. Of windows with as many, the one
/// that begins before the rarest term says most.
fn window(words: &[Word<'_>], most: usize) -> (usize, usize) {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for term in words.iter().filter_map(|word| word.term.as_deref()) {
        *uses.entry(term).or_default() += 1;
    }
    let matching = words.iter().enumerate().filter_map(|(at, word)| Some((at, uses[word.term.as_deref()?])));
    let mut matching: Vec<(usize, usize)> = matching.collect();
    matching.sort_by_key(|(_, uses)| *uses);
    let mut best = (0, end_of(words, 0, most));
    let mut best_count = 0;
    for (at, _) in matching {
        let start = start_before(words, at, most / LEAD);
        let end = end_of(words, start, most);
        let count = words[start..end].iter().filter_map(|word| word.term.as_ref()).collect::<HashSet<_>>().len();
        if count > best_count {
            (best, best_count) = ((start, end), count);
        }
    }
    best
}

fn start_before(words: &[Word<'_>], at: usize, room: usize) -> usize {
    let mut used = 0;
    let before = words[..at].iter().rev().take_while(|word| {
        used += word.length;
        used <= room
    });
    at - before.count()
}

fn end_of(words: &[Word<'_>], start: usize, most: usize) -> usize {
    let mut used = 0;
    let fitting = words[start..].iter().take_while(|word| {
        used += word.length;
        used <= most
    });
    (start + fitting.count()).max(start + 1).min(words.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text of a snippet, matching words between asterisks.
    fn shown(text: &str, question: &str, most: usize) -> String {
        let mark = |piece: SnippetPiece| if piece.matches { format!("*{}*", piece.text) } else { piece.text };
        snippet(text, question, most).into_iter().map(mark).collect()
    }

    #[test]
    fn short_texts_are_whole_and_the_words_of_the_question_are_marked_in_any_form() {
        assert_eq!(
            shown("Ana keeps bees.\n\nTwo hives", "who is keeping a bee?", 80),
            "Ana *keeps* *bees.*\n\nTwo hives"
        );
        assert_eq!(shown("The port is 5432", "where is the weather", 80), "The port is 5432");
        assert_eq!(shown("", "x", 10), "");
    }

    #[test]
    fn a_long_text_is_cut_around_what_the_question_is_about() {
        let text =
            "First the weather. Then the roads. At last the staging database listens on port 5433, and more. And more.";
        assert_eq!(
            shown(text, "which port does staging use?", 60),
            "… At last the *staging* database listens on *port* 5433, and …"
        );
        assert_eq!(shown(text, "nothing of it", 20), "First the weather. …");
        assert_eq!(shown("aaaaaaaaaaaaaaaaaaaaaaaa bbb", "x", 5), "aaaaa… …");
    }

    #[test]
    fn the_rarest_word_of_the_question_stands_inside_of_what_is_shown() {
        let text: String = (0..60).map(|step| format!("Step {step} moves table t{step}. ")).collect();
        let shown = shown(&text, "which step moves table t44?", 70);
        assert!(shown.contains(" 44 *moves* *table* *t44.* *Step* 45"), "{shown}");
    }

    proptest! {
        #[test]
        fn a_snippet_is_short_and_part_of_its_text(text in "[a-e ä\n]{0,200}", question in "[a-e ]{0,20}", most in 1usize..60) {
            let pieces = snippet(&text, &question, most);
            let whole: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
            prop_assert!(whole.chars().count() <= most + 5, "{whole:?}");
            let inner = whole.trim_start_matches("… ").trim_end_matches(" …").trim_end_matches('…');
            prop_assert!(text.contains(inner), "{inner:?}");
        }
    }
}
