//! The requests of `store_event` and `store_events`, and how programs send events.

use elfmem_core::{LinkType, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Result;
use crate::catalog::{Parameter, ValueKind, nearest};
use crate::request::{Argument, Request, VerbArguments, is_of_kind, object_argument, request};

/// A link of an event to a block or a context.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct EventLink {
    /// The type of the link.
    #[serde(rename = "type")]
    pub link_type: String,
    /// What it leads to: a block or a context.
    pub target: String,
}

object_argument!(Vec<EventLink>, Objects);

request! {
    /// Store an event with its kind, source, context and links; it is active and found at once.
    pub struct StoreEvent: "store_event" {
        command: "event store",
        profile: Locus,
        effect: Writes idempotent,
        when: "A decision, mistake, rule or observation should be kept with where it belongs and what it confirms.",
        when_not: "It is a plain fact: learn() it.",
        cost: "Fast. One write, and one call to the embedder.",
        returns: "StoreEventResult: created, unchanged, replaced or filtered; the block and its confidence; its links \
                  and whose confidence they moved. Sent again it counts once.",
        next: "chain() shows what it rests on; retrieve_memories() finds it.",
        example: "elfmem event store --kind observation --source agent --context error:var_in_react \
                  --content \"Used var instead of const in React component.\"",
        answers: &[
            field("event_id", Text),
            field("status", Text),
            field("recorded", Flag),
            nullable("block_id", Text),
            nullable("confidence", Number),
            field("event_kind", Text),
            field("internal_type", Text),
            field("source", Text),
            nullable("context_id", Text),
            field("links", Objects),
            field("resolved_links", Objects),
            field("links_replaced", Texts),
            optional("redacted", Object),
            field("warnings", Texts),
        ],
    }
    needs {
        /// fact, observation, decision, action, constraint, rule, constraint_violation, feedback and others
        event_kind: String => option("--kind", "KIND"),
    }
    takes {
        /// What happened: {topic, value}, {data}, or any fields
        payload: Value => option("--payload", "JSON")
            .example("{\"topic\": \"port\", \"value\": 5433}").excludes("content"),
        /// What happened as a plain sentence, instead of a payload
        content: String => option("--content", "TEXT"),
        /// Who says so: policy, validator, executor, document, user, agent, derived, system; the kind implies one
        source: String => option("--source", "SOURCE"),
        /// Where it belongs, type:name, such as skill:react
        context_id: String => option("--context", "CONTEXT"),
        /// Links to blocks or contexts, each with type and target
        links: [EventLink] => option("--link", "TYPE=TARGET"),
        /// Contexts it is related to
        related_to: (String) => option("--related-to", "CONTEXT"),
        /// Contexts it adds to
        extends: (String) => option("--extends", "CONTEXT"),
        /// Contexts it confirms
        reinforces: (String) => option("--reinforces", "CONTEXT"),
        /// Contexts it contradicts
        contradicts: (String) => option("--contradicts", "CONTEXT"),
        /// When it happened: seconds of the epoch, or a date
        timestamp: String => option("--at", "TIME"),
        /// Replace what its context holds
        replace: bool => flag("--replace"),
        /// A key of your own, so that sending it again counts once
        idempotency_key: String => option("--key", "KEY"),
    }
    beside {
        /// What could not be read, told with everything else that is wrong with the event.
        faults: Vec<String>,
    }
}

impl StoreEvent {
    /// Makes an event of a kind that says something: a sentence, or any JSON.
    pub fn with_payload(kind: impl Into<String>, payload: impl Into<Value>) -> Self {
        Self::new(kind).payload(payload.into())
    }

    /// Adds a link to a block or a context.
    #[must_use]
    pub fn link(mut self, link_type: impl Into<String>, target: impl Into<String>) -> Self {
        self.links.push(EventLink { link_type: link_type.into(), target: target.into() });
        self
    }

