//! Committing a plan, a bounded number of blocks at a time, each only if what the plan rests on still holds.

use std::collections::HashMap;
use std::fmt;

use crate::connect::degree_cap;
use crate::results::{ConsolidateResult, Decision, Fate};
use elfmem_core::{
    Block, BlockId, BlockStatus, DecayTier, Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, ReplacementKind, time,
};
use elfmem_store::{Contradiction, Entity, RowChange, Store, StoreError, Transaction};
use elfmem_text::phrase::counted;
use elfmem_text::tokens;

use super::plan::{DreamPlan, Planned, PlannedContradiction, PlannedFate, Seen};
use super::{Dream, LAST_CONSOLIDATED_AT, LAST_DREAM_FAILURE};
use crate::Result;
use crate::links::inherit_links;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::progress::Progress;
use crate::review::note_replacement;
use crate::supersede::{SuccessorKind, archive_for, inherit_labels, move_edges, record_contradiction, supersede};
use crate::trust::Succession;

/// Blocks per transaction.
const CHUNK: usize = 200;

/// Why a block is left for the next dream.
const CHANGED: &str = "it, or what it was compared with, was changed meanwhile";

/// What one transaction did, and the sentence the journal keeps of it.
#[derive(Debug, Default)]
struct Committed {
    result: ConsolidateResult,
    edges: EdgeChanges,
}

impl fmt::Display for Committed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.result.fmt(f)
    }
}

/// The edges that a dream added and removed. An edge of a block that is replaced in the same dream goes to its successor,
/// and counts once.
#[derive(Debug, Default)]
struct EdgeChanges(HashMap<String, EdgeChange>);

#[derive(Debug, Clone, Copy)]
struct EdgeChange {
    existed: bool,
    exists: bool,
}

impl EdgeChanges {
    /// Collects the edges that a transaction has changed so far.
    fn of(transaction: &mut dyn Transaction) -> Result<Self> {
        let mut edges = Self::default();
        for row in transaction.changed_rows()?.into_iter().filter(|row| row.entity == Entity::Edge) {
            let (existed, exists) = match row.change {
                RowChange::Added => (false, true),
                RowChange::Updated(_) => (true, true),
                RowChange::Removed(_) => (true, false),
            };
            edges.add(row.id, EdgeChange { existed, exists });
        }
        Ok(edges)
    }

    fn add(&mut self, id: String, change: EdgeChange) {
        let known = self.0.entry(id).or_insert(change);
        known.exists = change.exists;
    }

    fn append(&mut self, later: Self) {
        later.0.into_iter().for_each(|(id, change)| self.add(id, change));
    }

    /// Returns how many edges there are in the end that were not there before.
    fn created(&self) -> usize {
        self.0.values().filter(|change| !change.existed && change.exists).count()
    }
}

/// Which decisions a result lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedDecisions {
    /// All.
    All,
    /// Those about blocks that were not simply promoted.
    Notable,
}

/// Commits some blocks of a plan, one after the other, so that a batch ends as if every block had been dreamed of alone.
fn commit_blocks(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    plan: &DreamPlan,
    blocks: &[Planned],
    listed: ListedDecisions,
) -> Result<Committed> {
    let mut contradictions: HashMap<&BlockId, Vec<&PlannedContradiction>> = HashMap::new();
    for found in &plan.contradictions {
        contradictions.entry(&found.newer).or_default().push(found);
    }
    // Where nothing is done, the journal says why.
    let waiting = if blocks.is_empty() { plan.waiting } else { 0 };
    let mut result = ConsolidateResult { waiting, ..ConsolidateResult::default() };
    for planned in blocks {
        let found = contradictions.get(&planned.block.id).into_iter().flatten().copied();
        commit_planned(transaction, moment, planned, found, listed, &mut result)?;
    }
    let edges = EdgeChanges::of(transaction)?;
    result.edges_created = edges.created();
    note_consolidated(transaction, moment)?;
    Ok(Committed { result, edges })
}

