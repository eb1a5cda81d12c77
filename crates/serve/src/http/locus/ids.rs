//! Ids in the format of the locus routes.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, DecayTier, LinkEnd};
use elfmem_engine::GraphNode;
use serde_json::{Value, json};

/// Returns the locus id of a block.
pub(super) fn locus(id: &BlockId) -> String {
    format!("L{id}")
}

/// Returns the block id of a locus id. The engine rejects invalid ids.
pub(super) fn block(locus: &str) -> &str {
    locus.strip_prefix("locus_").or_else(|| locus.strip_prefix('L')).unwrap_or(locus)
}

/// Returns one end of a link: a context id, or the locus id of a block.
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

/// Returns the node of a context without details.
pub(super) fn bare_node(id: &ContextId) -> Value {
    json!({"context_id": id, "context_type": id.kind(), "context_name": id.name()})
}

/// Returns the lifetime of a memory.
pub(super) fn value(tier: DecayTier) -> &'static str {
    match tier {
        DecayTier::Permanent => "permanent",
        DecayTier::Durable => "high",
        DecayTier::Standard => "medium",
        DecayTier::Ephemeral => "low",
    }
}
