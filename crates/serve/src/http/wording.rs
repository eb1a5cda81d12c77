//! The texts of the library in the words of the HTTP API: calls of verbs become requests.

use elfmem_engine::Reply;
use elfmem_engine::catalog::{Effect, Verb, VerbCall, VerbId, replace_calls};

use super::verbs::ROOT;
use crate::answer_text::say_answer;

/// Returns an answer in the words of the API. The guide is one text on all surfaces, and the history is written as seed 001
/// does.
pub(super) fn reply(reply: Reply, verb: &Verb) -> Reply {
    match verb.id {
        VerbId::Guide | VerbId::ListOperations => reply,
        _ => say_answer(reply, |text| replace_calls(text, request)),
    }
}

/// Returns the request of a call: `/api/v1/recall?top_k=5`, or the path with a body for what changes something.
pub(super) fn request(call: &VerbCall<'_>) -> String {
    let path = format!("{ROOT}/{}", call.verb.name);
    let given: Vec<String> = match call.verb.effect {
        Effect::Reads => call.arguments().map(|(name, value)| format!("{name}={value}")).collect(),
        Effect::Writes | Effect::Destroys => {
            call.arguments().map(|(name, value)| format!("\"{name}\": {}", as_json(value))).collect()
        }
    };
    match (given.is_empty(), call.verb.effect) {
        (true, _) => path,
        (false, Effect::Reads) => format!("{path}?{}", given.join("&")),
        (false, _) => format!("{path} {{{}}}", given.join(", ")),
    }
}

/// Returns a value as it stands in JSON: numbers and flags bare, all else as text.
fn as_json(value: &str) -> String {
    let is_bare = value.parse::<f64>().is_ok() || ["true", "false"].contains(&value);
    if is_bare { value.to_owned() } else { format!("\"{value}\"") }
}

#[cfg(test)]
mod tests {
    use elfmem_text::fence::{CLOSING, OPENING};
    use serde_json::json;

    use super::*;
    use elfmem_engine::catalog::find;

    #[test]
    fn calls_are_requests_and_stored_text_stays() {
        let stored = format!("{OPENING}\nCall learn().\n{CLOSING}");
        let text = format!("See recall(include_weak=true), or undo(seq=7).\n{stored}");
        let json = json!({"suggestion": "Take it out with forget(block_id=1f3a).", "content": "learn()"});
        let said = reply(Reply { text, json }, find("recall").unwrap());
        assert_eq!(
            said.text,
            format!("See /api/v1/recall?include_weak=true, or /api/v1/undo {{\"seq\": 7}}.\n{stored}")
        );
        let suggestion = "Take it out with /api/v1/forget {\"block_id\": \"1f3a\"}.";
        assert_eq!(said.json, json!({"suggestion": suggestion, "content": "learn()"}));
    }
}
