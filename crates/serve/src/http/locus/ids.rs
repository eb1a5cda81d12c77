//! Names as these routes write them.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, DecayTier, LinkEnd};
use elfmem_engine::GraphNode;
use serde_json::{Value, json};

/// The locus that a block is.
pub(super) fn locus(id: &BlockId) -> String {
    format!("L{id}")
}

/// The block that a locus is; what is none is left for the engine to refuse.
pub(super) fn block(locus: &str) -> &str {
    locus.strip_prefix("locus_").or_else(|| locus.strip_prefix('L')).unwrap_or(locus)
}

/// One end of a link: a context by its id, a block as a locus.
pub(super) fn end(end: &LinkEnd) -> String {
    match end {
        LinkEnd::Block(id) => locus(id),
        LinkEnd::Context(id) => id.to_string(),
    }
}

pub(super) fn node(node: &GraphNode) -> Value {
    let GraphNode { context_id, context_type, context_name, reference_count, .. } = node;
    json!({
        "context_id": context_id,
        "context_type": context_type,
        "context_name": context_name,
        "reference_count": reference_count,
    })
}

/// A context of which only the id is known.
pub(super) fn bare_node(id: &ContextId) -> Value {
    json!({"context_id": id, "context_type": id.kind(), "context_name": id.name()})
}

/// How long a memory survives.
pub(super) fn value(tier: DecayTier) -> &'static str {
    match tier {
        DecayTier::Permanent => "permanent",
        DecayTier::Durable => "high",
        DecayTier::Standard => "medium",
        DecayTier::Ephemeral => "low",
    }
}
