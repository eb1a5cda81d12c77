//! Assigns each word to the subject, the predicate or a contrast.
//!
//! A heuristic without a grammar: the predicate starts at the first auxiliary, at the first word
//! inflected like a verb, or after a colon.

use super::lexicon::{Lexicon, is_auxiliary, is_copula};
use super::scan::{Break, ScannedWord};
use super::token::{Token, TokenKind};

/// Marks tokens that are mentioned only as a contrast: ", not from Basel", "instead of tea",
/// "rather than Go".
pub(crate) fn mark_contrasts(tokens: &mut [Token], pieces: &[ScannedWord]) {
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

/// Marks the tokens before the verb of each sentence. Returns true if the first verb is a form of
/// "to be".
pub(crate) fn mark_topics(tokens: &mut [Token], pieces: &[ScannedWord]) -> bool {
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
        // "Ada is the captain" says who the captain is, so the name is not the subject.
        let follows = tokens.get(topic_end + 1).map_or("", |token| token.canon.as_str());
        let named = tokens[start..topic_end].iter().all(|token| !token.is_content() || is_called(token, pieces));
        let named =
            named && verb.is_some_and(|at| at > 0 && is_copula(&tokens[start + at].canon)) && is_definite(follows);
        if named {
            topic_end = start;
        }
        if named {
            let told = tokens[start..end].iter_mut().take_while(|token| !is_copula(&token.canon));
            told.filter(|token| token.kind == TokenKind::Word && token.opens)
                .for_each(|token| token.kind = TokenKind::Name);
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

/// Returns the end of the subject in a sentence without a known verb: the first number, date or
/// preposition.
fn phrase_end(tokens: &[Token]) -> Option<usize> {
    let ends = |token: &Token| {
        matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_))
            || matches!(&*token.canon, "in" | "on" | "at" | "for" | "with" | "from" | "by" | "to" | "into")
    };
    tokens.iter().position(ends).filter(|at| *at > 0)
}

/// Returns true for a name, or for the single capitalised word at the start of the sentence.
fn is_called(token: &Token, pieces: &[ScannedWord]) -> bool {
    !token.possessor && (token.kind == TokenKind::Name || (token.opens && pieces[token.at].capital && token.at == 0))
}

fn is_colon_before(tokens: &[Token], pieces: &[ScannedWord], index: usize) -> bool {
    tokens[index].at.checked_sub(1).is_some_and(|at| pieces[at].after == Break::Colon)
}

/// Returns where the predicate starts: at the first auxiliary, the first inflected verb, or after a
/// colon.
pub(crate) fn verb_at(tokens: &[Token], pieces: &[ScannedWord]) -> Option<usize> {
    let inflected = find_verb(tokens, pieces, false);
    let bare = find_verb(tokens, pieces, true);
    // "The metrics store is down": a word behind a plural is a verb only if no other one follows in the
    // same clause.
    match (inflected, bare) {
        (Some(inflected), Some(bare)) if bare < inflected => {
            let links = |token: &Token| {
                matches!(
                    &*token.canon,
                    "that" | "which" | "who" | "when" | "if" | "because" | "while" | "and" | "but" | "so"
                )
            };
            let parted = tokens[bare..inflected].iter().any(links)
                || (bare..inflected).any(|at| pieces[tokens[at + 1].at - 1].after != Break::None);
            Some(if parted { bare } else { inflected })
        }
        (inflected, bare) => inflected.or(bare),
    }
}

/// Returns the first auxiliary or inflected verb; with `bare`, also a verb without an ending behind a
/// plural noun.
fn find_verb(tokens: &[Token], pieces: &[ScannedWord], bare: bool) -> Option<usize> {
    let lexicon = Lexicon::shared();
    let mut plural_before = false;
    let mut plural = false;
    for (index, token) in tokens.iter().enumerate() {
        let canon = token.canon.as_str();
        let is_adverb = |at: &usize| {
            matches!(
                &*tokens[*at].canon,
                "now" | "also" | "still" | "already" | "often" | "usually" | "currently" | "only"
            )
        };
        if index > 0 && is_adverb(&index) {
            continue;
        }
        let next = tokens.get(index + 1).map_or("", |token| token.canon.as_str());
        let dated = tokens.get(index + 1).is_some_and(|next| matches!(next.kind, TokenKind::DateTime(_)));
        if canon == "last" && dated {
            continue;
        }
        if canon == "last"
            && matches!(next, "night" | "week" | "month" | "year" | "spring" | "summer" | "autumn" | "winter")
        {
            continue;
        }
        let before = (0..index).rev().find(|at| !is_adverb(at)).map(|at| tokens[at].canon.as_str()).unwrap_or_default();
        if is_auxiliary(canon) && token.kind == TokenKind::Function {
            // "May" and "might" start questions; an auxiliary at the start of a sentence still
            // starts its predicate.
            return Some(index);
        }
        if index > 0 && is_colon_before(tokens, pieces, index) {
            return Some(index);
        }
        let bare_place = index == 0
            || bare && (plural_before || plural && token.kind == TokenKind::Word)
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
            && token.kind == TokenKind::Word
            && !(bare && plural && !plural_before && after_determiner)
            && (inflected || (bare_place && !canon.ends_with("ing") && !(index == 0 && canon.ends_with('s'))))
        {
            return Some(index);
        }
        let pronoun = matches!(before, "i" | "we" | "you" | "they" | "he" | "she");
        if token.kind == TokenKind::Word && pronoun && index < 3 && !token.canon.ends_with("ly") {
            return Some(index);
        }
        let labelled = index
            .checked_sub(1)
            .is_some_and(|at| matches!(tokens[at].kind, TokenKind::Number(_) | TokenKind::Code | TokenKind::Name));
        if token.kind == TokenKind::Word && labelled && canon.ends_with('s') && !tokens[index - 1].possessor {
            return Some(index);
        }
        if token.kind == TokenKind::Word
            && index > 0
            && !after_determiner
            && canon.len() > 4
            && canon.ends_with("ed")
            && !token.light
        {
            return Some(index);
        }
        plural_before = canon.ends_with('s') && canon.len() > 3 && token.kind != TokenKind::Function;
        plural |= plural_before && index < 2;
    }
    unlisted_verb(tokens, pieces).filter(|_| bare)
}

/// Returns the place where a verb of another language is expected that no table lists: behind a name, or
/// behind an article and a noun.
fn unlisted_verb(tokens: &[Token], pieces: &[ScannedWord]) -> Option<usize> {
    let determined = matches!(&*tokens.first()?.canon, "the" | "a" | "my" | "our" | "his" | "her" | "their");
    let at = if determined { 2 } else { 1 };
    let verb = tokens.get(at)?;
    let noun = tokens.get(at - 1)?;
    let native = |token: &Token| pieces[token.at].native.is_some();
    (verb.kind == TokenKind::Word && native(verb) && !verb.capital && native(noun) && noun.kind != TokenKind::Function)
        .then_some(at)
}
