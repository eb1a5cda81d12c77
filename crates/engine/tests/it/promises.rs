//! Promises of the seeds that need a test of their own: what is not done (no model is asked, nothing is written), what is done
//! together, and what is bounded.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use elfmem_core::{BlockId, BlockStatus, DecayRate};
use elfmem_engine::{
    AddTags, Clock, Connect, ConnectByQuery, Curate, Disconnect, Dream, EmbedderChoice, LateEmbedder, Learn, Memory,
    Models, Options, QueryAction, ReadLog, Request,
};
use elfmem_models::ModelError;
use elfmem_store_sqlite::{OpenOptions, SqliteStore, faults};

use crate::fixtures::{
    AnalystOf, Death, DyingStore, FileMemory, ManualClock, active, block, blocks, edge_between, edges, edit,
    file_store, learn, memory_at, open_file, two_active, work_for,
};
use crate::{clock, memory_on, options};

/// Opens a memory whose models count how often they are asked, and answer nothing.
fn watched(path: &Path, clock: &Arc<ManualClock>, asked: &Arc<AtomicUsize>) -> FileMemory {
    let (by_embedder, by_analyst) = (Arc::clone(asked), Arc::clone(asked));
    let embedder = LateEmbedder::new(EmbedderChoice::default().name(), move || {
        by_embedder.fetch_add(1, Ordering::SeqCst);
        Err(ModelError::Unreachable { endpoint: "nowhere".into(), reason: "nobody should ask".into() })
    });
    let analyst = AnalystOf(move |_: &elfmem_models::AnalysisRequest<'_>| {
        by_analyst.fetch_add(1, Ordering::SeqCst);
        Err(ModelError::Unreachable { endpoint: "nowhere".into(), reason: "nobody should ask".into() })
    });
    let models =
        Models { embedder: EmbedderChoice::Late(Arc::new(embedder)), analyst: Arc::new(analyst), ..Models::default() };
    open_file(path, Options { models, supersede_at_learn: true, ..options(clock) })
}

#[test]
fn learn_connect_disconnect_and_curate_ask_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let ids = {
        let memory = memory_on(&path, &clock, elfmem_engine::SessionStyle::Held);
        let ids = learn(&memory, &["Deploys go out on Tuesdays", "The cat sleeps in the sun"]);
        memory.consolidate().unwrap();
        ids
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let memory = watched(&path, &clock, &asked);
    memory.connect(Connect::new(ids[0].as_str(), ids[1].as_str()).relation("supports").note("why")).unwrap();
    memory.connect(Connect::new(ids[0].as_str(), ids[1].as_str())).unwrap();
    memory.disconnect(Disconnect::new(ids[0].as_str(), ids[1].as_str())).unwrap();
    memory.curate(Curate::new()).unwrap();
    let again = memory.learn("Deploys go out on the Tuesdays.").unwrap();
    assert_eq!(again.status, elfmem_engine::LearnStatus::NearDuplicateSuperseded);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    memory.dream(Dream::new()).unwrap_err();
    assert!(asked.load(Ordering::SeqCst) > 0, "who asks is counted");
}

#[test]
fn what_a_dream_promotes_and_when_it_ran_are_written_in_one_transaction() {
    let prepared = tempfile::tempdir().unwrap();
    let (source, clock) = (prepared.path().join("memory.db"), clock());
    let memory = memory_on(&source, &clock, elfmem_engine::SessionStyle::Held);
    learn(&memory, &["Basil grows best in full sun", "Trains to Porto leave at nine"]);
    drop(memory);
    let mut seen = HashSet::new();
    for number in 1..=12 {
        for death in [Death::Before(number), Death::After(number)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("memory.db");
            std::fs::copy(&source, &path).unwrap();
            let store = DyingStore::new(file_store(&path, clock.now()), death);
            let _ = Memory::open(store, options(&clock)).dream(Dream::new());
            let status = memory_on(&path, &clock, elfmem_engine::SessionStyle::Held).status().unwrap();
            let state = (status.active_count > 0, status.last_consolidated != "never");
            assert_eq!(state.0, state.1, "{death:?}: {status}");
            seen.insert(state);
        }
    }
    assert_eq!(seen.len(), 2, "the dream died before and after its commit");
}

#[test]
fn the_status_needs_no_write_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    memory_on(&path, &clock, elfmem_engine::SessionStyle::Held).learn("Basil grows best in full sun").unwrap();
    let impatient = OpenOptions { busy_bound: Duration::from_millis(50), ..OpenOptions::default() };
    let memory = Memory::open(SqliteStore::open(&path, impatient, clock.now()).unwrap(), options(&clock));
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(memory.learn("nobody can write now").is_err());
    assert_eq!(memory.status().unwrap().inbox_count, 1);
}

