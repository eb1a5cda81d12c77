//! The journal: what changed, when, by whom, from what to what.

use elfmem_core::{ActiveHours, OperationKind, SessionId, Timestamp};
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
    /// A proposal, named by its number.
    Proposal,
    /// What an outcome did to a block, named `block_id:outcome_id`.
    Outcome,
    /// An event, named `event_id|block_id`, or by its id alone where it became no block.
    Event,
    /// A context.
    Context,
    /// That a block belongs to a context, named `block_id|context_id`.
    Enrolment,
    /// A link, named `from|to|type`.
    Link,
    /// What a link did to a block, named `block_id|from|to|type`.
    Effect,
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
            Self::Proposal => "proposal",
            Self::Outcome => "outcome",
            Self::Event => "event",
            Self::Context => "context",
            Self::Enrolment => "enrolment",
            Self::Link => "link",
            Self::Effect => "effect",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entity| entity.as_str() == name)
    }

    const ALL: [Self; 12] = [
        Self::Block,
        Self::Edge,
        Self::Contradiction,
        Self::Frame,
        Self::Session,
        Self::Proposal,
        Self::Outcome,
        Self::Event,
        Self::Context,
        Self::Enrolment,
        Self::Link,
        Self::Effect,
    ];
}

/// One row that changed: what it was and what it became.
///
/// Where a row was changed, both sides hold the fields that differ. Where it was made, only `after` is there, without its
/// content or payload, which the row itself holds. Where it was removed, `before` is whole, so that it can be put back; a block's has
/// its vector too ([`REMOVED_VECTOR`]). Where the text was purged, both sides say only that ([`PURGED`]).
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
pub struct RecordedChange {
    /// What kind of row.
    pub entity: Entity,
    /// Its name.
    pub id: String,
    /// What it was.
    pub before: Option<String>,
    /// What it became.
    pub after: Option<String>,
}

impl RecordedChange {
    /// The change between two states of a row, as [`Change`] tells it; none when nothing differs.
    pub fn between<T: Serialize>(entity: Entity, id: String, before: Option<&T>, after: Option<&T>) -> Option<Self> {
        let noted = |before, after| Some(Self { entity, id, before, after });
        match (before.map(Fields::of), after.map(Fields::of)) {
            (None, None) => None,
            (Some(before), Some(after)) => {
                let (before, after) = fields::differing(&before.without("revision"), &after.without("revision"))?;
                noted(Some(before), Some(after))
            }
            (None, Some(after)) => {
                noted(None, Some(fields::object(after.without("content").without("payload").iter())))
            }
            (Some(before), None) => noted(Some(fields::object(before.iter())), None),
        }
    }

    /// The two blocks of an edge or a contradiction, the block and the outcome of what that did to it, the ends of a link and
    /// the like, the one name of anything else.
    pub fn ends(&self) -> (&str, Option<&str>) {
        ends(self.entity, &self.id)
    }
}

/// The field of a removed block's image that holds its vector, as [`vector_text`] writes it.
pub const REMOVED_VECTOR: &str = "embedding";

/// The one field of a change whose text was purged.
pub const PURGED: &str = "purged";

impl Change {
    /// Whether what it said was purged.
    pub fn is_purged(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|image| image.get(PURGED).is_some())
    }

    /// The two blocks of an edge or a contradiction, the block and the outcome of what that did to it, the ends of a link and
    /// the like, the one name of anything else.
    pub fn ends(&self) -> (&str, Option<&str>) {
        ends(self.entity, &self.id)
    }
}

fn ends(entity: Entity, id: &str) -> (&str, Option<&str>) {
    match (entity, id.split_once(':')) {
        (Entity::Edge | Entity::Contradiction | Entity::Outcome, Some((a, b))) => (a, Some(b)),
        (Entity::Event | Entity::Enrolment | Entity::Link | Entity::Effect, _) => {
            let mut parts = id.split('|');
            (parts.next().unwrap_or(id), parts.next())
        }
        _ => (id, None),
    }
}

/// A vector as text that gives back every bit of it.
pub fn vector_text(vector: &[f32]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    vector.iter().flat_map(|value| value.to_le_bytes()).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Reads what [`vector_text`] wrote; none when it is something else.
pub fn vector_from_text(text: &str) -> Option<Vec<f32>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    if digits.is_empty() || !digits.len().is_multiple_of(8) {
        return None;
    }
    let byte = |at: usize| digits[at] << 4 | digits[at + 1];
    let value = |at: usize| f32::from_le_bytes([byte(at), byte(at + 2), byte(at + 4), byte(at + 6)]);
    Some((0..digits.len()).step_by(8).map(value).collect())
}

/// How an operation belongs to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JournalLinks {
    /// The run it is a part of: several transactions that one request made, undone as one. None for an operation of its own.
    pub run: Option<String>,
    /// The operation it took back. For a run, the last of its operations.
    pub undoes: Option<i64>,
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
    pub operation: OperationKind,
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
    /// How it belongs to others.
    #[serde(flatten)]
    pub links: JournalLinks,
    /// What it changed, in order.
    pub changes: Vec<Change>,
}

/// One operation in the journal, without what it changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Its number; later operations have larger ones.
    pub seq: i64,
    /// What it says of itself.
    #[serde(flatten)]
    pub header: JournalHeader,
    /// How it belongs to others.
    #[serde(flatten)]
    pub links: JournalLinks,
    /// How many rows it changed.
    pub changed: u64,
}

/// A change with the operation it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedChange {
    /// The operation's number.
    pub seq: i64,
    /// What it changed.
    pub change: Change,
}

/// What a recall or a frame showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The session it was given in.
    pub session: SessionId,
    /// The blocks, best first.
    pub shown: Vec<elfmem_core::BlockId>,
}

/// Which operations to read.
#[derive(Debug, Clone, Default)]
pub struct JournalQuery {
    /// Only those that changed this block, its edges included.
    pub block: Option<elfmem_core::BlockId>,
    /// Only those with a larger number.
    pub after: Option<i64>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
    /// At most this many, the newest; none for all.
    pub limit: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a reader of the journal will see.
    fn change(before: Option<Value>, after: Option<Value>) -> Option<Change> {
        let noted = RecordedChange::between(Entity::Block, "b".into(), before.as_ref(), after.as_ref())?;
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
    fn a_vector_survives_as_text_bit_by_bit() {
        let vector = [0.0f32, -0.0, 1.5, f32::MIN_POSITIVE, -3.402_823e38, 0.1];
        let back = vector_from_text(&vector_text(&vector)).unwrap();
        assert_eq!(back.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), vector.map(f32::to_bits));
        for bad in ["", "0", "zz000000", "0000803f0"] {
            assert_eq!(vector_from_text(bad), None, "{bad}");
        }
    }

    #[test]
    fn nothing_changed_is_no_change() {
        let row = json!({"status": "inbox", "revision": 3});
        assert_eq!(change(Some(row.clone()), Some(row)), None);
        assert_eq!(change(None, None), None);
    }
}
