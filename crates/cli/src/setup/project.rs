//! Where a project begins.

use std::path::{Path, PathBuf};

use crate::configuration::PROJECT_FOLDER;

/// The root of the project a folder belongs to: the nearest folder at or above it that has a memory or is a repository, else the
/// folder itself. None for the home folder, which is no project.
pub(crate) fn root_of(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let marked = |folder: &&Path| folder.join(PROJECT_FOLDER).is_dir() || folder.join(".git").exists();
    let found = folder.ancestors().filter(|folder| Some(*folder) != home).find(marked);
    let root = found.unwrap_or(folder);
    (Some(root) != home).then(|| root.to_owned())
}

/// The folder of the memory in a project.
pub(crate) fn memory_folder(root: &Path) -> PathBuf {
    root.join(PROJECT_FOLDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_the_nearest_memory_or_repository_else_the_folder_itself_and_never_home() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let (project, deep) = (home.join("project"), home.join("project/src/deep"));
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(home.join(".git")).unwrap();
        assert_eq!(root_of(&deep, Some(&home)), Some(deep.clone()), "a repository of the home folder is no project");
        std::fs::write(project.join(".git"), "gitdir: elsewhere").unwrap();
        assert_eq!(root_of(&deep, Some(&home)), Some(project.clone()));
        std::fs::create_dir_all(project.join("src/.elfmem")).unwrap();
        assert_eq!(root_of(&deep, Some(&home)), Some(project.join("src")));
        assert_eq!(root_of(&home, Some(&home)), None);
    }
}
