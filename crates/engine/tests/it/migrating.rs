//! The memory belongs to the model that filled it, until it is taken to another.

use std::path::Path;
use std::sync::{Arc, Mutex};

use elfmem_core::{BlockStatus, ScopeView};
use elfmem_engine::{
    Dream, ErrorKind, Learn, Memory, MigrateEmbeddings, Options, Progress, ProgressListener, ReadLog, SessionStyle,
    Undo,
};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{BuiltinModel, Embedder, RulesAnalyst};
use elfmem_store::{Snapshot, Store, StoreError, StoredVector, Transaction};
use elfmem_store_sqlite::SqliteStore;

use crate::fixtures::{
    FileMemory, block, blocks, check_invariants, edit, facts, file_store, inbox, learn, memory_thinking, models,
};
use crate::{ManualClock, clock, memory_on, options};

fn memory_of(path: &Path, clock: &Arc<ManualClock>, embedder: ScriptedEmbedder) -> FileMemory {
    memory_thinking(path, clock, models(Arc::new(embedder), Arc::new(RulesAnalyst)))
}

fn old_model() -> ScriptedEmbedder {
    alike(ScriptedEmbedder::new(64).named("old-model"))
}

fn new_model() -> ScriptedEmbedder {
    alike(ScriptedEmbedder::new(96).named("new-model"))
}

/// Knows the repetitions of these tests for what they are.
fn alike(embedder: ScriptedEmbedder) -> ScriptedEmbedder {
    [HEARTS, COPPER, SHELF].into_iter().fold(embedder, |embedder, text| embedder.with_cosine(text, &again(text), 0.99))
}

const HEARTS: &str = "Octopuses have three hearts";
const COPPER: &str = "Copper conducts heat better than iron";
const SHELF: &str = "Shelf 7 is empty";

fn again(text: &str) -> String {
    format!("{text}!")
}

fn vectors(memory: &Memory<impl Store>, model: &str) -> Vec<StoredVector> {
    let read = |snapshot: &dyn Snapshot| snapshot.get_vectors(model, None);
    memory.store().read::<_, StoreError, _>(&ScopeView::default(), read).unwrap()
}

#[test]
fn another_model_is_refused_with_the_way_out_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    learn(&old, &[HEARTS, "Honey does not spoil"]);
    old.dream(Dream::new()).unwrap();
    assert_eq!(old.filled_by().unwrap().as_deref(), Some("old-model"));
    learn(&old, &[COPPER]);
    let before = (blocks(&old), old.log(ReadLog::new().limit(100)).unwrap());
    for other in [new_model(), ScriptedEmbedder::new(32).named("old-model")] {
        let other = memory_of(&path, &clock, other);
        for dream in [Dream::new().dry_run(), Dream::new()] {
            let error = other.dream(dream).unwrap_err();
            assert_eq!((error.kind(), error.kind().as_str()), (ErrorKind::EmbeddingLock, "EmbeddingLockError"));
            assert!(error.to_string().contains("migrate_embeddings()"), "{error}");
            assert!(error.to_string().contains("old-model"), "{error}");
        }
        assert_eq!((blocks(&other), other.log(ReadLog::new().limit(100)).unwrap()), before);
    }
    assert_eq!(old.dream(Dream::new()).unwrap().promoted, 1);
}

#[test]
fn a_migration_embeds_everything_anew_and_binds_the_memory_to_the_new_model() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    let active = learn(&old, &[HEARTS, "Honey does not spoil"]);
    old.dream(Dream::new()).unwrap();
    learn(&old, &[&again(HEARTS)]);
    let new = memory_of(&path, &clock, new_model());
    let steps: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let told = Arc::clone(&steps);
    let listener = ProgressListener::new(move |step| told.lock().unwrap().push(step));
    let result = new.migrate_embeddings(MigrateEmbeddings::new().progress(listener)).unwrap();
    assert_eq!((result.from_model.as_deref(), result.to_model.as_str()), (Some("old-model"), "new-model"));
    assert_eq!((result.embedded, result.resumed), (3, 0));
    assert_eq!(result.to_string(), "Embedded 3 blocks with new-model (before: old-model).");
    let steps = steps.lock().unwrap();
    assert_eq!((steps.first(), steps.last()), (Some(&Progress::Stage("embed", 3)), Some(&Progress::Done(3))));
    assert_eq!((vectors(&new, "old-model").len(), vectors(&new, "new-model").len()), (0, 3));
    assert!(vectors(&new, "new-model").iter().all(|stored| stored.vector.len() == 96));
    // The repetition is found with the new vectors, and the old model is the one that is refused now.
    assert_eq!(new.dream(Dream::new()).unwrap().deduplicated, 1);
    assert_eq!(block(&new, &active[0]).reinforcement_count, 2);
    assert_eq!(old.dream(Dream::new()).unwrap_err().kind(), ErrorKind::EmbeddingLock);
    check_invariants(&new);
}

