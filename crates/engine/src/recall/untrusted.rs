//! Untrusted blocks below trusted ones: where the trusted one answers at least as well, and wherever the two say the same
//! or the opposite.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId};
use elfmem_text::language::Language;
use elfmem_text::statements::{PairThresholds, Statement, Verdict, judge, same_topic};

use super::candidates::Candidate;
use super::composite::{RankedCandidate, UNTRUSTED_SHARE, relevant_trusted};
use super::freshness::stems;
use super::pipeline::RecallContext;
use super::selection;
use crate::Result;

/// How many of the best untrusted and of the best trusted blocks are compared by what they say.
const COMPARED: usize = 8;
/// Sentences of a text that are compared with another.
const MAX_SENTENCES: usize = 12;
/// The cosine that two sentences of compared texts are judged with: both have to do with the question.
const NEAR: f64 = 0.9;
/// Words that two sentences must have in common to say the same thing, and their share of the shorter one.
const MIN_COMMON: usize = 2;
const MOST_WORDS: f64 = 0.6;
/// Smallest relevance of a trusted block that untrusted ones stand below for what they say: one that does not answer the
/// question hides no part of a document that does.
const MIN_RELEVANCE: f64 = 0.1;

/// A trusted candidate that untrusted ones are measured by.
struct TrustedCandidate {
    slot: u32,
    score: f64,
    own_match: f64,
    time: Option<f64>,
    relevance: f64,
    /// Whether it matches by itself nearly as well as the best trusted one.
    is_relevant: bool,
}

impl TrustedCandidate {
    /// Returns whether it answers at least as well as an untrusted candidate whose time does not fit better: by the text of
    /// both alone, or by their relevance. What stands around a text and what came later raise it too, and who writes many
    /// sentences chooses both.
    fn answers_as_well_as(&self, other: &Candidate) -> bool {
        let by_text = self.is_relevant && self.own_match >= other.balanced_match();
        let by_relevance = self.relevance > 0.0 && self.relevance >= other.relevance;
        (by_text || by_relevance) && self.time >= other.time
    }
}

/// Lowers the scores of untrusted candidates below those of the trusted ones that answer at least as well, or that say the
/// same or the opposite. No untrusted block is shown as more relevant than a trusted one that it stands below.
fn place_below(
    ranked: &mut [RankedCandidate],
    is_trusted: impl Fn(u32) -> bool + Copy,
    same_thing: &HashSet<(u32, u32)>,
) {
    let relevant: HashSet<u32> = relevant_trusted(ranked, is_trusted).map(|ranked| ranked.candidate.slot).collect();
    let measures: Vec<TrustedCandidate> = ranked
        .iter()
        .filter(|ranked| is_trusted(ranked.candidate.slot))
        .map(|ranked| TrustedCandidate {
            slot: ranked.candidate.slot,
            score: ranked.score,
            own_match: ranked.candidate.balanced_match(),
            time: ranked.candidate.time,
            relevance: ranked.candidate.relevance,
            is_relevant: relevant.contains(&ranked.candidate.slot),
        })
        .collect();
    for ranked in ranked.iter_mut().filter(|ranked| !is_trusted(ranked.candidate.slot)) {
        let candidate = &mut ranked.candidate;
        let is_above = |measure: &&TrustedCandidate| {
            let is_about_it =
                measure.relevance >= MIN_RELEVANCE && same_thing.contains(&(measure.slot, candidate.slot));
            measure.answers_as_well_as(candidate) || is_about_it
        };
        let least = measures.iter().filter(is_above).map(|measure| measure.score).fold(f64::INFINITY, f64::min);
        if ranked.score >= least {
            // Among themselves they keep their order.
            ranked.score = least * (1.0 - (1.0 - UNTRUSTED_SHARE) / (1.0 + ranked.score));
        }
        let above = measures.iter().filter(|measure| measure.score > ranked.score && measure.relevance > 0.0);
        candidate.relevance = above.map(|measure| measure.relevance).fold(candidate.relevance, f64::min);
    }
}

impl RecallContext<'_> {
    /// Places untrusted candidates below trusted ones, see [`place_below`].
    pub(super) fn place_untrusted_below(&self, ranked: &mut [RankedCandidate]) -> Result<()> {
        let same_thing = match self.question {
            Some(_) => self.same_thing(ranked)?,
            None => HashSet::new(),
        };
        place_below(ranked, |slot| self.index.is_trusted(slot), &same_thing);
        Ok(())
    }

    /// Returns the pairs of a trusted and an untrusted block, both among the best, that say the same or the opposite.
    fn same_thing(&self, ranked: &[RankedCandidate]) -> Result<HashSet<(u32, u32)>> {
        let best = |trusted: bool| -> Vec<u32> {
            let mut best: Vec<&RankedCandidate> =
                ranked.iter().filter(|ranked| self.index.is_trusted(ranked.candidate.slot) == trusted).collect();
            best.sort_by(|a, b| selection::compare(a, b, |a, b| self.index.by_id(a, b)));
            best.into_iter().take(COMPARED).map(|ranked| ranked.candidate.slot).collect()
        };
        let (trusted, others) = (best(true), best(false));
        if trusted.is_empty() || others.is_empty() {
            return Ok(HashSet::new());
        }
        let ids: Vec<BlockId> =
            trusted.iter().chain(&others).filter_map(|slot| self.index.id(*slot).cloned()).collect();
        let blocks: Vec<Block> = self.snapshot.get_blocks(&ids)?;
        let sentences: HashMap<u32, Vec<AnalysedSentence>> =
            blocks.iter().filter_map(|block| Some((self.index.slot(&block.id)?, sentences(&block.content)))).collect();
        let mut same: HashSet<(u32, u32)> = self.index.contradicting_pairs().iter().copied().collect();
        same.extend(same.clone().into_iter().map(|(one, other)| (other, one)));
        same.retain(|(one, other)| trusted.contains(one) && others.contains(other));
        for one in &trusted {
            for other in &others {
                if let (Some(own), Some(theirs)) = (sentences.get(one), sentences.get(other))
                    && own.iter().any(|own| theirs.iter().any(|theirs| say_the_same_thing(own, theirs)))
                {
                    same.insert((*one, *other));
                }
            }
        }
        Ok(same)
    }
}

