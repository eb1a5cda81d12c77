//! The one memory of a server: opened late, its sessions kept, left in order.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem_engine::catalog::{Effect, Verb, VerbId, find};
use elfmem_engine::{Memory, Reply};
use elfmem_store::Store;
use serde_json::{Map, Value, json};

use crate::caller::{Caller, Rights};
use crate::refusal::Refusal;
use crate::tally::Tally;
use crate::trace;

/// Opens the memory; it is told who asks, for the journal. It runs when the first request needs it, and again at the next one
/// if it failed.
pub type Opener<S> = Box<dyn Fn(&str) -> Result<Memory<S>, Refusal> + Send + Sync>;

/// A memory that is there when it is needed.
pub(crate) struct LateMemory<S: Store> {
    open: Opener<S>,
    opened: Mutex<Option<Arc<Memory<S>>>>,
    tally: Tally,
}

impl<S: Store> fmt::Debug for LateMemory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateMemory").finish_non_exhaustive()
    }
}

impl<S: Store> LateMemory<S> {
    pub(crate) fn new(open: Opener<S>) -> Self {
        Self { open, opened: Mutex::default(), tally: Tally::default() }
    }

    /// The memory, opened now if it was not.
    pub(crate) fn get(&self, actor: &str) -> Result<Arc<Memory<S>>, Refusal> {
        // Held while it is opened: of two first requests one opens it and the other waits for that.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(memory) = opened.as_ref() {
            return Ok(Arc::clone(memory));
        }
        let memory = (self.open)(actor).inspect_err(|refusal| trace::not_opened(refusal.kind))?;
        trace::opened();
        let memory = Arc::new(memory);
        *opened = Some(Arc::clone(&memory));
        Ok(memory)
    }

    /// What was asked of it so far.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Does what a verb says, as a part of the session, and counts it.
    pub(crate) fn call(
        &self,
        caller: &Caller,
        verb: &'static Verb,
        arguments: &Map<String, Value>,
    ) -> Result<Reply, Refusal> {
        if let Some(reply) = guide_alone(verb, arguments) {
            self.tally.count(verb.name, true);
            return Ok(reply);
        }
        self.using(caller, verb.name, verb.effect, |memory| match caller.rights {
            Rights::Read => memory.invoke(verb.name, &without_a_trace(verb, arguments)),
            Rights::Write => memory.invoke(verb.name, arguments),
        })
    }

    /// Does something with the memory, as a part of the session, and counts it as a verb.
    pub(crate) fn using<T>(
        &self,
        caller: &Caller,
        verb: &'static str,
        effect: Effect,
        work: impl FnOnce(&Memory<S>) -> elfmem_engine::Result<T>,
    ) -> Result<T, Refusal> {
        let _span = trace::call(verb, caller.rights.as_str());
        let done = self.attended(caller, verb, effect).and_then(|memory| Ok(work(&memory)?));
        if let Err(refusal) = &done {
            trace::refused(refusal.kind);
        }
        self.tally.count(verb, done.is_ok());
        done
    }

    /// The memory for whoever may do this, in a session unless they leave no trace.
    fn attended(&self, caller: &Caller, verb: &str, effect: Effect) -> Result<Arc<Memory<S>>, Refusal> {
        caller.rights.allow(verb, effect)?;
        let memory = self.get(&caller.actor)?;
        let about_sessions = [VerbId::BeginSession, VerbId::EndSession];
        let about_sessions = find(verb).is_some_and(|verb| about_sessions.contains(&verb.id));
        if caller.rights == Rights::Write && !about_sessions {
            let attended = memory.attend(caller.task_type);
            // A memory that cannot be written can still be read; a verb that writes could not do more than this either.
            if effect != Effect::Reads {
                attended?;
            }
        }
        Ok(memory)
    }

    /// Renders a frame for the context window, as a part of the session.
    pub(crate) fn render(&self, caller: &Caller, arguments: &Map<String, Value>) -> Result<Reply, Refusal> {
        const NAME: &str = "frame";
        let verb = find(NAME).ok_or_else(|| elfmem_engine::Error::UnknownVerb { name: NAME.to_owned() })?;
        self.call(caller, verb, arguments)
    }

    /// Does what a verb says for whoever only looks around: it counts as no use and begins no session.
    pub(crate) fn look(&self, actor: &str, verb: &str, arguments: &Map<String, Value>) -> Result<Reply, Refusal> {
        Ok(self.get(actor)?.invoke(verb, arguments)?)
    }

    /// Ends the session, if the memory was ever opened.
    pub(crate) fn leave(&self) -> Result<(), Refusal> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(memory) = opened {
            memory.leave()?;
        }
        Ok(())
    }
}

/// The arguments of a verb that would count what it shows as used, with that left out.
fn without_a_trace(verb: &Verb, arguments: &Map<String, Value>) -> Map<String, Value> {
    const PREVIEW: &str = "preview";
    let mut arguments = arguments.clone();
    let counts = verb.parameters.iter().any(|parameter| parameter.name == PREVIEW);
    // What is no yes or no is left for the engine to refuse.
    if counts && matches!(arguments.get(PREVIEW), None | Some(Value::Null | Value::Bool(_))) {
        arguments.insert(PREVIEW.to_owned(), json!(true));
    }
    arguments
}

/// The guide needs no memory: it must answer where none can be opened. Arguments it does not take are left to the engine to
/// refuse.
fn guide_alone(verb: &Verb, arguments: &Map<String, Value>) -> Option<Reply> {
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

    fn opened() -> LateMemory<SqliteStore> {
        LateMemory::new(Box::new(|actor| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options { actor: actor.to_owned(), ..Options::default() }))
        }))
    }

    fn shut() -> LateMemory<SqliteStore> {
        LateMemory::new(Box::new(|_| {
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
    fn the_guide_answers_without_a_memory_as_it_does_with_one() {
        let guide = find("guide").unwrap();
        for given in [json!({}), json!({"method_name": null}), json!({"method_name": "recall"})] {
            let alone = shut().call(&writer(), guide, &arguments(given.clone())).unwrap();
            let along = opened().get("mcp").unwrap().invoke("guide", &arguments(given)).unwrap();
            assert_eq!((alone.text, alone.json), (along.text, along.json));
        }
    }

    #[test]
    fn a_memory_that_could_not_be_opened_is_tried_again() {
        let tries = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&tries);
        let late = LateMemory::new(Box::new(move |_| {
            let mut tries = counted.lock().unwrap();
            *tries += 1;
            if *tries == 1 {
                return Err(Refusal { kind: "StorageError", message: "busy".into(), recovery: "Wait.".into() });
            }
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem_engine::Error::from)?;
            Ok(Memory::open(store, Options::default()))
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
    fn looking_begins_no_session() {
        let late = opened();
        let reply = late.look("mcp", "status", &Map::new()).unwrap();
        assert_eq!(reply.json["session_active"], false);
    }

    #[test]
    fn a_reader_leaves_no_trace() {
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
    fn calls_are_counted_by_how_they_ended() {
        let late = opened();
        let (learn, status) = (find("learn").unwrap(), find("status").unwrap());
        late.call(&writer(), status, &Map::new()).unwrap();
        late.call(&writer(), learn, &Map::new()).unwrap_err();
        assert_eq!(late.tally().counts(), [(("learn", false), 1), (("status", true), 1)]);
    }
}
