//! Roles that one holder at a time can have: head, captain, maintainer.

use super::clause::{Clause, is_preposition};
use super::clause_pair::{ClausePair, is_title};
use super::cues::{ChangeVerb, Mark};
use super::statement::Statement;
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::token::{Token, TokenKind};

/// Roles that several people hold at a time.
const MANY_HOLDERS: &[&str] = &[
    "brother",
    "sister",
    "friend",
    "colleague",
    "neighbor",
    "cousin",
    "son",
    "daughter",
    "child",
    "uncle",
    "aunt",
    "student",
    "pupil",
    "fan",
    "member",
    "employee",
    "customer",
    "client",
    "supplier",
    "sponsor",
    "partner",
    "nephew",
    "niece",
    "grandson",
    "granddaughter",
    "assistant",
    "teammate",
    "classmate",
    "roommate",
    "flatmate",
    "guest",
    "author",
    "contributor",
    "user",
    "developer",
    "engineer",
    "witness",
    "winner",
    "parent",
    "sibling",
    "twin",
    "pet",
    "dog",
    "cat",
    "relative",
    "part",
    "one",
    "example",
    "kind",
];

/// A clause that says who holds a role, as token indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoleClause {
    /// The content words of the role.
    pub(super) words: Vec<usize>,
    /// The name of its holder.
    pub(super) holder: Vec<usize>,
}

/// Returns the role and its holder if the clause states them.
pub(super) fn role(statement: &Statement, clause: &Clause) -> Option<RoleClause> {
    let tokens = statement.tokens();
    let named = |at: usize| is_name(statement, at);
    let change = statement.cues.within(std::slice::from_ref(&clause.span)).change;
    let subject: Vec<usize> = content(statement, clause.subject.clone());
    let first_behind = clause.predicate.map_or(clause.subject.end, |at| at + 1);
    if let Some((ChangeVerb::TakeOver | ChangeVerb::Switch, verb)) = change {
        return taken_over(statement, clause, &subject, verb);
    }
    let behind: Vec<usize> = content(statement, first_behind..clause.span.end);
    // "One of the admins" has others beside it.
    let one_of = behind.first().is_some_and(|first| {
        tokens[first_behind..=*first]
            .iter()
            .any(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Quantifier(_)))
    });
    if subject.is_empty() || behind.is_empty() || one_of {
        return None;
    }
    // "Kim does the bookkeeping": somebody else can take it over.
    let does = clause.verb.or(clause.predicate).is_some_and(|at| {
        matches!(
            &*tokens[at].canon,
            "does"
                | "runs"
                | "leads"
                | "manages"
                | "handles"
                | "maintains"
                | "organizes"
                | "organises"
                | "edits"
                | "chairs"
                | "teaches"
        )
    });
    if does && subject.iter().all(|at| named(*at)) {
        let verb = clause.verb.or(clause.predicate).unwrap_or(0);
        let mut words: Vec<usize> = behind.into_iter().filter(|at| *at != verb).collect();
        let object = tokens.get(verb + 1).is_some_and(|token| token.canon == "the");
        let complete = object && !words.is_empty();
        words.extend(Some(verb).filter(|at| tokens[*at].canon != "does"));
        return complete.then_some(RoleClause { words, holder: subject });
    }
    if let Some(role) = held_by(statement, clause, &subject) {
        return Some(role);
    }
    if !clause.copular {
        return None;
    }
    let definite = |range: std::ops::Range<usize>| {
        let owned = tokens[range.clone()].iter().any(|token| token.possessor);
        let words: Vec<&str> = tokens[range].iter().map(|token| token.canon.as_str()).collect();
        !words.iter().any(|word| matches!(*word, "a" | "an"))
            && (words
                .iter()
                .any(|word| matches!(*word, "the" | "our" | "my" | "its" | "their" | "his" | "her" | "your"))
                || owned
                || words.contains(&"of")
                || words.contains(&"for"))
    };
    // "The servers are in Sydney" names a place, "Yuki is on holiday" a state.
    let placed = (first_behind..behind[0]).any(|at| is_preposition(&tokens[at].canon));
    if subject.iter().all(|at| named(*at))
        && definite(first_behind..clause.span.end)
        && !named(behind[0])
        && !placed
        && is_person_role(&tokens[behind[0]], tokens, &behind)
    {
        return Some(RoleClause { words: behind, holder: subject });
    }
    let note = clause.predicate.is_none();
    let titled = behind.iter().all(|at| named(*at));
    if titled
        && !placed
        && !subject.iter().all(|at| named(*at))
        && (note || definite(clause.subject.clone()) || subject.len() == 1)
        && is_person_role(&tokens[subject[0]], tokens, &subject)
    {
        return Some(RoleClause { words: subject, holder: behind });
    }
    None
}

