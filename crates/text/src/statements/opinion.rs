//! What a model says about two statements, and what follows from it.
//!
//! A model reads sentences in free wording, which no rule takes apart. Where the rules found nothing, it may archive what they do
//! not forbid ([`may_archive`]). Where they know that both are true, it may only mark a contradiction, so that both stay. And it
//! may stop what they would archive.

use super::Form;
use super::cues::Cue;
use super::heading::is_other_matter_under_heading;
use super::residue::{Residue, is_heavy};
use super::rivalry::{RIVALS, repeats_values};
use super::statement::{Statement, StatementKind};
use super::verdict::{ContradictionKind, PairThresholds, Verdict};
use crate::pairs::token::TokenKind;

/// The reason of an update that a model found.
const LATER_STATE: &str = "reads like a later state of the same thing";

/// The reason of a contradiction that a model found.
const ANOTHER_STATE: &str = "reads like another state of the same thing";

/// The reason of a contradiction where a model stopped the rules.
const MAY_BOTH_HOLD: &str = "another state, but both may be true";

/// The probability of an update from which the older text is archived. The bounds were chosen on the pairs of three authors and
/// checked on those of a fourth: see decision 90.
const ARCHIVES: f64 = 0.995;

/// The probability of an update from which a pair is marked as a contradiction.
const MARKS_UPDATE: f64 = 0.90;

/// The probability of an update or a contradiction from which what the rules left open is marked. Neighbours in a memory are
/// taken for contradictions more easily than for updates.
const MARKS_CONFLICT: f64 = 0.97;

/// The probability that both are true from which the rules archive nothing, and what
/// [probably](super::rivalry) gives one thing two values is not marked.
const BOTH_TRUE: f64 = 0.80;

/// How probable each relation of a newer text to an older one is. The four sum to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairProbabilities {
    /// Both are true.
    pub both_true: f64,
    /// The newer one is a later state of all that the older one says.
    pub update: f64,
    /// They cannot both be true, and nothing says which is newer.
    pub contradiction: f64,
    /// They say the same.
    pub same: f64,
}

/// Returns true if the opinion of a model may change a verdict.
pub fn is_open_to_opinion(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Related { .. } | Verdict::Supersedes { .. } => true,
        Verdict::Contradicts { reason, .. } => reason == RIVALS,
        Verdict::Duplicate { .. } | Verdict::Paraphrase { .. } | Verdict::Proposal { .. } => false,
    }
}

/// Returns the verdict of the rules and of a model.
pub fn with_opinion(
    older: &Statement,
    newer: &Statement,
    verdict: Verdict,
    opinion: PairProbabilities,
    thresholds: PairThresholds,
) -> Verdict {
    if !is_readable(older, newer) {
        return verdict;
    }
    let marked = |probability: f64, reason: &str| Verdict::Contradicts {
        kind: ContradictionKind::Name,
        // What is marked is reported as sure enough.
        score: probability.max(thresholds.contradiction),
        reason: reason.to_owned(),
    };
    match verdict {
        Verdict::Supersedes { .. } if opinion.both_true >= BOTH_TRUE => marked(0.0, MAY_BOTH_HOLD),
        Verdict::Related { .. } if repeats_values(older, newer) => verdict,
        Verdict::Related { certain: true, .. } if opinion.update >= MARKS_UPDATE => {
            marked(opinion.update, ANOTHER_STATE)
        }
        Verdict::Related { certain: false, .. } | Verdict::Contradicts { .. } => {
            let conflict = opinion.update + opinion.contradiction;
            if opinion.update >= ARCHIVES && may_archive(older, newer) {
                Verdict::Supersedes { reason: LATER_STATE.to_owned() }
            } else if opinion.update >= MARKS_UPDATE || conflict >= MARKS_CONFLICT {
                marked(conflict, ANOTHER_STATE)
            } else if verdict.reason() == RIVALS && opinion.both_true >= BOTH_TRUE {
                Verdict::unknown("nothing that excludes the other")
            } else {
                verdict
            }
        }
        other => other,
    }
}

/// Returns true if both are prose in one known language, and no questions.
fn is_readable(older: &Statement, newer: &Statement) -> bool {
    let fit = |statement: &Statement| {
        statement.form == Form::Prose && statement.language.is_some() && !statement.words.question
    };
    fit(older) && fit(newer) && older.language == newer.language
}

/// Returns true if nothing in the words forbids that the newer statement takes the place of the older one: the older one is a
/// lasting state or an instruction in one clause, every name that it is about is named again, and the newer one neither adds
/// something nor speaks of a plan, a wish or an earlier time.
pub fn may_archive(older: &Statement, newer: &Statement) -> bool {
    let lasting = matches!(older.kind, StatementKind::State | StatementKind::Instruction);
    let later = matches!(newer.kind, StatementKind::State | StatementKind::Instruction | StatementKind::Episode);
    lasting
        && later
        && older.clauses.len() == 1
        && !older.cues.has(Cue::Past)
        && !newer.cues.has(Cue::Past)
        && !newer.cues.has(Cue::Also)
        && older.words.exclusive == newer.words.exclusive
        && names_the_subject(older, newer)
        && !is_other_matter_under_heading(older.text(), newer.text())
}

