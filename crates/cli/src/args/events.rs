//! What can be typed about events, contexts and links.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The five types, as typed.
const LINK_TYPES: [&str; 5] = ["related_to", "extends", "derived_from", "reinforces", "contradicts"];

#[derive(Debug, Args)]
pub(crate) struct Event {
    #[command(subcommand)]
    pub(crate) command: EventCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventCommand {
    /// Store an event with its kind, source, context and links
    #[command(after_help = "Examples:
  elfmem event store --kind observation --context error:var_in_react --content \"Used var instead of const\"
  elfmem event store event.json
  echo '{\"event_kind\": \"fact\", \"payload\": {\"topic\": \"port\", \"value\": 5433}}' | elfmem event store -
  elfmem event store --kind decision --content \"Always use const\" --link reinforces=1f3a9c02 --extends skill:react")]
    Store(Box<StoreEvent>),
    /// Store many events, from a JSON list or a line of JSON for each
    Batch(BatchEvents),
    /// List events as they were told, the newest first
    Ls(ListEvents),
}

#[derive(Debug, Args)]
pub(crate) struct StoreEvent {
    /// A file with the event as JSON; `-` reads standard input. Options add to it
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// What kind of event: fact, observation, decision, action, constraint, rule, constraint_violation, feedback, …
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,

    /// What happened, as a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "content")]
    pub(crate) payload: Option<String>,

    /// What happened, as a plain sentence
    #[arg(long, value_name = "TEXT")]
    pub(crate) content: Option<String>,

    /// Who says so: policy, validator, executor, document, user, agent, derived, system
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,

    /// Where it belongs, type:name
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) context: Option<String>,

    /// A link to a block or a context; may be repeated
    #[arg(long = "link", value_name = "TYPE=TARGET", value_parser = typed_link)]
    pub(crate) links: Vec<(String, String)>,

    /// A context it is related to; may be repeated
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) related_to: Vec<String>,

    /// A context it adds to; may be repeated
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) extends: Vec<String>,

    /// A context it confirms; may be repeated
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) reinforces: Vec<String>,

    /// A context it contradicts; may be repeated
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) contradicts: Vec<String>,

    /// When it happened: seconds of the epoch, a date, or a date and time
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,

    /// Take the place of what its context holds
    #[arg(long)]
    pub(crate) replace: bool,

    /// A name of yours, so that sending it again counts once
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

