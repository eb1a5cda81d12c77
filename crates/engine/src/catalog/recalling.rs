//! Asking, and the frames to ask in.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field, maybe};

const TOP_K: Parameter = Parameter::new("top_k", Kind::Count, "--top-k", "How many blocks").default("5");
const TAGS: Parameter =
    Parameter::new("tags", Kind::Texts, "--tag", "Only blocks with all these tags; % stands for anything").more();
const CATEGORY: Parameter = Parameter::new("category", Kind::Text, "--category", "Only blocks of a category").more();
const CONTEXTS: Parameter = Parameter::new(
    "contexts",
    Kind::Texts,
    "--context",
    "Only blocks that belong to one of these contexts (type:name)",
)
.more();
const SINCE: Parameter = Parameter::new("since", Kind::Time, "--since", "Only what happened at or after this").more();
const UNTIL: Parameter = Parameter::new("until", Kind::Time, "--until", "Only what happened before this").more();
const AS_OF: Parameter =
    Parameter::new("as_of_event", Kind::Time, "--as-of-event", "Ask as if it were then: only what had happened").more();
const PREVIEW: Parameter = Parameter::new("preview", Kind::Flag, "--preview", "Look without counting it as use").more();
const NO_CONTIGUITY: Parameter = Parameter::new(
    "no_contiguity",
    Kind::Flag,
    "--no-contiguity",
    "Leave out what was stored right before and after, and in the same session",
)
.more();

const FRAME_NAME: Parameter = Parameter::new("name", Kind::Text, "NAME", "Its name").required();
const DEFINITION: [Parameter; 9] = [
    Parameter::new(
        "weights",
        Kind::Numbers,
        "--weights",
        "Similarity, confidence, recency, centrality, reinforcement; they sum to one",
    ),
    Parameter::new("tags", Kind::Texts, "--tag", "Let in only blocks with one of these tags"),
    Parameter::new("exclude_tags", Kind::Texts, "--exclude-tag", "Keep out blocks with one of these tags"),
    Parameter::new("categories", Kind::Texts, "--category", "Let in only blocks of these categories"),
    Parameter::new("guarantees", Kind::Texts, "--guarantee", "Always show blocks with one of these tags"),
    Parameter::new("budget", Kind::Count, "--budget", "The longest it may be, in tokens"),
    Parameter::new("template", Kind::Choice(&crate::render::TEMPLATES), "--template", "How it is rendered"),
    Parameter::new("window", Kind::Number, "--window", "How many active hours back it looks; 0 for everything"),
    Parameter::new("cache", Kind::Count, "--cache", "For how many seconds a rendering may be served again"),
];
const FRAME_PARAMETERS: [Parameter; 10] = {
    let [weights, tags, exclude, categories, guarantees, budget, template, window, cache] = DEFINITION;
    [FRAME_NAME, weights, tags, exclude, categories, guarantees, budget, template, window, cache]
};

