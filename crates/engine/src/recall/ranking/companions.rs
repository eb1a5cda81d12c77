//! Companions: what extends a selected block comes back with it (seed 004), in addition to the blocks asked for. So does a
//! trusted block that a selected untrusted one contradicts.

use std::collections::HashMap;

use elfmem_core::{LinkEnd, LinkType};
use elfmem_index::AdjacentEdgeKind;
use elfmem_store::LinkQuery;

use crate::Result;
use crate::recall::candidates::filter::CandidateFilter;
use crate::recall::candidates::scored::Candidate;
use crate::recall::pipeline::RecallContext;
use crate::recall::ranking::composite::RankedCandidate;
use crate::recall::ranking::selection::{self, Selection};
use crate::recall::ranking::suppression::{Contested, Suppressed};

/// Most companions of one block.
pub(in crate::recall) const MAX_COMPANIONS: usize = 3;

/// A slot with the weight of an edge.
type WeightedSlot = (u32, f32);

impl RecallContext<'_> {
    /// Adds the blocks that extend selected ones: at most three for each, the best first, after all that was selected.
    ///
    /// The filters bind them too. A contradicted block is no companion, nor is an untrusted one of a trusted block.
    pub(in crate::recall) fn add_companions(
        &self,
        selection: &mut Selection,
        suppressed: &[Suppressed],
        filter: &CandidateFilter<'_>,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<()> {
        let index = self.index;
        let targets: Vec<u32> = selection.shown.iter().map(|ranked| ranked.candidate.slot).collect();
        for (target, linked) in self.extending(&targets)? {
            let fits = |slot: &u32| {
                index.contains(*slot)
                    && filter.accepts(*slot)
                    && !selection.is_shown(*slot)
                    && !suppressed.iter().any(|lost| lost.slot() == *slot)
                    && (index.is_trusted(*slot) || !index.is_trusted(target))
            };
            let mut companions: Vec<RankedCandidate> = Vec::new();
            for (slot, weight) in linked.into_iter().filter(|(slot, _)| fits(slot)) {
                let found = selection.rest.iter().find(|ranked| ranked.candidate.slot == slot).cloned();
                let ranked = match found {
                    Some(ranked) => Some(ranked),
                    None => self.rank(vec![candidate(slot)])?.pop(),
                };
                companions.extend(ranked.map(|mut ranked| {
                    ranked.candidate.via = Some((target, weight));
                    ranked
                }));
            }
            selection::sort(&mut companions, |a, b| index.by_id(a, b));
            companions.truncate(MAX_COMPANIONS);
            companions.into_iter().for_each(|companion| selection.add_companion(companion));
        }
        Ok(())
    }

    /// Shows the trusted blocks that shown untrusted ones contradict, each right before the first of them: whoever reads what
    /// somebody else said reads the owner's word on it first.
    ///
    /// The filters bind them too.
    pub(in crate::recall) fn put_contradicting_trusted_first(
        &self,
        selection: &mut Selection,
        contested: &[Contested],
        filter: &CandidateFilter<'_>,
        candidate: impl Fn(u32) -> Candidate,
    ) -> Result<()> {
        let index = self.index;
        let untrusted: Vec<u32> = selection.shown.iter().map(|ranked| ranked.candidate.slot).collect();
        for slot in untrusted.into_iter().filter(|slot| !index.is_trusted(*slot)) {
            let trusted = contested.iter().filter(|pair| pair.weaker == slot && index.is_trusted(pair.by));
            for by in trusted.map(|pair| pair.by) {
                if !selection.is_shown(by) && index.contains(by) && filter.accepts(by) {
                    let ranked = self.rank(vec![candidate(by)])?.pop();
                    ranked.into_iter().for_each(|ranked| selection.insert_before(slot, ranked));
                }
            }
        }
        Ok(())
    }

    /// Returns what extends each of some blocks, with the weight of the edge between the two, in the order of the blocks.
    fn extending(&self, targets: &[u32]) -> Result<Vec<(u32, Vec<WeightedSlot>)>> {
        let index = self.index;
        let edges = index.links(self.snapshot, targets)?;
        // A link between two blocks also stands as an edge: a block without edges to others has no companion.
        let linked = |slot: &&u32| {
            let others = edges.get(slot).into_iter().flat_map(|list| list.links());
            others
                .into_iter()
                .any(|edge| edge.kind == AdjacentEdgeKind::Associates && !targets.contains(&edge.neighbour))
        };
        let ends: Vec<LinkEnd> =
            targets.iter().filter(linked).filter_map(|slot| index.id(*slot).cloned()).map(LinkEnd::from).collect();
        if ends.is_empty() {
            return Ok(Vec::new());
        }
        let query = LinkQuery { to: Some(ends), link_type: Some(LinkType::Extends), ..LinkQuery::default() };
        let mut found: HashMap<u32, Vec<(u32, f32)>> = HashMap::new();
        for link in self.snapshot.list_links(&query)? {
            let slot = |end: &LinkEnd| end.block().and_then(|id| index.slot(id));
            if let (Some(from), Some(to)) = (slot(&link.key.from), slot(&link.key.to)) {
                let edge = edges.get(&to).and_then(|list| list.get(from));
                found.entry(to).or_default().push((from, edge.map_or(0.0, |edge| edge.weight)));
            }
        }
        Ok(targets.iter().filter_map(|slot| Some((*slot, found.remove(slot)?))).collect())
    }
}
