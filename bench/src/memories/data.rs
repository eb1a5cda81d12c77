//! A memory file: facts in the order they are stored, and questions with the facts that answer them.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::Result;

/// A memory with questions.
#[derive(Debug, Deserialize)]
pub(crate) struct MemoryFile {
    pub(crate) name: String,
    pub(crate) facts: Vec<Fact>,
    pub(crate) questions: Vec<MemoryQuestion>,
}

/// A fact as it is stored.
#[derive(Debug, Deserialize)]
pub(crate) struct Fact {
    pub(crate) key: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// The day the fact tells of.
    #[serde(default)]
    pub(crate) event_at: Option<String>,
    /// The key of the fact that this one makes outdated.
    #[serde(default)]
    replaces: Option<String>,
}

/// A question. No answers means that the memory does not know.
#[derive(Debug, Deserialize)]
pub(crate) struct MemoryQuestion {
    pub(crate) kind: String,
    pub(crate) question: String,
    pub(crate) answers: Vec<String>,
}

impl MemoryFile {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read or has another format.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// Takes the tags off all facts.
    pub(crate) fn remove_tags(&mut self) {
        self.facts.iter_mut().for_each(|fact| fact.tags.clear());
    }

    /// Returns the keys of all facts that a later one made outdated.
    pub(crate) fn outdated(&self) -> BTreeSet<&str> {
        self.facts.iter().filter_map(|fact| fact.replaces.as_deref()).collect()
    }
}
