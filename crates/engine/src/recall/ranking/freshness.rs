//! The newest statement first: of candidates that speak of the same thing, the latest comes before the others.
//!
//! Two candidates speak of the same thing if they are near each other, by the cosine of their vectors and by the share of
//! words that they have in common. Tags that both have let them be less near, and tags of which they share none demand
//! more. A later text that announces a change ("now", "moved to", "no longer") needs to be less near than one that merely
//! states another value. A later text replaces the one it is nearest to, and no other. What the question names must be
//! in both: a question about the Linux job is not answered by what was noted later about the macOS job. A question about
//! the part of an older text that still holds is answered by the older text: "Ada moved to Porto" says nothing about the
//! team that she runs.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId, Timestamp};
use elfmem_text::language::{Language, unmarked};
use elfmem_text::statements::{
    AskedAttribute, PairProbabilities, PairThresholds, Verdict, is_other_matter_under_heading, judge_texts,
};
use elfmem_text::terms::terms_in;
use elfmem_text::updates::{QuestionTense, announces_change};

use crate::Result;
use crate::recall::pipeline::RecallContext;
use crate::recall::question::asked_attribute::{AttributeValues, DatedText, stated_time};
use crate::recall::question::asked_part::PartNearness;
use crate::recall::question::parsed::{MAX_QUESTION, NamedWord, Question};
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::selection;

/// The category of what was said in a conversation.
const MESSAGE: &str = "message";
/// How many of the best candidates are compared with each other.
const COMPARED: usize = 24;
/// How many of the best may be found outdated.
const REPLACED: usize = 8;
/// Smallest nearness of a text and a later one that announces a change, if they have no tag in common.
const NEAR: f64 = 1.3;
/// How much less is enough if all tags of the one with fewer are tags of the other.
const SAME_TAGS: f64 = 0.9;
/// Smallest nearness if one of them has no tags.
const NEAR_UNTAGGED: f64 = 0.6;
/// How much nearer than it must be a text without tags is that may replace what answers the question, though it does not
/// answer it itself.
const UNTAGGED_NEWS: f64 = 0.5;
/// How much nearer a later text must be that announces no change: all but the value must agree.
const WITHOUT_CHANGE: f64 = 0.7;
/// The weight of the share of common words beside the cosine.
const SHARED_WORDS: f64 = 0.9;
/// Smallest match of the later text with the question, relative to that of the older one.
const MIN_MATCH: f64 = 0.15;
/// The same of a later text that is recorded as a contradiction of the older one: a dream has compared the two.
const OPPOSED_MATCH: f64 = 0.15;
/// How many of the best candidates the model of pairs is asked about, with later ones of such a cosine.
const ASKED_ABOUT: usize = 2;
const ASKED_COSINE: f64 = 0.50;
/// The likelihood that a later candidate replaces an older one, both near the top for one question: weights of the cosine, of
/// the log-odds that the model gives an update or a contradiction, and the intercept. Decision 90 says how they were fitted.
const LIKELIHOOD: [f64; 3] = [10.9, 0.25, -7.9];
/// Smallest likelihood of a later text that replaces an older one.
const LIKELY: f64 = 0.25;
/// The probability that both are true from which no text replaces another by the curve.
const BOTH_TRUE: f64 = 0.80;
/// The probability that both are true from which a text does not replace another by its nearness, and the cosine from which
/// it does all the same: the model holds "has moved to Kassel" and "lives in Bonn as a dentist" to be both true.
const SURELY_BOTH_TRUE: f64 = 0.90;
const VERY_NEAR: f64 = 0.55;
/// The share of what the question names that the later text must hold, of what the older one holds, by rarity.
const MIN_NAMED: f64 = 0.45;
/// Words of a text that may replace another; a longer one tells of many things.
const MAX_WORDS: usize = 60;
/// Later values of one thing at most, if no text announces a change.
const MAX_VALUES: usize = 2;
/// Letters by which two forms of a name agree.
const NAME_LETTERS: usize = 5;

/// A candidate with its text.
struct Note {
    /// Its place among the ranked candidates.
    at: usize,
    slot: u32,
    block: Block,
}