impl<S: Store> Memory<S> {
    /// Says what committing a plan would do: it is committed and taken back, so that all counts are those of a run.
    pub(super) fn rehearse_dream(&self, plan: &DreamPlan) -> Result<ConsolidateResult> {
        // Read before the transaction: a store may have one lock for both.
        let profile = self.similarity_profile()?;
        self.rehearse(|transaction, moment| {
            let mut result = commit_blocks(transaction, moment, plan, &plan.blocks, ListedDecisions::All)?.result;
            (result.dry_run, result.waiting, result.warnings) = (true, plan.waiting, plan.warnings.clone());
            plan.name_heads(&mut result);
            let graduating = self.count_graduations(&*transaction)?;
            result.proposed = self.proposals_of(&*transaction, plan, profile)?.len() + graduating.proposed;
            result.graduated = graduating.applied;
            Ok(result)
        })
    }

    pub(super) fn commit_dream(&self, dream: &Dream, plan: &DreamPlan) -> Result<ConsolidateResult> {
        let mut total = ConsolidateResult { warnings: plan.warnings.clone(), ..ConsolidateResult::default() };
        dream.tell(Progress::Stage("commit", plan.blocks.len()));
        // A dream over an empty inbox is an operation too.
        let chunks = plan.blocks.chunks(CHUNK).chain(plan.blocks.is_empty().then_some(&[][..]));
        let run = self.new_run();
        let mut edges = EdgeChanges::default();
        for chunk in chunks {
            let done = self.change_in_run(OperationKind::Dream, Some(&run), |transaction, moment| {
                commit_blocks(transaction, moment, plan, chunk, ListedDecisions::Notable)
            })?;
            total.merge(done.result);
            edges.append(done.edges);
            dream.tell(Progress::Done(total.processed));
        }
        total.edges_created = edges.created();
        total.waiting = plan.waiting;
        plan.name_heads(&mut total);
        // What it would like to do beyond that is a part of the dream, but no reason to call it failed.
        match self.propose_after_dream(plan, &run) {
            Ok(proposed) => total.proposed = proposed,
            Err(error) => total.warnings.push(format!("Proposals could not be stored: {}", error.message())),
        }
        match self.graduate_after_dream(&run) {
            Ok(graduated) => {
                total.proposed += graduated.proposed;
                total.graduated = graduated.applied_count();
                total.warnings.extend(graduated.warnings);
            }
            Err(error) => {
                total.warnings.push(format!("What is ready to graduate was not looked at: {}", error.message()));
            }
        }
        if total.left > 0 {
            let blocks = counted(total.left as u64, "block");
            total.warnings.push(format!("Left for the next dream, as it changed meanwhile: {blocks}."));
        }
        Ok(total)
    }
}

/// Keeps when it was last consolidated (seed 001), and that it went well.
fn note_consolidated(transaction: &mut dyn Transaction, moment: &Moment) -> Result<()> {
    transaction.set_scope_config(LAST_CONSOLIDATED_AT, &time::to_iso(moment.at))?;
    if transaction.get_scope_config(LAST_DREAM_FAILURE)?.is_some_and(|failure| !failure.is_empty()) {
        transaction.set_scope_config(LAST_DREAM_FAILURE, "")?;
    }
    Ok(())
}

/// Does to a block what the plan says, with its edges and contradictions. Returns false if what the plan rests on has changed.
pub(super) fn commit_planned<'a>(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    planned: &Planned,
    contradictions: impl Iterator<Item = &'a PlannedContradiction>,
    listed: ListedDecisions,
    result: &mut ConsolidateResult,
) -> Result<bool> {
    if !commit_block(transaction, moment, planned, listed, result)? {
        return Ok(false);
    }
    link(transaction, moment, planned)?;
    for contradiction in contradictions {
        record(transaction, moment, planned, contradiction, result)?;
    }
    Ok(true)
}

