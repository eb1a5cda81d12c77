//! What a worker asks for: any verb, with arguments that make sense more often than not.

use elfmem_engine::catalog;
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::ledger::Ledger;

/// One thing that is asked for.
#[derive(Debug, Clone)]
pub(super) struct Act {
    /// By its name in the table of verbs.
    pub(super) verb: &'static str,
    pub(super) arguments: Map<String, Value>,
    /// The arguments as they are typed.
    pub(super) typed: Vec<String>,
}

/// How often the usual verbs are chosen. Every other verb of the table counts [`RARE`].
const USUAL: &[(&str, u32)] = &[
    ("learn", 300),
    ("recall", 120),
    ("outcome", 80),
    ("connect", 80),
    ("store_event", 60),
    ("consolidate", 40),
    ("frame", 40),
    ("link", 40),
    ("add_tags", 30),
    ("edit", 30),
    ("forget", 30),
    ("retrieve_memories", 30),
    ("disconnect", 20),
    ("list", 20),
    ("pin", 20),
    ("restore", 20),
    ("show", 20),
    ("status", 20),
    // What reads or changes everything would leave time for little else.
    ("curate", 4),
    ("generate_insights", 2),
    ("migrate_embeddings", 1),
    ("scan_secrets", 1),
    ("verify", 1),
];
/// The weight of a verb that is not named above.
const RARE: u32 = 6;

/// What is asked for with long texts: what fills the write-ahead log. Others would take their time to embed and compare them.
const WITH_LONG_TEXTS: &[&str] =
    &["learn", "store_event", "edit", "outcome", "link", "connect", "add_tags", "pin", "forget", "list", "show"];

/// How often a verb is chosen, out of the sum.
fn weight_of(verb: &str, long: bool) -> u32 {
    if long && !WITH_LONG_TEXTS.contains(&verb) {
        return 0;
    }
    USUAL.iter().find(|(name, _)| *name == verb).map_or(RARE, |(_, weight)| *weight)
}

/// Words that texts are made of; a number of the worker's own makes each text the only one of its kind.
const WORDS: &[&str] = &[
    "adapter", "backlog", "cable", "deadline", "engine", "firewall", "garden", "harbour", "invoice", "journal",
    "kernel", "ledger", "mirror", "notebook", "orchard", "parser", "quarry", "router", "shelf", "tunnel", "umbrella",
    "vendor", "window", "yard", "zipper", "anchor", "bridge", "candle", "drawer", "elevator",
];

/// What acts are made of.
struct Material<'a> {
    worker: usize,
    asked: u64,
    /// A text that nobody wrote before.
    text: &'a str,
    /// Two blocks of anybody's.
    a: String,
    b: String,
    /// Two of the worker's own.
    own: String,
    other: String,
}

impl Act {
    /// Chooses what to ask for. Blocks are taken from all that were acknowledged, so workers get in each other's way; what
    /// destroys is done to a worker's own. As long as there are none, something is learned.
    pub(super) fn choose(random: &mut Rng, ledger: &Ledger, worker: usize, asked: u64, bytes: usize) -> Self {
        let mut left = random.u32(..catalog::all().map(|verb| weight_of(verb.name, bytes > 0)).sum::<u32>());
        let chosen = catalog::all()
            .find(|verb| left.checked_sub(weight_of(verb.name, bytes > 0)).map(|rest| left = rest).is_none());
        let blocks = [ledger.any(random), ledger.any(random), ledger.own(random, worker), ledger.own(random, worker)];
        let mut text = sentence(random, worker, asked);
        while text.len() < bytes {
            text = format!("{text} {}", sentence(random, worker, asked));
        }
        let made = match (chosen, blocks) {
            (Some(verb), [Some(a), Some(b), Some(own), Some(other)]) => {
                Self::of(verb.name, random, &Material { worker, asked, text: &text, a, b, own, other })
            }
            _ => None,
        };
        made.unwrap_or_else(|| Self::new("learn", json!({"content": text}), ["remember", text.as_str()]))
    }

