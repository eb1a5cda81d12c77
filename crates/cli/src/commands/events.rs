//! `event`, `context`, `link`, `unlink`, `links`, `chain`, `retrieve`, `insights` and `graduate`.

use std::collections::BTreeMap;
use std::fmt::Write;

use elfmem_core::event::EventKind;
use elfmem_engine::{
    AddLink, Enrol, GenerateInsights, ListContexts, Memory, RetrieveMemories, RetrieveResult, ShowChain,
    ShowContextGraph, StoreEvent, StoreEvents, Unlink,
};
use elfmem_store_sqlite::SqliteStore;
use serde_json::{Map, Value, json};

use super::learn::text_of;
use super::request;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::style::{DIM, NAME, NOTE};

type Opened = Result<Memory<SqliteStore>, Failure>;

pub(crate) fn event(
    asked: &args::Event,
    open: impl FnOnce() -> Opened,
    look: impl FnOnce() -> Opened,
) -> Result<Output, Failure> {
    match &asked.command {
        args::EventCommand::Store(event) => {
            let fields = fields_of(event)?;
            Ok(Output::sentence(&open()?.store_event(StoreEvent::from_map(&fields))?))
        }
        args::EventCommand::Batch(batch) => {
            let events = listed(&text_of(&batch.file)?)?;
            let events = StoreEvents::new(events.iter().map(StoreEvent::from_map));
            let events = if batch.atomic { events.atomic() } else { events };
            Ok(Output::sentence(&open()?.store_events(events)?))
        }
        args::EventCommand::Ls(ls) => events(ls, &look()?),
    }
}

/// The event of a file, with what the options add.
fn fields_of(event: &args::StoreEvent) -> Result<Map<String, Value>, Failure> {
    let object =
        |text: &str| serde_json::from_str::<Map<String, Value>>(text).map_err(|error| Failure::bad_event(&error));
    let mut fields = match &event.file {
        Some(file) => object(&text_of(file)?)?,
        None => Map::new(),
    };
    let payload = event.payload.as_deref().map(object).transpose()?.map(Value::Object);
    let texts = [
        ("event_kind", &event.kind),
        ("content", &event.content),
        ("source", &event.source),
        ("context_id", &event.context),
        ("timestamp", &event.at),
        ("idempotency_key", &event.key),
    ];
    for (name, text) in texts {
        fields.extend(text.clone().map(|text| (name.to_owned(), Value::from(text))));
    }
    fields.extend(payload.map(|payload| ("payload".to_owned(), payload)));
    for (name, contexts) in [
        ("related_to", &event.related_to),
        ("extends", &event.extends),
        ("reinforces", &event.reinforces),
        ("contradicts", &event.contradicts),
    ] {
        if !contexts.is_empty() {
            fields.insert(name.to_owned(), json!(contexts));
        }
    }
    if !event.links.is_empty() {
        let links: Vec<Value> =
            event.links.iter().map(|(link_type, target)| json!({"type": link_type, "target": target})).collect();
        match fields.get_mut("links").and_then(Value::as_array_mut) {
            Some(known) => known.extend(links),
            None => _ = fields.insert("links".to_owned(), links.into()),
        }
    }
    if event.replace {
        fields.insert("replace".to_owned(), true.into());
    }
    Ok(fields)
}

/// Events as a JSON list, or one a line.
fn listed(text: &str) -> Result<Vec<Map<String, Value>>, Failure> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map_err(|error| Failure::bad_event(&error));
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(|error| Failure::bad_event(&error))).collect()
}

/// The table's own checks say what is wrong with what was typed.
fn events(asked: &args::ListEvents, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let fields = json!({
        "kind": asked.kind, "source": asked.source, "context_id": asked.context, "since": asked.since,
        "filtered": asked.filtered, "limit": asked.limit, "page": asked.page,
    });
    let reply = memory.invoke("list_events", fields.as_object().unwrap_or(&Map::new()))?;
    let mut text = String::new();
    for event in reply.json["events"].as_array().into_iter().flatten() {
        let field = |name: &str| event[name].as_str().unwrap_or_default();
        let kept = EventKind::parse(field("kind")).is_some_and(EventKind::is_admitted);
        let style = if kept { NAME } else { DIM };
        let (at, kind, source) = (field("recorded_at"), field("kind"), field("source"));
        let place = field("context_id");
        let _ = writeln!(text, "{style}{}{style:#} {at} {kind} {source} {place} {}", field("id"), field("content"));
    }
    if text.is_empty() {
        text.push_str("No event fits.");
    }
    Ok(Output::new(text, &reply.json))
}

