//! What an answer promises: for each verb that changes what is remembered, the effects that must be in the file from then on.

use std::collections::BTreeSet;

use serde_json::Value;

use super::act::Act;

/// Something that must be in the file because it was acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Claim {
    /// A block was stored.
    Stored { id: String },
    /// An operation of one of these kinds changed a block, a frame or a session.
    Changed { id: String, operations: &'static [&'static str] },
    /// An outcome taught a block.
    Taught { id: String, outcome: String },
    /// An outcome was taken back.
    Untaught { outcome: String },
    /// An event was put on record, and a block says it.
    Recorded { event: String, block: Option<String> },
    /// A proposal was settled.
    Settled { number: String, operations: &'static [&'static str] },
    /// The journal has an operation with this number and kind.
    Numbered { seq: i64, operation: &'static str },
    /// A block was purged.
    Purged { id: String },
}

/// Returns what an answer promises; none for a verb of which nobody said what it promises.
pub(super) fn claims(act: &Act, told: &Value) -> Option<Vec<Claim>> {
    let mut claims = Vec::new();
    match act.verb {
        "learn" => claims.extend(stored(told)),
        // The command line stores a document as one block.
        "learn_document" => {
            claims.extend(stored(told));
            claims.extend(each(&told["chunks"]).filter_map(stored));
        }
        "learn_messages" => {
            claims.extend(stored(told));
            claims.extend(each(&told["facts"]).filter_map(stored));
        }
        "outcome" if told["repeated"] != true => {
            let skipped: BTreeSet<&str> = each(&told["skipped"]).filter_map(|one| one["block_id"].as_str()).collect();
            let ids: BTreeSet<&str> = texts(act.arguments.get("block_ids").unwrap_or(&Value::Null)).collect();
            let outcome = act.text("outcome_id").unwrap_or_default().to_owned();
            let taught = ids.into_iter().filter(|id| !skipped.contains(id));
            claims.extend(taught.map(|id| Claim::Taught { id: id.to_owned(), outcome: outcome.clone() }));
        }
        "retract_outcome" if told["blocks_updated"].as_u64() > Some(0) => {
            claims.extend(text(told, "outcome_id").map(|outcome| Claim::Untaught { outcome }));
        }
        "connect" | "connects" | "connect_by_query" => {
            let made = [told, &told["connect_result"]].into_iter().chain(each(&told["results"]));
            for edge in made.filter(|edge| edge["action"] == "created" || edge["action"] == "reinforced") {
                claims.extend(ends(edge, ["source_id", "target_id"], &["connect", "connects", "connect_by_query"]));
            }
        }
        "disconnect" if told["action"] == "removed" => {
            claims.extend(ends(told, ["source_id", "target_id"], &["disconnect"]));
        }
        "link" if told["created"] == true => claims.extend(ends(told, ["from", "to"], &["link"])),
        "unlink" if told["removed"] == true => claims.extend(ends(told, ["from", "to"], &["unlink"])),
        "store_event" | "store_events" => {
            claims.extend([told].into_iter().chain(each(&told["results"])).flat_map(recorded));
        }
        "edit" if each(&told["changed"]).next().is_some() => {
            let id = text(told, "previous").or_else(|| text(told, "block_id"));
            claims.extend(id.map(|id| Claim::Changed { id, operations: &["edit"] }));
        }
        "add_tags" if told["changed"].as_u64() > Some(0) => claims.extend(changed(told, "block_id", &["add_tags"])),
        "remove_tags" if told["changed"].as_u64() > Some(0) => {
            claims.extend(changed(told, "block_id", &["remove_tags"]));
        }
        "pin" if told["changed"] == true => claims.extend(changed(told, "block_id", &["pin"])),
        "unpin" if told["changed"] == true => claims.extend(changed(told, "block_id", &["unpin"])),
        "forget" => claims.extend(changed(told, "block_id", &["forget"])),
        "restore" => claims.extend(changed(told, "block_id", &["restore"])),
        "supersede" => claims.extend(changed(told, "old_id", &["supersede"])),
        // A block that an event stored may be there already.
        "enrol" => {
            const ENROLS: &[&str] =
                &["enrol", "store_event", "store_events", "store_events_atomically", "link", "graduate"];
            claims.extend(changed(told, "block_id", ENROLS));
        }
        "graduate" if told["applied"] == true => {
            let steps = each(&told["steps"]).filter(|step| step["kind"] != "demotion");
            claims.extend(steps.filter_map(|step| text(step, "block_id")).map(|id| Claim::Stored { id }));
        }
        "resolve_contradiction" => {
            let id = act.text("a").map(str::to_owned);
            claims.extend(id.map(|id| Claim::Changed { id, operations: &["resolve"] }));
        }
        "accept_proposals" => claims.extend(settled(told, &["accept"])),
        "reject_proposals" => claims.extend(settled(told, &["reject"])),
        "retract_source" => {
            claims.extend(each(&told["retracted"]).filter_map(|one| changed(one, "block_id", &["retract_source"])));
        }
        "curate" => {
            let ids = texts(&told["archived_ids"]).chain(texts(&told["reinforced_ids"]));
            claims.extend(ids.map(|id| Claim::Changed { id: id.to_owned(), operations: &["curate"] }));
        }
        "add_frame" => claims.extend(changed(&told["frame"], "name", &["frame_add"])),
        "edit_frame" => claims.extend(changed(&told["frame"], "name", &["frame_edit"])),
        "remove_frame" => claims.extend(changed(&told["frame"], "name", &["frame_remove"])),
        "begin_session" if told["already_open"] == false => {
            claims.extend(changed(told, "session_id", &["begin_session"]));
        }
        "end_session" => claims.extend(changed(told, "session_id", &["end_session"])),
        "undo" => {
            let seq = told["undo_seq"].as_i64();
            claims.extend(seq.map(|seq| Claim::Numbered { seq, operation: "undo" }));
        }
        "keep_replaced" => {
            let kept = texts(&told["kept"]).map(str::to_owned);
            claims.extend(kept.map(|id| Claim::Changed { id, operations: &["keep_replaced"] }));
        }
        "purge" => claims.extend(text(told, "block_id").map(|id| Claim::Purged { id })),
        verb if !has_claims(verb) => return None,
        // Known, and this answer changed nothing.
        _ => {}
    }
    Some(claims)
}

