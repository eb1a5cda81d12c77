//! Errors of events, contexts and links.

use elfmem_core::event::{ContextError, EventSource};
use elfmem_core::{BlockId, LinkType};

use crate::ErrorKind;

/// An event, context or link was rejected. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum EventError {
    /// The event is invalid.
    Faults {
        /// All problems of the event.
        faults: Vec<String>,
    },
    /// One event of an atomic batch is invalid.
    InTransaction {
        /// Its index, from 0.
        index: usize,
        /// What is wrong.
        problem: String,
    },
    /// The single-memory context holds another block.
    Held {
        /// The context id.
        context: String,
        /// The block it holds.
        block_id: BlockId,
        /// The text of that block.
        content: String,
        /// The source of that block.
        said_by: String,
        /// The confidence of that block.
        confidence: f64,
    },
    /// A different event with that key is stored.
    OtherEvent {
        /// The key.
        key: String,
    },
    /// There is no such context.
    UnknownContext {
        /// The requested value.
        id: String,
    },
    /// The context id is invalid.
    BadContext(ContextError),
    /// There is no link type with that name.
    UnknownLinkType {
        /// The requested value.
        name: String,
    },
    /// There is no source with that name.
    UnknownSource {
        /// The requested value.
        name: String,
    },
    /// Both ends of a link are the same.
    SelfLink {
        /// The end.
        id: String,
    },
    /// The link belongs to another scope, which is read-only here.
    OtherScope {
        /// A description of the link.
        link: String,
    },
    /// The requested block is not ready to graduate.
    NotReady {
        /// The reason.
        problem: String,
    },
}

impl EventError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownContext { .. } => ErrorKind::NotFound,
            Self::Held { .. } | Self::OtherEvent { .. } | Self::OtherScope { .. } | Self::NotReady { .. } => {
                ErrorKind::Conflict
            }
            Self::Faults { .. }
            | Self::InTransaction { .. }
            | Self::BadContext(_)
            | Self::UnknownLinkType { .. }
            | Self::UnknownSource { .. }
            | Self::SelfLink { .. } => ErrorKind::Input,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::Faults { faults } => format!("Invalid event: {}.", faults.join("; ")),
            Self::InTransaction { index, problem } => {
                format!("No event was stored because event {index} is invalid: {problem}")
            }
            Self::Held { context, block_id, .. } => {
                format!("The context '{context}' holds another memory already: block {}.", block_id.short())
            }
            Self::OtherEvent { key } => format!("A different event with the key '{key}' is already stored."),
            Self::UnknownContext { id } => format!("There is no context '{id}'."),
            Self::BadContext(error) => format!("{error}."),
            Self::UnknownLinkType { name } => format!("There is no link type '{name}'."),
            Self::UnknownSource { name } => format!("There is no source '{name}'."),
            Self::SelfLink { id } => format!("'{id}' cannot be linked with itself."),
            Self::OtherScope { link } => format!("The link {link} belongs to another scope."),
            Self::NotReady { problem } => format!("Nothing is ready to graduate: {problem}."),
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Faults { .. } => "Fix these problems and send it again; nothing was changed.".to_owned(),
            Self::InTransaction { .. } => {
                "Fix that event and send all of them again, or send them as a batch, which stores the valid ones."
                    .to_owned()
            }
            Self::Held { .. } => "Send it with replace to replace that block, or use another context.".to_owned(),
            Self::OtherEvent { .. } => "Give the new event another key.".to_owned(),
            Self::UnknownContext { .. } => {
                "List the contexts with list_contexts; store an event in it to create it.".to_owned()
            }
            Self::BadContext(_) => "Use the form type:name, such as skill:react.".to_owned(),
            Self::UnknownLinkType { .. } => {
                let names: Vec<&str> = LinkType::ALL.iter().map(|link| link.as_str()).collect();
                format!("Use one of {}.", names.join(", "))
            }
            Self::UnknownSource { .. } => {
                let names: Vec<&str> = EventSource::all().map(EventSource::as_str).collect();
                format!("Use one of {}.", names.join(", "))
            }
            Self::SelfLink { .. } => "Name two different ends; nothing was changed.".to_owned(),
            Self::OtherScope { .. } => "Remove it in its own scope.".to_owned(),
            Self::NotReady { .. } => {
                "graduate with dry_run lists what is ready; chain shows the links of a block.".to_owned()
            }
        }
    }
}
