//! Any arguments for every verb of the table, several calls on one memory: each answers or refuses in words, a refusal changes nothing, and
//! the store is sound after all of them.
//!
//! An input that is JSON is a list of calls, `[["learn", {"content": "…"}], …]`. Any other is read as choices: which verb, which of its
//! parameters, which values.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use elfmem_core::BlockId;
use elfmem_engine::catalog::{ValueKind, Verb, all};
use elfmem_fuzz::{CONTEXTS, KNOWN, MARK, arguments, furnished, ids, must_be_sound_after, must_be_told, position};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

/// A call: which verb, with what.
type Call = (String, Map<String, Value>);

/// The most calls of one input.
const MOST_CALLS: usize = 6;

fuzz_target!(|bytes: &[u8]| {
    let calls = serde_json::from_slice::<Vec<Call>>(bytes).unwrap_or_else(|_| chosen(&mut Unstructured::new(bytes)));
    if calls.is_empty() {
        return;
    }
    let memory = furnished();
    for (name, arguments) in calls.iter().take(MOST_CALLS) {
        let before = position(&memory);
        match memory.invoke(name, arguments) {
            Ok(reply) => assert!(reply.json.is_object(), "{name} {arguments:?}: {}", reply.json),
            Err(error) => {
                must_be_told(&error);
                assert_eq!(
                    position(&memory),
                    before,
                    "{name} {arguments:?} was refused and changed something: {error}"
                );
            }
        }
    }
    must_be_sound_after(&memory, &calls);
});

fn chosen(u: &mut Unstructured<'_>) -> Vec<Call> {
    let verbs: Vec<&Verb> = all().collect();
    let mut calls = Vec::new();
    while !u.is_empty() && calls.len() < MOST_CALLS {
        let Ok(call) = call(u, &verbs) else { break };
        calls.push(call);
    }
    calls
}

fn call(u: &mut Unstructured<'_>, verbs: &[&Verb]) -> Result<Call> {
    let verb = u.choose(verbs)?;
    // Arguments that are known to work, most of them left as they are; or all of them chosen.
    let mut arguments = if u.arbitrary::<bool>()? { arguments(verb.name) } else { Map::new() };
    let works = !arguments.is_empty();
    for parameter in verb.parameters {
        let given = u.int_in_range(0..=7)?;
        if works && (1..6).contains(&given) {
            continue;
        }
        arguments.remove(parameter.name);
        // What must be given mostly is, and what may be now and then.
        if given == 0 || given < 5 && !parameter.required {
            continue;
        }
        let value = if given == 7 { odd(u)? } else { fitting(u, parameter.kind, parameter.name)? };
        arguments.insert(parameter.name.to_owned(), value);
    }
    Ok((verb.name.to_owned(), arguments))
}

/// A value of the kind that is wanted.
fn fitting(u: &mut Unstructured<'_>, kind: ValueKind, name: &str) -> Result<Value> {
    Ok(match kind {
        ValueKind::Text | ValueKind::Time => text(u)?.into(),
        ValueKind::Texts => {
            let count = u.int_in_range(0..=3)?;
            (0..count).map(|_| text(u).map(Value::from)).collect::<Result<Vec<_>>>()?.into()
        }
        ValueKind::Count => number(u)?.into(),
        ValueKind::Counts => vec![number(u)?, number(u)?].into(),
        ValueKind::Number => float(u)?,
        ValueKind::Numbers => {
            let count = u.int_in_range(0..=6)?;
            (0..count).map(|_| float(u)).collect::<Result<Vec<_>>>()?.into()
        }
        ValueKind::Flag => u.arbitrary::<bool>()?.into(),
        ValueKind::Choice(words) => (*u.choose(words)?).into(),
        ValueKind::Object => object(u, name)?,
        ValueKind::Objects => {
            let count = u.int_in_range(0..=3)?;
            (0..count).map(|_| object(u, name)).collect::<Result<Vec<_>>>()?.into()
        }
    })
}

/// Words of several kinds that mean something to one verb or another.
const WORDS: [&str; 18] = [
    "observation",
    "fact",
    "heartbeat",
    "related_to",
    "extends",
    "reinforces",
    "contradicts",
    "derived_from",
    "self/context",
    "topic/known",
    "topic/%",
    "attention",
    "agent",
    "document",
    MARK,
    "kept-outcome",
    "yesterday",
    "2026-05-01",
];

/// A text that means something here, or any.
fn text(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=9)? {
        0 => u.choose(&ids())?.clone(),
        1..=2 => BlockId::for_content(u.choose(&KNOWN)?).to_string(),
        3 => BlockId::for_content(u.choose(&KNOWN)?).short().to_owned(),
        4 => (*u.choose(&KNOWN)?).to_owned(),
        5 => (*u.choose(&CONTEXTS)?).to_owned(),
        6 => (*u.choose(&WORDS)?).to_owned(),
        7 => "ä".repeat(usize::from(u.arbitrary::<u16>()?)),
        _ => u.arbitrary::<&str>()?.to_owned(),
    })
}

fn number(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(match u.int_in_range(0..=3)? {
        0 => u.arbitrary()?,
        1 => u.arbitrary::<u32>()?.into(),
        _ => u.arbitrary::<u8>()?.into(),
    })
}

fn float(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match u.int_in_range(0..=2)? {
        0 => json!(u.arbitrary::<f64>()?),
        1 => json!(i64::from(u.arbitrary::<i8>()?)),
        _ => json!(f64::from(u.arbitrary::<u8>()?) / 255.0),
    })
}

/// What a verb that takes objects may find in them.
const FIELDS: [&str; 28] = [
    "event_kind",
    "source",
    "payload",
    "content",
    "context_id",
    "links",
    "related_to",
    "extends",
    "reinforces",
    "contradicts",
    "timestamp",
    "replace",
    "idempotency_key",
    "type",
    "target",
    "relation",
    "weight",
    "note",
    "if_exists",
    "context_type",
    "context_name",
    "alignment",
    "summary",
    "contradictions",
    "other_id",
    "score",
    "reason",
    "tags",
];

fn object(u: &mut Unstructured<'_>, name: &str) -> Result<Value> {
    let mut fields = Map::new();
    if name == "events" {
        fields.insert("event_kind".to_owned(), "observation".into());
        fields.insert("payload".to_owned(), text(u)?.into());
    } else if name == "edges" {
        fields.insert("source".to_owned(), text(u)?.into());
        fields.insert("target".to_owned(), text(u)?.into());
    } else if name == "links" {
        fields.insert("type".to_owned(), (*u.choose(&WORDS[3..8])?).into());
        fields.insert("target".to_owned(), text(u)?.into());
    } else if name == "analyses" {
        // By block, each an object of its own.
        let block = text(u)?;
        let contradicted = json!([{"other_id": text(u)?, "score": float(u)?, "reason": text(u)?}]);
        fields.insert(block, json!({"alignment": float(u)?, "tags": [text(u)?], "contradictions": contradicted}));
    }
    for _ in 0..u.int_in_range(0..=4)? {
        let field = if u.ratio(1, 8)? { text(u)? } else { (*u.choose(&FIELDS)?).to_owned() };
        fields.insert(field, odd(u)?);
    }
    Ok(fields.into())
}

/// A value of any kind.
fn odd(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match u.int_in_range(0..=9)? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => float(u)?,
        3 => number(u)?.into(),
        4 => json!([text(u)?]),
        5 => json!({ text(u)?: text(u)? }),
        6 => serde_json::from_str(&text(u)?).unwrap_or_default(),
        _ => text(u)?.into(),
    })
}
