//! Graduation: repeated mistakes become a pattern, and a confirmed pattern becomes a skill (seed
//! 004).
//!
//! The detector runs in every dream. It proposes steps, or applies them with `auto_graduate`. The
//! text comes from an analyst that generates text, or else from a template and the source with the
//! highest confidence.

mod act;
mod detect;
mod request;

use std::fmt;

use crate::render::mark_untrusted;
use crate::results::{counted, one_line};
use elfmem_core::{BlockId, OperationKind};
use elfmem_models::{ProposalRequest, Purpose};
use elfmem_store::{Proposal, ProposalKind, Snapshot, Store};
use serde::Serialize;

use crate::Result;
use crate::events::EventError;
use crate::learn::MAX_CONTENT_BYTES;
use crate::memory::{Memory, resolve};
use crate::proposals::{admissible, put};
use crate::secrets::checked_remark;
use crate::trace;

pub(crate) use act::accept;
use act::{ReadyStep, apply_step};
pub(crate) use detect::SimilarityThresholds;
use detect::{contradicted_skills, group_with, mistake_groups, pattern, patterns};
pub use request::Graduate;

/// One graduation step: a promotion or a demotion.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GraduationStep {
    /// `pattern`, `skill` or `demotion`.
    pub kind: &'static str,
    /// The new block. `None` if the step is only proposed.
    pub block_id: Option<BlockId>,
    /// The context of the block.
    pub context_id: String,
    /// The text.
    pub text: String,
    /// Whether every block that the text is made of comes from a trusted source.
    pub trusted: bool,
    /// The mistakes, or the pattern and its mistakes. For a demotion, the blocks that contradict
    /// the skill.
    pub rests_on: Vec<BlockId>,
    /// Number of sessions or sources in which it was seen or confirmed.
    pub count: usize,
}

/// Result of `graduate`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct GraduateResult {
    /// The steps that are ready, proposed or applied.
    pub steps: Vec<GraduationStep>,
    /// Number of new proposals.
    pub proposed: usize,
    /// Whether the steps were applied.
    pub applied: bool,
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// Problems that did not stop the operation.
    pub warnings: Vec<String>,
}

impl GraduateResult {
    /// Returns the number of applied steps.
    pub(crate) fn applied_count(&self) -> usize {
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
            write!(
                f,
                "\n{}{id} in {}: {}",
                step.kind,
                step.context_id,
                mark_untrusted(&one_line(&step.text), step.trusted)
            )?;
        }
        for warning in &self.warnings {
            write!(f, "\n{warning}")?;
        }
        Ok(())
    }
}

/// How many steps a dream would apply or propose.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GraduationCounts {
    pub(crate) applied: usize,
    pub(crate) proposed: usize,
}

impl<S: Store> Memory<S> {
    /// Looks for mistakes that were seen again, patterns that proved true and skills that were contradicted, and proposes the next
    /// step of each, or does it. See [`Graduate`].
    ///
    /// # Errors
    /// [`EventError::NotReady`] for a named block that is neither a mistake without a pattern nor a pattern without a skill.
    pub fn graduate(&self, request: impl Into<Graduate>) -> Result<GraduateResult> {
        let _span = trace::verb("graduate");
        let graduate = request.into();
        let mut steps = self.read(|snapshot| match &graduate.block_id {
            Some(block) => Ok(vec![self.named_step(snapshot, block)?]),
            None => self.ready(snapshot),
        })?;
        let mut warnings = Vec::new();
        let act = graduate.apply || graduate.block_id.is_some();
        if !graduate.dry_run && !act {
            steps = self.read(|snapshot| not_yet_proposed(snapshot, steps))?;
        }
        let given = checked_remark("text", graduate.text.as_deref(), MAX_CONTENT_BYTES, self.options.secrets)?;
        for step in &mut steps {
            match &given {
                Some(text) => step.text.clone_from(text),
                None => warnings.extend(self.write_text(step)),
            }
        }
        let _ = self.account_usage();
        let mut result = GraduateResult { dry_run: graduate.dry_run, warnings, ..GraduateResult::default() };
        result.steps = steps.iter().map(ReadyStep::to_result).collect();
        if graduate.dry_run || steps.is_empty() {
            return Ok(result);
        }
        self.finish(None, act, &steps, result)
    }

    /// Counts what a dream would graduate, without a text for it.
    pub(crate) fn count_graduations(&self, snapshot: &dyn Snapshot) -> Result<GraduationCounts> {
        let steps = self.ready(snapshot)?;
        Ok(match self.options.events.auto_graduate {
            true => GraduationCounts { applied: steps.len(), proposed: 0 },
            false => GraduationCounts { applied: 0, proposed: not_yet_proposed(snapshot, steps)?.len() },
        })
    }

    /// Proposes or applies the ready steps as part of a dream.
    pub(crate) fn graduate_after_dream(&self, run: &str) -> Result<GraduateResult> {
        let act = self.options.events.auto_graduate;
        let mut steps = self.read(|snapshot| {
            let steps = self.ready(snapshot)?;
            if act { Ok(steps) } else { not_yet_proposed(snapshot, steps) }
        })?;
        if steps.is_empty() {
            return Ok(GraduateResult::default());
        }
        let mut result = GraduateResult::default();
        for step in &mut steps {
            result.warnings.extend(self.write_text(step));
        }
        let _ = self.account_usage();
        result.steps = steps.iter().map(ReadyStep::to_result).collect();
        self.finish(Some(run), act, &steps, result)
    }

