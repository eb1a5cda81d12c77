//! `curate`: archive what has faded, drop edges that hold nothing, keep the best fresh (seed 002).
//!
//! No model is asked. What is read and written is read and written for all blocks at once.

mod dry_run;
mod request;

use std::collections::HashSet;
use std::fmt;

use crate::results::{ConsolidateResult, CurateResult, counted};
use elfmem_core::curation::{CurationBlock, CurationGraph, FadedBlocks, INTERVAL_HOURS};
use elfmem_core::frame::builtin_frames;
use elfmem_core::{ActiveHours, ArchiveReason, BlockId, EdgeWeight, OperationKind, ScoreWeights, Trust, TrustPolicy};
use elfmem_store::{Snapshot, Store, Transaction};

use crate::connect::{has_blocks_over_cap, trim_blocks_over_cap};
use crate::memory::Memory;
use crate::{Error, Result, trace};

pub use request::Curate;

/// The setting of a scope that holds the hour of the last run in it (seed 002).
pub(crate) const LAST_CURATE_AT: &str = "last_curate_at";

/// Refuses thresholds that mean nothing.
fn check(curate: &Curate) -> Result<()> {
    let given = [("prune_threshold", curate.prune_threshold), ("edge_prune_threshold", curate.edge_prune_threshold)];
    match given.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
        Some((what, value)) => Err(Error::BadNumber { what, value, wanted: "a number between 0 and 1" }),
        None => Ok(()),
    }
}

/// When a memory curates by itself, and how.
///
/// All fields are public; build one with struct update syntax: `AutoCurate { …, ..AutoCurate::default() }`.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoCurate {
    /// Active hours between two runs.
    pub interval_hours: f64,
    /// What each run does.
    pub curate: Curate,
}

impl Default for AutoCurate {
    fn default() -> Self {
        Self { interval_hours: INTERVAL_HOURS, curate: Curate::default() }
    }
}

/// What a run that may have come too late did: another process can have curated meanwhile.
struct IfDue(Option<CurateResult>);

impl fmt::Display for IfDue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(result) => result.fmt(f),
            None => f.write_str("Curate was not due."),
        }
    }
}

/// Edges that were dropped because a block had too many.
struct Relieved(usize);

impl fmt::Display for Relieved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dropped {} beyond the degree cap.", counted(self.0 as u64, "edge"))
    }
}

impl<S: Store> Memory<S> {
    /// Runs maintenance: archives decayed blocks, drops weak and unused edges, keeps the best blocks fresh.
    /// See [`Curate`].
    ///
    /// # Errors
    /// A threshold outside `[0, 1]`.
    pub fn curate(&self, request: impl Into<Curate>) -> Result<CurateResult> {
        let _span = trace::verb("curate");
        let curate = &request.into();
        check(curate)?;
        if curate.dry_run {
            return self.preview_curate(curate);
        }
        self.try_associate();
        self.try_calibrate();
        let result = self.change(OperationKind::Curate, |transaction, moment| {
            run(transaction, moment.hours, &moment.trust, curate)
        })?;
        self.fold_journal();
        Ok(result)
    }

    /// Whether maintenance is due: it never ran, or the interval has passed on the clock of use.
    pub fn should_curate(&self) -> Result<bool> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| {
            let now = self.hours_at(snapshot, at, held.as_ref())?;
            Ok(match last_curate_at(snapshot)? {
                Some(last) => self.interval_has_passed(last, now),
                None => self.options.auto_curate.is_some(),
            })
        })
    }

    fn interval_has_passed(&self, last: ActiveHours, now: ActiveHours) -> bool {
        let auto = self.options.auto_curate.as_ref();
        auto.is_some_and(|auto| now.get() - last.get() >= auto.interval_hours)
    }

    /// Curates in a transaction of its own if that is due; none if it is not.
    pub(crate) fn curate_if_due(&self) -> Result<Option<CurateResult>> {
        let Some(auto) = self.options.auto_curate.as_ref().filter(|_| self.options.speaker() == Trust::Owner) else {
            return Ok(None);
        };
        if !self.should_curate()? {
            return Ok(None);
        }
        check(&auto.curate)?;
        if self.read(|snapshot| Ok(snapshot.get_block_counts()?.active == 0))? {
            // Nothing to look after is no operation: it would only fill the history of a new memory.
            let now = self.active_hours()?;
            self.store().write(&self.options.view, |transaction| note_run(transaction, now))?;
            return Ok(Some(CurateResult::default()));
        }
        let done = self.change(OperationKind::Curate, |transaction, moment| {
            let due = match last_curate_at(&*transaction)? {
                Some(last) => self.interval_has_passed(last, moment.hours),
                None => true,
            };
            let curated = due.then(|| run(transaction, moment.hours, &moment.trust, &auto.curate)).transpose()?;
            Ok(IfDue(curated))
        })?;
        if done.0.is_some() {
            self.fold_journal();
        }
        Ok(done.0)
    }

    /// What is due after a dream. Nothing here undoes the dream: what goes wrong becomes a warning.
    pub(crate) fn curate_after_dream(&self, result: &mut ConsolidateResult) {
        match self.maintain_after_dream() {
            Ok(curated) => result.curated = curated,
            Err(error) => {
                trace::upkeep_failed("curate", error.kind().as_str());
                result.warnings.push(format!("Curate failed: {}", error.message()));
            }
        }
    }

    fn maintain_after_dream(&self) -> Result<Option<CurateResult>> {
        // A memory that was never curated and is dreamed of counts from its beginning: its blocks have just been made.
        let due = self.read(|snapshot| {
            let last = last_curate_at(snapshot)?.unwrap_or_default();
            Ok(self.interval_has_passed(last, snapshot.get_total_active_hours()?))
        })?;
        if due {
            return self.curate_if_due();
        }
        if self.read(has_blocks_over_cap)? {
            self.change(OperationKind::TrimEdges, |transaction, _| {
                trim_blocks_over_cap(transaction).map(|taken| Relieved(taken.len()))
            })?;
        }
        Ok(None)
    }
}

