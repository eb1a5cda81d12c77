//! `connect_by_query`: connect two blocks that are described, not named.

use crate::results::{ConnectByQueryResult, QueryAction};
use elfmem_core::OperationKind;
use elfmem_store::Store;

use super::matching::{MatchedBlock, best_match};
use super::place::place_promoting;
use super::{Connect, ConnectByQuery};
use crate::memory::Memory;
use crate::models::refuse_other_choice;
use crate::recall::words_alone;
use crate::trace;
use crate::{Error, Result};

impl<S: Store> Memory<S> {
    /// Finds two blocks by what they say and connects them; one that waits in the inbox is promoted first. See [`ConnectByQuery`].
    ///
    /// It reinforces nothing and leaves the breadcrumbs alone. Below `min_confidence` nothing is written.
    ///
    /// # Errors
    /// The errors of [`connect`](Self::connect); a confidence outside `[0, 1]`; an embedder of another model than the
    /// memory's. With an embedder that cannot be reached, blocks are found by words alone, and `message` says so.
    pub fn connect_by_query(&self, request: impl Into<ConnectByQuery>) -> Result<ConnectByQueryResult> {
        let _span = trace::verb("connect_by_query");
        let asked = request.into();
        if !(0.0..=1.0).contains(&asked.min_confidence) {
            let value = asked.min_confidence;
            return Err(Error::BadNumber { what: "min_confidence", value, wanted: "a number between 0 and 1" });
        }
        let embedding = self.embed_questions(&[&asked.source_query, &asked.target_query])?;
        let ((source, problem), (target, _)) = self.read_indexed(|snapshot, index| {
            refuse_other_choice(snapshot, &self.options.models.embedder)?;
            let source = best_match(snapshot, index, &asked.source_query, &embedding)?;
            Ok((source, best_match(snapshot, index, &asked.target_query, &embedding)?))
        })?;
        let confidence = |found: &Option<MatchedBlock>| found.as_ref().map_or(0.0, |found| found.confidence);
        let mut result = ConnectByQueryResult {
            source_query: asked.source_query.clone(),
            target_query: asked.target_query.clone(),
            source_id: source.as_ref().map(|found| found.id.clone()),
            target_id: target.as_ref().map(|found| found.id.clone()),
            source_content: source.as_ref().map(|found| found.content.clone()),
            target_content: target.as_ref().map(|found| found.content.clone()),
            source_trusted: source.as_ref().map(|found| found.trusted),
            target_trusted: target.as_ref().map(|found| found.trusted),
            source_confidence: confidence(&source),
            target_confidence: confidence(&target),
            action: QueryAction::InsufficientConfidence,
            connect_result: None,
            message: problem.as_deref().map(words_alone),
        };
        let sure = result.source_confidence.min(result.target_confidence) >= asked.min_confidence;
        let (Some(source), Some(target)) = (source.filter(|_| sure), target.filter(|_| sure)) else {
            return Ok(result);
        };
        let spec = Connect {
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
        let promotion = self.plan_promotion_of_ends(&[(&checked.source, &checked.target)])?;
        let placed = self.change(OperationKind::ConnectByQuery, |transaction, moment| {
            place_promoting(transaction, moment, &checked, &promotion)
        })?;
        result.action = QueryAction::Connected;
        result.connect_result = Some(placed);
        Ok(result)
    }
}
