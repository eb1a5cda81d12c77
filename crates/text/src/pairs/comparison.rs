//! Two aligned texts: whether they conflict, and whether they say the same.

use super::align::{Alignment, align};
use super::analysed_text::AnalysedText;
use super::conflict::Conflict;
use super::lexicon::{Opposition, is_copula};
use super::polarity::{Polarity, polarity};
use super::roles::{Roles, roles};
use super::token::{Token, TokenKind};

/// Two aligned texts, the older first.
pub(crate) struct StatementPair<'a> {
    pub(crate) older: &'a AnalysedText,
    pub(crate) newer: &'a AnalysedText,
    pub(crate) alignment: Alignment<'a>,
}

/// How nearly two texts say the same.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Agreement {
    /// They say the same; a moved phrase needs a higher cosine.
    Same { moved: bool, reason: String },
    /// They do not say the same, or nobody can tell.
    Different { reason: String },
}

/// Returns true if two texts consist of the same words but for their endings.
pub(crate) fn same_stems(older: &AnalysedText, newer: &AnalysedText) -> bool {
    stems(older) == stems(newer)
}

impl<'a> StatementPair<'a> {
    /// Aligns two texts.
    pub(crate) fn new(older: &'a AnalysedText, newer: &'a AnalysedText) -> Self {
        Self { older, newer, alignment: align(older, newer) }
    }

    /// Returns the reason if the texts cannot conflict because they speak of different things.
    pub(crate) fn unrelated(&self) -> Option<String> {
        if self.alignment.sides.iter().all(Vec::is_empty) {
            return None;
        }
        if self.alignment.sides.iter().any(Vec::is_empty) {
            return Some("one says more than the other".to_owned());
        }
        if self.older.persons != 0 && self.newer.persons != 0 && self.older.persons & self.newer.persons == 0 {
            return Some("they are about different persons".to_owned());
        }
        if self.alignment.shared_content() == 0 {
            return Some("no words in common".to_owned());
        }
        self.different_subjects()
    }

    fn polarities(&self) -> [Polarity; 2] {
        [0, 1].map(|side| polarity(&self.alignment.sides[side], self.same_negators()))
    }

    /// Returns why the two texts cannot both be true.
    pub(crate) fn find_conflict(&self) -> Option<Conflict> {
        let [older, newer] = self.polarities();
        self.conflict(roles(&self.alignment), older, newer)
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

    /// Returns true if no other content words differ.
    pub(crate) fn differs_in_one_place(&self) -> bool {
        self.alignment.rest.iter().flatten().all(|token| !token.is_heavy())
    }

    /// Returns whether two texts without a conflict say the same.
    pub(crate) fn agreement(&self) -> Agreement {
        let different = |reason: &str| Agreement::Different { reason: reason.to_owned() };
        let alignment = &self.alignment;
        if alignment.sides.iter().all(Vec::is_empty) {
            return Agreement::Same { moved: false, reason: "the same sentences in another order".to_owned() };
        }
        let roles = roles(alignment);
        let [older, newer] = self.polarities();
        if roles == Roles::Exchanged && !alignment.opposites.is_empty() {
            let only = alignment.rest.iter().flatten().all(|token| token.light) && alignment.opposites.len() == 1;
            let rivals = alignment.numbers.len() + alignment.dates.len() + alignment.names.len();
            if only && rivals == 0 && alignment.loose == 0 && older.negations == newer.negations {
                return Agreement::Same { moved: false, reason: "one relation in opposite directions".to_owned() };
            }
            return different("they may state one relation in opposite directions");
        }
        if let [((one, other), opposition)] = alignment.opposites[..] {
            let rivals = alignment.numbers.len() + alignment.dates.len() + alignment.names.len();
            let only = alignment.rest.iter().all(Vec::is_empty)
                && rivals == 0
                && alignment.loose == 0
                && self.same_function_words();
            let turned = older.proportion == newer.proportion.flipped();
            if only && turned && opposition == Opposition::Complementary && roles == Roles::Kept {
                return Agreement::Same {
                    moved: false,
                    reason: format!("'{}' negated is '{}'", one.canon, other.canon),
                };
            }
            return Agreement::Different { reason: format!("'{}' and '{}' cancel each other", one.canon, other.canon) };
        }
        if !alignment.is_same_content() {
            let left: Vec<&Token> = alignment.rest.iter().flatten().copied().collect();
            if left.is_empty() {
                return different("different details");
            }
            return Agreement::Different { reason: format!("only one says '{}'", words_of(&left)) };
        }
        if older.proportion != newer.proportion || older.negations % 2 != newer.negations % 2 {
            return different("they claim different amounts");
        }
        let moved = match roles {
            Roles::Kept => false,
            Roles::Moved => true,
            Roles::Exchanged | Roles::Unclear => return different("the same words put together differently"),
        };
        if !self.same_function_words() || older.negations != newer.negations {
            return different("the same words put together differently");
        }
        Agreement::Same { moved, reason: "the same content in slightly other words".to_owned() }
    }

    /// Returns true if the function words are the same, apart from those that never change the
    /// meaning.
    pub(crate) fn same_function_words(&self) -> bool {
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
pub(crate) fn words_of(tokens: &[&Token]) -> String {
    tokens.iter().take(4).map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ")
}
