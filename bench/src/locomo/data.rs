//! The file: conversations of turns, and questions with the turns that answer them.

use std::collections::BTreeMap;
use std::path::Path;

use elfmem_core::Timestamp;
use elfmem_text::temporal::explicit_time;
use serde::Deserialize;

use crate::Result;

#[derive(Debug, Deserialize)]
pub(crate) struct Data {
    /// What the numbers of the categories mean.
    #[serde(default)]
    pub(crate) categories: BTreeMap<String, String>,
    pub(crate) conversations: Vec<LabelledConversation>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LabelledConversation {
    pub(crate) turns: Vec<Turn>,
    pub(crate) questions: Vec<LabelledQuestion>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Turn {
    pub(crate) id: String,
    /// A number or a name; collections of documents have one each.
    #[serde(default)]
    pub(crate) session: serde_json::Value,
    #[serde(default)]
    pub(crate) date: String,
    #[serde(default)]
    pub(crate) speaker: String,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LabelledQuestion {
    pub(crate) question: String,
    pub(crate) evidence: Vec<String>,
    #[serde(default)]
    pub(crate) category: u32,
}

impl Data {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?)
    }
}

impl Turn {
    /// The turn as an agent would note it: who said what.
    pub(crate) fn as_content(&self) -> String {
        let text = if self.text.trim().is_empty() { "(nothing)" } else { self.text.as_str() };
        match self.speaker.as_str() {
            "" => text.to_owned(),
            speaker => format!("{speaker}: {text}"),
        }
    }

    /// When it was said, if the file says so.
    pub(crate) fn said_at(&self) -> Option<Timestamp> {
        explicit_time(&self.date).map(|span| span.from)
    }
}
