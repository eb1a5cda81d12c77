//! Which file is the memory: the flag, the environment, the project, the user.

use std::path::{Path, PathBuf};

use elfmem::core::{Scope, ScopeView};
use elfmem::{Clock, Memory, Options, SessionStyle, SystemClock};
use elfmem_store_sqlite::{OpenOptions, SqliteStore, Synchronous};
use etcetera::BaseStrategy;
use serde::Serialize;

use crate::args::{Arguments, SynchronousMode};
use crate::environment;
use crate::failure::Failure;
use crate::models;

/// The folder that makes a directory a project.
const PROJECT_FOLDER: &str = ".elfmem";
/// The file inside it, and inside the data folder.
const FILE_NAME: &str = "memory.db";

/// How the file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FoundBy {
    /// `--db`
    Flag,
    /// `ELFMEM_DB`
    Environment,
    /// A project folder
    Project,
    /// The user's data folder
    User,
}

impl FoundBy {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Flag => "given by --db",
            Self::Environment => "given by ELFMEM_DB",
            Self::Project => "the project's .elfmem folder",
            Self::User => "your data folder; no --db, no ELFMEM_DB, no .elfmem folder here or above",
        }
    }
}

/// The memory to use.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Database {
    pub(crate) path: PathBuf,
    pub(crate) found_by: FoundBy,
    pub(crate) exists: bool,
}

impl Database {
    /// Finds the memory that the arguments, the environment and the folder ask for.
    pub(crate) fn discover(arguments: &Arguments) -> Result<Self, Failure> {
        let named = environment::DATABASE.os_value();
        let (path, found_by) = if let Some(path) = &arguments.db {
            (path.clone(), FoundBy::Flag)
        } else if let Some(path) = named {
            (PathBuf::from(path), FoundBy::Environment)
        } else {
            let strategy = etcetera::choose_base_strategy().map_err(|_| Failure::no_home())?;
            let here = std::env::current_dir().map_err(|error| Failure::no_folder(&error))?;
            match project_above(&here, strategy.home_dir()) {
                Some(path) => (path, FoundBy::Project),
                None => (strategy.data_dir().join("elfmem").join(FILE_NAME), FoundBy::User),
            }
        };
        let exists = path.exists();
        Ok(Self { path, found_by, exists })
    }

    /// Opens the memory, making the file when it is missing.
    pub(crate) fn open(&self, arguments: &Arguments) -> Result<Memory<SqliteStore>, Failure> {
        let synchronous = match arguments.synchronous {
            SynchronousMode::Normal => Synchronous::Normal,
            SynchronousMode::Full => Synchronous::Full,
        };
        let options = OpenOptions { synchronous, ..OpenOptions::default() };
        let store = SqliteStore::open(&self.path, options, SystemClock.now()).map_err(elfmem::Error::from)?;
        Ok(Memory::open(store, memory_options(arguments)?))
    }

    /// Opens the memory to look at it: a missing file reads as an empty memory and stays missing.
    pub(crate) fn open_to_look(&self, arguments: &Arguments) -> Result<Memory<SqliteStore>, Failure> {
        if self.exists {
            return self.open(arguments);
        }
        let store = SqliteStore::in_memory(SystemClock.now()).map_err(elfmem::Error::from)?;
        Ok(Memory::open(store, memory_options(arguments)?))
    }
}

fn memory_options(arguments: &Arguments) -> Result<Options, Failure> {
    // Only what thinks needs the models; everything else must work whatever they are set to.
    let models = if arguments.command.thinks() { models::chosen(arguments)?.models } else { Default::default() };
    let view = view(arguments)?;
    Ok(Options { actor: "cli".to_owned(), view, session_style: SessionStyle::Detached, models, ..Options::default() })
}

/// The part of the memory that is seen.
fn view(arguments: &Arguments) -> Result<ScopeView, Failure> {
    let parse = |name: &String| Scope::parse(name).map_err(elfmem::Error::from);
    let mut view = ScopeView::only(parse(&arguments.scope)?);
    for name in &arguments.inherited {
        view = view.inheriting(parse(name)?);
    }
    Ok(view)
}

/// The memory of the nearest project folder at or above `here`. The home folder itself is not a project: other programs
/// keep a `.elfmem` there.
fn project_above(here: &Path, home: &Path) -> Option<PathBuf> {
    here.ancestors()
        .filter(|folder| *folder != home)
        .map(|folder| folder.join(PROJECT_FOLDER))
        .find(|folder| folder.is_dir())
        .map(|folder| folder.join(FILE_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_folder_wins_and_home_is_none() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let deep = home.join("project").join("src").join("deep");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(home.join(PROJECT_FOLDER)).unwrap();
        assert_eq!(project_above(&deep, &home), None);
        std::fs::create_dir_all(home.join("project").join(PROJECT_FOLDER)).unwrap();
        let expected = home.join("project").join(PROJECT_FOLDER).join(FILE_NAME);
        assert_eq!(project_above(&deep, &home), Some(expected));
    }
}
