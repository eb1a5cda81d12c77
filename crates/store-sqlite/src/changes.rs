//! What an operation changed, as one text: a list of `[entity, id, before, after]`, with counted [uses](uses) and
//! [updates](updates) of rows in shorter forms.
//!
//! One row an operation instead of one a change, at the end of a table that only grows: a row and an index entry for each
//! change would touch a page somewhere in the file for each.

use std::collections::BTreeSet;
use std::fmt::Write;

use elfmem_store::{Change, RecordedChange, StoreError};
use serde_json::Value;

use crate::{updates, uses};

/// What stands before, between and after ids in a list of them.
pub(crate) const SEPARATOR: char = '\u{1f}';

/// The changes as they are stored.
pub(crate) fn encoded(changes: &[RecordedChange]) -> String {
    let length = |side: &Option<String>| side.as_ref().map_or(4, String::len);
    let room = changes.iter().map(|change| change.id.len() + length(&change.before) + length(&change.after) + 24).sum();
    let mut text = String::with_capacity(room);
    let mut rest = changes;
    while let Some(change) = rest.first() {
        text.push(if text.is_empty() { '[' } else { ',' });
        let used = uses::encode(rest, &mut text);
        if used == 0 && !updates::encode(change, &mut text) {
            let _ = write!(
                text,
                "[\"{}\",{},{},{}]",
                change.entity.as_str(),
                Value::from(change.id.as_str()),
                change.before.as_deref().unwrap_or("null"),
                change.after.as_deref().unwrap_or("null")
            );
        }
        rest = &rest[used.max(1)..];
    }
    if text.is_empty() { "[]".to_owned() } else { text + "]" }
}

/// Reads what [`encoded`] wrote.
pub(crate) fn decoded(text: &str) -> Result<Vec<Change>, StoreError> {
    let entries: Vec<uses::Entry> = serde_json::from_str(text).map_err(StoreError::driver)?;
    Ok(entries.into_iter().flat_map(|entry| entry.0).collect())
}

/// What stands before the name of a scope in a list of ids.
pub(crate) const OF_SCOPE: char = '@';

/// The scope in a list of ids.
pub(crate) fn scope_of(ids: &str) -> Option<&str> {
    ids.split(SEPARATOR).find_map(|id| id.strip_prefix(OF_SCOPE))
}

/// Whether a list of ids is that of some changes. What was purged or folded does not say all that it named.
pub(crate) fn is_listed(ids: &str, changes: &[Change], folded: bool) -> bool {
    let listed: BTreeSet<&str> =
        ids.split(SEPARATOR).filter(|id| !id.is_empty() && !id.starts_with(OF_SCOPE)).collect();
    let named: BTreeSet<&str> =
        changes.iter().flat_map(Change::touched).filter(|id| !id.is_empty() && !id.starts_with(OF_SCOPE)).collect();
    if folded || changes.iter().any(Change::is_purged) { listed.is_superset(&named) } else { listed == named }
}

/// Every id that the changes name, each once, between separators; and the scope in which they were made, because what was
/// said of a block of one scope in another is told only there.
pub(crate) fn touched(scope: Option<&str>, changes: &[RecordedChange]) -> String {
    let scope = scope.map(|scope| format!("{OF_SCOPE}{scope}"));
    let mut ids: BTreeSet<&str> = scope.as_deref().into_iter().collect();
    let mut successors = Vec::new();
    for change in changes {
        let (id, other) = change.ends();
        ids.insert(id);
        ids.extend(other);
        successors.extend(recorded_successor(change));
    }
    ids.extend(successors.iter().map(String::as_str));
    let mut text = String::from(SEPARATOR);
    for id in ids {
        text.push_str(id);
        text.push(SEPARATOR);
    }
    text
}

/// Returns the [`Change::successor`] of a change that is about to be stored. Most changes have none and are not parsed for it.
fn recorded_successor(change: &RecordedChange) -> Option<String> {
    let after = change.after.as_deref().filter(|after| after.contains("\"superseded_by\":\""))?;
    let image: Value = serde_json::from_str(after).ok()?;
    Some(image.get("superseded_by")?.as_str()?.to_owned())
}

/// An id as it is found in a list of [`touched`] ones.
pub(crate) fn listed(id: &str) -> String {
    format!("{SEPARATOR}{id}{SEPARATOR}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use elfmem_store::Entity;
    use serde_json::json;

    fn noted(entity: Entity, id: &str, before: Option<Value>, after: Option<Value>) -> RecordedChange {
        let text = |side: Option<Value>| side.map(|side| side.to_string());
        RecordedChange { entity, id: id.to_owned(), before: text(before), after: text(after) }
    }

    #[test]
    fn changes_survive_being_stored_whatever_is_in_them() {
        let changes = [
            noted(Entity::Block, "a\"b\\\u{1f}", None, Some(json!({"cue": "so\n\"on\"", "confidence": 0.1}))),
            noted(Entity::Edge, "a:b", Some(json!({"weight": 1e-7})), None),
            noted(Entity::Block, "c", Some(json!({"count": 1})), Some(json!({"count": null}))),
        ];
        let read = decoded(&encoded(&changes)).unwrap();
        assert_eq!(read.len(), changes.len());
        for (change, noted) in read.iter().zip(&changes) {
            assert_eq!((change.entity, &change.id), (noted.entity, &noted.id));
            let text = |side: &Option<Value>| side.as_ref().map(Value::to_string);
            assert_eq!([text(&change.before), text(&change.after)], [noted.before.clone(), noted.after.clone()]);
        }
        assert_eq!(decoded(&encoded(&[])).unwrap(), []);
    }

    #[test]
    fn both_ends_and_successors_are_touched_once() {
        let changes = [
            noted(Entity::Edge, "b:a", None, Some(json!({}))),
            noted(Entity::Block, "a", Some(json!({})), Some(json!({"superseded_by": "c"}))),
            noted(Entity::Frame, "self", None, Some(json!({}))),
        ];
        let touched = touched(Some("shop"), &changes);
        assert_eq!(touched, "\u{1f}@shop\u{1f}a\u{1f}b\u{1f}c\u{1f}self\u{1f}");
        assert!(touched.contains(&listed("b")) && !touched.contains(&listed("sel")));
        let told = [noted(Entity::Event, "e1|a", None, Some(json!({})))];
        assert_eq!(super::touched(Some("shop"), &told), "\u{1f}@shop\u{1f}a\u{1f}e1\u{1f}");
    }
}
