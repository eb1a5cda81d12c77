//! Which file is the memory: the flag, the environment, the project, the user.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use elfmem_config::{ElfmemConfig, LoadedConfig, SyncMode, ValueOrigin};
use elfmem_core::{ScopeView, TrustPolicy};
use elfmem_engine::{
    AutoCurate, Clock, ContextMode, EndOfSession, EventOptions, Memory, Options, SessionStyle, SystemClock,
};
use elfmem_serve::OpenedMemory;
use elfmem_store_sqlite::{OpenOptions, SqliteStore, Synchronous};
use serde::Serialize;

use crate::args::{Arguments, Command, ProgramCommand};
use crate::commands::calls_model;
use crate::configuration::Surroundings;
use crate::failure::Failure;
use crate::key;
use crate::local_time::local_zone;
use crate::logging;
use crate::models;
use crate::print::{self, Content};
use crate::style::NOTE;

/// The name of the memory in the user's data folder.
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
    /// A line in a project's settings
    ProjectSettings,
    /// The user's data folder
    User,
    /// A line in the user's settings
    UserSettings,
}

/// The memory to use, and the settings to use it with.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Database {
    pub(crate) path: PathBuf,
    pub(crate) found_by: FoundBy,
    pub(crate) exists: bool,
    #[serde(skip)]
    pub(crate) settings: LoadedConfig,
}

impl Database {
    /// Finds the memory that the arguments, the environment and the folder ask for.
    pub(crate) fn discover(arguments: &Arguments) -> Result<Self, Failure> {
        Self::discover_around(&Surroundings::here()?, arguments)
    }

    /// Finds the memory that the arguments and the surroundings of another folder ask for.
    pub(crate) fn discover_around(around: &Surroundings, arguments: &Arguments) -> Result<Self, Failure> {
        let settings = around.settings(arguments);
        if !settings.problems.is_empty() {
            return Err(Failure::bad_settings(&settings.problems));
        }
        logging::start(&settings.config.log)?;
        let found_by = match settings.origin("database.path") {
            ValueOrigin::Flag { .. } => FoundBy::Flag,
            ValueOrigin::Environment { .. } => FoundBy::Environment,
            ValueOrigin::ProjectFolder { .. } => FoundBy::Project,
            ValueOrigin::Project { .. } => FoundBy::ProjectSettings,
            ValueOrigin::User { .. } => FoundBy::UserSettings,
            ValueOrigin::Default => FoundBy::User,
        };
        let path = match (&settings.config.database.path, &around.data_folder) {
            (Some(path), _) => path.clone(),
            (None, Some(folder)) => folder.join(FILE_NAME),
            (None, None) => return Err(Failure::no_home()),
        };
        SqliteStore::check_path(&path).map_err(elfmem_engine::Error::from)?;
        let exists = match path.try_exists() {
            // A memory that may not be looked at is not an empty one.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                return Err(Failure::unreadable(&path.display().to_string(), &error));
            }
            found => found.unwrap_or(false),
        };
        Ok(Self { path, found_by, exists, settings })
    }

    /// Why it is this one.
    pub(crate) fn found_in_words(&self) -> String {
        match self.found_by {
            FoundBy::Flag => "given by --db".to_owned(),
            FoundBy::Environment => "given by ELFMEM_DB".to_owned(),
            FoundBy::Project => "the project's .elfmem folder".to_owned(),
            FoundBy::ProjectSettings | FoundBy::UserSettings => {
                format!("given by {}", self.settings.origin("database.path"))
            }
            FoundBy::User => "your data folder; no --db, no ELFMEM_DB, no .elfmem folder here or above".to_owned(),
        }
    }

    /// Opens the memory, making the file when it is missing.
    pub(crate) fn open(&self, arguments: &Arguments) -> Result<Memory<SqliteStore>, Failure> {
        Ok(Memory::open(self.store()?, self.options(arguments)?))
    }

    /// Opens the memory for a program that runs for long, making the file when it is missing.
    pub(crate) fn open_to_serve(&self, actor: &str) -> Result<OpenedMemory<SqliteStore>, Failure> {
        let (actor, models) = (actor.to_owned(), models::chosen(&self.settings)?.models);
        let options = Options { models, actor, session_style: SessionStyle::Held, ..options(&self.settings.config) };
        if !self.is_read_only() {
            return Ok(Memory::open(self.store()?, options).into());
        }
        // Before reading: what changes meanwhile is read again.
        let (path, before) = (self.path.clone(), file_state(&self.path));
        let is_current = move || file_state(&path) == before && !SqliteStore::is_writable(&path);
        let memory = Memory::open(self.read_only_store()?, options);
        Ok(OpenedMemory::read_only(memory, Failure::served_read_only(&self.path).into(), is_current))
    }

    /// Tells whether the memory is there and can only be read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.exists && !SqliteStore::is_writable(&self.path)
    }

    fn store(&self) -> Result<SqliteStore, Failure> {
        if self.is_read_only() {
            return Err(Failure::read_only(&self.path));
        }
        let synchronous = match self.settings.config.database.synchronous {
            SyncMode::Normal => Synchronous::Normal,
            SyncMode::Full => Synchronous::Full,
        };
        let options = OpenOptions { synchronous, key: key::of(&self.settings)?, ..OpenOptions::default() };
        let store = SqliteStore::open(&self.path, options, SystemClock.now()).map_err(elfmem_engine::Error::from)?;
        for notice in store.notices() {
            print::talk(&format!("{NOTE}{}{NOTE:#}: {notice}", self.path.display()), Content::Text);
        }
        Ok(store)
    }

    fn read_only_store(&self) -> Result<SqliteStore, Failure> {
        let key = key::of(&self.settings)?;
        let store = SqliteStore::open_read_only(&self.path, key.as_ref(), SystemClock.now());
        Ok(store.map_err(elfmem_engine::Error::from)?)
    }

    /// Opens the memory to look at it: a missing file reads as an empty memory and stays missing, and one that can only
    /// be read stays as it is, with nothing beside it.
    pub(crate) fn open_to_look(&self, arguments: &Arguments) -> Result<Memory<SqliteStore>, Failure> {
        if self.is_read_only() {
            return Ok(Memory::open(self.read_only_store()?, self.options(arguments)?));
        }
        if self.exists {
            return self.open(arguments);
        }
        // A key that cannot be used is told now, not by the first write.
        key::of(&self.settings)?;
        let store = SqliteStore::in_memory(SystemClock.now()).map_err(elfmem_engine::Error::from)?;
        Ok(Memory::open(store, self.options(arguments)?))
    }

    fn options(&self, arguments: &Arguments) -> Result<Options, Failure> {
        // Only some commands call a model; the others must work when none can be reached or a key is missing. All of them
        // know which embedder is in use: whether the memory's vectors are its own is part of its health.
        let needs_models = match &arguments.command {
            Command::Verb(typed) => calls_model(typed.verb.id),
            Command::Program(ProgramCommand::Hook(hook)) => matches!(hook.event.as_str(), "prompt" | "consolidate"),
            Command::Program(command) => {
                matches!(command, ProgramCommand::Doctor(_) | ProgramCommand::Import(_) | ProgramCommand::Models(_))
            }
        };
        // Without a model the embedder alone is chosen, which is compared with that of the memory.
        let models = match needs_models {
            true => models::chosen(&self.settings)?.models,
            false => models::embedder_alone(&self.settings)?,
        };
        let is_hook = matches!(arguments.command, Command::Program(ProgramCommand::Hook(_)));
        let actor = if is_hook { "hook" } else { "cli" };
        Ok(Options { models, actor: actor.to_owned(), ..options(&self.settings.config) })
    }
}

