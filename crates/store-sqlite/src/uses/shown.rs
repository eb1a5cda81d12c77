//! What one answer counted, as one entry:
//! `["shown", time, [[id, time before, count before], …], [[place, place, time before, count before], …], curve, [relevance, …]]`.
//!
//! The edges that an answer used are between blocks that it showed, and so is the relevance about them. Both name a block by its
//! place in the list instead of by its id. Relevance is null for a block without any; the curve is null for an answer without.

use elfmem_core::{BlockId, SessionId, Timestamp};
use elfmem_store::{Answer, Change, Entity, RecordedChange, ShownRelevance, StoreError};
use serde::Deserialize;
use serde::de::{Error, IgnoredAny, SeqAccess};
use serde_json::{Map, Value, json};

use super::{COUNTED, CountedUse, change, next, push_use};
use crate::changes::decoded;

/// What the entry begins with.
pub(super) const NAME: &str = "shown";

/// The places of the two kinds of row in [`COUNTED`].
const BLOCKS: usize = 0;
const EDGES: usize = 1;

/// The fields of the image of an answer.
const CURVE: &str = "curve";
const RELEVANCE: &str = "relevance";

/// The shown blocks, by which edges and relevance are named.
struct Shown<'a>(&'a [CountedUse<'a>]);

impl<'a> Shown<'a> {
    fn place(&self, id: &str) -> Option<usize> {
        self.0.iter().position(|used| used.id == id)
    }

    /// Returns the places of the ends of an edge that was used together with the blocks, and the use.
    fn edge<'b>(&self, change: &'b RecordedChange) -> Option<(usize, usize, CountedUse<'b>)> {
        let used = CountedUse::of(change)?;
        let (from, to) = used.id.split_once(':')?;
        let together = used.name == COUNTED[EDGES].0 && used.after == self.0.first()?.after;
        together.then_some((self.place(from)?, self.place(to)?, used))
    }

    /// Returns the curve and the relevance of each block, if a change tells these and nothing else.
    fn relevance(&self, change: &RecordedChange) -> Option<(Value, Vec<Value>)> {
        if change.entity != Entity::Answer || change.before.is_some() {
            return None;
        }
        let mut image: Map<String, Value> = serde_json::from_str(change.after.as_deref()?).ok()?;
        let (curve, relevance) = (image.remove(CURVE)?, image.remove(RELEVANCE)?);
        let Value::Object(relevance) = relevance else { return None };
        let is_ours = image.is_empty() && curve.is_string() && relevance.values().all(Value::is_number);
        let all_shown = relevance.keys().all(|id| self.place(id).is_some());
        let named_first = relevance.keys().min().is_some_and(|id| *id == change.id);
        let of = |used: &CountedUse<'_>| relevance.get(used.id).cloned().unwrap_or(Value::Null);
        (is_ours && all_shown && named_first).then(|| (curve, self.0.iter().map(of).collect()))
    }
}

