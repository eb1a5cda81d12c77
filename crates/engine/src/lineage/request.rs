//! The requests of `blame`, `influence` and `retract_source`.

use crate::request::{block_request, request};

block_request! {
    /// Show where a block comes from: who stored it, what it was derived from, what confirmed it.
    pub struct Blame: "blame" {
        command: "blame",
        profile: All,
        effect: Reads,
        when: "You doubt a block and want to know why it is believed.",
        when_not: "You want its text and tags: show() it. You want its changes: log() them.",
        cost: "Fast. A few reads, and the operations of the block in the journal.",
        returns: "BlameResult: the source, the blocks it rests on directly and through others, and its outcomes.",
        next: "retract_source() takes everything of a bad source back.",
        example: "elfmem blame 6b0c8d3a",
        answers: &[
            field("block_id", Text),
            field("content", Text),
            field("source", Text),
            field("brought_by", Object),
            field("trusted", Flag),
            field("confidence", Number),
            nullable("stored_by", Object),
            field("rests_on", Objects),
            field("outcomes", Objects),
            nullable("undo_window", Object),
        ],
    }
}

block_request! {
    /// Show what depends on a block: what replaced it, was derived from it or is supported by it.
    pub struct Influence: "influence" {
        command: "influence",
        profile: All,
        effect: Reads,
        when: "A block turned out wrong and you want to know what else that touches.",
        when_not: "You want what the block itself rests on: blame() it.",
        cost: "Fast. A few reads.",
        returns: "InfluenceResult: the blocks that rest on it, directly and through others, and how.",
        next: "edit(), forget() or supersede() them.",
        example: "elfmem influence 6b0c8d3a",
        answers: &[field("block_id", Text), field("content", Text), field("trusted", Flag), field("supports", Objects)],
    }
}

request! {
    /// Remove everything that a source brought, and what was derived from that alone.
    pub struct RetractSource: "retract_source" {
        command: "retract",
        profile: All,
        effect: Writes,
        when: "A document, peer or tool turned out wrong or hostile.",
        when_not: "One block is wrong: forget() it. One signal was wrong: retract_outcome() it.",
        cost: "Fast. One pass over the blocks, one transaction.",
        returns: "RetractSourceResult: what is archived and why, what came back into its place, what was kept \
                  because something else supports it.",
        next: "undo() takes the whole of it back.",
        example: "elfmem retract --source document --dry-run",
        answers: &[
            field("source", Text),
            field("retracted", Objects),
            field("restored", Texts),
            field("outcomes_retracted", Count),
            field("proposals_removed", Count),
            field("kept", Objects),
            field("dry_run", Flag),
            field("warnings", Texts),
        ],
    }
    needs {
        /// A source, document, client, peer or surface, as blame() names them
        source: String => option("--source", "NAME"),
    }
    takes {
        /// Only say what would happen
        dry_run: bool => flag("--dry-run"),
    }
}
