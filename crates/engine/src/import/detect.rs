//! Detects the format of a file by its contents.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{ImportFormat, from_json};
use crate::transfer::TransferError;

/// The fields that distinguish the formats. All others are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FormatMarkers {
    #[serde(rename = "type")]
    kind: Option<serde_json::Value>,
    format: Option<IgnoredAny>,
    mapping: Option<IgnoredAny>,
    chat_messages: Option<IgnoredAny>,
    memory: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
    memories: Option<IgnoredAny>,
    entities: Option<IgnoredAny>,
    blocks: Option<IgnoredAny>,
    version: Option<IgnoredAny>,
}

impl FormatMarkers {
    fn format(&self) -> Option<ImportFormat> {
        match self.kind.as_ref().and_then(|kind| kind.as_str()) {
            Some("header") if self.format.is_some() => return Some(ImportFormat::Elfmem),
            Some("entity" | "relation") => return Some(ImportFormat::McpMemory),
            _ => {}
        }
        if self.mapping.is_some() {
            Some(ImportFormat::Chatgpt)
        } else if self.chat_messages.is_some() {
            Some(ImportFormat::Claude)
        } else if self.entities.is_some() {
            Some(ImportFormat::McpMemory)
        } else if self.blocks.is_some() && self.version.is_some() {
            Some(ImportFormat::PythonBundle)
        } else if self.memory.is_some() || self.results.is_some() || self.memories.is_some() {
            Some(ImportFormat::Mem0)
        } else {
            None
        }
    }
}

/// Detects the format of a text file.
pub(super) fn detect_format(name: &str, text: &str) -> Result<ImportFormat, TransferError> {
    let start = text.trim_start();
    let first_line = start.lines().next().unwrap_or_default();
    let found = match start.chars().next() {
        // JSON lines are detected by the first line. The parser reports errors in later lines.
        Some('{') => match serde_json::from_str::<FormatMarkers>(first_line) {
            Ok(markers) => markers.format(),
            Err(_) => from_json::<FormatMarkers>(text)?.format(),
        },
        Some('[') => from_json::<Vec<FormatMarkers>>(text)?.first().and_then(FormatMarkers::format),
        _ => None,
    };
    let lowercase = name.to_lowercase();
    let is_markdown = [".md", ".markdown", ".txt"].iter().any(|ending| lowercase.ends_with(ending));
    match found {
        Some(format) => Ok(format),
        None if is_markdown || first_line.trim_end() == "---" => Ok(ImportFormat::Markdown),
        None => Err(TransferError::UnknownFormat),
    }
}
