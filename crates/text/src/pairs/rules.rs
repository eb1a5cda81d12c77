//! The decision rules. The cosine selects candidates, the words decide.

use super::align::{Alignment, align};
use super::analysed_text::AnalysedText;
use super::conflict::Conflict;
use super::lexicon::{Opposition, is_copula};
use super::polarity::{Polarity, polarity};
use super::roles::{Roles, roles};
use super::token::{Token, TokenKind};
use super::{ContradictionKind, PairThresholds, Verdict};

/// How far the cosine may fall below the prefilter if all words but the differing one are shared.
const ONE_DIFFERENCE_ALLOWANCE: f64 = 0.25;
/// Conflict score from which an announced change is an update.
const UPDATE_SCORE: f64 = 0.55;
/// Conflict score from which a negated statement is an update. Higher, because the newer text may
/// negate something else.
const NEGATED_UPDATE_SCORE: f64 = 0.7;

/// Classifies the relation of a newer text to an older one.
pub(super) fn decide(older: &AnalysedText, newer: &AnalysedText, cosine: f64, thresholds: PairThresholds) -> Verdict {
    let cosine = if cosine.is_finite() { cosine } else { 0.0 };
    if !older.has_words() || !newer.has_words() {
        return distinct("one of them has no words");
    }
    if older.question != newer.question {
        return distinct("only one of them is a question");
    }
    if older.spelling == newer.spelling {
        return Verdict::Duplicate { reason: "the same words".to_owned() };
    }
    if cosine >= thresholds.exact && stems(older) == stems(newer) {
        return Verdict::Duplicate { reason: "the same words but for their endings".to_owned() };
    }
    let pair = StatementPair { older, newer, cosine, thresholds, alignment: align(older, newer) };
    pair.judge()
}

fn distinct(reason: impl Into<String>) -> Verdict {
    Verdict::Distinct { reason: reason.into() }
}

/// Two aligned texts with their cosine.
pub(super) struct StatementPair<'a> {
    pub(super) older: &'a AnalysedText,
    pub(super) newer: &'a AnalysedText,
    pub(super) cosine: f64,
    thresholds: PairThresholds,
    pub(super) alignment: Alignment<'a>,
}

impl StatementPair<'_> {
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
            return distinct("they are about different persons");
        }
        if self.alignment.shared_content() == 0 {
            return distinct("no words in common");
        }
        let roles = roles(&self.alignment);
        if let Some(reason) = self.former_state() {
            return Verdict::Update { reason };
        }
        if let Some(reason) = self.different_subjects() {
            return distinct(reason);
        }
        let [older, newer] = [0, 1].map(|side| polarity(&self.alignment.sides[side], self.same_negators()));
        match self.conflict(roles, older, newer) {
            Some(conflict) => self.classify_conflict(conflict),
            None => self.without_conflict(roles, older, newer),
        }
    }

    /// Returns true if both texts negate with the same words. Then negation is not what differs.
    fn same_negators(&self) -> bool {
        let negators = |side: usize| {
            let tokens = self.alignment.sides[side].iter().filter(|token| token.kind == TokenKind::Negator);
            let mut words: Vec<&str> = tokens.map(|token| token.canon.as_str()).collect();
            words.sort_unstable();
            words
        };
        negators(0) == negators(1)
    }

    /// Classifies a conflict: an update if the newer text announces a change, a contradiction if
    /// the score is high enough.
    fn classify_conflict(&self, conflict: Conflict) -> Verdict {
        let Conflict { kind, score, reason } = conflict;
        let turned = matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym);
        if score >= if turned { NEGATED_UPDATE_SCORE } else { UPDATE_SCORE }
            && self.announces_change(kind)
            && self.cosine >= self.floor()
        {
            return Verdict::Update { reason: format!("'{}': {reason}", self.newer.cues.words) };
        }
        let nominated = self.cosine >= self.thresholds.contradiction_prefilter
            || (self.differs_in_one_place() && self.cosine >= self.floor());
        if nominated && score >= self.thresholds.contradiction {
            return Verdict::Contradiction { kind, score, reason };
        }
        distinct(format!("not sure enough of a contradiction: {reason}"))
    }

    /// Returns the cosine below which a pair is never compared.
    pub(super) fn floor(&self) -> f64 {
        self.thresholds.contradiction_prefilter - ONE_DIFFERENCE_ALLOWANCE
    }

    /// Returns true if no other content words differ.
    fn differs_in_one_place(&self) -> bool {
        self.alignment.rest.iter().flatten().all(|token| !token.is_heavy())
    }

    fn without_conflict(&self, roles: Roles, older: Polarity, newer: Polarity) -> Verdict {
        let alignment = &self.alignment;
        if roles == Roles::Exchanged && !alignment.opposites.is_empty() {
            return distinct("they may state one relation in opposite directions");
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
            return distinct(format!("'{}' and '{}' cancel each other", one.canon, other.canon));
        }
        if !alignment.is_same_content() {
            let left: Vec<&Token> = alignment.rest.iter().flatten().copied().collect();
            return distinct(if left.is_empty() {
                "different details".to_owned()
            } else {
                format!("only one says '{}'", words_of(&left))
            });
        }
        if older.proportion != newer.proportion || older.negations % 2 != newer.negations % 2 {
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

    /// Returns true if the function words are the same, apart from those that never change the
    /// meaning.
    fn same_function_words(&self) -> bool {
        let words = |side: usize| {
            let mut words: Vec<&str> = self.alignment.sides[side]
                .iter()
                .filter(|token| token.kind == TokenKind::Function && !is_negligible(&token.canon))
                .map(|token| token.canon.as_str())
                .collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        words(0) == words(1)
    }
}

/// Returns the stems of a text, without the words that never change the meaning.
fn stems(text: &AnalysedText) -> Vec<&str> {
    let tokens = text.tokens.iter().filter(|token| token.kind != TokenKind::Function || !is_negligible(&token.canon));
    tokens.map(|token| token.key.as_str()).collect()
}

fn is_negligible(word: &str) -> bool {
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

/// Returns the first few words of a token list.
pub(super) fn words_of(tokens: &[&Token]) -> String {
    tokens.iter().take(4).map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ")
}