    /// Reads an event as programs send it, also in a list. What cannot be read is kept as a fault: storing the event names all
    /// of them at once.
    pub fn from_map(fields: &Map<String, Value>) -> Self {
        let mut faults = Vec::new();
        let mut read = Map::new();
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            let Some(parameter) = Self::VERB.parameter(name) else {
                faults.push(unknown(name));
                continue;
            };
            let value = match (name.as_str(), value) {
                ("timestamp", Value::Number(seconds)) => Value::String(seconds.to_string()),
                ("links", Value::Array(links)) => readable_links(links, &mut faults),
                _ => value.clone(),
            };
            if name == "payload" || is_of_kind(parameter.kind, &value) {
                read.insert(name.clone(), value);
            } else {
                faults.push(format!("'{name}' must be {}", wanted(parameter)));
            }
        }
        if read.contains_key("payload") && read.contains_key("content") {
            faults.push("'payload' and 'content' both say what it says; give one".to_owned());
        }
        read.entry("event_kind").or_insert_with(|| Value::String(String::new()));
        let arguments = VerbArguments::unchecked(Self::VERB, &read, Timestamp::UNIX_EPOCH);
        match Self::read(&arguments) {
            Ok(event) => Self { faults, ..event },
            Err(error) => {
                faults.push(error.message());
                Self { faults, ..Self::new("") }
            }
        }
    }

    /// All its links, typed ones and those to contexts, in the order of the names of their parameters.
    pub(super) fn all_links(&self, faults: &mut Vec<String>) -> Vec<EventLink> {
        let [contradicts, extends, reinforces, related_to] = [
            (LinkType::Contradicts, &self.contradicts),
            (LinkType::Extends, &self.extends),
            (LinkType::Reinforces, &self.reinforces),
            (LinkType::RelatedTo, &self.related_to),
        ]
        .map(|(link_type, contexts)| to_contexts(link_type, contexts.as_deref().unwrap_or_default(), faults));
        [contradicts, extends, self.links.clone(), reinforces, related_to].concat()
    }

    /// Types whose links were all given, so that a replaced memory keeps none of its own.
    pub(super) fn whole_types(&self) -> Vec<LinkType> {
        let given = [
            (LinkType::Contradicts, &self.contradicts),
            (LinkType::Extends, &self.extends),
            (LinkType::Reinforces, &self.reinforces),
            (LinkType::RelatedTo, &self.related_to),
        ];
        given.into_iter().filter(|(_, contexts)| contexts.is_some()).map(|(link_type, _)| link_type).collect()
    }
}

fn to_contexts(link_type: LinkType, contexts: &[String], faults: &mut Vec<String>) -> Vec<EventLink> {
    let mut links = Vec::new();
    for target in contexts {
        if target.contains(':') {
            links.push(EventLink { link_type: link_type.as_str().to_owned(), target: target.clone() });
        } else {
            faults.push(format!("'{link_type}' takes contexts (type:name), and '{target}' is none"));
        }
    }
    links
}

fn unknown(name: &str) -> String {
    let names = StoreEvent::VERB.parameters.iter().map(|parameter| parameter.name);
    let meant = nearest(name, names).map(|near| format!(" (did you mean '{near}'?)"));
    format!("there is no field '{name}'{}", meant.unwrap_or_default())
}

/// The links of a list that can be read.
fn readable_links(links: &[Value], faults: &mut Vec<String>) -> Value {
    let mut readable = Vec::new();
    for (at, link) in links.iter().enumerate() {
        match EventLink::deserialize(link) {
            Ok(_) => readable.push(link.clone()),
            Err(_) => faults.push(format!("'links' number {at} must be {{type, target}}, both texts")),
        }
    }
    readable.into()
}

fn wanted(parameter: &Parameter) -> &'static str {
    match parameter.kind {
        ValueKind::Flag => "true or false",
        ValueKind::Texts => "a list of contexts",
        ValueKind::Objects => "a list of {type, target}",
        _ => "a text",
    }
}

impl Argument for Vec<StoreEvent> {
    const KIND: ValueKind = ValueKind::Objects;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        let objects = value.as_array().into_iter().flatten().filter_map(Value::as_object);
        Ok(objects.map(StoreEvent::from_map).collect())
    }
}

request! {
    /// Store many events in order; one that is refused does not stop the others unless all are wanted or none.
    pub struct StoreEvents: "store_events" {
        command: "event batch",
        profile: Locus,
        effect: Writes idempotent,
        when: "You have several at once.",
        when_not: "There is one: store_event().",
        cost: "Fast. One write for all.",
        returns: "StoreEventsResult: counts, and what became of each.",
        next: "undo() takes all of them back.",
        example: "elfmem event batch events.json --atomic",
        answers: &[
            field("stored", Count),
            field("filtered", Count),
            field("failed", Count),
            field("results", Objects),
        ],
    }
    needs {
        /// The events, each as store_event() takes it
        events: [StoreEvent] => place("FILE").file_contents().example(
            "[{\"event_kind\": \"fact\", \"payload\": {\"topic\": \"…\", \"value\": \"…\"}, \"source\": \"agent\", \
             \"context_id\": \"skill:react\", \"links\": [{\"type\": \"reinforces\", \"target\": \"BLOCK\"}]}]",
        ),
    }
    takes {
        /// All of them or none
        atomic: bool => flag("--atomic"),
    }
}
