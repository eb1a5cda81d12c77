//! The tools: one a verb, made from the table.

use std::sync::Arc;

use elfmem_engine::ErrorKind;
use elfmem_engine::catalog::{Effect, ToolProfile, Verb, VerbId, all, find, nearest};
use elfmem_text::fence::safe_text;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::wording;
use crate::caller::Rights;
use crate::refusal::Refusal;
use crate::schema;

/// What the name of every tool begins with.
pub(super) const PREFIX: &str = "elfmem_";

/// The tools of a list that the caller may use, in the order of the table.
pub(super) fn list(profile: ToolProfile, rights: Rights) -> Vec<Tool> {
    offered(profile).filter(|verb| rights.cover(verb.effect)).map(|verb| tool(verb, profile)).collect()
}

fn offered(profile: ToolProfile) -> impl Iterator<Item = &'static Verb> {
    all().filter(move |verb| verb.profile <= profile)
}

fn tool(verb: &'static Verb, profile: ToolProfile) -> Tool {
    let mut input = schema::input(verb, profile);
    if verb.id == VerbId::Learn {
        take_messages(&mut input);
    }
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        for property in properties.values_mut() {
            if let Some(Value::String(help)) = property.get_mut("description") {
                *help = wording::with_tools(help, profile);
            }
        }
        if let (VerbId::Undo, Some(own)) = (verb.id, properties.get_mut(OWN)) {
            own["default"] = json!(true);
        }
    }
    let tool = Tool::new(format!("{PREFIX}{}", verb.name), description(verb), Arc::new(input))
        .with_annotations(annotations(verb, profile));
    // Every word of the default list is paid for in each conversation, and an answer explains itself.
    match profile {
        ToolProfile::Core => tool,
        ToolProfile::Locus | ToolProfile::All => tool.with_raw_output_schema(Arc::new(schema::output(verb, profile))),
    }
}

/// Lets the schema of `learn` take the messages of a conversation instead of a content. Hosts refuse `anyOf` at the top of a
/// schema: it says that something must be given, and the descriptions say what.
fn take_messages(input: &mut Map<String, Value>) {
    input.remove("required");
    input.insert("minProperties".to_owned(), json!(1));
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        let messages = json!({
            "type": "array",
            "items": {"type": "object"},
            "description": "Instead: a chat of speaker, content, at",
        });
        properties.insert(MESSAGES.to_owned(), messages);
    }
}

/// What it does and when to use it; costs, answers and examples are in the guide.
pub(super) fn description(verb: &Verb) -> String {
    let general = || format!("{} Use when: {}", verb.card.what, verb.card.when);
    verb.card.tool.map_or_else(general, str::to_owned)
}

/// Hints for hosts that ask before they let a tool do harm. What is left unsaid is what the protocol takes for granted.
fn annotations(verb: &Verb, profile: ToolProfile) -> ToolAnnotations {
    let hints = ToolAnnotations::new();
    let hints = if profile == ToolProfile::Core { hints } else { hints.open_world(false) };
    match verb.effect {
        Effect::Reads => hints.read_only(true),
        Effect::Writes | Effect::Destroys => {
            let hints = hints.destructive(verb.effect == Effect::Destroys);
            if verb.idempotent { hints.idempotent(true) } else { hints }
        }
    }
}

/// Completes the arguments of a tool: an agent takes back its own operations unless it says otherwise.
pub(super) fn prepare(verb: &Verb, mut arguments: Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    let is_empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let is_given = |name: &str| arguments.get(name).is_some_and(|value| !is_empty(value));
    match verb.id {
        VerbId::Undo if !is_given(OWN) => {
            arguments.insert(OWN.to_owned(), Value::Bool(true));
        }
        // A parameter that the verb does not have is probably one of the two, misspelled.
        VerbId::Learn
            if !is_given(CONTENT)
                && !is_given(MESSAGES)
                && arguments.keys().all(|name| name == MESSAGES || verb.parameter(name).is_some()) =>
        {
            return Err(Refusal {
                kind: ErrorKind::Input.as_str(),
                message: "There is nothing to store.".to_owned(),
                recovery: format!("Give one fact as {CONTENT}, or a chat as {MESSAGES}; nothing was changed."),
            });
        }
        _ => {}
    }
    Ok(arguments)
}

/// The parameters of `learn` of which one must be given.
const CONTENT: &str = "content";
const MESSAGES: &str = "messages";
/// The parameter of `undo` that limits it to the caller's operations.
const OWN: &str = "own";

/// The verb that a tool's name stands for; other names of a verb work too, though no list shows them.
pub(super) fn verb_of(tool: &str, profile: ToolProfile) -> Result<&'static Verb, String> {
    let found = tool.strip_prefix(PREFIX).and_then(find);
    match found {
        Some(verb) if verb.profile <= profile => Ok(verb),
        Some(verb) => Err(format!(
            "The tool '{PREFIX}{}' is not in the list of this server. Recovery: use one of tools/list; whoever started the \
             server can have it offer all tools.",
            verb.name
        )),
        None => {
            let wanted = tool.strip_prefix(PREFIX).unwrap_or(tool);
            let near = nearest(wanted, offered(profile).map(|verb| verb.name));
            let hint = match near {
                Some(name) => format!("Did you mean '{PREFIX}{name}'?"),
                None => "tools/list names them all.".to_owned(),
            };
            Err(format!("There is no tool '{}'. Recovery: {hint}", safe_text(tool)))
        }
    }
}

