//! The verdict over two statements.

use super::clause_pair::{ClauseOf, ClausePair};
use super::cues::{Cue, Mark};
use super::heading::is_other_matter_under_heading;
use super::replacement::{ClauseEffect, effect};
use super::residue::Residue;
use super::statement::{Statement, StatementKind};
use super::verdict::{ContradictionKind, PairThresholds, Verdict};
use super::wording::in_words_of;
use super::{Form, event, exclusion, holders, limitation, meaning, merge, paraphrase, regrouping, rivalry, roles};
use crate::pairs::align::{have_common_root, matches};
use crate::pairs::comparison::{Agreement, StatementPair, same_stems};
use crate::pairs::conflict::Conflict;
use crate::pairs::number::NumberUnit;
use crate::pairs::token::{Token, TokenKind};

/// How far the cosine may fall below the prefilter if all words but the differing one are shared.
const ONE_DIFFERENCE_ALLOWANCE: f64 = 0.25;

/// The reason of a paraphrase that was found by its meaning.
const MEANING: &str = "the same meaning in other words";

/// Certainty that two values of one event exclude each other.
const EVENT_CERTAINTY: f64 = 0.85;

/// Decides the relation of a newer statement to an older one.
///
/// Cost: about ten microseconds for two parsed sentences.
///
/// ```
/// use elfmem_text::statements::{PairThresholds, Statement, Verdict, judge};
///
/// let older = Statement::parse("The port is 5432.");
/// let newer = Statement::parse("The port is 5433.");
/// let verdict = judge(&older, &newer, 0.97, PairThresholds::BUILT_IN);
/// assert!(matches!(verdict, Verdict::Contradicts { .. }));
/// ```
pub fn judge(older: &Statement, newer: &Statement, cosine: f64, thresholds: PairThresholds) -> Verdict {
    let verdict = judge_words(older, newer, cosine, thresholds);
    let (one, other) = (&older.words.signs, &newer.words.signs);
    match verdict {
        Verdict::Duplicate { .. } if !one.are_same(other) => Verdict::unknown("the same words with other signs"),
        Verdict::Paraphrase { .. } if !one.agree(other) => Verdict::unknown("the same words with other signs"),
        Verdict::Paraphrase { reason } => restated(older, newer, reason),
        Verdict::Related { .. } if meaning::restates(older, newer, cosine, thresholds.near) && one.agree(other) => {
            restated(older, newer, MEANING.to_owned())
        }
        Verdict::Related { certain: false, .. } => {
            let verdict = rivals(older, newer, cosine, thresholds).unwrap_or(verdict);
            if cosine < thresholds.near {
                return verdict;
            }
            // What is kept apart though it is very near is shown, with the reason.
            verdict.with_reason(|reason| in_words_of(reason, older, newer))
        }
        Verdict::Supersedes { reason } => leaves_true(older, newer)
            .unwrap_or(Verdict::Supersedes { reason })
            .with_reason(|reason| in_words_of(reason, older, newer)),
        // Nobody reads why two blocks have nothing to do with each other.
        Verdict::Related { .. } => verdict,
        verdict => verdict.with_reason(|reason| in_words_of(reason, older, newer)),
    }
}

/// Returns a paraphrase, unless the same words stand in other groups.
fn restated(older: &Statement, newer: &Statement, reason: String) -> Verdict {
    match regrouping::exchanged_partners(older, newer) {
        Some(reason) => Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason },
        None => Verdict::Paraphrase { reason }.with_reason(|reason| in_words_of(reason, older, newer)),
    }
}

/// Returns the verdict if a part of the older text may still be true, though the newer one announces another state.
fn leaves_true(older: &Statement, newer: &Statement) -> Option<Verdict> {
    if is_other_matter_under_heading(older.text(), newer.text()) {
        return Some(Verdict::Related { reason: "another matter under one heading".to_owned(), certain: true });
    }
    if let Some(word) = limitation::occasion(older, newer) {
        return Some(Verdict::Related { reason: format!("only on an occasion: '{word}'"), certain: true });
    }
    let excluded = limitation::contrast(older, newer)?;
    let reason = format!("another state, but nothing about '{excluded}'");
    Some(Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason })
}

