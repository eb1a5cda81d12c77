//! Asking the analyst, several blocks at a time, never for longer than agreed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use elfmem_core::{Block, Tag};
use elfmem_models::{
    Analysis, AnalysisRequest, Analyst, ContradictionScore, ModelError, SelfAspect, SimilarityProfile,
};

use super::Dream;
use elfmem_text::statements::Verdict;

use super::decide::Judgements;
use super::embed::Selves;
use super::plan::{Candidates, PlannedFate};
use super::rules::RuleVerdicts;
use crate::progress::Progress;
use crate::trace;

/// Nearest blocks about which a judge is asked.
const ASKED_ABOUT: usize = 5;

/// Failures in a row after which a server is held to be down: the rest of the run does without it.
pub(super) const FAILURES_IN_A_ROW: usize = 3;

/// Why a block was not analysed when there was no time left for it.
pub(super) const OUT_OF_TIME: &str = "not asked: the time for analysis was up";

/// Calls `ask` for every number below `count` on a few threads. Stops asking at the deadline, or after several failures in
/// a row; what was not asked is an error too.
fn ask_all<T: Send>(
    analyst: &dyn Analyst,
    count: usize,
    deadline: Instant,
    ask: impl Fn(usize) -> Result<T, ModelError> + Sync,
    done: impl Fn(usize) + Sync,
) -> Vec<Result<T, String>> {
    let answers: Vec<Mutex<Option<Result<T, String>>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let (next, finished, failures) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = answers.get(at) else { return };
            let answer = if failures.load(Ordering::Relaxed) >= FAILURES_IN_A_ROW {
                trace::analysis_skipped("failures");
                Err("not asked: the analyst had failed several times in a row".to_owned())
            } else if Instant::now() >= deadline {
                trace::analysis_skipped("time");
                Err(OUT_OF_TIME.to_owned())
            } else {
                let answer = ask(at);
                match &answer {
                    Ok(_) => failures.store(0, Ordering::Relaxed),
                    Err(error) => {
                        trace::analysis_failed(error.code());
                        failures.fetch_add(1, Ordering::Relaxed);
                    }
                }
                answer.map_err(|error| error.to_string())
            };
            *slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(answer);
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let threads = analyst.concurrency().clamp(1, 16).min(count.max(1));
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    }
    answers
        .into_iter()
        .map(|slot| slot.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
        .map(|answer| answer.unwrap_or_else(|| Err("not asked".to_owned())))
        .collect()
}

/// An analysis as far as an analyst, whoever made it, may have its way: what is constitutional only a person says, so that is
/// proposed, and an alignment is a share.
pub(super) fn within_bounds(mut analysis: Analysis) -> Analysis {
    let attachable = |tag: &Tag| SelfAspect::from_name(tag.as_str()).is_none_or(SelfAspect::is_assignable);
    let (tags, reserved): (Vec<Tag>, Vec<Tag>) = analysis.tags.into_iter().partition(attachable);
    analysis.tags = tags;
    analysis.proposed_tags.extend(reserved);
    let neutral = Analysis::neutral().alignment;
    analysis.alignment = Some(analysis.alignment).filter(|share| share.is_finite()).unwrap_or(neutral).clamp(0.0, 1.0);
    analysis
}

/// Analyses every block that will be active; a rejected one needs none.
pub(super) fn analyse_all(
    analyst: &dyn Analyst,
    inbox: &[Block],
    fates: &[PlannedFate],
    selves: &Selves,
    dream: &Dream,
    deadline: Instant,
) -> Vec<Result<Analysis, String>> {
    let analysed: Vec<usize> = (0..inbox.len())
        .filter(|at| !matches!(fates[*at], PlannedFate::Reject { .. }))
        .filter(|at| !dream.by_block.contains_key(&inbox[*at].id))
        .collect();
    dream.tell(Progress::Stage("analyse", analysed.len()));
    let ask = |number: usize| {
        let at = analysed[number];
        let found = analyst.analyse(&AnalysisRequest {
            content: &inbox[at].content,
            category: &inbox[at].category,
            self_text: &selves.text,
            self_similarity: selves.similarity.get(at).copied().flatten(),
        });
        found.map(within_bounds)
    };
    let mut answers =
        ask_all(analyst, analysed.len(), deadline, ask, |done| dream.tell(Progress::Done(done))).into_iter();
    let mut analysed = analysed.into_iter().peekable();
    (0..inbox.len())
        .map(|at| {
            if let Some(host) = dream.by_block.get(&inbox[at].id) {
                return Ok(host.analysis());
            }
            match analysed.next_if_eq(&at) {
                Some(_) => answers.next().unwrap_or_else(|| Err("not asked".to_owned())),
                None => Ok(Analysis::neutral()),
            }
        })
        .collect()
}

/// Returns the pairs whose verdict decides something, as the position of a block and that of a candidate: among the nearest,
/// not below the prefilter, not decided by the rules, and not named by the host.
pub(super) fn pairs_to_judge(
    inbox: &[Block],
    candidates: &Candidates,
    verdicts: &RuleVerdicts,
    profile: SimilarityProfile,
    dream: &Dream,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (at, (block, near)) in inbox.iter().zip(candidates).enumerate() {
        let host = dream.by_block.get(&block.id);
        for (other, candidate) in near.iter().take(ASKED_ABOUT).enumerate() {
            let named = host.is_some_and(|host| host.names(&candidate.seen.id));
            let unknown = matches!(verdicts[at].get(other), Some(Some(Verdict::Related { certain: false, .. })));
            if candidate.cosine >= profile.contradiction_prefilter && unknown && !named {
                pairs.push((at, other));
            }
        }
    }
    pairs
}

/// Asks the judge about pairs of which the rules know nothing. A judge without an opinion (the rules) leaves nothing; one that
/// fails leaves the pair to the rules.
pub(super) fn judge_all(
    analyst: &dyn Analyst,
    inbox: &[Block],
    candidates: &Candidates,
    pairs: &[(usize, usize)],
    deadline: Instant,
    warnings: &mut Vec<String>,
) -> Judgements {
    let ask = |number: usize| {
        let (at, other) = pairs[number];
        let candidate = &candidates[at][other];
        analyst.judge(&inbox[at].content, &candidate.seen.content, candidate.cosine)
    };
    let answers = ask_all(analyst, pairs.len(), deadline, ask, |_| {});
    let failed = answers.iter().filter(|answer| answer.is_err()).count();
    if failed > 0 {
        warnings.push(format!("{failed} of {} close pairs were judged by the rules: the analyst failed.", pairs.len()));
    }
    let judged = |((at, other), answer): (&(usize, usize), Result<Option<ContradictionScore>, String>)| {
        let score = answer.ok()??;
        Some(((*at, candidates[*at][*other].seen.id.clone()), score))
    };
    pairs.iter().zip(answers).filter_map(judged).collect()
}
