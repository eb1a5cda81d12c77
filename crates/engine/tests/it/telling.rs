//! `store_event`: events that become memories at once, those that do not, retries, batches, contexts that hold one memory.

use elfmem_core::BlockStatus;
use elfmem_core::event::{EventKind, EventSource};
use elfmem_engine::{
    AddLink, ContextMode, Enrol, Error, ErrorKind, EventError, EventOptions, EventStatus, ListBlocks, ListContexts,
    ListEvents, ListLinks, ListProposals, Memory, Options, ReadLog, Recall, StoreEvent, StoreEvents, Undo, Unlink,
};
use elfmem_store::Store;
use serde_json::{Map, Value, json};

use crate::fixtures::{
    TestMemory, block, blocks, check_invariants, contradictions, exported, imported, memory_with, models, open_file,
    open_memory, rows,
};
use crate::state::{assert_same_state, state};
use crate::{clock, memory, memory_at, options};

/// An event as programs send it.
pub(crate) fn sent(fields: Value) -> StoreEvent {
    StoreEvent::from_map(fields.as_object().unwrap())
}

fn events(memory: &Memory<impl Store>) -> Vec<elfmem_store::Event> {
    memory.list_events(ListEvents::new().limit(1_000)).unwrap().events.into_iter().map(|listed| listed.event).collect()
}

fn single() -> TestMemory {
    let clock = clock();
    let events = EventOptions { context_mode: ContextMode::Single, ..EventOptions::default() };
    open_memory(Options { events, ..options(&clock) })
}

#[test]
fn an_admitted_event_is_active_found_at_once_and_believed_as_its_source() {
    let memory = memory();
    for (source, confidence) in
        [("validator", 0.9), ("executor", 0.8), ("user", 0.7), ("agent", 0.6), ("system", 0.5), ("policy", 0.95)]
    {
        let text = format!("The {source} says that the harbour opens at {}", source.len());
        let told = memory.store_event(StoreEvent::with_payload("fact", text.as_str()).source(source)).unwrap();
        let stored = block(&memory, told.block_id.as_ref().unwrap());
        assert_eq!((stored.status, stored.confidence.get()), (BlockStatus::Active, confidence), "{source}");
        assert!(stored.embedding_model.is_some(), "it has its vector");
        assert_eq!(memory.recall(Recall::new(&text).top_k(1)).unwrap().blocks[0].id, stored.id);
    }
    check_invariants(&memory);
}

#[test]
fn the_event_of_the_seed_is_taken_as_it_is_written() {
    let memory = memory();
    let fact = memory.store_event(StoreEvent::with_payload("fact", "React has hooks")).unwrap().block_id.unwrap();
    let other = memory.store_event(StoreEvent::with_payload("fact", "const never changes")).unwrap().block_id.unwrap();
    let told = memory
        .store_event(sent(json!({
            "event_kind": "fact",
            "source": "agent",
            "payload": { "topic": "const_usage", "value": "always use const in React" },
            "links": [
                { "type": "reinforces", "target": format!("locus_{fact}") },
                { "type": "derived_from", "target": other.short() }
            ]
        })))
        .unwrap();
    let stored = block(&memory, told.block_id.as_ref().unwrap());
    assert_eq!(stored.content, "const_usage: always use const in React");
    assert_eq!((stored.confidence.get(), stored.source.as_str()), (0.6, "agent"));
    let said: Vec<String> = told.links.iter().map(|link| link.key.to_string()).collect();
    let from = stored.id.short();
    assert_eq!(said, [format!("{from} derived_from {}", other.short()), format!("{from} reinforces {}", fact.short())]);
    assert_eq!(told.to_string(), format!("Stored fact as block {from}. Status: created. Confidence: 0.60. 2 links."));
}

