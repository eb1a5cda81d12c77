//! Retrieval routes: memories and insights for a query.

use elfmem_engine::{
    Clock, ContextTypes, GenerateInsights, InsightResult, Memory, Request, RetrieveMemories, RetrieveResult,
    RetrievedMemory, SystemClock,
};
use elfmem_store::Store;
use serde_json::{Map, Value, json};

use super::fields::LocusFields;
use super::{LocusRequest, TranslationResult, ids};
use crate::http::problem::Problem;

pub(super) fn retrieve<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let fields = &asked.fields;
    if let Err(problem) = fields.for_this_graph() {
        return Ok(Err(problem));
    }
    let mut arguments = match arguments::<RetrieveMemories>(fields) {
        Ok(arguments) => arguments,
        Err(problem) => return Ok(Err(problem)),
    };
    arguments.insert("preview".to_owned(), json!(asked.read_only));
    let request = RetrieveMemories::from_json(&arguments, SystemClock.now())?;
    let RetrieveResult { items, items_found, offset, has_more, memories, .. } = memory.retrieve_memories(request)?;
    let mut told = json!({"items_found": items_found, "offset": offset, "has_more": has_more});
    match memories {
        Some(text) => told["memories"] = json!(text),
        None => told["items"] = items.iter().map(item).collect(),
    }
    Ok(Ok(told))
}

pub(super) fn insights<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let fields = &asked.fields;
    let arguments = match fields.for_this_graph().and_then(|()| arguments::<GenerateInsights>(fields)) {
        Ok(arguments) => arguments,
        Err(problem) => return Ok(Err(problem)),
    };
    let request = GenerateInsights::from_json(&arguments, SystemClock.now())?;
    let InsightResult { insight, recommendation, confidence, .. } = memory.generate_insights(request)?;
    Ok(Ok(json!({"insight": insight, "recommendation": recommendation, "confidence": confidence})))
}

/// The fields that a verb takes too, under the same names.
fn arguments<R: Request>(fields: &LocusFields) -> Result<Map<String, Value>, Problem> {
    let mut arguments = fields.whole();
    arguments.retain(|name, _| R::VERB.parameter(name).is_some());
    let types = arguments.get("context_types").filter(|types| !types.is_null());
    if types.is_some_and(|types| serde_json::from_value::<ContextTypes>(types.clone()).is_err()) {
        return Err(Problem::bad_request(
            "'context_types' must hold a list of names for each type.",
            "Write {\"skill\": [\"react\"]}, or {\"skill\": []} for every name.",
        ));
    }
    Ok(arguments)
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
