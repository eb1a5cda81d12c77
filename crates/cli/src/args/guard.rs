//! What can be typed about secrets and sources.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Secrets {
    #[command(subcommand)]
    pub(crate) action: SecretsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretsAction {
    /// Say which blocks hold some, and of which kind; never which
    Scan(ScanSecrets),
}

#[derive(Debug, Args)]
pub(crate) struct ScanSecrets {
    /// Replace them: the texts with them are purged from the file for good
    #[arg(long)]
    pub(crate) redact: bool,

    /// Do not ask
    #[arg(long, requires = "redact")]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Retract {
    /// A source, document, client, peer or surface, as `blame` names them
    #[arg(long, value_name = "NAME")]
    pub(crate) source: String,

    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
}
