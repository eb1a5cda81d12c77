//! Verbs by their names: each of the table does its work, takes what it says and answers with the keys it says.

use std::collections::BTreeSet;
use std::sync::Arc;

use elfmem_core::BlockId;
use elfmem_engine::catalog::{self, Effect};
use elfmem_engine::{Error, ListOperations, Reply};
use elfmem_models::builtin::STATIC_PROFILE;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::fixtures::{TestMemory, check_invariants, memory_with, models};
use crate::memory;
use crate::state::{assert_same_state, state};

const NEAR: [(&str, &str); 2] = [
    ("Ana rides her bicycle to work", "By bike is how Ana commutes"),
    ("The office closes at six", "Six is when the last person leaves the office"),
];

fn invoke(memory: &TestMemory, verb: &str, arguments: Value) -> Result<Reply, Error> {
    memory.invoke(verb, arguments.as_object().unwrap())
}

/// A memory in which every verb has something to do.
struct Life {
    memory: TestMemory,
    called: BTreeSet<&'static str>,
}

impl Life {
    fn new() -> Self {
        let mut embedder = ScriptedEmbedder::new(64).with_profile(STATIC_PROFILE);
        for (old, new) in NEAR {
            embedder = embedder.with_cosine(old, new, 0.97);
        }
        let memory = memory_with(models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new())));
        Self { memory, called: BTreeSet::new() }
    }

    /// Calls a verb, checks that it answers what the table says, and gives that back.
    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let verb = catalog::find(name).unwrap();
        let reply = invoke(&self.memory, name, arguments).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut keys: BTreeSet<&str> = reply.json.as_object().unwrap().keys().map(String::as_str).collect();
        keys.extend(verb.fields.iter().filter(|field| field.optional).map(|field| field.name));
        let told: BTreeSet<&str> = verb.fields.iter().map(|field| field.name).collect();
        assert_eq!(keys, told, "{name}");
        for field in verb.fields.iter().filter(|field| !field.nullable && !field.optional) {
            assert!(!reply.json[field.name].is_null(), "{name}: {} is null", field.name);
        }
        assert!(!reply.text.trim().is_empty(), "{name} says nothing");
        self.called.insert(verb.name);
        check_invariants(&self.memory);
        reply.json
    }
}

fn id(text: &str) -> String {
    BlockId::for_content(text).to_string()
}

