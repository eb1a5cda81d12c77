//! Where proposals come from, and what keeps them from becoming a flood.

use elfmem_core::eviction::DEGREE_CAP;
use elfmem_core::{ActiveHours, BlockId, BlockStatus, EdgeKey, OperationKind, Timestamp};
use elfmem_models::{Analysis, SimilarityProfile};
use elfmem_store::{FadingQuery, Proposal, ProposalKind, ProposalState, Snapshot, Store, Transaction};

use super::open;
use crate::Result;
use crate::dream::DreamPlan;
use crate::memory::Memory;
use crate::moment::Moment;

/// New proposals of one run.
const MOST_AT_ONCE: usize = 20;
/// Proposals that wait; with so many, no new ones are made.
const MOST_OPEN: usize = 100;
/// Pairs whose edge is looked for, the nearest first.
const PAIRS_LOOKED_AT: usize = 200;
/// Neighbours two blocks must have in common to be joined for that alone.
const NEIGHBOURS_IN_COMMON: usize = 3;
/// Below this recency curate archives a block (seed 002).
const PRUNE_THRESHOLD: f64 = 0.05;
/// Below this it is close to that.
const CLOSE_TO_PRUNED: f64 = 0.10;
/// Uses that make a fading block worth asking about.
const USED_OFTEN: u32 = 5;
/// Or so much confidence that was observed.
const BELIEVED: f64 = 0.75;
/// Fading blocks asked about at a time.
const MOST_STALE: u32 = 5;

impl<S: Store> Memory<S> {
    /// Proposes what a dream found and was not allowed to do; how many proposals are new.
    pub(crate) fn propose_after_dream(&self, plan: &DreamPlan, run: &str) -> Result<usize> {
        let at = self.options.clock.now();
        let held = self.running().held.clone();
        let profile = match self.options.profile {
            Some(profile) => profile,
            None => self.options.models.embedder.load()?.profile(),
        };
        let analyst = self.options.models.analyst.name();
        let wished = self.read(|snapshot| {
            let mut wished = tags(plan, analyst, at);
            wished.extend(near_duplicates(plan, at));
            wished.extend(connections(snapshot, plan, profile, at)?);
            wished.extend(stale(snapshot, self.hours_at(snapshot, at, held.as_ref())?, at)?);
            fresh(snapshot, wished)
        })?;
        if wished.is_empty() {
            return Ok(0);
        }
        let mut made = 0;
        self.change_in_run(OperationKind::Propose, Some(run), |transaction, _| {
            made = 0;
            for proposal in fresh(&*transaction, wished.clone())? {
                put(transaction, &proposal)?;
                made += 1;
            }
            Ok(format!("Made {made} proposals."))
        })?;
        Ok(made)
    }
}

/// Proposes tags that an analyst wanted to set and may not.
pub(crate) fn propose_tags(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    analyst: &str,
    block: &BlockId,
    analysis: &Analysis,
) -> Result<()> {
    for proposal in fresh(&*transaction, wished_tags(analyst, block, analysis, moment.at))? {
        put(transaction, &proposal)?;
    }
    Ok(())
}

pub(crate) fn proposal(kind: ProposalKind, block_id: &BlockId, score: f64, reason: String, at: Timestamp) -> Proposal {
    Proposal {
        number: 0,
        kind,
        block_id: block_id.clone(),
        other_id: None,
        tag: None,
        text: None,
        score: score.clamp(0.0, 1.0),
        reason,
        state: ProposalState::Open,
        created_at: at,
        settled_at: None,
    }
}

fn wished_tags(analyst: &str, block: &BlockId, analysis: &Analysis, at: Timestamp) -> Vec<Proposal> {
    let wish = |tag: &elfmem_core::Tag| {
        let reason = format!("The analyst '{analyst}' would tag it {tag}, which only a person or the agent may do.");
        Proposal { tag: Some(tag.to_string()), ..proposal(ProposalKind::Tag, block, analysis.alignment, reason, at) }
    };
    analysis.proposed_tags.iter().map(wish).collect()
}

fn tags(plan: &DreamPlan, analyst: &str, at: Timestamp) -> Vec<Proposal> {
    let analysed = plan.blocks.iter().filter_map(|planned| Some((&planned.block, planned.analysis.as_ref().ok()?)));
    analysed
        .filter(|(_, analysis)| !analysis.proposed_tags.is_empty())
        .flat_map(|(block, analysis)| wished_tags(analyst, &block.id, analysis, at))
        .filter(|wish| {
            let own = plan.blocks.iter().find(|planned| planned.block.id == wish.block_id);
            !own.is_some_and(|own| own.block.tags.iter().any(|tag| Some(tag.as_str()) == wish.tag.as_deref()))
        })
        .collect()
}

