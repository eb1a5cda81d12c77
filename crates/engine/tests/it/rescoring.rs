//! Looking at blocks again: what an analyst says is renewed, what experience taught is not touched.

use std::sync::Arc;

use elfmem_core::{Block, BlockId, BlockStatus, Confidence, Evidence, Tag};
use elfmem_engine::{AddTags, Clock, Dream, Learn, Memory, Options, ReadLog, Rescore, SessionStyle};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use elfmem_models::{Analysis, AnalysisRequest, Analyst, ModelError};

use crate::fixtures::{
    AnalystOf, Death, DyingStore, FileMemory, TestMemory, block, blocks, edges, edit, file_store, learn,
    memory_thinking, models, once, open_memory,
};
use crate::{ManualClock, clock, memory_on, options};

fn all() -> Rescore {
    Rescore::new().min_age_hours(0.0)
}

fn memory_with(clock: &Arc<ManualClock>, analyst: impl Analyst + 'static) -> TestMemory {
    let models = models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(analyst));
    open_memory(Options { models, ..options(clock) })
}

/// An analyst that answers differently every time.
fn moody() -> impl Analyst {
    let asked = std::sync::atomic::AtomicU32::new(0);
    AnalystOf(move |_: &AnalysisRequest<'_>| {
        let time = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        let alignment = f64::from(time) / 100.0;
        let tags = vec![Tag::parse("self/style").unwrap()];
        Ok(Analysis { alignment, tags, summary: Some(format!("At call {time}.")), proposed_tags: Vec::new() })
    })
}

#[test]
fn nothing_due_is_said_as_such_and_not_as_an_empty_inbox() {
    let clock = clock();
    let memory = memory_with(&clock, moody());
    memory.learn("I give short answers").unwrap();
    let result = memory.rescore(Rescore::new()).unwrap();
    assert_eq!(result.to_string(), "Nothing to analyse again.");
}

#[test]
fn an_account_that_cannot_be_kept_is_a_warning_because_the_blocks_are_done() {
    use elfmem_store_sqlite::faults;

    faults::arm();
    let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
    let analyst = ScriptedAnalyst::new().saying("short", 0.9, &[]);
    let thinking = models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(analyst));
    let memory = memory_thinking(&folder.path().join("memory.db"), &clock, thinking);
    let id = memory.learn("I give short answers").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(60.0 * 30.0);
    // The first commit is that of the block, the second that of the account.
    faults::fail_commit(2);
    let result = memory.rescore(all()).unwrap();
    assert!(faults::stop());
    assert_eq!((result.rescored, result.warnings.len()), (1, 1), "{result:?}");
    assert!(result.warnings[0].starts_with("What model calls cost could not be noted"), "{result:?}");
    assert_eq!(block(&memory, &id).last_scored_at, Some(clock.now()));
}

