//! The request of `curate`.

use elfmem_core::curation::CurationRules;

use crate::request::request;

request! {
    /// Archive what has faded, drop weak edges, keep the best blocks fresh.
    with
    #[derive(PartialEq)]
    pub struct Curate: "curate" {
        command: "curate",
        profile: Core,
        effect: Writes,
        when: "Seldom: it runs by itself when 40 active hours have passed. After a big clean-up, perhaps.",
        when_not: "Recall is merely noisy: say so with outcome().",
        cost: "Fast. About a second for 100,000 blocks.",
        returns: "CurateResult: counts and the ids of what was archived and kept.",
        next: "undo() takes the whole of it back; restore() one block.",
        example: "elfmem curate",
        tool: "Archive what has faded. It runs by itself. Use when much was forgotten.",
        answers: &[
            field("archived", Count),
            field("edges_pruned", Count),
            field("reinforced", Count),
            field("edges_decayed", Count),
            field("edges_over_cap", Count),
            field("constitutional_reinforced", Count),
            field("archived_ids", Texts),
            field("reinforced_ids", Texts),
            field("pinned_kept", Texts),
            field("bridges_kept", Texts),
            field("dry_run", Flag),
            field("faded", Objects),
        ],
    }
    takes {
        /// Archive blocks with less recency than this
        prune_threshold: f64 = 0.05 => option("--prune-threshold", "RECENCY").advanced(),
        /// Drop edges with less weight than this
        edge_prune_threshold: f64 = 0.1 => option("--edge-prune-threshold", "WEIGHT").advanced(),
        /// Keep so many of the best blocks fresh
        reinforce_top_n: usize = 5 => option("--reinforce-top-n", "COUNT").advanced(),
        /// Keep blocks that hold others together, however faded
        protect_bridges: bool => flag("--protect-bridges").advanced(),
        /// Keep every constitutional block fresh
        reinforce_constitutional: bool => flag("--reinforce-constitutional").advanced(),
        /// Change nothing: say what would be archived, and why
        dry_run: bool => flag("--dry-run").advanced(),
    }
}

impl Curate {
    /// The rules that decide what is archived and kept.
    pub(super) fn rules(&self) -> CurationRules {
        CurationRules {
            prune_threshold: self.prune_threshold,
            edge_prune_threshold: self.edge_prune_threshold,
            reinforce_top_n: self.reinforce_top_n,
            protect_bridges: self.protect_bridges,
            reinforce_constitutional: self.reinforce_constitutional,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_seed() {
        assert_eq!(Curate::new().rules(), CurationRules::default());
    }
}
