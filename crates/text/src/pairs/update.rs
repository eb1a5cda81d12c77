//! Detects words that announce a change of state.

use std::sync::OnceLock;

use super::hashing::WordSet;
use super::scan::ScannedWord;

/// How clearly a text announces a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum ChangeStrength {
    /// No announcement.
    #[default]
    None,
    /// Refers to a day: today, last week.
    Dated,
    /// Reports an end: was closed, has been sold.
    Ended,
    /// Holds from some time on: now, since, finally.
    Timed,
    /// Stated explicitly: no longer, moved to, replaced.
    Stated,
}

/// The change cues of one text.
#[derive(Debug, Clone, Default)]
pub(super) struct ChangeCues {
    /// The strongest cue.
    pub(super) strength: ChangeStrength,
    /// The words of that cue.
    pub(super) words: String,
    /// The word range that names the former state: "from X to Y", "instead of X".
    pub(super) former: Option<(usize, usize)>,
}

/// Past and perfect forms of verbs that describe a change of state.
const CHANGES: &str = "
    moved changed switched migrated renamed replaced upgraded downgraded updated raised increased reduced lowered decreased cut
    shortened extended expanded postponed rescheduled delayed bumped converted transferred relocated reassigned promoted
    rebranded revised corrected adjusted swapped ported rewritten rewrote superseded doubled tripled halved grew risen
    rose dropped fell fallen grown climbed risen jumped soared sunk tightened relaxed widened enlarged lifted
    rolled traded shifted turned handed relaunched moves switches slipped overtaken
";

/// Verbs that end a state without naming the next one.
const ENDINGS: &str = "
    reopened closed resolved fixed finished completed cancelled canceled abandoned removed dropped discontinued ended
    stopped quit sold repaired restored merged shipped released approved accepted paid settled recovered divorced
    married died left graduated resigned retired expired decommissioned archived deprecated lifted
";

/// Finds the change cues of a text.
pub(super) fn cues(pieces: &[ScannedWord]) -> ChangeCues {
    let mut cues = ChangeCues::default();
    for at in 0..pieces.len() {
        let (strength, length) = cue(pieces, at);
        if strength > cues.strength {
            cues.strength = strength;
            cues.words = pieces[at..at + length].iter().map(|piece| piece.lower.as_str()).collect::<Vec<_>>().join(" ");
        }
    }
    cues.former = former(pieces);
    cues
}

fn word(pieces: &[ScannedWord], at: usize) -> &str {
    pieces.get(at).map_or("", |piece| piece.lower.as_str())
}

fn is_change(word: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| CHANGES.split_whitespace().collect()).contains(word)
}

fn is_ending(word: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| ENDINGS.split_whitespace().collect()).contains(word)
}

/// Returns the cue at a position and the number of words it covers.
fn cue(pieces: &[ScannedWord], at: usize) -> (ChangeStrength, usize) {
    use ChangeStrength::{Dated, Ended, None, Stated, Timed};
    let (this, next) = (word(pieces, at), word(pieces, at + 1));
    match (this, next) {
        ("no", "longer")
        | ("any", "longer" | "more")
        | ("used", "to")
        | ("took" | "taken", "over")
        | ("gave" | "given", "up") => {
            if this == "used" && at > 0 && matches!(word(pieces, at - 1), "is" | "are" | "be" | "was" | "were" | "been")
            {
                return (None, 1);
            }
            (Stated, 2)
        }
        ("until", "recently") | ("not", "anymore") => (Stated, 2),
        ("anymore", _) => (Stated, 1),
        ("went" | "gone" | "up" | "down", "up" | "down" | "from") => (Stated, 2),
        ("until" | "till", "now") | ("at", "present") | ("these", "days") | ("by", "now") => (Timed, 2),
        ("latest" | "already" | "formerly" | "previously" | "former" | "previous", _) => (Timed, 1),
        ("our" | "the" | "my" | "his" | "her" | "their" | "a", "new") => (Timed, 2),
        ("has" | "have", "since") => (Stated, 2),
        ("as", "of") | ("from", "now") | ("for", "now") => (Timed, 2),
        ("this", "morning" | "week" | "month" | "year" | "evening" | "spring" | "summer" | "autumn" | "winter") => {
            (Dated, 2)
        }
        ("last", "night" | "week" | "month" | "year") => (Dated, 2),
        ("back", "up" | "down" | "on" | "online" | "in" | "to") => (Timed, 1),
        ("now" | "currently" | "nowadays" | "recently" | "finally" | "meanwhile" | "again", _) => (Timed, 1),
        ("today" | "yesterday", _) => (Dated, 1),
        ("lately" | "instead" | "newly" | "henceforth", _) => (Timed, 1),
        ("just", "started" | "began" | "got" | "moved" | "became") => (Timed, 2),
        ("since", _) if !matches!(next, "that" | "it" | "i" | "we" | "they" | "he" | "she") => (Timed, 1),
        ("correction" | "update" | "edit", _) if pieces[at].opens => (Stated, 1),
        _ if is_change(this) => {
            let towards = pieces[at + 1..]
                .iter()
                .take(7)
                .any(|piece| matches!(&*piece.lower, "to" | "into" | "by" | "from" | "with"));
            (if towards { Stated } else { Timed }, 1)
        }
        _ if is_ending(this) => {
            let before = at.checked_sub(1).map_or("", |at| word(pieces, at));
            let perfect = matches!(before, "has" | "have" | "been" | "was" | "were" | "just" | "already");
            (if perfect { Ended } else { None }, 1)
        }
        _ => (None, 1),
    }
}

/// Returns the word range of the former state.
fn former(pieces: &[ScannedWord]) -> Option<(usize, usize)> {
    for at in 0..pieces.len() {
        match (word(pieces, at), word(pieces, at + 1)) {
            ("from", _) => {
                let changed = pieces[..at].iter().any(|piece| is_change(&piece.lower));
                let to = pieces[at..].iter().take(8).position(|piece| matches!(&*piece.lower, "to" | "into"));
                if let Some(to) = to.filter(|_| changed) {
                    return Some((at + 1, at + to));
                }
            }
            ("instead", "of") | ("rather", "than") => return Some((at + 2, pieces.len().min(at + 6))),
            ("replaced" | "replaces" | "replacing", _) => return Some((at + 1, pieces.len().min(at + 5))),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::scan::scan;

    fn strength(text: &str) -> ChangeStrength {
        cues(&scan(text).pieces).strength
    }

    #[test]
    fn change_cues_have_the_expected_strength() {
        assert_eq!(strength("We no longer use Jenkins"), ChangeStrength::Stated);
        assert_eq!(strength("The limit was raised to 40"), ChangeStrength::Stated);
        assert_eq!(strength("We moved from Slack to Zulip"), ChangeStrength::Stated);
        assert_eq!(strength("Sam now lives in Kyoto"), ChangeStrength::Timed);
        assert_eq!(strength("As of May the fee is 3 euros"), ChangeStrength::Timed);
        assert_eq!(strength("Sam lives in Kyoto"), ChangeStrength::None);
        assert_eq!(strength("A hammer is used to drive nails"), ChangeStrength::None);
    }
}