/// Reads "the wiki is maintained by Kim".
fn held_by(statement: &Statement, clause: &Clause, subject: &[usize]) -> Option<RoleClause> {
    let tokens = statement.tokens();
    let verb = clause.verb.filter(|at| {
        matches!(&*tokens[*at].canon, "led" | "managed" | "maintained" | "run" | "organized" | "edited" | "chaired")
            && Some(*at) != clause.predicate
    })?;
    let by = (verb + 1..clause.span.end).find(|at| tokens[*at].canon == "by")?;
    let holder = content(statement, by + 1..clause.span.end);
    let named = !holder.is_empty() && holder.iter().all(|at| is_name(statement, *at));
    let words: Vec<usize> = subject.iter().copied().chain([verb]).collect();
    (named && content(statement, verb + 1..by).is_empty()).then_some(RoleClause { words, holder })
}

/// Reads "Kim took over the bookkeeping from Lee", "Kim succeeded Lee as head of design", "Lee was
/// replaced by Kim as head of design", "Kim was elected captain".
fn taken_over(statement: &Statement, clause: &Clause, subject: &[usize], verb: usize) -> Option<RoleClause> {
    let tokens = statement.tokens();
    let plain: Vec<usize> = content(statement, verb + 1..clause.span.end);
    let by = (verb..clause.span.end).find(|at| tokens[*at].canon == "by");
    let holder: Vec<usize> = match by {
        Some(by) => {
            content(statement, by + 1..clause.span.end).into_iter().take_while(|at| is_name(statement, *at)).collect()
        }
        None => subject.to_vec(),
    };
    let words: Vec<usize> = plain.into_iter().filter(|at| !holder.contains(at)).collect();
    let person = !holder.is_empty() && holder.iter().all(|at| is_name(statement, *at));
    let placed = words.iter().all(|at| {
        // "moved to Porto" names no role.
        at.checked_sub(1).is_none_or(|before| !matches!(&*tokens[before].canon, "to" | "in"))
    });
    (person && !words.is_empty() && placed).then_some(RoleClause { words, holder })
}

/// Returns the reason if somebody else holds the role now.
pub(super) fn new_holder(pair: &ClausePair<'_>) -> Option<String> {
    let (before, after) =
        (role(pair.older.statement, pair.older.clause())?, role(pair.newer.statement, pair.newer.clause())?);
    let cues = &pair.cues;
    let announced = cues.announces() || cues.new || pair.retires(&before.holder);
    let persons = [pair.older.all_persons(), pair.newer.all_persons()];
    if !announced || cues.also || !pair.is_later() || persons[0] != 0 && persons[1] != 0 && persons[0] != persons[1] {
        return None;
    }
    let (mine, theirs) = (pair.older.statement.tokens(), pair.newer.statement.tokens());
    let alike = |one: &Token, other: &Token| matches(one, other) || have_common_root(one, other);
    // "Kim took over the wiki from Lee" does not say that Lee maintained it: it names Lee.
    let takes_over = matches!(cues.change, Some((ChangeVerb::TakeOver, _))) && cues.former.is_some();
    let verb = pair.older.clause().verb;
    let everywhere = |at: &usize| {
        mine[*at].light || takes_over && verb == Some(*at) || theirs.iter().any(|other| alike(&mine[*at], other))
    };
    let known = |at: &usize| theirs[*at].light || before.words.iter().any(|own| alike(&mine[*own], &theirs[*at]));
    if !before.words.iter().all(everywhere) || !after.words.iter().all(known) {
        return None;
    }
    let shared =
        before.words.iter().filter(|at| after.words.iter().any(|other| alike(&mine[**at], &theirs[*other]))).count();
    let shares = |words: &[usize], others: &[usize]| {
        words
            .iter()
            .any(|at| others.iter().any(|other| mine[*at].canon == theirs[*other].canon && !is_title(&mine[*at].canon)))
    };
    if shared == 0 || shares(&before.holder, &after.holder) {
        return None;
    }
    // If a predecessor is named, it is the holder of the older text.
    if let Some(former) = &cues.former {
        let named: Vec<usize> = former.clone().filter(|at| theirs[*at].capital || theirs[*at].is_content()).collect();
        if !shares(&before.holder, &named) {
            return None;
        }
    }
    let spell = |tokens: &[Token], places: &[usize]| {
        places.iter().map(|at| tokens[*at].canon.as_str()).collect::<Vec<_>>().join(" ")
    };
    let words = &pair.newer.statement.cues.words;
    Some(format!("'{}' became '{}': '{words}'", spell(mine, &before.holder), spell(theirs, &after.holder)))
}

