//! The plan of a dream: a plain value that can be printed, tested and committed.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use crate::connect::degree_cap;
use crate::results::{ConsolidateResult, Decision, Fate, FoundContradiction};
use elfmem_core::{Block, BlockId, BlockStatus, EdgeKey, Tag};
use elfmem_models::{Analysis, Analyst, ModelError, RulesAnalyst};
use elfmem_store::{BlockQuery, Snapshot, Store};

use super::Dream;
use super::analyse::{OUT_OF_TIME, analyse_all, judge_all, pairs_to_judge};
use super::by_words::{self, WORD_PROFILE, find_candidates_by_words};
use super::decide::{DreamContext, PairCandidate, decide};
use super::edges::EdgeRule;
use super::embed::find_candidates;
use super::opinions::ask_pair_judge;
use super::rules::{judge_by_rules, withdraw_unsafe};
use crate::memory::Memory;
use crate::models::refuse_other_model;
use crate::progress::Progress;
use crate::supersede::SuccessorKind;
use crate::{Error, Result};

/// What is to become of one inbox block.
#[derive(Debug, Clone)]
pub(crate) enum PlannedFate {
    /// It becomes active.
    Promote,
    /// It repeats `original`.
    Reject { original: Seen, cosine: f64, reason: String },
    /// It takes the place of `old`.
    Supersede { old: Seen, cosine: f64, reason: String, heir: SuccessorKind },
}

/// A block as the plan saw it: what its commit rests on. The text is empty where it was not looked at.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) id: BlockId,
    pub(crate) content: String,
}

/// One inbox block in the plan.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) block: Block,
    pub(crate) fate: PlannedFate,
    /// What the analyst found; an error when it could not look.
    pub(crate) analysis: std::result::Result<Analysis, String>,
    /// Blocks to connect it with and the weight of each edge, strongest first.
    pub(crate) edges: Vec<(BlockId, f64)>,
    /// Further blocks that are out of date with it: one thing is often told in several wordings.
    pub(crate) outdated: Vec<Outdated>,
}

/// A further block that another one puts out of date.
#[derive(Debug, Clone)]
pub(crate) struct Outdated {
    pub(crate) old: Seen,
    pub(crate) cosine: f64,
    pub(crate) reason: String,
}

/// A contradiction to record.
#[derive(Debug, Clone)]
pub(crate) struct PlannedContradiction {
    pub(crate) newer: BlockId,
    pub(crate) older: Seen,
    pub(crate) score: f64,
    pub(crate) reason: String,
}

/// Two blocks that are very near each other and that the rules would not merge: someone else may.
#[derive(Debug, Clone)]
pub(crate) struct KeptApart {
    pub(crate) newer: BlockId,
    pub(crate) older: BlockId,
    pub(crate) cosine: f64,
    pub(crate) reason: String,
    /// A text that says everything in the two that is still true.
    pub(crate) merged: Option<String>,
}

/// Everything a dream wants to do.
#[derive(Debug, Default)]
pub(crate) struct DreamPlan {
    pub(crate) blocks: Vec<Planned>,
    pub(crate) contradictions: Vec<PlannedContradiction>,
    /// Inbox blocks beyond those that were asked for.
    pub(crate) waiting: usize,
    pub(crate) kept_apart: Vec<KeptApart>,
    pub(crate) warnings: Vec<String>,
}

