//! A memory in which every verb of the table has something to do, and what to ask each of them for.
//!
//! Everything in it bears a mark, so that what comes of one memory can be told from what comes of another. Tests of several
//! crates include this file: they call verbs each in their own way.

use elfmem_core::BlockId;
use elfmem_engine::catalog::Verb;
use serde_json::{Value, json};

const PORT: &str = "the port is 5432";
const OTHER_PORT: &str = "the port is 5433";
const WAITING: &str = "a thought that waits";
const GONE: &str = "something forgotten";
const PAGE: &str = "a page that was learned";
const NEAR: [(&str, &str); 2] = [
    ("Ana rides her bicycle to work", "by bike is how Ana commutes"),
    ("the office closes at six", "six is when the last person leaves the office"),
];

/// Texts that say nearly the same in other words.
pub(crate) fn near_pairs(mark: &str) -> [(String, String); 2] {
    NEAR.map(|(old, new)| (text(mark, old, ""), text(mark, new, "")))
}

fn text(mark: &str, said: &str, ending: &str) -> String {
    format!("{mark}: {said}{ending}")
}

/// What was filled in under a mark.
#[derive(Debug, Clone)]
pub(crate) struct Filled {
    mark: String,
    /// What every text ends with.
    ending: String,
    mistake: String,
    pattern: String,
    /// A mistake without a pattern.
    lone: String,
    proposals: Vec<u64>,
}

impl Filled {
    /// Fills a memory by calling verbs, each with its arguments; what they answer comes back.
    pub(crate) fn new(mark: &str, call: &mut dyn FnMut(&str, Value) -> Value) -> Self {
        Self::with_ending(mark, "", call)
    }

    /// Fills a memory with texts that all have the same ending.
    pub(crate) fn with_ending(mark: &str, ending: &str, call: &mut dyn FnMut(&str, Value) -> Value) -> Self {
        let (mark, ending, none) = (mark.to_owned(), ending.to_owned(), String::new);
        let mut filled = Self { mark, ending, mistake: none(), pattern: none(), lone: none(), proposals: Vec::new() };
        let (mark, ending) = (&filled.mark.clone(), &filled.ending.clone());
        let said = |what: &str| text(mark, what, ending);
        call("learn", json!({"content": said(PORT), "tags": [format!("topic/{mark}")], "cues": [said("database")]}));
        for what in [OTHER_PORT, GONE, NEAR[0].0, NEAR[0].1, NEAR[1].0, NEAR[1].1] {
            call("learn", json!({"content": said(what)}));
        }
        let contradicts = json!([{"other_id": filled.id(PORT), "score": 0.9, "reason": said("two ports")}]);
        let analyses = json!({filled.id(OTHER_PORT): {"alignment": 0.5, "tags": [], "contradictions": contradicts}});
        call("consolidate", json!({"analyses": analyses}));
        call("forget", json!({"block": filled.id(GONE), "reason": said("why not")}));
        call("pin", json!({"block": filled.id(NEAR[1].0)}));
        let [port, ana] = [PORT, NEAR[0].0].map(|what| filled.id(what));
        call("connect", json!({"source": port, "target": ana, "note": said("a note")}));
        let outcome = json!({"block_ids": [port, ana], "signal": 0.9, "outcome_id": format!("{mark}-outcome"),
            "source": "executor"});
        call("outcome", outcome);
        let told = |kind: &str, what: &str, context: &str| {
            json!({"event_kind": kind, "payload": {"data": said(what)}, "source": "agent",
                "context_id": format!("{context}:{mark}")})
        };
        let id = |reply: Value| reply["block_id"].as_str().unwrap().to_owned();
        filled.mistake = id(call("store_event", told("observation", "used var in a component", "error")));
        filled.pattern = id(call("store_event", told("fact", "var comes back again and again", "pattern")));
        filled.lone = id(call("store_event", told("observation", "forgot to close the file", "mishap")));
        call("link", filled.arguments("unlink"));
        call("link", json!({"from": filled.mistake, "link_type": "reinforces", "to": port, "note": said("seen")}));
        let waiting = call("proposals", json!({}));
        let numbers = waiting["proposals"].as_array().unwrap().iter().filter(|one| one.to_string().contains(mark));
        filled.proposals = numbers.map(|one| one["number"].as_u64().unwrap()).collect();
        call("learn", json!({"content": said(WAITING)}));
        call("learn_document", json!({"text": said(PAGE), "name": format!("{mark}-page")}));
        // Vectors of what waits, and whatever else the first question makes.
        call("recall", json!({"query": said(PORT), "preview": true}));
        filled
    }

    fn id(&self, said: &str) -> String {
        BlockId::for_content(&text(&self.mark, said, &self.ending)).to_string()
    }

