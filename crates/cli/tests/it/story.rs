//! What a new user sees, command by command: every text pinned, every verb of the loop reachable.

use crate::Sandbox;

/// A block's id as it is shown.
fn short(content: &str) -> String {
    elfmem_core::BlockId::for_content(content).short().to_owned()
}

#[test]
fn the_first_day_reads_as_pinned() {
    let sandbox = Sandbox::new();
    let (old, new) =
        (short("The staging database listens on port 5432"), short("The staging database listens on port 5433"));
    let (maria, dinner) =
        (short("Maria is allergic to peanuts"), short("The team dinner is on Friday at the Thai place"));
    let mut story = String::new();
    let mut tell = |arguments: &[&str]| {
        let answer = sandbox.run(arguments);
        let typed: Vec<String> = arguments
            .iter()
            .map(|word| if word.contains(' ') || word.is_empty() { format!("\"{word}\"") } else { (*word).to_owned() })
            .collect();
        story.push_str(&format!("$ elfmem {}\n{}{}\n", typed.join(" "), answer.stdout, answer.stderr));
        assert_eq!(answer.code, i32::from(answer.stderr.starts_with("error: ")), "{answer:?}");
    };
    tell(&["status"]);
    tell(&["recall", "anything?"]);
    tell(&["remember", "Maria is allergic to peanuts", "--tag", "people/maria"]);
    tell(&["remember", "maria is allergic to PEANUTS"]);
    tell(&["remember", ""]);
    tell(&["remember", "The team dinner is on Friday at the Thai place"]);
    tell(&["remember", "The staging database listens on port 5432", "--cue", "connecting to staging"]);
    tell(&["recall", "what must the kitchen leave out for Maria?", "--top-k", "1"]);
    tell(&["recall", "how do I connect to staging?", "--top-k", "1", "--explain"]);
    tell(&["dream", "--dry-run"]);
    tell(&["dream"]);
    tell(&["dream"]);
    tell(&["remember", "The staging database listens on port 5433"]);
    tell(&["dream"]);
    tell(&["contradictions"]);
    tell(&["connect", &maria, &dinner, "--relation", "supports", "--note", "mind the menu"]);
    tell(&["connect", &maria, &maria]);
    tell(&["connect", &maria, "ffff"]);
    tell(&["outcome", &maria, "--signal", "0.9", "--id", "dinner"]);
    tell(&["outcome", &maria, "--signal", "1.9"]);
    tell(&["frame", "attention", "planning the team dinner"]);
    tell(&["frame", "nonsense"]);
    tell(&["edit", &dinner, "The team dinner is on Saturday at the Thai place"]);
    tell(&["forget", &new, "--reason", "a typo"]);
    tell(&["restore", &new]);
    tell(&["pin", &maria]);
    tell(&["undo"]);
    tell(&["undo", "9999"]);
    tell(&["show", &old]);
    tell(&["why", "who is allergic?", &old]);
    tell(&["curate"]);
    tell(&["disconnect", &maria, &old]);
    tell(&["session", "end"]);
    tell(&["history", "--limit", "5"]);
    insta::with_settings!({filters => vec![
        (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?", "[time]"),
        (r"today, \d{4}-\d\d-\d\d \d\d:\d\d", "today, [time]"),
        (r"stored \d{4}-\d\d-\d\d", "stored [date]"),
        (r"memory +\S+memory\.db", "memory [file]"),
        (r"recency \d\.\d\d", "recency [n]"),
        (r"(active hours +)\d+\.\d+", "$1[n]"),
        (r"\d+\.\d+ active hours", "[n] active hours"),
    ]}, {
        insta::assert_snapshot!("the-first-day", story);
    });
}
