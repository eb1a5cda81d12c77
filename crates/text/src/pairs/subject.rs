//! Detects statements about different subjects, which cannot conflict.

use super::analysed_text::AnalysedText;
use super::comparison::StatementPair;
use super::number::NumberUnit;
use super::token::{Token, TokenKind};

impl StatementPair<'_> {
    /// Returns the reason if the two statements have different subjects.
    pub(crate) fn different_subjects(&self) -> Option<String> {
        let alignment = &self.alignment;
        let topics = [0, 1].map(|side| alignment.rest[side].iter().find(|token| token.topic && token.is_heavy()));
        if let [Some(one), Some(other)] = topics {
            return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
        }
        for ((one, other), _) in &alignment.opposites {
            if one.topic && other.topic && one.kind != TokenKind::Function && !one.verb {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        for (one, other) in alignment.names.iter().chain(&alignment.dates) {
            let exclusive = self.older.exclusive || self.newer.exclusive;
            if (one.topic && other.topic) || ((one.topic || other.topic) && !exclusive) {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        for (one, other) in &alignment.numbers {
            if (one.topic || other.topic) && (is_label(self.older, one) || is_label(self.newer, other)) {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        // "Omar" and "Omar's wife"
        for (side, text) in [self.older, self.newer].into_iter().enumerate() {
            let owned =
                alignment.rest[side].iter().find(|token| token.is_heavy() && token.topic && follows_owner(text, token));
            if let Some(owned) = owned {
                return Some(format!("a different subject: '{}'", owned.canon));
            }
        }
        None
    }
}

pub(crate) fn is_ordinal(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Number(number) if number.measure == NumberUnit::Ordinal)
}

/// Returns true if a number identifies a thing and is not a count: an ordinal, or a number after
/// its noun.
fn is_label(text: &AnalysedText, token: &Token) -> bool {
    let TokenKind::Number(number) = token.kind else { return true };
    if is_ordinal(token) {
        return true;
    }
    let next = text.tokens.iter().find(|next| next.at > token.at && next.topic == token.topic);
    number.measure == NumberUnit::Plain
        && !next.is_some_and(|next| {
            next.is_content() && matches!(next.kind, TokenKind::Word | TokenKind::Name) && !next.verb
        })
}

/// Returns true if a name or noun directly before owns the token.
fn follows_owner(text: &AnalysedText, token: &Token) -> bool {
    let before = text.tokens.iter().rev().find(|before| before.at < token.at && (before.is_content()));
    before.is_some_and(|before| before.possessor)
}
