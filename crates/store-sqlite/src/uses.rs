//! Counted uses in the journal, in a short form: `["used", time, [[id, time before, count before], …]]`.
//!
//! Every recall counts a use of each block it shows and of each edge between them. As images before and after that is 150
//! bytes a row, most of them the names of two fields, and 30 days of answers are most of a journal. Blocks and edges that were
//! used once at one time share it, and their counts grew by one: what they were before is all that has to be kept. An [answer](shown)
//! is shorter still.

pub(crate) mod shown;

use elfmem_store::{Change, Entity, RecordedChange};
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::updates;

/// The count in an image of either kind of row.
const COUNT: &str = "reinforcement_count";

/// The rows whose uses are counted: what a list of them begins with, and the field that holds the time of the last use.
const COUNTED: [(&str, Entity, &str); 2] =
    [("used", Entity::Block, "last_reinforced_at"), ("used_edges", Entity::Edge, "last_active_hours")];

/// One use of a row, as texts of JSON.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CountedUse<'a> {
    name: &'static str,
    id: &'a str,
    before: &'a str,
    after: &'a str,
    /// How often it was used before.
    count: u64,
}

impl<'a> CountedUse<'a> {
    /// Returns the use that a change is, if it is nothing else.
    fn of(change: &'a RecordedChange) -> Option<Self> {
        let (name, _, time) = COUNTED.iter().find(|(_, entity, _)| *entity == change.entity)?;
        let (before, count) = time_and_count(change.before.as_deref()?, time)?;
        let (after, next) = time_and_count(change.after.as_deref()?, time)?;
        (count.checked_add(1) == Some(next)).then_some(Self { name, id: &change.id, before, after, count })
    }
}

/// Returns the two values of an image that has these two fields and no other. An edge that was never used has no time, which the
/// image then names last.
fn time_and_count<'a>(image: &'a str, time: &str) -> Option<(&'a str, u64)> {
    let fields = image.strip_prefix('{')?.strip_suffix('}')?;
    let value_of = |field: &'a str, name: &str| field.strip_prefix('"')?.strip_prefix(name)?.strip_prefix("\":");
    let (one, other) = fields.split_once(',')?;
    let (time, count) = match value_of(one, time) {
        Some(value) => (value, value_of(other, COUNT)?),
        None => (value_of(other, time)?, value_of(one, COUNT)?),
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    let canonical = count.parse::<u64>().ok().filter(|number| number.to_string() == count)?;
    ((is_number(time) && !time.is_empty()) || time == "null").then_some((time, canonical))
}

/// Returns how many changes at the beginning of some are uses of one kind at one time, and appends them in the short form.
/// Returns 0 and appends nothing if the first change is none.
pub(crate) fn encode(changes: &[RecordedChange], text: &mut String) -> usize {
    let Some(first) = changes.first().and_then(CountedUse::of) else { return 0 };
    let same = |used: &CountedUse<'_>| used.name == first.name && used.after == first.after;
    let uses: Vec<CountedUse<'_>> = changes.iter().map_while(|change| CountedUse::of(change).filter(same)).collect();
    let answered = shown::encode(&uses, &changes[uses.len()..], text);
    if answered > 0 {
        return uses.len() + answered;
    }
    text.push_str(&format!("[\"{}\",{},[", first.name, first.after));
    uses.iter().for_each(|used| push_use(text, used));
    text.push_str("]]");
    uses.len()
}

/// Appends a use to a list of them.
fn push_use(text: &mut String, used: &CountedUse<'_>) {
    let comma = if text.ends_with('[') { "" } else { "," };
    text.push_str(&format!("{comma}[{},{},{}]", Value::from(used.id), used.before, used.count));
}

/// One entry of the list of changes: one change, or the uses of several rows.
#[derive(Debug)]
pub(crate) struct Entry(pub(crate) Vec<Change>);

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a change of the journal")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entry, A::Error> {
        let kind: String = next(&mut list)?;
        let changes = match COUNTED.iter().position(|(name, ..)| *name == kind) {
            Some(counted) => {
                let (after, uses): (Value, Vec<(String, Value, u64)>) = (next(&mut list)?, next(&mut list)?);
                uses.into_iter().map(|(id, before, count)| change(counted, id, &after, before, count)).collect()
            }
            None if kind == shown::NAME => shown::decode(&mut list)?,
            None if kind == updates::NAME => vec![updates::decode(&mut list)?],
            None => {
                let entity = Entity::deserialize(kind.as_str().into_deserializer())?;
                let (id, before, after) = (next(&mut list)?, next(&mut list)?, next(&mut list)?);
                vec![Change { entity, id, before, after }]
            }
        };
        match list.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(Entry(changes)),
            Some(_) => Err(A::Error::custom("a change has more parts than it may have")),
        }
    }
}

