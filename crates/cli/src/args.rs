//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use elfmem_core::BlockStatus;

use crate::output::Format;

#[cfg(test)]
mod agreement;
mod care;
mod dream;
mod events;
mod graph;
mod guard;
mod learn;
mod recall;
mod serve;
mod setup;
mod transfer;

pub(crate) use care::*;
pub(crate) use dream::*;
pub(crate) use events::*;
pub(crate) use graph::*;
pub(crate) use guard::*;
pub(crate) use learn::*;
pub(crate) use recall::*;
pub(crate) use serve::*;
pub(crate) use setup::*;
pub(crate) use transfer::*;

/// Adaptive memory for LLM agents, in one file, with no key and no server.
#[derive(Debug, Parser)]
#[command(
    name = "elfmem",
    version,
    propagate_version = true,
    after_help = "Examples:
  elfmem remember \"Maria is allergic to peanuts\"
  elfmem recall \"who can't eat nuts?\"
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

    /// The file that holds the key of an encrypted memory
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,

    /// How hard a write is pushed to the disk: `full` survives a power cut
    #[arg(long, global = true, value_name = "MODE")]
    pub(crate) synchronous: Option<SynchronousMode>,

    /// The part of the memory to use: a project, an agent, a user
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) scope: Option<String>,

    /// Also see what another scope holds; may be repeated
    #[arg(long = "inherit", global = true, value_name = "SCOPE")]
    pub(crate) inherited: Vec<String>,

    /// Where vectors come from: builtin, openai:MODEL, ollama:MODEL
    #[arg(long, global = true, value_name = "MODEL", help_heading = "Models")]
    pub(crate) embedder: Option<String>,

    /// Who analyses blocks: rules, openai:MODEL, ollama:MODEL, anthropic:MODEL
    #[arg(long, global = true, value_name = "MODEL", help_heading = "Models")]
    pub(crate) analyst: Option<String>,

    /// Write log lines of this level: error, warn, info, debug, trace; CRATE=LEVEL for one crate
    #[arg(long, global = true, value_name = "FILTER", help_heading = "Logs")]
    pub(crate) log: Option<String>,

    /// Append log lines to this file instead of standard error
    #[arg(long, global = true, value_name = "FILE", help_heading = "Logs")]
    pub(crate) log_file: Option<PathBuf>,

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
#[expect(clippy::large_enum_variant, reason = "there is one, for the life of the program")]
pub(crate) enum Command {
    /// Store a piece of knowledge
    #[command(
        visible_alias = "learn",
        after_help = "Examples:
  elfmem remember \"Deploys go out on Tuesdays\" --tag topic/release
  elfmem remember --category decision < decision.md
  echo \"The port is 5433\" | elfmem remember -"
    )]
    Remember(Remember),
    /// Store a long text as a chain of blocks
    #[command(after_help = "Examples:
  elfmem learn-document README.md --tag topic/project
  curl -s localhost:8000/page.txt | elfmem learn-document -")]
    LearnDocument(LearnDocument),
    /// Find what is stored about a question
    #[command(after_help = "Examples:
  elfmem recall \"who can't eat nuts?\"
  elfmem recall deploy tuesday --top-k 3 --explain
  elfmem recall \"what did we decide?\" --category decision --since 2026-05-01
  elfmem recall \"what broke last week?\" --tag 'topic/%' --json")]
    Recall(Recall),
    /// Say why a block came back for a question, or why it did not
    #[command(after_help = "Example:
  elfmem why \"who can't eat nuts?\" 6b0c8d3a")]
    Why(Why),
    /// Render a context for an intent: self, attention, task, simulate, search, or a frame of your own
    #[command(
        args_conflicts_with_subcommands = true,
        subcommand_negates_reqs = true,
        after_help = "Examples:
  elfmem frame self
  elfmem frame attention \"planning the release\"
  elfmem frame add review --weights 0.5,0.2,0.1,0.1,0.1 --tag 'topic/review%' --budget 800
  elfmem frame ls"
    )]
    Frame(Frame),
    /// Consolidate the inbox: find repetitions and contradictions, analyse, link
    #[command(
        visible_alias = "consolidate",
        after_help = "Examples:
  elfmem dream --dry-run
  elfmem dream --max 50
  elfmem dream --rescore
  elfmem dream --pending --json        # what waits, for an agent to analyse itself
  elfmem dream --analyses - < mine.json"
    )]
    Dream(Dream),
    /// List blocks that contradict each other, or settle which one holds
    #[command(after_help = "Examples:
  elfmem contradictions
  elfmem contradictions resolve 1f3a 9c02 --keep 9c02
  elfmem contradictions resolve 1f3a 9c02 --both \"one is staging, one production\"
  elfmem contradictions resolve 1f3a 9c02 --replace \"The port is 5433 since May\"")]
    Contradictions(Contradictions),
    /// Change a block: tags, category and cue in place, another text by a successor
    #[command(after_help = "Examples:
  elfmem edit 1f3a \"The port is 5433\"
  elfmem edit 1f3a --tag topic/db --untag draft --category decision
  elfmem edit 1f3a --cue \"connecting to the database\"")]
    Edit(Edit),
    /// Take a block out of recall; its text is kept
    #[command(after_help = "Example:
  elfmem forget 1f3a --reason \"it was another Maria\"")]
    Forget(Forget),
    /// Bring an archived block back, with its tags and edges
    Restore(OneBlock),
    /// Keep a block from ever fading away
    Pin(OneBlock),
    /// Let a pinned block fade like any other
    Unpin(OneBlock),
    /// Let one block take the place of another
    #[command(after_help = "Example:
  elfmem supersede 1f3a --by 9c02")]
    Supersede(Supersede),
    /// Remove a block and every trace of its text from the file; cannot be undone
    #[command(after_help = "Examples:
  elfmem purge 1f3a
  elfmem purge 1f3a --yes        # in a script")]
    Purge(Purge),
    /// Tell what a block rests on: who brought it, what it follows from, what confirmed it
    #[command(after_help = "Example:
  elfmem blame 1f3a")]
    Blame(OneBlock),
    /// Tell what rests on a block
    #[command(after_help = "Example:
  elfmem influence 1f3a")]
    Influence(OneBlock),
    /// Take back everything a source brought, and what follows from that alone
    #[command(after_help = "Examples:
  elfmem retract --source handbook.md --dry-run
  elfmem retract --source tool:web
  elfmem undo        # takes the whole of it back

