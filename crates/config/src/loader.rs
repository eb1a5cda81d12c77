//! Reads the files of settings: the one place of this crate that touches the disk.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::ConfigError;
use crate::layers::{FileText, FlagValue, Loaded, Sources, layered};

/// The name of a file of settings.
pub const FILE_NAME: &str = "config.toml";

/// Files larger than this are no settings.
const MOST_BYTES: u64 = 1024 * 1024;

/// Where settings are looked for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The user's file, whether it is there or not.
    pub user_file: Option<PathBuf>,
    /// The project's folder, if there is a project.
    pub project_folder: Option<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
}

impl Places {
    /// The project's file, whether it is there or not.
    pub fn project_file(&self) -> Option<PathBuf> {
        self.project_folder.as_ref().map(|folder| folder.join(FILE_NAME))
    }
}

/// Reads the files that are there and puts all layers on top of each other. A file that cannot be read is a problem of the
/// result, and its layer is empty.
pub fn load(places: &Places, variables: Vec<(OsString, OsString)>, flags: Vec<FlagValue>) -> Loaded {
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
    let mut loaded = layered(&Sources { user, project_folder, project, variables, flags, home: places.home.clone() });
    loaded.problems.splice(0..0, unreadable);
    loaded
}

/// What a file says; none when it is not there.
fn text_of(path: &Path) -> Result<Option<String>, String> {
    let told = |error: std::io::Error| error.to_string();
    let length = match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err("it is a folder".to_owned()),
        Ok(data) => data.len(),
        // In a folder that may not even be looked into there are no settings of this user.
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(told(error)),
    };
    if length > MOST_BYTES {
        return Err(format!("it has {length} bytes, more than any settings need"));
    }
    let bytes = std::fs::read(path).map_err(told)?;
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8 text".to_owned())
}
