//! The sessions of a server: begun by the first request, a fresh one after a long pause, ended when it stops.

use elfmem_core::ScopeView;
use elfmem_engine::SessionStyle;
use elfmem_store::Store;

use crate::{clock, memory_at, memory_on};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn the_first_request_begins_a_session_and_close_ones_stay_in_it() {
    let clock = clock();
    let memory = memory_at(&clock);
    let begun = memory.attend("mcp").unwrap().unwrap();
    for _ in 0..4 {
        clock.forward_minutes(29.0);
        assert_eq!(memory.attend("mcp").unwrap(), None);
    }
    assert!(memory.status().unwrap().session_active);
    let ended = memory.leave().unwrap().unwrap();
    assert_eq!(ended.session_id, begun.session_id);
    assert!(close(ended.hours, 4.0 * 29.0 / 60.0), "{ended:?}");
    assert_eq!(memory.leave().unwrap(), None);
}

#[test]
fn a_long_pause_begins_a_fresh_session_and_counts_nothing() {
    let clock = clock();
    let memory = memory_at(&clock);
    let first = memory.attend("mcp").unwrap().unwrap();
    memory.learn("before the night").unwrap();
    clock.forward_minutes(20.0);
    memory.learn("the last words of the day").unwrap();
    clock.forward_minutes(10.0 * 60.0);
    let second = memory.attend("mcp").unwrap().unwrap();
    assert_ne!(first.session_id, second.session_id);
    assert_eq!(memory.last_learned_block_id(), None, "what was learned belongs to the session before");
    memory.learn("the next morning").unwrap();
    assert!(close(memory.active_hours().unwrap().get(), 20.0 / 60.0));
    let open = memory.store().read(&ScopeView::default(), |snapshot| snapshot.get_open_sessions()).unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!(open[0].id, second.session_id);
}

#[test]
fn leaving_after_a_long_pause_counts_none_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let server = memory_on(&path, &clock, SessionStyle::Held);
    server.attend("mcp").unwrap();
    clock.forward_minutes(30.0);
    server.learn("the last words of the day").unwrap();
    server.attend("mcp").unwrap();
    clock.forward_minutes(9.0 * 60.0);
    assert_eq!(server.leave().unwrap(), None);
    drop(server);
    let next = memory_on(&path, &clock, SessionStyle::Held);
    next.learn("somebody else").unwrap();
    assert!(close(next.active_hours().unwrap().get(), 0.5));
}

#[test]
fn a_session_that_somebody_began_is_left_alone() {
    let clock = clock();
    let memory = memory_at(&clock);
    memory.attend("mcp").unwrap();
    memory.end_session().unwrap();
    let asked_for = memory.begin_session("deep work").unwrap();
    clock.forward_minutes(5.0 * 60.0);
    assert_eq!(memory.attend("mcp").unwrap(), None);
    let ended = memory.leave().unwrap().unwrap();
    assert_eq!(ended.session_id, asked_for.session_id);
    assert!(close(ended.hours, 5.0), "{ended:?}");
}

#[test]
fn a_detached_session_is_joined_and_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let typed = memory_on(&path, &clock, SessionStyle::Detached);
    let begun = typed.begin_session("work").unwrap();
    let server = memory_on(&path, &clock, SessionStyle::Held);
    assert_eq!(server.attend("mcp").unwrap(), None);
    assert_eq!(server.leave().unwrap(), None);
    assert_eq!(typed.end_session().unwrap().session_id, begun.session_id);
}

#[test]
fn first_requests_at_once_begin_one_session() {
    let clock = clock();
    let memory = memory_at(&clock);
    let begun: usize = std::thread::scope(|threads| {
        let starts: Vec<_> = (0..8).map(|_| threads.spawn(|| memory.attend("mcp").unwrap().is_some())).collect();
        starts.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
    });
    assert_eq!(begun, 1);
}
