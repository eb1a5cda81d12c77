//! `retrieve_memories`: what matches a question, the more believed the higher, with what was learned from it and what adds to it.
//! Nothing is dropped for being contradicted; it is marked (seed 004).

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::render::fence_items;
use elfmem_core::event::ContextId;
use elfmem_core::{
    Block, BlockId, BlockStatus, DecayTier, Link, LinkEnd, LinkType, OperationKind, Timestamp, TrustPolicy,
};
use elfmem_models::RelevanceCurve;
use elfmem_store::{Event, EventQuery, LinkQuery, RankingState, Snapshot, Store};
use elfmem_text::phrase::{counted, one_line};
use serde::Serialize;

use crate::events::checked_context;
use crate::memory::Memory;
use crate::recall::answer::blocks::words_alone;
use crate::recall::answer::record_use::ShownBlocks;
use crate::recall::candidates::filter::CandidateFilter;
use crate::recall::candidates::fusion::FusionWeights;
use crate::recall::candidates::scored::Candidate;
use crate::recall::candidates::scores::meaning;
use crate::recall::pipeline::{Amount, RecallContext};
use crate::recall::question::parsed::Question;
use crate::recall::ranking::agreement;
use crate::recall::ranking::composite;
use crate::recall::ranking::precedence::Precedence;
use crate::recall::ranking::relevance::AnswerRelevance;
use crate::recall::ranking::selection::{best_match, deserves_slot};
use crate::recall::request::{DEFAULT_FRAME, Recall};
use crate::recall::retrieve::order::{
    MatchParts, MatchScore, Placed, RetrievalRole, arrange, end_of, put_contradicting_first, reserve_trusted_slots,
};
use crate::recall::retrieve::request::{RetrieveFormat, RetrieveMemories};
use crate::render::mark_untrusted;
use crate::trace;
use crate::{Error, Result};

/// Largest number of memories.
const MAX_LIMIT: usize = 100;
/// Largest offset.
const MAX_OFFSET: usize = 1_000;
/// Largest number of steps along `extends` links.
const MAX_DEPTH: usize = 5;
/// What a block of a boosted context gains.
const BOOST: f64 = 0.15;
/// Smallest score of a match, absolute and relative to the best: vectors of unrelated texts are not quite orthogonal.
const MIN_SCORE: f64 = 0.05;
const MIN_SHARE_OF_BEST: f64 = 0.10;
/// The score of a block relative to a stronger one that it contradicts, at most.
const BELOW: f64 = 0.99;
/// Candidates for each memory that is shown, and the smallest number of them.
const CANDIDATES_PER_RESULT: usize = 4;
const MIN_CANDIDATES: usize = 64;
/// The heading of memories as text.
const HEADING: &str = "## Relevant Memories";

impl RetrieveMemories {
    /// Returns the question with its filters.
    fn as_recall(&self) -> Result<Recall> {
        if !(0.0..=1.0).contains(&self.semantic_weight) {
            let (what, wanted) = ("semantic_weight", "a number between 0 and 1");
            return Err(Error::BadNumber { what, value: self.semantic_weight, wanted });
        }
        if self.offset > MAX_OFFSET {
            let problem = format!("is {}, and {MAX_OFFSET} is the furthest", self.offset);
            return Err(Error::BadText { what: "offset", problem });
        }
        let mut asked = Recall::new(self.query.as_str()).no_contiguity();
        asked.preview = self.preview;
        asked.filter.contexts.clone_from(&self.places.context_ids);
        asked.sources.clone_from(&self.sources);
        for (kind, names) in self.places.context_types.iter().flatten() {
            match names.is_empty() {
                true => asked.context_kinds.push(kind.clone()),
                false => asked.filter.contexts.extend(names.iter().map(|name| format!("{kind}:{name}"))),
            }
        }
        Ok(asked)
    }

    /// Returns how many memories are shown at most.
    fn max_shown(&self) -> usize {
        self.limit.min(MAX_LIMIT)
    }
}

