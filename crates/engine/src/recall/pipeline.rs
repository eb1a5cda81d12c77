//! From a request to the blocks that are shown: every stage in its order, over what one snapshot holds.

use std::collections::{HashMap, HashSet};

use crate::results::Strength;
use elfmem_core::event::{ContextId, EventSource};
use elfmem_core::{ActiveHours, BlockId, Frame, ScoreWeights, Timestamp, UntrustedSources};
use elfmem_index::LinkKind;
use elfmem_models::Embedder;
use elfmem_store::{BlockFilter, RankingState, Snapshot};
use elfmem_text::temporal::{TemporalRelation, TimeSpan};

use super::candidates::{self, Candidate};
use super::composite::{self, Ranked};
use super::expansion::{self, Lead, SEEDS};
use super::fusion::Settings;
use super::gate::Gate;
use super::question::Question;
use super::request::Recall;
use super::selection::{self, Selection};
use super::suppression::{self, Suppressed};
use super::top::Top;
use crate::Result;
use crate::memory_index::MemoryIndex;

/// Candidates whose connections and use are weighed, at least, and for each block asked for.
const WEIGHED: usize = 48;
const WEIGHED_PER_RESULT: usize = 4;
/// What the score of a block is worth whose source is not trusted: of two that fit alike, the trusted one comes first.
const UNTRUSTED_SHARE: f64 = 0.95;
/// What a block must have in common with a question itself; what stands beside a good answer is not one for that alone.
const LEAST_RELEVANCE: f64 = 0.02;
/// The frame that goes by relevance alone: its answers are not made diverse.
const SEARCH: &str = "search";
/// The template of frames that say who the agent is. They show no untrusted block.
pub(super) const IDENTITY: &str = "self";

/// What a request is answered from.
pub(crate) struct RecallContext<'a> {
    pub(crate) snapshot: &'a dyn Snapshot,
    pub(crate) request: &'a Recall,
    pub(crate) frame: &'a Frame,
    pub(crate) weights: ScoreWeights,
    pub(crate) hours: ActiveHours,
    pub(crate) at: Timestamp,
    /// Who embeds the question; none when its vectors would be of another model than the memory's.
    pub(crate) embedder: Option<&'a dyn Embedder>,
    /// Whose word is not taken for the agent's own.
    pub(crate) untrusted: &'a UntrustedSources,
}

/// What came of it, still by slot.
#[derive(Debug, Default)]
pub(crate) struct PipelineOutput {
    pub(crate) question: Question,
    pub(crate) gate: Gate,
    pub(crate) selection: Selection,
    pub(crate) suppressed: Vec<Suppressed>,
    pub(crate) relevance: Option<f64>,
    pub(crate) strength: Option<Strength>,
}

