//! The guide: what an agent can ask for, told without a memory at hand.

use std::fmt;
use std::fmt::Write;

use super::{Profile, Verb, all, find};

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let card = &self.card;
        writeln!(f, "{}: {}", self.name, card.what)?;
        for (label, text) in [
            ("Use when", card.when),
            ("Not when", card.when_not),
            ("Cost", card.cost),
            ("Returns", card.returns),
            ("Next", card.next),
        ] {
            writeln!(f, "  {label:<9} {text}")?;
        }
        if !self.aliases.is_empty() {
            writeln!(f, "  {:<9} {}", "Also", self.aliases.join(", "))?;
        }
        for (index, line) in card.example.lines().enumerate() {
            let label = if index == 0 { "Example" } else { "" };
            writeln!(f, "  {label:<9} {line}")?;
        }
        Ok(())
    }
}

/// Every verb in a line: name, cost, what it does.
pub fn overview() -> String {
    let mut text =
        "The loop: recall before you work, learn what is worth keeping, say with outcome how well it served, \
                    consolidate at a pause.\n"
            .to_owned();
    let chapters =
        [("Each day", Profile::Core), ("With events and contexts", Profile::Locus), ("When you need it", Profile::All)];
    for (heading, profile) in chapters {
        let _ = writeln!(text, "\n{heading}");
        for verb in all().filter(|verb| verb.profile == profile) {
            let cost = verb.card.cost.split(['.', ',']).next().unwrap_or_default();
            let _ = writeln!(text, "  {:<21} {cost:<12} {}", verb.name, verb.card.what);
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
    let bare = name.strip_prefix("elfmem_").unwrap_or(name).trim_end_matches("()");
    let by_command = || all().find(|verb| verb.command == bare);
    match find(bare).or_else(by_command) {
        Some(verb) => verb.to_string(),
        None => {
            let names: Vec<&str> = all().map(|verb| verb.name).collect();
            format!("Unknown method. Available: {}.", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_guide_overview_returns_string() {
        let text = guide(None);
        for verb in all() {
            assert!(text.lines().any(|line| line.trim_start().starts_with(verb.name)), "{} is missing", verb.name);
        }
        assert_eq!(text, guide(Some("  ")));
    }

    #[test]
    fn test_guide_known_method_returns_all_fields() {
        for verb in all() {
            let text = guide(Some(verb.name));
            let card = &verb.card;
            for part in [card.what, card.when, card.when_not, card.cost, card.returns, card.next] {
                assert!(!part.is_empty() && text.contains(part), "{}: {part}", verb.name);
            }
            assert!(card.example.lines().all(|line| text.contains(line)) && card.example.starts_with("elfmem "));
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
