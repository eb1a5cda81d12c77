//! What outcomes teach about relevance, from the command line: every command is a process of its own.

use crate::{Answer, Sandbox};

/// Two dozen notes that have nothing to do with each other.
const NOTES: [(&str, &str); 24] = [
    ("Ana", "breeds carrier pigeons"),
    ("Bruno", "repairs church organs"),
    ("Carla", "translates Finnish poetry"),
    ("Dmitri", "collects meteorites"),
    ("Elif", "restores wooden boats"),
    ("Farid", "grows saffron"),
    ("Greta", "teaches fencing"),
    ("Hiro", "brews barley tea"),
    ("Ines", "designs subway maps"),
    ("Jonas", "tunes racing bicycles"),
    ("Kira", "paints miniatures"),
    ("Liam", "studies glaciers"),
    ("Mona", "writes crosswords"),
    ("Nils", "herds reindeer"),
    ("Olga", "conducts a choir"),
    ("Pavel", "forges kitchen knives"),
    ("Quinn", "judges dog shows"),
    ("Rosa", "runs a bakery"),
    ("Sven", "dives for scallops"),
    ("Tara", "programs looms"),
    ("Umar", "carves chess pieces"),
    ("Vera", "keeps a lighthouse"),
    ("Wim", "prints banknotes"),
    ("Yara", "photographs owls"),
];

#[test]
fn outcomes_correct_relevance_and_status_shows_how_and_undo_takes_it_back() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str]| -> Answer {
        let answer: Answer = sandbox.command(arguments).env("ELFMEM_EMBEDDER", "static").output().unwrap().into();
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        answer
    };
    // Imported notes would not count: a file is no trusted source.
    for (name, work) in NOTES {
        run(&["remember", &format!("{name} {work}")]);
    }
    run(&["dream"]);
    let unused = run(&["status", "--calibration"]).stdout;
    assert!(unused.contains("outcomes do not correct it") && unused.contains("A fit needs 20 blocks"), "{unused}");
    let relevance =
        || run(&["recall", "who grows saffron, is it Farid?", "--preview", "--json"]).json()["relevance"].clone();
    let before = relevance();
    for (number, (name, work)) in NOTES.iter().enumerate() {
        let found = run(&["recall", &format!("who {work}, is it {name}?"), "--json"]).json();
        let first = found["blocks"][0]["id"].as_str().unwrap();
        run(&["outcome", first, "--signal", if number % 2 == 0 { "1" } else { "0" }]);
    }
    run(&["dream"]);
    let status = run(&["status", "--calibration", "--json"]).json();
    let calibration = &status["calibration"];
    assert_eq!(calibration["enough"], true, "{calibration}");
    assert!(calibration["fit"]["calibration"]["offset"].as_f64().unwrap() < 0.0, "{calibration}");
    assert!(calibration["fit"]["loss_after"].as_f64() < calibration["fit"]["loss_before"].as_f64(), "{calibration}");
    assert!(relevance().as_f64() < before.as_f64());
    let said = run(&["status", "--calibration"]).stdout;
    assert!(said.contains("Relevance is corrected by outcomes") && said.contains("0.50 becomes 0."), "{said}");
    assert!(run(&["status", "--json"]).json().get("calibration").is_none(), "only when asked for");
    let history = run(&["history", "--json"]).json();
    let operations = history["operations"].as_array().or(history.as_array()).unwrap();
    let calibrated = operations.iter().find(|operation| operation["operation"] == "calibrate").unwrap();
    assert!(run(&["undo", &calibrated["seq"].to_string()]).stdout.contains("1 setting removed"));
    assert_eq!(relevance(), before);
    assert_eq!(run(&["verify"]).code, 0);
}
