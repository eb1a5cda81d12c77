//! What a memory keeps for each of its scopes, and what it keeps once for all of them.

use std::path::PathBuf;
use std::sync::Arc;

use elfmem_core::{Scope, ScopeView};
use elfmem_engine::{
    Dream, Error, ExportOptions, Learn, ListOperations, MigrateEmbeddings, Models, Options, Undo, UndoError, Verify,
};
use elfmem_models::RulesAnalyst;
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_store::conformance::header;
use elfmem_store::{JournalLinks, Snapshot, Store, StoreError};

use crate::fixtures::{FileMemory, active, edit, models, open_file, work_for};
use crate::{ManualClock, clock, options};

/// One file that several views are opened on.
struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
    clock: Arc<ManualClock>,
}

impl File {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        Self { _folder: folder, path, clock: clock() }
    }

    fn open(&self, view: ScopeView, models: Models) -> FileMemory {
        open_file(&self.path, Options { view, models, ..options(&self.clock) })
    }

    fn scope(&self, name: &str) -> FileMemory {
        self.open(only(name), thinking(ScriptedEmbedder::new(64)))
    }
}

fn only(name: &str) -> ScopeView {
    ScopeView::only(Scope::parse(name).unwrap())
}

fn thinking(embedder: ScriptedEmbedder) -> Models {
    models(Arc::new(embedder), Arc::new(RulesAnalyst))
}

#[test]
fn a_session_in_an_empty_scope_does_not_postpone_the_curation_of_others() {
    let file = File::new();
    let (full, empty) = (file.scope("default"), file.scope("empty"));
    full.begin_session("work").unwrap();
    active(&full, "old");
    work_for(&full, &file.clock, 400.0);
    full.end_session().unwrap();
    empty.begin_session("work").unwrap();
    empty.end_session().unwrap();
    assert!(full.should_curate().unwrap());
    let begun = full.begin_session("work").unwrap();
    assert_eq!(begun.curated.map(|curated| curated.archived), Some(1));
    full.end_session().unwrap();
    assert!(!empty.should_curate().unwrap(), "it counts from its own last run");
}

#[test]
fn a_failed_dream_is_reported_in_its_own_scope_until_a_dream_there_succeeds() {
    let file = File::new();
    let failing = file.open(only("one"), thinking(ScriptedEmbedder::new(64).failing_every(1)));
    let (one, two) = (file.scope("one"), file.scope("two"));
    failing.learn("Octopuses have three hearts").unwrap();
    two.learn("Honey does not spoil").unwrap();
    failing.dream(Dream::new()).unwrap_err();
    let reported = |memory: &FileMemory| memory.status().unwrap().suggestion.contains("consolidation failed");
    assert!(reported(&one) && !reported(&two));
    two.dream(Dream::new()).unwrap();
    assert!(reported(&one), "a dream elsewhere says nothing about this one");
    assert_eq!(one.status().unwrap().last_consolidated, "never");
    one.dream(Dream::new()).unwrap();
    assert!(!reported(&one));
}

#[test]
fn migrating_embeddings_covers_every_scope_of_the_memory() {
    let file = File::new();
    let old = || thinking(ScriptedEmbedder::new(64).named("old-model"));
    let new = || thinking(ScriptedEmbedder::new(96).named("new-model"));
    for name in ["one", "two"] {
        let memory = file.open(only(name), old());
        memory.learn(Learn::new(format!("Octopuses of scope {name} have three hearts"))).unwrap();
        memory.dream(Dream::new()).unwrap();
    }
    let result = file.open(only("one"), new()).migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!(result.embedded, 2);
    let two = file.open(only("two"), new());
    let read = |snapshot: &dyn Snapshot| snapshot.get_vectors("new-model", None);
    assert_eq!(two.store().read::<_, StoreError, _>(&only("two"), read).unwrap().len(), 1);
    assert_eq!(two.examine(Verify::new()).unwrap().without_vector, 0);
}

