//! Whether two texts speak of different things: then nothing they say can conflict.

use super::analysed::Analysed;
use super::number::Measure;
use super::rules::Pair;
use super::token::{Kind, Token};

impl Pair<'_> {
    /// Whether the two speak of different things.
    pub(super) fn other_subject(&self) -> Option<String> {
        let alignment = &self.alignment;
        let topics = [0, 1].map(|side| alignment.rest[side].iter().find(|token| token.topic && token.is_heavy()));
        if let [Some(one), Some(other)] = topics {
            return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
        }
        for ((one, other), _) in &alignment.opposites {
            if one.topic && other.topic && one.kind != Kind::Function && !one.verb {
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

pub(super) fn is_ordinal(token: &Token) -> bool {
    matches!(token.kind, Kind::Number(number) if number.measure == Measure::Ordinal)
}

/// Whether a number tells which one is meant, not how many: an ordinal, or one behind its noun.
fn is_label(text: &Analysed, token: &Token) -> bool {
    let Kind::Number(number) = token.kind else { return true };
    if is_ordinal(token) {
        return true;
    }
    let next = text.tokens.iter().find(|next| next.at > token.at && next.topic == token.topic);
    number.measure == Measure::Plain
        && !next.is_some_and(|next| next.is_content() && matches!(next.kind, Kind::Word | Kind::Name) && !next.verb)
}

/// Whether the token is owned by a name or noun right before it.
fn follows_owner(text: &Analysed, token: &Token) -> bool {
    let before = text.tokens.iter().rev().find(|before| before.at < token.at && (before.is_content()));
    before.is_some_and(|before| before.possessor)
}