/// One memory that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RetrievedMemory {
    /// Which block.
    pub block_id: BlockId,
    /// Where it belongs, its own place first.
    pub context_ids: Vec<ContextId>,
    /// Its text.
    pub text: String,
    /// What it was sorted by, in `[0, 1]`.
    pub match_score: f64,
    /// How much it is believed.
    pub confidence: f64,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
    /// How long it survives: `permanent`, `high`, `medium` or `low`.
    pub value: &'static str,
    /// The kind of the event it comes from; `fact` without an event.
    pub event_kind: String,
    /// The source of that event, else of the block.
    pub source: String,
    /// When it was stored.
    pub created: Timestamp,
    /// Why it is here: `matched`, `lesson` (learned from what matched), `extends` (adds to what stands before it) or
    /// `contradicts` (is trusted and contradicts the untrusted memory after it).
    pub via: &'static str,
    /// Whether something that stands contradicts it.
    pub contradicted: bool,
    /// What contradicts it.
    pub contradicted_by: Vec<BlockId>,
    /// What it rests on: the blocks it extends, was derived from or reinforces, the nearest first.
    pub chain: Vec<BlockId>,
}

/// Result of `retrieve_memories`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RetrieveResult {
    /// What was asked.
    pub query: String,
    /// What was found, best first.
    pub items: Vec<RetrievedMemory>,
    /// How many are on this page.
    pub items_found: usize,
    /// Where it begins.
    pub offset: usize,
    /// Whether there is more.
    pub has_more: bool,
    /// The items as text; none in the JSON format.
    pub memories: Option<String>,
    /// What to know about the result, such as an embedder that could not be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl fmt::Display for RetrieveResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered(true))
    }
}

impl RetrieveResult {
    /// Returns the offset of the next page. What extends or contradicts a memory takes no place.
    pub fn next_offset(&self) -> usize {
        self.offset + self.items.iter().filter(|item| matches!(item.via, "matched" | "lesson")).count()
    }

    fn rendered(&self, ids: bool) -> String {
        if self.items.is_empty() {
            return format!("{HEADING}\n\nNone found.");
        }
        let line = |item: &RetrievedMemory| {
            let id = if ids { format!("[{}] ", item.block_id.short()) } else { String::new() };
            let marked = if item.contradicted { ", contradicted" } else { "" };
            let source = one_line(&item.source);
            let about = format!("{}, {source}, confidence {:.2}{marked}", item.event_kind, item.confidence);
            format!("- {id}{} ({about})", mark_untrusted(&item.text, item.trusted))
        };
        let lines: Vec<String> = self.items.iter().map(line).collect();
        format!("{HEADING}\n{}", fence_items(&lines))
    }
}

impl<S: Store> Memory<S> {
    /// Finds memories by words, meaning and belief, in contexts and from sources if asked for.
    /// See [`RetrieveMemories`].
    ///
    /// # Errors
    /// A context or a source that is none, a weight outside `[0, 1]`, an offset beyond 1,000.
    pub fn retrieve_memories(&self, request: impl Into<RetrieveMemories>) -> Result<RetrieveResult> {
        let _span = trace::verb("retrieve_memories");
        let asked = &request.into();
        let request = asked.as_recall()?;
        let boosted: Vec<ContextId> =
            asked.boost_context_ids.iter().map(|text| checked_context(text)).collect::<Result<_>>()?;
        let (items, has_more, message) = self.with_context(&request, DEFAULT_FRAME, |context| {
            RetrieveContext { context, asked, boosted: &boosted }.retrieve()
        })?;
        let ids: Vec<BlockId> = items.iter().map(|item| item.block_id.clone()).collect();
        if !asked.preview {
            let summary = format!("Showed {}.", counted(items.len() as u64, "block"));
            let shown = ShownBlocks { used: ids.len(), ids, ..ShownBlocks::default() };
            self.record_use(OperationKind::Recall, &summary, shown);
        }
        let mut result = RetrieveResult {
            query: asked.query.clone(),
            items_found: items.len(),
            items,
            offset: asked.offset,
            has_more,
            memories: None,
            message,
        };
        if asked.format == RetrieveFormat::Markdown {
            result.memories = Some(result.rendered(asked.include_ids));
        }
        Ok(result)
    }
}

