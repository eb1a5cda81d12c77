//! The requests of `learn` and `learn_document`.

use elfmem_core::Timestamp;

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
        when: "You discover a fact, preference, decision or observation worth remembering across sessions.",
        when_not: "It only matters in this turn, or it is in the prompt already.",
        cost: "Instant. No model is asked.",
        returns: "LearnResult. status: 'created' (stored in the inbox), 'duplicate_rejected' (that content is there \
                  already), 'near_duplicate_superseded' (it replaced a similar block), \
                  'echo' (it repeats what was recalled in this session: nothing new).",
        next: "It can be recalled at once. consolidate() connects it with the rest at a pause.",
        example: "elfmem remember \"User prefers dark mode\"",
        answers: &[
            field("block_id", Text),
            field("status", Text),
            optional("redacted", Object),
            optional("warnings", Texts),
        ],
    }
    needs {
        /// What to remember: one fact, with its names and dates
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
    /// Store a long text as a chain of blocks, all of it or nothing.
    pub struct LearnDocument: "learn_document" {
        command: "learn-document",
        profile: All,
        effect: Writes idempotent,
        when: "A text is longer than one thought: a page, a file, a transcript.",
        when_not: "You can say it in a sentence or two: learn() that.",
        cost: "Fast. One transaction, no model is asked.",
        returns: "LearnDocumentResult: one result a block, in order, and how many are new.",
        next: "recall() finds its parts at once.",
        example: "elfmem learn-document README.md --tag topic/project",
        answers: &[
            field("chunks", Objects),
            field("created", Count),
            field("duplicates", Count),
            field("edges_created", Count),
            optional("redacted", Object),
        ],
    }
    needs {
        /// The whole text
        text: String => place("FILE").file_contents(),
    }
    shares {
        labels: BlockLabels with block_label_setters,
        secrets: SecretOptions with secret_option_setters,
    }
    takes {
        /// How many words a block aims for
        chunk_words: usize = 256 => option("--chunk-words", "WORDS"),
        /// What the document is called; retract_source() takes it back by that
        name: String => option("--name", "NAME").advanced(),
    }
    beside {
        /// Where the document comes from.
        source: Option<String>,
    }
}

impl LearnDocument {
    /// Sets where the document comes from; `document` otherwise.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }
}
