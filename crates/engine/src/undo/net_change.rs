//! Net changes of an operation: the first "before" and the last "after" of each row it changed.

use std::collections::HashMap;

use elfmem_core::time;
use elfmem_store::{Change, Entity, NumberedChange, REMOVED_VECTOR};
use serde_json::{Map, Value};

/// The field of derived data that an undo keeps: the vector still matches the text and may have
/// cost money.
const DERIVED: &str = "embedding_model";
/// Fields that the image of a removed row has and that of a created row does not.
const LEFT_OUT: [&str; 3] = ["content", "payload", REMOVED_VECTOR];
/// The change counter, which is never reverted.
const REVISION: &str = "revision";

/// The net change of one row.
#[derive(Debug, Clone)]
pub(crate) struct NetChange {
    pub(crate) entity: Entity,
    pub(crate) id: String,
    /// The old values: all fields if the row was removed, otherwise the changed ones. `None` if the row
    /// was created.
    pub(crate) before: Option<Map<String, Value>>,
    /// The new values. `None` if the row was removed.
    pub(crate) after: Option<Map<String, Value>>,
    /// The first operation that changed the row.
    pub(crate) first: i64,
    /// Whether the row was purged since, so that its values are unknown.
    pub(crate) purged: bool,
}

/// The net changes of some operations, in the order of the first change of each row.
#[derive(Debug, Default)]
pub(crate) struct NetChanges {
    all: Vec<NetChange>,
    index: HashMap<(Entity, String), usize>,
}

impl NetChanges {
    /// Combines consecutive changes into net changes.
    pub(crate) fn from_changes(changes: Vec<NumberedChange>) -> Self {
        let mut nets = Self::default();
        for NumberedChange { seq, change } in changes {
            if matches!(change.entity, Entity::Session | Entity::Answer) {
                // Sessions belong to the activity clock, which never runs backwards. What was shown was shown.
                continue;
            }
            match nets.index.get(&(change.entity, change.id.clone())) {
                Some(position) => nets.all[*position].append(change),
                None => {
                    nets.index.insert((change.entity, change.id.clone()), nets.all.len());
                    nets.all.push(NetChange::new(seq, change));
                }
            }
        }
        nets
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &NetChange> {
        self.all.iter().filter(|net| !net.is_empty())
    }

    /// Adds the use counters that the operation changed at first to the changes of its redo. A redo leaves out the time of a use
    /// that a later use had changed by then; when that later use is taken back, the time is to be reverted all the same.
    pub(crate) fn add_use_counters(&mut self, originals: &Self) {
        for net in &mut self.all {
            let Some(original) = originals.get(net.entity, &net.id) else { continue };
            let (Some(before), Some(after)) = (&mut net.before, &mut net.after) else { continue };
            for (name, was, is) in original.fields().filter(|(name, ..)| is_use_counter(original.entity, name)) {
                if !before.contains_key(name) && !after.contains_key(name) {
                    before.insert(name.clone(), was.clone());
                    after.insert(name.clone(), is.clone());
                }
            }
        }
    }

    pub(crate) fn get(&self, entity: Entity, id: &str) -> Option<&NetChange> {
        let position = self.index.get(&(entity, id.to_owned()))?;
        Some(&self.all[*position]).filter(|net| !net.is_empty())
    }
}

fn fields(image: Option<Value>) -> Option<Map<String, Value>> {
    match image {
        Some(Value::Object(fields)) => Some(fields),
        Some(_) => Some(Map::new()),
        None => None,
    }
}

impl NetChange {
    fn new(seq: i64, change: Change) -> Self {
        let purged = change.is_purged();
        let Change { entity, id, before, after } = change;
        Self { entity, id, before: fields(before), after: fields(after), first: seq, purged }
    }