/// Returns the reason if two statements name two holders of one role, and neither says that it changed.
pub(super) fn other_holder(older: &Statement, newer: &Statement) -> Option<String> {
    if older.clauses.len() != 1 || newer.clauses.len() != 1 || older.cues.announces() || newer.cues.announces() {
        return None;
    }
    let sides = [older, newer].map(|statement| &statement.clauses[0]);
    if !sides.iter().all(|clause| clause.copular && clause.lead.is_empty()) || older.kind != newer.kind {
        return None;
    }
    let (before, after) = (role(older, sides[0])?, role(newer, sides[1])?);
    let (mine, theirs) = (older.tokens(), newer.tokens());
    let negated = |tokens: &[Token]| tokens.iter().any(|token| token.kind == TokenKind::Negator);
    let same = before.words.len() == after.words.len()
        && before.words.iter().all(|at| after.words.iter().any(|other| matches(&mine[*at], &theirs[*other])))
        && after.words.iter().all(|other| before.words.iter().any(|at| matches(&mine[*at], &theirs[*other])));
    let spell = |tokens: &[Token], places: &[usize]| {
        places.iter().map(|at| tokens[*at].canon.as_str()).collect::<Vec<_>>().join(" ")
    };
    let (one, other) = (spell(mine, &before.holder), spell(theirs, &after.holder));
    let apart =
        !before.holder.iter().any(|at| after.holder.iter().any(|place| mine[*at].canon == theirs[*place].canon));
    (same && apart && !negated(mine) && !negated(theirs)).then(|| format!("'{one}' and '{other}' hold one role"))
}

/// Returns the plain content tokens of a range.
fn content(statement: &Statement, range: std::ops::Range<usize>) -> Vec<usize> {
    range
        .filter(|at| {
            let token = &statement.tokens()[*at];
            token.is_content()
                && statement.cues.mark(*at) == Mark::Plain
                && !matches!(token.kind, TokenKind::DateTime(_))
        })
        .collect()
}

/// Returns true for a name: capitalised, or the only word before a verb at the start of a sentence.
fn is_name(statement: &Statement, at: usize) -> bool {
    let token = &statement.tokens()[at];
    let piece = &statement.words.pieces[token.at];
    let opening = token.opens
        && piece.capital
        && token.kind == TokenKind::Word
        && !token.verb
        && at.checked_sub(1).is_none_or(|before| !super::clause::is_determiner(&statement.tokens()[before].canon));
    (token.kind == TokenKind::Name || opening) && !token.possessor
}

/// Returns true unless the words describe a thing that names do not fill: a place, a colour, a
/// language.
fn is_person_role(head: &Token, tokens: &[Token], words: &[usize]) -> bool {
    let place = words.iter().any(|at| {
        at.checked_sub(1).is_some_and(|before| {
            is_preposition(&tokens[before].canon) && matches!(&*tokens[before].canon, "at" | "near" | "from")
        })
    });
    let shared = words.iter().any(|at| MANY_HOLDERS.contains(&&*tokens[*at].canon));
    matches!(head.kind, TokenKind::Word | TokenKind::Name)
        && !shared
        && !place
        && (!head.verb || head.canon.ends_with("er") || head.canon.ends_with("or"))
}
