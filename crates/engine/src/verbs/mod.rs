//! Verbs by name, with JSON arguments: what servers and scripts call.
//!
//! The requests say what each verb takes (see [`crate::Request`]); [`table`] connects each request with the method of
//! [`Memory`] that answers it.

mod render;
mod render_events;
mod reply;
mod table;

use std::borrow::Cow;

use elfmem_store::Store;
use serde_json::{Map, Value};

use crate::catalog::{Verb, find, guide};
use crate::memory::Memory;
use crate::request::Request;
use crate::{Error, Guide, LearnMessages, Result};

pub(crate) use reply::IntoReply;
pub use reply::{Reply, answer_json};
pub(crate) use table::VERBS;
pub use table::VerbId;

/// The parameter by which `learn` becomes `learn_messages`, and the one that it takes the place of.
const MESSAGES: &str = "messages";
const CONTENT: &str = "content";

/// Verbs that look for something, with the parameter that holds the question.
const QUESTIONS: [(VerbId, &str); 4] = [
    (VerbId::Recall, "query"),
    (VerbId::Why, "query"),
    (VerbId::RetrieveMemories, "query"),
    (VerbId::GenerateInsights, "task"),
];

/// Checks that the question of a caller is not empty.
///
/// # Errors
/// [`Error::EmptyQuestion`]
pub fn check_question(verb: &Verb, arguments: &Map<String, Value>) -> Result<()> {
    let asked = QUESTIONS.iter().find(|(id, _)| *id == verb.id).and_then(|(_, name)| arguments.get(*name));
    let is_empty = asked.and_then(Value::as_str).is_some_and(|question| question.trim().is_empty());
    if is_empty { Err(Error::EmptyQuestion) } else { Ok(()) }
}

impl<S: Store> Memory<S> {
    /// Describes all verbs, or one of them. See [`Guide`]. [`catalog::guide`](crate::catalog::guide) does it without a
    /// memory.
    pub fn guide(&self, request: impl Into<Guide>) -> String {
        guide(request.into().method_name.as_deref())
    }

    /// Calls a verb by its name, with arguments as a JSON object. For a server or a script; Rust code has a method for each
    /// verb.
    ///
    /// # Errors
    /// A name that no verb has, arguments that it does not take, and the errors of the verb itself.
    ///
    /// ```
    /// # use elfmem_engine::{Memory, Options};
    /// # use elfmem_store_sqlite::SqliteStore;
    /// # let memory = Memory::open(SqliteStore::in_memory(elfmem_core::Timestamp::UNIX_EPOCH)?, Options::default());
    /// let arguments = serde_json::json!({"content": "Maria is allergic to peanuts", "tags": ["people/maria"]});
    /// let reply = memory.invoke("learn", arguments.as_object().unwrap())?;
    /// assert_eq!(reply.json["status"], "created");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn invoke(&self, name: &str, arguments: &Map<String, Value>) -> Result<Reply> {
        let mut verb = find(name).ok_or_else(|| Error::UnknownVerb { name: name.to_owned() })?;
        // `learn` takes messages instead of a content.
        let mut arguments = Cow::Borrowed(arguments);
        if verb.id == VerbId::Learn && arguments.contains_key(MESSAGES) {
            // Null is the same as not given.
            arguments.to_mut().retain(|name, value| !value.is_null() || ![CONTENT, MESSAGES].contains(&name.as_str()));
            if arguments.contains_key(MESSAGES) {
                verb = LearnMessages::VERB;
                if arguments.contains_key(CONTENT) {
                    let problem = format!("'{CONTENT}' and '{MESSAGES}' are both given: give one of them");
                    return Err(Error::BadArgument { verb, problem });
                }
            }
        }
        check_question(verb, &arguments)?;
        self.answer_verb(verb.id, &arguments)
    }
}
