//! What moves a memory in and out.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use elfmem_engine::ImportFormat;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Where the copy goes
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Replace a file of that name
    #[arg(long, short)]
    pub(crate) force: bool,

    /// Only check the memory and say what would be copied
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreBackup {
    /// The backup
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Only check the backup and say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Lines of JSON, nothing left out
    Jsonl,
    /// A folder with one readable file a block
    Markdown,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The file, or the folder for Markdown; `-` or nothing writes to standard output
    #[arg(value_name = "FILE")]
    pub(crate) place: Option<PathBuf>,

    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    pub(crate) format: ExportFormat,

    /// Write vectors too; without them they are made again on import
    #[arg(long)]
    pub(crate) vectors: bool,

    /// Replace a file of that name
    #[arg(long, short)]
    pub(crate) force: bool,

    /// Only say what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Adopt {
    /// The database [default: the memory in use]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Go on without rows that cannot be read; they stay in the backup
    #[arg(long)]
    pub(crate) leave_out: bool,

    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The file or folder; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// What it is [default: what it looks like]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(ImportFormat::NAMES))]
    pub(crate) from: Option<String>,

    /// Go on without rows of a Python database that cannot be read
    #[arg(long)]
    pub(crate) leave_out: bool,

    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Who sent it: what comes from a peer is not trusted, whatever form it has
    #[arg(long, value_name = "NAME")]
    pub(crate) peer: Option<String>,

    /// Store keys, tokens and passwords as they are instead of redacting them
    #[arg(long)]
    pub(crate) allow_secrets: bool,
}