/// Returns the change that a use of a row was; `counted` is the place of its kind in [`COUNTED`].
fn change(counted: usize, id: String, after: &Value, before: Value, count: u64) -> Change {
    let (_, entity, time) = COUNTED[counted];
    let image = |at: Value, count: u64| {
        let fields = [(time.to_owned(), at), (COUNT.to_owned(), count.into())];
        Some(Value::Object(Map::from_iter(fields)))
    };
    let after = image(after.clone(), count.saturating_add(1));
    Change { entity, id, before: image(before, count), after }
}

pub(crate) fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(list: &mut A) -> Result<T, A::Error> {
    list.next_element()?.ok_or_else(|| A::Error::custom("a change has fewer parts than it must have"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::changes::{decoded, encoded};

    fn used(entity: Entity, id: &str, before: &str, after: &str) -> RecordedChange {
        RecordedChange { entity, id: id.into(), before: Some(before.into()), after: Some(after.into()) }
    }

    fn block(id: &str, before: &str, count: u64, after: &str) -> RecordedChange {
        let image = |at: &str, count: u64| format!("{{\"last_reinforced_at\":{at},\"reinforcement_count\":{count}}}");
        used(Entity::Block, id, &image(before, count), &image(after, count + 1))
    }

    fn edge(id: &str, before: &str, count: u64, after: &str) -> RecordedChange {
        let image = |at: &str, count: u64| format!("{{\"last_active_hours\":{at},\"reinforcement_count\":{count}}}");
        used(Entity::Edge, id, &image(before, count), &image(after, count + 1))
    }

    #[test]
    fn uses_at_one_time_are_short_and_read_as_they_were_written() {
        let changes = [
            block("a", "200.41666666667544", 25, "205.13666666667618"),
            block("b\"", "null", 0, "205.13666666667618"),
            edge("a:b", "null", 3, "205.13666666667618"),
            block("c", "1e-7", 7, "206.0"),
        ];
        let text = encoded(&changes);
        assert_eq!(
            text,
            "[[\"used\",205.13666666667618,[[\"a\",200.41666666667544,25],[\"b\\\"\",null,0]]],\
             [\"used_edges\",205.13666666667618,[[\"a:b\",null,3]]],[\"used\",206.0,[[\"c\",1e-7,7]]]]"
        );
        let read = decoded(&text).unwrap();
        assert_eq!(read.len(), changes.len());
        for (change, written) in read.iter().zip(&changes) {
            let image = |text: &Option<String>| serde_json::from_str::<Value>(text.as_deref().unwrap()).unwrap();
            assert_eq!((change.entity, &change.id), (written.entity, &written.id));
            assert_eq!(change.before, Some(image(&written.before)));
            assert_eq!(change.after, Some(image(&written.after)));
        }
    }

    #[test]
    fn everything_else_keeps_its_images() {
        let whole = "{\"last_reinforced_at\":1.0,\"reinforcement_count\":1}";
        for (before, after) in [
            (whole, "{\"last_reinforced_at\":2.0,\"reinforcement_count\":3}"),
            (whole, "{\"reinforcement_count\":2}"),
            (whole, "{\"last_reinforced_at\":2.0,\"last_session_id\":\"s\",\"reinforcement_count\":2}"),
            ("{\"last_reinforced_at\":\"x\",\"reinforcement_count\":1}", whole),
            (
                "{\"last_active_hours\":1.0,\"reinforcement_count\":1}",
                "{\"last_active_hours\":2.0,\"reinforcement_count\":2}",
            ),
        ] {
            let change = used(Entity::Block, "a", before, after);
            let text = encoded(std::slice::from_ref(&change));
            assert!(!text.contains("used"), "{text}");
            let image = |text: &str| Some(serde_json::from_str::<Value>(text).unwrap());
            let kept = Change { entity: Entity::Block, id: "a".into(), before: image(before), after: image(after) };
            assert_eq!(decoded(&text).unwrap(), [kept]);
        }
    }

    #[test]
    fn damaged_lists_are_refused() {
        for text in [
            "[",
            "[[]]",
            "[[\"used\",1.0]]",
            "[[\"used\",1.0,[[\"a\",1.0]]]]",
            "[[\"block\",\"a\",null,null,1]]",
            "[[\"x\",1]]",
        ] {
            assert!(decoded(text).is_err(), "{text}");
        }
    }
}
