//! Sessions: stretches of work.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::time::{ActiveHours, Timestamp};

/// Names one session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(SmolStr);

impl SessionId {
    /// Sixteen hex digits from a number that the caller drew.
    pub fn from_random(number: u64) -> Self {
        Self(SmolStr::new(format!("{number:016x}")))
    }

    /// Takes an id as a store holds it.
    pub fn from_stored(text: &str) -> Self {
        Self(SmolStr::new(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who opened a session, and so who keeps it alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionKind {
    /// Nobody asked for it: it began with a use and lasts while uses follow each other closely.
    Automatic,
    /// A running program holds it. When the program dies, so does the session, at its last sign of life.
    Held,
    /// Opened and closed by separate commands; it lasts until it is ended.
    Detached,
}

impl SessionKind {
    /// The lowercase name that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Held => "held",
            Self::Detached => "detached",
        }
    }

    /// Reads a stored name; what older databases hold was always held by a program.
    pub fn from_name(name: &str) -> Self {
        match name {
            "automatic" => Self::Automatic,
            "detached" => Self::Detached,
            _ => Self::Held,
        }
    }
}

/// One stretch of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Its name.
    pub id: SessionId,
    /// What the work was, in the opener's words.
    pub task_type: String,
    /// Who opened it.
    pub kind: SessionKind,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; none while it is open.
    pub ended_at: Option<Timestamp>,
    /// What the active clock read when it began.
    pub start_active_hours: ActiveHours,
    /// The last operation in it.
    pub last_seen_at: Timestamp,
}
