//! Blocks that come to mind by a cue, and by when something happened.

use elfmem_core::{BlockId, Timestamp};
use elfmem_engine::{ErrorKind, Learn, Recall, RenderFrame};

use crate::fixtures::TestMemory;
use crate::memory;
use crate::state::state;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn first(memory: &TestMemory, request: Recall) -> elfmem_engine::ScoredBlock {
    memory.recall(request.preview()).unwrap().blocks.remove(0)
}

/// Things that have nothing to do with anything asked here.
fn background(memory: &TestMemory) {
    for text in
        ["The printer is out of toner", "Ravi wrote the parser", "Invoices are sent by e-mail", "Copper conducts heat"]
    {
        memory.learn(text).unwrap();
    }
}

#[test]
fn a_block_is_found_by_the_words_of_any_of_its_cues() {
    let memory = memory();
    background(&memory);
    let new = Learn::new("Call Dr. Weiss first").cue("the server room floods").cue("somebody mentions asbestos");
    let id = memory.learn(new).unwrap().block_id;
    for dreamed in [false, true] {
        for (question, word) in [("asbestos in the wall", "asbesto"), ("does the server room flood?", "flood")] {
            let hit = first(&memory, Recall::new(question));
            assert_eq!(hit.id, id, "{question}, dreamed: {dreamed}");
            assert!(hit.matched.iter().any(|matched| matched == word), "{question}: {:?}", hit.matched);
            assert!(hit.explain.words > 0.0 && hit.explain.cue.unwrap() > 0.3, "{question}: {:?}", hit.explain);
        }
        memory.consolidate().unwrap();
    }
}

#[test]
fn a_block_is_found_by_the_meaning_of_its_cue_without_a_word_in_common() {
    let memory = memory();
    background(&memory);
    memory.learn("Ask Ines about the blue folder").unwrap();
    let cued =
        memory.learn(Learn::new("Open the red folder").cue("a colleague is ill").cue("buying a car")).unwrap().block_id;
    for question in ["somebody at work got sick", "which vehicle should we purchase?"] {
        let hit = first(&memory, Recall::new(question));
        assert_eq!(hit.id, cued, "{question}");
        assert!(hit.matched.is_empty(), "{question}: {:?}", hit.matched);
        let (cue, meaning) = (hit.explain.cue.unwrap(), hit.explain.meaning.unwrap_or(0.0));
        assert!(cue > meaning, "{question}: found by the cue, {cue} and not {meaning}");
    }
}

#[test]
fn a_cue_is_not_shown_as_the_text() {
    let memory = memory();
    memory.learn(Learn::new("Open the red folder").cue("a colleague is ill")).unwrap();
    let shown = memory.frame(RenderFrame::new("attention").query("a colleague is ill")).unwrap();
    assert!(shown.text.contains("Open the red folder") && !shown.text.contains("colleague"), "{}", shown.text);
}

/// Four visits that differ in nothing but their time; the last gets it from its text.
fn visits(memory: &TestMemory) -> [BlockId; 4] {
    background(memory);
    let visit = |name: &str, time: Option<&str>| {
        let new = Learn::new(format!("The inspector visited the bakery {name}"));
        memory.learn(time.into_iter().fold(new, |new, time| new.event_at(at(time)))).unwrap().block_id
    };
    // It is Friday, 15 January 2027.
    [
        visit("again", Some("2027-01-06T10:00:00Z")),
        visit("once more", Some("2026-10-20T10:00:00Z")),
        visit("unannounced", Some("2024-02-01T10:00:00Z")),
        visit("on 8 May 2023", None),
    ]
}

#[test]
fn an_event_has_the_time_that_was_given_or_is_written_in_its_text() {
    let memory = memory();
    let [given, .., written] = visits(&memory);
    let event_at = |id: &BlockId| memory.show(id.as_str()).unwrap().block.event_at;
    assert_eq!(event_at(&given), Some(at("2027-01-06T10:00:00Z")));
    assert_eq!(event_at(&written), Some(at("2023-05-08T00:00:00Z")));
    let both = memory.learn(Learn::new("Signed on 1 June 2020").event_at(at("2021-01-01T00:00:00Z"))).unwrap().block_id;
    assert_eq!(event_at(&both), Some(at("2021-01-01T00:00:00Z")), "what is said outright goes first");
    let neither = memory.learn("You may go now, version 2.10.3 is out").unwrap().block_id;
    assert_eq!(event_at(&neither), None);
}

