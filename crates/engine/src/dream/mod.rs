//! `dream`: turn inbox blocks into connected knowledge.
//!
//! Read, compute a plan, commit the plan: models are asked outside any transaction, and what the plan rests on is checked
//! again when it is committed. A crash loses work, never consistency.

mod analyse;
mod commit;
mod decide;
mod edges;
mod embed;
mod host;
mod plan;
mod rescore;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::results::ConsolidateResult;
use elfmem_core::BlockId;
use elfmem_core::consolidation::ConsolidationPolicy;
use elfmem_store::Store;

use crate::memory::Memory;
use crate::{Error, Result, trace};

pub use host::{DEFAULT_PENDING, HostAnalysis, HostContradiction, PendingBlock};
pub(crate) use plan::DreamPlan;
pub use rescore::Rescore;

/// How far long work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A stage begins, with so many steps.
    Stage(&'static str, usize),
    /// So many steps of it are done.
    Done(usize),
}

/// Who is told.
pub type ProgressListener = Arc<dyn Fn(Progress) + Send + Sync>;

/// How to dream. The default consolidates the whole inbox.
#[derive(Clone)]
pub struct Dream {
    /// At most this many inbox blocks, the oldest first; none for all.
    pub max: Option<u32>,
    /// Only say what would happen.
    pub dry_run: bool,
    /// Analyses that the caller made itself, by block.
    pub host_analyses: HashMap<BlockId, HostAnalysis>,
    /// The longest that analysts may take in all; what is not analysed by then is promoted and flagged.
    pub analyst_time: Duration,
    /// Who is told how far it has come.
    pub progress: Option<ProgressListener>,
}

impl Default for Dream {
    fn default() -> Self {
        Self {
            max: None,
            dry_run: false,
            host_analyses: HashMap::new(),
            analyst_time: Duration::from_secs(600),
            progress: None,
        }
    }
}

impl std::fmt::Debug for Dream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dream").field("max", &self.max).field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

impl Dream {
    pub(crate) fn tell(&self, progress: Progress) {
        if let Some(listener) = &self.progress {
            listener(progress);
        }
    }
}

/// The setting of a scope that holds the time of its last consolidation (seed 001).
pub(crate) const LAST_CONSOLIDATED_AT: &str = "last_consolidated_at";
/// The setting of a scope that says why its last dream failed; empty once one succeeded.
pub(crate) const LAST_DREAM_FAILURE: &str = "last_dream_failure";
/// The setting of a scope that holds its adaptive threshold.
pub(crate) const POLICY_THRESHOLD: &str = "consolidation_policy_threshold";

/// Returns the warning that the cost of model calls could not be stored. What they were asked for is done all the same.
fn unaccounted(error: &Error) -> String {
    format!("What model calls cost could not be noted: {}.", error.message())
}

impl<S: Store> Memory<S> {
    /// Consolidates the inbox: embeds, finds repetitions and contradictions, analyses, links, promotes.
    ///
    /// USE WHEN: at a pause, or when [`should_dream`](Self::should_dream) says so. DON'T USE WHEN: after every learn; blocks can
    /// be recalled before it. COST: fast with the built-in models; with a model server, one call a block and a few for close pairs.
    /// RETURNS: [`ConsolidateResult`]: counts, and every block that was rejected, superseded or left, every contradiction and failure, with its
    /// reason. NEXT: look at contradictions and resolve them.
    ///
    /// # Errors
    /// Another model than the one that filled the memory; an embedder that cannot be reached. Nothing was changed then.
    pub fn dream(&self, dream: &Dream) -> Result<ConsolidateResult> {
        let dreamed = self.dream_once(dream);
        if let Err(error) = &dreamed
            && !dream.dry_run
        {
            self.note_failed_dream(error);
        }
        dreamed
    }

    fn dream_once(&self, dream: &Dream) -> Result<ConsolidateResult> {
        let planned = self.plan_dream(dream);
        // What was spent was spent, whether or not a plan came of it; and a plan that was paid for is not thrown away
        // because the account could not be kept.
        let accounted = self.account_usage();
        let mut plan = planned?;
        if let Err(error) = accounted {
            trace::upkeep_failed("usage", error.kind().as_str());
            plan.warnings.push(unaccounted(&error));
        }
        if dream.dry_run {
            return Ok(plan.describe());
        }
        let mut result = self.commit_dream(dream, &plan)?;
        trace::dreamed(result.processed as u64, result.promoted as u64);
        self.after_dream(&result)?;
        self.try_associate();
        self.curate_after_dream(&mut result);
        Ok(result)
    }

    /// Stores why a dream failed, for the status of every program on this scope, until a dream in it succeeds. A store that
    /// cannot be written to keeps nothing; the error that is returned says enough.
    fn note_failed_dream(&self, error: &Error) {
        let message = error.message();
        let _ = self.store().write(&self.options.view, |transaction| -> Result<()> {
            Ok(transaction.set_scope_config(LAST_DREAM_FAILURE, &message)?)
        });
    }

    /// The same as [`dream`](Self::dream) with its defaults.
    pub fn consolidate(&self) -> Result<ConsolidateResult> {
        self.dream(&Dream::default())
    }

    /// Whether enough blocks wait: the inbox threshold, or the adaptive one where that is switched on.
    pub fn should_dream(&self) -> Result<bool> {
        self.read(|snapshot| {
            let pending = snapshot.get_inbox_count()?;
            Ok(match self.policy(snapshot)? {
                Some(policy) => policy.should_dream(pending),
                None => pending >= self.options.inbox_threshold,
            })
        })
    }

    /// The adaptive policy as it stands; none when it is switched off.
    pub(crate) fn policy(&self, snapshot: &dyn elfmem_store::Snapshot) -> Result<Option<ConsolidationPolicy>> {
        if !self.options.adaptive_threshold {
            return Ok(None);
        }
        let stored = snapshot.get_scope_config(POLICY_THRESHOLD)?.and_then(|text| text.parse().ok());
        Ok(Some(stored.map_or_else(ConsolidationPolicy::default, ConsolidationPolicy::restored)))
    }

    /// Keeps what it teaches the policy, where that is switched on.
    fn after_dream(&self, result: &ConsolidateResult) -> Result<()> {
        if !self.options.adaptive_threshold {
            return Ok(());
        }
        self.store().write(&self.options.view, |transaction| -> Result<()> {
            if let Some(policy) = self.policy(&*transaction)? {
                let threshold = policy.after(result.processed, result.promoted).threshold();
                transaction.set_scope_config(POLICY_THRESHOLD, &threshold.to_string())?;
            }
            Ok(())
        })
    }
}
