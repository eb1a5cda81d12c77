//! One attribute in several wordings: who manages somebody, who leads something, where somebody works or lives.
//!
//! "Kim reports to Lee", "Lee is Kim's manager" and "Kim's manager is Lee" say who holds one place. A clause is read so
//! only if every word of it has a part in that: a deputy, a date or a condition makes it unknown.

use super::clause::{Clause, is_determiner};
use super::clause_pair::{ClausePair, is_title};
use super::cues::{ChangeVerb, Mark};
use super::sorts::{Kinship, kinship};
use super::statement::{Statement, StatementKind};
use crate::pairs::token::TokenKind;

/// A place that one holder has at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Above a person.
    Manager,
    /// At the front of a team, a project or a thing.
    Head,
    /// Who pays a person for work.
    Employer,
    /// Where a person lives.
    Home,
    /// Where a machine or a service stands.
    Site,
}

/// A clause that says who has which place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Holding {
    place: Place,
    /// Whose or what's place it is.
    of: Vec<String>,
    holder: Vec<String>,
}

/// Returns the reason if both clauses say that the same holder has the same place.
pub(super) fn same_holder(pair: &ClausePair<'_>) -> bool {
    let sides = [pair.older, pair.newer].map(|side| held(side.statement, side.clause()));
    matches!(sides, [Some(before), Some(after)] if before == after)
}

/// Returns true if the clauses are about the places of different people or things.
pub(super) fn are_other_places(pair: &ClausePair<'_>) -> bool {
    let sides = [pair.older, pair.newer].map(|side| held(side.statement, side.clause()));
    let exchanged = |before: &Holding, after: &Holding| before.of == after.holder && after.of == before.holder;
    matches!(sides, [Some(before), Some(after)] if before.of != after.of && !exchanged(&before, &after))
}

/// Returns the reason if the newer clause announces another holder of the place.
pub(super) fn new_holder(pair: &ClausePair<'_>) -> Option<String> {
    let (before, after) = other_holders(pair.older.statement, pair.newer.statement, |statement| {
        let side = if std::ptr::eq(statement, pair.older.statement) { pair.older } else { pair.newer };
        held(statement, side.clause())
    })?;
    let cues = &pair.cues;
    // "Lives in Berlin", "now lives in Germany": the one lies within the other.
    let (left, added) = (pair.unmatched_older(), pair.unmatched_newer());
    if cues.former.is_none() && kinship(pair, &left, &added) == Kinship::Other {
        return None;
    }
    let changed = matches!(cues.change, None | Some((ChangeVerb::TakeOver | ChangeVerb::Switch, _)));
    ((cues.announces() || cues.new) && changed && !cues.also && pair.is_later())
        .then(|| format!("'{before}' became '{after}': '{}'", pair.newer.statement.cues.words))
}

/// Returns the reason if two statements name two holders of one place, and neither says that it changed.
pub(super) fn other_holder(older: &Statement, newer: &Statement) -> Option<String> {
    let single = older.clauses.len() == 1 && newer.clauses.len() == 1 && older.kind == newer.kind;
    if !single || older.kind != StatementKind::State || older.cues.announces() || newer.cues.announces() {
        return None;
    }
    let (before, after) = other_holders(older, newer, |statement| held(statement, &statement.clauses[0]))?;
    Some(format!("'{before}' and '{after}' hold one place"))
}

/// Returns the two holders if they have one place and nobody is in both.
fn other_holders(
    older: &Statement,
    newer: &Statement,
    read: impl Fn(&Statement) -> Option<Holding>,
) -> Option<(String, String)> {
    let (before, after) = (read(older)?, read(newer)?);
    let apart = !before.holder.iter().any(|name| after.holder.contains(name));
    let same = before.place == after.place && before.of == after.of;
    (same && apart).then(|| (before.holder.join(" "), after.holder.join(" ")))
}

