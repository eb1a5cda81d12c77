//! What two texts share, and what stands on each side alone.

use super::analysed::{Analysed, is_relation};
use super::lexicon::{Lexicon, Opposition, opposed_by_form};
use super::scan::Break;
use super::token::{Kind, Token};

/// A text with more content words than this is compared by its first ones: the cost grows with the square.
const MOST_TOKENS: usize = 400;

/// Two tokens, the older text's first.
pub(super) type Slot<'a> = (&'a Token, &'a Token);

/// The comparison of two texts, word by word.
#[derive(Debug)]
pub(super) struct Alignment<'a> {
    /// All tokens that are compared, in order: of the older and of the newer text.
    pub(super) sides: [Vec<&'a Token>; 2],
    /// Which tokens say the same, as places in `sides`.
    pub(super) shared: Vec<(usize, usize)>,
    /// How many of them only resemble each other.
    pub(super) loose: usize,
    /// How many sentences were the same and are left out.
    pub(super) same_sentences: usize,
    /// Opposites.
    pub(super) opposites: Vec<(Slot<'a>, Opposition)>,
    /// Numbers that cannot both hold.
    pub(super) numbers: Vec<Slot<'a>>,
    /// Dates and times that cannot both hold.
    pub(super) dates: Vec<Slot<'a>>,
    /// Different names or identifiers.
    pub(super) names: Vec<Slot<'a>>,
    /// What is left over on each side.
    pub(super) rest: [Vec<&'a Token>; 2],
}

/// Compares two texts.
pub(super) fn align<'a>(older: &'a Analysed, newer: &'a Analysed) -> Alignment<'a> {
    let (sides, same_sentences) = differing_sentences(older, newer);
    let lexicon = Lexicon::shared();
    let mut open = [vec![true; sides[0].len()], vec![true; sides[1].len()]];
    let mut shared = Vec::new();
    let mut loose = 0;
    let tests: [fn(&Token, &Token) -> bool; 4] = [is_same, is_misspelt, agrees, resembles];
    for (pass, test) in tests.into_iter().enumerate() {
        for (at, token) in sides[0].iter().enumerate().filter(|(_, token)| token.is_content()) {
            if !open[0][at] {
                continue;
            }
            let fits = |(place, other): &(usize, &&Token)| open[1][*place] && other.is_content() && test(token, other);
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

/// The tokens of the sentences that the two texts do not have in common.
fn differing_sentences<'a>(older: &'a Analysed, newer: &'a Analysed) -> ([Vec<&'a Token>; 2], usize) {
    let common = |text: &Analysed, at: usize, other: &Analysed| {
        text.sentences.get(at).is_some_and(|sentence| other.sentences.contains(sentence))
    };
    let side = |text: &'a Analysed, other: &Analysed| -> Vec<&'a Token> {
        let single = text.sentences.len() < 2 && other.sentences.len() < 2;
        let kept = text.tokens.iter().filter(|token| single || !common(text, token.sentence, other));
        kept.take(MOST_TOKENS).collect()
    };
    let same = (0..older.sentences.len()).filter(|at| common(older, *at, newer)).count();
    ([side(older, newer), side(newer, older)], same)
}

fn is_same(one: &Token, other: &Token) -> bool {
    one.key == other.key
}

/// Long words that differ in one slip of the hand: a letter missing, doubled, wrong or exchanged with the next.
fn is_misspelt(one: &Token, other: &Token) -> bool {
    if one.kind != Kind::Word || other.kind != Kind::Word || one.canon.len() < 6 || other.canon.len() < 6 {
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
    // The first letters and the ending carry meaning: "affect" and "effect", "walked" and "walker" are no slips.
    front >= 3 && back >= 2 && (swapped || one.len().max(other.len()) - front - back <= 1)
}

/// Numbers and dates that can both hold.
fn agrees(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (Kind::Number(one), Kind::Number(other)) => {
            one.measure == other.measure && (one.bounded || other.bounded) && one.agrees(&other)
        }
        (Kind::When(one), Kind::When(other)) => one.is_comparable(&other) && one.agrees(&other),
        _ => false,
    }
}

/// Words of one root: `deliver` and `delivery`, `format` and `formatter`.
fn resembles(one: &Token, other: &Token) -> bool {
    if !matches!((one.kind, other.kind), (Kind::Word | Kind::Name, Kind::Word | Kind::Name)) {
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
        (Kind::Number(one), Kind::Number(other)) => one.measure == other.measure,
        (Kind::Code, Kind::Code) => is_figure(&one.canon) && is_figure(&other.canon),
        _ => false,
    }
}

/// Versions, scores and ranges: no letters, or one in front.
fn is_figure(code: &str) -> bool {
    code.strip_prefix('v').unwrap_or(code).chars().all(|c| !c.is_alphabetic())
}

fn are_rival_dates(one: &Token, other: &Token) -> bool {
    matches!((one.kind, other.kind), (Kind::When(one), Kind::When(other)) if one.is_comparable(&other))
}

fn are_rival_names(one: &Token, other: &Token) -> bool {
    let called = |token: &Token| matches!(token.kind, Kind::Name | Kind::Code);
    called(one) && called(other)
}

impl<'a> Alignment<'a> {
    /// "UN" and "United Nations": the letters of the one are the first letters of the other's words.
    fn match_acronyms(&mut self, open: &mut [Vec<bool>; 2], texts: [&Analysed; 2]) {
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

    /// Takes the first fitting pairs out of what is open.
    fn pair(&self, open: &mut [Vec<bool>; 2], fits: fn(&Token, &Token) -> bool) -> Vec<Slot<'a>> {
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

    fn pair_opposites(&mut self, open: &mut [Vec<bool>; 2], lexicon: &Lexicon, [older, newer]: [&Analysed; 2]) {
        let comparable = |token: &Token| {
            matches!(token.kind, Kind::Word) && !token.contrast
                || (token.kind == Kind::Function && is_relation(&token.canon))
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
                    || (token.kind == Kind::Function) != (other.kind == Kind::Function) && !is_particle(token, other)
                {
                    continue;
                }
                let form = || {
                    let opposed =
                        opposed_by_form(&token.canon, &other.canon) || opposed_by_form(&token.key, &other.key);
                    opposed.then_some(Opposition::Complementary)
                };
                if !stand_alike(older, token, newer, other) {
                    continue;
                }
                let again = || lexicon.opposition(again(&token.key), again(&other.key));
                if let Some(opposition) = lexicon.opposition(&token.key, &other.key).or_else(form).or_else(again) {
                    (open[0][at], open[1][place]) = (false, false);
                    self.opposites.push(((token, other), opposition));
                    break;
                }
            }
        }
    }

    /// The other words of a name that already differs say nothing new: "Miriam Adler" against "Conrad Feld".
    fn absorb_name_parts(&self, open: &mut [Vec<bool>; 2]) {
        let differs = |token: &Token| {
            self.names.iter().any(|(one, other)| std::ptr::eq(*one, token) || std::ptr::eq(*other, token))
        };
        for (tokens, open) in self.sides.iter().zip(open) {
            for (at, open) in open.iter_mut().enumerate() {
                let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let named = beside.filter_map(|at| tokens.get(at)).any(|token| differs(token));
                *open &= !(named && tokens[at].kind == Kind::Name);
            }
        }
    }

    /// How many content words are shared.
    pub(super) fn shared_content(&self) -> usize {
        self.shared.len() + 3 * self.same_sentences
    }

    /// Whether the two have the very same content.
    pub(super) fn is_same_content(&self) -> bool {
        self.rest.iter().flatten().all(|token| is_filler(&token.canon))
            && self.opposites.is_empty()
            && self.numbers.is_empty()
            && self.dates.is_empty()
            && self.names.is_empty()
            && self.loose == 0
    }
}

/// "up" may be a particle on one side and an adverb on the other.
fn is_particle(one: &Token, other: &Token) -> bool {
    [one, other].iter().any(|token| matches!(&*token.canon, "up" | "down" | "on" | "off" | "inside" | "outside"))
}

/// "On" and "off", "up" and "down" oppose each other as particles or before the same word: "is on" and "is off", "off the
/// menu" and "on the menu", but not "on Monday" and "signs off".
fn stand_alike(older: &Analysed, one: &Token, newer: &Analysed, other: &Token) -> bool {
    let short = |token: &Token| matches!(&*token.canon, "on" | "off" | "up" | "down" | "over" | "under");
    if !short(one) && !short(other) {
        return true;
    }
    let next = |text: &Analysed, token: &Token| {
        let closes = text.pieces[token.at].after != Break::None;
        text.pieces.get(token.at + 1).filter(|_| !closes).map(|piece| piece.lower.clone()).unwrap_or_default()
    };
    let (one, other) = (next(older, one), next(newer, other));
    let particle = |next: &str| {
        matches!(next, "" | "again" | "at" | "in" | "by" | "during" | "when" | "now" | "for" | "since" | "until")
    };
    one == other || (particle(&one) && particle(&other))
}

/// The word without "re-": what is reopened is open.
fn again(key: &str) -> &str {
    key.strip_prefix("re").filter(|rest| rest.len() >= 4).unwrap_or(key)
}

/// Words that may come and go without changing what is said.
fn is_filler(word: &str) -> bool {
    matches!(word, "really" | "actually" | "basically" | "simply" | "also" | "just" | "please" | "quite" | "indeed")
}
