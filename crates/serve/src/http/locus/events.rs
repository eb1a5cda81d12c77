//! Event routes: store one, several or a transaction, and list.

use elfmem_core::event::EventKind;
use elfmem_core::{LinkType, Timestamp};
use elfmem_engine::{
    BatchItem, Error, EventError, EventListing, ListEvents, Memory, StoreEvent, StoreEventResult, StoreEvents,
    StoreEventsResult,
};
use elfmem_store::{Event, Store};
use serde_json::{Map, Value, json};

use super::fields::this_graph;
use super::{LocusRequest, TranslationResult, ids};
use crate::http::problem::Problem;

/// Maximum page size.
const PAGE: u64 = 100;
/// Default number of rejected events.
const REJECTED: u64 = 100;

pub(super) fn store<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let event = match new_event(asked.fields.whole()) {
        Ok(event) => event,
        Err(problem) => return Ok(Err(problem)),
    };
    match memory.store_event(&event) {
        Ok(stored) => Ok(Ok(event_json(&stored))),
        Err(Error::Event(held @ EventError::Held { .. })) => Ok(Err(conflict(&held))),
        Err(error) => Err(error),
    }
}

pub(super) fn batch<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let events: Result<Vec<StoreEvent>, Problem> = asked.fields.objects("events").into_iter().map(new_event).collect();
    let events = match events {
        Ok(events) => events,
        Err(problem) => return Ok(Err(problem)),
    };
    let StoreEventsResult { stored, filtered, failed, results, .. } = memory.store_events(StoreEvents::new(&events))?;
    let results: Vec<Value> = results.iter().map(batch_item_json).collect();
    Ok(Ok(json!({"stored": stored, "filtered": filtered, "failed": failed, "results": results})))
}

/// Stores all events or none. Operations other than `store` are not supported.
pub(super) fn transaction<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let mut events = Vec::new();
    for (index, mut operation) in asked.fields.objects("operations").into_iter().enumerate() {
        let name = operation.remove("op").unwrap_or_else(|| json!("store"));
        if name != "store" {
            return Ok(Err(Problem::bad_request(
                format!(
                    "None was applied, because of number {index}: the operation {name:.40} cannot be part of a transaction."
                ),
                "Send `store` operations together; unlink and delete by their own addresses.",
            )));
        }
        match new_event(operation) {
            Ok(event) => events.push(event),
            Err(problem) => return Ok(Err(problem)),
        }
    }
    if events.is_empty() {
        return Ok(Err(Problem::bad_request("There are no operations.", "Send at least one.")));
    }
    let StoreEventsResult { stored, filtered, results, .. } =
        memory.store_events(StoreEvents::new(&events).atomic())?;
    let results: Vec<Value> = results.iter().map(batch_item_json).collect();
    let applied = results.len();
    Ok(Ok(json!({"committed": true, "applied": applied, "stored": stored, "filtered": filtered, "results": results})))
}

pub(super) fn list<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let (page, page_size) = asked.page(PAGE);
    let mut request = ListEvents::new()
        .limit(u32::try_from(page_size).unwrap_or(u32::MAX))
        .page(u32::try_from(page).unwrap_or(u32::MAX));
    let since = asked.fields.count("since").and_then(|seconds| i64::try_from(seconds).ok());
    if let Some(since) = since.and_then(|seconds| Timestamp::from_second(seconds).ok()) {
        request = request.since(since);
    }
    if let Some(name) = asked.fields.text("kind") {
        request = request.kind(name);
        if !EventKind::all().any(|kind| kind.as_str() == name || kind.group().as_str() == name) {
            let names: Vec<&str> = EventKind::all().map(EventKind::as_str).collect();
            let told = format!("There is no event kind '{name:.60}'.");
            return Ok(Err(Problem::bad_request(told, format!("Use one of {}.", names.join(", ")))));
        }
    }
    if let Some(name) = asked.fields.text("source") {
        request = request.source(name);
    }
    let EventListing { events, total, .. } = memory.list_events(request)?;
    let events: Vec<Value> = events.iter().map(|listed| row(&listed.event)).collect();
    Ok(Ok(json!({"events": events, "total": total, "page": page, "page_size": page_size})))
}

