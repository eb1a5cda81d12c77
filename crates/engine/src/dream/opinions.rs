//! Asking the model of pairs about what the rules said.

use std::time::Instant;

use elfmem_core::Block;
use elfmem_models::{PairJudge, SimilarityProfile};
use elfmem_text::statements::{Statement, Verdict, is_open_to_opinion, with_opinion};

use super::Dream;
use super::decide::may_be_judged;
use super::plan::Candidates;
use super::rules::{RuleVerdicts, thresholds};
use crate::progress::Progress;

/// Nearest blocks about which the model is asked. In ten memories by several authors the nearest earlier block of 154 of 165
/// updates was the one that they replace; of the farther ones what the model marks is nearly always wrong.
const ASKED_ABOUT: usize = 2;

/// How far below the prefilter of contradictions the cosine of a pair may be: an event that ends a state has few words of it.
/// Of the pairs that the model marks, five of six are right from there on, and four of ten below.
const BELOW_PREFILTER: f64 = 0.10;

/// Pairs between two looks at the clock: a fraction of a second.
const PAIRS_AT_ONCE: usize = 64;

/// A pair whose verdict the model may change: the position of the inbox block and the rank of the candidate.
type OpenPair = (usize, usize);

/// Lets the model change verdicts of the rules. What it cannot read, or not in time, stays as it is.
pub(super) fn ask_pair_judge(
    judge: &dyn PairJudge,
    inbox: &[Block],
    candidates: &Candidates,
    verdicts: &mut RuleVerdicts,
    profile: SimilarityProfile,
    dream: &Dream,
    deadline: Instant,
) -> Vec<String> {
    let open = open_pairs(inbox, candidates, verdicts, profile, dream);
    dream.tell(Progress::Stage("judge", open.len()));
    let mut warnings = Vec::new();
    for (batch, pairs) in open.chunks(PAIRS_AT_ONCE).enumerate() {
        let left = open.len() - batch * PAIRS_AT_ONCE;
        if Instant::now() >= deadline {
            warnings.push(format!("{left} of {} close pairs were judged by the rules: the time was up.", open.len()));
            break;
        }
        let texts: Vec<[&str; 2]> = pairs
            .iter()
            .map(|(at, rank)| [candidates[*at][*rank].seen.content.as_str(), inbox[*at].content.as_str()])
            .collect();
        let found = match judge.judge(&texts) {
            Ok(found) if found.len() == pairs.len() => found,
            Ok(found) => {
                let counts = format!("it answered {} of {} pairs", found.len(), pairs.len());
                warnings.push(failed(left, open.len(), judge.name(), &counts));
                break;
            }
            Err(error) => {
                warnings.push(failed(left, open.len(), judge.name(), &error.to_string()));
                break;
            }
        };
        for (((at, rank), [older, newer]), opinion) in pairs.iter().zip(texts).zip(found) {
            let Some(opinion) = opinion else { continue };
            // A farther block is out of date only together with the nearest: one thing is often told in several wordings.
            if *rank > 0 && !verdicts[*at].iter().take(*rank).flatten().all(is_about_one_thing) {
                continue;
            }
            let Some(slot) = verdicts[*at].get_mut(*rank) else { continue };
            let (older, newer) = (Statement::parse(older), Statement::parse(newer));
            *slot = slot.take().map(|verdict| with_opinion(&older, &newer, verdict, opinion, thresholds(profile)));
        }
        dream.tell(Progress::Done((batch * PAIRS_AT_ONCE + pairs.len()).min(open.len())));
    }
    warnings
}

/// Returns true for a verdict that puts both texts on one thing.
fn is_about_one_thing(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Related { .. } | Verdict::Proposal { .. })
}

fn failed(left: usize, all: usize, model: &str, problem: &str) -> String {
    format!("{left} of {all} close pairs were judged by the rules: {model} failed: {problem}")
}

/// Lists the pairs whose verdict the model may change, but for those that the host agent has judged.
fn open_pairs(
    inbox: &[Block],
    candidates: &Candidates,
    verdicts: &RuleVerdicts,
    profile: SimilarityProfile,
    dream: &Dream,
) -> Vec<OpenPair> {
    let mut pairs = Vec::new();
    for (at, (block, near)) in inbox.iter().zip(candidates).enumerate() {
        let host = dream.by_block.get(&block.id);
        for (rank, candidate) in near.iter().enumerate().take(ASKED_ABOUT) {
            let named = host.is_some_and(|host| host.names(&candidate.seen.id));
            let open = verdicts[at].get(rank).and_then(Option::as_ref).is_some_and(is_open_to_opinion);
            let near_enough = candidate.cosine >= profile.contradiction_prefilter - BELOW_PREFILTER;
            if open && near_enough && !named && may_be_judged(block, candidate) {
                pairs.push((at, rank));
            }
        }
    }
    pairs
}
