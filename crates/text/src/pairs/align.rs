//! Aligns two texts: shared, replaced and unmatched tokens.

use super::analysed_text::{AnalysedText, is_relation};
use super::lexicon::{Lexicon, Opposition, opposed_by_form};
use super::scan::Break;
use super::token::{Token, TokenKind};

/// Maximum number of compared tokens per text, because the cost is quadratic.
const MAX_TOKENS: usize = 400;

/// Two tokens, the one of the older text first.
pub(crate) type TokenPair<'a> = (&'a Token, &'a Token);

/// The alignment of two texts.
#[derive(Debug)]
pub(crate) struct Alignment<'a> {
    /// All compared tokens of the older and the newer text, in order.
    pub(crate) sides: [Vec<&'a Token>; 2],
    /// Matching tokens, as indices into `sides`.
    pub(crate) shared: Vec<(usize, usize)>,
    /// How many of the matches are only similar.
    pub(crate) loose: usize,
    /// Number of identical sentences, which are left out.
    pub(crate) same_sentences: usize,
    /// Antonyms.
    pub(crate) opposites: Vec<(TokenPair<'a>, Opposition)>,
    /// Numbers that cannot both be true.
    pub(crate) numbers: Vec<TokenPair<'a>>,
    /// Dates and times that cannot both be true.
    pub(crate) dates: Vec<TokenPair<'a>>,
    /// Different names or identifiers.
    pub(crate) names: Vec<TokenPair<'a>>,
    /// Unmatched tokens of each side.
    pub(crate) rest: [Vec<&'a Token>; 2],
}

/// Aligns two texts.
pub(crate) fn align<'a>(older: &'a AnalysedText, newer: &'a AnalysedText) -> Alignment<'a> {
    let (sides, same_sentences) = differing_sentences(older, newer);
    let lexicon = Lexicon::shared();
    let mut open = [vec![true; sides[0].len()], vec![true; sides[1].len()]];
    let mut shared = Vec::new();
    let mut loose = 0;
    let tests: [fn(&Token, &Token) -> bool; 4] = [is_same, is_misspelling, agrees, resembles];
    for (pass, test) in tests.into_iter().enumerate() {
        for (at, token) in sides[0].iter().enumerate().filter(|(_, token)| token.is_content()) {
            if !open[0][at] {
                continue;
            }
            let fits = |(place, other): &(usize, &&Token)| {
                open[1][*place] && other.is_content() && !are_other_names(token, other) && test(token, other)
            };
            let found = sides[1].iter().enumerate().filter(fits).map(|(place, _)| place);
            if let Some(place) = found.min_by_key(|place| (sides[1][*place].topic != token.topic, place.abs_diff(at))) {
                (open[0][at], open[1][place]) = (false, false);
                shared.push((at, place));
                loose += usize::from(pass > 1);
            }
        }
    }
    let mut alignment = Alignment {
        sides,
        shared,
        loose,
        same_sentences,
        opposites: Vec::new(),
        numbers: Vec::new(),
        dates: Vec::new(),
        names: Vec::new(),
        rest: [Vec::new(), Vec::new()],
    };
    alignment.match_acronyms(&mut open, [older, newer]);
    alignment.pair_opposites(&mut open, lexicon, [older, newer]);
    alignment.numbers = alignment.pair(&mut open, are_rival_numbers);
    alignment.dates = alignment.pair(&mut open, are_rival_dates);
    alignment.names = alignment.pair(&mut open, are_rival_names);
    alignment.absorb_name_parts(&mut open);
    alignment.rest = [0, 1].map(|side| {
        let tokens = alignment.sides[side].iter().zip(&open[side]);
        tokens.filter(|(token, open)| **open && token.is_content()).map(|(token, _)| *token).collect()
    });
    alignment
}

/// Returns the tokens of the sentences that the texts do not share.
fn differing_sentences<'a>(older: &'a AnalysedText, newer: &'a AnalysedText) -> ([Vec<&'a Token>; 2], usize) {
    let common = |text: &AnalysedText, at: usize, other: &AnalysedText| {
        text.sentences.get(at).is_some_and(|sentence| other.sentences.contains(sentence))
    };
    let side = |text: &'a AnalysedText, other: &AnalysedText| -> Vec<&'a Token> {
        let single = text.sentences.len() < 2 && other.sentences.len() < 2;
        let kept = text.tokens.iter().filter(|token| single || !common(text, token.sentence, other));
        kept.take(MAX_TOKENS).collect()
    };
    let same = (0..older.sentences.len()).filter(|at| common(older, *at, newer)).count();
    ([side(older, newer), side(newer, older)], same)
}

/// Returns true for two capitalised words that are not the same: they may be names, so they have
/// neither stems nor spelling errors nor synonyms.
pub(crate) fn are_other_names(one: &Token, other: &Token) -> bool {
    one.capital && other.capital && one.canon != other.canon
}

/// Returns true if two tokens say the same.
pub(crate) fn matches(one: &Token, other: &Token) -> bool {
    !are_other_names(one, other)
        && (one.key == other.key || one.canon == other.canon || is_misspelling(one, other) || agrees(one, other))
}

