//! What can be typed to set elfmem up and to look at its settings.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show every setting, its value and where that came from
    Show,
    /// List every setting and variable there is
    Keys,
}