/// Does to a block what the plan says, unless what the plan rests on has changed; whether it did.
fn commit_block(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    planned: &Planned,
    listed: ListedDecisions,
    result: &mut ConsolidateResult,
) -> Result<bool> {
    result.processed += 1;
    let mut decision = planned.decision();
    let committed = match &planned.fate {
        PlannedFate::Promote => promote(transaction, moment, planned)?,
        PlannedFate::Reject { original, .. } => reject(transaction, moment, planned, original)?,
        PlannedFate::Supersede { old, heir, .. } => replace(transaction, moment, planned, old, *heir)?,
    };
    match &planned.fate {
        _ if !committed => decision = Decision { fate: Fate::Left, reason: CHANGED.to_owned(), ..decision },
        PlannedFate::Promote => {}
        PlannedFate::Reject { reason, .. } => {
            note_replacement(transaction, moment, &planned.block.id, ReplacementKind::Duplicate, reason)?;
        }
        PlannedFate::Supersede { old, heir, reason, .. } => {
            let is_update = *heir == SuccessorKind::LaterState;
            let kind = if is_update { ReplacementKind::Update } else { ReplacementKind::Paraphrase };
            note_replacement(transaction, moment, &old.id, kind, reason)?;
        }
    }
    let further = if committed { retire(transaction, moment, planned)? } else { Vec::new() };
    result.count(&decision);
    result.superseded += further.len();
    result.updated += further.len();
    let plain = decision.fate == Fate::Promoted && decision.analysis_failed.is_none();
    if !plain || listed == ListedDecisions::All {
        result.decisions.push(decision);
    }
    result.decisions.extend(further);
    Ok(committed)
}

/// Archives the further blocks that a block puts out of date, as far as they are what the plan saw.
fn retire(transaction: &mut dyn Transaction, moment: &Moment, planned: &Planned) -> Result<Vec<Decision>> {
    let mut decisions = Vec::new();
    for outdated in &planned.outdated {
        let Some(old) = still(transaction, &outdated.old)? else { continue };
        if Succession::of(moment, &old, &planned.block) != Succession::Inherit {
            continue;
        }
        supersede(transaction, moment, &old, &planned.block.id, SuccessorKind::LaterState)?;
        note_replacement(transaction, moment, &old.id, ReplacementKind::Update, &outdated.reason)?;
        decisions.push(planned.decision_about(outdated));
    }
    Ok(decisions)
}

/// The block that the plan saw, if it is still what the plan saw.
fn still(transaction: &dyn Transaction, seen: &Seen) -> Result<Option<Block>> {
    let block = transaction.get_block(&seen.id)?;
    Ok(block.filter(|block| block.status == BlockStatus::Active && block.content == seen.content))
}

/// Whether an inbox block is what the plan saw.
fn is_unchanged(block: &Block, planned: &Planned) -> bool {
    block.status == BlockStatus::Inbox && block.revision == planned.block.revision
}

/// Makes a block active if it is what the plan saw; whether it did.
fn promote(transaction: &mut dyn Transaction, moment: &Moment, planned: &Planned) -> Result<bool> {
    let tags = moment.trust.permitted(&planned.block, planned.tags());
    let mut promoted = false;
    // The check is part of the change, so that the block is read once.
    let updated = transaction.update_block(&planned.block.id, &mut |block| {
        promoted = is_unchanged(block, planned);
        if !promoted {
            return;
        }
        block.status = BlockStatus::Active;
        // A tag that asks for another length of life gives it; otherwise the rate, which outcomes may have changed, stays.
        block.retag(|own| own.retain(|tag| tags.contains(tag)));
        block.add_tags(tags.iter().cloned());
        block.decay_lambda = DecayTier::of(&block.tags, &block.category).rate_of(block.decay_lambda);
        block.reinforcement_count = block.reinforcement_count.saturating_add(1);
        block.last_reinforced_at = block.last_reinforced_at.later_of(moment.hours);
        block.token_count = Some(tokens::estimate(&block.content));
        match &planned.analysis {
            Ok(analysis) => {
                block.self_alignment = Some(analysis.alignment);
                block.summary = analysis.summary.clone().or(block.summary.take());
                block.last_scored_at = Some(moment.at);
            }
            Err(_) => {
                block.self_alignment = Some(elfmem_models::Analysis::neutral().alignment);
                block.last_scored_at = None;
            }
        }
    });
    match updated {
        Err(StoreError::Missing { .. }) => Ok(false),
        updated => Ok(updated.map(|_| promoted)?),
    }
}