One outcome is taken back with `elfmem outcome --retract ID`.")]
    Retract(Retract),
    /// Look for keys, tokens and passwords in what is stored
    #[command(after_help = "Examples:
  elfmem secrets scan
  elfmem secrets scan --redact --yes        # in a script")]
    Secrets(Secrets),
    /// Add tags to a block or take them off
    #[command(after_help = "Examples:
  elfmem tag add 1f3a topic/db durable
  elfmem tag rm 1f3a draft")]
    Tag(Tags),
    /// Decide what the memory would like to do but should not do alone
    #[command(after_help = "Examples:
  elfmem proposals
  elfmem proposals accept 3 5
  elfmem proposals reject 4")]
    Proposals(Proposals),
    /// Take back the last operation, or one by its number
    #[command(after_help = "Examples:
  elfmem undo --dry-run
  elfmem undo
  elfmem undo 12
  elfmem undo 13        # 13 was the undo of 12: brings it back")]
    Undo(Undo),
    /// Show the operations of the memory's life and which of them stand
    History(History),
    /// Connect two blocks, or strengthen the edge between them
    #[command(after_help = "Examples:
  elfmem connect 1f3a 9c02 --relation supports --note \"B gives the mechanism behind A\"
  elfmem connect 1f3a 9c02 --relation elaborates --if-exists update
  elfmem connect --by-query \"how deploys work\" \"who may deploy\" --dry-run

Relations: similar, co_occurs, elaborates, supports, contradicts, outcome, or any word of your own.")]
    Connect(Connect),
    /// Connect many blocks at once, from a JSON list
    #[command(after_help = "Example:
  echo '[{\"source\": \"1f3a\", \"target\": \"9c02\", \"relation\": \"supports\"}]' | elfmem connects -

Each edge may also have weight, note and if_exists. One that cannot be placed does not stop the others.")]
    Connects(Connects),
    /// Remove the edge between two blocks
    #[command(after_help = "Examples:
  elfmem disconnect 1f3a 9c02
  elfmem disconnect 1f3a 9c02 --guard-relation similar --reason \"only the words are alike\"")]
    Disconnect(Disconnect),
    /// Store events and list them: pieces of experience with a kind, a source, a context and links
    Event(Event),
    /// List contexts, look at one, see how they hang together
    Context(Context),
    /// State that one thing confirms, contradicts, extends, derives from or relates to another
    #[command(after_help = "Examples:
  elfmem link 6b0c8d3a reinforces 1f3a9c02
  elfmem link 6b0c8d3a extends skill:react
  elfmem link project:shop related_to skill:react --note \"the shop is written in it\"

reinforces adds 0.05 to the confidence of what it names, up to 1.0; contradicts takes 0.10, down to 0.2.")]
    Link(Link),
    /// Take a link back; belief is folded again without it
    Unlink(Unlink),
    /// List links in the order they came
    Links(Links),
    /// Show what stands behind a block, as a tree
    #[command(after_help = "Examples:
  elfmem chain 6b0c8d3a
  elfmem chain 1f3a9c02 --ahead        # what grew out of it")]
    Chain(Chain),
    /// Find memories by words, meaning and belief, in contexts and from sources; lessons come first
    #[command(after_help = "Examples:
  elfmem retrieve \"declaring variables in React\"
  elfmem retrieve deploy --context project:shop --source validator --limit 3
  elfmem retrieve forms --context-types '{\"skill\": [\"react\"]}' --depth 2")]
    Retrieve(Retrieve),
    /// Put together what the memory holds about a task, cited
    Insights(Insights),
    /// Let mistakes that were seen again become patterns, and patterns that proved true become skills
    #[command(after_help = "Examples:
  elfmem graduate --dry-run
  elfmem graduate                       # proposes what is ready
  elfmem graduate --apply
  elfmem graduate 1f3a9c02 --text \"Always use const or let in React components\"")]
    Graduate(Graduate),
    /// Record how well blocks served, so that the memory learns from it
    #[command(after_help = "Examples:
  elfmem outcome 1f3a 9c02 --signal 0.9
  elfmem outcome 1f3a --signal 0 --weight 2 --source review
  elfmem outcome --retract 00c0ffee00c0ffee

