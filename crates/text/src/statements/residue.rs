//! What is left of two statements once their common words are taken away.
//!
//! The rules of [`super::replacement`] know verbs. These do not: they look at what remains on either side and where it
//! stands. Two values of one sort in the same place, or two holders of one role, are an update in whatever words it is told.

use super::clause::{is_determiner, is_preposition};
use super::clause_pair::{ClauseOf, is_filler, is_negligible};
use super::cues::{Cue, Mark};
use super::departed;
use super::phrase::phrase_of;
use super::relations::name_one_attribute;
use super::roles::role;
use super::statement::{Statement, StatementKind};
use super::value::is_open_on;
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::lexicon::{is_auxiliary, is_copula};
use crate::pairs::token::{Token, TokenKind};
use crate::pairs::units::unit;

/// Most words of a replaced value.
const MAX_VALUES: usize = 3;

/// Nouns that only name an attribute: "the deadline for the papers" and "the papers are due".
const ATTRIBUTES: &[&str] = &[
    "price", "cost", "fee", "deadlin", "date", "time", "number", "address", "link", "host", "version", "limit",
    "amount", "valu", "total", "level", "progress", "status", "place", "locat", "name", "posit", "chang", "due",
];

/// Two statements, and what each says alone.
pub(super) struct Residue<'a> {
    pub(super) older: &'a Statement,
    pub(super) newer: &'a Statement,
    pub(super) matched: Vec<(usize, usize)>,
    /// Words that only the older statement has.
    pub(super) left: Vec<usize>,
    /// Words that only the newer statement has.
    pub(super) added: Vec<usize>,
}

impl<'a> Residue<'a> {
    pub(super) fn new(older: &'a Statement, newer: &'a Statement) -> Self {
        let words = |statement: &Statement| -> Vec<usize> {
            (0..statement.tokens().len()).filter(|at| counts(statement, *at)).collect()
        };
        let (mine, theirs) = (words(older), words(newer));
        let mut matched: Vec<(usize, usize)> = Vec::new();
        for test in [matches as fn(&Token, &Token) -> bool, have_common_root] {
            for at in &mine {
                let taken = |own: bool, place: usize| {
                    matched.iter().any(|(one, other)| if own { *one == place } else { *other == place })
                };
                if taken(true, *at) {
                    continue;
                }
                let token = &older.tokens()[*at];
                let free = theirs.iter().filter(|place| !taken(false, **place));
                let fits = free.filter(|place| test(token, &newer.tokens()[**place]));
                if let Some(place) = fits.min_by_key(|place| place.abs_diff(*at)) {
                    matched.push((*at, *place));
                }
            }
        }
        let left = mine.into_iter().filter(|at| !matched.iter().any(|(own, _)| own == at)).collect();
        let added = theirs.into_iter().filter(|at| !matched.iter().any(|(_, other)| other == at)).collect();
        Self { older, newer, matched, left, added }
    }

    /// Returns the reason if the newer statement gives what the older one states a later value.
    pub(super) fn later_value(&self) -> Option<String> {
        if !self.may_follow() {
            return None;
        }
        self.other_figure().or_else(|| self.new_holder()).or_else(|| departed::other_value(self))
    }

    /// Returns true if the one can follow the other in time, whatever they state.
    fn may_follow(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let lasting = matches!(older.kind, StatementKind::State | StatementKind::Instruction | StatementKind::Plan);
        let later = matches!(newer.kind, StatementKind::State | StatementKind::Instruction | StatementKind::Episode);
        let persons = [older.words.persons, newer.words.persons];
        let other_person = persons[0] != 0 && persons[1] != 0 && persons[0] & persons[1] == 0;
        lasting
            && later
            && !other_person
            && older.words.exclusive == newer.words.exclusive
            && !older.cues.has(Cue::Past)
            && !newer.cues.has(Cue::Past)
            && !newer.cues.has(Cue::Also)
            && self.matched.iter().any(|(at, _)| is_heavy(older, *at))
            && self.same_owners()
            && self.same_phrases()
    }