/// A candidate that is compared with others.
struct Compared {
    /// Its place among the ranked candidates.
    at: usize,
    slot: u32,
    block: Block,
    /// The language of the text; none if it does not tell.
    language: Option<Language>,
    /// The stems of its words in that language.
    terms: HashSet<String>,
    /// The same stemmed like English, to compare texts of two languages: names are the same in both.
    names: HashSet<String>,
    tag_terms: HashSet<String>,
    announces_change: bool,
}

impl Compared {
    fn new(at: usize, slot: u32, block: Block) -> Self {
        let language = Language::detect(&block.content);
        let terms = stems(&block.content, language.unwrap_or(Language::English)).into_iter().collect();
        let names = stems(&block.content, Language::English).into_iter().collect();
        let tag_terms = block.tags.iter().flat_map(|tag| stems(tag.as_str(), Language::English)).collect();
        let announces_change = announces_change(&block.content);
        Self { at, slot, block, language, terms, names, tag_terms, announces_change }
    }

    /// Returns whether this text is later than another: by the time of the events if both have one, or else by when they were
    /// stored.
    fn is_later_than(&self, other: &Self) -> bool {
        match (self.block.event_at, other.block.event_at) {
            (Some(own), Some(others)) if own != others => own > others,
            _ => self.block.created_at > other.block.created_at,
        }
    }

    /// Returns by how much two texts with some cosine are nearer than they must be to speak of the same thing, if this one
    /// is the later; below zero if they are not near enough.
    /// Words of `named`, which the question names, do not count: two notes about one person need not be about one thing.
    fn margin(&self, older: &Self, cosine: f64, named: &HashSet<String>) -> f64 {
        let needed = match common_share(&self.tag_terms, &older.tag_terms) {
            Some(tags) => NEAR - SAME_TAGS * tags,
            None => NEAR_UNTAGGED,
        };
        let needed = if self.announces_change { needed } else { needed + WITHOUT_CHANGE };
        let words = match self.is_in_another_language_than(older) {
            true => common_share(&self.names, &older.names),
            false => common_share(&without(&self.terms, named), &without(&older.terms, named)),
        };
        cosine + SHARED_WORDS * words.unwrap_or(0.0) - needed
    }

    /// Returns whether two texts are in two languages.
    fn is_in_another_language_than(&self, other: &Self) -> bool {
        matches!((self.language, other.language), (Some(one), Some(other)) if one != other)
    }

    /// Returns whether this text holds what the question names, as far as an older one does: every number, and most of the
    /// names. Names of places and the like have other forms in another language.
    fn holds_names(&self, older: &Self, names: &[NamedWord]) -> bool {
        let translated = self.is_in_another_language_than(older);
        let (mut all, mut held) = (0.0, 0.0);
        for name in names.iter().filter(|name| older.holds(name)) {
            if name.is_number && !self.holds(name) {
                return false;
            }
            if translated || name.is_number {
                continue;
            }
            all += name.rarity;
            held += if self.holds(name) { name.rarity } else { 0.0 };
        }
        held >= MIN_NAMED * all
    }

    /// Returns whether a question asks for what this text leaves true of an older one: for another part of the older text than
    /// the one that this text speaks of, or by a word that is only in what a merged text would keep.
    fn leaves_true(&self, older: &Self, cosine: f64, question: &str, names: &[NamedWord]) -> bool {
        let language = older.language.unwrap_or(Language::English);
        let names: HashSet<String> = names.iter().flat_map(|name| name.stems.iter().cloned()).collect();
        let mut nearness = PartNearness::without(&names);
        if nearness.asks_for_another_part(&older.block.content, &self.block.content, question, language) {
            return true;
        }
        let verdict = judge_texts(&older.block.content, &self.block.content, cosine, PairThresholds::BUILT_IN);
        let Verdict::Proposal { merged, .. } = verdict else { return false };
        let kept: HashSet<String> = stems(&merged, language).into_iter().collect();
        stems(question, language)
            .iter()
            .any(|term| older.terms.contains(term) && kept.contains(term) && !self.terms.contains(term))
    }