#[test]
fn every_verb_of_the_table_works_by_its_name_and_answers_with_its_keys() {
    let mut life = Life::new();
    life.call("begin_session", json!({"task_type": "review"}));
    let port = life.call(
        "learn",
        json!({"content": "The port is 5432", "tags": ["topic/db"], "category": "fact",
        "cues": ["connecting to the database"], "event_at": "2026-05-08"}),
    );
    assert_eq!(port["status"], "created");
    life.call("remember", json!({"content": "The port is 5433"}));
    for text in NEAR.iter().flat_map(|(old, new)| [old, new]) {
        life.call("learn", json!({"content": text}));
    }
    let said = json!([{"role": "Ana", "content": "I keep bees on the roof.", "at": "2026-05-08"}]);
    life.call("learn_messages", json!({"messages": said, "tags": ["talk"]}));
    life.call("learn_document", json!({"text": "One thought.\n\nAnother thought.", "chunk_words": 2}));
    assert_eq!(life.call("pending", json!({"max": 3}))["count"], 3);
    let found = life.call(
        "consolidate",
        json!({"analyses": {id("The port is 5433"): {"alignment": 0.5, "tags": [], "contradictions":
            [{"other_id": id("The port is 5432"), "score": 0.9, "reason": "two ports"}]}}, "rescore": 1}),
    );
    assert_eq!(found["contradictions_detected"], 1, "{found}");
    let recalled =
        life.call("recall", json!({"query": "which port?", "top_k": 2, "tags": ["topic/%"], "since": "2026-01-01"}));
    assert_eq!(recalled["blocks"][0]["content"], "The port is 5432");
    life.call("frame", json!({"name": "attention", "query": "the port"}));
    life.call("why", json!({"query": "which port?", "block": id("The port is 5432")}));
    life.call(
        "add_frame",
        json!({"name": "review", "weights": [0.5, 0.2, 0.1, 0.1, 0.1], "budget": 800, "template": "task"}),
    );
    assert_eq!(life.call("edit_frame", json!({"name": "review", "window": 12.5, "cache": 0}))["created"], false);
    assert_eq!(life.call("frames", json!({}))["count"], 6);
    life.call("remove_frame", json!({"name": "review"}));
    let (a, b) = (id("The port is 5433"), id("Ana rides her bicycle to work"));
    life.call("connect", json!({"source": a, "target": b, "relation": "supports", "weight": 0.4, "note": "why not"}));
    life.call("connects", json!({"edges": [{"source": a, "target": b, "if_exists": "update", "note": "other"}]}));
    life.call(
        "connect_by_query",
        json!({"source_query": "The port is 5433", "target_query": "The office closes at six", "dry_run": true}),
    );
    life.call("disconnect", json!({"source": a, "target": b, "reason": "no"}));
    let outcome = life.call("outcome", json!({"block_ids": [a, b], "signal": 0.9, "source": "validator"}));
    life.call("retract_outcome", json!({"outcome_id": outcome["outcome_id"]}));
    assert_eq!(life.call("contradictions", json!({}))["count"], 1);
    life.call("resolve_contradiction", json!({"a": a, "b": id("The port is 5432"), "keep": a}));
    let waiting = life.call("proposals", json!({}));
    let numbers: Vec<&Value> = waiting["proposals"].as_array().unwrap().iter().map(|one| &one["number"]).collect();
    life.call("accept_proposals", json!({"numbers": [numbers[0]]}));
    life.call("reject_proposals", json!({"numbers": [numbers[1]]}));
    assert_eq!(life.call("list", json!({"status": "archived", "limit": 1}))["count"], 1);
    life.call("show", json!({"block": a}));
    life.call(
        "edit",
        json!({"block": a, "add_tags": ["topic/db"], "remove_tags": ["x"], "category": "fact", "cue": "db"}),
    );
    life.call("add_tags", json!({"block": a, "tags": ["durable"]}));
    life.call("remove_tags", json!({"block": a, "tags": ["durable"]}));
    life.call("pin", json!({"block": a}));
    life.call("unpin", json!({"block": a}));
    life.call("forget", json!({"block": a, "reason": "another Maria"}));
    life.call("restore", json!({"block": a}));
    life.call("undo", json!({"dry_run": true}));
    life.call("undo", json!({}));
    life.call("restore", json!({"block": a}));
    life.call("learn", json!({"content": "The port is 5434"}));
    life.call("supersede", json!({"old": a, "by": id("The port is 5434")}));
    life.call("learn_document", json!({"text": "A page of its own.", "name": "page.md"}));
    assert_eq!(life.call("documents", json!({}))["count"], 1);
    assert_eq!(life.call("forget_document", json!({"document": "page.md", "reason": "old"}))["archived"], 1);
    life.call("review", json!({"all": true}));
    life.call("keep_replaced", json!({"blocks": ["all"]}));
    life.call("purge", json!({"block": id("One thought.")}));
    life.call("scan_secrets", json!({"redact": true}));
    life.call("blame", json!({"block": id("Another thought.")}));
    life.call("influence", json!({"block": id("Another thought.")}));
    life.call("retract_source", json!({"source": "document", "dry_run": true}));
    life.call("curate", json!({"prune_threshold": 0.01, "reinforce_top_n": 1, "protect_bridges": true}));
    tell_and_link(&mut life);
    life.call("status", json!({}));
    assert_eq!(life.call("verify", json!({"repair": true, "digest": false}))["sound"], true);
    assert_eq!(life.call("verify", json!({"digest": true}))["digest"]["memory"].as_str().unwrap().len(), 64);
    life.call("history", json!({"limit": 3}));
    life.call("log", json!({"block": a, "limit": 2}));
    life.call("guide", json!({"method_name": "recall"}));
    life.call("end_session", json!({}));
    life.call("migrate_embeddings", json!({}));
    let all: BTreeSet<&str> = catalog::all().map(|verb| verb.name).collect();
    assert_eq!(life.called, all, "a verb was not tried");
}

