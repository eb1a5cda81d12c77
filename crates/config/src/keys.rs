//! The one table of every setting and every environment variable.

use elfmem_text::secrets::SecretsPolicy;

use crate::kind::Kind;
use crate::settings::{ElfmemConfig, Synchronous};

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name: the section, a dot, the key in it.
    pub name: &'static str,
    /// What it takes and where that goes.
    pub kind: Kind,
    /// The environment variable that sets it.
    pub variable: &'static str,
    /// The flag that sets it for one command, if there is one.
    pub flag: Option<&'static str>,
    /// Whether a project's file may set it. What decides where keys and texts are sent may come from the user only: a project
    /// can be anyone's.
    pub for_projects: bool,
    /// What it is for.
    pub help: &'static str,
    /// What stands for a default that depends on the machine.
    pub default_in_words: Option<&'static str>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Key {
    /// The section it stands in and its name there.
    pub fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }

    /// Its default; null where there is none.
    pub fn default_value(&self) -> serde_json::Value {
        self.kind.get(&ElfmemConfig::default())
    }

    /// Its default as one writes it; none where there is no value to write.
    pub fn default_text(&self) -> Option<String> {
        self.text_of(&ElfmemConfig::default())
    }

    /// What a tree holds for it, as one writes it in a file; none for nothing.
    pub fn text_of(&self, config: &ElfmemConfig) -> Option<String> {
        match self.kind.get(config) {
            serde_json::Value::Null => None,
            // For texts without control characters, lists, numbers and switches JSON and TOML are written alike.
            value => Some(value.to_string()),
        }
    }
}

/// The setting of that name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// How the names of our variables begin.
pub(crate) const VARIABLE_PREFIX: &str = "ELFMEM_";

const HOSTED_EMBEDDERS: &[&str] = &["openai", "ollama"];
const HOSTED_ANALYSTS: &[&str] = &["openai", "ollama", "anthropic"];

