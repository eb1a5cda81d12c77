//! Frames, sessions, settings, the clock.

use elfmem_core::frame::{FrameSource, builtin_frames};
use elfmem_core::{ActiveHours, ClockState, Scope, ScopeView, Session, SessionId, SessionKind, Timestamp};

use super::{noon, read, write};
use crate::{JournalQuery, Store, StoreError};

/// A new memory can be used as it is.
pub fn built_in_frames_and_defaults_are_there_and_seeding_again_changes_nothing(store: &impl Store) {
    let names =
        |store: &_| read(store, |snapshot| snapshot.list_frames()).into_iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(names(store), ["attention", "search", "self", "simulate", "task"]);
    for frame in builtin_frames() {
        assert_eq!(read(store, |snapshot| snapshot.get_frame(&frame.name)), Some(frame));
    }
    // The numbers of seed 003, written out.
    for (name, expected) in [
        ("self", [0.10, 0.30, 0.05, 0.25, 0.30]),
        ("attention", [0.35, 0.15, 0.25, 0.15, 0.10]),
        ("task", [0.20, 0.20, 0.20, 0.20, 0.20]),
    ] {
        let weights = read(store, |snapshot| snapshot.get_frame(name)).expect("it is there").weights;
        let found =
            [weights.similarity, weights.confidence, weights.recency, weights.centrality, weights.reinforcement];
        assert_eq!(found, expected, "{name}");
    }
    let config = |key| read(store, |snapshot| snapshot.get_config(key));
    assert_eq!(config("total_active_hours").as_deref(), Some("0.0"));
    assert_eq!(config("prune_threshold").as_deref(), Some("0.05"));
    assert_eq!(config("top_k").as_deref(), Some("5"));
    let before = read(store, |snapshot| snapshot.get_journal(&JournalQuery::default())).len();
    write(store, |transaction| transaction.seed_builtin_data(noon()));
    assert_eq!(read(store, |snapshot| snapshot.get_journal(&JournalQuery::default())).len(), before);
}

/// The table is the truth about a frame.
pub fn frames_are_replaced_by_name(store: &impl Store) {
    let mut frame = builtin_frames().remove(1);
    frame.name = "mine".into();
    frame.source = FrameSource::User;
    write(store, |transaction| transaction.upsert_frame(&frame, noon()));
    frame.token_budget = 123;
    frame.filters.tag_patterns = vec!["topic/%".into()];
    write(store, |transaction| transaction.upsert_frame(&frame, noon()));
    assert_eq!(read(store, |snapshot| snapshot.get_frame("mine")), Some(frame));
    assert_eq!(read(store, |snapshot| snapshot.get_frame("nobody's")), None);
}

fn session(id: &str, second: i64) -> Session {
    let started_at = Timestamp::from_second(second).expect("a valid time");
    Session {
        id: SessionId::from_stored(id),
        task_type: "general".into(),
        kind: SessionKind::Held,
        started_at,
        ended_at: None,
        start_active_hours: ActiveHours::new(2.5),
        last_seen_at: started_at,
    }
}

/// A session that has ended is not listed.
pub fn open_sessions_are_listed_the_latest_first(store: &impl Store) {
    let open = || read(store, |snapshot| snapshot.get_open_sessions());
    assert_eq!(open(), []);
    let (first, second) = (session("s1", 1_000), session("s2", 2_000));
    write(store, |transaction| {
        transaction.start_session(&second)?;
        transaction.start_session(&first)
    });
    assert_eq!(open(), [second.clone(), first.clone()]);
    let end = Timestamp::constant(3_000, 0);
    write(store, |transaction| transaction.end_session(&second.id, end));
    assert_eq!(open(), [first]);
    assert_eq!(read(store, |snapshot| snapshot.get_session(&second.id)).and_then(|s| s.ended_at), Some(end));
}

/// The last value stands.
pub fn settings_are_kept_and_replaced(store: &impl Store) {
    assert_eq!(read(store, |snapshot| snapshot.get_config("nothing")), None);
    write(store, |transaction| {
        transaction.set_config("key", "one")?;
        transaction.set_config("key", "two")
    });
    assert_eq!(read(store, |snapshot| snapshot.get_config("key")).as_deref(), Some("two"));
}

/// A scope reads and replaces its own, and sees neither those of another nor an inherited one's.
pub fn settings_of_a_scope_are_its_own(store: &impl Store) {
    let view = |name: &str| ScopeView::only(Scope::from_stored(name));
    let set = |view: &ScopeView, value: &str| {
        let set: Result<(), StoreError> =
            store.write(view, |transaction| transaction.set_scope_config("last_curate_at", value));
        set.unwrap_or_else(|error| panic!("{error}"));
    };
    let get = |view: &ScopeView| {
        store.read(view, |snapshot| snapshot.get_scope_config("last_curate_at")).expect("the read succeeds")
    };
    let (user, agent) = (view("user"), view("agent").inheriting(Scope::from_stored("user")));
    set(&user, "1");
    assert_eq!((get(&user).as_deref(), get(&agent), get(&ScopeView::default())), (Some("1"), None, None));
    set(&agent, "2");
    set(&ScopeView::default(), "3");
    set(&agent, "4");
    let all = [&user, &agent, &ScopeView::default()].map(|view| get(view).unwrap_or_default());
    assert_eq!(all, ["1", "4", "3"]);
    let whole = read(store, |snapshot| snapshot.get_config("last_curate_at"));
    assert_eq!(whole.as_deref(), Some("3"), "the scope `default` keeps the names of the seeds");
}

/// Setting it lower is ignored; nonsense reads as zero.
pub fn the_clock_never_moves_backwards(store: &impl Store) {
    let hours = || read(store, |snapshot| snapshot.get_total_active_hours()).get();
    assert_eq!(hours(), 0.0);
    for (set, expected) in [(1.0 / 3.0, 1.0 / 3.0), (12.5, 12.5), (3.0, 12.5)] {
        write(store, |transaction| {
            transaction.set_clock(ClockState { hours: ActiveHours::new(set), last_activity: None })
        });
        assert_eq!(hours(), expected);
    }
}
