//! From a request to the blocks that are shown: all stages in order, over one state of the memory.

use std::collections::HashSet;

use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{ActiveHours, Frame, ScoreWeights, Timestamp, TrustPolicy};
use elfmem_index::{AdjacencyList, AdjacentEdge, AdjacentEdgeKind};
use elfmem_store::{BlockFilter, Snapshot};
use elfmem_text::temporal::{TemporalRelation, TimeSpan};

use super::candidates::{Candidate, RESERVED, Scoring};
use super::composite::{self, RankedCandidate};
use super::embedding::QuestionEmbedding;
use super::expansion::{self, SEEDS, SeedEdge};
use super::filter::{CandidateFilter, Window};
use super::fusion::FusionWeights;
use super::question::{ParsedQuestion, Question};
use super::request::Recall;
use super::scores::BlockScores;
use super::scratch::ScratchPool;
use super::selection::{self, Selection};
use super::shortlist::{ShortlistSources, shortlist};
use super::suppression::{self, Suppressed};
use super::top_k::TopK;
use crate::Result;
use crate::memory_index::MemoryIndex;
use crate::results::Strength;

/// Smallest number of candidates that are ranked, and their number for each requested result.
const MIN_RANKED: usize = 48;
const RANKED_PER_RESULT: usize = 4;
/// Smallest relevance of a candidate: being stored beside a good answer is not enough.
const MIN_RELEVANCE: f64 = 0.02;
/// The template of frames that rank by relevance alone: their answers are not made diverse.
const SEARCH: &str = "search";
/// The template of frames that say who the agent is. They show no untrusted block.
pub(super) const IDENTITY: &str = "self";

/// Everything that one request is answered from.
#[derive(Clone, Copy)]
pub(crate) struct RecallContext<'a> {
    pub(crate) snapshot: &'a dyn Snapshot,
    /// The state of the index that belongs to the snapshot.
    pub(crate) index: &'a MemoryIndex,
    pub(crate) request: &'a Recall,
    /// The question of the request, if it has one.
    pub(crate) question: Option<&'a ParsedQuestion>,
    pub(crate) embedding: &'a QuestionEmbedding,
    pub(crate) frame: &'a Frame,
    pub(crate) weights: ScoreWeights,
    pub(crate) hours: ActiveHours,
    pub(crate) at: Timestamp,
    pub(crate) trust: &'a TrustPolicy,
    pub(crate) scratch: &'a ScratchPool,
}

/// How many blocks a search looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount {
    /// Requested results, which the length of the shortlist depends on.
    pub(super) results: usize,
    /// Candidates that are returned.
    pub(super) candidates: usize,
    /// With fewer trusted blocks on the shortlist, a second one of trusted blocks alone is made.
    pub(super) trusted: usize,
}

/// The result of all stages, still by slot.
#[derive(Debug)]
pub(crate) struct PipelineOutput<'a> {
    pub(crate) question: Question,
    /// The scores of all blocks; none without a question.
    pub(crate) scores: Option<BlockScores<'a>>,
    pub(crate) filter: CandidateFilter<'a>,
    pub(crate) selection: Selection,
    pub(crate) suppressed: Vec<Suppressed>,
    /// The relevance of the best candidate.
    pub(crate) relevance: Option<f64>,
    pub(crate) strength: Option<Strength>,
}

impl PipelineOutput<'_> {
    /// Creates a candidate for a block that was not found.
    pub(crate) fn candidate(&self, slot: u32) -> Candidate {
        self.scores.as_ref().map_or_else(|| without_question(slot), |scores| scores.candidate(slot))
    }
}

/// Creates a candidate where no question was asked.
fn without_question(slot: u32) -> Candidate {
    Candidate { slot, ..Candidate::default() }
}

impl<'a> RecallContext<'a> {
    /// Returns how many blocks are requested beyond the guaranteed ones.
    pub(crate) fn top_k(&self) -> usize {
        self.request.filter.top_k
    }

    /// Returns how many candidates are ranked.
    fn ranked(&self) -> usize {
        self.top_k().saturating_mul(RANKED_PER_RESULT).max(MIN_RANKED)
    }

    /// Returns how many trusted candidates are ranked whatever else there is.
    fn reserved(&self) -> usize {
        RESERVED.max(self.top_k())
    }

