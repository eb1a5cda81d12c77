//! The end of a session: a full inbox is consolidated (seed 001), within bounds.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use elfmem_engine::{Dream, EndOfSession, Models, Options};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{Analysis, AnalysisRequest};

use crate::fixtures::{AnalystOf, ManualClock, TestMemory, models, open_memory};
use crate::{clock, options};

/// Texts that have nothing to do with each other.
const TEXTS: [&str; 12] = [
    "Maria is allergic to peanuts",
    "Deploys go out on Tuesdays",
    "The staging database listens on port 5432",
    "Ravi repaired the delivery van",
    "Umbrellas are sold out in April",
    "Rye needs more water than wheat",
    "The choir sings in Braga",
    "Kofi plays the cello on Fridays",
    "Invoices are kept for ten years",
    "The greenhouse faces south",
    "Our logo is a blue heron",
    "Trains to Porto leave at nine",
];

fn memory_that(end_of_session: EndOfSession, clock: &Arc<ManualClock>) -> TestMemory {
    open_memory(Options { end_of_session, ..options(clock) })
}

fn fill(memory: &TestMemory, count: usize) {
    for text in &TEXTS[..count] {
        memory.learn(*text).unwrap();
    }
}

fn counts(memory: &TestMemory) -> (u64, u64) {
    let status = memory.status().unwrap();
    (status.inbox_count, status.active_count)
}

#[test]
fn a_full_inbox_is_consolidated_when_a_session_ends_and_the_result_says_so() {
    let memory = memory_that(EndOfSession::default(), &clock());
    memory.begin_session("work").unwrap();
    fill(&memory, 10);
    assert_eq!(counts(&memory), (10, 0));
    let ended = memory.end_session().unwrap();
    let consolidated = ended.consolidated.as_ref().unwrap();
    assert_eq!((consolidated.processed, consolidated.promoted, consolidated.waiting), (10, 10, 0));
    assert!(ended.to_string().contains(" Consolidated 10: 10 promoted, 0 deduped, "), "{ended}");
    assert_eq!(counts(&memory), (0, 10));
    let status = memory.status().unwrap();
    assert!(!status.session_active && status.last_consolidated != "never", "{status}");
}

#[test]
fn below_the_threshold_or_with_the_setting_off_the_inbox_waits() {
    let memory = memory_that(EndOfSession::default(), &clock());
    memory.begin_session("work").unwrap();
    fill(&memory, 9);
    assert_eq!(memory.end_session().unwrap().consolidated, None);
    assert_eq!(counts(&memory), (9, 0));
    let memory = memory_that(EndOfSession::Wait, &clock());
    memory.begin_session("work").unwrap();
    fill(&memory, 12);
    assert_eq!(memory.end_session().unwrap().consolidated, None);
    assert_eq!(counts(&memory), (12, 0));
}

#[test]
fn when_the_time_is_over_the_rest_waits_and_the_next_end_goes_on_with_it() {
    let memory = memory_that(EndOfSession::Consolidate(Duration::ZERO), &clock());
    memory.begin_session("work").unwrap();
    for number in 0..40 {
        memory.learn(format!("{} and note {number}", TEXTS[number % TEXTS.len()])).unwrap();
    }
    let first = memory.end_session().unwrap().consolidated.unwrap();
    assert_eq!((first.processed, first.waiting), (32, 8), "one step, and it is kept");
    fill(&memory, 2);
    memory.begin_session("work").unwrap();
    let second = memory.end_session().unwrap().consolidated.unwrap();
    assert_eq!((second.processed, second.waiting), (10, 0));
    assert_eq!(counts(&memory).0, 0);
}

#[test]
fn a_slow_analyst_leaves_the_rest_in_the_inbox_when_the_time_is_over() {
    let clock = clock();
    let slow = AnalystOf(|_: &AnalysisRequest<'_>| {
        std::thread::sleep(Duration::from_millis(40));
        Ok(Analysis::neutral())
    });
    let models: Models = models(Arc::new(ScriptedEmbedder::new(64)), Arc::new(slow));
    let end_of_session = EndOfSession::Consolidate(Duration::from_millis(100));
    let memory = open_memory(Options { models, end_of_session, ..options(&clock) });
    memory.begin_session("work").unwrap();
    fill(&memory, 12);
    let ended = memory.end_session().unwrap().consolidated.unwrap();
    assert!(ended.processed > 0 && ended.waiting > 0, "{ended}");
    assert_eq!(counts(&memory), (ended.waiting as u64, ended.processed as u64));
    assert!(ended.analysis_failed <= 1, "at most the last one: {ended}");
    assert!(ended.warnings.iter().all(|warning| warning.contains("the time was up")), "{:?}", ended.warnings);
}

