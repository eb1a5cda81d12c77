//! Mistake, pattern, skill: what was seen again is said once, what proved true is said as an instruction (seed 004).
//!
//! The detector is a step of every dream. It proposes; with `auto_graduate` it acts. What it says comes from an analyst that writes,
//! or else from a template and the mistake that speaks best for the others.

mod act;
mod detect;

use std::fmt;

use crate::results::counted;
use elfmem_core::{BlockId, OperationKind};
use elfmem_models::{ProposalRequest, Purpose};
use elfmem_store::{Proposal, ProposalKind, Snapshot, Store};
use serde::Serialize;

use crate::Result;
use crate::events::EventError;
use crate::memory::{Memory, resolve};
use crate::proposals::{fresh, put};

pub(crate) use act::accept;
use act::{Step, carry_out};
pub(crate) use detect::Nearness;
use detect::{doubted, mistakes, mistakes_with, pattern, patterns};

/// What to graduate, and how.
#[derive(Debug, Clone, Default)]
pub struct Graduate {
    /// This block: a mistake becomes a pattern, a pattern a skill, however often it was seen or confirmed.
    pub block: Option<String>,
    /// What the pattern or the skill says.
    pub text: Option<String>,
    /// Do it instead of proposing it.
    pub apply: bool,
    /// Only say what is ready.
    pub dry_run: bool,
}

/// One step up or down.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graduated {
    /// `pattern`, `skill` or `demotion`.
    pub kind: &'static str,
    /// The block that says it; none while it is only proposed.
    pub block_id: Option<BlockId>,
    /// The context it is told in.
    pub context_id: String,
    /// What it says.
    pub text: String,
    /// What it rests on: mistakes, or the pattern and its mistakes; of a demotion, what contradicts the skill.
    pub rests_on: Vec<BlockId>,
    /// In how many sessions or by how many sources it was seen or confirmed.
    pub count: usize,
}

/// Result of `graduate`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct GraduateResult {
    /// Every step that is ready, was proposed or was done.
    pub steps: Vec<Graduated>,
    /// How many proposals are new.
    pub proposed: usize,
    /// Whether the steps were done.
    pub applied: bool,
    /// Whether this only says what is ready.
    pub dry_run: bool,
    /// What went wrong on the side.
    pub warnings: Vec<String>,
}

impl GraduateResult {
    /// How many steps were done.
    pub(crate) fn acted(&self) -> usize {
        if self.applied { self.steps.len() } else { 0 }
    }
}

impl fmt::Display for GraduateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("Nothing is ready to graduate.");
        }
        let what = counted(self.steps.len() as u64, "step");
        match (self.dry_run, self.applied) {
            (true, _) => write!(f, "Ready: {what}.")?,
            (_, true) => write!(f, "Graduated: {what}.")?,
            _ => write!(f, "Ready: {what}; {} newly proposed.", self.proposed)?,
        }
        for step in &self.steps {
            let id = step.block_id.as_ref().map(|id| format!(" {}", id.short())).unwrap_or_default();
            write!(f, "\n{}{id} in {}: {}", step.kind, step.context_id, step.text)?;
        }
        for warning in &self.warnings {
            write!(f, "\n{warning}")?;
        }
        Ok(())
    }
}

