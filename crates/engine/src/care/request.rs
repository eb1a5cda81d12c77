//! The requests of the verbs that look at single blocks and change them.

use elfmem_core::BlockStatus;

use crate::learn::{SecretOptions, secret_option_setters};
use crate::request::{block_request, request};

request! {
    /// List blocks, the newest first.
    pub struct ListBlocks: "list" {
        command: "ls",
        aliases: ["ls"],
        profile: All,
        effect: Reads,
        when: "You want to see what is stored, by status, tag or category.",
        when_not: "You look for something: recall() it.",
        cost: "Fast. One read.",
        returns: "The blocks with all they have.",
        next: "show() one, edit() it, forget() it.",
        example: "elfmem ls --tag 'topic/%' --limit 5",
        answers: &[field("count", Count), field("total", Count), field("blocks", Objects)],
    }
    takes {
        /// Only of this status
        status: BlockStatus => option("--status", "STATUS"),
        /// Only with a tag that matches; % stands for anything
        tag: String => option("--tag", "PATTERN").short('t'),
        /// Only of this category
        category: String => option("--category", "CATEGORY").short('c'),
        /// At most this many; 0 for all
        limit: u32 = 20 => option("--limit", "COUNT").short('n').also(&["top_k"]),
    }
}

impl ListBlocks {
    /// Lists all blocks.
    pub fn all() -> Self {
        Self::new().limit(0)
    }
}

block_request! {
    /// Show everything about one block.
    pub struct ShowBlock: "show" {
        command: "show",
        profile: Core,
        effect: Reads,
        when: "You have an id and want its text, tags, edges, confidence and age.",
        when_not: "You have no id: recall() or list() first.",
        cost: "Instant. One read.",
        returns: "BlockDetails; an archived block says where it leads to.",
        next: "log() tells how it became so.",
        example: "elfmem show 6b0c8d3a",
        tool: "Show everything about one block. Use when you have its id.",
        answers: &[
            field("block_id", Text),
            field("id", Text),
            field("scope", Text),
            field("content", Text),
            nullable("summary", Text),
            nullable("cue", Text),
            field("category", Text),
            field("source", Text),
            field("tags", Texts),
            field("status", Text),
            nullable("archive_reason", Text),
            nullable("superseded_by", Text),
            field("pinned", Flag),
            field("confidence", Number),
            field("outcome_evidence", Number),
            field("reinforcement_count", Count),
            field("decay_lambda", Number),
            field("last_reinforced_at", Number),
            nullable("self_alignment", Number),
            nullable("last_scored_at", Text),
            nullable("last_session_id", Text),
            nullable("embedding_model", Text),
            nullable("token_count", Count),
            field("created_at", Text),
            nullable("event_at", Text),
            field("revision", Count),
            field("brought_by", Object),
            optional("parts", Objects),
            optional("replacement", Object),
            field("trusted", Flag),
            field("tier", Text),
            field("recency", Number),
            field("edges", Objects),
            nullable("leads_to", Object),
            optional("contradicted_by", Texts),
            optional("contradicts", Texts),
        ],
    }
}

block_request! {
    /// Change a block: tags, category and cue in place, another text by a successor.
    pub struct Edit: "edit" {
        command: "edit",
        profile: Core,
        effect: Writes,
        when: "Something stored is wrong or incomplete.",
        when_not: "Things have changed since: learn() the new fact and let consolidate() settle it.",
        cost: "Instant. No model is asked.",
        returns: "EditResult: the block's id now, and what changed. The old id leads to the new one.",
        next: "undo() takes it back.",
        example: "elfmem edit 1f3a \"The port is 5433\"",
        tool: "Correct a block: its text or tags. Use when it is wrong or incomplete.",
        answers: &[
            field("block_id", Text),
            nullable("previous", Text),
            field("changed", Texts),
            nullable("led_from", Text),
            optional("redacted", Object),
        ],
    }
    shares { secrets: SecretOptions with secret_option_setters }
    takes {
        /// The corrected text
        content: String => words("TEXT"),
        /// Tags to add
        add_tags/add_tag: [String] => option("--tag", "TAG").short('t'),
        /// Tags to take off
        remove_tags/remove_tag: [String] => option("--untag", "TAG"),
        /// Another category
        category: String => option("--category", "CATEGORY").short('c').advanced(),
        /// When it should come to mind, one cue a line; empty for none
        cue: String => option("--cue", "CUE").advanced(),
    }
}

request! {
    /// Add tags to a block.
    pub struct AddTags: "add_tags" {
        command: "tag add",
        profile: All,
        effect: Writes idempotent,
        when: "You sort what is stored, or make a block durable or part of self.",
        when_not: "You store it now: give learn() the tags.",
        cost: "Instant. One write.",
        returns: "TagResult: its tags now and how many changed.",
        next: "recall() and frames can filter by them.",
        example: "elfmem tag add 1f3a topic/db durable",
        answers: &[
            field("block_id", Text),
            field("tags", Texts),
            field("changed", Count),
            nullable("led_from", Text),
        ],
    }
    needs {
        /// Its id, or at least the first four characters
        block_id: String => place("BLOCK").also(&["block", "id"]),
        /// The tags
        tags: [String] => place("TAG"),
    }
}

