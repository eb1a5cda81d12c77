//! `status`: counts, health and the suggested next step.

mod request;

use crate::results::SystemStatus;
use crate::results::{Health, health_and_suggestion};
use elfmem_store::Store;

use crate::Result;
use crate::contradictions::open_pairs;
use crate::dream::{LAST_CONSOLIDATED_AT, LAST_DREAM_FAILURE};
use crate::examine::LAST_FINDING;
use crate::memory::Memory;
use crate::migrate::migration_progress;
use crate::models::locked_model;
use crate::moment::{Reading, reading};
use crate::proposals::open_proposals;
use crate::review::unreviewed;
use crate::trace;

pub use request::Status;

impl<S: Store> Memory<S> {
    /// The state of the memory, with everything that can be asked for. See [`Status`].
    pub fn status_with(&self, request: impl Into<Status>) -> Result<SystemStatus> {
        let Status { calibration } = request.into();
        let calibration = calibration.then(|| self.calibration_status()).transpose()?;
        Ok(SystemStatus { calibration, ..self.status()? })
    }

    /// The state of the memory and what to do next.
    ///
    /// USE WHEN: you decide whether to consolidate, or want to know how the memory is doing. DON'T USE WHEN: before
    /// every call; verbs say themselves what is wrong. COST: fast, one read, nothing is changed. RETURNS:
    /// [`SystemStatus`]. NEXT: follow its suggestion.
    pub fn status(&self) -> Result<SystemStatus> {
        let _span = trace::verb("status");
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| {
            let counts = snapshot.get_block_counts()?;
            let Reading { clock, session } = reading(snapshot, at, held.as_ref(), &self.options)?;
            let threshold = match self.policy(snapshot)? {
                Some(policy) => policy.threshold(),
                None => self.options.inbox_threshold,
            };
            let (mut health, mut suggestion) = health_and_suggestion(counts.inbox, threshold, counts.active);
            if let Some(failure) = snapshot.get_scope_config(LAST_DREAM_FAILURE)?.filter(|failure| !failure.is_empty())
            {
                health = Health::Degraded;
                suggestion =
                                        format!("The last consolidation failed: {failure} Call consolidate() after fixing this.");
            }
            if let Some(finding) = snapshot.get_config(LAST_FINDING)?.filter(|finding| !finding.is_empty()) {
                health = Health::Degraded;
                                suggestion = format!("The store is inconsistent: {finding}. Run doctor.");
            }
            let choice = &self.options.models.embedder;
            let current = choice.name();
            let locked = locked_model(snapshot)?.filter(|locked| locked != current);
            if let Some(progress) = migration_progress(snapshot, choice)? {
                if health != Health::Degraded {
                    suggestion = format!("{progress} Call dream() to go on.");
                }
            } else if let Some(problem) = choice.problem() {
                health = Health::Degraded;
                suggestion = format!("The embedder cannot be used: {problem}. {}", problem.recovery());
            } else if let Some(locked) = locked {
                health = Health::Degraded;
                suggestion = format!(
                                        "The vectors were made by the model '{locked}', but '{current}' is configured. Run migrate_embeddings()."
                );
            }
            let contradictions = open_pairs(snapshot)?;
            if let (Some((one, other)), Health::Good) = (contradictions.first(), health) {
                health = Health::Attention;
                suggestion = format!(
                    "Blocks {} and {} contradict each other; take the wrong one out with forget().",
                    one.short(),
                    other.short()
                );
            }
            let last_consolidated = snapshot.get_scope_config(LAST_CONSOLIDATED_AT)?;
            Ok(SystemStatus {
                session_active: session.is_some(),
                session_hours: session.map(|session| clock.hours.since(session.start_active_hours).get()),
                inbox_count: counts.inbox,
                inbox_threshold: threshold,
                active_count: counts.active,
                archived_count: counts.archived,
                replaced_count: snapshot.count_blocks(&unreviewed())?,
                contradiction_count: contradictions.len() as u64,
                proposal_count: open_proposals(snapshot)?.len() as u64,
                total_active_hours: clock.hours.get(),
                last_consolidated: last_consolidated.unwrap_or_else(|| "never".to_owned()),
                health,
                suggestion,
                calibration: None,
            })
        })
    }
}
