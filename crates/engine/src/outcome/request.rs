//! The requests of `outcome` and `retract_outcome`.

use crate::request::request;

request! {
    /// Record how well blocks served, so that the memory learns from it.
    pub struct Outcome: "outcome" {
        command: "outcome",
        profile: Core,
        effect: Writes,
        when: "You used recalled blocks and know how it went.",
        when_not: "You only read them, or do not know yet.",
        cost: "Instant. No model is asked.",
        returns: "OutcomeResult: what moved, and each block that learned nothing with the reason.",
        next: "Nothing. retract_outcome() takes it back.",
        example: "elfmem outcome 1f3a 9c02 --signal 0.9",
        tool: "Record how well recalled blocks served. Use when you know how it went.",
        answers: &[
            field("outcome_id", Text),
            field("blocks_updated", Count),
            field("mean_confidence_delta", Number),
            field("edges_reinforced", Count),
            field("blocks_penalized", Count),
            field("outcome_edges_created", Count),
            field("edges_at_cap", Count),
            field("displaced_edges", Objects),
            field("repeated", Flag),
            field("skipped", Objects),
            optional("promoted", Objects),
        ],
    }
    needs {
        /// The blocks you used
        block_ids: [String] => place("BLOCK").also(&["block_id", "block", "blocks", "id"]),
        /// How well they served, 0 (harmful) to 1 (perfect)
        signal: f64 => option("--signal", "SIGNAL").short('s'),
    }
    takes {
        /// How much it counts; 1 is an ordinary outcome
        weight: f64 = 1.0 => option("--weight", "WEIGHT").short('w').advanced(),
        /// Who says so
        source: String => option("--source", "NAME").advanced(),
        /// An id of your own, so that sending it again counts once
        outcome_id: String => option("--id", "ID").advanced(),
    }
}

request! {
    /// Take an outcome back: confidence becomes what the other outcomes say.
    pub struct RetractOutcome: "retract_outcome" {
        command: "outcome --retract",
        profile: All,
        effect: Destroys,
        when: "An outcome was recorded by mistake, however long ago.",
        when_not: "It was right at the time and things have changed: record a new one.",
        cost: "Instant. No model is asked.",
        returns: "RetractResult: how many blocks moved and by how much.",
        next: "Nothing.",
        example: "elfmem outcome --retract 00c0ffee00c0ffee",
        answers: &[field("outcome_id", Text), field("blocks_updated", Count), field("mean_confidence_delta", Number)],
    }
    needs {
        /// The outcome_id that outcome() gave
        outcome_id: String => option("--retract", "ID"),
    }
}