#[test]
fn curate_looks_at_every_block_and_every_edge_once() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let ids: Vec<BlockId> =
        (0..12).map(|number| active(&memory, &format!("Drawer {number} holds thing {number}"))).collect();
    for pair in ids.windows(2) {
        memory.connect(Connect::new(pair[0].as_str(), pair[1].as_str()).relation("supports").weight(0.05)).unwrap();
    }
    work_for(&memory, &clock, 350.0);
    let (before, links) = (blocks(&memory).len(), edges(&memory).len());
    let result = memory.curate(Curate::new()).unwrap();
    assert!(result.archived > 0, "{result}");
    let entry = memory.log(ReadLog::new().limit(1)).unwrap().remove(0);
    assert_eq!(entry.header.operation.as_str(), "curate");
    let mut touched = HashSet::new();
    for change in &entry.changes {
        assert!(touched.insert((format!("{:?}", change.entity), change.id.clone())), "{change:?} comes twice");
    }
    assert!(touched.len() <= before + links, "{} changes, {before} blocks, {links} edges", touched.len());
    let again = memory.curate(Curate::new().reinforce_top_n(0)).unwrap();
    assert_eq!((again.archived, again.edges_pruned, again.reinforced), (0, 0, 0), "nothing is left to do");
}

/// How many statements a curate takes that archives every block of a chain and drops every edge of it, and how many blocks
/// and edges there are.
fn statements_of_curate(count: usize) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    faults::arm();
    let memory = memory_on(&folder.path().join("memory.db"), &clock, elfmem_engine::SessionStyle::Held);
    memory.begin_session("work").unwrap();
    let texts: Vec<String> = (0..count).map(|number| format!("Drawer {number} holds thing {number}")).collect();
    let ids: Vec<BlockId> = texts.iter().map(|text| active(&memory, text)).collect();
    for pair in ids.windows(2) {
        memory.connect(Connect::new(pair[0].as_str(), pair[1].as_str()).relation("supports").weight(0.05)).unwrap();
    }
    work_for(&memory, &clock, 350.0);
    faults::stop();
    let result = memory.curate(Curate::new()).unwrap();
    assert_eq!(result.archived, count, "{result}");
    (faults::statements(), (count + ids.len() - 1) as u64)
}

#[test]
fn the_work_of_curate_grows_with_the_blocks_and_edges_and_not_faster() {
    let ((few, _), (many, rows)) = (statements_of_curate(10), statements_of_curate(40));
    assert!(few > 10 && many <= 4 * few, "{few} statements for 10 blocks, {many} for 40");
    assert!(many <= 12 * rows, "{many} statements for {rows} blocks and edges");
}

#[test]
fn curate_takes_the_tier_of_a_block_from_its_tags() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    let tagged = |text: &str, tag: Option<&str>| {
        let new = tag.map_or_else(|| Learn::new(text), |tag| Learn::new(text).tag(tag));
        memory.learn(new).unwrap().block_id
    };
    let constitution = tagged("Never lie to the user", Some("self/constitutional"));
    let value = tagged("Brevity is worth a lot", Some("self/value"));
    let plain = tagged("Umbrellas are sold out in April", None);
    let promoted = tagged("Invoices are kept for ten years", None);
    memory.consolidate().unwrap();
    memory.add_tags(AddTags::new(promoted.as_str(), ["self/constitutional"])).unwrap();
    // A rate that some other program left in the row.
    edit(&memory, |transaction| {
        transaction.update_block(&constitution, &mut |block| block.decay_lambda = DecayRate::CEILING).map(drop)
    });
    work_for(&memory, &clock, 400.0);
    memory.curate(Curate::new().reinforce_top_n(0)).unwrap();
    let status = |id: &BlockId| block(&memory, id).status;
    assert_eq!(status(&plain), BlockStatus::Archived, "standard");
    for (id, tier) in
        [(&constitution, "permanent"), (&value, "durable"), (&promoted, "permanent by a tag it got later")]
    {
        assert_eq!(status(id), BlockStatus::Active, "{tier}");
    }
}

#[test]
fn connect_by_query_asks_for_a_confidence_of_seventy_hundredths_by_default() {
    let default = ConnectByQuery::VERB.parameter("min_confidence").unwrap().default;
    assert_eq!(default.and_then(|text| text.parse().ok()), Some(0.70));
    let memory = crate::memory();
    learn(&memory, &["The tokenizer splits identifiers", "Trains to Porto leave at nine"]);
    memory.consolidate().unwrap();
    let (source, target) = ("how the tokenizer splits identifiers", "when trains to Porto leave");
    let asked = || ConnectByQuery::new(source, target).dry_run();
    let found = memory.connect_by_query(asked()).unwrap();
    let confidence = found.source_confidence.min(found.target_confidence);
    let by_default = found.action == QueryAction::DryRunPreview;
    assert_eq!(by_default, confidence >= 0.70, "{found:?}");
    for (limit, met) in [(confidence - 0.01, true), (confidence + 0.01, false)] {
        let action = memory.connect_by_query(asked().min_confidence(limit)).unwrap().action;
        assert_eq!(action == QueryAction::DryRunPreview, met, "{limit} of {confidence}");
    }
}

#[test]
fn an_edge_weighs_at_most_one_however_often_it_is_reinforced() {
    let (memory, a, b) = two_active();
    let asserted = Connect::new(a.as_str(), b.as_str()).relation("supports");
    let weights: Vec<f64> = (0..6).map(|_| memory.connect(asserted.clone()).unwrap().weight.get()).collect();
    assert_eq!(
        weights.iter().map(|weight| (weight * 100.0).round()).collect::<Vec<_>>(),
        [75.0, 85.0, 95.0, 100.0, 100.0, 100.0]
    );
    assert_eq!(edge_between(&memory, &a, &b).unwrap().weight.get(), 1.0);
}
