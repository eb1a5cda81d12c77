//! Examples: blocks that were shown, with what outcomes said of them.

use std::collections::{HashMap, HashSet};

use elfmem_core::calibration::JudgedBlock;
use elfmem_core::outcome::REINFORCE_ABOVE;
use elfmem_core::{BlockId, BroughtBy, OutcomeRecord, Speaker, Timestamp, Trust};
use elfmem_store::Snapshot;

use crate::Result;
use crate::memory::Options;

/// Number of operations of the journal, counted from the newest, that are searched for answers.
const MAX_OPERATIONS: i64 = 20_000;
/// Maximum number of answers, newest first.
const MAX_ANSWERS: u32 = 1_000;
/// How long after an answer an outcome still speaks of it, in hours.
const MAX_HOURS: i32 = 24;
/// Maximum number of outcomes that count for one block, newest first. A favourite does not speak for the others.
const MAX_PER_BLOCK: usize = 5;
/// What a block counts that was shown beside one that helped and that no outcome names: a hint that it did not help.
const NOT_NAMED: f64 = 0.25;

/// An answer whose blocks have a relevance.
struct ShownAnswer {
    at: Timestamp,
    relevance: Vec<(BlockId, f64)>,
}

/// The answers of one scope and one curve, in order.
pub(super) struct Examples {
    /// The curve of the newest answer.
    pub(super) curve: String,
    answers: Vec<ShownAnswer>,
}

/// What an outcome says of a block in an answer.
#[derive(Debug, Clone, Copy)]
struct OutcomeLabel {
    /// How far the signal is from saying nothing, from 0 to 1.
    strength: f64,
    helped: bool,
}

impl Examples {
    /// Reads the answers of the view's own scope.
    pub(super) fn read(snapshot: &dyn Snapshot) -> Result<Option<Self>> {
        let from = (snapshot.get_journal_position()? - MAX_OPERATIONS).max(0);
        let answers = snapshot.get_answers_after(from, MAX_ANSWERS)?;
        let shown = answers.into_iter().filter_map(|answer| Some((answer.at, answer.relevance?)));
        let shown: Vec<_> = shown.collect();
        let Some(curve) = shown.last().map(|(_, relevance)| relevance.curve.clone()) else { return Ok(None) };
        let of_curve = shown.into_iter().filter(|(_, relevance)| relevance.curve == curve);
        let answers = of_curve.map(|(at, shown)| ShownAnswer { at, relevance: shown.relevance.into_iter().collect() });
        Ok(Some(Self { answers: answers.collect(), curve }))
    }

    /// Returns what outcomes of the owner say of the trusted blocks that were shown.
    ///
    /// Untrusted blocks are left out: otherwise texts that come up and do not help would lower the relevance of all others.
    /// Only blocks of answers that an outcome speaks of are read: of what else the memory holds, nothing is said.
    pub(super) fn judged(&self, snapshot: &dyn Snapshot, options: &Options) -> Result<Vec<JudgedBlock>> {
        let Some(first) = self.answers.iter().map(|answer| answer.at).min() else { return Ok(Vec::new()) };
        let shown_in = self.answers_by_block();
        let mut outcomes: HashMap<BlockId, Vec<OutcomeRecord>> = HashMap::new();
        for record in snapshot.get_outcomes_since(first)? {
            if shown_in.contains_key(&record.block_id) && counts(&record, options) {
                outcomes.entry(record.block_id.clone()).or_default().push(record);
            }
        }
        let named = outcomes.keys().filter_map(|id| shown_in.get(id)).flatten();
        let beside = named.flat_map(|answer| self.answers[*answer].relevance.iter().map(|(id, _)| id));
        let ids: Vec<BlockId> = beside.collect::<HashSet<_>>().into_iter().cloned().collect();
        let mut trusted = snapshot.get_blocks(&ids)?;
        trusted.retain(|block| options.trust.trusts(block));
        let trusted: HashSet<BlockId> = trusted.into_iter().map(|block| block.id).collect();
        outcomes.retain(|id, _| trusted.contains(id));
        Ok(self.judge(&shown_in, &trusted, &outcomes))
    }

