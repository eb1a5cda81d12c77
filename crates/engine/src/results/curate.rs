//! Result of `curate` (seed 002).

use std::fmt;

use serde::{Deserialize, Serialize};

use elfmem_core::id::BlockId;

/// Result of `curate`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CurateResult {
    /// Number of decayed blocks that were archived.
    pub archived: usize,
    /// Number of weak edges that were removed, without the edges of archived blocks.
    pub edges_pruned: usize,
    /// Number of top-scoring blocks that were reinforced.
    pub reinforced: usize,
    /// Number of unused automatic edges that were removed.
    pub edges_decayed: usize,
    /// Number of edges above the degree cap that were removed.
    pub edges_over_cap: usize,
    /// Number of constitutional blocks that were reinforced, if enabled.
    pub constitutional_reinforced: usize,
    /// The archived blocks.
    pub archived_ids: Vec<BlockId>,
    /// The reinforced blocks, best first.
    pub reinforced_ids: Vec<BlockId>,
    /// The decayed blocks that were kept because they are pinned.
    pub pinned_kept: Vec<BlockId>,
    /// The decayed blocks that were kept because they connect others, if enabled.
    pub bridges_kept: Vec<BlockId>,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// In a dry run, the blocks that would be archived, with their texts and reasons.
    pub faded: Vec<FadedBlock>,
}

/// A block that curate would archive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FadedBlock {
    /// Which block.
    pub block_id: BlockId,
    /// Its text.
    pub content: String,
    /// Whether its source speaks for the owner of the memory.
    pub trusted: bool,
    /// Its recency, which is below the threshold.
    pub recency: f64,
    /// Active hours since it was last used.
    pub unused_hours: f64,
}

impl fmt::Display for CurateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { archived, edges_pruned, reinforced, .. } = self;
        let verb = if self.dry_run { "Would curate" } else { "Curated" };
        write!(f, "{verb}: {archived} archived, {edges_pruned} edges pruned, {reinforced} reinforced.")?;
        let more = [
            (self.edges_decayed, "unused edges gone"),
            (self.edges_over_cap, "edges beyond the degree cap gone"),
            (self.constitutional_reinforced, "constitutional reinforced"),
            (self.pinned_kept.len(), "faded but kept: pinned"),
            (self.bridges_kept.len(), "faded but kept: they hold others together"),
        ];
        for (count, words) in more.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, " {count} {words}.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_curate_result_str_nonzero() {
        let result = CurateResult { archived: 2, edges_pruned: 1, reinforced: 5, ..CurateResult::default() };
        assert_eq!(result.to_string(), "Curated: 2 archived, 1 edges pruned, 5 reinforced.");
        let pinned_kept = vec![BlockId::from_stored("a")];
        let result = CurateResult { edges_decayed: 3, pinned_kept, ..result };
        assert_eq!(
            result.to_string(),
            "Curated: 2 archived, 1 edges pruned, 5 reinforced. 3 unused edges gone. 1 faded but kept: pinned."
        );
    }

    #[test]
    fn test_curate_result_str_all_zero() {
        assert_eq!(CurateResult::default().to_string(), "Curated: 0 archived, 0 edges pruned, 0 reinforced.");
    }

    #[test]
    fn test_curate_result_to_dict_keys() {
        let dict = serde_json::to_value(CurateResult::default()).unwrap();
        for key in ["archived", "edges_pruned", "reinforced", "edges_decayed", "pinned_kept"] {
            assert!(dict.get(key).is_some(), "{key}");
        }
    }
}
