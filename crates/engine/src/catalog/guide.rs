//! The guide: what an agent can ask for, told without a memory at hand.

use std::fmt;
use std::fmt::Write;

use super::{ToolProfile, Verb, all, find};

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.card_in_words(str::to_owned, self.card.example, ""))
    }
}

impl Verb {
    /// Returns the card of the verb in the words of a surface: `say` translates its texts, and `example` is a call as it is made
    /// there. A text of which nothing is left is left out. What a call there needs besides stands in `needs`.
    pub fn card_in_words(&self, say: impl Fn(&str) -> String, example: &str, needs: &str) -> String {
        let card = &self.card;
        let mut text = format!("{}: {}\n", self.name, say(card.what));
        let also = self.aliases.join(", ");
        for (label, said) in [
            ("Use when", say(card.when)),
            ("Not when", say(card.when_not)),
            ("Cost", say(card.cost)),
            ("Returns", say(card.returns)),
            ("Next", say(card.next)),
            ("Also", also),
            ("Needs", needs.to_owned()),
        ] {
            if !said.is_empty() {
                let _ = writeln!(text, "  {label:<9} {said}");
            }
        }
        for (index, line) in example.lines().enumerate() {
            let label = if index == 0 { "Example" } else { "" };
            let _ = writeln!(text, "  {label:<9} {line}");
        }
        text
    }
}

/// Every verb in a line: name, cost, what it does.
pub fn overview() -> String {
    let mut text =
        "The loop: recall before you work, learn what is worth keeping, say with outcome how well it served, \
                    consolidate at a pause.\n"
            .to_owned();
    let chapters = [
        ("Each day", ToolProfile::Core),
        ("With events and contexts", ToolProfile::Locus),
        ("When you need it", ToolProfile::All),
    ];
    for (heading, profile) in chapters {
        let _ = writeln!(text, "\n{heading}");
        for verb in all().filter(|verb| verb.profile == profile) {
            let cost = verb.card.cost.split('.').next().unwrap_or_default();
            let (name, line) = verb.card.overview.unwrap_or((verb.name, verb.card.what));
            let _ = writeln!(text, "  {name:<24}{cost:<13}{line}");
        }
    }
    text.push_str("\nguide NAME tells when to use one, what it costs and what comes back.");
    text
}

/// The overview, one verb's card, or the names there are when it is none of them.
///
/// ```
/// use elfmem_engine::catalog::guide;
///
/// assert!(guide(None).contains("recall"));
/// assert!(guide(Some("learn")).starts_with("learn: "));
/// assert!(guide(Some("lern")).starts_with("Unknown method. Available: "));
/// ```
pub fn guide(name: Option<&str>) -> String {
    let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
        return overview();
    };
    match documented(name) {
        Some(verb) => verb.to_string(),
        None => {
            let names: Vec<&str> = all().map(|verb| verb.name).collect();
            format!("Unknown method. Available: {}.", names.join(", "))
        }
    }
}

