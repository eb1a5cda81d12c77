//! Routes for links that wait for a context.

use std::collections::BTreeMap;

use elfmem_core::{Link, LinkEnd, Timestamp};
use elfmem_engine::{Clock, Enrol, EventError, ListLinks, Memory, SystemClock};
use elfmem_store::Store;
use serde_json::{Map, Value, json};

use super::fields::LocusFields;
use super::routes::RESOLVE;
use super::{LocusRequest, TranslationResult, ids};
use crate::http::problem::Problem;

/// Maximum number of resolutions per request.
const MOST: usize = 100;

pub(super) fn one<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    resolved(memory, &asked.fields, "manual")
}

pub(super) fn many<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let resolutions = asked.fields.objects("resolutions");
    if !(1..=MOST).contains(&resolutions.len()) {
        let told = format!("{} resolutions are not between 1 and {MOST}.", resolutions.len());
        return Ok(Err(Problem::bad_request(told, format!("Send 1 to {MOST} at once."))));
    }
    let (mut results, mut total) = (Vec::new(), 0);
    for resolution in resolutions {
        match resolved(memory, &checked(resolution)?, "batch") {
            Ok(Ok(done)) => {
                total += done["links_resolved"].as_u64().unwrap_or(0);
                results.push(done);
            }
            Ok(Err(problem)) => results.push(json!({"success": false, "error": problem.detail})),
            Err(elfmem_engine::Error::Storage(error)) => return Err(error.into()),
            Err(error) => {
                results.push(json!({"success": false, "error": error.message(), "recovery": error.recovery()}));
            }
        }
    }
    Ok(Ok(json!({"results": results, "total_resolved": total})))
}

fn resolved<S: Store>(memory: &Memory<S>, fields: &LocusFields, source: &str) -> TranslationResult {
    let Some(context) = fields.text("context_id").or(fields.text("domain_id")) else {
        return Ok(Err(Problem::bad_request("'context_id' is missing.", "Say which context the links wait for.")));
    };
    let enrolled = memory.enrol(Enrol::new(context, ids::block(fields.needed("locus_id"))))?;
    Ok(Ok(json!({
        "context_id": enrolled.context_id,
        "locus_id": ids::locus(&enrolled.block_id),
        "links_resolved": enrolled.resolved_links.len(),
        "success": true,
        "resolved_at": SystemClock.now(),
        "source": source,
    })))
}

pub(super) fn unresolved<S: Store>(memory: &Memory<S>, _: &LocusRequest) -> TranslationResult {
    let links = waiting(memory)?;
    let mut by_context: BTreeMap<String, Vec<&Link>> = BTreeMap::new();
    for link in &links {
        by_context.entry(ids::end(&link.key.to)).or_default().push(link);
    }
    let now = SystemClock.now();
    let rows: Vec<Value> = by_context
        .iter()
        .map(|(context, links)| {
            let oldest = links.iter().map(|link| link.created_at).min();
            json!({"context_id": context, "link_count": links.len(), "oldest_link_age_hours": hours(oldest, now)})
        })
        .collect();
    Ok(Ok(json!({"total_unresolved_links": links.len(), "unique_context_ids": rows.len(), "context_ids": rows})))
}

pub(super) fn unresolved_of<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let id = memory.show_context(asked.part("context"))?.context.context_id;
    let end = LinkEnd::from(id.clone());
    let links: Vec<Value> = waiting(memory)?
        .iter()
        .filter(|link| link.key.to == end)
        .map(|link| json!({"from": ids::end(&link.key.from), "to": id, "link_type": link.key.link_type}))
        .collect();
    Ok(Ok(json!({"context_id": id, "links_count": links.len(), "links": links})))
}

fn waiting<S: Store>(memory: &Memory<S>) -> elfmem_engine::Result<Vec<Link>> {
    memory.links(ListLinks::new().unresolved().limit(0))
}

fn hours(since: Option<Timestamp>, now: Timestamp) -> f64 {
    since.map_or(0.0, |since| (now.as_second() - since.as_second()).max(0) as f64 / 3_600.0)
}

fn checked(resolution: Map<String, Value>) -> elfmem_engine::Result<LocusFields> {
    LocusFields::checked(&RESOLVE, resolution)
        .map_err(|problem| EventError::Faults { faults: vec![problem.detail] }.into())
}
