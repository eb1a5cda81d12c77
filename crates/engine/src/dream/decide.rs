//! What is to become of each inbox block: a pure function of what was read and what the judges said.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId};
use elfmem_models::{ContradictionScore, SimilarityProfile};
use elfmem_text::statements::{self, ContradictionKind, Verdict};

use super::edges::EdgeRule;
use super::host::{HostAnalysis, HostContradiction};
use super::plan::{Candidates, KeptApart, Outdated, PlannedContradiction, PlannedFate, Seen};
use super::rules::RuleVerdicts;
use crate::supersede::SuccessorKind;

/// Neighbours that are compared word by word; what repeats or contradicts a text is among its nearest.
pub(super) const JUDGED: usize = 8;

/// Whether a block and one near it may be merged or contradict each other: messages repeat themselves and stay.
pub(super) fn may_be_judged(block: &Block, candidate: &PairCandidate) -> bool {
    candidate.mergeable && block.category.as_str() != "message"
}

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
    /// What the rules say about each block and its nearest.
    pub(crate) verdicts: RuleVerdicts,
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
    /// Further blocks that each one puts out of date.
    pub(crate) outdated: Vec<Vec<Outdated>>,
    pub(crate) contradictions: Vec<PlannedContradiction>,
    pub(crate) kept_apart: Vec<KeptApart>,
}

/// Decides block by block, in the order they were stored. A block that was rejected or replaced stands for nothing any more:
/// later blocks are compared with its head. What was planned for it before that is still done, so that its head inherits it.
pub(crate) fn decide(mut context: DreamContext<'_>) -> Decided {
    let mut decided = Decided::default();
    let mut gone: HashSet<BlockId> = HashSet::new();
    let mut verdicts = std::mem::take(&mut context.verdicts).into_iter();
    let context = &context;
    for (at, block) in context.inbox.iter().enumerate() {
        let mut judged = verdicts.next().unwrap_or_default();
        let host = context.host.get(&block.id);
        let mut fate = PlannedFate::Promote;
        // Whether the fate may still change: a block that replaces an untrusted one can repeat a trusted one as well.
        let mut is_open = true;
        let mut edges = Vec::new();
        let mut outdated: Vec<Outdated> = Vec::new();
        for (rank, candidate) in context.candidates[at].iter().enumerate() {
            if gone.contains(&candidate.seen.id) || host.is_some_and(|host| host.names(&candidate.seen.id)) {
                continue;
            }
            let verdict = match judged.get_mut(rank).and_then(Option::take) {
                Some(rules) => {
                    overruled(rules, context.judgements.get(&(at, candidate.seen.id.clone())), context.profile)
                }
                None => Verdict::Related { reason: String::new(), certain: false },
            };
            let trust = TrustPair { newer: context.trusted[at], older: candidate.trusted };
            let verdict = trust.limit(verdict);
            let (seen, cosine) = (candidate.seen.clone(), candidate.cosine);
            if !trust.is_below() {
                decided.kept_apart.extend(kept_apart(&verdict, &block.id, &seen.id, cosine, context.profile));
            }
            match verdict {
                Verdict::Duplicate { reason } | Verdict::Paraphrase { reason }
                    if trust.is_above() && matches!(fate, PlannedFate::Promote) =>
                {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::OtherClaim };
                }
                Verdict::Supersedes { reason } if trust.is_above() && matches!(fate, PlannedFate::Promote) => {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::LaterState };
                }
                Verdict::Duplicate { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Reject { original: seen, cosine, reason };
                    break;
                }
                Verdict::Paraphrase { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::SameKnowledge };
                    is_open = false;
                }
                Verdict::Supersedes { reason } if is_open && !trust.is_above() => {
                    fate = PlannedFate::Supersede { old: seen, cosine, reason, heir: SuccessorKind::LaterState };
                    is_open = false;
                }
                Verdict::Supersedes { reason } if !is_open && trust.is_equal() => {
                    outdated.push(Outdated { old: seen, cosine, reason });
                }
                Verdict::Contradicts { score, reason, .. } => {
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
                outdated.clear();
                gone.insert(block.id.clone());
            }
            PlannedFate::Supersede { old, .. } => {
                let replaced = old.id.clone();
                edges.retain(|(id, _)| *id != replaced);
                gone.insert(replaced);
                gone.extend(outdated.iter().map(|outdated| outdated.old.id.clone()));
            }
            PlannedFate::Promote => {}
        }
        decided.fates.push(fate);
        decided.edges.push(edges);
        decided.outdated.push(outdated);
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
            Verdict::Paraphrase { .. } if self.is_below() => Verdict::Related { reason: String::new(), certain: true },
            Verdict::Supersedes { reason } if self.is_below() => {
                Verdict::Contradicts { kind: ContradictionKind::Negation, score: 1.0, reason }
            }
            other => other,
        }
    }
}

/// Returns the pair as one that somebody else may merge: the rules propose it, or it is near and they know nothing against
/// it.
fn kept_apart(
    verdict: &Verdict,
    newer: &BlockId,
    older: &BlockId,
    cosine: f64,
    profile: SimilarityProfile,
) -> Option<KeptApart> {
    let (reason, merged) = match verdict {
        Verdict::Proposal { reason, merged } => (reason, Some(merged.clone())),
        Verdict::Related { reason, certain: false } if cosine >= profile.near && !reason.is_empty() => (reason, None),
        _ => return None,
    };
    Some(KeptApart { newer: newer.clone(), older: older.clone(), cosine, reason: reason.clone(), merged })
}

/// Lets a judge decide where the rules found nothing. It may find a contradiction; it archives nothing.
fn overruled(rules: Verdict, judged: Option<&ContradictionScore>, profile: SimilarityProfile) -> Verdict {
    match (judged, &rules) {
        (Some(judged), Verdict::Related { certain: false, .. }) if judged.score >= profile.contradiction => {
            statements::contradiction(judged.score, judged.reason.clone(), &rules)
        }
        _ => rules,
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
