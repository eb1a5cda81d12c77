//! The decision. Cosine nominates, words decide.

use super::align::{Alignment, align};
use super::analysed::Analysed;
use super::conflict::Conflict;
use super::lexicon::{Opposition, is_copula};
use super::polarity::{Claim, claim};
use super::roles::{Roles, roles};
use super::token::{Kind, Token};
use super::{ContradictionKind, PairThresholds, Verdict};

/// How far below the prefilter a cosine may lie when all words but the differing one are shared.
const TIGHT_ALLOWANCE: f64 = 0.25;
/// A difference with at least this score, announced as a change, is an update.
const UPDATE_SCORE: f64 = 0.55;
/// The same where the newer text only denies: more of it must be shared, or it may deny something else.
const TURNED_UPDATE_SCORE: f64 = 0.7;

/// Judges what the newer text is to the older one.
pub(super) fn decide(older: &Analysed, newer: &Analysed, cosine: f64, thresholds: PairThresholds) -> Verdict {
    let cosine = if cosine.is_finite() { cosine } else { 0.0 };
    if !older.has_words() || !newer.has_words() {
        return distinct("one of them has no words");
    }
    if older.question != newer.question {
        return distinct("one of them asks");
    }
    if older.spelling == newer.spelling {
        return Verdict::Duplicate { reason: "the same words".to_owned() };
    }
    if cosine >= thresholds.exact && said(older) == said(newer) {
        return Verdict::Duplicate { reason: "the same words but for their endings".to_owned() };
    }
    let pair = Pair { older, newer, cosine, thresholds, alignment: align(older, newer) };
    pair.judge()
}

fn distinct(reason: impl Into<String>) -> Verdict {
    Verdict::Distinct { reason: reason.into() }
}

/// Two texts side by side.
pub(super) struct Pair<'a> {
    pub(super) older: &'a Analysed,
    pub(super) newer: &'a Analysed,
    pub(super) cosine: f64,
    thresholds: PairThresholds,
    pub(super) alignment: Alignment<'a>,
}