#[test]
fn every_kind_is_taken_and_routine_and_noise_are_recorded_and_never_recalled() {
    let memory = memory();
    for kind in EventKind::all() {
        let text = format!("The lighthouse keeper notes a {} today", kind.as_str());
        let told = memory.store_event(StoreEvent::with_payload(kind.as_str(), text.as_str())).unwrap();
        assert_eq!(told.block_id.is_some(), kind.is_admitted(), "{}", kind.as_str());
        assert_eq!((told.event_kind, told.internal_type), (kind.as_str(), kind.internal_type()));
        assert_eq!(told.source, kind.implied_source().as_str());
        assert_eq!(told.status == EventStatus::Filtered, !kind.is_admitted());
    }
    assert_eq!(events(&memory).len(), 23, "all are on record");
    let filtered = memory.list_events(ListEvents::new().filtered()).unwrap();
    assert_eq!((filtered.total, blocks(&memory).len()), (6, 17));
    let found = memory.recall(Recall::new("lighthouse keeper heartbeat debug noise").top_k(50)).unwrap();
    assert!(found.blocks.iter().all(|block| !block.content.contains("heartbeat") && !block.content.contains("debug")));
}

#[test]
fn every_fault_of_an_event_is_named_at_once_and_nothing_is_changed() {
    let memory = memory();
    let before = state(&memory);
    let wrong = json!({
        "event_kind": "opinion", "source": "neighbour", "context_id": "react", "timestamp": "soonish", "payload": {},
        "links": [{"type": "supports", "target": "x"}, {"type": "extends"}], "reinforces": ["locus_1"], "contxt": 1,
        "replace": "yes",
    });
    let error = memory.store_event(sent(wrong)).unwrap_err();
    let Error::Event(EventError::Faults { faults }) = &error else { panic!("{error}") };
    for part in [
        "no event kind 'opinion'; the kinds are fact,",
        "no source 'neighbour'; the sources are policy,",
        "'context_id': 'react' is not of the form type:name",
        "'timestamp' is no time that can be read: 'soonish'",
        "the payload says nothing",
        "no link type 'supports'; the types are related_to,",
        "'links' number 1 must be {type, target}",
        "'reinforces' takes contexts (type:name), and 'locus_1' is none",
        "no field 'contxt' (did you mean 'content'?)",
        "'replace' must be true or false",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(part)), "{part}: {faults:?}");
    }
    assert_eq!(faults.len(), 10, "{faults:?}");
    assert_eq!(error.kind(), ErrorKind::Input);
    for (fields, part) in [
        (json!({}), "'event_kind' is missing"),
        (json!({"event_kind": "fact", "content": "x", "payload": {}}), "both say what it says"),
        (json!({"event_kind": "fact", "content": "x".repeat(70_000)}), "the payload is too long"),
        (json!({"event_kind": "fact", "content": "a\u{0}b"}), "NUL"),
        (
            json!({"event_kind": "fact", "content": "x", "links": [{"type": "extends", "target": "feed"}]}),
            "no block 'feed'",
        ),
        (
            json!({"event_kind": "fact", "content": "x", "links": [{"type": "extends", "target": "é"}]}),
            "no block and no",
        ),
        (json!({"event_kind": "fact", "content": "x", "context_id": "a:b", "extends": ["A:B"]}), "own context 'a:b'"),
        (json!({"event_kind": "fact", "content": "x", "extends": vec!["a:b"; 51]}), ""),
    ] {
        let told = memory.store_event(sent(fields.clone()));
        match part {
            // The same context fifty-one times is one link.
            "" => {
                drop(
                    told.map(|told| assert_eq!(told.links.len(), 1)).and_then(|()| memory.undo(Undo::last())).unwrap(),
                );
            }
            part => assert!(told.unwrap_err().message().contains(part), "{fields}"),
        }
    }
    let many: Vec<String> = (0..51).map(|n| format!("a:{n}")).collect();
    let error = memory.store_event(sent(json!({"event_kind": "fact", "content": "x", "extends": many}))).unwrap_err();
    assert!(error.message().contains("51 'extends' links are too many"), "{error}");
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_retry_is_recorded_once_and_the_same_thing_in_another_session_is_seen_again() {
    let clock = clock();
    let memory = memory_at(&clock);
    let told =
        StoreEvent::with_payload("observation", "Used var in a component").source("agent").context_id("error:var");
    let first = memory.store_event(&told).unwrap();
    let before = state(&memory);
    let again = memory.store_event(&told).unwrap();
    assert_same_state(&state(&memory), &before);
    assert_eq!((&again.event_id, again.status, again.recorded), (&first.event_id, EventStatus::Unchanged, false));
    assert_eq!((again.block_id.clone(), again.confidence), (first.block_id.clone(), Some(0.6)));
    // Another session: it was seen again, and says no more than before.
    clock.forward_minutes(300.0);
    let later = memory.store_event(&told).unwrap();
    assert_eq!((later.status, later.recorded, later.block_id), (EventStatus::Unchanged, true, first.block_id.clone()));
    assert_eq!((events(&memory).len(), blocks(&memory).len()), (2, 1));
    let sessions: Vec<_> = events(&memory).into_iter().map(|event| event.session_id).collect();
    assert_ne!(sessions[0], sessions[1]);
    // Where it says when it happened, a retry is a retry whenever it comes.
    let dated = told.clone().timestamp("1800000000");
    memory.store_event(&dated).unwrap();
    clock.forward_minutes(300.0);
    assert!(!memory.store_event(&dated).unwrap().recorded);
    // And a key of the caller's says it all.
    let keyed = StoreEvent::with_payload("fact", "one").idempotency_key("job 7");
    assert!(memory.store_event(&keyed).unwrap().recorded);
    clock.forward_minutes(300.0);
    assert!(!memory.store_event(&keyed).unwrap().recorded);
    let other = memory.store_event(StoreEvent::with_payload("fact", "two").idempotency_key("job 7")).unwrap_err();
    assert!(matches!(other, Error::Event(EventError::OtherEvent { .. })), "{other}");
    assert_eq!(other.kind(), ErrorKind::Conflict);
    // A filtered one as well.
    let beat = StoreEvent::with_payload("heartbeat", "alive");
    assert!(memory.store_event(&beat).unwrap().recorded);
    let beat = memory.store_event(&beat).unwrap();
    assert_eq!((beat.recorded, beat.status), (false, EventStatus::Filtered));
}

