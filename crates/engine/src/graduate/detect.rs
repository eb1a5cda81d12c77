//! Detects what is ready to graduate: repeated mistakes, confirmed patterns and contradicted
//! skills.
//!
//! Detection is read-only and deterministic. Several sightings by one source in one session count
//! once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use elfmem_core::event::{ContextId, EventKind};
use elfmem_core::{Block, BlockId, BlockStatus, Link, LinkEnd, LinkOrigin, LinkType};
use elfmem_store::{Entity, EventQuery, LinkQuery, Snapshot};

use crate::Result;
use crate::memory::head_of;
use crate::models::locked_model;
use crate::undo::find_operation;

/// Maximum number of events to scan, newest first.
const MAX_EVENTS: u32 = 2_000;
/// Maximum number of observations to compare with each other, newest first.
const MAX_OBSERVATIONS: usize = 512;
/// Maximum number of links to scan.
const MAX_LINKS: u32 = 10_000;
/// Minimum outcome signal that confirms a pattern.
const CONFIRMING_SIGNAL: f64 = 0.7;
/// Context types that identify one mistake.
const MISTAKE_CONTEXTS: [&str; 2] = ["error", "mistake"];
/// Maximum length of a generated context name.
const MAX_NAME_LENGTH: usize = 40;

/// Minimum cosine similarity for two observations to count as the same mistake.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SimilarityThresholds {
    /// For observations in the same context.
    pub(crate) same_context: f64,
    /// For observations in different contexts.
    pub(crate) any_context: f64,
}

impl Default for SimilarityThresholds {
    /// Returns the thresholds for a memory without an embedder.
    fn default() -> Self {
        Self { same_context: 0.60, any_context: 0.90 }
    }
}

/// Observations of the same mistake.
#[derive(Debug, Clone)]
pub(crate) struct MistakeGroup {
    /// The observations, oldest first.
    pub(crate) blocks: Vec<Block>,
    /// Number of distinct pairs of session and source.
    pub(crate) sightings: usize,
    /// The context name for a pattern.
    pub(crate) name: String,
}

/// A pattern and the mistakes it was derived from.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) block: Block,
    pub(crate) mistakes: Vec<BlockId>,
    /// Number of confirmations.
    pub(crate) uses: usize,
    /// The context name for a skill.
    pub(crate) name: String,
}

/// A skill with `contradicts` links to it.
#[derive(Debug, Clone)]
pub(crate) struct ContradictedSkill {
    pub(crate) block: Block,
    pub(crate) context: ContextId,
    pub(crate) by: Vec<BlockId>,
}

