//! Who the agent is: the blocks that `init` stores, each once however often it runs.

use std::path::Path;

use elfmem_core::{Block, BlockId, BlockStatus};
use elfmem_engine::{CareError, Dream, Edit, EmbedderChoice, Error, Learn, ListBlocks, Memory};
use elfmem_store_sqlite::SqliteStore;
use serde::Serialize;

use super::seeds::CHOICES;
use crate::args;
use crate::failure::Failure;

/// What is always shown in the frame `self`.
const CONSTITUTIONAL: &str = "self/constitutional";
/// What a tag that names a role begins with.
const ROLE: &str = "self/role/";

/// Something that holds about the agent.
#[derive(Debug, Clone)]
pub(crate) struct Principle {
    /// What it is about; none for a paragraph of a file.
    role: Option<String>,
    aspect: &'static str,
    text: String,
    /// Whether another text takes the place of the one there is.
    replaces: bool,
}

impl Principle {
    fn role_tag(&self) -> Option<String> {
        self.role.as_ref().map(|role| format!("{ROLE}{role}"))
    }

    fn with(&self, fate: PrincipleAction) -> Kept {
        Kept { role: self.role.clone(), fate, content: self.text.clone() }
    }

    fn learn(&self) -> Learn {
        let tags = [CONSTITUTIONAL.to_owned(), format!("self/{}", self.aspect)];
        Learn::new(self.text.as_str()).tags(tags.into_iter().chain(self.role_tag())).source("init")
    }
}

/// What became of a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PrincipleAction {
    /// It is new.
    Stored,
    /// It took the place of another text.
    Replaced,
    /// It was there, or was forgotten on purpose.
    Kept,
}

/// A principle and what became of it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Kept {
    pub(crate) role: Option<String>,
    pub(crate) fate: PrincipleAction,
    pub(crate) content: String,
}

/// Collects and checks the principles that the arguments select.
pub(crate) fn selected_principles(arguments: &args::Init) -> Result<Vec<Principle>, Failure> {
    let own =
        |role: &str, text: String| Principle { role: Some(role.to_owned()), aspect: "context", text, replaces: true };
    let mut all = Vec::new();
    if let Some(name) = &arguments.name {
        if name.trim().is_empty() {
            return Err(elfmem_engine::Error::EmptyContent.into());
        }
        all.push(own("name", format!("My name is {}.", name.trim())));
    }
    all.extend(arguments.identity.iter().map(|text| own("identity", text.trim().to_owned())));
    for choice in &arguments.seeds {
        all.extend(principles_of(choice)?);
    }
    for principle in &all {
        principle.learn().check()?;
    }
    Ok(all)
}

/// A built-in choice by its name, else the paragraphs of a file.
fn principles_of(choice: &Path) -> Result<Vec<Principle>, Failure> {
    if let Some((_, seeds)) = CHOICES.iter().find(|(name, _)| Path::new(name) == choice) {
        let principle = |seed: &super::seeds::SeedPrinciple| Principle {
            role: Some(seed.role.to_owned()),
            aspect: seed.aspect,
            text: seed.text.to_owned(),
            replaces: false,
        };
        return Ok(seeds.iter().map(principle).collect());
    }
    if !choice.exists() {
        let names: Vec<&str> = CHOICES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::unknown_seed(&choice.display().to_string(), &names));
    }
    Ok(paragraphs(&crate::input::read_text(choice)?))
}

/// A principle for each paragraph; headings are none.
fn paragraphs(text: &str) -> Vec<Principle> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.lines().map(str::trim) {
        let last = paragraphs.len() - 1;
        if line.is_empty() || line.starts_with('#') {
            paragraphs.push(String::new());
        } else {
            let gap = if paragraphs[last].is_empty() { "" } else { " " };
            paragraphs[last] = format!("{}{gap}{line}", paragraphs[last]);
        }
    }
    let given = paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty());
    given.map(|text| Principle { role: None, aspect: "value", text, replaces: false }).collect()
}

/// The state of a principle in the memory.
enum StoredState {
    /// It is not stored.
    Missing,
    /// It is stored, or was removed by its owner.
    Settled,
    /// Another text has its role.
    OtherText(BlockId),
}

fn stored_state(principle: &Principle, living: &[Block], memory: &Memory<SqliteStore>) -> Result<StoredState, Failure> {
    let same_text = BlockId::for_content(&principle.text);
    let about = |block: &&Block| match principle.role_tag() {
        Some(role) => block.tags.iter().any(|tag| tag.as_str() == role),
        None => block.id == same_text,
    };
    Ok(match living.iter().find(about) {
        Some(block) if principle.replaces && block.id != same_text => StoredState::OtherText(block.id.clone()),
        Some(_) => StoredState::Settled,
        // What its owner took away is not brought back by running init again, unless it is said anew.
        None if !principle.replaces && was_taken_away(&same_text, memory)? => StoredState::Settled,
        None => StoredState::Missing,
    })
}

fn was_taken_away(id: &BlockId, memory: &Memory<SqliteStore>) -> Result<bool, Failure> {
    match memory.show(id.as_str()) {
        Ok(details) => Ok(details.block.status == BlockStatus::Archived),
        Err(Error::Care(CareError::Purged { .. })) => Ok(true),
        Err(Error::UnknownBlock { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What would become of them in a memory that is not there yet.
pub(crate) fn all_new(principles: &[Principle]) -> Vec<Kept> {
    principles.iter().map(|principle| principle.with(PrincipleAction::Stored)).collect()
}

/// Stores what is missing; with `dry_run` only says what would be.
pub(crate) fn store(
    principles: &[Principle],
    memory: &Memory<SqliteStore>,
    dry_run: bool,
) -> Result<Vec<Kept>, Failure> {
    let mut living = memory.list(ListBlocks::all().tag("self/%"))?;
    // The oldest first.
    living.reverse();
    living.retain(|block| block.status != BlockStatus::Archived);
    let nothing_waits = memory.status()?.inbox_count == 0;
    let mut new = Vec::new();
    let mut kept = Vec::new();
    for principle in principles {
        let fate = match stored_state(principle, &living, memory)? {
            StoredState::Settled => PrincipleAction::Kept,
            StoredState::OtherText(id) => {
                if !dry_run {
                    memory.edit(Edit::new(id).content(principle.text.as_str()))?;
                }
                PrincipleAction::Replaced
            }
            StoredState::Missing => {
                new.push(principle.learn());
                PrincipleAction::Stored
            }
        };
        kept.push(principle.with(fate));
    }
    if dry_run || kept.iter().all(|kept| kept.fate == PrincipleAction::Kept) {
        return Ok(kept);
    }
    if !new.is_empty() {
        memory.learn_all(&new)?;
    }
    let built_in = EmbedderChoice::default();
    if nothing_waits && memory.filled_by()?.is_none_or(|model| model == built_in.name()) {
        // A new memory should not begin with a full inbox. What waited before, and what other models fill, is left to its owner.
        memory.dream(Dream::new())?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_a_principle_for_each_paragraph_and_none_for_headings() {
        let texts: Vec<String> = paragraphs("# How we work\nShip small,\nship often.\n\n\n## More\nAsk first.\n")
            .into_iter()
            .map(|p| p.text)
            .collect();
        assert_eq!(texts, ["Ship small, ship often.", "Ask first."]);
        assert!(paragraphs("\n# Only a heading\n").is_empty());
    }
}
