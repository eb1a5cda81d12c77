//! The library as its users see it: over the default store, on a clock that the test moves.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod analysts;
mod attending;
mod breadcrumbs;
mod by_name;
mod connecting;
mod connecting_by_query;
mod connecting_many;
mod contract;
mod contradicting;
mod crash_points;
mod cues_and_times;
mod curating;
mod deciding;
mod documents;
mod dreaming;
mod echoing;
mod edge_scoring;
mod explaining;
mod faults;
mod fixtures;
mod framing;
mod graduating;
mod histories;
mod interference;
mod keeping_secrets;
mod labels;
mod learning;
mod life;
mod linking;
#[cfg(feature = "tracing")]
mod logging;
mod migrating;
mod observing;
mod outcomes;
mod proposing;
mod purging;
mod reaching;
mod recall_as_use;
mod recall_hostile;
mod recall_in_parallel;
mod recall_in_step;
mod recall_known_failures;
mod recall_properties;
mod recall_strength;
mod recalling;
mod rescoring;
mod retrieving;
mod scope_state;
mod scopes;
mod secret_parameters;
mod sessions;
mod state;
mod telling;
mod tending;
mod tracing_sources;
mod transfer_properties;
mod transferring;
mod trusting;
mod undoing;
mod verb_calls;
mod verifying;

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use elfmem_core::Timestamp;
use elfmem_engine::{Clock, Memory, Options, RenderFrame, SessionStyle};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct ManualClock(Mutex<Timestamp>);

impl ManualClock {
    pub(crate) fn forward_minutes(&self, minutes: f64) {
        let mut now = self.0.lock().unwrap();
        *now = Timestamp::from_microsecond(now.as_microsecond() + (minutes * 60e6) as i64).unwrap();
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock(Mutex::new(Timestamp::from_second(1_800_000_000).unwrap())))
}

pub(crate) fn options(clock: &Arc<ManualClock>) -> Options {
    let counter = AtomicU64::new(1);
    Options {
        actor: "test".into(),
        clock: clock.clone(),
        random: Arc::new(move || counter.fetch_add(1, Ordering::Relaxed)),
        ..Options::default()
    }
}

/// A fresh memory that lives with the test.
pub(crate) fn memory() -> Memory<SqliteStore> {
    memory_at(&clock())
}

pub(crate) fn memory_at(clock: &Arc<ManualClock>) -> Memory<SqliteStore> {
    Memory::open(SqliteStore::in_memory(clock.now()).unwrap(), options(clock))
}

/// A frame, for a question if there is one.
pub(crate) fn frame_for(name: &str, question: Option<&str>) -> RenderFrame {
    let request = RenderFrame::new(name);
    match question {
        Some(question) => request.query(question),
        None => request,
    }
}

/// Several values on one file stand for several processes.
pub(crate) fn memory_on(path: &std::path::Path, clock: &Arc<ManualClock>, style: SessionStyle) -> Memory<SqliteStore> {
    static PROCESS: AtomicI64 = AtomicI64::new(1);
    let first = PROCESS.fetch_add(1, Ordering::Relaxed) as u64 * 1_000_000;
    let counter = AtomicU64::new(first);
    let random = Arc::new(move || counter.fetch_add(1, Ordering::Relaxed));
    let options = Options { session_style: style, random, ..options(clock) };
    Memory::open(SqliteStore::open(path, OpenOptions::default(), clock.now()).unwrap(), options)
}