    /// One verb, as it is called and as it is typed; none for a verb that nobody said how to ask.
    fn of(verb: &'static str, random: &mut Rng, with: &Material<'_>) -> Option<Self> {
        let Material { worker, asked, text, a, b, own, other } = with;
        let context = format!("skill:{}", WORDS[random.usize(..6)]);
        let frame = format!("review-{worker}");
        let number = random.u32(1..60);
        let tag = format!("topic/{}", WORDS[random.usize(..WORDS.len())]);
        let link_type = ["reinforces", "contradicts", "extends", "derived_from"][random.usize(..4)];
        let page = format!("page-{}", random.u32(..40));
        let question = text.split_once('.').map_or(*text, |(first, _)| first);
        Some(match verb {
            "learn" if random.u8(..8) == 0 => {
                let arguments = json!({"content": text, "source": page});
                Self::new(verb, arguments, ["remember", text, "--source", &page])
            }
            "learn" => Self::new(verb, json!({"content": text}), ["remember", text]),
            "recall" => Self::new(verb, json!({"query": question}), ["recall", question]),
            "retrieve_memories" => Self::new(verb, json!({"query": question}), ["retrieve", question]),
            "frame" => {
                Self::new(verb, json!({"name": "attention", "query": question}), ["frame", "attention", question])
            }
            "why" => Self::new(verb, json!({"query": question, "block": a}), ["why", question, a]),
            "consolidate" => Self::new(verb, json!({"max": 20}), ["dream", "--max", "20"]),
            "curate" | "status" | "history" | "log" | "contradictions" | "proposals" | "links" | "guide" | "verify" => {
                Self::new(verb, json!({}), [verb])
            }
            "undo" => Self::new(verb, json!({}), ["undo", "--yes"]),
            "list" => Self::new(verb, json!({"limit": 10}), ["ls", "-n", "10"]),
            "pending" => Self::new(verb, json!({}), ["dream", "--pending"]),
            "review" => Self::new(verb, json!({}), ["dream", "--review"]),
            "keep_replaced" => Self::new(verb, json!({"blocks": ["all"]}), ["dream", "--keep", "all"]),
            "documents" => Self::new(verb, json!({}), ["ls", "--documents"]),
            "forget_document" => Self::new(verb, json!({"document": page}), ["forget", "--document", &page]),
            "frames" => Self::new(verb, json!({}), ["frame", "ls"]),
            "list_events" => Self::new(verb, json!({"limit": 10}), ["event", "ls", "--limit", "10"]),
            "list_contexts" => Self::new(verb, json!({}), ["context", "ls"]),
            "context_graph" => Self::new(verb, json!({"context": context}), ["context", "graph", &context]),
            "show_context" => Self::new(verb, json!({"context": context}), ["context", "show", &context]),
            "generate_insights" => Self::new(verb, json!({"task": question}), ["insights", question]),
            "migrate_embeddings" => Self::new(verb, json!({}), ["migrate-embeddings"]),
            "scan_secrets" => Self::new(verb, json!({}), ["secrets", "scan"]),
            "begin_session" => Self::new(verb, json!({"task_type": "work"}), ["session", "begin"]),
            "end_session" => Self::new(verb, json!({}), ["session", "end"]),
            "add_frame" => {
                Self::new(verb, json!({"name": frame, "budget": 500}), ["frame", "add", &frame, "--budget", "500"])
            }
            "edit_frame" => {
                Self::new(verb, json!({"name": frame, "budget": 700}), ["frame", "edit", &frame, "--budget", "700"])
            }
            "remove_frame" => Self::new(verb, json!({"name": frame}), ["frame", "rm", &frame]),
            "learn_document" => {
                // The command line reads a file, so a document is learned as one block there.
                let text = format!("{text}\n\n{}", sentence(random, *worker, *asked));
                Self::new(verb, json!({"text": text}), ["remember", &text])
            }
            "learn_messages" => {
                let messages = json!([{"speaker": format!("clerk {worker}"), "content": text}]);
                Self::new(verb, json!({"messages": messages}), ["remember", text])
            }
            "outcome" => {
                let (name, signal) = (format!("o-{worker}-{asked}"), f64::from(random.u32(0..=10)) / 10.0);
                let arguments = json!({"block_ids": [a, b], "signal": signal, "outcome_id": name});
                Self::new(verb, arguments, ["outcome", a, b, "--signal", &signal.to_string(), "--id", &name])
            }
            "retract_outcome" => {
                let name = format!("o-{worker}-{}", random.u64(..=*asked));
                Self::new(verb, json!({"outcome_id": name}), ["outcome", "--retract", &name])
            }
            "connect" | "disconnect" => Self::new(verb, json!({"source": a, "target": b}), [verb, a, b]),
            // A list comes from a file on the command line: one edge, one event are asked for there.
            "connects" => {
                let edges = json!([{"source": a, "target": b}, {"source": own, "target": a}]);
                Self::new(verb, json!({"edges": edges}), ["connect", a, b])
            }
            "store_events" => {
                let event =
                    |text: &str| json!({"event_kind": "fact", "payload": {"data": text}, "context_id": context});
                let more = sentence(random, *worker, *asked);
                let typed = ["event", "store", "--kind", "fact", "--context", &context, "--content", text];
                Self::new(verb, json!({"events": [event(text), event(&more)], "atomic": true}), typed)
            }
            "store_event" => {
                let event = json!({"event_kind": "observation", "payload": {"data": text}, "source": "agent",
                    "context_id": context});
                let typed = ["event", "store", "--kind", "observation", "--source", "agent", "--context", &context];
                Self::new(verb, event, typed.into_iter().chain(["--content", text]))
            }
            "connect_by_query" => {
                let arguments = json!({"source_query": question, "target_query": tag});
                Self::new(verb, arguments, ["connect", "--by-query", question, &tag])
            }
            "resolve_contradiction" => {
                let arguments = json!({"a": a, "b": b, "keep": a});
                Self::new(verb, arguments, ["contradictions", "resolve", a, b, "--keep", a])
            }
            "enrol" => Self::new(verb, json!({"block": a, "context": context}), ["context", "enrol", &context, a]),
            "link" | "unlink" => {
                let arguments = json!({"from": a, "link_type": link_type, "to": b});
                Self::new(verb, arguments, [verb, a, link_type, b])
            }
            "show" | "blame" | "influence" | "chain" => Self::new(verb, json!({"block": a}), [verb, a]),
            "graduate" => Self::new(verb, json!({"block": a, "text": text}), ["graduate", a, "--text", text]),
            "retract_source" => Self::new(verb, json!({"source": page}), ["retract", "--source", &page]),
            "accept_proposals" | "reject_proposals" => {
                let verdict = if verb == "accept_proposals" { "accept" } else { "reject" };
                Self::new(verb, json!({"numbers": [number]}), ["proposals", verdict, &number.to_string()])
            }
            "add_tags" => Self::new(verb, json!({"block": a, "tags": [tag]}), ["tag", "add", a, &tag]),
            "remove_tags" => Self::new(verb, json!({"block": a, "tags": [tag]}), ["tag", "rm", a, &tag]),
            "supersede" => Self::new(verb, json!({"old": own, "by": other}), ["supersede", own, "--by", other]),
            "edit" => Self::new(verb, json!({"block": own, "content": text}), ["edit", own, text]),
            "purge" => Self::new(verb, json!({"block": own}), ["purge", own, "--yes"]),
            "forget" | "restore" | "pin" | "unpin" => Self::new(verb, json!({"block": own}), [verb, own]),
            _ => return None,
        })
    }

    fn new<'a>(verb: &'static str, arguments: Value, typed: impl IntoIterator<Item = &'a str>) -> Self {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        Self { verb, arguments, typed: typed.into_iter().map(str::to_owned).collect() }
    }

    /// A text argument.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }
}

fn sentence(random: &mut Rng, worker: usize, asked: u64) -> String {
    let words: Vec<&str> = (0..9).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
    format!("Note {asked} of clerk {worker}: {}.", words.join(" "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn every_verb_of_the_table_is_asked_for() {
        let block = || "0123456789abcdef".to_owned();
        let material =
            Material { worker: 1, asked: 1, text: "some text", a: block(), b: block(), own: block(), other: block() };
        for verb in catalog::all() {
            let act = Act::of(verb.name, &mut Rng::with_seed(1), &material);
            assert_eq!(act.map(|act| act.verb), Some(verb.name));
        }
    }
}