request! {
    /// Take tags off a block.
    pub struct RemoveTags: "remove_tags" {
        command: "tag rm",
        profile: All,
        effect: Writes idempotent,
        when: "A tag is wrong or no longer true.",
        when_not: "The whole block is wrong: edit() or forget() it.",
        cost: "Instant. One write.",
        returns: "TagResult: its tags now and how many changed.",
        next: "undo() takes it back.",
        example: "elfmem tag rm 1f3a draft",
        answers: &[
            field("block_id", Text),
            field("tags", Texts),
            field("changed", Count),
            nullable("led_from", Text),
        ],
    }
    needs {
        /// Its id, or at least the first four characters
        block_id: String => place("BLOCK").also(&["block", "id"]),
        /// The tags
        tags: [String] => place("TAG"),
    }
}

block_request! {
    /// Archive a block: recall leaves it out, its text is kept.
    pub struct Forget: "forget" {
        command: "forget",
        profile: Core,
        effect: Destroys,
        when: "It is wrong, or the user asks to forget it.",
        when_not: "It must leave no trace: purge() it. It is merely unhelpful: outcome().",
        cost: "Instant. One write.",
        returns: "ForgetResult.",
        next: "restore() brings it back with its tags and edges.",
        example: "elfmem forget 1f3a --reason \"it was another Maria\"",
        tool: "Archive a block: recall leaves it out. Use when it is wrong, or the user asks.",
        answers: &[
            field("block_id", Text),
            nullable("reason", Text),
            field("tags_dropped", Count),
            field("edges_dropped", Count),
            nullable("led_from", Text),
        ],
    }
    takes {
        /// Why, for the log
        reason: String => option("--reason", "WHY").advanced(),
    }
}

block_request! {
    /// Bring an archived block back, with its tags and edges.
    pub struct Restore: "restore" {
        command: "restore",
        profile: All,
        effect: Writes,
        when: "It was forgotten, faded or replaced, and is wanted again.",
        when_not: "You want the whole operation back: undo() it.",
        cost: "Instant. One write.",
        returns: "RestoreResult: what came back, and what could not.",
        next: "pin() it if it must stay.",
        example: "elfmem restore 1f3a",
        answers: &[
            field("block_id", Text),
            field("status", Text),
            field("tags", Texts),
            field("edges_restored", Count),
            field("contradictions_restored", Count),
            field("left_out", Texts),
            field("warnings", Texts),
        ],
    }
}

block_request! {
    /// Protect a block from fading.
    pub struct Pin: "pin" {
        command: "pin",
        profile: All,
        effect: Writes idempotent,
        when: "It is rarely needed and must not be lost.",
        when_not: "It is used often: use keeps it fresh.",
        cost: "Instant. One write.",
        returns: "PinResult.",
        next: "unpin() lets it fade again.",
        example: "elfmem pin 1f3a",
        answers: &[
            field("block_id", Text),
            field("pinned", Flag),
            field("changed", Flag),
            nullable("led_from", Text),
        ],
    }
}

block_request! {
    /// Remove the pin of a block, so that it fades like any other.
    pub struct Unpin: "unpin" {
        command: "unpin",
        profile: All,
        effect: Writes idempotent,
        when: "It may fade again.",
        when_not: "It should go now: forget() it.",
        cost: "Instant. One write.",
        returns: "PinResult.",
        next: "Nothing.",
        example: "elfmem unpin 1f3a",
        answers: &[
            field("block_id", Text),
            field("pinned", Flag),
            field("changed", Flag),
            nullable("led_from", Text),
        ],
    }
}

request! {
    /// Replace a block by another, which inherits what it had.
    pub struct Supersede: "supersede" {
        command: "supersede",
        profile: All,
        effect: Writes,
        when: "Two blocks are stored and one replaces the other.",
        when_not: "The new text is not stored yet: edit() the old block.",
        cost: "Instant. One write.",
        returns: "SupersedeResult. The old id leads to the new one from then on.",
        next: "undo() takes it back.",
        example: "elfmem supersede 1f3a --by 9c02",
        answers: &[field("old_id", Text), field("new_id", Text), field("edges", Count)],
    }
    needs {
        /// The block that is archived
        old: String => place("BLOCK").also(&["block_id", "block", "id"]),
        /// The block that takes its place
        by: String => option("--by", "BLOCK"),
    }
}

block_request! {
    /// Remove a block and every trace of its text from the file; cannot be undone.
    pub struct Purge: "purge" {
        command: "purge",
        profile: All,
        effect: Destroys,
        when: "A secret was stored, or the user demands it.",
        when_not: "It is merely wrong: forget() keeps the way back open.",
        cost: "Slow (batch). The free pages of the file are cleaned too.",
        returns: "PurgeResult: whether it is gone, and related blocks that still hold such text.",
        next: "Look at the related blocks.",
        example: "elfmem purge 1f3a --yes",
        answers: &[
            field("block_id", Text),
            field("erased", Flag),
            field("already_purged", Flag),
            field("kin", Texts),
            field("warnings", Texts),
        ],
    }
    takes {
        /// The whole text of the block, to be sure that it is the one; over MCP and HTTP it must be given
        confirm: String => option("--confirm", "TEXT"),
    }
}