#[test]
fn an_interrupted_migration_goes_on_where_it_stopped_and_the_old_vectors_serve_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    let texts: Vec<Learn> = (0..300).map(|number| Learn::new(format!("Shelf {number} is empty"))).collect();
    old.learn_all(&texts).unwrap();
    old.dream(Dream::new()).unwrap();
    let kept = vectors(&old, "old-model").len();
    assert!(kept > 256, "{kept}");
    // Its second call fails, and so does its fourth.
    let new = memory_of(&path, &clock, new_model().failing_every(2));
    let error = new.migrate_embeddings(MigrateEmbeddings::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert_eq!(new.filled_by().unwrap().as_deref(), Some("old-model"));
    assert_eq!(vectors(&old, "old-model").len(), kept);
    learn(&old, &[&again(SHELF)]);
    assert_eq!(old.dream(Dream::new()).unwrap().deduplicated, 1, "the old vectors serve");
    let result = new.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!((result.resumed, result.resumed + result.embedded), (256, kept as u64));
    assert!(result.to_string().ends_with("256 were done by an earlier run."), "{result}");
    assert_eq!((vectors(&new, "old-model").len(), vectors(&new, "new-model").len()), (0, kept));
    assert_eq!(new.filled_by().unwrap().as_deref(), Some("new-model"));
}

/// A store that lets someone act right before the n-th write.
struct Interposed<F> {
    inner: SqliteStore,
    act: Mutex<(usize, Option<F>)>,
}

impl<F: FnOnce() + Send> Store for Interposed<F> {
    fn read<T, E, W>(&self, view: &ScopeView, work: W) -> Result<T, E>
    where
        W: FnOnce(&dyn Snapshot) -> Result<T, E>,
        E: From<StoreError>,
    {
        self.inner.read(view, work)
    }

    fn write<T, E, W>(&self, view: &ScopeView, work: W) -> Result<T, E>
    where
        W: FnMut(&mut dyn Transaction) -> Result<T, E>,
        E: From<StoreError>,
    {
        let mut act = self.act.lock().unwrap();
        act.0 = act.0.saturating_sub(1);
        let now = if act.0 == 0 { act.1.take() } else { None };
        drop(act);
        if let Some(now) = now {
            now();
        }
        self.inner.write(view, work)
    }

    elfmem_store::forward_rest!(inner);
}

#[test]
fn a_block_that_becomes_active_at_the_last_moment_of_a_migration_gets_its_vector_too() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    learn(&old, &[HEARTS, "Honey does not spoil"]);
    old.dream(Dream::new()).unwrap();
    let store = file_store(&path, elfmem_engine::Clock::now(&*clock));
    let late = move || {
        learn(&old, &[COPPER]);
        assert_eq!(old.dream(Dream::new()).unwrap().promoted, 1);
    };
    // The first write keeps the new vectors aside, the second lets them take over.
    let store = Interposed { inner: store, act: Mutex::new((2, Some(late))) };
    let models = models(Arc::new(new_model()), Arc::new(RulesAnalyst));
    let new = Memory::open(store, Options { models, ..options(&clock) });
    assert_eq!(new.migrate_embeddings(MigrateEmbeddings::new()).unwrap().embedded, 3);
    assert_eq!(vectors(&new, "new-model").len(), 3);
    learn(&new, &[&again(COPPER)]);
    assert_eq!(new.dream(Dream::new()).unwrap().deduplicated, 1);
}

