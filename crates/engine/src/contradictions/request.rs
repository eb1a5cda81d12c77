//! The requests of `contradictions` and `resolve_contradiction`.

use crate::request::request;

request! {
    /// List blocks that contradict each other, with both texts and why.
    pub struct ListContradictions: "contradictions" {
        command: "contradictions",
        profile: All,
        effect: Reads,
        when: "consolidate() reported some, or an answer looks wrong.",
        when_not: "You look for one topic: recall() marks what is contradicted.",
        cost: "Fast. One read.",
        returns: "The contradictions, the newest first.",
        next: "resolve_contradiction() settles one.",
        example: "elfmem contradictions",
        answers: &[field("count", Count), field("contradictions", Objects)],
    }
    takes {
        /// Settled ones too
        all: bool => flag("--all"),
    }
}

request! {
    /// Settle a contradiction: keep one, both, or a new text. Give exactly one of keep, both, replace.
    pub struct ResolveContradiction: "resolve_contradiction" {
        command: "contradictions resolve",
        profile: All,
        effect: Writes,
        when: "You know, or the user told you, what holds.",
        when_not: "You are guessing: ask first.",
        cost: "Instant. No model is asked.",
        returns: "ResolveResult: which blocks are kept and which archived; archived ones can come back.",
        next: "undo() takes it back.",
        example: "elfmem contradictions resolve 1f3a 9c02 --keep 9c02",
        answers: &[
            field("action", Text),
            field("kept", Texts),
            field("archived", Texts),
            optional("redacted", Object),
        ],
    }
    needs {
        /// One block
        a: String => place("BLOCK"),
        /// The other
        b: String => place("OTHER"),
    }
    takes {
        /// This block holds; the other is archived
        keep: String => option("--keep", "BLOCK").choose_one("resolution"),
        /// Both hold, and why
        both: String => option("--both", "NOTE").choose_one("resolution"),
        /// Neither holds: this text takes their place
        replace: String => option("--replace", "TEXT").choose_one("resolution"),
    }
}
