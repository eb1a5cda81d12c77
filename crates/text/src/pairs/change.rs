//! Detects whether the newer text announces a change of what the older one states.

use super::ContradictionKind;
use super::rules::{StatementPair, words_of};
use super::token::{Token, TokenKind};
use super::update::ChangeStrength;

impl StatementPair<'_> {
    pub(super) fn announces_change(&self, kind: ContradictionKind) -> bool {
        let cues = &self.newer.cues;
        let stands_by_date = kind == ContradictionKind::Date && cues.words.starts_with("since");
        match cues.strength {
            ChangeStrength::None => false,
            _ if self.repeats_cue() => false,
            ChangeStrength::Dated | ChangeStrength::Ended => {
                matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym)
            }
            ChangeStrength::Timed => !stands_by_date,
            ChangeStrength::Stated => true,
        }
    }

    /// Returns true if the older text has the same cue, which then announces nothing. "Now" is
    /// exempt: its meaning moves.
    pub(super) fn repeats_cue(&self) -> bool {
        let cues = [&self.older.cues, &self.newer.cues];
        cues[0].words == cues[1].words && !cues[0].words.starts_with("now") && !cues[0].words.starts_with("current")
    }

    /// Returns the reason if the newer text names the state in the older one as former.
    pub(super) fn former_state(&self) -> Option<String> {
        let (from, to) = self.newer.cues.former?;
        if self.newer.cues.strength < ChangeStrength::Timed || self.cosine < self.floor() {
            return None;
        }
        let former = |token: &&Token| token.at >= from && token.at < to && !matches!(token.kind, TokenKind::Function);
        let left: Vec<&Token> = self.newer.tokens.iter().filter(former).collect();
        let known = |token: &Token| {
            self.older.tokens.iter().any(|other| other.key == token.key && (other.is_content() || token.contrast))
        };
        let called = |token: &Token| matches!(token.kind, TokenKind::Name | TokenKind::Code | TokenKind::Number(_));
        let named = self.alignment.shared.iter().any(|(at, _)| {
            let token = self.alignment.sides[0][*at];
            called(token) && (token.topic || left.iter().any(|left| left.key == token.key))
        });
        let foreign = if named {
            0
        } else {
            self.alignment.rest[0].iter().filter(|token| token.topic && token.is_heavy()).count()
        };
        let same_person = self.older.persons != 0 && self.older.persons == self.newer.persons;
        let about = self.alignment.shared.len() >= 2
            || (self.alignment.shared.len() == 1 && (same_person || left.iter().any(|token| token.contrast)));
        (about && foreign == 0 && !left.is_empty() && left.iter().any(|token| known(token)))
            .then(|| format!("'{}' was replaced: '{}'", words_of(&left), self.newer.cues.words))
    }

    /// Returns the reason if the newer text states that something ended or changed, and covers the
    /// subject of the older text.
    pub(super) fn ended_state(&self) -> Option<String> {
        let cues = &self.newer.cues;
        if cues.strength < ChangeStrength::Ended || self.cosine < self.floor() || self.repeats_cue() {
            return None;
        }
        let gone = self.alignment.rest[0].iter().filter(|token| !token.light).count();
        if cues.strength < ChangeStrength::Stated && gone > 0 {
            return None;
        }
        let missing = self.alignment.rest[0].iter().filter(|token| token.topic && token.is_heavy()).count();
        let about = self.alignment.shared.iter().filter(|(at, _)| self.alignment.sides[0][*at].topic).count();
        let content = self.alignment.sides[0].iter().filter(|token| token.is_content() && !token.light).count();
        let enough = self.alignment.shared.len() >= 2 && self.alignment.shared.len() * 2 >= content;
        (missing == 0 && about > 0 && enough).then(|| format!("'{}'", cues.words))
    }
}
