//! Generates proposals after a dream, and limits their number.

use elfmem_core::{ActiveHours, BlockId, BlockStatus, DocumentPart, EdgeKey, OperationKind, Timestamp};
use elfmem_models::{Analysis, SimilarityProfile};
use elfmem_store::{FadingQuery, Proposal, ProposalKind, ProposalState, Snapshot, Store, Transaction};

use super::open_proposals;
use crate::Result;
use crate::connect::degree_cap;
use crate::dream::DreamPlan;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::results::counted;

/// Maximum number of new proposals per run.
const MAX_NEW: usize = 20;
/// Maximum number of open proposals. No new ones are made beyond it.
const MAX_OPEN: usize = 100;
/// Maximum number of pairs to check for a missing edge, most similar first.
const MAX_PAIRS: usize = 200;
/// Minimum number of common neighbours for a connection regardless of similarity.
const MIN_COMMON_NEIGHBOURS: usize = 3;
/// Recency below which curate archives a block (seed 002).
const PRUNE_THRESHOLD: f64 = 0.05;
/// Recency below which a block is about to be archived.
const STALE_THRESHOLD: f64 = 0.10;
/// Minimum number of reinforcements of a stale block.
const MIN_STALE_USES: u32 = 5;
/// Minimum confidence of a stale block, as an alternative to its reinforcements.
const MIN_STALE_CONFIDENCE: f64 = 0.75;
/// Maximum number of stale blocks per run.
const MAX_STALE: u32 = 5;

impl<S: Store> Memory<S> {
    /// Makes proposals from the plan of a dream that was committed. Returns the number of new proposals.
    pub(crate) fn propose_after_dream(&self, plan: &DreamPlan, run: &str) -> Result<usize> {
        let profile = self.similarity_profile()?;
        let candidates = self.read(|snapshot| self.proposals_of(snapshot, plan, profile))?;
        if candidates.is_empty() {
            return Ok(0);
        }
        let mut made = 0;
        self.change_in_run(OperationKind::Propose, Some(run), |transaction, _| {
            made = 0;
            for proposal in admissible(&*transaction, candidates.clone())? {
                put(transaction, &proposal)?;
                made += 1;
            }
            Ok(format!("Made {}.", counted(made as u64, "proposal")))
        })?;
        Ok(made)
    }

    /// Returns the proposals that follow from the plan of a dream, in a memory in which it is committed.
    pub(crate) fn proposals_of(
        &self,
        snapshot: &dyn Snapshot,
        plan: &DreamPlan,
        profile: SimilarityProfile,
    ) -> Result<Vec<Proposal>> {
        let at = self.options.clock.now();
        let held = self.running().held.clone();
        let mut candidates = tags(plan, self.options.models.analyst.name(), at);
        candidates.extend(near_duplicates(snapshot, plan, at)?);
        candidates.extend(connections(snapshot, plan, profile, at)?);
        candidates.extend(stale(snapshot, self.hours_at(snapshot, at, held.as_ref())?, at)?);
        admissible(snapshot, candidates)
    }
}

/// Proposes the tags that an analyst suggested but may not set.
pub(crate) fn propose_tags(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    analyst: &str,
    block: &BlockId,
    analysis: &Analysis,
) -> Result<()> {
    for proposal in admissible(&*transaction, tag_proposals(analyst, block, analysis, moment.at))? {
        put(transaction, &proposal)?;
    }
    Ok(())
}

/// Creates an open proposal that is not stored yet.
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

fn tag_proposals(analyst: &str, block: &BlockId, analysis: &Analysis, at: Timestamp) -> Vec<Proposal> {
    let tag_proposal = |tag: &elfmem_core::Tag| {
        let reason =
            format!("The analyst '{analyst}' suggests the tag {tag}, which only a person or the agent may set.");
        Proposal { tag: Some(tag.to_string()), ..proposal(ProposalKind::Tag, block, analysis.alignment, reason, at) }
    };
    analysis.proposed_tags.iter().map(tag_proposal).collect()
}

fn tags(plan: &DreamPlan, analyst: &str, at: Timestamp) -> Vec<Proposal> {
    let analysed = plan.blocks.iter().filter_map(|planned| Some((&planned.block, planned.analysis.as_ref().ok()?)));
    analysed
        .filter(|(_, analysis)| !analysis.proposed_tags.is_empty())
        .flat_map(|(block, analysis)| tag_proposals(analyst, &block.id, analysis, at))
        .filter(|proposal| {
            let own = plan.blocks.iter().find(|planned| planned.block.id == proposal.block_id);
            !own.is_some_and(|own| own.block.tags.iter().any(|tag| Some(tag.as_str()) == proposal.tag.as_deref()))
        })
        .collect()
}

