//! The logical state of a memory: what an undo must bring back exactly.

use std::collections::{BTreeMap, BTreeSet};

use elfmem_core::ScopeView;
use elfmem_engine::Memory;
use elfmem_store::{BlockQuery, ContextQuery, ContradictionFilter, EventQuery, LinkQuery, Snapshot, Store, StoreError};
use serde_json::{Value, json};

/// Every row that can be undone, as JSON by name. Revisions go on counting and vectors are derived: neither is part of it.
pub(crate) fn state(memory: &Memory<impl Store>) -> BTreeMap<String, Value> {
    state_in(memory.store(), &ScopeView::default())
}

/// The state that a view sees.
pub(crate) fn state_in(store: &impl Store, view: &ScopeView) -> BTreeMap<String, Value> {
    let read = |snapshot: &dyn Snapshot| {
        let mut rows = BTreeMap::new();
        for block in snapshot.list_blocks(&BlockQuery::default())? {
            for edge in snapshot.get_edges_for_block(&block.id)? {
                rows.insert(format!("edge {}:{}", edge.key.from_id, edge.key.to_id), json!(edge));
            }
            for record in snapshot.get_outcomes(&block.id)? {
                rows.insert(format!("outcome {}:{}", record.block_id, record.outcome_id), json!(record));
            }
            for effect in snapshot.get_effects(&block.id)? {
                rows.insert(format!("effect {}|{}", effect.block_id, effect.key.name()), json!(effect));
            }
            for enrolment in snapshot.get_enrolments(std::slice::from_ref(&block.id))? {
                rows.insert(format!("enrolment {}|{}", block.id, enrolment.context_id), json!(enrolment));
            }
            let mut image = json!(block);
            image.as_object_mut().unwrap().remove("revision");
            image.as_object_mut().unwrap().remove("embedding_model");
            rows.insert(format!("block {}", block.id), image);
        }
        for found in snapshot.list_contradictions(ContradictionFilter::All)? {
            rows.insert(format!("contradiction {}:{}", found.block_a_id, found.block_b_id), json!(found));
        }
        for event in snapshot.list_events(&EventQuery::default())? {
            rows.insert(format!("event {}", event.id), json!(event));
        }
        for found in snapshot.list_contexts(&ContextQuery::default())? {
            rows.insert(format!("context {}", found.context.id), json!(found.context));
        }
        for link in snapshot.list_links(&LinkQuery::default())? {
            rows.insert(format!("link {}", link.key.name()), json!(link));
        }
        for frame in snapshot.list_frames()? {
            rows.insert(format!("frame {}", frame.name), json!(frame));
        }
        for proposal in snapshot.list_proposals(None)? {
            rows.insert(format!("proposal {}", proposal.number), json!(proposal));
        }
        Ok(rows)
    };
    store.read::<_, StoreError, _>(view, read).unwrap()
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

/// A state without what counts uses, which an undo of something else leaves as it is.
pub(crate) fn without_uses(mut state: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let uses = ["reinforcement_count", "last_reinforced_at", "last_session_id", "last_active_hours"];
    for row in state.values_mut().filter_map(Value::as_object_mut) {
        row.retain(|name, _| !uses.contains(&name.as_str()));
    }
    state
}
