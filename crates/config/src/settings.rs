//! The typed configuration.

use std::path::PathBuf;

use elfmem_core::clock::IDLE_MINUTES;
use elfmem_core::consolidation::{INBOX_THRESHOLD, ThresholdOverrides};
use elfmem_core::curation::INTERVAL_HOURS;
use elfmem_core::edge::EDGE_REINFORCE_DELTA;
use elfmem_core::{EdgeScoring, Scope};
use elfmem_text::secrets::SecretsPolicy;

/// All settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElfmemConfig {
    /// The database file.
    pub database: DatabaseConfig,
    /// The scope.
    pub scope: ScopeConfig,
    /// The models.
    pub models: ModelsConfig,
    /// Consolidation and curation.
    pub memory: MemoryConfig,
    /// Events and graduation.
    pub events: EventsConfig,
    /// The activity clock.
    pub session: SessionConfig,
    /// Similarity thresholds that replace those of the embedder.
    pub thresholds: ThresholdOverrides,
    /// Defaults of recall.
    pub recall: RecallConfig,
    /// The hooks of hosts.
    pub hooks: HooksConfig,
    /// The HTTP server.
    pub serve: ServeConfig,
    /// What is logged, and where.
    pub log: LogConfig,
}

/// The database file and its durability.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatabaseConfig {
    /// The file. `None` for the one in the project folder, else in the user's data folder.
    pub path: Option<PathBuf>,
    /// Durability of writes.
    pub synchronous: SyncMode,
    /// The file with the key of an encrypted memory.
    pub key_file: Option<PathBuf>,
}

/// Durability of writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncMode {
    /// Survives a crash of the program.
    #[default]
    Normal,
    /// Survives a power failure.
    Full,
}

/// The scope of the memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScopeConfig {
    /// The scope that is read and written.
    pub name: Scope,
    /// Further scopes that are read.
    pub inherit: Vec<Scope>,
}

/// The models.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsConfig {
    /// The embedder: `builtin`, `static`, `encoder`, `folder:PATH` or `PROVIDER:MODEL`. `builtin` is the default model inside
    /// the program.
    pub embedder: String,
    /// The analyst: `rules` or `PROVIDER:MODEL`.
    pub analyst: String,
    /// Who judges pairs of texts that the rules leave open.
    pub pair_judge: PairJudgeSetting,
    /// URL of an OpenAI-compatible server. `None` for the provider's own.
    pub base_url: Option<String>,
    /// The environment variable with the key for OpenAI and compatible servers.
    pub openai_key_variable: String,
    /// The environment variable with the key for Anthropic.
    pub anthropic_key_variable: String,
}

/// Who judges pairs of texts that the rules leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairJudgeSetting {
    /// The model inside the program, unless the embedder is `static`.
    #[default]
    Auto,
    /// The model inside the program.
    Builtin,
    /// Nobody.
    Rules,
}

impl PairJudgeSetting {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Builtin, Self::Rules];
    /// Their names, in the same order.
    pub const WORDS: [&str; 3] = ["auto", "builtin", "rules"];
}

impl Default for ModelsConfig {
    fn default() -> Self {
        Self {
            embedder: "builtin".to_owned(),
            analyst: "rules".to_owned(),
            pair_judge: PairJudgeSetting::default(),
            base_url: None,
            openai_key_variable: "OPENAI_API_KEY".to_owned(),
            anthropic_key_variable: "ANTHROPIC_API_KEY".to_owned(),
        }
    }
}

/// Consolidation and curation.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryConfig {
    /// Number of inbox blocks from which consolidation is due.
    pub inbox_threshold: u64,
    /// Whether the threshold adapts to the share of new blocks.
    pub adaptive_threshold: bool,
    /// Whether curation runs automatically.
    pub auto_curate: bool,
    /// Active hours between automatic curations.
    pub curate_interval_hours: f64,
    /// Days of use whose operations can be undone.
    pub undo_window_days: u64,
    /// The most edges of a block, if it is not what the memory has.
    pub edge_degree_cap: Option<u64>,
    /// How much the weight of an edge grows when it is confirmed.
    pub edge_reinforce_delta: f64,
    /// Whether `learn` replaces a block that says the same in almost the same words.
    pub supersede_at_learn: bool,
    /// How dream scores `similar` edges.
    pub edge_score: EdgeScoring,
    /// How texts with keys, tokens or passwords are handled.
    pub secrets: SecretsPolicy,
    /// Further sources that speak for the owner.
    pub trusted_sources: Vec<String>,
    /// Sources that never speak for the owner.
    pub untrusted_sources: Vec<String>,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            inbox_threshold: INBOX_THRESHOLD,
            adaptive_threshold: false,
            auto_curate: true,
            curate_interval_hours: INTERVAL_HOURS,
            undo_window_days: 30,
            edge_degree_cap: None,
            edge_reinforce_delta: EDGE_REINFORCE_DELTA,
            supersede_at_learn: true,
            edge_score: EdgeScoring::default(),
            secrets: SecretsPolicy::default(),
            trusted_sources: Vec::new(),
            untrusted_sources: Vec::new(),
        }
    }
}

/// Events and graduation.
#[derive(Debug, Clone, PartialEq)]
pub struct EventsConfig {
    /// Whether a context holds a single memory.
    pub single_contexts: bool,
    /// Whether mistakes graduate without approval.
    pub auto_graduate: bool,
    /// Number of sightings that make a pattern.
    pub pattern_after: u64,
    /// Number of confirmed uses that make a skill.
    pub skill_after: u64,
}

impl Default for EventsConfig {
    fn default() -> Self {
        Self { single_contexts: false, auto_graduate: false, pattern_after: 2, skill_after: 5 }
    }
}

/// The activity clock.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionConfig {
    /// The longest pause, in minutes, that still counts as activity.
    pub idle_minutes: f64,
    /// Whether a full inbox is consolidated when a session ends.
    pub consolidate: bool,
    /// For how long, in seconds.
    pub consolidate_seconds: u64,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self { idle_minutes: IDLE_MINUTES, consolidate: true, consolidate_seconds: 20 }
    }
}

/// Defaults of recall.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallConfig {
    /// The default frame of `recall`.
    pub frame: String,
    /// Number of returned blocks, beyond those guaranteed by the frame.
    pub top_k: u64,
}

impl Default for RecallConfig {
    fn default() -> Self {
        Self { frame: "search".to_owned(), top_k: 5 }
    }
}

/// The hooks of hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct HooksConfig {
    /// Most tokens that the hook of a prompt adds; 0 for none.
    pub prompt_tokens: u64,
}

impl Default for HooksConfig {
    fn default() -> Self {
        Self { prompt_tokens: 400 }
    }
}

/// The HTTP server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeConfig {
    /// The file with the access tokens. `None` allows only local connections.
    pub token_file: Option<PathBuf>,
    /// Maximum size of a request body.
    pub max_body_bytes: u64,
    /// Requests per minute and client; 0 for no limit.
    pub requests_per_minute: u64,
    /// Whether each request is logged to standard error.
    pub access_log: bool,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self { token_file: None, max_body_bytes: 1_048_576, requests_per_minute: 0, access_log: false }
    }
}

/// What is logged, and where.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogConfig {
    /// Levels, for all crates or one, separated by commas. Without it nothing is logged, or `info` if there is a file.
    pub filter: Option<String>,
    /// The file that lines are appended to. Without it they go to standard error.
    pub file: Option<PathBuf>,
}
