//! `begin_session`, `end_session`: explicit stretches of work.

mod consolidate;
mod request;

use std::fmt;

use crate::results::{ConsolidateResult, CurateResult};
use elfmem_core::{ActiveHours, OperationKind, Session, SessionId, SessionKind, Timestamp};
use elfmem_store::{Snapshot, Store};
use serde::Serialize;

use crate::breadcrumbs::Breadcrumbs;
use crate::memory::Memory;
use crate::moment::{close_abandoned, explicit_session, new_session};
use crate::secrets::checked_remark;
use crate::trace;
use crate::{Error, Result};

pub use consolidate::EndOfSession;
pub use request::{BeginSession, EndSession};

/// The longest name of a kind of work, in bytes.
const LONGEST_TASK_TYPE: usize = 256;

/// Whether a session ends with the program that began it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SessionStyle {
    /// It lives with this value: a program that dies leaves no open end.
    #[default]
    Held,
    /// It lives in the store until it is ended, for commands that begin and end it separately.
    Detached,
}

/// Result of `begin_session`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SessionBegun {
    /// The session.
    pub session_id: SessionId,
    /// Whether it was open already.
    pub already_open: bool,
    /// The maintenance that was due before it began, if it was.
    pub curated: Option<CurateResult>,
    /// Why the maintenance that was due could not be done; the session began all the same.
    pub curate_failed: Option<String>,
}

impl fmt::Display for SessionBegun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.already_open { "is open already" } else { "begun" };
        write!(f, "Session {} {verb}.", self.session_id)?;
        if let Some(curated) = self.curated.as_ref().filter(|curated| **curated != CurateResult::default()) {
            write!(f, " {curated}")?;
        }
        match &self.curate_failed {
            Some(problem) => write!(f, " Curate failed: {problem}"),
            None => Ok(()),
        }
    }
}

/// Result of `end_session`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SessionEnded {
    /// The session.
    pub session_id: SessionId,
    /// How long it lasted, in active hours.
    pub hours: f64,
    /// The consolidation, if the inbox was full.
    pub consolidated: Option<ConsolidateResult>,
    /// Why the full inbox could not be consolidated; the session ended all the same.
    pub consolidate_failed: Option<String>,
}

