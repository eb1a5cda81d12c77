//! Files as other programs write them, and as nobody should.

use serde_json::{Value, json};

use super::*;

fn texts(parsed: &ParsedImport) -> &TextSet {
    match &parsed.contents {
        ImportContents::Texts(set) => set,
        ImportContents::Rows(_) => panic!("rows"),
    }
}

/// The texts, with those of notes that were never imported before.
fn texts_of_notes(parsed: &ParsedImport) -> TextSet {
    let cut = |note: &Note| {
        let chunks = Note::cut(&note.text, &[]);
        Ok::<_, TransferError>(Some(CutNote { chunks, key: None, label: note.place.clone() }))
    };
    texts(parsed).with_notes_cut(cut).unwrap()
}

fn rows(parsed: &ParsedImport) -> &RowSet {
    match &parsed.contents {
        ImportContents::Rows(set) => set,
        ImportContents::Texts(_) => panic!("texts"),
    }
}

fn read(text: &str) -> ParsedImport {
    ParsedImport::read("file", text, None).unwrap()
}

fn contents(set: &TextSet) -> Vec<&str> {
    set.texts.iter().map(|piece| piece.learn.content.as_str()).collect()
}

const HEADER: &str =
    r#"{"type":"header","format":"elfmem-export","version":1,"exported_at":"2026-05-01T08:00:00Z","active_hours":3.5}"#;

fn block_line() -> Value {
    json!({
        "type": "block", "id": "0df8edae6b966de1", "content": "Maria is allergic to peanuts", "category": "knowledge",
        "source": "cli", "created_at": "2026-05-01T08:00:00Z", "status": "active", "confidence": 0.5, "outcome_evidence": 0.0,
        "reinforcement_count": 1, "decay_lambda": 0.01, "last_reinforced_at": 2.0, "scope": "default", "pinned": false,
        "revision": 0, "tags": ["people/maria"],
    })
}

fn export_of(lines: &[&str]) -> String {
    format!("{HEADER}\n{}\n{{\"type\":\"end\",\"rows\":{}}}\n", lines.join("\n"), lines.len())
}

