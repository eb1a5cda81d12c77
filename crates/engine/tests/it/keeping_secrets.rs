//! Keys, tokens and passwords are not kept, and those that were can be taken out.

use elfmem_core::{BlockId, BlockStatus};
use elfmem_engine::{
    AddLink, Connect, Disconnect, Dream, Edit, Error, Forget, ImportFormat, ImportOptions, Learn, LearnDocument,
    LearnStatus, ListEvents, Options, Outcome, ParsedImport, ReadLog, ResolveContradiction, ScanSecrets, SessionStyle,
    StoreEvent,
};
use elfmem_store::Store;
use elfmem_text::secrets::SecretsPolicy;
use serde_json::json;

use crate::fixtures::{TestMemory, block, open_memory};
use crate::{clock, memory, memory_on, options};

/// Put together here, so that no key stands in this file.
fn key() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0)
}

fn memory_that(secrets: SecretsPolicy) -> TestMemory {
    let clock = clock();
    open_memory(Options { secrets, ..options(&clock) })
}

#[test]
fn what_is_learned_is_stored_without_its_secrets_and_the_result_says_of_which_kind_they_were() {
    let memory = memory();
    let result =
        memory.learn(Learn::new(format!("Deploy with {}", key())).cue(format!("when {} fails", key()))).unwrap();
    assert_eq!(result.redacted.to_string(), "2 github_token");
    let stored = block(&memory, &result.block_id);
    assert_eq!(stored.content, "Deploy with [redacted:github_token]");
    assert_eq!(stored.cue.as_deref(), Some("when [redacted:github_token] fails"));
    assert_eq!(stored.id, BlockId::for_content(&stored.content));
    let told = format!("{:?} {:?}", memory.log(ReadLog::new().limit(50)).unwrap(), memory.history(50));
    assert!(!told.contains(&key()) && told.contains("Redacted: 2 github_token"), "{told}");
}

#[test]
fn a_secret_that_is_allowed_is_stored_and_one_that_is_refused_changes_nothing() {
    let text = format!("Deploy with {}", key());
    let refusing = memory_that(SecretsPolicy::Refuse);
    let error = refusing.learn(text.as_str()).unwrap_err();
    assert!(matches!(&error, Error::SecretInText { .. }));
    assert!(error.to_string().contains("1 github_token") && error.to_string().contains("allow"));
    assert!(!error.to_string().contains(&key()));
    assert!(refusing.learn_document(LearnDocument::new(text.as_str())).is_err());
    assert_eq!(refusing.status().unwrap().inbox_count, 0);
    let kept = refusing.learn(Learn::new(text.as_str()).allow_secrets()).unwrap();
    assert_eq!(block(&refusing, &kept.block_id).content, text);
    let allowing = memory_that(SecretsPolicy::Allow);
    assert_eq!(block(&allowing, &allowing.learn(text.as_str()).unwrap().block_id).content, text);
}

#[test]
fn a_private_key_in_a_document_is_redacted_whole_before_it_is_cut() {
    let memory = memory();
    let lines = "MIIEpAIBAAKCAQEA7bq\n".repeat(40);
    let (begin, end) = (format!("-----BEGIN {} KEY-----", "PRIVATE"), format!("-----END {} KEY-----", "PRIVATE"));
    let text = format!("The server's key follows.\n\n{begin}\n{lines}{end}\n\nIt was made in May.");
    let result = memory.learn_document(LearnDocument::new(text).chunk_words(8)).unwrap();
    assert_eq!(result.redacted.to_string(), "1 private_key");
    let all: String = result.chunks.iter().map(|chunk| block(&memory, &chunk.block_id).content).collect();
    assert!(all.contains("[redacted:private_key]") && all.contains("made in May") && !all.contains("MIIE"), "{all}");
}