/// Events, contexts and links.
fn tell_and_link(life: &mut Life) {
    let told = |kind: &str, text: &str, context: &str| {
        json!({"event_kind": kind, "payload": {"data": text}, "source": "agent", "context_id": context,
        "related_to": ["skill:react"], "links": []})
    };
    let mistake = life.call("store_event", told("observation", "Used var in a component", "error:var"));
    assert_eq!(mistake["status"], "created");
    let batch =
        json!([told("fact", "Repeated use of var", "pattern:var"), {"event_kind": "heartbeat", "content": "alive"}]);
    let batch = life.call("store_events", json!({"events": batch, "atomic": true}));
    assert_eq!((&batch["stored"], &batch["filtered"]), (&json!(1), &json!(1)));
    let (from, to) = (&batch["results"][0]["block_id"], &mistake["block_id"]);
    assert_eq!(life.call("list_events", json!({"filtered": true}))["total"], 1);
    assert_eq!(life.call("links", json!({"unresolved": true, "to": "skill:react"}))["count"], 2);
    life.call("link", json!({"from": from, "link_type": "derived_from", "to": to, "note": "seen twice"}));
    life.call("chain", json!({"block": from, "depth": 3}));
    life.call("unlink", json!({"from": from, "link_type": "derived_from", "to": to}));
    life.call("enrol", json!({"block": to, "context": "skill:react"}));
    assert_eq!(life.call("list_contexts", json!({"context_type": "skill"}))["total"], 1);
    life.call("show_context", json!({"context": "skill:react"}));
    life.call("context_graph", json!({"context": "skill:react", "depth": 2}));
    let found = life.call("retrieve_memories", json!({"query": "var in a component", "context_types": {"error": []}}));
    assert_eq!(found["items"][0]["block_id"], *to);
    let insight = life.call("generate_insights", json!({"task": "write a component", "limit": 3}));
    assert_eq!(insight["sources"][0]["number"], 1);
    let done = life.call("graduate", json!({"block": to, "text": "var comes back"}));
    assert_eq!((&done["applied"], &done["steps"][0]["kind"]), (&json!(true), &json!("pattern")));
}

#[test]
fn what_a_verb_does_not_take_is_refused_with_the_way_out_and_changes_nothing() {
    let memory = memory();
    let before = state(&memory);
    for (verb, arguments, message, way_out) in [
        ("lern", json!({}), "There is no verb 'lern'.", "Did you mean 'learn'? guide() lists them all."),
        ("learn", json!({}), "'content' is missing: one fact", "learn takes content or messages (one is needed), tags"),
        ("learn", json!({"content": null}), "'content' is missing", "nothing was changed"),
        ("learn", json!({"content": 5}), "'content' must be a text, and 5 was given", "learn takes"),
        ("learn", json!({"content": "x", "tag": ["a"]}), "no parameter 'tag'; did you mean 'tags'?", "learn takes"),
        ("learn", json!({"content": "x", "tags": 5}), "'tags' must be a list of texts", "learn takes"),
        (
            "learn",
            json!({"content": "x", "event_at": "soonish"}),
            "'event_at' is no time that can be read",
            "learn takes",
        ),
        ("recall", json!({"query": "x", "top_k": -1}), "'top_k' must be a whole number from 0", "recall takes"),
        ("recall", json!({"query": "x", "top_k": 1.5}), "'top_k' must be a whole number from 0", "recall takes"),
        ("list", json!({"status": "gone"}), "'status' must be one of inbox, active, archived", "list takes"),
        ("list", json!({"limit": 1e12}), "'limit' is too large", "list takes"),
        (
            "add_frame",
            json!({"name": "x", "weights": [1.0]}),
            "'weights' must be five numbers, and 1 were given",
            "takes name",
        ),
        (
            "connects",
            json!({"edges": [{"source": "a"}]}),
            "'edges' cannot be used: missing field",
            "connects takes edges",
        ),
        (
            "resolve_contradiction",
            json!({"a": "x", "b": "y"}),
            "exactly one of 'keep', 'both' and 'replace'",
            "takes a",
        ),
        (
            "store_event",
            json!({"event_kind": 5, "paylod": {}, "links": "x"}),
            "'event_kind' must be a text, and 5 was given; 'links' must be a list of objects, and \"x\" was given; \
             there is no parameter 'paylod'; did you mean 'payload'?",
            "store_event takes event_kind",
        ),
        ("end_session", json!({"verbose": true}), "there is no parameter 'verbose'", "end_session takes nothing"),
    ] {
        let error = invoke(&memory, verb, arguments).unwrap_err();
        assert!(error.message().contains(message), "{verb}: {error}");
        assert!(error.recovery().contains(way_out), "{verb}: {error}");
    }
    assert_same_state(&state(&memory), &before);
}

