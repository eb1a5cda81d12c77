//! Whether a clause gives the attribute of a question a value.

use super::attributes::{Attribute, is_sort};
use super::{AskedAttribute, Expected};
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::token::{Token, TokenKind};
use crate::statements::Form;
use crate::statements::clause::is_determiner;
use crate::statements::clause_pair::{ClauseOf, is_negligible, is_title};
use crate::statements::cues::{ChangeVerb, Cue, Mark};
use crate::statements::phrase::phrase_of;
use crate::statements::relations::name_one_attribute;
use crate::statements::statement::{Statement, StatementKind};

/// Most words of a value.
const MAX_VALUE: usize = 5;

/// Whether an answer says what holds or what held before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerTime {
    /// From the time of the text on.
    Now,
    /// At a time before.
    Before,
}

/// A value that a text gives to the attribute of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// When the value held.
    pub time: AnswerTime,
    /// The words of the value.
    pub value: Vec<String>,
}

impl AskedAttribute {
    /// Returns the value that a text gives to the attribute; none if it speaks of something else. A change of which the
    /// text does not say the attribute ("Ada switched from vim to Helix") is one of this attribute if its former value is
    /// among the known ones.
    pub fn answer(&self, text: &Statement, known: &[Answer]) -> Option<Answer> {
        let is_said = !matches!(text.kind(), StatementKind::Report | StatementKind::Hypothesis | StatementKind::Plan);
        if text.form() != Form::Prose || !is_said || text.language() != self.question.language() && !self.is_named() {
            return None;
        }
        let clauses = (0..text.clauses.len()).map(|number| ClauseOf { statement: text, number });
        clauses.filter_map(|clause| self.answer_of(clause, known)).next_back()
    }

    /// Returns whether the subject has a name, which every language shares.
    fn is_named(&self) -> bool {
        self.subject.iter().all(|at| self.token(*at).capital)
    }

    fn answer_of(&self, clause: ClauseOf<'_>, known: &[Answer]) -> Option<Answer> {
        let span = clause.clause().span.clone();
        let mut places: Vec<usize> = clause.subject_words().into_iter().filter(|at| !span.contains(at)).collect();
        places.extend(span.filter(|at| !matches!(clause.mark(*at), Mark::Time | Mark::Reason)));
        let subject: Vec<usize> = self
            .subject
            .iter()
            .map(|own| places.iter().copied().find(|at| is_subject_word(self.token(*own), clause.token(*at))))
            .collect::<Option<_>>()?;
        let named: Vec<usize> = places.iter().copied().filter(|at| self.names_attribute(clause, *at)).collect();
        // "On which day is it deployed?" and "Deploy day: Tuesday".
        let names_sort = |at: &usize| {
            let token = clause.token(*at);
            is_sort(token) && self.question.tokens().iter().any(|asked| is_sort(asked) && asked.canon == token.canon)
        };
        let sorts: Vec<usize> = places.iter().copied().filter(names_sort).collect();
        let named_or_sort: Vec<usize> = named.iter().chain(&sorts).copied().collect();
        if !self.is_whole_subject(clause, &subject, &named_or_sort) {
            return None;
        }
        let value: Vec<usize> = places
            .iter()
            .copied()
            .filter(|at| !subject.contains(at) && !named_or_sort.contains(at) && self.is_value(clause, *at))
            .collect();
        let cues = clause.statement.cues.within(std::slice::from_ref(&clause.clause().span));
        let change = cues.change.map(|(change, _)| change);
        let spell = |places: &[usize]| places.iter().map(|at| clause.token(*at).canon.clone()).collect::<Vec<_>>();
        let is_denied = clause.is_negated() && !cues.no_longer && cues.former.is_none();
        if value.is_empty() || value.len() > MAX_VALUE || is_denied || !self.is_expected(clause, &value) {
            return None;
        }
        let former: Vec<String> = match &cues.former {
            Some(former) => spell(&former.clone().filter(|at| clause.token(*at).is_content()).collect::<Vec<_>>()),
            None => Vec::new(),
        };
        let is_known = !former.is_empty()
            && change.is_some()
            && known.iter().any(|answer| former.iter().all(|word| answer.value.contains(word)));
        // "Raised to 5", "left Initech for Globex": the new value stands behind its preposition.
        let leads_to = |at: &usize| {
            let before = phrase_of(clause.statement, clause.clause(), *at).preposition;
            matches!(before, "to" | "into" | "for" | "by" | "with")
        };
        let change = change.filter(|_| !former.is_empty() || value.iter().any(leads_to));
        if !self.is_about_attribute(clause, &named, change) && !is_known {
            return None;
        }
        let is_event = change.is_some() || cues.former.is_some() || cues.now || cues.since || cues.no_longer;
        let was =
            clause.statement.cues.has(Cue::Past) || clause.statement.kind() == StatementKind::Episode && !is_event;
        let time = if was { AnswerTime::Before } else { AnswerTime::Now };
        Some(Answer { time, value: spell(&value) })
    }