    /// Returns the numbers of the answers that showed each block, in order.
    fn answers_by_block(&self) -> HashMap<&BlockId, Vec<usize>> {
        let mut shown_in: HashMap<&BlockId, Vec<usize>> = HashMap::new();
        for (at, answer) in self.answers.iter().enumerate() {
            for (id, _) in &answer.relevance {
                shown_in.entry(id).or_default().push(at);
            }
        }
        shown_in
    }

    fn judge(
        &self,
        shown_in: &HashMap<&BlockId, Vec<usize>>,
        trusted: &HashSet<BlockId>,
        outcomes: &HashMap<BlockId, Vec<OutcomeRecord>>,
    ) -> Vec<JudgedBlock> {
        // One outcome is one piece of evidence, however many blocks it names.
        let mut named_together: HashMap<&str, f64> = HashMap::new();
        for record in outcomes.values().flatten() {
            *named_together.entry(&record.outcome_id).or_default() += 1.0;
        }
        let mut verdicts: HashMap<(usize, &BlockId), OutcomeLabel> = HashMap::new();
        let mut named: HashSet<(usize, &BlockId)> = HashSet::new();
        for (id, records) in outcomes {
            let answers = shown_in.get(id).map_or(&[][..], Vec::as_slice);
            for record in records.iter().rev().take(MAX_PER_BLOCK) {
                let said = record.created_at;
                let showed: Vec<usize> =
                    answers.iter().copied().filter(|at| is_spoken_of(self.answers[*at].at, said)).collect();
                named.extend(showed.iter().map(|answer| (*answer, id)));
                // The newest outcome decides, and it speaks of the newest answer before it.
                if let Some(answer) = showed.last() {
                    let share = named_together.get(record.outcome_id.as_str()).copied().unwrap_or(1.0);
                    verdicts.entry((*answer, id)).or_insert_with(|| OutcomeLabel::of(record, share));
                }
            }
        }
        let mut judged = Vec::new();
        for (at, answer) in self.answers.iter().enumerate() {
            let of_block = |id: &BlockId| verdicts.get(&(at, id)).copied();
            let helped = answer.relevance.iter().filter_map(|(id, _)| of_block(id)).filter(|verdict| verdict.helped);
            let hint = helped.map(|verdict| verdict.strength).fold(0.0, f64::max) * NOT_NAMED;
            for (id, relevance) in answer.relevance.iter().filter(|(id, _)| trusted.contains(id)) {
                let (helped, weight) = match of_block(id) {
                    Some(verdict) => (verdict.helped, verdict.strength),
                    None if named.contains(&(at, id)) => continue,
                    None => (false, hint),
                };
                if weight > 0.0 {
                    judged.push(JudgedBlock { block: id.clone(), relevance: *relevance, helped, weight });
                }
            }
        }
        judged
    }
}

impl OutcomeLabel {
    fn of(record: &OutcomeRecord, named_together: f64) -> Self {
        let signal = record.signal.get();
        let strength = (signal - REINFORCE_ABOVE).abs() * 2.0 * record.weight.min(1.0) / named_together;
        Self { strength, helped: signal > REINFORCE_ABOVE }
    }
}

/// Returns whether an outcome is the owner's own, in this memory, and says anything.
fn counts(record: &OutcomeRecord, options: &Options) -> bool {
    let brought_by = BroughtBy::actor(&options.actor);
    let trusted = options.trust.trust_of(Speaker { source: &record.source, brought_by: &brought_by }) == Trust::Owner;
    // What was not trusted when it was said has a ceiling.
    trusted && record.ceiling.is_none() && !record.is_history() && record.signal.get() != REINFORCE_ABOVE
}

/// Returns whether an outcome can speak of an answer: it came after it, and not much later.
fn is_spoken_of(answered: Timestamp, said: Timestamp) -> bool {
    let hours = elfmem_core::time::wall_hours_between(answered, said);
    said >= answered && hours <= f64::from(MAX_HOURS)
}
