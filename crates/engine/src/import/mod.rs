//! Parsers for the files of elfmem and other programs.
//!
//! Each format has its own parser: a pure function from text to values, without I/O.
//! [`crate::transfer`] stores the values. An invalid part fails the whole file with its location; a
//! valid part that cannot be used is left out and counted.

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
mod notes;
#[cfg(test)]
mod tests;
mod times;
mod wiki_links;

use std::path::Path;

use elfmem_core::{ActiveHours, DocumentPart, SessionId, Timestamp};
use elfmem_store::Row;
use serde::Serialize;

use crate::knowledge_graph::GraphItem;
use crate::learn::Learn;
use crate::transfer::TransferError;
pub(crate) use check::check_row;
pub(crate) use labels::{ImportedTags, slug};
pub(crate) use notes::{CutNote, Note, NotesOrigin, is_stale_reference};

/// What editors of some systems begin a text with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Maximum number of rows, texts or files per import.
pub(crate) const MAX_ENTRIES: usize = 1_000_000;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ImportFormat {
    /// An export of this elfmem.
    Elfmem,
    /// A database of this elfmem.
    Database,
    /// A database of the Python elfmem.
    Python,
    /// A bundle that the Python elfmem exchanges with peers.
    PythonBundle,
    /// The knowledge graph of the official MCP memory server: entities and relations.
    McpMemory,
    /// An export of mem0.
    Mem0,
    /// Markdown files.
    Markdown,
    /// Conversations exported from ChatGPT.
    Chatgpt,
    /// Conversations exported from Claude.
    Claude,
}

impl ImportFormat {
    /// All formats.
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

    /// The names of all formats.
    pub const NAMES: [&'static str; 9] =
        ["elfmem", "database", "python", "python-bundle", "mcp-memory", "mem0", "markdown", "chatgpt", "claude"];

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Parses a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Returns a description for messages.
    pub(crate) fn description(self) -> &'static str {
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
#[non_exhaustive]
pub struct TextFile {
    /// The path relative to the folder.
    pub name: String,
    /// The contents.
    pub text: String,
}

impl TextFile {
    /// Makes a file of its path relative to the folder and its contents, without a byte order mark.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text: String = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Self { name: name.into(), text }
    }
}

/// The parsed and validated contents of a file, ready to import.
#[derive(Debug, Clone)]
pub struct ParsedImport {
    pub(crate) format: ImportFormat,
    pub(crate) contents: ImportContents,
    /// Whether it holds all notes of a folder.
    pub(crate) is_folder: bool,
}

/// The contents of a file by type.
#[derive(Debug, Clone)]
pub(crate) enum ImportContents {
    /// Rows of another memory with all metadata.
    Rows(RowSet),
    /// Texts of another program.
    Texts(TextSet),
}

/// Rows of another memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowSet {
    /// The rows, each with its location in the file.
    pub(crate) rows: Vec<(String, Row)>,
    /// The active hours of the source. `None` if the rows have none.
    pub(crate) clock: Option<ActiveHours>,
    /// Whether reserved labels are accepted.
    pub(crate) trusted: bool,
    /// The entries left out: reason and location.
    pub(crate) left_out: Vec<(String, String)>,
}

/// Texts of another program.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextSet {
    pub(crate) texts: Vec<ImportedText>,
    pub(crate) edges: Vec<TextEdge>,
    /// Notes, which become texts when they are stored.
    pub(crate) notes: Vec<Note>,
    /// Where the notes come from. `None` if they are not known by a name.
    pub(crate) origin: Option<NotesOrigin>,
    /// What could not be used of entries that come in all the same: reason and location.
    pub(crate) remarks: Vec<(String, String)>,
    /// The entries left out: reason and location.
    pub(crate) left_out: Vec<(String, String)>,
}

/// One text to learn.
#[derive(Debug, Clone)]
pub(crate) struct ImportedText {
    /// The location in the file.
    pub(crate) place: String,
    /// The learn request, with unchecked tags.
    pub(crate) learn: Learn,
    /// When the source stored it.
    pub(crate) created_at: Option<Timestamp>,
    /// The session that groups texts of one conversation or document.
    pub(crate) session: Option<SessionId>,
    /// The item of the knowledge graph that the text stands for.
    pub(crate) item: Option<GraphItem>,
    /// Its place in a named document.
    pub(crate) part: Option<DocumentPart>,
}

/// An edge between two texts, by their indexes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextEdge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) relation: String,
    pub(crate) weight: Option<f64>,
    pub(crate) note: Option<String>,
    /// Whether the texts are consecutive in a document.
    pub(crate) consecutive: bool,
}