    /// Returns the reason if a number, a date or a code is all that the newer statement exchanges.
    fn other_figure(&self) -> Option<String> {
        let (older, newer) = (self.older, self.newer);
        let figure = |statement: &Statement, at: usize| {
            matches!(statement.tokens()[at].kind, TokenKind::Number(_) | TokenKind::DateTime(_) | TokenKind::Code)
                && !matches!(statement.cues.mark(at), Mark::Time | Mark::Reason | Mark::Former)
        };
        // The newer statement names the value that it replaces: what is left of the older one is another.
        let is_former = |place: usize| newer.cues.mark(place) == Mark::Former || newer.tokens()[place].contrast;
        let names_former = |(at, place): &(usize, usize)| figure(older, *at) && is_former(*place);
        if self.matched.iter().any(names_former) {
            return None;
        }
        let before: Vec<usize> = self.left.iter().copied().filter(|at| figure(older, *at)).collect();
        let after: Vec<usize> = self.added.iter().copied().filter(|at| figure(newer, *at)).collect();
        let sized = (1..=MAX_VALUES).contains(&before.len()) && before.len() == after.len();
        let others = self.left.iter().filter(|at| !before.contains(at));
        let verb = |statement: &Statement, at: usize| statement.clauses.iter().any(|clause| clause.verb == Some(at));
        let idle = |statement: &Statement, at: usize| {
            self.is_loose(statement, at) && (verb(statement, at) || is_attribute(&statement.tokens()[at]))
        };
        if !sized || !others.clone().all(|at| idle(older, *at)) {
            return None;
        }
        // "10 mg on Mondays" and "20 mg on Fridays" are two habits.
        let is_date = |at: &usize| matches!(older.tokens()[*at].kind, TokenKind::DateTime(_));
        let mixed = before.iter().any(is_date) && !before.iter().all(is_date);
        if mixed && newer.cues.formers.is_empty() {
            return None;
        }
        let one_sort =
            before.iter().zip(&after).all(|(at, place)| is_rival(&older.tokens()[*at], &newer.tokens()[*place]));
        let [one, other] = [(older, before[0]), (newer, after[0])].map(|(statement, at)| clause_of(statement, at));
        let (one, other) = (one?, other?);
        let inside = |side: ClauseOf<'_>, places: &[usize]| places.iter().all(|at| side.clause().span.contains(at));
        let in_subject = |side: ClauseOf<'_>, places: &[usize]| {
            places.iter().any(|at| side.clause().subject.contains(at) || side.clause().lead.contains(at))
        };
        if !one_sort
            || !inside(one, &before)
            || !inside(other, &after)
            || in_subject(one, &before)
            || in_subject(other, &after)
            || one.is_negated()
            || other.is_negated()
        {
            return None;
        }
        // What else the clause of the new value says would limit it: "7 euros for members", "monthly", "when parking".
        let limits = |at: &usize| {
            other.clause().span.contains(at) && !after.contains(at) && !idle(newer, *at) && !is_marked(newer, *at)
        };
        let attributes =
            |statement: &Statement, places: &[usize]| places.iter().any(|at| is_attribute(&statement.tokens()[*at]));
        let other_attribute = attributes(older, &self.left) && attributes(newer, &self.added);
        if other_attribute || self.added.iter().any(limits) || !self.same_quantities() {
            return None;
        }
        let [from, to] = [(one, before[0]), (other, after[0])]
            .map(|(side, at)| phrase_of(side.statement, side.clause(), at).preposition);
        let neutral = |word: &str| matches!(word, "" | "in" | "on" | "at" | "of" | "for" | "by");
        let becomes = matches!(to, "to" | "until" | "into") && from != to;
        if !(from == to || neutral(from) && neutral(to) || becomes && neutral(from)) {
            return None;
        }
        let ended = newer.cues.found.iter().any(|(cue, _)| !matches!(cue, Cue::Now | Cue::Since | Cue::New));
        let additional = !ended && newer.cues.formers.is_empty() && is_open_on(one, before[0]);
        if additional || !self.prepositions_agree(&after) {
            return None;
        }
        let again = newer.cues.found.iter().any(|(cue, _)| !matches!(cue, Cue::Since | Cue::New))
            || !newer.cues.formers.is_empty();
        let announced = again || newer.cues.announces() && !older.cues.announces();
        let dated = before.iter().all(|at| matches!(older.tokens()[*at].kind, TokenKind::DateTime(_)));
        let happened = newer.kind == StatementKind::Episode && own_verb(one).is_none();
        let shifted = becomes && own_verb(other).is_some() && (dated || happened);
        let told = announced && !has_other_verb(one, other) || shifted;
        told.then(|| format!("'{}' became '{}'", spell(older, &before), spell(newer, &after)))
    }

    /// Returns the reason if all but the name of the one who holds a role is said again, and somebody else is named as new.
    fn new_holder(&self) -> Option<String> {
        let (older, newer) = (self.older, self.newer);
        let [clause] = older.clauses.as_slice() else { return None };
        let role = role(older, clause)?;
        let named = |at: &usize| newer.tokens()[*at].capital || newer.tokens()[*at].kind == TokenKind::Code;
        let after: Vec<usize> = self.added.iter().copied().filter(|at| is_heavy(newer, *at)).collect();
        let run = after.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let known = role.words.iter().all(|at| self.matched.iter().any(|(own, _)| own == at));
        let holder =
            !self.left.is_empty() && self.left.iter().all(|at| role.holder.contains(at) || self.is_loose(older, *at));
        let gone = role.holder.iter().all(|at| self.left.contains(at) && !is_label(older, *at));
        let announced = newer.cues.announces();
        let negated = newer.tokens().iter().any(|token| token.kind == TokenKind::Negator);
        (known && holder && gone && announced && !negated && !after.is_empty() && run && after.iter().all(named))
            .then(|| format!("'{}' became '{}'", spell(older, &role.holder), spell(newer, &after)))
    }

    /// Returns true if whoever owns something in the one owns it in the other.
    pub(super) fn same_owners(&self) -> bool {
        let (mine, theirs) = (self.older.tokens(), self.newer.tokens());
        let stray = |statement: &Statement, places: &[usize]| places.iter().any(|at| statement.tokens()[*at].possessor);
        let owners = self.matched.iter().all(|(at, place)| {
            let owns = |tokens: &[Token], at: usize| tokens[at].possessor;
            let (own, other) = (owns(mine, *at), owns(theirs, *place));
            // Who is not named is the one whose memory it is.
            if mine[*at].canon == "user" {
                return true;
            }
            let (thing, other_thing) = (mine.get(at + 1), theirs.get(place + 1));
            match own == other {
                // "Dmitri's editor" and "Dmitri's landlord" are two things.
                true => !own || thing.map(|next| &next.key) == other_thing.map(|next| &next.key),
                false => thing.is_some() && other_thing.is_some_and(is_attribute),
            }
        });
        owners && !stray(self.older, &self.left) && !stray(self.newer, &self.added)
    }

    /// Returns true if no name of the older statement is longer in the newer one: "the data team" is not "the data science
    /// team".
    pub(super) fn same_phrases(&self) -> bool {
        let tokens = self.older.tokens();
        let place_of = |at: usize| self.matched.iter().find(|(own, _)| *own == at).map(|(_, place)| *place);
        let in_phrase = |at: usize| tokens.get(at + 1).is_some_and(|next| !tokens[at].verb && !next.verb);
        self.matched.iter().filter(|(at, _)| in_phrase(*at)).all(|(at, place)| {
            let Some(next) = place_of(at + 1) else { return true };
            next <= *place || (place + 1..next).all(|between| !is_heavy(self.newer, between))
        })
    }

    /// Returns true if both limit what they say by the same words: all, some, must, only.
    fn same_quantities(&self) -> bool {
        let words = |statement: &'a Statement| {
            let limiting = |token: &&Token| {
                matches!(token.kind, TokenKind::Quantifier(_))
                    || matches!(&*token.canon, "can" | "could" | "must" | "should" | "may" | "might" | "only")
            };
            let mut words: Vec<&str> =
                statement.tokens().iter().filter(limiting).map(|token| token.canon.as_str()).collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        words(self.older) == words(self.newer)
    }

    /// Returns true if no shared word stands behind another preposition: "the flight to Lima", "from Lima". The new value
    /// may.
    fn prepositions_agree(&self, values: &[usize]) -> bool {
        let neutral = |word: &str| matches!(word, "" | "of" | "for" | "in" | "on" | "at" | "by" | "as" | "with");
        self.matched.iter().filter(|(_, place)| !values.contains(place) && !is_marked(self.newer, *place)).all(
            |(at, place)| {
                let preposition = |statement: &'a Statement, at: usize| {
                    clause_of(statement, at).map_or("", |side| phrase_of(statement, side.clause(), at).preposition)
                };
                let (one, other) = (preposition(self.older, *at), preposition(self.newer, *place));
                // "40 euros al mes" and "a 46 euros al mes": a unit of time has no place.
                let unit = unit(&self.older.tokens()[*at].canon).is_some();
                one == other || neutral(one) && neutral(other) || unit
            },
        )
    }

    /// Returns true for words that need not be said again.
    fn is_loose(&self, statement: &Statement, at: usize) -> bool {
        !is_heavy(statement, at)
    }
}

