//! The table of all settings and environment variables.

use elfmem_core::EdgeScoring;
use elfmem_text::secrets::SecretsPolicy;

use crate::kind::SettingType;
use crate::settings::{ElfmemConfig, PairJudgeSetting, SyncMode};

/// A setting.
#[derive(Debug, Clone, Copy)]
pub struct SettingKey {
    /// The full name: section, dot, key.
    pub name: &'static str,
    /// The type of the value and the field that stores it.
    pub kind: SettingType,
    /// The environment variable.
    pub variable: &'static str,
    /// The command-line flag, if any.
    pub flag: Option<&'static str>,
    /// Whether a project file may contain the setting. Settings that decide where keys and texts
    /// are sent are reserved to the user, because a project may come from anyone.
    pub for_projects: bool,
    /// The description.
    pub help: &'static str,
    /// Description of a default that depends on the machine.
    pub default_in_words: Option<&'static str>,
}

impl PartialEq for SettingKey {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl SettingKey {
    /// Returns the section and the key within it.
    pub fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }

    /// Returns the default value, or null if there is none.
    pub fn default_value(&self) -> serde_json::Value {
        self.kind.get(&ElfmemConfig::default())
    }

    /// Returns the default as written in a file, or `None` if there is none.
    pub fn default_text(&self) -> Option<String> {
        self.text_of(&ElfmemConfig::default())
    }

    /// Returns the value in `config` as written in a file, or `None` if it is not set.
    pub fn text_of(&self, config: &ElfmemConfig) -> Option<String> {
        match self.kind.get(config) {
            serde_json::Value::Null => None,
            // JSON and TOML agree on strings without control characters, lists, numbers and
            // booleans.
            value => Some(value.to_string()),
        }
    }
}

/// Returns the setting with the given name.
pub fn key(name: &str) -> Option<&'static SettingKey> {
    KEYS.iter().find(|key| key.name == name)
}

/// Prefix of the environment variables.
pub(crate) const VARIABLE_PREFIX: &str = "ELFMEM_";

const HOSTED_EMBEDDERS: &[&str] = &["openai", "ollama"];
const HOSTED_ANALYSTS: &[&str] = &["openai", "ollama", "anthropic"];