impl<S: Store> Memory<S> {
    pub(crate) fn plan_dream(&self, dream: &Dream) -> Result<DreamPlan> {
        let mut warnings = Vec::new();
        let embedder = match self.working_embedder() {
            Ok(embedder) => Some(embedder),
            Err(Error::Model(error @ ModelError::NotInBuild { .. })) => {
                warnings.push(by_words::warning(&error.to_string(), &error.recovery()));
                None
            }
            Err(error) => return Err(error),
        };
        let profile = match &embedder {
            Some(embedder) => self.profile_with(&**embedder),
            None => WORD_PROFILE,
        };
        let (mut inbox, named, waiting, cap) = self.read(|snapshot| {
            if let Some(embedder) = &embedder {
                refuse_other_model(snapshot, &**embedder)?;
            }
            let inbox = inbox_blocks(snapshot, dream)?;
            let named = super::host::refuse_unknown(snapshot, &dream.by_block, &inbox)?;
            let waiting = match dream.max {
                Some(_) => (snapshot.get_inbox_count()? as usize).saturating_sub(inbox.len()),
                None => 0,
            };
            Ok((inbox, named, waiting, degree_cap(snapshot)?))
        })?;
        let edges = EdgeRule::new(self.options.edge_scoring, profile, cap);
        let vectors = match &embedder {
            Some(embedder) => Some(self.embed_missing(dream, &**embedder, &mut inbox)?),
            None => None,
        };
        let (candidates, selves) = self.read_indexed(|snapshot, index| match &vectors {
            Some(vectors) => find_candidates(snapshot, index, &inbox, vectors, profile, edges),
            None => find_candidates_by_words(snapshot, index, &inbox, edges),
        })?;
        dream.tell(Progress::Stage("compare", inbox.len()));
        let analyst: &dyn Analyst = match dream.only {
            Some(_) => &RulesAnalyst,
            None => &*self.options.models.analyst,
        };
        let deadline = Instant::now() + dream.time_for_analysts();
        let mut verdicts = judge_by_rules(&inbox, &candidates, profile);
        dream.tell(Progress::Done(inbox.len()));
        if let Some(judge) = self.options.models.pair_judge()? {
            warnings.extend(ask_pair_judge(&*judge, &inbox, &candidates, &mut verdicts, profile, dream, deadline));
        }
        self.read(|snapshot| withdraw_unsafe(snapshot, &self.options.trust, &inbox, &candidates, &mut verdicts))?;
        let pairs = pairs_to_judge(&inbox, &candidates, &verdicts, profile, dream);
        let judgements = judge_all(analyst, &inbox, &candidates, &pairs, deadline, &mut warnings);
        let trusted: Vec<bool> = inbox.iter().map(|block| self.options.trust.trusts(block)).collect();
        let context = DreamContext {
            inbox: &inbox,
            trusted: &trusted,
            candidates: &candidates,
            verdicts,
            judgements: &judgements,
            profile,
            edges,
            host: &dream.by_block,
            named: &named,
        };
        let decided = decide(context);
        let mut analyses = analyse_all(analyst, &inbox, &decided.fates, &selves, dream, deadline);
        if dream.only.is_some() && self.options.models.analyst.name() != RulesAnalyst::NAME {
            // They are flagged, so that rescoring takes them first.
            analyses.fill(Err("the analyst was not asked on the way".to_owned()));
        }
        warnings.extend(analysis_warning(&analyses));
        let mut blocks: Vec<Planned> = inbox
            .into_iter()
            .zip(decided.fates)
            .zip(analyses)
            .zip(decided.edges)
            .zip(decided.outdated)
            .map(|((((block, fate), analysis), edges), outdated)| Planned { block, fate, analysis, edges, outdated })
            .collect();
        let now = self.active_hours()?;
        self.read(|snapshot| edges.score(snapshot, &mut blocks, now))?;
        let (contradictions, kept_apart) = (decided.contradictions, decided.kept_apart);
        Ok(DreamPlan { blocks, contradictions, kept_apart, waiting, warnings })
    }
}

/// What is to be said of blocks that were not analysed, and why.
fn analysis_warning(analyses: &[std::result::Result<Analysis, String>]) -> Option<String> {
    let reasons: Vec<&String> = analyses.iter().filter_map(|analysis| analysis.as_ref().err()).collect();
    let (failed, all) = (reasons.len(), analyses.len());
    if reasons.is_empty() {
        return None;
    }
    Some(match reasons.iter().all(|reason| *reason == OUT_OF_TIME) {
        true => format!(
            "{failed} of {all} blocks were not analysed: the time was up. They are active and flagged; run \
             dream(rescore=COUNT) when there is time."
        ),
        false => format!(
            "{failed} of {all} blocks could not be analysed; they are active and flagged. Check that the analyst \
             answers, then run dream(rescore=COUNT)."
        ),
    })
}

/// The inbox blocks that a dream is about, the oldest first.
fn inbox_blocks(snapshot: &dyn Snapshot, dream: &Dream) -> Result<Vec<Block>> {
    let Some(only) = &dream.only else {
        let status = Some(BlockStatus::Inbox);
        return Ok(snapshot.list_blocks(&BlockQuery { status, limit: dream.max, ..BlockQuery::default() })?);
    };
    let mut blocks = snapshot.get_blocks(only)?;
    blocks.retain(|block| block.status == BlockStatus::Inbox);
    blocks.sort_by(|a, b| a.created_at.cmp(&b.created_at).then_with(|| a.id.cmp(&b.id)));
    Ok(blocks)
}