pub(crate) fn context(asked: &args::Context, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    match &asked.command {
        args::ContextCommand::Ls(ls) => {
            let asked = request::<ListContexts>(&json!({
                "context_type": ls.kind, "context_name": ls.name, "min_references": ls.min_references,
                "limit": ls.limit, "page": ls.page,
            }))?;
            Ok(Output::sentence(&memory.list_contexts(asked)?))
        }
        args::ContextCommand::Show { context } => Ok(Output::sentence(&memory.show_context(context)?)),
        args::ContextCommand::Graph(graph) => {
            let asked = request::<ShowContextGraph>(&json!({
                "context": graph.context, "depth": graph.depth, "limit": graph.limit,
                "min_references": graph.min_references,
            }))?;
            Ok(Output::sentence(&memory.context_graph(asked)?))
        }
        args::ContextCommand::Enrol { context, block } => {
            Ok(Output::sentence(&memory.enrol(Enrol::new(context, block))?))
        }
    }
}

pub(crate) fn link(asked: &args::Link, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let args::Link { from, link_type, to, note } = asked;
    Ok(Output::sentence(&memory.link(request::<AddLink>(&json!({
        "from": from, "link_type": link_type, "to": to, "note": note,
    }))?)?))
}

pub(crate) fn unlink(asked: &args::Unlink, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    Ok(Output::sentence(&memory.unlink(Unlink::new(&asked.from, &asked.link_type, &asked.to))?))
}

pub(crate) fn links(asked: &args::Links, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let fields = json!({
        "from": asked.from, "to": asked.to, "link_type": asked.link_type, "unresolved": asked.unresolved,
        "limit": asked.limit,
    });
    let reply = memory.invoke("links", fields.as_object().unwrap_or(&Map::new()))?;
    Ok(Output::new(reply.text, &reply.json))
}

pub(crate) fn chain(asked: &args::Chain, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let fields = json!({"block": asked.block, "ahead": asked.ahead, "depth": asked.depth});
    Ok(Output::sentence(&memory.chain(request::<ShowChain>(&fields)?)?))
}

fn context_types(places: &args::Places) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let Some(text) = &places.context_types else { return Ok(BTreeMap::new()) };
    serde_json::from_str(text).map_err(|error| Failure::bad_context_types(&error))
}

pub(crate) fn retrieve(asked: &args::Retrieve, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let result = memory.retrieve_memories(request::<RetrieveMemories>(&json!({
        "query": asked.query.join(" "),
        "limit": asked.limit,
        "offset": asked.offset,
        "context_ids": asked.places.contexts,
        "context_types": context_types(&asked.places)?,
        "sources": asked.sources,
        "boost_context_ids": asked.boost,
        "expand_depth": asked.depth,
        "semantic_weight": asked.semantic_weight,
        "format": match asked.format {
            args::MemoriesFormat::Markdown => "markdown",
            args::MemoriesFormat::Json => "json",
        },
        "include_ids": asked.ids,
        "preview": asked.preview,
    }))?)?;
    let text = match asked.format {
        args::MemoriesFormat::Json => format!("{:#}", json!(result.items)),
        args::MemoriesFormat::Markdown => memories(&result),
    };
    Ok(Output::new(text, &result))
}

/// One memory a line, for people.
fn memories(result: &RetrieveResult) -> String {
    let mut text = String::new();
    for item in &result.items {
        let _ = write!(text, "{NAME}{}{NAME:#} {:.2} {}", item.block_id.short(), item.match_score, item.text);
        let _ = write!(text, " {DIM}({}, {}, {:.2}){DIM:#}", item.event_kind, item.source, item.confidence);
        if item.contradicted {
            let _ = write!(text, " {NOTE}contradicted{NOTE:#}");
        }
        text.push('\n');
    }
    if text.is_empty() { "None found.".to_owned() } else { text }
}

pub(crate) fn insights(asked: &args::Insights, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let asked = request::<GenerateInsights>(&json!({
        "task": asked.task.join(" "), "locus_query": asked.query, "limit": asked.limit,
        "context_ids": asked.places.contexts, "context_types": context_types(&asked.places)?,
    }))?;
    Ok(Output::sentence(&memory.generate_insights(asked)?))
}

pub(crate) fn graduate(asked: &args::Graduate, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    let args::Graduate { block, text, apply, dry_run } = asked;
    let fields = json!({"block": block, "text": text, "apply": apply, "dry_run": dry_run});
    Ok(Output::sentence(&memory.graduate(request::<elfmem_engine::Graduate>(&fields)?)?))
}
