//! A former value that is named as gone: "we cancelled Jyra, issues are tracked in Linework".
//!
//! The rule knows no verb of the attribute. It needs the whole older statement again: what it is about somewhere in the newer
//! text, its value in a part that only says that this value is gone, and another value of the same sort.

use super::clause::Clause;
use super::clause_pair::{ClauseOf, ClausePair};
use super::cues::{Cue, Mark};
use super::phrase::phrase_of;
use super::relations::{is_lasting, name_one_attribute};
use super::residue::{Residue, is_heavy};
use super::roles::role;
use super::sorts::{Kinship, kinship};
use super::statement::Statement;
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::scan::Break;
use crate::pairs::token::{Token, TokenKind};

/// Words that say that something or somebody is not there any more.
const GONE: &[&str] = &[
    "uninstalled",
    "removed",
    "deleted",
    "dropped",
    "ditched",
    "cancelled",
    "canceled",
    "decommissioned",
    "retired",
    "scrapped",
    "abandoned",
    "discontinued",
    "shut",
    "closed",
    "emptied",
    "left",
    "quit",
    "resigned",
    "gone",
    "dead",
    "sold",
    "ripped",
    "stepped",
    "replaced",
    "superseded",
    "dissolved",
    "dismissed",
    "fired",
    "died",
    "departed",
    "dismantled",
    "deprecated",
    "unplugged",
    "terminated",
];

/// Words before a value that only say that it is another one.
const OTHER: &[&str] = &["different", "another", "other", "new"];

/// Words that belong to those: "shut down", "stepped down", "was ripped out".
const PARTICLES: &[&str] = &["down", "out", "off", "up", "over", "on"];

