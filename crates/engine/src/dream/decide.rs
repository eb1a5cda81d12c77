//! What is to become of each inbox block: a pure function of what was read and what the judges said.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId};
use elfmem_models::{ContradictionScore, SimilarityProfile};
use elfmem_text::pairs::{AnalysedText, PairThresholds, Verdict, judge_analysed};

use super::edges::EdgeRule;
use super::host::{HostAnalysis, HostContradiction};
use super::plan::{Candidates, KeptApart, PlannedContradiction, PlannedFate, Seen};
use crate::supersede::SuccessorKind;

/// Neighbours that are compared word by word; what repeats or contradicts a text is among its nearest.
pub(super) const JUDGED: usize = 5;

/// Whether a block and one near it may be merged or contradict each other: messages repeat themselves and stay.
pub(super) fn may_be_judged(block: &Block, candidate: &PairCandidate) -> bool {
    candidate.mergeable && block.category.as_str() != "message"
}

/// Blocks for which another thread is worth starting.
const FEWEST_PER_THREAD: usize = 64;

/// A near block.
#[derive(Debug, Clone)]
pub(crate) struct PairCandidate {
    pub(crate) seen: Seen,
    pub(crate) cosine: f64,
    /// Whether it may be merged with anything: messages repeat themselves and stay.
    pub(crate) mergeable: bool,
    /// Whether its source is trusted.
    pub(crate) trusted: bool,
}

/// What a judge said about a pair, by the position of the newer block and the id of the older.
pub(crate) type Judgements = HashMap<(usize, BlockId), ContradictionScore>;

/// Everything a decision rests on.
pub(crate) struct DreamContext<'a> {
    pub(crate) inbox: &'a [Block],
    /// Whether the source of each inbox block is trusted.
    pub(crate) trusted: &'a [bool],
    pub(crate) candidates: &'a Candidates,
    pub(crate) judgements: &'a Judgements,
    pub(crate) profile: SimilarityProfile,
    pub(crate) edges: EdgeRule,
    pub(crate) host: &'a HashMap<BlockId, HostAnalysis>,
    /// The texts of blocks that the host named.
    pub(crate) named: &'a HashMap<BlockId, String>,
}

/// The fates in the order of the inbox, and what was found on the way.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    pub(crate) fates: Vec<PlannedFate>,
    pub(crate) edges: Vec<Vec<(BlockId, f64)>>,
    pub(crate) contradictions: Vec<PlannedContradiction>,
    pub(crate) kept_apart: Vec<KeptApart>,
}

/// Decides block by block, in the order they were stored. A block that was rejected or replaced stands for nothing any more:
/// later blocks are compared with its head. What was planned for it before that is still done, so that its head inherits it.
pub(crate) fn decide(context: &DreamContext<'_>) -> Decided {
    let mut decided = Decided::default();
    let mut gone: HashSet<BlockId> = HashSet::new();
    let mut verdicts = judge_by_rules(context).into_iter();
    for (at, block) in context.inbox.iter().enumerate() {
        let mut judged = verdicts.next().unwrap_or_default();
        let host = context.host.get(&block.id);
        let mut fate = PlannedFate::Promote;
        // Whether the fate may still change: a block that replaces an untrusted one can repeat a trusted one as well.
        let mut is_open = true;
        let mut edges = Vec::new();
        for (rank, candidate) in context.candidates[at].iter().enumerate() {
            if gone.contains(&candidate.seen.id) || host.is_some_and(|host| host.names(&candidate.seen.id)) {
                continue;
            }
            let verdict = match judged.get_mut(rank).and_then(Option::take) {
                Some(rules) => {
                    overruled(rules, context.judgements.get(&(at, candidate.seen.id.clone())), context.profile)
                }
                None => Verdict::Distinct { reason: String::new() },
            };
            let trust = TrustPair { newer: context.trusted[at], older: candidate.trusted };
            let verdict = trust.limit(verdict);
            let (seen, cosine) = (candidate.seen.clone(), candidate.cosine);
            if let Verdict::Distinct { reason } = &verdict
                && cosine >= context.profile.near
                && !reason.is_empty()
                && !trust.is_below()
            {
                let (newer, older, reason) = (block.id.clone(), seen.id.clone(), reason.clone());
                decided.kept_apart.push(KeptApart { newer, older, cosine, reason });
            }
            match verdict {
                Verdict::Duplicate { reason } | Verdict::NearDuplicate { reason } | Verdict::Update { reason }
                    if trust.is_above() && matches!(fate, PlannedFate::Promote) =>
                {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::OtherClaim };
                }
                Verdict::Duplicate { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Reject { original: seen, cosine, reason };
                    break;
                }
                Verdict::NearDuplicate { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::SameKnowledge };
                    is_open = false;
                }
                Verdict::Update { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::LaterState };
                    is_open = false;
                }
                Verdict::Contradiction { score, reason, .. } => {
                    decided.contradictions.push(PlannedContradiction {
                        newer: block.id.clone(),
                        older: seen,
                        score,
                        reason,
                    });
                }
                // Machine-made edges do not join what is trusted with what is not.
                _ if trust.is_equal() && context.edges.allows(cosine, edges.len()) => edges.push((seen.id, cosine)),
                _ => {}
            }
        }
        decided.contradictions.extend(host_contradictions(context, block));
        match &fate {
            PlannedFate::Reject { .. } => {
                decided.contradictions.retain(|found| found.newer != block.id);
                edges.clear();
                gone.insert(block.id.clone());
            }
            PlannedFate::Supersede { old, .. } => {
                let replaced = old.id.clone();
                edges.retain(|(id, _)| *id != replaced);
                gone.insert(replaced);
            }
            PlannedFate::Promote => {}
        }
        decided.fates.push(fate);
        decided.edges.push(edges);
    }
    decided
}

