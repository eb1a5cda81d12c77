//! The journal as a feed: what long-lived readers must read again.

use elfmem_core::BlockId;
use elfmem_store::{Aspect, BlockChange, Change, Entity, StoreError};
use rusqlite::Connection;
use serde_json::Value;

use crate::changes::decoded;
use crate::errors::OrStoreError;

type Result<T> = std::result::Result<T, StoreError>;

/// What operations after a number changed, each block once with the most that changed about it, in id order.
pub(crate) fn changes_after(connection: &Connection, position: i64) -> Result<Vec<BlockChange>> {
    let sql = "SELECT changes_json FROM journal WHERE seq > ?1";
    let mut statement = connection.prepare_cached(sql).or_store_error()?;
    let mut rows = statement.query([position]).or_store_error()?;
    let (mut changes, mut apart): (Vec<BlockChange>, Vec<BlockChange>) = Default::default();
    while let Some(row) = rows.next().or_store_error()? {
        for change in decoded(row.get_ref(0).or_store_error()?.as_str().map_err(StoreError::driver)?)? {
            let aspect = match change.entity {
                Entity::Block => block_aspect(&change),
                Entity::Edge => Aspect::Edges,
                Entity::Contradiction => Aspect::Contradictions,
                // Where a block belongs decides which questions it may answer.
                Entity::Enrolment => Aspect::State,
                _ => continue,
            };
            // An edge and a contradiction are followed apart from the rest; of the other aspects the largest says it all.
            let into = if matches!(aspect, Aspect::Edges | Aspect::Contradictions) { &mut apart } else { &mut changes };
            let (id, other) = change.ends();
            let other = other.filter(|_| change.entity != Entity::Enrolment);
            into.extend(
                std::iter::once(id).chain(other).map(|id| BlockChange { id: BlockId::from_stored(id), aspect }),
            );
        }
    }
    changes.sort_unstable_by(|a, b| a.id.cmp(&b.id).then(b.aspect.cmp(&a.aspect)));
    changes.dedup_by(|later, kept| later.id == kept.id);
    changes.append(&mut apart);
    changes.sort_unstable_by(|a, b| a.id.cmp(&b.id).then(b.aspect.cmp(&a.aspect)));
    changes.dedup();
    Ok(changes)
}

/// What a changed row of a block means, told by the names of the fields that differ.
fn block_aspect(change: &Change) -> Aspect {
    const USE: [&str; 2] = ["reinforcement_count", "last_reinforced_at"];
    const TEXT: [&str; 10] = [
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
    if fields.keys().all(|name| USE.contains(&name.as_str())) {
        Aspect::Usage
    } else if fields.keys().any(|name| TEXT.contains(&name.as_str())) {
        Aspect::Content
    } else {
        Aspect::State
    }
}
