//! Settings kept in the memory, the clock of use, frames and sessions.

use std::ops::ControlFlow;

use elfmem_core::{ActiveHours, ClockState, Frame, Session, SessionId, Timestamp, time};

mod key;

pub use key::{scope_key, split_scope_key};

use crate::rows::{RowKey, RowKind, RowQuery, delete_recorded, get, list, missing, put_recorded, put_unrecorded};
use crate::{ReadBlocks, Result, Row, Setting, WriteJournal};

/// The setting that holds the clock of use (seed 003).
pub const TOTAL_ACTIVE_HOURS: &str = "total_active_hours";
/// The setting that holds the time of the last operation.
pub const LAST_ACTIVITY_AT: &str = "last_activity_at";

/// Reads settings, the clock, frames and sessions.
pub trait ReadSettings: ReadBlocks {
    /// Reads a setting of the whole memory.
    fn get_config(&self, key: &str) -> Result<Option<String>> {
        Ok(get::<Setting>(self, &RowKey::Setting(key.to_owned()))?.map(|setting| setting.value))
    }

    /// Reads a setting of the view's own scope.
    fn get_scope_config(&self, name: &str) -> Result<Option<String>> {
        self.get_config(&scope_key(self.scope(), name))
    }

    /// Reads the clock of use; zero when it was never set or cannot be parsed.
    fn get_clock(&self) -> Result<ClockState> {
        let hours = self.get_config(TOTAL_ACTIVE_HOURS)?.and_then(|text| text.parse().ok());
        let last_activity = self.get_config(LAST_ACTIVITY_AT)?.and_then(|text| time::from_iso(&text));
        Ok(ClockState { hours: ActiveHours::new(hours.unwrap_or(0.0)), last_activity })
    }

    /// Returns the total active hours.
    fn get_total_active_hours(&self) -> Result<ActiveHours> {
        Ok(self.get_clock()?.hours)
    }

    /// Reads a frame by name.
    fn get_frame(&self, name: &str) -> Result<Option<Frame>> {
        get(self, &RowKey::Frame(name.to_owned()))
    }

    /// Lists the frames by name.
    fn list_frames(&self) -> Result<Vec<Frame>> {
        list(self, None, |_| true)
    }

    /// Reads one session.
    fn get_session(&self, id: &SessionId) -> Result<Option<Session>> {
        get(self, &RowKey::Session(id.clone()))
    }

    /// Lists the sessions that have not ended, the latest first.
    fn get_open_sessions(&self) -> Result<Vec<Session>> {
        let mut open: Vec<(Timestamp, i64, Session)> = Vec::new();
        self.scan_rows(RowQuery::all(RowKind::Session), &mut |row, position| {
            if let Row::Session(session) = row
                && session.ended_at.is_none()
            {
                open.push((session.started_at, position, session.clone()));
            }
            ControlFlow::Continue(())
        })?;
        open.sort_by_key(|(started_at, position, _)| std::cmp::Reverse((*started_at, *position)));
        Ok(open.into_iter().map(|(_, _, session)| session).collect())
    }
}

/// Changes settings, the clock, frames and sessions.
pub trait WriteSettings: ReadSettings + WriteJournal {
    /// Stores a setting of the whole memory. Settings are not journaled: the clock is one of them and moves with every operation.
    fn set_config(&mut self, key: &str, value: &str) -> Result<()> {
        put_unrecorded(self, &Row::Setting(Setting { key: key.to_owned(), value: value.to_owned() }))
    }

    /// Stores a setting of the view's own scope.
    fn set_scope_config(&mut self, name: &str, value: &str) -> Result<()> {
        let key = scope_key(self.scope(), name);
        self.set_config(&key, value)
    }

    /// Stores a setting of the view's own scope, or removes it, and records the change: an undo of the operation restores it.
    fn record_scope_config(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        let key = scope_key(self.scope(), name);
        match value {
            Some(value) => put_recorded(self, &Row::Setting(Setting { key, value: value.to_owned() })),
            None => delete_recorded(self, &RowKey::Setting(key)).map(drop),
        }
    }

    /// Sets the clock of use: the hours and the time of the last operation. Hours never fall: a smaller value is ignored.
    fn set_clock(&mut self, clock: ClockState) -> Result<()> {
        if clock.hours >= self.get_total_active_hours()? {
            self.set_config(TOTAL_ACTIVE_HOURS, &clock.hours.get().to_string())?;
        }
        match clock.last_activity {
            Some(at) => self.set_config(LAST_ACTIVITY_AT, &time::to_iso(at)),
            None => Ok(()),
        }
    }

    /// Stores a frame, replacing the one of the same name. A store may keep `now` as the time at which a new frame was made.
    fn upsert_frame(&mut self, frame: &Frame, now: Timestamp) -> Result<()> {
        let _ = now;
        put_recorded(self, &Row::Frame(frame.clone()))
    }

    /// Removes a frame; whether there was one.
    fn delete_frame(&mut self, name: &str) -> Result<bool> {
        delete_recorded(self, &RowKey::Frame(name.to_owned()))
    }

    /// Stores a session that begins.
    fn start_session(&mut self, session: &Session) -> Result<()> {
        put_recorded(self, &Row::Session(session.clone()))
    }

    /// Stores a session without a trace in the journal: automatic sessions, and the time of last activity that every operation sets.
    fn touch_session(&mut self, session: &Session) -> Result<()> {
        put_unrecorded(self, &Row::Session(session.clone()))
    }

    /// Stores when a session ended. The end of a session that has ended already stays.
    ///
    /// # Errors
    /// [`StoreError::Missing`](crate::StoreError::Missing) when there is no such session.
    fn end_session(&mut self, id: &SessionId, ended_at: Timestamp) -> Result<()> {
        let mut session = self.get_session(id)?.ok_or_else(|| missing("session", id))?;
        session.ended_at = session.ended_at.or(Some(ended_at));
        put_recorded(self, &Row::Session(session))
    }

    /// Stores the built-in frames and the default settings where they are missing (seed 003). Running it again changes nothing.
    fn seed_builtin_data(&mut self, now: Timestamp) -> Result<()> {
        for frame in elfmem_core::frame::builtin_frames() {
            if self.get_frame(&frame.name)?.is_none() {
                self.upsert_frame(&frame, now)?;
            }
        }
        for (key, value) in [(TOTAL_ACTIVE_HOURS, "0.0"), ("prune_threshold", "0.05"), ("top_k", "5")] {
            if self.get_config(key)?.is_none() {
                self.set_config(key, value)?;
            }
        }
        Ok(())
    }
}
