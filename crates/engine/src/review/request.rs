//! The requests of `review` and `keep_replaced`.

use crate::request::request;

request! {
    /// List the blocks that dreams replaced and that nobody has reviewed.
    pub struct ReviewReplaced: "review" {
        command: "dream --review",
        profile: All,
        effect: Reads,
        when: "status() says that dreams replaced blocks, and you want to see whether they were right.",
        when_not: "You want one dream back as a whole: undo() it.",
        cost: "Fast. One read.",
        returns: "The replaced blocks: block_id, content, kind (duplicate, paraphrase, update), reason, and the block \
                  that holds their place.",
        next: "keep_replaced() if a replacement is right, restore() the block if it is still true, edit() the other \
               one to merge the two.",
        example: "elfmem dream --review",
        answers: &[field("count", Count), field("replaced", Objects)],
    }
    takes {
        /// Also those that were kept in an earlier review
        all: bool => flag("--all"),
    }
}

request! {
    /// Keep replacements that dreams made; they are not listed for review any more.
    pub struct KeepReplaced: "keep_replaced" {
        command: "dream --keep",
        profile: All,
        effect: Writes idempotent,
        when: "review() lists a replacement that is right.",
        when_not: "The replaced block is still true: restore() it.",
        cost: "Fast. One transaction.",
        returns: "KeepReplacedResult: the blocks, and how many wait for a review.",
        next: "Nothing.",
        example: "elfmem dream --keep all",
        answers: &[field("kept", Texts), field("left", Count)],
    }
    needs {
        /// Blocks that were replaced rightly, or all: they leave the review
        blocks: [String] => option("--keep", "BLOCK").also(&["block_ids", "block_id", "block", "id"]),
    }
}