impl RecallContext<'_> {
    /// How many blocks are wanted beyond the guaranteed.
    pub(crate) fn top_k(&self) -> usize {
        self.request.filter.top_k
    }

    /// How many candidates are weighed.
    fn weighed(&self) -> usize {
        self.top_k().saturating_mul(WEIGHED_PER_RESULT).max(WEIGHED)
    }

    /// Runs every stage up to the selection.
    pub(crate) fn find(&self, index: &mut MemoryIndex) -> Result<PipelineOutput> {
        let gate = self.gate(index)?;
        if gate.window.is_some() || self.request.question().is_none() {
            index.load_all_standings(self.snapshot)?;
        }
        let guaranteed = self.guaranteed(index)?;
        let mut found = PipelineOutput { gate, ..PipelineOutput::default() };
        let mut candidates = match self.request.question() {
            Some(text) => {
                found.question = self.question(index, text, &found.gate)?;
                self.by_question(index, &mut found)?
            }
            None => self.by_standing(index, &found.gate),
        };
        truncate(&mut candidates, self.weighed(), |slot| index.is_trusted(slot));
        self.expand(index, &found, &mut candidates)?;
        let present: HashSet<u32> = candidates.iter().map(|candidate| candidate.slot).collect();
        candidates.extend(
            guaranteed
                .iter()
                .filter(|slot| !present.contains(slot))
                .map(|slot| candidates::look(index, &found.question, *slot)),
        );
        let mut ranked = self.rank(index, candidates)?;
        for ranked in &mut ranked {
            ranked.guaranteed = guaranteed.contains(&ranked.candidate.slot);
        }
        let by_id = |a: u32, b: u32| index.id(a).cmp(&index.id(b));
        // A frame about identity shows no untrusted block, so none of them may keep another block out.
        let may_suppress = |slot: u32| self.frame.template != IDENTITY || index.is_trusted(slot);
        found.suppressed = suppression::suppress(&mut ranked, &contradicting(index), by_id, may_suppress);
        let diverse = self.request.question().is_some() && self.frame.template != SEARCH;
        if diverse {
            index.load_vectors(self.snapshot, ranked.iter().map(|ranked| ranked.candidate.slot))?;
        }
        let by_id = |a: u32, b: u32| index.id(a).cmp(&index.id(b));
        let likeness = |a: u32, b: u32| index.vectors.matrix().cosine_between(a, b).map_or(0.0, f64::from);
        let likeness: Option<&dyn Fn(u32, u32) -> f64> = if diverse { Some(&likeness) } else { None };
        found.selection = selection::select(ranked, self.top_k(), by_id, likeness);
        found.selection.reserve_trusted_slot(|slot| index.is_trusted(slot), by_id);
        Ok(found)
    }

    /// What the frame and the request let in.
    pub(super) fn gate(&self, index: &MemoryIndex) -> Result<Gate> {
        let filters = &self.frame.filters;
        let request = self.request_filter();
        let filter = BlockFilter {
            any_tag: filters.tag_patterns.clone(),
            categories: match &self.request.filter.category {
                // Both the frame's categories and the one asked for: no block has two.
                Some(asked) if !filters.categories.is_empty() && !filters.categories.contains(asked) => {
                    return Ok(Gate { allowed: Some(HashSet::new()), ..Gate::default() });
                }
                Some(asked) => vec![asked.clone()],
                None => filters.categories.clone(),
            },
            ..request
        };
        let allowed = if filter.is_open() { None } else { Some(self.slots(index, &filter)?) };
        let excluded = match filters.exclude_tags.is_empty() {
            true => HashSet::new(),
            false => {
                self.slots(index, &BlockFilter { any_tag: filters.exclude_tags.clone(), ..BlockFilter::default() })?
            }
        };
        let window = filters.search_window.map(|hours| (self.hours.get(), hours));
        Ok(Gate { allowed, excluded, window })
    }

    /// What the request alone lets in.
    fn request_filter(&self) -> BlockFilter {
        BlockFilter {
            all_tags: self.request.filter.tags.clone(),
            categories: self.request.filter.category.iter().cloned().collect(),
            since: self.request.filter.since,
            until: [self.request.filter.until, self.request.filter.as_of_event].into_iter().flatten().min(),
            // What is no context or source was refused before.
            contexts: self.request.filter.contexts.iter().filter_map(|text| ContextId::parse(text).ok()).collect(),
            context_kinds: self.request.context_kinds.iter().map(|kind| kind.trim().to_lowercase()).collect(),
            sources: self.request.sources.iter().filter_map(|name| EventSource::parse(name)).collect(),
            ..BlockFilter::default()
        }
    }

    /// What the frame promises to show. A filter of the request is a wish to see less.
    fn guaranteed(&self, index: &MemoryIndex) -> Result<HashSet<u32>> {
        if self.frame.guarantees.is_empty() {
            return Ok(HashSet::new());
        }
        self.slots(index, &BlockFilter { any_tag: self.frame.guarantees.clone(), ..self.request_filter() })
    }

    fn slots(&self, index: &MemoryIndex, filter: &BlockFilter) -> Result<HashSet<u32>> {
        let ids = self.snapshot.filter_block_ids(filter)?;
        Ok(ids.iter().filter_map(|id| index.slot(id)).collect())
    }

    fn settings(&self) -> Settings {
        Settings { contiguity: !self.request.filter.no_contiguity, ..Settings::default() }
    }

    /// The question with its words, its meaning and its time.
    pub(super) fn question(&self, index: &mut MemoryIndex, text: &str, gate: &Gate) -> Result<Question> {
        let mut question = Question::read(text, self.request.filter.as_of_event.unwrap_or(self.at));
        index.load_words(self.snapshot, &question.words)?;
        question.embed(text, index, self.embedder)?;
        self.date_the_event(index, &mut question, gate)?;
        Ok(question)
    }

    /// `before the release` names a time by an event: when the memory knows that event well, its time is the time meant.
    fn date_the_event(&self, index: &mut MemoryIndex, question: &mut Question, gate: &Gate) -> Result<()> {
        let Some(time) = question.time.as_mut().filter(|time| time.span.is_none() && !time.asks_when) else {
            return Ok(());
        };
        let Some((_, event)) = time.matched.split_once(char::is_whitespace) else { return Ok(()) };
        let mut asked = Question::read(event, self.at);
        asked.time = None;
        index.load_words(self.snapshot, &asked.words)?;
        asked.embed(event, index, self.embedder)?;
        let settings = Settings { contiguity: false, ..Settings::default() };
        let pool = candidates::pool(index, &asked, gate, 1, &settings)?;
        let found = candidates::gather(index, self.snapshot, &asked, &pool, &[], 1, &settings)?;
        let Some(best) = found.first().filter(|best| Strength::of(best.relevance, index.len()) == Strength::Strong)
        else {
            return Ok(());
        };
        let at = index.happened_at(best.slot).and_then(|at| Timestamp::from_second(at).ok());
        let span = at.and_then(|at| match time.relation {
            TemporalRelation::Before | TemporalRelation::Until => TimeSpan::new(Timestamp::MIN, at),
            TemporalRelation::After | TemporalRelation::Since => TimeSpan::new(at, Timestamp::MAX),
            TemporalRelation::During => None,
        });
        time.span = span;
        Ok(())
    }

    fn by_question(&self, index: &mut MemoryIndex, found: &mut PipelineOutput) -> Result<Vec<Candidate>> {
        if found.question.is_empty() {
            return Ok(Vec::new());
        }
        let settings = self.settings();
        let pool = candidates::pool(index, &found.question, &found.gate, self.top_k(), &settings)?;
        if found.question.time.as_ref().is_some_and(|time| time.asks_when) {
            index.load_dates(self.snapshot, &pool)?;
        }
        let trusted = pool.iter().filter(|slot| index.is_trusted(**slot)).count();
        let reserve = match index.any_untrusted && trusted < candidates::RESERVED.max(self.top_k()) {
            true => candidates::trusted_pool(index, &found.question, &found.gate, self.top_k(), &settings)?,
            false => Vec::new(),
        };
        let weighed = self.weighed();
        let mut candidates =
            candidates::gather(index, self.snapshot, &found.question, &pool, &reserve, weighed, &settings)?;
        candidates.retain(|candidate| candidate.relevance >= LEAST_RELEVANCE);
        let best = candidates.iter().map(|candidate| candidate.relevance).fold(0.0, f64::max);
        found.relevance = Some(best);
        found.strength = Some(Strength::of(best, index.len()));
        Ok(candidates)
    }

    /// Without a question: those that stand best before their connections are looked at.
    fn by_standing(&self, index: &MemoryIndex, gate: &Gate) -> Vec<Candidate> {
        let by_id = |a: u32, b: u32| index.id(a).cmp(&index.id(b));
        let mut top = Top::new(self.top_k().saturating_mul(WEIGHED_PER_RESULT).max(WEIGHED * 4), by_id);
        let mut trusted = Top::new(candidates::RESERVED, by_id);
        let mut offer = |slot: u32| {
            let Some(standing) = index.standing(slot).filter(|standing| gate.lets_in(slot, Some(standing))) else {
                return;
            };
            let used = f64::from(standing.reinforcement_count).ln_1p() / 10.0;
            let score = self.weights.confidence * f64::from(standing.confidence)
                + self.weights.recency * composite::recency(standing, self.hours)
                + self.weights.reinforcement * used.min(1.0);
            top.offer(score as f32, slot);
            if index.any_untrusted && index.is_trusted(slot) {
                trusted.offer(score as f32, slot);
            }
        };
        match &gate.allowed {
            Some(allowed) => allowed.iter().copied().for_each(&mut offer),
            None => (0..index.bound() as u32).for_each(&mut offer),
        }
        let slots = top.into_sorted().into_iter().chain(trusted.into_sorted());
        let mut seen = HashSet::new();
        let slots = slots.map(|(_, slot)| slot).filter(|slot| seen.insert(*slot));
        slots.map(|slot| Candidate { slot, ..Candidate::default() }).collect()
    }

    /// Follows the edges of the best candidates.
    fn expand(&self, index: &mut MemoryIndex, found: &PipelineOutput, candidates: &mut Vec<Candidate>) -> Result<()> {
        if self.request.question().is_none() {
            return Ok(());
        }
        let seeds: Vec<u32> = candidates.iter().take(SEEDS).map(|candidate| candidate.slot).collect();
        index.load_links(self.snapshot, &seeds)?;
        let leads: Vec<Lead> = seeds
            .iter()
            .enumerate()
            .flat_map(|(seed, slot)| index.links.neighbours(*slot).map(move |link| (seed, link)))
            .filter(|(_, link)| link.kind == LinkKind::Associates)
            .map(|(seed, link)| Lead { seed, to: link.neighbour, weight: link.weight })
            .collect();
        expansion::expand(candidates, &leads, |slot| {
            let here = index.contains(slot) && found.gate.lets_in(slot, index.standing(slot));
            here.then(|| candidates::look(index, &found.question, slot))
        });
        Ok(())
    }

    fn rank(&self, index: &mut MemoryIndex, candidates: Vec<Candidate>) -> Result<Vec<Ranked>> {
        let slots: Vec<u32> = candidates.iter().map(|candidate| candidate.slot).collect();
        index.load_standings(self.snapshot, &slots)?;
        let linked = self.weights.centrality > 0.0;
        if linked {
            index.load_links(self.snapshot, &slots)?;
        }
        let standings: HashMap<u32, RankingState> =
            slots.iter().filter_map(|slot| Some((*slot, *index.standing(*slot)?))).collect();
        let here = candidates.into_iter().filter(|candidate| standings.contains_key(&candidate.slot)).collect();
        // Where connections do not count, those that happen to be known must not show in the parts of the score.
        let degree = |slot: u32| if linked { index.links.degree(slot) } else { 0.0 };
        let mut ranked = composite::rank(here, |slot| (standings[&slot], degree(slot)), self.weights, self.hours);
        for ranked in ranked.iter_mut().filter(|ranked| !index.is_trusted(ranked.candidate.slot)) {
            ranked.score *= UNTRUSTED_SHARE;
        }
        Ok(ranked)
    }
}

/// Keeps the first so many, and of the rest the first trusted ones.
fn truncate(candidates: &mut Vec<Candidate>, most: usize, is_trusted: impl Fn(u32) -> bool) {
    let rest = candidates.split_off(most.min(candidates.len()));
    candidates.extend(rest.into_iter().filter(|candidate| is_trusted(candidate.slot)).take(candidates::RESERVED));
}

/// Unresolved contradictions, by slot.
fn contradicting(index: &MemoryIndex) -> Vec<(u32, u32)> {
    let slot = |id: &BlockId| index.slot(id);
    index
        .contradictions
        .iter()
        .filter_map(|contradiction| Some((slot(&contradiction.block_a_id)?, slot(&contradiction.block_b_id)?)))
        .collect()
}
