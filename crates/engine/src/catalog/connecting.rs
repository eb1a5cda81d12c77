//! Edges, outcomes and contradictions: how blocks hold together and how well they serve.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field, sometimes};

pub(super) const VERBS: &[Verb] = &[
    Verb {
        id: VerbId::Outcome,
        name: "outcome",
        aliases: &[],
        command: "outcome",
        profile: Profile::Core,
        effect: Effect::Writes,
        idempotent: false,
        parameters: &[
            Parameter::new("block_ids", Kind::Texts, "BLOCK", "The blocks you used").required(),
            Parameter::new("signal", Kind::Number, "--signal", "How well they served, 0 (harmful) to 1 (perfect)")
                .required(),
            Parameter::new("weight", Kind::Number, "--weight", "How much that counts, in ordinary outcomes")
                .default("1")
                .more(),
            Parameter::new("source", Kind::Text, "--source", "Who says so").more(),
            Parameter::new(
                "outcome_id",
                Kind::Text,
                "--id",
                "A name of your own, so that sending it again counts once",
            )
            .more(),
        ],
        fields: &[
            field("outcome_id", Kind::Text),
            field("blocks_updated", Kind::Count),
            field("mean_confidence_delta", Kind::Number),
            field("edges_reinforced", Kind::Count),
            field("blocks_penalized", Kind::Count),
            field("outcome_edges_created", Kind::Count),
            field("edges_at_cap", Kind::Count),
            field("displaced_edges", Kind::Objects),
            field("repeated", Kind::Flag),
            field("skipped", Kind::Objects),
        ],
        card: Card {
            what: "Record how well blocks served, so that the memory learns from it.",
            when: "You used recalled blocks and know how it went.",
            when_not: "You only read them, or do not know yet.",
            cost: "Instant. No model is asked.",
            returns: "OutcomeResult: what moved, and each block that learned nothing with the reason.",
            next: "Nothing. retract_outcome() takes it back.",
            example: "elfmem outcome 1f3a 9c02 --signal 0.9",
        },
    },
    Verb {
        id: VerbId::RetractOutcome,
        name: "retract_outcome",
        aliases: &[],
        command: "outcome --retract",
        profile: Profile::All,
        effect: Effect::Destroys,
        idempotent: false,
        parameters: &[
            Parameter::new("outcome_id", Kind::Text, "--retract", "The outcome_id that outcome() gave").required()
        ],
        fields: &[
            field("outcome_id", Kind::Text),
            field("blocks_updated", Kind::Count),
            field("mean_confidence_delta", Kind::Number),
        ],
        card: Card {
            what: "Take an outcome back: confidence becomes what the other outcomes say.",
            when: "An outcome was recorded by mistake, however long ago.",
            when_not: "It was right at the time and things have changed: record a new one.",
            cost: "Instant. No model is asked.",
            returns: "RetractResult: how many blocks moved and by how much.",
            next: "Nothing.",
            example: "elfmem outcome --retract 00c0ffee00c0ffee",
        },
    },
    Verb {
        id: VerbId::Contradictions,
        name: "contradictions",
        aliases: &[],
        command: "contradictions",
        profile: Profile::All,
        effect: Effect::Reads,
        idempotent: false,
        parameters: &[Parameter::new("all", Kind::Flag, "--all", "Settled ones too")],
        fields: &[field("count", Kind::Count), field("contradictions", Kind::Objects)],
        card: Card {
            what: "List blocks that contradict each other, with both texts and why.",
            when: "consolidate() reported some, or an answer looks wrong.",
            when_not: "You look for one topic: recall() marks what is contradicted.",
            cost: "Fast. One read.",
            returns: "The contradictions, the newest first.",
            next: "resolve_contradiction() settles one.",
            example: "elfmem contradictions",
        },
    },
    Verb {
        id: VerbId::ResolveContradiction,
        name: "resolve_contradiction",
        aliases: &[],
        command: "contradictions resolve",
        profile: Profile::All,
        effect: Effect::Writes,
        idempotent: false,
        parameters: &[
            Parameter::new("a", Kind::Text, "BLOCK", "One block").required(),
            Parameter::new("b", Kind::Text, "OTHER", "The other").required(),
            Parameter::new("keep", Kind::Text, "--keep", "This block holds; the other is archived"),
            Parameter::new("both", Kind::Text, "--both", "Both hold, and why"),
            Parameter::new("replace", Kind::Text, "--replace", "Neither holds: this text takes their place"),
        ],
        fields: &[
            field("action", Kind::Text),
            field("kept", Kind::Texts),
            field("archived", Kind::Texts),
            sometimes("redacted", Kind::Object),
        ],
        card: Card {
            what: "Settle a contradiction: keep one, both, or a new text. Give exactly one of keep, both, replace.",
            when: "You know, or the user told you, what holds.",
            when_not: "You are guessing: ask first.",
            cost: "Instant. No model is asked.",
            returns: "ResolveResult: which blocks are kept and which archived; archived ones can come back.",
            next: "undo() takes it back.",
            example: "elfmem contradictions resolve 1f3a 9c02 --keep 9c02",
        },
    },
];
