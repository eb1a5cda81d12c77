//! Results of `outcome` and `retract_outcome`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::PromotedBlock;
use super::connect::DisplacedEdge;
use super::promoted::write_promoted;

/// A block that an outcome did not update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SkippedBlock {
    /// The id as given.
    #[serde(rename = "block_id", alias = "id")]
    pub id: String,
    /// The reason.
    pub reason: String,
}

/// Result of `outcome`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutcomeResult {
    /// The outcome id, to retract it or to retry safely.
    pub outcome_id: String,
    /// Number of updated blocks.
    pub blocks_updated: usize,
    /// The mean change of confidence.
    pub mean_confidence_delta: f64,
    /// Number of reinforced edges between the blocks.
    pub edges_reinforced: usize,
    /// Number of blocks whose decay was accelerated.
    pub blocks_penalized: usize,
    /// Number of new edges between the blocks.
    pub outcome_edges_created: usize,
    /// Number of pairs without an edge because of the degree cap.
    pub edges_at_cap: usize,
    /// The weaker edges that were evicted for the new ones.
    pub displaced_edges: Vec<DisplacedEdge>,
    /// Whether the outcome was recorded already, so that nothing was changed.
    pub repeated: bool,
    /// The blocks that were not updated, with the reason.
    pub skipped: Vec<SkippedBlock>,
    /// The inbox blocks that were promoted on the way. Omitted from the JSON if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promoted: Vec<PromotedBlock>,
}

/// Why an id is skipped that no block has.
pub(crate) const UNKNOWN_BLOCK: &str = "there is no such block";

/// How the reason ends for what is no id.
const NOT_AN_ID: &str = "is not a block id";

impl OutcomeResult {
    /// Returns the first id if the outcome was recorded for nothing, because no block has one of the ids.
    pub fn unknown_block(&self) -> Option<&str> {
        // What is no id at all names no block either.
        let names_none =
            |skipped: &SkippedBlock| skipped.reason == UNKNOWN_BLOCK || skipped.reason.ends_with(NOT_AN_ID);
        let is_known = self.blocks_updated > 0 || !self.skipped.iter().all(names_none);
        self.skipped.first().filter(|_| !is_known).map(|skipped| skipped.id.as_str())
    }

    /// Makes an outcome without any block of the memory an error.
    pub(crate) fn of_known_blocks(self) -> crate::Result<Self> {
        match self.unknown_block() {
            Some(id) => Err(crate::Error::UnknownBlock { id: id.to_owned() }),
            None => Ok(self),
        }
    }
}

impl fmt::Display for OutcomeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.repeated {
            return write!(f, "Outcome {} is on record already: nothing was changed.", self.outcome_id);
        }
        match self.blocks_updated {
            0 => f.write_str("Outcome recorded: nothing to update")?,
            blocks => {
                let delta = self.mean_confidence_delta;
                write!(f, "Outcome recorded: {blocks} block(s) updated ({delta:+.3} avg confidence)")?;
            }
        }
        let more = [
            (self.outcome_edges_created, "outcome edges created"),
            (self.edges_reinforced, "edges reinforced"),
            (self.displaced_edges.len(), "weaker edges displaced"),
            (self.edges_at_cap, "pairs at the degree cap"),
            (self.blocks_penalized, "block(s) penalized"),
        ];
        for (count, words) in more.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {words}")?;
        }
        f.write_str(".")?;
        write_promoted(f, &self.promoted)?;
        for SkippedBlock { id, reason } in &self.skipped {
            write!(f, " Skipped {id}: {reason}.")?;
        }
        Ok(())
    }
}

/// Result of `retract_outcome`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RetractResult {
    /// The retracted outcome.
    pub outcome_id: String,
    /// Number of blocks whose confidence was recomputed.
    pub blocks_updated: usize,
    /// The mean change of confidence.
    pub mean_confidence_delta: f64,
}

impl fmt::Display for RetractResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { outcome_id, blocks_updated, mean_confidence_delta } = self;
        write!(
            f,
            "Retracted outcome {outcome_id}: {blocks_updated} block(s) updated ({mean_confidence_delta:+.3} avg confidence)."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_lists_changes_and_skipped_blocks() {
        let result = OutcomeResult {
            blocks_updated: 3,
            mean_confidence_delta: 1.0 / 12.0,
            outcome_edges_created: 3,
            skipped: vec![SkippedBlock { id: "ffff".into(), reason: "there is no such block".into() }],
            ..OutcomeResult::default()
        };
        assert_eq!(
            result.to_string(),
            "Outcome recorded: 3 block(s) updated (+0.083 avg confidence), 3 outcome edges created. Skipped ffff: there \
             is no such block."
        );
        assert_eq!(OutcomeResult::default().to_string(), "Outcome recorded: nothing to update.");
        let repeated = OutcomeResult { repeated: true, outcome_id: "run-7".into(), ..OutcomeResult::default() };
        assert_eq!(repeated.to_string(), "Outcome run-7 is on record already: nothing was changed.");
    }

    #[test]
    fn an_outcome_has_the_keys_of_the_reference() {
        let dict = serde_json::to_value(OutcomeResult::default()).unwrap();
        for key in [
            "blocks_updated",
            "mean_confidence_delta",
            "edges_reinforced",
            "blocks_penalized",
            "outcome_edges_created",
            "skipped",
        ] {
            assert!(dict.get(key).is_some(), "{key}");
        }
    }
}
