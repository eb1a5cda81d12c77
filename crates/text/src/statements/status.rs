//! States that an event ends: what was broken is repaired, what was open is closed.

use std::sync::OnceLock;

use super::clause_pair::{ClauseOf, ClausePair};
use super::cues::Mark;
use super::phrase::phrase_of;
use super::statement::StatementKind;
use crate::pairs::hashing::WordSet;
use crate::pairs::lexicon::Lexicon;
use crate::pairs::token::TokenKind;

/// States, and the words of the events that end them. `out-of-order` is a phrase of the text.
const STATES: &[(&str, &str)] = &[
    (
        "broken faulty defective damaged down failing fails leaking leaks jammed stuck out-of-order out-of-service offline crashed crashing",
        "repaired fixed mended replaced restored works working runs running resolved recovered",
    ),
    (
        "open pending waiting waits unresolved review reviewed considered undecided outstanding unpaid overdue blocked progress investigating unassigned queued draft processed debated discussed negotiated repaired renovated translated tested",
        "closed resolved merged done completed finished accepted rejected approved declined paid settled fixed shipped cancelled released answered decided passed filled signed granted concluded",
    ),
    ("planned scheduled upcoming prepared preparation", "completed finished done cancelled abandoned called-off"),
    ("closed shut locked suspended paused cancelled blocked", "reopened resumed opened unlocked reinstated"),
    ("sick ill injured hospital intensive-care unwell", "recovered discharged healthy cured released healed home"),
    ("way transit delivery", "arrived delivered landed"),
    ("single", "engaged relationship"),
    ("studying revising training preparing", "passed graduated qualified"),
    ("pregnant expecting expect", "birth gave-birth twins baby born"),
    ("engaged couple together dating married", "divorced separated split broke-up split-up"),
    ("single engaged", "married"),
    ("searches searching looking search", "found signed hired bought rented"),
    ("writing drafting preparing thesis halfway reading", "finished handed submitted published completed"),
    ("missing lost", "found returned recovered reappeared"),
    ("sold-out out-of-stock unavailable", "available restocked stock"),
    ("unemployed jobless", "hired employed"),
    ("vacant empty unoccupied", "occupied rented sold built"),
    ("construction building built renovated", "completed finished opened inaugurated"),
    ("running ongoing active", "ended finished stopped completed cancelled discontinued"),
    ("away travelling holiday leave abroad", "returned back came"),
    ("frozen suspended paused stopped", "over lifted allowed resumed thawed"),
    ("off", "on"),
];

struct StateRow {
    states: WordSet<String>,
    ends: WordSet<String>,
}

fn rows() -> &'static [StateRow] {
    static ROWS: OnceLock<Vec<StateRow>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let lexicon = Lexicon::shared();
        let keys = |words: &str| words.split_whitespace().map(|word| lexicon.key(word)).collect();
        STATES.iter().map(|(states, ends)| StateRow { states: keys(states), ends: keys(ends) }).collect()
    })
}

/// Returns the reason if the newer clause reports the event that ends the state of the older one.
/// The subjects were compared already.
pub(super) fn ends_state(pair: &ClausePair<'_>) -> Option<String> {
    let missing = |side: ClauseOf<'_>| side.clause().span.clone().any(|at| side.token(at).canon == "missing");
    if pair.older.is_negated() != missing(pair.older) || pair.newer.is_negated() {
        return None;
    }
    // "Closed on Mondays" is not ended by "open again".
    let regular = pair.older.clause().span.clone().any(|at| {
        let before = at.checked_sub(1).map_or("", |at| pair.older.token(at).canon.as_str());
        matches!(pair.older.token(at).kind, TokenKind::DateTime(_))
            && pair.place_of(at).is_none()
            && !matches!(before, "until" | "till" | "since")
    });
    if regular {
        return None;
    }
    let before = predicate(pair.older);
    let after = predicate(pair.newer);
    let row = rows().iter().find(|row| {
        let cause = |at: usize| phrase_of(pair.older.statement, pair.older.clause(), at).preposition == "by";
        let state =
            |(at, word): &(usize, String)| row.states.contains(word) || pair.place_of(*at).is_some() || cause(*at);
        before.iter().any(|(_, word)| row.states.contains(word))
            && before.iter().all(state)
            && after.iter().any(|(_, word)| row.ends.contains(word))
    })?;
    let (_, end) = after.iter().find(|(_, word)| row.ends.contains(word))?;
    let tokens = &pair.newer.statement.words.tokens;
    let dated = pair
        .newer
        .clause()
        .span
        .clone()
        .any(|at| matches!(tokens[at].kind, TokenKind::DateTime(when) if when.year.is_some()));
    // "Is closed" is a state as well; "was closed" and "is closed again" are events.
    // Nor does what is done become pending again by itself.
    let process = before.iter().any(|(_, word)| is_process(word)) && is_completion(end);
    let event = pair.newer.statement.kind == StatementKind::Episode
        || pair.cues.announces()
        || pair.cues.again
        || process
        || !is_adjective(end);
    let words: Vec<&str> = before.iter().map(|(_, word)| word.as_str()).collect();
    (event && !dated).then(|| format!("'{}' ended: '{end}'", words.join(" ")))
}

/// Returns true for what goes on until it is done.
fn is_process(key: &str) -> bool {
    matches!(key, "pend" | "progress" | "review" | "wait" | "draft" | "queu" | "investig" | "underway" | "construct")
}

fn is_completion(key: &str) -> bool {
    matches!(key, "done" | "finish" | "complet" | "merg" | "resolv" | "approv" | "accept" | "close" | "paid" | "pay")
}

/// Returns true for words that name a state as well as the event that leads to it.
fn is_adjective(key: &str) -> bool {
    matches!(
        key,
        "close"
            | "open"
            | "lock"
            | "unlock"
            | "avail"
            | "done"
            | "healthi"
            | "marri"
            | "occupi"
            | "employ"
            | "work"
            | "run"
    ) || matches!(
        key,
        "pay" | "paid" | "stock" | "back" | "twin" | "babi" | "divorc" | "separ" | "accept" | "approv" | "finish"
    )
}

/// Returns the keys of the predicate without the words that only place it in time.
fn predicate(side: ClauseOf<'_>) -> Vec<(usize, String)> {
    let (statement, clause) = (side.statement, side.clause());
    let tokens = statement.tokens();
    let start = clause.predicate.unwrap_or(clause.subject.end).max(clause.lead.end);
    let mut words = Vec::new();
    for at in start..clause.span.end {
        let token = &tokens[at];
        if clause.subject.contains(&at) {
            continue;
        }
        if token.canon == "missing" {
            words.push((at, token.key.clone()));
        } else if token.is_content()
            && !matches!(token.kind, TokenKind::DateTime(_))
            && !matches!(statement.cues.mark(at), Mark::Time | Mark::Reason)
            && (!token.light || token.canon == "found")
        {
            let phrase = at >= 2 && tokens[at - 1].canon == "of" && tokens[at - 2].canon == "out";
            words.push((at, if phrase { format!("out-of-{}", token.canon) } else { token.key.clone() }));
        }
    }
    words
}
