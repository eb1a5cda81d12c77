//! The request of `generate_insights`.

use crate::recall::{ContextFilter, ContextTypes, context_filter_setters};
use crate::request::request;

request! {
    /// Summarise what the memory holds about a task, with references.
    pub struct GenerateInsights: "generate_insights" {
        command: "insights",
        aliases: ["insights"],
        profile: Locus,
        effect: Reads,
        when: "You begin a task and want what was learned that bears on it.",
        when_not: "You want the memories themselves: retrieve_memories().",
        cost: "Fast. With an analyst that writes, two calls to it.",
        returns: "InsightResult: an insight, a recommendation, how sure it is, and the memories they cite.",
        next: "chain() of a source.",
        example: "elfmem insights \"add a form to the React app\"",
        answers: &[
            field("task", Text),
            field("insight", Text),
            field("recommendation", Text),
            field("confidence", Text),
            field("sources", Objects),
            field("written_by", Text),
            field("warnings", Texts),
        ],
    }
    needs {
        /// What is to be done
        task: String => words("TASK"),
    }
    shares { places: ContextFilter with context_filter_setters }
    takes {
        /// What to look for, where that is not the task itself
        locus_query: String => option("--query", "TEXT"),
        /// How many memories to use
        limit: usize = 5 => option("--limit", "COUNT").also(&["top_k"]),
    }
}
