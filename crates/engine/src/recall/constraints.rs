//! Constraints of a task: what the people and things that a task touches need, may not or can only do comes first.
//!
//! "Prepare a dinner for the team" finds the note that lists the team. That one of them is allergic to peanuts has no word of
//! the task; the name leads from the list to it. Edges and tags lead there too.

use std::collections::HashSet;

use elfmem_core::{Block, BlockId};
use elfmem_index::AdjacentEdgeKind;
use elfmem_store::BlockFilter;
use elfmem_text::constraints::states_constraint;

use super::bridges::names;
use super::candidates::Candidate;
use super::composite::RankedCandidate;
use super::filter::CandidateFilter;
use super::pipeline::RecallContext;
use super::question::Question;
use super::selection::Selection;
use super::suppression::Suppressed;
use crate::Result;

/// The template of frames that show what a task needs.
const TASK: &str = "task";
/// Most constraints of a task.
const MAX_CONSTRAINTS: usize = 4;
/// How many of the blocks that fit a task best lead to constraints.
const SEEDS: usize = 8;
/// A word that more blocks hold leads to none of them.
const MAX_HOLDERS: usize = 12;
/// How many constraints are looked for among the blocks that rank best.
const RANKED: usize = 80;
/// What it counts for that a block which fits the task leads to a constraint, beside its share of the task's words and its
/// cosine.
const LED_TO: f64 = 0.3;
/// Smallest sum of the latter two for a constraint that none leads to.
const MIN_FIT: f64 = 0.35;
/// Tags, up to their first slash, and categories of constraints whatever their words are.
const LABELS: [&str; 6] = ["constraint", "rule", "limit", "deadline", "allergy", "policy"];

impl RecallContext<'_> {
    /// Puts the constraints that concern a task before everything else that the frame does not guarantee. Those that were not
    /// selected come in addition.
    ///
    /// Only trusted blocks are constraints or lead to one; outdated and contradicted ones are none.
    pub(super) fn put_constraints_first(
        &self,
        selection: &mut Selection,
        suppressed: &[Suppressed],
        question: &Question,
        filter: &CandidateFilter<'_>,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<()> {
        if self.frame.template != TASK || self.question.is_none() || self.top_k() == 0 {
            return Ok(());
        }
        let ranked: Vec<RankedCandidate> = selection.shown.iter().chain(&selection.rest).cloned().collect();
        let led_to = self.led_to(&ranked, question)?;
        let is_candidate = |slot: &u32| {
            self.index.contains(*slot)
                && filter.accepts(*slot)
                && self.index.is_trusted(*slot)
                && !suppressed.iter().any(|lost| lost.slot() == *slot)
        };
        let known: HashSet<u32> = ranked.iter().map(|ranked| ranked.candidate.slot).collect();
        let others: Vec<u32> = led_to.iter().copied().filter(|slot| !known.contains(slot)).collect();
        let slots = ranked.iter().take(RANKED).filter(|one| !one.guaranteed && one.newer.is_none());
        let slots: Vec<u32> = slots.map(|one| one.candidate.slot).chain(others).filter(is_candidate).collect();
        let ids: Vec<BlockId> = slots.iter().filter_map(|slot| self.index.id(*slot).cloned()).collect();
        let mut fitting: Vec<(f64, u32)> = Vec::new();
        for block in self.snapshot.get_blocks(&ids)?.iter().filter(|block| is_constraint(block)) {
            let Some(slot) = self.index.slot(&block.id) else { continue };
            let own = candidate(slot);
            let is_led_to = led_to.contains(&slot);
            let fit = own.words + own.meaning_or_cue() + if is_led_to { LED_TO } else { 0.0 };
            if is_led_to || fit >= MIN_FIT {
                fitting.push((fit, slot));
            }
        }
        fitting.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| self.index.by_id(a.1, b.1)));
        let mut constraints = Vec::new();
        for (_, slot) in fitting.into_iter().take(MAX_CONSTRAINTS) {
            let found = ranked.iter().find(|ranked| ranked.candidate.slot == slot).cloned();
            constraints.extend(match found {
                Some(found) => Some(found),
                None => self.rank(vec![candidate(slot)])?.pop(),
            });
        }
        selection.put_first(constraints);
        Ok(())
    }

    /// Returns the blocks that those which fit the task best lead to: by an edge, by a name or by a tag.
    fn led_to(&self, ranked: &[RankedCandidate], question: &Question) -> Result<HashSet<u32>> {
        let index = self.index;
        let mut seeds: Vec<&Candidate> = ranked.iter().map(|ranked| &ranked.candidate).collect();
        seeds.retain(|one| one.words > 0.0 && index.is_trusted(one.slot));
        // Who is named together with somebody whom the task names is not part of it for that.
        let asked: HashSet<&str> = question.words.rarities().map(|(word, _)| word).collect();
        let is_thing = |word: &str| !question.subject.iter().any(|name| name == word);
        seeds.retain(|one| question.words.matched(one.slot).into_iter().any(is_thing));
        seeds.sort_by(|a, b| b.own_match().total_cmp(&a.own_match()).then_with(|| index.by_id(a.slot, b.slot)));
        let seeds: Vec<u32> = seeds.into_iter().take(SEEDS).map(|one| one.slot).collect();
        let links = index.links(self.snapshot, &seeds)?;
        let neighbours = links.values().flat_map(|list| list.links());
        let neighbours = neighbours.filter(|link| link.kind == AdjacentEdgeKind::Associates);
        let mut found: HashSet<u32> = neighbours.map(|link| link.neighbour).collect();
        let ids: Vec<BlockId> = seeds.iter().filter_map(|slot| index.id(*slot).cloned()).collect();
        let mut followed: HashSet<String> = HashSet::new();
        let mut tags: HashSet<String> = HashSet::new();
        for block in self.snapshot.get_blocks(&ids)? {
            let names = names(&block.content, &asked);
            followed.extend(names.words().iter().flat_map(|name| name.terms.iter().cloned()));
            tags.extend(block.tags.iter().map(|tag| tag.as_str().to_owned()));
        }
        for tag in tags {
            let tagged =
                self.snapshot.filter_block_ids(&BlockFilter { any_tag: vec![tag], ..BlockFilter::default() })?;
            let is_rare = tagged.len() <= MAX_HOLDERS;
            found.extend(tagged.iter().filter(|_| is_rare).filter_map(|id| index.slot(id)));
        }
        for term in followed {
            let holders = self.snapshot.get_common_holders(&[term], 1, MAX_HOLDERS)?;
            found.extend(holders.iter().filter_map(|id| index.slot(id)));
        }
        Ok(found)
    }
}

/// Returns whether a block is a constraint by its words, its tags or its category.
fn is_constraint(block: &Block) -> bool {
    let is_label = |label: &str| LABELS.contains(&label.split('/').next().unwrap_or_default());
    is_label(block.category.as_str())
        || block.tags.iter().any(|tag| is_label(tag.as_str()))
        || states_constraint(&block.content)
}
