//! Where in a sentence a word stands: in what it is about, in what is said, or in what is set aside.
//!
//! Without a grammar this is a guess: the predicate begins at the first auxiliary, at the first word that is inflected like a
//! verb, or behind a colon.

use super::lexicon::{Lexicon, is_auxiliary, is_copula};
use super::scan::{Break, Piece};
use super::token::{Kind, Token};

/// Marks what is only named to be set aside: ", not from Basel", "instead of tea", "rather than Go".
pub(super) fn mark_contrasts(tokens: &mut [Token], pieces: &[Piece]) {
    let word = |at: usize| pieces.get(at).map_or("", |piece| piece.lower.as_str());
    let mut until: Option<usize> = None;
    for index in 0..tokens.len() {
        let at = tokens[index].at;
        let after_comma = at > 0 && pieces[at - 1].after == Break::Comma;
        let without = matches!(word(at), "not" | "without") || (word(at), word(at + 1)) == ("with", "no");
        let not = without && after_comma && !is_auxiliary(word(at - 1));
        let instead = matches!((word(at), word(at + 1)), ("instead", "of") | ("rather", "than"));
        if not || instead {
            until = Some(tokens[index].sentence);
        }
        if until == Some(tokens[index].sentence) {
            tokens[index].contrast = true;
            let end = tokens.get(index + 1).map_or(at, |next| next.at - 1);
            if pieces[end].after != Break::None {
                until = None;
            }
        }
    }
}

/// Marks what stands before the verb of each sentence; says whether the first verb is a form of "to be".
pub(super) fn mark_topics(tokens: &mut [Token], pieces: &[Piece]) -> bool {
    let mut copular = false;
    let mut start = 0;
    while start < tokens.len() {
        let sentence = tokens[start].sentence;
        let end =
            tokens[start..].iter().position(|token| token.sentence != sentence).map_or(tokens.len(), |n| start + n);
        let verb = verb_at(&tokens[start..end], pieces);
        if start == 0 {
            copular = verb
                .is_none_or(|at| is_copula(&tokens[start + at].canon) || is_colon_before(tokens, pieces, start + at));
        }
        let mut topic_end = start + verb.or_else(|| phrase_end(&tokens[start..end])).unwrap_or(0);
        // "Ada is the captain" tells who the captain is: then the name is the news.
        let follows = tokens.get(topic_end + 1).map_or("", |token| token.canon.as_str());
        let named = tokens[start..topic_end].iter().all(|token| !token.is_content() || is_called(token, pieces));
        let named =
            named && verb.is_some_and(|at| at > 0 && is_copula(&tokens[start + at].canon)) && is_definite(follows);
        if named {
            topic_end = start;
        }
        if named {
            let told = tokens[start..end].iter_mut().take_while(|token| !is_copula(&token.canon));
            told.filter(|token| token.kind == Kind::Word && token.opens).for_each(|token| token.kind = Kind::Name);
        }
        for token in &mut tokens[start..topic_end] {
            token.topic = true;
        }
        start = end;
    }
    copular
}

fn is_definite(word: &str) -> bool {
    matches!(word, "the" | "my" | "our")
}

/// Where no verb is known, the subject ends at the first number, date or preposition.
fn phrase_end(tokens: &[Token]) -> Option<usize> {
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Number(_) | Kind::When(_))
            || matches!(&*token.canon, "in" | "on" | "at" | "for" | "with" | "from" | "by" | "to" | "into")
    };
    tokens.iter().position(ends).filter(|at| *at > 0)
}

/// A name, or the one capitalised word that opens the sentence.
fn is_called(token: &Token, pieces: &[Piece]) -> bool {
    !token.possessor && (token.kind == Kind::Name || (token.opens && pieces[token.at].capital && token.at == 0))
}

fn is_colon_before(tokens: &[Token], pieces: &[Piece], index: usize) -> bool {
    tokens[index].at.checked_sub(1).is_some_and(|at| pieces[at].after == Break::Colon)
}

/// Where the predicate of a sentence begins: at its first auxiliary, its first inflected verb, or behind a colon.
fn verb_at(tokens: &[Token], pieces: &[Piece]) -> Option<usize> {
    let lexicon = Lexicon::shared();
    let mut plural_before = false;
    for (index, token) in tokens.iter().enumerate() {
        let canon = token.canon.as_str();
        let before = index.checked_sub(1).map(|at| tokens[at].canon.as_str()).unwrap_or_default();
        if is_auxiliary(canon) && token.kind == Kind::Function {
            // "May" and "might" open questions; an auxiliary that opens a sentence still starts its predicate.
            return Some(index);
        }
        if index > 0 && is_colon_before(tokens, pieces, index) {
            return Some(index);
        }
        let bare_place = index == 0
            || plural_before
            || matches!(
                before,
                "i" | "we" | "you" | "they" | "who" | "never" | "always" | "to" | "not" | "please" | "often"
            );
        let after_determiner =
            matches!(before, "the" | "a" | "an" | "my" | "our" | "her" | "his" | "their" | "its" | "your")
                || matches!(before, "of" | "this" | "that" | "for" | "in" | "on" | "at" | "with" | "from")
                || index.checked_sub(1).is_some_and(|at| tokens[at].possessor);
        let inflected = index > 0
            && !after_determiner
            && (lexicon.is_irregular(canon)
                || (canon.ends_with('s') && !canon.ends_with("ss"))
                || canon.ends_with("ed"));
        if token.verb
            && token.kind == Kind::Word
            && (inflected || (bare_place && !canon.ends_with("ing") && !(index == 0 && canon.ends_with('s'))))
        {
            return Some(index);
        }
        let labelled =
            index.checked_sub(1).is_some_and(|at| matches!(tokens[at].kind, Kind::Number(_) | Kind::Code | Kind::Name));
        if token.kind == Kind::Word && labelled && canon.ends_with('s') && !tokens[index - 1].possessor {
            return Some(index);
        }
        if token.kind == Kind::Word
            && index > 0
            && !after_determiner
            && canon.len() > 4
            && canon.ends_with("ed")
            && !token.light
        {
            return Some(index);
        }
        plural_before = canon.ends_with('s') && canon.len() > 3 && token.kind != Kind::Function;
    }
    None
}
