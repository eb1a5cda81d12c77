//! Edges, outcomes and maintenance.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// The block it starts from: its id or at least four characters of it
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,

    /// The block it leads to
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,

    /// What the edge says [default: similar]
    #[arg(long, short, value_name = "RELATION")]
    pub(crate) relation: Option<String>,

    /// How strong it is, from 0 to 1 [default: the relation's own]
    #[arg(long, short, value_name = "WEIGHT", conflicts_with = "by_query", allow_negative_numbers = true)]
    pub(crate) weight: Option<f64>,

    /// Why it exists
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) note: Option<String>,

    /// What to do when there is an edge already
    #[arg(long, value_name = "ACTION", default_value = "reinforce")]
    pub(crate) if_exists: IfExistsName,

    /// SOURCE and TARGET describe the blocks instead of naming them
    #[arg(long)]
    pub(crate) by_query: bool,

    /// Only show which blocks are meant
    #[arg(long, requires = "by_query")]
    pub(crate) dry_run: bool,

    /// How surely a description must mean its block
    #[arg(long, value_name = "CONFIDENCE", requires = "by_query", default_value_t = 0.70)]
    pub(crate) min_confidence: f64,
}

/// What to do with an edge that is there, as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum IfExistsName {
    /// Make it stronger; it goes on saying what it said
    Reinforce,
    /// Write what is given
    Update,
    /// Leave it
    Skip,
    /// Refuse
    Error,
}

impl From<IfExistsName> for elfmem_engine::IfExists {
    fn from(name: IfExistsName) -> Self {
        match name {
            IfExistsName::Reinforce => Self::Reinforce,
            IfExistsName::Update => Self::Update,
            IfExistsName::Skip => Self::Skip,
            IfExistsName::Error => Self::Error,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Connects {
    /// A file with a JSON list of edges; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Disconnect {
    /// One block
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,

    /// The other
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,

    /// Only if the edge says this
    #[arg(long, value_name = "RELATION")]
    pub(crate) guard_relation: Option<String>,

    /// Why, for the journal
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Outcome {
    /// The blocks that were used
    #[arg(value_name = "BLOCK", required_unless_present = "retract")]
    pub(crate) blocks: Vec<String>,

    /// How well they served, from 0 (harmful) to 1 (perfect)
    #[arg(long, short, value_name = "SIGNAL", required_unless_present = "retract", allow_negative_numbers = true)]
    pub(crate) signal: Option<f64>,

    /// How much that counts, in ordinary outcomes
    #[arg(long, short, value_name = "WEIGHT", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) weight: f64,

    /// Who says so
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub(crate) source: String,

    /// A name of your own, so that sending it again counts once
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Take an outcome back: confidence becomes what the other outcomes say
    #[arg(long, value_name = "ID", conflicts_with_all = ["blocks", "signal", "id"])]
    pub(crate) retract: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Curate {
    /// Archive blocks with less recency than this
    #[arg(long, value_name = "RECENCY", default_value_t = 0.05)]
    pub(crate) prune_threshold: f64,

    /// Drop edges with less weight than this
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.10)]
    pub(crate) edge_prune_threshold: f64,

    /// Keep this many of the best blocks fresh
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    pub(crate) reinforce_top_n: usize,

    /// Keep blocks that hold others together, however faded
    #[arg(long)]
    pub(crate) protect_bridges: bool,

    /// Keep every constitutional block fresh
    #[arg(long)]
    pub(crate) reinforce_constitutional: bool,
}