impl Pair<'_> {
    fn judge(&self) -> Verdict {
        if self.older.question {
            return distinct("different questions");
        }
        if self.alignment.sides.iter().all(Vec::is_empty) {
            return Verdict::NearDuplicate { reason: "the same sentences in another order".to_owned() };
        }
        if self.alignment.sides.iter().any(Vec::is_empty) {
            return distinct("one says more than the other");
        }
        if self.older.persons != 0 && self.newer.persons != 0 && self.older.persons & self.newer.persons == 0 {
            return distinct("they speak of different persons");
        }
        if self.alignment.shared_content() == 0 {
            return distinct("no words in common");
        }
        let roles = roles(&self.alignment);
        if let Some(reason) = self.former_state() {
            return Verdict::Update { reason };
        }
        if let Some(reason) = self.other_subject() {
            return distinct(reason);
        }
        let [older, newer] = [0, 1].map(|side| claim(&self.alignment.sides[side], self.same_negators()));
        match self.conflict(roles, older, newer) {
            Some(conflict) => self.weigh(conflict),
            None => self.without_conflict(roles, older, newer),
        }
    }

    /// Whether both negate with the same words: then it is not negation that tells them apart, wherever a comma stands.
    fn same_negators(&self) -> bool {
        let negators = |side: usize| {
            let tokens = self.alignment.sides[side].iter().filter(|token| token.kind == Kind::Negator);
            let mut words: Vec<&str> = tokens.map(|token| token.canon.as_str()).collect();
            words.sort_unstable();
            words
        };
        negators(0) == negators(1)
    }

    /// A conflict is an update where the newer text says so, a contradiction where it is certain enough.
    fn weigh(&self, conflict: Conflict) -> Verdict {
        let Conflict { kind, score, reason } = conflict;
        let turned = matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym);
        if score >= if turned { TURNED_UPDATE_SCORE } else { UPDATE_SCORE }
            && self.announces_change(kind)
            && self.cosine >= self.floor()
        {
            return Verdict::Update { reason: format!("'{}': {reason}", self.newer.cues.words) };
        }
        let nominated =
            self.cosine >= self.thresholds.contradiction_prefilter || (self.is_tight() && self.cosine >= self.floor());
        if nominated && score >= self.thresholds.contradiction {
            return Verdict::Contradiction { kind, score, reason };
        }
        distinct(format!("not sure enough of a contradiction: {reason}"))
    }

    /// The cosine below which nothing is looked at.
    pub(super) fn floor(&self) -> f64 {
        self.thresholds.contradiction_prefilter - TIGHT_ALLOWANCE
    }

    /// Whether nothing but the differing slot differs.
    fn is_tight(&self) -> bool {
        self.alignment.rest.iter().flatten().all(|token| !token.is_heavy())
    }

    fn without_conflict(&self, roles: Roles, older: Claim, newer: Claim) -> Verdict {
        let alignment = &self.alignment;
        if roles == Roles::Exchanged && !alignment.opposites.is_empty() {
            return distinct("they may say the same from two ends");
        }
        if let Some(reason) = self.ended_state() {
            return Verdict::Update { reason };
        }
        if let [((one, other), opposition)] = alignment.opposites[..] {
            let only = alignment.rest.iter().all(Vec::is_empty) && alignment.loose == 0 && self.same_function_words();
            let once = older.negations.abs_diff(newer.negations) == 1;
            if only
                && once
                && self.cosine >= self.floor()
                && opposition == Opposition::Complementary
                && roles == Roles::Kept
            {
                return Verdict::NearDuplicate { reason: format!("'{}' negated is '{}'", one.canon, other.canon) };
            }
            return distinct(format!("'{}' and '{}' turn each other round", one.canon, other.canon));
        }
        if !alignment.is_same_content() {
            let left: Vec<&Token> = alignment.rest.iter().flatten().copied().collect();
            return distinct(if left.is_empty() {
                "different details".to_owned()
            } else {
                format!("only one says '{}'", words_of(&left))
            });
        }
        if older.share != newer.share || older.negations % 2 != newer.negations % 2 {
            return distinct("they claim different amounts");
        }
        let enough = match roles {
            Roles::Kept => self.floor(),
            Roles::Moved => self.thresholds.near,
            Roles::Exchanged | Roles::Unclear => f64::INFINITY,
        };
        if enough.is_infinite() || !self.same_function_words() || older.negations != newer.negations {
            return distinct("the same words put together differently");
        }
        if self.cosine >= enough {
            return Verdict::NearDuplicate { reason: "the same content in slightly other words".to_owned() };
        }
        distinct("the same content words, but not near in meaning")
    }

    /// Whether the words between the content words are the same, but for those that never decide.
    fn same_function_words(&self) -> bool {
        let words = |side: usize| {
            let mut words: Vec<&str> = self.alignment.sides[side]
                .iter()
                .filter(|token| token.kind == Kind::Function && !is_weightless(&token.canon))
                .map(|token| token.canon.as_str())
                .collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        words(0) == words(1)
    }
}

/// What a text says, word for word, without endings and without the words that never decide.
fn said(text: &Analysed) -> Vec<&str> {
    let tokens = text.tokens.iter().filter(|token| token.kind != Kind::Function || !is_weightless(&token.canon));
    tokens.map(|token| token.key.as_str()).collect()
}

fn is_weightless(word: &str) -> bool {
    is_copula(word) && word != "was" && word != "were"
        || matches!(
            word,
            "a" | "an" | "the" | "of" | "and" | "that" | "which" | "who" | "it" | "this" | "there" | "so" | "then"
        )
        || matches!(
            word,
            "has"
                | "have"
                | "had"
                | "do"
                | "does"
                | "did"
                | "to"
                | "just"
                | "even"
                | "its"
                | "as"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "prof"
        )
}

/// The words of some tokens, the first few of them.
pub(super) fn words_of(tokens: &[&Token]) -> String {
    tokens.iter().take(4).map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ")
}
