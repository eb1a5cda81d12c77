//! Explicit sessions that nobody ended.

use elfmem_engine::{Curate, Dream, Error, Learn, SessionStyle};

use crate::{clock, memory_at, memory_on};

const DAY: f64 = 24.0 * 60.0;

#[test]
fn sixty_days_after_a_forgotten_session_nothing_has_aged() {
    for style in [SessionStyle::Held, SessionStyle::Detached] {
        let (folder, clock) = (tempfile::tempdir().unwrap(), clock());
        let memory = memory_on(&folder.path().join("memory.db"), &clock, style);
        memory.learn(Learn::new("Dana prefers tea over coffee").tags(["knowledge"])).unwrap();
        memory.dream(Dream::new()).unwrap();
        let begun = memory.begin_session("work").unwrap();
        clock.forward_minutes(10.0);
        memory.learn("The last note of the day").unwrap();
        clock.forward_minutes(60.0 * DAY);
        let before = memory.active_hours().unwrap().get();
        assert!((before - 10.0 / 60.0).abs() < 1e-6, "{style:?}: {before}");
        assert_eq!(memory.curate(Curate::new()).unwrap().archived, 0);
        memory.learn("Back after two months").unwrap();
        let hours = memory.active_hours().unwrap().get();
        assert!((hours - 10.0 / 60.0).abs() < 1e-6, "{style:?}: {hours}");
        assert!(matches!(memory.end_session(), Err(Error::NoSession)), "{style:?}: it ended by itself");
        assert_ne!(memory.begin_session("work").unwrap().session_id, begun.session_id);
    }
}

#[test]
fn a_long_lunch_belongs_to_the_session() {
    let clock = clock();
    let memory = memory_at(&clock);
    let begun = memory.begin_session("work").unwrap();
    clock.forward_minutes(7.9 * 60.0);
    memory.learn("Written after the lunch").unwrap();
    let ended = memory.end_session().unwrap();
    assert_eq!(ended.session_id, begun.session_id);
    assert!((ended.hours - 7.9).abs() < 1e-6, "{ended:?}");
}