impl fmt::Display for SessionEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session {} ended after {:.2} active hours.", self.session_id, self.hours)?;
        if let Some(consolidated) = &self.consolidated {
            write!(f, " {consolidated}")?;
        }
        match &self.consolidate_failed {
            Some(problem) => write!(f, " Consolidate failed: {problem}"),
            None => Ok(()),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Begins a session; all of its time counts until it is ended, or until nothing happened for eight hours: then it ended with
    /// its last operation. With one open already, that one goes on. Maintenance that is
    /// due ([`curate`](Self::curate)) is done first. See [`BeginSession`].
    pub fn begin_session(&self, request: impl Into<BeginSession>) -> Result<SessionBegun> {
        let _span = trace::verb("begin_session");
        let BeginSession { task_type } = request.into();
        let task_type = checked_remark("task type", Some(&task_type), LONGEST_TASK_TYPE, self.options.secrets)?;
        let task_type = task_type.as_deref().unwrap_or("general");
        if let Some(session) = self.open_explicit_session()? {
            let session_id = session.id;
            return Ok(SessionBegun { session_id, already_open: true, curated: None, curate_failed: None });
        }
        let (curated, curate_failed) = match self.curate_if_due() {
            Ok(curated) => (curated, None),
            Err(error) => (None, Some(error.message())),
        };
        let kind = match self.options.session_style {
            SessionStyle::Held => SessionKind::Held,
            SessionStyle::Detached => SessionKind::Detached,
        };
        let mut begun = None;
        let result = self.change(OperationKind::BeginSession, |transaction, moment| {
            close_abandoned(transaction, moment.at, &self.options)?;
            let session = new_session((self.options.random)(), task_type, kind, moment.at, moment.hours);
            transaction.start_session(&session)?;
            begun = Some(session.clone());
            let (curated, curate_failed) = (curated.clone(), curate_failed.clone());
            Ok(SessionBegun { session_id: session.id, already_open: false, curated, curate_failed })
        })?;
        let mut running = self.running();
        running.current = Some(result.session_id.clone());
        running.breadcrumbs = Breadcrumbs::default();
        if kind == SessionKind::Held {
            running.held = begun;
        }
        drop(running);
        self.try_associate();
        Ok(result)
    }

    /// Ends the session. A full inbox is consolidated first, within the time that
    /// [`Options::end_of_session`](crate::Options) allows; what does not fit into it waits.
    ///
    /// USE WHEN: the piece of work that was begun is done. DON'T USE WHEN: none was begun. COST: fast; one write, and what the
    /// store put off until nobody waits; like [`consolidate`](Self::consolidate) when the inbox is full. RETURNS:
    /// [`SessionEnded`]: its active hours and what was consolidated. NEXT: nothing.
    ///
    /// # Errors
    /// [`Error::NoSession`] when none is open.
    pub fn end_session(&self) -> Result<SessionEnded> {
        self.end_session_within(self.options.end_of_session)
    }

    pub(crate) fn end_session_within(&self, limit: EndOfSession) -> Result<SessionEnded> {
        let _span = trace::verb("end_session");
        if self.open_explicit_session()?.is_none() {
            return Err(Error::NoSession);
        }
        let (consolidated, consolidate_failed) = self.consolidated_or_why_not(limit);
        // Consolidating may have taken longer than a session lasts without a sign of life.
        let Some(session) = self.open_explicit_session()? else { return Err(Error::NoSession) };
        self.try_associate();
        let result = self.change(OperationKind::EndSession, |transaction, moment| {
            let counted = Session { last_seen_at: moment.at, ended_at: None, ..session.clone() };
            transaction.touch_session(&counted)?;
            transaction.end_session(&session.id, moment.at)?;
            let hours = moment.hours.since(session.start_active_hours).get();
            let (consolidated, consolidate_failed) = (consolidated.clone(), consolidate_failed.clone());
            Ok(SessionEnded { session_id: session.id.clone(), hours, consolidated, consolidate_failed })
        })?;
        let mut running = self.running();
        running.held = None;
        running.current = None;
        drop(running);
        // Nobody waits now. If it fails it was only put off further.
        let _ = self.store().checkpoint();
        Ok(result)
    }

    /// Ends a session that nobody used any more: a full inbox is consolidated, and the session counts up to its last use.
    pub(crate) fn end_as_of_last_use(&self, session: &SessionId) -> Result<SessionEnded> {
        let (consolidated, consolidate_failed) =
            self.consolidated_or_why_not(self.options.end_of_session.while_stopping());
        self.try_associate();
        let result = self.change(OperationKind::EndSession, |transaction, moment| {
            let Some(stored) = transaction.get_session(session)? else { return Err(Error::NoSession) };
            transaction.end_session(session, stored.last_seen_at)?;
            let hours = moment.hours.since(stored.start_active_hours).get();
            let (consolidated, consolidate_failed) = (consolidated.clone(), consolidate_failed.clone());
            Ok(SessionEnded { session_id: session.clone(), hours, consolidated, consolidate_failed })
        })?;
        // Nobody waits now. If it fails it was only put off further.
        let _ = self.store().checkpoint();
        Ok(result)
    }

    /// Consolidates a full inbox within the time; returns what was done, or why it could not be.
    fn consolidated_or_why_not(&self, limit: EndOfSession) -> (Option<ConsolidateResult>, Option<String>) {
        match self.consolidate_full_inbox(limit) {
            Ok(consolidated) => (consolidated, None),
            Err(error) => (None, Some(error.message())),
        }
    }

    /// The explicit session that operations of this value belong to: the one it holds, else a detached one.
    fn open_explicit_session(&self) -> Result<Option<Session>> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| explicit_session(snapshot, at, held.as_ref()))
    }

    /// The clock of use as it reads now.
    pub fn active_hours(&self) -> Result<ActiveHours> {
        let (at, held) = (self.options.clock.now(), self.running().held.clone());
        self.read(|snapshot| self.hours_at(snapshot, at, held.as_ref()))
    }

    pub(crate) fn hours_at(
        &self,
        snapshot: &dyn Snapshot,
        at: Timestamp,
        held: Option<&Session>,
    ) -> Result<ActiveHours> {
        Ok(crate::moment::reading(snapshot, at, held, &self.options)?.clock.hours)
    }
}
