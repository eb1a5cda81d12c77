//! In and out: backups, exports, imports.

use std::path::Path;

use crate::{Answer, Sandbox, clear_error};

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&["--db", "a.db", "remember", "Maria is allergic to peanuts", "--tag", "people/maria"]);
    sandbox.ok(&["--db", "a.db", "remember", "Deploys go out on Tuesdays", "--tag", "self/value"]);
    sandbox.ok(&["--db", "a.db", "dream"]);
    sandbox.ok(&["--db", "a.db", "connect", "0df8", "980c", "--relation", "supports"]);
    sandbox
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What a memory answers, ready to be compared.
fn recalled(sandbox: &Sandbox, db: &str) -> serde_json::Value {
    let answer = sandbox.run(&["--db", db, "recall", "who can't eat nuts?", "--json"]);
    let blocks = answer.json()["blocks"].as_array().unwrap().clone();
    blocks.iter().map(|block| (block["id"].as_str().unwrap().to_owned(), block["content"].clone())).collect()
}

#[test]
fn a_memory_is_backed_up_and_restored() {
    let sandbox = filled();
    let rehearsed = sandbox.ok(&["--db", "a.db", "backup", "copy.db", "--dry-run"]);
    assert!(rehearsed.starts_with("Would back up 2 blocks, 1 edge"), "{rehearsed}");
    assert!(!sandbox.file("copy.db").exists());
    assert!(sandbox.ok(&["--db", "a.db", "backup", "copy.db"]).starts_with("Backed up 2 blocks, 1 edge"));
    assert!(sandbox.fails(&["--db", "a.db", "backup", "copy.db"]).contains("--force"));
    sandbox.ok(&["--db", "a.db", "remember", "Said later"]);
    let report = sandbox.run(&["--db", "a.db", "restore-backup", "copy.db", "--dry-run", "--json"]).json();
    assert_eq!((report["blocks"].as_u64(), report["blocks_before"].as_u64()), (Some(2), Some(3)));
    assert!(sandbox.fails(&["--db", "a.db", "restore-backup", "copy.db"]).contains("--yes"));
    assert!(sandbox.ok(&["--db", "a.db", "ls"]).contains("Said later"));
    let told = sandbox.ok(&["--db", "a.db", "restore-backup", "copy.db", "--yes"]);
    assert!(told.contains("What was there (3 blocks) is kept as a.db.before-restore."), "{told}");
    assert!(!sandbox.ok(&["--db", "a.db", "ls"]).contains("Said later"));
    let kept = entries(sandbox.path()).into_iter().find(|name| name.contains("before-restore")).unwrap();
    assert!(sandbox.ok(&["--db", &kept, "ls"]).contains("Said later"));
}

#[test]
fn nothing_to_back_up_and_nothing_to_restore_are_clear_errors() {
    let sandbox = Sandbox::new();
    assert!(sandbox.fails(&["--db", "a.db", "backup", "copy.db"]).contains("There is no memory"));
    assert!(
        sandbox
            .fails(&["--db", "a.db", "restore-backup", "missing.db", "--yes"])
            .contains("Cannot read missing.db: No such file")
    );
    std::fs::write(sandbox.file("notes.txt"), "text").unwrap();
    assert!(sandbox.fails(&["--db", "a.db", "restore-backup", "notes.txt", "--yes"]).contains("not a SQLite database"));
    assert_eq!(entries(sandbox.path()), ["notes.txt"]);
}

#[test]
fn an_export_comes_back_the_same() {
    let sandbox = filled();
    for flags in [&[][..], &["--vectors"]] {
        let to = format!("out{}.jsonl", flags.len());
        let told = sandbox.ok(&[&["--db", "a.db", "export", &to][..], flags].concat());
        assert!(told.starts_with("Exported 2 blocks, 1 edge and ") && told.contains(&to), "{told}");
        let db = format!("b{}.db", flags.len());
        let told = sandbox.ok(&["--db", &db, "import", &to]);
        assert!(
            told.starts_with(
                "Imported an export of elfmem: 2 blocks created, 0 here already, 1 edge created, 0 skipped."
            )
        );
        assert!(told.contains("elfmem undo"), "{told}");
        assert_eq!(recalled(&sandbox, &db), recalled(&sandbox, "a.db"));
        let shown = sandbox.ok(&["--db", &db, "show", "980c"]);
        assert!(shown.contains("self/value"), "{shown}");
        sandbox.ok(&["--db", &db, "undo"]);
        assert!(sandbox.ok(&["--db", &db, "ls"]).contains("Nothing is stored"));
    }
    assert!(sandbox.fails(&["--db", "a.db", "export", "out0.jsonl"]).contains("--force"));
    sandbox.ok(&["--db", "a.db", "export", "out0.jsonl", "--force"]);
    assert!(!entries(sandbox.path()).iter().any(|name| name.ends_with(".partial")));
}

