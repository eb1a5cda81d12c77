//! Folding: what the journal keeps of operations that are too old to be undone.
//!
//! Operations that only counted uses (answers, sessions, vectors) are removed and counted. Of all others the description and the
//! names of the changed rows stay; the images before and after go.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use elfmem_core::{BlockId, Scope, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Change, Entity, JournalRecord};
use crate::RowEdit;

/// The setting that holds what was folded so far.
pub(super) const FOLDED: &str = "journal_folded";

/// Fields of a block that count uses.
const BLOCK_USES: [&str; 3] = ["reinforcement_count", "last_reinforced_at", "last_session_id"];
/// Fields of an edge that count uses.
const EDGE_USES: [&str; 2] = ["reinforcement_count", "last_active_hours"];
/// The field of a block that names the model of its vector, which is derived from the text.
const DERIVED: &str = "embedding_model";
/// Fields of an archived block that `restore` brings back from the journal.
const RESTORED: [&str; 3] = ["status", "tags", "decay_lambda"];

/// What was folded of the journal so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FoldedJournal {
    /// The number of the newest operation that was folded; 0 when none was.
    pub through: i64,
    /// When it ran.
    pub at: Option<Timestamp>,
    /// How many operations were removed, by scope and kind.
    pub removed: BTreeMap<Scope, BTreeMap<String, u64>>,
}

impl FoldedJournal {
    /// Folds an operation: removes it if it only counted uses and no undo names it, else strips its images.
    pub(super) fn fold(&mut self, record: &mut JournalRecord, undone: &HashSet<i64>) -> RowEdit {
        (self.through, self.at) = (record.seq, Some(record.header.at));
        let only_uses = record.changes.iter().all(Change::is_use);
        if only_uses && record.links.undoes.is_none() && !undone.contains(&record.seq) {
            let scope = record.scope.clone().unwrap_or_default();
            let counts = self.removed.entry(scope).or_default();
            *counts.entry(record.header.operation.as_str().to_owned()).or_default() += 1;
            return RowEdit::Remove;
        }
        record.changes = stripped(std::mem::take(&mut record.changes));
        RowEdit::Replace
    }
}

impl Change {
    /// Returns whether a field of a row counts uses.
    pub fn is_use_counter(entity: Entity, field: &str) -> bool {
        match entity {
            Entity::Block => BLOCK_USES.contains(&field),
            Entity::Edge => EDGE_USES.contains(&field),
            _ => false,
        }
    }

    /// Returns whether the change says only that a row was used: use counts, answers, vectors and sessions.
    pub fn is_use(&self) -> bool {
        let counts = |image: &Option<Value>| {
            let is_use = |name: &String| {
                Self::is_use_counter(self.entity, name) || self.entity == Entity::Block && name == DERIVED
            };
            image.as_ref().and_then(Value::as_object).is_some_and(|fields| fields.keys().all(is_use))
        };
        matches!(self.entity, Entity::Session | Entity::Answer) || counts(&self.before) && counts(&self.after)
    }

    /// Returns whether only the name of the row is left.
    pub fn is_folded(&self) -> bool {
        self.before.is_none() && self.after.is_none()
    }

    /// What stays of a change beside the name of its row: whether it was purged, and what `restore` needs of an archived block.
    fn fold_images(&mut self) {
        if self.is_purged() {
            return;
        }
        let after = self.after.as_ref().filter(|_| self.entity == Entity::Block);
        let archived = after.and_then(|image| image.get("status")).and_then(Value::as_str) == Some("archived");
        for image in [&mut self.before, &mut self.after] {
            *image = image.take().filter(|_| archived).map(|image| {
                let kept = |(name, value): (&String, &Value)| (name.clone(), value.clone());
                let fields = image.as_object().into_iter().flatten();
                let fields = fields.filter(|(name, _)| RESTORED.contains(&name.as_str())).map(kept);
                Value::Object(fields.collect::<Map<_, _>>())
            });
        }
    }
}

/// Strips the images of changes. Of changes that name nothing but blocks that others name, those others stay.
fn stripped(changes: Vec<Change>) -> Vec<Change> {
    let (mut kept, mut covered) = (Vec::new(), BTreeSet::new());
    let mut seen = HashSet::new();
    let is_naming = |change: &Change| !matches!(change.entity, Entity::Block | Entity::Edge | Entity::Contradiction);
    let (naming, other): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(is_naming);
    for mut change in naming.into_iter().chain(other) {
        change.fold_images();
        let named: Vec<BlockId> = {
            let (one, other) = change.ends();
            std::iter::once(one).chain(other).map(BlockId::from_stored).collect()
        };
        let is_new = named.iter().any(|id| !covered.contains(id));
        let repeats = !seen.insert((change.entity, change.id.clone())) && change.is_folded();
        if !repeats && (is_new || is_naming(&change) || !change.is_folded()) {
            covered.extend(named);
            kept.push(change);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn change(entity: Entity, id: &str, before: Value, after: Value) -> Change {
        let image = |value: Value| Some(value).filter(|value| !value.is_null());
        Change { entity, id: id.to_owned(), before: image(before), after: image(after) }
    }

    #[test]
    fn uses_are_told_from_changes_of_knowledge() {
        let uses = [
            change(Entity::Block, "a", json!({"reinforcement_count": 1}), json!({"reinforcement_count": 2})),
            change(Entity::Block, "a", json!({"embedding_model": null}), json!({"embedding_model": "m"})),
            change(Entity::Edge, "a:b", json!({"last_active_hours": null}), json!({"last_active_hours": 2.0})),
            change(Entity::Session, "s", Value::Null, json!({"kind": "held"})),
            change(Entity::Answer, "a", Value::Null, json!({"relevance": [0.8]})),
        ];
        assert!(uses.iter().all(Change::is_use));
        let knowledge = [
            change(Entity::Block, "a", json!({"pinned": false}), json!({"pinned": true})),
            change(Entity::Block, "a", Value::Null, json!({"reinforcement_count": 0})),
            change(Entity::Edge, "a:b", json!({"weight": 0.5}), json!({"weight": 0.6})),
            change(Entity::Block, "a", json!({"purged": true}), Value::Null),
        ];
        assert!(!knowledge.iter().any(Change::is_use));
    }

    #[test]
    fn of_stripped_changes_names_marks_and_what_restore_needs_are_left() {
        let archived =
            (json!({"status": "active", "tags": ["t"], "pinned": true}), json!({"status": "archived", "tags": []}));
        let left = stripped(vec![
            change(Entity::Block, "a", json!({"confidence": 0.5}), json!({"confidence": 0.6})),
            change(Entity::Outcome, "a:o", Value::Null, json!({"signal": 1.0})),
            change(Entity::Edge, "a:b", Value::Null, json!({"weight": 1.0})),
            change(Entity::Edge, "a:b", json!({"weight": 1.0}), json!({"weight": 0.9})),
            change(Entity::Block, "c", archived.0, archived.1),
            change(Entity::Block, "p", json!({"purged": true}), Value::Null),
        ]);
        let expected = [
            change(Entity::Outcome, "a:o", Value::Null, Value::Null),
            change(Entity::Edge, "a:b", Value::Null, Value::Null),
            change(
                Entity::Block,
                "c",
                json!({"status": "active", "tags": ["t"]}),
                json!({"status": "archived", "tags": []}),
            ),
            change(Entity::Block, "p", json!({"purged": true}), Value::Null),
        ];
        assert_eq!(left, expected);
    }
}
