//! Storing, and what becomes of it.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field, maybe};

pub(super) const VERBS: &[Verb] = &[
    Verb {
        id: VerbId::Consolidate,
        name: "consolidate",
        aliases: &["dream"],
        command: "dream",
        profile: Profile::Core,
        effect: Effect::Writes,
        idempotent: false,
        parameters: &[
            Parameter::new("max", Kind::Count, "--max", "At most this many blocks, the oldest first"),
            Parameter::new("dry_run", Kind::Flag, "--dry-run", "Only say what would happen"),
            Parameter::new("rescore", Kind::Count, "--rescore", "Also analyse so many aged active blocks again").more(),
            Parameter::new(
                "analyses",
                Kind::Object,
                "--analyses",
                "Your own analyses of pending() blocks, by block id",
            )
            .more(),
        ],
        fields: &[
            field("processed", Kind::Count),
            field("promoted", Kind::Count),
            field("deduplicated", Kind::Count),
            field("edges_created", Kind::Count),
            field("superseded", Kind::Count),
            field("contradictions_detected", Kind::Count),
            field("analysis_failed", Kind::Count),
            field("left", Kind::Count),
            field("waiting", Kind::Count),
            field("rescored", Kind::Count),
            field("only_rescored", Kind::Flag),
            field("proposed", Kind::Count),
            field("graduated", Kind::Count),
            field("dry_run", Kind::Flag),
            field("decisions", Kind::Objects),
            field("contradictions", Kind::Objects),
            field("warnings", Kind::Texts),
            maybe("curated", Kind::Object),
        ],
        card: Card {
            what: "Work through the inbox: find repetitions and contradictions, link and promote what is new.",
            when: "At a pause, at the end of a session, or when status() says the inbox is full.",
            when_not: "After every learn(): what waits in the inbox can be recalled already.",
            cost: "Slow (batch). Milliseconds a block with the built-in models; one LLM call a block with an LLM analyst.",
            returns: "ConsolidateResult: the counts, and each rejected, superseded, contradicted or failed block with its \
                      reason.",
            next: "Settle contradictions with resolve_contradiction(), decide proposals().",
            example: "elfmem dream --dry-run",
        },
    },
    Verb {
        id: VerbId::Pending,
        name: "pending",
        aliases: &[],
        command: "dream --pending",
        profile: Profile::All,
        effect: Effect::Reads,
        idempotent: false,
        parameters: &[Parameter::new("max", Kind::Count, "--max", "At most this many").default("50")],
        fields: &[field("count", Kind::Count), field("blocks", Kind::Objects)],
        card: Card {
            what: "List the inbox blocks that wait for an analysis, for you to make it yourself.",
            when: "No LLM is configured and you want better tags, summaries and contradictions than rules give.",
            when_not: "An LLM analyst is configured, or the rules are good enough.",
            cost: "Fast. One read.",
            returns: "The blocks: block_id, content, category, tags.",
            next: "consolidate(analyses={block_id: {alignment, tags, summary, contradictions}}).",
            example: "elfmem dream --pending --json",
        },
    },
    Verb {
        id: VerbId::Curate,
        name: "curate",
        aliases: &[],
        command: "curate",
        profile: Profile::Core,
        effect: Effect::Writes,
        idempotent: false,
        parameters: &[
            Parameter::new("prune_threshold", Kind::Number, "--prune-threshold", "Archive blocks with less recency")
                .default("0.05")
                .more(),
            Parameter::new(
                "edge_prune_threshold",
                Kind::Number,
                "--edge-prune-threshold",
                "Drop edges with less weight",
            )
            .default("0.1")
            .more(),
            Parameter::new(
                "reinforce_top_n",
                Kind::Count,
                "--reinforce-top-n",
                "Keep so many of the best blocks fresh",
            )
            .default("5")
            .more(),
            Parameter::new("protect_bridges", Kind::Flag, "--protect-bridges", "Keep blocks that hold others together")
                .more(),
            Parameter::new(
                "reinforce_constitutional",
                Kind::Flag,
                "--reinforce-constitutional",
                "Keep every constitutional block fresh",
            )
            .more(),
        ],
        fields: &[
            field("archived", Kind::Count),
            field("edges_pruned", Kind::Count),
            field("reinforced", Kind::Count),
            field("edges_decayed", Kind::Count),
            field("edges_over_cap", Kind::Count),
            field("constitutional_reinforced", Kind::Count),
            field("archived_ids", Kind::Texts),
            field("reinforced_ids", Kind::Texts),
            field("pinned_kept", Kind::Texts),
            field("bridges_kept", Kind::Texts),
        ],
        card: Card {
            what: "Archive what has faded, drop weak edges, keep the best blocks fresh.",
            when: "Seldom: it runs by itself when 40 active hours have passed. After a big clean-up, perhaps.",
            when_not: "Recall is merely noisy: say so with outcome().",
            cost: "Fast. About a second for 100,000 blocks.",
            returns: "CurateResult: counts and the ids of what was archived and kept.",
            next: "undo() takes the whole of it back; restore() one block.",
            example: "elfmem curate",
        },
    },
    Verb {
        id: VerbId::MigrateEmbeddings,
        name: "migrate_embeddings",
        aliases: &[],
        command: "migrate-embeddings",
        profile: Profile::All,
        effect: Effect::Writes,
        idempotent: true,
        parameters: &[],
        fields: &[
            maybe("from_model", Kind::Text),
            field("to_model", Kind::Text),
            field("embedded", Kind::Count),
            field("resumed", Kind::Count),
        ],
        card: Card {
            what: "Embed everything again with the model in use.",
            when: "The model was changed, and errors or status() say that another one filled the memory.",
            when_not: "Nothing was changed.",
            cost: "Slow (batch). Every block is embedded; it goes on where it was stopped.",
            returns: "MigrateResult: both models and how many blocks were embedded.",
            next: "recall() as before.",
            example: "elfmem migrate-embeddings",
        },
    },
];
