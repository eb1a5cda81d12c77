//! Sessions: periods of activity.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::time::{ActiveHours, Timestamp};

/// The id of a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(SmolStr);

impl SessionId {
    /// Creates an id of sixteen hex digits from a random number.
    pub fn from_random(number: u64) -> Self {
        Self(SmolStr::new(format!("{number:016x}")))
    }

    /// Creates an id from its stored form.
    pub fn from_stored(text: &str) -> Self {
        Self(SmolStr::new(text))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a session was opened and how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionKind {
    /// Opened implicitly by an operation; lasts while operations follow each other closely.
    Automatic,
    /// Held by a running program. If the program dies, the session ends at its last operation.
    Held,
    /// Opened and closed by separate commands.
    Detached,
}

impl SessionKind {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Held => "held",
            Self::Detached => "detached",
        }
    }

    /// Parses a stored name. Sessions of older databases were always held.
    pub fn from_name(name: &str) -> Self {
        match name {
            "automatic" => Self::Automatic,
            "detached" => Self::Detached,
            _ => Self::Held,
        }
    }
}

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The id.
    pub id: SessionId,
    /// The kind of work, as given by the caller.
    pub task_type: String,
    /// How the session was opened.
    pub kind: SessionKind,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended. `None` while it is open.
    pub ended_at: Option<Timestamp>,
    /// Active hours at its start.
    pub start_active_hours: ActiveHours,
    /// Time of its last operation.
    pub last_seen_at: Timestamp,
}
