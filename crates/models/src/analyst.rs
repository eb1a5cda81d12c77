//! The analyst trait: tags blocks, scores contradictions and proposes texts.

use elfmem_core::{Category, Tag};
use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::health::HealthReport;
use crate::proposal::{ProposalRequest, ProposedText};
use crate::usage::Usage;

/// Analyses blocks.
pub trait Analyst: Send + Sync {
    /// Returns the name shown in reports, such as `rules` or the name of a model.
    fn name(&self) -> &str;

    /// Analyses one block.
    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError>;

    /// Scores how strongly two texts contradict each other. Returns `None` to leave the decision to
    /// the rules.
    fn judge(&self, newer: &str, older: &str, cosine: f64) -> Result<Option<ContradictionScore>, ModelError>;

    /// Writes a short text from its sources only. Returns `None` if the sources give none, or if
    /// this analyst does not write.
    fn propose(&self, _request: &ProposalRequest<'_>) -> Result<Option<ProposedText>, ModelError> {
        Ok(None)
    }

    /// Takes the facts out of the messages of a conversation. Returns `None` to leave that to the rules.
    fn facts(&self, _messages: &[&str]) -> Result<Option<Vec<ExtractedFact>>, ModelError> {
        Ok(None)
    }

    /// Makes one real call and reports the result.
    fn check(&self) -> Result<HealthReport, ModelError>;

    /// Returns the usage since this value was created.
    fn usage(&self) -> Usage;

    /// Returns how many calls may run concurrently.
    fn concurrency(&self) -> usize;
}

/// A fact that a message states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFact {
    /// The index of the message.
    pub message: usize,
    /// The fact in a sentence of its own.
    pub text: String,
}

/// The input of an analysis.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisRequest<'a> {
    /// The authored text of the block.
    pub content: &'a str,
    /// The category of the block.
    pub category: &'a Category,
    /// The agent's self description as text, possibly empty.
    pub self_text: &'a str,
    /// The highest cosine between the block and the blocks about the agent. `None` without such
    /// blocks or vectors.
    pub self_similarity: Option<f64>,
}

/// The result of an analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// How much the block is about the agent itself, in `[0, 1]`. Independent of whether the block
    /// is true.
    pub alignment: f64,
    /// Tags to add.
    pub tags: Vec<Tag>,
    /// A shorter form for small budgets.
    pub summary: Option<String>,
    /// Tags that the analyst proposes but may not add without approval.
    pub proposed_tags: Vec<Tag>,
}

impl Analysis {
    /// Returns the fallback when analysis failed. The block is analysed again later.
    pub fn neutral() -> Self {
        Self { alignment: 0.5, tags: Vec::new(), summary: None, proposed_tags: Vec::new() }
    }
}

/// The contradiction score of two blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContradictionScore {
    /// From 0 (compatible) to 1 (cannot both be true).
    pub score: f64,
    /// The reason, on one line.
    pub reason: String,
}

/// An aspect of the agent that a block describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SelfAspect {
    /// A value of the agent.
    Value,
    /// A rule that the agent follows.
    Constraint,
    /// How the agent works and communicates.
    Style,
    /// A goal of the agent.
    Goal,
    /// The identity and situation of the agent.
    Context,
    /// A principle that must never be given up. Only a person or the agent's explicit tag makes a
    /// block constitutional.
    Constitutional,
}

impl SelfAspect {
    /// All aspects.
    pub const ALL: [Self; 6] =
        [Self::Value, Self::Constraint, Self::Style, Self::Goal, Self::Context, Self::Constitutional];

    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Constraint => "constraint",
            Self::Style => "style",
            Self::Goal => "goal",
            Self::Context => "context",
            Self::Constitutional => "constitutional",
        }
    }

    /// Parses the name, with or without the prefix `self/`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("self/").unwrap_or(&name);
        Self::ALL.into_iter().find(|aspect| aspect.as_str() == name)
    }

    /// Returns the tag, such as `self/value`.
    pub fn tag(self) -> Tag {
        Tag::from_stored(&format!("self/{}", self.as_str()))
    }

    /// Returns true if an analyst may add the tag itself.
    pub fn is_assignable(self) -> bool {
        self != Self::Constitutional
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aspects_parse_with_and_without_prefix() {
        for aspect in SelfAspect::ALL {
            assert_eq!(SelfAspect::from_name(aspect.tag().as_str()), Some(aspect));
            assert_eq!(SelfAspect::from_name(&format!(" {} ", aspect.as_str().to_uppercase())), Some(aspect));
        }
        assert_eq!(SelfAspect::from_name("self/role"), None);
    }

    #[test]
    fn only_constitutional_tags_need_approval() {
        let reserved: Vec<_> = SelfAspect::ALL.into_iter().filter(|aspect| !aspect.is_assignable()).collect();
        assert_eq!(reserved, [SelfAspect::Constitutional]);
    }
}