#[test]
fn a_whole_number_may_be_written_with_a_point_and_null_is_the_same_as_nothing() {
    let memory = memory();
    invoke(&memory, "learn", json!({"content": "a fact", "tags": null})).unwrap();
    let found = invoke(&memory, "recall", json!({"query": "fact", "top_k": 1.0, "frame": null})).unwrap();
    assert_eq!(found.json["blocks"].as_array().unwrap().len(), 1);
    assert!(found.text.starts_with("<memory"), "{}", found.text);
}

#[test]
fn what_only_reads_changes_nothing_but_use() {
    let memory = memory();
    invoke(&memory, "learn", json!({"content": "a fact"})).unwrap();
    invoke(&memory, "enrol", json!({"block": id("a fact"), "context": "skill:react"})).unwrap();
    let operations = |memory: &TestMemory| memory.operations(ListOperations::new().limit(100)).unwrap().len();
    for verb in catalog::all().filter(|verb| verb.effect == Effect::Reads) {
        let before = operations(&memory);
        let arguments = match verb.name {
            "recall" => json!({"query": "fact", "preview": true}),
            "frame" => json!({"name": "attention", "preview": true}),
            "why" => json!({"query": "fact", "block": id("a fact")}),
            "show" | "chain" | "blame" | "influence" => json!({"block": id("a fact")}),
            "retrieve_memories" => json!({"query": "fact", "preview": true}),
            "generate_insights" => json!({"task": "fact"}),
            "show_context" => json!({"context": "skill:react"}),
            _ => json!({}),
        };
        invoke(&memory, verb.name, arguments).unwrap();
        assert_eq!(operations(&memory), before, "{}", verb.name);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::collection::vec("\\PC{0,6}".prop_map(Value::from), 0..3).prop_map(Value::from),
        prop::collection::vec(any::<f64>().prop_map(Value::from), 0..6).prop_map(Value::from),
        Just(json!({"a": {"b": []}})),
        Just(json!([{"source": "1234", "target": "5678"}])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is given, a verb answers or says what is wrong, and the memory stays sound.
    #[test]
    fn no_arguments_break_a_memory(
        calls in prop::collection::vec((0usize..64, prop::collection::vec(any_value(), 10)), 1..6)
    ) {
        let memory = memory();
        invoke(&memory, "learn", json!({"content": "a fact"})).unwrap();
        let all: Vec<_> = catalog::all().collect();
        for (which, values) in calls {
            let verb = all[which % all.len()];
            let arguments: Map<String, Value> =
                verb.parameters.iter().zip(values).map(|(parameter, value)| (parameter.name.to_owned(), value)).collect();
            if let Err(error) = memory.invoke(verb.name, &arguments) {
                prop_assert!(!error.recovery().is_empty());
            }
        }
        check_invariants(&memory);
    }
}