#[test]
fn an_event_is_stored_without_its_secrets_in_what_it_says_and_in_its_payload() {
    let memory = memory_that(SecretsPolicy::Redact);
    let payload =
        json!({"topic": "deploy", "value": format!("use {} for it", key()), "api_key": "hunter2-battery-staple"});
    let told = memory.store_event(StoreEvent::with_payload("fact", payload).source("agent")).unwrap();
    assert!(told.to_string().contains("Redacted: "), "{told}");
    let events = memory.list_events(ListEvents::new()).unwrap().events;
    let kept = serde_json::to_string(&events).unwrap();
    let content = memory.show(told.block_id.unwrap().as_str()).unwrap().block.content;
    for text in [&kept, &content] {
        assert!(!text.contains(&key()) && !text.contains("battery-staple"), "{text}");
        assert!(text.contains("[redacted:"), "{text}");
    }
    let refused = memory_that(SecretsPolicy::Refuse).store_event(StoreEvent::with_payload("fact", key())).unwrap_err();
    assert!(!refused.message().contains(&key()));
}

#[test]
fn an_edit_and_an_import_are_screened_as_well() {
    let memory = memory();
    let id = memory.learn("Deploy with the token of the robot").unwrap().block_id;
    let result = memory.edit(Edit::new(id.as_str()).content(format!("Deploy with {}", key()))).unwrap();
    let told = result.to_string();
    assert!(told.ends_with("Redacted: 1 github_token. edit(allow_secrets=true) stores it as it is."), "{told}");
    assert!(block(&memory, &result.block_id).content.ends_with("[redacted:github_token]"));

    let file = format!("The password is in postgres://ada:{}@db/app\n", "tr0ub4dor");
    let parsed = ParsedImport::read("notes.md", &file, Some(ImportFormat::Markdown)).unwrap();
    let result = memory.import(&parsed, &ImportOptions::default()).unwrap();
    assert_eq!((result.created, result.redacted.to_string()), (1, "1 url_password".to_owned()));
}

#[test]
fn names_of_imported_files_and_of_sessions_of_hosts_are_kept_without_secrets() {
    let memory = memory();
    let parsed = ParsedImport::read(&format!("{}.md", key()), "The crane is blue\n", Some(ImportFormat::Markdown));
    memory.import(&parsed.unwrap(), &ImportOptions::default()).unwrap();
    memory.note_host_session(&key(), |session| session.introduced = true).unwrap();
    assert!(memory.host_session(&key()).unwrap().introduced);
    assert!(!memory.host_session("another").unwrap().introduced);
    let mut rows = String::new();
    let view = elfmem_core::ScopeView::default();
    let read = memory.store().read(&view, |snapshot| {
        snapshot.visit_rows(elfmem_store::Vectors::Skip, &mut |row| {
            rows.push_str(&format!("{row:?}"));
            std::ops::ControlFlow::Continue(())
        })?;
        rows.push_str(&snapshot.get_scope_config("host_sessions")?.unwrap_or_default());
        Ok::<_, elfmem_store::StoreError>(())
    });
    read.unwrap();
    assert!(rows.contains("The crane is blue") && rows.contains("introduced"), "{rows}");
    assert!(!rows.contains(&key()), "{rows}");
}

#[test]
fn rows_of_another_memory_lose_their_secrets_and_keep_what_hangs_on_them() {
    let source = memory_that(SecretsPolicy::Allow);
    let a = source.learn(format!("Deploy with {}", key())).unwrap().block_id;
    let b = source.learn("The robot deploys on Tuesdays").unwrap().block_id;
    source.dream(Dream::new()).unwrap();
    source.connect(elfmem_engine::Connect::new(a.as_str(), b.as_str())).unwrap();
    source.outcome(Outcome::new([a.as_str()], 1.0)).unwrap();
    let mut file = Vec::new();
    source.export(&mut file, &elfmem_engine::ExportOptions { vectors: true, ..Default::default() }).unwrap();
    let parsed = ParsedImport::read("m.jsonl", std::str::from_utf8(&file).unwrap(), None).unwrap();

    let memory = memory();
    let result = memory.import(&parsed, &ImportOptions::default()).unwrap();
    assert_eq!((result.created, result.redacted.total()), (2, 1));
    let here = BlockId::for_content("Deploy with [redacted:github_token]");
    let details = memory.show(here.as_str()).unwrap();
    assert_eq!(details.edges.len(), 1);
    assert!(details.block.confidence.get() > 0.5);
    assert!(memory.show(a.as_str()).is_err(), "an id that follows from the secret would tell of it");
}

