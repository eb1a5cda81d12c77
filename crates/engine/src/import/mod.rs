//! What files of this and other programs hold, as plain values.
//!
//! Each form has a parser of its own: text in, values out, no I/O and no memory to write to. [`crate::transfer`] decides
//! what becomes of the values. A part that cannot be read fails the whole file and names its place; what can be read and not be
//! used is left out and counted.

mod bundle;
mod chatgpt;
mod check;
mod claude;
mod conversation;
mod detect;
mod front_matter;
mod jsonl;
mod knowledge_graph;
mod labels;
mod markdown;
mod mem0;
#[cfg(test)]
mod tests;
mod times;

use elfmem_core::{ActiveHours, SessionId, Timestamp};
use elfmem_store::Row;
use serde::Serialize;

use crate::learn::Learn;
use crate::transfer::TransferError;
pub(crate) use check::check_row;
pub(crate) use labels::Labels;

/// The most rows, texts or messages of one import.
pub(crate) const MOST_ENTRIES: usize = 1_000_000;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// An export of this elfmem.
    Elfmem,
    /// A database of this elfmem.
    Database,
    /// A database of the Python elfmem.
    Python,
    /// A bundle that the Python elfmem exchanges with peers.
    PythonBundle,
    /// What the official MCP memory server keeps: entities and relations.
    McpMemory,
    /// What mem0 exports.
    Mem0,
    /// Markdown files.
    Markdown,
    /// Conversations exported from ChatGPT.
    Chatgpt,
    /// Conversations exported from Claude.
    Claude,
}

impl Format {
    /// Every form.
    pub const ALL: [Self; 9] = [
        Self::Elfmem,
        Self::Database,
        Self::Python,
        Self::PythonBundle,
        Self::McpMemory,
        Self::Mem0,
        Self::Markdown,
        Self::Chatgpt,
        Self::Claude,
    ];

    /// The names of all forms.
    pub const NAMES: [&'static str; 9] =
        ["elfmem", "database", "python", "python-bundle", "mcp-memory", "mem0", "markdown", "chatgpt", "claude"];

    /// The name that is typed and shown.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Reads a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// What it is, in words.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Elfmem => "an export of elfmem",
            Self::Database => "a memory of elfmem",
            Self::Python => "a database of the Python elfmem",
            Self::PythonBundle => "a bundle of the Python elfmem",
            Self::McpMemory => "a knowledge graph of the MCP memory server",
            Self::Mem0 => "an export of mem0",
            Self::Markdown => "Markdown",
            Self::Chatgpt => "conversations of ChatGPT",
            Self::Claude => "conversations of Claude",
        }
    }
}

/// A text file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Its name below the folder.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// What a file holds, read and checked, on its way into a memory.
#[derive(Debug, Clone)]
pub struct Arrivals {
    pub(crate) format: Format,
    pub(crate) contents: Contents,
}

/// Whole rows, or texts to be learned.
#[derive(Debug, Clone)]
pub(crate) enum Contents {
    /// From a memory: with everything that was known.
    Rows(RowSet),
    /// From elsewhere.
    Texts(TextSet),
}

/// Rows of another memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowSet {
    /// With the place each stands at.
    pub(crate) rows: Vec<(String, Row)>,
    /// What the clock of use read there; none when nothing in the rows counts by it.
    pub(crate) clock: Option<ActiveHours>,
    /// Whether what it says about the self is the memory's own.
    pub(crate) trusted: bool,
    /// What was left out: why, and where it stood.
    pub(crate) left_out: Vec<(String, String)>,
}

/// Texts of another program.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextSet {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) joins: Vec<Join>,
    /// What was left out: why, and where it stood.
    pub(crate) left_out: Vec<(String, String)>,
}

/// One text to be learned.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// Where it stands.
    pub(crate) place: String,
    /// What to learn, its tags as they were given.
    pub(crate) learn: Learn,
    /// When it was stored there.
    pub(crate) created_at: Option<Timestamp>,
    /// What belongs together keeps its order under one name.
    pub(crate) session: Option<SessionId>,
}

/// Two pieces that belong together, by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Join {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) relation: String,
    pub(crate) weight: Option<f64>,
    pub(crate) note: Option<String>,
    /// Whether they are neighbours in a document.
    pub(crate) neighbours: bool,
}

impl Join {
    /// Two pieces that follow each other.
    pub(crate) fn next(from: usize, to: usize) -> Self {
        Self { from, to, relation: "follows".to_owned(), weight: None, note: None, neighbours: true }
    }
}

impl TextSet {
    pub(crate) fn leave_out(&mut self, reason: impl Into<String>, place: impl Into<String>) {
        self.left_out.push((reason.into(), place.into()));
    }
}

impl Arrivals {
    /// Reads a text file. Where its form is not said, it is recognised by what is in it; a plain text is read as Markdown only
    /// if that is said or its `name` ends so.
    ///
    /// # Errors
    /// A part that cannot be read, named by its place; a form that is not known or newer than this elfmem.
    pub fn read(name: &str, text: &str, format: Option<Format>) -> Result<Self, TransferError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let format = match format {
            Some(format) => format,
            None => detect::format_of(name, text)?,
        };
        let contents = match format {
            Format::Elfmem => Contents::Rows(jsonl::parse(text)?),
            Format::PythonBundle => Contents::Rows(bundle::parse(text)?),
            Format::McpMemory => Contents::Texts(knowledge_graph::parse(text)?),
            Format::Mem0 => Contents::Texts(mem0::parse(text)?),
            Format::Chatgpt => Contents::Texts(chatgpt::parse(text)?),
            Format::Claude => Contents::Texts(claude::parse(text)?),
            Format::Markdown => {
                let file = TextFile { name: name.to_owned(), text: text.to_owned() };
                Contents::Texts(markdown::parse(std::slice::from_ref(&file))?)
            }
            Format::Database | Format::Python => {
                let problem = "it is text and no database".to_owned();
                return Err(TransferError::OtherFormat { asked: format, problem });
            }
        };
        let arrivals = Self { format, contents };
        if arrivals.entries() > MOST_ENTRIES {
            return Err(TransferError::TooMuch { what: "entries", limit: MOST_ENTRIES });
        }
        Ok(arrivals)
    }

    /// Reads the Markdown files of a folder as one.
    ///
    /// # Errors
    /// A file that cannot be read, named.
    pub fn read_folder(files: &[TextFile]) -> Result<Self, TransferError> {
        if files.len() > MOST_ENTRIES {
            return Err(TransferError::TooMuch { what: "files", limit: MOST_ENTRIES });
        }
        Ok(Self { format: Format::Markdown, contents: Contents::Texts(markdown::parse(files)?) })
    }

    /// What the file was read as.
    pub fn format(&self) -> Format {
        self.format
    }

    /// How many rows or texts there are.
    pub fn entries(&self) -> usize {
        match &self.contents {
            Contents::Rows(set) => set.rows.len(),
            Contents::Texts(set) => set.pieces.len(),
        }
    }
}

/// Reads JSON, with the place of what is wrong with it.
fn from_json<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, TransferError> {
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        TransferError::damaged(place, problem_of(&error))
    })
}

/// Reads a list, or one thing that stands for a list of one.
fn one_or_many<T: serde::de::DeserializeOwned>(text: &str) -> Result<Vec<T>, TransferError> {
    if text.trim_start().starts_with('[') { from_json(text) } else { from_json(text).map(|one| vec![one]) }
}

/// What a JSON error says without its place, which is told apart.
fn problem_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
