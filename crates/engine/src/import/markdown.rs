//! Parses Markdown files: exported blocks, one per file, and other notes as documents.

use std::collections::HashMap;

use elfmem_core::{BlockStatus, Timestamp};
use serde_json::Value;

use super::front_matter::{FrontMatter, is_torn, split, tags, text, texts};
use super::labels::category;
use super::notes::Note;
use super::times::parse_date;
use super::{ImportedText, TextEdge, TextFile, TextSet};
use crate::documents::DOCUMENT_SOURCE;
use crate::learn::Learn;
use crate::transfer::{TransferError, unquoted};

/// Maximum size of a file in bytes.
const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;
/// The fields with the time of an event, in their order.
const EVENT_FIELDS: [&str; 2] = ["event_at", "date"];
/// The fields with tags.
const TAG_FIELDS: [&str; 2] = ["tags", "tag"];
/// The fields with the time of writing, in their order.
const CREATION_FIELDS: [&str; 2] = ["created", "created_at"];

pub(super) fn parse(files: &[TextFile]) -> Result<TextSet, TransferError> {
    let mut reader = MarkdownReader::default();
    for file in files {
        if file.text.len() > MAX_FILE_BYTES {
            return Err(TransferError::damaged(&file.name, format!("it is longer than {MAX_FILE_BYTES} bytes")));
        }
        let (fields, body) = split(&file.text);
        for name in EVENT_FIELDS.iter().chain(&CREATION_FIELDS) {
            // An empty field is a list without items.
            let value = fields.as_ref().and_then(|fields| fields.get(*name)).filter(|value| !is_empty(value));
            if value.is_some_and(|value| parse_date(value).is_none()) {
                reader.set.remark(format!("`{name}` is not a date"), &file.name);
            }
        }
        for name in TAG_FIELDS.iter().filter(|name| fields.as_ref().is_some_and(|fields| is_torn(fields, name))) {
            reader.set.remark(format!("the list of `{name}` has no end"), &file.name);
        }
        match fields {
            Some(fields) if text(&fields, "elfmem") == Some("block") => reader.add_block(file, &fields, body)?,
            fields => reader.add_note(file, &fields.unwrap_or_default(), body),
        }
    }
    Ok(reader.finish())
}

/// Collects the texts and edges of several files.
#[derive(Default)]
struct MarkdownReader {
    set: TextSet,
    /// The index of each text by the id in its front matter.
    ids: HashMap<String, usize>,
    /// Edges with the index of their source. The target may be in a later file.
    edges: Vec<(usize, Value)>,
}

impl MarkdownReader {
    /// Adds an exported block: the body is its text.
    fn add_block(&mut self, file: &TextFile, fields: &FrontMatter, body: &str) -> Result<(), TransferError> {
        if text(fields, "status") == Some(BlockStatus::Archived.as_str()) {
            self.set.leave_out("it was archived when it was exported", &file.name);
            return Ok(());
        }
        let is_quoted = fields.get("trusted") == Some(&Value::Bool(false));
        let content = if is_quoted { unquoted(body.trim()) } else { body.trim().to_owned() };
        let mut learn = Self::with_labels(fields, &content, "markdown");
        learn.cues.extend(text(fields, "cue").map(str::to_owned));
        let mut untagged = learn.clone();
        untagged.labels.tags.clear();
        if let Err(error) = untagged.check() {
            return Err(TransferError::damaged(&file.name, error.message().trim_end_matches('.')));
        }
        let at = self.set.texts.len();
        if let Some(id) = text(fields, "id") {
            self.ids.insert(id.to_owned(), at);
        }
        if let Some(Value::Array(edges)) = fields.get("edges") {
            self.edges.extend(edges.iter().map(|edge| (at, edge.clone())));
        }
        self.set.texts.push(ImportedText {
            place: file.name.clone(),
            learn,
            created_at: date(fields, &CREATION_FIELDS),
            session: None,
            item: None,
            part: None,
        });
        Ok(())
    }

    /// Adds any other file as a note.
    fn add_note(&mut self, file: &TextFile, fields: &FrontMatter, body: &str) {
        // A title that the text begins with is not said twice.
        let title = text(fields, "title").map(str::trim).filter(|title| !begins_with_heading(body, title));
        let title = title.map(|title| format!("# {title}\n\n")).unwrap_or_default();
        let content = format!("{title}{body}");
        if content.trim().is_empty() {
            self.set.leave_out("the file has no text", &file.name);
            return;
        }
        let others = text(fields, "title").map(str::to_owned).into_iter().chain(texts(fields, "aliases"));
        self.set.notes.push(Note {
            place: file.name.clone(),
            template: Self::with_labels(fields, "", DOCUMENT_SOURCE),
            text: content,
            created_at: date(fields, &CREATION_FIELDS),
            other_names: others.collect(),
        });
    }

    /// Returns a text with the labels of its front matter.
    fn with_labels(fields: &FrontMatter, content: &str, source: &str) -> Learn {
        let tags = TAG_FIELDS.iter().flat_map(|name| tags(fields, name));
        let mut learn = Learn::new(content).tags(tags).source(source);
        if let Some(category) = text(fields, "category").and_then(category) {
            learn = learn.category(category);
        }
        match date(fields, &EVENT_FIELDS) {
            Some(at) => learn.event_at(at),
            None => learn,
        }
    }

    fn finish(mut self) -> TextSet {
        for (from, edge) in &self.edges {
            let field = |name: &str| edge.get(name).and_then(Value::as_str);
            // An edge to a block outside the folder is ignored.
            let Some(to) = field("to").and_then(|id| self.ids.get(id)) else { continue };
            self.set.edges.push(TextEdge {
                from: *from,
                to: *to,
                relation: field("relation").unwrap_or("similar").to_owned(),
                weight: edge.get("weight").and_then(Value::as_f64),
                note: field("note").map(str::to_owned),
                consecutive: false,
            });
        }
        self.set
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null) || value.as_array().is_some_and(Vec::is_empty)
}

/// Tells whether the first line of a text with anything on it is a heading with a title.
fn begins_with_heading(body: &str, title: &str) -> bool {
    let mut lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let (Some(first), second) = (lines.next(), lines.next()) else { return false };
    let is_underlined = second.is_some_and(|line| line.len() > 2 && line.chars().all(|c| c == '='));
    let heading = match first.strip_prefix("# ") {
        Some(heading) => Some(heading.trim_end_matches('#').trim()),
        None => is_underlined.then_some(first),
    };
    heading.is_some_and(|heading| heading.to_lowercase() == title.to_lowercase())
}

/// Returns the date of the first of the fields that a front matter has.
fn date(fields: &FrontMatter, names: &[&str]) -> Option<Timestamp> {
    names.iter().find_map(|name| fields.get(*name)).and_then(parse_date)
}
