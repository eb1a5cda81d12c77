//! What can be typed to set elfmem up and to look at its settings.

use std::path::PathBuf;

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

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Rebuild what can be rebuilt from intact data
    #[arg(long)]
    pub(crate) fix: bool,

    /// Also make one real call to each model
    #[arg(long)]
    pub(crate) online: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// What happens at the host: session-start, prompt, stop, pre-compact or session-end
    // A free text: what clap refuses ends with code 2, and that stops the host.
    #[arg(value_name = "EVENT")]
    pub(crate) event: String,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Who the agent is and what it is here for, in its own words
    #[arg(long = "self", value_name = "TEXT")]
    pub(crate) identity: Option<String>,

    /// What the agent is called
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Start with principles: constitution, coding, research, assistant, or a text file with one per paragraph; may be repeated
    #[arg(long = "seed", value_name = "CHOICE|FILE")]
    pub(crate) seeds: Vec<PathBuf>,

    /// Let Claude Code call elfmem by itself: writes .claude/settings.json
    #[arg(long)]
    pub(crate) hooks: bool,

    /// Write a plugin folder for Claude Code there (MCP server, hooks, commands, skill) instead of setting up the project
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["identity", "name", "seeds", "hooks"])]
    pub(crate) plugin: Option<PathBuf>,

    /// Only say what would change
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Do not ask before changing files that are there
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Do not wait between the steps
    #[arg(long)]
    pub(crate) fast: bool,
}