/// Returns true if two tokens have a common root: `track` and `tracking`.
pub(crate) fn have_common_root(one: &Token, other: &Token) -> bool {
    !one.capital && !other.capital && resembles(one, other)
}

fn is_same(one: &Token, other: &Token) -> bool {
    one.key == other.key
}

/// Returns true for long words that differ by one typing error: a letter missing, doubled, wrong or
/// transposed.
fn is_misspelling(one: &Token, other: &Token) -> bool {
    if one.kind != TokenKind::Word || other.kind != TokenKind::Word || one.canon.len() < 6 || other.canon.len() < 6 {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.canon.chars().collect(), other.canon.chars().collect());
    let shorter = one.len().min(other.len());
    let front = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let back =
        one.iter().rev().zip(other.iter().rev()).take(shorter - front).take_while(|(one, other)| one == other).count();
    let swapped = one.len() == other.len()
        && front + back + 2 == one.len()
        && one[front] == other[front + 1]
        && one[front + 1] == other[front];
    // The first letters and the ending carry meaning: "affect" and "effect", "walked" and "walker"
    // are different words.
    front >= 3 && back >= 2 && (swapped || one.len().max(other.len()) - front - back <= 1)
}

/// Returns true for numbers or dates that can both be true.
fn agrees(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (TokenKind::Number(one), TokenKind::Number(other)) => {
            one.measure == other.measure && (one.bounded || other.bounded) && one.agrees(&other)
        }
        (TokenKind::DateTime(one), TokenKind::DateTime(other)) => one.is_comparable(&other) && one.agrees(&other),
        _ => false,
    }
}

/// Returns true for words with a common root: `deliver` and `delivery`, `format` and `formatter`.
fn resembles(one: &Token, other: &Token) -> bool {
    if !matches!((one.kind, other.kind), (TokenKind::Word | TokenKind::Name, TokenKind::Word | TokenKind::Name)) {
        return false;
    }
    let (one, other) = (one.key.as_str(), other.key.as_str());
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (shorter, longer) =
        (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    common >= 4 && common + 1 >= shorter && common * 2 >= longer
}

fn are_rival_numbers(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (TokenKind::Number(one), TokenKind::Number(other)) => one.measure == other.measure,
        (TokenKind::Code, TokenKind::Code) => is_figure(&one.canon) && is_figure(&other.canon),
        _ => false,
    }
}

/// Returns true for versions, scores and ranges: no letters, or one in front.
fn is_figure(code: &str) -> bool {
    code.strip_prefix('v').unwrap_or(code).chars().all(|c| !c.is_alphabetic())
}

fn are_rival_dates(one: &Token, other: &Token) -> bool {
    matches!((one.kind, other.kind), (TokenKind::DateTime(one), TokenKind::DateTime(other)) if one.is_comparable(&other))
}

fn are_rival_names(one: &Token, other: &Token) -> bool {
    let called = |token: &Token| matches!(token.kind, TokenKind::Name | TokenKind::Code);
    called(one) && called(other)
}

impl<'a> Alignment<'a> {
    /// Matches acronyms with the initials of a name: "UN" and "United Nations".
    fn match_acronyms(&mut self, open: &mut [Vec<bool>; 2], texts: [&AnalysedText; 2]) {
        for side in [0, 1] {
            for at in 0..self.sides[side].len() {
                let token = self.sides[side][at];
                let letters = token.key.chars().count().max(token.canon.chars().count());
                if !open[side][at] || !texts[side].pieces[token.at].acronym || !(2..=6).contains(&letters) {
                    continue;
                }
                let others: Vec<usize> = (0..self.sides[1 - side].len())
                    .filter(|place| open[1 - side][*place] && self.sides[1 - side][*place].is_content())
                    .collect();
                let initial = |place: &usize| self.sides[1 - side][*place].canon.chars().next();
                let spelled =
                    others.windows(letters).find(|run| run.iter().filter_map(initial).eq(token.canon.chars()));
                let Some(run) = spelled.map(<[usize]>::to_vec) else { continue };
                open[side][at] = false;
                for place in &run {
                    open[1 - side][*place] = false;
                }
                self.shared.push(if side == 0 { (at, run[0]) } else { (run[0], at) });
            }
        }
    }

