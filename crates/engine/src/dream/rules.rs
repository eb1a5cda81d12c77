//! What the rules say about each inbox block and its nearest, before anybody else is asked.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId, DocumentPart, Timestamp, TrustPolicy};
use elfmem_models::SimilarityProfile;
use elfmem_store::Snapshot;
use elfmem_text::statements::{ContradictionKind, PairThresholds, Statement, StatementKind, Verdict, judge};

use super::decide::{JUDGED, may_be_judged};
use super::plan::Candidates;
use crate::Result;
use crate::documents::DOCUMENT_SOURCE;

/// Verdicts by inbox block and rank of the candidate; none where the two may not be merged.
pub(crate) type RuleVerdicts = Vec<Vec<Option<Verdict>>>;

/// Blocks for which another thread is worth starting.
const FEWEST_PER_THREAD: usize = 64;

/// Days after which the same event in other words is taken for a second one.
const EVENT_DAYS: i64 = 7;
const DAY: i64 = 86_400;

/// Certainty that a change and what was said again after it exclude each other.
const SAID_AGAIN: f64 = 0.85;

/// Judges each inbox block and its nearest by the rules. The pairs do not depend on each other, so the cores share them.
pub(super) fn judge_by_rules(inbox: &[Block], candidates: &Candidates, profile: SimilarityProfile) -> RuleVerdicts {
    let numbers: Vec<usize> = (0..inbox.len()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = numbers.len().div_ceil(threads).max(FEWEST_PER_THREAD);
    std::thread::scope(|scope| {
        let parts: Vec<_> = numbers
            .chunks(share)
            .map(|part| scope.spawn(move || judge_some(inbox, candidates, profile, part)))
            .collect();
        let finished = |part: std::thread::ScopedJoinHandle<'_, RuleVerdicts>| {
            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().flat_map(finished).collect()
    })
}

/// Returns the thresholds of the rules.
pub(super) fn thresholds(profile: SimilarityProfile) -> PairThresholds {
    PairThresholds {
        exact: profile.exact,
        near: profile.near,
        contradiction_prefilter: profile.contradiction_prefilter,
        contradiction: profile.contradiction,
    }
}

/// Judges the inbox blocks at `numbers`. One thread's share of the work.
fn judge_some(inbox: &[Block], candidates: &Candidates, profile: SimilarityProfile, numbers: &[usize]) -> RuleVerdicts {
    let thresholds = thresholds(profile);
    // Texts are parsed once, however often they are compared.
    let mut parsed: HashMap<&BlockId, Statement> = HashMap::new();
    let mut all = Vec::with_capacity(numbers.len());
    for at in numbers {
        let block = &inbox[*at];
        let judged = candidates[*at].iter().take(JUDGED);
        if !judged.clone().any(|candidate| may_be_judged(block, candidate)) {
            all.push(judged.map(|_| None).collect());
            continue;
        }
        let statement = Statement::parse(&block.content);
        let verdicts = judged.map(|candidate| {
            may_be_judged(block, candidate).then(|| {
                let older =
                    parsed.entry(&candidate.seen.id).or_insert_with(|| Statement::parse(&candidate.seen.content));
                judge(older, &statement, candidate.cosine, thresholds)
            })
        });
        all.push(verdicts.collect());
        parsed.insert(&block.id, statement);
    }
    all
}

/// Where and when a block was said.
struct Origin<'a> {
    parts: &'a [DocumentPart],
    document: Option<&'a str>,
    unnamed_document: bool,
    event_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl<'a> Origin<'a> {
    fn of(block: &'a Block) -> Self {
        Self {
            parts: &block.parts,
            document: block.brought_by.document.as_deref(),
            unnamed_document: block.source == DOCUMENT_SOURCE,
            event_at: block.event_at,
            created_at: block.created_at,
        }
    }

    /// Returns true if both are parts of one document.
    fn shares_document(&self, other: &Self) -> bool {
        let shares = |part: &DocumentPart| other.parts.iter().any(|one| one.belongs_to(&part.document, &part.source));
        if self.parts.iter().any(shares) {
            return true;
        }
        match (self.document, other.document) {
            (Some(one), Some(other)) => one == other,
            (None, None) => self.unnamed_document && other.unnamed_document,
            _ => false,
        }
    }

    /// Returns true if it is about an earlier time than the other, as far as one of them says so.
    fn is_before(&self, other: &Self) -> bool {
        let dated = self.event_at.is_some() || other.event_at.is_some();
        dated && self.time() < other.time()
    }

    fn time(&self) -> Timestamp {
        self.event_at.unwrap_or(self.created_at)
    }

    /// Returns true if it came before the other and was said once more after it: what had changed became true again.
    fn is_said_again_after(&self, other: &Self) -> bool {
        let undated = other.event_at.is_none() && self.created_at <= other.created_at;
        undated && self.event_at.is_some_and(|again| again >= other.created_at)
    }

    /// Returns true if something that happened at the one time may have happened again at the other.
    fn is_apart(&self, other: &Self) -> bool {
        (self.time().as_second() - other.time().as_second()).abs() > EVENT_DAYS * DAY
    }
}

/// Returns true for a text that says what happened. Only few texts are archived, so it is read again.
fn is_episode(text: &str) -> bool {
    Statement::parse(text).kind() == StatementKind::Episode
}

/// Withdraws verdicts that would archive part of a document for another part of it, a later state for an earlier one, or
/// one of two events that lie apart.
///
/// Between a trusted block and an untrusted one such a verdict stays a contradiction: neither the time nor the document that
/// the untrusted block claims withdraws it.
pub(super) fn withdraw_unsafe(
    snapshot: &dyn Snapshot,
    trust: &TrustPolicy,
    inbox: &[Block],
    candidates: &Candidates,
    verdicts: &mut RuleVerdicts,
) -> Result<()> {
    let archiving = |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(Verdict::archives);
    let waiting: HashMap<&BlockId, &Block> = inbox.iter().map(|block| (&block.id, block)).collect();
    let stored: HashSet<&BlockId> = verdicts
        .iter()
        .zip(candidates)
        .flat_map(|(verdicts, near)| verdicts.iter().zip(near))
        .filter(|(verdict, near)| archiving(verdict) && !waiting.contains_key(&near.seen.id))
        .map(|(_, near)| &near.seen.id)
        .collect();
    let stored: Vec<BlockId> = stored.into_iter().cloned().collect();
    let stored: HashMap<BlockId, Block> =
        snapshot.get_blocks(&stored)?.into_iter().map(|block| (block.id.clone(), block)).collect();
    for ((verdicts, near), block) in verdicts.iter_mut().zip(candidates).zip(inbox) {
        for (verdict, candidate) in verdicts.iter_mut().zip(near).filter(|(verdict, _)| archiving(verdict)) {
            let id = &candidate.seen.id;
            let Some(older) = waiting.get(id).copied().or_else(|| stored.get(id)) else { continue };
            let episodes = |older: &Block| is_episode(&older.content) && is_episode(&block.content);
            let restated = matches!(verdict, Some(Verdict::Paraphrase { .. }));
            let again = restated && Origin::of(block).is_apart(&Origin::of(older)) && episodes(older);
            let (trusts_older, trusts_newer) = (trust.trusts(older), trust.trusts(block));
            let (older, newer) = (Origin::of(older), Origin::of(block));
            let updates = matches!(verdict, Some(Verdict::Supersedes { .. }));
            if updates && trusts_older && !trusts_newer {
                continue;
            }
            let is_apart =
                newer.shares_document(&older) || newer.is_before(&older) || older.is_said_again_after(&newer);
            if updates && trusts_newer && !trusts_older && is_apart {
                let reason = "they disagree, and the untrusted text claims another time".to_owned();
                *verdict = Some(Verdict::Contradicts { kind: ContradictionKind::Name, score: SAID_AGAIN, reason });
                continue;
            }
            if updates && older.is_said_again_after(&newer) {
                let reason = "what it replaced was said again".to_owned();
                *verdict = Some(Verdict::Contradicts { kind: ContradictionKind::Name, score: SAID_AGAIN, reason });
                continue;
            }
            let reason = if newer.shares_document(&older) {
                "they are parts of one document"
            } else if updates && newer.is_before(&older) {
                "the newer text is about an earlier time"
            } else if again {
                "it may have happened twice"
            } else {
                continue;
            };
            *verdict = Some(Verdict::Related { reason: reason.to_owned(), certain: true });
        }
    }
    Ok(())
}
