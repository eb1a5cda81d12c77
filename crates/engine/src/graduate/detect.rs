//! Who is ready: mistakes that were seen again, patterns that proved true, skills that were contradicted.
//!
//! Everything here only reads, and finds the same in the same memory. Seeing the same thing twice in one session from one source is
//! seeing it once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use elfmem_core::event::{ContextId, EventKind};
use elfmem_core::{Block, BlockId, BlockStatus, Link, LinkEnd, LinkOrigin, LinkType};
use elfmem_store::{Entity, EventQuery, LinkQuery, Snapshot};

use crate::Result;
use crate::memory::head_of;
use crate::models::locked_model;
use crate::undo::operation;

/// Events that are looked through, the newest.
const EVENTS: u32 = 2_000;
/// Mistakes that are compared with each other, the newest.
const COMPARED: usize = 512;
/// Links that are looked through.
const LINKS: u32 = 10_000;
/// An outcome from which on a pattern counts as confirmed.
const CONFIRMED: f64 = 0.7;
/// Kinds of contexts that are named after one mistake.
const OF_ONE_MISTAKE: [&str; 2] = ["error", "mistake"];
/// The longest name of a context that is made up.
const LONGEST_NAME: usize = 40;

/// How near two mistakes must be to be the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearness {
    /// In the same context.
    pub(crate) edge: f64,
    /// In any.
    pub(crate) near: f64,
}

impl Default for Nearness {
    /// Where no embedder says.
    fn default() -> Self {
        Self { edge: 0.60, near: 0.90 }
    }
}

/// Mistakes that are the same one.
#[derive(Debug, Clone)]
pub(crate) struct Mistakes {
    /// The oldest first.
    pub(crate) blocks: Vec<Block>,
    /// In how many distinct sessions, or by how many sources, it was seen.
    pub(crate) sightings: usize,
    /// What a pattern of them is called.
    pub(crate) name: String,
}

/// A pattern with what it was derived from.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) block: Block,
    pub(crate) mistakes: Vec<BlockId>,
    /// Confirmed uses.
    pub(crate) uses: usize,
    /// What a skill of it is called.
    pub(crate) name: String,
}

/// A skill that something contradicts.
#[derive(Debug, Clone)]
pub(crate) struct Doubted {
    pub(crate) block: Block,
    pub(crate) context: ContextId,
    pub(crate) by: Vec<BlockId>,
}

