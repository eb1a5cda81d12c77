//! Changes of rows, as the journal keeps them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{self, Fields};
use crate::{Result, StoreError};

/// The kind of a row in the journal.
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
    /// The effect of an outcome on a block, named `block_id:outcome_id`.
    Outcome,
    /// An event, named `event_id|block_id`, or by its id alone where it became no block.
    Event,
    /// A context.
    Context,
    /// The enrolment of a block in a context, named `block_id|context_id`.
    Enrolment,
    /// A link, named `from|to|type`.
    Link,
    /// The effect of a link on a block, named `block_id|from|to|type`.
    Effect,
    /// A setting of which every value is kept, named by its key. Most settings are not journaled.
    Setting,
    /// How relevant the blocks of an answer were ([`ShownRelevance`](super::ShownRelevance)), named by the first of them. It is no
    /// row: the journal alone has it.
    Answer,
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
            Self::Setting => "setting",
            Self::Answer => "answer",
        }
    }

    /// Reads a stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entity| entity.as_str() == name)
    }

    const ALL: [Self; 14] = [
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
        Self::Setting,
        Self::Answer,
    ];
}

/// One changed row, with its images before and after the change.
///
/// The images of an updated row hold the fields that differ. A new row has only an `after`, without its content or payload, which the
/// row itself holds. A removed row has only a `before`, which is complete so that the row can be restored; that of a block has the
/// vector too ([`REMOVED_VECTOR`]). After a purge, both images say only that ([`PURGED`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of the row.
    pub entity: Entity,
    /// Its name.
    pub id: String,
    /// The image before; none when the row is new.
    pub before: Option<Value>,
    /// The image after; none when the row was removed.
    pub after: Option<Value>,
}

/// A change on its way into the journal. Its images are JSON text already, so that recording thousands costs little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedChange {
    /// The kind of the row.
    pub entity: Entity,
    /// Its name.
    pub id: String,
    /// The image before.
    pub before: Option<String>,
    /// The image after.
    pub after: Option<String>,
}

impl RecordedChange {
    /// Compares two states of a row as [`Change`] describes; none when nothing differs.
    pub fn between<T: Serialize>(entity: Entity, id: String, before: Option<&T>, after: Option<&T>) -> Option<Self> {
        let changed = |before, after| Some(Self { entity, id, before, after });
        match (before.map(Fields::of), after.map(Fields::of)) {
            (None, None) => None,
            (Some(before), Some(after)) => {
                let (before, after) = fields::differing(&before.without("revision"), &after.without("revision"))?;
                changed(Some(before), Some(after))
            }
            (None, Some(after)) => {
                changed(None, Some(fields::object(after.without("content").without("payload").iter())))
            }
            (Some(before), None) => changed(Some(fields::object(before.iter())), None),
        }
    }

    /// Splits the name of the row, as [`Change::ends`] does.
    pub fn ends(&self) -> (&str, Option<&str>) {
        ends(self.entity, &self.id)
    }

    /// Returns whether the name of the row names `id`, as [`Change::names`] says.
    pub fn names(&self, id: &str) -> bool {
        names(self.entity, &self.id, id)
    }

    /// Parses the images.
    ///
    /// # Errors
    /// An image is not JSON.
    pub fn parse(&self) -> Result<Change> {
        let image = |text: &Option<String>| -> Result<Option<Value>> {
            text.as_deref().map(|text| serde_json::from_str(text).map_err(StoreError::driver)).transpose()
        };
        let (before, after) = (image(&self.before)?, image(&self.after)?);
        Ok(Change { entity: self.entity, id: self.id.clone(), before, after })
    }
}

impl From<Change> for RecordedChange {
    fn from(Change { entity, id, before, after }: Change) -> Self {
        let text = |image: Option<Value>| image.map(|image| image.to_string());
        Self { entity, id, before: text(before), after: text(after) }
    }
}

/// The field of a removed block's image that holds its vector, as [`vector_text`] writes it.
pub const REMOVED_VECTOR: &str = "embedding";

/// The only field of an image whose text was purged.
pub const PURGED: &str = "purged";

impl Change {
    /// Returns whether the images were purged.
    pub fn is_purged(&self) -> bool {
        [&self.before, &self.after].into_iter().flatten().any(|image| image.get(PURGED).is_some())
    }

    /// Splits the name of the row: the two blocks of an edge or a contradiction, the block and the outcome of an effect, the ends of a
    /// link and so on. Other names have one part.
    pub fn ends(&self) -> (&str, Option<&str>) {
        ends(self.entity, &self.id)
    }

    /// Returns the block that supersedes another by this change.
    pub fn successor(&self) -> Option<&str> {
        self.after.as_ref().filter(|_| self.entity == Entity::Block)?.get("superseded_by")?.as_str()
    }

    /// Returns the ids that the change touches: the [parts](Self::ends) of its name and the [successor](Self::successor).
    pub fn touched(&self) -> impl Iterator<Item = &str> {
        let (id, other) = self.ends();
        std::iter::once(id).chain(other).chain(self.successor())
    }

    /// Returns whether any part of the row's name is `id`. Beside the [parts](Self::ends) that a change is about, the effect of a
    /// link names the target of the link, which may have taken the place of the block that the effect is on.
    pub fn names(&self, id: &str) -> bool {
        names(self.entity, &self.id, id)
    }

    /// Returns whether a part of the row's name is `id`.
    pub fn is_about(&self, id: &str) -> bool {
        let (one, other) = self.ends();
        one == id || other == Some(id)
    }
}

pub(super) fn ends(entity: Entity, id: &str) -> (&str, Option<&str>) {
    match (entity, id.split_once(':')) {
        (Entity::Edge | Entity::Contradiction | Entity::Outcome, Some((a, b))) => (a, Some(b)),
        (Entity::Event | Entity::Enrolment | Entity::Link | Entity::Effect, _) => {
            let mut parts = id.split('|');
            (parts.next().unwrap_or(id), parts.next())
        }
        _ => (id, None),
    }
}

fn names(entity: Entity, name: &str, id: &str) -> bool {
    let (one, other) = ends(entity, name);
    one == id
        || other == Some(id)
        || matches!(entity, Entity::Link | Entity::Effect) && name.split('|').any(|part| part == id)
}

/// Writes a vector as hexadecimal text, bit by bit.
pub fn vector_text(vector: &[f32]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    vector.iter().flat_map(|value| value.to_le_bytes()).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Reads what [`vector_text`] wrote; none for any other text.
pub fn vector_from_text(text: &str) -> Option<Vec<f32>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    if digits.is_empty() || !digits.len().is_multiple_of(8) {
        return None;
    }
    let byte = |at: usize| digits[at] << 4 | digits[at + 1];
    let value = |at: usize| f32::from_le_bytes([byte(at), byte(at + 2), byte(at + 4), byte(at + 6)]);
    Some((0..digits.len()).step_by(8).map(value).collect())
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
