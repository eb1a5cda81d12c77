//! What an edge should be.

use elfmem_core::{BlockId, EdgeWeight, Relation};
use elfmem_text::secrets::SecretsPolicy;
use serde::{Deserialize, Serialize};

use super::ConnectError;
use crate::input::LONGEST_NOTE;
use crate::secrets::checked_remark;
use crate::{Error, Result};

/// What to do when the two blocks have an edge already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IfExists {
    /// Count it and make it stronger. It goes on saying what it said.
    #[default]
    Reinforce,
    /// Write what was given, and only that.
    Update,
    /// Leave it.
    Skip,
    /// Refuse.
    Error,
}

/// An edge to place. Made from the ids of two blocks, whole or shortened; the rest has defaults.
///
/// ```
/// use elfmem_engine::{ConnectSpec, IfExists};
///
/// let spec = ConnectSpec::new("8f1b6146", "45afd0dd").relation("supports").note("B gives the mechanism behind A");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectSpec {
    /// Where it starts. Edges work both ways; the direction is kept to show it.
    pub source: String,
    /// Where it ends.
    pub target: String,
    /// What it says; a new edge says `similar` unless told otherwise.
    #[serde(default)]
    pub relation: Option<String>,
    /// How strong it is, brought into `[0, 1]`; a new edge takes its relation's default.
    #[serde(default)]
    pub weight: Option<f64>,
    /// Why it exists.
    #[serde(default)]
    pub note: Option<String>,
    /// What to do when there is one already.
    #[serde(default)]
    pub if_exists: IfExists,
}

impl ConnectSpec {
    /// A `similar` edge between two blocks.
    pub fn new(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            target: target.into(),
            relation: None,
            weight: None,
            note: None,
            if_exists: IfExists::default(),
        }
    }

    /// Says how the two belong together.
    #[must_use]
    pub fn relation(mut self, relation: impl Into<String>) -> Self {
        self.relation = Some(relation.into());
        self
    }

    /// Says how strongly.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.weight = Some(weight);
        self
    }

    /// Says why.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Says what to do when there is an edge already.
    #[must_use]
    pub fn if_exists(mut self, if_exists: IfExists) -> Self {
        self.if_exists = if_exists;
        self
    }

    /// The two ends as an error in a list names them.
    pub(super) fn in_short(&self) -> String {
        let short = |text: &str| text.trim().chars().take(8).collect::<String>();
        format!("{}→{}", short(&self.source), short(&self.target))
    }

    pub(super) fn checked(&self, secrets: SecretsPolicy) -> Result<CheckedSpec> {
        let (source, target) = (self.source.trim(), self.target.trim());
        if source == target {
            let id = BlockId::from_stored(source);
            return Err(ConnectError::SelfLoop { id }.into());
        }
        let weight = self.weight.map(|weight| match weight.is_finite() {
            true => Ok(EdgeWeight::saturating(weight)),
            false => Err(Error::BadNumber { what: "weight", value: weight, wanted: "a number between 0 and 1" }),
        });
        Ok(CheckedSpec {
            source: source.to_owned(),
            target: target.to_owned(),
            relation: self.relation.as_deref().map(Relation::parse).transpose()?,
            weight: weight.transpose()?,
            note: checked_remark("note", self.note.as_deref(), LONGEST_NOTE, secrets)?,
            if_exists: self.if_exists,
        })
    }
}

/// An edge that can be placed if its blocks allow it.
#[derive(Debug, Clone)]
pub(super) struct CheckedSpec {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) relation: Option<Relation>,
    pub(super) weight: Option<EdgeWeight>,
    pub(super) note: Option<String>,
    pub(super) if_exists: IfExists,
}
