//! Writes a block as a Markdown file with front matter.

use std::fmt::Write;

use elfmem_core::{Block, BlockId, Edge, time};
use elfmem_text::terms::{escape_hidden_in_json, strip_hidden};

use crate::render::UNTRUSTED_MARK;

/// Maximum number of characters of the text in the file name.
const SLUG_LENGTH: usize = 40;

/// Returns the relative path of a block's file: a folder by status, then the first words and the
/// id.
pub(super) fn path_of(block: &Block) -> String {
    let mut slug = String::new();
    for c in block.content.chars() {
        if slug.chars().count() >= SLUG_LENGTH {
            break;
        }
        match c {
            c if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    // Ids from older databases may contain any printable character.
    let id: String = block.id.as_str().chars().filter(char::is_ascii_alphanumeric).collect();
    let slug = slug.trim_matches('-');
    let separator = if slug.is_empty() { "" } else { "-" };
    format!("{}/{slug}{separator}{id}.md", block.status)
}

/// Renders the file. Values are JSON, which is valid YAML, so that no value can end the front
/// matter. The text of a block that is not trusted is quoted and marked. Hidden characters are left out.
pub(super) fn render(block: &Block, edges: &[Edge], trusted: bool) -> String {
    let mut text = String::from("---\nelfmem: block\n");
    let mut field = |name: &str, value: serde_json::Value| {
        let _ = writeln!(text, "{name}: {}", escape_hidden_in_json(&value.to_string()));
    };
    field("id", block.id.as_str().into());
    field("status", block.status.as_str().into());
    field("category", block.category.as_str().into());
    if !block.tags.is_empty() {
        field("tags", block.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>().into());
    }
    if let Some(cue) = &block.cue {
        field("cue", cue.as_str().into());
    }
    field("source", block.source.as_str().into());
    if !trusted {
        field("trusted", false.into());
    }
    field("created", time::to_iso(block.created_at).into());
    if let Some(at) = block.event_at {
        field("event_at", time::to_iso(at).into());
    }
    field("confidence", block.confidence.get().into());
    field("evidence", block.outcome_evidence.get().into());
    field("uses", block.reinforcement_count.into());
    if block.pinned {
        field("pinned", true.into());
    }
    if let Some(successor) = &block.superseded_by {
        field("superseded_by", successor.as_str().into());
    }
    if !edges.is_empty() {
        text.push_str("edges:\n");
        for edge in edges {
            let _ = writeln!(text, "  - {}", escape_hidden_in_json(&edge_json(&block.id, edge).to_string()));
        }
    }
    text.push_str("---\n\n");
    let content = strip_hidden(&block.content);
    text.push_str(&if trusted { content } else { quoted(&content).into() });
    text.push('\n');
    text
}

/// What each line of a quoted text begins with.
const QUOTE: &str = "> ";

/// Returns a text as a quotation with the mark of texts that are not trusted.
fn quoted(text: &str) -> String {
    let lines = text.split('\n').map(|line| format!("{QUOTE}{line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n").replacen(QUOTE, &format!("{QUOTE}{UNTRUSTED_MARK}"), 1)
}

/// Returns the text that was quoted and marked.
pub(crate) fn unquoted(text: &str) -> String {
    let line = |line: &str| {
        line.strip_prefix(QUOTE).or_else(|| line.strip_prefix(QUOTE.trim_end())).unwrap_or(line).to_owned()
    };
    let text = text.split('\n').map(line).collect::<Vec<_>>().join("\n");
    text.strip_prefix(UNTRUSTED_MARK).map(str::to_owned).unwrap_or(text)
}

fn edge_json(from: &BlockId, edge: &Edge) -> serde_json::Value {
    let mut json = serde_json::json!({
        "to": edge.key.other(from).as_str(),
        "relation": edge.relation_type.as_str(),
        "weight": edge.weight.get(),
    });
    if let Some(note) = &edge.note {
        json["note"] = note.as_str().into();
    }
    json
}
