//! Context routes: list, show, graph and links.

use elfmem_core::{LinkEnd, LinkType};
use elfmem_engine::{
    AddLink, ContextDetails, ContextGraph, ContextListing, Error, EventError, ListContexts, ListEvents, Memory,
    Relationship, ShowContextGraph, Unlink,
};
use elfmem_store::Store;
use serde_json::{Value, json};

use super::{LocusRequest, TranslationResult, ids};
use crate::http::problem::Problem;

/// Maximum page size.
const PAGE: u64 = 100;
/// Default depth of a graph.
const DEPTH: u64 = 1;

pub(super) fn list<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let kind = asked.fields.text("context_type").map(str::to_owned);
    let text = asked.fields.text("q").or(asked.fields.text("context_name")).map(str::to_owned);
    let (listing, page_size) = page_of(memory, asked, kind, text)?;
    let contexts: Vec<Value> = listing.contexts.iter().map(ids::node).collect();
    Ok(Ok(json!({
        "context_types": listing.context_types,
        "contexts": contexts,
        "total": listing.total,
        "page": listing.page,
        "page_size": page_size,
    })))
}

pub(super) fn of_type<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let (listing, page_size) = page_of(memory, asked, Some(asked.part("type").to_owned()), None)?;
    let contexts: Vec<Value> = listing.contexts.iter().map(ids::node).collect();
    Ok(Ok(json!({"contexts": contexts, "total": listing.total, "page": listing.page, "page_size": page_size})))
}

fn page_of<S: Store>(
    memory: &Memory<S>,
    asked: &LocusRequest,
    kind: Option<String>,
    text: Option<String>,
) -> elfmem_engine::Result<(ContextListing, u64)> {
    let (page, page_size) = asked.page(PAGE);
    let mut request = ListContexts::new()
        .limit(u32::try_from(page_size).unwrap_or(u32::MAX))
        .page(u32::try_from(page).unwrap_or(u32::MAX));
    if let Some(kind) = kind {
        request = request.context_type(kind);
    }
    if let Some(text) = text {
        request = request.context_name(text);
    }
    Ok((memory.list_contexts(request)?, page_size))
}

pub(super) fn show<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let details = memory.show_context(asked.context())?;
    let towards = |direction: &str| details.relationships.iter().filter(|found| found.direction == direction).count();
    Ok(Ok(json!({
        "context": ids::node(&details.context),
        "stats": {
            "locus_count": details.blocks.len(),
            "outgoing_links": towards("outgoing"),
            "incoming_links": towards("incoming"),
        },
    })))
}

pub(super) fn relationships<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let wanted = asked.fields.text("link_type").map(link_type).transpose()?;
    let direction = asked.fields.text("direction").unwrap_or("both");
    let details = memory.show_context(asked.context())?;
    let fits = |found: &&Relationship| {
        (direction == "both" || found.direction == direction) && wanted.is_none_or(|wanted| found.link_type == wanted)
    };
    let all: Vec<&Relationship> = details.relationships.iter().filter(fits).collect();
    let (page, page_size) = asked.page(PAGE);
    let skipped = usize::try_from(page.saturating_mul(page_size)).unwrap_or(usize::MAX);
    let shown: Vec<Value> =
        all.iter().skip(skipped).take(page_size as usize).map(|found| relationship(found)).collect();
    Ok(Ok(json!({"relationships": shown, "total": all.len(), "page": page, "page_size": page_size})))
}

fn relationship(found: &Relationship) -> Value {
    let (context, locus) = match &found.other {
        LinkEnd::Context(id) => (Some(ids::bare_node(id)), None),
        LinkEnd::Block(id) => (None, Some(ids::locus(id))),
    };
    json!({"context": context, "locus_id": locus, "link_type": found.link_type, "direction": found.direction})
}

pub(super) fn graph_around<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let depth = usize::try_from(asked.fields.count("depth").unwrap_or(DEPTH)).unwrap_or(usize::MAX);
    Ok(Ok(graph(&memory.context_graph(ShowContextGraph::new().context(asked.context()).depth(depth))?)))
}

