//! The end of a session: a full inbox is consolidated, within the time for which a host waits.

use std::time::{Duration, Instant};

use elfmem_models::RulesAnalyst;
use elfmem_store::Store;

use crate::Result;
use crate::dream::Dream;
use crate::memory::Memory;
use crate::results::ConsolidateResult;

/// What happens to a full inbox when a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndOfSession {
    /// It is consolidated for about this long; the rest waits for the next time.
    Consolidate(Duration),
    /// It waits until somebody consolidates.
    Wait,
}

impl EndOfSession {
    /// The time for which the end of a session is waited for.
    pub const DEFAULT_TIME: Duration = Duration::from_secs(20);
    /// The time that a stopping server takes: hosts end a server that takes longer.
    pub(crate) const STOPPING: Duration = Duration::from_secs(2);

    /// Shortens the time to that of a stopping server.
    pub(crate) fn while_stopping(self) -> Self {
        match self {
            Self::Consolidate(time) => Self::Consolidate(time.min(Self::STOPPING)),
            Self::Wait => Self::Wait,
        }
    }
}

impl Default for EndOfSession {
    fn default() -> Self {
        Self::Consolidate(Self::DEFAULT_TIME)
    }
}

/// Blocks of one step with the rules alone. Each step is committed, so that nothing of it is lost if the next one takes too
/// long.
const STEP: u32 = 32;

impl<S: Store> Memory<S> {
    /// Consolidates the inbox if it is full, step by step until it is empty or the time is over. Returns none if it was not
    /// full or is left to wait.
    pub(crate) fn consolidate_full_inbox(&self, limit: EndOfSession) -> Result<Option<ConsolidateResult>> {
        let EndOfSession::Consolidate(time) = limit else { return Ok(None) };
        if !self.should_dream()? {
            return Ok(None);
        }
        self.dream_for(time).map(Some)
    }

    /// Consolidates the inbox step by step until it is empty or the time is over. What is left waits for the next time.
    ///
    /// # Errors
    /// Those of [`dream`](Self::dream), if the first step fails.
    pub fn dream_for(&self, time: Duration) -> Result<ConsolidateResult> {
        let (started, step) = (Instant::now(), self.blocks_of_a_step());
        let mut all: Option<ConsolidateResult> = None;
        loop {
            let left = time.saturating_sub(started.elapsed());
            let step = match self.dream(Dream::new().max(step).analyst_time(left)) {
                Ok(step) => step,
                // What the steps before it did stands.
                Err(error) => match all {
                    Some(mut done) => {
                        done.warnings.push(error.message());
                        return Ok(done);
                    }
                    None => return Err(error),
                },
            };
            let (waiting, processed) = (step.waiting, step.processed);
            let done = all.get_or_insert_default();
            done.merge(step);
            // Every step counts what waits after it.
            done.waiting = waiting;
            if waiting == 0 || processed == 0 || started.elapsed() >= time {
                return Ok(all.unwrap_or_default());
            }
        }
    }

    /// With an analyst that takes its time a step is what it answers at once, so that the rest waits in the inbox when the
    /// time is over and is not taken out of it unanalysed.
    fn blocks_of_a_step(&self) -> u32 {
        let analyst = &self.options.models.analyst;
        match analyst.name() == RulesAnalyst::NAME {
            true => STEP,
            false => u32::try_from(analyst.concurrency()).unwrap_or(STEP).clamp(1, STEP),
        }
    }
}
