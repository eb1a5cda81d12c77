//! From a request to the blocks that are shown: all stages in order, over one state of the memory.

use std::collections::HashSet;

use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::time::TimeZone;
use elfmem_core::{ActiveHours, Frame, ScoreWeights, Timestamp, TrustPolicy};
use elfmem_index::{AdjacencyList, AdjacentEdge, AdjacentEdgeKind};
use elfmem_store::{BlockFilter, Snapshot};
use elfmem_text::temporal::{TemporalRelation, TimeSpan};

use crate::Result;
use crate::memory_index::MemoryIndex;
use crate::recall::candidates::expansion::{self, SEEDS, SeedEdge};
use crate::recall::candidates::filter::{CandidateFilter, Window};
use crate::recall::candidates::fusion::FusionWeights;
use crate::recall::candidates::scored::{Candidate, RESERVED, Scoring};
use crate::recall::candidates::scores::BlockScores;
use crate::recall::candidates::scratch::ScratchPool;
use crate::recall::candidates::shortlist::{ShortlistSources, shortlist};
use crate::recall::candidates::top_k::TopK;
use crate::recall::question::embedding::QuestionEmbedding;
use crate::recall::question::parsed::{ParsedQuestion, Question};
use crate::recall::ranking::agreement;
use crate::recall::ranking::composite::{self, RankedCandidate};
use crate::recall::ranking::opinions::RequestOpinions;
use crate::recall::ranking::precedence::Precedence;
use crate::recall::ranking::relevance::AnswerRelevance;
use crate::recall::ranking::selection::{self, Selection};
use crate::recall::ranking::subject::SubjectMatch;
use crate::recall::ranking::suppression::{self, Contested, Suppressed};
use crate::recall::ranking::untrusted;
use crate::recall::request::Recall;
use crate::results::Strength;

/// How many results candidates are found and ranked for, however few are requested, and how the number grows: an answer
/// with fewer blocks is the beginning of one with more.
const FIRST_TIER: usize = 20;
const TIER_GROWTH: usize = 8;
/// The number of candidates that are ranked for each result.
const RANKED_PER_RESULT: usize = 4;
/// Blocks that a question for everything of a sort brings at most, unless more are requested.
const MAX_LIST: usize = 20;
/// Requested blocks from which such a question may bring more: whoever asks for two wants two.
const MIN_LIST: usize = 5;
/// Smallest similarity of a block beyond those requested: a sum of signals of two fifths of the best.
const LISTED_SIMILARITY: f64 = 0.16;
/// How many times as relevant as in an answer a block must be in the context of a task: nobody asked for one more of a sort.
const MIN_TASK_SHARE: f64 = 2.0;
/// Smallest match of a candidate by itself: being stored beside a good answer is not enough.
const MIN_MATCH: f64 = 0.02;
/// Frames in which similarity weighs less rank all of their blocks, and not only those that have to do with the question.
const MINOR_SIMILARITY: f64 = 0.15;
/// The template of frames that rank by relevance alone: their answers are not made diverse.
const SEARCH: &str = "search";
/// The template of frames that show what concerns a question.
const ATTENTION: &str = "attention";
/// The template of frames that show what a task needs.
pub(in crate::recall) const TASK: &str = "task";
/// The template of frames that say who the agent is. They show no untrusted block.
pub(in crate::recall) const IDENTITY: &str = "self";

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
    /// What the model of pairs says about candidates.
    pub(in crate::recall) opinions: &'a RequestOpinions<'a>,
    pub(crate) frame: &'a Frame,
    pub(crate) weights: ScoreWeights,
    pub(crate) hours: ActiveHours,
    pub(crate) at: Timestamp,
    /// The time zone in which ages and dates are told.
    pub(crate) zone: &'a TimeZone,
    pub(crate) trust: &'a TrustPolicy,
    pub(crate) scratch: &'a ScratchPool,
}

/// How many blocks a search looks for.
#[derive(Debug, Clone, Copy)]
pub(in crate::recall) struct Amount {
    /// Requested results, which the length of the shortlist depends on.
    pub(in crate::recall) results: usize,
    /// Candidates that are returned.
    pub(in crate::recall) candidates: usize,
    /// With fewer trusted blocks on the shortlist, a second one of trusted blocks alone is made.
    pub(in crate::recall) trusted: usize,
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
    /// Blocks that keep their place although a stronger one contradicts them.
    pub(crate) contested: Vec<Contested>,
    /// Candidates that are not relevant enough to be returned, best first.
    pub(crate) below_floor: Vec<RankedCandidate>,
    /// The probability that the memory holds an answer.
    pub(crate) relevance: Option<AnswerRelevance>,
    pub(crate) strength: Option<Strength>,
}

