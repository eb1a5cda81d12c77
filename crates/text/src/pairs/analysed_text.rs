//! The analysed form of a text. Analysis is most of the cost, so a text that is compared often is
//! analysed once.

use super::date;
use super::lexicon::{Lexicon, canonical_spelling, is_function_word};
use super::number::{self, Number, NumberUnit};
use super::polarity;
use super::scan::{Break, ScannedWord, scan_in};
use super::signs::Signs;
use super::spelling::{Courtesy, spellings};
use super::token::{Token, TokenKind};
use super::topics::{mark_contrasts, mark_topics};
use super::units::unit;
use crate::language::Language;

/// Words of the longest text that is compared statement by statement. The comparison takes quadratic time, and a text
/// of more words is a document in one block, of which a single sentence never replaces the whole.
const LONGEST: usize = 256;

/// A text prepared for comparison.
#[derive(Debug, Clone)]
pub(crate) struct AnalysedText {
    pub(crate) tokens: Vec<Token>,
    pub(crate) pieces: Vec<ScannedWord>,
    /// The normalised spelling of the whole text without spaces: `wi-fi` becomes `wifi`.
    pub(crate) spelling: String,
    /// The normalised spelling of each sentence.
    pub(crate) sentences: Vec<String>,
    pub(crate) question: bool,
    /// Whether a word excludes alternatives: only, alone, sole.
    pub(crate) exclusive: bool,
    /// Whether the first verb is a form of "to be".
    pub(crate) copular: bool,
    /// Grammatical persons of the subject, as bits.
    pub(crate) persons: u8,
    pub(crate) signs: Signs,
}

impl AnalysedText {
    /// Analyses an English text.
    #[cfg(test)]
    pub(crate) fn new(text: &str) -> Self {
        Self::in_language(text, None)
    }

    /// Analyses a text of a language, or of an unknown one. A text without words equals nothing but
    /// itself.
    pub(crate) fn in_language(text: &str, language: Option<Language>) -> Self {
        let scan = scan_in(text, language);
        let pieces = scan.pieces;
        let mut tokens = tokens(&pieces);
        mark_contrasts(&mut tokens, &pieces);
        let copular = mark_topics(&mut tokens, &pieces);
        let mut sentences = spellings(&tokens, &pieces, Courtesy::Dropped);
        if sentences.iter().map(|(_, content)| content).sum::<usize>() < 2 {
            sentences = spellings(&tokens, &pieces, Courtesy::Kept);
        }
        let sentences: Vec<String> = sentences.into_iter().map(|(spelling, _)| spelling).collect();
        let spelling = sentences.concat();
        let exclusive = pieces.iter().any(|piece| is_exclusive(&piece.lower));
        let topic = tokens.iter().filter(|token| token.topic && token.sentence == 0);
        let persons = topic.fold(0, |bits, token| bits | person(&token.canon));
        Self {
            tokens,
            pieces,
            spelling,
            sentences,
            question: scan.question,
            exclusive,
            copular,
            persons,
            signs: Signs::of(text),
        }
    }

    /// Returns true if the text has more words than are compared statement by statement.
    pub(crate) fn is_long(&self) -> bool {
        self.pieces.len() > LONGEST
    }

    /// Returns true if the text contains a word.
    pub(crate) fn has_words(&self) -> bool {
        !self.pieces.is_empty()
    }
}

fn is_exclusive(word: &str) -> bool {
    matches!(word, "only" | "alone" | "sole" | "solely" | "exclusively" | "single" | "unique")
}

/// Returns the grammatical person of a pronoun as a bit. "It" and "that" are ambiguous and return
/// zero.
fn person(word: &str) -> u8 {
    match word {
        "i" | "me" | "my" | "mine" | "myself" => 1,
        "we" | "us" | "our" | "ours" => 2,
        "you" | "your" | "yours" => 4,
        "he" | "him" | "his" => 8,
        "she" | "her" | "hers" => 16,
        "they" | "them" | "their" | "theirs" => 32,
        _ => 0,
    }
}

fn tokens(pieces: &[ScannedWord]) -> Vec<Token> {
    let lexicon = Lexicon::shared();
    let mut tokens: Vec<Token> = Vec::with_capacity(pieces.len());
    let (mut at, mut sentence) = (0, 0);
    while at < pieces.len() {
        let (token, taken) = token(lexicon, pieces, at, sentence);
        tokens.push(token);
        let last = at + taken - 1;
        if pieces[last].after == Break::Stop {
            sentence += 1;
        }
        at += taken;
    }
    tokens
}

