//! Where the constraints of a task are looked for: behind the blocks that fit it best, and behind the words of its kind.

use std::collections::HashSet;

use elfmem_core::BlockId;
use elfmem_index::AdjacentEdgeKind;
use elfmem_store::BlockFilter;
use elfmem_text::constraints::{ConstraintKind, sought_terms};
use elfmem_text::language::Language;

use crate::Result;
use crate::recall::candidates::bridges::names;
use crate::recall::candidates::scored::Candidate;
use crate::recall::pipeline::RecallContext;
use crate::recall::question::parsed::Question;
use crate::recall::ranking::composite::RankedCandidate;

/// How many of the blocks that fit a task best lead to constraints.
const SEEDS: usize = 8;
/// A word that more blocks hold leads to none of them.
const MAX_HOLDERS: usize = 12;
/// Names in a block from which it lists the members of a group.
const GROUP: usize = 3;

/// The blocks that those which fit a task best lead to.
#[derive(Debug, Default)]
pub(in crate::recall) struct ConstraintLeads {
    /// All of them.
    pub(in crate::recall) blocks: HashSet<u32>,
    /// Those that hold a name from a list of names: somebody who takes part.
    pub(in crate::recall) members: HashSet<u32>,
}

impl RecallContext<'_> {
    /// Returns the blocks that those which fit the task best lead to: by an edge, by a name or by a tag. Only seeds of the one
    /// kind of source lead. An untrusted one leads to untrusted blocks alone, and of trusted ones it is not counted how many
    /// untrusted blocks hold the same name or tag.
    pub(in crate::recall) fn constraint_leads(
        &self,
        ranked: &[RankedCandidate],
        question: &Question,
        trusted: bool,
    ) -> Result<ConstraintLeads> {
        let index = self.index;
        let seeds = self.lead_seeds(ranked, question, trusted);
        let asked: HashSet<&str> = question.words.rarities().map(|(word, _)| word).collect();
        let links = index.links(self.snapshot, &seeds)?;
        let neighbours = links.values().flat_map(|list| list.links());
        let neighbours = neighbours.filter(|link| link.kind == AdjacentEdgeKind::Associates);
        let mut leads = ConstraintLeads::default();
        leads.blocks.extend(neighbours.map(|link| link.neighbour));
        let ids: Vec<BlockId> = seeds.iter().filter_map(|slot| index.id(*slot).cloned()).collect();
        let mut listed: HashSet<String> = HashSet::new();
        let mut followed: HashSet<String> = HashSet::new();
        let mut tags: HashSet<String> = HashSet::new();
        for block in self.snapshot.get_blocks(&ids)? {
            let names = names(&block.content, &asked);
            let terms = names.words().iter().flat_map(|name| name.terms.iter().cloned());
            if names.words().len() >= GROUP {
                listed.extend(terms);
            } else {
                followed.extend(terms);
            }
            tags.extend(block.tags.iter().map(|tag| tag.as_str().to_owned()));
        }
        for tag in tags {
            let tagged =
                self.snapshot.filter_block_ids(&BlockFilter { any_tag: vec![tag], ..BlockFilter::default() })?;
            leads.blocks.extend(self.rare(tagged.iter().filter_map(|id| index.slot(id)).collect()));
        }
        for term in listed.union(&followed) {
            let holders = self.rare(self.holders(term)?);
            if listed.contains(term) {
                leads.members.extend(holders.iter().copied());
            }
            leads.blocks.extend(holders);
        }
        if !trusted {
            leads.blocks.retain(|slot| !index.is_trusted(*slot));
            leads.members.retain(|slot| !index.is_trusted(*slot));
        }
        Ok(leads)
    }

    /// Returns the blocks that lead: those of one kind of source that fit the task best and hold a word of it.
    fn lead_seeds(&self, ranked: &[RankedCandidate], question: &Question, trusted: bool) -> Vec<u32> {
        let index = self.index;
        let mut seeds: Vec<&Candidate> = ranked.iter().map(|ranked| &ranked.candidate).collect();
        seeds.retain(|one| one.words > 0.0 && index.is_trusted(one.slot) == trusted);
        // Who is named together with somebody whom the task names is not part of it for that.
        let is_thing = |word: &str| !question.subject.iter().any(|name| name == word);
        seeds.retain(|one| question.words.matched(one.slot).into_iter().any(is_thing));
        seeds.sort_by(|a, b| b.own_match().total_cmp(&a.own_match()).then_with(|| index.by_id(a.slot, b.slot)));
        seeds.into_iter().take(SEEDS).map(|one| one.slot).collect()
    }

    /// Returns the blocks that hold a term in their text.
    fn holders(&self, term: &str) -> Result<Vec<u32>> {
        let holders = self.snapshot.get_postings(term)?.into_iter().filter(|(_, counts)| counts[0] > 0);
        Ok(holders.filter_map(|(id, _)| self.index.slot(&id)).collect())
    }

    /// Leaves out the blocks of each kind of source if too many have something in common to say anything about one of them.
    fn rare(&self, holders: Vec<u32>) -> Vec<u32> {
        let (trusted, others): (Vec<u32>, Vec<u32>) =
            holders.into_iter().partition(|slot| self.index.is_trusted(*slot));
        [trusted, others].into_iter().filter(|holders| holders.len() <= MAX_HOLDERS).flatten().collect()
    }

    /// Returns the blocks with a word by which constraints are known that may concern every task of some kinds.
    pub(in crate::recall) fn sought_by_kind(&self, kinds: &[ConstraintKind]) -> Result<HashSet<u32>> {
        let mut found = HashSet::new();
        for (kind, language) in kinds.iter().flat_map(|kind| Language::ALL.map(|language| (*kind, language))) {
            for beginning in sought_terms(kind, language) {
                for term in self.index.terms(self.snapshot, &beginning)?.iter() {
                    found.extend(self.holders(term)?);
                }
            }
        }
        Ok(found)
    }
}
