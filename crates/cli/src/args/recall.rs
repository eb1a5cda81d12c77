//! What can be typed to ask, to look and to tend frames.

use clap::{Args, Subcommand};

/// What narrows a question down.
#[derive(Debug, Args)]
pub(crate) struct Narrowing {
    /// How many blocks to bring back, beyond those the frame guarantees [default: 5]
    #[arg(long, short = 'k', value_name = "COUNT")]
    pub(crate) top_k: Option<usize>,

    /// Only blocks with a tag that matches, % standing for anything; may be repeated, then all must match
    #[arg(long = "tag", short, value_name = "PATTERN")]
    pub(crate) tags: Vec<String>,

    /// Only blocks of a category
    #[arg(long, short, value_name = "CATEGORY")]
    pub(crate) category: Option<String>,

    /// Only blocks that belong to a context (type:name); may be repeated, then one must fit
    #[arg(long = "context", value_name = "CONTEXT")]
    pub(crate) contexts: Vec<String>,

    /// Only what happened at or after this: a date, or a date and time
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,

    /// Only what happened before this
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,

    /// Ask as if it were then: only what had happened, and "last week" is the week before
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of_event: Option<String>,

    /// Leave out what was stored right before and after, and in the same session
    #[arg(long)]
    pub(crate) no_contiguity: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// The question; `-` reads standard input
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,

    /// Ask in a frame [default: search]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) frame: Option<String>,

    #[command(flatten)]
    pub(crate) narrowing: Narrowing,

    /// Look without counting it as use
    #[arg(long)]
    pub(crate) preview: bool,

    /// Say why each block is here
    #[arg(long, short)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The question
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,

    /// Which block, by its id or the beginning of it
    #[arg(value_name = "BLOCK")]
    pub(crate) block: String,

    /// Ask in a frame
    #[arg(long, short, value_name = "NAME")]
    pub(crate) frame: Option<String>,

    #[command(flatten)]
    pub(crate) narrowing: Narrowing,
}

#[derive(Debug, Args)]
pub(crate) struct Frame {
    #[command(subcommand)]
    pub(crate) command: Option<FrameCommand>,

    /// Which frame
    #[arg(value_name = "NAME", required = true)]
    pub(crate) name: Option<String>,

    /// The question; without one, what matters most
    #[arg(value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    #[command(flatten)]
    pub(crate) narrowing: Narrowing,

    /// Look without counting it as use
    #[arg(long)]
    pub(crate) preview: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FrameCommand {
    /// Add a frame of your own
    Add(FrameDefinition),
    /// Change a frame; what is not given stays
    Edit(FrameDefinition),
    /// List the frames
    Ls,
    /// Take a frame of your own away
    Rm {
        /// Which frame
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FrameDefinition {
    /// Its name
    pub(crate) name: String,

    /// Similarity, confidence, recency, centrality, reinforcement; they sum to one
    #[arg(long, value_name = "S,C,R,C,R", value_parser = five_weights)]
    pub(crate) weights: Option<[f64; 5]>,

    /// Let in only blocks with a tag that matches; may be repeated, then one must match
    #[arg(long = "tag", short, value_name = "PATTERN")]
    pub(crate) tags: Option<Vec<String>>,

    /// Keep out blocks with a tag that matches; may be repeated
    #[arg(long = "exclude-tag", value_name = "PATTERN")]
    pub(crate) exclude_tags: Option<Vec<String>>,

    /// Let in only blocks of a category; may be repeated
    #[arg(long = "category", short, value_name = "CATEGORY")]
    pub(crate) categories: Option<Vec<String>>,

    /// Always show blocks with a tag that matches; may be repeated
    #[arg(long = "guarantee", value_name = "PATTERN")]
    pub(crate) guarantees: Option<Vec<String>>,

    /// The longest it may be, in tokens
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u32>,

    /// How it is rendered: self, attention, task, simulate, search
    #[arg(long, value_name = "NAME")]
    pub(crate) template: Option<String>,

    /// How many active hours back it looks; 0 looks at everything
    #[arg(long, value_name = "HOURS")]
    pub(crate) window: Option<f64>,

    /// For how many seconds a rendering may be served again; 0 for not at all
    #[arg(long, value_name = "SECONDS")]
    pub(crate) cache: Option<u64>,
}

/// Five numbers with commas between them.
fn five_weights(text: &str) -> Result<[f64; 5], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse::<f64>()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    <[f64; 5]>::try_from(numbers.as_slice())
        .map_err(|_| format!("five numbers are needed, {} were given", numbers.len()))
}
