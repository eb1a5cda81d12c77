//! `ls --documents`.

use std::fmt::Write;

use elfmem_core::time;
use elfmem_engine::{Clock, DocumentDetails, ListDocuments, Memory, SystemClock};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::phrase::{counted, one_line};
use elfmem_text::terms::escape_hidden;
use serde_json::json;

use crate::args::VerbInput;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, HANG, NAME, NOTE};

pub(super) fn list(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let documents = memory.documents(input.request::<ListDocuments>()?)?;
    let mut text = String::new();
    for document in &documents {
        let _ = writeln!(text, "{}", line(document));
    }
    if documents.is_empty() {
        text = "No document is stored under a name. Store one with: elfmem learn-document FILE".to_owned();
    }
    Ok(Output::new(text, &json!({"count": documents.len(), "documents": documents})))
}

fn line(document: &DocumentDetails) -> String {
    let DocumentDetails { name, source, peer, trusted, chunks, updated_at, scope, .. } = document;
    let (name, blocks) = (one_line(&escape_hidden(name)), counted(*chunks as u64, "block"));
    let age = time::age_in_words(*updated_at, SystemClock.now());
    let mut line = format!("{NAME}{name}{NAME:#}  {HANG}{blocks}, {DIM}{age}, from {}", one_line(source));
    if let Some(peer) = peer {
        let _ = write!(line, ", peer {}", one_line(peer));
    }
    if scope.as_str() != "default" {
        let _ = write!(line, ", scope {scope}");
    }
    let _ = write!(line, "{DIM:#}");
    if !trusted {
        let _ = write!(line, " {NOTE}(not trusted){NOTE:#}");
    }
    line
}