/// In which session and by which source something was seen.
type Sighting = (String, &'static str);
/// What was observed, and every sighting of it.
type Observed = (Block, BTreeSet<Sighting>);

/// Active blocks that observations and violations became, with everyone who saw them and when, the oldest first.
fn observed(snapshot: &dyn Snapshot) -> Result<Vec<Observed>> {
    let kinds = EventKind::all().filter(|kind| ["observation", "constraint_violation"].contains(&kind.as_str()));
    let query =
        EventQuery { kinds: kinds.collect(), admitted: Some(true), limit: Some(EVENTS), ..EventQuery::default() };
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
    for id in order.into_iter().rev().take(COMPARED).collect::<Vec<_>>().into_iter().rev() {
        let block = snapshot.get_block(&id)?.filter(|block| block.status == BlockStatus::Active);
        if let (Some(block), Some(seen)) = (block, seen.remove(&id)) {
            found.push((block, seen));
        }
    }
    Ok(found)
}

/// Mistakes that were seen often enough and have no pattern yet.
pub(crate) fn mistakes(snapshot: &dyn Snapshot, nearness: Nearness, after: u32) -> Result<Vec<Mistakes>> {
    let observed = observed(snapshot)?;
    let derived = derivations(snapshot)?;
    let mut ready = Vec::new();
    for group in grouped(snapshot, &observed, nearness)? {
        let sightings: BTreeSet<&Sighting> = group.iter().flat_map(|at| &observed[*at].1).collect();
        let blocks: Vec<Block> = group.iter().map(|at| observed[*at].0.clone()).collect();
        let known = blocks.iter().any(|block| derived.values().flatten().any(|mistake| *mistake == block.id));
        if !known && sightings.len() >= after as usize {
            let name = name_of(snapshot, &blocks)?;
            ready.push(Mistakes { sightings: sightings.len(), blocks, name });
        }
    }
    Ok(ready)
}

/// The mistakes that a block belongs with, however often they were seen.
pub(crate) fn mistakes_with(snapshot: &dyn Snapshot, nearness: Nearness, block: &BlockId) -> Result<Option<Mistakes>> {
    let all = mistakes(snapshot, nearness, 0)?;
    Ok(all.into_iter().find(|group| group.blocks.iter().any(|member| member.id == *block)))
}

/// Which of what was observed is the same: told in a context named after one mistake, or near each other.
fn grouped(snapshot: &dyn Snapshot, observed: &[Observed], nearness: Nearness) -> Result<Vec<Vec<usize>>> {
    let ids: Vec<BlockId> = observed.iter().map(|(block, _)| block.id.clone()).collect();
    let places = places(snapshot, &ids)?;
    let vectors: HashMap<BlockId, Vec<f32>> = match locked_model(snapshot)? {
        Some(model) => {
            snapshot.get_vectors(&model, Some(&ids))?.into_iter().map(|stored| (stored.id, stored.vector)).collect()
        }
        None => HashMap::new(),
    };
    let mut group_of: Vec<usize> = (0..ids.len()).collect();
    for a in 0..ids.len() {
        for b in 0..a {
            let shared = places.get(&ids[a]).filter(|place| places.get(&ids[b]) == Some(place));
            let named = shared.is_some_and(|place| OF_ONE_MISTAKE.contains(&place.kind()));
            let needed = if shared.is_some() { nearness.edge } else { nearness.near };
            let alike = || cosine(vectors.get(&ids[a])?, vectors.get(&ids[b])?);
            if named || alike().is_some_and(|cosine| cosine >= needed) {
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

/// Where each block was told.
fn places(snapshot: &dyn Snapshot, ids: &[BlockId]) -> Result<HashMap<BlockId, ContextId>> {
    let mut places = HashMap::new();
    for enrolment in snapshot.get_enrolments(ids)?.into_iter().filter(|enrolment| enrolment.primary) {
        places.entry(enrolment.block_id).or_insert(enrolment.context_id);
    }
    Ok(places)
}

/// What a pattern or a skill of some blocks is called: after the context they were told in, or else after the first words.
fn name_of(snapshot: &dyn Snapshot, blocks: &[Block]) -> Result<String> {
    let ids: Vec<BlockId> = blocks.iter().map(|block| block.id.clone()).collect();
    let places = places(snapshot, &ids)?;
    let of_one = |place: &&ContextId| OF_ONE_MISTAKE.contains(&place.kind()) || place.kind() == "pattern";
    if let Some(place) = ids.iter().filter_map(|id| places.get(id)).find(of_one) {
        return Ok(place.name().to_owned());
    }
    let text = blocks.first().map(|block| block.content.as_str()).unwrap_or_default().to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() + word.len() >= LONGEST_NAME {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(word);
    }
    Ok(if name.is_empty() { ids.first().map(|id| id.short().to_owned()).unwrap_or_default() } else { name })
}

/// Which blocks were derived from which, by a link that somebody stated.
fn derivations(snapshot: &dyn Snapshot) -> Result<BTreeMap<BlockId, Vec<BlockId>>> {
    let link_type = Some(LinkType::DerivedFrom);
    let links = snapshot.list_links(&LinkQuery { link_type, limit: Some(LINKS), ..LinkQuery::default() })?;
    let mut derived: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    for link in links.into_iter().filter(|link| link.origin != LinkOrigin::Implied) {
        if let (Some(from), Some(to)) = (link.key.from.block(), link.key.to.block()) {
            derived.entry(from.clone()).or_default().push(to.clone());
        }
    }
    Ok(derived)
}

/// Patterns that were confirmed often enough and have no skill yet.
pub(crate) fn patterns(snapshot: &dyn Snapshot, after: u32) -> Result<Vec<Pattern>> {
    let seen: BTreeSet<BlockId> = observed(snapshot)?.into_iter().map(|(block, _)| block.id).collect();
    let mut ready = Vec::new();
    for (id, mistakes) in derivations(snapshot)? {
        if let Some(pattern) = derived_pattern(snapshot, &id, mistakes, &seen)?
            && pattern.uses >= after as usize
        {
            ready.push(pattern);
        }
    }
    Ok(ready)
}

/// A block as a pattern; none when it was derived from no observation, or has its skill already.
pub(crate) fn pattern(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Option<Pattern>> {
    let seen: BTreeSet<BlockId> = observed(snapshot)?.into_iter().map(|(block, _)| block.id).collect();
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

/// Whether something extends the pattern and confirms what it was derived from.
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

/// How often a block proved true: good outcomes and confirming links, each session and source once.
fn confirmations(snapshot: &dyn Snapshot, id: &BlockId) -> Result<usize> {
    let mut sessions: HashMap<String, String> = HashMap::new();
    for numbered in snapshot.get_block_changes(id)? {
        let change = numbered.change;
        if matches!(change.entity, Entity::Outcome | Entity::Effect) && change.before.is_none() {
            let session = operation(snapshot, numbered.seq)?.and_then(|operation| operation.header.session);
            sessions.insert(change.id, session.map(|session| session.to_string()).unwrap_or_default());
        }
    }
    let session = |name: String| sessions.get(&name).cloned().unwrap_or_default();
    let mut uses: BTreeSet<(String, String)> = BTreeSet::new();
    for record in snapshot.get_outcomes(id)?.into_iter().filter(|record| record.signal.get() >= CONFIRMED) {
        uses.insert((session(format!("{id}:{}", record.outcome_id)), record.source));
    }
    for effect in snapshot.get_effects(id)?.into_iter().filter(|one| one.key.link_type == LinkType::Reinforces) {
        uses.insert((session(format!("{id}|{}", effect.key.name())), effect.key.from.to_string()));
    }
    Ok(uses.len())
}

/// Skills that something contradicts: told in a `skill:` context, and extending a pattern.
pub(crate) fn doubted(snapshot: &dyn Snapshot) -> Result<Vec<Doubted>> {
    let link_type = Some(LinkType::Extends);
    let links = snapshot.list_links(&LinkQuery { link_type, limit: Some(LINKS), ..LinkQuery::default() })?;
    let skills: BTreeSet<BlockId> = links.iter().filter_map(|link| link.key.from.block().cloned()).collect();
    let mut found = Vec::new();
    for id in skills {
        found.extend(doubted_skill(snapshot, &id)?);
    }
    Ok(found)
}

/// The same for one block.
pub(crate) fn doubted_skill(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Option<Doubted>> {
    let Some(block) = snapshot.get_block(id)?.filter(|block| block.status == BlockStatus::Active) else {
        return Ok(None);
    };
    let Some(context) = places(snapshot, std::slice::from_ref(id))?.remove(id).filter(|place| place.kind() == "skill")
    else {
        return Ok(None);
    };
    let effects = snapshot.get_effects(id)?;
    let by: Vec<BlockId> = effects
        .into_iter()
        .filter(|effect| effect.key.link_type == LinkType::Contradicts)
        .filter_map(|effect| effect.key.from.block().cloned())
        .collect();
    Ok((!by.is_empty()).then_some(Doubted { block, context, by }))
}
