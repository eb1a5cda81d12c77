//! A clause of the older and one of the newer statement: their common words and their subjects.

use std::ops::Range;

use super::clause::{Clause, is_pronoun};
use super::cues::{ChangeVerb, ClauseCues, Mark};
use super::phrase::phrase_of;
use super::relations::name_one_attribute;
use super::statement::{Statement, StatementKind};
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::lexicon::{is_auxiliary, is_copula};
use crate::pairs::token::{Token, TokenKind};

/// A clause of a statement.
#[derive(Clone, Copy)]
pub(super) struct ClauseOf<'a> {
    pub(super) statement: &'a Statement,
    pub(super) number: usize,
}

impl<'a> ClauseOf<'a> {
    pub(super) fn clause(self) -> &'a Clause {
        &self.statement.clauses[self.number]
    }

    pub(super) fn token(self, at: usize) -> &'a Token {
        &self.statement.words.tokens[at]
    }

    pub(super) fn mark(self, at: usize) -> Mark {
        self.statement.cues.mark(at)
    }

    fn before(self) -> Option<Self> {
        self.number.checked_sub(1).map(|number| Self { number, ..self })
    }

    /// Returns the words that a pronoun in the subject stands for.
    fn antecedent(self) -> Vec<usize> {
        let Some(before) = self.before() else { return Vec::new() };
        let subject = self.clause().subject.clone();
        let stands = |at: usize| {
            let word = self.token(at).canon.as_str();
            matches!(word, "it" | "he" | "she" | "they" | "her" | "his" | "their" | "its")
        };
        if self.clause().continues || !subject.clone().any(stands) {
            return Vec::new();
        }
        let words = before.subject_words();
        if words.is_empty() { before.content(before.clause().span.clone()).collect() } else { words }
    }

    /// Returns the content words of the subject, with those that a pronoun stands for.
    pub(super) fn subject_words(self) -> Vec<usize> {
        let own = self.clause().subject.clone();
        let mut words: Vec<usize> = own
            .filter(|at| {
                let token = self.token(*at);
                token.is_content() && matches!(self.mark(*at), Mark::Plain | Mark::Former) && !is_title(&token.canon)
            })
            .collect();
        words.extend(self.antecedent());
        words
    }

    /// Returns the content tokens of a range that belong to what is stated.
    pub(super) fn content(self, range: Range<usize>) -> impl Iterator<Item = usize> + 'a {
        range.filter(move |at| {
            let token = self.token(*at);
            let contrast = token.contrast && !matches!(token.kind, TokenKind::Function | TokenKind::Negator);
            (token.is_content() || contrast) && matches!(self.mark(*at), Mark::Plain | Mark::Former)
        })
    }

    /// Returns the spans of the clauses that continue the same subject.
    /// A clause in front that starts with "since" belongs to it.
    fn chain(self) -> Vec<Range<usize>> {
        let clauses = &self.statement.clauses;
        let own = &self.clause().subject;
        let mut spans: Vec<Range<usize>> =
            clauses.iter().filter(|other| other.subject == *own).map(|other| other.span.clone()).collect();
        let before = self.before().map(|before| before.clause().span.clone());
        let since = |span: &Range<usize>| self.token(span.start).canon == "since" && self.mark(span.start) == Mark::Cue;
        spans.extend(before.filter(since));
        spans
    }

    pub(super) fn is_negated(self) -> bool {
        let clause = self.clause();
        let negators = clause.span.clone().filter(|at| {
            let token = self.token(*at);
            !token.contrast
                && !matches!(self.mark(*at), Mark::Reason | Mark::Contrast)
                && (token.kind == TokenKind::Negator || token.canon == "nolonger")
        });
        let ended = |at: &usize| {
            self.mark(*at) == Mark::Cue
                && matches!(&*self.token(*at).canon, "gave" | "given")
                && self.token(*at).kind != TokenKind::Negator
        };
        (negators.count() + clause.span.clone().filter(ended).count()) % 2 == 1
    }

    fn persons(self) -> u8 {
        self.clause().subject.clone().fold(0, |bits, at| bits | person(&self.token(at).canon))
    }

    /// Returns the grammatical persons of all pronouns of the clause, as bits.
    pub(super) fn all_persons(self) -> u8 {
        self.clause().span.clone().fold(0, |bits, at| bits | person(&self.token(at).canon))
    }

    /// Returns the words that say when or why, in order.
    fn circumstances(self) -> Vec<&'a str> {
        let marked = |at: &usize| matches!(self.mark(*at), Mark::Time | Mark::Reason) && self.token(*at).is_content();
        self.clause().span.clone().filter(marked).map(|at| self.token(at).key.as_str()).collect()
    }

    /// Returns the main verb if it says more than that something is.
    pub(super) fn full_verb(self) -> Option<&'a Token> {
        let at = self.clause().verb.filter(|at| self.mark(*at) != Mark::Cue)?;
        let token = self.token(at);
        (!token.light && !is_copula(&token.canon) && !is_auxiliary(&token.canon)).then_some(token)
    }
}