Above 0.5 blocks are kept fresh and joined; below 0.2 they fade faster; in between only confidence moves.")]
    Outcome(Outcome),
    /// Archive what has faded, drop weak and unused edges, keep the best blocks fresh
    #[command(after_help = "It runs by itself before a session and after a dream when 40 active hours have passed.")]
    Curate(Curate),
    /// Copy the memory into a file and check the copy, while others go on using it
    #[command(after_help = "Example:
  elfmem backup memory-monday.db")]
    Backup(Backup),
    /// Go back to a backup; the memory that is there is kept aside
    #[command(after_help = "Examples:
  elfmem restore-backup memory-monday.db --dry-run
  elfmem restore-backup memory-monday.db --yes        # in a script")]
    RestoreBackup(RestoreBackup),
    /// Write the memory down: lines of JSON with everything, or a folder of readable Markdown
    #[command(after_help = "Examples:
  elfmem export memory.jsonl
  elfmem export --vectors | gzip > memory.jsonl.gz
  elfmem export --format markdown notes/")]
    Export(Export),
    /// Take in a memory, notes or conversations from elsewhere
    #[command(after_help = "Examples:
  elfmem import memory.jsonl --dry-run
  elfmem import ~/.elfmem/agent.db             # of the Python elfmem
  elfmem import memory.json --from mcp-memory  # of the MCP memory server
  elfmem import notes/                         # a folder of Markdown
  elfmem import conversations.json             # of ChatGPT or Claude

It is one operation: `elfmem undo` takes it back. A damaged line is named, and then nothing of the file comes in.")]
    Import(Import),
    /// Embed everything again with the model in use
    MigrateEmbeddings,
    /// Show which embedder and analyst are in use, and why
    Models(Models),
    /// List blocks, the newest first
    #[command(
        visible_alias = "list",
        after_help = "Examples:
  elfmem ls
  elfmem ls --status inbox --limit 5
  elfmem ls --tag 'self/%'"
    )]
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
    /// Look for everything that can be wrong, and mend what is safe to mend
    #[command(after_help = "Examples:
  elfmem doctor
  elfmem doctor --fix
  elfmem doctor --online        # asks the models too

It ends with code 1 when something is wrong.")]
    Doctor(Doctor),
    /// Compare everything that is derived with what it comes from, and repair it
    #[command(after_help = "Examples:
  elfmem verify
  elfmem verify --repair
  elfmem verify --digest        # two memories that hold the same share it

It ends with code 1 when something is wrong.")]
    Verify(Verify),
    /// Tell what can be asked for, or when and how to use one verb; needs no memory
    #[command(after_help = "Examples:
  elfmem guide
  elfmem guide recall")]
    Guide {
        /// Which verb; without one, all in a line each
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Serve the memory to agents, over the Model Context Protocol
    #[command(after_help = "Examples:
  elfmem serve                                   # for a host that starts it: Claude Code, Cursor, …
  elfmem serve --tools all
  elfmem serve --http 127.0.0.1:7777             # clients connect to http://127.0.0.1:7777/mcp
  elfmem serve --http 0.0.0.0:7777 --token-file token --allow-host memory.example

It stops when its client closes the connection, or on a signal.")]
    Serve(Serve),
    /// Begin or end a session whose whole time counts
    Session(Session),
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
    /// Take a tour of two minutes, in a memory that is thrown away
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

impl Command {
    /// Whether the command asks a model.
    pub(crate) fn thinks(&self) -> bool {
        match self {
            Self::Connect(connect) => connect.by_query,
            Self::Hook(hook) => hook.event == "prompt",
            other => matches!(
                other,
                Self::Doctor(_)
                    | Self::Dream(_)
                    | Self::Import(_)
                    | Self::MigrateEmbeddings
                    | Self::Models(_)
                    | Self::Recall(_)
                    | Self::Why(_)
                    | Self::Event(_)
                    | Self::Retrieve(_)
                    | Self::Insights(_)
                    | Self::Graduate(_)
                    | Self::Proposals(Proposals { action: Some(ProposalAction::Accept(_)), .. })
                    | Self::Frame(Frame { command: None, .. })
            ),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Models {
    /// Make one real call to each and say how it went
    #[arg(long)]
    pub(crate) check: bool,
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