/// Returns true if the newer statement shares a word that counts, and has every name of the older one's subject.
fn names_the_subject(older: &Statement, newer: &Statement) -> bool {
    let residue = Residue::new(older, newer);
    let shared = residue.matched.iter().any(|(at, _)| is_heavy(older, *at));
    let subjects = || older.clauses.iter().flat_map(|clause| clause.subject.clone());
    let named = |at: &usize| {
        let token = &older.tokens()[*at];
        token.capital && !token.opens || matches!(token.kind, TokenKind::Name | TokenKind::Code)
    };
    shared && residue.same_owners() && subjects().filter(named).all(|at| !residue.left.contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::{PairThresholds, judge};

    const UPDATE: PairProbabilities =
        PairProbabilities { both_true: 0.001, update: 0.997, contradiction: 0.001, same: 0.001 };
    const CONFLICT: PairProbabilities =
        PairProbabilities { both_true: 0.01, update: 0.45, contradiction: 0.54, same: 0.0 };
    const BOTH: PairProbabilities =
        PairProbabilities { both_true: 0.97, update: 0.01, contradiction: 0.01, same: 0.01 };

    fn together(older: &str, newer: &str, opinion: PairProbabilities) -> Verdict {
        let (older, newer) = (Statement::parse(older), Statement::parse(newer));
        let rules = judge(&older, &newer, 0.7, PairThresholds::BUILT_IN);
        with_opinion(&older, &newer, rules, opinion, PairThresholds::BUILT_IN)
    }

    const FREE: (&str, &str) =
        ("Jonas rents a flat on Mill Lane.", "Jonas bought the old bakery and sleeps there, the flat is let.");

    #[test]
    fn what_the_rules_leave_open_follows_the_model() {
        let (older, newer) = FREE;
        assert!(matches!(together(older, newer, UPDATE), Verdict::Supersedes { .. }));
        assert!(matches!(together(older, newer, CONFLICT), Verdict::Contradicts { .. }));
        assert!(matches!(together(older, newer, BOTH), Verdict::Related { .. }));
    }

    #[test]
    fn a_model_archives_nothing_that_the_words_forbid() {
        for (older, newer) in [
            // Somebody else, an episode, a compound, an addition, a plan, an earlier time.
            ("Jonas rents a flat on Mill Lane.", "Petra bought the old bakery, the flat is let."),
            ("Jonas visited the flat on Mill Lane yesterday.", "Jonas bought the old bakery, the flat is let."),
            ("Jonas rents a flat on Mill Lane and keeps bees.", "Jonas bought the old bakery, the flat is let."),
            ("Jonas rents a flat on Mill Lane.", "Jonas also rents a garage on Mill Lane."),
            ("Jonas rents a flat on Mill Lane.", "Jonas used to rent a boat on Mill Lane."),
        ] {
            let verdict = together(older, newer, UPDATE);
            assert!(!verdict.archives(), "{older} / {newer}: {verdict:?}");
        }
    }

    #[test]
    fn questions_code_and_two_languages_are_left_to_the_rules() {
        for (older, newer) in [
            ("Jonas rents a flat on Mill Lane.", "Does Jonas still rent the flat on Mill Lane?"),
            (
                "Jonas rents a flat on Mill Lane.",
                "Jonas hat die Wohnung in der Mill Lane gekündigt und ein Haus gekauft.",
            ),
            ("let port = 80;", "let port = 81; // moved"),
        ] {
            let (one, other) = (Statement::parse(older), Statement::parse(newer));
            let rules = judge(&one, &other, 0.7, PairThresholds::BUILT_IN);
            assert_eq!(together(older, newer, UPDATE), rules, "{older} / {newer}");
        }
    }

    #[test]
    fn a_text_that_repeats_the_value_is_not_marked() {
        let (older, newer) = ("The database is PostgreSQL", "We migrated the database from MySQL to PostgreSQL");
        for opinion in [UPDATE, CONFLICT] {
            let verdict = together(older, newer, opinion);
            assert!(matches!(verdict, Verdict::Related { .. }), "{verdict:?}");
        }
    }

    #[test]
    fn a_model_stops_what_the_rules_would_archive() {
        let (older, newer) = ("Ada lives in Braga.", "Ada lives in Porto now.");
        assert!(together(older, newer, UPDATE).archives());
        assert!(matches!(together(older, newer, BOTH), Verdict::Contradicts { .. }));
    }

    #[test]
    fn against_the_rules_a_model_marks_and_archives_nothing() {
        let (older, newer) = ("Mira works at Acme.", "Mira's brother works at Globex.");
        let rules = together(older, newer, BOTH);
        assert!(matches!(rules, Verdict::Related { certain: true, .. }), "{rules:?}");
        assert!(matches!(together(older, newer, UPDATE), Verdict::Contradicts { .. }));
        assert_eq!(together(older, newer, CONFLICT), rules);
    }
}
