//! The clock of use: explicit sessions, automatic ones, several processes, crashes.

use elfmem_engine::{ErrorKind, Recall, SessionStyle};

use crate::{clock, memory_at, memory_on};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn an_explicit_session_counts_its_elapsed_time_whatever_happens_in_it() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    clock.forward_minutes(300.0);
    memory.learn("after five hours").unwrap();
    clock.forward_minutes(60.0);
    let ended = memory.end_session().unwrap();
    assert!(close(ended.hours, 6.0), "{ended:?}");
    assert!(close(memory.status().unwrap().total_active_hours, 6.0));
}

#[test]
fn without_a_session_close_operations_count_and_long_pauses_do_not() {
    let clock = clock();
    let memory = memory_at(&clock);
    for minutes in [0.0, 20.0, 30.0, 31.0, 600.0, 10.0] {
        clock.forward_minutes(minutes);
        memory.learn(format!("after {minutes}")).unwrap();
    }
    assert!(close(memory.active_hours().unwrap().get(), 1.0));
}

#[test]
fn recall_counts_as_use_too() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.learn("something").unwrap();
    clock.forward_minutes(24.0);
    memory.recall(Recall::new("something").top_k(1)).unwrap();
    clock.forward_minutes(25.0);
    memory.learn("something else").unwrap();
    assert!(close(memory.active_hours().unwrap().get(), 49.0 / 60.0));
}

#[test]
fn looking_at_the_status_moves_no_clock() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.learn("something").unwrap();
    clock.forward_minutes(20.0);
    assert!(close(memory.status().unwrap().total_active_hours, 20.0 / 60.0));
    clock.forward_minutes(20.0);
    memory.learn("forty minutes later").unwrap();
    assert!(close(memory.active_hours().unwrap().get(), 0.0));
}

#[test]
fn beginning_twice_goes_on_and_ending_without_one_is_a_session_error() {
    let clock = clock();
    let memory = memory_at(&clock);
    let first = memory.begin_session("work").unwrap();
    let again = memory.begin_session("other").unwrap();
    assert_eq!((again.session_id, again.already_open), (first.session_id, true));
    memory.end_session().unwrap();
    let error = memory.end_session().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Session);
    assert!(error.to_string().starts_with("No session is open. — Recovery: "));
}

#[test]
fn the_status_shows_an_open_session_and_its_hours() {
    let clock = clock();
    let memory = memory_at(&clock);
    assert!(!memory.status().unwrap().session_active);
    memory.begin_session("").unwrap();
    clock.forward_minutes(90.0);
    let status = memory.status().unwrap();
    assert!(status.session_active && close(status.session_hours.unwrap(), 1.5));
    memory.end_session().unwrap();
    assert_eq!(memory.status().unwrap().session_hours, None);
}

#[test]
fn a_clock_that_is_set_back_takes_nothing_away() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.begin_session("work").unwrap();
    clock.forward_minutes(120.0);
    let id = memory.learn("two hours in").unwrap().block_id;
    clock.forward_minutes(-600.0);
    memory.learn("ten hours earlier, says the wall").unwrap();
    assert!(close(memory.active_hours().unwrap().get(), 2.0));
    assert!(close(memory.show(id.as_str()).unwrap().block.last_reinforced_at.get(), 2.0));
}

#[test]
fn a_crashed_process_loses_no_hours_and_adds_none() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let crashed = memory_on(&path, &clock, SessionStyle::Held);
    crashed.begin_session("work").unwrap();
    clock.forward_minutes(60.0);
    crashed.learn("the last thing before the crash").unwrap();
    drop(crashed);
    clock.forward_minutes(12.0 * 60.0);
    let next = memory_on(&path, &clock, SessionStyle::Held);
    next.learn("the next morning").unwrap();
    assert!(close(next.active_hours().unwrap().get(), 1.0));
    next.begin_session("work").unwrap();
    clock.forward_minutes(30.0);
    assert!(close(next.end_session().unwrap().hours, 0.5));
}

#[test]
fn a_detached_session_spans_commands() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let begun = memory_on(&path, &clock, SessionStyle::Detached).begin_session("work").unwrap();
    clock.forward_minutes(90.0);
    memory_on(&path, &clock, SessionStyle::Detached).learn("in between").unwrap();
    let again = memory_on(&path, &clock, SessionStyle::Detached).begin_session("work").unwrap();
    assert!(again.already_open);
    clock.forward_minutes(90.0);
    let ended = memory_on(&path, &clock, SessionStyle::Detached).end_session().unwrap();
    assert_eq!(ended.session_id, begun.session_id);
    assert!(close(ended.hours, 3.0));
}

#[test]
fn two_processes_at_once_count_the_union_of_their_time() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let (one, two) = (memory_on(&path, &clock, SessionStyle::Held), memory_on(&path, &clock, SessionStyle::Held));
    one.begin_session("a").unwrap();
    two.begin_session("b").unwrap();
    clock.forward_minutes(60.0);
    one.learn("from one").unwrap();
    two.learn("from two").unwrap();
    clock.forward_minutes(60.0);
    one.end_session().unwrap();
    two.end_session().unwrap();
    assert!(close(one.active_hours().unwrap().get(), 2.0));
}

#[test]
fn the_end_of_a_session_leaves_everything_in_the_file_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (path, alone) = (folder.path().join("memory.db"), folder.path().join("alone.db"));
    let clock = clock();
    let memory = memory_on(&path, &clock, SessionStyle::Held);
    memory.begin_session("work").unwrap();
    let id = memory.learn("Rotate the signing key every March").unwrap().block_id;
    memory.end_session().unwrap();
    // The file without the log beside it, while the memory is open.
    std::fs::copy(&path, &alone).unwrap();
    let copy = memory_on(&alone, &clock, SessionStyle::Held);
    assert_eq!(copy.show(id.as_str()).unwrap().block.content, "Rotate the signing key every March");
}