/// The session and the source of an observation.
type Sighting = (String, &'static str);
/// An observation with all its sightings.
type Observation = (Block, BTreeSet<Sighting>);

/// Returns the active blocks of observation and violation events with their sightings, oldest
/// first.
fn observations(snapshot: &dyn Snapshot) -> Result<Vec<Observation>> {
    let kinds = EventKind::all().filter(|kind| ["observation", "constraint_violation"].contains(&kind.as_str()));
    let query =
        EventQuery { kinds: kinds.collect(), admitted: Some(true), limit: Some(MAX_EVENTS), ..EventQuery::default() };
    let mut order: Vec<BlockId> = Vec::new();
    let mut seen: HashMap<BlockId, BTreeSet<Sighting>> = HashMap::new();
    for event in snapshot.list_events(&query)?.into_iter().rev() {
        let Some(block) = event.block_id else { continue };
        let block = head_of(snapshot, block)?;
        let session = event.session_id.map(|session| session.to_string()).unwrap_or_default();
        if !seen.contains_key(&block) {
            order.push(block.clone());
        }
        seen.entry(block).or_default().insert((session, event.source.as_str()));
    }
    let mut found = Vec::new();
    for id in order.into_iter().rev().take(MAX_OBSERVATIONS).collect::<Vec<_>>().into_iter().rev() {
        let block = snapshot.get_block(&id)?.filter(|block| block.status == BlockStatus::Active);
        if let (Some(block), Some(seen)) = (block, seen.remove(&id)) {
            found.push((block, seen));
        }
    }
    Ok(found)
}

/// Returns the groups of mistakes with at least `min_sightings` sightings and no pattern yet.
pub(crate) fn mistake_groups(
    snapshot: &dyn Snapshot,
    thresholds: SimilarityThresholds,
    min_sightings: u32,
) -> Result<Vec<MistakeGroup>> {
    let observed = observations(snapshot)?;
    let derived = derivations(snapshot)?;
    let mut ready = Vec::new();
    for group in group_same(snapshot, &observed, thresholds)? {
        let sightings: BTreeSet<&Sighting> = group.iter().flat_map(|at| &observed[*at].1).collect();
        let blocks: Vec<Block> = group.iter().map(|at| observed[*at].0.clone()).collect();
        let known = blocks.iter().any(|block| derived.values().flatten().any(|mistake| *mistake == block.id));
        if !known && sightings.len() >= min_sightings as usize {
            let name = name_of(snapshot, &blocks)?;
            ready.push(MistakeGroup { sightings: sightings.len(), blocks, name });
        }
    }
    Ok(ready)
}

/// Returns the group of mistakes that contains a block, regardless of the number of sightings.
pub(crate) fn group_with(
    snapshot: &dyn Snapshot,
    thresholds: SimilarityThresholds,
    block: &BlockId,
) -> Result<Option<MistakeGroup>> {
    let all = mistake_groups(snapshot, thresholds, 0)?;
    Ok(all.into_iter().find(|group| group.blocks.iter().any(|member| member.id == *block)))
}

/// Groups observations of the same mistake: in the same mistake context, or with similar vectors.
fn group_same(
    snapshot: &dyn Snapshot,
    observed: &[Observation],
    thresholds: SimilarityThresholds,
) -> Result<Vec<Vec<usize>>> {
    let ids: Vec<BlockId> = observed.iter().map(|(block, _)| block.id.clone()).collect();
    let contexts = primary_contexts(snapshot, &ids)?;
    let vectors: HashMap<BlockId, Vec<f32>> = match locked_model(snapshot)? {
        Some(model) => {
            snapshot.get_vectors(&model, Some(&ids))?.into_iter().map(|stored| (stored.id, stored.vector)).collect()
        }
        None => HashMap::new(),
    };
    let mut group_of: Vec<usize> = (0..ids.len()).collect();
    for a in 0..ids.len() {
        for b in 0..a {
            let shared = contexts.get(&ids[a]).filter(|context| contexts.get(&ids[b]) == Some(context));
            let same_mistake = shared.is_some_and(|context| MISTAKE_CONTEXTS.contains(&context.kind()));
            let threshold = if shared.is_some() { thresholds.same_context } else { thresholds.any_context };
            let similarity = || cosine(vectors.get(&ids[a])?, vectors.get(&ids[b])?);
            if same_mistake || similarity().is_some_and(|cosine| cosine >= threshold) {
                let (kept, gone) = (group_of[b], group_of[a]);
                group_of.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, group) in group_of.into_iter().enumerate() {
        groups.entry(group).or_default().push(at);
    }
    Ok(groups.into_values().collect())
}

fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    let dot = |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    let length = (dot(a, a) * dot(b, b)).sqrt();
    (length > 0.0 && a.len() == b.len()).then(|| dot(a, b) / length)
}

/// Returns the primary context of each block.
fn primary_contexts(snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<HashMap<BlockId, ContextId>> {
    let mut contexts = HashMap::new();
    for enrolment in snapshot.get_enrolments(ids)?.into_iter().filter(|enrolment| enrolment.primary) {
        contexts.entry(enrolment.block_id).or_insert(enrolment.context_id);
    }
    Ok(contexts)
}

/// Returns the context name for a pattern or skill: the name of the blocks' own context, or else
/// their first words.
fn name_of(snapshot: &dyn Snapshot, blocks: &[Block]) -> Result<String> {
    let ids: Vec<BlockId> = blocks.iter().map(|block| block.id.clone()).collect();
    let contexts = primary_contexts(snapshot, &ids)?;
    let is_specific = |context: &&ContextId| MISTAKE_CONTEXTS.contains(&context.kind()) || context.kind() == "pattern";
    if let Some(context) = ids.iter().filter_map(|id| contexts.get(id)).find(is_specific) {
        return Ok(context.name().to_owned());
    }
    let text = blocks.first().map(|block| block.content.as_str()).unwrap_or_default().to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() + word.len() >= MAX_NAME_LENGTH {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(word);
    }
    Ok(if name.is_empty() { ids.first().map(|id| id.short().to_owned()).unwrap_or_default() } else { name })
}

/// Returns, for each block, the blocks it was derived from by an explicit link.
fn derivations(snapshot: &dyn Snapshot) -> Result<BTreeMap<BlockId, Vec<BlockId>>> {
    let link_type = Some(LinkType::DerivedFrom);
    let links = snapshot.list_links(&LinkQuery { link_type, limit: Some(MAX_LINKS), ..LinkQuery::default() })?;
    let mut derived: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for link in links.into_iter().filter(|link| link.origin != LinkOrigin::Implied) {
        if let (Some(from), Some(to)) = (link.key.from.block(), link.key.to.block()) {
            derived.entry(from.clone()).or_default().push(to.clone());
        }
    }
    Ok(derived)
}

/// Returns the patterns with at least `min_uses` confirmations and no skill yet.
pub(crate) fn patterns(snapshot: &dyn Snapshot, min_uses: u32) -> Result<Vec<Pattern>> {
    let seen: BTreeSet<BlockId> = observations(snapshot)?.into_iter().map(|(block, _)| block.id).collect();
    let mut ready = Vec::new();
    for (id, mistakes) in derivations(snapshot)? {
        if let Some(pattern) = derived_pattern(snapshot, &id, mistakes, &seen)?
            && pattern.uses >= min_uses as usize
        {
            ready.push(pattern);
        }
    }
    Ok(ready)
}

/// Returns a block as a pattern. Returns `None` if it was not derived from an observation or has a
/// skill already.
pub(crate) fn pattern(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Option<Pattern>> {
    let seen: BTreeSet<BlockId> = observations(snapshot)?.into_iter().map(|(block, _)| block.id).collect();
    derived_pattern(snapshot, id, derivations(snapshot)?.remove(id).unwrap_or_default(), &seen)
}

fn derived_pattern(
    snapshot: &dyn Snapshot,
    id: &BlockId,
    mut mistakes: Vec<BlockId>,
    seen: &BTreeSet<BlockId>,
) -> Result<Option<Pattern>> {
    let Some(block) = snapshot.get_block(id)?.filter(|block| block.status == BlockStatus::Active) else {
        return Ok(None);
    };
    mistakes.retain(|mistake| seen.contains(mistake));
    if mistakes.is_empty() || has_skill(snapshot, id, &mistakes)? {
        return Ok(None);
    }
    let (uses, name) = (confirmations(snapshot, id)?, name_of(snapshot, std::slice::from_ref(&block))?);
    Ok(Some(Pattern { block, mistakes, uses, name }))
}

fn links_from(snapshot: &dyn Snapshot, from: &BlockId, link_type: LinkType) -> Result<Vec<Link>> {
    let from = Some(vec![LinkEnd::from(from.clone())]);
    Ok(snapshot.list_links(&LinkQuery { from, link_type: Some(link_type), ..LinkQuery::default() })?)
}

/// Returns true if a block extends the pattern and reinforces one of its mistakes.
fn has_skill(snapshot: &dyn Snapshot, pattern: &BlockId, mistakes: &[BlockId]) -> Result<bool> {
    let to = Some(vec![LinkEnd::from(pattern.clone())]);
    let extending = LinkQuery { to, link_type: Some(LinkType::Extends), ..LinkQuery::default() };
    for link in snapshot.list_links(&extending)? {
        let Some(skill) = link.key.from.block() else { continue };
        let confirmed = links_from(snapshot, skill, LinkType::Reinforces)?;
        if confirmed.iter().any(|link| link.key.to.block().is_some_and(|to| mistakes.contains(to))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Counts the confirmations of a block: good outcomes and `reinforces` links, once per session and
/// source.
fn confirmations(snapshot: &dyn Snapshot, id: &BlockId) -> Result<usize> {
    let mut sessions: HashMap<String, String> = HashMap::new();
    for numbered in snapshot.get_block_changes(id)? {
        let change = numbered.change;
        if matches!(change.entity, Entity::Outcome | Entity::Effect) && change.before.is_none() {
            let session = find_operation(snapshot, numbered.seq)?.and_then(|operation| operation.header.session);
            sessions.insert(change.id, session.map(|session| session.to_string()).unwrap_or_default());
        }
    }
    let session = |name: String| sessions.get(&name).cloned().unwrap_or_default();
    let mut uses: BTreeSet<(String, String)> = BTreeSet::new();
    for record in snapshot.get_outcomes(id)?.into_iter().filter(|record| record.signal.get() >= CONFIRMING_SIGNAL) {
        uses.insert((session(format!("{id}:{}", record.outcome_id)), record.source));
    }
    for effect in snapshot.get_effects(id)?.into_iter().filter(|one| one.key.link_type == LinkType::Reinforces) {
        uses.insert((session(format!("{id}|{}", effect.key.name())), effect.key.from.to_string()));
    }
    Ok(uses.len())
}

/// Returns the contradicted skills: blocks in a `skill:` context that extend a pattern.
pub(crate) fn contradicted_skills(snapshot: &dyn Snapshot) -> Result<Vec<ContradictedSkill>> {
    let link_type = Some(LinkType::Extends);
    let links = snapshot.list_links(&LinkQuery { link_type, limit: Some(MAX_LINKS), ..LinkQuery::default() })?;
    let skills: BTreeSet<BlockId> = links.iter().filter_map(|link| link.key.from.block().cloned()).collect();
    let mut found = Vec::new();
    for id in skills {
        found.extend(contradicted_skill(snapshot, &id)?);
    }
    Ok(found)
}

/// Returns a block as a contradicted skill, if it is one.
pub(crate) fn contradicted_skill(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Option<ContradictedSkill>> {
    let Some(block) = snapshot.get_block(id)?.filter(|block| block.status == BlockStatus::Active) else {
        return Ok(None);
    };
    let mut contexts = primary_contexts(snapshot, std::slice::from_ref(id))?;
    let Some(context) = contexts.remove(id).filter(|context| context.kind() == "skill") else {
        return Ok(None);
    };
    let effects = snapshot.get_effects(id)?;
    let by: Vec<BlockId> = effects
        .into_iter()
        .filter(|effect| effect.key.link_type == LinkType::Contradicts)
        .filter_map(|effect| effect.key.from.block().cloned())
        .collect();
    Ok((!by.is_empty()).then_some(ContradictedSkill { block, context, by }))
}
