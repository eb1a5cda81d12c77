//! A text as the rules see it. Analysing is most of the work, so a text that is compared often is analysed once.

use super::date;
use super::lexicon::{Lexicon, canonical_spelling, is_function_word};
use super::number::{self, Measure, Number};
use super::polarity;
use super::scan::{Break, Piece, scan};
use super::spelling::{Courtesy, spellings};
use super::token::{Kind, Token};
use super::topics::{mark_contrasts, mark_topics};
use super::units::unit;
use super::update::{self, Cues};

/// A text ready to be compared.
#[derive(Debug, Clone)]
pub struct Analysed {
    pub(super) tokens: Vec<Token>,
    pub(super) pieces: Vec<Piece>,
    /// The canonical spelling of the whole, spaces left out: `wi-fi` is `wifi`.
    pub(super) spelling: String,
    /// The same, sentence by sentence.
    pub(super) sentences: Vec<String>,
    pub(super) question: bool,
    pub(super) cues: Cues,
    /// Whether something says that there is no other: only, alone, sole.
    pub(super) exclusive: bool,
    /// Whether the first verb is a form of "to be".
    pub(super) copular: bool,
    /// Who speaks or is spoken of, as bits.
    pub(super) persons: u8,
}

impl Analysed {
    /// Analyses a text. Any text will do; one without words is equal to nothing but itself.
    pub fn new(text: &str) -> Self {
        let scan = scan(text);
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
        let cues = update::cues(&pieces);
        Self { tokens, pieces, spelling, sentences, question: scan.question, cues, exclusive, copular, persons }
    }

    /// Whether there is a word in it.
    pub fn has_words(&self) -> bool {
        !self.pieces.is_empty()
    }
}

fn is_exclusive(word: &str) -> bool {
    matches!(word, "only" | "alone" | "sole" | "solely" | "exclusively" | "single" | "unique")
}

/// The grammatical person of a pronoun as a bit. "It" and "that" point anywhere and count as nobody.
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

fn tokens(pieces: &[Piece]) -> Vec<Token> {
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

/// The token at a piece, and how many pieces it covers.
fn token(lexicon: &Lexicon, pieces: &[Piece], at: usize, sentence: usize) -> (Token, usize) {
    let piece = &pieces[at];
    let make = |canon: String, key: String, kind: Kind| Token {
        canon,
        key,
        kind,
        verb: false,
        light: false,
        topic: false,
        possessor: piece.possessor,
        contrast: false,
        opens: piece.opens,
        sentence,
        at,
    };
    if piece.code {
        return (make(piece.lower.clone(), piece.lower.clone(), Kind::Code), 1);
    }
    if let Some((when, taken)) = date::read(pieces, at) {
        let canon = when.canon();
        return (make(canon.clone(), canon, Kind::When(when)), taken);
    }
    if let Some((share, taken)) = polarity::quantifier(pieces, at) {
        let canon: String = pieces[at..at + taken].iter().map(|piece| piece.lower.as_str()).collect();
        return (make(canon.clone(), canon, Kind::Quantifier(share)), taken);
    }
    if let Some((number, taken)) = number::read(pieces, at).or_else(|| one_unit(pieces, at)) {
        let canon = number.canon();
        return (make(canon.clone(), canon, Kind::Number(number)), taken);
    }
    if polarity::is_negator(pieces, at) {
        return (make(piece.lower.clone(), piece.lower.clone(), Kind::Negator), 1);
    }
    if piece.lower.bytes().any(|byte| byte.is_ascii_digit()) {
        return (make(piece.lower.clone(), piece.lower.clone(), Kind::Code), 1);
    }
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    if let Some((base, size)) = unit(&piece.lower).filter(|_| before == "per") {
        let canon = format!("{size}{base}");
        return (make(canon.clone(), canon, Kind::Word), 1);
    }
    let spelled = canonical_spelling(&piece.lower);
    let canon = spelled.unwrap_or_else(|| piece.lower.clone());
    if compares_number(pieces, at) || (before == "at" && matches!(canon.as_str(), "least" | "most")) {
        return (make(canon.clone(), canon, Kind::Function), 1);
    }
    if is_function_word(&piece.lower) && !is_label(pieces, at) {
        let key = if is_relation(&canon) { lexicon.key(&canon) } else { canon.clone() };
        return (make(canon, key, Kind::Function), 1);
    }
    let named =
        piece.capital && (!piece.opens || pieces.get(at + 1).is_some_and(|next| next.capital) || piece.possessor);
    let key = lexicon.key_of_spelled(&canon);
    // Between an article and a noun stands an attribute, whatever the word is elsewhere: "the savings account".
    let attribute = is_determiner(before)
        && piece.after == Break::None
        && pieces.get(at + 1).is_some_and(|next| !is_function_word(&next.lower) && !next.code);
    let verb = !named && !is_determiner(before) && lexicon.is_verb(&key);
    let light = !named && !attribute && lexicon.is_light(&key);
    let kind = if named { Kind::Name } else { Kind::Word };
    (Token { verb, light, ..make(canon, key, kind) }, 1)
}

/// "Sample A", "vitamin A": a letter that names, not an article.
fn is_label(pieces: &[Piece], at: usize) -> bool {
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

/// "longer than 45 minutes": the bound is in the number already.
fn compares_number(pieces: &[Piece], at: usize) -> bool {
    pieces.get(at + 1).is_some_and(|next| next.lower == "than")
        && (number::read(pieces, (at + 2).min(pieces.len() - 1)).is_some()
            || one_unit(pieces, (at + 2).min(pieces.len() - 1)).is_some())
}

/// Function words that have an opposite.
pub(super) fn is_relation(word: &str) -> bool {
    matches!(
        word,
        "before" | "after" | "above" | "below" | "over" | "under" | "inside" | "outside" | "on" | "off" | "onto"
    ) || matches!(word, "up" | "down" | "behind" | "than" | "back" | "toward")
}

/// "for an hour", "within a week": one of the unit. Not "twice a day", which is a rate.
fn one_unit(pieces: &[Piece], at: usize) -> Option<(Number, usize)> {
    let before = at.checked_sub(1).map_or("", |at| pieces[at].lower.as_str());
    let expects =
        matches!(before, "for" | "in" | "within" | "after" | "takes" | "took" | "lasts" | "lasted" | "than" | "by");
    if !matches!(&*pieces[at].lower, "a" | "an") || !expects {
        return None;
    }
    let (base, size) = unit(&pieces.get(at + 1)?.lower)?;
    Some((Number::exact(size, Measure::Of(base)), 2))
}