#[test]
fn only_what_an_analyst_says_is_renewed() {
    let clock = clock();
    let memory = memory_with(&clock, moody());
    let id = memory.learn(Learn::new("I give short answers").tag("topic/talk")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    edit(&memory, |transaction| {
        transaction
            .update_block(&id, &mut |block| {
                block.confidence = Confidence::saturating(0.91);
                block.outcome_evidence = Evidence::new(4.0);
                block.reinforcement_count = 9;
            })
            .map(drop)
    });
    let before = (block(&memory, &id), edges(&memory));
    clock.forward_minutes(60.0 * 30.0);
    let result = memory.rescore(Rescore::new()).unwrap();
    assert_eq!((result.rescored, result.left, result.analysis_failed), (1, 0, 0));
    let after = block(&memory, &id);
    assert_eq!((after.self_alignment, after.summary.as_deref()), (Some(0.02), Some("At call 2.")));
    assert_eq!(after.last_scored_at, Some(clock.now()));
    let Block { self_alignment, summary, last_scored_at, revision, .. } = before.0.clone();
    assert_eq!(Block { self_alignment, summary, last_scored_at, revision, ..after }, before.0);
    assert_eq!(edges(&memory), before.1);
    let last = memory.log(ReadLog::new().block_id(id.as_str()).limit(1)).unwrap().remove(0);
    assert_eq!(last.header.operation, "rescore");
}

#[test]
fn a_new_tag_is_attached_and_none_is_taken_away() {
    let clock = clock();
    let memory = memory_with(&clock, ScriptedAnalyst::new());
    let id = memory.learn(Learn::new("I give short answers").tag("topic/talk")).unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    assert_eq!(block(&memory, &id).decay_lambda.get(), 0.01);
    edit(&memory, |transaction| transaction.update_block(&id, &mut |block| block.last_scored_at = None).map(drop));
    drop(memory.rescore(all()).unwrap());
    assert_eq!(block(&memory, &id).tags, [Tag::parse("topic/talk").unwrap()]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let plain = memory_on(&path, &clock, SessionStyle::Held);
    let id = plain.learn(Learn::new("Tea is served at four").tag("topic/tea")).unwrap().block_id;
    plain.dream(Dream::new()).unwrap();
    let analyst = ScriptedAnalyst::new().saying("Tea", 0.7, &["self/value"]);
    let models = elfmem_engine::Models { analyst: Arc::new(analyst), ..elfmem_engine::Models::default() };
    assert_eq!(memory_thinking(&path, &clock, models).rescore(all()).unwrap().rescored, 1);
    let after = block(&plain, &id);
    assert_eq!(after.tags, ["self/value", "topic/tea"].map(|tag| Tag::parse(tag).unwrap()));
    assert_eq!((after.decay_lambda.get(), after.confidence.get()), (0.001, 0.5));
}

#[test]
fn what_is_not_about_the_agent_or_asks_to_be_left_alone_is() {
    let clock = clock();
    let memory = memory_with(&clock, moody());
    for category in ["message", "mind", "decision", "prediction", "knowledge"] {
        memory.learn(Learn::new(format!("Something of kind {category}")).category(category)).unwrap();
    }
    memory.learn(Learn::new("Leave this alone").tag("system/no-rescore")).unwrap();
    memory.learn("This one will be archived").unwrap();
    memory.dream(Dream::new()).unwrap();
    memory.learn("Still in the inbox").unwrap();
    let archived = BlockId::for_content("This one will be archived");
    edit(&memory, |transaction| {
        let reason = Some(elfmem_core::ArchiveReason::Forgotten);
        transaction.update_block_status(&archived, BlockStatus::Archived, reason).map(drop)
    });
    clock.forward_minutes(1.0);
    assert_eq!(memory.rescore(all()).unwrap().rescored, 1);
    let renewed: Vec<Block> =
        blocks(&memory).into_iter().filter(|block| block.last_scored_at == Some(clock.now())).collect();
    assert_eq!(renewed.len(), 1);
    assert_eq!(renewed[0].content, "Something of kind knowledge");
}

#[test]
fn those_never_analysed_come_first_then_the_oldest_and_none_that_is_fresh() {
    let clock = clock();
    let memory = memory_with(&clock, moody());
    let oldest = memory.learn("The oldest").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(60.0 * 20.0);
    let middle = memory.learn("The middle").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(60.0 * 10.0);
    let never = memory.learn("The one nobody looked at").unwrap().block_id;
    memory.dream(Dream::new()).unwrap();
    edit(&memory, |transaction| transaction.update_block(&never, &mut |block| block.last_scored_at = None).map(drop));
    let fresh = |id: &BlockId| block(&memory, id).last_scored_at == Some(clock.now());
    let one = Rescore::new().max(1).min_age_hours(24.0);
    assert_eq!(memory.rescore(&one).unwrap().rescored, 1);
    assert!(fresh(&never) && !fresh(&oldest));
    assert_eq!(memory.rescore(&one).unwrap().rescored, 1);
    assert!(fresh(&oldest) && !fresh(&middle), "the middle one is ten hours old");
    assert_eq!(memory.rescore(&one).unwrap().rescored, 0);
    assert_eq!(memory.rescore(one.min_age_hours(9.0)).unwrap().rescored, 1);
    assert!(fresh(&middle));
}

#[test]
fn what_failed_in_a_dream_is_looked_at_again() {
    let clock = clock();
    let memory = memory_with(&clock, ScriptedAnalyst::new().failing_every(3));
    let texts: Vec<String> = (0..9).map(|number| format!("Thing number {number} stands apart")).collect();
    learn(&memory, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(memory.dream(Dream::new()).unwrap().analysis_failed, 3);
    let unseen = || blocks(&memory).iter().filter(|block| block.last_scored_at.is_none()).count();
    let day = Rescore::new();
    while unseen() > 0 {
        let before = unseen();
        let result = memory.rescore(&day).unwrap();
        assert_eq!(before - unseen(), result.rescored);
        assert!(result.rescored > 0);
    }
    assert_eq!(memory.rescore(&day).unwrap().rescored, 0, "the others are fresh");
}

#[test]
fn a_server_that_is_down_or_refuses_ends_the_run_with_a_way_out() {
    let clock = clock();
    for (error, calls) in [
        (ModelError::Unreachable { endpoint: "http://localhost".into(), reason: "refused".into() }, 3),
        (ModelError::Refused { status: 401 }, 1),
    ] {
        let failing = std::sync::Mutex::new(None);
        let failing = Arc::new(failing);
        let now = Arc::clone(&failing);
        let memory = memory_with(
            &clock,
            AnalystOf(move |_: &AnalysisRequest<'_>| match now.lock().unwrap().clone() {
                Some(error) => Err(error),
                None => Ok(Analysis::neutral()),
            }),
        );
        learn(&memory, &["One", "Two", "Three", "Four", "Five", "Six"]);
        memory.dream(Dream::new()).unwrap();
        let before = blocks(&memory);
        *failing.lock().unwrap() = Some(error.clone());
        let result = memory.rescore(all()).unwrap();
        assert_eq!((result.rescored, result.analysis_failed), (0, calls));
        let [warning] = result.warnings.as_slice() else { panic!("{:?}", result.warnings) };
        assert!(warning.contains(&error.recovery()), "{warning}");
        assert_eq!(blocks(&memory), before);
    }
}

#[test]
fn every_block_is_kept_at_once_so_that_an_interruption_loses_only_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let models = || models(Arc::new(ScriptedEmbedder::new(256)), Arc::new(ScriptedAnalyst::new()));
    let memory = memory_thinking(&path, &clock, models());
    learn(&memory, &["One", "Two", "Three", "Four", "Five"]);
    memory.dream(Dream::new()).unwrap();
    clock.forward_minutes(1.0);
    let store = file_store(&path, clock.now());
    let mortal =
        Memory::open(DyingStore::new(store, Death::Before(3)), Options { models: models(), ..options(&clock) });
    assert!(mortal.rescore(all()).is_err());
    let renewed =
        |memory: &FileMemory| blocks(memory).iter().filter(|block| block.last_scored_at == Some(clock.now())).count();
    assert_eq!(renewed(&memory), 2);
    assert_eq!(memory.rescore(Rescore::new().min_age_hours(0.001).max(20)).unwrap().rescored, 3);
    assert_eq!(renewed(&memory), 5);
}

#[test]
fn a_block_that_someone_edits_meanwhile_is_left_as_they_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let other = memory_on(&path, &clock, SessionStyle::Held);
    let ids = learn(&other, &["Octopuses have three hearts", "Honey does not spoil"]);
    other.dream(Dream::new()).unwrap();
    clock.forward_minutes(1.0);
    let edited = ids.clone();
    let analyst = once(move || {
        for id in &edited {
            other.add_tags(AddTags::new(id.as_str(), ["mine"])).unwrap();
        }
    });
    let models = elfmem_engine::Models { analyst: Arc::new(analyst), ..elfmem_engine::Models::default() };
    let memory = memory_thinking(&path, &clock, models);
    let result = memory.rescore(all()).unwrap();
    assert_eq!((result.rescored, result.left), (0, 2));
    for id in &ids {
        let block = block(&memory, id);
        assert_eq!(block.tags, [Tag::parse("mine").unwrap()]);
        assert_ne!(block.last_scored_at, Some(clock.now()));
    }
    assert_eq!(memory.rescore(all()).unwrap().rescored, 2);
}
