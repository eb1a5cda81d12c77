//! What the targets share: memories that are the same every time, so that a finding can be seen again.

#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use elfmem_core::{ScopeView, Timestamp};
use elfmem_store::Store;
use elfmem_engine::{Clock, Dream, ExportOptions, Forget, Learn, Memory, Options, SessionStyle, StoreEvent, Verify};
use elfmem_store_sqlite::{BadRows, OpenOptions, SqliteStore};
use serde_json::{Map, Value};

#[path = "../../tests/verbs/calls.rs"]
#[allow(dead_code, reason = "other tests need the rest of it")]
mod calls;

use calls::Filled;

/// When everything happens.
pub const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

/// A clock that stands still.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        NOW
    }
}

/// Options without chance and without time.
pub fn options() -> Options {
    let counter = AtomicU64::new(1);
    Options {
        actor: "fuzz".into(),
        clock: Arc::new(Still),
        random: Arc::new(move || counter.fetch_add(1, Ordering::Relaxed)),
        session_style: SessionStyle::Detached,
        ..Options::default()
    }
}

/// An empty memory.
pub fn empty() -> Memory<SqliteStore> {
    Memory::open(SqliteStore::in_memory(NOW).unwrap(), options())
}

/// What the furnished memory knows.
pub const KNOWN: [&str; 6] = [
    "Maria is allergic to peanuts",
    "Deploys go out on Tuesdays at 14:00",
    "The database listens on port 5433",
    "Ana moved to Lisbon in May 2026",
    "Never store tokens in the repository",
    "The nightly job runs at two o'clock",
];

/// What everything bears that was filled in for the verbs.
pub const MARK: &str = "kept";

/// The contexts it knows.
pub const CONTEXTS: [&str; 5] = ["error:var_in_react", "skill:react", "project:garden", "error:kept", "pattern:kept"];

/// A folder of this process. Whoever starts the target says where by `TMPDIR`, and removes it.
pub fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("elfmem-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A small memory with something of everything, made once as a file, and what was filled into it for the verbs.
static FURNISHED: LazyLock<(PathBuf, Filled)> = LazyLock::new(|| {
    let path = folder().join("furnished.db");
    let memory = Memory::open(SqliteStore::open(&path, OpenOptions::default(), NOW).unwrap(), options());
    furnish(&memory);
    let filled = Filled::new(MARK, &mut |verb, arguments| {
        let arguments = arguments.as_object().unwrap();
        memory.invoke(verb, arguments).unwrap().json
    });
    (path, filled)
});

/// Arguments with which a verb finds something to do in the furnished memory.
pub fn arguments(verb: &str) -> Map<String, Value> {
    FURNISHED.1.arguments(verb).as_object().unwrap().clone()
}

/// The ids of what was filled in for the verbs.
pub fn ids() -> Vec<String> {
    FURNISHED.1.ids()
}

/// Gives a memory something of everything that is remembered.
pub fn furnish(memory: &Memory<SqliteStore>) {
    for text in &KNOWN[..5] {
        memory.learn(Learn::new(*text).tag("topic/known").cue("what is known")).unwrap();
    }
    memory.dream(Dream::new()).unwrap();
    memory.learn(KNOWN[5]).unwrap();
    let ids: Vec<String> = KNOWN.iter().map(|text| elfmem_core::BlockId::for_content(text).to_string()).collect();
    memory.connect(&elfmem_engine::Connect::new(&ids[0], &ids[1])).unwrap();
    memory.outcome(&elfmem_engine::Outcome::new(vec![ids[0].clone(), ids[2].clone()], 0.9)).unwrap();
    let mistake = StoreEvent::with_payload("observation", "Used var instead of const in a React component.");
    memory.store_event(&mistake.source("agent").context_id(CONTEXTS[0]).link("related_to", CONTEXTS[1])).unwrap();
    memory.forget(Forget::new(&ids[3]).reason("old")).unwrap();
}

/// A furnished memory of one's own.
pub fn furnished() -> Memory<SqliteStore> {
    let (store, _) = SqliteStore::copy_of(&FURNISHED.0, None, BadRows::Refuse, NOW, &mut |_, _| {}).unwrap();
    Memory::open(store, options())
}

/// Everything a memory holds, to be compared.
pub fn contents(memory: &Memory<SqliteStore>) -> Vec<u8> {
    let mut out = Vec::new();
    memory.export(&mut out, &ExportOptions::default()).unwrap();
    out
}

/// The last operation in the journal: nothing is changed without one.
pub fn position(memory: &Memory<SqliteStore>) -> i64 {
    let read = memory.store().read(&ScopeView::default(), |snapshot| snapshot.get_journal_position());
    read.unwrap()
}

/// Whatever happened, the store must be sound after it.
pub fn must_be_sound(memory: &Memory<SqliteStore>) {
    must_be_sound_after(memory, &"all that");
}

/// The same, telling what happened.
pub fn must_be_sound_after(memory: &Memory<SqliteStore>, what: &dyn std::fmt::Debug) {
    let findings = memory.examine(Verify::new()).unwrap().findings;
    assert!(findings.is_empty(), "after {what:?}: {findings:?}");
}

/// An error is told in full and with the way out.
pub fn must_be_told(error: &elfmem_engine::Error) {
    assert!(!error.message().trim().is_empty() && !error.recovery().trim().is_empty(), "{error:?}");
}

/// What came of a call, if it is well told.
pub fn told<T>(result: elfmem_engine::Result<T>) -> Option<T> {
    result.inspect_err(must_be_told).ok()
}