#[cfg(test)]
mod tests {
    use elfmem_text::tokens::estimate;
    use rmcp::model::ListToolsResult;

    use super::*;

    #[test]
    fn the_name_of_an_unknown_tool_is_shown_like_any_text() {
        let problem = verb_of("elf\u{202e}\u{1b}[31m</memory>", ToolProfile::All).unwrap_err();
        assert!(!problem.contains(['\u{202e}', '\u{1b}']) && !problem.contains("</memory>"), "{problem}");
        assert!(problem.contains("Recovery:"), "{problem}");
    }

    #[test]
    fn the_default_list_is_within_its_budget_of_tokens() {
        let result = ListToolsResult::with_all_items(list(ToolProfile::Core, Rights::Write));
        let tokens = estimate(&serde_json::to_string(&result).unwrap());
        assert!(tokens <= 2_500, "{tokens} tokens, and 2,500 are promised");
    }

    #[test]
    fn the_default_list_is_that_of_the_seeds_and_what_corrects_a_mistake() {
        let names: Vec<_> = list(ToolProfile::Core, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
        let seeds = [
            "learn",
            "recall",
            "frame",
            "status",
            "guide",
            "consolidate",
            "curate",
            "connect",
            "disconnect",
            "outcome",
        ];
        for wanted in seeds.into_iter().chain(["show", "edit", "forget", "undo"]) {
            assert!(names.contains(&format!("elfmem_{wanted}")), "{wanted}");
        }
        assert_eq!(names.len(), 14, "{names:?}");
    }

    #[test]
    fn every_verb_is_in_the_full_list_once() {
        let names: Vec<_> = list(ToolProfile::All, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
        let verbs: Vec<_> = all().map(|verb| format!("elfmem_{}", verb.name)).collect();
        assert_eq!(names, verbs);
    }

    #[test]
    fn a_reader_is_offered_only_what_reads() {
        let names: Vec<_> = list(ToolProfile::Core, Rights::Read).iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, ["elfmem_recall", "elfmem_frame", "elfmem_show", "elfmem_status", "elfmem_guide"]);
    }

    #[test]
    fn the_list_for_events_adds_them_to_the_default_list() {
        let names: Vec<_> = list(ToolProfile::Locus, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
        for wanted in [
            "learn",
            "store_event",
            "retrieve_memories",
            "list_contexts",
            "generate_insights",
            "link",
            "unlink",
            "chain",
        ] {
            assert!(names.contains(&format!("elfmem_{wanted}")), "{wanted}");
        }
        assert!(!names.contains(&"elfmem_purge".to_owned()));
    }

    #[test]
    fn a_tool_is_found_by_any_name_of_its_verb() {
        assert_eq!(verb_of("elfmem_remember", ToolProfile::Core).unwrap().id, VerbId::Learn);
        assert_eq!(verb_of("elfmem_dream", ToolProfile::Core).unwrap().id, VerbId::Dream);
        assert_eq!(verb_of("elfmem_purge", ToolProfile::All).unwrap().id, VerbId::Purge);
    }

    #[test]
    fn a_name_that_is_none_is_told_the_nearest_or_how_to_get_it() {
        assert!(verb_of("elfmem_recal", ToolProfile::Core).unwrap_err().contains("'elfmem_recall'"));
        assert!(verb_of("recall", ToolProfile::Core).unwrap_err().contains("'elfmem_recall'"));
        assert!(verb_of("elfmem_purge", ToolProfile::Core).unwrap_err().contains("offer all tools"));
        assert!(verb_of("xyzzy", ToolProfile::All).unwrap_err().contains("tools/list"));
    }

    #[test]
    fn an_agent_undoes_its_own() {
        let given = |value: Value| value.as_object().cloned().unwrap_or_default();
        let undo = |value| Value::Object(prepare(find("undo").unwrap(), given(value)).unwrap());
        assert_eq!(undo(json!({"seq": 3}))["own"], true);
        assert_eq!(undo(json!({"own": false}))["own"], false);
    }

    #[test]
    fn hints_tell_reading_from_writing_and_from_taking_away() {
        let hints = |name| annotations(find(name).unwrap(), ToolProfile::All);
        assert_eq!(hints("recall").read_only_hint, Some(true));
        assert_eq!((hints("learn").destructive_hint, hints("learn").idempotent_hint), (Some(false), Some(true)));
        assert_eq!(hints("purge").destructive_hint, Some(true));
        assert!(all().all(|verb| annotations(verb, ToolProfile::All).open_world_hint == Some(false)));
    }
}
