//! The memory of a server: opened on first use, with session handling.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem_engine::catalog::{Effect, Verb, VerbId, find};
use elfmem_engine::{Memory, Reply};
use elfmem_store::Store;
use serde_json::{Map, Value, json};

use crate::activity::Activity;
use crate::call_counts::CallCounts;
use crate::caller::{Caller, Rights};
use crate::confirmation;
use crate::refusal::Refusal;
use crate::trace;

/// Opens the memory for a journal actor. Called on the first request, again if it failed, and again if a memory that can only
/// be read is no longer current.
pub type Opener<S> = Box<dyn Fn(&str) -> Result<OpenedMemory<S>, Refusal> + Send + Sync>;

/// A memory that a server opened.
pub struct OpenedMemory<S: Store> {
    memory: Memory<S>,
    read_only: Option<ReadOnly>,
}

/// Why a memory can only be read, and until when what was read holds.
struct ReadOnly {
    refusal: Refusal,
    is_current: Box<dyn Fn() -> bool + Send + Sync>,
}

impl<S: Store> From<Memory<S>> for OpenedMemory<S> {
    fn from(memory: Memory<S>) -> Self {
        Self { memory, read_only: None }
    }
}

impl<S: Store> OpenedMemory<S> {
    /// Makes one that can only be read. Calls that change something are answered with `refusal`, and the memory is opened again
    /// as soon as `is_current` returns false.
    pub fn read_only(
        memory: Memory<S>,
        refusal: Refusal,
        is_current: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { memory, read_only: Some(ReadOnly { refusal, is_current: Box::new(is_current) }) }
    }
}

impl<S: Store> fmt::Debug for OpenedMemory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedMemory").field("is_read_only", &self.read_only.is_some()).finish_non_exhaustive()
    }
}

/// The memory that the requests of a server share.
struct Shared<S: Store> {
    memory: Arc<Memory<S>>,
    read_only: Option<ReadOnly>,
}

impl<S: Store> Shared<S> {
    fn is_current(&self) -> bool {
        self.read_only.as_ref().is_none_or(|read_only| (read_only.is_current)())
    }
}

/// A memory that is opened on first use.
pub(crate) struct LazyMemory<S: Store> {
    open: Opener<S>,
    opened: Mutex<Option<Shared<S>>>,
    tally: CallCounts,
    activity: Activity,
}

impl<S: Store> fmt::Debug for LazyMemory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyMemory").finish_non_exhaustive()
    }
}

impl<S: Store> LazyMemory<S> {
    pub(crate) fn new(open: Opener<S>) -> Self {
        Self { open, opened: Mutex::default(), tally: CallCounts::default(), activity: Activity::default() }
    }

