//! Constraints of a task: what the people and things that a task touches need, may not or can only do comes first.
//!
//! "Prepare a dinner for the team" finds the note that lists the team. That one of them is allergic to peanuts has no word of
//! the task; the name leads from the list to it. Edges and tags lead there too, and so does what kind of task it is: whoever
//! cooks has to know what is not eaten.

use std::collections::HashSet;

use elfmem_core::{Block, BlockId};
use elfmem_text::constraints::{ConstraintKind, constraint_kinds, states_constraint, task_kinds};
use elfmem_text::language::Language;
use elfmem_text::statements::{PairThresholds, Verdict, judge_texts};

use crate::Result;
use crate::recall::candidates::filter::CandidateFilter;
use crate::recall::candidates::scored::Candidate;
use crate::recall::frames::constraint_leads::ConstraintLeads;
use crate::recall::pipeline::{RecallContext, TASK};
use crate::recall::question::parsed::Question;
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::freshness::{common_share, stems};
use crate::recall::ranking::selection::Selection;
use crate::recall::ranking::suppression::Suppressed;

/// Most constraints of a task, of trusted sources and of others.
const MAX_CONSTRAINTS: usize = 4;
const MAX_UNTRUSTED: usize = 2;
/// How many constraints are looked for among the blocks that rank best, and among those with a word of the kind.
const RANKED: usize = 80;
const SOUGHT: usize = 200;
/// What it counts for that a block which fits the task leads to a constraint, beside its share of the task's words and its
/// cosine.
const LED_TO: f64 = 0.3;
/// What it counts for that a constraint is of the kind of the task.
const OF_KIND: f64 = 0.2;
/// The same for what somebody may not eat: it does harm, and comes before what merely fits.
const NOT_EATEN: f64 = 0.5;
/// Smallest sum of words and cosine for a constraint that none leads to: of another kind than the task, and of the same. If the
/// kind concerns every task, none is needed.
const MIN_FIT: f64 = 0.35;
const MIN_FIT_OF_KIND: f64 = 0.2;
/// The same for a constraint that speaks of a meal, where the task is one.
const MIN_FIT_OF_MEAL: f64 = 0.1;
/// Share of common words from which a later text is about the same as a constraint.
const MOSTLY_ALIKE: f64 = 0.5;
/// Tags, up to their first slash, and categories of constraints whatever their words are.
const LABELS: [&str; 6] = ["constraint", "rule", "limit", "deadline", "allergy", "policy"];

/// A constraint that concerns the task.
struct FittingConstraint {
    slot: u32,
    score: f64,
    /// Whether it says what somebody may not eat.
    about_food: bool,
    /// Whether it speaks of somebody who takes part.
    of_member: bool,
    /// Whether nothing but its kind speaks for it.
    by_kind_alone: bool,
}

