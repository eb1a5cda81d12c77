//! Requests: the one definition of each verb.
//!
//! A request type is declared with [`request!`]. The declaration states the verb's names, its card and its parameters; each
//! parameter is one field with its help text. From it come the builder methods of the type, the reading of JSON
//! arguments, and the [`Verb`] that the guide, the command line, the MCP tools, the HTTP API and the reference pages
//! are made from. The reasons are in `docs/decisions/0020-one-definition-per-verb.md`.

mod argument;
mod arguments;
mod define;

use elfmem_core::Timestamp;
use serde_json::{Map, Value};

use crate::Result;
use crate::catalog::Verb;

pub(crate) use argument::{Argument, choice_argument, object_argument};
pub use argument::{is_of_kind, whole_number};
pub(crate) use arguments::VerbArguments;
pub(crate) use define::*;

/// A call of one verb with all its arguments.
pub trait Request: Sized + Clone {
    /// The verb it calls.
    const VERB: &'static Verb;

    /// Reads a request from JSON arguments. Null is the same as not given.
    ///
    /// # Errors
    /// [`Error::BadArgument`](crate::Error::BadArgument), which names every argument that is unknown, missing or of
    /// another kind.
    fn from_json(arguments: &Map<String, Value>, now: Timestamp) -> Result<Self>;
}
