//! The texts of the library in the words of the HTTP API: calls of verbs become requests.

use elfmem_engine::Reply;
use elfmem_engine::catalog::{Effect, Verb, VerbCall, VerbId, documented, replace_calls};
use serde_json::{Map, Value, json};

use super::verbs::ROOT;
use crate::answer_text::{is_of_the_seeds, say_answer};
use crate::confirmation;

/// Returns an answer in the words of the API. The overview of the guide is one text on all surfaces, and the history is written
/// as seed 001 does.
pub(super) fn reply(reply: Reply, verb: &Verb, arguments: &Map<String, Value>) -> Reply {
    match verb.id {
        VerbId::Guide => guide(reply, arguments),
        VerbId::ListOperations => reply,
        _ => say_answer(reply, |text| replace_calls(text, request)),
    }
}

/// Returns the card of the verb that was asked for, with a request as the example.
fn guide(reply: Reply, arguments: &Map<String, Value>) -> Reply {
    let asked = arguments.get("method_name").and_then(Value::as_str).unwrap_or_default();
    let Some(verb) = documented(asked) else { return reply };
    let say = |text: &str| if is_of_the_seeds(verb) { text.to_owned() } else { replace_calls(text, request) };
    let text = verb.card_in_words(say, &example(verb), &replace_calls(confirmation::needs(verb), request));
    Reply { json: json!({"text": text}), text }
}

/// Returns the example of a verb as a request.
fn example(verb: &Verb) -> String {
    let mut arguments = verb.example_arguments().unwrap_or_default();
    confirmation::complete_example(verb, &mut arguments);
    match (arguments.is_empty(), verb.effect) {
        (true, Effect::Reads) => format!("GET {ROOT}/{}", verb.name),
        (true, _) => format!("POST {ROOT}/{}", verb.name),
        (false, _) => format!("POST {ROOT}/{} {}", verb.name, Value::Object(arguments)),
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
    use super::*;
    use elfmem_engine::catalog::find;
    use elfmem_text::fence::{CLOSING, OPENING};

    #[test]
    fn calls_are_requests_and_stored_text_stays() {
        let stored = format!("{OPENING}\nCall learn().\n{CLOSING}");
        let text = format!("See recall(include_weak=true), or undo(seq=7).\n{stored}");
        let json = json!({"suggestion": "Take it out with forget(block_id=1f3a).", "content": "learn()"});
        let said = reply(Reply { text, json }, find("recall").unwrap(), &Map::new());
        assert_eq!(
            said.text,
            format!("See /api/v1/recall?include_weak=true, or /api/v1/undo {{\"seq\": 7}}.\n{stored}")
        );
        let suggestion = "Take it out with /api/v1/forget {\"block_id\": \"1f3a\"}.";
        assert_eq!(said.json, json!({"suggestion": suggestion, "content": "learn()"}));
    }

    #[test]
    fn a_card_shows_a_request_that_can_be_sent() {
        let card = |name: &str| {
            let text = elfmem_engine::guide(Some(name));
            let asked = json!({"method_name": name});
            reply(Reply { json: json!({"text": text}), text }, find("guide").unwrap(), asked.as_object().unwrap()).text
        };
        assert!(card("recall").contains("  Example   POST /api/v1/recall {\"query\":"), "{}", card("recall"));
        assert!(card("status").contains("  Example   GET /api/v1/status\n"), "{}", card("status"));
        let purge = card("purge");
        assert!(purge.contains("\"confirm\":") && purge.contains("  Needs     confirm, "), "{purge}");
        assert!(elfmem_engine::catalog::all().all(|verb| !card(verb.name).contains("Example   elfmem ")));
        assert!(card("outcome").contains("/api/v1/retract_outcome"), "{}", card("outcome"));
    }
}
