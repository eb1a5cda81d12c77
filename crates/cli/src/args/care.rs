//! What can be typed to tend blocks and to take things back.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// Another text; `-` reads standard input. It becomes a block of its own that takes the place of this one
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// Add a tag; may be repeated
    #[arg(long = "tag", short, value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// Take a tag off; may be repeated
    #[arg(long = "untag", value_name = "TAG")]
    pub(crate) untag: Vec<String>,

    /// Another category
    #[arg(long, short, value_name = "CATEGORY")]
    pub(crate) category: Option<String>,

    /// When it should come to mind, one cue a line; an empty one takes the cue away
    #[arg(long, value_name = "CUE")]
    pub(crate) cue: Option<String>,

    /// Store keys, tokens and passwords as they are instead of redacting them
    #[arg(long)]
    pub(crate) allow_secrets: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// Why, for the log
    #[arg(long, value_name = "WHY")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct OneBlock {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,
}

#[derive(Debug, Args)]
pub(crate) struct Supersede {
    /// The block that is archived
    #[arg(value_name = "BLOCK")]
    pub(crate) old: String,

    /// The block that takes its place and inherits what it had
    #[arg(long, value_name = "BLOCK")]
    pub(crate) by: String,
}

#[derive(Debug, Args)]
pub(crate) struct Purge {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Tags {
    #[command(subcommand)]
    pub(crate) action: TagAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TagAction {
    /// Add tags
    Add(TaggedBlock),
    /// Take tags off
    Rm(TaggedBlock),
}

#[derive(Debug, Args)]
pub(crate) struct TaggedBlock {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// The tags
    #[arg(value_name = "TAG", required = true)]
    pub(crate) tags: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Proposals {
    /// Decided ones too
    #[arg(long)]
    pub(crate) all: bool,

    #[command(subcommand)]
    pub(crate) action: Option<ProposalAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProposalAction {
    /// Do what they ask for, all of them or none
    Accept(ProposalNumbers),
    /// Turn them down; they do not come back
    Reject(ProposalNumbers),
}

#[derive(Debug, Args)]
pub(crate) struct ProposalNumbers {
    /// The numbers that `proposals` shows
    #[arg(value_name = "NUMBER", required = true)]
    pub(crate) numbers: Vec<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The number of the operation, as `history` and `log` show it; without one, the last
    #[arg(value_name = "NUMBER")]
    pub(crate) seq: Option<i64>,

    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct History {
    /// At most this many operations, the newest
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: u32,
}