/// Reads who has which place, if that is all that the clause says.
fn held(statement: &Statement, clause: &Clause) -> Option<Holding> {
    let tokens = statement.tokens();
    let plain_lead = clause.lead.clone().all(|at| {
        !tokens[at].is_content()
            || matches!(statement.cues.mark(at), Mark::Cue | Mark::Time)
            || is_since(statement, clause)
    });
    let odd = clause.span.clone().any(|at| {
        matches!(tokens[at].kind, TokenKind::Negator | TokenKind::Quantifier(_) | TokenKind::Number(_))
            || statement.cues.mark(at) == Mark::Former
    });
    if !plain_lead || odd {
        return None;
    }
    let held = by_verb(statement, clause).or_else(|| by_noun(statement, clause))?;
    (!held.of.is_empty() && !held.holder.is_empty() && held.of != held.holder).then_some(held)
}

/// Returns true if the tokens from a place on are the given words.
fn spells(statement: &Statement, start: usize, words: &[&str]) -> bool {
    words
        .iter()
        .enumerate()
        .all(|(n, word)| statement.tokens().get(start + n).is_some_and(|token| token.canon == *word))
}

fn is_since(statement: &Statement, clause: &Clause) -> bool {
    clause.lead.clone().any(|at| statement.cues.mark(at) == Mark::Cue)
}

/// Reads "Kim reports to Lee", "Lee manages Kim", "Lee leads the data team", "the data team is led by Lee".
fn by_verb(statement: &Statement, clause: &Clause) -> Option<Holding> {
    let tokens = statement.tokens();
    let verb = clause.verb.or(clause.predicate)?;
    let word = tokens[verb].canon.as_str();
    let behind = verb + 1..clause.span.end;
    let subject = clause.subject.clone();
    let next = tokens.get(verb + 1).map_or("", |token| token.canon.as_str());
    match word {
        "reports" | "report" | "answers" if next == "to" => {
            let (of, holder) = (party(statement, subject)?, names(statement, verb + 2..clause.span.end)?);
            Some(Holding { place: Place::Manager, of, holder })
        }
        "works" | "work" if next == "under" => {
            let (of, holder) = (party(statement, subject)?, names(statement, verb + 2..clause.span.end)?);
            Some(Holding { place: Place::Manager, of, holder })
        }
        "works" | "work" | "employed" if matches!(next, "at" | "for" | "by") => {
            let (of, holder) = (party(statement, subject)?, names(statement, verb + 2..clause.span.end)?);
            Some(Holding { place: Place::Employer, of, holder })
        }
        "has" | "have" if next == "a" && spells(statement, verb + 2, &["job", "at"]) => {
            let (of, holder) = (party(statement, subject)?, names(statement, verb + 4..clause.span.end)?);
            Some(Holding { place: Place::Employer, of, holder })
        }
        "lives" | "live" | "resides" | "reside" | "based" | "hosted" | "located" if matches!(next, "in" | "at") => {
            let holder = names(statement, verb + 2..clause.span.end)?;
            let person = party(statement, subject.clone()).filter(|_| !matches!(word, "hosted" | "located"));
            let lives = matches!(word, "lives" | "live" | "resides" | "reside");
            match person {
                Some(of) => Some(Holding { place: Place::Home, of, holder }),
                None if lives => None,
                None => Some(Holding { place: Place::Site, of: thing(statement, subject)?, holder }),
            }
        }
        "manages" | "supervises" if Some(verb) == clause.predicate => {
            let (holder, of) = (names(statement, subject)?, party(statement, behind.clone())?);
            // Who is managed is a person, or else a thing that is led.
            let person = names(statement, behind).is_some() || matches!(&*of[0], "i" | "we");
            Some(Holding { place: if person { Place::Manager } else { Place::Head }, of, holder })
        }
        "leads" | "heads" if Some(verb) == clause.predicate => {
            Some(Holding { place: Place::Head, of: thing(statement, behind)?, holder: names(statement, subject)? })
        }
        "led" | "headed" if next == "by" && clause.predicate.is_some_and(|at| at < verb) => {
            let holder = names(statement, verb + 2..clause.span.end)?;
            Some(Holding { place: Place::Head, of: thing(statement, subject)?, holder })
        }
        _ => None,
    }
}

