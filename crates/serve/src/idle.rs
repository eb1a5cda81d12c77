//! Work while no call runs: vectors of blocks that have none yet, and the end of a session that nobody uses.

use std::sync::Arc;
use std::time::Duration;

use elfmem_store::Store;

use crate::memory::LazyMemory;
use crate::trace;

/// How long no call must have run.
pub(crate) const PAUSE: Duration = Duration::from_millis(500);
/// Time of one step. A call that comes in meanwhile shares the processor with it.
const STEP: Duration = Duration::from_millis(100);

/// Embeds waiting blocks step by step whenever no call ran for `pause`, and ends the session when none came for longer than
/// the idle limit. Never returns; dropping it stops after the step that runs.
///
/// The memory is not opened for it. Its blocks are not looked at again until a call has ended: only calls store blocks.
pub(crate) async fn work_when_idle<S: Store + 'static>(memory: Arc<LazyMemory<S>>, pause: Duration) {
    let (mut seen, mut done) = (None, None);
    loop {
        tokio::time::sleep(pause).await;
        let ended = memory.activity().ended_if_idle();
        if ended.is_some() && ended == seen && ended != done && !step(&memory).await {
            done = ended;
        }
        if ended.is_some() && ended == seen {
            end_idle_session(&memory).await;
        }
        seen = ended;
    }
}

/// Ends the session on a blocking thread if it is over.
async fn end_idle_session<S: Store + 'static>(memory: &Arc<LazyMemory<S>>) {
    let Some(memory) = memory.opened().filter(|memory| memory.has_idle_session()) else { return };
    if let Ok(Err(error)) = tokio::task::spawn_blocking(move || memory.end_idle_session()).await {
        trace::idle_work_failed(error.kind().as_str());
    }
}

/// Embeds some blocks on a blocking thread; returns whether more can be done.
async fn step<S: Store + 'static>(memory: &Arc<LazyMemory<S>>) -> bool {
    let Some(memory) = memory.opened() else { return false };
    match tokio::task::spawn_blocking(move || memory.embed_waiting(STEP)).await {
        Ok(Ok(blocks)) => blocks.embedded > 0 && blocks.waiting > 0,
        Ok(Err(error)) => {
            trace::idle_work_failed(error.kind().as_str());
            false
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use elfmem_core::Timestamp;
    use elfmem_engine::catalog::find;
    use elfmem_engine::{Memory, Options};
    use elfmem_store_sqlite::SqliteStore;
    use serde_json::json;

    use super::*;
    use crate::caller::{Caller, Rights};

    fn memory() -> Arc<LazyMemory<SqliteStore>> {
        Arc::new(LazyMemory::new(Box::new(|_| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options::default()).into())
        })))
    }

    fn learn(memory: &LazyMemory<SqliteStore>, text: &str) {
        let caller = Caller { actor: "mcp".to_owned(), task_type: "mcp", rights: Rights::Write };
        let arguments = json!({"content": text}).as_object().cloned().unwrap_or_default();
        memory.call(&caller, find("learn").unwrap(), &arguments).unwrap();
    }

    /// Lets a server be idle for a while.
    fn wait(memory: &Arc<LazyMemory<SqliteStore>>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let idle = work_when_idle(Arc::clone(memory), Duration::from_millis(5));
            let _ = tokio::time::timeout(Duration::from_millis(1500), idle).await;
        });
    }

    #[test]
    fn an_idle_server_embeds_what_was_stored() {
        let memory = memory();
        wait(&memory);
        assert!(memory.opened().is_none(), "it is not opened for that");
        learn(&memory, "Maria is allergic to peanuts");
        learn(&memory, "Trains to Bern leave at noon");
        wait(&memory);
        let left = memory.opened().unwrap().embed_waiting(STEP).unwrap();
        assert_eq!((left.embedded, left.waiting), (0, 0));
        learn(&memory, "The service listens on port 8080");
        let left = memory.opened().unwrap().embed_waiting(STEP).unwrap();
        assert_eq!((left.embedded, left.waiting), (1, 0), "it would have waited");
    }

    #[test]
    fn a_server_that_nobody_calls_ends_its_session_and_consolidates_a_full_inbox() {
        let memory = Arc::new(LazyMemory::new(Box::new(|_: &str| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            let idle_minutes = Duration::from_millis(50).as_secs_f64() / 60.0;
            Ok(Memory::open(store, Options { idle_minutes, ..Options::default() }).into())
        })));
        for number in 0..10 {
            learn(&memory, &format!("Drawer {number} holds thing {number}"));
        }
        assert!(memory.opened().unwrap().status().unwrap().session_active);
        wait(&memory);
        let status = memory.opened().unwrap().status().unwrap();
        assert_eq!((status.session_active, status.inbox_count, status.active_count), (false, 0, 10));
    }

    #[test]
    fn a_server_with_a_running_call_is_not_idle() {
        let memory = memory();
        learn(&memory, "Maria is allergic to peanuts");
        let running = memory.activity().begin();
        wait(&memory);
        drop(running);
        assert_eq!(memory.opened().unwrap().embed_waiting(STEP).unwrap().embedded, 1);
    }
}
