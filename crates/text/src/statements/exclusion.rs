//! Two statements of one frame that cannot both be true, though no word announces a change.

use super::clause_pair::{ClauseOf, ClausePair};
use super::paraphrase::slot;
use super::sorts::excludes;
use super::statement::{Statement, StatementKind};
use crate::pairs::comparison::StatementPair;
use crate::pairs::lexicon::Lexicon;
use crate::pairs::token::{Token, TokenKind};

/// Stems of relations that hold in both directions, or that one may have to the other and the other to the one.
const MUTUAL: &[&str] = &[
    "marri",
    "meet",
    "border",
    "equal",
    "neighbor",
    "neighbour",
    "friend",
    "cousin",
    "sibl",
    "sister",
    "brother",
    "twin",
    "colleagu",
    "partner",
    "resembl",
    "match",
    "adjoin",
    "near",
    "besid",
    "next",
    "same",
    "similar",
    "differ",
    "parallel",
    "date",
    "share",
    "join",
    "connect",
    "link",
    "talk",
    "fight",
    "play",
    "against",
    "spous",
    "rival",
    "alli",
    "know",
    "like",
    "love",
    "trust",
    "help",
    "see",
    "call",
    "visit",
    "write",
    "hate",
    "miss",
    "admir",
    "respect",
    "work",
    "live",
    "and",
    "or",
    "with",
    "between",
    "touch",
    "overlap",
    "opposit",
    "synonym",
    "schoolmat",
    "roommat",
    "peer",
];

/// Returns the reason if two statements say one relation in opposite directions: "the Drin flows into the Vell", "the Vell
/// flows into the Drin".
pub(super) fn exchanged_parties(older: &Statement, newer: &Statement, pair: &StatementPair<'_>) -> Option<String> {
    let alignment = &pair.alignment;
    let rivals = alignment.numbers.len() + alignment.dates.len() + alignment.names.len() + alignment.opposites.len();
    let whole = rivals == 0 && alignment.rest.iter().flatten().all(|token| token.light) && alignment.loose == 0;
    let single = older.clauses.len() == 1 && newer.clauses.len() == 1 && older.kind == newer.kind;
    let passive = |statement: &Statement| statement.tokens().iter().any(|token| token.canon == "by");
    if !whole || !single || passive(older) != passive(newer) || !pair.same_function_words() {
        return None;
    }
    let sides = &alignment.sides;
    let is_party = |token: &Token| {
        token.capital && !token.opens
            || matches!(token.kind, TokenKind::Name | TokenKind::Code | TokenKind::Number(_))
            || token.opens && token.kind == TokenKind::Word && !token.verb
    };
    let parties: Vec<(usize, usize)> = alignment
        .shared
        .iter()
        .copied()
        .filter(|(at, place)| is_party(sides[0][*at]) || is_party(sides[1][*place]))
        .collect();
    let crossed = |one: &(usize, usize), two: &(usize, usize)| one.0 < two.0 && one.1 > two.1;
    let [a, b] = parties.iter().find_map(|one| parties.iter().find(|two| crossed(one, two)).map(|two| [one, two]))?;
    let mutual = sides.iter().flatten().any(|token| MUTUAL.contains(&&*token.key) || MUTUAL.contains(&&*token.canon));
    // The relation stands between the parties, or behind both: "Ada is Bert's mother".
    let related = alignment.shared.iter().any(|(at, _)| {
        let token = sides[0][*at];
        *at > a.0 && *at != b.0 && token.is_content() && !token.light && !is_party(token)
    });
    // What happened may have happened in the other direction as well, at another time.
    let lexicon = Lexicon::shared();
    let once = sides[0].iter().any(|token| {
        matches!(token.kind, TokenKind::DateTime(_))
            || matches!(&*token.key, "acquir" | "buy" | "inherit" | "swallow" | "absorb")
    });
    let lasting = older.kind == StatementKind::State
        || once && sides[0].iter().any(|token| token.verb && (lexicon.is_one_way(&token.key) || once));
    // "To Bob, then to Alice": both play one part.
    let [one, other] = [older, newer].map(|statement| ClauseOf { statement, number: 0 });
    let place = |statement: &Statement, token: &Token| statement.tokens().iter().position(|own| own.at == token.at);
    let part = |side: ClauseOf<'_>, token: &Token| place(side.statement, token).map(|at| slot(side, at));
    let parts = [part(one, sides[0][a.0]), part(one, sides[0][b.0]), part(other, sides[1][b.1])];
    let exchanged = parts[0] != parts[1] && parts[0] == parts[2] || owns(sides[0][a.0]) != owns(sides[0][b.0]);
    (related && exchanged && !mutual && lasting).then(|| "subject and object are exchanged".to_owned())
}

