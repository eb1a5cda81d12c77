//! Result of `dream` and `consolidate`.

use std::fmt;

use crate::render::mark_untrusted;
use serde::{Deserialize, Serialize};

use super::{CurateResult, excerpt};
use elfmem_core::id::BlockId;

/// The effect of a consolidation on a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fate {
    /// It became active.
    Promoted,
    /// It was archived as a duplicate, and the existing block was reinforced.
    Rejected,
    /// It became active and superseded an older block that says the same.
    Superseded,
    /// It became active and superseded an older block that is out of date.
    Updated,
    /// It stayed in the inbox, because it or a compared block was changed in the meantime.
    Left,
}

/// The decision about one block, with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decision {
    /// The block id.
    pub block_id: BlockId,
    /// The text.
    pub content: String,
    /// Whether its source speaks for the owner of the memory.
    #[serde(default)]
    pub trusted: bool,
    /// The effect.
    pub fate: Fate,
    /// The block that it duplicates or supersedes.
    pub other_id: Option<BlockId>,
    /// The text of that block.
    pub other_content: Option<String>,
    /// Whether the source of that block speaks for the owner of the memory.
    #[serde(default)]
    pub other_trusted: bool,
    /// The reason.
    pub reason: String,
    /// The cosine similarity of the two blocks.
    pub cosine: Option<f64>,
    /// Why the analysis failed, if it did. It is retried later.
    pub analysis_failed: Option<String>,
}

/// A contradiction that was detected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FoundContradiction {
    /// The newer block.
    pub block_id: BlockId,
    /// The text of the newer block.
    pub content: String,
    /// Whether the source of the newer block speaks for the owner of the memory.
    #[serde(default)]
    pub trusted: bool,
    /// The older block.
    pub other_id: BlockId,
    /// The text of the older block.
    pub other_content: String,
    /// Whether the source of the older block speaks for the owner of the memory.
    #[serde(default)]
    pub other_trusted: bool,
    /// How certain the contradiction is.
    pub score: f64,
    /// The reason.
    pub reason: String,
}

/// Result of `dream` and `consolidate`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConsolidateResult {
    /// Number of inbox blocks processed.
    pub processed: usize,
    /// Number of blocks that became active.
    pub promoted: usize,
    /// Number of archived duplicates: rejected blocks, and superseded ones that say the same.
    pub deduplicated: usize,
    /// Number of created edges.
    pub edges_created: usize,
    /// Number of superseded blocks: those that say the same, and those that are out of date.
    pub superseded: usize,
    /// Number of superseded blocks that are out of date.
    #[serde(default)]
    pub updated: usize,
    /// Number of detected contradictions.
    pub contradictions_detected: usize,
    /// Number of blocks whose analysis failed.
    pub analysis_failed: usize,
    /// Number of blocks left in the inbox because of a concurrent change.
    pub left: usize,
    /// Number of blocks left in the inbox because of the limit.
    pub waiting: usize,
    /// Number of active blocks that were analysed again.
    pub rescored: usize,
    /// Whether only active blocks were processed, not the inbox.
    pub only_rescored: bool,
    /// Number of new proposals.
    #[serde(default)]
    pub proposed: usize,
    /// Number of graduation steps applied without a proposal.
    #[serde(default)]
    pub graduated: usize,
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// The decision about each block that was not simply promoted. In a dry run, about every block.
    pub decisions: Vec<Decision>,
    /// The detected contradictions.
    pub contradictions: Vec<FoundContradiction>,
    /// Problems that did not stop the operation, with what to do about them.
    pub warnings: Vec<String>,
    /// The result of the curation that was due afterwards.
    #[serde(default)]
    pub curated: Option<CurateResult>,
}

impl ConsolidateResult {
    /// Adds a decision to the counts.
    pub fn count(&mut self, decision: &Decision) {
        match decision.fate {
            Fate::Promoted => self.promoted += 1,
            Fate::Rejected => self.deduplicated += 1,
            Fate::Superseded => {
                self.promoted += 1;
                self.deduplicated += 1;
                self.superseded += 1;
            }
            Fate::Updated => {
                self.promoted += 1;
                self.superseded += 1;
                self.updated += 1;
            }
            Fate::Left => self.left += 1,
        }
        let active = matches!(decision.fate, Fate::Promoted | Fate::Superseded | Fate::Updated);
        self.analysis_failed += usize::from(active && decision.analysis_failed.is_some());
    }

    /// Adds the result of another part of the same consolidation.
    pub fn merge(&mut self, part: Self) {
        self.processed += part.processed;
        self.promoted += part.promoted;
        self.deduplicated += part.deduplicated;
        self.edges_created += part.edges_created;
        self.superseded += part.superseded;
        self.updated += part.updated;
        self.contradictions_detected += part.contradictions_detected;
        self.analysis_failed += part.analysis_failed;
        self.left += part.left;
        self.waiting += part.waiting;
        self.rescored += part.rescored;
        self.only_rescored &= part.only_rescored;
        self.proposed += part.proposed;
        self.graduated += part.graduated;
        self.decisions.extend(part.decisions);
        self.contradictions.extend(part.contradictions);
        self.warnings.extend(part.warnings);
        self.curated = self.curated.take().or(part.curated);
    }
}

