//! Parses bundles of the Python elfmem: blocks for a peer, without the state of the source memory.

use std::collections::HashMap;

use elfmem_core::{
    Block, BlockId, Category, Confidence, DecayTier, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Evidence, Relation, Tag,
    Timestamp, time,
};
use elfmem_store::{BlockRow, Provenance, Row};
use serde::Deserialize;

use super::{RowSet, check_row, from_json};
use crate::transfer::TransferError;

/// The newest supported version of the format.
const MAX_VERSION: u64 = 2;

#[derive(Deserialize)]
struct Bundle {
    version: u64,
    #[serde(default)]
    from_did: Option<String>,
    blocks: Vec<BundleBlock>,
    #[serde(default)]
    edges: Vec<BundleEdge>,
}

#[derive(Deserialize)]
struct BundleBlock {
    #[serde(default)]
    id: Option<String>,
    content: String,
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    confidence: Option<f64>,
    /// Number of good outcomes, starting at one half. Version 2 only.
    #[serde(default)]
    success_count: Option<f64>,
    /// Number of bad outcomes, starting at one half. Version 2 only.
    #[serde(default)]
    failure_count: Option<f64>,
    #[serde(default)]
    created_at: Option<String>,
}

#[derive(Deserialize)]
struct BundleEdge {
    from_id: String,
    to_id: String,
    #[serde(default)]
    relation_type: Option<String>,
    #[serde(default)]
    weight: Option<f64>,
}

pub(super) fn parse(text: &str) -> Result<RowSet, TransferError> {
    let bundle: Bundle = from_json(text)?;
    if bundle.version > MAX_VERSION {
        return Err(TransferError::Newer { found: bundle.version, known: MAX_VERSION });
    }
    let mut rows = Vec::with_capacity(bundle.blocks.len() + bundle.edges.len());
    let mut new_ids: HashMap<String, BlockId> = HashMap::new();
    for (at, bundled) in bundle.blocks.into_iter().enumerate() {
        let place = format!("block {}", at + 1);
        let old_id = bundled.id.clone();
        let block = to_block(bundled);
        if let Some(old_id) = old_id {
            new_ids.insert(old_id, block.id.clone());
        }
        let provenance = Provenance { source_peer: bundle.from_did.clone(), ..Provenance::default() };
        add(&mut rows, place, Row::Block(Box::new(BlockRow { block, provenance, vector: None })))?;
    }
    for (at, edge) in bundle.edges.into_iter().enumerate() {
        let place = format!("edge {}", at + 1);
        let end = |id: &str| new_ids.get(id).cloned().unwrap_or_else(|| BlockId::from_stored(id));
        // The Python elfmem did not reject self-loops.
        if let Some(key) = EdgeKey::canonical(&end(&edge.from_id), &end(&edge.to_id)) {
            add(&mut rows, place, Row::Edge(to_edge(key, &edge)))?;
        }
    }
    Ok(RowSet { rows, clock: None, trusted: false, left_out: Vec::new() })
}

fn add(rows: &mut Vec<(String, Row)>, place: String, mut row: Row) -> Result<(), TransferError> {
    check_row(&mut row).map_err(|problem| TransferError::damaged(place.clone(), problem))?;
    rows.push((place, row));
    Ok(())
}

fn to_edge(key: EdgeKey, bundled: &BundleEdge) -> Edge {
    let relation = Relation::new(bundled.relation_type.as_deref().unwrap_or("similar"));
    let mut edge = Edge::new(key, relation, EdgeOrigin::new("import"), Timestamp::UNIX_EPOCH);
    if let Some(weight) = bundled.weight {
        edge.weight = EdgeWeight::saturating(weight);
    }
    edge
}

/// Converts a bundled block to an inbox block. Its id is derived from its content, not taken from
/// the bundle.
fn to_block(bundled: BundleBlock) -> Block {
    let category = bundled.category.as_deref().map_or_else(Category::default, Category::from_stored);
    let counts = bundled.success_count.zip(bundled.failure_count).filter(|(good, bad)| good + bad > 0.0);
    let (confidence, evidence) = match counts {
        Some((good, bad)) => (good / (good + bad), good + bad - 1.0),
        None => (bundled.confidence.unwrap_or_else(|| Confidence::default().get()), 0.0),
    };
    let tags: Vec<Tag> = bundled.tags.iter().map(|tag| Tag::from_stored(tag)).collect();
    let created_at = bundled.created_at.as_deref().and_then(time::from_iso).unwrap_or(Timestamp::UNIX_EPOCH);
    Block {
        decay_lambda: DecayTier::of(&[], &category).rate(),
        category,
        confidence: Confidence::saturating(confidence),
        outcome_evidence: Evidence::new(evidence),
        tags,
        ..Block::new(BlockId::for_content(&bundled.content), bundled.content, "bundle", created_at)
    }
}
