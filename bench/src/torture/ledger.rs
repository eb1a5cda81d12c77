//! What was acknowledged, kept apart from the memory.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use serde_json::Value;

use super::act::Act;

/// Something that must be in the file because it was acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Claim {
    /// A block was stored.
    Stored { id: String },
    /// An operation changed a block.
    Changed { id: String, operation: &'static str },
    /// An outcome taught a block.
    Taught { id: String, outcome: String },
    /// An event was put on record, and a block says it.
    Recorded { event: String, block: Option<String> },
    /// A block was purged.
    Purged { id: String },
}

/// Everything that was acknowledged.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) claims: Vec<Claim>,
    /// Blocks by worker.
    blocks: BTreeMap<usize, Vec<String>>,
    pub(super) by_verb: BTreeMap<&'static str, u64>,
    pub(super) by_surface: BTreeMap<&'static str, u64>,
    pub(super) refusals: BTreeMap<String, u64>,
    pub(super) clock_jumps: u64,
}

impl Ledger {
    /// Writes down what an answer promises.
    pub(super) fn acknowledge(&mut self, worker: usize, surface: &'static str, act: &Act, told: &Value) {
        *self.by_verb.entry(act.verb).or_default() += 1;
        *self.by_surface.entry(surface).or_default() += 1;
        self.clock_jumps += u64::from(told.get("clock_jumped").is_some());
        let block = act.text("block").map(str::to_owned);
        let changed = |operation| block.clone().map(|id| Claim::Changed { id, operation });
        match act.verb {
            "learn" if told["status"] == "created" => {
                if let Some(id) = told["block_id"].as_str() {
                    self.blocks.entry(worker).or_default().push(id.to_owned());
                    self.claims.push(Claim::Stored { id: id.to_owned() });
                }
            }
            "outcome" if told["repeated"] != true => {
                let skipped: BTreeSet<&str> =
                    told["skipped"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect();
                let ids = act.arguments["block_ids"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let outcome = act.text("outcome_id").unwrap_or_default();
                let taught: BTreeSet<&str> = ids.filter(|id| !skipped.contains(id)).collect();
                self.claims.extend(
                    taught.into_iter().map(|id| Claim::Taught { id: id.to_owned(), outcome: outcome.to_owned() }),
                );
            }
            "connect" if told["action"] != "skipped" => {
                let ends = [act.text("source"), act.text("target")];
                let claim = |id: &str| Claim::Changed { id: id.to_owned(), operation: "connect" };
                self.claims.extend(ends.into_iter().flatten().map(claim));
            }
            "purge" => {
                if let Some(id) = block {
                    self.blocks.entry(worker).or_default().retain(|other| *other != id);
                    self.claims.push(Claim::Purged { id });
                }
            }
            "link" => {
                let ends = [act.text("from"), act.text("to")];
                let claim = |id: &str| Claim::Changed { id: id.to_owned(), operation: "link" };
                self.claims.extend(ends.into_iter().flatten().filter(|_| told["created"] == true).map(claim));
            }
            "store_event" => {
                let block = told["block_id"].as_str().map(str::to_owned);
                if let Some(id) = block.clone().filter(|_| told["status"] == "created" || told["status"] == "replaced")
                {
                    self.blocks.entry(worker).or_default().push(id.clone());
                    self.claims.push(Claim::Stored { id });
                }
                let event = told["event_id"].as_str().map(str::to_owned);
                self.claims.extend(event.map(|event| Claim::Recorded { event, block }));
            }
            "forget" => self.claims.extend(changed("forget")),
            "edit" => self.claims.extend(changed("edit")),
            _ => {}
        }
    }

    /// Counts what was refused. Ids and numbers are left out of the reason, so that like counts as like.
    pub(super) fn refuse(&mut self, verb: &str, reason: String) {
        let is_name = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
        let plain: Vec<&str> = reason.split_whitespace().filter(|word| !is_name(word)).take(9).collect();
        *self.refusals.entry(format!("{verb}: {}", plain.join(" "))).or_default() += 1;
    }

    pub(super) fn acknowledged(&self) -> u64 {
        self.by_verb.values().sum()
    }

    pub(super) fn refused(&self) -> u64 {
        self.refusals.values().sum()
    }

    /// Any block that was acknowledged.
    pub(super) fn any(&self, random: &mut Rng) -> Option<String> {
        let lists: Vec<&Vec<String>> = self.blocks.values().filter(|list| !list.is_empty()).collect();
        let list = lists.get(random.usize(..lists.len().max(1)))?;
        list.get(random.usize(..list.len())).cloned()
    }

    /// A block of a worker's own.
    pub(super) fn own(&self, random: &mut Rng, worker: usize) -> Option<String> {
        let list = self.blocks.get(&worker).filter(|list| !list.is_empty())?;
        list.get(random.usize(..list.len())).cloned()
    }
}
