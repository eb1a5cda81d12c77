//! The settings of this process: files, variables and flags, put together once.

use std::path::{Path, PathBuf};

use elfmem_config::loader::{self, ConfigPaths};
use elfmem_config::{FlagValue, LoadedConfig};
use etcetera::BaseStrategy;

use crate::args::{Arguments, SynchronousMode};
use crate::environment;
use crate::failure::Failure;

/// The folder that makes a directory a project.
pub(crate) const PROJECT_FOLDER: &str = ".elfmem";

/// Where things are on this machine, seen from a folder.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) places: ConfigPaths,
    /// Where a memory without a project goes; none when the home folder is unknown.
    pub(crate) data_folder: Option<PathBuf>,
}

impl Surroundings {
    /// What is around the current folder.
    pub(crate) fn here() -> Result<Self, Failure> {
        Ok(Self::of(&std::env::current_dir().map_err(|error| Failure::no_folder(&error))?))
    }

    /// What is around a folder.
    pub(crate) fn of(folder: &Path) -> Self {
        let strategy = etcetera::choose_base_strategy().ok();
        let home = strategy.as_ref().map(|strategy| strategy.home_dir().to_owned());
        let own = |base: PathBuf| base.join("elfmem");
        Self {
            places: ConfigPaths {
                user_file: strategy.as_ref().map(|strategy| own(strategy.config_dir()).join(loader::FILE_NAME)),
                project_folder: project_above(folder, home.as_deref()),
                home,
            },
            data_folder: strategy.map(|strategy| own(strategy.data_dir())),
        }
    }

    /// Every setting, with what is wrong about them.
    pub(crate) fn settings(&self, arguments: &Arguments) -> LoadedConfig {
        loader::load(&self.places, environment::settings(), flags(arguments))
    }
}

/// The flags of every command that are settings.
fn flags(arguments: &Arguments) -> Vec<FlagValue> {
    let mut flags = Vec::new();
    let mut add = |key, flag, given: Vec<std::ffi::OsString>| {
        if !given.is_empty() {
            flags.push(FlagValue { key, flag, given });
        }
    };
    add("database.path", "--db", arguments.db.iter().map(Into::into).collect());
    add("database.key_file", "--key-file", arguments.key_file.iter().map(Into::into).collect());
    let synchronous = arguments.synchronous.map(|mode| match mode {
        SynchronousMode::Normal => "normal".into(),
        SynchronousMode::Full => "full".into(),
    });
    add("database.synchronous", "--synchronous", synchronous.into_iter().collect());
    add("scope.name", "--scope", arguments.scope.iter().map(Into::into).collect());
    add("scope.inherit", "--inherit", arguments.inherited.iter().map(Into::into).collect());
    add("models.embedder", "--embedder", arguments.embedder.iter().map(Into::into).collect());
    add("models.analyst", "--analyst", arguments.analyst.iter().map(Into::into).collect());
    add("log.filter", "--log", arguments.log.iter().map(Into::into).collect());
    add("log.file", "--log-file", arguments.log_file.iter().map(Into::into).collect());
    flags
}

/// The nearest project folder at or above a folder, and below the home folder. The home folder itself is not a project: other
/// programs keep a `.elfmem` there. What is above it belongs to others.
fn project_above(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let real_home = home.and_then(|home| home.canonicalize().ok());
    folder
        .ancestors()
        .take_while(|folder| Some(*folder) != home && Some(*folder) != real_home.as_deref())
        .map(|folder| folder.join(PROJECT_FOLDER))
        .find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use elfmem_engine::{EndOfSession, Request};

    use super::*;

    #[test]
    fn the_nearest_project_folder_wins_and_home_is_none() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let deep = home.join("project").join("src").join("deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(home.join(PROJECT_FOLDER)).unwrap();
        std::fs::create_dir_all(root.path().join(PROJECT_FOLDER)).unwrap();
        assert_eq!(project_above(&deep, Some(&home)), None);
        assert_eq!(project_above(root.path(), Some(&home)), Some(root.path().join(PROJECT_FOLDER)));
        std::fs::create_dir_all(home.join("project").join(PROJECT_FOLDER)).unwrap();
        assert_eq!(project_above(&deep, Some(&home)), Some(home.join("project").join(PROJECT_FOLDER)));
    }

    #[test]
    fn what_nobody_set_is_what_the_library_does_by_itself() {
        let (ours, theirs) = (elfmem_config::ElfmemConfig::default(), elfmem_engine::Options::default());
        let default = |name: &str| elfmem_engine::Recall::VERB.parameter(name).unwrap().default.unwrap();
        assert_eq!(ours.recall.top_k.to_string(), default("top_k"));
        assert_eq!(ours.recall.frame, default("frame"));
        assert_eq!(ours.session.idle_minutes, theirs.idle_minutes);
        let end_of_session = match ours.session.consolidate {
            true => EndOfSession::Consolidate(Duration::from_secs(ours.session.consolidate_seconds)),
            false => EndOfSession::Wait,
        };
        assert_eq!(end_of_session, theirs.end_of_session);
        assert_eq!(ours.thresholds, theirs.thresholds);
        assert_eq!(ours.memory.supersede_at_learn, theirs.supersede_at_learn);
        assert!(ours.memory.edge_degree_cap.is_none() && theirs.edge_degree_cap.is_none());
        assert_eq!(ours.memory.undo_window_days, u64::from(theirs.undo_window_days));
        assert_eq!(ours.memory.inbox_threshold, theirs.inbox_threshold);
        assert_eq!(ours.memory.adaptive_threshold, theirs.adaptive_threshold);
        assert_eq!(ours.memory.edge_score, theirs.edge_scoring);
        assert_eq!(ours.memory.secrets, theirs.secrets);
        let trust = elfmem_core::TrustPolicy::new(ours.memory.trusted_sources, ours.memory.untrusted_sources);
        assert_eq!(trust, theirs.trust);
        assert_eq!(ours.memory.auto_curate, theirs.auto_curate.is_some());
        assert_eq!(ours.memory.curate_interval_hours, theirs.auto_curate.unwrap().interval_hours);
    }
}