/// Returns true for words that two statements about one thing must share.
pub(super) fn is_heavy(statement: &Statement, at: usize) -> bool {
    let token = &statement.tokens()[at];
    let object = at.checked_sub(1).is_some_and(|before| {
        let before = &statement.tokens()[before].canon;
        is_preposition(before) && before != "to" || is_determiner(before)
    });
    token.is_heavy() && !is_attribute(token)
        || token.contrast && counts(statement, at)
        || token.verb && object && !token.light
}

fn counts(statement: &Statement, at: usize) -> bool {
    let token = &statement.tokens()[at];
    let said = !matches!(token.kind, TokenKind::Function | TokenKind::Negator | TokenKind::Quantifier(_));
    said && !is_negligible(token) && !is_filler(&token.canon) && statement.cues.mark(at) != Mark::Cue
}

fn is_marked(statement: &Statement, at: usize) -> bool {
    statement.cues.mark(at) != Mark::Plain
}

fn is_attribute(token: &Token) -> bool {
    ATTRIBUTES.contains(&&*token.key) && !token.capital
}

/// Returns true for the heading of a note: "Status: the job queue is up".
fn is_label(statement: &Statement, at: usize) -> bool {
    let chunk = statement.chunk(at).and_then(|chunk| statement.text().split_whitespace().nth(chunk));
    chunk.is_some_and(|word| word.ends_with(':'))
}