pub(super) fn rejected<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let limit = asked.fields.count("limit").unwrap_or(REJECTED).clamp(1, 1_000);
    let request = ListEvents::new().filtered().limit(u32::try_from(limit).unwrap_or(u32::MAX));
    let events = memory.list_events(request)?.events;
    let events: Vec<Value> = events.iter().map(|listed| row(&listed.event)).collect();
    Ok(Ok(json!({"count": events.len(), "events": events})))
}

pub(super) fn kinds<S: Store>(_: &Memory<S>, _: &LocusRequest) -> TranslationResult {
    let kinds: Vec<Value> = EventKind::all()
        .map(|kind| {
            json!({
                "type": kind.as_str(),
                "kind": kind.group(),
                "source": kind.implied_source().as_str(),
                "admitted": kind.is_admitted(),
            })
        })
        .collect();
    Ok(Ok(json!({"kinds": kinds})))
}

/// Parses an event. Accepts older field names.
fn new_event(mut fields: Map<String, Value>) -> Result<StoreEvent, Problem> {
    if let Some(graph) = fields.remove("graph_id").as_ref().and_then(Value::as_str) {
        this_graph(graph)?;
    }
    for (old, name) in
        [("event_type", "event_kind"), ("eventType", "event_kind"), ("content", "payload"), ("event_id", "context_id")]
    {
        if let Some(value) = fields.remove(old).filter(|value| !value.is_null()) {
            fields.entry(name).or_insert(value);
        }
    }
    if let Some(links) = fields.get_mut("links").and_then(Value::as_array_mut) {
        for target in links.iter_mut().filter_map(|link| link.get_mut("target")) {
            if let Some(text) = target.as_str() {
                *target = json!(ids::block(text));
            }
        }
    }
    Ok(StoreEvent::from_map(&fields))
}

fn event_json(stored: &StoreEventResult) -> Value {
    let mut answer = json!({
        "locus_id": stored.block_id.as_ref().map(ids::locus),
        "status": stored.status,
        "confidence": stored.confidence,
        "context_id": stored.context_id,
    });
    if !stored.links_replaced.is_empty() {
        answer["links_replaced"] = json!(stored.links_replaced);
    }
    answer
}

fn batch_item_json(item: &BatchItem) -> Value {
    match (&item.result, &item.error) {
        (Some(stored), _) => event_json(stored),
        (None, error) => json!({"status": "error", "error": error, "recovery": item.recovery}),
    }
}

/// Returns the conflict error of a context that holds a single memory.
fn conflict(held: &EventError) -> Problem {
    let problem = Problem::new(
        axum::http::StatusCode::CONFLICT,
        elfmem_engine::ErrorKind::Conflict.as_str(),
        held.message(),
        held.recovery(),
    );
    let EventError::Held { block_id, content, said_by, confidence, .. } = held else { return problem };
    let held = json!({"locus_id": ids::locus(block_id), "text": content, "source": said_by, "confidence": confidence});
    problem.with("held", held)
}

fn row(event: &Event) -> Value {
    let targets = |wanted: LinkType| -> Vec<String> {
        let links = event.links.iter().filter(|link| link.link_type == wanted);
        links.map(|link| ids::end(&link.target)).collect()
    };
    json!({
        "event_id": event.id,
        "locus_id": event.block_id.as_ref().map(ids::locus),
        "context_id": event.context_id,
        "source": event.source.as_str(),
        "kind": event.kind.group(),
        "sent_kind": event.kind.as_str(),
        "payload": event.payload,
        "timestamp": event.happened_at.as_second().to_string(),
        "related_to": targets(LinkType::RelatedTo),
        "extends": targets(LinkType::Extends),
        "derived_from": targets(LinkType::DerivedFrom),
        "reinforces": targets(LinkType::Reinforces),
        "contradicts": targets(LinkType::Contradicts),
    })
}
