//! An event as it is sent, and everything that can be wrong with it.

use crate::catalog::nearest;
use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{BlockId, LinkOrigin, LinkType, Timestamp};
use elfmem_store::Event;
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use elfmem_text::temporal::parse_instant;
use serde_json::{Map, Value};

use super::payload::text_of;
use crate::links::{LinkEndReference, parse_link_end};
use crate::secrets::Screen;
use crate::{Learn, MAX_CONTENT_BYTES};

/// The longest payload, as JSON.
const LONGEST_PAYLOAD: usize = MAX_CONTENT_BYTES;
/// The most links of one type, and of one event.
const MOST_LINKS_OF_A_TYPE: usize = 50;
const MOST_LINKS: usize = 100;
/// The longest key of an event.
const LONGEST_KEY: usize = 256;

/// What an event may hold.
const FIELDS: [&str; 13] = [
    "event_kind",
    "source",
    "payload",
    "content",
    "context_id",
    "links",
    "related_to",
    "extends",
    "reinforces",
    "contradicts",
    "timestamp",
    "replace",
    "idempotency_key",
];

/// An event to store. Made from its kind and what it says; the rest has defaults.
///
/// ```
/// use elfmem_engine::NewEvent;
///
/// let event = NewEvent::new("observation", "Used var instead of const in React component.")
///     .source("agent")
///     .context("error:var_in_react")
///     .link("related_to", "skill:react");
/// ```
#[derive(Debug, Clone, Default)]
pub struct NewEvent {
    kind: String,
    source: Option<String>,
    payload: Value,
    context: Option<String>,
    links: Vec<(String, String)>,
    /// Types whose links were all given, so that a replaced memory keeps none of its own.
    whole_types: Vec<LinkType>,
    timestamp: Option<String>,
    replace: bool,
    key: Option<String>,
    /// What was wrong with it before it got here.
    faults: Vec<String>,
}

impl NewEvent {
    /// An event of a kind that says something: a sentence, or any JSON.
    pub fn new(kind: impl Into<String>, payload: impl Into<Value>) -> Self {
        Self { kind: kind.into(), payload: payload.into(), ..Self::default() }
    }

    /// Says who says so; the kind implies it otherwise.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Says where it belongs, `type:name`.
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// Adds a link to a block or a context.
    #[must_use]
    pub fn link(mut self, link_type: impl Into<String>, target: impl Into<String>) -> Self {
        self.links.push((link_type.into(), target.into()));
        self
    }

    /// Says when it happened: a date, a time, or seconds of the epoch.
    #[must_use]
    pub fn timestamp(mut self, at: impl Into<String>) -> Self {
        self.timestamp = Some(at.into());
        self
    }