impl TextEdge {
    /// Creates an edge between consecutive texts.
    pub(crate) fn consecutive(from: usize, to: usize) -> Self {
        Self { from, to, relation: "follows".to_owned(), weight: None, note: None, consecutive: true }
    }
}

impl TextSet {
    pub(crate) fn remark(&mut self, reason: impl Into<String>, place: impl Into<String>) {
        self.remarks.push((reason.into(), place.into()));
    }

    pub(crate) fn leave_out(&mut self, reason: impl Into<String>, place: impl Into<String>) {
        self.left_out.push((reason.into(), place.into()));
    }
}

impl ParsedImport {
    /// Parses a text file. Without `format`, the format is detected from the contents. Plain text is
    /// parsed as Markdown only if `format` or the extension of `name` says so.
    ///
    /// # Errors
    /// An invalid part, with its location; an unknown format, or one of a newer elfmem.
    pub fn read(name: &str, text: &str, format: Option<ImportFormat>) -> Result<Self, TransferError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let format = match format {
            Some(format) => format,
            None => detect::detect_format(name, text)?,
        };
        let contents = match format {
            ImportFormat::Elfmem => ImportContents::Rows(jsonl::parse(text)?),
            ImportFormat::PythonBundle => ImportContents::Rows(bundle::parse(text)?),
            ImportFormat::McpMemory => ImportContents::Texts(knowledge_graph::parse(text)?),
            ImportFormat::Mem0 => ImportContents::Texts(mem0::parse(text)?),
            ImportFormat::Chatgpt => ImportContents::Texts(chatgpt::parse(text)?),
            ImportFormat::Claude => ImportContents::Texts(claude::parse(text)?),
            ImportFormat::Markdown => {
                let file = TextFile::new(name, text);
                ImportContents::Texts(markdown::parse(std::slice::from_ref(&file))?)
            }
            ImportFormat::Database | ImportFormat::Python => {
                let problem = "it is a text file, not a database".to_owned();
                return Err(TransferError::OtherFormat { format, problem });
            }
        };
        let parsed = Self { format, contents, is_folder: false };
        if parsed.entries() > MAX_ENTRIES {
            return Err(TransferError::TooMuch { what: "entries", limit: MAX_ENTRIES });
        }
        Ok(parsed)
    }

    /// Parses the Markdown files of a folder.
    ///
    /// # Errors
    /// An invalid file, with its name.
    pub fn read_folder(files: &[TextFile]) -> Result<Self, TransferError> {
        if files.len() > MAX_ENTRIES {
            return Err(TransferError::TooMuch { what: "files", limit: MAX_ENTRIES });
        }
        let contents = ImportContents::Texts(markdown::parse(files)?);
        Ok(Self { format: ImportFormat::Markdown, contents, is_folder: true })
    }

    /// Names the file or folder that notes come from, by its whole path. Importing it again replaces what changed in it.
    #[must_use]
    pub fn from_path(mut self, path: &Path) -> Self {
        if let (ImportFormat::Markdown, ImportContents::Texts(set)) = (self.format, &mut self.contents) {
            let path = path.to_owned();
            set.origin = Some(match self.is_folder {
                true => NotesOrigin::Folder { path, moved_from: None },
                false => NotesOrigin::File(path),
            });
        }
        self
    }

    /// Names the folder that the notes were in when they were imported before. Its documents become those of the new folder.
    /// Does nothing without [`from_path`](Self::from_path).
    #[must_use]
    pub fn moved_from(mut self, folder: &Path) -> Self {
        if let ImportContents::Texts(TextSet { origin: Some(NotesOrigin::Folder { moved_from, .. }), .. }) =
            &mut self.contents
        {
            *moved_from = Some(folder.to_owned());
        }
        self
    }

    /// Returns the format of the file.
    pub fn format(&self) -> ImportFormat {
        self.format
    }

    /// Returns the number of rows or texts.
    pub fn entries(&self) -> usize {
        match &self.contents {
            ImportContents::Rows(set) => set.rows.len(),
            ImportContents::Texts(set) => set.texts.len() + set.notes.len(),
        }
    }
}

/// Parses JSON. An error contains the line and column.
fn from_json<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, TransferError> {
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        TransferError::damaged(place, message_without_position(&error))
    })
}

/// Parses a list, or a single value as a list of one.
fn one_or_many<T: serde::de::DeserializeOwned>(text: &str) -> Result<Vec<T>, TransferError> {
    if text.trim_start().starts_with('[') { from_json(text) } else { from_json(text).map(|one| vec![one]) }
}

/// Returns the message of a JSON error without line and column.
fn message_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
