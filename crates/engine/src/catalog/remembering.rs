//! Storing, and what becomes of it.

use super::{ALLOW_SECRETS, Card, Effect, Kind, Parameter, Profile, SOURCE, Verb, VerbId, field, maybe, sometimes};

const TAGS: Parameter = Parameter::new("tags", Kind::Texts, "--tag", "Tags, such as topic/db or self/value");
const CATEGORY: Parameter =
    Parameter::new("category", Kind::Text, "--category", "The kind of knowledge").default("knowledge");

pub(super) const VERBS: &[Verb] = &[
    Verb {
        id: VerbId::Learn,
        name: "learn",
        aliases: &["remember"],
        command: "remember",
        profile: Profile::Core,
        effect: Effect::Writes,
        parameters: &[
            Parameter::new("content", Kind::Text, "TEXT", "What to remember: one fact, with its names and dates")
                .required(),
            TAGS,
            CATEGORY,
            Parameter::new("cues", Kind::Texts, "--cue", "When it should come to mind, in the words of that moment"),
            Parameter::new("event_at", Kind::Time, "--event-at", "When what it tells of happened").more(),
            SOURCE,
            ALLOW_SECRETS,
        ],
        fields: &[field("block_id", Kind::Text), field("status", Kind::Text), sometimes("redacted", Kind::Object)],
        card: Card {
            what: "Store a knowledge block for future retrieval.",
            when: "You discover a fact, preference, decision or observation worth remembering across sessions.",
            when_not: "It only matters in this turn, or it is in the prompt already.",
            cost: "Instant. No model is asked.",
            returns: "LearnResult. status: 'created' (stored in the inbox), 'duplicate_rejected' (that content is there \
                      already), 'near_duplicate_superseded' (it replaced a similar block), \
                      'echo' (it repeats what was recalled in this session: nothing new).",
            next: "It can be recalled at once. consolidate() connects it with the rest at a pause.",
            example: "elfmem remember \"User prefers dark mode\"",
        },
    },
    Verb {
        id: VerbId::LearnDocument,
        name: "learn_document",
        aliases: &[],
        command: "learn-document",
        profile: Profile::All,
        effect: Effect::Writes,
        parameters: &[
            Parameter::new("text", Kind::Text, "FILE", "The whole text").required(),
            TAGS,
            CATEGORY,
            Parameter::new("chunk_words", Kind::Count, "--chunk-words", "How many words a block aims for")
                .default("256"),
            Parameter::new(
                "name",
                Kind::Text,
                "--name",
                "What the document is called; retract_source() takes it back by that",
            )
            .more(),
            ALLOW_SECRETS,
        ],
        fields: &[
            field("chunks", Kind::Objects),
            field("created", Kind::Count),
            field("duplicates", Kind::Count),
            field("edges_created", Kind::Count),
            sometimes("redacted", Kind::Object),
        ],
        card: Card {
            what: "Store a long text as a chain of blocks, all of it or nothing.",
            when: "A text is longer than one thought: a page, a file, a transcript.",
            when_not: "You can say it in a sentence or two: learn() that.",
            cost: "Fast. One transaction, no model is asked.",
            returns: "LearnDocumentResult: one result a block, in order, and how many are new.",
            next: "recall() finds its parts at once.",
            example: "elfmem learn-document README.md --tag topic/project",
        },
    },
    Verb {
        id: VerbId::Consolidate,
        name: "consolidate",
        aliases: &["dream"],
        command: "dream",
        profile: Profile::Core,
        effect: Effect::Writes,
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
