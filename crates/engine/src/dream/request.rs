//! The requests of `consolidate` and `pending`.

use std::collections::HashMap;
use std::time::Duration;

use elfmem_core::BlockId;

use super::HostAnalysis;
use crate::progress::{ProgressListener, progress_setter};
use crate::request::{object_argument, request};

/// Analyses that the caller made, by the id of the block or the beginning of it.
pub type HostAnalyses = HashMap<String, HostAnalysis>;

object_argument!(HostAnalyses, Object);

request! {
    /// Consolidate the inbox: find repetitions and contradictions, link and promote what is new.
    pub struct Dream: "consolidate" {
        command: "dream",
        aliases: ["dream"],
        profile: Core,
        effect: Writes,
        when: "At a pause, at the end of a session, or when status() says the inbox is full.",
        when_not: "After every learn(): what waits in the inbox can be recalled already.",
        cost: "Slow (batch). Milliseconds a block with the built-in models; one LLM call a block with an LLM analyst.",
        returns: "ConsolidateResult: the counts, and each rejected, superseded, contradicted or failed block with its \
                  reason.",
        next: "Settle contradictions with resolve_contradiction(), decide proposals().",
        example: "elfmem dream --dry-run",
        tool: "Consolidate the inbox: merge repetitions, find contradictions, link what is new. Use when there is a pause.",
        answers: &[
            field("processed", Count),
            field("promoted", Count),
            field("deduplicated", Count),
            field("edges_created", Count),
            field("superseded", Count),
            field("updated", Count),
            field("contradictions_detected", Count),
            field("analysis_failed", Count),
            field("left", Count),
            field("waiting", Count),
            field("rescored", Count),
            field("only_rescored", Flag),
            field("proposed", Count),
            field("graduated", Count),
            field("dry_run", Flag),
            field("decisions", Objects),
            field("contradictions", Objects),
            field("warnings", Texts),
            nullable("curated", Object),
        ],
    }
    takes {
        /// At most this many blocks, the oldest first
        max: u32 => option("--max", "COUNT").advanced(),
        /// Only say what would happen
        dry_run: bool => flag("--dry-run"),
        /// Also analyse so many active blocks again that were not analysed for a day
        rescore: usize => option("--rescore", "COUNT").value_if_bare("20").advanced(),
        /// Your own analyses of pending() blocks, by block id
        analyses: HostAnalyses => option("--analyses", "FILE").file_contents().advanced().example(
            "{\"BLOCK ID\": {\"alignment\": 0.2, \"tags\": [\"goal\"], \"summary\": \"…\", \
             \"contradictions\": [{\"other_id\": \"…\", \"score\": 0.9, \"reason\": \"…\"}]}}",
        ),
    }
    beside {
        /// The longest that analysts may take in all.
        analyst_time: Option<Duration>,
        /// The longest that moving to a newer built-in model may take.
        migration_time: Option<Duration>,
        /// The callback for progress.
        progress: Option<ProgressListener>,
        /// The analyses by the blocks that their ids stand for.
        by_block: HashMap<BlockId, HostAnalysis>,
        /// Only these inbox blocks, without a language model: what a verb that names them needs.
        only: Option<Vec<BlockId>>,
    }
}

progress_setter!(Dream);

impl Dream {
    /// Sets the longest that analysts may take in all. What is not analysed by then is promoted and flagged.
    #[must_use]
    pub fn analyst_time(mut self, time: Duration) -> Self {
        self.analyst_time = Some(time);
        self
    }

    /// Sets the longest that moving a memory to a newer built-in model may take. The next dream goes on.
    #[must_use]
    pub fn migration_time(mut self, time: Duration) -> Self {
        self.migration_time = Some(time);
        self
    }
}

request! {
    /// List the inbox blocks that wait for an analysis, for you to make it yourself.
    pub struct ListPending: "pending" {
        command: "dream --pending",
        profile: All,
        effect: Reads,
        when: "No LLM is configured and you want better tags, summaries and contradictions than rules give.",
        when_not: "An LLM analyst is configured, or the rules are good enough.",
        cost: "Fast. One read.",
        returns: "The blocks: block_id, content, category, tags.",
        next: "consolidate(analyses=ANALYSES), with {block_id: {alignment, tags, summary, contradictions}}.",
        example: "elfmem dream --pending --json",
        answers: &[field("count", Count), field("blocks", Objects)],
    }
    takes {
        /// At most this many
        max: u32 = 50 => option("--max", "COUNT"),
    }
}
