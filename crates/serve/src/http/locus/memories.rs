//! Memories that fit a question.

use std::collections::BTreeMap;

use elfmem::store::Store;
use elfmem::{Memory, Retrieve, RetrieveFormat, RetrieveResult, RetrievedMemory};
use serde_json::{Value, json};

use super::{Asked, Told, ids};
use crate::http::problem::Problem;

pub(super) fn retrieve<S: Store>(memory: &Memory<S>, asked: &Asked) -> Told {
    let fields = &asked.fields;
    if let Err(problem) = fields.for_this_graph() {
        return Ok(Err(problem));
    }
    let context_types: Option<BTreeMap<String, Vec<String>>> = match fields.object("context_types") {
        None => None,
        Some(types) => match serde_json::from_value(Value::Object(types.clone())) {
            Ok(types) => Some(types),
            Err(_) => {
                return Ok(Err(Problem::bad_request(
                    "'context_types' must hold a list of names for each type.",
                    "Write {\"skill\": [\"react\"]}, or {\"skill\": []} for every name.",
                )));
            }
        },
    };
    let mut retrieve = Retrieve::new(fields.needed("query"));
    let size = |name: &str| fields.count(name).map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    retrieve.limit = size("limit").unwrap_or(retrieve.limit);
    retrieve.offset = size("offset").unwrap_or(retrieve.offset);
    retrieve.context_ids = fields.texts("context_ids");
    retrieve.context_types = context_types.unwrap_or_default();
    retrieve.sources = fields.texts("sources");
    retrieve.boost_context_ids = fields.texts("boost_context_ids");
    retrieve.expand_depth = size("expand_depth").unwrap_or(retrieve.expand_depth);
    retrieve.semantic_weight = fields.number("semantic_weight").unwrap_or(retrieve.semantic_weight);
    retrieve.include_ids = fields.flag("include_ids");
    retrieve.preview = asked.leaves_no_trace;
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
