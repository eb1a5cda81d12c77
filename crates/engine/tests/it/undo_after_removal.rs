//! `undo` after texts were removed for good, among links, and in a scope that inherits (issue 19, point 8).

use elfmem_core::{BlockId, OperationKind, Scope, ScopeView};
use elfmem_engine::{
    AddLink, AddTags, Connect, Dream, Edit, Error, Learn, Memory, Options, ScanSecrets, Undo, UndoError,
};
use elfmem_store::Store;
use elfmem_store_sqlite::SqliteStore;

use crate::fixtures::{SharedStore, block, blocks, edit, learn};
use crate::state::{assert_same_state, state, state_in};
use crate::{ManualClock, clock, options};

/// Put together here, so that no key stands in this file.
fn key() -> String {
    format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0)
}

fn on_sqlite(clock: &std::sync::Arc<ManualClock>) -> Memory<SqliteStore> {
    let store = SqliteStore::in_memory(elfmem_engine::Clock::now(&**clock)).unwrap();
    Memory::open(store, options(clock))
}

fn verify(memory: &Memory<impl Store>) {
    let findings = memory.store().examine(&ScopeView::default(), &mut |_| {}).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_redaction_is_not_undone_and_its_blocks_stay_with_their_links() {
    let memory = on_sqlite(&clock());
    let other = learn(&memory, &["The robot deploys on Tuesdays"]).remove(0);
    let secret = memory.learn(Learn::new(format!("Deploy with {}", key())).allow_secrets()).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    memory.link(AddLink::new(secret.as_str(), "reinforces", other.as_str())).unwrap();
    memory.link(AddLink::new(other.as_str(), "reinforces", secret.as_str())).unwrap();
    let believed = block(&memory, &other).confidence;
    let scan = memory.scan_secrets(ScanSecrets::new().redact()).unwrap();
    let redacted = scan.blocks[0].replaced_by.clone().unwrap();
    verify(&memory);
    let links = memory.links(elfmem_engine::ListLinks::new()).unwrap();
    assert_eq!(links.len(), 2, "{links:?}");
    assert_eq!(block(&memory, &other).confidence, believed, "what the link moved stays moved");
    while let Ok(undone) = memory.undo(Undo::last()) {
        assert_ne!(undone.operation, OperationKind::RedactSecrets);
        verify(&memory);
    }
    assert!(blocks(&memory).iter().any(|block| block.id == redacted), "the redacted block stays");
}

#[test]
fn plain_undo_passes_over_what_a_purge_left_nothing_of() {
    let memory = on_sqlite(&clock());
    let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
    memory.dream(Dream::new()).unwrap();
    memory.link(AddLink::new(ids[1].as_str(), "reinforces", ids[0].as_str())).unwrap();
    memory.add_tags(AddTags::new(ids[1].as_str(), ["topic/db"])).unwrap();
    memory.purge(ids[1].as_str()).unwrap();
    verify(&memory);
    let undone = memory.undo(Undo::last()).unwrap();
    assert_eq!(undone.operation, OperationKind::Dream);
    let skipped: Vec<&OperationKind> = undone.skipped.iter().map(|skipped| &skipped.operation).collect();
    assert_eq!(skipped, [&OperationKind::Purge, &OperationKind::AddTags, &OperationKind::Link], "{undone}");
    assert_eq!(memory.undo(Undo::last()).unwrap().operation, OperationKind::Learn);
    let end = memory.undo(Undo::last()).unwrap_err();
    assert!(matches!(end, Error::Undo(UndoError::NothingToUndo)), "{end}");
    verify(&memory);
}

#[test]
fn a_link_an_edit_and_a_purge_leave_a_memory_that_verifies() {
    for purged in 0..3 {
        let memory = on_sqlite(&clock());
        let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
        memory.dream(Dream::new()).unwrap();
        memory.link(AddLink::new(ids[0].as_str(), "reinforces", ids[1].as_str())).unwrap();
        let edited = memory.edit(Edit::new(ids[1].as_str()).content("The port is 6000")).unwrap().block_id;
        verify(&memory);
        memory.purge([&ids[0], &ids[1], &edited][purged].as_str()).unwrap();
        verify(&memory);
    }
}

#[test]
fn undoing_a_contradicts_link_brings_every_column_back() {
    let memory = on_sqlite(&clock());
    let ids = learn(&memory, &["Ana keeps bees", "The port is 5432"]);
    memory.dream(Dream::new()).unwrap();
    let key = elfmem_core::EdgeKey::canonical(&ids[0], &ids[1]).unwrap();
    let at = elfmem_core::Timestamp::UNIX_EPOCH;
    let alike = elfmem_core::Edge::new(key, elfmem_core::Relation::SIMILAR, elfmem_core::EdgeOrigin::SIMILARITY, at);
    edit(&memory, |transaction| transaction.put_edge(&alike));
    let before = state(&memory);
    memory.link(AddLink::new(ids[0].as_str(), "contradicts", ids[1].as_str())).unwrap();
    let after = state(&memory);
    let undone = memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    verify(&memory);
    memory.undo(Undo::operation(undone.undo_seq.unwrap())).unwrap();
    assert_same_state(&state(&memory), &after);
}

#[test]
fn undo_in_a_scope_that_inherits_takes_back_what_was_done_there() {
    let clock = clock();
    let store = SharedStore::new(SqliteStore::in_memory(elfmem_engine::Clock::now(&*clock)).unwrap());
    let view = ScopeView::only(Scope::parse("child").unwrap()).inheriting(Scope::DEFAULT);
    let parent = Memory::open(store.share(), options(&clock));
    let random = std::sync::Arc::new(|| 7);
    let child = Memory::open(store.share(), Options { view: view.clone(), random, ..options(&clock) });
    let known = parent.learn("Ana keeps bees").unwrap().block_id;
    parent.dream(Dream::new()).unwrap();
    let own = child.learn("The port is 5432").unwrap().block_id;
    child.dream(Dream::new()).unwrap();
    let id = |id: &BlockId| id.to_string();
    type Verb = fn(&Memory<SharedStore<SqliteStore>>, String, String);
    let verbs: [(&str, Verb); 7] = [
        ("tag an inherited block", |m, known, _| drop(m.add_tags(AddTags::new(known, ["topic/bees"])).unwrap())),
        ("edit an inherited block", |m, known, _| drop(m.edit(Edit::new(known).content("Ana has bees")).unwrap())),
        ("forget an inherited block", |m, known, _| drop(m.forget(known).unwrap())),
        ("link to an inherited block", |m, known, own| {
            drop(m.link(AddLink::new(own, "contradicts", known)).unwrap());
        }),
        ("connect to an inherited block", |m, known, own| drop(m.connect(Connect::new(own, known)).unwrap())),
        ("enrol an inherited block", |m, known, _| {
            drop(m.invoke("enrol", serde_json::json!({"block": known, "context": "skill:bees"}).as_object().unwrap()));
        }),
        ("edit an own block", |m, _, own| drop(m.edit(Edit::new(own).content("The port is 6000")).unwrap())),
    ];
    for (name, verb) in verbs {
        let before = state_in(&store, &view);
        verb(&child, id(&known), id(&own));
        let after = state_in(&store, &view);
        assert_ne!(before, after, "{name}");
        let undone = child.undo(Undo::last()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_same_state(&state_in(&store, &view), &before);
        let redo = Undo::operation(undone.undo_seq.unwrap());
        child.undo(redo).unwrap_or_else(|error| panic!("redo of {name}: {error}"));
        assert_same_state(&state_in(&store, &view), &after);
        child.undo(Undo::operation(undone.seq)).unwrap();
        assert_same_state(&state_in(&store, &view), &before);
        let findings = store.examine(&view, &mut |_| {}).unwrap();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
}
