//! The settings of elfmem.
//!
//! [`ElfmemConfig`] is the typed tree that programs read; [`KEYS`] is the one table of every key: its name, what it takes, its
//! default, its environment variable, its flag and what it is for. The commented file that a project starts with, the reference page and
//! every error are made from that table.
//!
//! Settings come in layers: defaults, the user's file, the project's file, the environment, flags. A later layer wins, and each value
//! remembers where it came from ([`Origin`]). What cannot be read, is unknown or impossible becomes a [`ConfigError`] that names the
//! place and the way out; the other values stand.
//!
//! What this crate is *not*: it opens no database and reads no environment, and only [`loader`] reads files. Secrets are no settings: a
//! setting may name the environment variable that holds one.
//!
//! ```
//! use elfmem_config::{FileText, Sources, layered};
//!
//! let user = FileText { path: "config.toml".into(), text: "[recall]\ntop_k = 8\n".into() };
//! let loaded = layered(&Sources { user: Some(user), ..Sources::default() });
//! assert_eq!(loaded.config.recall.top_k, 8);
//! assert_eq!(loaded.origin("recall.top_k").to_string(), "config.toml, line 2");
//! ```

mod error;
mod file;
mod given;
mod keys;
mod kind;
mod layers;
pub mod loader;
mod origin;
mod page;
mod settings;
mod template;

pub use error::ConfigError;
pub use keys::{KEYS, Key, OTHER_VARIABLES, OtherVariable, key};
pub use kind::{Kind, Place};
pub use layers::{FileText, FlagValue, Loaded, Sources, Value, layered};
pub use origin::{Layer, Origin};
pub use page::reference_page;
pub use settings::{
    DatabaseConfig, ElfmemConfig, EventsConfig, MemoryConfig, ModelsConfig, RecallConfig, ScopeConfig, ServeConfig,
    SessionConfig, Synchronous,
};
pub use template::commented_file;
