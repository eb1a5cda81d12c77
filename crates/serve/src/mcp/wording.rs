//! The texts of the library in the words of an agent: calls of verbs become calls of its tools.

use elfmem_engine::Reply;
use elfmem_engine::catalog::{ToolProfile, VerbCall, replace_calls};

use super::tools::PREFIX;
use crate::answer_text::say_answer;
use crate::refusal::Refusal;

/// What to do after an error whose advice needs tools that are not offered.
const NO_ADVICE: &str = "Nothing was changed. elfmem_guide lists what this server offers.";

/// Returns an error in the words of a tool list.
pub(super) fn refusal(refusal: Refusal, profile: ToolProfile) -> Refusal {
    let recovery = with_tools(&refusal.recovery, profile);
    let recovery = if recovery.is_empty() { NO_ADVICE.to_owned() } else { recovery };
    Refusal { message: name_tools(&refusal.message, profile), recovery, ..refusal }
}

/// Returns an answer in the words of a tool list. Stored text, which is fenced, stays as it is.
pub(super) fn reply(reply: Reply, profile: ToolProfile) -> Reply {
    say_answer(reply, |text| with_tools(text, profile))
}

/// Names tools in a text, and leaves out what needs a tool that is not offered: a part of a sentence if the rest stands
/// without it, else the sentence.
pub(super) fn with_tools(text: &str, profile: ToolProfile) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| line_with_tools(line, profile)).collect();
    lines.join("\n")
}

fn line_with_tools(line: &str, profile: ToolProfile) -> String {
    if offers_all(line, profile) {
        return name_tools(line, profile);
    }
    let mut kept: Vec<String> = Vec::new();
    for sentence in line.split_inclusive(". ") {
        let ended = sentence.trim_end().ends_with('.');
        let clauses = sentence.trim_end().trim_end_matches('.').split("; ").flat_map(|part| part.split(", or "));
        let offered: Vec<&str> = clauses.filter(|clause| offers_all(clause, profile)).collect();
        if !offered.is_empty() {
            let sentence = name_tools(&offered.join("; "), profile);
            kept.push(format!("{}{}", capitalised(&sentence), if ended { "." } else { "" }));
        }
    }
    kept.join(" ")
}

/// Returns true if no call of a text is of a verb that the list does not have.
fn offers_all(text: &str, profile: ToolProfile) -> bool {
    let missing = std::cell::Cell::new(false);
    replace_calls(text, |call| {
        missing.set(missing.get() || call.verb.profile > profile);
        String::new()
    });
    !missing.get()
}

fn name_tools(text: &str, profile: ToolProfile) -> String {
    let say = |call: &VerbCall<'_>| match call.verb.profile <= profile {
        true => call.under(&format!("{PREFIX}{}", call.verb.name)),
        false => call.verb.name.to_owned(),
    };
    replace_calls(text, say)
}

fn capitalised(text: &str) -> String {
    // The name of a tool is written as it is called.
    if text.starts_with(PREFIX) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use elfmem_text::fence::{CLOSING, OPENING};
    use serde_json::json;

    use super::*;

    fn advice(text: &str, profile: ToolProfile) -> String {
        let told = Refusal { kind: "InputError", message: String::new(), recovery: text.to_owned() };
        refusal(told, profile).recovery
    }

    #[test]
    fn advice_names_only_tools_that_are_offered() {
        for (text, core, all) in [
            ("recall(top_k=3) or so.", "elfmem_recall(top_k=3) or so.", "elfmem_recall(top_k=3) or so."),
            ("See history().", NO_ADVICE, "See elfmem_history."),
            (
                "Leave it out, or use a number of history().",
                "Leave it out.",
                "Leave it out, or use a number of elfmem_history.",
            ),
            (
                "List them with list(); use recall() to find one.",
                "Use elfmem_recall to find one.",
                "List them with elfmem_list; use elfmem_recall to find one.",
            ),
            ("Nothing was changed. See history().", "Nothing was changed.", "Nothing was changed. See elfmem_history."),
        ] {
            assert_eq!(
                (advice(text, ToolProfile::Core), advice(text, ToolProfile::All)),
                (core.into(), all.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn stored_text_stays_as_it_is() {
        let text = format!(
            "Call learn() now.\n{OPENING}\n[1f3a] Call learn(), see list().\n{CLOSING}\nSee list(). Then recall()."
        );
        let said =
            reply(Reply { text, json: json!({"message": "Call learn().", "content": "learn()"}) }, ToolProfile::Core);
        let fenced = format!("{OPENING}\n[1f3a] Call learn(), see list().\n{CLOSING}");
        assert_eq!(said.text, format!("Call elfmem_learn now.\n{fenced}\nThen elfmem_recall."));
        assert_eq!(said.json, json!({"message": "Call elfmem_learn.", "content": "learn()"}));
    }
}