/// A clause of the older and one of the newer statement.
pub(super) struct ClausePair<'a> {
    pub(super) older: ClauseOf<'a>,
    pub(super) newer: ClauseOf<'a>,
    /// The cues of the newer clause and of those that continue it.
    pub(super) cues: ClauseCues,
    /// Matching tokens of the older and the newer clause.
    pub(super) matched: Vec<(usize, usize)>,
    pub(super) subjects: [Vec<usize>; 2],
}

impl<'a> ClausePair<'a> {
    pub(super) fn new(older: ClauseOf<'a>, newer: ClauseOf<'a>) -> Self {
        let indices = |side: ClauseOf<'a>, subject: &[usize]| -> Vec<usize> {
            let span = side.clause().span.clone();
            let outside: Vec<usize> = subject.iter().copied().filter(|at| !span.contains(at)).collect();
            outside.into_iter().chain(side.content(span)).collect()
        };
        let mut subjects = [older.subject_words(), newer.subject_words()];
        let (left, right) = (indices(older, &subjects[0]), indices(newer, &subjects[1]));
        let mut matched: Vec<(usize, usize)> = Vec::with_capacity(left.len());
        for test in [matches as fn(&Token, &Token) -> bool, have_common_root] {
            for at in &left {
                if matched.iter().any(|(taken, _)| taken == at) {
                    continue;
                }
                let free = right.iter().filter(|place| !matched.iter().any(|(_, taken)| taken == *place));
                let fits = free.filter(|place| test(older.token(*at), newer.token(**place)));
                let own = subjects[0].contains(at);
                let nearest = fits.min_by_key(|place| (subjects[1].contains(place) != own, place.abs_diff(*at)));
                if let Some(place) = nearest {
                    matched.push((*at, *place));
                }
            }
        }
        let cues = newer.statement.cues.within(&newer.chain());
        // "Since the tournament in Visby Runa's rating": the subject starts with its first shared word.
        let starts_with_since =
            cues.since && newer.clause().lead.is_empty() && newer.mark(newer.clause().span.start) == Mark::Cue;
        if starts_with_since {
            let first = subjects[0].iter().filter_map(|at| place_of(&matched, *at)).min();
            if let Some(first) = first {
                subjects[1].retain(|place| *place >= first);
            }
        }
        Self { older, newer, cues, matched, subjects }
    }

    pub(super) fn place_of(&self, at: usize) -> Option<usize> {
        place_of(&self.matched, at)
    }

    pub(super) fn own_of(&self, place: usize) -> Option<usize> {
        self.matched.iter().find(|(_, other)| *other == place).map(|(own, _)| *own)
    }

    /// Returns true if both clauses have the same subject: every word of one is in the other. With a
    /// verb of change, what is changed may be the object: "we moved the review".
    pub(super) fn same_subject(&self) -> bool {
        let [own, other] = &self.subjects;
        let changed = self.cues.change.is_some() || self.cues.former.is_some();
        let persons = [self.older.persons(), self.newer.persons()];
        if own.is_empty() {
            if persons[0] != 0 {
                return other.is_empty() && persons[0] == persons[1];
            }
            let instructions = [self.older, self.newer].map(|side| side.statement.kind == StatementKind::Instruction);
            return instructions == [true, true] && other.is_empty() && persons[1] == 0;
        }
        // "We moved the review": the persons of a bare pronoun are those who change something.
        let acts = other.is_empty() && changed;
        if persons[0] != 0 && persons[1] != 0 && persons[0] != persons[1] && !acts {
            return false;
        }
        let Some(places) = own.iter().map(|at| self.place_of(*at)).collect::<Option<Vec<usize>>>() else {
            return false;
        };
        // "The price of the ticket is 18", "the ticket costs 22": a noun of one names the verb of the other.
        let [verb, newer_verb] = [self.older, self.newer].map(|side| side.clause().verb);
        let in_subject = places.iter().all(|place| other.contains(place) || newer_verb == Some(*place));
        let known =
            other.iter().all(|place| self.own_of(*place).is_some_and(|at| own.contains(&at) || verb == Some(at)));
        if in_subject && known {
            // An owner in one subject only names a relative or a part: "Ada" and "Ada's brother".
            let alone = own.len() == 1 || other.len() == 1;
            let preposition = |side: ClauseOf<'a>, at: usize| phrase_of(side.statement, side.clause(), at).preposition;
            let neutral = |word: &str| matches!(word, "" | "of" | "for" | "since");
            return own.iter().zip(&places).all(|(at, place)| {
                let owner = self.older.token(*at).possessor == self.newer.token(*place).possessor || !alone;
                let (one, other) = (preposition(self.older, *at), preposition(self.newer, *place));
                owner && (one == other || neutral(one) && neutral(other))
            });
        }
        // "We moved the review to Friday": somebody without a name of his own changes the thing.
        let anonymous =
            other.iter().all(|place| self.newer.mark(*place) == Mark::Former || self.own_of(*place).is_some());
        let owned = places.iter().any(|place| {
            let next = self.newer.token(*place).possessor.then_some(place + 1);
            let following = next.and_then(|next| self.newer.statement.words.tokens.get(next));
            following.is_some_and(Token::is_content) && next.is_some_and(|next| self.own_of(next).is_none())
        });
        changed && anonymous && !owned
    }

    /// Returns true if both clauses have the same words apart from the given ones, whatever their
    /// order, and the prepositions before them agree.
    pub(super) fn same_frame(&self, left: &[usize], added: &[usize]) -> bool {
        let value = |at: &usize| left.contains(at);
        let rest = self.older.content(self.older.clause().span.clone()).filter(|at| !value(at));
        let covered = rest.filter(|at| !is_negligible(self.older.token(*at))).all(|at| self.place_of(at).is_some());
        let names = |side: ClauseOf<'a>, places: &[usize]| places.iter().all(|at| !side.token(*at).possessor);
        covered
            && self.prepositions_agree(added)
            && names(self.older, left)
            && names(self.newer, added)
            && self.matched.len() >= 2
    }

    /// Returns true if no shared word stands behind opposite prepositions: "to Porto", "from Porto".
    /// The preposition of the new value itself may differ: "raised to 250 requests".
    pub(super) fn prepositions_agree(&self, added: &[usize]) -> bool {
        let start = |place: usize| phrase_of(self.newer.statement, self.newer.clause(), place).start;
        let changed: Vec<usize> = match self.cues.change {
            Some(_) => added.iter().map(|place| start(*place)).collect(),
            None => Vec::new(),
        };
        self.matched.iter().all(|(at, place)| {
            if matches!(self.newer.mark(*place), Mark::Former) || changed.contains(&start(*place)) {
                return true;
            }
            let one = phrase_of(self.older.statement, self.older.clause(), *at).preposition;
            let other = phrase_of(self.newer.statement, self.newer.clause(), *place).preposition;
            let neutral = |word: &str| matches!(word, "" | "of" | "for" | "in" | "on" | "at" | "by" | "as");
            one == other || neutral(one) && neutral(other)
        })
    }

    /// Returns true if both clauses have the same pronouns, conjunctions and particles.
    pub(super) fn same_small_words(&self) -> bool {
        let words = |side: ClauseOf<'a>| {
            let tokens = side.clause().span.clone().map(|at| side.token(at));
            let mut words: Vec<&str> = tokens
                .filter(|token| token.kind == TokenKind::Function && !is_structural(&token.canon))
                .map(|token| token.canon.as_str())
                .collect();
            words.sort_unstable();
            words
        };
        words(self.older) == words(self.newer)
    }

    /// Returns true if both clauses give the same time and reason.
    pub(super) fn same_circumstances(&self) -> bool {
        self.older.circumstances() == self.newer.circumstances()
    }

    pub(super) fn same_modality(&self) -> bool {
        let modals = |side: ClauseOf<'a>| {
            let words = side.clause().span.clone().map(|at| side.token(at).canon.as_str());
            let mut words: Vec<&str> = words
                .filter(|word| matches!(*word, "can" | "could" | "must" | "should" | "may" | "might" | "only"))
                .collect();
            words.sort_unstable();
            words
        };
        modals(self.older) == modals(self.newer)
    }

    pub(super) fn same_quantity(&self) -> bool {
        let quantities = |side: ClauseOf<'a>| {
            let tokens = side.clause().span.clone().map(|at| side.token(at));
            let mut words: Vec<&str> = tokens
                .filter(|token| matches!(token.kind, TokenKind::Quantifier(_)))
                .map(|token| token.canon.as_str())
                .collect();
            words.sort_unstable();
            words
        };
        quantities(self.older) == quantities(self.newer)
    }

    /// Returns true if both clauses have the same verb, or both only say what something is.
    pub(super) fn same_verb(&self) -> bool {
        match (self.older.full_verb(), self.newer.full_verb()) {
            (Some(one), Some(other)) => {
                matches(one, other) || have_common_root(one, other) || name_one_attribute(&one.key, &other.key)
            }
            (None, None) => true,
            // The verb of one may be a noun of the other.
            (Some(_), None) => self.older.clause().verb.is_some_and(|at| self.place_of(at).is_some()),
            (None, Some(_)) => self.newer.clause().verb.is_some_and(|place| self.own_of(place).is_some()),
        }
    }

    /// Returns the words of the older clause that the newer one does not repeat.
    pub(super) fn unmatched_older(&self) -> Vec<usize> {
        let side = self.older;
        let words = side.content(side.clause().span.clone());
        // "Since March Viktor lives in Faro": since when it held is over with it.
        let lead = side.clause().lead.clone();
        let since = lead.clone().any(|at| side.mark(at) == Mark::Cue);
        words
            .filter(|at| {
                !(since && lead.contains(at))
                    && side.mark(*at) == Mark::Plain
                    && self.place_of(*at).is_none()
                    && side.clause().verb != Some(*at)
            })
            .filter(|at| !is_negligible(side.token(*at)) && !is_filler(&side.token(*at).canon))
            .collect()
    }

    /// Returns the words of the newer clause that the older one does not have.
    pub(super) fn unmatched_newer(&self) -> Vec<usize> {
        let side = self.newer;
        let lead = self.lead_of_change();
        let words = side.content(side.clause().span.clone());
        words
            .filter(|at| side.mark(*at) == Mark::Plain && self.own_of(*at).is_none() && side.clause().verb != Some(*at))
            .filter(|at| !is_negligible(side.token(*at)) && !is_filler(&side.token(*at).canon) && !lead.contains(at))
            .collect()
    }

    /// Returns the leading phrase if it says since when the statement holds.
    fn lead_of_change(&self) -> Range<usize> {
        let clause = self.newer.clause();
        let lead = clause.lead.clone();
        if lead.clone().any(|at| self.newer.mark(at) == Mark::Cue) {
            return lead;
        }
        let since = self.newer.mark(clause.span.start) == Mark::Cue && self.cues.since;
        match self.subjects[1].iter().min() {
            Some(first) if since && lead.is_empty() => clause.span.start..*first,
            _ => 0..0,
        }
    }

    /// Returns true unless the newer statement holds from an earlier date than the older one.
    pub(super) fn is_later(&self) -> bool {
        let effective = |side: ClauseOf<'a>| side.statement.cues.effective;
        let (Some(before), Some(after)) = (effective(self.older), effective(self.newer)) else { return true };
        let ordered = before.year.is_some() == after.year.is_some() && before.month.is_some() == after.month.is_some();
        !ordered || (before.year, before.month, before.day) <= (after.year, after.month, after.day)
    }

    /// Returns true if another clause of the newer text says that the given words of the older one are gone, and is about
    /// nothing else: "Gwen moved to sales, so I report to Hiroshi".
    pub(super) fn retires(&self, value: &[usize]) -> bool {
        let value: Vec<&str> = value.iter().map(|at| self.older.token(*at).canon.as_str()).collect();
        let clauses = 0..self.newer.statement.clauses.len();
        clauses.filter(|number| *number != self.newer.number).any(|number| {
            let clause = ClauseOf { number, ..self.newer };
            let subject = clause.clause().subject.clone().filter(|at| clause.token(*at).is_content());
            let words: Vec<&str> = subject.map(|at| clause.token(at).canon.as_str()).collect();
            !words.is_empty() && words.iter().all(|word| value.contains(word)) && self.is_gone(clause)
        })
    }

    /// Returns true if a clause of the newer text says that its subject is gone: it left, moved or is no
    /// longer what it was.
    fn is_gone(&self, clause: ClauseOf<'a>) -> bool {
        let cues = self.newer.statement.cues.within(std::slice::from_ref(&clause.clause().span));
        cues.no_longer || matches!(cues.change, Some((ChangeVerb::Leave | ChangeVerb::Move | ChangeVerb::Transfer, _)))
    }
}

