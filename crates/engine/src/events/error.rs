//! Why an event, a context or a link was refused.

use elfmem_core::event::{ContextError, EventSource};
use elfmem_core::{BlockId, LinkType};

use crate::ErrorKind;

/// Why nothing was told, linked or found. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.message())]
pub enum EventError {
    /// The event cannot be stored as it is.
    Faults {
        /// Everything that is wrong with it.
        faults: Vec<String>,
    },
    /// One event of several cannot be stored, and all were wanted or none.
    InTransaction {
        /// Which one, from 0.
        index: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The context holds one memory, and it is another.
    Held {
        /// Which context.
        context: String,
        /// What it holds.
        block_id: BlockId,
        /// The text of that.
        content: String,
        /// Who told it.
        said_by: String,
        /// How much it is believed.
        confidence: f64,
    },
    /// An event with that key is on record and says something else.
    OtherEvent {
        /// The key.
        key: String,
    },
    /// There is no such context.
    UnknownContext {
        /// What was asked for.
        id: String,
    },
    /// The text is no context.
    BadContext(ContextError),
    /// No link type has that name.
    UnknownLinkType {
        /// What was asked for.
        name: String,
    },
    /// No source has that name.
    UnknownSource {
        /// What was asked for.
        name: String,
    },
    /// Something cannot be linked with itself.
    SelfLink {
        /// What it is.
        id: String,
    },
    /// The link was stated in a scope that is only seen from here.
    OtherScope {
        /// The link in words.
        link: String,
    },
    /// Nothing is ready to graduate as asked.
    NotReady {
        /// Why.
        problem: String,
    },
}

impl EventError {
    /// The class of the error.
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

    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::Faults { faults } => format!("The event cannot be stored: {}.", faults.join("; ")),
            Self::InTransaction { index, problem } => {
                format!("None of the events was stored, because of number {index}: {problem}")
            }
            Self::Held { context, block_id, .. } => {
                format!("The context '{context}' holds another memory already: block {}.", block_id.short())
            }
            Self::OtherEvent { key } => format!("An event with the key '{key}' is on record and says something else."),
            Self::UnknownContext { id } => format!("There is no context '{id}'."),
            Self::BadContext(error) => format!("{error}."),
            Self::UnknownLinkType { name } => format!("There is no link type '{name}'."),
            Self::UnknownSource { name } => format!("There is no source '{name}'."),
            Self::SelfLink { id } => format!("'{id}' cannot be linked with itself."),
            Self::OtherScope { link } => format!("The link {link} was stated in another scope."),
            Self::NotReady { problem } => format!("Nothing graduates: {problem}."),
        }
    }

    /// What to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::Faults { .. } => "Put right what is named and send it again; nothing was changed.".to_owned(),
            Self::InTransaction { .. } => {
                "Put that one right and send all of them again, or send them as a batch, which keeps what works."
                    .to_owned()
            }
            Self::Held { .. } => {
                "Send it with replace to let it take that one's place, or tell it in another context.".to_owned()
            }
            Self::OtherEvent { .. } => "Give the new event another key.".to_owned(),
            Self::UnknownContext { .. } => {
                "List the contexts with list_contexts; tell something in it to make it.".to_owned()
            }
            Self::BadContext(_) => "Name it type:name, such as skill:react.".to_owned(),
            Self::UnknownLinkType { .. } => {
                let names: Vec<&str> = LinkType::ALL.iter().map(|link| link.as_str()).collect();
                format!("Use one of {}.", names.join(", "))
            }
            Self::UnknownSource { .. } => {
                let names: Vec<&str> = EventSource::all().map(EventSource::as_str).collect();
                format!("Use one of {}.", names.join(", "))
            }
            Self::SelfLink { .. } => "Name two different ends; nothing was changed.".to_owned(),
            Self::OtherScope { .. } => "Take it back where it was stated.".to_owned(),
            Self::NotReady { .. } => {
                "graduate with dry_run tells what would; chain shows what stands behind a block.".to_owned()
            }
        }
    }
}