#[test]
fn standard_output_is_the_export_and_standard_input_takes_it_in() {
    let sandbox = filled();
    let answer = sandbox.run(&["--db", "a.db", "export"]);
    assert_eq!(answer.code, 0);
    assert!(answer.stderr.starts_with("Exported 2 blocks"), "{answer:?}");
    assert!(answer.stdout.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    let came: Answer = sandbox.pipe(answer.stdout.as_bytes(), &["--db", "b.db", "import", "-", "--json"]);
    assert_eq!((came.json()["created"].as_u64(), came.json()["format"].as_str()), (Some(2), Some("elfmem")));
    let rehearsed = sandbox.run(&["--db", "a.db", "export", "x.jsonl", "--dry-run", "--json"]).json();
    assert_eq!((rehearsed["blocks"].as_u64(), rehearsed["dry_run"].as_bool()), (Some(2), Some(true)));
    assert!(!sandbox.file("x.jsonl").exists());
}

#[test]
fn a_damaged_line_is_named_and_no_memory_is_made() {
    let sandbox = filled();
    sandbox.ok(&["--db", "a.db", "export", "out.jsonl"]);
    let text = std::fs::read_to_string(sandbox.file("out.jsonl")).unwrap();
    std::fs::write(sandbox.file("bad.jsonl"), text.replacen("\"confidence\":", "\"confidence\":1", 1)).unwrap();
    let error = sandbox.fails(&["--db", "b.db", "import", "bad.jsonl"]);
    assert!(error.contains("Line 2: ") && error.contains("Nothing was imported from this file"), "{error}");
    assert!(!sandbox.file("b.db").exists());
    let cut = &text[..text.trim_end().rfind('\n').unwrap()];
    std::fs::write(sandbox.file("cut.jsonl"), cut).unwrap();
    assert!(sandbox.fails(&["--db", "b.db", "import", "cut.jsonl"]).contains("truncated"));
}

#[test]
fn markdown_goes_out_as_a_folder_and_comes_in_from_one() {
    let sandbox = filled();
    let told = sandbox.ok(&["--db", "a.db", "export", "--format", "markdown", "notes"]);
    assert!(told.contains("To notes."), "{told}");
    assert_eq!(entries(&sandbox.file("notes/active")).len(), 2);
    assert!(sandbox.fails(&["--db", "a.db", "export", "--format", "markdown", "notes"]).contains("empty folder"));
    assert!(sandbox.fails(&["--db", "a.db", "export", "--format", "markdown"]).contains("Name a folder"));
    std::fs::write(sandbox.file("notes/mine.md"), "# Mine\n\nThe gate code is 4711.\n").unwrap();
    std::fs::create_dir(sandbox.file("notes/.obsidian")).unwrap();
    std::fs::write(sandbox.file("notes/.obsidian/x.md"), "hidden").unwrap();
    let came = sandbox.run(&["--db", "b.db", "import", "notes", "--json"]).json();
    assert_eq!(
        (came["created"].as_u64(), came["edges_created"].as_u64(), came["format"].as_str()),
        (Some(3), Some(1), Some("markdown"))
    );
    let reason = came["skipped"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "the tag 'self/value' is reserved");
    assert!(sandbox.ok(&["--db", "b.db", "recall", "gate code"]).contains("4711"));
}

#[test]
fn databases_of_the_python_elfmem_are_imported_and_stay_as_they_are() {
    let sandbox = Sandbox::new();
    for version in ["0.15", "0.20"] {
        let script = format!("{}/../store-sqlite/tests/fixtures/python-{version}.sql", env!("CARGO_MANIFEST_DIR"));
        let path = sandbox.file(&format!("{version}.db"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(&std::fs::read_to_string(script).unwrap()).unwrap();
        drop(connection);
        let before = std::fs::read(&path).unwrap();
        let file = path.to_str().unwrap();
        let rehearsed = sandbox.run(&["--db", version, "import", file, "--dry-run", "--json"]).json();
        assert!(!sandbox.file(version).exists(), "a rehearsal makes no memory");
        let came = sandbox.run(&["--db", version, "import", file, "--json"]).json();
        for report in [rehearsed, came] {
            let counts = ["created", "merged", "edges_created"].map(|name| report[name].as_u64().unwrap());
            assert_eq!((counts, report["format"].as_str()), ([6, 0, 2], Some("python")), "{report}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert!(sandbox.ok(&["--db", version, "recall", "who can't eat nuts?"]).contains("peanuts"));
    }
    let error = sandbox.fails(&["--db", "x.db", "import", "0.15.db", "--from", "mem0"]);
    assert!(error.contains("cannot be read as mem0: it is a SQLite database"), "{error}");
}

#[test]
fn what_cannot_be_imported_says_what_can() {
    let sandbox = Sandbox::new();
    let file = |name: &str, bytes: &[u8]| std::fs::write(sandbox.file(name), bytes).unwrap();
    file("strange.json", b"{\"hello\": 1}");
    file("archive.zip", b"PK\x03\x04rest");
    file("bytes.bin", &[0xff, 0xfe, 0x00]);
    file("empty.txt", b"");
    std::fs::create_dir(sandbox.file("folder")).unwrap();
    for (name, says) in [
        ("strange.json", "mcp-memory"),
        ("archive.zip", "Unpack it"),
        ("bytes.bin", "not UTF-8"),
        ("folder", "no Markdown file"),
        ("missing", "Cannot read missing"),
    ] {
        let error = clear_error(&sandbox.run(&["--db", "a.db", "import", name]));
        assert!(error.contains(says), "{name}: {error}");
    }
    let usage = sandbox.run(&["import", "strange.json", "--from", "nonsense"]);
    assert_eq!(usage.code, 2);
    assert!(usage.stderr.contains("python-bundle"), "{usage:?}");
    assert!(!sandbox.file("a.db").exists());
    // A folder as ChatGPT and Claude hand it out is recognised by its conversations.
    file(
        "folder/conversations.json",
        br#"[{"uuid":"u","name":"Hi","chat_messages":[{"sender":"human","text":"Hello there"}]}]"#,
    );
    assert!(
        sandbox
            .ok(&["--db", "a.db", "import", "folder"])
            .starts_with("Imported conversations of Claude: 1 block created")
    );
}