    /// Returns whether the text or a tag holds a name, in whichever form.
    fn holds(&self, name: &NamedWord) -> bool {
        let begins_alike = |stem: &str, term: &str| {
            !name.is_number
                && stem.chars().count() >= NAME_LETTERS
                && stem.chars().zip(term.chars()).take_while(|(a, b)| a == b).count() >= NAME_LETTERS
        };
        let alike = |term: &String| name.stems.iter().any(|stem| stem == term || begins_alike(stem, term));
        self.terms.iter().any(alike) || self.tag_terms.iter().any(alike)
    }
}

/// Returns the stems of the words that tell something.
pub(in crate::recall) fn stems(text: &str, language: Language) -> Vec<String> {
    let terms = terms_in(text, language).into_iter().filter(|term| !term.stop);
    terms.map(|term| unmarked(&term.text).to_owned()).collect()
}

/// Returns the words of a set that are not in another.
fn without(words: &HashSet<String>, others: &HashSet<String>) -> HashSet<String> {
    words.difference(others).cloned().collect()
}

/// Returns the share of the smaller set that is in both; none if one is empty.
pub(in crate::recall) fn common_share(one: &HashSet<String>, other: &HashSet<String>) -> Option<f64> {
    let fewest = one.len().min(other.len());
    (fewest > 0).then(|| one.intersection(other).count() as f64 / fewest as f64)
}

