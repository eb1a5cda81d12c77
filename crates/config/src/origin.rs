//! The origin of a value.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// The configuration layers, from lowest to highest priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The built-in defaults.
    Default,
    /// The user's file.
    User,
    /// The project's file or folder.
    Project,
    /// An environment variable.
    Environment,
    /// A command-line flag.
    Flag,
}

impl Layer {
    /// Returns the lowercase name.
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

/// The exact origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "layer", rename_all = "snake_case")]
pub enum ValueOrigin {
    /// The default.
    Default,
    /// A line in the user's file.
    User {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A line in the project's file.
    Project {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The project folder, which contains the memory.
    #[serde(rename = "project")]
    ProjectFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// An environment variable.
    Environment {
        /// The name of the variable.
        variable: String,
    },
    /// A command-line flag.
    Flag {
        /// The flag.
        flag: String,
    },
}

impl ValueOrigin {
    /// Returns the layer.
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

impl fmt::Display for ValueOrigin {
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
