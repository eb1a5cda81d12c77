//! What an operation did to each row in the end: the first "before" and the last "after" of everything it changed.

use std::collections::HashMap;

use elfmem_store::{Change, Entity, NumberedChange};
use serde_json::{Map, Value};

/// Fields that count uses. They add up whatever the order, so a later use never stands in the way of an undo.
const BLOCK_USES: [&str; 3] = ["reinforcement_count", "last_reinforced_at", "last_session_id"];
const EDGE_USES: [&str; 2] = ["reinforcement_count", "last_active_hours"];
/// What is derived from the text and stays: a vector may have been paid for, and the text it comes from is the same.
const DERIVED: &str = "embedding_model";
/// Counts changes and goes on counting.
const REVISION: &str = "revision";

/// One row and what became of it.
#[derive(Debug, Clone)]
pub(crate) struct Net {
    pub(crate) entity: Entity,
    pub(crate) id: String,
    /// What it was: whole when it was removed, the fields that changed otherwise; none when it was made.
    pub(crate) before: Option<Map<String, Value>>,
    /// What it became; none when it was removed.
    pub(crate) after: Option<Map<String, Value>>,
    /// The first operation that touched it.
    pub(crate) first: i64,
    /// Its words were purged since; nothing can be said about it any more.
    pub(crate) purged: bool,
}

/// The rows that some operations changed, in the order they were first touched.
#[derive(Debug, Default)]
pub(crate) struct Nets {
    all: Vec<Net>,
    places: HashMap<(Entity, String), usize>,
}

impl Nets {
    /// Puts changes together that came one after the other.
    pub(crate) fn of(changes: Vec<NumberedChange>) -> Self {
        let mut nets = Self::default();
        for NumberedChange { seq, change } in changes {
            if change.entity == Entity::Session {
                // Sessions belong to the clock of use, which never runs backwards.
                continue;
            }
            match nets.places.get(&(change.entity, change.id.clone())) {
                Some(place) => nets.all[*place].then(change),
                None => {
                    nets.places.insert((change.entity, change.id.clone()), nets.all.len());
                    nets.all.push(Net::first(seq, change));
                }
            }
        }
        nets
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Net> {
        self.all.iter().filter(|net| !net.is_nothing())
    }

    pub(crate) fn get(&self, entity: Entity, id: &str) -> Option<&Net> {
        let place = self.places.get(&(entity, id.to_owned()))?;
        Some(&self.all[*place]).filter(|net| !net.is_nothing())
    }
}

fn fields(image: Option<Value>) -> Option<Map<String, Value>> {
    match image {
        Some(Value::Object(fields)) => Some(fields),
        Some(_) => Some(Map::new()),
        None => None,
    }
}

impl Net {
    fn first(seq: i64, change: Change) -> Self {
        let purged = change.is_purged();
        let Change { entity, id, before, after } = change;
        Self { entity, id, before: fields(before), after: fields(after), first: seq, purged }
    }

    /// Adds a change that came after.
    fn then(&mut self, change: Change) {
        self.purged |= change.is_purged();
        let (was, is) = (fields(change.before), fields(change.after));
        if let (Some(before), Some(was)) = (&mut self.before, was) {
            // The fields this change touched first: what it found is what the operation found. A removal tells them all.
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

    /// Whether nothing is left of it to take back.
    fn is_nothing(&self) -> bool {
        let derived_only = |fields: &Map<String, Value>| fields.keys().all(|name| name == DERIVED);
        match (&self.before, &self.after) {
            (None, None) => !self.purged,
            (Some(before), Some(after)) => derived_only(before) && derived_only(after),
            _ => false,
        }
    }

    /// Whether it only counts uses.
    pub(crate) fn only_counts_uses(&self) -> bool {
        only_counts_uses(self.entity, self.before.as_ref(), self.after.as_ref())
    }

    /// Whether a block came, went or moved to another status: what is attached to it rests on that.
    pub(crate) fn is_structural(&self) -> bool {
        is_structural(self.entity, self.before.as_ref(), self.after.as_ref())
    }

    /// Whether taking it back takes a block away or archives it.
    pub(crate) fn was_not_living(&self) -> bool {
        let status = |fields: &Map<String, Value>| fields.get("status").and_then(Value::as_str) == Some("archived");
        self.entity == Entity::Block && self.before.as_ref().is_none_or(status)
    }

    /// The fields to set to take it back, with what they should be now.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&String, &Value, &Value)> {
        let after = self.after.as_ref();
        self.before.iter().flatten().filter(|(name, _)| *name != DERIVED && *name != REVISION).filter_map(
            move |(name, was)| {
                let is = after?.get(name)?;
                Some((name, was, is))
            },
        )
    }
}

fn only_counts_uses(entity: Entity, before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let uses = |name: &String| counts_uses(entity, name) || (entity == Entity::Block && name == DERIVED);
    before.keys().chain(after.keys()).all(uses)
}

/// Whether a field counts uses.
pub(crate) fn counts_uses(entity: Entity, name: &str) -> bool {
    match entity {
        Entity::Block => BLOCK_USES.contains(&name),
        Entity::Edge => EDGE_USES.contains(&name),
        _ => false,
    }
}

fn is_structural(entity: Entity, before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>) -> bool {
    entity == Entity::Block
        && match (before, after) {
            (Some(before), Some(after)) => before.contains_key("status") || after.contains_key("status"),
            _ => true,
        }
}

/// The same questions about one change as the journal has it.
pub(crate) trait OfChange {
    /// Whether it only counts uses, or stores a vector.
    fn only_counts_uses(&self) -> bool;
    /// Whether a block came, went or moved to another status.
    fn is_structural(&self) -> bool;
}

impl OfChange for Change {
    fn only_counts_uses(&self) -> bool {
        let (before, after) = (object(&self.before), object(&self.after));
        only_counts_uses(self.entity, before, after)
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

    fn nets(changes: &[(Value, Value)]) -> Nets {
        let image = |value: &Value| if value.is_null() { None } else { Some(value.clone()) };
        let change = |(before, after): &(Value, Value)| Change {
            entity: Entity::Block,
            id: "b".into(),
            before: image(before),
            after: image(after),
        };
        Nets::of(changes.iter().map(|pair| NumberedChange { seq: 7, change: change(pair) }).collect())
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
        assert!(net.is_structural() && !net.only_counts_uses());
    }

    #[test]
    fn what_was_made_and_removed_left_nothing() {
        let nets = nets(&[(Value::Null, json!({"status": "inbox"})), (json!({"status": "inbox"}), Value::Null)]);
        assert!(nets.get(Entity::Block, "b").is_none());
    }

    #[test]
    fn what_was_changed_and_then_removed_comes_back_as_it_was_at_first() {
        let nets = nets(&[
            (json!({"cue": null}), json!({"cue": "soon"})),
            (json!({"cue": "soon", "status": "inbox", "content": "x"}), Value::Null),
        ]);
        let net = nets.get(Entity::Block, "b").unwrap();
        let whole = json!({"cue": null, "status": "inbox", "content": "x"});
        assert_eq!((Value::from(net.before.clone().unwrap()), net.after.is_none()), (whole, true));
    }

    #[test]
    fn uses_and_vectors_are_told_apart_from_the_rest() {
        let uses = nets(&[(json!({"reinforcement_count": 1}), json!({"reinforcement_count": 2}))]);
        assert!(uses.get(Entity::Block, "b").unwrap().only_counts_uses());
        assert!(nets(&[(json!({"embedding_model": null}), json!({"embedding_model": "m"}))]).iter().next().is_none());
    }
}
