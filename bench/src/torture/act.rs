//! What a worker asks for: any verb, with arguments that make sense more often than not.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::ledger::Ledger;

/// One thing that is asked for.
#[derive(Debug, Clone)]
pub(super) struct Act {
    /// By its name in the table of verbs.
    pub(super) verb: &'static str,
    pub(super) arguments: Map<String, Value>,
    /// The same as it is typed.
    pub(super) typed: Vec<String>,
}

/// How often each verb is chosen, out of the sum.
const MIX: &[(&str, u32)] = &[
    ("learn", 300),
    ("recall", 120),
    ("outcome", 80),
    ("connect", 80),
    ("consolidate", 40),
    ("frame", 40),
    ("add_tags", 30),
    ("edit", 30),
    ("forget", 30),
    ("list", 20),
    ("pin", 20),
    ("restore", 20),
    ("show", 20),
    ("status", 20),
    ("unpin", 10),
    ("disconnect", 20),
    ("learn_document", 10),
    ("supersede", 10),
    ("history", 10),
    ("contradictions", 10),
    ("proposals", 10),
    ("curate", 6),
    ("purge", 6),
    ("undo", 6),
];

/// Words that texts are made of; a number of the worker's own makes each text the only one of its kind.
const WORDS: &[&str] = &[
    "adapter", "backlog", "cable", "deadline", "engine", "firewall", "garden", "harbour", "invoice", "journal",
    "kernel", "ledger", "mirror", "notebook", "orchard", "parser", "quarry", "router", "shelf", "tunnel", "umbrella",
    "vendor", "window", "yard", "zipper", "anchor", "bridge", "candle", "drawer", "elevator",
];

impl Act {
    /// Chooses what to ask for. Blocks are taken from all that were acknowledged, so workers get in each other's way; what
    /// destroys is done to a worker's own.
    pub(super) fn choose(random: &mut Rng, ledger: &Ledger, worker: usize, asked: u64) -> Self {
        let mut left = random.u32(..MIX.iter().map(|(_, weight)| weight).sum::<u32>());
        let verb = MIX.iter().find(|(_, weight)| left.checked_sub(*weight).map(|rest| left = rest).is_none());
        let verb = verb.map_or("learn", |(verb, _)| *verb);
        let any = |random: &mut Rng| ledger.any(random);
        let own = |random: &mut Rng| ledger.own(random, worker);
        let text = sentence(random, worker, asked);
        let made = match verb {
            "recall" => Some(Self::new(verb, json!({"query": text}), ["recall", text.as_str()])),
            "frame" => {
                Some(Self::new(verb, json!({"name": "attention", "query": text}), ["frame", "attention", &text]))
            }
            "consolidate" => Some(Self::new(verb, json!({"max": 20}), ["dream", "--max", "20"])),
            "curate" | "status" | "history" | "contradictions" | "proposals" => {
                Some(Self::new(verb, json!({}), [verb]))
            }
            "undo" => Some(Self::new(verb, json!({}), ["undo", "--yes"])),
            "list" => Some(Self::new(verb, json!({"limit": 10}), ["ls", "-n", "10"])),
            "learn_document" => {
                // The command line reads a file, so a document is learned as one block there.
                let text = format!("{text}\n\n{}", sentence(random, worker, asked));
                Some(Self::new(verb, json!({"text": text}), ["remember", &text]))
            }
            "outcome" => any(random).zip(any(random)).map(|(a, b)| {
                let (name, signal) = (format!("o-{worker}-{asked}"), random.u32(0..=10) as f64 / 10.0);
                let arguments = json!({"block_ids": [&a, &b], "signal": signal, "outcome_id": name});
                Self::new(verb, arguments, ["outcome", &a, &b, "--signal", &signal.to_string(), "--id", &name])
            }),
            "connect" | "disconnect" => any(random)
                .zip(any(random))
                .map(|(a, b)| Self::new(verb, json!({"source": &a, "target": &b}), [verb, &a, &b])),
            "supersede" => own(random)
                .zip(own(random))
                .map(|(a, b)| Self::new(verb, json!({"old": &a, "by": &b}), ["supersede", &a, "--by", &b])),
            "show" => any(random).map(|id| Self::new(verb, json!({"block": &id}), ["show", &id])),
            "add_tags" => any(random).map(|id| {
                let tag = format!("topic/{}", WORDS[random.usize(..WORDS.len())]);
                Self::new(verb, json!({"block": &id, "tags": [&tag]}), ["tag", "add", &id, &tag])
            }),
            "edit" => {
                own(random).map(|id| Self::new(verb, json!({"block": &id, "content": text}), ["edit", &id, &text]))
            }
            "purge" => own(random).map(|id| Self::new(verb, json!({"block": &id}), ["purge", &id, "--yes"])),
            "forget" | "restore" | "pin" | "unpin" => {
                own(random).map(|id| Self::new(verb, json!({"block": &id}), [verb, &id]))
            }
            _ => None,
        };
        made.unwrap_or_else(|| Self::new("learn", json!({"content": text}), ["remember", text.as_str()]))
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
