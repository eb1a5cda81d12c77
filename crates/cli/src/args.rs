//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use elfmem::core::BlockStatus;

use crate::output::Format;

/// Adaptive memory for LLM agents, in one file, with no key and no server.
#[derive(Debug, Parser)]
#[command(
    name = "elfmem",
    version,
    propagate_version = true,
    after_help = "Examples:
  elfmem remember \"Maria is allergic to peanuts\"
  elfmem recall \"what is Maria allergic to?\"
  git log -1 --format=%B | elfmem remember --tag topic/release
  elfmem ls --tag 'topic/%'
  elfmem status

The memory is the file that --db or ELFMEM_DB names, else .elfmem/memory.db in this folder or one above it,
else memory.db in your data folder. `elfmem status` says which and why."
)]
pub(crate) struct Arguments {
    /// The memory to use
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Answer with one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// How hard a write is pushed to the disk: `full` survives a power cut
    #[arg(long, global = true, value_name = "MODE", default_value = "normal", hide_default_value = true)]
    pub(crate) synchronous: SynchronousMode,

    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }
}

/// How hard a write is pushed to the disk.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SynchronousMode {
    /// Survives the death of the program
    Normal,
    /// Survives a power cut too
    Full,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Store a piece of knowledge
    #[command(after_help = "Examples:
  elfmem remember \"Deploys go out on Tuesdays\" --tag topic/release
  elfmem remember --category decision < decision.md
  echo \"The port is 5433\" | elfmem remember -")]
    Remember(Remember),
    /// Store a long text as a chain of blocks
    #[command(after_help = "Examples:
  elfmem learn-document README.md --tag topic/project
  curl -s localhost:8000/page.txt | elfmem learn-document -")]
    LearnDocument(LearnDocument),
    /// Find what is stored about a question
    #[command(after_help = "Examples:
  elfmem recall \"what is Maria allergic to?\"
  elfmem recall deploy tuesday --top-k 3 --json")]
    Recall(Recall),
    /// List blocks, the newest first
    #[command(after_help = "Examples:
  elfmem ls
  elfmem ls --status inbox --limit 5
  elfmem ls --tag 'self/%'")]
    Ls(Ls),
    /// Show everything about one block
    Show(Show),
    /// Show what changed, when and by whom
    #[command(after_help = "Examples:
  elfmem log
  elfmem log 6b0c8d3a")]
    Log(Log),
    /// Show the state of the memory and which file it is
    Status,
    /// Begin or end a session whose whole time counts
    Session(Session),
    /// Print a completion script for your shell
    #[command(after_help = "Example:
  elfmem completions bash > ~/.local/share/bash-completion/completions/elfmem")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

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
}

#[derive(Debug, Args)]
pub(crate) struct LearnDocument {
    /// The file; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// How many words a block aims for
    #[arg(long, value_name = "WORDS", default_value_t = elfmem::core::document::DEFAULT_CHUNK_WORDS)]
    pub(crate) chunk_words: usize,

    #[command(flatten)]
    pub(crate) labels: Labels,
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// The question; `-` reads standard input
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,

    /// How many blocks to bring back
    #[arg(long, short = 'k', value_name = "COUNT", default_value_t = 5)]
    pub(crate) top_k: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Ls {
    /// Only blocks of this status
    #[arg(long, value_name = "STATUS")]
    pub(crate) status: Option<StatusName>,

    /// Only blocks with a tag that matches, `%` standing for anything
    #[arg(long, short, value_name = "PATTERN")]
    pub(crate) tag: Option<String>,

    /// Only blocks of this category
    #[arg(long, short, value_name = "CATEGORY")]
    pub(crate) category: Option<String>,

    /// At most this many; 0 for all
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: u32,
}

/// A block's status, as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StatusName {
    /// Stored, not yet consolidated
    Inbox,
    /// Consolidated
    Active,
    /// Out of recall, kept
    Archived,
}

impl From<StatusName> for BlockStatus {
    fn from(name: StatusName) -> Self {
        match name {
            StatusName::Inbox => Self::Inbox,
            StatusName::Active => Self::Active,
            StatusName::Archived => Self::Archived,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The block's id, or at least its first four characters
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Only what changed this block
    #[arg(value_name = "BLOCK")]
    pub(crate) block: Option<String>,

    /// At most this many operations, the newest
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Session {
    #[command(subcommand)]
    pub(crate) action: SessionAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionAction {
    /// Begin a session; its time counts until it is ended
    Begin {
        /// What the work is
        #[arg(default_value = "general")]
        task_type: String,
    },
    /// End the session
    End,
}
