//! The library in a process of its own: requests come in as lines, answers go out as lines, and the clock jumps.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use clap::Args;
use elfmem_core::Timestamp;
use elfmem_engine::{Clock, Memory, Options, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore};
use serde_json::{Value, json};

use crate::Result;

/// The furthest a clock jumps either way, in seconds.
const FURTHEST: i64 = 3 * 24 * 3600;

/// Serves verbs as lines of JSON, for the torture harness.
#[derive(Debug, Args)]
pub(crate) struct Library {
    /// The memory
    #[arg(long)]
    db: PathBuf,
}

/// The machine's clock, off by something that changes now and then.
struct JumpingClock(AtomicI64);

impl Clock for JumpingClock {
    fn now(&self) -> Timestamp {
        let off = Duration::from_secs(self.0.load(Ordering::Relaxed).unsigned_abs());
        let now = SystemClock.now();
        let jumped = if self.0.load(Ordering::Relaxed) < 0 { now.checked_sub(off) } else { now.checked_add(off) };
        jumped.unwrap_or(now)
    }
}

impl Library {
    pub(crate) fn run(&self) -> Result<()> {
        let clock = Arc::new(JumpingClock(AtomicI64::new(0)));
        let store = SqliteStore::open(&self.db, OpenOptions::default(), clock.now())?;
        let memory = Memory::open(store, Options { clock: clock.clone(), ..Options::default() });
        for line in std::io::stdin().lock().lines() {
            let mut asked: Value = serde_json::from_str(&line?)?;
            let jumped = fastrand::u8(..20) == 0;
            if jumped {
                clock.0.store(fastrand::i64(-FURTHEST..=FURTHEST), Ordering::Relaxed);
            }
            let arguments = match asked["arguments"].take() {
                Value::Object(arguments) => arguments,
                _ => serde_json::Map::new(),
            };
            let answer = match memory.invoke(asked["verb"].as_str().unwrap_or_default(), &arguments) {
                Ok(reply) => {
                    let mut told = reply.json;
                    if let Some(told) = told.as_object_mut().filter(|_| jumped) {
                        told.insert("clock_jumped".to_owned(), Value::Bool(true));
                    }
                    json!({"done": told})
                }
                Err(error) => json!({"refused": error.message()}),
            };
            let mut out = std::io::stdout().lock();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
        Ok(())
    }
}