/// Appends uses of blocks together with the uses of edges and the relevance that follow them. Returns how many of those there are;
/// if there are none, nothing is appended.
pub(super) fn encode(uses: &[CountedUse<'_>], following: &[RecordedChange], text: &mut String) -> usize {
    let mut ids: Vec<&str> = uses.iter().map(|used| used.id).collect();
    ids.sort_unstable();
    let are_distinct_blocks =
        ids.windows(2).all(|two| two[0] != two[1]) && uses.first().is_some_and(|used| used.name == COUNTED[BLOCKS].0);
    if !are_distinct_blocks {
        return 0;
    }
    let shown = Shown(uses);
    let edges: Vec<_> = following.iter().map_while(|change| shown.edge(change)).collect();
    let relevance = following.get(edges.len()).and_then(|change| shown.relevance(change));
    let written = edges.len() + usize::from(relevance.is_some());
    if written == 0 {
        return 0;
    }
    let after = uses.first().map_or("null", |used| used.after);
    text.push_str(&format!("[\"{NAME}\",{after},["));
    uses.iter().for_each(|used| push_use(text, used));
    text.push_str("],[");
    for (from, to, used) in &edges {
        let comma = if text.ends_with('[') { "" } else { "," };
        text.push_str(&format!("{comma}[{from},{to},{},{}]", used.before, used.count));
    }
    let (curve, relevance) = relevance.unwrap_or_default();
    text.push_str(&format!("],{curve},{}]", Value::from(relevance)));
    written
}

/// Reads what [`encode`] wrote, after the name.
pub(super) fn decode<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<Vec<Change>, A::Error> {
    let after: Value = next(list)?;
    let blocks: Vec<(String, Value, u64)> = next(list)?;
    let edges: Vec<(usize, usize, Value, u64)> = next(list)?;
    let (curve, relevance): (Option<String>, Vec<Option<Value>>) = (next(list)?, next(list)?);
    let ids: Vec<String> = blocks.iter().map(|(id, ..)| id.clone()).collect();
    let id = |place: usize| ids.get(place).ok_or_else(|| A::Error::custom("an edge names a block that was not shown"));
    let mut changes: Vec<Change> =
        blocks.into_iter().map(|(id, before, count)| change(BLOCKS, id, &after, before, count)).collect();
    for (from, to, before, count) in edges {
        changes.push(change(EDGES, format!("{}:{}", id(from)?, id(to)?), &after, before, count));
    }
    if let Some(curve) = curve {
        let told = ids.iter().cloned().zip(relevance).filter_map(|(id, value)| Some((id, value?)));
        let relevance: Map<String, Value> = told.collect();
        let first = relevance.keys().min().cloned();
        let first = first.ok_or_else(|| A::Error::custom("an answer tells the relevance of no block"))?;
        let image = json!({ CURVE: curve, RELEVANCE: relevance });
        changes.push(Change { entity: Entity::Answer, id: first, before: None, after: Some(image) });
    }
    Ok(changes)
}

/// Reads an answer from the changes of its operation, which are usually nothing but what [`encode`] wrote: then no image of a row is
/// made of them.
pub(crate) fn answer(at: Timestamp, session: SessionId, text: &str) -> Result<Answer, StoreError> {
    match serde_json::from_str::<[ShortAnswer<'_>; 1]>(text) {
        Ok([ShortAnswer(NAME, _, blocks, _, curve, relevance)]) => {
            let shown: Vec<BlockId> = blocks.into_iter().map(|(id, ..)| BlockId::from_stored(id)).collect();
            let told = |curve| {
                let relevance = shown.iter().cloned().zip(relevance).filter_map(|(id, value)| Some((id, value?)));
                ShownRelevance { curve, relevance: relevance.collect() }
            };
            Ok(Answer { at, session, relevance: curve.map(told), shown })
        }
        _ => Ok(Answer::from_changes(at, session, &decoded(text)?)),
    }
}

/// The parts of the entry that an answer is read from: its name, the blocks by their ids, the curve and the relevance.
#[derive(Deserialize)]
struct ShortAnswer<'a>(
    &'a str,
    IgnoredAny,
    #[serde(borrow)] Vec<(&'a str, IgnoredAny, IgnoredAny)>,
    IgnoredAny,
    Option<String>,
    Vec<Option<f64>>,
);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::changes::encoded;

    fn used(entity: Entity, time: &str, id: &str, count: u64) -> RecordedChange {
        let image = |at: &str, count: u64| Some(format!("{{\"{time}\":{at},\"reinforcement_count\":{count}}}"));
        RecordedChange { entity, id: id.into(), before: image("1.5", count), after: image("2.25", count + 1) }
    }

    fn block(id: &str, count: u64) -> RecordedChange {
        used(Entity::Block, "last_reinforced_at", id, count)
    }

    fn edge(id: &str, count: u64) -> RecordedChange {
        used(Entity::Edge, "last_active_hours", id, count)
    }

    /// The first use of an edge, which had no time before.
    fn first_use(id: &str) -> RecordedChange {
        let (before, after) = (
            "{\"reinforcement_count\":0,\"last_active_hours\":null}",
            "{\"reinforcement_count\":1,\"last_active_hours\":2.25}",
        );
        RecordedChange { entity: Entity::Edge, id: id.into(), before: Some(before.into()), after: Some(after.into()) }
    }

    fn answer(id: &str, image: &str) -> RecordedChange {
        RecordedChange { entity: Entity::Answer, id: id.into(), before: None, after: Some(image.into()) }
    }

    /// Checks that changes are read as they were, and returns their stored form.
    fn stored(changes: &[RecordedChange]) -> String {
        let text = encoded(changes);
        let read = decoded(&text).unwrap();
        assert_eq!(read.len(), changes.len(), "{text}");
        for (read, written) in read.iter().zip(changes) {
            let image = |text: &Option<String>| text.as_deref().map(|text| serde_json::from_str(text).unwrap());
            assert_eq!((read.entity, &read.id), (written.entity, &written.id), "{text}");
            assert_eq!((&read.before, &read.after), (&image(&written.before), &image(&written.after)), "{text}");
        }
        text
    }

    const BOTH: &str = "{\"curve\":\"c \\\"1\\\"\",\"relevance\":{\"a\":0.5,\"b\":0.0774}}";

    #[test]
    fn an_answer_names_each_block_once_and_is_read_as_it_was_written() {
        let whole = [block("b", 3), block("a", 0), block("c", 1), edge("a:b", 7), edge("b:c", 0), answer("a", BOTH)];
        assert_eq!(
            stored(&whole),
            "[[\"shown\",2.25,[[\"b\",1.5,3],[\"a\",1.5,0],[\"c\",1.5,1]],[[1,0,1.5,7],[0,2,1.5,0]],\"c \\\"1\\\"\",\
             [0.0774,0.5,null]]]"
        );
        assert_eq!(
            stored(&[block("a", 3), edge("a:a", 7)]),
            "[[\"shown\",2.25,[[\"a\",1.5,3]],[[0,0,1.5,7]],null,[]]]"
        );
        stored(&[block("b", 3), block("a", 0), answer("a", BOTH), block("a", 1), block("d", 1)]);
        stored(&[block("a", 3), block("b", 0), first_use("a:b"), answer("a", BOTH)]);
    }

    #[test]
    fn answers_are_read_from_both_forms_alike() {
        let one = [block("b", 3), block("a", 0), edge("a:b", 7), answer("a", BOTH)];
        let more = [block("b", 3), block("a", 0), answer("a", BOTH), block("d", 1)];
        let odd = [answer("a", BOTH), block("a", 1), block("b", 1)];
        for changes in [&one[..], &one[..3], &one[..2], &more, &odd, &[]] {
            let text = encoded(changes);
            let read = |answer: Answer| (answer.shown, answer.relevance);
            let (at, session) = (Timestamp::UNIX_EPOCH, SessionId::from_stored("s"));
            let slowly = Answer::from_changes(at, session.clone(), &decoded(&text).unwrap());
            assert_eq!(read(super::answer(at, session, &text).unwrap()), read(slowly), "{text}");
        }
        assert!(super::answer(Timestamp::UNIX_EPOCH, SessionId::from_stored("s"), "[[\"shown\"]]").is_err());
    }

    #[test]
    fn what_does_not_fit_keeps_its_own_form() {
        let odd = [
            vec![block("a", 1), answer("a", BOTH)],
            vec![block("a", 1), block("b", 1), answer("b", BOTH)],
            vec![block("a", 1), block("b", 1), answer("a", "{\"relevance\":{\"a\":0.5}}")],
            vec![block("a", 1), answer("a", "{\"curve\":\"c\",\"relevance\":{}}")],
            vec![block("a", 1), answer("a", "{\"curve\":\"c\",\"more\":1,\"relevance\":{\"a\":0.5}}")],
            vec![block("a", 1), answer("a", "{\"curve\":null,\"relevance\":{\"a\":0.5}}")],
            vec![block("a", 1), answer("a", "{\"curve\":\"c\",\"relevance\":{\"a\":\"x\"}}")],
            vec![block("a", 1), block("b", 1), block("a", 2), answer("a", BOTH)],
            vec![edge("a:b", 1), answer("a", BOTH)],
            vec![block("a", 1), edge("a:b", 1)],
        ];
        for changes in odd {
            let text = stored(&changes);
            assert!(!text.contains("shown"), "{text}");
        }
        let beside = stored(&[block("a", 1), block("b", 1), edge("a:b", 1), edge("a:x", 1), answer("a", BOTH)]);
        assert!(beside.contains("[[0,1,1.5,1]],null,[]],[\"used_edges\""), "{beside}");
    }

    #[test]
    fn damaged_answers_are_refused() {
        for text in [
            "[[\"shown\",1.0,[]]]",
            "[[\"shown\",1.0,[[\"a\",1.0,1]],[[0,1,1.0,1]],null,[]]]",
            "[[\"shown\",1.0,[[\"a\",1.0,1]],[],\"c\",[null]]]",
            "[[\"shown\",1.0,[[\"a\",1.0,1]],[],\"c\",[0.5],1]]",
        ] {
            assert!(decoded(text).is_err(), "{text}");
        }
    }
}
