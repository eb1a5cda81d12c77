//! Writes a block as a Markdown file with front matter.

use std::fmt::Write;

use elfmem_core::{Block, BlockId, Edge, time};

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
/// matter.
pub(super) fn render(block: &Block, edges: &[Edge]) -> String {
    let mut text = String::from("---\nelfmem: block\n");
    let mut field = |name: &str, value: serde_json::Value| {
        let _ = writeln!(text, "{name}: {value}");
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
            let _ = writeln!(text, "  - {}", edge_json(&block.id, edge));
        }
    }
    text.push_str("---\n\n");
    text.push_str(&block.content);
    text.push('\n');
    text
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
