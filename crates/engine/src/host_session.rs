//! What a host was told in each of its sessions, so that hooks say nothing twice.
//!
//! A hook is a process of its own, so this is kept in the settings of the scope: ids only, for a bounded number of sessions.
//! What a hook injects counts as shown: the echo guard knows it, and it counts as used only when the agent says so.

use std::collections::BTreeMap;

use elfmem_core::{BlockId, Timestamp, time};
use elfmem_store::{Snapshot, Store};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::memory::Memory;

/// The setting of a scope that holds the sessions of hosts.
const HOST_SESSIONS: &str = "host_sessions";
/// Most sessions that are kept; beyond, the least recently used one is dropped.
const MAX_SESSIONS: usize = 32;
/// Most blocks that are kept of one session, the newest.
const MAX_SHOWN: usize = 200;
/// Hours for which a text that repeats what was shown is an echo.
const ECHO_HOURS: f64 = 24.0;

/// What a host was told in one of its sessions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HostSession {
    /// The blocks that were shown to it, in that order.
    pub shown: Vec<BlockId>,
    /// Whether it was told who the agent is.
    pub introduced: bool,
    /// Whether the agent was asked to keep what it learned.
    pub reminded: bool,
    /// When it was last told something.
    last_told_at: Option<Timestamp>,
}

type HostSessions = BTreeMap<String, HostSession>;

impl<S: Store> Memory<S> {
    /// Returns what a host was told in a session of its own; nothing for one that is unknown.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub fn host_session(&self, id: &str) -> Result<HostSession> {
        self.read(|snapshot| Ok(sessions(snapshot)?.remove(&key(id)).unwrap_or_default()))
    }

    /// Changes what is known of a session of a host. It is no operation: nothing of it is in the journal.
    ///
    /// # Errors
    /// A memory that cannot be written.
    pub fn note_host_session(&self, id: &str, change: impl Fn(&mut HostSession)) -> Result<()> {
        let now = self.options.clock.now();
        self.store().write(&self.options.view, |transaction| -> Result<()> {
            let mut all = sessions(&*transaction)?;
            let session = all.entry(key(id)).or_default();
            change(session);
            session.shown.drain(..session.shown.len().saturating_sub(MAX_SHOWN));
            session.last_told_at = Some(now);
            while all.len() > MAX_SESSIONS {
                let oldest = all.iter().min_by_key(|(_, session)| session.last_told_at).map(|(id, _)| id.clone());
                oldest.map(|id| all.remove(&id));
            }
            let text = serde_json::to_string(&all).unwrap_or_default();
            Ok(transaction.set_scope_config(HOST_SESSIONS, &text)?)
        })
    }
}

/// Returns the blocks that hooks have shown within the last day.
pub(crate) fn recently_shown(snapshot: &(impl Snapshot + ?Sized), now: Timestamp) -> Result<Vec<BlockId>> {
    let is_recent =
        |session: &HostSession| session.last_told_at.is_some_and(|at| time::wall_hours_between(at, now) <= ECHO_HOURS);
    Ok(sessions(snapshot)?.into_values().filter(is_recent).flat_map(|session| session.shown).collect())
}

/// Returns the sessions that are kept. What cannot be read is forgotten: it only keeps hooks from repeating themselves.
fn sessions(snapshot: &(impl Snapshot + ?Sized)) -> Result<HostSessions> {
    let text = snapshot.get_scope_config(HOST_SESSIONS)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// Returns the name under which a session is kept: a digest, because the id is the host's and may hold anything.
fn key(id: &str) -> String {
    BlockId::for_content(id).to_string()
}
