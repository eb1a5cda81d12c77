//! A text as the rules see it. Analysing is most of the work, so a text that is compared often is analysed once.

use super::date;
use super::lexicon::{Lexicon, canonical_spelling, is_auxiliary, is_copula, is_function_word, polite_words};
use super::number::{self, Measure, Number};
use super::polarity;
use super::scan::{Break, Piece, scan};
use super::token::{Kind, Token};
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
    if let Some((base, size)) = number::unit(&piece.lower).filter(|_| before == "per") {
        let canon = format!("{size}{base}");
        return (make(canon.clone(), canon, Kind::Word), 1);
    }
    let spelled = canonical_spelling(&piece.lower);
    let canon = spelled.unwrap_or_else(|| piece.lower.clone());
    if compares_number(pieces, at) || (before == "at" && matches!(canon.as_str(), "least" | "most")) {
        return (make(canon.clone(), canon, Kind::Function), 1);
    }
    if is_function_word(&piece.lower) {
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
    let (base, size) = number::unit(&pieces.get(at + 1)?.lower)?;
    Some((Number::exact(size, Measure::Of(base)), 2))
}

/// Marks what is only named to be set aside: ", not from Basel", "instead of tea", "rather than Go".
fn mark_contrasts(tokens: &mut [Token], pieces: &[Piece]) {
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
fn mark_topics(tokens: &mut [Token], pieces: &[Piece]) -> bool {
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

/// Whether thanks and labels belong to what is said: they do where there is little else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Courtesy {
    Dropped,
    Kept,
}

/// The sentences with everything cosmetic taken out, and how many content words each of them has.
fn spellings(tokens: &[Token], pieces: &[Piece], courtesy: Courtesy) -> Vec<(String, usize)> {
    let sentences = tokens.chunk_by(|one, other| one.sentence == other.sentence);
    sentences.map(|sentence| spelling(sentence, pieces, courtesy)).collect()
}

fn spelling(tokens: &[Token], pieces: &[Piece], courtesy: Courtesy) -> (String, usize) {
    let mut spelling = String::new();
    let mut content = 0;
    let mut courtesy_until = 0;
    for (index, token) in tokens.iter().enumerate() {
        if courtesy == Courtesy::Dropped
            && token.at >= courtesy_until
            && (pieces[token.at].opens
                || token.at > 0 && pieces[token.at - 1].after != Break::None
                || matches!(&*token.canon, "please" | "pls" | "plz"))
        {
            let words =
                pieces[token.at..].iter().take(7).map(|piece| (piece.lower.as_str(), piece.after != Break::None));
            courtesy_until = token.at + polite_words(&words.collect::<Vec<_>>());
        }
        let before_few =
            tokens.get(index + 1).is_some_and(|next| matches!(&*next.canon, "few" | "little" | "bit" | "lot"));
        let after_unit = index > 0 && matches!(tokens[index - 1].kind, Kind::Number(_));
        let cosmetic = match token.canon.as_str() {
            "a" | "an" => !before_few,
            "the" | "is" | "are" | "am" => true,
            "of" => after_unit,
            "version" => tokens.get(index + 1).is_some_and(|next| matches!(next.kind, Kind::Number(_) | Kind::Code)),
            _ => false,
        };
        if token.at >= courtesy_until && (!cosmetic || courtesy == Courtesy::Kept) {
            content += usize::from(token.is_content());
            // Words may be written together or apart; numbers, names of things and negations may not.
            let apart = !matches!(token.kind, Kind::Word | Kind::Name | Kind::Function);
            if apart {
                spelling.push('|');
            }
            spelling.push_str(&token.canon);
            if apart {
                spelling.push('|');
            }
        }
    }
    (spelling, content)
}