#[test]
fn a_vector_of_another_model_counts_as_missing() {
    let file = File::new();
    let memory = file.scope("default");
    let id = memory.learn("Octopuses have three hearts").unwrap().block_id;
    memory.learn("Honey does not spoil").unwrap();
    memory.dream(Dream::new()).unwrap();
    assert_eq!(memory.examine(Verify::new()).unwrap().without_vector, 0);
    edit(&memory, |transaction| transaction.set_embedding(&id, "another-model", &[1.0, 0.0]));
    let found = memory.examine(Verify::new()).unwrap();
    assert_eq!(found.without_vector, 1);
    assert!(!found.is_sound());
}

#[test]
fn an_undo_that_a_change_in_another_scope_rests_on_says_so_and_names_no_other_operation() {
    let file = File::new();
    let mine = file.scope("mine");
    let inheriting =
        file.open(only("other").inheriting(Scope::parse("mine").unwrap()), thinking(ScriptedEmbedder::new(64)));
    let first = mine.learn("Octopuses have three hearts").unwrap().block_id;
    inheriting.pin(first.as_str()).unwrap();
    for undo in [Undo::last(), Undo::operation(mine.operations(ListOperations::new().limit(1)).unwrap()[0].seq)] {
        let Error::Undo(error) = mine.undo(undo).unwrap_err() else { panic!("an undo error") };
        let UndoError::DependedElsewhere { seq } = error else { panic!("{error:?}") };
        assert_eq!(seq, mine.operations(ListOperations::new().limit(1)).unwrap()[0].seq);
        assert!(error.message().contains("in another scope"), "{error}");
    }
}

#[test]
fn a_run_that_changed_what_a_scope_does_not_see_is_not_undone_from_there() {
    let file = File::new();
    let (base, mine) = (file.scope("base"), file.scope("mine"));
    let theirs = base.learn("Octopuses have three hearts").unwrap().block_id;
    let own = mine.learn("Honey does not spoil").unwrap().block_id;
    let both = only("mine").inheriting(Scope::parse("base").unwrap());
    for id in [&theirs, &own] {
        let pinned: Result<(), StoreError> = mine.store().write(&both, |transaction| {
            transaction.set_journal_links(JournalLinks { run: Some("one run".into()), undoes: None });
            transaction.update_block(id, &mut |block| block.pinned = true)?;
            transaction.describe(header("pin"));
            Ok(())
        });
        pinned.unwrap();
    }
    let part = mine.operations(ListOperations::new().limit(1)).unwrap().remove(0);
    assert_eq!(part.operation, "pin");
    let Error::Undo(error) = mine.undo(Undo::operation(part.seq)).unwrap_err() else { panic!("an undo error") };
    assert!(matches!(&error, UndoError::NotUndoable { seq, .. } if *seq == part.seq), "{error:?}");
}

#[test]
fn an_export_holds_the_settings_of_its_own_scope_under_their_plain_names() {
    let file = File::new();
    for (name, hours) in [("default", 10.0), ("shop", 50.0)] {
        let memory = file.scope(name);
        memory.begin_session("work").unwrap();
        memory.learn(format!("The hours of {name}")).unwrap();
        work_for(&memory, &file.clock, hours);
        memory.curate(elfmem_engine::Curate::new()).unwrap();
        memory.end_session().unwrap();
    }
    let settings = |name: &str| -> Vec<String> {
        let mut out = Vec::new();
        file.scope(name).export(&mut out, &ExportOptions::default()).unwrap();
        let lines = String::from_utf8(out).unwrap();
        lines.lines().filter(|line| line.contains("last_curate_at")).map(str::to_owned).collect()
    };
    let (default, shop) = (settings("default"), settings("shop"));
    assert_eq!((default.len(), shop.len()), (1, 1), "{default:?} {shop:?}");
    assert!(default[0].contains("\"10") && shop[0].contains("\"60"), "{default:?} {shop:?}");
    assert!(shop[0].contains("\"last_curate_at\""), "{shop:?}");
}
