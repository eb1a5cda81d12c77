//! Promotion on the way: a verb that needs active blocks promotes the inbox blocks it names.
//!
//! It is the part of consolidation that asks no language model: vectors, rules, edges and contradictions, for the named
//! blocks alone. The plan is made before the verb's transaction and committed in it, so that the verb and the promotion are
//! one operation, and one undo takes both back. The reasons are in
//! `docs/decisions/0037-the-first-session-of-an-agent.md`.

use std::collections::HashSet;

use elfmem_core::{BlockId, BlockStatus, EdgeKey};
use elfmem_store::{Snapshot, Store, Transaction};

use super::Dream;
use super::commit::{ListedDecisions, commit_planned};
use super::plan::DreamPlan;
use crate::memory::{Memory, resolve_learned};
use crate::moment::Moment;
use crate::results::{ConsolidateResult, PromotedBlock};
use crate::{Error, Result};

/// What becomes of the inbox blocks that a verb names.
#[derive(Debug, Default)]
pub(crate) struct Promotion {
    plan: DreamPlan,
    /// Why nothing could be planned.
    problem: Option<String>,
}

impl<S: Store> Memory<S> {
    /// Plans the promotion of those named blocks that wait in the inbox. What cannot be resolved is left to the verb. An
    /// embedder that does not answer leaves the blocks waiting; [`Promotion::why_waiting`] says so.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub(crate) fn plan_promotion<'a>(&self, named: impl IntoIterator<Item = &'a str>) -> Result<Promotion> {
        let waiting = self.read(|snapshot| waiting_among(snapshot, named))?;
        if waiting.is_empty() {
            return Ok(Promotion::default());
        }
        let mut dream = Dream::new();
        dream.only = Some(waiting);
        match self.plan_dream(&dream) {
            Ok(plan) => Ok(Promotion { plan, problem: None }),
            Err(error @ Error::Storage(_)) => Err(error),
            Err(error) => Ok(Promotion { plan: DreamPlan::default(), problem: Some(error.message()) }),
        }
    }
}

impl<S: Store> Memory<S> {
    /// Plans the promotion of the ends of edges that are asked for. The promotion makes none of these edges itself, so that
    /// each is what was asked for.
    ///
    /// # Errors
    /// A memory that cannot be read.
    pub(crate) fn plan_promotion_of_ends(&self, edges: &[(&str, &str)]) -> Result<Promotion> {
        let mut promotion = self.plan_promotion(edges.iter().flat_map(|(source, target)| [*source, *target]))?;
        if promotion.plan.blocks.is_empty() {
            return Ok(promotion);
        }
        let asked: HashSet<EdgeKey> = self.read(|snapshot| {
            // What cannot be resolved is the verb's to report.
            let id = |text: &str| resolve_learned(snapshot, text).ok().flatten().map(|(id, _)| id);
            let key = |(source, target): &(&str, &str)| EdgeKey::canonical(&id(source)?, &id(target)?);
            Ok(edges.iter().filter_map(key).collect())
        })?;
        for planned in &mut promotion.plan.blocks {
            let own = &planned.block.id;
            planned.edges.retain(|(other, _)| EdgeKey::canonical(own, other).is_none_or(|key| !asked.contains(&key)));
        }
        Ok(promotion)
    }
}

/// Returns the named blocks that wait in the inbox, each once.
fn waiting_among<'a>(snapshot: &dyn Snapshot, named: impl IntoIterator<Item = &'a str>) -> Result<Vec<BlockId>> {
    let mut waiting = Vec::new();
    for text in named {
        match resolve_learned(snapshot, text) {
            Ok(Some((id, block))) if block.status == BlockStatus::Inbox && !waiting.contains(&id) => waiting.push(id),
            Err(error @ Error::Storage(_)) => return Err(error),
            _ => {}
        }
    }
    Ok(waiting)
}

impl Promotion {
    /// Promotes those planned blocks that `wanted` accepts, as part of the verb's operation.
    pub(crate) fn commit(
        &self,
        transaction: &mut dyn Transaction,
        moment: &Moment,
        wanted: impl Fn(&dyn Transaction, &BlockId) -> Result<bool>,
    ) -> Result<Vec<PromotedBlock>> {
        let mut promoted = Vec::new();
        for planned in &self.plan.blocks {
            let id = &planned.block.id;
            if !wanted(transaction, id)? {
                continue;
            }
            let found = self.plan.contradictions.iter().filter(|found| found.newer == *id);
            let mut result = ConsolidateResult::default();
            if commit_planned(transaction, moment, planned, found, ListedDecisions::Notable, &mut result)? {
                let decision = planned.decision();
                promoted.push(PromotedBlock { block_id: id.clone(), fate: decision.fate, other_id: decision.other_id });
            }
        }
        Ok(promoted)
    }

    /// Says why a block still waits in the inbox after [`commit`](Self::commit).
    pub(crate) fn why_waiting(&self) -> String {
        match &self.problem {
            Some(problem) => format!("it waits in the inbox: {}", problem.trim_end_matches('.')),
            None => "it was changed meanwhile and waits in the inbox; say it again".to_owned(),
        }
    }
}