#[test]
fn links_of_a_repeated_event_count_once() {
    let clock = clock();
    let memory = memory_at(&clock);
    let fact = memory
        .store_event(StoreEvent::with_payload("fact", "The tide is high").source("user"))
        .unwrap()
        .block_id
        .unwrap();
    let told = StoreEvent::with_payload("observation", "Boats float").link("reinforces", fact.as_str());
    for _ in 0..3 {
        memory.store_event(&told).unwrap();
        clock.forward_minutes(300.0);
    }
    assert!((block(&memory, &fact).confidence.get() - 0.75).abs() < 1e-12);
}

#[test]
fn constraints_rules_and_violations_derive_from_their_context_and_nothing_else_does() {
    let memory = memory();
    for kind in EventKind::all().filter(|kind| kind.is_admitted()) {
        let text = format!("Never deploy on day {}", kind.as_str());
        let told = memory
            .store_event(StoreEvent::with_payload(kind.as_str(), text.as_str()).context_id("project:shop"))
            .unwrap();
        let derived: Vec<String> =
            told.links.iter().map(|link| format!("{} {}", link.key.link_type, link.key.to)).collect();
        let expected: &[&str] = if kind.derives_from_its_context() { &["derived_from project:shop"] } else { &[] };
        assert_eq!(derived, expected, "{}", kind.as_str());
        let alone = memory.store_event(StoreEvent::with_payload(kind.as_str(), format!("{text} at all"))).unwrap();
        assert!(alone.links.is_empty(), "without a context there is nothing to derive from");
    }
    assert_eq!(memory.links(ListLinks::new().link_type("derived_from")).unwrap().len(), 3);
}