/// Returns the lengths of a database and its log, and when each was last written.
fn file_state(path: &Path) -> [Option<(u64, Option<SystemTime>)>; 2] {
    let log = path.as_os_str().to_owned();
    let log = PathBuf::from([log, "-wal".into()].into_iter().collect::<OsString>());
    let state = |path: &Path| path.metadata().ok().map(|file| (file.len(), file.modified().ok()));
    [state(path), state(&log)]
}

/// How a memory behaves by its settings, with the models that are built in.
pub(crate) fn options(config: &ElfmemConfig) -> Options {
    let inherited = config.scope.inherit.iter().cloned();
    let auto = AutoCurate { interval_hours: config.memory.curate_interval_hours, ..AutoCurate::default() };
    Options {
        view: inherited.fold(ScopeView::only(config.scope.name.clone()), ScopeView::inheriting),
        idle_minutes: config.session.idle_minutes,
        inbox_threshold: config.memory.inbox_threshold,
        adaptive_threshold: config.memory.adaptive_threshold,
        auto_curate: config.memory.auto_curate.then_some(auto),
        undo_window_days: u32::try_from(config.memory.undo_window_days).unwrap_or(u32::MAX),
        edge_scoring: config.memory.edge_score,
        secrets: config.memory.secrets,
        trust: TrustPolicy::new(&config.memory.trusted_sources, &config.memory.untrusted_sources),
        events: EventOptions {
            context_mode: if config.events.single_contexts { ContextMode::Single } else { ContextMode::Many },
            auto_graduate: config.events.auto_graduate,
            pattern_after: u32::try_from(config.events.pattern_after).unwrap_or(u32::MAX),
            skill_after: u32::try_from(config.events.skill_after).unwrap_or(u32::MAX),
        },
        time_zone: local_zone(),
        session_style: SessionStyle::Detached,
        end_of_session: match config.session.consolidate {
            true => EndOfSession::Consolidate(Duration::from_secs(config.session.consolidate_seconds)),
            false => EndOfSession::Wait,
        },
        supersede_at_learn: config.memory.supersede_at_learn,
        thresholds: config.thresholds,
        edge_degree_cap: config.memory.edge_degree_cap.map(|cap| usize::try_from(cap).unwrap_or(usize::MAX)),
        edge_reinforce_delta: config.memory.edge_reinforce_delta,
        ..Options::default()
    }
}
