//! The one memory of a server: opened late, its sessions kept, left in order.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use elfmem::core::verbs::{Effect, Verb, VerbId};
use elfmem::store::Store;
use elfmem::{Memory, Reply};
use serde_json::{Map, Value, json};

use crate::refusal::Refusal;

/// Opens the memory; it is told who asks, for the journal. It runs when the first request needs it, and again at the next one
/// if it failed.
pub type Opener<S> = Box<dyn Fn(&str) -> Result<Memory<S>, Refusal> + Send + Sync>;

/// What sessions that begin by themselves are for.
const TASK_TYPE: &str = "mcp";

/// A memory that is there when it is needed.
pub(crate) struct LateMemory<S: Store> {
    open: Opener<S>,
    opened: Mutex<Option<Arc<Memory<S>>>>,
}

impl<S: Store> fmt::Debug for LateMemory<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateMemory").finish_non_exhaustive()
    }
}

impl<S: Store> LateMemory<S> {
    pub(crate) fn new(open: Opener<S>) -> Self {
        Self { open, opened: Mutex::default() }
    }

    /// The memory, opened now if it was not.
    pub(crate) fn get(&self, actor: &str) -> Result<Arc<Memory<S>>, Refusal> {
        // Held while it is opened: of two first requests one opens it and the other waits for that.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(memory) = opened.as_ref() {
            return Ok(Arc::clone(memory));
        }
        let memory = Arc::new((self.open)(actor)?);
        *opened = Some(Arc::clone(&memory));
        Ok(memory)
    }

    /// Does what a verb says, as a part of the session.
    pub(crate) fn call(
        &self,
        actor: &str,
        verb: &'static Verb,
        arguments: &Map<String, Value>,
    ) -> Result<Reply, Refusal> {
        if let Some(reply) = guide_alone(verb, arguments) {
            return Ok(reply);
        }
        let memory = self.get(actor)?;
        let about_sessions = matches!(verb.id, VerbId::BeginSession | VerbId::EndSession);
        if !about_sessions {
            let attended = memory.attend(TASK_TYPE);
            // A memory that cannot be written can still be read; a verb that writes could not do more than this either.
            if verb.effect != Effect::Reads {
                attended?;
            }
        }
        Ok(memory.invoke(verb.name, arguments)?)
    }

    /// Renders a frame for the context window, as a part of the session.
    pub(crate) fn render(&self, actor: &str, arguments: &Map<String, Value>) -> Result<Reply, Refusal> {
        let memory = self.get(actor)?;
        memory.attend(TASK_TYPE)?;
        Ok(memory.invoke("frame", arguments)?)
    }

    /// The same for looking around: it counts as no use and begins no session.
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

/// The guide needs no memory: it must answer where none can be opened. Arguments it does not take are left to the engine to
/// refuse.
fn guide_alone(verb: &Verb, arguments: &Map<String, Value>) -> Option<Reply> {
    let name = match (verb.id, arguments.len(), arguments.get("method_name")) {
        (VerbId::Guide, 0, _) | (VerbId::Guide, 1, Some(Value::Null)) => None,
        (VerbId::Guide, 1, Some(Value::String(name))) => Some(name.as_str()),
        _ => return None,
    };
    let text = elfmem::guide(name);
    let json = json!({"text": text});
    Some(Reply { text, json })
}

#[cfg(test)]
mod tests {
    use elfmem::Options;
    use elfmem::core::Timestamp;
    use elfmem::core::verbs::find;
    use elfmem_store_sqlite::SqliteStore;

    use super::*;

    fn opened() -> LateMemory<SqliteStore> {
        LateMemory::new(Box::new(|actor| {
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem::Error::from)?;
            Ok(Memory::open(store, Options { actor: actor.to_owned(), ..Options::default() }))
        }))
    }

    fn shut() -> LateMemory<SqliteStore> {
        LateMemory::new(Box::new(|_| {
            Err(Refusal { kind: "StorageError", message: "It is gone.".into(), recovery: "Look for it.".into() })
        }))
    }

    fn arguments(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn the_guide_answers_without_a_memory_as_it_does_with_one() {
        let guide = find("guide").unwrap();
        for given in [json!({}), json!({"method_name": null}), json!({"method_name": "recall"})] {
            let alone = shut().call("mcp", guide, &arguments(given.clone())).unwrap();
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
            let store = SqliteStore::in_memory(Timestamp::UNIX_EPOCH).map_err(elfmem::Error::from)?;
            Ok(Memory::open(store, Options::default()))
        }));
        let status = find("status").unwrap();
        assert_eq!(late.call("mcp", status, &Map::new()).unwrap_err().message, "busy");
        assert!(late.call("mcp", status, &Map::new()).is_ok());
        assert!(late.call("mcp", status, &Map::new()).is_ok());
        assert_eq!(*tries.lock().unwrap(), 2);
    }

    #[test]
    fn a_call_begins_a_session_and_leaving_ends_it() {
        let late = opened();
        let reply = late.call("mcp", find("status").unwrap(), &Map::new()).unwrap();
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
}