    /// Runs all stages up to the selection.
    pub(crate) fn run(&self) -> Result<PipelineOutput<'a>> {
        let index = self.index;
        let filter = self.filter()?;
        let guaranteed = self.guaranteed()?;
        let mut found = match self.question {
            Some(parsed) => self.search(parsed, &filter)?,
            None => FoundCandidates { candidates: self.most_used(&filter)?, ..FoundCandidates::default() },
        };
        truncate(&mut found.candidates, self.ranked(), self.reserved(), |slot| index.is_trusted(slot));
        let FoundCandidates { question, scores, mut candidates, relevance } = found;
        let candidate =
            |slot: u32| scores.as_ref().map_or_else(|| without_question(slot), |scores| scores.candidate(slot));
        if self.question.is_some() {
            self.expand(&mut candidates, |slot| {
                (index.contains(slot) && filter.accepts(slot)).then(|| candidate(slot))
            })?;
        }
        let present: HashSet<u32> = candidates.iter().map(|candidate| candidate.slot).collect();
        candidates.extend(guaranteed.iter().filter(|slot| !present.contains(slot)).map(|slot| candidate(*slot)));
        let mut ranked = self.rank(candidates)?;
        for ranked in &mut ranked {
            ranked.guaranteed = guaranteed.contains(&ranked.candidate.slot);
        }
        let by_id = |a: u32, b: u32| index.by_id(a, b);
        let is_trusted = |slot: u32| index.is_trusted(slot);
        let suppressed = suppression::suppress(&mut ranked, index.contradicting_pairs(), by_id, is_trusted);
        let mut selection = self.select(ranked)?;
        if index.has_untrusted() {
            let answers = |relevance: f64| Strength::of(relevance, index.len()) == Strength::Strong;
            selection.reserve_trusted_slots(is_trusted, answers, by_id);
        }
        let strength = relevance.map(|relevance| Strength::of(relevance, index.len()));
        Ok(PipelineOutput { question, scores, filter, selection, suppressed, relevance, strength })
    }

    /// Returns the filter that frame and request define.
    pub(super) fn filter(&self) -> Result<CandidateFilter<'a>> {
        let filters = &self.frame.filters;
        let request = self.request_filter();
        let filter = BlockFilter {
            any_tag: filters.tag_patterns.clone(),
            categories: match &self.request.filter.category {
                // A block has one category: it cannot be both of the frame's and another one that was requested.
                Some(asked) if !filters.categories.is_empty() && !filters.categories.contains(asked) => {
                    return Ok(CandidateFilter { allowed: Some(HashSet::new()), ..CandidateFilter::default() });
                }
                Some(asked) => vec![asked.clone()],
                None => filters.categories.clone(),
            },
            ..request
        };
        let allowed = if filter.is_open() { None } else { Some(self.slots(&filter)?) };
        let excluded = match filters.exclude_tags.is_empty() {
            true => HashSet::new(),
            false => self.slots(&BlockFilter { any_tag: filters.exclude_tags.clone(), ..BlockFilter::default() })?,
        };
        let window = match filters.search_window {
            Some(hours) => {
                let states = self.index.all_ranking_states(self.snapshot)?;
                Some(Window { now: self.hours.get(), hours, states })
            }
            None => None,
        };
        Ok(CandidateFilter { allowed, excluded, window })
    }

    /// Returns the filter that the request alone defines.
    fn request_filter(&self) -> BlockFilter {
        BlockFilter {
            all_tags: self.request.filter.tags.clone(),
            categories: self.request.filter.category.iter().cloned().collect(),
            since: self.request.filter.since,
            until: [self.request.filter.until, self.request.filter.as_of_event].into_iter().flatten().min(),
            // The request was checked before: all of these parse.
            contexts: self.request.filter.contexts.iter().filter_map(|text| ContextId::parse(text).ok()).collect(),
            context_kinds: self.request.context_kinds.iter().map(|kind| kind.trim().to_lowercase()).collect(),
            sources: self.request.sources.iter().filter_map(|name| EventSource::parse(name)).collect(),
            ..BlockFilter::default()
        }
    }

    /// Returns the blocks that the frame guarantees, as far as the request does not filter them out.
    fn guaranteed(&self) -> Result<HashSet<u32>> {
        if self.frame.guarantees.is_empty() {
            return Ok(HashSet::new());
        }
        self.slots(&BlockFilter { any_tag: self.frame.guarantees.clone(), ..self.request_filter() })
    }

    fn slots(&self, filter: &BlockFilter) -> Result<HashSet<u32>> {
        let ids = self.snapshot.filter_block_ids(filter)?;
        Ok(ids.iter().filter_map(|id| self.index.slot(id)).collect())
    }

    /// Prepares the question: its words, its vector and its time.
    pub(super) fn prepare(&self, parsed: &ParsedQuestion, filter: &CandidateFilter<'_>) -> Result<Question> {
        let mut question = Question::prepare(parsed, self.snapshot, self.index, self.embedding)?;
        if let (Some(event), Some(time)) = (parsed.event(), question.time.as_mut()) {
            time.span = self.span_of_event(event, time.relation, filter)?;
        }
        Ok(question)
    }

    /// Returns the time that an event of the memory stands for, if the memory has a strong match for it: what is before or
    /// after `the release`.
    fn span_of_event(
        &self,
        event: &str,
        relation: TemporalRelation,
        filter: &CandidateFilter<'_>,
    ) -> Result<Option<TimeSpan>> {
        let parsed = ParsedQuestion::parse(event, self.at).without_time();
        let question = Question::prepare(&parsed, self.snapshot, self.index, self.embedding)?;
        let weights = FusionWeights { contiguity: false, ..FusionWeights::default() };
        let (found, _) =
            self.best_candidates(&question, filter, &weights, Amount { results: 1, candidates: 1, trusted: 0 })?;
        let strength = |best: &Candidate| Strength::of(best.relevance, self.index.len());
        let best = found.first().filter(|best| strength(best) == Strength::Strong);
        let at = best.and_then(|best| self.index.happened_at(best.slot));
        Ok(at.and_then(|at| Timestamp::from_second(at).ok()).and_then(|at| match relation {
            TemporalRelation::Before | TemporalRelation::Until => TimeSpan::new(Timestamp::MIN, at),
            TemporalRelation::After | TemporalRelation::Since => TimeSpan::new(at, Timestamp::MAX),
            TemporalRelation::During => None,
        }))
    }

    /// Scores all blocks and returns the best candidates.
    pub(super) fn best_candidates(
        &self,
        question: &Question,
        filter: &CandidateFilter<'_>,
        weights: &FusionWeights,
        amount: Amount,
    ) -> Result<(Vec<Candidate>, BlockScores<'a>)> {
        let Self { index, snapshot, .. } = *self;
        let scores = BlockScores::compute(index, question, self.scratch.take())?;
        let listed = shortlist(index, &scores, filter, amount.results, weights, ShortlistSources::Any);
        let trusted = listed.iter().filter(|slot| index.is_trusted(**slot)).count();
        let reserve = match index.has_untrusted() && trusted < amount.trusted {
            true => shortlist(index, &scores, filter, amount.results, weights, ShortlistSources::Trusted),
            false => Vec::new(),
        };
        let scoring = Scoring { index, snapshot, question, scores: &scores, weights };
        let best = scoring.best(&listed, &reserve, amount.candidates, amount.trusted)?;
        Ok((best, scores))
    }

    /// Finds candidates by a question.
    fn search(&self, parsed: &ParsedQuestion, filter: &CandidateFilter<'_>) -> Result<FoundCandidates<'a>> {
        let question = self.prepare(parsed, filter)?;
        if question.is_empty() {
            return Ok(FoundCandidates { question, ..FoundCandidates::default() });
        }
        let weights = FusionWeights { contiguity: !self.request.filter.no_contiguity, ..FusionWeights::default() };
        let amount = Amount { results: self.top_k(), candidates: self.ranked(), trusted: self.reserved() };
        let (mut candidates, scores) = self.best_candidates(&question, filter, &weights, amount)?;
        candidates.retain(|candidate| candidate.relevance >= MIN_RELEVANCE);
        let relevance = candidates.iter().map(|candidate| candidate.relevance).fold(0.0, f64::max);
        Ok(FoundCandidates { question, scores: Some(scores), candidates, relevance: Some(relevance) })
    }

    /// Without a question: the blocks with the best confidence, recency and use, before their edges are looked at.
    fn most_used(&self, filter: &CandidateFilter<'_>) -> Result<Vec<Candidate>> {
        let index = self.index;
        let states = index.all_ranking_states(self.snapshot)?;
        let by_id = |a: u32, b: u32| index.by_id(a, b);
        let mut top = TopK::new(self.top_k().saturating_mul(RANKED_PER_RESULT).max(MIN_RANKED * 4), by_id);
        let mut trusted = TopK::new(self.reserved(), by_id);
        let mut offer = |slot: u32| {
            let Some(state) = states.get(slot).filter(|_| filter.accepts(slot)) else { return };
            let used = f64::from(state.reinforcement_count).ln_1p() / 10.0;
            let score = self.weights.confidence * f64::from(state.confidence)
                + self.weights.recency * composite::recency(&state, self.hours)
                + self.weights.reinforcement * used.min(1.0);
            top.push(score as f32, slot);
            if index.has_untrusted() && index.is_trusted(slot) {
                trusted.push(score as f32, slot);
            }
        };
        match &filter.allowed {
            Some(allowed) => allowed.iter().copied().for_each(&mut offer),
            None => (0..index.bound() as u32).for_each(&mut offer),
        }
        let slots = top.into_sorted().into_iter().chain(trusted.into_sorted());
        let mut seen = HashSet::new();
        let slots = slots.map(|(_, slot)| slot).filter(|slot| seen.insert(*slot));
        Ok(slots.map(without_question).collect())
    }

    /// Follows the edges of the best candidates.
    fn expand(&self, candidates: &mut Vec<Candidate>, make: impl FnMut(u32) -> Option<Candidate>) -> Result<()> {
        let index = self.index;
        // The best trusted candidates are seeds whatever else there is, and an untrusted seed raises no trusted block.
        let mut trusted = 0;
        let seeds: Vec<(usize, u32)> = (0..)
            .zip(candidates.iter().map(|candidate| candidate.slot))
            .filter(|(place, slot)| {
                trusted += usize::from(index.is_trusted(*slot));
                *place < SEEDS || index.is_trusted(*slot) && trusted <= SEEDS
            })
            .collect();
        let links = index.links(self.snapshot, &seeds.iter().map(|(_, slot)| *slot).collect::<Vec<_>>())?;
        let edges: Vec<SeedEdge> = seeds
            .iter()
            .filter_map(|(seed, slot)| Some((*seed, *slot, links.get(slot)?)))
            .flat_map(|(seed, slot, list)| list.links().iter().map(move |link| (seed, slot, link)))
            .filter(|(_, slot, link)| index.is_trusted(*slot) || !index.is_trusted(link.neighbour))
            .map(|(seed, _, link)| (seed, link))
            .filter(|(_, link)| link.kind == AdjacentEdgeKind::Associates)
            .map(|(seed, link)| SeedEdge { seed, to: link.neighbour, weight: link.weight })
            .collect();
        expansion::expand(candidates, &edges, make);
        Ok(())
    }

    /// Scores candidates with the weights of the frame.
    fn rank(&self, candidates: Vec<Candidate>) -> Result<Vec<RankedCandidate>> {
        let slots: Vec<u32> = candidates.iter().map(|candidate| candidate.slot).collect();
        let states = self.index.ranking_states(self.snapshot, &slots)?;
        // Without a weight for centrality, the edges that happen to be loaded must not show in the components.
        let degrees: Vec<f32> = match self.weights.centrality > 0.0 {
            true => {
                let links = self.index.links(self.snapshot, &slots)?;
                slots.iter().map(|slot| links.get(slot).map_or(0.0, |list| self.degree(*slot, list))).collect()
            }
            false => vec![0.0; slots.len()],
        };
        let stated = candidates.into_iter().zip(states).zip(degrees);
        let stated = stated.filter_map(|((candidate, state), degree)| Some((candidate, state?, degree)));
        Ok(composite::rank(stated.collect(), self.weights, self.hours, |slot| self.index.is_trusted(slot)))
    }

    /// Returns the summed weight of the edges of a block. Edges to untrusted blocks make a trusted one no more central.
    fn degree(&self, slot: u32, list: &AdjacencyList) -> f32 {
        let index = self.index;
        if !index.has_untrusted() || !index.is_trusted(slot) {
            return list.degree();
        }
        let counted =
            |link: &&AdjacentEdge| link.kind == AdjacentEdgeKind::Associates && index.is_trusted(link.neighbour);
        list.links().iter().filter(counted).map(|link| f64::from(link.weight)).sum::<f64>() as f32
    }

    /// Selects the blocks that are shown.
    fn select(&self, ranked: Vec<RankedCandidate>) -> Result<Selection> {
        let by_id = |a: u32, b: u32| self.index.by_id(a, b);
        if self.question.is_none() || self.frame.template == SEARCH {
            return Ok(selection::select(ranked, self.top_k(), by_id, None));
        }
        let slots = ranked.iter().map(|ranked| ranked.candidate.slot);
        let vectors = self.index.full_vectors(self.snapshot, slots)?;
        // A trusted block is not left out for being like an untrusted one that was selected before it.
        let likeness =
            |selected: u32, other: u32| match self.index.is_trusted(selected) || !self.index.is_trusted(other) {
                true => vectors.cosine_between(selected, other).unwrap_or(0.0),
                false => 0.0,
            };
        Ok(selection::select(ranked, self.top_k(), by_id, Some(&likeness)))
    }
}

/// Candidates that were found, and what they were found by.
#[derive(Debug, Default)]
struct FoundCandidates<'a> {
    question: Question,
    scores: Option<BlockScores<'a>>,
    candidates: Vec<Candidate>,
    relevance: Option<f64>,
}

/// Keeps the first `count` candidates, and the first `reserved` trusted ones of the rest.
fn truncate(candidates: &mut Vec<Candidate>, count: usize, reserved: usize, is_trusted: impl Fn(u32) -> bool) {
    let rest = candidates.split_off(count.min(candidates.len()));
    candidates.extend(rest.into_iter().filter(|candidate| is_trusted(candidate.slot)).take(reserved));
}