/// Every setting, in the order in which they are shown.
pub static KEYS: [Key; 27] = [
    Key {
        name: "database.path",
        kind: Kind::Path(|config| &mut config.database.path),
        variable: "ELFMEM_DB",
        flag: Some("--db"),
        for_projects: true,
        help: "The file that is the memory. A path in a file is relative to the folder of that file.",
        default_in_words: Some(".elfmem/memory.db in the project, else memory.db in your data folder"),
    },
    Key {
        name: "database.synchronous",
        kind: Kind::Choice {
            words: &["normal", "full"],
            set: |config, number| {
                config.database.synchronous = if number == 0 { Synchronous::Normal } else { Synchronous::Full };
            },
            get: |config| config.database.synchronous as usize,
        },
        variable: "ELFMEM_SYNCHRONOUS",
        flag: Some("--synchronous"),
        for_projects: true,
        help: "How hard a write is pushed to the disk: normal survives the death of the program, full a power cut too.",
        default_in_words: None,
    },
    Key {
        name: "database.key_file",
        kind: Kind::Path(|config| &mut config.database.key_file),
        variable: "ELFMEM_KEY_FILE",
        flag: Some("--key-file"),
        for_projects: false,
        help: "The file that holds the key of an encrypted memory; needs an elfmem that was built with encryption.",
        default_in_words: Some("none: the memory is not encrypted"),
    },
    Key {
        name: "scope.name",
        kind: Kind::Scope(|config| &mut config.scope.name),
        variable: "ELFMEM_SCOPE",
        flag: Some("--scope"),
        for_projects: true,
        help: "The part of the memory to use: a project, an agent, a user.",
        default_in_words: None,
    },
    Key {
        name: "scope.inherit",
        kind: Kind::Scopes(|config| &mut config.scope.inherit),
        variable: "ELFMEM_INHERIT",
        flag: Some("--inherit"),
        for_projects: true,
        help: "Scopes that are seen as well. In the variable they are separated by commas; the flag may be repeated.",
        default_in_words: None,
    },
    Key {
        name: "models.embedder",
        kind: Kind::Model {
            alone: "builtin",
            providers: HOSTED_EMBEDDERS,
            place: |config| &mut config.models.embedder,
        },
        variable: "ELFMEM_EMBEDDER",
        flag: Some("--embedder"),
        for_projects: true,
        help: "Where vectors come from. Another one needs `elfmem migrate-embeddings` once.",
        default_in_words: None,
    },
    Key {
        name: "models.analyst",
        kind: Kind::Model { alone: "rules", providers: HOSTED_ANALYSTS, place: |config| &mut config.models.analyst },
        variable: "ELFMEM_ANALYST",
        flag: Some("--analyst"),
        for_projects: true,
        help: "Who analyses blocks when the memory dreams.",
        default_in_words: None,
    },
    Key {
        name: "models.base_url",
        kind: Kind::Address(|config| &mut config.models.base_url),
        variable: "ELFMEM_BASE_URL",
        flag: None,
        for_projects: false,
        help: "The address of an OpenAI-compatible or Ollama server other than the usual one.",
        default_in_words: Some("the provider's own"),
    },
    Key {
        name: "models.openai_key_variable",
        kind: Kind::SecretVariable(|config| &mut config.models.openai_key_variable),
        variable: "ELFMEM_OPENAI_KEY_VARIABLE",
        flag: None,
        for_projects: false,
        help: "The name of the environment variable that holds the key for OpenAI and compatible servers; local ones need none.",
        default_in_words: None,
    },
    Key {
        name: "models.anthropic_key_variable",
        kind: Kind::SecretVariable(|config| &mut config.models.anthropic_key_variable),
        variable: "ELFMEM_ANTHROPIC_KEY_VARIABLE",
        flag: None,
        for_projects: false,
        help: "The name of the environment variable that holds the key for Anthropic.",
        default_in_words: None,
    },
    Key {
        name: "memory.inbox_threshold",
        kind: Kind::Count { least: 1, most: 100_000, place: |config| &mut config.memory.inbox_threshold },
        variable: "ELFMEM_INBOX_THRESHOLD",
        flag: None,
        for_projects: true,
        help: "Blocks in the inbox at which `elfmem status` says that it is time to dream.",
        default_in_words: None,
    },
    Key {
        name: "memory.adaptive_threshold",
        kind: Kind::Switch(|config| &mut config.memory.adaptive_threshold),
        variable: "ELFMEM_ADAPTIVE_THRESHOLD",
        flag: None,
        for_projects: true,
        help: "Whether that threshold follows how much of what was dreamed of was new.",
        default_in_words: None,
    },
    Key {
        name: "memory.auto_curate",
        kind: Kind::Switch(|config| &mut config.memory.auto_curate),
        variable: "ELFMEM_AUTO_CURATE",
        flag: None,
        for_projects: true,
        help: "Whether the memory curates without being asked, before a session and after a dream.",
        default_in_words: None,
    },
    Key {
        name: "memory.curate_interval_hours",
        kind: Kind::Number { least: 0.1, most: 10_000.0, place: |config| &mut config.memory.curate_interval_hours },
        variable: "ELFMEM_CURATE_INTERVAL_HOURS",
        flag: None,
        for_projects: true,
        help: "Active hours between two of those.",
        default_in_words: None,
    },
    Key {
        name: "memory.secrets",
        kind: Kind::Choice {
            words: &SecretsPolicy::WORDS,
            set: |config, number| config.memory.secrets = SecretsPolicy::ALL[number.min(2)],
            get: |config| config.memory.secrets as usize,
        },
        variable: "ELFMEM_SECRETS",
        flag: None,
        for_projects: false,
        help: "What becomes of keys, tokens and passwords in a text that is stored: redact stores it without them, refuse does not store it, allow stores it as it is.",
        default_in_words: None,
    },
    Key {
        name: "memory.untrusted_sources",
        kind: Kind::Names(|config| &mut config.memory.untrusted_sources),
        variable: "ELFMEM_UNTRUSTED_SOURCES",
        flag: None,
        for_projects: false,
        help: "Sources whose word is not taken for the agent's own: what they bring says nothing about the self and raises no belief beyond 0.7.",
        default_in_words: None,
    },
    Key {
        name: "events.context_mode",
        kind: Kind::Choice {
            words: &["many", "single"],
            set: |config, number| config.events.single_contexts = number == 1,
            get: |config| usize::from(config.events.single_contexts),
        },
        variable: "ELFMEM_CONTEXT_MODE",
        flag: None,
        for_projects: true,
        help: "How many memories a context of events holds: many, or a single one that another may only replace.",
        default_in_words: None,
    },
    Key {
        name: "events.auto_graduate",
        kind: Kind::Switch(|config| &mut config.events.auto_graduate),
        variable: "ELFMEM_AUTO_GRADUATE",
        flag: None,
        for_projects: true,
        help: "Whether a dream lets mistakes become patterns and patterns skills by itself instead of proposing it.",
        default_in_words: None,
    },
    Key {
        name: "events.pattern_after",
        kind: Kind::Count { least: 1, most: 1_000, place: |config| &mut config.events.pattern_after },
        variable: "ELFMEM_PATTERN_AFTER",
        flag: None,
        for_projects: true,
        help: "In how many distinct sessions, or by how many sources, a mistake must be seen to make a pattern.",
        default_in_words: None,
    },
    Key {
        name: "events.skill_after",
        kind: Kind::Count { least: 1, most: 1_000, place: |config| &mut config.events.skill_after },
        variable: "ELFMEM_SKILL_AFTER",
        flag: None,
        for_projects: true,
        help: "How many confirmed uses of a pattern make a skill.",
        default_in_words: None,
    },
    Key {
        name: "session.idle_minutes",
        kind: Kind::Number { least: 0.1, most: 1_440.0, place: |config| &mut config.session.idle_minutes },
        variable: "ELFMEM_IDLE_MINUTES",
        flag: None,
        for_projects: true,
        help: "The longest pause, in minutes, that still counts as work.",
        default_in_words: None,
    },
    Key {
        name: "recall.frame",
        kind: Kind::Name(|config| &mut config.recall.frame),
        variable: "ELFMEM_FRAME",
        flag: Some("--frame"),
        for_projects: true,
        help: "The frame that `elfmem recall` and `why` ask in.",
        default_in_words: None,
    },
    Key {
        name: "recall.top_k",
        kind: Kind::Count { least: 1, most: 1_000, place: |config| &mut config.recall.top_k },
        variable: "ELFMEM_TOP_K",
        flag: Some("--top-k"),
        for_projects: true,
        help: "How many blocks come back, beyond those a frame guarantees.",
        default_in_words: None,
    },
    Key {
        name: "serve.token_file",
        kind: Kind::Path(|config| &mut config.serve.token_file),
        variable: "ELFMEM_TOKEN_FILE",
        flag: Some("--token-file"),
        for_projects: false,
        help: "The file with the tokens of `elfmem serve --http`: one a line, with read or write before it. Without tokens only this machine may connect.",
        default_in_words: None,
    },
    Key {
        name: "serve.max_body_bytes",
        kind: Kind::Count { least: 1_024, most: 67_108_864, place: |config| &mut config.serve.max_body_bytes },
        variable: "ELFMEM_MAX_BODY_BYTES",
        flag: None,
        for_projects: true,
        help: "The largest body of a request to the HTTP API.",
        default_in_words: None,
    },
    Key {
        name: "serve.requests_per_minute",
        kind: Kind::Count { least: 0, most: 1_000_000, place: |config| &mut config.serve.requests_per_minute },
        variable: "ELFMEM_REQUESTS_PER_MINUTE",
        flag: None,
        for_projects: true,
        help: "Requests a minute that one token, or one address without tokens, may make over HTTP; 0 for no limit.",
        default_in_words: None,
    },
    Key {
        name: "serve.access_log",
        kind: Kind::Switch(|config| &mut config.serve.access_log),
        variable: "ELFMEM_ACCESS_LOG",
        flag: Some("--access-log"),
        for_projects: true,
        help: "Whether each request over HTTP gets a line on standard error.",
        default_in_words: None,
    },
];

