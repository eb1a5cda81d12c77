//! Errors of commands on memory files. The messages are those that the memory tool documents.

use crate::ErrorKind;

/// A command on a memory file failed. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum FileError {
    /// The path is outside of `/memories`, or is no path.
    BadPath {
        /// The path.
        path: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// `view`, `str_replace`: there is no such file or folder.
    NoSuchPath {
        /// The path.
        path: String,
    },
    /// `insert`, `delete`, `rename`: there is no such file or folder.
    Missing {
        /// The path.
        path: String,
    },
    /// `create`: the path is taken.
    Exists {
        /// The path.
        path: String,
    },
    /// A file stands where a folder is needed.
    NotAFolder {
        /// The path of the file.
        path: String,
    },
    /// `rename`: the new path is taken.
    DestinationExists {
        /// The new path.
        path: String,
    },
    /// `rename`: the new path is inside of the old one.
    IntoItself {
        /// The old path.
        path: String,
    },
    /// `delete`, `rename`: the folder of all files cannot go.
    Root,
    /// `str_replace`: the text does not occur.
    NoMatch {
        /// The path.
        path: String,
        /// The text.
        old: String,
    },
    /// `str_replace`: the text occurs more than once.
    ManyMatches {
        /// The text.
        old: String,
        /// The numbers of the lines where it begins.
        lines: Vec<usize>,
    },
    /// `insert`: the file has no such line.
    BadLine {
        /// The line.
        line: i64,
        /// The number of lines.
        lines: usize,
    },
    /// A file would be too long.
    TooLong {
        /// The path.
        path: String,
        /// The length in bytes.
        bytes: usize,
        /// The longest length in bytes.
        limit: usize,
    },
    /// A file has too many lines to show.
    TooManyLines {
        /// The path.
        path: String,
    },
}

impl FileError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoSuchPath { .. } | Self::Missing { .. } => ErrorKind::NotFound,
            Self::Exists { .. } | Self::DestinationExists { .. } | Self::NotAFolder { .. } => ErrorKind::Conflict,
            _ => ErrorKind::Input,
        }
    }

    /// Returns what happened.
    pub fn message(&self) -> String {
        match self {
            Self::BadPath { path, problem } => format!("Error: The path {path} {problem}"),
            Self::NoSuchPath { path } => format!("The path {path} does not exist. Please provide a valid path."),
            Self::Missing { path } => format!("Error: The path {path} does not exist"),
            Self::Exists { path } => format!("Error: File {path} already exists"),
            Self::NotAFolder { path } => format!("Error: The path {path} is a file, not a directory"),
            Self::DestinationExists { path } => format!("Error: The destination {path} already exists"),
            Self::IntoItself { path } => format!("Error: {path} cannot be moved into itself"),
            Self::Root => "Error: The /memories directory itself cannot be deleted or renamed".to_owned(),
            Self::NoMatch { path, old } => {
                format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
            }
            Self::ManyMatches { old, lines } => {
                let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                format!(
                    "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is unique",
                    lines.join(", ")
                )
            }
            Self::BadLine { line, lines } => format!(
                "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {lines}]"
            ),
            Self::TooLong { path, bytes, limit } => {
                format!("Error: The file {path} would have {bytes} bytes; at most {limit} are possible")
            }
            Self::TooManyLines { path } => format!("File {path} exceeds maximum line limit of 999,999 lines."),
        }
    }

    /// Returns what to do next.
    pub fn recovery(&self) -> String {
        match self {
            Self::BadPath { .. } => "Use a path below /memories, such as /memories/notes.md.",
            Self::NoSuchPath { .. } | Self::Missing { .. } => "View /memories to see what there is.",
            Self::Exists { .. } => "Change the file with str_replace or insert, or choose another path.",
            Self::NotAFolder { .. } | Self::DestinationExists { .. } | Self::IntoItself { .. } | Self::Root => {
                "Choose another path."
            }
            Self::NoMatch { .. } => "View the file and give the text exactly as it is.",
            Self::ManyMatches { .. } => "Give more of the text around the place that is meant.",
            Self::BadLine { .. } => "View the file and give the number of a line.",
            Self::TooLong { .. } | Self::TooManyLines { .. } => "Divide it into several files.",
        }
        .to_owned()
    }
}