/// All settings, in display order.
pub static KEYS: [SettingKey; 44] = [
    SettingKey {
        name: "database.path",
        kind: SettingType::Path(|config| &mut config.database.path),
        variable: "ELFMEM_DB",
        flag: Some("--db"),
        for_projects: true,
        help: "The database file. A path in a configuration file is relative to the folder of that file.",
        default_in_words: Some(".elfmem/memory.db in the project, else memory.db in your data folder"),
    },
    SettingKey {
        name: "database.synchronous",
        kind: SettingType::Choice {
            words: &["normal", "full"],
            set: |config, number| {
                config.database.synchronous = if number == 0 { SyncMode::Normal } else { SyncMode::Full };
            },
            get: |config| config.database.synchronous as usize,
        },
        variable: "ELFMEM_SYNCHRONOUS",
        flag: Some("--synchronous"),
        for_projects: true,
        help: "Durability of writes: normal survives a crash of the program, full also a power failure.",
        default_in_words: None,
    },
    SettingKey {
        name: "database.key_file",
        kind: SettingType::Path(|config| &mut config.database.key_file),
        variable: "ELFMEM_KEY_FILE",
        flag: Some("--key-file"),
        for_projects: false,
        help: "The file with the key of an encrypted memory. Requires a build with encryption.",
        default_in_words: Some("none: the memory is not encrypted"),
    },
    SettingKey {
        name: "scope.name",
        kind: SettingType::Scope(|config| &mut config.scope.name),
        variable: "ELFMEM_SCOPE",
        flag: Some("--scope"),
        for_projects: true,
        help: "The scope to read and write: a project, an agent or a user.",
        default_in_words: None,
    },
    SettingKey {
        name: "scope.inherit",
        kind: SettingType::Scopes(|config| &mut config.scope.inherit),
        variable: "ELFMEM_INHERIT",
        flag: Some("--inherit"),
        for_projects: true,
        help: "Further scopes to read. Separated by commas in the variable; the flag may be repeated.",
        default_in_words: None,
    },
    SettingKey {
        name: "models.embedder",
        kind: SettingType::Model {
            standalone: &["builtin", "static", "encoder"],
            providers: HOSTED_EMBEDDERS,
            folders: true,
            place: |config| &mut config.models.embedder,
        },
        variable: "ELFMEM_EMBEDDER",
        flag: Some("--embedder"),
        for_projects: true,
        help: "The embedding model. A folder holds a sentence-transformers model; its path in a configuration file is relative to the folder of that file. After a change, run `elfmem migrate-embeddings` once.",
        default_in_words: None,
    },
    SettingKey {
        name: "models.analyst",
        kind: SettingType::Model {
            standalone: &["rules"],
            providers: HOSTED_ANALYSTS,
            folders: false,
            place: |config| &mut config.models.analyst,
        },
        variable: "ELFMEM_ANALYST",
        flag: Some("--analyst"),
        for_projects: true,
        help: "The model that analyses blocks in a dream.",
        default_in_words: None,
    },
    SettingKey {
        name: "models.pair_judge",
        kind: SettingType::Choice {
            words: &PairJudgeSetting::WORDS,
            set: |config, number| config.models.pair_judge = PairJudgeSetting::ALL[number.min(2)],
            get: |config| config.models.pair_judge as usize,
        },
        variable: "ELFMEM_PAIR_JUDGE",
        flag: None,
        for_projects: true,
        help: "Who judges pairs of blocks that the rules of a dream leave open: the model inside the program (builtin), nobody (rules), or the model unless the embedder is `static` (auto).",
        default_in_words: None,
    },
    SettingKey {
        name: "models.base_url",
        kind: SettingType::Url(|config| &mut config.models.base_url),
        variable: "ELFMEM_BASE_URL",
        flag: None,
        for_projects: false,
        help: "The URL of an OpenAI-compatible or Ollama server.",
        default_in_words: Some("the URL of the provider"),
    },
    SettingKey {
        name: "models.openai_key_variable",
        kind: SettingType::SecretVariable(|config| &mut config.models.openai_key_variable),
        variable: "ELFMEM_OPENAI_KEY_VARIABLE",
        flag: None,
        for_projects: false,
        help: "The environment variable with the key for OpenAI and compatible servers. Local servers need none.",
        default_in_words: None,
    },
    SettingKey {
        name: "models.anthropic_key_variable",
        kind: SettingType::SecretVariable(|config| &mut config.models.anthropic_key_variable),
        variable: "ELFMEM_ANTHROPIC_KEY_VARIABLE",
        flag: None,
        for_projects: false,
        help: "The environment variable with the key for Anthropic.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.inbox_threshold",
        kind: SettingType::Count { min: 1, max: 100_000, place: |config| &mut config.memory.inbox_threshold },
        variable: "ELFMEM_INBOX_THRESHOLD",
        flag: None,
        for_projects: true,
        help: "Number of inbox blocks from which `elfmem status` recommends a dream.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.adaptive_threshold",
        kind: SettingType::Bool(|config| &mut config.memory.adaptive_threshold),
        variable: "ELFMEM_ADAPTIVE_THRESHOLD",
        flag: None,
        for_projects: true,
        help: "Whether the inbox threshold adapts to the share of new blocks in past dreams.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.auto_curate",
        kind: SettingType::Bool(|config| &mut config.memory.auto_curate),
        variable: "ELFMEM_AUTO_CURATE",
        flag: None,
        for_projects: true,
        help: "Whether curation runs automatically, before a session and after a dream.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.curate_interval_hours",
        kind: SettingType::Number { min: 0.1, max: 10_000.0, place: |config| &mut config.memory.curate_interval_hours },
        variable: "ELFMEM_CURATE_INTERVAL_HOURS",
        flag: None,
        for_projects: true,
        help: "Active hours between two automatic curations.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.undo_window_days",
        kind: SettingType::Count { min: 1, max: 100_000, place: |config| &mut config.memory.undo_window_days },
        variable: "ELFMEM_UNDO_WINDOW_DAYS",
        flag: None,
        for_projects: false,
        help: "Days of use whose operations can be undone. Of older ones curate keeps the description, and counts those that changed no knowledge.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.edge_degree_cap",
        kind: SettingType::OptionalCount { min: 1, max: 1_000, place: |config| &mut config.memory.edge_degree_cap },
        variable: "ELFMEM_EDGE_DEGREE_CAP",
        flag: None,
        for_projects: false,
        help: "The most edges of a block. It is kept in the memory and holds for every program that uses it.",
        default_in_words: Some("what the memory has; 10 in a new one"),
    },
    SettingKey {
        name: "memory.edge_reinforce_delta",
        kind: SettingType::Number { min: 0.0, max: 1.0, place: |config| &mut config.memory.edge_reinforce_delta },
        variable: "ELFMEM_EDGE_REINFORCE_DELTA",
        flag: None,
        for_projects: true,
        help: "How much the weight of an edge grows when it is confirmed; an outcome adds its signal's share of it.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.supersede_at_learn",
        kind: SettingType::Bool(|config| &mut config.memory.supersede_at_learn),
        variable: "ELFMEM_SUPERSEDE_AT_LEARN",
        flag: None,
        for_projects: true,
        help: "Whether a text that says the same as a stored block in almost the same words takes its place when it is learned, and not at the next dream.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.edge_score",
        kind: SettingType::Choice {
            words: &EdgeScoring::WORDS,
            set: |config, number| config.memory.edge_score = EdgeScoring::ALL[number.min(1)],
            get: |config| config.memory.edge_score as usize,
        },
        variable: "ELFMEM_EDGE_SCORE",
        flag: None,
        for_projects: true,
        help: "Score of similar edges in a dream: cosine compares the meaning, composite also tags, category and time.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.secrets",
        kind: SettingType::Choice {
            words: &SecretsPolicy::WORDS,
            set: |config, number| config.memory.secrets = SecretsPolicy::ALL[number.min(3)],
            get: |config| config.memory.secrets as usize,
        },
        variable: "ELFMEM_SECRETS",
        flag: None,
        for_projects: false,
        help: "Handling of texts with keys, tokens or passwords: redact stores them without the secrets, redact-tokens keeps passwords told in sentences, refuse rejects them, allow stores them unchanged.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.trusted_sources",
        kind: SettingType::Names(|config| &mut config.memory.trusted_sources),
        variable: "ELFMEM_TRUSTED_SOURCES",
        flag: None,
        for_projects: false,
        help: "Sources that speak for you beside user, agent, system, validator, executor and your programs, such as document:NAME or peer:NAME.",
        default_in_words: None,
    },
    SettingKey {
        name: "memory.untrusted_sources",
        kind: SettingType::Names(|config| &mut config.memory.untrusted_sources),
        variable: "ELFMEM_UNTRUSTED_SOURCES",
        flag: None,
        for_projects: false,
        help: "Sources that never speak for you, such as a client: their texts can be recalled and change nothing you said.",
        default_in_words: None,
    },
    SettingKey {
        name: "events.context_mode",
        kind: SettingType::Choice {
            words: &["many", "single"],
            set: |config, number| config.events.single_contexts = number == 1,
            get: |config| usize::from(config.events.single_contexts),
        },
        variable: "ELFMEM_CONTEXT_MODE",
        flag: None,
        for_projects: true,
        help: "How many memories a context holds: many, or a single one that new ones replace.",
        default_in_words: None,
    },
    SettingKey {
        name: "events.auto_graduate",
        kind: SettingType::Bool(|config| &mut config.events.auto_graduate),
        variable: "ELFMEM_AUTO_GRADUATE",
        flag: None,
        for_projects: true,
        help: "Whether a dream turns mistakes into patterns and patterns into skills without approval.",
        default_in_words: None,
    },
    SettingKey {
        name: "events.pattern_after",
        kind: SettingType::Count { min: 1, max: 1_000, place: |config| &mut config.events.pattern_after },
        variable: "ELFMEM_PATTERN_AFTER",
        flag: None,
        for_projects: true,
        help: "Number of distinct sessions or sources in which a mistake must occur to become a pattern.",
        default_in_words: None,
    },
    SettingKey {
        name: "events.skill_after",
        kind: SettingType::Count { min: 1, max: 1_000, place: |config| &mut config.events.skill_after },
        variable: "ELFMEM_SKILL_AFTER",
        flag: None,
        for_projects: true,
        help: "Number of confirmed uses after which a pattern becomes a skill.",
        default_in_words: None,
    },
    SettingKey {
        name: "session.idle_minutes",
        kind: SettingType::Number { min: 0.1, max: 1_440.0, place: |config| &mut config.session.idle_minutes },
        variable: "ELFMEM_IDLE_MINUTES",
        flag: None,
        for_projects: true,
        help: "The longest pause in minutes that still counts as activity.",
        default_in_words: None,
    },
    SettingKey {
        name: "session.consolidate",
        kind: SettingType::Bool(|config| &mut config.session.consolidate),
        variable: "ELFMEM_SESSION_CONSOLIDATE",
        flag: None,
        for_projects: true,
        help: "Whether a full inbox is consolidated when a session ends, also one of a server.",
        default_in_words: None,
    },
    SettingKey {
        name: "session.consolidate_seconds",
        kind: SettingType::Count { min: 1, max: 3_600, place: |config| &mut config.session.consolidate_seconds },
        variable: "ELFMEM_SESSION_CONSOLIDATE_SECONDS",
        flag: None,
        for_projects: true,
        help: "For how many seconds. What is not done by then waits for the next time. A server that stops takes two. A model that is answering is waited for.",
        default_in_words: None,
    },
    SettingKey {
        name: "thresholds.exact",
        kind: SettingType::OptionalShare(|config| &mut config.thresholds.exact),
        variable: "ELFMEM_THRESHOLD_EXACT",
        flag: None,
        for_projects: true,
        help: "Cosine from which a pair may be a duplicate: the newer text is rejected.",
        default_in_words: Some("that of the embedder"),
    },
    SettingKey {
        name: "thresholds.near",
        kind: SettingType::OptionalShare(|config| &mut config.thresholds.near),
        variable: "ELFMEM_THRESHOLD_NEAR",
        flag: None,
        for_projects: true,
        help: "Cosine from which a pair may be a paraphrase: the newer text replaces the older.",
        default_in_words: Some("that of the embedder"),
    },
    SettingKey {
        name: "thresholds.edge",
        kind: SettingType::OptionalShare(|config| &mut config.thresholds.edge),
        variable: "ELFMEM_THRESHOLD_EDGE",
        flag: None,
        for_projects: true,
        help: "Cosine from which two blocks get a `similar` edge.",
        default_in_words: Some("that of the embedder"),
    },
    SettingKey {
        name: "thresholds.contradiction_prefilter",
        kind: SettingType::OptionalShare(|config| &mut config.thresholds.contradiction_prefilter),
        variable: "ELFMEM_THRESHOLD_CONTRADICTION_PREFILTER",
        flag: None,
        for_projects: true,
        help: "Cosine from which a pair is checked for a contradiction.",
        default_in_words: Some("that of the embedder"),
    },
    SettingKey {
        name: "thresholds.contradiction",
        kind: SettingType::OptionalShare(|config| &mut config.thresholds.contradiction),
        variable: "ELFMEM_THRESHOLD_CONTRADICTION",
        flag: None,
        for_projects: true,
        help: "Score, not cosine, from which a pair contradicts.",
        default_in_words: Some("that of the embedder"),
    },
    SettingKey {
        name: "recall.frame",
        kind: SettingType::Name(|config| &mut config.recall.frame),
        variable: "ELFMEM_FRAME",
        flag: Some("--frame"),
        for_projects: true,
        help: "The default frame of `elfmem recall` and `elfmem why`.",
        default_in_words: None,
    },
    SettingKey {
        name: "recall.top_k",
        kind: SettingType::Count { min: 1, max: 1_000, place: |config| &mut config.recall.top_k },
        variable: "ELFMEM_TOP_K",
        flag: Some("--top-k"),
        for_projects: true,
        help: "Number of returned blocks, beyond those guaranteed by the frame.",
        default_in_words: None,
    },
    SettingKey {
        name: "hooks.prompt_tokens",
        kind: SettingType::Count { min: 0, max: 100_000, place: |config| &mut config.hooks.prompt_tokens },
        variable: "ELFMEM_PROMPT_TOKENS",
        flag: None,
        for_projects: true,
        help: "Most tokens that the hook of a prompt adds to the context; 0 for none.",
        default_in_words: None,
    },
    SettingKey {
        name: "serve.token_file",
        kind: SettingType::Path(|config| &mut config.serve.token_file),
        variable: "ELFMEM_TOKEN_FILE",
        flag: Some("--token-file"),
        for_projects: false,
        help: "The file with the access tokens of `elfmem serve --http`: one per line, after read or write. Without tokens, only local connections are allowed.",
        default_in_words: None,
    },
    SettingKey {
        name: "serve.max_body_bytes",
        kind: SettingType::Count { min: 1_024, max: 67_108_864, place: |config| &mut config.serve.max_body_bytes },
        variable: "ELFMEM_MAX_BODY_BYTES",
        flag: None,
        for_projects: true,
        help: "Maximum size of a request body of the HTTP API.",
        default_in_words: None,
    },
    SettingKey {
        name: "serve.requests_per_minute",
        kind: SettingType::Count { min: 0, max: 1_000_000, place: |config| &mut config.serve.requests_per_minute },
        variable: "ELFMEM_REQUESTS_PER_MINUTE",
        flag: None,
        for_projects: true,
        help: "HTTP requests per minute allowed for one token, or for one address without tokens; 0 for no limit.",
        default_in_words: None,
    },
    SettingKey {
        name: "serve.access_log",
        kind: SettingType::Bool(|config| &mut config.serve.access_log),
        variable: "ELFMEM_ACCESS_LOG",
        flag: Some("--access-log"),
        for_projects: true,
        help: "Whether each HTTP request is logged to standard error.",
        default_in_words: None,
    },
    SettingKey {
        name: "log.filter",
        kind: SettingType::LogFilter(|config| &mut config.log.filter),
        variable: "ELFMEM_LOG",
        flag: Some("--log"),
        for_projects: false,
        help: "Which log lines are written. They contain no stored text and no secret.",
        default_in_words: Some("off; info with a log file"),
    },
    SettingKey {
        name: "log.file",
        kind: SettingType::Path(|config| &mut config.log.file),
        variable: "ELFMEM_LOG_FILE",
        flag: Some("--log-file"),
        for_projects: false,
        help: "The file that log lines are appended to.",
        default_in_words: Some("standard error"),
    },
];