/// A variable that is read and is no setting.
#[derive(Debug, Clone, Copy)]
pub struct OtherVariable {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub help: &'static str,
}

/// Variables that are read besides those of the settings.
pub static OTHER_VARIABLES: [OtherVariable; 6] = [
    OtherVariable {
        name: "OPENAI_API_KEY",
        help: "The key for OpenAI and compatible servers, unless models.openai_key_variable names another variable.",
    },
    OtherVariable {
        name: "ANTHROPIC_API_KEY",
        help: "The key for Anthropic, unless models.anthropic_key_variable names another variable.",
    },
    OtherVariable {
        name: "ELFMEM_KEY",
        help: "The key of an encrypted memory itself, where there is no file for it. It goes before a file that settings name.",
    },
    OtherVariable { name: "XDG_CONFIG_HOME", help: "The folder of your settings; ~/.config without it." },
    OtherVariable { name: "XDG_DATA_HOME", help: "The folder of your own memory; ~/.local/share without it." },
    OtherVariable { name: "NO_COLOR", help: "No colours, whatever it holds." },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_variables_and_sections_are_each_used_once() {
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
    fn what_decides_where_secrets_go_is_not_for_projects() {
        let kept: Vec<&str> = KEYS.iter().filter(|key| !key.for_projects).map(|key| key.name).collect();
        let wanted = [
            "database.key_file",
            "models.base_url",
            "models.openai_key_variable",
            "models.anthropic_key_variable",
            "memory.secrets",
            "memory.untrusted_sources",
            "serve.token_file",
        ];
        assert_eq!(kept, wanted);
    }
}