#[test]
fn a_learned_text_that_is_told_becomes_active_with_the_confidence_of_its_source() {
    let memory = memory();
    let learned = memory.learn("The ferry leaves at nine").unwrap().block_id;
    let told =
        memory.store_event(StoreEvent::with_payload("fact", "The ferry leaves at nine").source("validator")).unwrap();
    assert_eq!(
        (told.block_id.as_ref(), told.status, told.confidence),
        (Some(&learned), EventStatus::Created, Some(0.9))
    );
    assert_eq!(block(&memory, &learned).status, BlockStatus::Active);
    // What was forgotten and is told again comes back as it was believed.
    memory.forget(learned.as_str()).unwrap();
    let told =
        memory.store_event(StoreEvent::with_payload("decision", "The ferry leaves at nine").source("system")).unwrap();
    assert_eq!((told.status, told.confidence), (EventStatus::Created, Some(0.9)));
    check_invariants(&memory);
}

#[test]
fn a_batch_keeps_what_works_and_a_transaction_takes_all_or_nothing() {
    let memory = memory();
    let before = state(&memory);
    let list: Vec<StoreEvent> = [
        json!({"event_kind": "fact", "content": "one"}),
        json!({"event_kind": "noise", "content": "two"}),
        json!({"event_kind": "opinion", "content": "three"}),
        json!({"event_kind": "fact", "content": "four", "context_id": "a:b"}),
        json!({"event_kind": "fact", "content": "one"}),
    ]
    .into_iter()
    .map(sent)
    .collect();
    let error = memory.store_events(StoreEvents::new(&list).atomic()).unwrap_err();
    assert!(matches!(error, Error::Event(EventError::InTransaction { index: 2, .. })), "{error}");
    assert_same_state(&state(&memory), &before);
    let all = memory.store_events(StoreEvents::new(&list)).unwrap();
    assert_eq!((all.stored, all.filtered, all.failed), (3, 1, 1));
    let statuses: Vec<Value> =
        all.results.iter().map(|item| serde_json::to_value(item).unwrap()["status"].clone()).collect();
    assert_eq!(statuses, [json!("created"), json!("filtered"), Value::Null, json!("created"), json!("unchanged")]);
    assert!(all.results[2].error.as_ref().unwrap().contains("no event kind 'opinion'"));
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
    let many: Vec<StoreEvent> = (0..1_001).map(|n| StoreEvent::with_payload("fact", format!("{n}"))).collect();
    assert!(memory.store_events(StoreEvents::new(&many)).is_err());
    assert_eq!(memory.store_events(StoreEvents::new(Vec::<StoreEvent>::new()).atomic()).unwrap().results.len(), 0);
}

