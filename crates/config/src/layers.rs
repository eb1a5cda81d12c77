//! The layers on top of each other: a later one wins, and each value remembers its origin.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value as Json;

use crate::error::{ConfigError, nearest_variable};
use crate::file::{self, Entry};
use crate::given::{Base, Given};
use crate::keys::{KEYS, Key, OTHER_VARIABLES, VARIABLE_PREFIX};
use crate::origin::{Layer, Origin};
use crate::settings::ElfmemConfig;

/// The name of the memory in a project's folder.
const MEMORY_FILE: &str = "memory.db";

/// A file of settings that was read.
#[derive(Debug, Clone)]
pub struct FileText {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

/// What was typed behind a flag.
#[derive(Debug, Clone)]
pub struct FlagValue {
    /// Which setting it is for, by name.
    pub key: &'static str,
    /// The flag as typed.
    pub flag: &'static str,
    /// What was typed: one text, or several where it may be repeated.
    pub given: Vec<OsString>,
}

/// Everything settings come from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The user's file.
    pub user: Option<FileText>,
    /// The project's folder: that it is there says where the memory is.
    pub project_folder: Option<PathBuf>,
    /// The project's file.
    pub project: Option<FileText>,
    /// The environment variables that matter, those that are empty left out.
    pub variables: Vec<(OsString, OsString)>,
    /// The flags of this command.
    pub flags: Vec<FlagValue>,
    /// What `~` means.
    pub home: Option<PathBuf>,
}

/// A value with its origin, as it is shown.
#[derive(Debug, Clone, Serialize)]
pub struct Value {
    /// Which setting.
    pub key: &'static str,
    /// What it is; null where nothing is set.
    pub value: Json,
    /// Where it came from.
    pub origin: Origin,
}

/// What came out of all layers.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The settings; what is wrong was left out.
    pub config: ElfmemConfig,
    /// By the place of the key in the table.
    origins: Vec<Origin>,
    /// Everything that is wrong, in the order of the layers.
    pub problems: Vec<ConfigError>,
    /// What is strange and does no harm.
    pub warnings: Vec<String>,
}

impl Loaded {
    /// Where the value of a setting came from; [`Origin::Default`] for a name that no setting has.
    pub fn origin(&self, name: &str) -> &Origin {
        KEYS.iter().position(|key| key.name == name).map_or(&Origin::Default, |at| &self.origins[at])
    }

    /// Every value with its origin, in the order of the table.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        KEYS.iter().zip(&self.origins).map(|(key, origin)| Value {
            key: key.name,
            value: key.kind.get(&self.config),
            origin: origin.clone(),
        })
    }

    /// The same, if nothing is wrong.
    ///
    /// # Errors
    /// The first thing that is.
    pub fn checked(self) -> Result<Self, ConfigError> {
        match self.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(self),
        }
    }

    fn take(&mut self, key: &'static Key, given: Given<'_>, base: Base<'_>, origin: Origin) {
        if key.kind.set(&mut self.config, given, base) {
            if let Some(at) = KEYS.iter().position(|known| known.name == key.name) {
                self.origins[at] = origin;
            }
            return;
        }
        let given = if key.kind.may_be_shown() { given.shown() } else { "what is written there".to_owned() };
        self.problems.push(ConfigError::BadValue { place: origin, key, given });
    }

    fn take_file(&mut self, file: &FileText, layer: Layer, home: Option<&Path>) {
        let base = Base { folder: file.path.parent(), home };
        let (mut problems, before) = (Vec::new(), self.problems.len());
        let take = |Entry { key, value, line }: Entry<'_>| {
            let path = file.path.clone();
            if layer == Layer::User {
                self.take(key, Given::Toml(value), base, Origin::User { file: path, line });
            } else if key.for_projects {
                self.take(key, Given::Toml(value), base, Origin::Project { file: path, line });
            } else {
                self.problems.push(ConfigError::NotForProjects { file: path, line, key });
            }
        };
        file::read(&file.path, &file.text, take, &mut problems);
        self.problems.append(&mut problems);
        self.problems[before..].sort_by_key(ConfigError::line);
    }
}

/// Puts the layers on top of each other.
pub fn layered(sources: &Sources) -> Loaded {
    let mut loaded = Loaded {
        config: ElfmemConfig::default(),
        origins: vec![Origin::Default; KEYS.len()],
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let home = sources.home.as_deref();
    if let Some(file) = &sources.user {
        loaded.take_file(file, Layer::User, home);
    }
    if let Some(folder) = &sources.project_folder {
        let memory = [folder.join(MEMORY_FILE).into_os_string()];
        let origin = Origin::ProjectFolder { folder: folder.clone() };
        loaded.take(&KEYS[0], Given::Flag(&memory), Base::default(), origin);
    }
    if let Some(file) = &sources.project {
        loaded.take_file(file, Layer::Project, home);
    }
    for key in &KEYS {
        let value = sources.variables.iter().find(|(name, _)| name == key.variable);
        if let Some((_, value)) = value {
            let origin = Origin::Environment { variable: key.variable.to_owned() };
            loaded.take(key, Given::Variable(value), Base { folder: None, home }, origin);
        }
    }
    for FlagValue { key, flag, given } in &sources.flags {
        if let Some(key) = crate::key(key) {
            loaded.take(key, Given::Flag(given), Base::default(), Origin::Flag { flag: (*flag).to_owned() });
        }
    }
    loaded.warnings = sources.variables.iter().filter_map(|(name, _)| unread(name.to_str()?)).collect();
    loaded
}

/// What to say of a variable that looks like ours and that nothing reads.
fn unread(name: &str) -> Option<String> {
    let ours = name.starts_with(VARIABLE_PREFIX);
    let known = KEYS.iter().any(|key| key.variable == name) || OTHER_VARIABLES.iter().any(|other| other.name == name);
    if !ours || known {
        return None;
    }
    let hint = nearest_variable(name).map(|nearest| format!(" Did you mean {nearest}?")).unwrap_or_default();
    Some(format!("{name} is set, and no setting reads it.{hint}"))
}
