//! One step: what it says, how it is proposed, how it is done.

use elfmem_core::event::ContextId;
use elfmem_core::{Block, BlockId, Timestamp};
use elfmem_store::{Enrolment, Proposal, ProposalKind, Transaction};

use super::Graduated;
use super::detect::{Doubted, Mistakes, Nearness, Pattern, doubted_skill, mistakes_with, pattern};
use crate::Result;
use crate::events::{NewEvent, enrol, tell_graduation};
use crate::moment::Moment;
use crate::proposals;

/// Who a graduation speaks for: nobody, it was worked out.
const SOURCE: &str = "derived";

/// A step that is ready.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) kind: ProposalKind,
    /// What it is about: the oldest mistake, the pattern, the skill.
    pub(super) block: BlockId,
    /// Where it is told.
    context: String,
    /// What it will say.
    pub(super) text: String,
    /// What it says that from, the most telling first.
    pub(super) sources: Vec<String>,
    rests_on: Vec<BlockId>,
    count: usize,
}

impl Step {
    pub(super) fn pattern(found: Mistakes) -> Self {
        let mut telling: Vec<&Block> = found.blocks.iter().collect();
        telling.sort_by(|a, b| b.confidence.get().total_cmp(&a.confidence.get()));
        Self {
            kind: ProposalKind::Pattern,
            block: found.blocks.first().map(|block| block.id.clone()).unwrap_or_else(|| BlockId::from_stored("")),
            context: format!("pattern:{}", found.name),
            text: String::new(),
            sources: telling.into_iter().map(|block| block.content.clone()).collect(),
            rests_on: found.blocks.iter().map(|block| block.id.clone()).collect(),
            count: found.sightings,
        }
    }

    pub(super) fn skill(found: Pattern) -> Self {
        Self {
            kind: ProposalKind::Skill,
            block: found.block.id.clone(),
            context: format!("skill:{}", found.name),
            text: String::new(),
            sources: vec![found.block.content],
            rests_on: std::iter::once(found.block.id).chain(found.mistakes).collect(),
            count: found.uses,
        }
    }

    pub(super) fn demotion(found: Doubted) -> Self {
        Self {
            kind: ProposalKind::Demotion,
            block: found.block.id,
            context: format!("pattern:{}", found.context.name()),
            text: found.block.content,
            sources: Vec::new(),
            count: found.by.len(),
            rests_on: found.by,
        }
    }

    /// What it says where nobody writes: the words of the best witness.
    pub(super) fn template(&self, witness: &str) -> String {
        match self.kind {
            ProposalKind::Skill => format!("Mind this, it proved true {} times: {witness}", self.count.max(1)),
            _ => format!("Seen {} times: {witness}", self.count.max(1)),
        }
    }

    /// For whoever asked.
    pub(super) fn told(&self) -> Graduated {
        Graduated {
            kind: self.kind.as_str(),
            block_id: None,
            context_id: self.context.clone(),
            text: self.text.clone(),
            rests_on: self.rests_on.clone(),
            count: self.count,
        }
    }

    /// The wish to take it.
    pub(super) fn proposal(&self, at: Timestamp) -> Proposal {
        let (kind, count) = (self.kind, self.count);
        let (score, reason) = match kind {
            ProposalKind::Pattern => {
                (0.6, format!("The same mistake was seen in {count} sessions or by as many sources."))
            }
            ProposalKind::Skill => (0.8, format!("The pattern proved true {count} times.")),
            _ => (0.9, format!("The skill is contradicted by {count}.")),
        };
        Proposal {
            tag: Some(self.context.clone()),
            text: (kind != ProposalKind::Demotion).then(|| self.text.clone()),
            ..proposals::proposal(kind, &self.block, score, reason, at)
        }
    }
}

/// What was done.
pub(crate) struct Acted {
    /// In one sentence.
    pub(crate) effect: String,
    /// A block that was made and has no vector yet.
    pub(crate) told: Option<BlockId>,
}

/// Takes a step, if it is still ready.
pub(super) fn carry_out(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    step: &Step,
    nearness: Nearness,
) -> Result<Option<Acted>> {
    act(transaction, moment, step.kind, &step.block, &step.context, &step.text, nearness)
}

/// Takes the step that a proposal asks for, if it is still ready.
pub(crate) fn accept(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    proposal: &Proposal,
    nearness: Nearness,
) -> Result<Option<Acted>> {
    let context = proposal.tag.as_deref().unwrap_or_default();
    let text = proposal.text.as_deref().unwrap_or_default();
    act(transaction, moment, proposal.kind, &proposal.block_id, context, text, nearness)
}

fn act(
    transaction: &mut dyn Transaction,
    moment: &Moment,
    kind: ProposalKind,
    block: &BlockId,
    context: &str,
    text: &str,
    nearness: Nearness,
) -> Result<Option<Acted>> {
    let event = match kind {
        ProposalKind::Pattern => {
            let Some(found) = mistakes_with(&*transaction, nearness, block)? else { return Ok(None) };
            let pattern = NewEvent::new("fact", text);
            found.blocks.iter().fold(pattern, |event, mistake| event.link("derived_from", mistake.id.as_str()))
        }
        ProposalKind::Skill => {
            let Some(found) = pattern(&*transaction, block)? else { return Ok(None) };
            let skill = NewEvent::new("decision", text).link("extends", found.block.id.as_str());
            found.mistakes.iter().fold(skill, |event, mistake| event.link("reinforces", mistake.as_str()))
        }
        _ => return demote(transaction, moment, block),
    };
    let told = tell_graduation(transaction, moment, &event.source(SOURCE).context(context))?;
    let effect =
        format!("{} is told in {context}.", if kind == ProposalKind::Skill { "The skill" } else { "The pattern" });
    Ok(Some(Acted { effect, told: told.block_id }))
}

/// Lets a contradicted skill be a pattern again: it leaves its place among the skills.
fn demote(transaction: &mut dyn Transaction, moment: &Moment, block: &BlockId) -> Result<Option<Acted>> {
    let Some(found) = doubted_skill(&*transaction, block)? else { return Ok(None) };
    let pattern = ContextId::from_stored(&format!("pattern:{}", found.context.name()));
    enrol(transaction, moment, block, &pattern, true)?;
    // It is still found where it was told, but what is said of that place is not said of it any more.
    let (block_id, context_id, created_at) = (block.clone(), found.context.clone(), moment.at);
    transaction.put_enrolment(&Enrolment { block_id, context_id, primary: false, created_at })?;
    let effect = format!("Block {} is a pattern again, in {pattern}.", block.short());
    Ok(Some(Acted { effect, told: None }))
}
