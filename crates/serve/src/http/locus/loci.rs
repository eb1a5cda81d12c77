//! Locus routes: memories by id.

use elfmem_core::{Block, BlockStatus, DecayTier, Link, LinkEnd};
use elfmem_engine::{ListBlocks, ListEvents, ListLinks, Memory, Result};
use elfmem_store::Store;
use serde_json::{Value, json};

use super::{LocusRequest, TranslationResult, ids};

/// Page size.
const PAGE: u64 = 50;
/// Maximum number of characters of a text in a list.
const SHOWN: usize = 120;

pub(super) fn show<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let details = memory.show(ids::block(asked.part("id")))?;
    let block = &details.block;
    let (outgoing, incoming) = links_at(memory, std::slice::from_ref(&LinkEnd::from(block.id.clone())))?;
    let events = memory.list_events(ListEvents::of_blocks([block.id.clone()]))?.events;
    // The payload of the latest event, or the text itself.
    let payload = events.last().map_or_else(|| json!({"data": block.content}), |event| event.payload.clone());
    let contexts: Vec<Value> =
        events.iter().rev().filter_map(|event| event.context_id.as_ref()).map(ids::bare_node).collect();
    let half_life = std::f64::consts::LN_2 / block.decay_lambda.get() / 24.0;
    let permanent = details.tier == DecayTier::Permanent;
    Ok(Ok(json!({
        "locus": {
            "locus_id": ids::locus(&block.id),
            "value": ids::value(details.tier),
            "payload": payload.to_string(),
            "source": block.source,
            "created": block.created_at,
            "status": block.status.as_str(),
        },
        "links": {
            "outgoing": outgoing.iter().map(link).collect::<Vec<_>>(),
            "incoming": incoming.iter().map(link).collect::<Vec<_>>(),
        },
        "metadata": {
            "confidence": block.confidence.get(),
            "decay_days": (!permanent).then_some(half_life),
            "last_accessed": null,
        },
        "contexts": contexts,
    })))
}

pub(super) fn forget<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let block = memory.show(ids::block(asked.part("id")))?.block;
    let (outgoing, incoming) = links_at(memory, std::slice::from_ref(&LinkEnd::from(block.id.clone())))?;
    memory.forget(block.id.as_str())?;
    // The links are kept and take effect again if the memory is restored.
    Ok(Ok(json!({
        "locus_id": ids::locus(&block.id),
        "affected_links": outgoing.len() + incoming.len(),
        "unbound_links": 0,
    })))
}

pub(super) fn list<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let page = asked.fields.count("page").unwrap_or(0);
    let wanted = page.saturating_add(1).saturating_mul(PAGE);
    let query = ListBlocks::all().status(BlockStatus::Active).limit(u32::try_from(wanted).unwrap_or(u32::MAX));
    let total = memory.status()?.active_count;
    // A page after the end needs no query.
    let blocks = if page.saturating_mul(PAGE) < total { memory.list(query)? } else { Vec::new() };
    let skipped = usize::try_from(page.saturating_mul(PAGE)).unwrap_or(usize::MAX);
    let blocks: Vec<Block> = blocks.into_iter().skip(skipped).collect();
    rows(memory, &blocks, page, total)
}

pub(super) fn of_context<S: Store>(memory: &Memory<S>, asked: &LocusRequest) -> TranslationResult {
    let page = asked.fields.count("page").unwrap_or(0);
    let details = memory.show_context(asked.context())?;
    let (total, skipped) =
        (details.blocks.len() as u64, usize::try_from(page.saturating_mul(PAGE)).unwrap_or(usize::MAX));
    let wanted = details.blocks.iter().skip(skipped).take(PAGE as usize);
    let blocks: Result<Vec<Block>> = wanted.map(|found| Ok(memory.show(found.block_id.as_str())?.block)).collect();
    rows(memory, &blocks?, page, total)
}

fn rows<S: Store>(memory: &Memory<S>, blocks: &[Block], page: u64, total: u64) -> TranslationResult {
    let ends: Vec<LinkEnd> = blocks.iter().map(|block| LinkEnd::from(block.id.clone())).collect();
    let (outgoing, incoming) = if ends.is_empty() { Default::default() } else { links_at(memory, &ends)? };
    let rows: Vec<Value> = blocks
        .iter()
        .map(|block| {
            let own = LinkEnd::from(block.id.clone());
            let count = outgoing.iter().filter(|link| link.key.from == own).count()
                + incoming.iter().filter(|link| link.key.to == own).count();
            json!({
                "locus_id": ids::locus(&block.id),
                "value": ids::value(DecayTier::of(&block.tags, &block.category)),
                "confidence": block.confidence.get(),
                "created_at": block.created_at,
                "last_accessed": null,
                "content_preview": block.content.chars().take(SHOWN).collect::<String>(),
                "link_count": count,
            })
        })
        .collect();
    Ok(Ok(json!({"locuses": rows, "total": total, "page": page, "page_size": PAGE})))
}

/// Returns the links that start and those that end at the given ends.
fn links_at<S: Store>(memory: &Memory<S>, ends: &[LinkEnd]) -> Result<(Vec<Link>, Vec<Link>)> {
    let outgoing = memory.links(ListLinks::from_any(ends.iter().cloned()))?;
    Ok((outgoing, memory.links(ListLinks::to_any(ends.iter().cloned()))?))
}

fn link(link: &Link) -> Value {
    json!({"from": ids::end(&link.key.from), "to": ids::end(&link.key.to), "link_type": link.key.link_type})
}