impl<S: Store> Memory<S> {
    /// Looks for mistakes that were seen again, patterns that proved true and skills that were contradicted, and proposes the next
    /// step of each, or does it.
    ///
    /// USE WHEN: you do not want to wait for a dream, or know that something is ready. DON'T USE WHEN: you want to say it in your own
    /// event; tell it with `derived_from` or `extends` links. COST: fast; with an analyst that writes, a call for each new step.
    /// RETURNS: [`GraduateResult`]. NEXT: [`proposals`](Self::proposals) lists what waits; [`chain`](Self::chain) shows what stands
    /// behind a skill.
    ///
    /// # Errors
    /// [`EventError::NotReady`] for a named block that is neither a mistake without a pattern nor a pattern without a skill.
    pub fn graduate(&self, asked: &Graduate) -> Result<GraduateResult> {
        let mut steps = self.read(|snapshot| match &asked.block {
            Some(block) => Ok(vec![self.named_step(snapshot, block)?]),
            None => self.ready(snapshot),
        })?;
        let mut warnings = Vec::new();
        let act = asked.apply || asked.block.is_some();
        if !asked.dry_run && !act {
            steps = self.read(|snapshot| not_asked_before(snapshot, steps))?;
        }
        for step in &mut steps {
            match asked.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
                Some(text) => step.text = text.to_owned(),
                None => warnings.extend(self.word(step)),
            }
        }
        let _ = self.account_usage();
        let mut result = GraduateResult { dry_run: asked.dry_run, warnings, ..GraduateResult::default() };
        result.steps = steps.iter().map(Step::told).collect();
        if asked.dry_run || steps.is_empty() {
            return Ok(result);
        }
        self.finish(None, act, &steps, result)
    }

    /// The same as a part of a dream.
    pub(crate) fn graduate_after_dream(&self, run: &str) -> Result<GraduateResult> {
        let act = self.options.events.auto_graduate;
        let mut steps = self.read(|snapshot| {
            let steps = self.ready(snapshot)?;
            if act { Ok(steps) } else { not_asked_before(snapshot, steps) }
        })?;
        if steps.is_empty() {
            return Ok(GraduateResult::default());
        }
        let mut result = GraduateResult::default();
        for step in &mut steps {
            result.warnings.extend(self.word(step));
        }
        let _ = self.account_usage();
        result.steps = steps.iter().map(Step::told).collect();
        self.finish(Some(run), act, &steps, result)
    }

    /// Does the steps or proposes them.
    fn finish(
        &self,
        run: Option<&str>,
        act: bool,
        steps: &[Step],
        mut result: GraduateResult,
    ) -> Result<GraduateResult> {
        if act {
            let nearness = self.nearness();
            let mut told: Vec<BlockId> = Vec::new();
            let done = self.change_in_run(OperationKind::Graduate, run, |transaction, moment| {
                told.clear();
                let mut done = GraduateResult { applied: true, ..GraduateResult::default() };
                for step in steps {
                    // What another process did meanwhile is not done again.
                    if let Some(acted) = carry_out(transaction, moment, step, nearness)? {
                        told.extend(acted.told.clone());
                        done.steps.push(Graduated { block_id: acted.told.or(Some(step.block.clone())), ..step.told() });
                    }
                }
                Ok(done)
            })?;
            (result.applied, result.steps) = (true, done.steps);
            result.warnings.extend(self.embed_active(&told));
            return Ok(result);
        }
        let at = self.options.clock.now();
        self.change_in_run(OperationKind::Propose, run, |transaction, _| {
            result.proposed = 0;
            for proposal in fresh(&*transaction, steps.iter().map(|step| step.proposal(at)).collect())? {
                put(transaction, &proposal)?;
                result.proposed += 1;
            }
            Ok(format!("Made {} proposals.", result.proposed))
        })?;
        Ok(result)
    }

    /// How near two mistakes must be to be the same, as the embedder has it.
    pub(crate) fn nearness(&self) -> Nearness {
        let profile = match self.options.profile {
            Some(profile) => Some(profile),
            None => self.options.models.embedder.load().ok().map(|embedder| embedder.profile()),
        };
        profile.map_or_else(Nearness::default, |profile| Nearness { edge: profile.edge, near: profile.near })
    }

    /// Every step that is ready.
    fn ready(&self, snapshot: &dyn Snapshot) -> Result<Vec<Step>> {
        let options = self.options.events;
        let mut steps: Vec<Step> =
            mistakes(snapshot, self.nearness(), options.pattern_after.max(1))?.into_iter().map(Step::pattern).collect();
        steps.extend(patterns(snapshot, options.skill_after.max(1))?.into_iter().map(Step::skill));
        steps.extend(doubted(snapshot)?.into_iter().map(Step::demotion));
        Ok(steps)
    }

    /// The next step of one block, whatever was counted.
    fn named_step(&self, snapshot: &dyn Snapshot, text: &str) -> Result<Step> {
        let id = resolve(snapshot, text)?;
        if let Some(found) = pattern(snapshot, &id)? {
            return Ok(Step::skill(found));
        }
        match mistakes_with(snapshot, self.nearness(), &id)? {
            Some(found) => Ok(Step::pattern(found)),
            None => {
                let problem = format!(
                    "block {} is neither an observation without a pattern nor a pattern without a skill",
                    id.short()
                );
                Err(EventError::NotReady { problem }.into())
            }
        }
    }

    /// Puts a step into words; what went wrong with the analyst.
    fn word(&self, step: &mut Step) -> Option<String> {
        let purpose = match step.kind {
            ProposalKind::Pattern => Purpose::Pattern,
            ProposalKind::Skill => Purpose::Skill,
            _ => return None,
        };
        let sources: Vec<&str> = step.sources.iter().map(String::as_str).collect();
        let written = self.options.models.analyst.propose(&ProposalRequest { purpose, sources: &sources });
        let (text, trouble) = match written {
            Ok(Some(proposal)) if proposal.source_index.is_none() => (Some(proposal.text), None),
            Ok(Some(proposal)) => (Some(step.template(&proposal.text)), None),
            Ok(None) => (None, None),
            Err(error) => (None, Some(format!("The analyst could not be asked for the words: {error}."))),
        };
        step.text = text.unwrap_or_else(|| step.template(sources.first().copied().unwrap_or_default()));
        trouble
    }
}

/// Steps that nobody was asked about: one that waits, was done or was turned down is not proposed again.
fn not_asked_before(snapshot: &dyn Snapshot, steps: Vec<Step>) -> Result<Vec<Step>> {
    let mut new = Vec::new();
    for step in steps {
        let subject = Proposal::subject(&step.proposal(elfmem_core::Timestamp::UNIX_EPOCH));
        if snapshot.find_proposal(&subject)?.is_none() {
            new.push(step);
        }
    }
    Ok(new)
}
