//! The configuration of elfmem.
//!
//! [`ElfmemConfig`] is the typed configuration. [`KEYS`] is the table of all settings: name, type,
//! default, environment variable, flag and description. The commented template, the reference page
//! and all error messages are generated from that table.
//!
//! Settings come in layers: defaults, the user's file, the project's file, the environment, flags.
//! Later layers win, and each value records its origin ([`ValueOrigin`]). Unreadable, unknown or
//! invalid input becomes a [`ConfigError`] with its location and a recovery hint; all other values
//! are used.
//!
//! What this crate is *not*: it opens no database and does not read the environment, and only
//! [`loader`] reads files. Secrets are not settings: a setting may name the environment variable
//! that contains one.
//!
//! ```
//! use elfmem_config::{ConfigSources, FileText, merge_layers};
//!
//! let user = FileText { path: "config.toml".into(), text: "[recall]\ntop_k = 8\n".into() };
//! let loaded = merge_layers(&ConfigSources { user: Some(user), ..ConfigSources::default() });
//! assert_eq!(loaded.config.recall.top_k, 8);
//! assert_eq!(loaded.origin("recall.top_k").to_string(), "config.toml, line 2");
//! ```

mod error;
mod file;
mod keys;
mod kind;
mod layers;
pub mod loader;
mod origin;
mod page;
mod raw_value;
mod settings;
mod template;

pub use error::ConfigError;
pub use keys::{KEYS, OTHER_VARIABLES, OtherVariable, SettingKey, key};
pub use kind::{FieldAccess, SettingType};
pub use layers::{ConfigSources, FileText, FlagValue, LoadedConfig, ResolvedValue, merge_layers};
pub use origin::{Layer, ValueOrigin};
pub use page::reference_page;
pub use settings::{
    DatabaseConfig, ElfmemConfig, EventsConfig, HooksConfig, LogConfig, MemoryConfig, ModelsConfig, PairJudgeSetting,
    RecallConfig, ScopeConfig, ServeConfig, SessionConfig, SyncMode,
};
pub use template::commented_file;
