//! Whether the newer text says that what the older one tells has changed.

use super::ContradictionKind;
use super::rules::{Pair, words_of};
use super::token::{Kind, Token};
use super::update::Strength;

impl Pair<'_> {
    pub(super) fn announces_change(&self, kind: ContradictionKind) -> bool {
        let cues = &self.newer.cues;
        let stands_by_date = kind == ContradictionKind::Date && cues.words.starts_with("since");
        match cues.strength {
            Strength::None => false,
            _ if self.repeats_cue() => false,
            Strength::Dated | Strength::Ended => {
                matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym)
            }
            Strength::Timed => !stands_by_date,
            Strength::Stated => true,
        }
    }

    /// A sign of change that the older text has as well announces nothing, except "now", which is never the same.
    pub(super) fn repeats_cue(&self) -> bool {
        let cues = [&self.older.cues, &self.newer.cues];
        cues[0].words == cues[1].words && !cues[0].words.starts_with("now") && !cues[0].words.starts_with("current")
    }

    /// The newer text names the state of the older one as left behind.
    pub(super) fn former_state(&self) -> Option<String> {
        let (from, to) = self.newer.cues.former?;
        if self.newer.cues.strength < Strength::Timed || self.cosine < self.floor() {
            return None;
        }
        let former = |token: &&Token| token.at >= from && token.at < to && !matches!(token.kind, Kind::Function);
        let left: Vec<&Token> = self.newer.tokens.iter().filter(former).collect();
        let known = |token: &Token| {
            self.older.tokens.iter().any(|other| other.key == token.key && (other.is_content() || token.contrast))
        };
        let called = |token: &Token| matches!(token.kind, Kind::Name | Kind::Code | Kind::Number(_));
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
            .then(|| format!("'{}' was left behind: '{}'", words_of(&left), self.newer.cues.words))
    }

    /// The newer text says outright that something ended or changed, and it speaks of all that the older one is about.
    pub(super) fn ended_state(&self) -> Option<String> {
        let cues = &self.newer.cues;
        if cues.strength < Strength::Ended || self.cosine < self.floor() || self.repeats_cue() {
            return None;
        }
        let gone = self.alignment.rest[0].iter().filter(|token| !token.light).count();
        if cues.strength < Strength::Stated && gone > 0 {
            return None;
        }
        let missing = self.alignment.rest[0].iter().filter(|token| token.topic && token.is_heavy()).count();
        let about = self.alignment.shared.iter().filter(|(at, _)| self.alignment.sides[0][*at].topic).count();
        let content = self.alignment.sides[0].iter().filter(|token| token.is_content() && !token.light).count();
        let enough = self.alignment.shared.len() >= 2 && self.alignment.shared.len() * 2 >= content;
        (missing == 0 && about > 0 && enough).then(|| format!("'{}'", cues.words))
    }
}
