//! Where a value came from.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// The layers, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// What comes with elfmem.
    Default,
    /// The user's own file.
    User,
    /// The project's file, or the project's folder itself.
    Project,
    /// An environment variable.
    Environment,
    /// A flag of this very command.
    Flag,
}

impl Layer {
    /// The lowercase name that is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Project => "project",
            Self::Environment => "environment",
            Self::Flag => "flag",
        }
    }
}

/// The very place a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "layer", rename_all = "snake_case")]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// A line of the user's file.
    User {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
    /// A line of the project's file.
    Project {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
    /// The project's folder: that it is there says where the memory is.
    #[serde(rename = "project")]
    ProjectFolder {
        /// Which folder.
        folder: PathBuf,
    },
    /// An environment variable.
    Environment {
        /// Which one.
        variable: String,
    },
    /// A flag.
    Flag {
        /// Which one.
        flag: String,
    },
}

impl Origin {
    /// Which layer it belongs to.
    pub fn layer(&self) -> Layer {
        match self {
            Self::Default => Layer::Default,
            Self::User { .. } => Layer::User,
            Self::Project { .. } | Self::ProjectFolder { .. } => Layer::Project,
            Self::Environment { .. } => Layer::Environment,
            Self::Flag { .. } => Layer::Flag,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User { file, line } | Self::Project { file, line } => write!(f, "{}, line {line}", file.display()),
            Self::ProjectFolder { folder } => write!(f, "the folder {}", folder.display()),
            Self::Environment { variable } => f.write_str(variable),
            Self::Flag { flag } => f.write_str(flag),
        }
    }
}
