//! The commands that are about the program and its files, not about what is remembered.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Adopt, Backup, Config, Demo, Doctor, Export, Hook, Import, Init, RestoreBackup, Serve};

/// A command that is no verb.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum ProgramCommand {
    /// Take over a database of the Python elfmem in place, after a verified backup, and report what was found
    #[command(after_help = "Examples:
  elfmem adopt ~/.elfmem/agent.db --dry-run
  elfmem adopt ~/.elfmem/agent.db
  elfmem adopt ~/.elfmem/agent.db --leave-out      # without rows that cannot be read

Every other command that opens such a database takes it over too. `elfmem import` leaves it as it is instead, and
brings its rows into another memory.")]
    Adopt(Adopt),
    /// Copy the memory into a file and check the copy, while others go on using it
    #[command(after_help = "Example:
  elfmem backup memory-monday.db")]
    Backup(Backup),
    /// Restore a backup; the present memory is kept beside it
    #[command(after_help = "Examples:
  elfmem restore-backup memory-monday.db --dry-run
  elfmem restore-backup memory-monday.db --yes        # in a script")]
    RestoreBackup(RestoreBackup),
    /// Browse the memory on the terminal: search as you type, settle what is open, undo
    #[command(after_help = "Keys: / asks, tab goes to proposals, contradictions and history, ? lists all of them.
Nothing it does is for good: u takes back what you did.")]
    Browse,
    /// Export the memory: JSON lines with everything, or a folder of readable Markdown
    #[command(after_help = "Examples:
  elfmem export memory.jsonl
  elfmem export --vectors | gzip > memory.jsonl.gz
  elfmem export --format markdown notes/")]
    Export(Export),
    /// Import a memory, notes or conversations from elsewhere
    #[command(after_help = "Examples:
  elfmem import memory.jsonl --dry-run
  elfmem import ~/.elfmem/agent.db             # of the Python elfmem
  elfmem import memory.json --from mcp-memory  # of the MCP memory server
  elfmem import notes/                         # a folder of Markdown
  elfmem import conversations.json             # of ChatGPT or Claude

It is one operation: `elfmem undo` takes it back. A damaged line is named, and then nothing of the file comes in.")]
    Import(Import),
    /// List the tags in use, with the number of their blocks
    Tags,
    /// List the scopes of the memory, with the number of their blocks
    #[command(subcommand)]
    Scope(ScopeAction),
    /// Show which embedder and analyst are in use, and what else there is
    Models(Models),
    /// Check memory, settings and registration, and repair what is safe to repair
    #[command(after_help = "Examples:
  elfmem doctor
  elfmem doctor --fix
  elfmem doctor --online        # asks the models too

It ends with code 1 when something is wrong.")]
    Doctor(Doctor),
    /// Serve the memory to agents and programs, over the Model Context Protocol or HTTP
    #[command(after_help = "Examples:
  elfmem serve                                   # for a host that starts it: Claude Code, Cursor, …
  elfmem serve --tools all
  elfmem serve --http 127.0.0.1:7777             # clients connect to http://127.0.0.1:7777/mcp
  elfmem serve --http 0.0.0.0:7777 --token-file token --allow-host memory.example

It stops when its client closes the connection, or on a signal.")]
    Serve(Serve),
    /// Print the manual page, or write one for every command
    #[command(after_help = "Examples:
  elfmem man | man -l -
  elfmem man --dir ~/.local/share/man/man1")]
    Man {
        /// Write a page for every command into this folder
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
    /// Set elfmem up in this project, for people and agents
    #[command(after_help = "Examples:
  elfmem init --dry-run
  elfmem init --name Ada --self \"I look after the billing service\" --seed constitution
  elfmem init --hooks

It makes .elfmem/ with commented settings, adds a section to AGENTS.md or CLAUDE.md and registers the MCP server in
.mcp.json. Running it again changes nothing.")]
    Init(Init),
    /// Show the settings and where each came from
    #[command(after_help = "Examples:
  elfmem config show
  elfmem config keys")]
    Config(Config),
    /// Take a tour of two minutes, in a temporary memory
    Demo(Demo),
    /// Answer a hook of Claude Code or a host like it; init --hooks registers them
    #[command(after_help = "Reads the host's JSON from standard input. Whatever goes wrong, the host goes on.")]
    Hook(Hook),
    /// Print a completion script for your shell
    #[command(after_help = "Example:
  elfmem completions bash > ~/.local/share/bash-completion/completions/elfmem")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScopeAction {
    /// List the scopes of the memory, with the number of their blocks
    #[command(alias = "list")]
    Ls,
}

#[derive(Debug, Args)]
pub(crate) struct Models {
    /// Make one real call to each and say how it went
    #[arg(long)]
    pub(crate) check: bool,
}