impl RecallContext<'_> {
    /// Puts the constraints that concern a task before everything else that the frame does not guarantee. Those that were not
    /// selected come in addition.
    ///
    /// Those of untrusted sources come last, and are few. Outdated and contradicted blocks are no constraints.
    pub(in crate::recall) fn put_constraints_first(
        &self,
        selection: &mut Selection,
        below_floor: &[RankedCandidate],
        suppressed: &[Suppressed],
        question: &Question,
        filter: &CandidateFilter<'_>,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<()> {
        let Some(task) = self.request.question().filter(|_| self.frame.template == TASK && self.top_k() > 0) else {
            return Ok(());
        };
        let kinds = task_kinds(task);
        let ranked: Vec<RankedCandidate> =
            selection.shown.iter().chain(&selection.rest).chain(below_floor).cloned().collect();
        let sought = self.sought_by_kind(&kinds)?;
        let mut leads = ConstraintLeads::default();
        for trusted in [true, false] {
            if !trusted && !self.index.has_untrusted() {
                break;
            }
            // What a trusted block leads to may be an untrusted constraint too.
            let more = self.constraint_leads(&ranked, question, trusted)?;
            leads.blocks.extend(more.blocks);
            leads.members.extend(more.members);
            let is_candidate = |slot: &u32| {
                self.index.contains(*slot)
                    && filter.accepts(*slot)
                    && self.index.is_trusted(*slot) == trusted
                    && !suppressed.iter().any(|lost| lost.slot() == *slot)
            };
            let slots = self.places_to_look(&ranked, &leads, &sought, is_candidate, &candidate)?;
            let fitting = self.fitting(&slots, &kinds, &leads, &candidate)?;
            let most = if trusted { MAX_CONSTRAINTS } else { MAX_UNTRUSTED };
            let (first, others) = fitting.split_at(most.min(fitting.len()));
            let mut constraints = Vec::with_capacity(first.len());
            for slot in first {
                let found = ranked.iter().find(|ranked| ranked.candidate.slot == *slot).cloned();
                constraints.extend(match found {
                    Some(found) => Some(found),
                    None => self.rank(vec![candidate(*slot)])?.pop(),
                });
            }
            if trusted {
                selection.put_first(constraints);
            } else {
                selection.add_constraints(constraints);
            }
            selection.more_constraints.extend(others);
        }
        Ok(())
    }

    /// Returns the blocks among which constraints are looked for.
    fn places_to_look(
        &self,
        ranked: &[RankedCandidate],
        leads: &ConstraintLeads,
        sought: &HashSet<u32>,
        is_candidate: impl Fn(&u32) -> bool,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<Vec<u32>> {
        let known: HashSet<u32> = ranked.iter().map(|ranked| ranked.candidate.slot).collect();
        let mut best: Vec<u32> = Vec::new();
        for one in ranked.iter().filter(|one| is_candidate(&one.candidate.slot)).take(RANKED) {
            if !one.guaranteed && !self.is_outdated(one)? {
                best.push(one.candidate.slot);
            }
        }
        let is_other = |slot: &u32| !known.contains(slot) && is_candidate(slot);
        let others = leads.blocks.iter().copied().filter(is_other);
        let mut slots: Vec<u32> = best.into_iter().chain(others).collect();
        let mut more: Vec<(f64, u32)> = sought
            .iter()
            .filter(|slot| is_other(slot) && !leads.blocks.contains(slot))
            .map(|slot| (candidate(*slot).balanced_match(), *slot))
            .collect();
        more.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| self.index.by_id(a.1, b.1)));
        slots.extend(more.into_iter().take(SOUGHT).map(|(_, slot)| slot));
        Ok(slots)
    }

    /// Returns whether what a later text says replaces a block, speaks against it, or is mostly in the same words. One that
    /// merely comes before it by nearness leaves a rule as it is.
    fn is_outdated(&self, one: &RankedCandidate) -> Result<bool> {
        let Some(newer) = one.newer else { return Ok(false) };
        let slots = [one.candidate.slot, newer];
        let ids: Vec<BlockId> = slots.iter().filter_map(|slot| self.index.id(*slot).cloned()).collect();
        let blocks = self.snapshot.get_blocks(&ids)?;
        let text = |slot: u32| {
            let block = blocks.iter().find(|block| self.index.slot(&block.id) == Some(slot))?;
            Some(block.content.as_str())
        };
        let (Some(older), Some(newer)) = (text(slots[0]), text(slots[1])) else { return Ok(true) };
        let words = |text: &str| -> HashSet<String> {
            stems(text, Language::detect(text).unwrap_or(Language::English)).into_iter().collect()
        };
        if common_share(&words(older), &words(newer)).is_none_or(|share| share >= MOSTLY_ALIKE) {
            return Ok(true);
        }
        let vectors = self.index.full_vectors(self.snapshot, slots)?;
        let cosine = vectors.cosine_between(slots[0], slots[1]).unwrap_or(0.0);
        Ok(!matches!(judge_texts(older, newer, cosine, PairThresholds::BUILT_IN), Verdict::Related { .. }))
    }

    /// Returns the constraints among some blocks that concern a task of some kinds, best first.
    fn fitting(
        &self,
        slots: &[u32],
        kinds: &[ConstraintKind],
        leads: &ConstraintLeads,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<Vec<u32>> {
        let ids: Vec<BlockId> = slots.iter().filter_map(|slot| self.index.id(*slot).cloned()).collect();
        let is_meal = kinds.contains(&ConstraintKind::Food);
        let mut fitting: Vec<FittingConstraint> = Vec::new();
        for block in self.snapshot.get_blocks(&ids)? {
            let Some(slot) = self.index.slot(&block.id) else { continue };
            if !is_constraint(&block, self.index.is_trusted(slot)) {
                continue;
            }
            let own = candidate(slot);
            let fit = own.words + own.meaning_or_cue();
            let about = constraint_kinds(&block.content);
            let mut shared = about.iter().filter(|kind| kinds.contains(kind)).peekable();
            let is_of_kind = shared.peek().is_some();
            // What somebody may not eat matters where something is eaten, whoever leads there.
            let is_led_to = leads.blocks.contains(&slot) && (is_of_kind || about != [ConstraintKind::Food]);
            // A rule about meals is one for whoever orders lunch, though it is about what they cost.
            let least = match is_of_kind {
                true if is_meal && task_kinds(&block.content).contains(&ConstraintKind::Food) => MIN_FIT_OF_MEAL,
                true => MIN_FIT_OF_KIND,
                false => MIN_FIT,
            };
            let fits = fit >= least;
            if is_led_to || fits || shared.any(|kind| kind.concerns_every_task()) {
                // A budget for the catering is about money.
                let about_food = about == [ConstraintKind::Food];
                let of_kind = match is_meal && about_food {
                    true => NOT_EATEN,
                    false if is_of_kind => OF_KIND,
                    false => 0.0,
                };
                fitting.push(FittingConstraint {
                    slot,
                    score: fit + of_kind + if is_led_to { LED_TO } else { 0.0 },
                    about_food,
                    of_member: leads.members.contains(&slot),
                    by_kind_alone: !is_led_to && fit < MIN_FIT,
                });
            }
        }
        // Where a list says who takes part, others are not asked what they eat.
        if fitting.iter().any(|one| one.about_food && one.of_member) {
            fitting.retain(|one| !(one.about_food && one.by_kind_alone));
        }
        fitting.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| self.index.by_id(a.slot, b.slot)));
        Ok(fitting.into_iter().map(|one| one.slot).collect())
    }
}

/// Returns whether a block is a constraint: by its words and, if its source is trusted, by its tags or its category.
fn is_constraint(block: &Block, trusted: bool) -> bool {
    let is_label = |label: &str| LABELS.contains(&label.split('/').next().unwrap_or_default());
    let is_labelled = || is_label(block.category.as_str()) || block.tags.iter().any(|tag| is_label(tag.as_str()));
    trusted && is_labelled() || states_constraint(&block.content)
}
