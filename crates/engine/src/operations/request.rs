//! The requests of `history` and `log`.

use elfmem_core::Timestamp;

use crate::request::request;

request! {
    /// List the operations, and which of them were undone.
    pub struct ListOperations: "history" {
        command: "history",
        profile: All,
        effect: Reads,
        when: "A result surprises you and you want to know what ran, by whom.",
        when_not: "You want the changes of one block: log() them.",
        cost: "Fast. One read. The library's history() tells of its own process only, from its head.",
        returns: "The operations, the newest first, each with its number and whether it was undone.",
        next: "undo() with a number.",
        example: "elfmem history --limit 5",
        answers: &[
            field("count", Count),
            nullable("total", Count),
            field("operations", Objects),
            nullable("undo_window", Object),
        ],
    }
    takes {
        /// At most this many, the newest
        limit: u32 = 20 => option("--limit", "COUNT").short('n').also(&["top_k"]),
        /// Only what ran at or after this
        since: Timestamp => option("--since", "TIME"),
    }
}

request! {
    /// Show what changed, when and by whom, value by value.
    pub struct ReadLog: "log" {
        command: "log",
        profile: All,
        effect: Reads,
        when: "You want to know how a block became what it is.",
        when_not: "The operations alone are enough: history().",
        cost: "Fast. One read.",
        returns: "The journal, the newest first, each change with before and after.",
        next: "undo() with a number.",
        example: "elfmem log 6b0c8d3a",
        answers: &[field("count", Count), field("operations", Objects)],
    }
    takes {
        /// Only what changed this block
        block_id: String => place("BLOCK").also(&["block", "id"]),
        /// At most this many, the newest
        limit: u32 = 20 => option("--limit", "COUNT").short('n').also(&["top_k"]),
    }
}