    /// Applies the steps, or proposes them.
    fn finish(
        &self,
        run: Option<&str>,
        act: bool,
        steps: &[ReadyStep],
        mut result: GraduateResult,
    ) -> Result<GraduateResult> {
        if act {
            let thresholds = self.similarity_thresholds();
            let mut created: Vec<BlockId> = Vec::new();
            let done = self.change_in_run(OperationKind::Graduate, run, |transaction, moment| {
                created.clear();
                let mut done = GraduateResult { applied: true, ..GraduateResult::default() };
                for step in steps {
                    // A step that another process applied in the meantime is skipped.
                    if let Some(applied) = apply_step(transaction, moment, step, thresholds)? {
                        created.extend(applied.created.clone());
                        done.steps.push(GraduationStep {
                            block_id: applied.created.or(Some(step.block.clone())),
                            ..step.to_result()
                        });
                    }
                }
                Ok(done)
            })?;
            (result.applied, result.steps) = (true, done.steps);
            result.warnings.extend(self.embed_active(&created));
            return Ok(result);
        }
        let at = self.options.clock.now();
        self.change_in_run(OperationKind::Propose, run, |transaction, _| {
            result.proposed = 0;
            for proposal in admissible(&*transaction, steps.iter().map(|step| step.proposal(at)).collect())? {
                put(transaction, &proposal)?;
                result.proposed += 1;
            }
            Ok(format!("Made {}.", counted(result.proposed as u64, "proposal")))
        })?;
        Ok(result)
    }

    /// Returns the similarity thresholds of the configured profile or the embedder.
    pub(crate) fn similarity_thresholds(&self) -> SimilarityThresholds {
        // Called while the store is read, so the model comes from the index.
        let locked = self.published_model().map(|model| model.name);
        let embedder = crate::models::working_embedder(&self.options.models.embedder, locked.as_deref());
        let profile = embedder.ok().map(|embedder| self.profile_with(&*embedder));
        profile.map_or_else(SimilarityThresholds::default, |profile| SimilarityThresholds {
            same_context: profile.edge,
            any_context: profile.near,
        })
    }

    /// Returns all steps that are ready.
    fn ready(&self, snapshot: &dyn Snapshot) -> Result<Vec<ReadyStep>> {
        let (options, trust) = (self.options.events, &self.options.trust);
        let groups = mistake_groups(snapshot, self.similarity_thresholds(), options.pattern_after.max(1))?;
        let mut steps: Vec<ReadyStep> = groups.into_iter().map(|found| ReadyStep::pattern(found, trust)).collect();
        steps.extend(
            patterns(snapshot, options.skill_after.max(1))?.into_iter().map(|found| ReadyStep::skill(found, trust)),
        );
        steps.extend(contradicted_skills(snapshot)?.into_iter().map(|found| ReadyStep::demotion(found, trust)));
        Ok(steps)
    }

    /// Returns the next step of one block, ignoring the counts.
    fn named_step(&self, snapshot: &dyn Snapshot, text: &str) -> Result<ReadyStep> {
        let id = resolve(snapshot, text)?;
        if let Some(found) = pattern(snapshot, &id)? {
            return Ok(ReadyStep::skill(found, &self.options.trust));
        }
        match group_with(snapshot, self.similarity_thresholds(), &id)? {
            Some(found) => Ok(ReadyStep::pattern(found, &self.options.trust)),
            None => {
                let problem = format!(
                    "block {} is neither an observation without a pattern nor a pattern without a skill",
                    id.short()
                );
                Err(EventError::NotReady { problem }.into())
            }
        }
    }

    /// Sets the text of a step. Returns a warning if the analyst failed.
    fn write_text(&self, step: &mut ReadyStep) -> Option<String> {
        let purpose = match step.kind {
            ProposalKind::Pattern => Purpose::Pattern,
            ProposalKind::Skill => Purpose::Skill,
            _ => return None,
        };
        let sources: Vec<&str> = step.sources.iter().map(String::as_str).collect();
        let written = self.options.models.analyst.propose(&ProposalRequest { purpose, sources: &sources });
        let (text, warning) = match written {
            Ok(Some(proposal)) if proposal.source_index.is_none() => (Some(proposal.text), None),
            Ok(Some(proposal)) => (Some(step.template(&proposal.text)), None),
            Ok(None) => (None, None),
            Err(error) => (None, Some(format!("The analyst failed, so a template was used: {error}."))),
        };
        step.text = text.unwrap_or_else(|| step.template(sources.first().copied().unwrap_or_default()));
        warning
    }
}

/// Removes the steps that already have a proposal: pending, accepted or rejected.
fn not_yet_proposed(snapshot: &dyn Snapshot, steps: Vec<ReadyStep>) -> Result<Vec<ReadyStep>> {
    let mut new = Vec::new();
    for step in steps {
        let subject = Proposal::subject(&step.proposal(elfmem_core::Timestamp::UNIX_EPOCH));
        if snapshot.find_proposal(&subject)?.is_none() {
            new.push(step);
        }
    }
    Ok(new)
}