    /// Returns whether a clause speaks of the attribute: it has every word that names it, or names it in another way.
    fn is_about_attribute(&self, clause: ClauseOf<'_>, named: &[usize], change: Option<ChangeVerb>) -> bool {
        if !self.choices.is_empty() {
            return clause.clause().copular;
        }
        let covers = |own: usize| named.iter().any(|at| self.is_named_by(own, clause.token(*at)));
        let is_verb = |own: usize| self.token(own).verb && Attribute::of(self.token(own)).is_none();
        let noun = self.words.iter().any(|own| !is_verb(*own));
        // A verb may be another one if a noun names the attribute: "sits at desk", "the desk is".
        let all = self.words.iter().all(|own| covers(*own) || noun && is_verb(*own));
        let changed = self.attribute.zip(change).is_some_and(|(attribute, change)| attribute.is_changed_by(change));
        let others = self.words.iter().filter(|own| Attribute::of(self.token(**own)) != self.attribute);
        all && !named.is_empty() || changed && others.count() == 0 && self.has_no_other_thing(clause)
    }

    /// Returns whether no noun stands beside the subject and the value: "moved the boxes to Cork" moves nobody.
    fn has_no_other_thing(&self, clause: ClauseOf<'_>) -> bool {
        let other = |at: usize| {
            let token = clause.token(at);
            let marked = clause.mark(at) != Mark::Plain;
            token.is_heavy() && !token.capital && !marked && !matches!(token.kind, TokenKind::Number(_))
        };
        let own = |at: usize| self.subject.iter().any(|own| is_subject_word(self.token(*own), clause.token(at)));
        !clause.clause().span.clone().any(|at| other(at) && !own(at))
    }

    /// Returns whether a word of a clause names the attribute.
    fn names_attribute(&self, clause: ClauseOf<'_>, at: usize) -> bool {
        let token = clause.token(at);
        let word = |back: usize| at.checked_sub(back).map_or("", |at| clause.token(at).canon.as_str());
        // "Comes to work" does not say where; "used to work" does.
        let is_noun = matches!(word(1), "a" | "the") || word(1) == "to" && word(2) != "used";
        let is_noun = is_noun && clause.clause().verb != Some(at);
        self.words.iter().any(|own| {
            let acts = self.token(*own).verb && token.canon == self.token(*own).canon;
            self.is_named_by(*own, token) && !(acts && is_noun)
        })
    }

    fn is_named_by(&self, own: usize, token: &Token) -> bool {
        let asked = self.token(own);
        let alike = matches(asked, token)
            || have_common_root(asked, token)
            || asked.verb && token.verb && name_one_attribute(&asked.key, &token.key);
        let named = Attribute::of(asked);
        alike || (!token.capital || token.opens) && named.is_some() && named == Attribute::of(token)
    }