/// Archives a repetition and counts it as a use of the original, which also gets its tags and edges.
fn reject(transaction: &mut dyn Transaction, moment: &Moment, planned: &Planned, original: &Seen) -> Result<bool> {
    let Some(original) = still(transaction, original)? else { return Ok(false) };
    if !transaction.get_block(&planned.block.id)?.is_some_and(|block| is_unchanged(&block, planned)) {
        return Ok(false);
    }
    match Succession::of(moment, &planned.block, &original) {
        Succession::Inherit => {}
        // An untrusted source that repeats a trusted one adds nothing to it.
        Succession::Clean => {
            archive_for(transaction, &planned.block.id, &original.id)?;
            return Ok(true);
        }
        // One of the two became someone else's word meanwhile.
        Succession::Refused => return Ok(false),
    }
    inherit_links(transaction, moment, &planned.block.id, &original.id)?;
    let edges = transaction.get_edges_for_block(&planned.block.id)?;
    archive_for(transaction, &planned.block.id, &original.id)?;
    if moment.trust.trusts(&planned.block) {
        transaction.reinforce_blocks(std::slice::from_ref(&original.id), moment.hours)?;
    }
    transaction.update_block(&original.id, &mut |block| inherit_labels(block, &planned.block))?;
    move_edges(transaction, edges, &planned.block.id, &original.id)?;
    Ok(true)
}

/// Promotes a newer wording and lets it inherit from the older.
fn replace(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    planned: &Planned,
    old: &Seen,
    heir: SuccessorKind,
) -> Result<bool> {
    let Some(old) = still(transaction, old)? else { return Ok(false) };
    if Succession::of(moment, &old, &planned.block) == Succession::Refused {
        return Ok(false);
    }
    let promoted = promote(transaction, moment, planned)?;
    if promoted {
        supersede(transaction, moment, &old, &planned.block.id, heir)?;
    }
    Ok(promoted)
}

/// Joins a promoted block with its nearest, within the degree cap at both ends.
fn link(transaction: &mut dyn Transaction, moment: &Moment, planned: &Planned) -> Result<()> {
    if planned.edges.is_empty() {
        return Ok(());
    }
    let id = &planned.block.id;
    let ends: Vec<BlockId> = planned.edges.iter().map(|(other, _)| other.clone()).chain([id.clone()]).collect();
    let connected = transaction.get_node_states(&ends)?;
    let Some(own) = connected.get(id).filter(|own| own.status == BlockStatus::Active) else { return Ok(()) };
    let opposed = transaction.get_contradictions_for_blocks(std::slice::from_ref(id))?;
    let cap = degree_cap(&*transaction)?;
    let mut room = cap.saturating_sub(own.degree);
    for (other, weight) in &planned.edges {
        let linkable =
            connected.get(other).is_some_and(|other| other.status == BlockStatus::Active && other.degree < cap)
                && !opposed.iter().any(|found| found.other(id) == other);
        let Some(key) = EdgeKey::canonical(id, other).filter(|_| linkable && room > 0) else { continue };
        let mut edge = Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, moment.at);
        edge.weight = elfmem_core::EdgeWeight::saturating(*weight);
        if transaction.insert_edge(&edge)? {
            room -= 1;
        }
    }
    Ok(())
}

fn is_active(transaction: &dyn Transaction, id: &BlockId) -> Result<bool> {
    let status = transaction.get_statuses(std::slice::from_ref(id))?.remove(id);
    Ok(status == Some(BlockStatus::Active))
}

/// Records a contradiction between two blocks that are both active.
fn record(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    planned: &Planned,
    found: &PlannedContradiction,
    result: &mut ConsolidateResult,
) -> Result<()> {
    let Some(other) = transaction.get_block(&found.older.id)? else { return Ok(()) };
    if other.status != BlockStatus::Active || !is_active(transaction, &found.newer)? {
        return Ok(());
    }
    let between = Contradiction::between(&found.newer, &other.id, found.score, moment.at);
    let Some(contradiction) = between else { return Ok(()) };
    let contradiction = Contradiction { reason: Some(found.reason.clone()), ..contradiction };
    if record_contradiction(transaction, &contradiction)? {
        result.contradictions_detected += 1;
        let mut described = found.describe(&planned.block.content);
        described.other_content = other.content;
        result.contradictions.push(described);
    }
    Ok(())
}
