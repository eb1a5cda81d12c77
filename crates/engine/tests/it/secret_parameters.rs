//! A secret in any text of any verb never reaches the file.

use elfmem_engine::catalog::{ValueKind, all};
use elfmem_engine::{ExportOptions, ImportOptions, Options, ParsedImport, SessionStyle};
use elfmem_text::secrets::SecretsPolicy;
use serde_json::{Value, json};

use crate::fixtures::{open_file, open_memory};
use crate::verb_calls::{Filled, add_review_frame, fill, thinking};
use crate::{clock, memory_on, options};

const MARK: &str = "m";

/// Put together here, so that no key stands in this file.
fn key() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0)
}

/// Values of a parameter that contain a secret, in the forms that some parameter accepts.
fn values(kind: ValueKind) -> Vec<Value> {
    let key = key();
    let texts = [key.clone(), format!("topic/{key}"), format!("skill:{key}"), format!("https://ada:{key}@host/a.md")];
    match kind {
        ValueKind::Text => texts.into_iter().map(Value::String).collect(),
        ValueKind::Texts => texts.into_iter().map(|text| json!([text])).collect(),
        ValueKind::Object => {
            vec![json!({"data": key}), json!({key.clone(): "data"}), json!({"topic": "t", "value": key})]
        }
        ValueKind::Objects => vec![
            json!([{"event_kind": "fact", "payload": {"data": key}, "context_id": format!("skill:{key}")}]),
            json!([{"event_kind": "fact", "content": key}]),
            json!([{"type": "extends", "target": format!("skill:{key}")}]),
        ],
        _ => Vec::new(),
    }
}

#[test]
fn no_parameter_of_any_verb_stores_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (mut accepted, mut tried) = (Vec::new(), 0);
    for verb in all() {
        let (path, clock) = (folder.path().join(format!("{}.db", verb.name)), clock());
        let memory = open_file(&path, Options { models: thinking(&[MARK]), ..options(&clock) });
        let filled = fill(&memory, MARK);
        add_review_frame(&memory);
        for parameter in verb.parameters {
            for value in values(parameter.kind) {
                let mut arguments = filled.arguments(verb.name);
                arguments[parameter.name] = value;
                if let Some(first) = Filled::before(verb) {
                    let _ = memory.invoke(first, json!({}).as_object().unwrap());
                }
                tried += 1;
                if memory.invoke(verb.name, arguments.as_object().unwrap()).is_ok() {
                    accepted.push((verb.name, parameter.name));
                }
            }
        }
        drop(memory);
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(key().len()).any(|window| window == key().as_bytes());
            assert!(!found, "{} stored a secret in {}", verb.name, path.display());
            std::fs::remove_file(&path).unwrap();
        }
    }
    accepted.dedup();
    assert!(tried > 300 && accepted.len() > 60, "{tried} tried, {} accepted: {accepted:?}", accepted.len());
}

#[test]
fn a_secret_in_any_text_of_an_export_is_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let secrets = SecretsPolicy::Allow;
    let source = open_memory(Options { secrets, models: thinking(&[MARK]), ..options(&clock) });
    let filled = fill(&source, MARK);
    for verb in ["store_event", "connect", "begin_session", "add_frame"] {
        source.invoke(verb, filled.arguments(verb).as_object().unwrap()).unwrap();
    }
    let mut file = Vec::new();
    source.export(&mut file, &ExportOptions::default()).unwrap();
    let rows: Vec<Value> =
        std::str::from_utf8(&file).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut places = 0;
    for (row, original) in rows.iter().enumerate().skip(1) {
        for field in text_fields(original) {
            let mut poisoned = original.clone();
            let place = poisoned.pointer_mut(&field).unwrap();
            let before = place.as_str().unwrap_or_default().to_owned();
            *place = Value::String(format!("{before}{}{}", if before.contains(':') { "" } else { " " }, key()));
            let mut lines = rows.clone();
            lines[row] = poisoned;
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let Ok(parsed) = ParsedImport::read("m.jsonl", &text, None) else { continue };
            let path = folder.path().join("memory.db");
            let memory = memory_on(&path, &clock, SessionStyle::Held);
            let _ = memory.import(&parsed, &ImportOptions::default());
            drop(memory);
            places += 1;
            for file in std::fs::read_dir(folder.path()).unwrap() {
                let path = file.unwrap().path();
                let bytes = std::fs::read(&path).unwrap();
                let found = bytes.windows(key().len()).any(|window| window == key().as_bytes());
                assert!(!found, "{field} of {original} was stored with a secret");
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
    assert!(places > 100, "{places}");
}

/// Returns the JSON pointers of all texts in a row, except its type.
fn text_fields(row: &Value) -> Vec<String> {
    let mut fields = Vec::new();
    let mut open = vec![(String::new(), row)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::String(_) if pointer != "/type" => fields.push(pointer),
            Value::Array(values) => {
                open.extend(values.iter().enumerate().map(|(at, value)| (format!("{pointer}/{at}"), value)));
            }
            Value::Object(map) => open.extend(
                map.iter()
                    .map(|(name, value)| (format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), value)),
            ),
            _ => {}
        }
    }
    fields
}