/// Returns the contradiction if the two probably give one thing two values, though no rule can tell.
fn rivals(older: &Statement, newer: &Statement, cosine: f64, thresholds: PairThresholds) -> Option<Verdict> {
    let cosine = if cosine.is_finite() { cosine } else { 0.0 };
    let likelihood = rivalry::likelihood(older, newer, cosine, thresholds)?;
    if likelihood < rivalry::LIKELY {
        return None;
    }
    // What is marked is reported as sure enough.
    let score = likelihood.max(thresholds.contradiction);
    Some(Verdict::Contradicts { kind: ContradictionKind::Name, score, reason: rivalry::RIVALS.to_owned() })
}

/// Decides by words alone.
fn judge_words(older: &Statement, newer: &Statement, cosine: f64, thresholds: PairThresholds) -> Verdict {
    let cosine = if cosine.is_finite() { cosine } else { 0.0 };
    if !older.words.has_words() || !newer.words.has_words() {
        return Verdict::unknown("one of them has no words");
    }
    if older.words.spelling == newer.words.spelling && older.words.question == newer.words.question {
        return Verdict::Duplicate { reason: "the same words".to_owned() };
    }
    if older.words.is_long() || newer.words.is_long() {
        return Verdict::unknown("one of them is too long to be compared statement by statement");
    }
    if older.words.question || newer.words.question {
        return Verdict::both_true("one of them is a question");
    }
    match (older.language, newer.language) {
        (Some(one), Some(other)) if one != other => return two_languages(cosine, thresholds),
        (Some(language), None) => {
            if let Some(newer) = newer.read_in(language) {
                return JudgedPair { older, newer: &newer, cosine, thresholds, known: true }.judge();
            }
        }
        (None, Some(language)) => {
            if let Some(older) = older.read_in(language) {
                return JudgedPair { older: &older, newer, cosine, thresholds, known: true }.judge();
            }
        }
        _ => {}
    }
    JudgedPair { older, newer, cosine, thresholds, known: older.language.is_some() }.judge()
}

/// Parses two texts and decides their relation. See [`judge`].
pub fn judge_texts(older: &str, newer: &str, cosine: f64, thresholds: PairThresholds) -> Verdict {
    judge(&Statement::parse(older), &Statement::parse(newer), cosine, thresholds)
}

fn two_languages(_cosine: f64, _thresholds: PairThresholds) -> Verdict {
    Verdict::unknown("they are in two languages")
}

struct JudgedPair<'a> {
    older: &'a Statement,
    newer: &'a Statement,
    cosine: f64,
    thresholds: PairThresholds,
    /// Whether the language is known.
    known: bool,
}