    /// The ids of everything in it that has one.
    pub(crate) fn ids(&self) -> Vec<String> {
        let texts = [PORT, OTHER_PORT, WAITING, GONE, PAGE, NEAR[0].0, NEAR[0].1, NEAR[1].0, NEAR[1].1];
        let mut ids: Vec<String> = texts.iter().map(|said| self.id(said)).collect();
        ids.extend([self.mistake.clone(), self.pattern.clone(), self.lone.clone()]);
        ids
    }

    pub(crate) fn proposals(&self) -> &[u64] {
        &self.proposals
    }

    /// What must be done first so that a verb has something to do.
    pub(crate) fn before(verb: &Verb) -> Option<&'static str> {
        (verb.name == "end_session").then_some("begin_session")
    }

    /// What to ask a verb for. A verb that is new needs a line here: it is then tried with everything that can go wrong.
    pub(crate) fn arguments(&self, verb: &str) -> Value {
        let mark = &self.mark;
        let said = |what: &str| text(mark, what, &self.ending);
        let [port, other, waiting, gone] = [PORT, OTHER_PORT, WAITING, GONE].map(|what| self.id(what));
        let [ana, six] = [NEAR[0].0, NEAR[1].0].map(|what| self.id(what));
        let context = format!("error:{mark}");
        match verb {
            "learn" => json!({"content": said("something new"), "tags": [format!("topic/{mark}")]}),
            "learn_messages" => {
                json!({"messages": [{"speaker": mark, "content": format!("I keep {mark} in the cellar.")}]})
            }
            "learn_document" => json!({"text": format!("{mark} one.\n\n{mark} two."), "chunk_words": 2}),
            "add_frame" => json!({"name": "fresh", "budget": 500}),
            "edit_frame" | "remove_frame" => json!({"name": "review"}),
            "keep_replaced" => json!({"blocks": ["all"]}),
            "forget_document" => json!({"document": format!("{mark}-page")}),
            "consolidate" | "pending" | "review" | "documents" | "curate" | "migrate_embeddings" | "frames"
            | "contradictions" | "list" | "proposals" | "status" | "history" | "log" | "guide" | "end_session"
            | "undo" | "list_events" | "list_contexts" | "context_graph" | "links" => json!({}),
            "recall" | "retrieve_memories" => json!({"query": said(PORT)}),
            "frame" => json!({"name": "attention", "query": said(PORT)}),
            "why" => json!({"query": said(PORT), "block": port}),
            "connect" => json!({"source": other, "target": ana, "relation": "supports", "note": said("so it is")}),
            "connects" => json!({"edges": [{"source": other, "target": six}, {"source": port, "target": six}]}),
            "connect_by_query" => json!({"source_query": said(OTHER_PORT), "target_query": said(NEAR[1].0)}),
            "disconnect" => json!({"source": port, "target": ana}),
            "outcome" => json!({"block_ids": [port, six], "signal": 0.9, "outcome_id": format!("{mark}-again")}),
            "retract_outcome" => json!({"outcome_id": format!("{mark}-outcome")}),
            "resolve_contradiction" => json!({"a": other, "b": port, "keep": other}),
            "edit" => json!({"block": port, "add_tags": [format!("more/{mark}")], "cue": said("another cue")}),
            "add_tags" => json!({"block": port, "tags": [format!("more/{mark}")]}),
            "remove_tags" => json!({"block": port, "tags": [format!("topic/{mark}")]}),
            "retract_source" => json!({"source": "executor"}),
            "scan_secrets" => json!({"redact": true}),
            "show" | "forget" | "pin" | "blame" | "influence" => json!({"block": port}),
            "unpin" | "purge" => json!({"block": six}),
            "restore" => json!({"block": gone}),
            "supersede" => json!({"old": ana, "by": waiting}),
            "accept_proposals" => json!({"numbers": [self.proposals.first().unwrap_or(&1)]}),
            "reject_proposals" => json!({"numbers": [self.proposals.get(1).unwrap_or(&2)]}),
            "verify" => json!({"repair": true, "digest": true}),
            "begin_session" => json!({"task_type": "review"}),
            "store_event" => json!({"event_kind": "fact", "payload": {"data": said("a fact")}, "source": "user",
                "context_id": format!("skill:{mark}"), "related_to": [context]}),
            "store_events" => json!({"events": [{"event_kind": "fact", "payload": {"data": said("one of two")}},
                {"event_kind": "heartbeat", "content": said("alive")}], "atomic": true}),
            "show_context" => json!({"context": context}),
            "enrol" => json!({"block": port, "context": context}),
            "link" => json!({"from": self.pattern, "link_type": "reinforces", "to": self.mistake}),
            "unlink" => json!({"from": self.pattern, "link_type": "derived_from", "to": self.mistake}),
            "chain" => json!({"block": self.pattern}),
            "generate_insights" => json!({"task": said(PORT)}),
            "graduate" => json!({"block": self.lone, "text": said("var comes back")}),
            other => panic!("verb_calls.rs does not say what to ask {other} for"),
        }
    }
}
