//! The requests that list and change frames.

use crate::render::TEMPLATES;
use crate::request::{parameter_group, request};

/// The weights of a frame: similarity, confidence, recency, centrality, reinforcement.
pub type FrameWeights = [f64; 5];

parameter_group! {
    /// What a frame consists of. What is not given stays as it is, or has a default in a new frame.
    pub(crate) struct FrameDefinition in definition with frame_definition_setters {
        /// Similarity, confidence, recency, centrality, reinforcement; they sum to one
        weights: FrameWeights => option("--weights", "S,C,R,C,R"),
        /// Only blocks with one of these tags
        tags: (String) => option("--tag", "PATTERN").short('t'),
        /// No blocks with one of these tags
        exclude_tags: (String) => option("--exclude-tag", "PATTERN"),
        /// Only blocks of these categories
        categories: (String) => option("--category", "CATEGORY").short('c'),
        /// Always show blocks with one of these tags
        guarantees: (String) => option("--guarantee", "PATTERN"),
        /// Maximum length in tokens
        budget: u32 => option("--budget", "TOKENS"),
        /// How it is rendered
        template: String => option("--template", "NAME").one_of(&TEMPLATES),
        /// Only blocks of the last so many active hours; 0 for all
        window: f64 => option("--window", "HOURS"),
        /// For how many seconds a rendering may be served again; 0 for not at all
        cache: u64 => option("--cache", "SECONDS"),
    }
}

request! {
    /// List the frames there are.
    pub struct ListFrames: "frames" {
        command: "frame ls",
        profile: All,
        effect: Reads,
        when: "You want to know which contexts can be rendered and how they weigh.",
        when_not: "You want one rendered: frame().",
        cost: "Instant. One read.",
        returns: "The frames with weights, filters, guarantees, budget and template.",
        next: "add_frame() for your own.",
        example: "elfmem frame ls",
        answers: &[field("count", Count), field("frames", Objects)],
    }
}

request! {
    /// Add a frame of your own.
    pub struct AddFrame: "add_frame" {
        command: "frame add",
        profile: All,
        effect: Writes,
        when: "A kind of work needs its own view: other weights, only some tags, another budget.",
        when_not: "One question needs a filter: give recall() the tags.",
        cost: "Instant. One write.",
        returns: "FrameStored: the frame as it is now.",
        next: "frame() renders it.",
        example: "elfmem frame add review --weights 0.5,0.2,0.1,0.1,0.1 --tag 'topic/review%' --budget 800",
        answers: &[field("created", Flag), field("frame", Object)],
    }
    needs {
        /// Its name
        name: String => place("NAME"),
    }
    shares { definition: FrameDefinition with frame_definition_setters }
}

request! {
    /// Change a frame; what is not given stays.
    pub struct EditFrame: "edit_frame" {
        command: "frame edit",
        profile: All,
        effect: Writes,
        when: "A frame shows too much, too little or the wrong kind.",
        when_not: "It is about one question only.",
        cost: "Instant. One write.",
        returns: "FrameStored: the frame as it is now.",
        next: "frame() renders it; undo() takes the change back.",
        example: "elfmem frame edit attention --budget 1500",
        answers: &[field("created", Flag), field("frame", Object)],
    }
    needs {
        /// Its name
        name: String => place("NAME"),
    }
    shares { definition: FrameDefinition with frame_definition_setters }
}

request! {
    /// Remove a frame of your own.
    pub struct RemoveFrame: "remove_frame" {
        command: "frame rm",
        profile: All,
        effect: Destroys,
        when: "Nobody uses it any more.",
        when_not: "It is one of the five that come with the memory: those stay.",
        cost: "Instant. One write.",
        returns: "FrameRemoved: the frame as it was.",
        next: "undo() brings it back.",
        example: "elfmem frame rm review",
        answers: &[field("frame", Object)],
    }
    needs {
        /// Its name
        name: String => place("NAME"),
    }
}