    /// Returns whether the words of the subject are all of it: "the data team" is not "the data science team", and "Ada"
    /// is not "Ada's brother" or "a friend of Ada".
    fn is_whole_subject(&self, clause: ClauseOf<'_>, subject: &[usize], named: &[usize]) -> bool {
        let tokens = clause.statement.tokens();
        let is_own = |at: usize| subject.contains(&at) || named.contains(&at);
        let is_thing = |at: usize| {
            let token = &tokens[at];
            let cue = clause.mark(at) != Mark::Plain;
            token.is_content() && !cue && !is_own(at) && !is_title(&token.canon) && !is_plain(token)
        };
        subject.iter().zip(&self.subject).all(|(at, own)| {
            let (token, asked) = (&tokens[*at], self.token(*own));
            let next = tokens.get(at + 1);
            let owns_other = token.possessor && next.is_some() && is_thing(at + 1);
            let owned_before = *at > 0 && tokens[at - 1].possessor && !subject.contains(&(at - 1));
            // "science" in "the data science team", "test" in "the test web shop", "worker" in "the billing worker"
            let joined = |neighbour: usize| !asked.capital && is_thing(neighbour) && !tokens[neighbour].verb;
            let before = *at > 0 && !is_after_break(clause, *at) && joined(at - 1);
            let after = next.is_some() && !is_after_break(clause, at + 1) && joined(at + 1) && !tokens[at + 1].capital;
            // "the brother of Ada"
            let mut of = at.checked_sub(1);
            while let Some(place) = of.filter(|place| is_determiner(&tokens[*place].canon) || subject.contains(place)) {
                of = place.checked_sub(1);
            }
            let of = of.filter(|place| tokens[*place].canon == "of" && *place > 0);
            let part = of.is_some_and(|place| is_thing(place - 1) && !tokens[place - 1].capital);
            !owns_other && !owned_before && !before && !after && !part
        })
    }

    /// Returns whether a word can be a part of the value.
    fn is_value(&self, clause: ClauseOf<'_>, at: usize) -> bool {
        let token = clause.token(at);
        if !self.choices.is_empty() {
            return self.choices.iter().any(|own| self.token(*own).canon == token.canon);
        }
        let is_verb = clause.clause().verb == Some(at) || clause.clause().predicate == Some(at);
        let is_dated = matches!(token.kind, TokenKind::DateTime(_)) && self.expected != Expected::Time;
        let is_named = matches!(self.expected, Expected::Place | Expected::Name);
        token.is_content()
            && clause.mark(at) == Mark::Plain
            && !is_verb
            && !is_negligible(token)
            && !(is_dated && (is_named || clause.clause().lead.contains(&at)))
    }

    /// Returns whether a value is of the sort that the question asks for.
    fn is_expected(&self, clause: ClauseOf<'_>, value: &[usize]) -> bool {
        let any = |test: &dyn Fn(&Token) -> bool| value.iter().any(|at| test(clause.token(*at)));
        let figure = |token: &Token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Code);
        let dated = |token: &Token| matches!(token.kind, TokenKind::DateTime(_));
        match self.expected {
            Expected::Name => any(&|token| token.capital || token.opens),
            Expected::Number => any(&figure),
            Expected::Time => any(&|token| figure(token) || dated(token)),
            Expected::Place => !any(&|token| matches!(token.kind, TokenKind::Number(_)) || dated(token)),
            Expected::Any => true,
        }
    }
}

/// Returns whether two words are one part of a subject. Names are compared as they are written.
fn is_subject_word(asked: &Token, token: &Token) -> bool {
    if asked.capital { asked.canon == token.canon } else { asked.canon == token.canon || asked.key == token.key }
}

/// Returns true for words that narrow nothing.
fn is_plain(token: &Token) -> bool {
    token.light || matches!(token.kind, TokenKind::Number(_) | TokenKind::Code | TokenKind::DateTime(_))
}

/// Returns whether a comma or colon stands before a token.
fn is_after_break(clause: ClauseOf<'_>, at: usize) -> bool {
    let first = clause.token(at).at;
    first.checked_sub(1).is_some_and(|at| clause.statement.words.pieces[at].after != crate::pairs::scan::Break::None)
}