/// What matches a question.
#[derive(Default)]
struct Matches {
    /// The blocks that match, best first.
    matches: Vec<MatchScore>,
    /// Those of them for which a place is reserved if they are trusted.
    deserving: HashSet<BlockId>,
    /// Which trusted ones stand before which untrusted ones.
    precedence: Precedence,
    /// A message about the embedder.
    message: Option<String>,
}

/// Two contradicting blocks of which one is stronger.
struct OrderedPair {
    stronger: u32,
    weaker: u32,
    /// The confidence of the stronger one.
    confidence: f32,
    /// Whether both or neither are trusted.
    same_trust: bool,
}

/// One request of `retrieve_memories`, and what it is answered from.
struct RetrieveContext<'a> {
    context: &'a RecallContext<'a>,
    asked: &'a RetrieveMemories,
    boosted: &'a [ContextId],
}

impl RetrieveContext<'_> {
    fn snapshot(&self) -> &dyn Snapshot {
        self.context.snapshot
    }

    /// Returns one page of memories, whether there is more, and a message.
    fn retrieve(&self) -> Result<(Vec<RetrievedMemory>, bool, Option<String>)> {
        let window = self.asked.offset + self.asked.max_shown();
        let filter = self.context.filter()?;
        let Matches { matches, deserving, precedence, message } = self.matches(&filter, window)?;
        let near: Vec<BlockId> = matches.iter().take(window.max(MIN_CANDIDATES)).map(|(id, _)| id.clone()).collect();
        let accepts = |id: &BlockId| self.context.index.slot(id).is_some_and(|slot| filter.accepts(slot));
        let lessons = lessons_of(self.snapshot(), self.context.trust, &near, &accepts)?;
        let companions = self.companions(&near, &lessons, &accepts)?;
        let is_trusted =
            |id: &BlockId| self.context.index.slot(id).is_some_and(|slot| self.context.index.is_trusted(slot));
        let all = arrange(matches, &lessons, &companions, usize::MAX);
        let slot = |id: &BlockId| self.context.index.slot(id);
        let is_before = |a: &BlockId, b: &BlockId| match (slot(a), slot(b)) {
            (Some(a), Some(b)) => precedence.is_before(a, b),
            _ => false,
        };
        let mut placed = reserve_trusted_slots(all, is_before, is_trusted, |id| deserving.contains(id));
        let end = end_of(&placed, window);
        let has_more = end < placed.len();
        placed.truncate(end);
        placed.drain(..end_of(&placed, self.asked.offset));
        let contradicting = self.trusted_contradicting(&placed, &accepts)?;
        Ok((self.memories(put_contradicting_first(placed, &contradicting))?, has_more, message))
    }

    /// Returns the trusted blocks that contradict each untrusted one of a page.
    fn trusted_contradicting(
        &self,
        placed: &[Placed],
        accepts: &impl Fn(&BlockId) -> bool,
    ) -> Result<HashMap<BlockId, Vec<BlockId>>> {
        let index = self.context.index;
        let is_trusted = |id: &BlockId| index.slot(id).is_some_and(|slot| index.is_trusted(slot));
        let mut found = HashMap::new();
        for one in placed.iter().filter(|one| !is_trusted(&one.id)) {
            let mut others = contradicting(self.snapshot(), self.context.trust, &one.id)?;
            others.retain(|id| is_trusted(id) && accepts(id));
            if !others.is_empty() {
                found.insert(one.id.clone(), others);
            }
        }
        Ok(found)
    }

    /// Returns the blocks that match the question, best first.
    fn matches(&self, filter: &CandidateFilter<'_>, window: usize) -> Result<Matches> {
        let RecallContext { index, snapshot, hours, .. } = *self.context;
        let weight = self.asked.semantic_weight;
        let weights =
            FusionWeights { contiguity: false, shortlist: (1.0 - weight, weight), ..FusionWeights::default() };
        let Some(parsed) = self.context.question else { return Ok(Matches::default()) };
        let question = self.context.prepare(parsed, filter)?;
        if question.is_empty() {
            return Ok(Matches::default());
        }
        let count = window.saturating_add(1).saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
        let amount = Amount { results: count, candidates: count, trusted: count };
        let (mut found, scores) = self.context.best_candidates(&question, filter, &weights, amount)?;
        let question = match weight > 0.0 {
            true => question,
            // Whoever asks by words alone is answered by words alone.
            false => Question { curve: RelevanceCurve::WORDS, ..question },
        };
        let relevance = AnswerRelevance::of(&found, &question, index);
        for candidate in &mut found {
            candidate.relevance = relevance.of_hit(candidate, index.is_trusted(candidate.slot));
        }
        let mut precedence = match index.has_untrusted() {
            true => {
                let is_trusted = |slot: u32| index.is_trusted(slot);
                agreement::agree_by(&mut found, |one| one.similarity, is_trusted, |a, b| index.by_id(a, b));
                self.context.precedence(found.iter())?
            }
            false => Precedence::default(),
        };
        let boosted = self.boosted_blocks(filter)?;
        let answers = |slot: u32| relevance.answers(index.is_trusted(slot));
        let lifted = precedence.lift(answers).map(|(slot, _)| slot);
        found.retain(|one| answers(one.slot) || boosted.contains(&one.slot) || lifted == Some(one.slot));
        let present: HashSet<u32> = found.iter().map(|candidate| candidate.slot).collect();
        let missing = boosted.iter().filter(|slot| !present.contains(slot));
        found.extend(missing.map(|slot| {
            let candidate = scores.candidate(*slot);
            Candidate { relevance: relevance.of_hit(&candidate, index.is_trusted(*slot)), ..candidate }
        }));
        let slots: Vec<u32> = found.iter().map(|candidate| candidate.slot).collect();
        let states = index.ranking_states(snapshot, &slots)?;
        let contradicted = self.contradicted(&slots)?;
        let blend = |candidate: &Candidate| {
            let boost = if boosted.contains(&candidate.slot) { BOOST } else { 0.0 };
            let meaning = meaning(candidate.meaning, candidate.cue);
            (weight * meaning + (1.0 - weight) * candidate.words + boost).clamp(0.0, 1.0)
        };
        // Untrusted blocks neither hide trusted ones nor are they believed more.
        let any_trusted = found.iter().any(|candidate| index.is_trusted(candidate.slot));
        let measures = found.iter().filter(|candidate| !any_trusted || index.is_trusted(candidate.slot));
        let floor = MIN_SCORE.max(MIN_SHARE_OF_BEST * measures.map(blend).fold(0.0, f64::max));
        let least = LeastBelief::of(found.iter().zip(&states).filter_map(|(candidate, state)| {
            let state = state.as_ref().filter(|_| index.is_trusted(candidate.slot) && blend(candidate) >= floor)?;
            Some((f64::from(state.confidence), composite::recency(state, hours)))
        }));
        let score = |candidate: &Candidate, state: Option<RankingState>| {
            let (id, state) = (index.id(candidate.slot)?, state?);
            let blend = blend(candidate);
            let belief = (f64::from(state.confidence), composite::recency(&state, hours));
            let (confidence, recency) = if index.is_trusted(candidate.slot) { belief } else { least.limit(belief) };
            let parts = MatchParts { blend, confidence, recency, contradicted: contradicted.contains(&candidate.slot) };
            (blend >= floor || lifted == Some(candidate.slot)).then(|| (id.clone(), parts.score()))
        };
        let mut scored: Vec<MatchScore> =
            found.iter().zip(states).filter_map(|(candidate, state)| score(candidate, state)).collect();
        let pairs = self.stronger_first(filter, &scored)?;
        let absent = |slot: &u32| index.id(*slot).is_some_and(|id| scored.iter().all(|(known, _)| known != id));
        let missing: HashSet<u32> = pairs.iter().map(|pair| pair.stronger).filter(absent).collect();
        // What is stronger than a match comes with it, whatever the words of the question fit.
        scored.extend(missing.into_iter().filter_map(|slot| Some((index.id(slot)?.clone(), 0.0))));
        self.place_below_stronger(&mut scored, &pairs);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let (best, min) = (best_match(found.iter()), relevance.min_reserved());
        let deserving =
            found.iter().filter(|one| deserves_slot(one, best, |relevance| relevance > 0.0 && relevance >= min));
        let deserving = deserving.filter_map(|candidate| index.id(candidate.slot).cloned()).collect();
        let message = question.embedding_problem.as_deref().map(words_alone);
        Ok(Matches { matches: scored, deserving, precedence, message })
    }

    /// Returns the contradicting pairs of which the weaker block matches, the strongest first. Of two blocks the trusted one
    /// is the stronger, else the more confident one; two that are believed alike are no pair. A trusted block that does not
    /// match takes no place because of an untrusted one; it comes in addition ([`put_contradicting_first`]).
    fn stronger_first(&self, filter: &CandidateFilter<'_>, scored: &[MatchScore]) -> Result<Vec<OrderedPair>> {
        let index = self.context.index;
        let matched: HashSet<u32> = scored.iter().filter_map(|(id, _)| index.slot(id)).collect();
        let is_near = |(a, b): &&(u32, u32)| matched.contains(a) || matched.contains(b);
        let pairs: Vec<(u32, u32)> = index.contradicting_pairs().iter().filter(is_near).copied().collect();
        let members: Vec<u32> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let states = index.ranking_states(self.snapshot(), &members)?;
        let mut ordered = Vec::new();
        for (pair, states) in pairs.iter().zip(states.chunks(2)) {
            let [Some(a), Some(b)] = states else { continue };
            let strength = |slot: u32, state: &RankingState| (index.is_trusted(slot), state.confidence);
            let (a, b) = (strength(pair.0, a), strength(pair.1, b));
            let (stronger, weaker, confidence) = match a.partial_cmp(&b) {
                Some(std::cmp::Ordering::Greater) => (pair.0, pair.1, a.1),
                Some(std::cmp::Ordering::Less) => (pair.1, pair.0, b.1),
                _ => continue,
            };
            let same_trust = index.is_trusted(stronger) == index.is_trusted(weaker);
            let comes_in = same_trust && index.contains(stronger) && filter.accepts(stronger);
            if matched.contains(&weaker) && (matched.contains(&stronger) || comes_in) {
                ordered.push(OrderedPair { stronger, weaker, confidence, same_trust });
            }
        }
        ordered.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| index.by_id(a.stronger, b.stronger)));
        Ok(ordered)
    }

    /// Places each weaker block of a contradicting pair below the stronger one. A stronger block of the same trust takes the
    /// score of the weaker one over if that is higher.
    fn place_below_stronger(&self, scored: &mut [MatchScore], pairs: &[OrderedPair]) {
        let places: HashMap<u32, usize> =
            scored.iter().enumerate().filter_map(|(at, (id, _))| Some((self.context.index.slot(id)?, at))).collect();
        let placed = |pair: &OrderedPair| Some((*places.get(&pair.stronger)?, *places.get(&pair.weaker)?));
        for (stronger, weaker) in pairs.iter().rev().filter(|pair| pair.same_trust).filter_map(placed) {
            scored[stronger].1 = scored[stronger].1.max(scored[weaker].1);
        }
        for (stronger, weaker) in pairs.iter().filter_map(placed) {
            scored[weaker].1 = scored[weaker].1.min(scored[stronger].1 * BELOW);
        }
    }

    /// Returns the blocks of the boosted contexts, and those that are linked to them.
    fn boosted_blocks(&self, filter: &CandidateFilter<'_>) -> Result<HashSet<u32>> {
        let mut ids: Vec<BlockId> = Vec::new();
        for context in self.boosted {
            ids.extend(self.snapshot().get_enrolled(context)?.into_iter().map(|enrolment| enrolment.block_id));
        }
        if !self.boosted.is_empty() {
            let ends = Some(self.boosted.iter().cloned().map(LinkEnd::from).collect());
            let linked = self.snapshot().list_links(&LinkQuery { to: ends, ..LinkQuery::default() })?;
            ids.extend(linked.into_iter().filter_map(|link| link.key.from.block().cloned()));
        }
        let slots = ids.iter().filter_map(|id| self.context.index.slot(id));
        Ok(slots.filter(|slot| filter.accepts(*slot)).collect())
    }

    /// Returns the blocks that a link contradicts, and the weaker one of each contradicting pair, if one of the two is among
    /// `slots`. Of two blocks the untrusted one is the weaker, else the less confident one.
    fn contradicted(&self, slots: &[u32]) -> Result<HashSet<u32>> {
        let index = self.context.index;
        let ends: Vec<LinkEnd> = slots.iter().filter_map(|slot| index.id(*slot).cloned()).map(LinkEnd::from).collect();
        let query = LinkQuery { to: Some(ends), link_type: Some(LinkType::Contradicts), ..LinkQuery::default() };
        let links = self.snapshot().list_links(&query)?;
        let heard = |link: &Link, slot: u32| {
            let from = link.key.from.block().and_then(|from| index.slot(from));
            !index.is_trusted(slot) || from.is_none_or(|from| index.is_trusted(from))
        };
        let contradicted_by = |link: &Link| index.slot(link.key.to.block()?).filter(|slot| heard(link, *slot));
        let mut contradicted: HashSet<u32> = links.iter().filter_map(contradicted_by).collect();
        let among: HashSet<u32> = slots.iter().copied().collect();
        let pairs = index.contradicting_pairs().iter();
        let pairs: Vec<(u32, u32)> = pairs.filter(|(a, b)| among.contains(a) || among.contains(b)).copied().collect();
        let members: Vec<u32> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let states = index.ranking_states(self.snapshot(), &members)?;
        for (pair, states) in pairs.iter().zip(states.chunks(2)) {
            let strength = |slot: u32, state: &RankingState| (index.is_trusted(slot), state.confidence);
            if let [Some(a), Some(b)] = states {
                match strength(pair.0, a).partial_cmp(&strength(pair.1, b)) {
                    Some(std::cmp::Ordering::Less) => _ = contradicted.insert(pair.0),
                    Some(std::cmp::Ordering::Greater) => _ = contradicted.insert(pair.1),
                    _ => {}
                }
            }
        }
        Ok(contradicted)
    }

    /// Returns what extends each of some blocks, or the context of their event, step by step.
    fn companions(
        &self,
        near: &[BlockId],
        lessons: &HashMap<BlockId, Vec<BlockId>>,
        accepts: &impl Fn(&BlockId) -> bool,
    ) -> Result<HashMap<BlockId, Vec<BlockId>>> {
        let mut companions: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
        let mut layer: Vec<BlockId> = near.iter().chain(lessons.values().flatten()).cloned().collect();
        for _ in 0..self.asked.expand_depth.min(MAX_DEPTH) {
            layer.retain(|id| !companions.contains_key(id));
            layer.sort();
            layer.dedup();
            let mut next = Vec::new();
            let is_trusted =
                |id: &BlockId| self.context.index.slot(id).is_some_and(|slot| self.context.index.is_trusted(slot));
            for (target, from) in extending(self.snapshot(), &layer)? {
                // What is not trusted does not come along with what is.
                if target != from && accepts(&from) && (is_trusted(&from) || !is_trusted(&target)) {
                    companions.entry(target).or_default().push(from.clone());
                    next.push(from);
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        Ok(companions)
    }

    /// Turns ids into memories with all their details.
    fn memories(&self, placed: Vec<Placed>) -> Result<Vec<RetrievedMemory>> {
        let snapshot = self.snapshot();
        let ids: Vec<BlockId> = placed.iter().map(|placed| placed.id.clone()).collect();
        let mut blocks: HashMap<BlockId, Block> =
            snapshot.get_blocks(&ids)?.into_iter().map(|block| (block.id.clone(), block)).collect();
        let mut contexts: HashMap<BlockId, Vec<ContextId>> = HashMap::new();
        for enrolment in snapshot.get_enrolments(&ids)? {
            contexts.entry(enrolment.block_id).or_default().push(enrolment.context_id);
        }
        let events = first_events(snapshot, &ids)?;
        let mut memories = Vec::with_capacity(placed.len());
        for Placed { id, score, role } in placed {
            let Some(block) = blocks.remove(&id).filter(|block| block.status != BlockStatus::Archived) else {
                continue;
            };
            let event = events.get(&id);
            let contradicted_by = contradicting(snapshot, self.context.trust, &id)?;
            memories.push(RetrievedMemory {
                context_ids: contexts.remove(&id).unwrap_or_default(),
                match_score: score,
                confidence: block.confidence.get(),
                trusted: self.context.trust.trusts(&block),
                value: value_of(&block),
                event_kind: event.map_or("fact", |event| event.kind.as_str()).to_owned(),
                source: event.map_or(block.source.as_str(), |event| event.source.as_str()).to_owned(),
                created: block.created_at,
                via: match role {
                    RetrievalRole::Matched => "matched",
                    RetrievalRole::Lesson => "lesson",
                    RetrievalRole::Extends => "extends",
                    RetrievalRole::Contradicts => "contradicts",
                },
                contradicted: !contradicted_by.is_empty(),
                contradicted_by,
                chain: behind(snapshot, &id)?,
                text: block.content,
                block_id: id,
            });
        }
        Ok(memories)
    }
}

fn value_of(block: &Block) -> &'static str {
    match DecayTier::of(&block.tags, &block.category) {
        DecayTier::Permanent => "permanent",
        DecayTier::Durable => "high",
        DecayTier::Standard => "medium",
        DecayTier::Ephemeral => "low",
    }
}

/// Returns the first event of each block. A successor has the event of the block it replaced.
pub(crate) fn first_events(snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<HashMap<BlockId, Event>> {
    let mut first = HashMap::new();
    for event in snapshot.list_events(&EventQuery::of_blocks(ids))? {
        if let Some(block) = event.block_id.clone() {
            first.insert(block, event);
        }
    }
    for id in ids {
        if !first.contains_key(id) {
            let kin = snapshot.get_lineage(id)?;
            let event = if kin.is_empty() { None } else { snapshot.list_events(&EventQuery::of_blocks(&kin))?.pop() };
            first.extend(event.map(|event| (id.clone(), event)));
        }
    }
    Ok(first)
}

/// The least confidence and recency of trusted matches.
struct LeastBelief(Option<(f64, f64)>);

impl LeastBelief {
    fn of(trusted: impl Iterator<Item = (f64, f64)>) -> Self {
        Self(trusted.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))))
    }

    /// Lowers the confidence and recency of an untrusted match to the least.
    fn limit(&self, (confidence, recency): (f64, f64)) -> (f64, f64) {
        self.0.map_or((confidence, recency), |least| (confidence.min(least.0), recency.min(least.1)))
    }
}