/// Blocks that are nearly the same and that the rules kept apart.
fn near_duplicates(plan: &DreamPlan, at: Timestamp) -> Vec<Proposal> {
    let mut wished: Vec<Proposal> = plan
        .kept_apart
        .iter()
        .map(|pair| {
            let reason = format!("{:.2} alike, and kept apart: {}", pair.cosine, pair.reason);
            Proposal {
                other_id: Some(pair.older.clone()),
                ..proposal(ProposalKind::NearDuplicate, &pair.newer, pair.cosine, reason, at)
            }
        })
        .collect();
    wished.sort_by(|a, b| b.score.total_cmp(&a.score));
    wished
}

/// Pairs that would have been joined had there been room: very near ones, and those with many neighbours in common.
fn connections(
    snapshot: &dyn Snapshot,
    plan: &DreamPlan,
    profile: SimilarityProfile,
    at: Timestamp,
) -> Result<Vec<Proposal>> {
    let mut pairs: Vec<(&BlockId, &BlockId, f64)> = plan
        .blocks
        .iter()
        .flat_map(|planned| planned.edges.iter().map(|(other, cosine)| (&planned.block.id, other, *cosine)))
        .collect();
    pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
    pairs.truncate(PAIRS_LOOKED_AT);
    let high = (profile.edge + profile.near) / 2.0;
    let mut wished = Vec::new();
    for (block, other, cosine) in pairs {
        let Some(key) = EdgeKey::canonical(block, other) else { continue };
        let degrees = snapshot.get_degrees(&[block.clone(), other.clone()])?;
        let full = [block, other].into_iter().find(|id| degrees.get(*id).is_some_and(|degree| *degree >= DEGREE_CAP));
        let Some(full) = full else { continue };
        if snapshot.get_edge(&key)?.is_some() || are_opposed(snapshot, block, other)? {
            continue;
        }
        let (theirs, ours) = (one_step_from(snapshot, other)?, one_step_from(snapshot, block)?);
        let common = ours.iter().filter(|id| theirs.contains(id)).count();
        if cosine < high && common < NEIGHBOURS_IN_COMMON {
            continue;
        }
        let reason = format!(
            "{cosine:.2} alike, {common} neighbours in common, but {} has {DEGREE_CAP} edges already.",
            full.short()
        );
        wished.push(Proposal {
            other_id: Some(other.clone()),
            ..proposal(ProposalKind::Connection, block, cosine, reason, at)
        });
    }
    Ok(wished)
}

fn one_step_from(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Vec<BlockId>> {
    Ok(snapshot.get_neighbours(std::slice::from_ref(id))?)
}

fn are_opposed(snapshot: &dyn Snapshot, a: &BlockId, b: &BlockId) -> Result<bool> {
    let found = snapshot.get_contradictions_for_blocks(std::slice::from_ref(a))?;
    Ok(found.iter().any(|contradiction| contradiction.other(a) == b))
}

/// Blocks that were of use and are about to fade away.
fn stale(snapshot: &dyn Snapshot, now: ActiveHours, at: Timestamp) -> Result<Vec<Proposal>> {
    let fading = snapshot.get_fading_blocks(&FadingQuery {
        now,
        above: PRUNE_THRESHOLD,
        up_to: CLOSE_TO_PRUNED,
        least_uses: USED_OFTEN,
        least_confidence: BELIEVED,
        limit: MOST_STALE,
    })?;
    Ok(fading
        .iter()
        .map(|block| {
            let recency = block.recency_at(now);
            let reason = format!(
                "Used {} times, confidence {}, and faded to {recency:.2}; below {PRUNE_THRESHOLD} it is archived.",
                block.reinforcement_count, block.confidence
            );
            proposal(ProposalKind::Stale, &block.id, 1.0 - recency, reason, at)
        })
        .collect())
}

/// Those that may be made: of blocks that are active, one for each subject, none that was turned down, not too many.
pub(crate) fn fresh(snapshot: &dyn Snapshot, wished: Vec<Proposal>) -> Result<Vec<Proposal>> {
    if wished.is_empty() {
        return Ok(wished);
    }
    let room = MOST_OPEN.saturating_sub(open(snapshot)?.len()).min(MOST_AT_ONCE);
    let mut fresh: Vec<Proposal> = Vec::new();
    for proposal in wished {
        if fresh.len() == room {
            break;
        }
        let ids: Vec<BlockId> = proposal.blocks().cloned().collect();
        let statuses = snapshot.get_statuses(&ids)?;
        let living = ids.iter().all(|id| statuses.get(id) == Some(&BlockStatus::Active));
        let subject = proposal.subject();
        let repeated = fresh.iter().any(|made| made.subject() == subject);
        if !living || repeated {
            continue;
        }
        match snapshot.find_proposal(&subject)? {
            None => fresh.push(proposal),
            // What was kept once may fade again.
            Some(known) if known.kind == ProposalKind::Stale && known.state == ProposalState::Accepted => {
                fresh.push(Proposal { number: known.number, ..proposal });
            }
            Some(_) => {}
        }
    }
    Ok(fresh)
}

pub(crate) fn put(transaction: &mut dyn Transaction, proposal: &Proposal) -> Result<()> {
    match proposal.number {
        0 => _ = transaction.insert_proposal(proposal)?,
        _ => transaction.update_proposal(proposal)?,
    }
    Ok(())
}
