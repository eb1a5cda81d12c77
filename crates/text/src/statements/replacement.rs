//! Whether a clause replaces an older one: the same subject, the same attribute, another value.

use super::clause_pair::{ClauseOf, ClausePair};
use super::sorts::Kinship;
use super::statement::StatementKind;
use super::status::ends_state;
use super::value::other_value;
use super::{holders, roles};
use crate::pairs::number::NumberUnit;
use crate::pairs::token::TokenKind;

/// What a newer clause does to an older one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ClauseEffect {
    /// It gives the attribute another value.
    Replaces(String),
    /// It gives the attribute another value, which may be of another sort.
    MayReplace(String),
    /// It says the same again.
    Repeats,
    /// It leaves it alone.
    Nothing,
}

/// Returns what the newer clause does to the older one.
pub(super) fn effect(older: ClauseOf<'_>, newer: ClauseOf<'_>) -> ClauseEffect {
    let pair = ClausePair::new(older, newer);
    let state = older.statement.kind != StatementKind::Plan;
    if let Some(reason) = roles::new_holder(&pair).or_else(|| holders::new_holder(&pair)).filter(|_| state) {
        return ClauseEffect::Replaces(reason);
    }
    let (left, added) = (pair.unmatched_older(), pair.unmatched_newer());
    let same_subject = pair.same_subject();
    let turned = older.is_negated() != newer.is_negated();
    if same_subject && left.is_empty() && added.is_empty() && !turned && pair.same_verb() && pair.cues.former.is_none()
    {
        let same = pair.same_quantity() && pair.same_modality() && pair.same_circumstances();
        return if same { ClauseEffect::Repeats } else { ClauseEffect::Nothing };
    }
    if pair.cues.also || !pair.is_later() {
        return ClauseEffect::Nothing;
    }
    if same_subject && let Some(reason) = ends_state(&pair) {
        return ClauseEffect::Replaces(reason);
    }
    let awaited = older.is_negated() && older.clause().span.clone().any(|at| older.token(at).canon == "yet");
    if !state || !(pair.same_modality() || awaited) || !(pair.same_quantity() || awaited) {
        return ClauseEffect::Nothing;
    }
    let framed = pair.same_frame(&left, &added);
    if (same_subject || framed)
        && !turned
        && let Some(reason) = counts_on(&pair, &left, &added)
    {
        return ClauseEffect::Replaces(reason);
    }
    if !(same_subject || framed && is_typed(&pair, &left)) {
        return ClauseEffect::Nothing;
    }
    let words = &newer.statement.cues.words;
    if turned {
        return match same_subject && is_denied(&pair, &left, &added) {
            true => ClauseEffect::Replaces(format!("'{words}'")),
            false => ClauseEffect::Nothing,
        };
    }
    // What was once is not what is now, whatever word stands beside it: only a verb of change turns an
    // event into a later state.
    let event = newer.statement.kind == StatementKind::Episode
        && pair.cues.change.is_none()
        && pair.cues.former.is_none()
        && !pair.cues.since
        && !pair.cues.now
        && !pair.cues.correction;
    let announced = !event && (pair.cues.announces() || pair.cues.again || pair.retires(&left));
    match announced.then(|| other_value(&pair, &left, &added)).flatten() {
        Some((reason, Kinship::Same)) => ClauseEffect::Replaces(reason),
        Some((reason, _)) => ClauseEffect::MayReplace(reason),
        None => ClauseEffect::Nothing,
    }
}

/// Returns true if all words are numbers or dates.
fn is_typed(pair: &ClausePair<'_>, left: &[usize]) -> bool {
    let typed = |at: &usize| {
        matches!(pair.older.token(*at).kind, TokenKind::Number(_) | TokenKind::DateTime(_) | TokenKind::Code)
    };
    !left.is_empty() && left.iter().all(|at| typed(at) && !pair.subjects[0].contains(at))
}

/// Returns true if the newer clause denies the older one, or affirms what it denied, and says that
/// this changed. A denial of the whole denies its parts: "no longer smokes" ends "smokes a pack a
/// day".
fn is_denied(pair: &ClausePair<'_>, left: &[usize], added: &[usize]) -> bool {
    let cues = &pair.cues;
    let changed = cues.no_longer || cues.now || cues.again || cues.since || cues.correction;
    let detail = |at: &usize| matches!(pair.older.token(*at).kind, TokenKind::Number(_) | TokenKind::DateTime(_));
    let nouns: Vec<usize> = left.iter().copied().filter(|at| !detail(at)).collect();
    let general = nouns.len() <= 2 && nouns.iter().all(|at| !pair.older.token(*at).capital);
    let covered = if pair.newer.is_negated() { general } else { left.is_empty() };
    // "Not yet" is over as soon as it is so, however it is described.
    let awaited = pair.older.clause().span.clone().any(|at| pair.older.token(at).canon == "yet");
    if awaited && !pair.newer.is_negated() && left.is_empty() && pair.same_verb() {
        return true;
    }
    changed && added.is_empty() && covered && pair.same_verb() && pair.prepositions_agree(&[])
}

/// Nouns before a number that rises by itself.
const COUNTED_THROUGH: &[&str] = &[
    "page", "chapter", "level", "lesson", "episode", "lap", "week", "year", "grade", "class", "semester", "step",
    "stage", "round", "sprint",
];

/// Returns the reason if a number counts on by itself: an age, a semester, days to go.
fn counts_on(pair: &ClausePair<'_>, left: &[usize], added: &[usize]) -> Option<String> {
    let ([one], [other]) = (left, added) else { return None };
    let (one, other) = (pair.older.token(*one), pair.newer.token(*other));
    let (TokenKind::Number(before), TokenKind::Number(after)) = (one.kind, other.kind) else { return None };
    if before.measure != after.measure || !pair.same_verb() {
        return None;
    }
    let pieces = &pair.older.statement.words.pieces;
    let has = |word: &str| pieces.iter().any(|piece| piece.lower == word);
    let school = has("semester") || has("grade") || has("year") || has("trimester");
    // "On page 80", "in year 4": what is counted through.
    let label = pieces[..one.at].last().is_some_and(|piece| COUNTED_THROUGH.contains(&&*piece.lower));
    let lasted = has("been") && has("for") && matches!(before.measure, NumberUnit::Of("s" | "month"));
    let share = has("done") || has("complete") || has("finished") || has("completed") || has("through");
    let rises = has("old") && before.measure == NumberUnit::Of("month")
        || before.measure == NumberUnit::Ordinal && school
        || label
        || lasted
        || share
        || has("pregnant")
        || has("streak")
        || has("so") && has("far")
        || has("already");
    let falls =
        has("to") && has("go") || (has("left") || has("days") || has("weeks")) && has("until") || has("remaining");
    let counted = rises && after.value > before.value || falls && after.value < before.value;
    counted.then(|| format!("'{}' became '{}'", one.canon, other.canon))
}
