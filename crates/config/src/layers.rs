//! Merges the configuration layers. Later layers win, and each value records its origin.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value as Json;

use crate::error::{ConfigError, nearest_variable};
use crate::file::{self, Entry};
use crate::keys::{KEYS, OTHER_VARIABLES, SettingKey, VARIABLE_PREFIX};
use crate::origin::{Layer, ValueOrigin};
use crate::raw_value::{Base, RawValue};
use crate::settings::ElfmemConfig;

/// File name of the memory in a project folder.
const MEMORY_FILE: &str = "memory.db";

/// The contents of a configuration file.
#[derive(Debug, Clone)]
pub struct FileText {
    /// The path.
    pub path: PathBuf,
    /// The contents.
    pub text: String,
}

/// The value of a command-line flag.
#[derive(Debug, Clone)]
pub struct FlagValue {
    /// The name of the setting.
    pub key: &'static str,
    /// The flag.
    pub flag: &'static str,
    /// The arguments: one, or several for a repeated flag.
    pub given: Vec<OsString>,
}

/// The inputs of all layers.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// The user's configuration file.
    pub user: Option<FileText>,
    /// The project folder. If it exists, it contains the memory.
    pub project_folder: Option<PathBuf>,
    /// The project's configuration file.
    pub project: Option<FileText>,
    /// The non-empty environment variables.
    pub variables: Vec<(OsString, OsString)>,
    /// The command-line flags.
    pub flags: Vec<FlagValue>,
    /// The home folder, for `~`.
    pub home: Option<PathBuf>,
}

/// A value with its origin.
#[derive(Debug, Clone, Serialize)]
pub struct ResolvedValue {
    /// The name of the setting.
    pub key: &'static str,
    /// The value, or null if it is not set.
    pub value: Json,
    /// The origin.
    pub origin: ValueOrigin,
}

/// The merged configuration.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    /// The settings, without invalid values.
    pub config: ElfmemConfig,
    /// Origins in the order of [`KEYS`].
    origins: Vec<ValueOrigin>,
    /// All errors, in the order of the layers.
    pub problems: Vec<ConfigError>,
    /// Harmless oddities.
    pub warnings: Vec<String>,
}

impl LoadedConfig {
    /// Returns the origin of a setting, or [`ValueOrigin::Default`] for an unknown name.
    pub fn origin(&self, name: &str) -> &ValueOrigin {
        KEYS.iter().position(|key| key.name == name).map_or(&ValueOrigin::Default, |at| &self.origins[at])
    }

    /// Iterates over all values with their origin, in the order of [`KEYS`].
    pub fn values(&self) -> impl Iterator<Item = ResolvedValue> {
        KEYS.iter().zip(&self.origins).map(|(key, origin)| ResolvedValue {
            key: key.name,
            value: key.kind.get(&self.config),
            origin: origin.clone(),
        })
    }

    /// Converts to a result.
    ///
    /// # Errors
    /// Returns the first error, if there is any.
    pub fn into_result(self) -> Result<Self, ConfigError> {
        match self.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(self),
        }
    }

    fn apply(&mut self, key: &'static SettingKey, raw: RawValue<'_>, base: Base<'_>, origin: ValueOrigin) {
        if key.kind.set(&mut self.config, raw, base) {
            if let Some(at) = KEYS.iter().position(|known| known.name == key.name) {
                self.origins[at] = origin;
            }
            return;
        }
        let given = if key.kind.can_show_value() { raw.shown() } else { "what is written there".to_owned() };
        self.problems.push(ConfigError::BadValue { place: origin, key, given });
    }

    fn apply_file(&mut self, file: &FileText, layer: Layer, home: Option<&Path>) {
        let base = Base { folder: file.path.parent(), home };
        let (mut problems, before) = (Vec::new(), self.problems.len());
        let take = |Entry { key, value, line }: Entry<'_>| {
            let path = file.path.clone();
            if layer == Layer::User {
                self.apply(key, RawValue::Toml(value), base, ValueOrigin::User { file: path, line });
            } else if key.for_projects {
                self.apply(key, RawValue::Toml(value), base, ValueOrigin::Project { file: path, line });
            } else {
                self.problems.push(ConfigError::NotForProjects { file: path, line, key });
            }
        };
        file::read(&file.path, &file.text, take, &mut problems);
        self.problems.append(&mut problems);
        self.problems[before..].sort_by_key(ConfigError::line);
    }
}

/// Merges all layers.
pub fn merge_layers(sources: &ConfigSources) -> LoadedConfig {
    let mut loaded = LoadedConfig {
        config: ElfmemConfig::default(),
        origins: vec![ValueOrigin::Default; KEYS.len()],
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let home = sources.home.as_deref();
    if let Some(file) = &sources.user {
        loaded.apply_file(file, Layer::User, home);
    }
    if let Some(folder) = &sources.project_folder {
        let memory = [folder.join(MEMORY_FILE).into_os_string()];
        let origin = ValueOrigin::ProjectFolder { folder: folder.clone() };
        loaded.apply(&KEYS[0], RawValue::Flag(&memory), Base::default(), origin);
    }
    if let Some(file) = &sources.project {
        loaded.apply_file(file, Layer::Project, home);
    }
    for key in &KEYS {
        let value = sources.variables.iter().find(|(name, _)| name == key.variable);
        if let Some((_, value)) = value {
            let origin = ValueOrigin::Environment { variable: key.variable.to_owned() };
            loaded.apply(key, RawValue::Variable(value), Base { folder: None, home }, origin);
        }
    }
    for FlagValue { key, flag, given } in &sources.flags {
        if let Some(key) = crate::key(key) {
            loaded.apply(key, RawValue::Flag(given), Base::default(), ValueOrigin::Flag { flag: (*flag).to_owned() });
        }
    }
    loaded.warnings =
        sources.variables.iter().filter_map(|(name, _)| unknown_variable_warning(name.to_str()?)).collect();
    loaded
}

/// Returns a warning for an unknown variable with our prefix.
fn unknown_variable_warning(name: &str) -> Option<String> {
    let ours = name.starts_with(VARIABLE_PREFIX);
    let known = KEYS.iter().any(|key| key.variable == name) || OTHER_VARIABLES.iter().any(|other| other.name == name);
    if !ours || known {
        return None;
    }
    let hint = nearest_variable(name).map(|nearest| format!(" Did you mean {nearest}?")).unwrap_or_default();
    Some(format!("{name} is set, and no setting reads it.{hint}"))
}