/// Returns the verb that a card is asked for by: its name, an alias, its command or its tool.
pub fn documented(name: &str) -> Option<&'static Verb> {
    let name = name.trim();
    let bare = name.strip_prefix("elfmem_").unwrap_or(name).trim_end_matches("()");
    find(bare).or_else(|| all().find(|verb| verb.command == bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_guide_overview_returns_string() {
        let text = guide(None);
        assert_eq!(text, guide(Some("  ")));
        // Columns as in the seed: the name at 2, the cost at 26, the description at 39.
        let mut lines: Vec<(&str, &str, &str)> = Vec::new();
        for line in text.lines().filter(|line| line.starts_with("  ")) {
            let (name, cost, description) = (line[2..26].trim_end(), line[26..39].trim_end(), &line[39..]);
            assert!(["Instant", "Fast", "LLM call", "Slow (batch)"].contains(&cost), "{line}");
            assert!(description.split_whitespace().count() > 2 && !description.starts_with(' '), "{line}");
            lines.push((name.split('(').next().unwrap_or(name), cost, description));
        }
        let names: Vec<&str> = lines.iter().map(|(name, ..)| *name).collect();
        for name in all().map(|verb| verb.name) {
            assert_eq!(names.iter().filter(|listed| **listed == name).count(), 1, "{name}");
        }
    }

    /// The rows that seed 000 adds to the table.
    #[test]
    fn the_overview_has_the_rows_of_the_seed() {
        let text = guide(None);
        for row in [
            "  connect(src, tgt, ...)  Instant      Assert a semantic edge between two blocks",
            "  disconnect(src, tgt)    Instant      Remove a wrong or unwanted edge",
        ] {
            assert!(text.lines().any(|line| line == row), "{row}\n{text}");
        }
    }

    /// What a card must show, whatever its texts are.
    const LABELS: [&str; 6] = ["Use when", "Not when", "Cost", "Returns", "Next", "Example"];

    #[test]
    fn test_guide_known_method_returns_all_fields() {
        for verb in all() {
            let text = guide(Some(verb.name));
            let mut lines = text.lines();
            let what = lines.next().unwrap().strip_prefix(&format!("{}: ", verb.name)).unwrap();
            assert!(what.ends_with('.') && what.split_whitespace().count() > 2, "{what}");
            let lines: Vec<&str> = lines.collect();
            for label in LABELS {
                let line = lines.iter().find_map(|line| line.strip_prefix(&format!("  {label:<9} ")));
                assert!(line.is_some_and(|line| !line.trim().is_empty()), "{}: {label}", verb.name);
            }
            assert!(text.contains("  Example   elfmem "), "{text}");
        }
    }

    /// The cards that seeds 000 and 001 write out, word for word.
    #[test]
    fn the_cards_of_learn_connect_and_disconnect_have_the_texts_of_the_seeds() {
        let cards = [
            (
                "learn",
                [
                    "learn: Store a knowledge block for future retrieval.\n",
                    "The agent discovers a fact, preference, decision, or observation worth remembering across sessions.",
                    "Transient context that only matters in the current turn, or information already in the active prompt.",
                    "Instant. No LLM calls.",
                    "LearnResult. status values: 'created' (new block stored in inbox), 'duplicate_rejected' (exact \
                     content already exists), 'near_duplicate_superseded' (similar block replaced)",
                    "Blocks queue in inbox until consolidate() runs. Session context manager auto-consolidates on exit \
                     when inbox >= threshold.",
                ],
            ),
            (
                "connect",
                [
                    "connect: Create or strengthen a semantic edge between two knowledge blocks.\n",
                    "The agent observes a relationship between two recalled blocks that the system has not captured, or \
                     has captured with the wrong semantic type. Best called immediately after recall() or learn() when \
                     block IDs are available.",
                    "You don't have block IDs — use connect_by_query() instead. Don't connect blocks the agent hasn't \
                     read; unverified connections add noise. Don't call for blocks that will decay soon — weak \
                     connections fade on their own.",
                    "Instant. No LLM calls. Pure database write.",
                    "ConnectResult. action: 'created' (new edge), 'reinforced' (existing edge boosted), 'updated' \
                     (relation/note changed), 'skipped' (edge exists, if_exists=skip). If a lower-priority auto-edge was \
                     displaced, displaced_edge is set in result.",
                    "No follow-up required. To undo, call disconnect(). Block IDs are in system.last_recall_block_ids \
                     and system.last_learned_block_id.",
                ],
            ),
            (
                "disconnect",
                [
                    "disconnect: Remove the edge between two knowledge blocks.\n",
                    "An agent-created edge was incorrect and should not persist. Also use to override automatic edges \
                     that cause retrieval noise (e.g., two blocks that are textually similar but contextually unrelated).",
                    "The edge is correct but weak — decay and pruning remove it naturally over time. Only use \
                     disconnect() for deliberate correction of wrong connections.",
                    "Instant. No LLM calls.",
                    "DisconnectResult. action: 'removed' (edge deleted), 'not_found' (no edge exists between the pair), \
                     'guarded' (edge exists but relation did not match guard_relation).",
                    "No follow-up required. Edge is immediately gone from graph expansion.",
                ],
            ),
        ];
        for (name, texts) in cards {
            let card = guide(Some(name));
            for text in texts {
                assert!(card.contains(text), "{name} lacks: {text}\n{card}");
            }
        }
        assert!(!guide(Some("connect")).contains("deferred"), "an inbox block is promoted, and nothing is deferred");
    }

    /// What the cards that the seeds only name must say: what the method does, what it costs and what comes back.
    #[test]
    fn every_method_that_the_seeds_name_has_a_card_of_its_own() {
        for (name, what, cost, returns) in [
            ("learn", "Store a knowledge block", "Instant. No LLM calls", "LearnResult"),
            ("consolidate", "Consolidate the inbox", "Slow (batch).", "ConsolidateResult"),
            ("frame", "Render a context", "Fast.", "FrameResult"),
            ("recall", "Find the blocks", "Fast.", "RecallResult"),
            ("curate", "Archive what has faded", "Fast.", "CurateResult"),
            ("status", "Show the health of the memory", "Fast. One read", "SystemStatus"),
            ("history", "List the operations", "Fast. One read", "The operations"),
            ("guide", "List all verbs", "Instant. No database", "Text"),
            ("connect", "Create or strengthen a semantic edge", "Instant. No LLM calls", "ConnectResult"),
            ("disconnect", "Remove the edge", "Instant. No LLM calls", "DisconnectResult"),
            ("connect_by_query", "Connect two blocks that you describe", "Fast.", "ConnectByQueryResult"),
            ("connects", "Connect many blocks", "Instant.", "ConnectsResult"),
        ] {
            let card = guide(Some(name));
            assert!(card.starts_with(&format!("{name}: {what}")), "{card}");
            for line in [format!("\n  Cost      {cost}"), format!("\n  Returns   {returns}")] {
                assert!(card.contains(&line), "{name} lacks {line}\n{card}");
            }
        }
    }

    #[test]
    fn test_guide_unknown_method_returns_valid_names_list() {
        let text = guide(Some("fly"));
        assert!(text.starts_with("Unknown method. Available: "));
        assert!(all().all(|verb| text.contains(verb.name)));
    }

    #[test]
    fn a_card_is_found_by_alias_command_and_tool_name() {
        let learn = guide(Some("learn"));
        for name in ["remember", "elfmem_learn", "learn()", " learn "] {
            assert_eq!(guide(Some(name)), learn, "{name}");
        }
        assert!(guide(Some("ls")).starts_with("list: "));
    }

    #[test]
    fn a_cost_begins_with_one_of_the_four_words() {
        for verb in all() {
            let known = ["Instant.", "Fast.", "LLM call.", "Slow (batch)."];
            assert!(known.iter().any(|cost| verb.card.cost.starts_with(cost)), "{}: {}", verb.name, verb.card.cost);
        }
    }
}
