//! Which blocks an index must read again after some changes.

use elfmem_core::BlockId;
use serde_json::Value;

use super::{Aspect, BlockChange};
use crate::{Change, Entity};

/// Collects the blocks that changes touch, in id order: each once with its largest aspect, edges and contradictions beside it.
pub fn changed_blocks<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Vec<BlockChange> {
    let (mut blocks, mut joins): (Vec<BlockChange>, Vec<BlockChange>) = Default::default();
    for change in changes {
        let aspect = match change.entity {
            Entity::Block => block_aspect(change),
            Entity::Edge => Aspect::Edges,
            Entity::Contradiction => Aspect::Contradictions,
            // The contexts of a block decide which questions it may answer.
            Entity::Enrolment => Aspect::State,
            _ => continue,
        };
        // Edges and contradictions are read apart from blocks. Of the other aspects the largest includes the smaller ones.
        let into = if matches!(aspect, Aspect::Edges | Aspect::Contradictions) { &mut joins } else { &mut blocks };
        let (id, other) = change.ends();
        let other = other.filter(|_| change.entity != Entity::Enrolment);
        into.extend(std::iter::once(id).chain(other).map(|id| BlockChange { id: BlockId::from_stored(id), aspect }));
    }
    let order = |a: &BlockChange, b: &BlockChange| a.id.cmp(&b.id).then(b.aspect.cmp(&a.aspect));
    blocks.sort_unstable_by(order);
    blocks.dedup_by(|later, kept| later.id == kept.id);
    blocks.append(&mut joins);
    blocks.sort_unstable_by(order);
    blocks.dedup();
    blocks
}

/// Classifies a change of a block by the names of the fields that differ.
fn block_aspect(change: &Change) -> Aspect {
    const USAGE: [&str; 2] = ["reinforcement_count", "last_reinforced_at"];
    const CONTENT: [&str; 10] = [
        "status",
        "tags",
        "cue",
        "content",
        "embedding_model",
        "category",
        "last_session_id",
        "event_at",
        "source",
        "brought_by",
    ];
    let (Some(_), Some(Value::Object(fields))) = (&change.before, &change.after) else { return Aspect::Content };
    if fields.keys().all(|name| USAGE.contains(&name.as_str())) {
        Aspect::Usage
    } else if fields.keys().any(|name| CONTENT.contains(&name.as_str())) {
        Aspect::Content
    } else {
        Aspect::State
    }
}