impl fmt::Display for ConsolidateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processed, promoted, deduplicated, edges_created, .. } = self;
        match (*processed, self.waiting) {
            _ if self.only_rescored => match self.rescored {
                0 if self.analysis_failed + self.left == 0 => f.write_str("Nothing to analyse again.")?,
                rescored => write!(f, "Rescored {rescored}.")?,
            },
            (0, 0) => f.write_str("Nothing to consolidate. Inbox was empty.")?,
            (0, 1) => f.write_str("Nothing consolidated: none were asked for, 1 block waits.")?,
            (0, waiting) => write!(f, "Nothing consolidated: none were asked for, {waiting} blocks wait.")?,
            _ => {
                let verb = if self.dry_run { "Would consolidate" } else { "Consolidated" };
                write!(f, "{verb} {processed}: {promoted} promoted, {deduplicated} deduped, {edges_created} edges.")?;
            }
        }
        if self.rescored > 0 && !self.only_rescored {
            write!(f, " Rescored {}.", self.rescored)?;
        }
        match self.updated {
            0 => {}
            1 => f.write_str(" 1 outdated block replaced.")?,
            many => write!(f, " {many} outdated blocks replaced.")?,
        }
        match self.contradictions_detected {
            0 => {}
            1 => f.write_str(" 1 contradiction found.")?,
            many => write!(f, " {many} contradictions found.")?,
        }
        match self.proposed {
            0 => {}
            1 => f.write_str(" 1 proposal waits.")?,
            many => write!(f, " {many} proposals wait.")?,
        }
        if self.graduated > 0 {
            write!(f, " {} graduated.", self.graduated)?;
        }
        if let Some(curated) = &self.curated {
            write!(f, " {curated}")?;
        }
        for warning in &self.warnings {
            write!(f, " {warning}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.fate {
            Fate::Promoted => "+",
            Fate::Rejected => "=",
            Fate::Superseded | Fate::Updated => "~",
            Fate::Left => "?",
        };
        let content = excerpt(&self.content, 80);
        write!(f, "{sign} {} {}", self.block_id.short(), mark_untrusted(&content, self.trusted))?;
        if let (Some(id), Some(content)) = (&self.other_id, &self.other_content) {
            let verb = match self.fate {
                Fate::Rejected => "repeats",
                Fate::Updated => "updates",
                _ => "replaces",
            };
            let content = excerpt(content, 80);
            write!(f, "\n    {verb} {} {}", id.short(), mark_untrusted(&content, self.other_trusted))?;
        }
        write!(f, "\n    {}", self.reason)?;
        if let Some(failure) = &self.analysis_failed {
            write!(f, "\n    not analysed: {failure}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FoundContradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "! {} {}\n    contradicts {} {}\n    {} ({:.2})",
            self.block_id.short(),
            mark_untrusted(&excerpt(&self.content, 80), self.trusted),
            self.other_id.short(),
            mark_untrusted(&excerpt(&self.other_content, 80), self.other_trusted),
            self.reason,
            self.score,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result() -> ConsolidateResult {
        ConsolidateResult { processed: 8, promoted: 7, deduplicated: 1, edges_created: 12, ..Default::default() }
    }

    #[test]
    fn test_consolidate_result_str_nonzero() {
        assert_eq!(result().to_string(), "Consolidated 8: 7 promoted, 1 deduped, 12 edges.");
        let more = ConsolidateResult { contradictions_detected: 2, ..result() };
        assert_eq!(more.to_string(), "Consolidated 8: 7 promoted, 1 deduped, 12 edges. 2 contradictions found.");
    }

    #[test]
    fn test_consolidate_result_str_zero_processed() {
        assert_eq!(ConsolidateResult::default().to_string(), "Nothing to consolidate. Inbox was empty.");
    }

    #[test]
    fn an_inbox_that_was_not_processed_is_not_called_empty() {
        let asked_for_none = ConsolidateResult { waiting: 3, ..Default::default() };
        assert_eq!(asked_for_none.to_string(), "Nothing consolidated: none were asked for, 3 blocks wait.");
        let mut rescored = ConsolidateResult { only_rescored: true, ..Default::default() };
        assert_eq!(rescored.to_string(), "Nothing to analyse again.");
        rescored.rescored = 2;
        assert_eq!(rescored.to_string(), "Rescored 2.");
        let mut both = ConsolidateResult::default();
        both.merge(rescored);
        assert_eq!(both.to_string(), "Nothing to consolidate. Inbox was empty. Rescored 2.");
    }

    #[test]
    fn test_consolidate_result_to_dict_keys() {
        let dict = serde_json::to_value(result()).unwrap();
        for key in ["processed", "promoted", "deduplicated", "edges_created", "contradictions", "decisions", "warnings"]
        {
            assert!(dict.get(key).is_some(), "{key}");
        }
    }
}
