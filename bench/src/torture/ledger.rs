//! What was acknowledged, kept apart from the memory.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::Value;

use super::act::Act;
use super::claims::{Claim, claims};

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
        let claims = claims(act, told).unwrap_or_default();
        let own = self.blocks.entry(worker).or_default();
        for claim in &claims {
            match claim {
                Claim::Stored { id } => own.push(id.clone()),
                Claim::Purged { id } => own.retain(|other| other != id),
                _ => {}
            }
        }
        self.claims.extend(claims);
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