#[test]
fn questions_with_a_time_prefer_blocks_whose_time_fits() {
    let memory = memory();
    let [last_week, autumn, winter, may] = visits(&memory);
    for dreamed in [false, true] {
        for (question, expected) in [
            ("when did the inspector visit last week?", &last_week),
            ("which inspector visited last week?", &last_week),
            ("who visited the bakery in May 2023?", &may),
            ("what did the inspector do in October 2026?", &autumn),
            ("inspector visits in February 2024", &winter),
            ("inspector visits three months ago", &autumn),
        ] {
            for asked in [Recall::new(question), Recall::new(question).no_contiguity()] {
                let hit = first(&memory, asked);
                assert_eq!(hit.id, *expected, "{question}, dreamed: {dreamed}: {}", hit.content);
                assert!(hit.explain.time.unwrap() > 0.9, "{question}: {:?}", hit.explain);
            }
        }
        memory.consolidate().unwrap();
    }
    let timeless = first(&memory, Recall::new("inspector"));
    assert_eq!(timeless.explain.time, None);
}

#[test]
fn before_and_after_an_event_that_the_memory_knows_use_its_time() {
    let memory = memory();
    let [last_week, autumn, winter, may] = visits(&memory);
    memory.learn(Learn::new("The grand reopening party took place").event_at(at("2025-06-01T18:00:00Z"))).unwrap();
    let ranked = |question: &str| -> Vec<BlockId> {
        let request = Recall::new(question).top_k(9).no_contiguity().preview();
        let found = memory.recall(&request).unwrap().blocks;
        found
            .into_iter()
            .map(|block| block.id)
            .filter(|id| [&last_week, &autumn, &winter, &may].contains(&id))
            .collect()
    };
    let before = ranked("inspector visits before the grand reopening party");
    assert!(before[..3].contains(&winter) && before[..3].contains(&may), "{before:?}");
    let after = ranked("inspector visits after the grand reopening party");
    assert!(after[..3].contains(&last_week) && after[..3].contains(&autumn), "{after:?}");
    assert_ne!(before, after);
    let unknown = memory.recall(Recall::new("inspector visits before the coronation").preview()).unwrap();
    assert!(unknown.blocks.iter().all(|block| block.explain.time.is_none()), "an event it does not know dates nothing");
}

#[test]
fn since_until_and_as_of_let_only_fitting_times_in() {
    let memory = memory();
    let [last_week, autumn, winter, may] = visits(&memory);
    let ids = |request: Recall| -> Vec<BlockId> {
        let found = memory.recall(request.top_k(20).preview()).unwrap();
        let mut ids: Vec<BlockId> = found.blocks.into_iter().map(|block| block.id).collect();
        ids.retain(|id| [&last_week, &autumn, &winter, &may].contains(&id));
        ids.sort();
        ids
    };
    let sorted = |ids: &[&BlockId]| {
        let mut ids: Vec<BlockId> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort();
        ids
    };
    let asked = || Recall::new("the inspector visited the bakery");
    assert_eq!(ids(asked().since(at("2026-01-01T00:00:00Z"))), sorted(&[&last_week, &autumn]));
    assert_eq!(ids(asked().until(at("2024-02-01T10:00:00Z"))), sorted(&[&may]), "the end is not part of it");
    assert_eq!(
        ids(asked().since(at("2024-02-01T10:00:00Z")).until(at("2026-12-01T00:00:00Z"))),
        sorted(&[&autumn, &winter])
    );
    assert_eq!(ids(asked().as_of_event(at("2024-06-01T00:00:00Z"))), sorted(&[&winter, &may]));
    let then = first(&memory, Recall::new("inspector visits last week").as_of_event(at("2026-10-27T00:00:00Z")));
    assert_eq!(then.id, autumn, "last week is the week before then");
    let unstamped = memory.recall(Recall::new("printer toner").since(at("2027-01-15T00:00:00Z")).preview()).unwrap();
    assert_eq!(unstamped.blocks[0].content, "The printer is out of toner", "stored today");
    let nothing = memory.recall(asked().until(at("1999-01-01T00:00:00Z"))).unwrap();
    assert!(nothing.blocks.is_empty() && nothing.message.unwrap().contains("passes the filters"));
}

#[test]
fn an_empty_span_and_labels_that_cannot_be_are_refused_and_change_nothing() {
    let memory = memory();
    visits(&memory);
    let before = state(&memory);
    for request in [
        Recall::new("x").since(at("2027-01-01T00:00:00Z")).until(at("2026-01-01T00:00:00Z")),
        Recall::new("x").since(at("2027-01-01T00:00:00Z")).until(at("2027-01-01T00:00:00Z")),
        Recall::new("x").since(at("2027-01-01T00:00:00Z")).as_of_event(at("2026-01-01T00:00:00Z")),
        Recall::new("x").tag(""),
        Recall::new("x").tag("two\nlines"),
        Recall::new("x").category("\u{7}"),
    ] {
        for error in [memory.recall(&request).unwrap_err(), memory.frame(&request).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Input, "{request:?}");
            assert!(error.to_string().contains("— Recovery: "), "{error}");
        }
    }
    assert_eq!(state(&memory), before);
}