pub(super) const VERBS: &[Verb] = &[
    Verb {
        id: VerbId::Recall,
        name: "recall",
        aliases: &[],
        command: "recall",
        profile: Profile::Core,
        effect: Effect::Reads,
        parameters: &[
            Parameter::new("query", Kind::Text, "QUERY", "What you want to know, in your own words").required(),
            TOP_K,
            Parameter::new("frame", Kind::Text, "--frame", "Ask in a frame").default("search").more(),
            TAGS,
            CATEGORY,
            CONTEXTS,
            SINCE,
            UNTIL,
            AS_OF,
            PREVIEW,
            NO_CONTIGUITY,
        ],
        fields: &[
            field("query", Kind::Text),
            field("frame", Kind::Text),
            maybe("strength", Kind::Text),
            maybe("relevance", Kind::Number),
            field("blocks", Kind::Objects),
            field("left_out", Kind::Objects),
            maybe("message", Kind::Text),
        ],
        card: Card {
            what: "Find the blocks that answer a question best.",
            when: "You need a fact, preference or decision from before; at the start of a task, ask for what concerns it.",
            when_not: "You want a ready context for a prompt: frame() renders one.",
            cost: "Fast. About a millisecond with the built-in embedder; a hosted one is asked once.",
            returns: "RecallResult: blocks, best first, each with id, content, score and why; strength says whether the \
                      answer is strong, doubtful or weak. Inbox blocks are found too.",
            next: "After using them, outcome() with their ids says how well they served.",
            example: "elfmem recall \"who can't eat nuts?\" --top-k 3",
        },
    },
    Verb {
        id: VerbId::Frame,
        name: "frame",
        aliases: &[],
        command: "frame",
        profile: Profile::Core,
        effect: Effect::Reads,
        parameters: &[
            Parameter::new("name", Kind::Text, "NAME", "self, attention, task, simulate, search, or your own")
                .required(),
            Parameter::new("query", Kind::Text, "QUERY", "What it is about; without one, what matters most"),
            TOP_K,
            TAGS,
            CATEGORY,
            CONTEXTS,
            SINCE,
            UNTIL,
            AS_OF,
            PREVIEW,
            NO_CONTIGUITY,
        ],
        fields: &[
            field("frame_name", Kind::Text),
            field("block_count", Kind::Count),
            field("cached", Kind::Flag),
            field("text", Kind::Text),
            field("query", Kind::Text),
            maybe("strength", Kind::Text),
            field("blocks", Kind::Objects),
            field("left_out", Kind::Objects),
            field("tokens", Kind::Count),
            field("token_budget", Kind::Count),
            maybe("message", Kind::Text),
        ],
        card: Card {
            what: "Render a context for an intent, within a budget of tokens.",
            when: "You build a prompt: self says who you are, attention what concerns a query, task the goals, simulate \
                   the minds of others.",
            when_not: "You want single blocks with their scores: recall() them.",
            cost: "Fast. Like recall; an unchanged frame comes from the cache.",
            returns: "FrameResult: text to put into the prompt (fenced as data), the blocks in it, and what the budget \
                      left out.",
            next: "outcome() with the ids of the blocks that helped.",
            example: "elfmem frame attention \"planning the release\"",
        },
    },
    Verb {
        id: VerbId::Why,
        name: "why",
        aliases: &[],
        command: "why",
        profile: Profile::All,
        effect: Effect::Reads,
        parameters: &[
            Parameter::new("query", Kind::Text, "QUERY", "The question").required(),
            Parameter::new("block", Kind::Text, "BLOCK", "Which block").required(),
            Parameter::new("frame", Kind::Text, "--frame", "Ask in a frame"),
            TOP_K,
            TAGS,
            CATEGORY,
            CONTEXTS,
            SINCE,
            UNTIL,
            AS_OF,
            NO_CONTIGUITY,
        ],
        fields: &[
            field("block_id", Kind::Text),
            field("query", Kind::Text),
            field("frame", Kind::Text),
            field("stage", Kind::Text),
            maybe("rank", Kind::Count),
            maybe("score", Kind::Number),
            field("relevance", Kind::Number),
            field("matched", Kind::Texts),
            field("reason", Kind::Text),
            maybe("remedy", Kind::Text),
            field("explain", Kind::Object),
        ],
        card: Card {
            what: "Say why a block came back for a question, or why it did not.",
            when: "You know that it is stored and recall() does not bring it.",
            when_not: "You do not know the block: list() or recall() first.",
            cost: "Fast. Like recall; nothing counts as used.",
            returns: "WhyResult: the stage it reached, its rank and score, the reason and what would bring it in.",
            next: "edit() it to add a cue or a tag, or ask with other words.",
            example: "elfmem why \"who can't eat nuts?\" 6b0c8d3a",
        },
    },
    Verb {
        id: VerbId::Frames,
        name: "frames",
        aliases: &[],
        command: "frame ls",
        profile: Profile::All,
        effect: Effect::Reads,
        parameters: &[],
        fields: &[field("count", Kind::Count), field("frames", Kind::Objects)],
        card: Card {
            what: "List the frames there are.",
            when: "You want to know which contexts can be rendered and how they weigh.",
            when_not: "You want one rendered: frame().",
            cost: "Instant. One read.",
            returns: "The frames with weights, filters, guarantees, budget and template.",
            next: "add_frame() for your own.",
            example: "elfmem frame ls",
        },
    },
    Verb {
        id: VerbId::AddFrame,
        name: "add_frame",
        aliases: &[],
        command: "frame add",
        profile: Profile::All,
        effect: Effect::Writes,
        parameters: &FRAME_PARAMETERS,
        fields: &[field("created", Kind::Flag), field("frame", Kind::Object)],
        card: Card {
            what: "Add a frame of your own.",
            when: "A kind of work needs its own view: other weights, only some tags, another budget.",
            when_not: "One question needs a filter: give recall() the tags.",
            cost: "Instant. One write.",
            returns: "FrameStored: the frame as it is now.",
            next: "frame() renders it.",
            example: "elfmem frame add review --weights 0.5,0.2,0.1,0.1,0.1 --tag 'topic/review%' --budget 800",
        },
    },
    Verb {
        id: VerbId::EditFrame,
        name: "edit_frame",
        aliases: &[],
        command: "frame edit",
        profile: Profile::All,
        effect: Effect::Writes,
        parameters: &FRAME_PARAMETERS,
        fields: &[field("created", Kind::Flag), field("frame", Kind::Object)],
        card: Card {
            what: "Change a frame; what is not given stays.",
            when: "A frame shows too much, too little or the wrong kind.",
            when_not: "It is about one question only.",
            cost: "Instant. One write.",
            returns: "FrameStored: the frame as it is now.",
            next: "frame() renders it; undo() takes the change back.",
            example: "elfmem frame edit attention --budget 1500",
        },
    },
    Verb {
        id: VerbId::RemoveFrame,
        name: "remove_frame",
        aliases: &[],
        command: "frame rm",
        profile: Profile::All,
        effect: Effect::Destroys,
        parameters: &[FRAME_NAME],
        fields: &[field("frame", Kind::Object)],
        card: Card {
            what: "Take a frame of your own away.",
            when: "Nobody uses it any more.",
            when_not: "It is one of the five that come with the memory: those stay.",
            cost: "Instant. One write.",
            returns: "FrameRemoved: the frame as it was.",
            next: "undo() brings it back.",
            example: "elfmem frame rm review",
        },
    },
];
