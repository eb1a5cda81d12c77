//! The request of `graduate`.

use crate::request::request;

request! {
    /// Promote repeated mistakes to patterns, and proven patterns to skills.
    pub struct Graduate: "graduate" {
        command: "graduate",
        profile: Locus,
        effect: Writes,
        when: "You do not want to wait for consolidate(), or know that something is ready.",
        when_not: "You say it yourself: store_event() with derived_from or extends links.",
        cost: "Fast. With an analyst that writes, a call for each new step.",
        returns: "GraduateResult: the steps, and whether they were proposed or done. A contradicted skill is demoted.",
        next: "accept_proposals(); chain() shows what stands behind a skill.",
        example: "elfmem graduate --dry-run",
        answers: &[
            field("steps", Objects),
            field("proposed", Count),
            field("applied", Flag),
            field("dry_run", Flag),
            field("warnings", Texts),
        ],
    }
    takes {
        /// This mistake or pattern, however often it was seen; without one, all that is ready
        block_id: String => place("BLOCK").also(&["block", "id"]),
        /// What the pattern or the skill says
        text: String => option("--text", "TEXT").requires("block_id"),
        /// Do it instead of proposing it
        apply: bool => flag("--apply"),
        /// Only say what is ready
        dry_run: bool => flag("--dry-run"),
    }
}