    /// Returns the memory and opens it if necessary.
    pub(crate) fn get(&self, actor: &str) -> Result<Arc<Memory<S>>, Refusal> {
        // Held while opening, so that concurrent first requests open it once.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = opened.as_ref().filter(|shared| shared.is_current()) {
            return Ok(Arc::clone(&shared.memory));
        }
        let OpenedMemory { memory, read_only } =
            (self.open)(actor).inspect_err(|refusal| trace::not_opened(refusal.kind))?;
        trace::opened();
        let memory = Arc::new(memory);
        *opened = Some(Shared { memory: Arc::clone(&memory), read_only });
        Ok(memory)
    }

    /// Returns the answer to calls that change something, if the memory is open and can only be read.
    fn read_only_refusal(&self) -> Option<Refusal> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref()?.read_only.as_ref().map(|read_only| read_only.refusal.clone())
    }

    /// Returns the memory if it is open.
    pub(crate) fn opened(&self) -> Option<Arc<Memory<S>>> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(|shared| Arc::clone(&shared.memory))
    }

    /// Returns the calls that run and that ran.
    pub(crate) fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Returns the call counters.
    pub(crate) fn tally(&self) -> &CallCounts {
        &self.tally
    }

    /// Calls a verb in a session and counts the call.
    pub(crate) fn call(
        &self,
        caller: &Caller,
        verb: &'static Verb,
        arguments: &Map<String, Value>,
    ) -> Result<Reply, Refusal> {
        if let Some(reply) = guide_without_memory(verb, arguments) {
            self.tally.count(verb.name, true);
            return Ok(reply);
        }
        if caller.rights.cover(verb.effect) {
            confirmation::check(verb, arguments).inspect_err(|_| self.tally.count(verb.name, false))?;
        }
        let changes = verb.effect != Effect::Reads && !only_reports(verb, arguments);
        self.using_for(caller, verb.name, (verb.effect, changes), |memory| match caller.rights {
            Rights::Write if self.read_only_refusal().is_none() => memory.invoke(verb.name, arguments),
            Rights::Read | Rights::Write => memory.invoke(verb.name, &with_preview(verb, arguments)),
        })
    }

    /// Runs work with the memory in a session and counts it as a call of `verb`.
    pub(crate) fn using<T>(
        &self,
        caller: &Caller,
        verb: &'static str,
        effect: Effect,
        work: impl FnOnce(&Memory<S>) -> elfmem_engine::Result<T>,
    ) -> Result<T, Refusal> {
        self.using_for(caller, verb, (effect, effect != Effect::Reads), work)
    }

    /// Runs work as [`using`](Self::using) does. The effect decides who may call the verb, and `changes` whether this call
    /// changes something.
    fn using_for<T>(
        &self,
        caller: &Caller,
        verb: &'static str,
        (effect, changes): (Effect, bool),
        work: impl FnOnce(&Memory<S>) -> elfmem_engine::Result<T>,
    ) -> Result<T, Refusal> {
        let _span = trace::call(verb, caller.rights.as_str());
        let _running = self.activity.begin();
        let done = self.attended(caller, verb, (effect, changes)).and_then(|memory| Ok(work(&memory)?));
        if let Err(refusal) = &done {
            trace::refused(refusal.kind);
        }
        self.tally.count(verb, done.is_ok());
        done
    }

    /// Checks permissions and returns the memory. Starts a session for writers.
    fn attended(
        &self,
        caller: &Caller,
        verb: &str,
        (effect, changes): (Effect, bool),
    ) -> Result<Arc<Memory<S>>, Refusal> {
        caller.rights.allow(verb, effect)?;
        let memory = self.get(&caller.actor)?;
        // Such a memory is a copy of the file: what is written to it is lost.
        if let Some(refusal) = self.read_only_refusal() {
            return if changes { Err(refusal) } else { Ok(memory) };
        }
        let about_sessions = [VerbId::BeginSession, VerbId::EndSession];
        let about_sessions = find(verb).is_some_and(|verb| about_sessions.contains(&verb.id));
        if caller.rights == Rights::Write && !about_sessions {
            let attended = memory.attend(caller.task_type);
            // A memory that cannot be written can still be read, and a writing verb would fail with
            // the same error.
            if effect != Effect::Reads {
                attended?;
            }
        }
        Ok(memory)
    }

    /// Renders a frame in a session.
    pub(crate) fn render(&self, caller: &Caller, arguments: &Map<String, Value>) -> Result<Reply, Refusal> {
        const NAME: &str = "frame";
        let verb = find(NAME).ok_or_else(|| elfmem_engine::Error::UnknownVerb { name: NAME.to_owned() })?;
        self.call(caller, verb, arguments)
    }

    /// Calls a verb without counting it as use and without a session.
    pub(crate) fn look(&self, actor: &str, verb: &str, arguments: &Map<String, Value>) -> Result<Reply, Refusal> {
        Ok(self.get(actor)?.invoke(verb, arguments)?)
    }

    /// Ends the session, if the memory was opened.
    pub(crate) fn leave(&self) -> Result<(), Refusal> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        match opened {
            Some(Shared { memory, read_only: None }) => Ok(memory.leave().map(drop)?),
            Some(Shared { read_only: Some(_), .. }) | None => Ok(()),
        }
    }
}