/// Returns the reason if the newer statement says that the value of the older one is gone, and names another.
pub(super) fn other_value(residue: &Residue<'_>) -> Option<String> {
    let (older, newer) = (residue.older, residue.newer);
    let [clause] = older.clauses.as_slice() else { return None };
    let side = ClauseOf { statement: older, number: 0 };
    if side.is_negated() || is_lasting(side.full_verb()) {
        return None;
    }
    let gone = gone_parts(residue);
    let is_gone = |place: usize| gone.iter().any(|part| part.contains(&place));
    // The value: what the newer text names as gone, in one phrase behind the verb, or the holder of a role.
    let holder = role(older, clause).map(|role| role.holder).unwrap_or_default();
    let outside = |at: usize| !clause.subject.contains(&at) || holder.contains(&at);
    let value: Vec<usize> = residue
        .matched
        .iter()
        .filter(|(at, place)| {
            is_gone(*place) && outside(*at) && is_heavy(older, *at) && is_valued(&older.tokens()[*at])
        })
        .map(|(at, _)| *at)
        .collect();
    let first = *value.iter().min()?;
    let phrase = |at: usize| phrase_of(older, clause, at).start;
    let said_elsewhere = |at: usize| {
        let token = &older.tokens()[at];
        (0..newer.tokens().len()).any(|place| !is_gone(place) && matches(token, &newer.tokens()[place]))
    };
    let owned = |at: usize| older.tokens()[at].possessor;
    if value.iter().any(|at| phrase(*at) != phrase(first) || owned(*at) || said_elsewhere(*at)) {
        return None;
    }
    // The rest of the older statement is said again, but for another part of the same name and words that only name an
    // attribute.
    let in_value = |at: usize| value.contains(&at) || phrase(at) == phrase(first) && is_named(&older.tokens()[at]);
    // "Search backend: Elastrix": the last noun of a label only names the attribute.
    let label = older.clauses[0].subject.clone().rfind(|at| is_heavy(older, *at) && !is_named(&older.tokens()[*at]));
    let labels = clause.copular && clause.subject.clone().filter(|at| is_heavy(older, *at)).count() > 1;
    let beside_name = |at: usize| {
        let known = |at: usize| residue.matched.iter().any(|(own, _)| *own == at) && is_named(&older.tokens()[at]);
        is_named(&older.tokens()[at]) && (known(at + 1) || at.checked_sub(1).is_some_and(known))
    };
    let assumed = |at: usize| {
        older.tokens()[at].canon == "user" || clause.verb == Some(at) || labels && label == Some(at) || beside_name(at)
    };
    // "Rose", "Mark" and "Grace" are verbs as well.
    let counts = |at: usize| {
        let token = &older.tokens()[at];
        is_heavy(older, at) || token.capital && !token.opens || clause.subject.contains(&at) && token.verb
    };
    let lost = residue.left.iter().any(|at| counts(*at) && !in_value(*at) && !assumed(*at));
    let rest: Vec<(usize, usize)> =
        residue.matched.iter().copied().filter(|(at, _)| !in_value(*at) && is_heavy(older, *at)).collect();
    if lost || rest.is_empty() || value.iter().any(|at| holder.is_empty() && clause.lead.contains(at)) {
        return None;
    }
    let idle = |place: usize| {
        let acts = newer.clauses.iter().any(|clause| clause.verb == Some(place) || clause.predicate == Some(place));
        let leads = newer.clauses.iter().any(|clause| clause.lead.contains(&place) && opens_with_time(newer, clause));
        acts || leads || is_gone(place) || OTHER.contains(&&*newer.tokens()[place].canon) || is_aside(residue, place)
    };
    let candidates: Vec<usize> = residue
        .added
        .iter()
        .copied()
        .filter(|place| {
            let token = &newer.tokens()[*place];
            (is_heavy(newer, *place) || token.capital && !token.opens) && !idle(*place)
        })
        .collect();
    let run = candidates.windows(2).all(|pair| pair[1] == pair[0] + 1);
    if candidates.is_empty() || !run || !says_one_thing(residue) {
        return None;
    }
    let place = newer.clauses.iter().position(|clause| candidates.iter().all(|at| clause.span.contains(at)))?;
    let other = ClauseOf { statement: newer, number: place };
    let pair = ClausePair::new(side, other);
    let named = |statement: &Statement, places: &[usize]| places.iter().all(|at| is_named(&statement.tokens()[*at]));
    let sort = kinship(&pair, &value, &candidates);
    let alike = named(older, &value) && named(newer, &candidates) || !holder.is_empty();
    let alike = alike && sort != Kinship::Other || sort == Kinship::Same;
    // Who does something is no value, but for the holder of a role.
    let acts = holder.is_empty() && candidates.iter().any(|place| other.clause().subject.contains(place));
    let possessed = acts || candidates.iter().any(|place| newer.tokens()[*place].possessor);
    if !alike || possessed || other.is_negated() || other.clause().lead.contains(&candidates[0]) {
        return None;
    }
    // Who left Porto and works in Braga need not have lived there no longer: the attribute must be told by its verb, or by
    // what else is said about it.
    let subject = |at: usize| clause.subject.contains(&at);
    let told = rest.iter().any(|(at, _)| !subject(*at))
        || side.full_verb().is_none_or(|verb| {
            newer.clauses.iter().filter_map(|clause| clause.verb).map(|at| &newer.tokens()[at]).any(|other| {
                matches(verb, other) || have_common_root(verb, other) || name_one_attribute(&verb.key, &other.key)
            })
        });
    let counted =
        |statement: &Statement| statement.tokens().iter().any(|token| matches!(token.kind, TokenKind::Quantifier(_)));
    let spell = |statement: &Statement, places: &[usize]| {
        places.iter().map(|at| statement.tokens()[*at].canon.as_str()).collect::<Vec<_>>().join(" ")
    };
    (told && counted(older) == counted(newer))
        .then(|| format!("'{}' became '{}'", spell(older, &value), spell(newer, &candidates)))
}

/// Returns the parts of the newer text that say that something is gone, and nothing else that the older one does not say.
fn gone_parts(residue: &Residue<'_>) -> Vec<std::ops::Range<usize>> {
    let newer = residue.newer;
    let tokens = newer.tokens();
    let known = |place: usize| residue.matched.iter().any(|(_, other)| *other == place);
    // "In Mr. Dewhurst's place".
    let stands_for = |at: usize| matches!(&*tokens[at].canon, "place" | "stead") && at > 0 && tokens[at - 1].possessor;
    let is_sign = |place: usize| {
        GONE.contains(&&*tokens[place].canon)
            || newer.cues.found.iter().any(|(cue, at)| *at == place && *cue == Cue::NoLonger)
    };
    let mut parts: Vec<std::ops::Range<usize>> = newer.cues.formers.clone();
    parts.extend((1..tokens.len()).filter(|at| stands_for(*at)).map(|at| at - 1..at + 1));
    let mut start = 0;
    for end in 1..=tokens.len() {
        let broken = end == tokens.len()
            || newer.words.pieces[tokens[end].at - 1].after != Break::None
            || matches!(&*tokens[end].canon, "and" | "but" | "so");
        if !broken {
            continue;
        }
        let part = start..end;
        start = end;
        let negated = part.clone().any(|at| tokens[at].kind == TokenKind::Negator && !is_sign(at));
        let idle = |at: usize| {
            known(at)
                || is_sign(at)
                || !is_heavy(newer, at)
                || PARTICLES.contains(&&*tokens[at].canon)
                || newer.cues.mark(at) != Mark::Plain
        };
        // "The Jenkins badge is gone" says nothing about Jenkins.
        // "The last Jenkins job is gone" does.
        let last = part.clone().any(|at| tokens[at].canon == "last");
        let others = part.clone().filter(|at| !idle(*at)).count();
        if part.clone().any(is_sign) && !negated && others <= usize::from(last) {
            parts.push(part);
        }
    }
    parts
}