/// A type and a target with a sign between them.
fn typed_link(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').map(|(link_type, target)| (link_type.to_owned(), target.to_owned()));
    parts.ok_or_else(|| "a link is typed TYPE=TARGET, such as reinforces=1f3a9c02".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct BatchEvents {
    /// The file with the events; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// All of them or none
    #[arg(long)]
    pub(crate) atomic: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListEvents {
    /// Only of this kind, or of a family of kinds
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,

    /// Only from this source
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<String>,

    /// Only those told in this context
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) context: Option<String>,

    /// Only what happened at or after this
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,

    /// Only those that became no memory
    #[arg(long)]
    pub(crate) filtered: bool,

    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) limit: u32,

    /// Which page, from 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) page: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Context {
    #[command(subcommand)]
    pub(crate) command: ContextCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContextCommand {
    /// List contexts, the fullest first
    Ls(ListContexts),
    /// Show what belongs to a context and what it is linked with
    Show {
        /// Its id, type:name
        #[arg(value_name = "CONTEXT")]
        context: String,
    },
    /// Show how contexts hang together
    Graph(ContextGraph),
    /// Let a block belong to a context too
    Enrol {
        /// Its id, type:name
        #[arg(value_name = "CONTEXT")]
        context: String,

        /// The block's id, or at least its first four characters
        #[arg(value_name = "BLOCK")]
        block: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ListContexts {
    /// Only of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<String>,

    /// Only with this in their id
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,

    /// Only with so many memories
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) min_references: u64,

    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) limit: u32,

    /// Which page, from 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) page: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ContextGraph {
    /// Around this one; without one, all of them
    #[arg(value_name = "CONTEXT")]
    pub(crate) context: Option<String>,

    /// How many steps
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub(crate) depth: usize,

    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) limit: u32,

    /// Only with so many memories
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) min_references: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Link {
    /// Where it starts: a block or a context
    #[arg(value_name = "FROM")]
    pub(crate) from: String,

    /// What it says
    #[arg(value_name = "TYPE", value_parser = LINK_TYPES)]
    pub(crate) link_type: String,

    /// What it says it of: a block or a context
    #[arg(value_name = "TO")]
    pub(crate) to: String,

    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Unlink {
    /// Where it starts: a block or a context
    #[arg(value_name = "FROM")]
    pub(crate) from: String,

    /// What it says
    #[arg(value_name = "TYPE", value_parser = LINK_TYPES)]
    pub(crate) link_type: String,

    /// What it says it of: a block or a context
    #[arg(value_name = "TO")]
    pub(crate) to: String,
}

#[derive(Debug, Args)]
pub(crate) struct Links {
    /// Only those that start at this block or context
    #[arg(long, value_name = "END")]
    pub(crate) from: Option<String>,

    /// Only those that end at this block or context
    #[arg(long, value_name = "END")]
    pub(crate) to: Option<String>,

    /// Only of this type
    #[arg(long = "type", value_name = "TYPE", value_parser = LINK_TYPES)]
    pub(crate) link_type: Option<String>,

    /// Only those that wait for their context
    #[arg(long)]
    pub(crate) unresolved: bool,

    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Chain {
    /// Which block, or context
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// What grew out of it, instead of what it rests on
    #[arg(long)]
    pub(crate) ahead: bool,

    /// How many steps
    #[arg(long, value_name = "COUNT", default_value_t = 8)]
    pub(crate) depth: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Retrieve {
    /// What you want to know
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,

    /// How many memories, at most 100
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    pub(crate) limit: usize,

    /// Leave out so many of the best
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) offset: usize,

    #[command(flatten)]
    pub(crate) places: Places,

    /// Only what this source told; may be repeated
    #[arg(long = "source", value_name = "SOURCE")]
    pub(crate) sources: Vec<String>,

    /// A context whose memories take part and rank higher; may be repeated
    #[arg(long = "boost", value_name = "CONTEXT")]
    pub(crate) boost: Vec<String>,

    /// Steps along extends links
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub(crate) depth: usize,

    /// How much meaning counts beside words: 0 for words alone, 1 for meaning alone
    #[arg(long, value_name = "SHARE", default_value_t = 0.6)]
    pub(crate) semantic_weight: f64,

    /// As text, or as items only
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    pub(crate) format: MemoriesFormat,

    /// Name ids in the text
    #[arg(long)]
    pub(crate) ids: bool,

    /// Look without counting it as use
    #[arg(long)]
    pub(crate) preview: bool,
}

/// How memories are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoriesFormat {
    /// As a text to read
    Markdown,
    /// As items only
    Json,
}

/// Where to look.
#[derive(Debug, Args)]
pub(crate) struct Places {
    /// Only what belongs to this context; may be repeated, then one must fit
    #[arg(long = "context", value_name = "CONTEXT")]
    pub(crate) contexts: Vec<String>,

    /// Only what belongs to contexts of these types: {"skill": ["react"], "project": []}
    #[arg(long, value_name = "JSON")]
    pub(crate) context_types: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Insights {
    /// What is to be done
    #[arg(value_name = "TASK", required = true)]
    pub(crate) task: Vec<String>,

    /// What to look for, where that is not the task itself
    #[arg(long, value_name = "TEXT")]
    pub(crate) query: Option<String>,

    /// How many memories it rests on
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    pub(crate) limit: usize,

    #[command(flatten)]
    pub(crate) places: Places,
}

#[derive(Debug, Args)]
pub(crate) struct Graduate {
    /// This mistake or pattern, however often it was seen; without one, all that is ready
    #[arg(value_name = "BLOCK")]
    pub(crate) block: Option<String>,

    /// What the pattern or the skill says
    #[arg(long, value_name = "TEXT", requires = "block")]
    pub(crate) text: Option<String>,

    /// Do it instead of proposing it
    #[arg(long)]
    pub(crate) apply: bool,

    /// Only say what is ready
    #[arg(long)]
    pub(crate) dry_run: bool,
}
