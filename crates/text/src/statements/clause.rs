//! Splits a text into clauses, each with a leading phrase, a subject and a verb.

use std::ops::Range;

use crate::language::Language;
use crate::pairs::lexicon::{Lexicon, is_auxiliary, is_copula};
use crate::pairs::scan::{Break, ScannedWord};
use crate::pairs::token::{Token, TokenKind};
use crate::pairs::topics::verb_at;

/// A clause, as ranges of token indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    /// All its tokens.
    pub(crate) span: Range<usize>,
    /// The phrase before the subject: "On weekdays", "Since August".
    pub(crate) lead: Range<usize>,
    /// The subject. A clause that continues another has its subject.
    pub(crate) subject: Range<usize>,
    /// The first auxiliary or verb of the predicate.
    pub(crate) predicate: Option<usize>,
    /// The main verb; none for a copula and for a note without a verb.
    pub(crate) verb: Option<usize>,
    /// Whether the verb is a form of "to be", or a colon stands for it.
    pub(crate) copular: bool,
    /// Whether the subject is that of the clause before.
    pub(crate) continues: bool,
}

/// Splits the tokens of a text into clauses.
pub(crate) fn clauses(tokens: &[Token], pieces: &[ScannedWord]) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        let sentence = tokens[start].sentence;
        let end =
            tokens[start..].iter().position(|token| token.sentence != sentence).map_or(tokens.len(), |n| start + n);
        let mut from = start;
        for at in start + 1..end {
            if !joins(tokens, pieces, at) {
                continue;
            }
            let right = if tokens[at].canon == "and" || is_link(&tokens[at].canon) { at + 1 } else { at };
            let joined = matches!(&*tokens[at].canon, "and" | "but" | "or");
            if right < end && has_verb(&tokens[from..at], pieces) && opens_clause(&tokens[right..end], pieces, joined) {
                push(&mut clauses, tokens, pieces, from..at);
                from = right;
            }
        }
        push(&mut clauses, tokens, pieces, from..end);
        start = end;
    }
    clauses
}

/// Returns true if a new clause may start at the token: behind a comma or at a conjunction.
fn joins(tokens: &[Token], pieces: &[ScannedWord], at: usize) -> bool {
    let before = tokens[at].at.checked_sub(1).map_or(Break::None, |at| pieces[at].after);
    matches!(before, Break::Comma | Break::Colon) || is_link(&tokens[at].canon)
}

fn is_link(word: &str) -> bool {
    matches!(word, "and" | "but" | "so" | "while" | "whereas" | "because" | "although" | "since" | "after" | "when")
}

fn has_verb(tokens: &[Token], pieces: &[ScannedWord]) -> bool {
    verb_at(tokens, pieces).is_some()
}

/// Returns true if the tokens have a verb near their start, with a subject of their own or without.
fn opens_clause(tokens: &[Token], pieces: &[ScannedWord], joined: bool) -> bool {
    joined && continues(tokens) || verb_at(tokens, pieces).is_some_and(|at| at <= 6 && (joined || at > 0))
}

/// Returns true if the tokens start with an inflected verb: "and starts on Monday".
fn continues(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|token| token.verb && token.kind == TokenKind::Word && token.canon.ends_with('s'))
}

