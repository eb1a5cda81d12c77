//! `dream`: turn inbox blocks into connected knowledge.
//!
//! Read, compute a plan, commit the plan: models are asked outside any transaction, and what the plan rests on is checked
//! again when it is committed. A crash loses work, never consistency.

mod analyse;
mod by_words;
mod commit;
mod decide;
mod edges;
mod embed;
mod host;
mod opinions;
mod plan;
mod promotion;
mod request;
mod rescore;
mod rules;

use std::collections::HashSet;
use std::time::Duration;

use crate::results::ConsolidateResult;
use elfmem_core::BlockId;
use elfmem_core::consolidation::ConsolidationPolicy;
use elfmem_store::Store;

use crate::memory::Memory;
use crate::migrate::MigrationProgress;
use crate::progress::Progress;
use crate::{Error, Result, trace};

pub(crate) use by_words::WORD_PROFILE;
pub use host::{HostAnalysis, HostContradiction, PendingBlock};
pub(crate) use plan::DreamPlan;
pub(crate) use promotion::Promotion;
pub use request::{Dream, HostAnalyses, ListPending};
pub use rescore::Rescore;

/// The longest that analysts may take in all unless told otherwise.
const ANALYST_TIME: Duration = Duration::from_secs(600);

impl Dream {
    /// The longest that analysts may take in all.
    fn time_for_analysts(&self) -> Duration {
        self.analyst_time.unwrap_or(ANALYST_TIME)
    }

    /// Reports progress to the listener, if there is one.
    pub(crate) fn tell(&self, progress: Progress) {
        if let Some(listener) = &self.progress {
            listener.report(progress);
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

/// Says how far a memory has moved to a newer model, and what to do.
fn next_step(progress: &MigrationProgress) -> String {
    match progress.is_complete() {
        true => progress.to_string(),
        false => format!("{progress} The next dream goes on; migrate-embeddings does the rest at once."),
    }
}

impl<S: Store> Memory<S> {
    /// Consolidates the inbox: embeds, finds repetitions and contradictions, analyses, links, promotes.
    /// See [`Dream`].
    ///
    /// A build without the chosen model compares blocks by their words, and a warning of the result says so.
    ///
    /// # Errors
    /// Another model than the one that filled the memory; an embedder that cannot be reached. Nothing was changed then.
    pub fn dream(&self, request: impl Into<Dream>) -> Result<ConsolidateResult> {
        let _span = trace::verb("consolidate");
        let mut dream = request.into();
        dream.by_block = self.analyses_by_block(dream.analyses.take().unwrap_or_default())?;
        let mut result = self.dream_and_note(&dream)?;
        if let Some(max) = dream.rescore.filter(|_| !dream.dry_run) {
            result.merge(self.rescore(Rescore::within(&dream).max(max))?);
        }
        self.set_trust(&mut result)?;
        Ok(result)
    }

    /// Sets whose sources are trusted among the blocks of a result. Until then none counts as trusted.
    fn set_trust(&self, result: &mut ConsolidateResult) -> Result<()> {
        let decided = result.decisions.iter().flat_map(|one| std::iter::once(&one.block_id).chain(&one.other_id));
        let contradicting = result.contradictions.iter().flat_map(|one| [&one.block_id, &one.other_id]);
        let ids: Vec<BlockId> = decided.chain(contradicting).cloned().collect();
        let trust = &self.options.trust;
        let blocks = self.read(|snapshot| Ok(snapshot.get_blocks(&ids)?))?;
        let trusted: HashSet<BlockId> =
            blocks.into_iter().filter(|block| trust.trusts(block)).map(|block| block.id).collect();
        for one in &mut result.decisions {
            one.trusted = trusted.contains(&one.block_id);
            one.other_trusted = one.other_id.as_ref().is_some_and(|other| trusted.contains(other));
        }
        for one in &mut result.contradictions {
            (one.trusted, one.other_trusted) = (trusted.contains(&one.block_id), trusted.contains(&one.other_id));
        }
        // However many an untrusted text brings, those about what the owner said come first.
        result.contradictions.sort_by_key(|one| usize::from(!one.trusted) + usize::from(!one.other_trusted));
        Ok(())
    }

    /// Consolidates, and keeps why that failed.
    fn dream_and_note(&self, dream: &Dream) -> Result<ConsolidateResult> {
        let dreamed = self.dream_once(dream);
        if let Err(error) = &dreamed
            && !dream.dry_run
        {
            self.note_failed_dream(error);
        }
        dreamed
    }

    fn dream_once(&self, dream: &Dream) -> Result<ConsolidateResult> {
        let migration = self.continue_migration(dream)?;
        let planned = match (self.plan_dream(dream), &migration) {
            // The old model is not in this program any more: the inbox waits until the memory has moved.
            (Err(Error::OtherModel { .. }), Some(progress)) => return self.wait_for_migration(dream, progress),
            (planned, _) => planned,
        };
        // What was spent was spent, whether or not a plan came of it; and a plan that was paid for is not thrown away
        // because the account could not be kept.
        let accounted = self.account_usage();
        let mut plan = planned?;
        plan.warnings.extend(migration.as_ref().map(next_step));
        if let Err(error) = accounted {
            trace::upkeep_failed("usage", error.kind().as_str());
            plan.warnings.push(unaccounted(&error));
        }
        if dream.dry_run {
            return self.rehearse_dream(&plan);
        }
        let mut result = self.commit_dream(dream, &plan)?;
        trace::dreamed(result.processed as u64, result.promoted as u64);
        self.after_dream(&result)?;
        self.try_associate();
        self.try_calibrate();
        self.curate_after_dream(&mut result);
        Ok(result)
    }

    /// Returns the result of a dream that could not look at the inbox yet.
    fn wait_for_migration(&self, dream: &Dream, progress: &MigrationProgress) -> Result<ConsolidateResult> {
        let waiting = self.read(|snapshot| Ok(snapshot.get_inbox_count()? as usize))?;
        let warnings = vec![next_step(progress)];
        Ok(ConsolidateResult { waiting, warnings, dry_run: dream.dry_run, ..ConsolidateResult::default() })
    }

    /// Stores why a dream failed, for the status of every program on this scope, until a dream in it succeeds. A store that
    /// cannot be written to keeps nothing; the error that is returned says enough.
    fn note_failed_dream(&self, error: &Error) {
        let message = error.message();
        let _ = self.store().write(&self.options.view, |transaction| -> Result<()> {
            Ok(transaction.set_scope_config(LAST_DREAM_FAILURE, &message)?)
        });
    }

    /// Consolidates the whole inbox: [`dream`](Self::dream) with its defaults.
    pub fn consolidate(&self) -> Result<ConsolidateResult> {
        self.dream(Dream::new())
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
