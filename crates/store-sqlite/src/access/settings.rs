//! Settings, the clock, frames and sessions.

use elfmem_core::{ClockState, Frame, Session, Timestamp};
use elfmem_store::{Entity, ReadSettings, WriteSettings};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{frames, sessions};

impl ReadSettings for SqliteTransaction<'_> {
    fn get_config(&self, key: &str) -> Result<Option<String>> {
        sessions::get_config(self.connection, key)
    }

    fn get_clock(&self) -> Result<ClockState> {
        sessions::get_clock(self.connection)
    }

    fn get_open_sessions(&self) -> Result<Vec<Session>> {
        sessions::open(self.connection)
    }
}

impl WriteSettings for SqliteTransaction<'_> {
    fn set_config(&mut self, key: &str, value: &str) -> Result<()> {
        sessions::set_config(self.connection, key, value)
    }

    fn set_clock(&mut self, clock: ClockState) -> Result<()> {
        sessions::set_clock(self.connection, clock)
    }

    fn upsert_frame(&mut self, frame: &Frame, now: Timestamp) -> Result<()> {
        let before = self.get_frame(&frame.name)?;
        match &before {
            Some(_) => frames::update(self.connection, frame)?,
            None => _ = frames::insert(self.connection, frame, now)?,
        }
        self.recorder.record(Entity::Frame, frame.name.clone(), before.as_ref(), Some(frame));
        Ok(())
    }

    fn touch_session(&mut self, session: &Session) -> Result<()> {
        sessions::put(self.connection, session)
    }
}
