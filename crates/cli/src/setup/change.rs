//! A file before and after, written whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::Failure;

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// It was not there.
    Created,
    /// It says something else than before.
    Updated,
    /// It is as it should be.
    Unchanged,
}

impl Action {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

/// One file and what it shall say.
#[derive(Debug)]
pub(crate) struct FileChange {
    pub(crate) path: PathBuf,
    before: Option<String>,
    after: String,
}

impl FileChange {
    /// Reads a file and asks what it shall say: given what it says, none when it is not there.
    pub(crate) fn of(
        path: PathBuf,
        after: impl FnOnce(Option<&str>) -> Result<String, Failure>,
    ) -> Result<Self, Failure> {
        // What a link leads to is changed, not the link.
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let before = text_of(&path)?;
        let after = after(before.as_deref())?;
        Ok(Self { path, before, after })
    }

    pub(crate) fn action(&self) -> Action {
        match &self.before {
            None => Action::Created,
            Some(before) if *before == self.after => Action::Unchanged,
            Some(_) => Action::Updated,
        }
    }

    /// The lines that go and the lines that come.
    pub(crate) fn lines(&self) -> (Vec<&str>, Vec<&str>) {
        let old: Vec<&str> = self.before.as_deref().unwrap_or("").lines().collect();
        let new: Vec<&str> = self.after.lines().collect();
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[same..], &new[same..]);
        let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        (old[..old.len() - tail].to_vec(), new[..new.len() - tail].to_vec())
    }

    /// Writes the file, if it changes: beside it first, then in its place, so that nobody ever sees half of it.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        if self.action() == Action::Unchanged {
            return Ok(());
        }
        self.replace().map_err(|error| Failure::unwritable_file(&self.path, &error))
    }

    fn replace(&self) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::Builder::new().prefix(".elfmem-").tempfile_in(folder)?;
        new.write_all(self.after.as_bytes())?;
        new.as_file().sync_all()?;
        match std::fs::metadata(&self.path) {
            Ok(old) => new.as_file().set_permissions(old.permissions())?,
            Err(_) => allow_reading(new.as_file())?,
        }
        new.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// A temporary file is for its owner alone; a file of a project is for whoever may read the project.
#[cfg(unix)]
fn allow_reading(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn allow_reading(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| Failure::not_text(&name)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::unreadable(&name, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: Option<&str>, after: &str) -> FileChange {
        FileChange { path: "x".into(), before: before.map(str::to_owned), after: after.to_owned() }
    }

    #[test]
    fn only_the_lines_that_differ_are_shown() {
        assert_eq!(change(Some("a\nb\nc\n"), "a\nB\nB2\nc\n").lines(), (vec!["b"], vec!["B", "B2"]));
        assert_eq!(change(Some("a\na\n"), "a\na\na\n").lines(), (vec![], vec!["a"]));
        assert_eq!(change(None, "a\n").lines(), (vec![], vec!["a"]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_rights_stay_what_they_were() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("AGENTS.md"), folder.path().join("CLAUDE.md"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink("AGENTS.md", &link).unwrap();
        FileChange::of(link.clone(), |_| Ok("new".to_owned())).unwrap().write().unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }
}
