//! Asking the model of pairs about what the rules said.

use std::time::Instant;

use elfmem_core::Block;
use elfmem_models::{PairJudge, SimilarityProfile};
use elfmem_text::statements::{Statement, is_open_to_opinion, with_opinion};

use super::Dream;
use super::decide::may_be_judged;
use super::plan::Candidates;
use super::rules::{RuleVerdicts, thresholds};
use crate::progress::Progress;

/// The candidate about which the model is asked. In ten memories by several authors the nearest earlier block of 154 of 165
/// updates was the one that they replace; of the farther ones what the model marks is nearly always wrong.
const NEAREST: usize = 0;

/// How far below the prefilter of contradictions the cosine of a pair may be: an event that ends a state has few words of it.
/// Of the pairs that the model marks, five of six are right from there on, and four of ten below.
const BELOW_PREFILTER: f64 = 0.10;

/// Pairs between two looks at the clock: a fraction of a second.
const PAIRS_AT_ONCE: usize = 64;

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
            .map(|at| [candidates[*at][NEAREST].seen.content.as_str(), inbox[*at].content.as_str()])
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
        for ((at, [older, newer]), opinion) in pairs.iter().zip(texts).zip(found) {
            let Some(opinion) = opinion else { continue };
            let Some(slot) = verdicts[*at].get_mut(NEAREST) else { continue };
            let (older, newer) = (Statement::parse(older), Statement::parse(newer));
            *slot = slot.take().map(|verdict| with_opinion(&older, &newer, verdict, opinion, thresholds(profile)));
        }
        dream.tell(Progress::Done((batch * PAIRS_AT_ONCE + pairs.len()).min(open.len())));
    }
    warnings
}

fn failed(left: usize, all: usize, model: &str, problem: &str) -> String {
    format!("{left} of {all} close pairs were judged by the rules: {model} failed: {problem}")
}

/// Lists the inbox blocks whose verdict on the nearest candidate the model may change, but for those that the host agent has
/// judged.
fn open_pairs(
    inbox: &[Block],
    candidates: &Candidates,
    verdicts: &RuleVerdicts,
    profile: SimilarityProfile,
    dream: &Dream,
) -> Vec<usize> {
    let is_open = |at: &usize| {
        let (block, Some(candidate)) = (&inbox[*at], candidates[*at].get(NEAREST)) else { return false };
        let named = dream.by_block.get(&block.id).is_some_and(|host| host.names(&candidate.seen.id));
        let open = verdicts[*at].get(NEAREST).and_then(Option::as_ref).is_some_and(is_open_to_opinion);
        let near_enough = candidate.cosine >= profile.contradiction_prefilter - BELOW_PREFILTER;
        open && near_enough && !named && may_be_judged(block, candidate)
    };
    (0..inbox.len().min(candidates.len())).filter(is_open).collect()
}