impl PipelineOutput<'_> {
    /// Creates a candidate for a block that was not found.
    pub(crate) fn candidate(&self, slot: u32) -> Candidate {
        self.scores.as_ref().map_or_else(|| without_question(slot), |scores| scores.candidate(slot))
    }

    /// Returns the probability that a block helps which was not found.
    pub(crate) fn relevance_of(&self, candidate: &Candidate, trusted: bool) -> f64 {
        self.relevance.map_or(0.0, |relevance| relevance.of_hit(candidate, trusted))
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

    /// Returns how many blocks may be selected beyond the guaranteed ones: more than requested for a question that asks for
    /// everything of a sort, as long as they are relevant.
    fn places(&self) -> usize {
        let asks_for_list = self.question.is_some_and(ParsedQuestion::asks_for_list);
        let is_list = asks_for_list && self.has_floor() && self.top_k() >= MIN_LIST;
        if is_list { self.top_k().max(MAX_LIST) } else { self.top_k() }
    }

    /// Whether blocks compete that have nothing to do with the question: the frame says who the agent is, whatever is asked.
    pub(crate) fn ranks_unrelated(&self) -> bool {
        self.question.is_some() && self.weights.similarity < MINOR_SIMILARITY
    }

    /// Runs all stages up to the selection. The order of an answer does not depend on how many blocks are requested.
    pub(crate) fn run(&self) -> Result<PipelineOutput<'a>> {
        let mut leading: Vec<u32> = Vec::new();
        let mut tier = FIRST_TIER;
        loop {
            let output = self.run_tier(tier, &leading)?;
            if tier >= self.top_k() || tier >= self.index.len() {
                return Ok(output);
            }
            leading = output.selection.selected().take(tier).map(|ranked| ranked.candidate.slot).collect();
            tier = tier.saturating_mul(TIER_GROWTH);
        }
    }

    /// Runs all stages with candidates for `tier` results. The blocks `leading`, found with fewer, keep their places.
    fn run_tier(&self, tier: usize, leading: &[u32]) -> Result<PipelineOutput<'a>> {
        let index = self.index;
        let filter = self.filter()?;
        let guaranteed = self.guaranteed()?;
        let mut found = match self.question {
            Some(parsed) => self.search(parsed, &filter, tier)?,
            None => FoundCandidates { candidates: self.most_used(&filter, tier)?, ..FoundCandidates::default() },
        };
        truncate(&mut found.candidates, ranked_for(tier), reserved_for(tier), |slot| index.is_trusted(slot));
        let FoundCandidates { question, scores, mut candidates, relevance } = found;
        let candidate =
            |slot: u32| scores.as_ref().map_or_else(|| without_question(slot), |scores| scores.candidate(slot));
        if self.question.is_some() {
            self.expand(&mut candidates, |slot| {
                (index.contains(slot) && filter.accepts(slot)).then(|| candidate(slot))
            })?;
            self.follow_names(&mut candidates, &question)?;
            follow_subject(&mut candidates);
        }
        let mut present: HashSet<u32> = candidates.iter().map(|candidate| candidate.slot).collect();
        let mut others: Vec<u32> = guaranteed.iter().copied().collect();
        if self.ranks_unrelated() {
            others.extend(self.most_used(&filter, tier)?.into_iter().map(|unrelated| unrelated.slot));
        }
        others.extend(self.opponents(&present, &filter));
        candidates.extend(others.into_iter().filter(|slot| present.insert(*slot)).map(candidate));
        let set_relevance = |candidate: &mut Candidate| {
            if let Some(relevance) = &relevance {
                candidate.relevance = relevance.of_hit(candidate, index.is_trusted(candidate.slot));
            }
        };
        candidates.iter_mut().for_each(set_relevance);
        let is_trusted = |slot: u32| index.is_trusted(slot);
        let by_id = |a: u32, b: u32| index.by_id(a, b);
        agreement::agree_by(&mut candidates, |candidate| candidate.similarity, is_trusted, by_id);
        let mut ranked = self.rank(candidates)?;
        for ranked in &mut ranked {
            ranked.guaranteed = guaranteed.contains(&ranked.candidate.slot);
        }
        if self.question.is_some() {
            self.prefer_newest(&mut ranked, &question)?;
        }
        let latest_first = |a: u32, b: u32| index.happened_at(b).cmp(&index.happened_at(a)).then_with(|| by_id(a, b));
        let outside = self.opponents_outside(&present)?;
        let pairs = index.contradicting_pairs();
        let (contradicting, contested) = suppression::divide(&ranked, &outside, pairs, latest_first, is_trusted);
        let suppressed = suppression::suppress(&mut ranked, &contradicting, latest_first, is_trusted);
        if self.frame.template == SEARCH {
            agreement::agree_by(&mut ranked, |ranked| ranked.score, is_trusted, by_id);
        }
        let mut precedence = match index.has_untrusted() {
            true => {
                selection::sort(&mut ranked, by_id);
                self.precedence(ranked.iter().map(|ranked| &ranked.candidate))?
            }
            false => Precedence::default(),
        };
        let mut below_floor = match &relevance {
            Some(relevance) if self.has_floor() => self.take_below_floor(&mut ranked, relevance, &mut precedence),
            _ => Vec::new(),
        };
        untrusted::place_below(&mut ranked, is_trusted, &precedence);
        let mut selection = self.select(ranked, tier)?;
        if index.has_untrusted() {
            selection.put_behind(|trusted, other| precedence.is_before(trusted, other));
            let min = relevance.map_or(0.0, |relevance| relevance.min_reserved());
            selection.reserve_trusted_slots(is_trusted, |relevance| relevance > 0.0 && relevance >= min);
        }
        selection.lead_with(leading);
        if self.frame.template == SEARCH && index.has_untrusted() {
            selection.lower_untrusted(is_trusted);
        }
        let belongs = |ranked: &RankedCandidate| ranked.candidate.similarity >= LISTED_SIMILARITY;
        selection.cut(self.top_k(), self.places(), belongs);
        let companion = |slot: u32| {
            let mut companion = candidate(slot);
            set_relevance(&mut companion);
            companion
        };
        self.put_constraints_first(&mut selection, &below_floor, &suppressed, &question, &filter, companion)?;
        // An untrusted "Backups do not run" constrains no task before the owner's word on them.
        selection.withdraw_constraints(|trusted, other| precedence.is_before(trusted, other));
        self.add_companions(&mut selection, &suppressed, &filter, companion)?;
        let is_enough = |ranked: &RankedCandidate| match &relevance {
            Some(relevance) if self.has_floor() => self.is_enough(ranked, relevance),
            _ => true,
        };
        selection.fill(&suppressed, self.top_k(), is_enough, is_trusted, by_id);
        self.put_contradicting_trusted_first(&mut selection, &contested, &filter, companion)?;
        below_floor.retain(|ranked| !selection.is_shown(ranked.candidate.slot));
        let strength = relevance.map(|relevance| Strength::of(relevance.probability()));
        Ok(PipelineOutput {
            question,
            scores,
            filter,
            selection,
            suppressed,
            contested,
            below_floor,
            relevance,
            strength,
        })
    }

    /// Returns what contradicts a block that was found, and was not found itself: whatever the words of the question fit, both
    /// compete. What another kind of source says brings nothing in.
    fn opponents(&self, found: &HashSet<u32>, filter: &CandidateFilter<'_>) -> Vec<u32> {
        let index = self.index;
        let is_missing = |(known, other): &(u32, u32)| found.contains(known) && !found.contains(other);
        let both_ways = index.contradicting_pairs().iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        let missing = both_ways.filter(is_missing);
        let missing = missing.filter(|(known, other)| index.is_trusted(*known) == index.is_trusted(*other));
        missing.map(|(_, other)| other).filter(|slot| index.contains(*slot) && filter.accepts(*slot)).collect()
    }

    /// Ranks what contradicts a block of the answer and does not compete for it.
    fn opponents_outside(&self, present: &HashSet<u32>) -> Result<Vec<RankedCandidate>> {
        let both_ways = self.index.contradicting_pairs().iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        let outside = both_ways.filter(|(known, other)| present.contains(known) && !present.contains(other));
        let outside: HashSet<u32> = outside.map(|(_, other)| other).filter(|slot| self.index.contains(*slot)).collect();
        if outside.is_empty() {
            return Ok(Vec::new());
        }
        self.rank(outside.into_iter().map(without_question).collect())
    }

    /// Returns whether irrelevant blocks are left out: in frames that answer a question, unless everything is asked for. The
    /// other frames show who the agent is and what it wants, whatever is asked.
    fn has_floor(&self) -> bool {
        !self.request.filter.include_weak && matches!(self.frame.template.as_str(), SEARCH | ATTENTION | TASK)
    }

    /// Returns whether a candidate is relevant enough to be returned.
    fn is_enough(&self, ranked: &RankedCandidate, relevance: &AnswerRelevance) -> bool {
        let candidate = &ranked.candidate;
        let trusted = self.index.is_trusted(candidate.slot);
        // What may be outdated is less relevant for that, and not for having less to do with the task.
        let is_lifted = ranked.newer.is_some() || relevance.is_lifted(candidate);
        let min = match self.frame.template == TASK && !is_lifted {
            true => MIN_TASK_SHARE * relevance.min_hit(trusted),
            false => relevance.min_hit(trusted),
        };
        ranked.guaranteed || relevance.answers(trusted) && candidate.relevance >= min
    }

    /// Takes out candidates that are not relevant enough to be returned, best first.
    fn take_below_floor(
        &self,
        ranked: &mut Vec<RankedCandidate>,
        relevance: &AnswerRelevance,
        precedence: &mut Precedence,
    ) -> Vec<RankedCandidate> {
        let enough = ranked.iter().filter(|ranked| self.is_enough(ranked, relevance));
        let mut enough: HashSet<u32> = enough.map(|ranked| ranked.candidate.slot).collect();
        let lifted = precedence.lift(|slot| enough.contains(&slot));
        for ranked in ranked.iter_mut() {
            if let Some((_, relevance)) = lifted.filter(|(slot, _)| *slot == ranked.candidate.slot) {
                ranked.candidate.relevance = relevance;
            }
        }
        enough.extend(lifted.map(|(slot, _)| slot));
        let (kept, mut below): (Vec<_>, Vec<_>) =
            std::mem::take(ranked).into_iter().partition(|ranked| enough.contains(&ranked.candidate.slot));
        *ranked = kept;
        selection::sort(&mut below, |a, b| self.index.by_id(a, b));
        below
    }

    /// Returns the filter that frame and request define.
    pub(in crate::recall) fn filter(&self) -> Result<CandidateFilter<'a>> {
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
    pub(in crate::recall) fn prepare(&self, parsed: &ParsedQuestion, filter: &CandidateFilter<'_>) -> Result<Question> {
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
        let relevance = AnswerRelevance::of(&found, &question, self.index);
        let best = found.first().filter(|_| Strength::of(relevance.probability()) == Strength::Strong);
        let at = best.and_then(|best| self.index.happened_at(best.slot));
        Ok(at.and_then(|at| Timestamp::from_second(at).ok()).and_then(|at| match relation {
            TemporalRelation::Before | TemporalRelation::Until => TimeSpan::new(Timestamp::MIN, at),
            TemporalRelation::After | TemporalRelation::Since => TimeSpan::new(at, Timestamp::MAX),
            TemporalRelation::During => None,
        }))
    }

    /// Scores all blocks and returns the best candidates.
    pub(in crate::recall) fn best_candidates(
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
    fn search(
        &self,
        parsed: &ParsedQuestion,
        filter: &CandidateFilter<'_>,
        tier: usize,
    ) -> Result<FoundCandidates<'a>> {
        let question = self.prepare(parsed, filter)?;
        if question.is_empty() {
            return Ok(FoundCandidates { question, ..FoundCandidates::default() });
        }
        let weights = FusionWeights { contiguity: !self.request.filter.no_contiguity, ..FusionWeights::default() };
        let amount = Amount { results: tier, candidates: ranked_for(tier), trusted: reserved_for(tier) };
        let (mut candidates, scores) = self.best_candidates(&question, filter, &weights, amount)?;
        candidates.retain(|candidate| is_match(candidate, &question));
        self.match_subject(&mut candidates, &question)?;
        let relevance = AnswerRelevance::of(&candidates, &question, self.index);
        Ok(FoundCandidates { question, scores: Some(scores), candidates, relevance: Some(relevance) })
    }

    /// Without a question: the blocks with the best confidence, recency and use, before their edges are looked at.
    fn most_used(&self, filter: &CandidateFilter<'_>, tier: usize) -> Result<Vec<Candidate>> {
        let index = self.index;
        let states = index.all_ranking_states(self.snapshot)?;
        let by_id = |a: u32, b: u32| index.by_id(a, b);
        let mut top = TopK::new(ranked_for(tier).saturating_mul(RANKED_PER_RESULT), by_id);
        let mut trusted = TopK::new(reserved_for(tier), by_id);
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
    pub(in crate::recall) fn rank(&self, candidates: Vec<Candidate>) -> Result<Vec<RankedCandidate>> {
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

    /// Orders the blocks that may be shown; the first `tier` of them are made diverse.
    fn select(&self, ranked: Vec<RankedCandidate>, tier: usize) -> Result<Selection> {
        let by_id = |a: u32, b: u32| self.index.by_id(a, b);
        if self.question.is_none() || self.frame.template == SEARCH {
            return Ok(selection::select(ranked, tier, by_id, None));
        }
        let slots = ranked.iter().map(|ranked| ranked.candidate.slot);
        let vectors = self.index.full_vectors(self.snapshot, slots)?;
        // A trusted block is not left out for being like an untrusted one that was selected before it.
        let likeness =
            |selected: u32, other: u32| match self.index.is_trusted(selected) || !self.index.is_trusted(other) {
                true => vectors.cosine_between(selected, other).unwrap_or(0.0),
                false => 0.0,
            };
        Ok(selection::select(ranked, tier, by_id, Some(&likeness)))
    }
}

/// Returns whether a candidate matches by itself, or is of the time that the question states.
fn is_match(candidate: &Candidate, question: &Question) -> bool {
    candidate.balanced_match() >= MIN_MATCH || question.states_time() && candidate.time == Some(1.0)
}

/// Lets blocks that another brought in speak of the subject of that one: the note about the manager whom the question asks
/// about by way of somebody else.
fn follow_subject(candidates: &mut [Candidate]) {
    let held: HashSet<u32> =
        candidates.iter().filter(|one| one.subject == SubjectMatch::Held).map(|one| one.slot).collect();
    for candidate in candidates {
        if candidate.via.is_some_and(|(seed, _)| held.contains(&seed)) {
            candidate.subject = SubjectMatch::Held;
        }
    }
}

/// Returns how many candidates are ranked for some results.
fn ranked_for(results: usize) -> usize {
    results.saturating_mul(RANKED_PER_RESULT)
}

/// Returns how many trusted candidates are ranked for some results, whatever else there is.
fn reserved_for(results: usize) -> usize {
    RESERVED.max(results)
}

/// Candidates that were found, and what they were found by.
#[derive(Debug, Default)]
struct FoundCandidates<'a> {
    question: Question,
    scores: Option<BlockScores<'a>>,
    candidates: Vec<Candidate>,
    relevance: Option<AnswerRelevance>,
}

/// Keeps the first `count` candidates, and the first `reserved` trusted ones of the rest.
fn truncate(candidates: &mut Vec<Candidate>, count: usize, reserved: usize, is_trusted: impl Fn(u32) -> bool) {
    let rest = candidates.split_off(count.min(candidates.len()));
    candidates.extend(rest.into_iter().filter(|candidate| is_trusted(candidate.slot)).take(reserved));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_the_stated_day_matches_however_little_it_has_in_common_with_the_question() {
        let asked = |text: &str| Question {
            time: ParsedQuestion::parse(text, Timestamp::UNIX_EPOCH).time().cloned(),
            ..Question::default()
        };
        let candidate =
            |meaning: f64, time: f64| Candidate { meaning: Some(meaning), time: Some(time), ..Candidate::default() };
        let (stated, other) = (asked("What did we decide on 4 May 2026?"), asked("What did we decide?"));
        assert!(is_match(&candidate(0.01, 1.0), &stated));
        assert!(!is_match(&candidate(0.01, 0.9), &stated), "of another day");
        assert!(!is_match(&candidate(0.01, 1.0), &other), "no day is stated");
        assert!(is_match(&candidate(0.5, 0.0), &other));
    }
}