/// Returns the token that starts at `at` and the number of words it covers.
fn token(lexicon: &Lexicon, pieces: &[ScannedWord], at: usize, sentence: usize) -> (Token, usize) {
    let piece = &pieces[at];
    let make = |canon: String, key: String, kind: TokenKind| Token {
        canon,
        key,
        kind,
        verb: false,
        light: false,
        topic: false,
        possessor: piece.possessor,
        contrast: false,
        capital: piece.capital,
        opens: piece.opens,
        sentence,
        at,
    };
    if piece.code {
        return (make(piece.lower.clone(), piece.lower.clone(), TokenKind::Code), 1);
    }
    if let Some((when, taken)) = date::parse(pieces, at) {
        let canon = when.canon();
        return (make(canon.clone(), canon, TokenKind::DateTime(when)), taken);
    }
    if let Some((proportion, taken)) = polarity::quantifier(pieces, at) {
        let canon: String = pieces[at..at + taken].iter().map(|piece| piece.lower.as_str()).collect();
        return (make(canon.clone(), canon, TokenKind::Quantifier(proportion)), taken);
    }
    if let Some((number, taken)) = number::parse(pieces, at).or_else(|| one_unit(pieces, at)) {
        let canon = number.canon();
        return (make(canon.clone(), canon, TokenKind::Number(number)), taken);
    }
    if polarity::is_negator(pieces, at) {
        return (make(piece.lower.clone(), piece.lower.clone(), TokenKind::Negator), 1);
    }
    if piece.lower.bytes().any(|byte| byte.is_ascii_digit()) {
        return (make(piece.lower.clone(), piece.lower.clone(), TokenKind::Code), 1);
    }
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    if let Some((base, size)) = unit(&piece.lower).filter(|_| before == "per") {
        let canon = format!("{size}{base}");
        return (make(canon.clone(), canon, TokenKind::Word), 1);
    }
    if let Some(language) = piece.native {
        return (native_token(pieces, at, language, make), 1);
    }
    let named =
        piece.capital && (!piece.opens || pieces.get(at + 1).is_some_and(|next| next.capital) || piece.possessor);
    // A name is spelled in one way.
    let spelled = if named { None } else { canonical_spelling(&piece.lower) };
    let canon = spelled.unwrap_or_else(|| piece.lower.clone());
    if compares_number(pieces, at) || (before == "at" && matches!(canon.as_str(), "least" | "most")) {
        return (make(canon.clone(), canon, TokenKind::Function), 1);
    }
    if is_function_word(&piece.lower) && !is_label(pieces, at) {
        let key = if is_relation(&canon) { lexicon.key(&canon) } else { canon.clone() };
        return (make(canon, key, TokenKind::Function), 1);
    }
    let key = lexicon.key_of_spelled(&canon);
    // Between an article and a noun, any word is an attribute: "the savings account".
    let attribute = is_determiner(before)
        && piece.after == Break::None
        && pieces.get(at + 1).is_some_and(|next| !is_function_word(&next.lower) && !next.code);
    let verb = !named && !is_determiner(before) && lexicon.is_verb(&key);
    let light = !named && !attribute && lexicon.is_light(&key);
    let kind = if named { TokenKind::Name } else { TokenKind::Word };
    (Token { verb, light, ..make(canon, key, kind) }, 1)
}

/// Returns the token of a word that is not read as an English one.
fn native_token(
    pieces: &[ScannedWord],
    at: usize,
    language: Language,
    make: impl Fn(String, String, TokenKind) -> Token,
) -> Token {
    let piece = &pieces[at];
    if piece.stopped {
        return make(piece.lower.clone(), piece.lower.clone(), TokenKind::Function);
    }
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    // German writes every noun with a capital; a name has no article.
    let noun = language == Language::German && (is_determiner(before) || matches!(before, "no" | "all" | "every"));
    let named = piece.capital && !noun && (!piece.opens || language == Language::German || piece.acronym);
    if named {
        return make(piece.lower.clone(), piece.lower.clone(), TokenKind::Name);
    }
    let stem = language.stemmer().stem(&piece.lower).into_owned();
    make(piece.lower.clone(), stem, TokenKind::Word)
}

/// Returns true for a letter used as a label, not as an article: "sample A", "vitamin A".
fn is_label(pieces: &[ScannedWord], at: usize) -> bool {
    let piece = &pieces[at];
    let Some(before) = at.checked_sub(1).map(|at| &pieces[at]) else { return false };
    let names = before.after == Break::None
        && (before.opens || !before.capital)
        && !is_function_word(&before.lower)
        && !pieces.get(at + 1).is_some_and(|next| next.capital);
    piece.lower == "a" && piece.capital && !piece.opens && names
}

fn is_determiner(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "my" | "our" | "her" | "his" | "their" | "its" | "your" | "this" | "that")
}

/// Returns true for a comparison of a number ("longer than 45 minutes"). The number already
/// contains the bound.
fn compares_number(pieces: &[ScannedWord], at: usize) -> bool {
    pieces.get(at + 1).is_some_and(|next| next.lower == "than")
        && (number::parse(pieces, (at + 2).min(pieces.len() - 1)).is_some()
            || one_unit(pieces, (at + 2).min(pieces.len() - 1)).is_some())
}

/// Returns true for function words that have an antonym.
pub(crate) fn is_relation(word: &str) -> bool {
    matches!(
        word,
        "before" | "after" | "above" | "below" | "over" | "under" | "inside" | "outside" | "on" | "off" | "onto"
    ) || matches!(word, "up" | "down" | "behind" | "than" | "back" | "toward")
}

/// Parses a single unit: "for an hour", "within a week". Not "twice a day", which is a rate.
fn one_unit(pieces: &[ScannedWord], at: usize) -> Option<(Number, usize)> {
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    let expects =
        matches!(before, "for" | "in" | "within" | "after" | "takes" | "took" | "lasts" | "lasted" | "than" | "by");
    if !matches!(&*pieces[at].lower, "a" | "an") || !expects {
        return None;
    }
    let (base, size) = unit(&pieces.get(at + 1)?.lower)?;
    Some((Number::exact(size, NumberUnit::Of(base)), 2))
}