/// Returns true for verbs whose answers promise something only if they changed something.
fn has_claims(verb: &str) -> bool {
    const CONDITIONAL: &[&str] = &[
        "add_tags",
        "begin_session",
        "disconnect",
        "edit",
        "graduate",
        "link",
        "outcome",
        "pin",
        "remove_tags",
        "retract_outcome",
        "unlink",
        "unpin",
    ];
    CONDITIONAL.contains(&verb)
}

/// A block that an answer says was stored, newly or in the place of another.
fn stored(told: &Value) -> Option<Claim> {
    const NEW: [&str; 3] = ["created", "replaced", "near_duplicate_superseded"];
    let is_new = told["status"].as_str().is_some_and(|status| NEW.contains(&status));
    text(told, "block_id").filter(|_| is_new).map(|id| Claim::Stored { id })
}

fn recorded(told: &Value) -> Vec<Claim> {
    let event = text(told, "event_id").map(|event| Claim::Recorded { event, block: text(told, "block_id") });
    stored(told).into_iter().chain(event).collect()
}

fn settled(told: &Value, operations: &'static [&'static str]) -> Vec<Claim> {
    let numbers = each(&told["numbers"]).filter_map(Value::as_i64);
    numbers.map(|number| Claim::Settled { number: number.to_string(), operations }).collect()
}

fn changed(told: &Value, key: &str, operations: &'static [&'static str]) -> Option<Claim> {
    text(told, key).map(|id| Claim::Changed { id, operations })
}

fn ends(told: &Value, keys: [&str; 2], operations: &'static [&'static str]) -> impl Iterator<Item = Claim> {
    keys.map(|key| changed(told, key, operations)).into_iter().flatten()
}

fn text(told: &Value, key: &str) -> Option<String> {
    told[key].as_str().map(str::to_owned)
}

fn each(told: &Value) -> impl Iterator<Item = &Value> {
    told.as_array().into_iter().flatten()
}

fn texts(told: &Value) -> impl Iterator<Item = &str> {
    each(told).filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use elfmem_engine::catalog::{self, Effect};
    use serde_json::{Map, json};

    /// Verbs that write and whose answers promise nothing that could be lost: what they write is derived from blocks and made
    /// again (vectors, dreams over what still waits), or counts uses. `forget_document` names no block.
    const WITHOUT_CLAIMS: &[&str] = &[
        "consolidate",
        "forget_document",
        "frame",
        "migrate_embeddings",
        "recall",
        "retrieve_memories",
        "scan_secrets",
        "verify",
    ];

    fn act(verb: &'static str) -> Act {
        Act { verb, arguments: Map::new(), typed: Vec::new() }
    }

    #[test]
    fn every_verb_that_writes_has_claims_or_a_reason_for_none() {
        for verb in catalog::all().filter(|verb| verb.effect != Effect::Reads) {
            let known = claims(&act(verb.name), &json!({})).is_some();
            assert!(known != WITHOUT_CLAIMS.contains(&verb.name), "{}", verb.name);
        }
    }

    #[test]
    fn answers_that_changed_nothing_promise_nothing() {
        let none = |verb: &'static str, told: Value| claims(&act(verb), &told).unwrap().is_empty();
        assert!(none("pin", json!({"changed": false, "block_id": "a"})));
        assert!(none("learn", json!({"status": "duplicate_rejected", "block_id": "a"})));
        assert!(none("disconnect", json!({"action": "not_found", "source_id": "a", "target_id": "b"})));
        let made =
            claims(&act("connects"), &json!({"results": [{"action": "created", "source_id": "a", "target_id": "b"}]}));
        assert_eq!(made.unwrap().len(), 2);
    }
}