/// Returns proposals for near-duplicates that the rules kept separate, and for statements of which a part is out of date.
/// What is known to belong apart is not proposed: contradictions, settled ones too, and parts of one document.
fn near_duplicates(snapshot: &dyn Snapshot, plan: &DreamPlan, at: Timestamp) -> Result<Vec<Proposal>> {
    let mut candidates = Vec::new();
    for pair in &plan.kept_apart {
        if belong_apart(snapshot, &pair.newer, &pair.older)? {
            continue;
        }
        let reason = match pair.merged {
            Some(_) => format!("A part is out of date: {}", pair.reason),
            None => format!("Similarity {:.2}, kept separate: {}", pair.cosine, pair.reason),
        };
        candidates.push(Proposal {
            other_id: Some(pair.older.clone()),
            text: pair.merged.clone(),
            ..proposal(ProposalKind::NearDuplicate, &pair.newer, pair.cosine, reason, at)
        });
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(candidates)
}

/// Returns true if two blocks contradict each other or are parts of one document.
fn belong_apart(snapshot: &dyn Snapshot, newer: &BlockId, older: &BlockId) -> Result<bool> {
    let key = EdgeKey::canonical(newer, older);
    if let Some(key) = key
        && snapshot.get_contradiction(&key.from_id, &key.to_id)?.is_some()
    {
        return Ok(true);
    }
    let blocks = snapshot.get_blocks(&[newer.clone(), older.clone()])?;
    let [one, other] = blocks.as_slice() else { return Ok(false) };
    let shared = |part: &DocumentPart| other.parts.iter().any(|also| also.belongs_to(&part.document, &part.source));
    Ok(one.parts.iter().any(shared))
}

/// Returns proposals for edges that were not created because of the degree cap: between very
/// similar blocks, or blocks with many common neighbours.
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
    pairs.truncate(MAX_PAIRS);
    let cap = degree_cap(snapshot)?;
    let high = (profile.edge + profile.near) / 2.0;
    let mut candidates = Vec::new();
    for (block, other, cosine) in pairs {
        let Some(key) = EdgeKey::canonical(block, other) else { continue };
        let degrees = snapshot.get_degrees(&[block.clone(), other.clone()])?;
        let full = [block, other].into_iter().find(|id| degrees.get(*id).is_some_and(|degree| *degree >= cap));
        let Some(full) = full else { continue };
        if snapshot.get_edge(&key)?.is_some() || are_contradicting(snapshot, block, other)? {
            continue;
        }
        let (theirs, ours) = (neighbours(snapshot, other)?, neighbours(snapshot, block)?);
        let common = ours.iter().filter(|id| theirs.contains(id)).count();
        if cosine < high && common < MIN_COMMON_NEIGHBOURS {
            continue;
        }
        let reason = format!(
            "Similarity {cosine:.2}, {common} common neighbours, but {} has {cap} edges already.",
            full.short()
        );
        candidates.push(Proposal {
            other_id: Some(other.clone()),
            ..proposal(ProposalKind::Connection, block, cosine, reason, at)
        });
    }
    Ok(candidates)
}

fn neighbours(snapshot: &dyn Snapshot, id: &BlockId) -> Result<Vec<BlockId>> {
    Ok(snapshot.get_neighbours(std::slice::from_ref(id))?)
}

fn are_contradicting(snapshot: &dyn Snapshot, a: &BlockId, b: &BlockId) -> Result<bool> {
    let found = snapshot.get_contradictions_for_blocks(std::slice::from_ref(a))?;
    Ok(found.iter().any(|contradiction| contradiction.other(a) == b))
}

/// Returns proposals to keep useful blocks that curate would archive soon.
fn stale(snapshot: &dyn Snapshot, now: ActiveHours, at: Timestamp) -> Result<Vec<Proposal>> {
    let fading = snapshot.get_fading_blocks(&FadingQuery {
        now,
        above: PRUNE_THRESHOLD,
        up_to: STALE_THRESHOLD,
        least_uses: MIN_STALE_USES,
        least_confidence: MIN_STALE_CONFIDENCE,
        limit: MAX_STALE,
    })?;
    Ok(fading
        .iter()
        .map(|block| {
            let recency = block.recency_at(now);
            let reason = format!(
                "Used {} times, confidence {}, recency {recency:.2}; below {PRUNE_THRESHOLD} it is archived.",
                block.reinforcement_count, block.confidence
            );
            proposal(ProposalKind::Stale, &block.id, 1.0 - recency, reason, at)
        })
        .collect())
}

/// Returns the candidates to store: about active blocks, with a subject that has no proposal yet,
/// within the limits.
pub(crate) fn admissible(snapshot: &dyn Snapshot, candidates: Vec<Proposal>) -> Result<Vec<Proposal>> {
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let room = MAX_OPEN.saturating_sub(open_proposals(snapshot)?.len()).min(MAX_NEW);
    let mut admitted: Vec<Proposal> = Vec::new();
    for proposal in candidates {
        if admitted.len() == room {
            break;
        }
        let ids: Vec<BlockId> = proposal.blocks().cloned().collect();
        let statuses = snapshot.get_statuses(&ids)?;
        let active = ids.iter().all(|id| statuses.get(id) == Some(&BlockStatus::Active));
        let subject = proposal.subject();
        let repeated = admitted.iter().any(|other| other.subject() == subject);
        if !active || repeated {
            continue;
        }
        match snapshot.find_proposal(&subject)? {
            None => admitted.push(proposal),
            // A block that was kept once may become stale again.
            Some(known) if known.kind == ProposalKind::Stale && known.state == ProposalState::Accepted => {
                admitted.push(Proposal { number: known.number, ..proposal });
            }
            Some(_) => {}
        }
    }
    Ok(admitted)
}

/// Inserts a new proposal or updates a stored one.
pub(crate) fn put(transaction: &mut dyn Transaction, proposal: &Proposal) -> Result<()> {
    match proposal.number {
        0 => _ = transaction.insert_proposal(proposal)?,
        _ => transaction.update_proposal(proposal)?,
    }
    Ok(())
}
