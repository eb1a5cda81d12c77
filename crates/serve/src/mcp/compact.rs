//! Short dictionaries for the default tool list. Some hosts show a model the dictionary beside the text, or instead of it, and
//! the model pays for each word of it.

use elfmem_engine::Reply;
use elfmem_engine::catalog::ToolProfile;
use serde_json::{Map, Number, Value};

/// Keys that explain a ranking.
const EXPLANATIONS: [&str; 2] = ["explain", "evidence"];
/// Decimal places of numbers.
const PLACES: i32 = 3;

/// Returns an answer with a short dictionary if the list is the default one: without the explanation of the ranking, without
/// keys that have no value in a block or another item of a list, and with rounded numbers. The longer lists keep everything.
pub(super) fn reply(reply: Reply, profile: ToolProfile) -> Reply {
    match profile {
        ToolProfile::Core => Reply { json: compact(reply.json, false), ..reply },
        ToolProfile::Locus | ToolProfile::All => reply,
    }
}

fn compact(value: Value, is_item: bool) -> Value {
    match value {
        Value::Object(fields) => Value::Object(compact_fields(fields, is_item)),
        Value::Array(items) => items.into_iter().map(|item| compact(item, true)).collect(),
        Value::Number(number) => Value::Number(rounded(number)),
        other => other,
    }
}

fn compact_fields(fields: Map<String, Value>, is_item: bool) -> Map<String, Value> {
    let is_left_out = |name: &str, value: &Value| EXPLANATIONS.contains(&name) || is_item && has_no_value(value);
    let kept = fields.into_iter().filter(|(name, value)| !is_left_out(name, value));
    kept.map(|(name, value)| (name, compact(value, false))).collect()
}

fn has_no_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn rounded(number: Number) -> Number {
    let factor = 10_f64.powi(PLACES);
    let fraction = number.as_f64().filter(|_| number.is_f64());
    fraction.and_then(|value| Number::from_f64((value * factor).round() / factor)).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_default_list_gets_what_answers_and_the_others_get_all() {
        let json = json!({
            "query": "port",
            "message": null,
            "left_out": [],
            "evidence": {"words": 0.5},
            "relevance": 0.714_016,
            "blocks": [{"block_id": "71d2", "explain": {"words": 0.2}, "newer": null, "tags": [], "trusted": true, "used": 3}],
        });
        let answer = |profile| reply(Reply { text: "text".to_owned(), json: json.clone() }, profile);
        let short = json!({
            "query": "port",
            "message": null,
            "left_out": [],
            "relevance": 0.714,
            "blocks": [{"block_id": "71d2", "trusted": true, "used": 3}],
        });
        assert_eq!(answer(ToolProfile::Core).json, short);
        assert_eq!(answer(ToolProfile::Core).text, "text");
        assert_eq!(answer(ToolProfile::All).json, json);
    }
}
