//! A bundle of the Python elfmem: blocks for a peer, without the state of the memory they come from.

use std::collections::HashMap;

use elfmem_core::{
    Block, BlockId, Category, Confidence, DecayTier, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Evidence, Relation, Tag,
    Timestamp, time,
};
use elfmem_store::{BlockRow, Provenance, Row};
use serde::Deserialize;

use super::{RowSet, check_row, from_json};
use crate::transfer::TransferError;

/// The newest version of the form.
const NEWEST: u64 = 2;

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
    /// Good and bad outcomes, from a half each; version 2 has them.
    #[serde(default)]
    success_count: Option<f64>,
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
    if bundle.version > NEWEST {
        return Err(TransferError::Newer { found: bundle.version, known: NEWEST });
    }
    let mut rows = Vec::with_capacity(bundle.blocks.len() + bundle.edges.len());
    let mut names: HashMap<String, BlockId> = HashMap::new();
    for (at, given) in bundle.blocks.into_iter().enumerate() {
        let place = format!("block {}", at + 1);
        let sent = given.id.clone();
        let block = block_of(given);
        if let Some(sent) = sent {
            names.insert(sent, block.id.clone());
        }
        let provenance = Provenance { source_peer: bundle.from_did.clone(), ..Provenance::default() };
        add(&mut rows, place, Row::Block(Box::new(BlockRow { block, provenance, vector: None })))?;
    }
    for (at, edge) in bundle.edges.into_iter().enumerate() {
        let place = format!("edge {}", at + 1);
        let end = |id: &str| names.get(id).cloned().unwrap_or_else(|| BlockId::from_stored(id));
        // The Python elfmem stored edges as they came, loops too.
        if let Some(key) = EdgeKey::canonical(&end(&edge.from_id), &end(&edge.to_id)) {
            add(&mut rows, place, Row::Edge(edge_of(key, &edge)))?;
        }
    }
    Ok(RowSet { rows, clock: None, trusted: false, left_out: Vec::new() })
}

fn add(rows: &mut Vec<(String, Row)>, place: String, mut row: Row) -> Result<(), TransferError> {
    check_row(&mut row).map_err(|problem| TransferError::damaged(place.clone(), problem))?;
    rows.push((place, row));
    Ok(())
}

fn edge_of(key: EdgeKey, given: &BundleEdge) -> Edge {
    let relation = Relation::new(given.relation_type.as_deref().unwrap_or("similar"));
    let mut edge = Edge::new(key, relation, EdgeOrigin::new("import"), Timestamp::UNIX_EPOCH);
    if let Some(weight) = given.weight {
        edge.weight = EdgeWeight::saturating(weight);
    }
    edge
}

/// A block waits in the inbox like one that is learned. It is named by its content here, whatever it was called there.
fn block_of(given: BundleBlock) -> Block {
    let category = given.category.as_deref().map_or_else(Category::default, Category::from_stored);
    let counts = given.success_count.zip(given.failure_count).filter(|(good, bad)| good + bad > 0.0);
    let (confidence, evidence) = match counts {
        Some((good, bad)) => (good / (good + bad), good + bad - 1.0),
        None => (given.confidence.unwrap_or_else(|| Confidence::default().get()), 0.0),
    };
    let tags: Vec<Tag> = given.tags.iter().map(|tag| Tag::from_stored(tag)).collect();
    let created_at = given.created_at.as_deref().and_then(time::from_iso).unwrap_or(Timestamp::UNIX_EPOCH);
    Block {
        decay_lambda: DecayTier::of(&[], &category).rate(),
        category,
        confidence: Confidence::saturating(confidence),
        outcome_evidence: Evidence::new(evidence),
        tags,
        ..Block::new(BlockId::for_content(&given.content), given.content, "bundle", created_at)
    }
}
