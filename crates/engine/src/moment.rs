//! When an operation happens: on the wall, on the clock of use, in which session.

use elfmem_core::ClockState;
use elfmem_core::clock::{SESSION_IDLE_HOURS, SessionStart};
use elfmem_core::time::wall_hours_between;
use elfmem_core::{ActiveHours, BroughtBy, Session, SessionId, SessionKind, Speaker, Timestamp, Trust, TrustPolicy};
use elfmem_store::{Snapshot, Transaction};

use crate::Result;
use crate::connect::store_degree_cap;
use crate::memory::Options;

/// One operation's place in time, and whose it is.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) at: Timestamp,
    pub(crate) hours: ActiveHours,
    pub(crate) session: SessionId,
    /// Who asks for it.
    pub(crate) who: BroughtBy,
    /// Who speaks for the owner.
    pub(crate) trust: TrustPolicy,
    /// How much the weight of an edge grows when it is confirmed.
    pub(crate) edge_reinforce_delta: f64,
    /// Whether this operation is said by somebody who speaks for the owner.
    pub(crate) speaker: Trust,
}

/// What the clock would read at `at`, and the session an operation at that time would belong to, if one is open.
pub(crate) struct Reading {
    pub(crate) clock: ClockState,
    pub(crate) session: Option<Session>,
}

impl Moment {
    /// Counts an operation: moves the clock, keeps the session alive or begins a new automatic one.
    pub(crate) fn count(
        transaction: &mut dyn Transaction,
        at: Timestamp,
        held: Option<&Session>,
        options: &Options,
    ) -> Result<Self> {
        let Reading { clock, session } = reading(transaction, at, held, options)?;
        transaction.set_clock(clock)?;
        let hours = clock.hours;
        let session = match session {
            Some(session) => Session { last_seen_at: at, ended_at: None, ..session },
            None => {
                close_abandoned(transaction, at, options)?;
                new_session((options.random)(), "automatic", SessionKind::Automatic, at, hours)
            }
        };
        transaction.touch_session(&session)?;
        Self::within(transaction, at, hours, session.id, options)
    }

    /// The moment of what a memory does on its own after a session: it belongs to that session, and moves no clock.
    pub(crate) fn after(
        transaction: &mut dyn Transaction,
        at: Timestamp,
        session: &SessionId,
        options: &Options,
    ) -> Result<Self> {
        let hours = transaction.get_clock()?.hours;
        Self::within(transaction, at, hours, session.clone(), options)
    }

    fn within(
        transaction: &mut dyn Transaction,
        at: Timestamp,
        hours: ActiveHours,
        session: SessionId,
        options: &Options,
    ) -> Result<Self> {
        store_degree_cap(transaction, options.edge_degree_cap)?;
        let (who, trust) = (BroughtBy::actor(&options.actor), options.trust.clone());
        let speaker = options.speaker();
        let edge_reinforce_delta = options.edge_reinforce_delta;
        Ok(Self { at, hours, session, who, trust, edge_reinforce_delta, speaker })
    }
}

impl Moment {
    /// Returns whether a source that the caller names speaks for the owner. A caller who does not cannot name one who does.
    pub(crate) fn trust_of(&self, source: &str, brought_by: &BroughtBy) -> Trust {
        self.trust.trust_of(Speaker { source, brought_by }).min(self.speaker)
    }
}

/// Reads the clock and finds the session without changing anything.
pub(crate) fn reading(
    snapshot: &(impl Snapshot + ?Sized),
    at: Timestamp,
    held: Option<&Session>,
    options: &Options,
) -> Result<Reading> {
    let explicit = explicit_session(snapshot, at, held)?;
    let start = explicit
        .as_ref()
        .map(|session| SessionStart { started_at: session.started_at, start_active_hours: session.start_active_hours });
    let state = snapshot.get_clock()?;
    let advanced = state.advance(at, options.idle_minutes, start);
    let session = match explicit {
        None if !advanced.after_pause => {
            snapshot.get_open_sessions()?.into_iter().find(|session| session.kind == SessionKind::Automatic)
        }
        explicit => explicit,
    };
    Ok(Reading { clock: advanced.state, session })
}

/// Returns the explicit session that an operation at `at` belongs to: the one that the caller holds, else a detached one.
/// A forgotten one counts no more.
pub(crate) fn explicit_session(
    snapshot: &(impl Snapshot + ?Sized),
    at: Timestamp,
    held: Option<&Session>,
) -> Result<Option<Session>> {
    let found = match held {
        // The stored row knows when the session was last used.
        Some(held) => Some(snapshot.get_session(&held.id)?.unwrap_or_else(|| held.clone())),
        None => snapshot.get_open_sessions()?.into_iter().find(|session| session.kind == SessionKind::Detached),
    };
    Ok(found.filter(|session| !is_forgotten(session, at)))
}

fn is_forgotten(session: &Session, at: Timestamp) -> bool {
    wall_hours_between(session.last_seen_at, at) > SESSION_IDLE_HOURS
}

/// Ends sessions nobody will end: automatic ones that went idle, those of programs that showed no sign of life for longer
/// than the idle limit, and forgotten ones. Each ends when it was last seen.
pub(crate) fn close_abandoned(transaction: &mut dyn Transaction, at: Timestamp, options: &Options) -> Result<()> {
    for session in transaction.get_open_sessions()? {
        let idle = wall_hours_between(session.last_seen_at, at) * 60.0 > options.idle_minutes;
        let orphaned = match session.kind {
            SessionKind::Automatic => true,
            SessionKind::Held => idle,
            SessionKind::Detached => is_forgotten(&session, at),
        };
        if orphaned {
            let ended_at = Some(session.last_seen_at);
            transaction.touch_session(&Session { ended_at, ..session })?;
        }
    }
    Ok(())
}

pub(crate) fn new_session(
    number: u64,
    task_type: &str,
    kind: SessionKind,
    at: Timestamp,
    hours: ActiveHours,
) -> Session {
    Session {
        id: SessionId::from_random(number),
        task_type: task_type.to_owned(),
        kind,
        started_at: at,
        ended_at: None,
        start_active_hours: hours,
        last_seen_at: at,
    }
}
