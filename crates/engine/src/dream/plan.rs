//! The plan of a dream: a plain value that can be printed, tested and committed.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use crate::results::{ConsolidateResult, Decision, Fate, FoundContradiction};
use elfmem_core::{Block, BlockId, EdgeKey, Tag};
use elfmem_models::Analysis;
use elfmem_store::{BlockQuery, Store};

use super::Dream;
use super::analyse::{analyse_all, judge_all};
use super::decide::{DreamContext, PairCandidate, decide};
use super::edges::EdgeRule;
use crate::Result;
use crate::memory::Memory;
use crate::models::refuse_other_model;
use crate::progress::Progress;
use crate::supersede::SuccessorKind;

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
        let embedder = self.options.models.embedder.load()?;
        let profile = self.options.profile.unwrap_or_else(|| embedder.profile());
        let (mut inbox, named, waiting) = self.read(|snapshot| {
            refuse_other_model(snapshot, &*embedder)?;
            let inbox = snapshot.list_blocks(&BlockQuery {
                status: Some(elfmem_core::BlockStatus::Inbox),
                limit: dream.max,
                ..BlockQuery::default()
            })?;
            let named = super::host::refuse_unknown(snapshot, &dream.by_block, &inbox)?;
            let waiting = match dream.max {
                Some(_) => (snapshot.get_inbox_count()? as usize).saturating_sub(inbox.len()),
                None => 0,
            };
            Ok((inbox, named, waiting))
        })?;
        let edges = EdgeRule::new(self.options.edge_scoring, profile);
        let vectors = self.embed_missing(dream, &*embedder, &mut inbox)?;
        let (candidates, selves) = self.read_indexed(|snapshot, index| {
            super::embed::find_candidates(snapshot, index, &inbox, &vectors, profile, edges)
        })?;
        dream.tell(Progress::Stage("compare", inbox.len()));
        let mut warnings = Vec::new();
        let analyst = &*self.options.models.analyst;
        let deadline = Instant::now() + dream.time_for_analysts();
        let judgements = judge_all(analyst, &inbox, &candidates, profile, dream, deadline, &mut warnings);
        let trusted: Vec<bool> = inbox.iter().map(|block| self.options.trust.trusts(block)).collect();
        let context = DreamContext {
            inbox: &inbox,
            trusted: &trusted,
            candidates: &candidates,
            judgements: &judgements,
            profile,
            edges,
            host: &dream.by_block,
            named: &named,
        };
        let decided = decide(&context);
        dream.tell(Progress::Done(inbox.len()));
        let analyses = analyse_all(analyst, &inbox, &decided.fates, &selves, dream, deadline);
        let failed = analyses.iter().filter(|analysis| analysis.is_err()).count();
        if failed > 0 {
            warnings.push(format!(
                "{failed} of {} blocks could not be analysed; they are active and flagged. Check the analyst with \
                 `elfmem models --check`, then run `elfmem dream --rescore`.",
                inbox.len()
            ));
        }
        let mut blocks: Vec<Planned> = inbox
            .into_iter()
            .zip(decided.fates)
            .zip(analyses)
            .zip(decided.edges)
            .map(|(((block, fate), analysis), edges)| Planned { block, fate, analysis, edges })
            .collect();
        self.read(|snapshot| edges.score(snapshot, &mut blocks))?;
        let (contradictions, kept_apart) = (decided.contradictions, decided.kept_apart);
        Ok(DreamPlan { blocks, contradictions, kept_apart, waiting, warnings })
    }
}

impl DreamPlan {
    /// What would happen, for a dry run.
    pub(crate) fn describe(&self) -> ConsolidateResult {
        let (waiting, warnings) = (self.waiting, self.warnings.clone());
        let mut result = ConsolidateResult { dry_run: true, waiting, warnings, ..Default::default() };
        for planned in &self.blocks {
            result.processed += 1;
            let decision = planned.decision();
            result.count(&decision);
            result.decisions.push(decision);
        }
        let contents: HashMap<&BlockId, &str> =
            self.blocks.iter().map(|planned| (&planned.block.id, planned.block.content.as_str())).collect();
        result.contradictions = self
            .contradictions
            .iter()
            .map(|found| found.describe(contents.get(&found.newer).copied().unwrap_or_default()))
            .collect();
        self.name_heads(&mut result);
        result.edges_created = self.edges_in_the_end(&result);
        result
    }

    /// Lets the contradictions in a result name the blocks they stand with in the end: one of a block that was replaced in
    /// the same dream went to its head, or ended with it.
    pub(super) fn name_heads(&self, result: &mut ConsolidateResult) {
        let replaced = self.replaced(result);
        let head = |id: &BlockId, content: &str| {
            let (mut id, mut content) = (id, content);
            while let Some(next) = replaced.get(id) {
                if !matches!(next.fate, PlannedFate::Supersede { heir: SuccessorKind::SameKnowledge, .. }) {
                    return None;
                }
                (id, content) = (&next.block.id, &next.block.content);
            }
            Some((id.clone(), content.to_owned()))
        };
        let mut told = HashSet::new();
        result.contradictions.retain_mut(|found| {
            let newer = head(&found.block_id, &found.content);
            let (Some(newer), Some(older)) = (newer, head(&found.other_id, &found.other_content)) else { return false };
            (found.block_id, found.content) = newer;
            (found.other_id, found.other_content) = older;
            EdgeKey::canonical(&found.block_id, &found.other_id).is_some_and(|pair| told.insert(pair))
        });
        result.contradictions_detected = result.contradictions.len();
    }

    /// How many edges there will be when those of replaced blocks have gone to their heads.
    fn edges_in_the_end(&self, result: &ConsolidateResult) -> usize {
        let replaced = self.replaced(result);
        let head = |mut id| {
            while let Some(next) = replaced.get(id) {
                id = &next.block.id;
            }
            id
        };
        let mut edges = HashSet::new();
        for planned in &self.blocks {
            let own = head(&planned.block.id);
            edges.extend(planned.edges.iter().filter_map(|(other, _)| EdgeKey::canonical(own, head(other))));
        }
        edges.len()
    }

    /// Who took whose place, by the block whose place it was.
    fn replaced(&self, result: &ConsolidateResult) -> HashMap<&BlockId, &Planned> {
        let done: HashSet<&BlockId> = result
            .decisions
            .iter()
            .filter(|decision| decision.fate == Fate::Superseded)
            .map(|decision| &decision.block_id)
            .collect();
        let mut replaced = HashMap::new();
        for planned in self.blocks.iter().filter(|planned| done.contains(&planned.block.id)) {
            if let PlannedFate::Supersede { old, .. } = &planned.fate {
                replaced.insert(&old.id, planned);
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
            other_id: self.older.id.clone(),
            other_content: self.older.content.clone(),
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
            PlannedFate::Supersede { old, cosine, reason, .. } => {
                (Fate::Superseded, Some(old), reason.clone(), Some(*cosine))
            }
        };
        Decision {
            block_id: self.block.id.clone(),
            content: self.block.content.clone(),
            fate,
            other_id: other.map(|seen| seen.id.clone()),
            other_content: other.map(|seen| seen.content.clone()),
            reason,
            cosine,
            analysis_failed: self.analysis.as_ref().err().cloned(),
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