impl JudgedPair<'_> {
    fn judge(&self) -> Verdict {
        let (older, newer) = (self.older, self.newer);
        if older.words.spelling == newer.words.spelling {
            return Verdict::Duplicate { reason: "the same words".to_owned() };
        }
        if self.cosine >= self.thresholds.exact
            && self.is_prose()
            && older.kind == newer.kind
            && same_stems(&older.words, &newer.words)
        {
            return Verdict::Duplicate { reason: "the same words but for their endings".to_owned() };
        }
        if let Some(reason) = self.both_true() {
            return Verdict::both_true(reason);
        }
        let archivable = self.known && self.is_prose();
        if archivable && !self.counts_at_other_times() {
            match self.update() {
                Update::All(reason) => return Verdict::Supersedes { reason },
                Update::Part(reason, clauses) => {
                    let merged = merge::keep_clauses(older, newer, &clauses);
                    return Verdict::Proposal { merged, reason };
                }
                Update::Doubtful(reason) if self.cosine >= self.floor() => {
                    return Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason };
                }
                Update::Doubtful(_) | Update::None => {}
            }
            if let Some(reason) = Residue::new(older, newer).later_value() {
                return Verdict::Supersedes { reason };
            }
        }
        if (older.kind == StatementKind::Plan) != (newer.kind == StatementKind::Plan) {
            return Verdict::both_true("one of them is a plan");
        }
        if older.cues.has(Cue::Past) != newer.cues.has(Cue::Past) {
            return Verdict::both_true("one of them says what was before");
        }
        if self.known
            && self.is_prose()
            && self.cosine >= self.thresholds.contradiction_prefilter
            && let Some(reason) = event::other_maker(older, newer)
                .or_else(|| event::other_sole_cause(older, newer))
                .or_else(|| roles::other_holder(older, newer))
                .or_else(|| holders::other_holder(older, newer))
        {
            return Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason };
        }
        if archivable && self.cosine >= self.floor() && self.same_place_and_holder() {
            return Verdict::Paraphrase { reason: "the same place and holder".to_owned() };
        }
        if self.clauses().is_some_and(|[one, other]| holders::are_other_places(&ClausePair::new(one, other))) {
            return Verdict::both_true("they are about different people or things");
        }
        let pair = StatementPair::new(&older.words, &newer.words);
        if let Some(reason) = pair.unrelated().or_else(|| self.narrower()) {
            return Verdict::both_true(reason);
        }
        if let Some(conflict) = pair.find_conflict() {
            let nominated = self.cosine >= self.thresholds.contradiction_prefilter
                || (pair.differs_in_one_place() && self.cosine >= self.floor());
            let valued =
                matches!(conflict.kind, ContradictionKind::Number | ContradictionKind::Date | ContradictionKind::Name);
            if valued && self.has_other_verb() {
                return Verdict::both_true("different verbs");
            }
            if valued && newer.cues.has(Cue::Also) {
                return Verdict::both_true("the newer text adds something");
            }
            if newer.kind == StatementKind::Episode
                && older.kind == StatementKind::Episode
                && newer.cues.has(Cue::Again)
            {
                return Verdict::both_true("it happened again");
            }
            if let Some(reason) = self.limited(&conflict) {
                return Verdict::both_true(reason);
            }
            if conflict.kind == ContradictionKind::Number && self.counts_other_things(&pair) {
                return Verdict::both_true("they count different things");
            }
            if nominated && valued && self.corrects(&pair) {
                return Verdict::Supersedes { reason: format!("{}: '{}'", conflict.reason, newer.cues.words) };
            }
            if let Some(reason) = self.one_event() {
                return Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason };
            }
            if let Some(reason) = self.exclusion(&pair) {
                return Verdict::Contradicts { kind: conflict.kind, score: EVENT_CERTAINTY, reason };
            }
            if !nominated || conflict.score < self.thresholds.contradiction {
                return Verdict::unknown(format!("not sure enough of a contradiction: {}", conflict.reason));
            }
            return Verdict::Contradicts { kind: conflict.kind, score: conflict.score, reason: conflict.reason };
        }
        if let Some(reason) = self.one_event() {
            return Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason };
        }
        // "Lives" and "lived" have one stem and say different things.
        if (older.kind == StatementKind::Episode) != (newer.kind == StatementKind::Episode) {
            return Verdict::unknown("only one of them is past");
        }
        if !archivable {
            return Verdict::unknown("they are not both statements in a known language");
        }
        // "Tabs instead of spaces in Heron": what is named behind a contrast is named all the same.
        if let Some(name) = self.other_name() {
            return Verdict::both_true(format!("only one names '{name}'"));
        }
        match pair.agreement() {
            Agreement::Same { moved, reason } => {
                let enough = if moved { self.thresholds.near } else { self.floor() };
                let reordered = || moved && self.cosine >= self.floor() && paraphrase::restates(older, newer).is_some();
                if self.cosine >= enough || reordered() {
                    Verdict::Paraphrase { reason }
                } else {
                    Verdict::unknown("the same content words, but not near in meaning")
                }
            }
            Agreement::Different { reason } => {
                let restated = paraphrase::restates(older, newer).filter(|_| self.cosine >= self.floor());
                match (restated, self.exclusion(&pair)) {
                    (Some(reason), _) => Verdict::Paraphrase { reason },
                    (None, Some(reason)) => {
                        Verdict::Contradicts { kind: ContradictionKind::Name, score: EVENT_CERTAINTY, reason }
                    }
                    (None, None) => Verdict::unknown(reason),
                }
            }
        }
    }

    /// Returns a name or number of a contrast that only one of the statements has anywhere.
    fn other_name(&self) -> Option<&str> {
        let counts = |token: &Token| {
            token.capital || matches!(token.kind, TokenKind::Name | TokenKind::Number(_) | TokenKind::DateTime(_))
        };
        let sides = [(self.older, self.newer), (self.newer, self.older)];
        sides.into_iter().find_map(|(one, other)| {
            let named = one.tokens().iter().filter(|token| token.contrast && counts(token));
            let alone = |token: &&Token| !other.tokens().iter().any(|same| same.canon == token.canon);
            named.filter(alone).map(|token| token.canon.as_str()).next()
        })
    }

    /// Returns the reason if both give one event two values.
    fn one_event(&self) -> Option<String> {
        (self.cosine >= self.floor()).then(|| event::other_value_of_one_event(self.older, self.newer)).flatten()
    }

    /// Returns the reason if the frame of both statements leaves room for one of their values only.
    fn exclusion(&self, pair: &StatementPair<'_>) -> Option<String> {
        if !self.known || !self.is_prose() || self.cosine < self.floor() {
            return None;
        }
        let (older, newer) = (self.older, self.newer);
        exclusion::exchanged_parties(older, newer, pair)
            .or_else(|| exclusion::other_days(older, newer, pair))
            .or_else(|| self.clauses().and_then(|[one, other]| exclusion::other_of_one_sort(one, other)))
    }

    /// Returns true if the newer statement says that the older one was wrong, and a number or a date is all that
    /// differs: "I was wrong about Ada's birthday: it is on 14 May".
    fn corrects(&self, pair: &StatementPair<'_>) -> bool {
        let rivals = pair.alignment.numbers.len() + pair.alignment.dates.len();
        let lasting = matches!(self.older.kind, StatementKind::State | StatementKind::Instruction);
        self.known
            && self.is_prose()
            && lasting
            && self.older.clauses.len() == 1
            && self.newer.cues.has(Cue::Correction)
            && !self.older.cues.has(Cue::Correction)
            && rivals == 1
            && pair.alignment.names.is_empty()
            && pair.alignment.opposites.is_empty()
            && pair.alignment.rest[0].is_empty()
            && pair.alignment.rest[1].iter().all(|token| !token.is_heavy() || self.is_cue(token))
    }

    /// Returns true if a token of the newer statement belongs to what announces a change.
    fn is_cue(&self, token: &Token) -> bool {
        let place = self.newer.tokens().iter().position(|other| other.at == token.at);
        place.is_some_and(|at| self.newer.cues.mark(at) == Mark::Cue)
    }

    /// Returns the cosine below which a pair is never compared.
    fn floor(&self) -> f64 {
        self.thresholds.contradiction_prefilter - ONE_DIFFERENCE_ALLOWANCE
    }

    fn is_prose(&self) -> bool {
        self.older.form == Form::Prose && self.newer.form == Form::Prose
    }

    /// Returns the reason if both statements can be true whatever their words are.
    fn both_true(&self) -> Option<&'static str> {
        let kinds = [self.older.kind, self.newer.kind];
        if kinds.contains(&StatementKind::Report) && !(kinds[0] == kinds[1] && self.same_speaker()) {
            return Some("one of them says what somebody says or thinks");
        }
        if kinds.contains(&StatementKind::Hypothesis) && kinds[0] != kinds[1] {
            return Some("only one of them holds without a condition");
        }
        None
    }

    /// Returns true if both statements give a number, each for another part of the day or the year: "three at night", "two
    /// during the day".
    fn counts_at_other_times(&self) -> bool {
        let counts =
            |statement: &Statement| statement.tokens().iter().any(|token| matches!(token.kind, TokenKind::Number(_)));
        let (one, other) = (parts_of_time(self.older), parts_of_time(self.newer));
        let apart = !one.is_empty() && !other.is_empty() && !one.iter().any(|part| other.contains(part));
        apart && counts(self.older) && counts(self.newer)
    }

    /// Returns true if both statements report what the same person or text says.
    fn same_speaker(&self) -> bool {
        let speaker =
            |statement: &Statement| {
                let clause = statement.clauses.first();
                let range = clause.map_or(0..0, |clause| {
                    if clause.lead.is_empty() { clause.subject.clone() } else { clause.lead.clone() }
                });
                statement.tokens()[range]
                    .iter()
                    .filter(|token| token.is_content())
                    .map(|token| token.canon.clone())
                    .collect::<Vec<_>>()
            };
        let (one, other) = (speaker(self.older), speaker(self.newer));
        !one.is_empty() && one == other
    }

    /// Returns true if two counts are of different things: "sleeps six" and "has two cabins".
    fn counts_other_things(&self, pair: &StatementPair<'_>) -> bool {
        let Some((one, other)) = pair.alignment.numbers.first() else { return false };
        let counted = |statement: &Statement, token: &Token| {
            let plain = matches!(token.kind, TokenKind::Number(number) if number.measure == NumberUnit::Plain);
            let next = statement.tokens().iter().find(|next| next.at > token.at).filter(|_| plain);
            next.filter(|next| next.kind == TokenKind::Word && !next.verb).cloned()
        };
        match (counted(self.older, one), counted(self.newer, other)) {
            (Some(one), Some(other)) => !(matches(&one, &other) || have_common_root(&one, &other)),
            (one, other) => {
                one.is_some() != other.is_some()
                    && matches!(one.or(other), Some(noun) if !noun.light && pair.alignment.rest.iter().flatten().any(|rest| rest.canon == noun.canon))
            }
        }
    }

    /// Returns the clauses if both statements have one.
    fn clauses(&self) -> Option<[ClauseOf<'_>; 2]> {
        let single = self.older.clauses.len() == 1 && self.newer.clauses.len() == 1;
        single.then(|| [self.older, self.newer].map(|statement| ClauseOf { statement, number: 0 }))
    }

    /// Returns true if both statements say, in whatever words, that the same holder has the same place.
    fn same_place_and_holder(&self) -> bool {
        let states = self.older.kind == StatementKind::State && self.newer.kind == StatementKind::State;
        let Some([one, other]) = self.clauses().filter(|_| states) else { return false };
        let pair = ClausePair::new(one, other);
        self.older.cues.announces() == self.newer.cues.announces()
            && pair.same_circumstances()
            && pair.same_modality()
            && holders::same_holder(&pair)
    }

    /// Returns true if both statements have one clause and different verbs.
    fn has_other_verb(&self) -> bool {
        let Some([one, other]) = self.clauses() else { return false };
        let verb = |side: ClauseOf<'_>| side.clause().verb.map(|at| side.token(at).key.clone());
        let general = |key: &str| matches!(key, "happen" | "take" | "hold" | "have" | "be");
        let light = match (verb(one), verb(other)) {
            (Some(one), Some(other)) => one != other && !general(&one) && !general(&other),
            _ => false,
        };
        let full = [one, other].map(|side| side.full_verb().is_some());
        (full == [true, true] || light && full != [false, false]) && !ClausePair::new(one, other).same_verb()
    }

    /// Returns the reason if a denial is narrower than what it denies, or if a shared word stands behind
    /// another preposition: "does not work on Fridays", "the bus from Faro".
    fn limited(&self, conflict: &Conflict) -> Option<String> {
        let [one, other] = self.clauses()?;
        let pair = ClausePair::new(one, other);
        if conflict.kind != ContradictionKind::Negation {
            let valued = matches!(conflict.kind, ContradictionKind::Number | ContradictionKind::Date);
            let subject = pair.subjects[0].iter().all(|at| pair.place_of(*at).is_some());
            if valued && subject && !pair.prepositions_agree(&[]) {
                return Some("the same words behind another preposition".to_owned());
            }
            // "Closed on Fridays" and "open": what holds on some days does not exclude what holds otherwise.
            let dated = |side: ClauseOf<'_>, extra: Vec<usize>| {
                extra.into_iter().any(|at| matches!(side.token(at).kind, TokenKind::DateTime(_)))
            };
            let sides = [dated(one, pair.unmatched_older()), dated(other, pair.unmatched_newer())];
            let limited = conflict.kind == ContradictionKind::Antonym && sides[0] != sides[1];
            return limited.then(|| "only one of them holds at certain times".to_owned());
        }
        let (side, extra) =
            if other.is_negated() { (other, pair.unmatched_newer()) } else { (one, pair.unmatched_older()) };
        let limit = extra.into_iter().find(|at| {
            let token = side.token(*at);
            let dated = matches!(token.kind, TokenKind::Number(_) | TokenKind::DateTime(_));
            dated || !token.verb && !token.light && !side.clause().subject.contains(at) && !is_vague(token)
        });
        limit.map(|at| format!("only '{}' is denied", side.token(at).canon))
    }

    /// Returns the reason if the subject of one statement is narrower: "guide dogs" and "dogs",
    /// "employees over 55" and "employees", or if one holds at another time or place.
    fn narrower(&self) -> Option<String> {
        if self.older.clauses.len() != 1 || self.newer.clauses.len() != 1 {
            return None;
        }
        let [one, other] = [self.older, self.newer].map(|statement| ClauseOf { statement, number: 0 });
        let pair = ClausePair::new(one, other);
        let words = [self.older, self.newer].map(|statement| &statement.tokens()[statement.clauses[0].span.clone()]);
        let vague = words
            .iter()
            .any(|tokens| tokens.iter().any(|token| matches!(&*token.canon, "nobody" | "none" | "neither" | "there")));
        if vague {
            return None;
        }
        let partner = |side: usize, at: usize| if side == 0 { pair.place_of(at) } else { pair.own_of(at) };
        for (side, of) in [one, other].into_iter().enumerate() {
            let (own, wider) = (&pair.subjects[side], &pair.subjects[1 - side]);
            let outside = |at: &usize| partner(side, *at).is_none();
            let contains = wider.iter().all(|at| partner(1 - side, *at).is_some_and(|place| own.contains(&place)));
            let extra = own.iter().find(|at| outside(at) && !is_vague(of.token(**at)));
            if let Some(extra) = extra.filter(|_| contains && !self.is_instruction()) {
                return Some(format!("only one is about '{}'", of.token(*extra).canon));
            }
            let lead = of.clause().lead.clone();
            let stated = |at: &usize| of.token(*at).is_content() && of.mark(*at) == Mark::Plain;
            let condition = lead.clone().find(|at| stated(at) && partner(side, *at).is_none());
            if let Some(condition) = condition {
                return Some(format!("only one holds for '{}'", of.token(condition).canon));
            }
        }
        None
    }

    fn is_instruction(&self) -> bool {
        self.older.kind == StatementKind::Instruction || self.newer.kind == StatementKind::Instruction
    }

    /// Finds what the newer statement replaces in the older one.
    fn update(&self) -> Update {
        let (older, newer) = (self.older, self.newer);
        let lasting = matches!(older.kind, StatementKind::State | StatementKind::Instruction);
        let later = matches!(newer.kind, StatementKind::State | StatementKind::Instruction | StatementKind::Episode);
        if !lasting && older.kind != StatementKind::Plan || !later || older.words.exclusive != newer.words.exclusive {
            return Update::None;
        }
        let mut reasons = Vec::new();
        let mut doubtful = None;
        let mut kept = Vec::new();
        for number in 0..older.clauses.len() {
            let mut repeated = false;
            let mut replaced = None;
            for place in 0..newer.clauses.len() {
                let (one, other) =
                    (ClauseOf { statement: older, number }, ClauseOf { statement: newer, number: place });
                match effect(one, other) {
                    ClauseEffect::Replaces(reason) => replaced = Some(reason),
                    ClauseEffect::MayReplace(reason) => doubtful = Some(reason),
                    ClauseEffect::Repeats => repeated = true,
                    ClauseEffect::Nothing => {}
                }
            }
            match replaced {
                Some(reason) => reasons.push(reason),
                None if repeated => {}
                None => kept.push(number),
            }
        }
        if reasons.is_empty() {
            return doubtful.map_or(Update::None, Update::Doubtful);
        }
        let reason = reasons.join("; ");
        if kept.is_empty() { Update::All(reason) } else { Update::Part(reason, kept) }
    }
}

