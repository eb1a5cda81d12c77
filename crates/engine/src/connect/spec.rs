//! The checks of an edge that is asked for.

use elfmem_core::{BlockId, EdgeWeight, Relation};
use elfmem_text::secrets::SecretsPolicy;

use super::{Connect, ConnectError, IfExists};
use crate::input::LONGEST_NOTE;
use crate::secrets::{checked_remark, refuse_secret_name};
use crate::{Error, Result};

impl Connect {
    /// Names the two ends for an error in a list.
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
        if let Some(relation) = &self.relation {
            refuse_secret_name("relation", relation, secrets)?;
        }
        Ok(CheckedSpec {
            source: source.to_owned(),
            target: target.to_owned(),
            relation: self.relation.as_deref().map(Relation::parse).transpose()?,
            weight: weight.transpose()?,
            clamped_weight: self.weight.filter(|weight| !(0.0..=1.0).contains(weight)),
            note: checked_remark("note", self.note.as_deref(), LONGEST_NOTE, secrets)?,
            if_exists: self.if_exists.unwrap_or_default(),
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
    /// The weight that was asked for, if it is not between 0 and 1.
    pub(super) clamped_weight: Option<f64>,
    pub(super) note: Option<String>,
    pub(super) if_exists: IfExists,
}