#[test]
fn an_embedder_that_fails_does_not_keep_a_session_from_ending() {
    let clock = clock();
    let broken = ScriptedEmbedder::new(8).failing_every(1);
    let models: Models = models(Arc::new(broken), Arc::new(elfmem_models::scripted::ScriptedAnalyst::new()));
    let memory = open_memory(Options { models, end_of_session: EndOfSession::default(), ..options(&clock) });
    memory.begin_session("work").unwrap();
    fill(&memory, 10);
    let ended = memory.end_session().unwrap();
    assert!(ended.consolidated.is_none());
    assert!(ended.consolidate_failed.is_some() && ended.to_string().contains("Consolidate failed: "), "{ended}");
    let status = memory.status().unwrap();
    assert_eq!((status.session_active, status.inbox_count, status.health.as_str()), (false, 10, "degraded"));
    memory.dream(Dream::new()).unwrap_err();
}

#[test]
fn the_session_of_a_server_consolidates_when_it_stops_and_when_it_was_idle() {
    let clock = clock();
    let memory = memory_that(EndOfSession::default(), &clock);
    memory.attend("mcp").unwrap();
    fill(&memory, 10);
    let ended = memory.leave().unwrap().unwrap();
    assert_eq!((ended.consolidated.unwrap().promoted, counts(&memory)), (10, (0, 10)));

    let memory = memory_that(EndOfSession::default(), &clock);
    memory.attend("mcp").unwrap();
    fill(&memory, 10);
    let hours = memory.active_hours().unwrap();
    clock.forward_minutes(31.0);
    assert!(memory.attend("mcp").unwrap().is_some(), "a fresh session");
    assert_eq!(counts(&memory), (0, 10));
    assert_eq!(memory.active_hours().unwrap(), hours, "the pause does not count");
}

#[test]
fn an_idle_session_of_a_server_ends_by_a_timer_as_of_its_last_use_and_moves_no_clock() {
    let clock = clock();
    let memory = memory_that(EndOfSession::default(), &clock);
    let begun = memory.attend("mcp").unwrap().unwrap();
    clock.forward_minutes(20.0);
    memory.attend("mcp").unwrap();
    fill(&memory, 10);
    clock.forward_minutes(29.0);
    assert!(!memory.has_idle_session() && memory.end_idle_session().unwrap().is_none(), "it is in use");
    clock.forward_minutes(2.0);
    assert!(memory.has_idle_session());
    let ended = memory.end_idle_session().unwrap().unwrap();
    assert_eq!(ended.session_id, begun.session_id);
    assert_eq!(ended.consolidated.unwrap().promoted, 10);
    assert!((ended.hours - 20.0 / 60.0).abs() < 1e-6, "up to its last use: {}", ended.hours);
    let status = memory.status().unwrap();
    assert_eq!((status.session_active, status.inbox_count, status.active_count), (false, 0, 10));
    assert!(!memory.has_idle_session() && memory.end_idle_session().unwrap().is_none(), "it ended once");

    clock.forward_minutes(10.0);
    assert!(memory.attend("mcp").unwrap().is_some(), "a fresh session");
    let hours = memory.active_hours().unwrap().get();
    assert!((hours - 20.0 / 60.0).abs() < 1e-6, "neither the pause nor the consolidation counts: {hours}");
}

#[test]
fn a_timer_leaves_a_session_that_somebody_began_alone() {
    let clock = clock();
    let memory = memory_that(EndOfSession::default(), &clock);
    memory.attend("mcp").unwrap();
    memory.end_session().unwrap();
    memory.begin_session("deep work").unwrap();
    clock.forward_minutes(5.0 * 60.0);
    assert!(memory.end_idle_session().unwrap().is_none());
    assert!(memory.status().unwrap().session_active);
}

#[test]
fn a_session_that_somebody_begins_while_an_idle_one_ends_stays() {
    let clock = clock();
    let opened: Arc<OnceLock<Arc<TestMemory>>> = Arc::default();
    let seen = Arc::clone(&opened);
    let analyst = AnalystOf(move |_: &AnalysisRequest<'_>| {
        if let Some(memory) = seen.get() {
            memory.begin_session("deep work").unwrap();
        }
        Ok(Analysis::neutral())
    });
    let models: Models = models(Arc::new(ScriptedEmbedder::new(64)), Arc::new(analyst));
    let memory = Arc::new(open_memory(Options { models, end_of_session: EndOfSession::default(), ..options(&clock) }));
    assert!(opened.set(Arc::clone(&memory)).is_ok());
    let first = memory.attend("mcp").unwrap().unwrap().session_id;
    fill(&memory, 10);
    clock.forward_minutes(31.0);
    assert_eq!(memory.end_idle_session().unwrap().unwrap().session_id, first);
    assert!(memory.status().unwrap().session_active);
    assert_ne!(memory.end_session().unwrap().session_id, first);
}
