//! Memories of the Python elfmem in the user's home, and the commands that bring them in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use elfmem_core::ScopeView;
use elfmem_engine::Memory;
use elfmem_store::Store;
use elfmem_store_sqlite::{SqliteStore, python_blocks};
use elfmem_text::phrase::counted;
use serde::Serialize;

use crate::failure::Failure;

/// The default memory of the Python elfmem, below the home folder, and the folder of its projects' memories.
const DEFAULT: &str = ".elfmem/agent.db";
const PROJECTS: &str = ".elfmem/databases";

/// The setting that holds which of them were imported: the number of blocks by path.
const IMPORTED: &str = "imported_python_memories";

/// A memory of the Python elfmem that was not brought in yet.
#[derive(Debug, Serialize)]
pub(crate) struct PythonMemory {
    pub(crate) path: PathBuf,
    /// Its blocks.
    pub(crate) blocks: u64,
    /// What brings it in.
    pub(crate) command: String,
}

impl std::fmt::Display for PythonMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of the Python elfmem holds {}", self.path.display(), counted(self.blocks, "block"))
    }
}

type Imported = BTreeMap<PathBuf, u64>;

/// Lists the memories of the Python elfmem in a home folder that hold something this memory was not given.
pub(crate) fn find(
    home: Option<&Path>,
    used: &Path,
    memory: &Memory<SqliteStore>,
) -> Result<Vec<PythonMemory>, Failure> {
    let Some(home) = home else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = vec![home.join(DEFAULT)];
    let projects = std::fs::read_dir(home.join(PROJECTS)).into_iter().flatten().flatten();
    let mut projects: Vec<PathBuf> = projects.map(|entry| entry.path()).collect();
    projects.retain(|path| path.extension().is_some_and(|ending| ending == "db"));
    projects.sort();
    paths.extend(projects);
    paths.retain(|path| path.is_file() && path != used);
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let imported = imported(memory)?;
    let found = paths.into_iter().filter_map(|path| {
        let blocks = python_blocks(&path).filter(|blocks| *blocks > 0)?;
        let known = imported.get(&whole(&path)).copied().unwrap_or_default();
        let command = format!("elfmem import {}", path.display());
        (blocks > known).then_some(PythonMemory { path, blocks, command })
    });
    Ok(found.collect())
}

/// Keeps in the memory that a file was imported, so that nobody is asked again.
pub(crate) fn note_import(path: &Path, memory: &Memory<SqliteStore>) -> Result<(), Failure> {
    let Some(blocks) = python_blocks(path) else { return Ok(()) };
    let mut known = imported(memory)?;
    known.insert(whole(path), blocks);
    let json = serde_json::to_string(&known).unwrap_or_default();
    memory
        .store()
        .write(&ScopeView::default(), |transaction| transaction.set_config(IMPORTED, &json))
        .map_err(elfmem_engine::Error::from)?;
    Ok(())
}

fn imported(memory: &Memory<SqliteStore>) -> Result<Imported, Failure> {
    let json = memory
        .store()
        .read(&ScopeView::default(), |snapshot| snapshot.get_config(IMPORTED))
        .map_err(elfmem_engine::Error::from)?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
