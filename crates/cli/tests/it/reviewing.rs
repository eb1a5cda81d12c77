//! What dreams replaced, as it is seen and decided on the command line.

use serde_json::json;

use crate::tending::id;
#[cfg(unix)]
use crate::terminal::without_colours;
use crate::{Answer, Sandbox};

const OLD: &str = "Ada lives in Porto.";
const NEW: &str = "Ada moved from Porto to Faro.";

/// A memory in which a dream replaced a block by a later one.
fn replaced() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", OLD]);
    sandbox.ok(&["dream"]);
    sandbox.ok(&["remember", NEW]);
    let planned = sandbox.run(&["dream", "--dry-run"]).stdout;
    let dreamed = sandbox.run(&["dream"]).stdout;
    let sentence = |text: &str| text.lines().next().unwrap_or_default().replace("Would consolidate", "Consolidated");
    assert_eq!(sentence(&planned), sentence(&dreamed));
    assert!(dreamed.contains("0 deduped") && dreamed.contains("1 outdated block replaced."), "{dreamed}");
    sandbox
}

fn count(sandbox: &Sandbox) -> u64 {
    sandbox.run(&["status", "--json"]).json()["replaced_count"].as_u64().unwrap()
}

fn status_of(sandbox: &Sandbox, content: &str) -> String {
    sandbox.run(&["show", &id(content), "--json"]).json()["status"].as_str().unwrap().to_owned()
}

#[test]
fn status_and_review_say_what_was_replaced_and_how_to_decide() {
    let sandbox = replaced();
    let status = sandbox.ok(&["status"]);
    assert!(
        status.contains("1 block was replaced by dreams since the last review; `elfmem dream --review` lists them."),
        "{status}"
    );
    let Answer { code, stdout, .. } = sandbox.run(&["dream", "--review"]);
    assert_eq!(code, 0);
    for part in [OLD, NEW, "update", "elfmem dream --keep BLOCK", "elfmem restore BLOCK", "1 block to review"] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    let listed = sandbox.run(&["dream", "--review", "--json"]).json();
    let first = &listed["replaced"][0];
    assert_eq!((&listed["count"], &first["kind"], &first["content"]), (&json!(1), &json!("update"), &json!(OLD)));
    assert_eq!(first["by"]["content"], NEW);
    assert_eq!(count(&sandbox), 1);
    let kept = sandbox.ok(&["dream", "--keep", &id(OLD)]);
    assert_eq!(kept, "Kept 1 replacement; 0 left to review.\n");
    assert_eq!(count(&sandbox), 0);
    assert!(sandbox.ok(&["dream", "--review"]).contains("No dream replaced anything since the last review."));
}

#[test]
fn undo_speaks_of_the_numbers_of_the_dream() {
    let sandbox = replaced();
    let undone = sandbox.run(&["undo", "--json"]).json();
    let counts = ["processed", "promoted", "deduplicated", "updated"].map(|name| undone["consolidated"][name].clone());
    assert_eq!(counts, [json!(1), json!(1), json!(0), json!(1)], "{undone}");
    assert_eq!((count(&sandbox), status_of(&sandbox, OLD).as_str()), (0, "active"));
}

#[test]
fn recall_and_why_show_what_was_replaced_and_by_what() {
    let sandbox = replaced();
    let (old, new) = (id(OLD), id(NEW));
    assert!(!sandbox.ok(&["recall", "where does Ada live?"]).contains(OLD));
    let both = sandbox.ok(&["recall", "where does Ada live?", "--superseded"]);
    assert!(both.contains(OLD) && both.contains(&format!("replaced by {}", &new[..8])), "{both}");
    let why = sandbox.ok(&["why", "where does Ada live?", &old]);
    assert!(why.contains(&format!("Block {} is archived", &old[..8])), "{why}");
    assert!(why.contains(&format!("{} took its place", &new[..8])), "{why}");
    assert_eq!(sandbox.run(&["why", "where does Ada live?", &old, "--json"]).json()["replaced_by"], new);
}

#[cfg(unix)]
#[test]
fn a_terminal_walks_through_what_was_replaced() {
    let sandbox = replaced();
    let review = ["dream", "--review"];
    let skipped = sandbox.on_a_terminal("s\n", &review);
    let seen = without_colours(&skipped.stdout);
    assert!(seen.contains("[k]eep, [u]ndo, [m]erge, [s]kip, [q]uit?") && seen.contains(OLD), "{seen}");
    assert!(seen.contains("Reviewed: 0 kept, 0 restored, 0 merged, 1 left."), "{seen}");
    assert_eq!(count(&sandbox), 1);

    let merged = sandbox.on_a_terminal("x\nm\nAda lived in Porto and moved to Faro in May.\n", &review);
    assert!(without_colours(&merged.stdout).contains("0 kept, 0 restored, 1 merged, 0 left."), "{merged:?}");
    assert_eq!((count(&sandbox), status_of(&sandbox, NEW).as_str()), (0, "archived"));
    sandbox.ok(&["undo"]);
    sandbox.ok(&["undo"]);

    let undone = sandbox.on_a_terminal("u\n", &review);
    assert!(without_colours(&undone.stdout).contains("0 kept, 1 restored, 0 merged, 0 left."), "{undone:?}");
    assert_eq!((count(&sandbox), status_of(&sandbox, OLD).as_str()), (0, "active"));
    sandbox.ok(&["undo"]);

    let kept = sandbox.on_a_terminal("keep\n", &review);
    assert!(without_colours(&kept.stdout).contains("1 kept, 0 restored, 0 merged, 0 left."), "{kept:?}");
    assert_eq!((count(&sandbox), status_of(&sandbox, OLD).as_str()), (0, "archived"));
}
