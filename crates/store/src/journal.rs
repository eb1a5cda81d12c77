//! The journal: what changed, when, by whom, from what to what.

use elfmem_core::{ActiveHours, SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fields::{self, Fields};

/// What kind of row changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entity {
    /// A block, its tags included.
    Block,
    /// An edge, named `from_id:to_id`.
    Edge,
    /// A contradiction, named `block_a_id:block_b_id`.
    Contradiction,
    /// A frame.
    Frame,
    /// An explicit session.
    Session,
}

impl Entity {
    /// The lowercase name that is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Edge => "edge",
            Self::Contradiction => "contradiction",
            Self::Frame => "frame",
            Self::Session => "session",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Block, Self::Edge, Self::Contradiction, Self::Frame, Self::Session]
            .into_iter()
            .find(|entity| entity.as_str() == name)
    }
}

/// One row that changed: what it was and what it became.
///
/// Where a row was changed, both sides hold the fields that differ. Where it was made, only `after` is there, without its
/// content, which the row itself holds. Where it was removed, `before` is whole, so that it can be put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What kind of row.
    pub entity: Entity,
    /// Its name.
    pub id: String,
    /// What it was; none when it was made.
    pub before: Option<Value>,
    /// What it became; none when it was removed.
    pub after: Option<Value>,
}

/// A change as a store writes it down: both sides are JSON already, so that noting thousands costs little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedChange {
    /// What kind of row.
    pub entity: Entity,
    /// Its name.
    pub id: String,
    /// What it was.
    pub before: Option<String>,
    /// What it became.
    pub after: Option<String>,
}

impl NotedChange {
    /// The change between two states of a row, as [`Change`] tells it; none when nothing differs.
    pub fn between<T: Serialize>(entity: Entity, id: String, before: Option<&T>, after: Option<&T>) -> Option<Self> {
        let noted = |before, after| Some(Self { entity, id, before, after });
        match (before.map(Fields::of), after.map(Fields::of)) {
            (None, None) => None,
            (Some(before), Some(after)) => {
                let (before, after) = fields::differing(&before.without("revision"), &after.without("revision"))?;
                noted(Some(before), Some(after))
            }
            (None, Some(after)) => noted(None, Some(fields::object(after.without("content").iter()))),
            (Some(before), None) => noted(Some(fields::object(before.iter())), None),
        }
    }
}

/// What an operation says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// When it ran.
    pub at: Timestamp,
    /// What the clock of use read.
    pub active_hours: ActiveHours,
    /// In which session.
    pub session: Option<SessionId>,
    /// Who asked: surface and client.
    pub actor: String,
    /// Which operation.
    pub operation: String,
    /// What it did, in one sentence.
    pub summary: String,
}

/// One operation in the journal, with everything it changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Its number; later operations have larger ones.
    pub seq: i64,
    /// What it says of itself.
    #[serde(flatten)]
    pub header: JournalHeader,
    /// What it changed, in order.
    pub changes: Vec<Change>,
}

/// Which operations to read.
#[derive(Debug, Clone, Default)]
pub struct JournalQuery {
    /// Only those that changed this block, its edges included.
    pub block: Option<elfmem_core::BlockId>,
    /// Only those with a larger number.
    pub after: Option<i64>,
    /// At most this many, the newest; none for all.
    pub limit: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a reader of the journal will see.
    fn change(before: Option<Value>, after: Option<Value>) -> Option<Change> {
        let noted = NotedChange::between(Entity::Block, "b".into(), before.as_ref(), after.as_ref())?;
        let read = |text: Option<String>| text.map(|text| serde_json::from_str(&text).unwrap());
        Some(Change { entity: noted.entity, id: noted.id, before: read(noted.before), after: read(noted.after) })
    }

    #[test]
    fn a_change_keeps_only_the_fields_that_differ() {
        let before = json!({"content": "x", "status": "inbox", "cue": null, "revision": 1});
        let after = json!({"content": "x", "status": "active", "cue": "soon", "revision": 2});
        let change = change(Some(before), Some(after)).unwrap();
        assert_eq!(change.before, Some(json!({"status": "inbox", "cue": null})));
        assert_eq!(change.after, Some(json!({"status": "active", "cue": "soon"})));
    }

    #[test]
    fn a_field_that_one_side_lacks_is_null_there() {
        let before = json!({"status": "active", "cue": "so\"on", "tags": ["a", "b"]});
        let after = json!({"status": "active", "note": {"deep": [null, 1.5]}, "tags": ["a"], "cue": null});
        let change = change(Some(before), Some(after)).unwrap();
        assert_eq!(change.before, Some(json!({"cue": "so\"on", "note": null, "tags": ["a", "b"]})));
        assert_eq!(change.after, Some(json!({"cue": null, "note": {"deep": [null, 1.5]}, "tags": ["a"]})));
    }

    #[test]
    fn making_a_row_leaves_its_content_out_and_removing_it_keeps_everything() {
        let row = json!({"content": "x", "status": "inbox"});
        assert_eq!(change(None, Some(row.clone())).unwrap().after, Some(json!({"status": "inbox"})));
        assert_eq!(change(Some(row.clone()), None).unwrap().before, Some(row));
    }

    #[test]
    fn nothing_changed_is_no_change() {
        let row = json!({"status": "inbox", "revision": 3});
        assert_eq!(change(Some(row.clone()), Some(row)), None);
        assert_eq!(change(None, None), None);
    }
}