/// Whether the sources of two blocks are trusted.
#[derive(Debug, Clone, Copy)]
struct TrustPair {
    newer: bool,
    older: bool,
}

impl TrustPair {
    fn is_equal(self) -> bool {
        self.newer == self.older
    }

    fn is_above(self) -> bool {
        self.newer && !self.older
    }

    fn is_below(self) -> bool {
        !self.newer && self.older
    }

    /// Limits what an untrusted block may do to a trusted one: it repeats it or contradicts it, and replaces nothing.
    fn limit(self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::NearDuplicate { .. } if self.is_below() => Verdict::Distinct { reason: String::new() },
            Verdict::Update { reason } if self.is_below() => {
                let kind = elfmem_text::pairs::ContradictionKind::Negation;
                Verdict::Contradiction { kind, score: 1.0, reason }
            }
            other => other,
        }
    }
}

/// What the rules say about each block and its nearest; none where the two may not be merged or are not near enough. The
/// pairs do not depend on each other, so the cores share them.
fn judge_by_rules(context: &DreamContext<'_>) -> Vec<Vec<Option<Verdict>>> {
    let numbers: Vec<usize> = (0..context.inbox.len()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = numbers.len().div_ceil(threads).max(FEWEST_PER_THREAD);
    std::thread::scope(|scope| {
        let parts: Vec<_> = numbers.chunks(share).map(|part| scope.spawn(move || judge_some(context, part))).collect();
        let finished = |part: std::thread::ScopedJoinHandle<'_, Vec<Vec<Option<Verdict>>>>| {
            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().flat_map(finished).collect()
    })
}

/// Judges the inbox blocks at `numbers` by the rules. One thread's share of the work.
fn judge_some(context: &DreamContext<'_>, numbers: &[usize]) -> Vec<Vec<Option<Verdict>>> {
    let thresholds = PairThresholds {
        exact: context.profile.exact,
        near: context.profile.near,
        contradiction_prefilter: context.profile.contradiction_prefilter,
        contradiction: context.profile.contradiction,
    };
    // Texts are taken apart once, however often they are compared.
    let mut taken_apart: HashMap<&BlockId, AnalysedText> = HashMap::new();
    let mut all = Vec::with_capacity(numbers.len());
    for at in numbers {
        let block = &context.inbox[*at];
        let analysed = AnalysedText::new(&block.content);
        let mut verdicts = Vec::with_capacity(JUDGED);
        for candidate in context.candidates[*at].iter().take(JUDGED) {
            verdicts.push(may_be_judged(block, candidate).then(|| {
                let older =
                    taken_apart.entry(&candidate.seen.id).or_insert_with(|| AnalysedText::new(&candidate.seen.content));
                judge_analysed(older, &analysed, candidate.cosine, thresholds)
            }));
        }
        all.push(verdicts);
        taken_apart.insert(&block.id, analysed);
    }
    all
}

/// A judge that has an opinion decides about contradiction; whether two texts say the same stays with the words.
fn overruled(rules: Verdict, judged: Option<&ContradictionScore>, profile: SimilarityProfile) -> Verdict {
    match (judged, rules) {
        (None, rules) => rules,
        (Some(judged), rules) if judged.score >= profile.contradiction => {
            let kind = match rules {
                Verdict::Contradiction { kind, .. } => kind,
                _ => elfmem_text::pairs::ContradictionKind::Negation,
            };
            Verdict::Contradiction { kind, score: judged.score, reason: judged.reason.clone() }
        }
        (Some(judged), Verdict::Contradiction { .. }) => Verdict::Distinct { reason: judged.reason.clone() },
        (Some(_), rules) => rules,
    }
}

/// Contradictions that the host agent named itself: nobody is asked about those pairs any more.
fn host_contradictions(context: &DreamContext<'_>, block: &Block) -> Vec<PlannedContradiction> {
    let host = context.host.get(&block.id).map(|host| host.contradictions.as_slice()).unwrap_or_default();
    let planned = |named: &HostContradiction| {
        let content = context.named.get(&named.other_id).cloned().unwrap_or_default();
        let older = Seen { id: named.other_id.clone(), content };
        PlannedContradiction { newer: block.id.clone(), older, score: named.score, reason: named.reason.clone() }
    };
    host.iter().map(planned).collect()
}
