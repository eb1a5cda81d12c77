//! What a consolidation did.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CurateResult, excerpt};
use elfmem_core::id::BlockId;

/// What became of one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is active now.
    Promoted,
    /// It repeated another block and was archived; that one was reinforced.
    Rejected,
    /// It is active now and took the place of an older block, with everything that one had learned.
    Superseded,
    /// It stayed in the inbox: it, or what it was compared with, was changed meanwhile.
    Left,
}

/// One block and why it went the way it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// What became of it.
    pub fate: Fate,
    /// The block it repeated or replaced.
    pub other_id: Option<BlockId>,
    /// That block's text.
    pub other_content: Option<String>,
    /// Why.
    pub reason: String,
    /// How near the two were.
    pub cosine: Option<f64>,
    /// Why no analyst could look at it, if so; it is to be looked at again.
    pub analysis_failed: Option<String>,
}

/// Two blocks that cannot both hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundContradiction {
    /// The newer block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// The older block.
    pub other_id: BlockId,
    /// Its text.
    pub other_content: String,
    /// How sure that is.
    pub score: f64,
    /// Why.
    pub reason: String,
}

/// Result of `dream` and `consolidate`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ConsolidateResult {
    /// Inbox blocks that were looked at.
    pub processed: usize,
    /// Those that are active now.
    pub promoted: usize,
    /// Blocks that were archived because another says the same: rejected ones and superseded ones.
    pub deduplicated: usize,
    /// Edges made.
    pub edges_created: usize,
    /// Older blocks whose place a newer one took.
    pub superseded: usize,
    /// Contradictions found.
    pub contradictions_detected: usize,
    /// Blocks no analyst could look at.
    pub analysis_failed: usize,
    /// Blocks that stayed in the inbox because something changed meanwhile.
    pub left: usize,
    /// Blocks that still wait because no more were asked for.
    pub waiting: usize,
    /// Active blocks that were analysed again.
    pub rescored: usize,
    /// Whether the inbox was not looked at: only active blocks were.
    pub only_rescored: bool,
    /// What it would like to do and leaves to others: proposals made.
    #[serde(default)]
    pub proposed: usize,
    /// Mistakes that became patterns and patterns that became skills without anyone being asked, and skills that were demoted.
    #[serde(default)]
    pub graduated: usize,
    /// Whether this only says what would happen.
    pub dry_run: bool,
    /// Every block that was not simply promoted, with its reason; all of them in a dry run.
    pub decisions: Vec<Decision>,
    /// Every contradiction found.
    pub contradictions: Vec<FoundContradiction>,
    /// What went wrong and what to do about it.
    pub warnings: Vec<String>,
    /// The maintenance that was due afterwards, if it was.
    #[serde(default)]
    pub curated: Option<CurateResult>,
}

impl ConsolidateResult {
    /// Counts one block's fate.
    pub fn count(&mut self, decision: &Decision) {
        match decision.fate {
            Fate::Promoted => self.promoted += 1,
            Fate::Rejected => self.deduplicated += 1,
            Fate::Superseded => {
                self.promoted += 1;
                self.deduplicated += 1;
                self.superseded += 1;
            }
            Fate::Left => self.left += 1,
        }
        let active = matches!(decision.fate, Fate::Promoted | Fate::Superseded);
        self.analysis_failed += usize::from(active && decision.analysis_failed.is_some());
    }

    /// Adds what a further part of the same consolidation did.
    pub fn merge(&mut self, part: Self) {
        self.processed += part.processed;
        self.promoted += part.promoted;
        self.deduplicated += part.deduplicated;
        self.edges_created += part.edges_created;
        self.superseded += part.superseded;
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
            Fate::Superseded => "~",
            Fate::Left => "?",
        };
        write!(f, "{sign} {} {}", self.block_id.short(), excerpt(&self.content, 80))?;
        if let (Some(id), Some(content)) = (&self.other_id, &self.other_content) {
            let verb = if self.fate == Fate::Rejected { "repeats" } else { "replaces" };
            write!(f, "\n    {verb} {} {}", id.short(), excerpt(content, 80))?;
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
            excerpt(&self.content, 80),
            self.other_id.short(),
            excerpt(&self.other_content, 80),
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
    fn an_inbox_that_was_not_asked_about_is_not_called_empty() {
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
