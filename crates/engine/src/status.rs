//! `status`: the state of a memory at a glance.

use elfmem_core::health::health_and_suggestion;
use elfmem_core::results::SystemStatus;
use elfmem_store::Store;

use crate::Result;
use crate::memory::Memory;
use crate::moment::{Reading, reading};

impl<S: Store> Memory<S> {
    /// The state of the memory and what to do next.
    ///
    /// USE WHEN: you decide whether to consolidate, or want to know how the memory is doing. COST: fast, one read, nothing is changed.
    /// RETURNS: [`SystemStatus`].
    pub fn status(&self) -> Result<SystemStatus> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| {
            let counts = snapshot.get_block_counts()?;
            let Reading { clock, session } = reading(snapshot, at, held.as_ref(), &self.options)?;
            let (health, suggestion) = health_and_suggestion(counts.inbox, self.options.inbox_threshold, counts.active);
            let last_consolidated = snapshot.get_config("last_consolidated_at")?;
            Ok(SystemStatus {
                session_active: session.is_some(),
                session_hours: session.map(|session| clock.hours.since(session.start_active_hours).get()),
                inbox_count: counts.inbox,
                inbox_threshold: self.options.inbox_threshold,
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