/// Returns true for articles, auxiliaries and the prepositions that belong to the part of a word.
fn is_structural(word: &str) -> bool {
    is_copula(word)
        || super::clause::is_preposition(word)
        || matches!(
            word,
            "a" | "an"
                | "the"
                | "has"
                | "have"
                | "had"
                | "do"
                | "does"
                | "did"
                | "that"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "prof"
        )
}

fn place_of(matched: &[(usize, usize)], at: usize) -> Option<usize> {
    matched.iter().find(|(own, _)| *own == at).map(|(_, place)| *place)
}

fn person(word: &str) -> u8 {
    match word {
        "i" | "me" | "my" | "mine" => 1,
        "we" | "us" | "our" | "ours" => 2,
        "you" | "your" => 4,
        "he" | "him" | "his" => 8,
        "she" | "her" | "hers" => 16,
        "they" | "them" | "their" => 32,
        _ => u8::from(is_pronoun(word)) << 6,
    }
}

pub(super) fn is_title(word: &str) -> bool {
    matches!(word, "mr" | "mrs" | "ms" | "dr" | "prof" | "professor")
}

pub(super) fn is_negligible(token: &Token) -> bool {
    token.light
        && !matches!(token.kind, TokenKind::Name | TokenKind::Number(_) | TokenKind::DateTime(_))
        && !token.capital
}

pub(super) fn is_filler(word: &str) -> bool {
    is_title(word)
        || matches!(
            word,
            "actually" | "really" | "just" | "simply" | "still" | "already" | "officially" | "finally" | "yet" | "due"
        )
}
