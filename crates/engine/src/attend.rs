//! `attend`, `leave`: the sessions of a program that runs for long and cannot know when work begins or ends.
//!
//! A server calls [`attend`](Memory::attend) before each request, [`end_idle_session`](Memory::end_idle_session) from time to
//! time while there is none, and [`leave`](Memory::leave) when it stops. A program without a timer may leave the second out:
//! whether the pause was too long shows when the next request comes.

use std::sync::{MutexGuard, PoisonError, TryLockError};

use elfmem_core::{SessionId, Timestamp, time::wall_hours_between};
use elfmem_store::Store;

use crate::Result;
use crate::memory::Memory;
use crate::sessions::{SessionBegun, SessionEnded};

/// The session that requests are counted to, and the last of them.
#[derive(Debug, Clone)]
pub(crate) struct Attended {
    session: SessionId,
    last_request: Timestamp,
}

impl<S: Store> Memory<S> {
    /// Makes sure that there is a session for what comes next. The first call begins one; a call after a pause longer than the
    /// idle limit begins a fresh one, and the old one counts up to its last use; an inbox that it left full is consolidated. A
    /// session that somebody began ([`begin_session`](Self::begin_session)) goes on as it is.
    ///
    /// USE WHEN: requests come from outside, before each of them. DON'T USE WHEN: you begin and end sessions yourself. COST: instant;
    /// a write when a session begins. RETURNS: the session if it is new. NEXT: [`leave`](Self::leave) when the program stops.
    pub fn attend(&self, task_type: &str) -> Result<Option<SessionBegun>> {
        // Held for the whole of it: of two first requests at once one begins the session.
        let mut attended = self.attended();
        let now = self.options.clock.now();
        let held = self.running().held.as_ref().map(|session| session.id.clone());
        if let Some(held) = held {
            match attended.as_mut().filter(|attended| attended.session == held) {
                None => return Ok(None),
                Some(attended) if !self.is_idle(attended, now) => {
                    attended.last_request = now;
                    return Ok(None);
                }
                // Dropped, not ended: ending it now would count the pause. Beginning the next one closes it as of its last use.
                Some(_) => {
                    self.running().held = None;
                    self.try_consolidate_full_inbox();
                }
            }
        }
        let begun = self.begin_session(task_type)?;
        *attended = Some(Attended { session: begun.session_id.clone(), last_request: now });
        Ok((!begun.already_open).then_some(begun))
    }

    /// Returns whether [`end_idle_session`](Self::end_idle_session) has something to do. Never waits.
    pub fn has_idle_session(&self) -> bool {
        let attended = match self.attended.try_lock() {
            Ok(attended) => attended,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // A request is beginning.
            Err(TryLockError::WouldBlock) => return false,
        };
        attended.as_ref().is_some_and(|attended| self.is_idle(attended, self.options.clock.now()))
    }

    /// Ends the session of the requests if none came for longer than the idle limit. It counts up to its last use, and an inbox
    /// that it left full is consolidated, for about two seconds; neither moves the clock. A session that somebody began
    /// ([`begin_session`](Self::begin_session)) goes on as it is.
    ///
    /// USE WHEN: requests come from outside and there is none, from time to time. DON'T USE WHEN: you begin and end sessions
    /// yourself. COST: instant; one write when a session ends, like [`consolidate`](Self::consolidate) when the inbox is full.
    /// RETURNS: the session if it ended. NEXT: nothing.
    pub fn end_idle_session(&self) -> Result<Option<SessionEnded>> {
        // Held for the whole of it: a request that comes meanwhile begins a fresh session afterwards.
        let mut attended = self.attended();
        let now = self.options.clock.now();
        let is_over =
            |held: &SessionId| attended.as_ref().is_some_and(|one| one.session == *held && self.is_idle(one, now));
        let Some(session) = self.running().held.clone().filter(|held| is_over(&held.id)) else { return Ok(None) };
        {
            let mut running = self.running();
            running.held = None;
            running.idle = Some(session.id.clone());
        }
        let ended = self.end_as_of_last_use(&session.id);
        {
            let mut running = self.running();
            if running.current == running.idle {
                running.current = None;
            }
            running.idle = None;
        }
        *attended = None;
        ended.map(Some)
    }

    /// Ends the session this value holds, if it holds one. One that has been idle for too long is left to whoever uses the memory
    /// next: it counts up to its last use.
    pub fn leave(&self) -> Result<Option<SessionEnded>> {
        let attended = self.attended().take();
        let now = self.options.clock.now();
        let held = self.running().held.as_ref().map(|session| session.id.clone());
        let Some(held) = held else { return Ok(None) };
        if attended.is_some_and(|attended| attended.session == held && self.is_idle(&attended, now)) {
            self.running().held = None;
            self.try_consolidate_full_inbox();
            return Ok(None);
        }
        self.end_session_within(self.options.end_of_session.while_stopping()).map(Some)
    }

    /// Consolidates a full inbox for as long as a caller who did not ask for it can wait. A failure is kept for
    /// [`status`](Self::status).
    fn try_consolidate_full_inbox(&self) {
        let _ = self.consolidate_full_inbox(self.options.end_of_session.while_stopping());
    }

    fn is_idle(&self, attended: &Attended, now: Timestamp) -> bool {
        wall_hours_between(attended.last_request, now) * 60.0 > self.options.idle_minutes
    }

    fn attended(&self) -> MutexGuard<'_, Option<Attended>> {
        // A name and a time: a panic elsewhere does not make them wrong.
        self.attended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
