//! `status`: counts, health and the suggested next step.

mod request;

use crate::results::SystemStatus;
use crate::results::{Health, health_and_suggestion};
use elfmem_store::Store;

use crate::Result;
use crate::dream::{LAST_CONSOLIDATED_AT, LAST_DREAM_FAILURE};
use crate::examine::LAST_FINDING;
use crate::memory::Memory;
use crate::models::locked_model;
use crate::moment::{Reading, reading};
use crate::trace;

pub use request::Status;

impl<S: Store> Memory<S> {
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
            let current = self.options.models.embedder.name();
            if let Some(locked) = locked_model(snapshot)?.filter(|locked| locked != current) {
                health = Health::Degraded;
                suggestion = format!(
                                        "The vectors were made by the model '{locked}', but '{current}' is configured. Run migrate-embeddings."
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
                total_active_hours: clock.hours.get(),
                last_consolidated: last_consolidated.unwrap_or_else(|| "never".to_owned()),
                health,
                suggestion,
            })
        })
    }
}
