//! The requests of `learn`, `learn_messages` and `learn_document`.

use elfmem_core::Timestamp;

use super::ConversationMessage;
use crate::request::{parameter_group, request};

parameter_group! {
    /// What blocks are labelled with.
    pub(crate) struct BlockLabels in labels with block_label_setters {
        /// Tags, such as topic/db or self/value
        tags/tag: [String] => option("--tag", "TAG").short('t'),
        /// The kind of knowledge
        category: String = "knowledge" => option("--category", "CATEGORY").short('c'),
    }
}

parameter_group! {
    /// What becomes of secrets in a text.
    pub(crate) struct SecretOptions in secrets with secret_option_setters {
        /// Store keys, tokens and passwords as they are instead of redacting them
        allow_secrets: bool => flag("--allow-secrets").advanced(),
    }
}
#[expect(clippy::single_component_path_imports, reason = "a macro needs a path for other modules")]
pub(crate) use secret_option_setters;

request! {
    /// Store a knowledge block for future retrieval.
    pub struct Learn: "learn" {
        command: "remember",
        aliases: ["remember"],
        profile: Core,
        effect: Writes idempotent,
        when: "The agent discovers a fact, preference, decision, or observation worth remembering across sessions.",
        when_not: "Transient context that only matters in the current turn, or information already in the active \
                   prompt.",
        cost: "Instant. No LLM calls.",
        returns: "LearnResult. status values: 'created' (new block stored in inbox), 'duplicate_rejected' (exact \
                  content already exists), 'near_duplicate_superseded' (similar block replaced), 'echo' (it repeats \
                  what was recalled in this session: nothing new).",
        next: "Blocks queue in inbox until consolidate() runs. Session context manager auto-consolidates on exit when \
               inbox >= threshold. What waits there can be recalled already.",
        example: "elfmem remember \"User prefers dark mode\"",
        tool: "Store something worth remembering. Use when the agent discovers information that should persist across \
               sessions.",
        answers: &[
            field("block_id", Text),
            field("status", Text),
            optional("redacted", Object),
            optional("superseded", Text),
            optional("warnings", Texts),
        ],
    }
    needs {
        /// One fact, with its names and dates
        content: String => words_or_standard_input("TEXT"),
    }
    shares {
        labels: BlockLabels with block_label_setters,
        secrets: SecretOptions with secret_option_setters,
    }
    takes {
        /// When it should come to mind, in the words of that moment
        cues/cue: [String] => option("--cue", "CUE"),
        /// When what it tells of happened
        event_at: Timestamp => option("--event-at", "TIME").advanced(),
        /// Where the text comes from, such as tool:web; sources other than you, your agent and your programs are not trusted
        source: String => option("--source", "NAME").advanced(),
    }
    beside {
        /// The document that the text is a part of.
        document: Option<String>,
    }
}

request! {
    /// Store what is worth remembering of a conversation: one block a fact, with who said it and when.
    pub struct LearnMessages: "learn_messages" {
        command: "remember --messages",
        profile: All,
        effect: Writes idempotent,
        when: "You have the messages of a chat, a meeting or a ticket, and want their facts.",
        when_not: "You know the fact: learn() it in your own words.",
        cost: "Fast. Rules cut the messages; one LLM call per 24 messages with an LLM analyst.",
        returns: "LearnMessagesResult: each fact with its block, who said it and when; small talk is not kept.",
        next: "Speakers are not trusted: learn() what is yours in your own words.",
        example: "elfmem remember --messages chat.json",
        answers: &[
            field("facts", Objects),
            field("created", Count),
            field("duplicates", Count),
            field("messages", Count),
            field("without_fact", Count),
            optional("redacted", Object),
            optional("warnings", Texts),
        ],
    }
    needs {
        /// The messages in their order, each with speaker, content and at
        messages: [ConversationMessage] => option("--messages", "FILE").file_contents().example(
            "[{\"speaker\": \"Maria\", \"content\": \"I am allergic to peanuts.\", \"at\": \"2026-05-08T13:56:00Z\"}]",
        ),
    }
    shares {
        labels: BlockLabels with block_label_setters,
        secrets: SecretOptions with secret_option_setters,
    }
}

request! {
    /// Store a long text as a chain of blocks, all of it or nothing.
    pub struct LearnDocument: "learn_document" {
        command: "learn-document",
        profile: All,
        effect: Writes idempotent,
        when: "A text is longer than one thought: a page, a file, a transcript; again under the same name when it changed.",
        when_not: "You can say it in a sentence or two: learn() that.",
        cost: "Fast. One transaction, no model is asked.",
        returns: "LearnDocumentResult: one result a block, in order, how many are new, and what became of the earlier \
                  version: unchanged, changed, removed, kept.",
        next: "recall() finds its parts at once.",
        example: "elfmem learn-document README.md --tag topic/project",
        answers: &[
            nullable("document", Text),
            field("chunks", Objects),
            field("created", Count),
            field("duplicates", Count),
            field("replaced", Flag),
            field("unchanged", Count),
            field("changed", Count),
            field("removed", Count),
            field("kept", Count),
            field("edges_created", Count),
            optional("redacted", Object),
        ],
    }
    needs {
        /// The text of the document
        text: String => place("FILE").file_contents(),
    }
    shares {
        labels: BlockLabels with block_label_setters,
        secrets: SecretOptions with secret_option_setters,
    }
    takes {
        /// How many words a block aims for
        chunk_words: usize = 256 => option("--chunk-words", "WORDS"),
        /// What the document is called; one of this name and source is replaced, and forget_document() takes it
        name: String => option("--name", "NAME"),
        /// Where the document comes from, such as tool:web; documents of another source are never replaced
        source: String => option("--source", "NAME").default("document").advanced(),
    }
}