impl RecallContext<'_> {
    /// Moves later statements before the older ones that they replace, and marks the older ones. A question about the past
    /// leaves the order, and one about what was before turns it round.
    pub(in crate::recall) fn prefer_newest(&self, ranked: &mut [RankedCandidate], question: &Question) -> Result<()> {
        let tense = QuestionTense::of(self.request.question().unwrap_or_default());
        let has_time = question.time.as_ref().is_some_and(|time| time.span.is_some());
        // "Before it is merged" names no time that has passed, though the memory may know of a merge.
        let is_stated = self.question.is_some_and(|parsed| parsed.event().is_none());
        if tense == QuestionTense::Past || has_time && (is_stated || tense == QuestionTense::Former) {
            return self.prefer_what_held(ranked);
        }
        let mut compared = self.compared(ranked, COMPARED)?;
        let opposed = self.opposed(&compared);
        compared.extend(self.absent_opponents(ranked, &compared, &opposed)?);
        let compared = compared;
        let vectors = self.index.full_vectors(self.snapshot, compared.iter().map(|one| one.slot))?;
        let own_match = |one: &Compared| ranked[one.at].candidate.own_match();
        let cosine = |older: &Compared, newer: &Compared| vectors.cosine_between(older.slot, newer.slot).unwrap_or(0.0);
        let named: HashSet<String> =
            question.named.iter().filter(|name| !name.is_number).flat_map(|name| name.stems.iter().cloned()).collect();
        let margin = |older: &Compared, newer: &Compared| newer.margin(older, cosine(older, newer), &named);
        let asked = self.request.question().unwrap_or_default();
        // How near a later text is to the nearest before it. An untrusted one must not keep it from a trusted one.
        let counts = |older: &Compared, newer: &Compared| {
            newer.is_later_than(older)
                && older.terms.len() <= MAX_WORDS
                && (self.index.is_trusted(older.slot) || !self.index.is_trusted(newer.slot))
        };
        let nearest = |newer: &Compared| {
            let earlier = compared.iter().filter(|older| counts(older, newer));
            earlier.map(|older| margin(older, newer)).fold(f64::NEG_INFINITY, f64::max)
        };
        let nearest: Vec<f64> = compared.iter().map(nearest).collect();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (rank, older) in compared.iter().take(REPLACED).enumerate() {
            let is_likely = |newer: &Compared| rank < ASKED_ABOUT && self.is_likely(older, newer, cosine(older, newer));
            let replaces = |newer: &Compared, nearest: f64| {
                newer.is_later_than(older)
                    && newer.terms.len() <= MAX_WORDS
                    && self.may_precede(newer.slot, older.slot)
                    && (tense != QuestionTense::Former || self.may_precede(older.slot, newer.slot))
                    && newer.holds_names(older, &question.named)
                    && match opposed.contains(&(older.slot, newer.slot)) {
                        true => own_match(newer) >= OPPOSED_MATCH * own_match(older),
                        false => {
                            let is_near = margin(older, newer) >= nearest.max(0.0);
                            own_match(newer) >= MIN_MATCH * own_match(older)
                                && (is_near && !self.may_both_hold(&older.block, &newer.block, cosine(older, newer))
                                    || is_likely(newer))
                        }
                    }
                    && !newer.leaves_true(older, cosine(older, newer), asked, &question.named)
            };
            let near = compared.iter().zip(&nearest).filter(|(newer, nearest)| replaces(newer, **nearest));
            let (announced, others): (Vec<&Compared>, Vec<&Compared>) =
                near.map(|(newer, _)| newer).partition(|newer| {
                    newer.announces_change || opposed.contains(&(older.slot, newer.slot)) || is_likely(newer)
                });
            pairs.extend(announced.into_iter().map(|newer| (older.at, newer.at)));
            // Many texts that differ in a value alone are a series, such as the shelves of a room: none replaces another.
            if others.len() <= MAX_VALUES {
                pairs.extend(others.into_iter().map(|newer| (older.at, newer.at)));
            }
        }
        if tense == QuestionTense::Present
            && let Some((read, told)) = self.attribute_values(ranked, None)?
        {
            let holds = read[told.holds].at;
            // Whether a text answers is known better than how near texts are; what is not understood may still be news.
            let answers: HashSet<usize> = told.answers().map(|at| read[at].at).collect();
            let is_news = |older: usize, newer: usize| {
                let find = |at: usize| compared.iter().find(|one| one.at == at);
                let (Some(older), Some(newer)) = (find(older), find(newer)) else { return false };
                if opposed.contains(&(older.slot, newer.slot)) || self.is_likely(older, newer, cosine(older, newer)) {
                    return true;
                }
                let is_tagged = !older.tag_terms.is_empty() && !newer.tag_terms.is_empty();
                is_tagged || margin(older, newer) >= UNTAGGED_NEWS
            };
            pairs.retain(|(older, newer)| {
                !answers.contains(older) || !answers.contains(newer) && is_news(*older, *newer)
            });
            let has_news = pairs.iter().any(|(older, _)| *older == holds);
            let may_follow = |at: &usize| self.may_precede(read[told.holds].slot, read[*at].slot);
            let newest = &read[told.holds];
            let may_be_outdated = |at: &usize| {
                let cosine = vectors.cosine_between(read[*at].slot, newest.slot).unwrap_or(0.0);
                !self.may_both_hold(&read[*at].block, &newest.block, cosine)
            };
            let outdated = told.outdated().filter(may_follow).filter(may_be_outdated);
            pairs.extend(outdated.map(|at| (read[at].at, holds)));
            order(ranked, &pairs, &opposed, tense);
            if !has_news {
                self.lead_with(ranked, holds);
            }
            return Ok(());
        }
        order(ranked, &pairs, &opposed, tense);
        Ok(())
    }

    /// Returns whether nearness says nothing: they speak of two matters under one heading, or the model of pairs holds both to
    /// be true.
    fn may_both_hold(&self, older: &Block, newer: &Block, cosine: f64) -> bool {
        is_other_matter_under_heading(&older.content, &newer.content)
            || cosine < VERY_NEAR
                && self.opinions.of(older, newer, cosine).is_some_and(|opinion| opinion.both_true >= SURELY_BOTH_TRUE)
    }

    /// Returns whether the model of pairs finds it likely that a later candidate replaces an older one.
    fn is_likely(&self, older: &Compared, newer: &Compared, cosine: f64) -> bool {
        cosine >= ASKED_COSINE
            && !is_other_matter_under_heading(&older.block.content, &newer.block.content)
            && self
                .opinions
                .of(&older.block, &newer.block, cosine)
                .is_some_and(|opinion| opinion.both_true < BOTH_TRUE && likelihood(cosine, opinion) >= LIKELY)
    }

    /// Moves the text before the others that says what held at the time that the question states.
    fn prefer_what_held(&self, ranked: &mut [RankedCandidate]) -> Result<()> {
        let Some(span) = self.question.and_then(stated_time) else { return Ok(()) };
        if let Some((read, told)) = self.attribute_values(ranked, Some(span.until))? {
            self.lead_with(ranked, read[told.holds].at);
        }
        Ok(())
    }

    /// Reads what the candidates say about the attribute that is asked about, before `until` if there is a limit; none if
    /// the question asks for no attribute or none of them gives it a value.
    fn attribute_values(
        &self,
        ranked: &[RankedCandidate],
        until: Option<Timestamp>,
    ) -> Result<Option<(Vec<Note>, AttributeValues)>> {
        let question = self.request.question().unwrap_or_default();
        let asked = if question.len() > MAX_QUESTION { None } else { AskedAttribute::parse(question) };
        let Some(asked) = asked else { return Ok(None) };
        let mut notes = self.notes(ranked, COMPARED)?;
        notes.retain(|note| asked.may_be_about(&note.block.content));
        let told = notes.iter().map(|note| DatedText::of(&note.block, self.index.is_trusted(note.slot)));
        let told: Vec<DatedText<'_>> = told.collect();
        let values = AttributeValues::among(&asked, &told, until);
        Ok(values.map(|values| (notes, values)))
    }

    /// Moves the text that says what holds before all others, as far as trust allows it.
    fn lead_with(&self, ranked: &mut [RankedCandidate], holds: usize) {
        let slot = ranked[holds].candidate.slot;
        let behind = |at: &usize| *at != holds && self.may_precede(slot, ranked[*at].candidate.slot);
        let best = (0..ranked.len()).filter(behind).max_by(|a, b| ranked[*a].score.total_cmp(&ranked[*b].score));
        if let Some(best) = best.filter(|best| raise_above(ranked, holds, *best)) {
            let highest = ranked[best].candidate.relevance;
            let own = &mut ranked[holds].candidate.relevance;
            *own = own.max(highest);
        }
    }

    /// Returns the pairs that are recorded as contradictions, both ways round, of which one of the best candidates is a part.
    fn opposed(&self, compared: &[Compared]) -> HashSet<(u32, u32)> {
        let best: HashSet<u32> = compared.iter().take(REPLACED).map(|one| one.slot).collect();
        let pairs = self.index.contradicting_pairs().iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        pairs.filter(|(a, b)| best.contains(a) || best.contains(b)).collect()
    }

    /// Returns the candidates that contradict one of the best and match the question too little to be compared otherwise.
    fn absent_opponents(
        &self,
        ranked: &[RankedCandidate],
        compared: &[Compared],
        opposed: &HashSet<(u32, u32)>,
    ) -> Result<Vec<Compared>> {
        let known: HashSet<u32> = compared.iter().map(|one| one.slot).collect();
        let absent: HashSet<u32> = opposed.iter().map(|(slot, _)| *slot).filter(|slot| !known.contains(slot)).collect();
        let places = (0..ranked.len()).filter(|at| absent.contains(&ranked[*at].candidate.slot));
        let places: Vec<usize> = places.filter(|at| !ranked[*at].guaranteed).collect();
        Ok(self
            .notes_at(ranked, places)?
            .into_iter()
            .map(|note| Compared::new(note.at, note.slot, note.block))
            .collect())
    }

    /// Returns the best candidates with what is needed to compare them.
    fn compared(&self, ranked: &[RankedCandidate], count: usize) -> Result<Vec<Compared>> {
        Ok(self.notes(ranked, count)?.into_iter().map(|note| Compared::new(note.at, note.slot, note.block)).collect())
    }

    /// Returns the best candidates with their texts. What was said in a conversation, and what a document says, tells of its
    /// own time and replaces nothing. Notes that two people stored one after the other are no conversation.
    fn notes(&self, ranked: &[RankedCandidate], count: usize) -> Result<Vec<Note>> {
        let is_note = |slot: u32| !self.index.is_in_document(slot);
        let mut places: Vec<usize> =
            (0..ranked.len()).filter(|at| !ranked[*at].guaranteed && is_note(ranked[*at].candidate.slot)).collect();
        let by_id = |a: u32, b: u32| self.index.by_id(a, b);
        places.sort_by(|a, b| selection::compare(&ranked[*a], &ranked[*b], by_id));
        places.truncate(2 * count);
        let mut notes = self.notes_at(ranked, places)?;
        notes.truncate(count);
        Ok(notes)
    }

    /// Returns the candidates at some places that are no messages, with their texts.
    fn notes_at(&self, ranked: &[RankedCandidate], places: Vec<usize>) -> Result<Vec<Note>> {
        let ids: Vec<BlockId> =
            places.iter().filter_map(|at| self.index.id(ranked[*at].candidate.slot).cloned()).collect();
        let notes = self.snapshot.get_blocks(&ids)?.into_iter().filter(|block| block.category.as_str() != MESSAGE);
        let mut blocks: HashMap<BlockId, Block> = notes.map(|block| (block.id.clone(), block)).collect();
        let notes = places.into_iter().filter_map(|at| {
            let slot = ranked[at].candidate.slot;
            Some(Note { at, slot, block: blocks.remove(self.index.id(slot)?)? })
        });
        Ok(notes.collect())
    }

    /// Returns whether a block may be put before another: an untrusted one never before a trusted one.
    fn may_precede(&self, newer: u32, older: u32) -> bool {
        self.index.is_trusted(newer) || !self.index.is_trusted(older)
    }
}