/// An environment variable that is not a setting.
#[derive(Debug, Clone, Copy)]
pub struct OtherVariable {
    /// The name.
    pub name: &'static str,
    /// The description.
    pub help: &'static str,
}

/// Environment variables that are not settings.
pub static OTHER_VARIABLES: [OtherVariable; 9] = [
    OtherVariable {
        name: "OPENAI_API_KEY",
        help: "The API key for OpenAI and compatible servers; models.openai_key_variable can name another variable.",
    },
    OtherVariable {
        name: "ANTHROPIC_API_KEY",
        help: "The API key for Anthropic; models.anthropic_key_variable can name another variable.",
    },
    OtherVariable {
        name: "ELFMEM_KEY",
        help: "The key of an encrypted memory itself. Takes precedence over a key file in the settings.",
    },
    OtherVariable { name: "XDG_CONFIG_HOME", help: "The base folder of your settings; default ~/.config." },
    OtherVariable { name: "XDG_DATA_HOME", help: "The base folder of your memory; default ~/.local/share." },
    OtherVariable { name: "NO_COLOR", help: "Disables colours if set to any value." },
    OtherVariable {
        name: "PAGER",
        help: "The program that shows answers longer than the terminal; default less. Empty or cat for none.",
    },
    OtherVariable { name: "COLUMNS", help: "Sets the width of lines on a terminal, before the width that it reports." },
    OtherVariable { name: "NO_PAGER", help: "Disables the pager if set to any value, as --no-pager does." },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_variables_and_sections_are_unique() {
        let mut names: Vec<&str> = KEYS.iter().flat_map(|key| [key.name, key.variable]).collect();
        names.extend(OTHER_VARIABLES.iter().map(|variable| variable.name));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        let mut sections: Vec<&str> = KEYS.iter().map(|key| key.parts().0).collect();
        sections.dedup();
        let together = sections.len();
        sections.sort_unstable();
        sections.dedup();
        assert_eq!(sections.len(), together, "the settings of a section stand together");
        assert!(KEYS.iter().all(|key| !key.parts().0.is_empty() && key.help.ends_with('.')));
    }

    #[test]
    fn settings_that_redirect_secrets_or_write_files_are_not_for_projects() {
        let kept: Vec<&str> = KEYS.iter().filter(|key| !key.for_projects).map(|key| key.name).collect();
        let expected = [
            "database.key_file",
            "models.base_url",
            "models.openai_key_variable",
            "models.anthropic_key_variable",
            "memory.undo_window_days",
            "memory.edge_degree_cap",
            "memory.secrets",
            "memory.trusted_sources",
            "memory.untrusted_sources",
            "serve.token_file",
            "log.filter",
            "log.file",
        ];
        assert_eq!(kept, expected);
    }
}