/// Returns true if a call of a verb that can change something only reports: what it would do, or what it found.
fn only_reports(verb: &Verb, arguments: &Map<String, Value>) -> bool {
    let is_set = |name: &str| arguments.get(name).and_then(Value::as_bool) == Some(true);
    match verb.id {
        VerbId::Verify => !is_set("repair"),
        VerbId::ScanSecrets => !is_set("redact"),
        _ => is_set("dry_run"),
    }
}

/// Adds `preview` to the arguments of verbs that would count their results as used.
fn with_preview(verb: &Verb, arguments: &Map<String, Value>) -> Map<String, Value> {
    const PREVIEW: &str = "preview";
    let mut arguments = arguments.clone();
    let counts = verb.parameters.iter().any(|parameter| parameter.name == PREVIEW);
    // The engine rejects other types.
    if counts && matches!(arguments.get(PREVIEW), None | Some(Value::Null | Value::Bool(_))) {
        arguments.insert(PREVIEW.to_owned(), json!(true));
    }
    arguments
}

/// Answers the guide without a memory, because it must work if none can be opened. The engine
/// rejects invalid arguments.
fn guide_without_memory(verb: &Verb, arguments: &Map<String, Value>) -> Option<Reply> {
    let name = match (verb.id, arguments.len(), arguments.get("method_name")) {
        (VerbId::Guide, 0, _) | (VerbId::Guide, 1, Some(Value::Null)) => None,
        (VerbId::Guide, 1, Some(Value::String(name))) => Some(name.as_str()),
        _ => return None,
    };
    let text = elfmem_engine::guide(name);
    let json = json!({"text": text});
    Some(Reply { text, json })
}

#[cfg(test)]
mod tests {
    use elfmem_core::Timestamp;
    use elfmem_engine::Options;
    use elfmem_store_sqlite::SqliteStore;

    use super::*;