/// Reads "Lee is Kim's manager", "Kim's manager is Lee", "the head of the data team is Lee", "Head of design: Lee".
fn by_noun(statement: &Statement, clause: &Clause) -> Option<Holding> {
    if !clause.copular {
        return None;
    }
    let start = clause.predicate.map_or(clause.subject.end, |at| at + 1);
    let sides = [clause.subject.clone(), start..clause.span.end];
    let [one, other] = &sides;
    for (title, holder) in [(one, other), (other, one)] {
        if let (Some((place, of)), Some(holder)) = (titled(statement, title.clone()), names(statement, holder.clone()))
        {
            return Some(Holding { place, of, holder });
        }
    }
    None
}

/// Reads the title of a place: "Kim's manager", "the head of design", "my boss".
fn titled(statement: &Statement, range: std::ops::Range<usize>) -> Option<(Place, Vec<String>)> {
    let tokens = statement.tokens();
    let noun = range.clone().find(|at| place_of(&tokens[*at].canon).is_some())?;
    let place = place_of(&tokens[noun].canon)?;
    let before = range.start..noun;
    let indefinite = before.clone().any(|at| matches!(&*tokens[at].canon, "a" | "an"));
    if indefinite {
        return None;
    }
    let rest = noun + 1..range.end;
    let linked = tokens.get(noun + 1).filter(|_| !rest.is_empty()).map(|token| token.canon.as_str());
    let of = match linked {
        Some("of" | "for") if party_words(statement, before.clone()).is_empty() => noun + 2..range.end,
        None => before,
        _ => return None,
    };
    let of = if place == Place::Head { thing(statement, of) } else { party(statement, of) }?;
    Some((place, of))
}

fn place_of(word: &str) -> Option<Place> {
    match word {
        "manager" | "boss" | "supervisor" | "superior" => Some(Place::Manager),
        "head" | "lead" | "leader" | "chief" => Some(Place::Head),
        "employer" => Some(Place::Employer),
        _ => None,
    }
}

/// Returns a person: names, or the pronoun of whoever writes.
fn party(statement: &Statement, range: std::ops::Range<usize>) -> Option<Vec<String>> {
    let words = party_words(statement, range.clone());
    if !words.is_empty() {
        let named = words.iter().all(|at| is_name(statement, *at));
        return named.then(|| keys(statement, &words));
    }
    let pronoun = range.map(|at| statement.tokens()[at].canon.as_str()).find_map(|word| match word {
        "i" | "me" | "my" => Some("i"),
        "we" | "us" | "our" => Some("we"),
        _ => None,
    });
    pronoun.map(|word| vec![word.to_owned()])
}

/// Returns the words of a thing; "team" alone adds nothing to what it is called.
fn thing(statement: &Statement, range: std::ops::Range<usize>) -> Option<Vec<String>> {
    let words = party_words(statement, range.clone());
    let dated = words.iter().any(|at| matches!(statement.tokens()[*at].kind, TokenKind::DateTime(_)));
    let placed = range.clone().any(|at| {
        matches!(&*statement.tokens()[at].canon, "in" | "at" | "on" | "with" | "from" | "during" | "and" | "or" | "by")
    });
    let mut keys = keys(statement, &words);
    if keys.len() > 1 {
        keys.retain(|key| key != "team");
    }
    (!keys.is_empty() && !dated && !placed).then_some(keys)
}

/// Returns the holder if the words are names and nothing else.
fn names(statement: &Statement, range: std::ops::Range<usize>) -> Option<Vec<String>> {
    let words = party_words(statement, range.clone());
    let small = range.filter(|at| !words.contains(at)).all(|at| {
        let token = &statement.tokens()[at];
        is_determiner(&token.canon)
            || is_title(&token.canon)
            || token.canon == "and"
            || matches!(statement.cues.mark(at), Mark::Cue | Mark::Time)
    });
    let named = words.iter().all(|at| is_name(statement, *at) && !statement.tokens()[*at].possessor);
    (!words.is_empty() && small && named).then(|| keys(statement, &words))
}