/// A sentence, taken apart.
struct AnalysedSentence {
    statement: Statement,
    stems: HashSet<String>,
}

/// Returns the sentences of a text.
fn sentences(text: &str) -> Vec<AnalysedSentence> {
    let language = Language::detect(text).unwrap_or(Language::English);
    let sentences = text.split_inclusive(['.', '!', '?', ';', '\n']).map(str::trim);
    let sentences = sentences.filter(|sentence| sentence.len() > 1).take(MAX_SENTENCES);
    sentences
        .map(|text| AnalysedSentence {
            statement: Statement::parse(text),
            stems: stems(text, language).into_iter().collect(),
        })
        .collect()
}

/// Returns whether two sentences speak of the same attribute of the same subject, have most words in common, or the rules
/// find that one repeats, replaces or contradicts the other.
fn say_the_same_thing(own: &AnalysedSentence, theirs: &AnalysedSentence) -> bool {
    let common = own.stems.intersection(&theirs.stems).count();
    let fewest = own.stems.len().min(theirs.stems.len());
    let alike = common >= MIN_COMMON && common as f64 >= MOST_WORDS * fewest as f64;
    let verdict = || judge(&own.statement, &theirs.statement, NEAR, PairThresholds::BUILT_IN);
    alike || same_topic(&own.statement, &theirs.statement) || !matches!(verdict(), Verdict::Related { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::ScoreComponents;

    fn matching(slot: u32, own: f64, score: f64, time: Option<f64>) -> RankedCandidate {
        let candidate =
            Candidate { slot, words: own, meaning: Some(own), time, relevance: own, ..Candidate::default() };
        RankedCandidate {
            candidate,
            components: ScoreComponents::default(),
            score,
            guaranteed: false,
            newer: None,
            placed_by_time: false,
        }
    }

    /// The order of three candidates, of which the first is trusted.
    fn order(mut ranked: Vec<RankedCandidate>, same_thing: &[(u32, u32)]) -> Vec<u32> {
        place_below(&mut ranked, |slot| slot == 0, &same_thing.iter().copied().collect());
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranked.iter().map(|ranked| ranked.candidate.slot).collect()
    }

    #[test]
    fn an_untrusted_block_is_not_raised_over_a_better_match_by_what_stands_around_it() {
        let others = |own: f64| [matching(0, 0.7, 1.0, None), matching(1, own, 1.5, None), matching(2, own, 1.4, None)];
        assert_eq!(order(others(0.6).to_vec(), &[]), [0, 1, 2], "raised by its surroundings alone");
        assert_eq!(order(others(0.8).to_vec(), &[]), [1, 2, 0], "a better match of its own");
        assert_eq!(order(others(0.8).to_vec(), &[(0, 1)]), [2, 0, 1], "says the same or the opposite");
        let dated =
            [matching(0, 0.7, 1.0, Some(0.1)), matching(1, 0.6, 1.5, Some(0.9)), matching(2, 0.6, 0.2, Some(0.1))];
        assert_eq!(order(dated.to_vec(), &[]), [1, 0, 2], "the time that was asked for");
    }

    #[test]
    fn an_untrusted_block_stands_below_a_trusted_one_of_the_same_relevance_and_shows_no_more() {
        let with = |slot: u32, score: f64, relevance: f64| {
            let mut ranked = matching(slot, if slot == 0 { 0.1 } else { 0.8 }, score, None);
            ranked.candidate.relevance = relevance;
            ranked
        };
        assert_eq!(order(vec![with(0, 1.0, 0.9), with(1, 1.5, 0.9)], &[]), [0, 1]);
        assert_eq!(order(vec![with(0, 1.0, 0.8), with(1, 1.5, 0.9)], &[]), [1, 0]);
        assert_eq!(order(vec![with(0, 1.0, 0.5), with(1, 1.5, 0.9)], &[(0, 1)]), [0, 1]);
        assert_eq!(order(vec![with(0, 1.0, 0.05), with(1, 1.5, 0.9)], &[(0, 1)]), [1, 0], "it does not answer");
        let mut placed = vec![with(0, 1.0, 0.8), with(1, 1.5, 0.9)];
        place_below(&mut placed, |slot| slot == 0, &HashSet::from([(0, 1)]));
        assert_eq!(placed[1].candidate.relevance, 0.8);
    }

    #[test]
    fn sentences_about_one_attribute_say_the_same_thing() {
        let says = |own: &str, theirs: &str| {
            let theirs = sentences(theirs);
            sentences(own).iter().any(|own| theirs.iter().any(|theirs| say_the_same_thing(own, theirs)))
        };
        assert!(says("Deploys happen on Tuesdays", "Since yesterday deploys happen on Fridays.\n\nAsk Ben."));
        assert!(says("Refunds need approval by Maria", "Refunds do not need approval by Maria."));
        assert!(!says("Deploys happen on Tuesdays", "The office is in Bonn. The bakery opens at six."));
    }
}
