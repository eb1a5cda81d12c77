//! Graduation steps: how a step is worded, proposed and applied.

use elfmem_core::event::ContextId;
use elfmem_core::{Block, BlockId, Timestamp, TrustPolicy};
use elfmem_store::{Enrolment, Proposal, ProposalKind, Transaction};

use super::GraduationStep;
use super::detect::{
    ContradictedSkill, MistakeGroup, Pattern, SimilarityThresholds, contradicted_skill, group_with, pattern,
};
use crate::Result;
use crate::events::{StoreEvent, enrol, store_graduation_event};
use crate::moment::Moment;
use crate::proposals;

/// The event source of patterns and skills.
const SOURCE: &str = "derived";

/// A graduation step that can be proposed or applied.
#[derive(Debug, Clone)]
pub(super) struct ReadyStep {
    pub(super) kind: ProposalKind,
    /// The oldest mistake, the pattern or the skill.
    pub(super) block: BlockId,
    /// The context of the new block.
    context: String,
    /// The text of the new block.
    pub(super) text: String,
    /// The texts that it summarises, highest confidence first.
    pub(super) sources: Vec<String>,
    /// Whether every block that the text is made of comes from a trusted source.
    trusted: bool,
    rests_on: Vec<BlockId>,
    count: usize,
}

impl ReadyStep {
    pub(super) fn pattern(found: MistakeGroup, trust: &TrustPolicy) -> Self {
        let mut by_confidence: Vec<&Block> = found.blocks.iter().collect();
        by_confidence.sort_by(|a, b| b.confidence.get().total_cmp(&a.confidence.get()));
        Self {
            kind: ProposalKind::Pattern,
            block: found.blocks.first().map(|block| block.id.clone()).unwrap_or_else(|| BlockId::from_stored("")),
            context: format!("pattern:{}", found.name),
            text: String::new(),
            sources: by_confidence.into_iter().map(|block| block.content.clone()).collect(),
            trusted: found.blocks.iter().all(|block| trust.trusts(block)),
            rests_on: found.blocks.iter().map(|block| block.id.clone()).collect(),
            count: found.sightings,
        }
    }

    pub(super) fn skill(found: Pattern, trust: &TrustPolicy) -> Self {
        Self {
            kind: ProposalKind::Skill,
            block: found.block.id.clone(),
            context: format!("skill:{}", found.name),
            text: String::new(),
            trusted: trust.trusts(&found.block),
            sources: vec![found.block.content],
            rests_on: std::iter::once(found.block.id).chain(found.mistakes).collect(),
            count: found.uses,
        }
    }

    pub(super) fn demotion(found: ContradictedSkill, trust: &TrustPolicy) -> Self {
        Self {
            kind: ProposalKind::Demotion,
            trusted: trust.trusts(&found.block),
            block: found.block.id,
            context: format!("pattern:{}", found.context.name()),
            text: found.block.content,
            sources: Vec::new(),
            count: found.by.len(),
            rests_on: found.by,
        }
    }

    /// Returns the text built from one source, for analysts that do not generate text.
    pub(super) fn template(&self, source: &str) -> String {
        match self.kind {
            ProposalKind::Skill => format!("Mind this, it proved true {} times: {source}", self.count.max(1)),
            _ => format!("Seen {} times: {source}", self.count.max(1)),
        }
    }

    /// Converts the step to its public form.
    pub(super) fn to_result(&self) -> GraduationStep {
        GraduationStep {
            kind: self.kind.as_str(),
            block_id: None,
            context_id: self.context.clone(),
            text: self.text.clone(),
            trusted: self.trusted,
            rests_on: self.rests_on.clone(),
            count: self.count,
        }
    }

    /// Converts the step to a proposal.
    pub(super) fn proposal(&self, at: Timestamp) -> Proposal {
        let (kind, count) = (self.kind, self.count);
        let (score, reason) = match kind {
            ProposalKind::Pattern => {
                (0.6, format!("The same mistake was seen in {count} sessions or by as many sources."))
            }
            ProposalKind::Skill => (0.8, format!("The pattern was confirmed {count} times.")),
            _ => (0.9, format!("The skill is contradicted by {count}.")),
        };
        Proposal {
            tag: Some(self.context.clone()),
            text: (kind != ProposalKind::Demotion).then(|| self.text.clone()),
            ..proposals::proposal(kind, &self.block, score, reason, at)
        }
    }
}

/// An applied step.
pub(crate) struct AppliedStep {
    /// A one-sentence summary.
    pub(crate) effect: String,
    /// The new block, which has no vector yet.
    pub(crate) created: Option<BlockId>,
}

/// Applies a step. Returns `None` if it is no longer ready.
pub(super) fn apply_step(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    step: &ReadyStep,
    thresholds: SimilarityThresholds,
) -> Result<Option<AppliedStep>> {
    apply(transaction, moment, step.kind, &step.block, &step.context, &step.text, thresholds)
}

/// Applies the step of an accepted proposal. Returns `None` if it is no longer ready.
pub(crate) fn accept(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    thresholds: SimilarityThresholds,
) -> Result<Option<AppliedStep>> {
    let context = proposal.tag.as_deref().unwrap_or_default();
    let text = proposal.text.as_deref().unwrap_or_default();
    apply(transaction, moment, proposal.kind, &proposal.block_id, context, text, thresholds)
}

fn apply(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    kind: ProposalKind,
    block: &BlockId,
    context: &str,
    text: &str,
    thresholds: SimilarityThresholds,
) -> Result<Option<AppliedStep>> {
    let event = match kind {
        ProposalKind::Pattern => {
            let Some(found) = group_with(&*transaction, thresholds, block)? else { return Ok(None) };
            let pattern = StoreEvent::with_payload("fact", text);
            found.blocks.iter().fold(pattern, |event, mistake| event.link("derived_from", mistake.id.as_str()))
        }
        ProposalKind::Skill => {
            let Some(found) = pattern(&*transaction, block)? else { return Ok(None) };
            let skill = StoreEvent::with_payload("decision", text).link("extends", found.block.id.as_str());
            found.mistakes.iter().fold(skill, |event, mistake| event.link("reinforces", mistake.as_str()))
        }
        _ => return demote(transaction, moment, block),
    };
    let stored = store_graduation_event(transaction, moment, &event.source(SOURCE).context_id(context))?;
    let effect =
        format!("{} is stored in {context}.", if kind == ProposalKind::Skill { "The skill" } else { "The pattern" });
    Ok(Some(AppliedStep { effect, created: stored.block_id }))
}

/// Demotes a contradicted skill to a pattern.
fn demote(transaction: &mut dyn Transaction, moment: &Moment, block: &BlockId) -> Result<Option<AppliedStep>> {
    let Some(found) = contradicted_skill(&*transaction, block)? else { return Ok(None) };
    let pattern = ContextId::from_stored(&format!("pattern:{}", found.context.name()));
    enrol(transaction, moment, block, &pattern, true)?;
    // The block stays in the skill context, but links to that context no longer apply to it.
    let (block_id, context_id, created_at) = (block.clone(), found.context.clone(), moment.at);
    transaction.put_enrolment(&Enrolment { block_id, context_id, primary: false, created_at })?;
    let effect = format!("Block {} is a pattern again, in {pattern}.", block.short());
    Ok(Some(AppliedStep { effect, created: None }))
}
