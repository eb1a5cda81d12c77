//! Retrieval routes: memories and insights for a query.

use std::collections::BTreeMap;

use elfmem_engine::{InsightResult, Insights, Memory, Retrieve, RetrieveFormat, RetrieveResult, RetrievedMemory};
use elfmem_store::Store;
use serde_json::{Value, json};

use super::fields::LocusFields;
use super::{LocusRequest, TranslationResult, ids};
use crate::http::problem::Problem;

pub(super) fn retrieve<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let fields = &asked.fields;
    if let Err(problem) = fields.for_this_graph() {
        return Ok(Err(problem));
    }
    let context_types = match context_types(&asked.fields) {
        Ok(types) => types,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut retrieve = Retrieve::new(fields.needed("query"));
    let size = |name: &str| fields.count(name).map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    retrieve.limit = size("limit").unwrap_or(retrieve.limit);
    retrieve.offset = size("offset").unwrap_or(retrieve.offset);
    retrieve.context_ids = fields.texts("context_ids");
    retrieve.context_types = context_types;
    retrieve.sources = fields.texts("sources");
    retrieve.boost_context_ids = fields.texts("boost_context_ids");
    retrieve.expand_depth = size("expand_depth").unwrap_or(retrieve.expand_depth);
    retrieve.semantic_weight = fields.number("semantic_weight").unwrap_or(retrieve.semantic_weight);
    retrieve.include_ids = fields.flag("include_ids");
    retrieve.preview = asked.read_only;
    if fields.text("format") == Some("json") {
        retrieve.format = RetrieveFormat::Json;
    }
    let RetrieveResult { items, items_found, offset, has_more, memories, .. } = memory.retrieve_memories(&retrieve)?;
    let mut told = json!({"items_found": items_found, "offset": offset, "has_more": has_more});
    match memories {
        Some(text) => told["memories"] = json!(text),
        None => told["items"] = items.iter().map(item).collect(),
    }
    Ok(Ok(told))
}

pub(super) fn insights<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let fields = &asked.fields;
    let (graph, context_types) = (fields.for_this_graph(), context_types(fields));
    let context_types = match graph.and(context_types) {
        Ok(types) => types,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut wanted = Insights::new(fields.needed("task"));
    wanted.locus_query = fields.text("locus_query").map(str::to_owned);
    wanted.limit = fields.count("limit").map_or(wanted.limit, |count| usize::try_from(count).unwrap_or(usize::MAX));
    wanted.context_ids = fields.texts("context_ids");
    wanted.context_types = context_types;
    let InsightResult { insight, recommendation, confidence, .. } = memory.generate_insights(&wanted)?;
    Ok(Ok(json!({"insight": insight, "recommendation": recommendation, "confidence": confidence})))
}

/// Parses the requested names by type. An empty list means all.
fn context_types(fields: &LocusFields) -> Result<BTreeMap<String, Vec<String>>, Problem> {
    let Some(types) = fields.object("context_types") else { return Ok(BTreeMap::new()) };
    serde_json::from_value(Value::Object(types.clone())).map_err(|_| {
        Problem::bad_request(
            "'context_types' must hold a list of names for each type.",
            "Write {\"skill\": [\"react\"]}, or {\"skill\": []} for every name.",
        )
    })
}

fn item(found: &RetrievedMemory) -> Value {
    json!({
        "locus_id": ids::locus(&found.block_id),
        "context_ids": found.context_ids,
        "text": found.text,
        "match_score": found.match_score,
        "confidence": found.confidence,
        "value": found.value,
        "event_kind": found.event_kind,
        "source": found.source,
        "created": found.created,
        "contradicted": found.contradicted,
    })
}
