//! The checks of an event before it is stored.

use elfmem_core::event::{ContextId, EventKind, EventSource};
use elfmem_core::{BlockId, LinkOrigin, LinkType, Timestamp, Trust};
use elfmem_store::Event;
use elfmem_text::secrets::{Redactions, SecretsPolicy};
use elfmem_text::temporal::parse_instant;
use serde_json::Value;

use super::payload::text_of;
use super::{EventLink, StoreEvent};
use crate::links::{LinkEndReference, parse_link_end};
use crate::secrets::{Screen, refuse_secret_name, screen_json};
use crate::{Learn, MAX_CONTENT_BYTES};

/// The longest payload, as JSON.
const LONGEST_PAYLOAD: usize = MAX_CONTENT_BYTES;
/// The most links of one type, and of one event.
const MOST_LINKS_OF_A_TYPE: usize = 50;
const MOST_LINKS: usize = 100;
/// The longest key of an event.
const LONGEST_KEY: usize = 256;

impl StoreEvent {
    /// Checks all of it, and names everything that is wrong. What becomes of secrets in what it says is up to the policy.
    pub(super) fn checked(&self, now: Timestamp, secrets: SecretsPolicy) -> Result<CheckedEvent, Vec<String>> {
        let mut faults = self.faults.clone();
        let links = self.all_links(&mut faults);
        let mut screen = Screen::new(secrets);
        let payload = self.payload.clone().or_else(|| self.content.clone().map(Value::String)).unwrap_or_default();
        let payload = screen_json(&payload, &mut screen);
        let said_by = self.source.as_deref().map(|source| screen.pass(source.trim()).into_owned());
        let redacted = screen.finish().unwrap_or_else(|error| {
            faults.push(error.message().trim_end_matches('.').to_owned());
            Redactions::default()
        });
        let mut fault = |problem: String| faults.push(problem);
        let kind = EventKind::parse(&self.event_kind);
        if kind.is_none() {
            let names: Vec<&str> = EventKind::all().map(EventKind::as_str).collect();
            let given = if self.event_kind.trim().is_empty() {
                "'event_kind' is missing".to_owned()
            } else {
                format!("there is no event kind '{:.60}'", self.event_kind)
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
            .context_id
            .as_deref()
            .and_then(|text| ContextId::parse(text).map_err(|error| fault(format!("'context_id': {error}"))).ok());
        let happened_at = self.timestamp.as_deref().and_then(|text| {
            let at = parse_timestamp(text, now);
            if at.is_none() {
                fault(format!("'timestamp' is no time that can be read: '{text:.60}'"));
            }
            at
        });
        if self.idempotency_key.as_ref().is_some_and(|key| key.len() > LONGEST_KEY) {
            fault(format!("'idempotency_key' is longer than {LONGEST_KEY} bytes"));
        }
        let names = [&self.context_id, &self.idempotency_key].into_iter().flatten();
        for name in names.chain(links.iter().map(|link| &link.target)) {
            if let Err(error) = refuse_secret_name("name of a context, block or key", name, secrets) {
                fault(error.message().trim_end_matches('.').to_owned());
            }
        }
        let content = checked_payload(&payload, &mut fault);
        let links = checked_links(&links, context.as_ref(), &mut fault);
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
                whole_types: self.whole_types(),
                happened_at,
                replace: self.replace,
                key: self.idempotency_key.clone(),
                origin: LinkOrigin::Event,
            }),
            _ => Err(faults),
        }
    }
}

/// Checks links: their types, their targets and how many there are.
fn checked_links(
    given: &[EventLink],
    own: Option<&ContextId>,
    fault: &mut impl FnMut(String),
) -> Vec<(LinkType, LinkEndReference)> {
    let mut links: Vec<(LinkType, LinkEndReference)> = Vec::new();
    for EventLink { link_type: name, target } in given {
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
    /// retry is the same event, and the same thing seen in another session is another. Who is not trusted cannot take the id
    /// of an event of the owner's.
    pub(super) fn id(&self, scope: &str, session: &str, speaker: Trust) -> String {
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
        let text = match speaker {
            Trust::Owner => text,
            Trust::Untrusted => ["untrusted", &text].join(mark),
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