#[test]
fn our_export_is_read_with_its_clock() {
    let parsed = read(&export_of(&[&block_line().to_string(), r#"{"type":"setting","key":"top_k","value":"7"}"#]));
    assert_eq!((parsed.format(), parsed.entries()), (ImportFormat::Elfmem, 2));
    let set = rows(&parsed);
    assert_eq!((set.clock.unwrap().get(), set.trusted), (3.5, true));
    assert_eq!(set.rows[0].0, "line 2");
}

#[test]
fn a_damaged_line_of_an_export_is_named_by_its_number() {
    let good = block_line().to_string();
    let mut changed: Vec<(Value, &str)> = Vec::new();
    for (field, value) in [
        ("confidence", json!(1.5)),
        ("confidence", json!("high")),
        ("confidence", json!(null)),
        ("reinforcement_count", json!(-1)),
        ("reinforcement_count", json!(1e30)),
        ("status", json!("asleep")),
        ("id", json!("two words")),
        ("id", json!("a:b")),
        ("created_at", json!("yesterday")),
        ("tags", json!("people/maria")),
        ("tags", json!([5])),
        ("content", json!({"deep": []})),
        ("content", json!("nul \0 byte")),
        ("vector", json!("not hex")),
        ("source", json!("x".repeat(300))),
        ("type", json!("dream")),
    ] {
        let mut line = block_line();
        line[field] = value;
        changed.push((line, field));
    }
    for (line, field) in changed {
        let text = export_of(&[&good, &line.to_string()]);
        let error = ParsedImport::read("file", &text, None).unwrap_err();
        assert!(matches!(&error, TransferError::Damaged { place, .. } if place == "line 3"), "{field}: {error}");
        assert!(error.message().contains("Nothing was imported from this file") && !error.recovery().is_empty());
    }
    for broken in ["{", "[]", "5", "null", "{\"type\":\"block\"", "\u{0}", &"[".repeat(20_000)] {
        let error = ParsedImport::read("file", &export_of(&[&good, broken]), None).unwrap_err();
        assert!(error.message().starts_with("Line 3: "), "{error}");
    }
}

#[test]
fn an_export_that_was_cut_off_or_continued_is_refused() {
    let line = block_line().to_string();
    let whole = export_of(&[&line, &line.replace("peanuts", "nuts")]);
    let lines: Vec<&str> = whole.lines().collect();
    for (kept, place) in [(3, "line 3"), (2, "line 2"), (1, "line 1")] {
        let error = ParsedImport::read("file", &lines[..kept].join("\n"), None).unwrap_err();
        assert!(matches!(&error, TransferError::Damaged { place: at, .. } if at == place), "{error}");
    }
    let missing = [lines[0], lines[1], lines[3]].join("\n");
    assert!(ParsedImport::read("file", &missing, None).unwrap_err().message().contains("expected 2 rows"));
    let more = format!("{whole}{line}");
    assert!(ParsedImport::read("file", &more, None).unwrap_err().message().contains("follows the end line"));
    let spaced = whole.replace('\n', "\r\n\r\n");
    assert_eq!(read(&spaced).entries(), 2, "empty lines and other line ends are fine");
}

#[test]
fn an_export_of_a_newer_elfmem_is_refused() {
    let text = export_of(&[]).replace("\"version\":1", "\"version\":2");
    let error = ParsedImport::read("file", &text, None).unwrap_err();
    assert_eq!(error, TransferError::Newer { found: 2, known: 1 });
    assert!(error.recovery().contains("Upgrade"));
}

#[test]
fn a_bundle_of_the_python_elfmem_becomes_inbox_blocks_and_edges() {
    let bundle = json!({
        "version": 2, "exported_at": "2026-05-01T08:00:00Z", "from_did": "elf:ada", "block_count": 2,
        "blocks": [
            {"id": "aaaa", "content": "One", "category": "decision", "tags": ["topic/x", "self/value"], "confidence": 0.8,
             "created_at": "2026-04-01T08:00:00+00:00", "share": "public"},
            {"id": "bbbb", "content": "Two", "success_count": 3.0, "failure_count": 1.0},
        ],
        "edges": [
            {"from_id": "bbbb", "to_id": "aaaa", "relation_type": "supports", "weight": 0.7},
            {"from_id": "aaaa", "to_id": "aaaa", "relation_type": "similar", "weight": 0.7},
        ],
    });
    let parsed = read(&bundle.to_string());
    let set = rows(&parsed);
    assert_eq!((parsed.format(), set.rows.len(), set.trusted, set.clock), (ImportFormat::PythonBundle, 3, false, None));
    let Row::Block(two) = &set.rows[1].1 else { panic!("a block") };
    assert_eq!((two.block.confidence.get(), two.block.outcome_evidence.get()), (0.75, 3.0));
    assert_eq!(two.provenance.source_peer.as_deref(), Some("elf:ada"));
    let Row::Edge(edge) = &set.rows[2].1 else { panic!("an edge") };
    assert!(edge.key.from_id < edge.key.to_id && edge.relation_type.as_str() == "supports");
    let newer = bundle.to_string().replace("\"version\":2", "\"version\":3");
    assert!(matches!(ParsedImport::read("f", &newer, None).unwrap_err(), TransferError::Newer { found: 3, .. }));
}

#[test]
fn entities_and_relations_become_texts_that_say_them() {
    let lines = concat!(
        r#"{"type":"relation","from":"Maria Silva","to":"Acme","relationType":"works_at"}"#,
        "\n",
        r#"{"type":"entity","name":"Maria Silva","entityType":"Person","observations":["Is allergic to peanuts","Speaks Portuguese"]}"#,
        "\n\n",
        r#"{"type":"entity","name":"Acme","entityType":"company","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Maria Silva","to":"Nobody","relationType":"knows"}"#,
        "\n",
    );
    let parsed = read(lines);
    assert_eq!(parsed.format(), ImportFormat::McpMemory);
    let set = texts(&parsed);
    assert_eq!(
        contents(set),
        [
            "Maria Silva is a Person",
            "Maria Silva: Is allergic to peanuts",
            "Maria Silva: Speaks Portuguese",
            "Acme is a company",
            "Maria Silva works at Acme",
            "Maria Silva knows Nobody",
        ]
    );
    assert_eq!(set.texts[0].learn.labels.tags, ["entity/maria-silva", "type/person"]);
    assert_eq!(set.edges.len(), 1);
    assert_eq!((set.edges[0].from, set.edges[0].to, set.edges[0].relation.as_str()), (0, 3, "works_at"));
    assert_eq!(set.left_out.len(), 1);
    // The server's own answer holds the same in one object.
    let graph = json!({
        "entities": [{"name": "Acme", "entityType": "company", "observations": ["Founded in 1999"]}],
        "relations": [],
    });
    assert_eq!(contents(texts(&read(&format!("{graph:#}")))), ["Acme is a company", "Acme: Founded in 1999"]);
}

#[test]
fn a_damaged_line_of_a_knowledge_graph_is_named_by_its_number() {
    let good = r#"{"type":"entity","name":"A","entityType":"t","observations":["x"]}"#;
    for bad in [
        r#"{"type":"entity","entityType":"t","observations":["x"]}"#,
        r#"{"type":"entity","name":"A","entityType":"t","observations":[5]}"#,
        r#"{"type":"entity","name":"A","entityType":"t","observations":"x"}"#,
        r#"{"type":"secret"}"#,
        "{",
    ] {
        let error = ParsedImport::read("memory.jsonl", &format!("{good}\n{bad}\n"), None).unwrap_err();
        assert!(matches!(&error, TransferError::Damaged { place, .. } if place == "line 2"), "{bad}: {error}");
    }
}

#[test]
fn memories_of_mem0_are_read_in_every_form_it_writes() {
    let memory = json!({
        "id": "m1", "memory": "Prefers tea", "hash": "x", "user_id": "Alice Doe", "metadata": {"category": "food"},
        "categories": ["preferences", "self/value"], "created_at": "2025-01-02T03:04:05-08:00", "updated_at": null,
    });
    let relations = json!([{"source": "alice", "relationship": "lives_in", "target": "lisbon"}]);
    for export in [
        json!([memory]),
        json!({"results": [memory]}),
        json!({"memories": [memory]}),
        json!({"results": [memory], "relations": relations}),
    ] {
        let parsed = read(&export.to_string());
        assert_eq!(parsed.format(), ImportFormat::Mem0);
        let set = texts(&parsed);
        assert_eq!(set.texts[0].learn.content, "Prefers tea");
        assert_eq!(set.texts[0].learn.labels.tags, ["preferences", "self/value", "food", "user/alice-doe"]);
        assert_eq!(set.texts[0].created_at, elfmem_core::time::from_iso("2025-01-02T11:04:05Z"));
        if export.get("relations").is_some() {
            assert_eq!(set.texts[1].learn.content, "alice lives in lisbon");
        }
    }
    let error = ParsedImport::read("f", &json!([memory, {"memory": 5}]).to_string(), None).unwrap_err();
    assert!(error.message().starts_with("Memory 2: "), "{error}");
}

fn node(parent: Option<&str>, children: &[&str], role: &str, parts: Value) -> Value {
    let message = json!({"author": {"role": role}, "create_time": 1_699_564_800.5, "content": {"content_type": "text", "parts": parts}});
    json!({"message": message, "parent": parent, "children": children})
}

#[test]
fn the_last_branch_of_a_chatgpt_conversation_is_read_in_order() {
    let conversation = json!({
        "id": "c1", "title": "Trip", "create_time": 1_699_564_800, "current_node": "d",
        "mapping": {
            "root": {"message": null, "parent": null, "children": ["a"]},
            "a": node(Some("root"), &["b"], "system", json!(["secret prompt"])),
            "b": node(Some("a"), &["c", "d"], "user", json!(["Where to?", {"text": "in May"}, {"asset_pointer": "x"}])),
            "c": node(Some("b"), &[], "assistant", json!(["Oslo."])),
            "d": node(Some("b"), &[], "assistant", json!(["Rome."])),
        },
    });
    for export in [json!([conversation]), conversation.clone()] {
        let parsed = read(&export.to_string());
        assert_eq!(parsed.format(), ImportFormat::Chatgpt);
        assert_eq!(contents(texts(&parsed)), ["Trip\n\nUser: Where to?\n\nin May\n\nAssistant: Rome."]);
        assert_eq!(texts(&parsed).texts[0].learn.event_at.map(Timestamp::as_second), Some(1_699_564_800));
    }
    let circle = json!([{"mapping": {"a": node(Some("b"), &["b"], "user", json!(["x"])), "b": node(Some("a"), &["a"], "user", json!(["y"]))}, "current_node": "a"}]);
    assert_eq!(contents(texts(&read(&circle.to_string()))), ["User: y\n\nUser: x"]);
    let lost = json!([{"mapping": {"a": node(Some("gone"), &[], "user", json!(["x"]))}, "current_node": "gone too"}]);
    assert_eq!(contents(texts(&read(&lost.to_string()))), ["User: x"]);
}

#[test]
fn conversations_of_claude_are_read_with_and_without_parts() {
    let export = json!([{
        "uuid": "u1", "name": "Greeting", "created_at": "2024-05-01T10:00:00Z", "chat_messages": [
            {"sender": "human", "text": "Hello", "created_at": "2024-05-01T10:00:01Z"},
            {"sender": "assistant", "text": "all of it", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi!"}]},
            {"sender": "tool", "text": "never"},
        ],
    }, {"uuid": "u2", "name": "", "chat_messages": []}]);
    let parsed = read(&export.to_string());
    assert_eq!(parsed.format(), ImportFormat::Claude);
    let set = texts(&parsed);
    assert_eq!(contents(set), ["Greeting\n\nUser: Hello\n\nAssistant: Hi!"]);
    assert_eq!(set.left_out, [("the conversation has no text".to_owned(), "conversation 2".to_owned())]);
}

#[test]
fn the_notes_of_a_vault_keep_their_links_tags_and_dates_and_have_one_title() {
    let file = |name: &str, text: &str| TextFile::new(name, text);
    let bees = "---\ntitle: Bees\ntag: animals\ndate: 2024-05-08\naliases: [Apis]\n---\n# Bees\n\nThey live in the \
                [[Hive|box]] and in [[nowhere]].\n";
    let hive = "The hive is green. See [[apis]], [[Hive]] and [[garden/Bees]].\n";
    let parsed = ParsedImport::read_folder(&[file("garden/Bees.md", bees), file("Hive.md", hive)]).unwrap();
    let set = texts_of_notes(&parsed);
    assert_eq!(set.texts.len(), 2);
    assert_eq!(set.texts[0].learn.content.matches("Bees").count(), 1, "{}", set.texts[0].learn.content);
    assert_eq!(set.texts[0].learn.labels.tags, ["animals"]);
    assert!(set.texts[0].learn.event_at.is_some());
    let edges: Vec<(usize, usize, &str)> =
        set.edges.iter().map(|edge| (edge.from, edge.to, edge.relation.as_str())).collect();
    assert_eq!(edges, [(0, 1, "references"), (1, 0, "references"), (1, 0, "references")], "also by alias and path");
    let titled = ParsedImport::read_folder(&[file("a.md", "---\ntitle: A title\n---\nText\n")]).unwrap();
    assert!(texts_of_notes(&titled).texts[0].learn.content.starts_with("# A title"));
}

#[test]
fn markdown_of_ours_is_one_block_and_of_others_a_document() {
    let file = |name: &str, text: &str| TextFile::new(name, text);
    let ours = "---\nelfmem: block\nid: \"aaaa\"\nstatus: active\ncategory: decision\ntags: [\"topic/db\"]\ncue: \"when it rains\"\n\
                created: \"2026-01-02T03:04:05Z\"\nedges:\n  - {\"to\":\"bbbb\",\"relation\":\"supports\",\"weight\":0.9}\n  - {\"to\":\"gone\",\"relation\":\"supports\",\"weight\":0.9}\n---\n\nUse Postgres\n\n## not a document\n";
    let other = "---\nelfmem: block\nid: \"bbbb\"\n---\nBecause of the index\n";
    let archived = "---\nelfmem: block\nstatus: archived\n---\nOld\n";
    let long = format!(
        "---\ntitle: Notes\ntags:\n  - work\n  - '#idea'\ndate: 2026-03-04\n---\n{}",
        "A sentence of some words. ".repeat(120)
    );
    let files =
        [file("a.md", ours), file("b.md", other), file("c.md", archived), file("d.md", &long), file("e.md", " \n")];
    let parsed = ParsedImport::read_folder(&files).unwrap();
    let set = texts_of_notes(&parsed);
    assert_eq!(set.texts[0].learn.content, "Use Postgres\n\n## not a document");
    assert_eq!(set.texts[0].learn.cues, ["when it rains"]);
    assert_eq!((set.texts[0].learn.labels.category.as_str(), set.texts[0].created_at.is_some()), ("decision", true));
    assert_eq!((set.edges[0].to, set.edges.iter().filter(|edge| !edge.consecutive).count()), (1, 1));
    let notes = &set.texts[2..];
    assert!(notes.len() > 1 && notes[0].learn.content.starts_with("# Notes"));
    assert!(notes.iter().all(|piece| piece.learn.labels.tags == ["work", "idea"] && piece.learn.event_at.is_some()));
    assert_eq!(set.edges.iter().filter(|edge| edge.consecutive).count(), notes.len() - 1);
    assert_eq!(set.left_out.iter().map(|(_, place)| place.as_str()).collect::<Vec<_>>(), ["c.md", "e.md"]);
    let empty = ParsedImport::read_folder(&[file("bad.md", "---\nelfmem: block\n---\n\n")]).unwrap_err();
    assert!(empty.message().starts_with("Bad.md: "), "{empty}");
}

#[test]
fn what_is_not_known_says_which_forms_are() {
    for text in ["", "hello", "{}", "[]", "5", "[5]", "{\"a\":1}", "\u{feff}plain"] {
        let error = ParsedImport::read("file", text, None).unwrap_err();
        assert!(!error.recovery().is_empty() && !error.message().is_empty(), "{text}: {error}");
    }
    assert!(TransferError::UnknownFormat.recovery().contains("mcp-memory"));
    assert_eq!(read(&format!("\u{feff}{}", export_of(&[]))).format(), ImportFormat::Elfmem);
    assert_eq!(ParsedImport::read("notes.TXT", "hello", None).unwrap().format(), ImportFormat::Markdown);
    for format in ImportFormat::ALL {
        assert_eq!(ImportFormat::from_name(format.as_str()), Some(format));
        assert_eq!(serde_json::to_value(format).unwrap(), format.as_str());
    }
}

mod hostile {
    use super::*;
    use proptest::prelude::*;

    /// JSON of any shape, with the names that parsers look for.
    fn value() -> impl Strategy<Value = Value> {
        let name = prop::sample::select(vec![
            "type",
            "format",
            "version",
            "mapping",
            "message",
            "content",
            "parts",
            "author",
            "role",
            "chat_messages",
            "sender",
            "text",
            "memory",
            "results",
            "entities",
            "observations",
            "name",
            "relations",
            "from",
            "to",
            "relationType",
            "blocks",
            "edges",
            "id",
            "tags",
            "confidence",
            "created_at",
            "create_time",
            "current_node",
            "parent",
            "children",
            "weight",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            prop::sample::select(vec![
                "entity",
                "relation",
                "header",
                "block",
                "user",
                "human",
                "a",
                "\u{0}",
                "2026-01-01",
                ""
            ])
            .prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 8, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((name.clone(), inner), 0..8)
                    .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn no_json_makes_a_parser_panic(values in prop::collection::vec(value(), 1..4)) {
            let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
            let list = Value::from(values).to_string();
            for format in ImportFormat::ALL {
                for text in [&lines, &list] {
                    let _ = ParsedImport::read("f", text, Some(format));
                    let _ = ParsedImport::read("f", text, None);
                    let _ = ParsedImport::read("f", &format!("{HEADER}\n{text}"), None);
                }
            }
        }

        #[test]
        fn no_text_makes_a_parser_panic(text in any::<String>(), front in "[-a-z:\\[\\]{}\"' \n]{0,60}") {
            for format in ImportFormat::ALL {
                let _ = ParsedImport::read("f", &text, Some(format));
            }
            let _ = ParsedImport::read("f.md", &format!("---\n{front}\n---\n{text}"), None);
        }

        #[test]
        fn a_line_of_an_export_with_anything_in_a_field_is_read_or_refused(field in "[a-z_]{1,20}", value in value(), at in 0usize..26) {
            let mut line = block_line();
            let names: Vec<String> = line.as_object().unwrap().keys().cloned().collect();
            let name = names.get(at).cloned().unwrap_or(field);
            line[name] = value;
            let _ = ParsedImport::read("f", &export_of(&[&line.to_string()]), None);
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_a_crash() {
        for open in ["[", "{\"a\":", "[{\"mapping\":{\"a\":", "{\"type\":\"entity\",\"x\":"] {
            let text = open.repeat(20_000);
            for format in ImportFormat::ALL {
                assert!(ParsedImport::read("f", &text, Some(format)).is_err() || format == ImportFormat::Markdown);
            }
            assert!(ParsedImport::read("f", &text, None).is_err());
        }
    }
}
