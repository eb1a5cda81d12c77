//! The logical state of a memory: what an undo must bring back exactly.

use std::collections::{BTreeMap, BTreeSet};

use elfmem::Memory;
use elfmem::core::ScopeView;
use elfmem::store::{BlockQuery, Snapshot, Store, StoreError};
use serde_json::{Value, json};

/// Every row that can be undone, as JSON by name. Revisions go on counting and vectors are derived: neither is part of it.
pub(crate) fn state(memory: &Memory<impl Store>) -> BTreeMap<String, Value> {
    let read = |snapshot: &dyn Snapshot| {
        let mut rows = BTreeMap::new();
        let mut edges = BTreeSet::new();
        for block in snapshot.list_blocks(&BlockQuery::default())? {
            for edge in snapshot.get_edges_for_block(&block.id)? {
                edges.insert(json!(edge).to_string());
            }
            let mut image = json!(block);
            image.as_object_mut().unwrap().remove("revision");
            image.as_object_mut().unwrap().remove("embedding_model");
            rows.insert(format!("block {}", block.id), image);
        }
        rows.extend(edges.into_iter().map(|edge| (format!("edge {edge}"), Value::Null)));
        for found in snapshot.list_contradictions(true)? {
            rows.insert(format!("contradiction {}:{}", found.block_a_id, found.block_b_id), json!(found));
        }
        for frame in snapshot.list_frames()? {
            rows.insert(format!("frame {}", frame.name), json!(frame));
        }
        for proposal in snapshot.list_proposals(None)? {
            rows.insert(format!("proposal {}", proposal.number), json!(proposal));
        }
        Ok(rows)
    };
    memory.store().read::<_, StoreError, _>(&ScopeView::default(), read).unwrap()
}

/// Says which rows differ instead of printing both states.
pub(crate) fn assert_same_state(found: &BTreeMap<String, Value>, expected: &BTreeMap<String, Value>) {
    let mut differences = Vec::new();
    for name in found.keys().chain(expected.keys()).collect::<BTreeSet<_>>() {
        if found.get(name) != expected.get(name) {
            differences.push(format!("{name}\n  is     {:?}\n  should {:?}", found.get(name), expected.get(name)));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