#[test]
fn a_scan_names_blocks_and_kinds_and_redacting_leaves_no_byte_of_the_secret_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    let secret = memory.learn(Learn::new(format!("Deploy with {}", key())).tag("topic/deploy").allow_secrets());
    let secret = secret.unwrap().block_id;
    let other = memory.learn("The robot deploys on Tuesdays").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.connect(elfmem_engine::Connect::new(secret.as_str(), other.as_str())).unwrap();
    memory.outcome(Outcome::new([secret.as_str()], 1.0)).unwrap();
    let old = memory.learn(Learn::new(format!("Old: {}", key())).allow_secrets()).unwrap().block_id;
    memory.forget(old.as_str()).unwrap();

    let scan = memory.scan_secrets(ScanSecrets::new()).unwrap();
    assert_eq!((scan.scanned, scan.blocks.len(), scan.redacted), (3, 2, false));
    assert!(!serde_json::to_string(&scan).unwrap().contains(&key()));
    let before = block(&memory, &secret);

    let scan = memory.scan_secrets(ScanSecrets::new().redact()).unwrap();
    assert!(scan.redacted && scan.erased, "{scan}");
    let here = scan.blocks.iter().find(|found| found.block_id == secret).unwrap().replaced_by.clone().unwrap();
    let details = memory.show(here.as_str()).unwrap();
    assert_eq!(details.block.content, "Deploy with [redacted:github_token]");
    assert_eq!((details.block.confidence, &details.block.tags), (before.confidence, &before.tags));
    assert_eq!((details.block.status, details.edges.len()), (BlockStatus::Active, 1));
    assert_eq!(memory.recall("deploy robot token").unwrap().blocks.len(), 2);
    assert_eq!(memory.scan_secrets(ScanSecrets::new()).unwrap().blocks, []);
    let bytes = ["", "-wal", "-shm"].map(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        std::fs::read(name).unwrap_or_default()
    });
    let held = bytes.concat().windows(key().len()).any(|window| window == key().as_bytes());
    assert!(!held, "the key is still in the file");
}

#[test]
fn an_error_does_not_repeat_a_secret_that_was_given() {
    let memory = memory();
    for error in [memory.show(key()).unwrap_err(), memory.frame(key()).unwrap_err()] {
        assert!(!error.to_string().contains(&key()), "{error}");
        assert!(error.to_string().contains("[redacted:github_token]"), "{error}");
    }
}

#[test]
fn notes_reasons_sources_and_kinds_of_work_are_screened_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let memory = memory_on(&path, &clock(), SessionStyle::Held);
    let ids = ["The back door is open", "The back door is closed", "Maria is allergic to peanuts"]
        .map(|text| memory.learn(text).unwrap().block_id.to_string());
    assert_eq!(memory.dream(Dream::new()).unwrap().contradictions_detected, 1);
    let said = format!("because of {}", key());
    memory.begin_session(&said).unwrap();
    memory.connect(Connect::new(&ids[0], &ids[2]).note(&said)).unwrap();
    memory.connects(&[Connect::new(&ids[1], &ids[2]).note(&said)]).unwrap();
    memory.link(AddLink::new(&ids[0], "extends", &ids[2]).note(&said)).unwrap();
    memory.outcome(Outcome::new([&ids[2]], 0.9).source(said.clone())).unwrap();
    memory.resolve_contradiction(ResolveContradiction::new(&ids[0], &ids[1]).both(said.clone())).unwrap();
    memory.disconnect(Disconnect::new(&ids[1], &ids[2]).reason(&said)).unwrap();
    memory.forget(Forget::new(&ids[2]).reason(&said)).unwrap();
    memory.end_session().unwrap();
    drop(memory);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(key().len()).any(|window| window == key().as_bytes()));
    }
    let refusing = memory_that(SecretsPolicy::Refuse);
    let refused = refusing.begin_session(&said).unwrap_err();
    assert!(matches!(refused, Error::SecretInText { .. }), "{refused}");
}

#[test]
fn what_holds_no_secret_is_stored_to_the_letter() {
    let memory = memory();
    let text = "Commit 23b7e0b5c8d1a9f04e6b7c8d9e0f1a2b3c4d5e6f fixed password: String and TOKEN=${TOKEN}";
    let result = memory.learn(text).unwrap();
    assert_eq!((result.status, result.redacted.is_empty()), (LearnStatus::Created, true));
    assert_eq!(block(&memory, &result.block_id).content, text);
}
