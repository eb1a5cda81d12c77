//! The tools: one a verb, made from the table.

use std::sync::Arc;

use elfmem_engine::catalog::{Effect, Profile, Verb, all, find, nearest};
use rmcp::model::{Tool, ToolAnnotations};

use crate::caller::Rights;
use crate::schema;

/// What the name of every tool begins with.
pub(super) const PREFIX: &str = "elfmem_";

/// The tools of a list that the caller may use, in the order of the table.
pub(super) fn list(profile: Profile, rights: Rights) -> Vec<Tool> {
    offered(profile).filter(|verb| rights.cover(verb.effect)).map(|verb| tool(verb, profile)).collect()
}

fn offered(profile: Profile) -> impl Iterator<Item = &'static Verb> {
    all().filter(move |verb| verb.profile <= profile)
}

fn tool(verb: &'static Verb, profile: Profile) -> Tool {
    Tool::new(format!("{PREFIX}{}", verb.name), description(verb), Arc::new(schema::input(verb, profile)))
        .with_raw_output_schema(Arc::new(schema::output(verb, profile)))
        .with_annotations(annotations(verb))
}

/// What it does and when to use it; costs, answers and examples are in the guide.
pub(super) fn description(verb: &Verb) -> String {
    format!("{} Use when: {}", verb.card.what, verb.card.when)
}

/// Hints for hosts that ask before they let a tool do harm. What is left unsaid is what the protocol takes for granted.
fn annotations(verb: &Verb) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match verb.effect {
        Effect::Reads => hints.read_only(true),
        Effect::Writes | Effect::Destroys => {
            let hints = hints.destructive(verb.effect == Effect::Destroys);
            if verb.idempotent { hints.idempotent(true) } else { hints }
        }
    }
}

/// The verb that a tool's name stands for; other names of a verb work too, though no list shows them.
pub(super) fn verb_of(tool: &str, profile: Profile) -> Result<&'static Verb, String> {
    let found = tool.strip_prefix(PREFIX).and_then(find);
    match found {
        Some(verb) if verb.profile <= profile => Ok(verb),
        Some(verb) => Err(format!(
            "The tool '{PREFIX}{}' is not offered here. Recovery: start the server with `elfmem serve --tools all`.",
            verb.name
        )),
        None => {
            let wanted = tool.strip_prefix(PREFIX).unwrap_or(tool);
            let near = nearest(wanted, offered(profile).map(|verb| verb.name));
            let hint = match near {
                Some(name) => format!("Did you mean '{PREFIX}{name}'?"),
                None => "tools/list names them all.".to_owned(),
            };
            Err(format!("There is no tool '{tool}'. Recovery: {hint}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::VerbId;
    use elfmem_text::tokens::estimate;
    use rmcp::model::ListToolsResult;

    use super::*;

    #[test]
    fn the_default_list_is_within_its_budget_of_tokens() {
        let result = ListToolsResult::with_all_items(list(Profile::Core, Rights::Write));
        let tokens = estimate(&serde_json::to_string(&result).unwrap());
        assert!(tokens <= 2_450, "{tokens} tokens, and 2,500 are promised");
    }

    #[test]
    fn the_default_list_is_that_of_the_seeds() {
        let names: Vec<_> = list(Profile::Core, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
        for wanted in
            ["learn", "recall", "frame", "status", "guide", "consolidate", "curate", "connect", "disconnect", "outcome"]
        {
            assert!(names.contains(&format!("elfmem_{wanted}")), "{wanted}");
        }
        assert_eq!(names.len(), 10, "{names:?}");
    }

    #[test]
    fn every_verb_is_in_the_full_list_once() {
        let names: Vec<_> = list(Profile::All, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
        let verbs: Vec<_> = all().map(|verb| format!("elfmem_{}", verb.name)).collect();
        assert_eq!(names, verbs);
    }

    #[test]
    fn a_reader_is_offered_only_what_reads() {
        let names: Vec<_> = list(Profile::Core, Rights::Read).iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, ["elfmem_recall", "elfmem_frame", "elfmem_status", "elfmem_guide"]);
    }

    #[test]
    fn the_list_for_events_adds_them_to_the_default_list() {
        let names: Vec<_> = list(Profile::Locus, Rights::Write).iter().map(|tool| tool.name.to_string()).collect();
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
        assert_eq!(verb_of("elfmem_remember", Profile::Core).unwrap().id, VerbId::Learn);
        assert_eq!(verb_of("elfmem_dream", Profile::Core).unwrap().id, VerbId::Dream);
        assert_eq!(verb_of("elfmem_undo", Profile::All).unwrap().id, VerbId::Undo);
    }

    #[test]
    fn a_name_that_is_none_is_told_the_nearest_or_how_to_get_it() {
        assert!(verb_of("elfmem_recal", Profile::Core).unwrap_err().contains("'elfmem_recall'"));
        assert!(verb_of("recall", Profile::Core).unwrap_err().contains("'elfmem_recall'"));
        assert!(verb_of("elfmem_undo", Profile::Core).unwrap_err().contains("--tools all"));
        assert!(verb_of("xyzzy", Profile::All).unwrap_err().contains("tools/list"));
    }

    #[test]
    fn hints_tell_reading_from_writing_and_from_taking_away() {
        let hints = |name| annotations(find(name).unwrap());
        assert_eq!(hints("recall").read_only_hint, Some(true));
        assert_eq!((hints("learn").destructive_hint, hints("learn").idempotent_hint), (Some(false), Some(true)));
        assert_eq!(hints("purge").destructive_hint, Some(true));
        assert!(all().all(|verb| annotations(verb).open_world_hint == Some(false)));
    }
}
