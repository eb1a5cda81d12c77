//! `demo`: the tour runs to its end, shows every verb, and leaves nothing behind.

use std::fs;

use crate::Sandbox;

#[test]
fn the_tour_runs_straight_through_a_pipe_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let temporary = sandbox.file("temporary");
    fs::create_dir(&temporary).unwrap();
    let output = sandbox.command(&["demo"]).env("TMPDIR", &temporary).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let masked = with_a_fixed_id(&text);
    insta::assert_snapshot!("tour", masked);
    let left: Vec<_> = fs::read_dir(sandbox.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["temporary"]);
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// The ids of outcomes are random.
fn with_a_fixed_id(text: &str) -> String {
    let random = text.lines().find_map(|line| line.split("--retract ").nth(1)).unwrap();
    text.replace(random, "0123456789abcdef")
}

#[test]
fn the_tour_shows_every_verb_it_promises_whatever_the_settings_are() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    fs::write(sandbox.file(".config/elfmem/config.toml"), "[models]\nembedder = \"openai:unreachable\"\n[x]\ny = 1\n")
        .unwrap();
    let json = sandbox.run(&["demo", "--json"]).json();
    let steps = json["steps"].as_array().unwrap();
    let verbs: Vec<&str> = steps.iter().map(|step| step["typed"][0].as_str().unwrap()).collect();
    for verb in ["remember", "recall", "dream", "connect", "outcome", "undo"] {
        assert!(verbs.contains(&verb), "{verb}");
    }
    let answer_of = |question: &str| {
        let step = steps.iter().find(|step| step["typed"][1] == question).unwrap();
        step["answer"]["blocks"].as_array().unwrap().clone()
    };
    assert_eq!(answer_of("who can't eat nuts?")[0]["content"], "Maria is allergic to peanuts");
    assert!(answer_of("how tall is the Eiffel tower?").is_empty());
    assert!(answer_of("which port does staging use?")[0]["content"].as_str().unwrap().contains("5433"));
}
