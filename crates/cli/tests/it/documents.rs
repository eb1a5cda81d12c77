//! Documents as they are typed: learned again, listed, forgotten, and named by a hit.

use serde_json::json;

use crate::Sandbox;
use crate::http::Server;

const FIRST: &str = "# Office\n\nThe office is in Porto.\n\n# Lunch\n\nLunch is served at noon in the big kitchen.\n\n# \
                     Pets\n\nDogs are welcome.\n";

fn second() -> String {
    FIRST.replace("at noon", "at one").replace("# Pets\n\nDogs are welcome.", "# Travel\n\nTrains are paid for.")
}

#[test]
fn a_file_learned_again_is_replaced_and_one_undo_brings_it_back() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("handbook.md");
    std::fs::write(&file, FIRST).unwrap();
    assert!(sandbox.ok(&["learn-document", "handbook.md"]).starts_with("Stored document as 3 blocks: 3 created"));
    std::fs::write(&file, second()).unwrap();
    let again = sandbox.run(&["learn-document", "handbook.md", "--json"]).json();
    let counts = ["unchanged", "changed", "removed", "created", "kept"].map(|name| again[name].as_u64().unwrap());
    assert_eq!(counts, [1, 1, 1, 2, 0], "{again}");
    assert!(again["document"].as_str().unwrap().ends_with("/handbook.md"), "{again}");
    assert_eq!(
        sandbox.run(&["recall", "lunch", "--json"]).json()["blocks"][0]["content"],
        "# Lunch\n\nLunch is served at one in the big kitchen."
    );
    assert!(!sandbox.said(&["recall", "dogs pets", "--all"]).contains("Dogs are welcome"));
    sandbox.ok(&["undo"]);
    assert!(sandbox.ok(&["recall", "dogs pets"]).contains("Dogs are welcome"));
    assert_eq!(sandbox.run(&["ls", "--documents", "--json"]).json()["documents"][0]["chunks"], 3);
}

#[test]
fn files_of_one_name_in_two_folders_are_two_documents() {
    let sandbox = Sandbox::new();
    for (folder, text) in
        [("one", "# One\n\nThe first project is about bees."), ("two", "# Two\n\nThe second is about wax.")]
    {
        std::fs::create_dir(sandbox.file(folder)).unwrap();
        std::fs::write(sandbox.file(&format!("{folder}/README.md")), text).unwrap();
        let mut learn = sandbox.command(&["learn-document", "README.md", "--db", "../m.db"]);
        assert!(learn.current_dir(sandbox.file(folder)).status().unwrap().success());
    }
    assert_eq!(sandbox.run(&["ls", "--documents", "--json", "--db", "m.db"]).json()["count"], 2);
    let ambiguous = sandbox.fails(&["forget", "--document", "README.md", "--db", "m.db"]);
    assert!(ambiguous.contains("names 2 documents"), "{ambiguous}");
    let done = sandbox.ok(&["forget", "--document", "one/README.md", "--db", "m.db"]);
    assert!(done.contains("Archived 1 block. Bring it back with `elfmem undo`."), "{done}");
    assert!(sandbox.ok(&["recall", "wax", "--db", "m.db"]).contains("about wax"));
}

#[test]
fn documents_are_listed_forgotten_and_named_by_hits() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok(&["ls", "--documents"]).contains("No document is stored under a name."));
    std::fs::write(sandbox.file("handbook.md"), "# Handbook\n\n## Refunds\n\nA refund takes nine days.").unwrap();
    sandbox.ok(&["learn-document", "handbook.md", "--name", "handbook"]);
    let listed = sandbox.ok(&["ls", "--documents"]);
    assert!(listed.starts_with("handbook  1 block, ") && listed.contains("from document"), "{listed}");
    let hit = sandbox.ok(&["recall", "how long does a refund take?"]);
    assert!(hit.contains("handbook › Handbook › Refunds"), "{hit}");
    let hit = sandbox.run(&["recall", "how long does a refund take?", "--json"]).json();
    let part = &hit["blocks"][0]["part"];
    assert_eq!((&part["document"], &part["headings"]), (&json!("handbook"), &json!(["Handbook", "Refunds"])));
    let framed = sandbox.run(&["frame", "attention", "refund", "--json"]).json();
    assert_eq!(framed["blocks"][0]["part"]["document"], "handbook", "{framed}");
    assert!(framed["text"].as_str().unwrap().contains("handbook › Handbook › Refunds"), "{framed}");
    let forgotten = sandbox.run(&["forget", "--document", "handbook", "--reason", "old", "--json"]).json();
    assert_eq!((&forgotten["archived"], &forgotten["reason"]), (&json!(1), &json!("old")));
    assert_eq!(sandbox.run(&["ls", "--documents", "--json"]).json()["count"], 0);
    let missing = sandbox.fails(&["forget", "--document", "handbook"]);
    assert!(missing.contains("There is no document 'handbook'."), "{missing}");
    sandbox.ok(&["undo"]);
    assert_eq!(sandbox.run(&["ls", "--documents", "--json"]).json()["count"], 1);
}

#[test]
fn documents_are_the_same_over_http() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    server.done("learn_document", &json!({"text": FIRST, "name": "handbook.md"}));
    let again = server.done("learn_document", &json!({"text": second(), "name": "handbook.md"}));
    assert_eq!((&again["changed"], &again["removed"], &again["unchanged"]), (&json!(1), &json!(1), &json!(1)));
    let listed = server.done("documents", &json!({}));
    assert_eq!((&listed["count"], &listed["documents"][0]["name"]), (&json!(1), &json!("handbook.md")));
    assert_eq!(server.done("forget_document", &json!({"document": "handbook.md"}))["archived"], 3);
    server.stop();
}