#[test]
fn a_process_that_looked_before_another_one_migrated_sees_the_new_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    learn(&old, &[HEARTS]);
    old.dream(Dream::new()).unwrap();
    let new = memory_of(&path, &clock, new_model());
    new.rescore(elfmem_engine::Rescore::new().max(5).min_age_hours(0.0)).unwrap();
    memory_of(&path, &clock, new_model()).migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    learn(&new, &[&again(HEARTS)]);
    assert_eq!(new.dream(Dream::new()).unwrap().deduplicated, 1);
}

#[test]
fn a_new_memory_has_nothing_to_migrate_and_takes_the_model_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = memory_of(&path, &clock, new_model());
    let result = memory.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!((result.from_model, result.embedded), (None, 0));
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some("new-model"));
}

#[test]
fn a_database_of_the_python_elfmem_is_refused_migrated_and_then_dreamed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-sqlite/tests/fixtures/python-0.15.db");
    std::fs::copy(fixture, &path).unwrap();
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    let before = blocks(&memory);
    let waiting = inbox(&memory);
    assert_eq!(waiting.len(), 1);
    let error = memory.dream(Dream::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::EmbeddingLock);
    let alive = before.iter().filter(|block| block.status != BlockStatus::Archived).count();
    let result = memory.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert_eq!((result.embedded, result.to_model.as_str()), (alive as u64, BuiltinModel::default().name()));
    assert!(result.from_model.is_some());
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::default().name()));
    let dreamed = memory.dream(Dream::new()).unwrap();
    assert_eq!((dreamed.processed, dreamed.left), (1, 0));
    for old in before.iter().filter(|block| block.status == BlockStatus::Active) {
        let new = block(&memory, &old.id);
        assert!(new.status == BlockStatus::Active || new.superseded_by.is_some());
        if new.status == BlockStatus::Active {
            assert_eq!((new.confidence, new.outcome_evidence), (old.confidence, old.outcome_evidence));
        }
    }
    let known = before.iter().find(|block| block.status == BlockStatus::Active).unwrap();
    let again = format!("{}!!", known.content.trim_end_matches(['.', '!']));
    learn(&memory, &[&again]);
    assert_eq!(memory.dream(Dream::new()).unwrap().deduplicated, 1, "{again}");
    check_invariants(&memory);
}

#[test]
fn the_built_in_model_binds_the_memory_at_the_first_dream() {
    let memory = crate::memory();
    assert_eq!(memory.filled_by().unwrap(), None);
    learn(&memory, &[facts()[0].1]);
    memory.dream(Dream::new()).unwrap();
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(BuiltinModel::default().name()));
    assert_eq!(
        vectors(&memory, BuiltinModel::default().name())[0].vector.len(),
        elfmem_models::StaticEmbedder::shared().unwrap().dimensions()
    );
}

#[test]
fn what_comes_back_after_a_migration_gets_a_vector_of_the_new_model() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let old = memory_of(&path, &clock, old_model());
    let ids = learn(&old, &[HEARTS, COPPER, "Honey does not spoil"]);
    old.dream(Dream::new()).unwrap();
    old.forget(ids[0].as_str()).unwrap();
    edit(&old, |transaction| transaction.delete_block(&ids[1]));
    drop(old);
    let new = memory_of(&path, &clock, new_model());
    new.migrate_embeddings(MigrateEmbeddings::new()).unwrap();
    assert!(new.undo(Undo::last()).unwrap().warnings.is_empty());
    assert!(new.restore(ids[0].as_str()).unwrap().warnings.is_empty());
    let mut embedded: Vec<_> = vectors(&new, "new-model").into_iter().map(|stored| stored.id).collect();
    embedded.sort();
    let mut expected = ids.clone();
    expected.sort();
    assert_eq!(embedded, expected);
    // With a model that may not be used they come back all the same, and it is said what they lack.
    new.forget(ids[2].as_str()).unwrap();
    edit(&new, |transaction| transaction.set_embedding(&ids[2], "old-model", &[1.0]));
    let wrong = memory_of(&path, &clock, old_model()).restore(ids[2].as_str()).unwrap();
    assert!(wrong.to_string().contains("migrate_embeddings()"), "{wrong}");
    assert_eq!(block(&new, &ids[2]).status, BlockStatus::Active);
}