    /// Appends a later change of the row.
    fn append(&mut self, change: Change) {
        self.purged |= change.is_purged();
        let (was, is) = (fields(change.before), fields(change.after));
        if let (Some(before), Some(was)) = (&mut self.before, was) {
            // Fields that no earlier change touched. A removal contains all fields.
            for (name, value) in was {
                let known = before.contains_key(&name) || self.after.as_ref().is_some_and(|a| a.contains_key(&name));
                if !known {
                    before.insert(name, value);
                }
            }
        }
        self.after = match (self.after.take(), is) {
            (Some(mut after), Some(is)) => {
                after.extend(is);
                Some(after)
            }
            (_, is) => is,
        };
    }

    /// Returns true if there is nothing to revert.
    fn is_empty(&self) -> bool {
        let derived_only = |fields: &Map<String, Value>| fields.keys().all(|name| name == DERIVED);
        match (&self.before, &self.after) {
            (None, None) => !self.purged,
            (Some(before), Some(after)) => derived_only(before) && derived_only(after),
            _ => false,
        }
    }

    /// Returns true if only use counts changed.
    pub(crate) fn is_use_count_only(&self) -> bool {
        is_use_count_only(self.entity, self.before.as_ref(), self.after.as_ref())
    }

    /// Returns true if a field other than a use count is not what it was.
    pub(crate) fn is_lasting(&self) -> bool {
        self.before.is_none()
            || self.after.is_none()
            || self.fields().any(|(name, was, is)| !is_use_counter(self.entity, name) && !values_equal(was, is))
    }

    /// Returns true if a block was created, removed or changed its status.
    pub(crate) fn is_structural(&self) -> bool {
        is_structural(self.entity, self.before.as_ref(), self.after.as_ref())
    }

    /// Returns true if a block was missing or archived before, so that an undo removes or archives
    /// it.
    pub(crate) fn was_not_live(&self) -> bool {
        let is_archived =
            |fields: &Map<String, Value>| fields.get("status").and_then(Value::as_str) == Some("archived");
        self.entity == Entity::Block && self.before.as_ref().is_none_or(is_archived)
    }

    /// Returns the block that a block gives way to when the change is reverted.
    pub(crate) fn former_successor(&self) -> Option<&str> {
        self.before.as_ref().filter(|_| self.entity == Entity::Block)?.get("superseded_by")?.as_str()
    }

    /// Returns the fields to revert, each with its old and its new value. A row that was removed and created again has
    /// complete images, which leave out empty fields: those are null.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&String, &Value, &Value)> {
        let images = self.before.as_ref().zip(self.after.as_ref());
        images.into_iter().flat_map(|(before, after)| {
            let added = after.keys().filter(|name| !before.contains_key(*name));
            let kept = |name: &&String| after.contains_key(*name) || !LEFT_OUT.contains(&name.as_str());
            let names = before.keys().filter(kept).chain(added).filter(|name| *name != DERIVED && *name != REVISION);
            names.map(|name| (name, before.get(name).unwrap_or(&Value::Null), after.get(name).unwrap_or(&Value::Null)))
        })
    }
}

fn is_use_count_only(entity: Entity, before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let uses = |name: &String| is_use_counter(entity, name) || (entity == Entity::Block && name == DERIVED);
    before.keys().chain(after.keys()).all(uses)
}

/// Returns true if a field counts uses. Counts are commutative, so later uses do not prevent an undo.
pub(crate) fn is_use_counter(entity: Entity, name: &str) -> bool {
    Change::is_use_counter(entity, name)
}

fn is_structural(entity: Entity, before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>) -> bool {
    entity == Entity::Block
        && match (before, after) {
            (Some(before), Some(after)) => before.contains_key("status") || after.contains_key("status"),
            _ => true,
        }
}

/// Returns true if two values are equal, with a tolerance for number formats and times truncated to
/// microseconds.
pub(crate) fn values_equal(a: &Value, b: &Value) -> bool {
    if let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) {
        return (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
    }
    let microseconds = |value: &Value| value.as_str().and_then(time::from_iso).map(|at| at.as_microsecond());
    a == b || microseconds(a).is_some_and(|at| microseconds(b) == Some(at))
}

