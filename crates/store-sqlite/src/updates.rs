//! Updated rows in the journal, in a short form: `["updated", entity, id, {field: [before, after], …}]`.
//!
//! Of a row that was updated, both images have the same fields, those that changed. Each field is named once.

use elfmem_store::{Change, Entity, RecordedChange};
use serde::de::{Deserialize, IntoDeserializer, SeqAccess};
use serde_json::{Map, Value};

use crate::uses::next;

/// What the entry begins with.
pub(crate) const NAME: &str = "updated";

/// Appends a change in the short form. Returns false and appends nothing if it is no update, or its images have different fields.
pub(crate) fn encode(change: &RecordedChange, text: &mut String) -> bool {
    let (Some(before), Some(after)) = (fields(change.before.as_deref()), fields(change.after.as_deref())) else {
        return false;
    };
    if before.len() != after.len() || before.keys().any(|name| !after.contains_key(name)) {
        return false;
    }
    let both = |(name, was): (String, Value)| {
        let is = after.get(&name).cloned().unwrap_or(Value::Null);
        (name, Value::from([was, is]))
    };
    let both: Map<String, Value> = before.into_iter().map(both).collect();
    let (entity, id) = (change.entity.as_str(), Value::from(change.id.as_str()));
    text.push_str(&format!("[\"{NAME}\",\"{entity}\",{id},{}]", Value::from(both)));
    true
}

fn fields(image: Option<&str>) -> Option<Map<String, Value>> {
    serde_json::from_str(image?).ok()
}

/// Reads what [`encode`] wrote, after the name.
pub(crate) fn decode<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<Change, A::Error> {
    let entity: String = next(list)?;
    let entity = Entity::deserialize(entity.as_str().into_deserializer())?;
    let (id, both): (String, std::collections::BTreeMap<String, (Value, Value)>) = (next(list)?, next(list)?);
    let (mut before, mut after) = (Map::new(), Map::new());
    for (name, (was, is)) in both {
        before.insert(name.clone(), was);
        after.insert(name, is);
    }
    Ok(Change { entity, id, before: Some(before.into()), after: Some(after.into()) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::changes::{decoded, encoded};

    fn stored(before: Option<&str>, after: Option<&str>) -> String {
        let change = RecordedChange {
            entity: Entity::Edge,
            id: "a:\"b".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        let text = encoded(std::slice::from_ref(&change));
        let read = decoded(&text).unwrap();
        let image = |text: Option<&str>| text.map(|text| serde_json::from_str(text).unwrap());
        let expected = Change { entity: change.entity, id: change.id, before: image(before), after: image(after) };
        assert_eq!(read, [expected], "{text}");
        text
    }

    #[test]
    fn fields_of_an_updated_row_are_named_once() {
        let text = stored(Some("{\"note\":null,\"weight\":0.55}"), Some("{\"note\":\"n\",\"weight\":1e-7}"));
        assert_eq!(text, "[[\"updated\",\"edge\",\"a:\\\"b\",{\"note\":[null,\"n\"],\"weight\":[0.55,1e-7]}]]");
        stored(Some("{}"), Some("{}"));
    }

    #[test]
    fn everything_else_keeps_its_images() {
        for (before, after) in [
            (None, Some("{\"weight\":1}")),
            (Some("{\"weight\":1}"), None),
            (Some("{\"weight\":1}"), Some("{\"note\":1}")),
            (Some("{\"weight\":1}"), Some("{\"note\":1,\"weight\":1}")),
            (None, None),
        ] {
            assert!(!stored(before, after).contains(NAME));
        }
    }

    #[test]
    fn damaged_updates_are_refused() {
        for text in [
            "[[\"updated\"]]",
            "[[\"updated\",\"edge\",\"a:b\",{\"weight\":[1]}]]",
            "[[\"updated\",\"x\",\"a:b\",{}]]",
            "[[\"updated\",\"edge\",\"a:b\",{},1]]",
        ] {
            assert!(decoded(text).is_err(), "{text}");
        }
    }
}
