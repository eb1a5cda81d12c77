//! Consolidation, and what it found that cannot both hold.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Dream {
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// At most this many blocks, the oldest first
    #[arg(long, value_name = "COUNT")]
    pub(crate) max: Option<u32>,

    /// Also analyse active blocks again that were not looked at for a day, at most COUNT
    #[arg(long, value_name = "COUNT", num_args = 0..=1, default_missing_value = "20")]
    pub(crate) rescore: Option<usize>,

    /// Show the blocks that wait, to be analysed by whoever asks
    #[arg(long, conflicts_with_all = ["dry_run", "rescore", "analyses"])]
    pub(crate) pending: bool,

    /// Analyses made by the caller: a JSON object of block id to analysis; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) analyses: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Contradictions {
    /// Settled ones too
    #[arg(long)]
    pub(crate) all: bool,

    #[command(subcommand)]
    pub(crate) action: Option<ContradictionAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContradictionAction {
    /// Settle one
    Resolve(Resolve),
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("how").required(true))]
pub(crate) struct Resolve {
    /// One block
    #[arg(value_name = "BLOCK")]
    pub(crate) a: String,

    /// The other
    #[arg(value_name = "OTHER")]
    pub(crate) b: String,

    /// This block holds; the other is archived
    #[arg(long, value_name = "BLOCK", group = "how")]
    pub(crate) keep: Option<String>,

    /// Both hold, and why
    #[arg(long, value_name = "NOTE", group = "how")]
    pub(crate) both: Option<String>,

    /// Neither holds: this text takes their place
    #[arg(long, value_name = "TEXT", group = "how")]
    pub(crate) replace: Option<String>,
}