fn clause_of(statement: &Statement, at: usize) -> Option<ClauseOf<'_>> {
    let number = statement.clauses.iter().position(|clause| clause.span.contains(&at))?;
    Some(ClauseOf { statement, number })
}

fn is_rival(one: &Token, other: &Token) -> bool {
    match (one.kind, other.kind) {
        (TokenKind::Number(one), TokenKind::Number(other)) => one.measure == other.measure,
        (TokenKind::DateTime(one), TokenKind::DateTime(other)) => one.is_comparable(&other) && !one.agrees(&other),
        (TokenKind::Code, TokenKind::Code) => true,
        _ => false,
    }
}

/// Returns the verb of a clause if it says more than that something is or has changed.
fn own_verb<'a>(side: ClauseOf<'a>) -> Option<&'a Token> {
    let verb = side.clause().verb.filter(|at| side.mark(*at) != Mark::Cue).map(|at| side.token(at));
    verb.filter(|verb| !is_copula(&verb.canon) && !is_auxiliary(&verb.canon))
}

/// Returns true if both clauses have verbs of their own that are not the same.
fn has_other_verb(one: ClauseOf<'_>, other: ClauseOf<'_>) -> bool {
    match (own_verb(one), own_verb(other)) {
        (Some(one), Some(other)) => {
            !matches(one, other) && !have_common_root(one, other) && !name_one_attribute(&one.key, &other.key)
        }
        _ => false,
    }
}