/// What contradicts a block: by a link that counted, or on record and stronger. Of two blocks the trusted one is the
/// stronger, else the more confident one, else the later one.
pub(crate) fn contradicting(snapshot: &dyn Snapshot, trust: &TrustPolicy, id: &BlockId) -> Result<Vec<BlockId>> {
    let effects = snapshot.get_effects(id)?;
    let mut found: Vec<BlockId> = effects
        .iter()
        .filter(|effect| effect.key.link_type == LinkType::Contradicts)
        .filter_map(|effect| effect.key.from.block().cloned())
        .collect();
    let strength = |block: Block| {
        let happened = block.event_at.unwrap_or(block.created_at);
        (trust.trusts(&block), block.confidence.get(), happened)
    };
    let own = snapshot.get_block(id)?.map(strength);
    for contradiction in snapshot.get_contradictions_for_blocks(std::slice::from_ref(id))? {
        let other = contradiction.other(id);
        let stronger = snapshot.get_block(other)?.map(strength) > own;
        if stronger && !found.contains(other) {
            found.push(other.clone());
        }
    }
    Ok(found)
}

/// Largest number of steps of a chain.
const CHAIN_STEPS: usize = 6;
/// The most blocks of a chain.
const CHAIN_BLOCKS: usize = 20;

/// The blocks that one rests on, the nearest first.
fn behind(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Vec<BlockId>> {
    let mut chain: Vec<BlockId> = Vec::new();
    let mut layer = vec![id.clone()];
    for _ in 0..CHAIN_STEPS {
        let from = Some(layer.iter().cloned().map(LinkEnd::from).collect());
        let mut next = Vec::new();
        for link in snapshot.list_links(&LinkQuery { from, ..LinkQuery::default() })? {
            let grounds = [LinkType::Extends, LinkType::DerivedFrom, LinkType::Reinforces];
            if let Some(to) = link.key.to.block().filter(|_| grounds.contains(&link.key.link_type))
                && to != id
                && !chain.contains(to)
                && chain.len() < CHAIN_BLOCKS
            {
                chain.push(to.clone());
                next.push(to.clone());
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(chain)
}

/// Returns what extends some blocks, or the contexts of their events, as (extended, extending).
fn extending(snapshot: &dyn Snapshot, layer: &[BlockId]) -> Result<Vec<(BlockId, BlockId)>> {
    let mut targets: HashMap<LinkEnd, Vec<BlockId>> = HashMap::new();
    for id in layer {
        targets.entry(LinkEnd::from(id.clone())).or_default().push(id.clone());
    }
    for enrolment in snapshot.get_enrolments(layer)?.into_iter().filter(|enrolment| enrolment.primary) {
        targets.entry(LinkEnd::from(enrolment.context_id)).or_default().push(enrolment.block_id);
    }
    let to = Some(targets.keys().cloned().collect());
    let query = LinkQuery { to, link_type: Some(LinkType::Extends), ..LinkQuery::default() };
    let mut found = Vec::new();
    for link in snapshot.list_links(&query)? {
        let Some(from) = link.key.from.block() else { continue };
        for target in targets.get(&link.key.to).into_iter().flatten() {
            found.push((target.clone(), from.clone()));
        }
    }
    Ok(found)
}

/// The lessons that were learned from each of some blocks: a block that extends a pattern and reinforces what that pattern was
/// derived from. One that is contradicted teaches nothing.
fn lessons_of(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    near: &[BlockId],
    accepts: &impl Fn(&BlockId) -> bool,
) -> Result<HashMap<BlockId, Vec<BlockId>>> {
    let links_to = |ids: &[BlockId], link_type: LinkType| -> Result<Vec<Link>> {
        let to = Some(ids.iter().cloned().map(LinkEnd::from).collect());
        Ok(snapshot.list_links(&LinkQuery { to, link_type: Some(link_type), ..LinkQuery::default() })?)
    };
    let from_block = |link: &Link| link.key.from.block().cloned();
    // Patterns among what is near, and those that were derived from it.
    let mut patterns: Vec<BlockId> = near.to_vec();
    patterns.extend(links_to(near, LinkType::DerivedFrom)?.iter().filter_map(from_block));
    let mut lessons: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
    for link in links_to(&patterns, LinkType::Extends)? {
        let (Some(skill), Some(pattern)) = (from_block(&link), link.key.to.block()) else { continue };
        let grounds = |from: &BlockId, link_type: LinkType| -> Result<HashSet<LinkEnd>> {
            let query = LinkQuery {
                from: Some(vec![LinkEnd::from(from.clone())]),
                link_type: Some(link_type),
                ..LinkQuery::default()
            };
            Ok(snapshot.list_links(&query)?.into_iter().map(|link| link.key.to).collect())
        };
        let mistakes = grounds(pattern, LinkType::DerivedFrom)?;
        let confirmed = grounds(&skill, LinkType::Reinforces)?;
        let common: Vec<&LinkEnd> = mistakes.intersection(&confirmed).collect();
        let is_trusted =
            |id: &BlockId| -> Result<bool> { Ok(snapshot.get_block(id)?.is_some_and(|block| trust.trusts(&block))) };
        // A lesson comes before what it was learned from, so an untrusted one is none for a trusted pattern.
        let presumes = is_trusted(pattern)? && !is_trusted(&skill)?;
        if common.is_empty() || presumes || !accepts(&skill) || !contradicting(snapshot, trust, &skill)?.is_empty() {
            continue;
        }
        let learned_from = common.into_iter().filter_map(LinkEnd::block).chain([pattern]);
        for block in learned_from.filter(|block| near.contains(block)) {
            let index = lessons.entry(block.clone()).or_default();
            if !index.contains(&skill) {
                index.push(skill.clone());
            }
        }
    }
    Ok(lessons)
}