    fn opened() -> LazyMemory<SqliteStore> {
        LazyMemory::new(Box::new(|actor| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options { actor: actor.to_owned(), ..Options::default() }).into())
        }))
    }

    fn shut() -> LazyMemory<SqliteStore> {
        LazyMemory::new(Box::new(|_| {
            Err(Refusal { kind: "StorageError", message: "It is gone.".into(), recovery: "Look for it.".into() })
        }))
    }

    fn caller(rights: Rights) -> Caller {
        Caller { actor: "mcp".to_owned(), task_type: "mcp", rights }
    }

    fn writer() -> Caller {
        caller(Rights::Write)
    }

    fn arguments(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn the_guide_works_without_a_memory() {
        let guide = find("guide").unwrap();
        for given in [json!({}), json!({"method_name": null}), json!({"method_name": "recall"})] {
            let alone = shut().call(&writer(), guide, &arguments(given.clone())).unwrap();
            let along = opened().get("mcp").unwrap().invoke("guide", &arguments(given)).unwrap();
            assert_eq!((alone.text, alone.json), (along.text, along.json));
        }
    }

    #[test]
    fn opening_is_retried_after_a_failure() {
        let tries = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&tries);
        let late = LazyMemory::new(Box::new(move |_| {
            let mut tries = counted.lock().unwrap();
            *tries += 1;
            if *tries == 1 {
                return Err(Refusal { kind: "StorageError", message: "busy".into(), recovery: "Wait.".into() });
            }
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options::default()).into())
        }));
        let status = find("status").unwrap();
        assert_eq!(late.call(&writer(), status, &Map::new()).unwrap_err().message, "busy");
        assert!(late.call(&writer(), status, &Map::new()).is_ok());
        assert!(late.call(&writer(), status, &Map::new()).is_ok());
        assert_eq!(*tries.lock().unwrap(), 2);
    }

    #[test]
    fn a_call_begins_a_session_and_leaving_ends_it() {
        let late = opened();
        let reply = late.call(&writer(), find("status").unwrap(), &Map::new()).unwrap();
        assert_eq!(reply.json["session_active"], true);
        let memory = late.get("mcp").unwrap();
        late.leave().unwrap();
        assert!(!memory.status().unwrap().session_active);
    }

    #[test]
    fn untracked_calls_start_no_session() {
        let late = opened();
        let reply = late.look("mcp", "status", &Map::new()).unwrap();
        assert_eq!(reply.json["session_active"], false);
    }

    #[test]
    fn a_memory_that_can_only_be_read_answers_questions_and_refuses_changes() {
        let current = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let (flag, opened) = (Arc::clone(&current), Arc::new(Mutex::new(0)));
        let count = Arc::clone(&opened);
        let late = LazyMemory::new(Box::new(move |_| {
            *count.lock().unwrap() += 1;
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            let memory = Memory::open(store, Options::default());
            memory.learn("Maria is allergic to peanuts")?;
            let refusal =
                Refusal { kind: "ConfigError", message: "It can only be read.".into(), recovery: "Copy it.".into() };
            let flag = Arc::clone(&flag);
            let is_current = move || flag.load(std::sync::atomic::Ordering::Relaxed);
            Ok(OpenedMemory::read_only(memory, refusal, is_current))
        }));
        let call = |verb: &str, given: Value| late.call(&writer(), find(verb).unwrap(), &arguments(given));
        let answer = call("recall", json!({"query": "peanuts"})).unwrap();
        assert_eq!(answer.json["blocks"].as_array().unwrap().len(), 1);
        let operations = || call("log", json!({})).unwrap().json["count"].clone();
        let before = operations();
        for (verb, given) in
            [("curate", json!({"dry_run": true})), ("verify", json!({})), ("undo", json!({"dry_run": true}))]
        {
            assert!(call(verb, given).is_ok(), "{verb} only reports");
        }
        for (verb, given) in [
            ("learn", json!({"content": "no"})),
            ("curate", json!({})),
            ("verify", json!({"repair": true})),
            ("begin_session", json!({"task_type": "x"})),
        ] {
            assert_eq!(call(verb, given).unwrap_err().message, "It can only be read.", "{verb}");
        }
        assert_eq!((operations(), *opened.lock().unwrap()), (before, 1));
        current.store(false, std::sync::atomic::Ordering::Relaxed);
        call("status", json!({})).unwrap();
        assert_eq!(*opened.lock().unwrap(), 2, "the file changed");
        late.leave().unwrap();
    }

    #[test]
    fn readers_record_nothing() {
        let late = opened();
        let recall = find("recall").unwrap();
        late.call(&writer(), find("learn").unwrap(), &arguments(json!({"content": "Maria is allergic to peanuts"})))
            .unwrap();
        let last =
            || late.look("mcp", "log", &arguments(json!({"limit": 1}))).unwrap().json["operations"][0]["seq"].clone();
        let before = last();
        for asked in [json!({"query": "peanuts"}), json!({"query": "peanuts", "preview": false})] {
            let reply = late.call(&caller(Rights::Read), recall, &arguments(asked)).unwrap();
            assert_eq!(reply.json["blocks"].as_array().unwrap().len(), 1);
        }
        assert_eq!(last(), before);
        late.call(&writer(), recall, &arguments(json!({"query": "peanuts"}))).unwrap();
        assert_ne!(last(), before, "a writer's question counts");
        let refused = late.call(&caller(Rights::Read), find("learn").unwrap(), &arguments(json!({"content": "no"})));
        assert_eq!(refused.unwrap_err().kind, "PermissionError");
        let bad = late.call(&caller(Rights::Read), recall, &arguments(json!({"query": "x", "preview": "yes"})));
        assert_eq!(bad.unwrap_err().kind, "InputError");
    }

    #[test]
    fn calls_are_counted_by_result() {
        let late = opened();
        let (learn, status) = (find("learn").unwrap(), find("status").unwrap());
        late.call(&writer(), status, &Map::new()).unwrap();
        late.call(&writer(), learn, &Map::new()).unwrap_err();
        assert_eq!(late.tally().counts(), [(("learn", false), 1), (("status", true), 1)]);
    }
}