fn spell(statement: &Statement, places: &[usize]) -> String {
    places.iter().map(|at| statement.tokens()[*at].canon.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::statements::{PairThresholds, Verdict, judge_texts};

    fn verdict(older: &str, newer: &str) -> Verdict {
        judge_texts(older, newer, 0.8, PairThresholds::BUILT_IN)
    }

    #[test]
    fn values_of_one_sort_are_exchanged_whatever_the_verb() {
        for (older, newer) in [
            ("Code freeze begins on 20 November.", "Code freeze slips to 27 November."),
            ("The hearing is on 4 May at 10:00.", "The hearing has been put back to 11 May at 10:00."),
            ("The tax papers are due on 31 May.", "The deadline for the tax papers was extended to 31 July."),
            ("The choir has 34 members.", "The choir has grown to 41 members."),
            ("El seguro cuesta 40 euros al mes.", "El seguro ha subido a 46 euros al mes."),
        ] {
            assert!(matches!(verdict(older, newer), Verdict::Supersedes { .. }), "{older} / {newer}");
        }
    }

    #[test]
    fn what_is_limited_or_belongs_to_something_else_stays() {
        for (older, newer) in [
            ("The museum is open on Saturdays.", "The museum is now open on Sundays."),
            ("The gym costs 30 euros a month.", "The gym now costs 20 euros a month for students."),
            ("Rosa runs 10 km every Sunday.", "Rosa now swims 2 km every Sunday."),
            ("Rosa's flight to Lima leaves at 7.", "Rosa's flight from Lima now leaves at 9."),
            ("The front door code is 1234.", "The back door code was changed to 9876."),
            ("Ines teaches people how to use vim.", "Ines switched from vim to Helix."),
            ("We use Jenkins for the builds.", "We removed the Jenkins badge from the page of the builds."),
            ("Training plan, week 5: 42 km", "Week 5, actually run: 37 km"),
            ("The warranty lasts 24 months.", "The warranty is limited to 12 months."),
            ("The data team works in room Ceres.", "The data science team moved from room Ceres to room Mercury."),
            ("Dmitri's editor is now Helix.", "Correction: Dmitri's landlord uses Emacs as an editor, not Helix."),
            ("Status: the billing service is up.", "Gwen now maintains the billing service."),
            ("The mail gateway: version 4.2, port 5432", "The mail gateway listens on port 8080 instead of 5432."),
            ("Leo takes 5 mg of iron on Mondays.", "Leo now takes 10 mg of iron on Fridays."),
            ("I run 5 km on Mondays.", "I now run 10 km on Fridays."),
            ("Ben works at Acme.", "Ben now works at night."),
            ("The config is in YAML.", "The config is now in the repo root."),
            ("The office closes at six.", "Six is when the last person leaves the office."),
            (
                "The web shop stores its data in MySQL.",
                "The test web shop uses MongoDB instead of MySQL as its database.",
            ),
            ("I misheard: Rose works at Initech, not Velora.", "Correction: Hugo works at Velora, not at Initech."),
        ] {
            assert!(!verdict(older, newer).archives(), "{older} / {newer}: {:?}", verdict(older, newer));
        }
    }
}
