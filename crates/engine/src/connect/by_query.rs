//! `connect_by_query`: connect two blocks that are described, not named.

use crate::results::{ConnectByQueryResult, QueryAction};
use elfmem_core::OperationKind;
use elfmem_store::Store;

use super::matching::{Match, best_match};
use super::place::place;
use super::{ConnectSpec, IfExists};
use crate::memory::Memory;
use crate::{Error, Result};

/// How surely a query must mean a block.
pub(crate) const MIN_CONFIDENCE: f64 = 0.70;

/// Two descriptions to connect. Made from the two; the rest has defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectByQuery {
    /// Describes the source.
    pub source_query: String,
    /// Describes the target.
    pub target_query: String,
    /// What the edge says; `similar` unless told otherwise.
    pub relation: Option<String>,
    /// Why it exists.
    pub note: Option<String>,
    /// How surely each query must mean its block, in `[0, 1]`.
    pub min_confidence: f64,
    /// What to do when there is an edge already.
    pub if_exists: IfExists,
    /// Only show which blocks are meant.
    pub dry_run: bool,
}

impl ConnectByQuery {
    /// A `similar` edge between the blocks that two descriptions mean.
    pub fn new(source_query: impl Into<String>, target_query: impl Into<String>) -> Self {
        Self {
            source_query: source_query.into(),
            target_query: target_query.into(),
            relation: None,
            note: None,
            min_confidence: MIN_CONFIDENCE,
            if_exists: IfExists::default(),
            dry_run: false,
        }
    }
}

impl<S: Store> Memory<S> {
    /// Finds two active blocks by what they say and connects them.
    ///
    /// USE WHEN: you have a relationship in mind and no ids. DON'T USE WHEN: you have ids, or can only describe the blocks vaguely.
    /// COST: two questions are embedded; no language model. It reinforces nothing and leaves the breadcrumbs alone. RETURNS:
    /// [`ConnectByQueryResult`] with the whole text of both blocks: read them. Below `min_confidence` nothing is written; `dry_run`
    /// writes nothing either. NEXT: [`disconnect`](Self::disconnect) when the wrong blocks were met.
    ///
    /// # Errors
    /// The same as [`connect`](Self::connect); a confidence outside `[0, 1]`; an embedder that cannot be reached.
    pub fn connect_by_query(&self, asked: &ConnectByQuery) -> Result<ConnectByQueryResult> {
        if !(0.0..=1.0).contains(&asked.min_confidence) {
            let value = asked.min_confidence;
            return Err(Error::BadNumber { what: "min_confidence", value, wanted: "a number between 0 and 1" });
        }
        let (source, target) = self.read(|snapshot| {
            let source = best_match(self, snapshot, &asked.source_query)?;
            Ok((source, best_match(self, snapshot, &asked.target_query)?))
        })?;
        let confidence = |found: &Option<Match>| found.as_ref().map_or(0.0, |found| found.confidence);
        let mut result = ConnectByQueryResult {
            source_query: asked.source_query.clone(),
            target_query: asked.target_query.clone(),
            source_id: source.as_ref().map(|found| found.id.clone()),
            target_id: target.as_ref().map(|found| found.id.clone()),
            source_content: source.as_ref().map(|found| found.content.clone()),
            target_content: target.as_ref().map(|found| found.content.clone()),
            source_confidence: confidence(&source),
            target_confidence: confidence(&target),
            action: QueryAction::InsufficientConfidence,
            connect_result: None,
        };
        let sure = result.source_confidence.min(result.target_confidence) >= asked.min_confidence;
        let (Some(source), Some(target)) = (source.filter(|_| sure), target.filter(|_| sure)) else {
            return Ok(result);
        };
        let spec = ConnectSpec {
            source: source.id.to_string(),
            target: target.id.to_string(),
            relation: asked.relation.clone(),
            weight: None,
            note: asked.note.clone(),
            if_exists: asked.if_exists,
        };
        let checked = spec.checked(self.options.secrets)?;
        if asked.dry_run {
            result.action = QueryAction::DryRunPreview;
            return Ok(result);
        }
        let placed =
            self.change(OperationKind::ConnectByQuery, |transaction, moment| place(transaction, moment, &checked))?;
        result.action = QueryAction::Connected;
        result.connect_result = Some(placed);
        Ok(result)
    }
}