/// Parts of the day, the week and the year at which something may hold, in the seven languages.
const PARTS_OF_TIME: &[&[&str]] = &[
    &["night", "nights", "nachts", "nacht", "nuit", "noche", "notte", "noite"],
    &["daytime", "tagsuber", "overdag"],
    &["morning", "mornings", "morgens", "vormittags", "matin", "manana", "mattina", "manha", "ochtends"],
    &["afternoon", "afternoons", "nachmittags", "tarde", "pomeriggio", "middag"],
    &["evening", "evenings", "abends", "soir", "sera", "avonds"],
    &["weekday", "weekdays", "werktags", "wochentags"],
    &["weekend", "weekends", "wochenende"],
    &["winter", "hiver", "invierno", "inverno"],
    &["summer", "sommer", "ete", "verano", "estate", "verao", "zomer"],
];

/// Returns the parts of the day, the week or the year that a statement names, by their place in the table.
fn parts_of_time(statement: &Statement) -> Vec<usize> {
    let pieces = &statement.words.pieces;
    let during = |at: usize| at >= 2 && pieces[at].lower == "day" && pieces[at - 1].lower == "the";
    let daytime = |at: usize| during(at) && matches!(&*pieces[at - 2].lower, "during" | "by");
    let row = |at: usize| match daytime(at) {
        true => Some(1),
        false => PARTS_OF_TIME.iter().position(|words| words.contains(&&*pieces[at].lower)),
    };
    let named = |at: &usize| statement.tokens().iter().any(|token| token.at == *at && !token.contrast);
    let moved = statement.cues.change().is_some() || !statement.cues.formers.is_empty();
    if moved { Vec::new() } else { (0..pieces.len()).filter(named).filter_map(row).collect() }
}

/// Returns true for words that do not narrow a subject.
fn is_vague(token: &Token) -> bool {
    token.light
        || matches!(token.kind, TokenKind::Number(_))
        || matches!(
            &*token.canon,
            "single" | "fewer" | "anyone" | "members" | "people" | "person" | "constant" | "value" | "now"
        )
}

/// What is out of date in the older statement.
enum Update {
    All(String),
    /// Only a part; the numbers of the clauses that stay.
    Part(String, Vec<usize>),
    /// Perhaps: the value may be of another sort.
    Doubtful(String),
    None,
}

/// Returns the verdict for a contradiction that somebody else established.
pub fn contradiction(score: f64, reason: String, rules: &Verdict) -> Verdict {
    let kind = match rules {
        Verdict::Contradicts { kind, .. } => *kind,
        _ => ContradictionKind::Negation,
    };
    Verdict::Contradicts { kind, score, reason }
}
