//! Reads configuration files. The only module of this crate that accesses the disk.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::ConfigError;
use crate::layers::{ConfigSources, FileText, FlagValue, LoadedConfig, merge_layers};

/// Name of a configuration file.
pub const FILE_NAME: &str = "config.toml";

/// Maximum size of a configuration file.
const MAX_BYTES: u64 = 1024 * 1024;

/// Locations of configuration files.
#[derive(Debug, Clone, Default)]
pub struct ConfigPaths {
    /// The user's file, which may not exist.
    pub user_file: Option<PathBuf>,
    /// The project folder, if there is a project.
    pub project_folder: Option<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
}

impl ConfigPaths {
    /// Returns the project's file, which may not exist.
    pub fn project_file(&self) -> Option<PathBuf> {
        self.project_folder.as_ref().map(|folder| folder.join(FILE_NAME))
    }
}

/// Reads the existing files and merges all layers. An unreadable file becomes an error in the
/// result and contributes no values.
pub fn load(places: &ConfigPaths, variables: Vec<(OsString, OsString)>, flags: Vec<FlagValue>) -> LoadedConfig {
    let mut unreadable = Vec::new();
    let mut read = |path: Option<PathBuf>| {
        let path = path?;
        match text_of(&path) {
            Ok(text) => text.map(|text| FileText { path, text }),
            Err(problem) => {
                unreadable.push(ConfigError::Unreadable { file: path, problem });
                None
            }
        }
    };
    let (user, project) = (read(places.user_file.clone()), read(places.project_file()));
    let project_folder = places.project_folder.clone();
    let mut loaded =
        merge_layers(&ConfigSources { user, project_folder, project, variables, flags, home: places.home.clone() });
    loaded.problems.splice(0..0, unreadable);
    loaded
}

/// Returns the contents of a file, or `None` if it does not exist.
fn text_of(path: &Path) -> Result<Option<String>, String> {
    let reason = |error: std::io::Error| error.to_string();
    let length = match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err("it is a folder".to_owned()),
        Ok(data) => data.len(),
        // Without permission to enter the folder, there are no settings of this user.
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(reason(error)),
    };
    if length > MAX_BYTES {
        return Err(format!("it has {length} bytes, more than any settings need"));
    }
    let bytes = std::fs::read(path).map_err(reason)?;
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8 text".to_owned())
}
