//! Asking, and the frames to ask in.

use super::{Card, Effect, Kind, Parameter, Profile, Verb, VerbId, field};

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
        id: VerbId::Frames,
        name: "frames",
        aliases: &[],
        command: "frame ls",
        profile: Profile::All,
        effect: Effect::Reads,
        idempotent: false,
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
        idempotent: false,
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
        idempotent: false,
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
        idempotent: false,
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