/// When the last run was; none when there was none, or when what is stored cannot be read.
fn last_curate_at(snapshot: &dyn Snapshot) -> Result<Option<ActiveHours>> {
    let stored = snapshot.get_scope_config(LAST_CURATE_AT)?;
    Ok(stored.and_then(|text| text.parse().ok()).filter(|hours: &f64| hours.is_finite()).map(ActiveHours::new))
}

fn run(
    transaction: &mut dyn Transaction,
    now: ActiveHours,
    trust: &TrustPolicy,
    rules: &Curate,
) -> Result<CurateResult> {
    let mut result = CurateResult::default();
    let mut graph = transaction.get_living_graph()?;
    let FadedBlocks { archived, pinned, bridges } = graph.faded(now, &rules.rules());
    if rules.dry_run {
        (result.dry_run, result.faded) = (true, dry_run::describe(transaction, &graph, &archived, now)?);
    }
    transaction.archive_blocks(&archived, ArchiveReason::Decayed)?;
    let threshold = EdgeWeight::saturating(rules.edge_prune_threshold);
    result.edges_pruned = usize::try_from(transaction.prune_weak_edges(threshold)?).unwrap_or(usize::MAX);
    graph = graph.without(&archived, threshold);
    let unused = graph.drop_unused(now, threshold);
    for key in &unused {
        transaction.delete_edge(key)?;
    }
    result.edges_decayed = unused.len();
    let too_many = trim_blocks_over_cap(transaction)?;
    graph.drop_edges(&too_many);
    result.edges_over_cap = too_many.len();
    (result.archived, result.pinned_kept, result.bridges_kept) = (archived.len(), pinned, bridges);
    result.archived_ids = archived;
    keep_fresh(transaction, now, trust, rules, &graph, &mut result)?;
    note_run(transaction, now)?;
    Ok(result)
}

/// Counts a use of the best blocks, and of the constitution where that is asked for; none is counted twice.
fn keep_fresh(
    transaction: &mut dyn Transaction,
    now: ActiveHours,
    trust: &TrustPolicy,
    rules: &Curate,
    graph: &CurationGraph,
    result: &mut CurateResult,
) -> Result<()> {
    let constitutional = |block: &CurationBlock| rules.reinforce_constitutional && block.constitutional;
    let constitution = graph.blocks.iter().filter(|block| constitutional(block));
    let constitution: Vec<BlockId> = constitution.map(|block| block.id.clone()).collect();
    let weights = self_weights(transaction)?;
    let ranked = graph.best(now, weights, usize::MAX, |block| !constitutional(block));
    result.reinforced_ids = own_first(transaction, trust, &ranked, rules.reinforce_top_n)?;
    transaction.reinforce_blocks(&constitution, now)?;
    transaction.reinforce_blocks(&result.reinforced_ids, now)?;
    (result.reinforced, result.constitutional_reinforced) = (result.reinforced_ids.len(), constitution.len());
    Ok(())
}

/// Number of blocks that are read at once to learn whose they are.
const READ_AT_ONCE: usize = 256;
/// Maximum number of blocks that are read for that.
const MAX_READ: usize = 8_192;

/// Returns the first `count` blocks that a trusted source said; if there are fewer, others fill the places. Otherwise a flood of
/// untrusted texts would let the owner's blocks fade.
fn own_first(
    transaction: &dyn Transaction,
    trust: &TrustPolicy,
    ranked: &[BlockId],
    count: usize,
) -> Result<Vec<BlockId>> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for ids in ranked[..ranked.len().min(MAX_READ)].chunks(READ_AT_ONCE) {
        let blocks = transaction.get_blocks(ids)?;
        let trusted: HashSet<&BlockId> =
            blocks.iter().filter(|block| trust.trusts(*block)).map(|block| &block.id).collect();
        for id in ids {
            if trusted.contains(id) { own.push(id.clone()) } else { others.push(id.clone()) }
        }
        if own.len() >= count {
            break;
        }
    }
    own.extend(others);
    own.truncate(count);
    Ok(own)
}

fn note_run(transaction: &mut dyn Transaction, now: ActiveHours) -> Result<()> {
    Ok(transaction.set_scope_config(LAST_CURATE_AT, &now.get().to_string())?)
}

/// What the `self` frame cares about, without a query. A frame that someone left nothing but similarity is no help here.
fn self_weights(snapshot: &dyn Snapshot) -> Result<ScoreWeights> {
    let stored = snapshot.get_frame("self")?;
    let all = stored.into_iter().chain(builtin_frames());
    let mut usable = all.filter(|frame| frame.name == "self").filter_map(|frame| frame.weights.queryless().ok());
    Ok(usable.next().unwrap_or(ScoreWeights::new([0.0, 0.25, 0.25, 0.25, 0.25])))
}