/// Classifies a single change of the journal.
pub(crate) trait ChangeExt {
    /// Returns true if only use counts or a vector changed.
    fn is_use_count_only(&self) -> bool;
    /// Returns true if a block was created, removed or changed its status.
    fn is_structural(&self) -> bool;
}

impl ChangeExt for Change {
    fn is_use_count_only(&self) -> bool {
        let (before, after) = (object(&self.before), object(&self.after));
        is_use_count_only(self.entity, before, after)
    }

    fn is_structural(&self) -> bool {
        is_structural(self.entity, object(&self.before), object(&self.after))
    }
}

fn object(image: &Option<Value>) -> Option<&Map<String, Value>> {
    image.as_ref().and_then(Value::as_object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn nets(changes: &[(Value, Value)]) -> NetChanges {
        let image = |value: &Value| if value.is_null() { None } else { Some(value.clone()) };
        let change = |(before, after): &(Value, Value)| Change {
            entity: Entity::Block,
            id: "b".into(),
            before: image(before),
            after: image(after),
        };
        NetChanges::from_changes(changes.iter().map(|pair| NumberedChange { seq: 7, change: change(pair) }).collect())
    }

    #[test]
    fn changes_in_a_row_become_the_first_before_and_the_last_after() {
        let nets = nets(&[
            (json!({"status": "inbox", "cue": null}), json!({"status": "active", "cue": "soon"})),
            (json!({"status": "active", "tags": []}), json!({"status": "archived", "tags": ["t"]})),
        ]);
        let net = nets.get(Entity::Block, "b").unwrap();
        assert_eq!(Value::from(net.before.clone().unwrap()), json!({"status": "inbox", "cue": null, "tags": []}));
        assert_eq!(
            Value::from(net.after.clone().unwrap()),
            json!({"status": "archived", "cue": "soon", "tags": ["t"]})
        );
        assert!(net.is_structural() && !net.is_use_count_only());
    }

    #[test]
    fn a_row_that_was_created_and_removed_has_no_net_change() {
        let nets = nets(&[(Value::Null, json!({"status": "inbox"})), (json!({"status": "inbox"}), Value::Null)]);
        assert!(nets.get(Entity::Block, "b").is_none());
    }

    #[test]
    fn a_row_that_was_changed_and_removed_has_its_original_values() {
        let nets = nets(&[
            (json!({"cue": null}), json!({"cue": "soon"})),
            (json!({"cue": "soon", "status": "inbox", "content": "x"}), Value::Null),
        ]);
        let net = nets.get(Entity::Block, "b").unwrap();
        let whole = json!({"cue": null, "status": "inbox", "content": "x"});
        assert_eq!((Value::from(net.before.clone().unwrap()), net.after.is_none()), (whole, true));
    }

    #[test]
    fn a_row_that_was_removed_and_created_again_reverts_fields_that_one_image_leaves_out() {
        let nets = nets(&[
            (json!({"content": "x", "weight": 1, "note": "n"}), Value::Null),
            (Value::Null, json!({"weight": 1, "asserted_from": "a"})),
        ]);
        let fields: Vec<_> = nets.get(Entity::Block, "b").unwrap().fields().collect();
        let (name, one, null) = (|name: &str| name.to_owned(), json!(1), Value::Null);
        let expected = [
            (&name("note"), &json!("n"), &null),
            (&name("weight"), &one, &one),
            (&name("asserted_from"), &null, &json!("a")),
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn use_counts_and_vectors_are_recognised() {
        let uses = nets(&[(json!({"reinforcement_count": 1}), json!({"reinforcement_count": 2}))]);
        assert!(uses.get(Entity::Block, "b").unwrap().is_use_count_only());
        assert!(nets(&[(json!({"embedding_model": null}), json!({"embedding_model": "m"}))]).iter().next().is_none());
    }
}