    /// Lets it take the place of what its context holds, where a context holds one memory.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Gives it a name of the caller's, so that sending it again counts once.
    #[must_use]
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Reads an event as programs send it. What cannot be read is told with everything else that is wrong with it.
    pub fn from_map(fields: &Map<String, Value>) -> Self {
        let mut event = Self::default();
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            event.take(name, value);
        }
        if fields.get("payload").is_some_and(|value| !value.is_null())
            && fields.get("content").is_some_and(|value| !value.is_null())
        {
            event.faults.push("'payload' and 'content' both say what it says; give one".to_owned());
        }
        event
    }

    fn take(&mut self, name: &str, value: &Value) {
        let text = |faults: &mut Vec<String>| {
            let text = value.as_str().map(str::to_owned);
            if text.is_none() {
                faults.push(format!("'{name}' must be a text"));
            }
            text
        };
        match name {
            "event_kind" => self.kind = text(&mut self.faults).unwrap_or_default(),
            "source" => self.source = text(&mut self.faults),
            "payload" => self.payload = value.clone(),
            "content" => self.payload = text(&mut self.faults).map_or(Value::Null, Value::String),
            "context_id" => self.context = text(&mut self.faults),
            "timestamp" => {
                self.timestamp = match value {
                    Value::Number(seconds) => Some(seconds.to_string()),
                    _ => text(&mut self.faults),
                };
            }
            "idempotency_key" => self.key = text(&mut self.faults),
            "replace" => match value.as_bool() {
                Some(replace) => self.replace = replace,
                None => self.faults.push("'replace' must be true or false".to_owned()),
            },
            "links" => self.take_links(value),
            _ => match LinkType::parse(name).filter(|_| FIELDS.contains(&name)) {
                Some(link_type) => self.take_targets(link_type, value),
                None => {
                    let meant = nearest(name, FIELDS.into_iter()).map(|near| format!(" (did you mean '{near}'?)"));
                    self.faults.push(format!("there is no field '{name}'{}", meant.unwrap_or_default()));
                }
            },
        }
    }

    /// The seed's form: a list of types and targets.
    fn take_links(&mut self, value: &Value) {
        let Some(links) = value.as_array() else {
            self.faults.push("'links' must be a list of {type, target}".to_owned());
            return;
        };
        for (at, link) in links.iter().enumerate() {
            let field = |name: &str| link.get(name).and_then(Value::as_str);
            let known =
                link.as_object().is_some_and(|fields| fields.keys().all(|key| key == "type" || key == "target"));
            match (field("type"), field("target")) {
                (Some(link_type), Some(target)) if known => self.links.push((link_type.to_owned(), target.to_owned())),
                _ => self.faults.push(format!("'links' number {at} must be {{type, target}}, both texts")),
            }
        }
    }

    /// The other form: for each type a list of contexts.
    fn take_targets(&mut self, link_type: LinkType, value: &Value) {
        let texts = value.as_array().filter(|targets| targets.iter().all(Value::is_string));
        let Some(targets) = texts else {
            self.faults.push(format!("'{link_type}' must be a list of contexts"));
            return;
        };
        self.whole_types.push(link_type);
        for target in targets.iter().filter_map(Value::as_str) {
            if !target.contains(':') {
                self.faults.push(format!("'{link_type}' takes contexts (type:name), and '{target}' is none"));
                continue;
            }
            self.links.push((link_type.as_str().to_owned(), target.to_owned()));
        }
    }

    /// Checks all of it, and names everything that is wrong. What becomes of secrets in what it says is up to the policy.
    pub(super) fn checked(&self, now: Timestamp, secrets: SecretsPolicy) -> Result<CheckedEvent, Vec<String>> {
        let mut faults = self.faults.clone();
        let mut screen = Screen::new(secrets);
        let payload = screened(&self.payload, &mut screen);
        let said_by = self.source.as_deref().map(|source| screen.pass(source.trim()).into_owned());
        let redacted = screen.finish().unwrap_or_else(|error| {
            faults.push(error.message().trim_end_matches('.').to_owned());
            Redactions::default()
        });
        let mut fault = |problem: String| faults.push(problem);
        let kind = EventKind::parse(&self.kind);
        if kind.is_none() {
            let names: Vec<&str> = EventKind::all().map(EventKind::as_str).collect();
            let given = if self.kind.trim().is_empty() {
                "'event_kind' is missing".to_owned()
            } else {
                format!("there is no event kind '{:.60}'", self.kind)
            };
            fault(format!("{given}; the kinds are {}", names.join(", ")));
        }
        let source = match self.source.as_deref().filter(|source| !source.trim().is_empty()) {
            Some(name) => EventSource::parse(name).or_else(|| {
                let names: Vec<&str> = EventSource::all().map(EventSource::as_str).collect();
                fault(format!("there is no source '{name:.60}'; the sources are {}", names.join(", ")));
                None
            }),
            None => kind.map(EventKind::implied_source),
        };
        let context = self
            .context
            .as_deref()
            .and_then(|text| ContextId::parse(text).map_err(|error| fault(format!("'context_id': {error}"))).ok());
        let happened_at = self.timestamp.as_deref().and_then(|text| {
            let at = parse_timestamp(text, now);
            if at.is_none() {
                fault(format!("'timestamp' is no time that can be read: '{text:.60}'"));
            }
            at
        });
        if self.key.as_ref().is_some_and(|key| key.len() > LONGEST_KEY) {
            fault(format!("'idempotency_key' is longer than {LONGEST_KEY} bytes"));
        }
        let content = checked_payload(&payload, &mut fault);
        let links = self.checked_links(context.as_ref(), &mut fault);
        match (kind, source, content) {
            (Some(kind), Some(source), Some(content)) if faults.is_empty() => Ok(CheckedEvent {
                kind,
                source,
                said_by: said_by.unwrap_or_else(|| source.as_str().to_owned()),
                payload,
                redacted,
                content,
                context,
                links,
                whole_types: self.whole_types.clone(),
                happened_at,
                replace: self.replace,
                key: self.key.clone(),
                origin: LinkOrigin::Event,
            }),
            _ => Err(faults),
        }
    }

    fn checked_links(
        &self,
        own: Option<&ContextId>,
        fault: &mut impl FnMut(String),
    ) -> Vec<(LinkType, LinkEndReference)> {
        let mut links: Vec<(LinkType, LinkEndReference)> = Vec::new();
        for (name, target) in &self.links {
            let Some(link_type) = LinkType::parse(name) else {
                let names = LinkType::ALL.map(LinkType::as_str).join(", ");
                fault(format!("there is no link type '{name:.60}'; the types are {names}"));
                continue;
            };
            match parse_link_end(target) {
                Ok(LinkEndReference::Context(id)) if Some(&id) == own => {
                    fault(format!("'{link_type}' names the event's own context '{id}'"));
                }
                Ok(LinkEndReference::Block(text)) if BlockId::parse(&text).is_err() => {
                    fault(format!("'{link_type}' names '{target:.60}', which is no block and no context"));
                }
                Ok(target) if !links.contains(&(link_type, target.clone())) => links.push((link_type, target)),
                Ok(_) => {}
                Err(error) => fault(format!("'{link_type}': {}", error.message().trim_end_matches('.'))),
            }
        }
        for link_type in LinkType::ALL {
            let given = links.iter().filter(|(found, _)| *found == link_type).count();
            if given > MOST_LINKS_OF_A_TYPE {
                fault(format!("{given} '{link_type}' links are too many: at most {MOST_LINKS_OF_A_TYPE} of a type"));
            }
        }
        if links.len() > MOST_LINKS {
            fault(format!("{} links are too many: an event may have {MOST_LINKS}", links.len()));
        }
        // What confirms comes before what contradicts, whatever the order in which they were sent.
        links.sort_by_key(|(link_type, _)| *link_type);
        links
    }
}