/// Returns the content words of a range that belong to what is stated.
fn party_words(statement: &Statement, range: std::ops::Range<usize>) -> Vec<usize> {
    statement.content(range).filter(|(_, token)| !is_title(&token.canon)).map(|(at, _)| at).collect()
}

fn keys(statement: &Statement, words: &[usize]) -> Vec<String> {
    let mut keys: Vec<String> = words.iter().map(|at| statement.tokens()[*at].key.clone()).collect();
    keys.sort();
    keys
}

fn is_name(statement: &Statement, at: usize) -> bool {
    let token = &statement.tokens()[at];
    let opening = token.opens && statement.words.pieces[token.at].capital && token.kind == TokenKind::Word;
    token.kind == TokenKind::Name || opening
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn judged(older: &str, newer: &str) -> Verdict {
        judge_texts(older, newer, 0.8, PairThresholds::BUILT_IN)
    }

    #[test]
    fn one_place_in_other_words_is_a_paraphrase() {
        for (older, newer) in [
            ("Kim reports to Lee.", "Lee is Kim's manager."),
            ("Kim's boss is Lee.", "Lee is Kim's manager."),
            ("My manager is Gwen.", "I report to Gwen."),
            ("Nora leads the data team.", "Nora is the head of the data team."),
            ("The data team is led by Nora.", "Nora leads the data team."),
            ("Kim works at Kantor.", "Kim is employed by Kantor."),
            ("Kim has a job at Kantor.", "Kim works for Kantor."),
            ("Kim lives in Faro.", "Kim is based in Faro."),
            ("Kim's employer is Kantor.", "Kim works for Kantor."),
        ] {
            let verdict = judged(older, newer);
            assert!(matches!(verdict, Verdict::Paraphrase { .. }), "{older} {newer} {verdict:?}");
        }
    }

    #[test]
    fn another_holder_replaces_or_contradicts() {
        let verdict = judged("Kim reports to Lee.", "Gwen is now Kim's manager.");
        assert!(matches!(verdict, Verdict::Supersedes { .. }), "{verdict:?}");
        let verdict = judged("Kim's manager is Lee.", "Kim reports to Gwen.");
        assert!(matches!(verdict, Verdict::Contradicts { .. }), "{verdict:?}");
        let verdict = judged("Kim is employed by Velora.", "Kim now works at Kantor.");
        assert!(matches!(verdict, Verdict::Supersedes { .. }), "{verdict:?}");
        let verdict = judged("Kim works at Velora.", "Kim's new employer is Kantor.");
        assert!(matches!(verdict, Verdict::Supersedes { .. }), "{verdict:?}");
        let verdict = judged("Ana reports to Luis.", "Luis reports to Ana.");
        assert!(matches!(verdict, Verdict::Contradicts { .. }), "{verdict:?}");
        let verdict = judged("Nora leads the data team.", "Omar is now the head of the data team.");
        assert!(matches!(verdict, Verdict::Supersedes { .. }), "{verdict:?}");
    }

    #[test]
    fn other_people_deputies_and_conditions_stay() {
        for (older, newer) in [
            ("Kim reports to Lee.", "Gwen is now Bob's manager."),
            ("Kim's deputy manager is Lee.", "Kim now reports to Gwen."),
            ("Kim's former manager is Lee.", "Kim now reports to Gwen."),
            ("Nora leads the data team.", "Omar is now the deputy head of the data team."),
            ("Nora leads the data team.", "Omar now leads the data team in Porto."),
            ("Nora leads the data team.", "Omar now also leads the data team."),
            ("Kim reports to Lee on Fridays.", "Kim now reports to Gwen."),
            ("Lee manages Kim.", "Lee now manages Bob."),
            ("Hiroshi manages Ada.", "Hiroshi manages Anna. Ada has a job at Kantor."),
            ("Kim works at Velora as a designer.", "Kim now works at Kantor."),
            ("Kim's sister works at Velora.", "Kim now works at Kantor."),
            ("The login service is hosted in Faro.", "The mail service is now hosted in Porto."),
        ] {
            let verdict = judged(older, newer);
            assert!(matches!(verdict, Verdict::Related { .. }), "{older} {newer} {verdict:?}");
        }
    }
}