pub(super) fn whole_graph<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let mut request = ShowContextGraph::new().min_references(asked.fields.count("min_refs").unwrap_or(0));
    if let Some(limit) = asked.fields.count("limit") {
        request = request.limit(u32::try_from(limit).unwrap_or(u32::MAX));
    }
    Ok(Ok(graph(&memory.context_graph(request)?)))
}

fn graph(graph: &ContextGraph) -> Value {
    let nodes: Vec<Value> = graph.nodes.iter().map(ids::node).collect();
    json!({"nodes": nodes, "edges": graph.edges, "cut": graph.cut})
}

/// Links two existing contexts.
pub(super) fn link<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let (from, to) = (asked.fields.needed("from_context_id"), asked.fields.needed("to_context_id"));
    let link_type = link_type(asked.fields.needed("link_type"))?;
    let (from, to) = (existing(memory, from)?.context.context_id, existing(memory, to)?.context.context_id);
    memory.link(AddLink::new(from.as_str(), link_type.as_str(), to.as_str()))?;
    Ok(Ok(json!({"from_context_id": from, "to_context_id": to, "link_type": link_type})))
}

pub(super) fn unlink<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let (from, to) = (asked.fields.needed("from_context_id"), asked.fields.needed("to_context_id"));
    for id in [from, to] {
        if !id.contains(':') {
            return Err(EventError::UnknownContext { id: id.to_owned() }.into());
        }
    }
    let unlinked = memory.unlink(Unlink::new(from, asked.fields.needed("link_type"), to))?;
    Ok(Ok(json!({
        "from_context_id": ids::end(&unlinked.key.from),
        "to_context_id": ids::end(&unlinked.key.to),
        "link_type": unlinked.key.link_type,
        "removed": unlinked.removed,
        "links_removed": u8::from(unlinked.removed),
    })))
}

fn link_type(name: &str) -> elfmem_engine::Result<LinkType> {
    LinkType::parse(name).ok_or_else(|| EventError::UnknownLinkType { name: name.to_owned() }.into())
}

/// Returns a context, or an error if it does not exist.
fn existing<S: Store>(memory: &Memory<S>, id: &str) -> elfmem_engine::Result<ContextDetails> {
    let details = memory.show_context(id)?;
    match details.context.created_at {
        Some(_) => Ok(details),
        None => Err(EventError::UnknownContext { id: id.to_owned() }.into()),
    }
}

pub(super) fn look_up<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let named = asked.fields.text("type").zip(asked.fields.text("context_name"));
    let id = match (asked.fields.text("context_id"), named) {
        (Some(id), _) => id.to_owned(),
        (None, Some((kind, name))) => format!("{kind}:{name}"),
        (None, None) => {
            return Ok(Err(Problem::bad_request(
                "Which context is not said.",
                "Give context_id, or type and context_name.",
            )));
        }
    };
    found(memory, &id).map(Ok)
}

pub(super) fn look_up_many<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let (mut contexts, mut not_found) = (Vec::new(), Vec::new());
    for id in asked.fields.texts("context_ids") {
        match found(memory, &id) {
            Ok(context) => contexts.push(context),
            Err(Error::Event(EventError::UnknownContext { .. } | EventError::BadContext(_))) => not_found.push(id),
            Err(error) => return Err(error),
        }
    }
    Ok(Ok(json!({"contexts": contexts, "not_found": not_found})))
}

/// Returns a context with its latest event.
fn found<S: Store>(memory: &Memory<S>, id: &str) -> elfmem_engine::Result<Value> {
    let details = existing(memory, id)?;
    let latest = details.blocks.iter().rev().find(|block| block.primary).or(details.blocks.last());
    let payload = match latest {
        None => Value::Null,
        Some(block) => {
            let events = memory.list_events(ListEvents::of_blocks([block.block_id.clone()]))?.events;
            events.first().map_or_else(|| json!({"data": block.content}), |event| event.payload.clone())
        }
    };
    Ok(json!({
        "context_id": details.context.context_id,
        "context": ids::node(&details.context),
        "locus_id": latest.map(|block| ids::locus(&block.block_id)),
        "payload": payload,
    }))
}