fn push(clauses: &mut Vec<Clause>, tokens: &[Token], pieces: &[ScannedWord], span: Range<usize>) {
    if span.is_empty() {
        return;
    }
    let lead = lead(tokens, pieces, &span);
    let body = lead.end;
    let label = (body + 1..span.end).find(|at| follows_colon(pieces, &tokens[*at]));
    let label = label.filter(|at| !tokens[body..*at].iter().any(|token| is_auxiliary(&token.canon)));
    let second = !clauses.is_empty() && lead.is_empty() && continues(&tokens[body..span.end]);
    let found = if second { Some(0) } else { verb_at(&tokens[body..span.end], pieces) };
    let mut predicate = label.or_else(|| found.map(|at| body + at));
    let mut subject = body..predicate.unwrap_or_else(|| note_end(tokens, pieces, body, span.end));
    let colon = subject.end > subject.start
        && tokens.get(subject.end).is_some_and(|token| follows_colon(pieces, token) && Some(subject.end) == predicate);
    if !lead.is_empty() && subject.is_empty() {
        // "Seit Januar kostet die Karte 58 Euro": the subject is behind the verb.
        if let Some(verb) = predicate {
            subject = verb + 1..phrase_end(tokens, verb + 1, span.end);
        }
    }
    let mut verb = None;
    let mut copular = predicate.is_none() || colon;
    if let Some(at) = predicate.filter(|_| !colon) {
        let first = tokens[at].canon.as_str();
        copular = is_copula(first);
        let auxiliary = is_auxiliary(first) || copular;
        verb = if auxiliary && tokens[at].kind == TokenKind::Function {
            main_verb(tokens, at, span.end)
        } else {
            Some(at)
        };
        // German and Dutch put the participle at the end: "hat den Plan abgelehnt".
        let last = span.clone().rev().find(|at| tokens[*at].is_content());
        let late = pieces.iter().any(|piece| matches!(piece.native, Some(Language::German | Language::Dutch)));
        if verb.is_none() && auxiliary && late {
            verb = last.filter(|last| *last > at + 1 && is_participle(&tokens[*last], pieces));
        }
        if verb.is_some() && copular {
            copular = false;
        }
    }
    if colon {
        predicate = None;
    }
    let continues = subject.is_empty() && lead.is_empty() && !clauses.is_empty() && predicate.is_some();
    if let (true, Some(last)) = (continues, clauses.last()) {
        subject = last.subject.clone();
    }
    clauses.push(Clause { span, lead, subject, predicate, verb, copular, continues });
}

fn follows_colon(pieces: &[ScannedWord], token: &Token) -> bool {
    token.at.checked_sub(1).is_some_and(|at| pieces[at].after == Break::Colon)
}

/// Returns true for the participle of a listed verb, or for a word that looks like a German one.
fn is_participle(token: &Token, pieces: &[ScannedWord]) -> bool {
    let native = pieces[token.at].native.is_some();
    let ending = token.canon.ends_with("ed") || token.canon.ends_with('n') || token.canon.ends_with('t');
    let prefix = token.canon.starts_with("ge") || token.canon.contains("ge");
    !token.capital && if native { prefix && ending } else { token.verb && ending }
}

/// Returns the verb behind an auxiliary: "has moved", "is now used", "does not eat".
fn main_verb(tokens: &[Token], auxiliary: usize, end: usize) -> Option<usize> {
    let lexicon = Lexicon::shared();
    for at in auxiliary + 1..end {
        let token = &tokens[at];
        match token.kind {
            TokenKind::Negator | TokenKind::Quantifier(_) => {}
            TokenKind::Function if is_auxiliary(&token.canon) || is_copula(&token.canon) => {}
            TokenKind::Word if is_adverb(&token.canon) => {}
            TokenKind::Word if token.verb || lexicon.is_irregular(&token.canon) => {
                let before = tokens[at - 1].canon.as_str();
                return (!matches!(before, "a" | "an" | "the" | "my" | "our" | "his" | "her" | "their")).then_some(at);
            }
            TokenKind::Word
                if token.canon.len() > 4 && (token.canon.ends_with("ed") || token.canon.ends_with("ing")) =>
            {
                return Some(at);
            }
            _ => return None,
        }
    }
    None
}

fn is_adverb(word: &str) -> bool {
    word.ends_with("ly")
        || matches!(word, "now" | "already" | "still" | "also" | "just" | "again" | "always" | "never" | "instead")
}

/// Returns the end of the subject in a note without a verb: a colon, or the first number, date or
/// preposition.
fn note_end(tokens: &[Token], pieces: &[ScannedWord], start: usize, end: usize) -> usize {
    let colon = (start + 1..end).find(|at| follows_colon(pieces, &tokens[*at]));
    colon.unwrap_or_else(|| phrase_end(tokens, start, end))
}

/// Returns the end of a noun phrase: the first number, date, verb or preposition behind a word.
fn phrase_end(tokens: &[Token], start: usize, end: usize) -> usize {
    let ends = |at: &usize| {
        let token = &tokens[*at];
        *at > start
            && (matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_) | TokenKind::Negator)
                || is_preposition(&token.canon) && token.canon != "of"
                || token.verb)
    };
    (start..end).find(ends).unwrap_or(end)
}

