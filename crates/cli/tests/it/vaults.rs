//! Folders of Markdown notes: front matter, links, and importing again after a change.

use serde_json::{Value, json};

use crate::Sandbox;

const BEES: &str = "---\ntags: [animals]\n---\n# Bees\n\nThe bees live in the [[Hive]] behind the barn.\n\n## Food\n\nThey \
                    get sugar water in October.\n\n## Vet\n\nThe vet for bees is Doctor Pereira.\n";

#[test]
fn a_vault_imported_again_brings_in_what_changed_and_one_undo_takes_it_back() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.file("vault")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(sandbox.file(&format!("vault/{name}")), text).unwrap();
    let import = || sandbox.run(&["--db", "m.db", "import", "vault", "--json"]).json();
    let counts = |came: &Value| ["created", "merged", "changed", "removed"].map(|name| came[name].as_u64().unwrap());
    let texts = || -> Vec<String> {
        let listed = sandbox.run(&["--db", "m.db", "ls", "--limit", "0", "--json"]).json();
        let blocks = listed["blocks"].as_array().unwrap().iter();
        let live = blocks.filter(|block| block["status"] != "archived");
        let mut texts: Vec<String> = live.map(|block| block["content"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    };
    write("Bees.md", BEES);
    write("Hive.md", "The hive is green.\n");
    write("Old.md", "The old shed was red.\n");
    assert_eq!(counts(&import()), [5, 0, 0, 0]);
    let first = texts();
    sandbox.ok(&["--db", "m.db", "dream"]);
    let food = sandbox.run(&["--db", "m.db", "recall", "sugar water", "--json"]).json()["blocks"][0].clone();
    assert_eq!(food["part"]["headings"], json!(["Bees", "Food"]), "{food}");
    let again = import();
    assert_eq!(counts(&again), [0, 5, 0, 0], "nothing changed: {again}");
    // One part is reworded, one vanishes, one file vanishes, and a link does.
    let reworded =
        BEES.replace("in October", "in November").replace("\n## Vet\n\nThe vet for bees is Doctor Pereira.\n", "");
    write("Bees.md", &reworded.replace("the [[Hive]] behind", "the box behind"));
    std::fs::remove_file(sandbox.file("vault/Old.md")).unwrap();
    let rehearsed = sandbox.run(&["--db", "m.db", "import", "vault", "--dry-run", "--json"]).json();
    let changed = import();
    assert_eq!((counts(&changed), counts(&rehearsed)), ([2, 1, 2, 2], [2, 1, 2, 2]), "{changed}");
    let after = texts();
    assert!(after.iter().any(|text| text.contains("November")) && after.len() == 3, "{after:?}");
    let box_block =
        sandbox.run(&["--db", "m.db", "recall", "where do the bees live", "--json"]).json()["blocks"][0].clone();
    let shown = sandbox.run(&["--db", "m.db", "show", box_block["id"].as_str().unwrap(), "--json"]).json();
    let references =
        shown["edges"].as_array().unwrap().iter().filter(|edge| edge["relation_type"] == "references").count();
    assert_eq!(references, 0, "{shown}");
    sandbox.ok(&["--db", "m.db", "undo"]);
    assert_eq!(texts(), first);
    // What the note says again comes back, and what somebody forgot does not.
    import();
    write("Bees.md", BEES);
    write("Old.md", "The old shed was red.\n");
    assert_eq!(counts(&import()), [4, 1, 2, 0]);
    assert_eq!(texts(), first);
    sandbox.ok(&["--db", "m.db", "forget", &crate::tending::id("The hive is green.")[..8]]);
    let kept_out = import();
    assert_eq!(counts(&kept_out), [0, 4, 0, 0], "{kept_out}");
    assert_eq!(texts().len(), 4);
}

#[test]
fn a_folder_replaces_no_document_beside_it_and_a_file_that_moves_keeps_its_block() {
    let sandbox = Sandbox::new();
    for folder in ["one", "one-more", "one/sub"] {
        std::fs::create_dir(sandbox.file(folder)).unwrap();
    }
    std::fs::write(sandbox.file("one/a.md"), "Ana keeps bees.\n").unwrap();
    std::fs::write(sandbox.file("one-more/b.md"), "Deploys go out on Tuesdays.\n").unwrap();
    std::fs::write(sandbox.file("one/learned.md"), "The office closes at six.\n").unwrap();
    sandbox.ok(&["import", "one-more"]);
    sandbox.ok(&["learn-document", "one/learned.md"]);
    sandbox.ok(&["import", "one"]);
    std::fs::remove_file(sandbox.file("one/learned.md")).unwrap();
    std::fs::rename(sandbox.file("one/a.md"), sandbox.file("one/sub/c.md")).unwrap();
    let came = sandbox.run(&["import", "one", "--json"]).json();
    assert_eq!((&came["created"], &came["removed"], &came["merged"]), (&0.into(), &0.into(), &1.into()), "{came}");
    let documents = sandbox.run(&["ls", "--documents", "--json"]).json();
    let mut names: Vec<&str> =
        documents["documents"].as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert!(names.len() == 3 && names.iter().any(|name| name.ends_with("one/sub/c.md")), "{names:?}");
}

/// A vault with a memory beside it.
struct Vault(Sandbox);

impl Vault {
    fn new(files: &[(&str, &str)]) -> Self {
        let vault = Self(Sandbox::new());
        files.iter().for_each(|(name, text)| vault.write(name, text));
        vault
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.file("vault").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        let vault = self.0.file("vault");
        std::fs::create_dir_all(vault.join(to).parent().unwrap()).unwrap();
        std::fs::rename(vault.join(from), vault.join(to)).unwrap();
    }

    fn import(&self) -> Value {
        self.0.run(&["import", "vault", "--json"]).json()
    }

    /// The live block with a text in it.
    fn block(&self, text: &str) -> Value {
        let listed = self.0.run(&["ls", "--limit", "0", "--json"]).json();
        let mut found = listed["blocks"].as_array().unwrap().clone();
        found.retain(|block| block["status"] != "archived" && block["content"].as_str().unwrap().contains(text));
        assert_eq!(found.len(), 1, "{text}: {listed}");
        self.0.run(&["show", found[0]["id"].as_str().unwrap(), "--json"]).json()
    }

    fn tags(&self, text: &str) -> Value {
        self.block(text)["tags"].clone()
    }
}

#[test]
fn front_matter_is_read_in_every_form_that_editors_write() {
    let vault = Vault::new(&[
        ("flow.md", "---\ntags: [area/bees, \"#plain\"]\ndate: 2024-03-05\n---\nWritten in one line.\n"),
        ("block.md", "---\ntags:\n  - area/bees\n  - 2024\ndate: 5 March 2024\n---\nWritten as a list.\n"),
        ("crlf.md", "---\r\ntags:\r\n- gamma\r\ndate: 2024/03/05\r\n---\r\nWritten on Windows.\r\n"),
        ("bom.md", "\u{feff}---\ntags: one two\ndate: 20240305\n---\nWritten with a mark.\n"),
        ("toml.md", "+++\ntags = [\"toml\"]\ndate = 2024-03-05\n+++\nWritten for Hugo.\n"),
        ("vague.md", "---\ndate: some day\n---\nWritten without a date.\n"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(".", vault.0.file("vault/loop")).unwrap();
    let came = vault.import();
    assert_eq!(came["created"], 6, "{came}");
    assert_eq!(came["skipped"], json!([]), "the note came in");
    assert_eq!(came["warnings"], json!(["Not used, 1: `date` is not a date (vague.md)."]));
    for (text, tags) in [
        ("one line", json!(["area/bees", "plain"])),
        ("a list", json!(["2024", "area/bees"])),
        ("Windows", json!(["gamma"])),
        ("a mark", json!(["one", "two"])),
        ("for Hugo", json!(["toml"])),
    ] {
        let block = vault.block(text);
        assert_eq!((&block["tags"], &block["event_at"]), (&tags, &json!("2024-03-05T00:00:00Z")), "{block}");
        assert!(!block["content"].as_str().unwrap().contains("---"), "{block}");
    }
    // A file that is no text stops the import, and nothing of the folder comes in.
    vault.write("latin.md", b"caf\xe9");
    vault.write("new.md", "Not to be imported.");
    let error = vault.0.fails(&["import", "vault"]);
    assert!(error.contains("latin.md is not UTF-8 text"), "{error}");
    assert_eq!(vault.0.run(&["ls", "--json", "--limit", "0"]).json()["blocks"].as_array().unwrap().len(), 6);
}

#[test]
fn a_tag_or_date_that_leaves_the_front_matter_leaves_the_blocks() {
    let note = |front: &str, end: &str| {
        format!("---\n{front}\n---\n# Bees\n\nThe bees live in the barn.\n\n## Food\n\n{end}\n")
    };
    let food = "They get sugar water in autumn.";
    let vault = Vault::new(&[("bees.md", &note("tags: [animals, farm]\ndate: 2024-03-05\ncreated: 2024-01-02", food))]);
    vault.import();
    vault.0.ok(&["tag", "add", vault.block("barn")["id"].as_str().unwrap(), "mine"]);
    let again = vault.import();
    assert_eq!((&again["merged"], &again["updated"]), (&json!(2), &json!(0)), "{again}");
    assert_eq!(vault.tags("barn"), json!(["animals", "farm", "mine"]));

    // Only the front matter changes: the answer says that something came in, and undo takes it back.
    vault.write("bees.md", note("tags: [farm, new]\ncreated: 2024-01-03", food));
    let told = vault.0.ok(&["import", "vault"]);
    assert!(told.contains("0 blocks created, 2 here already (2 with other tags, dates or places)"), "{told}");
    assert!(told.contains("elfmem undo"), "{told}");
    let barn = vault.block("barn");
    assert_eq!((&barn["tags"], &barn["event_at"]), (&json!(["farm", "mine", "new"]), &Value::Null), "{barn}");
    assert_eq!(barn["created_at"], "2024-01-03T00:00:00Z");
    assert_eq!(vault.tags("sugar"), json!(["farm", "new"]));
    vault.0.ok(&["undo"]);
    assert_eq!(vault.block("barn")["event_at"], "2024-03-05T00:00:00Z");
    assert_eq!(vault.tags("barn"), json!(["animals", "farm", "mine"]));

    // A text that is reworded at the same time takes over what others tagged, not what the note took back.
    vault.write("bees.md", note("tags: [farm]", food).replace("in the barn", "in the old barn"));
    vault.import();
    assert_eq!(vault.tags("barn"), json!(["farm", "mine"]));
    // What somebody says with the tag of a note is said without the note too.
    vault.0.ok(&["remember", vault.block("sugar")["content"].as_str().unwrap(), "--tag", "farm"]);
    vault.write("bees.md", note("title: Bees", food).replace("in the barn", "in the old barn"));
    vault.import();
    assert_eq!((vault.tags("barn"), vault.tags("sugar")), (json!(["mine"]), json!(["farm"])));
}

#[test]
fn a_note_that_is_renamed_or_moved_keeps_blocks_tags_and_links() {
    let vault = Vault::new(&[
        ("Bees.md", "---\ntags: [animals]\n---\nThe bees live in the [[Hive]].\n"),
        ("Hive.md", "---\ntags: [places]\n---\n# Colour\n\nThe hive is green.\n"),
    ]);
    vault.import();
    let hive = vault.block("green")["id"].clone();
    let references = |block: &Value| -> Vec<Value> {
        let edges = block["edges"].as_array().unwrap().iter();
        edges.filter(|edge| edge["relation_type"] == "references").cloned().collect()
    };
    assert_eq!(references(&vault.block("live in")).len(), 1);
    // Moved into a folder, with a tag less: the link by name still leads there.
    vault.rename("Hive.md", "garden/Hive.md");
    vault.write("garden/Hive.md", "# Colour\n\nThe hive is green.\n");
    let came = vault.import();
    assert_eq!((&came["created"], &came["removed"], &came["updated"]), (&json!(0), &json!(0), &json!(1)), "{came}");
    let moved = vault.block("green");
    assert_eq!((&moved["id"], &moved["tags"]), (&hive, &json!([])), "{moved}");
    assert_eq!(references(&vault.block("live in")).len(), 1);
    let document = |block: &Value| block["parts"][0]["document"].as_str().unwrap().to_owned();
    assert!(document(&moved).ends_with("vault/garden/Hive.md"), "{moved}");
    // Renamed, and the editor renames the link with it.
    vault.rename("garden/Hive.md", "garden/Beehive.md");
    vault.write("Bees.md", "---\ntags: [animals]\n---\nThe bees live in the [[Beehive]].\n");
    let came = vault.import();
    assert_eq!((&came["created"], &came["changed"], &came["removed"]), (&json!(1), &json!(1), &json!(0)), "{came}");
    let bees = vault.block("live in");
    let found = references(&bees);
    assert!(found.len() == 1 && found[0]["note"] == "[[Beehive]]", "{bees}");
    assert_eq!(bees["tags"], json!(["animals"]));
    // A heading that is renamed.
    vault.write("garden/Beehive.md", "# Paint\n\nThe hive is green.\n");
    vault.import();
    assert_eq!(vault.block("green")["parts"][0]["headings"], json!(["Paint"]));
    // A file that is deleted.
    std::fs::remove_file(vault.0.file("vault/Bees.md")).unwrap();
    assert_eq!(vault.import()["removed"], 1);
}

#[test]
fn a_link_to_a_name_of_several_notes_leads_to_the_nearest_and_a_doubtful_one_is_told() {
    let vault = Vault::new(&[
        ("Bees.md", "The bees see the [[Vet]], and somebody [[Nobody]] knows.\n"),
        ("Vet.md", "Doctor Pereira is the vet.\n"),
        ("farm/Vet.md", "The vet of the farm is Doctor Silva.\n"),
        ("farm/Goats.md", "The goats see the [[farm/Vet]], and graze by the [[Plan]].\n"),
        ("town/Home.md", "Whoever lives in town reads [[Plan]].\n"),
        ("farm/Plan.md", "One plan is to build a bridge.\n"),
        ("woods/Plan.md", "Another plan is to paint the wall.\n"),
    ]);
    let came = vault.import();
    assert_eq!(
        came["warnings"],
        json!([
            "Not used, 1: no note of the folder has this name ([[Nobody]]).",
            "Not used, 1: several notes of the folder have this name ([[Plan]])."
        ])
    );
    let leads_to = |text: &str| -> Vec<Value> {
        let block = vault.block(text);
        let edges = block["edges"].as_array().unwrap().iter();
        let other = |edge: &Value| {
            let end = if edge["to_id"] == block["id"] { "from_id" } else { "to_id" };
            edge[end].clone()
        };
        edges.filter(|edge| edge["relation_type"] == "references").map(other).collect()
    };
    assert_eq!(leads_to("The bees see"), [vault.block("Pereira")["id"].clone()]);
    let both = ["Silva", "bridge"].map(|text| vault.block(text)["id"].clone());
    let goats = leads_to("The goats see");
    assert!(goats.len() == 2 && both.iter().all(|id| goats.contains(id)), "{goats:?}");
    assert_eq!(leads_to("lives in town"), [Value::Null; 0]);
}

#[test]
fn a_link_to_a_heading_leads_to_the_part_below_it() {
    let vault = Vault::new(&[
        ("Bees.md", "In autumn the bees need [[Food#Autumn|more]], says [[Food#Nowhere]].\n"),
        ("Food.md", "# Food\n\nThey get sugar water.\n\n## Autumn\n\nIn October they get twice as much.\n"),
    ]);
    vault.import();
    let references = |text: &str| {
        let block = vault.block(text);
        let edges = block["edges"].as_array().unwrap().clone();
        edges.iter().filter(|edge| edge["relation_type"] == "references").count()
    };
    assert_eq!(["bees need", "October", "sugar"].map(references), [2, 1, 1]);
}

#[test]
fn a_note_that_is_deleted_is_told_though_another_one_has_its_text() {
    let vault = Vault::new(&[("a.md", "The gate is green.\n"), ("b.md", "The gate is green.\n")]);
    vault.import();
    std::fs::remove_file(vault.0.file("vault/b.md")).unwrap();
    let told = vault.0.ok(&["import", "vault"]);
    assert!(
        told.contains("1 here already (1 with other tags, dates or places)") && told.contains("elfmem undo"),
        "{told}"
    );
    assert_eq!(vault.import()["updated"], 0, "nothing changed since");
}

#[test]
fn a_vault_that_is_moved_stays_the_same_vault_and_a_copy_or_another_with_the_same_names_does_not() {
    let vault = Vault::new(&[
        ("README.md", "This vault is about bees.\n"),
        ("bees/Food.md", "---\ntags: [food]\n---\n# Food\n\nThey get sugar water in October.\n"),
        ("bees/Vet.md", "The vet for bees is Doctor Pereira.\n"),
    ]);
    vault.import();
    let food = vault.block("sugar")["id"].clone();
    let documents = || -> Vec<String> {
        let listed = vault.0.run(&["ls", "--documents", "--json"]).json();
        let listed = listed["documents"].as_array().unwrap().iter();
        listed.map(|each| each["name"].as_str().unwrap().to_owned()).collect()
    };
    let before = documents();

    // Another folder with files of the same names is another vault, whether the first one is gone or not.
    std::fs::create_dir(vault.0.file("other")).unwrap();
    std::fs::write(vault.0.file("other/README.md"), "This one is about boats.\n").unwrap();
    std::fs::rename(vault.0.file("vault"), vault.0.file("away")).unwrap();
    let came = vault.0.run(&["import", "other", "--json"]).json();
    assert_eq!(
        (&came["removed"], &came["changed"], &came["moved_from"]),
        (&json!(0), &json!(0), &Value::Null),
        "{came}"
    );

    // Moved, and changed on the way: the later version replaces the earlier one, and one undo takes it back.
    std::fs::create_dir(vault.0.file("notes")).unwrap();
    std::fs::rename(vault.0.file("away"), vault.0.file("notes/vault")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(vault.0.file("notes/vault").join(name), text).unwrap();
    write("bees/Food.md", "# Food\n\nThey get sugar water in October.\n");
    write("bees/Vet.md", "The vet for bees is Doctor Silva.\n");
    let rehearsed = vault.0.run(&["import", "notes/vault", "--dry-run", "--json"]).json();
    let told = vault.0.ok(&["import", "notes/vault"]);
    assert!(
        told.contains("1 block created, 2 here already (1 with other tags, dates or places), 1 replaced"),
        "{told}"
    );
    assert!(told.contains("The folder was moved: it was /") && told.contains("/vault before."), "{told}");
    assert_eq!((&rehearsed["changed"], &rehearsed["removed"]), (&json!(1), &json!(0)), "{rehearsed}");
    let after = documents();
    assert!(after.len() == 4 && after.iter().filter(|name| name.contains("/notes/vault/")).count() == 3, "{after:?}");
    assert_eq!((&vault.block("sugar")["id"], vault.tags("sugar")), (&food, json!([])));
    vault.0.ok(&["undo"]);
    assert_eq!(documents().len(), before.len() + 1);
    assert_eq!(vault.tags("sugar"), json!(["food"]));

    // A copy beside the vault is another one.
    vault.0.ok(&["import", "notes/vault"]);
    std::fs::create_dir_all(vault.0.file("copy/bees")).unwrap();
    for name in ["README.md", "bees/Food.md", "bees/Vet.md"] {
        std::fs::copy(vault.0.file("notes/vault").join(name), vault.0.file("copy").join(name)).unwrap();
    }
    let came = vault.0.run(&["import", "copy", "--json"]).json();
    assert_eq!((&came["merged"], &came["moved_from"]), (&json!(3), &Value::Null), "{came}");
    assert_eq!(documents().len(), 7);
}

#[test]
fn a_folder_is_read_as_the_format_that_is_asked_for_and_an_empty_one_changes_nothing() {
    let vault = Vault::new(&[("a.md", "Ana keeps bees.\n")]);
    vault.import();
    for (format, says) in [
        ("mem0", "it is a folder; name the file in it"),
        ("elfmem", "it is a folder; name the file in it"),
        ("database", "it is a folder; name the file in it"),
        ("chatgpt", "conversations.json"),
    ] {
        let error = vault.0.fails(&["import", "vault", "--from", format]);
        assert!(error.contains(says), "{format}: {error}");
    }
    vault.write(
        "conversations.json",
        r#"[{"uuid":"u","name":"Hi","chat_messages":[{"sender":"human","text":"Hello there"}]}]"#,
    );
    assert!(
        vault
            .0
            .ok(&["import", "vault", "--from", "markdown"])
            .starts_with("Imported Markdown: 0 blocks created, 1 here")
    );
    assert!(vault.0.ok(&["import", "vault", "--from", "claude"]).starts_with("Imported conversations of Claude"));
    for name in ["a.md", "conversations.json"] {
        std::fs::remove_file(vault.0.file("vault").join(name)).unwrap();
    }
    let error = vault.0.fails(&["import", "vault"]);
    assert!(error.contains("nothing archived") && error.contains("forget --document NAME"), "{error}");
    assert!(vault.0.ok(&["ls"]).contains("Ana keeps bees"));
}

#[test]
fn what_of_a_note_cannot_be_used_is_said_in_one_line_each() {
    let vault = Vault::new(&[
        ("torn.md", "---\ntags: [broken\n---\nSee [[Bees]], [[Missing note]] and ![[photo.png]].\n"),
        ("Bees.md", "Bees fly. See [[Missing note]] and [[Another one]].\n"),
    ]);
    let came = vault.import();
    assert_eq!((&came["created"], &came["skipped"]), (&json!(2), &json!([])), "{came}");
    let missing = "Not used, 2: no note of the folder has this name ([[";
    let told: Vec<&str> = came["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(told.iter().any(|one| one.starts_with(missing) && one.contains("[[Missing note]]")), "{told:?}");
    assert!(told.contains(&"Not used, 1: the list of `tags` has no end (torn.md)."), "{told:?}");
    assert_eq!(vault.block("Missing note]] and !")["tags"], json!(["broken"]));
}