/// Returns true for a word of a part that has no word of the older statement and no name: "The rewrite landed: ...".
fn is_aside(residue: &Residue<'_>, place: usize) -> bool {
    let newer = residue.newer;
    let tokens = newer.tokens();
    let broken = |at: usize| newer.words.pieces[tokens[at].at - 1].after != Break::None;
    let start = (1..=place).rev().find(|at| broken(*at)).unwrap_or(0);
    let end = (place + 1..tokens.len()).find(|at| broken(*at)).unwrap_or(tokens.len());
    let known = |at: usize| residue.matched.iter().any(|(_, other)| *other == at);
    let named = |at: usize| is_named(&tokens[at]) && !tokens[at].opens;
    !(start..end).any(|at| known(at) || named(at))
}

/// Returns true if the leading phrase says when or why.
fn opens_with_time(statement: &Statement, clause: &Clause) -> bool {
    clause.span.clone().take(1).any(|at| {
        let word = &*statement.tokens()[at].canon;
        matches!(word, "since" | "after" | "as" | "from" | "following" | "because" | "due" | "with")
    })
}

/// Returns true unless the text adds, limits or compares something, or is about what belongs to somebody else.
fn says_one_thing(residue: &Residue<'_>) -> bool {
    let tokens = residue.newer.tokens();
    let limits = |at: usize| match &*tokens[at].canon {
        "only" | "except" | "if" | "when" | "unless" | "or" => true,
        "his" | "her" | "their" | "he" | "she" | "they" => {
            !residue.matched.iter().any(|(own, place)| *place < at && is_heavy(residue.older, *own))
        }
        _ => false,
    };
    let cues = &residue.newer.cues;
    !cues.has(Cue::Also) && !cues.has(Cue::Past) && !(0..tokens.len()).any(limits)
}

fn is_valued(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Name | TokenKind::Code)
}

fn is_named(token: &Token) -> bool {
    token.capital || matches!(token.kind, TokenKind::Name | TokenKind::Code)
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn verdict(older: &str, newer: &str) -> Verdict {
        judge_texts(older, newer, 0.7, PairThresholds::BUILT_IN)
    }

    #[test]
    fn a_value_that_is_gone_gives_way_to_another() {
        for (older, newer) in [
            ("Our deploy tool is Falko.", "Falko is gone. Our deploy tool is Merin."),
            ("CI runs on Jenkins.", "CI was migrated to Buildkite; Jenkins has been shut down."),
            (
                "Our contact at Tarrant is Joel Marsh.",
                "Joel Marsh has left Tarrant; our new contact there is Dina Wolfe.",
            ),
        ] {
            assert!(
                matches!(verdict(older, newer), Verdict::Supersedes { .. }),
                "{older} / {newer}: {:?}",
                verdict(older, newer)
            );
        }
    }

    #[test]
    fn what_is_gone_elsewhere_stays() {
        for (older, newer) in [
            ("Rose works at Initech.", "Hugo works at Velora, not at Initech."),
            ("Ada edits code in Vim.", "Bert has given up Vim and edits code in Zed."),
            ("We use Jenkins for the builds.", "We removed the Jenkins badge, the builds page uses Lato."),
            ("Ada loves Porto.", "Ada left Porto and lives in Braga."),
            ("Ada uses Slack at home.", "Ada deleted Slack from her phone and uses Signal."),
            ("The meeting room is booked by Bert.", "Bert left the choir and Ada sings there."),
            ("The web shop stores its data in MySQL.", "MySQL is gone, the test web shop stores its data in MongoDB."),
            ("Ada works at Initech.", "Ada's brother left Initech and works at Globex."),
            ("Kim plays chess and tennis with Mark.", "Kim gave up chess and plays go with Mark."),
        ] {
            assert!(!verdict(older, newer).archives(), "{older} / {newer}: {:?}", verdict(older, newer));
        }
    }
}
