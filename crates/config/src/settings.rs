//! The tree of settings, as programs read it.

use std::path::PathBuf;

use elfmem_core::clock::IDLE_MINUTES;
use elfmem_core::curation::INTERVAL_HOURS;
use elfmem_core::health::INBOX_THRESHOLD;
use elfmem_core::{Scope, UntrustedSources};
use elfmem_text::secrets::SecretsPolicy;

/// Every setting there is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElfmemConfig {
    /// Which file the memory is.
    pub database: DatabaseConfig,
    /// Which part of it is used.
    pub scope: ScopeConfig,
    /// Who embeds and analyses.
    pub models: ModelsConfig,
    /// When it consolidates and curates.
    pub memory: MemoryConfig,
    /// How events become memories, and mistakes skills.
    pub events: EventsConfig,
    /// How time is counted.
    pub session: SessionConfig,
    /// What a question gets when it says nothing else.
    pub recall: RecallConfig,
    /// Who may ask over HTTP, and how much.
    pub serve: ServeConfig,
}

/// Which file the memory is, and how it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatabaseConfig {
    /// The file; none for the one in the project's folder, else in the user's data folder.
    pub path: Option<PathBuf>,
    /// How hard a write is pushed to the disk.
    pub synchronous: Synchronous,
    /// The file that holds the key of an encrypted memory.
    pub key_file: Option<PathBuf>,
}

/// How hard a write is pushed to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Survives the death of the program.
    #[default]
    Normal,
    /// Survives a power cut too.
    Full,
}

/// Which part of the memory is used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScopeConfig {
    /// The part that is seen and written.
    pub name: Scope,
    /// Parts that are seen as well.
    pub inherit: Vec<Scope>,
}

/// Who embeds and analyses.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsConfig {
    /// Where vectors come from: `builtin` or `PROVIDER:MODEL`.
    pub embedder: String,
    /// Who analyses blocks: `rules` or `PROVIDER:MODEL`.
    pub analyst: String,
    /// The address of an OpenAI-compatible server; none for the provider's own.
    pub base_url: Option<String>,
    /// The environment variable that holds the key for OpenAI and compatible servers.
    pub openai_key_variable: String,
    /// The environment variable that holds the key for Anthropic.
    pub anthropic_key_variable: String,
}

impl Default for ModelsConfig {
    fn default() -> Self {
        Self {
            embedder: "builtin".to_owned(),
            analyst: "rules".to_owned(),
            base_url: None,
            openai_key_variable: "OPENAI_API_KEY".to_owned(),
            anthropic_key_variable: "ANTHROPIC_API_KEY".to_owned(),
        }
    }
}

/// When the memory consolidates and curates.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryConfig {
    /// Inbox blocks at which it is time to consolidate.
    pub inbox_threshold: u64,
    /// Whether that threshold follows how new the blocks were.
    pub adaptive_threshold: bool,
    /// Whether it curates without being asked.
    pub auto_curate: bool,
    /// Active hours between two runs of its own.
    pub curate_interval_hours: f64,
    /// What becomes of texts with keys, tokens or passwords in them.
    pub secrets: SecretsPolicy,
    /// Sources whose word is not taken for the agent's own.
    pub untrusted_sources: Vec<String>,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            inbox_threshold: INBOX_THRESHOLD,
            adaptive_threshold: false,
            auto_curate: true,
            curate_interval_hours: INTERVAL_HOURS,
            secrets: SecretsPolicy::default(),
            untrusted_sources: UntrustedSources::USUAL.map(str::to_owned).to_vec(),
        }
    }
}

/// How events become memories, and mistakes skills.
#[derive(Debug, Clone, PartialEq)]
pub struct EventsConfig {
    /// Whether a context holds a single memory.
    pub single_contexts: bool,
    /// Whether mistakes graduate without anyone agreeing.
    pub auto_graduate: bool,
    /// Sightings that make a pattern.
    pub pattern_after: u64,
    /// Confirmed uses that make a skill.
    pub skill_after: u64,
}

impl Default for EventsConfig {
    fn default() -> Self {
        Self { single_contexts: false, auto_graduate: false, pattern_after: 2, skill_after: 5 }
    }
}

/// How time is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionConfig {
    /// The longest pause, in minutes, that still counts as work.
    pub idle_minutes: f64,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self { idle_minutes: IDLE_MINUTES }
    }
}

/// What a question gets when it says nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallConfig {
    /// The frame that `recall` asks in.
    pub frame: String,
    /// How many blocks come back, beyond those a frame guarantees.
    pub top_k: u64,
}

impl Default for RecallConfig {
    fn default() -> Self {
        Self { frame: "search".to_owned(), top_k: 5 }
    }
}

/// Who may ask over HTTP, and how much.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeConfig {
    /// The file with the tokens; none when only this machine may connect.
    pub token_file: Option<PathBuf>,
    /// The largest body of a request.
    pub max_body_bytes: u64,
    /// Requests a minute of one client; 0 for no limit.
    pub requests_per_minute: u64,
    /// Whether each request gets a line on standard error.
    pub access_log: bool,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self { token_file: None, max_body_bytes: 1_048_576, requests_per_minute: 0, access_log: false }
    }
}