/// Returns how likely a later candidate replaces an older one.
fn likelihood(cosine: f64, opinion: PairProbabilities) -> f64 {
    let conflict = (opinion.update + opinion.contradiction).clamp(1e-4, 1.0 - 1e-4);
    let [by_cosine, by_opinion, intercept] = LIKELIHOOD;
    let sum = by_cosine * cosine + by_opinion * (conflict / (1.0 - conflict)).ln() + intercept;
    1.0 / (1.0 + (-sum).exp())
}

/// Raises the score of the text that comes first in each pair of an older and a newer one, and marks the older ones. Texts
/// that replace the same one keep their order.
fn order(
    ranked: &mut [RankedCandidate],
    pairs: &[(usize, usize)],
    opposed: &HashSet<(u32, u32)>,
    tense: QuestionTense,
) {
    let before: Vec<f64> = ranked.iter().map(|ranked| ranked.score).collect();
    let beside = pairs.iter().flat_map(|(older, newer)| {
        let others = pairs.iter().filter(move |(same, other)| same == older && other != newer);
        others.map(move |(_, other)| (*newer, *other))
    });
    let better: Vec<(usize, usize)> =
        beside.filter(|(one, other)| tense == QuestionTense::Present && before[*one] > before[*other]).collect();
    // A chain of replaced texts needs one round for each of its links.
    for _ in 0..(pairs.len() + better.len()).min(COMPARED) {
        let mut changed = false;
        for (older, newer) in pairs {
            let (first, second) = if tense == QuestionTense::Former { (*older, *newer) } else { (*newer, *older) };
            if raise_above(ranked, first, second) {
                changed = true;
                // What answers in place of another is as relevant as that one was.
                let (one, other) = (ranked[first].candidate.relevance, ranked[second].candidate.relevance);
                ranked[first].candidate.relevance = one.max(other);
                // What is contradicted stays in the answer, below and marked.
                if !opposed.contains(&(ranked[first].candidate.slot, ranked[second].candidate.slot)) {
                    ranked[second].candidate.relevance = one.min(other);
                }
            }
        }
        for (first, second) in &better {
            changed |= raise_above(ranked, *first, *second);
        }
        if !changed {
            break;
        }
    }
    for (older, newer) in pairs {
        let better = ranked[*older].newer.is_none_or(|_| ranked[*newer].newer.is_none());
        if better {
            ranked[*older].newer = Some(ranked[*newer].candidate.slot);
        }
    }
}

/// Raises a score above another unless it is higher; returns whether it was raised.
fn raise_above(ranked: &mut [RankedCandidate], first: usize, second: usize) -> bool {
    let raised = ranked[first].score <= ranked[second].score;
    if raised {
        ranked[first].score = ranked[second].score.next_up();
        ranked[first].placed_by_time = true;
    }
    raised
}
