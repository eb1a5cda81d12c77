//! Telling the memory something.

use std::path::PathBuf;

use clap::Args;

/// What blocks are marked with.
#[derive(Debug, Args)]
pub(crate) struct Labels {
    /// Add a tag; may be repeated
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// The kind of knowledge
    #[arg(long, short, value_name = "CATEGORY", default_value = "knowledge")]
    pub(crate) category: String,
}

#[derive(Debug, Args)]
pub(crate) struct Remember {
    /// The text; `-` or nothing reads standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    #[command(flatten)]
    pub(crate) labels: Labels,

    /// When this should come to mind, in the words of that moment; may be repeated
    #[arg(long = "cue", value_name = "CUE")]
    pub(crate) cues: Vec<String>,

    /// When what it tells of happened: a date such as 2026-05-08, or a date and time
    #[arg(long, value_name = "TIME")]
    pub(crate) event_at: Option<String>,

    /// Where the text comes from, such as tool:web [default: cli]
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,

    /// Store keys, tokens and passwords as they are instead of redacting them
    #[arg(long)]
    pub(crate) allow_secrets: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnDocument {
    /// The file; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// How many words a block aims for
    #[arg(long, value_name = "WORDS", default_value_t = elfmem_text::document::DEFAULT_CHUNK_WORDS)]
    pub(crate) chunk_words: usize,

    #[command(flatten)]
    pub(crate) labels: Labels,

    /// What the document is called [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Store keys, tokens and passwords as they are instead of redacting them
    #[arg(long)]
    pub(crate) allow_secrets: bool,
}