fn checked_payload(payload: &Value, fault: &mut impl FnMut(String)) -> Option<String> {
    let bytes = payload.to_string().len();
    if bytes > LONGEST_PAYLOAD {
        fault(format!("the payload is too long: {bytes} bytes, at most {LONGEST_PAYLOAD}"));
        return None;
    }
    let content = text_of(payload);
    match Learn::new(content.as_str()).check() {
        Ok(()) => Some(content),
        Err(crate::Error::EmptyContent) => {
            fault("the payload says nothing".to_owned());
            None
        }
        Err(error) => {
            fault(format!("the payload cannot be stored: {}", error.message().trim_end_matches('.')));
            None
        }
    }
}

/// A payload as it may be stored.
fn screened(payload: &Value, screen: &mut Screen) -> Value {
    match payload {
        Value::String(text) => Value::String(screen.pass(text).into_owned()),
        Value::Array(values) => values.iter().map(|value| screened(value, screen)).collect(),
        // An assignment is recognised by its name, so the two are looked at together.
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), screened_field(name, value, screen))).collect()
        }
        other => other.clone(),
    }
}

fn screened_field(name: &str, value: &Value, screen: &mut Screen) -> Value {
    let Some(text) = value.as_str() else { return screened(value, screen) };
    let assigned = format!("{name}={text}");
    match screen.pass(&assigned).strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
        Some(kept) => Value::String(kept.to_owned()),
        None => Value::String(screen.pass(text).into_owned()),
    }
}

/// A time as programs send it: seconds of the epoch, or anything that can be read as one.
fn parse_timestamp(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..1e11).contains(&seconds) => Timestamp::from_microsecond((seconds * 1e6) as i64).ok(),
        Ok(_) => None,
        Err(_) => parse_instant(text, now),
    }
}

/// An event that can be stored.
#[derive(Debug, Clone)]
pub(super) struct CheckedEvent {
    pub(super) kind: EventKind,
    pub(super) source: EventSource,
    /// The source in the words of whoever sent it.
    pub(super) said_by: String,
    pub(super) payload: Value,
    pub(super) content: String,
    pub(super) context: Option<ContextId>,
    pub(super) links: Vec<(LinkType, LinkEndReference)>,
    pub(super) whole_types: Vec<LinkType>,
    pub(super) happened_at: Option<Timestamp>,
    pub(super) replace: bool,
    pub(super) key: Option<String>,
    /// Who makes its links.
    pub(super) origin: LinkOrigin,
    /// What was taken out of it.
    pub(super) redacted: Redactions,
}

impl CheckedEvent {
    /// What names it: the key it came with, or else everything it says, and the session where it does not say when. So a
    /// retry is the same event, and the same thing seen in another session is another.
    pub(super) fn id(&self, scope: &str, session: &str) -> String {
        let mark = "\u{1f}";
        let text = match &self.key {
            Some(key) => ["key", scope, key].join(mark),
            None => {
                let when = self.happened_at.map_or_else(|| session.to_owned(), |at| at.to_string());
                let context = self.context.as_ref().map_or("", ContextId::as_str);
                let links: Vec<String> = self.links.iter().map(|link| format!("{link:?}")).collect();
                let payload = self.payload.to_string();
                let parts = [scope, self.kind.as_str(), self.source.as_str(), &payload, context, &when];
                [parts.join(mark), links.join(mark)].join(mark)
            }
        };
        format!("e{}", BlockId::for_content(&text))
    }

    /// Whether an event on record says the same.
    pub(super) fn matches(&self, known: &Event) -> bool {
        self.kind == known.kind
            && self.source == known.source
            && self.payload == known.payload
            && self.context == known.context_id
    }
}
