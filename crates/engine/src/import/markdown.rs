//! Markdown files: those we wrote, one block each, and anybody's notes, as documents.

use std::collections::HashMap;

use elfmem_core::{BlockStatus, SessionId, Timestamp};
use elfmem_text::document::{DEFAULT_CHUNK_WORDS, split_document};
use serde_json::Value;

use super::front_matter::{Fields, split, text, texts};
use super::labels::category;
use super::times::time_of;
use super::{Join, Piece, TextFile, TextSet};
use crate::learn::{Learn, MAX_CONTENT_BYTES};
use crate::transfer::TransferError;

/// The longest document.
const LONGEST_FILE: usize = 32 * 1024 * 1024;

pub(super) fn parse(files: &[TextFile]) -> Result<TextSet, TransferError> {
    let mut reading = Reading::default();
    for file in files {
        if file.text.len() > LONGEST_FILE {
            return Err(TransferError::damaged(&file.name, format!("it is longer than {LONGEST_FILE} bytes")));
        }
        let (fields, body) = split(&file.text);
        match fields {
            Some(fields) if text(&fields, "elfmem") == Some("block") => reading.block(file, &fields, body)?,
            fields => reading.document(file, &fields.unwrap_or_default(), body),
        }
    }
    Ok(reading.finish())
}

#[derive(Default)]
struct Reading {
    set: TextSet,
    /// Pieces by the id their file gives.
    ids: HashMap<String, usize>,
    /// Edges by the piece they start from; the other end may come in a later file.
    edges: Vec<(usize, Value)>,
}

impl Reading {
    /// A file that we wrote: its body is one block.
    fn block(&mut self, file: &TextFile, fields: &Fields, body: &str) -> Result<(), TransferError> {
        if text(fields, "status") == Some(BlockStatus::Archived.as_str()) {
            self.set.leave_out("it was archived when it was exported", &file.name);
            return Ok(());
        }
        let mut learn = Self::labelled(fields, body.trim(), "markdown");
        learn.cues.extend(text(fields, "cue").map(str::to_owned));
        let mut untagged = learn.clone();
        untagged.labels.tags.clear();
        if let Err(error) = untagged.check() {
            return Err(TransferError::damaged(&file.name, error.message().trim_end_matches('.')));
        }
        let at = self.set.pieces.len();
        if let Some(id) = text(fields, "id") {
            self.ids.insert(id.to_owned(), at);
        }
        if let Some(Value::Array(edges)) = fields.get("edges") {
            self.edges.extend(edges.iter().map(|edge| (at, edge.clone())));
        }
        self.set.pieces.push(Piece { place: file.name.clone(), learn, created_at: created(fields), session: None });
        Ok(())
    }

    /// Anybody's file: cut along its structure, the pieces in a row.
    fn document(&mut self, file: &TextFile, fields: &Fields, body: &str) {
        let first = self.set.pieces.len();
        let session = SessionId::from_stored(&format!("file:{}", file.name.chars().take(128).collect::<String>()));
        let template = Self::labelled(fields, "", "document");
        let title = text(fields, "title").map(|title| format!("# {}\n\n", title.trim())).unwrap_or_default();
        for part in split_document(&format!("{title}{body}"), DEFAULT_CHUNK_WORDS, MAX_CONTENT_BYTES) {
            self.set.pieces.push(Piece {
                place: file.name.clone(),
                learn: Learn { content: part, ..template.clone() },
                created_at: created(fields),
                session: Some(session.clone()),
            });
        }
        self.set.joins.extend((first + 1..self.set.pieces.len()).map(|at| Join::next(at - 1, at)));
        if self.set.pieces.len() == first {
            self.set.leave_out("the file holds no text", &file.name);
        }
    }

    /// A text with the labels of its file.
    fn labelled(fields: &Fields, content: &str, source: &str) -> Learn {
        let tags = texts(fields, "tags").into_iter();
        let tags = tags.map(|tag| tag.trim_start_matches('#').to_owned()).filter(|tag| !tag.is_empty());
        let mut learn = Learn::new(content).tags(tags).source(source);
        if let Some(category) = text(fields, "category").and_then(category) {
            learn = learn.category(category);
        }
        match fields.get("event_at").or_else(|| fields.get("date")).and_then(time_of) {
            Some(at) => learn.event_at(at),
            None => learn,
        }
    }

    fn finish(mut self) -> TextSet {
        for (from, edge) in &self.edges {
            let field = |name: &str| edge.get(name).and_then(Value::as_str);
            // What leads to a block that is not in the folder leads nowhere.
            let Some(to) = field("to").and_then(|id| self.ids.get(id)) else { continue };
            self.set.joins.push(Join {
                from: *from,
                to: *to,
                relation: field("relation").unwrap_or("similar").to_owned(),
                weight: edge.get("weight").and_then(Value::as_f64),
                note: field("note").map(str::to_owned),
                neighbours: false,
            });
        }
        self.set
    }
}

/// When it was stored, or when its file says it was written.
fn created(fields: &Fields) -> Option<Timestamp> {
    ["created", "created_at"].iter().find_map(|name| fields.get(*name)).and_then(time_of)
}