pub(crate) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "in" | "on"
            | "at"
            | "to"
            | "from"
            | "by"
            | "with"
            | "for"
            | "of"
            | "about"
            | "since"
            | "until"
            | "till"
            | "before"
            | "after"
            | "during"
            | "under"
            | "over"
            | "above"
            | "below"
            | "into"
            | "onto"
            | "inside"
            | "outside"
            | "between"
            | "against"
            | "without"
            | "within"
            | "through"
            | "via"
            | "as"
            | "than"
            | "per"
            | "behind"
            | "near"
            | "off"
            | "toward"
            | "upon"
            | "around"
            | "across"
            | "along"
            | "beside"
            | "beyond"
            | "despite"
            | "because"
    )
}

/// Returns the phrase in front of the subject. It ends at a comma, or before the article, pronoun
/// or name behind its noun.
fn lead(tokens: &[Token], pieces: &[ScannedWord], span: &Range<usize>) -> Range<usize> {
    let start = span.start;
    let none = start..start;
    let first = &tokens[start];
    if first.canon == "at" && tokens.get(start + 1).is_some_and(|next| matches!(&*next.canon, "least" | "most")) {
        return none;
    }
    // "El lunes Ana trabaja", "Every Tuesday Vera swims"
    let dated = |at: usize| tokens.get(at).is_some_and(|token| matches!(token.kind, TokenKind::DateTime(_)));
    let determined = is_determiner(&first.canon) || matches!(first.kind, TokenKind::Quantifier(_));
    if determined
        && dated(start + 1)
        && span.len() > 3
        && !tokens.get(start + 2).is_some_and(|token| is_auxiliary(&token.canon))
    {
        return start..start + 2;
    }
    let opens = is_preposition(&first.canon) && first.kind == TokenKind::Function && first.canon != "of"
        || matches!(first.kind, TokenKind::DateTime(_))
        || matches!(&*first.canon, "if" | "when" | "while" | "unless" | "suppose" | "once" | "effective" | "starting")
        || is_time_adverb(&first.canon);
    if !opens {
        return none;
    }
    if is_time_adverb(&first.canon) && span.len() > 1 && pieces[first.at].after <= Break::Colon {
        return start..start + 1;
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.canon.as_str());
    if (word(start), word(start + 1), word(start + 2)) == ("from", "now", "on") && span.len() > 3 {
        return start..start + 3;
    }
    let comma = (start..span.end.min(start + 14)).find(|at| {
        let last = tokens.get(at + 1).map_or(pieces.len(), |next| next.at) - 1;
        pieces[last].after >= Break::Comma
    });
    if let Some(comma) = comma.filter(|comma| comma + 1 < span.end) {
        return start..comma + 1;
    }
    let mut content = 0;
    for at in start..span.end {
        let token = &tokens[at];
        let starts_phrase = is_determiner(&token.canon) || is_pronoun(&token.canon) || is_auxiliary(&token.canon);
        // "In Girona Katya hired a nurse"
        let second = at == start + 2
            && token.kind == TokenKind::Name
            && tokens[at - 1].kind == TokenKind::Name
            && tokens.get(at + 1).is_some_and(|next| next.verb || is_auxiliary(&next.canon));
        let named = second
            || token.kind == TokenKind::Name
                && at > start
                && tokens[at - 1].kind != TokenKind::Name
                && !is_preposition(&tokens[at - 1].canon);
        if content > 0 && (starts_phrase || named || (token.verb && token.kind == TokenKind::Word)) {
            // The article may belong to the phrase itself: "since the layoffs in the spring".
            if is_determiner(&token.canon) && at > start && is_preposition(&tokens[at - 1].canon) {
                continue;
            }
            return start..at;
        }
        content += usize::from(token.is_content());
    }
    none
}

pub(crate) fn is_time_adverb(word: &str) -> bool {
    matches!(
        word,
        "now"
            | "currently"
            | "today"
            | "yesterday"
            | "recently"
            | "formerly"
            | "previously"
            | "nowadays"
            | "meanwhile"
            | "actually"
            | "finally"
            | "originally"
            | "earlier"
            | "lately"
            | "henceforth"
            | "correction"
            | "update"
            | "sorry"
            | "however"
            | "instead"
            | "tomorrow"
            | "here"
            | "there"
    )
}

pub(crate) fn is_determiner(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "my"
            | "our"
            | "your"
            | "his"
            | "her"
            | "their"
            | "its"
            | "this"
            | "that"
            | "these"
            | "those"
    )
}

pub(crate) fn is_pronoun(word: &str) -> bool {
    matches!(word, "i" | "we" | "you" | "he" | "she" | "it" | "they" | "one" | "everyone" | "nobody" | "someone")
}
