//! Texts that list verbs and parameters, cut to those that a tool list offers.

use elfmem_engine::Reply;
use elfmem_engine::catalog::{ToolProfile, Verb, VerbId, documented, find};
use serde_json::{Value, json};

use super::tools::PREFIX;
use super::wording::with_tools;
use crate::answer_text::is_of_the_seeds;
use crate::confirmation;
use crate::refusal::Refusal;
use crate::schema;

/// How an agent gets the others.
const MORE: &str = "More verbs are tools of a server that was started with `--tools all`.";

/// Returns an answer of the guide in the words of a tool list: the card of the verb that was asked for, or the overview with the
/// verbs of the list.
pub(super) fn guide(reply: Reply, asked: &str, profile: ToolProfile) -> Reply {
    match documented(asked) {
        Some(verb) => {
            let text = card(verb, profile);
            Reply { json: json!({"text": text}), text }
        }
        None => overview(reply, profile),
    }
}

/// Returns the card of a verb with a call of its tool as the example. Advice names the tools of the list, or of the shortest one
/// that has the verb.
fn card(verb: &'static Verb, profile: ToolProfile) -> String {
    let wording = profile.max(verb.profile);
    let say = |text: &str| if is_of_the_seeds(verb) { text.to_owned() } else { with_tools(text, wording) };
    let mut arguments = verb.example_arguments().unwrap_or_default();
    confirmation::complete_example(verb, &mut arguments);
    let tool = format!("{PREFIX}{}", verb.name);
    let example = if arguments.is_empty() { tool } else { format!("{tool} {}", Value::Object(arguments)) };
    let needs = with_tools(confirmation::needs(verb), wording);
    let mut text = verb.card_in_words(say, &example, &needs);
    if verb.profile > profile {
        text.push_str(MORE);
    }
    text
}

fn overview(reply: Reply, profile: ToolProfile) -> Reply {
    let verb = |line: &str| line.strip_prefix("  ").and_then(|entry| find(entry.split([' ', '(']).next()?));
    let is_offered = |line: &&str| verb(line).is_none_or(|verb| verb.profile <= profile);
    if reply.text.lines().all(|line| is_offered(&line)) {
        return reply;
    }
    let chapters = reply.text.split("\n\n").filter_map(|chapter| {
        let lines: Vec<&str> = chapter.lines().filter(is_offered).collect();
        let is_empty =
            chapter.lines().any(|line| verb(line).is_some()) && !lines.iter().any(|line| verb(line).is_some());
        (!is_empty).then(|| lines.join("\n"))
    });
    let text = format!("{} {MORE}", chapters.collect::<Vec<_>>().join("\n\n"));
    Reply { json: json!({"text": text}), text }
}

/// Returns an error about arguments with the tool and the parameters of its schema only.
pub(super) fn arguments(refusal: Refusal, verb: &Verb, profile: ToolProfile) -> Refusal {
    let shown = schema::input(verb, profile);
    let is_shown = |name: &str| shown["properties"].get(name).is_some();
    // With messages, `learn` is a verb of its own in the library.
    let with_messages = find("learn_messages")
        .filter(|own| verb.id == VerbId::Learn && refusal.recovery.starts_with(&format!("{} takes ", own.name)));
    let called = with_messages.unwrap_or(verb);
    let tool = format!("{PREFIX}{}", verb.name);
    let message = refusal.message.replace(&format!("arguments of {}:", called.name), &format!("arguments of {tool}:"));
    let taken =
        refusal.recovery.strip_prefix(&format!("{} takes ", called.name)).and_then(|rest| rest.split_once("; "));
    let recovery = taken.map(|(names, rest)| {
        let is_shown = |name: &str| with_messages.is_some_and(|own| is_required(own, name)) || is_shown(name);
        let names = names.split(", ").filter(|name| is_shown(name.split(' ').next().unwrap_or(name)));
        format!("{tool} takes {}; {rest}", names.collect::<Vec<_>>().join(", "))
    });
    Refusal { message, recovery: recovery.unwrap_or(refusal.recovery), kind: refusal.kind }
}

fn is_required(verb: &Verb, name: &str) -> bool {
    verb.parameter(name).is_some_and(|parameter| parameter.required)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_has_the_verbs_of_the_list_and_says_how_to_get_more() {
        let reply = |name: Option<&str>| {
            let text = elfmem_engine::catalog::guide(name);
            Reply { json: json!({"text": text}), text }
        };
        let core = guide(reply(None), "", ToolProfile::Core);
        assert!(core.text.contains("\n  learn ") && core.text.ends_with(MORE), "{}", core.text);
        assert!(!core.text.contains("migrate_embeddings") && !core.text.contains("When you need it"), "{}", core.text);
        assert_eq!(core.json["text"], json!(core.text));
        assert_eq!(guide(reply(None), "", ToolProfile::All).text, reply(None).text);
    }

    #[test]
    fn a_card_names_tools_that_are_offered_and_shows_a_call_of_its_own() {
        let card = |name: &str, profile| {
            let text = elfmem_engine::catalog::guide(Some(name));
            guide(Reply { json: json!({"text": text}), text }, name, profile).text
        };
        let recall = card("elfmem_recall", ToolProfile::Core);
        assert!(
            recall.contains("  Example   elfmem_recall {\"query\":\"who can't eat nuts?\",\"top_k\":3}"),
            "{recall}"
        );
        let purge = card("purge", ToolProfile::Core);
        assert!(purge.contains("  Example   elfmem_purge {") && purge.contains("\"confirm\":"), "{purge}");
        assert!(purge.contains("  Needs     confirm, ") && purge.ends_with(MORE), "{purge}");
        assert!(!card("outcome", ToolProfile::Core).contains("retract_outcome"));
        assert!(card("outcome", ToolProfile::All).contains("elfmem_retract_outcome"));
        for verb in elfmem_engine::catalog::all() {
            let text = card(verb.name, ToolProfile::All);
            let is_command = text.contains(" --") && !text.contains("--tools") || text.contains("elfmem dream ");
            assert!(!is_command && !text.contains("Example   elfmem "), "{text}");
        }
        // The texts that the seeds write stay, and only the example is the program's own.
        assert!(card("disconnect", ToolProfile::Core).contains("Only use disconnect() for deliberate correction"));
    }

    #[test]
    fn an_error_names_the_tool_and_what_its_schema_has() {
        let told = |text: &str, problem: &str| Refusal {
            kind: "InputError",
            message: format!("Invalid arguments of {problem}: it has 'x'."),
            recovery: text.to_owned(),
        };
        let recall = find("recall").unwrap();
        let refused = arguments(
            told("recall takes query (needed), top_k, as_of_event; nothing was changed.", "recall"),
            recall,
            ToolProfile::Core,
        );
        assert_eq!(refused.message, "Invalid arguments of elfmem_recall: it has 'x'.");
        assert_eq!(refused.recovery, "elfmem_recall takes query (needed), top_k; nothing was changed.");
        let learn = find("learn").unwrap();
        for profile in [ToolProfile::Core, ToolProfile::All] {
            let refused = arguments(
                told("learn_messages takes messages (needed), tags; nothing was changed.", "learn_messages"),
                learn,
                profile,
            );
            assert_eq!(refused.message, "Invalid arguments of elfmem_learn: it has 'x'.");
            assert_eq!(refused.recovery, "elfmem_learn takes messages (needed), tags; nothing was changed.");
        }
    }
}