#[test]
fn where_a_context_holds_one_memory_another_needs_replace() {
    let memory = single();
    let first =
        memory.store_event(StoreEvent::with_payload("fact", "The port is 5432").context_id("project:db")).unwrap();
    let old = first.block_id.unwrap();
    let same =
        memory.store_event(StoreEvent::with_payload("decision", "The port is 5432").context_id("project:db")).unwrap();
    assert_eq!((same.status, same.block_id), (EventStatus::Unchanged, Some(old.clone())));
    let other = StoreEvent::with_payload("fact", "The port is 5433").context_id("project:db");
    let before = state(&memory);
    match memory.store_event(&other).unwrap_err() {
        Error::Event(EventError::Held { context, block_id, content, confidence, .. }) => {
            assert_eq!((context.as_str(), block_id, content.as_str()), ("project:db", old.clone(), "The port is 5432"));
            assert_eq!(confidence, 0.7);
        }
        error => panic!("{error}"),
    }
    assert_same_state(&state(&memory), &before);
    let replaced = memory.store_event(other.replace()).unwrap();
    assert_eq!(replaced.status, EventStatus::Replaced);
    assert_eq!(memory.resolve(old.as_str()).unwrap(), replaced.block_id.clone().unwrap());
    assert_eq!(memory.show_context("project:db").unwrap().blocks.len(), 1);
    memory.undo(Undo::last()).unwrap();
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_replaced_memory_keeps_links_that_are_not_named_and_loses_those_that_are() {
    let memory = single();
    let target = memory.store_event(StoreEvent::with_payload("fact", "Hooks are functions").source("user")).unwrap();
    let target = target.block_id.unwrap();
    let first = json!({"event_kind": "fact", "content": "Use hooks", "context_id": "skill:react",
        "extends": ["skill:web"], "related_to": ["project:shop"],
        "links": [{"type": "reinforces", "target": target.as_str()}]});
    memory.store_event(sent(first)).unwrap();
    assert!((block(&memory, &target).confidence.get() - 0.75).abs() < 1e-12);
    let second = json!({"event_kind": "fact", "content": "Use hooks everywhere", "context_id": "skill:react",
        "replace": true, "extends": [], "reinforces": []});
    let replaced = memory.store_event(sent(second)).unwrap();
    let gone: Vec<&str> = replaced.links_replaced.iter().map(|link| link.as_str()).collect();
    assert_eq!(gone, ["extends", "reinforces"]);
    let left = memory.links(ListLinks::new()).unwrap();
    let left: Vec<String> = left.iter().map(|link| link.key.to_string()).collect();
    assert_eq!(left, [format!("{} related_to project:shop", replaced.block_id.unwrap().short())]);
    assert_eq!(block(&memory, &target).confidence.get(), 0.7, "what is not confirmed any more is believed as before");
}

#[test]
fn an_embedder_that_cannot_be_reached_is_no_reason_to_refuse_an_event() {
    use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
    let embedder = std::sync::Arc::new(ScriptedEmbedder::new(16).failing_every(1));
    let memory = memory_with(models(embedder, std::sync::Arc::new(ScriptedAnalyst::new())));
    let told = memory.store_event(StoreEvent::with_payload("fact", "The well is deep")).unwrap();
    assert!(told.warnings[0].starts_with("It is found by full-text search only:"), "{told}");
    assert_eq!(blocks(&memory).len(), 1);
}

#[test]
fn nothing_of_a_purged_event_is_left_and_what_it_confirmed_is_believed_as_before() {
    let memory = memory();
    let fact = memory
        .store_event(StoreEvent::with_payload("fact", "The tide is high").source("user"))
        .unwrap()
        .block_id
        .unwrap();
    let secret = StoreEvent::with_payload("observation", json!({"topic": "quokka", "value": "sleeps at noon"}))
        .context_id("project:zoo")
        .link("reinforces", fact.as_str())
        .link("contradicts", fact.as_str());
    let told = memory.store_event(&secret).unwrap().block_id.unwrap();
    memory.store_event(StoreEvent::with_payload("debug", "seen: quokka: sleeps at noon, again")).unwrap();
    assert_eq!(contradictions(&memory).len(), 1);
    memory.purge(told.as_str()).unwrap();
    assert_eq!(block(&memory, &fact).confidence.get(), 0.7);
    assert!(memory.links(ListLinks::new()).unwrap().is_empty() && contradictions(&memory).is_empty());
    let left = format!("{:?} {:?}", state(&memory), memory.log(ReadLog::new().limit(100)).unwrap());
    assert!(!left.contains("quokka") && !left.contains("sleeps"), "{left}");
    check_invariants(&memory);
}

#[test]
fn what_one_scope_tells_another_does_not_see() {
    use elfmem_core::{Scope, ScopeView};
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let open = |scope: &str| {
        let path = folder.path().join("m.db");
        open_file(&path, Options { view: ScopeView::only(Scope::parse(scope).unwrap()), ..options(&clock) })
    };
    let (ours, theirs) = (open("ours"), open("theirs"));
    let told = StoreEvent::with_payload("rule", "Never sail at night").context_id("skill:sailing").source("user");
    ours.store_event(&told).unwrap();
    ours.store_event(StoreEvent::with_payload("debug", "noise of ours")).unwrap();
    assert!(events(&theirs).is_empty() && theirs.links(ListLinks::new()).unwrap().is_empty());
    assert_eq!(theirs.list_contexts(ListContexts::new()).unwrap().total, 0);
    assert!(theirs.log(ReadLog::new().limit(100)).unwrap().iter().all(|entry| entry.header.operation != "store_event"));
    let asked = elfmem_engine::RetrieveMemories::new("sail at night");
    assert!(theirs.retrieve_memories(&asked).unwrap().items.is_empty());
    assert_eq!(ours.retrieve_memories(&asked).unwrap().items.len(), 1);
}

#[test]
fn recall_and_frames_are_narrowed_down_to_contexts() {
    let memory = memory();
    for (text, context) in [("Rust has lifetimes", "skill:rust"), ("React has hooks", "skill:react")] {
        memory.store_event(StoreEvent::with_payload("fact", text).context_id(context)).unwrap();
    }
    let learned = memory.learn("Rust and React have fans").unwrap().block_id;
    let texts = |asked: &elfmem_engine::Recall| -> Vec<String> {
        memory.recall(asked).unwrap().blocks.into_iter().map(|block| block.content).collect()
    };
    let asked = elfmem_engine::Recall::new("what do Rust and React have");
    assert_eq!(texts(&asked).len(), 3);
    assert_eq!(texts(&asked.clone().context("skill:rust")), ["Rust has lifetimes"]);
    let framed = memory.frame(asked.clone().frame("attention").context(" Skill:React ")).unwrap();
    assert_eq!((framed.block_count, framed.text.contains("React has hooks")), (1, true));
    // What is enrolled later is found there, in a frame that was rendered before too.
    memory.enrol(Enrol::new("skill:react", learned.as_str())).unwrap();
    let framed = memory.frame(asked.clone().frame("attention").context("skill:react")).unwrap();
    assert_eq!(framed.block_count, 2);
    assert!(memory.recall(asked.context("rust")).is_err());
}

#[test]
fn whatever_is_sent_is_stored_or_refused_and_the_memory_stays_sound() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["fact", "a:b", "reinforces", "user", "1800000000"]).prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(
                prop::sample::select(vec!["type", "target", "topic", "value", "data"]),
                inner,
                0..4
            )
            .prop_map(|map| json!(map)),
        ]
    });
    let names =
        ["event_kind", "source", "payload", "context_id", "links", "extends", "contradicts", "timestamp", "replace"];
    let field = (prop::sample::select(names.to_vec()), value);
    let memory = memory();
    TestRunner::new(Config::with_cases(200))
        .run(&prop::collection::vec(field, 0..8), |fields| {
            let mut event: Map<String, Value> =
                json!({"event_kind": "fact", "content": "x"}).as_object().unwrap().clone();
            event.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
            if event.contains_key("payload") {
                event.remove("content");
            }
            if let Err(error) = memory.store_event(StoreEvent::from_map(&event)) {
                prop_assert!(!error.recovery().is_empty());
            }
            Ok(())
        })
        .unwrap();
    check_invariants(&memory);
    assert!(memory.list(ListBlocks::all()).is_ok());
}

