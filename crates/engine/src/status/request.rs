//! The request of `status`.

use crate::request::request;

request! {
    /// Show the health of the memory and what to do next.
    pub struct Status: "status" {
        command: "status",
        profile: Core,
        effect: Reads,
        when: "You decide whether to consolidate, or something looks wrong.",
        when_not: "Before every call: verbs say themselves what is wrong.",
        cost: "Fast. One read.",
        returns: "SystemStatus: counts, session, health ('good', 'attention', 'degraded') and a suggestion.",
        next: "Follow the suggestion.",
        example: "elfmem status",
        tool: "Show how healthy the memory is and what to do next. Use when it looks wrong.",
        answers: &[
            field("session_active", Flag),
            nullable("session_hours", Number),
            field("inbox_count", Count),
            field("inbox_threshold", Count),
            field("active_count", Count),
            field("archived_count", Count),
            field("replaced_count", Count),
            field("contradiction_count", Count),
            field("proposal_count", Count),
            field("total_active_hours", Number),
            field("last_consolidated", Text),
            field("health", Text),
            field("suggestion", Text),
            optional("calibration", Object),
        ],
    }
    takes {
        /// Also show how outcomes calibrated relevance
        calibration: bool => flag("--calibration").advanced(),
    }
}