impl DreamPlan {
    /// Lets the contradictions in a result name the blocks they stand with in the end: one of a block that was replaced in
    /// the same dream went to its head, or ended with it.
    pub(super) fn name_heads(&self, result: &mut ConsolidateResult) {
        let replaced = self.replaced(result);
        let head = |id: &BlockId, content: &str| {
            let (mut id, mut content) = (id, content);
            while let Some(next) = replaced.get(id) {
                match &next.fate {
                    PlannedFate::Supersede { old, heir: SuccessorKind::SameKnowledge, .. } if old.id == *id => {}
                    _ => return None,
                }
                (id, content) = (&next.block.id, &next.block.content);
            }
            Some((id.clone(), content.to_owned()))
        };
        let mut listed = HashSet::new();
        result.contradictions.retain_mut(|found| {
            let newer = head(&found.block_id, &found.content);
            let (Some(newer), Some(older)) = (newer, head(&found.other_id, &found.other_content)) else { return false };
            (found.block_id, found.content) = newer;
            (found.other_id, found.other_content) = older;
            EdgeKey::canonical(&found.block_id, &found.other_id).is_some_and(|pair| listed.insert(pair))
        });
        result.contradictions_detected = result.contradictions.len();
    }

    /// Who took whose place, by the block whose place it was.
    fn replaced(&self, result: &ConsolidateResult) -> HashMap<&BlockId, &Planned> {
        let planned: HashMap<&BlockId, &Planned> =
            self.blocks.iter().map(|planned| (&planned.block.id, planned)).collect();
        let mut replaced = HashMap::new();
        for decision in result.decisions.iter().filter(|one| matches!(one.fate, Fate::Superseded | Fate::Updated)) {
            let Some(planned) = planned.get(&decision.block_id) else { continue };
            if let PlannedFate::Supersede { old, .. } = &planned.fate {
                let seen = std::iter::once(old).chain(planned.outdated.iter().map(|outdated| &outdated.old));
                let done = seen.filter(|seen| decision.other_id.as_ref() == Some(&seen.id));
                replaced.extend(done.map(|seen| (&seen.id, *planned)));
            }
        }
        replaced
    }
}

impl PlannedContradiction {
    pub(crate) fn describe(&self, content: &str) -> FoundContradiction {
        FoundContradiction {
            block_id: self.newer.clone(),
            content: content.to_owned(),
            trusted: false,
            other_id: self.older.id.clone(),
            other_content: self.older.content.clone(),
            other_trusted: false,
            score: self.score,
            reason: self.reason.clone(),
        }
    }
}

impl Planned {
    /// What the plan says about the block, as it will be reported.
    pub(crate) fn decision(&self) -> Decision {
        let (fate, other, reason, cosine) = match &self.fate {
            PlannedFate::Promote => (Fate::Promoted, None, "new".to_owned(), None),
            PlannedFate::Reject { original, cosine, reason } => {
                (Fate::Rejected, Some(original), reason.clone(), Some(*cosine))
            }
            PlannedFate::Supersede { old, cosine, reason, heir } => {
                let fate = if *heir == SuccessorKind::LaterState { Fate::Updated } else { Fate::Superseded };
                (fate, Some(old), reason.clone(), Some(*cosine))
            }
        };
        Decision {
            block_id: self.block.id.clone(),
            content: self.block.content.clone(),
            trusted: false,
            fate,
            other_id: other.map(|seen| seen.id.clone()),
            other_content: other.map(|seen| seen.content.clone()),
            other_trusted: false,
            reason,
            cosine,
            analysis_failed: self.analysis.as_ref().err().cloned(),
        }
    }

    /// What the plan says about a further block that is out of date, as it will be reported.
    pub(crate) fn decision_about(&self, outdated: &Outdated) -> Decision {
        let Outdated { old, cosine, reason } = outdated;
        Decision {
            fate: Fate::Updated,
            other_id: Some(old.id.clone()),
            other_content: Some(old.content.clone()),
            reason: reason.clone(),
            cosine: Some(*cosine),
            analysis_failed: None,
            ..self.decision()
        }
    }

    /// The tags the block gets: its own and what the analyst may attach.
    pub(crate) fn tags(&self) -> Vec<Tag> {
        let found = self.analysis.as_ref().map(|analysis| analysis.tags.clone()).unwrap_or_default();
        let mut tags: Vec<Tag> = self.block.tags.iter().cloned().chain(found).collect();
        tags.sort();
        tags.dedup();
        tags
    }
}

/// Near blocks of an inbox block, for the deciding and the judging.
pub(crate) type Candidates = Vec<Vec<PairCandidate>>;