#[test]
fn sources_are_filtered_and_implied_by_the_kind() {
    let memory = memory();
    memory.store_event(StoreEvent::with_payload("completed", "The build passed")).unwrap();
    memory.store_event(StoreEvent::with_payload("fact", "The build is green").source("MODEL")).unwrap();
    let told = |source: EventSource| memory.list_events(ListEvents::new().source(source.as_str())).unwrap().total;
    assert_eq!((told(EventSource::Tool), told(EventSource::Assistant), told(EventSource::User)), (1, 1, 0));
}

#[test]
fn events_contexts_and_links_go_out_of_one_memory_and_into_another_with_what_they_taught() {
    let memory = memory();
    let fact =
        memory.store_event(StoreEvent::with_payload("fact", "The tide is high").source("user").context_id("place:sea"));
    let fact = fact.unwrap().block_id.unwrap();
    let rule = StoreEvent::with_payload("rule", "Never sail at night")
        .context_id("skill:sailing")
        .link("reinforces", fact.as_str());
    let rule = memory.store_event(rule.link("related_to", "skill:waiting")).unwrap().block_id.unwrap();
    memory.link(AddLink::new("place:sea", "contradicts", "skill:sailing")).unwrap();
    memory.store_event(StoreEvent::with_payload("debug", "noise")).unwrap();
    let there = crate::memory();
    imported(&there, &exported(&memory, true));
    assert_eq!(rows(&there), rows(&memory));
    assert_eq!(block(&there, &fact).confidence.get(), block(&memory, &fact).confidence.get());
    there.unlink(Unlink::new(rule.as_str(), "reinforces", fact.as_str())).unwrap();
    assert_eq!(block(&there, &fact).confidence.get(), 0.7);
    let told = there
        .store_event(StoreEvent::with_payload("fact", "It came").source("user").context_id("skill:waiting"))
        .unwrap();
    assert_eq!(told.resolved_links.len(), 1);
    let again = imported(&there, &exported(&memory, true));
    assert_eq!(again.created, 0);
    check_invariants(&there);
}