    /// Pairs up unmatched tokens that satisfy a predicate.
    fn pair(&self, open: &mut [Vec<bool>; 2], fits: fn(&Token, &Token) -> bool) -> Vec<TokenPair<'a>> {
        let mut pairs = Vec::new();
        for (at, token) in self.sides[0].iter().enumerate() {
            if !open[0][at] || !token.is_content() {
                continue;
            }
            let place = (0..self.sides[1].len()).find(|place| {
                open[1][*place] && self.sides[1][*place].is_content() && fits(token, self.sides[1][*place])
            });
            if let Some(place) = place {
                (open[0][at], open[1][place]) = (false, false);
                pairs.push((*token, self.sides[1][place]));
            }
        }
        pairs
    }

    fn pair_opposites(&mut self, open: &mut [Vec<bool>; 2], lexicon: &Lexicon, [older, newer]: [&AnalysedText; 2]) {
        let comparable = |token: &Token| {
            matches!(token.kind, TokenKind::Word) && !token.contrast
                || (token.kind == TokenKind::Function && is_relation(&token.canon))
        };
        for at in 0..self.sides[0].len() {
            let token = self.sides[0][at];
            if !open[0][at] || !comparable(token) {
                continue;
            }
            for place in 0..self.sides[1].len() {
                let other = self.sides[1][place];
                if !open[1][place]
                    || !comparable(other)
                    || (token.kind == TokenKind::Function) != (other.kind == TokenKind::Function)
                        && !is_particle(token, other)
                {
                    continue;
                }
                let form = || {
                    let opposed =
                        opposed_by_form(&token.canon, &other.canon) || opposed_by_form(&token.key, &other.key);
                    opposed.then_some(Opposition::Complementary)
                };
                if !same_position(older, token, newer, other) {
                    continue;
                }
                let strip_re = || {
                    let compared = || lexicon.opposition(&positive(&token.canon)?, &positive(&other.canon)?);
                    lexicon.opposition(strip_re(&token.key), strip_re(&other.key)).or_else(compared)
                };
                if let Some(opposition) = lexicon.opposition(&token.key, &other.key).or_else(form).or_else(strip_re) {
                    (open[0][at], open[1][place]) = (false, false);
                    self.opposites.push(((token, other), opposition));
                    break;
                }
            }
        }
    }

    /// Matches the other words of a name that already differs: "Miriam Adler" against "Conrad
    /// Feld".
    fn absorb_name_parts(&self, open: &mut [Vec<bool>; 2]) {
        let differs = |token: &Token| {
            self.names.iter().any(|(one, other)| std::ptr::eq(*one, token) || std::ptr::eq(*other, token))
        };
        for (tokens, open) in self.sides.iter().zip(open) {
            for (at, open) in open.iter_mut().enumerate() {
                let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let named = beside.filter_map(|at| tokens.get(at)).any(|token| differs(token));
                *open &= !(named && tokens[at].kind == TokenKind::Name);
            }
        }
    }

    /// Returns the number of shared content words.
    pub(crate) fn shared_content(&self) -> usize {
        self.shared.len() + 3 * self.same_sentences
    }

    /// Returns true if both texts have the same content words.
    pub(crate) fn is_same_content(&self) -> bool {
        self.rest.iter().flatten().all(|token| is_filler(&token.canon))
            && self.opposites.is_empty()
            && self.numbers.is_empty()
            && self.dates.is_empty()
            && self.names.is_empty()
            && self.loose == 0
    }
}

/// Returns true if one side may use the word as a particle: "up".
fn is_particle(one: &Token, other: &Token) -> bool {
    [one, other].iter().any(|token| matches!(&*token.canon, "up" | "down" | "on" | "off" | "inside" | "outside"))
}

/// Returns true if two prepositions are in the same position, as particles or before the same word:
/// "is on" and "is off", "off the menu" and "on the menu", but not "on Monday" and "signs off".
fn same_position(older: &AnalysedText, one: &Token, newer: &AnalysedText, other: &Token) -> bool {
    let short = |token: &Token| matches!(&*token.canon, "on" | "off" | "up" | "down" | "over" | "under");
    if !short(one) && !short(other) {
        return true;
    }
    let next = |text: &AnalysedText, token: &Token| {
        let closes = text.pieces[token.at].after != Break::None;
        text.pieces.get(token.at + 1).filter(|_| !closes).map(|piece| piece.lower.clone()).unwrap_or_default()
    };
    let (one, other) = (next(older, one), next(newer, other));
    let particle = |next: &str| {
        matches!(next, "" | "again" | "at" | "in" | "by" | "during" | "when" | "now" | "for" | "since" | "until")
    };
    one == other || (particle(&one) && particle(&other))
}

/// Strips the prefix "re-": what is reopened is open.
fn strip_re(key: &str) -> &str {
    key.strip_prefix("re").filter(|rest| rest.len() >= 4).unwrap_or(key)
}

/// Returns the key of an adjective from its comparative: "easier" is "easy".
fn positive(word: &str) -> Option<String> {
    let base = word.strip_suffix("er").filter(|base| base.len() >= 3)?;
    let doubled = base.len() > 3 && base.as_bytes()[base.len() - 1] == base.as_bytes()[base.len() - 2];
    let base = match base.strip_suffix('i') {
        Some(stem) => format!("{stem}y"),
        None if doubled && base.is_ascii() => base[..base.len() - 1].to_owned(),
        None => base.to_owned(),
    };
    Some(Lexicon::shared().key(&base))
}

/// Returns true for words that do not change the meaning.
fn is_filler(word: &str) -> bool {
    matches!(word, "really" | "actually" | "basically" | "simply" | "also" | "just" | "please" | "quite" | "indeed")
}