fn owns(token: &Token) -> bool {
    token.possessor
}

/// Returns the reason if two statements give one thing two values of a sort of which it has one: two colours, two materials.
pub(super) fn other_of_one_sort(one: ClauseOf<'_>, other: ClauseOf<'_>) -> Option<String> {
    let pair = ClausePair::new(one, other);
    let announced = one.statement.cues.announces() || other.statement.cues.announces();
    let alike = one.is_negated() == other.is_negated() && !one.is_negated();
    if announced
        || !alike
        || one.statement.kind != other.statement.kind
        || !pair.same_quantity()
        || !pair.same_modality()
    {
        return None;
    }
    let (left, added) = (pair.unmatched_older(), pair.unmatched_newer());
    let subject = pair.subjects[0].iter().any(|at| pair.place_of(*at).is_some());
    let outside =
        left.iter().all(|at| !pair.subjects[0].contains(at)) && added.iter().all(|at| !pair.subjects[1].contains(at));
    let (first, second) = left
        .iter()
        .flat_map(|at| added.iter().map(move |place| (*at, *place)))
        .find(|(at, place)| excludes(one.token(*at), other.token(*place)))?;
    // "White and red" has two of them.
    let joined = [one, other]
        .into_iter()
        .any(|side| side.clause().span.clone().any(|at| matches!(&*side.token(at).canon, "and" | "or")));
    let sized = left.len() <= 2 && added.len() <= 2 && !joined;
    (subject && outside && sized && pair.same_subject())
        .then(|| format!("'{}' against '{}'", one.token(first).canon, other.token(second).canon))
}

/// Returns the reason if only the days of the week differ on which something goes on that nobody in particular does.
pub(super) fn other_days(older: &Statement, newer: &Statement, pair: &StatementPair<'_>) -> Option<String> {
    let alignment = &pair.alignment;
    let [(one, other)] = alignment.dates[..] else { return None };
    let weekly =
        |token: &Token| matches!(token.kind, TokenKind::DateTime(when) if when.weekday.is_some() && when.day.is_none());
    let rivals = alignment.numbers.len() + alignment.names.len() + alignment.opposites.len();
    let states = older.kind == newer.kind && matches!(older.kind, StatementKind::State | StatementKind::Instruction);
    let person = |statement: &Statement| {
        statement.words.persons != 0
            || statement.clauses.first().is_some_and(|clause| {
                clause.subject.clone().any(|at| {
                    let token = &statement.tokens()[at];
                    token.kind == TokenKind::Name || token.capital && at > 0 && !token.opens
                })
            })
    };
    let plural = |statement: &Statement| {
        statement.clauses.first().is_some_and(|clause| {
            let named = clause.subject.len() == 1 && statement.words.pieces.first().is_some_and(|piece| piece.capital);
            named && !statement.tokens()[clause.subject.start].canon.ends_with('s')
        })
    };
    let free = older.cues.announces() || newer.cues.announces() || newer.cues.has(super::cues::Cue::Also);
    (weekly(one)
        && weekly(other)
        && rivals == 0
        && alignment.rest.iter().all(Vec::is_empty)
        && alignment.loose == 0
        && states
        && !free
        && pair.same_function_words()
        && ![older, newer].into_iter().any(|statement| person(statement) || plural(statement)))
    .then(|| format!("'{}' against '{}'", one.canon, other.canon))
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn verdict(older: &str, newer: &str) -> Verdict {
        judge_texts(older, newer, 0.9, PairThresholds::BUILT_IN)
    }

    #[test]
    fn one_frame_has_room_for_one_value() {
        for (older, newer) in [
            ("The Drin flows into the Vell.", "The Vell flows into the Drin."),
            ("Process 41 is the parent of process 57.", "Process 57 is the parent of process 41."),
            ("Deploys go out on Tuesdays.", "Deploys go out on Thursdays."),
            ("The old gate was white.", "The old gate was black."),
            ("The statue is made of bronze.", "The statue is made of oak."),
        ] {
            let verdict = verdict(older, newer);
            assert!(matches!(verdict, Verdict::Contradicts { .. }), "{older} / {newer}: {verdict:?}");
        }
    }

    #[test]
    fn what_can_both_be_true_is_not_marked() {
        for (older, newer) in [
            ("Ada is married to Bert.", "Bert is married to Ada."),
            ("Ada called Bert.", "Bert called Ada."),
            ("Ben runs on Tuesdays.", "Ben runs on Thursdays."),
            ("The front door is white.", "The back door is black."),
        ] {
            let verdict = verdict(older, newer);
            assert!(
                matches!(verdict, Verdict::Related { .. } | Verdict::Paraphrase { .. }),
                "{older} / {newer}: {verdict:?}"
            );
        }
    }
}