#[test]
fn a_block_that_an_event_told_of_is_not_undone_away_under_it() {
    let clock = clock();
    let memory = memory_at(&clock);
    let told = StoreEvent::with_payload("observation", "The lamp is out").context_id("error:lamp");
    memory.store_event(&told).unwrap();
    let first = memory.log(ReadLog::new().limit(1)).unwrap()[0].seq;
    clock.forward_minutes(300.0);
    memory.store_event(&told).unwrap();
    let error = memory.undo(Undo::operation(first)).unwrap_err();
    assert!(error.message().contains("store_event"), "{error}");
    memory.undo(Undo::last()).unwrap();
    memory.undo(Undo::operation(first)).unwrap();
    assert!(blocks(&memory).is_empty() && events(&memory).is_empty());
}

#[test]
fn a_purged_mistake_is_gone_from_what_was_proposed_of_it_and_what_quotes_it_is_named() {
    let clock = clock();
    let memory = memory_at(&clock);
    let mut ids = Vec::new();
    for text in ["The quokka escaped from the pen", "The quokka escaped from the pen again"] {
        clock.forward_minutes(300.0);
        let told = StoreEvent::with_payload("observation", text).context_id("error:pen");
        ids.push(memory.store_event(&told).unwrap().block_id.unwrap());
    }
    memory.graduate(elfmem_engine::Graduate::new()).unwrap();
    let proposed = memory.proposals(ListProposals::new()).unwrap().remove(0).proposal;
    assert!(proposed.text.as_ref().is_some_and(|text| text.contains("quokka")));
    memory.accept_proposals([proposed.number]).unwrap();
    let pattern = memory.show_context("pattern:pen").unwrap().blocks[0].block_id.clone();
    let quoted = if block(&memory, &pattern).content.ends_with("again") { &ids[1] } else { &ids[0] };
    let purged = memory.purge(quoted.as_str()).unwrap();
    assert!(purged.kin.contains(&pattern), "{purged}");
    for id in ids.iter().filter(|id| *id != quoted).chain([&pattern]) {
        memory.purge(id.as_str()).unwrap();
    }
    let left = format!("{:?} {:?}", state(&memory), memory.log(ReadLog::new().limit(100)).unwrap());
    assert!(!left.contains("quokka"), "{left}");
}
