//! Finds statements that say the same in other words: active and passive, another order, a note and a
//! sentence.

use super::clause::is_preposition;
use super::clause_pair::{ClauseOf, ClausePair, is_negligible};
use super::phrase::phrase_of;
use super::roles::role;
use super::statement::Statement;
use crate::language::Language;
use crate::pairs::align::matches;
use crate::pairs::lexicon::is_copula;
use crate::pairs::token::{Token, TokenKind};

/// Returns the reason if two statements without a conflict say the same in other words.
pub(super) fn restates(older: &Statement, newer: &Statement) -> Option<String> {
    if older.clauses.len() != 1 || newer.clauses.len() != 1 || older.cues.announces() != newer.cues.announces() {
        return None;
    }
    let (one, other) = (ClauseOf { statement: older, number: 0 }, ClauseOf { statement: newer, number: 0 });
    let pair = ClausePair::new(one, other);
    if !pair.same_circumstances()
        || one.is_negated() != other.is_negated()
        || !pair.same_modality()
        || !pair.same_quantity()
        || numbers(older) != numbers(newer)
    {
        return None;
    }
    if same_holder(&pair) {
        return Some("the same role and holder".to_owned());
    }
    let whole = |side: ClauseOf<'_>, known: &dyn Fn(usize) -> bool| {
        side.content(side.clause().span.clone()).all(|at| known(at) || is_negligible(side.token(at)))
    };
    let complete = whole(one, &|at| pair.place_of(at).is_some()) && whole(other, &|at| pair.own_of(at).is_some());
    // "The place of the party" and "the date of the party": what each says alone may be two things.
    let alone = |side: ClauseOf<'_>, known: &dyn Fn(usize) -> bool| {
        side.content(side.clause().span.clone()).any(|at| !known(at) && !side.token(at).verb)
    };
    let differ = alone(one, &|at| pair.place_of(at).is_some()) && alone(other, &|at| pair.own_of(at).is_some());
    if !complete
        || differ
        || pair.matched.len() < 2
        || older.kind != newer.kind && !(is_passive(one) || is_passive(other))
    {
        return None;
    }
    if !pair.same_verb() || !pair.same_small_words() {
        return None;
    }
    let same_slots = pair.matched.iter().all(|(at, place)| slot(one, *at) == slot(other, *place));
    (same_slots && keeps_sequences(&pair)).then(|| "the same words in another order".to_owned())
}

/// Returns the numbers of a statement in order. A number is no part of a phrase that could be left out: "over 50 euros" and "over 80
/// euros" are two rules, whichever words are around them.
fn numbers(statement: &Statement) -> Vec<&str> {
    let is_number = |token: &&Token| matches!(token.kind, TokenKind::Number(_));
    let mut numbers: Vec<&str> =
        statement.tokens().iter().filter(is_number).map(|token| token.canon.as_str()).collect();
    numbers.sort_unstable();
    numbers
}

/// Words that say in which order things follow each other, in seven languages.
const SEQUENCE: [&str; 28] = [
    "then",
    "first",
    "next",
    "afterwards",
    "finally",
    "dann",
    "danach",
    "erst",
    "zuerst",
    "zuletzt",
    "puis",
    "ensuite",
    "abord",
    "enfin",
    "luego",
    "después",
    "primero",
    "poi",
    "dopo",
    "prima",
    "infine",
    "depois",
    "primeiro",
    "seguida",
    "daarna",
    "dan",
    "eerst",
    "later",
];

/// Returns true unless a text tells an order and words that play the same part changed places: "Bob and Alice" is "Alice and
/// Bob", but "to Bob, then to Alice" says who comes first.
fn keeps_sequences(pair: &ClausePair<'_>) -> bool {
    let is_exchanged = |(at, place): &(usize, usize), (later, there): &(usize, usize)| {
        at < later && place > there && slot(pair.older, *at) == slot(pair.older, *later)
    };
    let tells_order = |side: ClauseOf<'_>| {
        let text = side.statement.text().to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).any(|word| SEQUENCE.contains(&word))
    };
    let exchanged = || pair.matched.iter().any(|one| pair.matched.iter().any(|other| is_exchanged(one, other)));
    !(tells_order(pair.older) || tells_order(pair.newer)) || !exchanged()
}

/// Returns the part that a word plays in its clause: who acts, what is acted on, the preposition before
/// it, or the time.
pub(super) fn slot(side: ClauseOf<'_>, at: usize) -> String {
    let clause = side.clause();
    let lead = clause.lead.clone();
    let preposition = match lead.contains(&at) {
        // A phrase in front of the subject keeps its preposition.
        true => lead
            .clone()
            .map(|first| side.token(first).canon.as_str())
            .find(|word| is_preposition(word))
            .unwrap_or_default(),
        false => phrase_of(side.statement, clause, at).preposition,
    };
    if matches!(side.token(at).kind, TokenKind::DateTime(_)) && matches!(preposition, "" | "in" | "on" | "at" | "from")
    {
        return "time".to_owned();
    }
    let passive = is_passive(side);
    if clause.verb == Some(at) {
        return "verb".to_owned();
    }
    if passive && matches!(preposition, "by" | "from") {
        return "agent".to_owned();
    }
    if !preposition.is_empty() {
        return preposition.to_owned();
    }
    let subject = clause.subject.contains(&at);
    if subject != passive { "agent" } else { "patient" }.to_owned()
}

/// Returns true if both say that the same holder has the same role.
fn same_holder(pair: &ClausePair<'_>) -> bool {
    let sides = [pair.older, pair.newer].map(|side| role(side.statement, side.clause()));
    let [Some(before), Some(after)] = sides else { return false };
    let (mine, theirs) = (pair.older.statement.tokens(), pair.newer.statement.tokens());
    let same = |own: &[usize], others: &[usize]| {
        own.len() == others.len()
            && own.iter().all(|at| others.iter().any(|other| matches(&mine[*at], &theirs[*other])))
            && others.iter().all(|other| own.iter().any(|at| matches(&mine[*at], &theirs[*other])))
    };
    same(&before.words, &after.words) && same(&before.holder, &after.holder)
}

fn is_passive(side: ClauseOf<'_>) -> bool {
    let clause = side.clause();
    let copula = clause.predicate.is_some_and(|at| is_copula(&side.token(at).canon) || side.token(at).canon == "has");
    let verb = clause.verb.is_some() || clause.predicate.is_some();
    copula
        && verb
        && clause.span.clone().any(|at| {
            side.token(at).canon == "by"
                || side.token(at).canon == "from" && side.statement.language != Some(Language::English)
        })
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    #[test]
    fn two_small_words_of_which_each_text_has_one_are_two_things() {
        let (older, newer) =
            ("Nobody has settled the location of the picnic.", "Nobody has settled the date of the picnic.");
        let verdict = judge_texts(older, newer, 0.8, PairThresholds::BUILT_IN);
        assert!(!matches!(verdict, Verdict::Paraphrase { .. }), "{verdict:?}");
    }
}
