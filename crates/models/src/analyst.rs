//! The analyst port: what a block says about the agent, whether two blocks can both hold, what several say together.

use elfmem_core::{Category, Tag};
use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::health::HealthReport;
use crate::proposal::{Proposal, ProposalRequest};
use crate::usage::Usage;

/// Reads blocks the way a careful colleague would.
pub trait Analyst: Send + Sync {
    /// What it is called in reports, such as `rules` or the name of a model.
    fn name(&self) -> &str;

    /// Reads one block.
    fn analyse(&self, request: &AnalysisRequest<'_>) -> Result<Analysis, ModelError>;

    /// Says how strongly two texts contradict each other; none when it has no opinion and the rules should decide.
    fn judge(&self, newer: &str, older: &str, cosine: f64) -> Result<Option<ContradictionScore>, ModelError>;

    /// Writes a short text from its sources and nothing else; none when they do not give one, or when it does not write.
    fn propose(&self, _request: &ProposalRequest<'_>) -> Result<Option<Proposal>, ModelError> {
        Ok(None)
    }

    /// Makes one real call and says how it went.
    fn check(&self) -> Result<HealthReport, ModelError>;

    /// What has been spent since the value was made.
    fn usage(&self) -> Usage;

    /// How many calls may usefully run at the same time.
    fn concurrency(&self) -> usize;
}

/// What an analyst is given to read.
#[derive(Debug, Clone, Copy)]
pub struct AnalysisRequest<'a> {
    /// The authored text of the block.
    pub content: &'a str,
    /// Its kind.
    pub category: &'a Category,
    /// What the agent knows about itself, as text; empty when it knows nothing yet.
    pub self_text: &'a str,
    /// The highest cosine between the block and the blocks about the agent; none without such blocks or vectors.
    pub self_similarity: Option<f64>,
}

/// What an analyst found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// How much the block speaks of the agent itself, in `[0, 1]`. It says nothing about whether the block is true.
    pub alignment: f64,
    /// Tags to attach.
    pub tags: Vec<Tag>,
    /// A shorter form for tight budgets.
    pub summary: Option<String>,
    /// Tags the analyst would like but may not attach: someone with the authority has to agree.
    pub proposed_tags: Vec<Tag>,
}

impl Analysis {
    /// What stands in when no analysis could be had: no opinion, and the block is to be looked at again.
    pub fn neutral() -> Self {
        Self { alignment: 0.5, tags: Vec::new(), summary: None, proposed_tags: Vec::new() }
    }
}

/// How strongly two blocks contradict each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContradictionScore {
    /// 0 for compatible, 1 for "cannot both hold".
    pub score: f64,
    /// Why, on one line.
    pub reason: String,
}

/// What a block can say about the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SelfAspect {
    /// What it holds dear.
    Value,
    /// What it must or must not do.
    Constraint,
    /// How it works and speaks.
    Style,
    /// What it is after.
    Goal,
    /// Who it is and where it stands.
    Context,
    /// What may never be given up. Only a person or the agent's explicit tag makes a block constitutional.
    Constitutional,
}

impl SelfAspect {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Value, Self::Constraint, Self::Style, Self::Goal, Self::Context, Self::Constitutional];

    /// The lowercase word.
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

    /// Reads the word, with or without `self/` in front.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("self/").unwrap_or(&name);
        Self::ALL.into_iter().find(|aspect| aspect.as_str() == name)
    }

    /// The tag that says it, such as `self/value`.
    pub fn tag(self) -> Tag {
        Tag::from_stored(&format!("self/{}", self.as_str()))
    }

    /// Whether an analyst may attach the tag itself.
    pub fn is_assignable(self) -> bool {
        self != Self::Constitutional
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aspects_are_read_with_and_without_their_prefix() {
        for aspect in SelfAspect::ALL {
            assert_eq!(SelfAspect::from_name(aspect.tag().as_str()), Some(aspect));
            assert_eq!(SelfAspect::from_name(&format!(" {} ", aspect.as_str().to_uppercase())), Some(aspect));
        }
        assert_eq!(SelfAspect::from_name("self/role"), None);
    }

    #[test]
    fn the_constitution_is_the_one_thing_an_analyst_may_only_propose() {
        let reserved: Vec<_> = SelfAspect::ALL.into_iter().filter(|aspect| !aspect.is_assignable()).collect();
        assert_eq!(reserved, [SelfAspect::Constitutional]);
    }
}
