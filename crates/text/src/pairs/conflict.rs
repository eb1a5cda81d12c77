//! Detects why two statements cannot both be true.

use super::align::TokenPair;
use super::analysed_text::AnalysedText;
use super::comparison::{StatementPair, words_of};
use super::number::NumberUnit;
use super::polarity::Polarity;
use super::roles::Roles;
use super::subject::is_ordinal;
use super::token::{Token, TokenKind};
use crate::statements::ContradictionKind;

/// A reason why two statements cannot both be true.
pub(crate) struct Conflict {
    pub(crate) kind: ContradictionKind,
    pub(crate) score: f64,
    pub(crate) reason: String,
}

impl StatementPair<'_> {
    /// Returns the strongest conflict with its score.
    pub(crate) fn conflict(&self, roles: Roles, older: Polarity, newer: Polarity) -> Option<Conflict> {
        let alignment = &self.alignment;
        let flips = alignment.opposites.len() + usize::from(roles == Roles::Exchanged);
        let proportion = if flips % 2 == 1 { newer.proportion.flipped() } else { newer.proportion };
        let turned = flips > 0 || older.negations != newer.negations || older.quantified || newer.quantified;
        let (kind, base, reason) = if turned && older.proportion.excludes(proportion) {
            let occasions = !alignment.numbers.is_empty() && !alignment.opposites.is_empty();
            if !alignment.names.is_empty() || !alignment.dates.is_empty() || occasions {
                return None;
            }
            let (kind, base, reason) = self.reversal(roles, older, newer);
            let uncertainty =
                if kind == ContradictionKind::Negation { self.predicate_uncertainty(older, newer) } else { 0.0 };
            (kind, base - uncertainty, reason)
        } else if flips > 0 {
            return None;
        } else if let Some((one, other)) = alignment.numbers.first() {
            if !alignment.dates.is_empty() || !alignment.names.is_empty() {
                return None;
            }
            let ordinals = alignment.numbers.iter().filter(|(one, _)| is_ordinal(one)).count();
            if ordinals > 0 && ordinals < alignment.numbers.len() {
                return None;
            }
            // "Under 10 kg: 195" and "over 25 kg: 260" are two rows of one list.
            let is_limit = |token: &Token| matches!(token.kind, TokenKind::Number(number) if number.bounded);
            if alignment.numbers.len() > 1 && is_limit(one) && is_limit(other) {
                return None;
            }
            let bounded = is_limit(one) || is_limit(other);
            let kind = if bounded { ContradictionKind::Quantity } else { ContradictionKind::Number };
            (kind, 0.95, describe_replacement(self, (one, other)))
        } else if let Some(slot) = alignment.dates.first() {
            if !alignment.names.is_empty() {
                return None;
            }
            (ContradictionKind::Date, if self.happens_once() { 0.95 } else { 0.65 }, describe_replacement(self, *slot))
        } else if let Some(reason) = self.one_against_several() {
            (ContradictionKind::Quantity, 0.95, reason)
        } else {
            let slot = alignment.names.first()?;
            (
                ContradictionKind::Name,
                if self.allows_one_name() { 0.92 } else { 0.65 },
                describe_replacement(self, *slot),
            )
        };
        let mut uncertainty = self.uncertainty();
        let acts = |side: usize| alignment.rest[side].iter().any(|token| token.verb && !token.light);
        if matches!(kind, ContradictionKind::Name | ContradictionKind::Date) && acts(0) && acts(1) {
            uncertainty += 0.15;
        }
        let score = (base - uncertainty).clamp(0.0, 1.0);
        Some(Conflict { kind, score, reason })
    }

    /// Detects "exactly one role" against "several roles".
    fn one_against_several(&self) -> Option<String> {
        for side in [0, 1] {
            let single = |token: &&&Token| matches!(token.kind, TokenKind::Number(number) if number.high < 2.0 && number.measure == NumberUnit::Plain);
            let several =
                |token: &&&Token| matches!(&*token.canon, "several" | "many" | "multiple" | "various" | "afew");
            let one = self.alignment.rest[side].iter().find(single);
            let many = self.alignment.sides[1 - side].iter().find(several);
            if let Some((one, many)) = one.zip(many) {
                return Some(format!("'{}' against '{}'", one.canon, many.canon));
            }
        }
        None
    }

    /// Describes a reversed claim: by a negation, an antonym, a quantity or exchanged parties.
    fn reversal(&self, roles: Roles, older: Polarity, newer: Polarity) -> (ContradictionKind, f64, String) {
        let numbers = if self.alignment.numbers.is_empty() { 0.0 } else { 0.1 };
        if older.quantified || newer.quantified {
            let reason = format!("how much: {} against {}", self.polarity_words(0), self.polarity_words(1));
            return (ContradictionKind::Quantity, 0.95 - numbers, reason);
        }
        if let Some(((one, other), _)) = self.alignment.opposites.first() {
            let moved = |one: &Token, other: &Token| one.opens || other.opens || one.topic || other.topic;
            let fronted = self
                .alignment
                .opposites
                .iter()
                .any(|((one, other), _)| one.kind == TokenKind::Function && moved(one, other));
            let base = if fronted { 0.6 } else { self.antonym_certainty(one, other) };
            return (
                ContradictionKind::Antonym,
                base - numbers,
                format!("opposites: '{}' and '{}'", one.canon, other.canon),
            );
        }
        if roles == Roles::Exchanged {
            return (ContradictionKind::Name, 0.95 - numbers, "subject and object are exchanged".to_owned());
        }
        let side = usize::from(newer.negations > older.negations);
        (ContradictionKind::Negation, 0.98 - numbers, format!("negated: {}", self.polarity_words(side)))
    }

    fn polarity_words(&self, side: usize) -> String {
        let tokens = self.alignment.sides[side].iter();
        let words: Vec<&Token> = tokens
            .filter(|token| matches!(token.kind, TokenKind::Negator | TokenKind::Quantifier(_)))
            .copied()
            .collect();
        if words.is_empty() { "no quantity".to_owned() } else { format!("'{}'", words_of(&words)) }
    }
}

/// Renders the replaced word and its replacement as written.
fn describe_replacement(pair: &StatementPair<'_>, (one, other): TokenPair<'_>) -> String {
    let written = |text: &AnalysedText, token: &Token| {
        let next = text.tokens.iter().map(|next| next.at).find(|at| *at > token.at).unwrap_or(text.pieces.len());
        text.pieces[token.at..next].iter().map(|piece| piece.lower.as_str()).collect::<Vec<_>>().join(" ")
    };
    format!("'{}' became '{}'", written(pair.older, one), written(pair.newer, other))
}
