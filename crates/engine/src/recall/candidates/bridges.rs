//! Bridges: candidates that hold a name from one of the best candidates are raised.
//!
//! "Which gloves does the vet need who has Thursdays off?" finds the note about the day off. Who that is stands there and
//! not in the question; what else is noted about that person answers.

use std::collections::HashSet;

use elfmem_core::BlockId;
use elfmem_index::{PreparedQuery, WordQuery};
use elfmem_text::language::Language;
use elfmem_text::terms::{QueryWord, query_words, terms_in};

use crate::Result;
use crate::recall::candidates::scored::Candidate;
use crate::recall::candidates::surroundings::{beside, has_surroundings};
use crate::recall::pipeline::RecallContext;
use crate::recall::question::parsed::Question;

/// How `via` is called for a block that was raised by a name.
pub(in crate::recall) const SAME_NAME: &str = "same_name";
/// How many of the best candidates have their names followed.
const SEEDS: usize = 2;
/// What a block gains that holds a name of a seed, as a share of the score of the seed.
const SHARE: f64 = 0.1;
/// A name that more blocks hold says little about any of them.
const MAX_HOLDERS: u32 = 12;
/// Letters of a name at least.
const MIN_LETTERS: usize = 3;
/// Names of one seed that are followed at most.
const MAX_NAMES: usize = 8;

/// A candidate whose names are followed.
struct BridgeSeed {
    slot: u32,
    /// Its score, as a share of the best.
    score: f64,
    names: PreparedQuery,
}

impl RecallContext<'_> {
    /// Raises candidates that hold a name which one of the best has and the question has not. None is raised above the
    /// seeds, and no untrusted seed raises a trusted block. In a conversation everybody's name is everywhere.
    pub(in crate::recall) fn follow_names(&self, candidates: &mut [Candidate], question: &Question) -> Result<()> {
        let is_trusted = |slot: u32| self.index.is_trusted(slot);
        let mut by_similarity: Vec<&Candidate> = candidates.iter().collect();
        by_similarity
            .sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| self.index.by_id(a.slot, b.slot)));
        let trusted = by_similarity.iter().copied().filter(|one| is_trusted(one.slot)).take(SEEDS);
        let trusted = self.seeds(trusted, question)?;
        let any = by_similarity.iter().copied().take(SEEDS).filter(|one| !is_trusted(one.slot));
        let untrusted = self.seeds(any, question)?;
        let untrusted_places: Vec<usize> = places(candidates, |slot| !is_trusted(slot));
        let all_places: Vec<usize> = places(candidates, |_| true);
        raise(candidates, &trusted, &all_places);
        raise(candidates, &untrusted, &untrusted_places);
        Ok(())
    }

    /// Looks up the names of some candidates.
    fn seeds<'a>(
        &self,
        candidates: impl Iterator<Item = &'a Candidate>,
        question: &Question,
    ) -> Result<Vec<BridgeSeed>> {
        let is_note = |slot: u32| !has_surroundings(self.index, slot, &beside(self.index, slot));
        let candidates: Vec<&Candidate> = candidates.filter(|one| is_note(one.slot)).collect();
        let ids: Vec<BlockId> = candidates.iter().filter_map(|one| self.index.id(one.slot).cloned()).collect();
        let blocks = self.snapshot.get_blocks(&ids)?;
        let asked: HashSet<&str> = question.words.rarities().map(|(word, _)| word).collect();
        let mut seeds = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let Some(block) = blocks.iter().find(|block| self.index.slot(&block.id) == Some(candidate.slot)) else {
                continue;
            };
            let names = names(&block.content, &asked);
            let held = self.index.prepare_words(self.snapshot, &names)?;
            let mut rare = WordQuery::default();
            for (name, holders) in names.words().iter().zip(held.document_frequencies()) {
                if (2..=MAX_HOLDERS).contains(&holders) {
                    rare.add_word(&name.word, name.weight, name.terms.iter().cloned());
                }
            }
            let names = self.index.prepare_words(self.snapshot, &rare)?;
            seeds.push(BridgeSeed { slot: candidate.slot, score: candidate.similarity.max(0.0).sqrt(), names });
        }
        Ok(seeds)
    }
}

/// Returns the places of candidates.
fn places(candidates: &[Candidate], keep: impl Fn(u32) -> bool) -> Vec<usize> {
    (0..candidates.len()).filter(|at| keep(candidates[*at].slot)).collect()
}

/// Returns the capitalised words of a text that a question does not have.
pub(in crate::recall) fn names(text: &str, asked: &HashSet<&str>) -> WordQuery {
    let language = Language::detect(text).unwrap_or(Language::English);
    let is_name = |word: &&str| {
        word.chars().count() >= MIN_LETTERS
            && word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
            && terms_in(word, language).iter().all(|term| !term.stop)
    };
    let mut names = WordQuery::default();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(is_name) {
        for QueryWord { word, terms } in
            query_words(word).into_iter().filter(|name| !asked.contains(name.word.as_str()))
        {
            if names.words().len() < MAX_NAMES {
                names.add_word(&word, 1.0, terms);
            }
        }
    }
    names
}

/// Raises candidates that hold a name of a seed, at most to just below the last seed.
fn raise(candidates: &mut [Candidate], seeds: &[BridgeSeed], places: &[usize]) {
    let Some(limit) = seeds.iter().map(|seed| seed.score).reduce(f64::min) else { return };
    for at in places {
        let candidate = &mut candidates[*at];
        let own = candidate.similarity.max(0.0).sqrt();
        if own >= limit || seeds.iter().any(|seed| seed.slot == candidate.slot) {
            continue;
        }
        let holding = seeds.iter().filter(|seed| !seed.names.matched(candidate.slot).is_empty());
        if let Some(seed) = holding.max_by(|a, b| a.score.total_cmp(&b.score)) {
            let raised = (own + SHARE * seed.score).min(limit.next_down());
            candidate.similarity = raised * raised;
            candidate.via = candidate.via.or(Some((seed.slot, SHARE as f32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_capitalised_words_that_the_question_does_not_have() {
        let asked = HashSet::from(["thursday"]);
        let found = names("Rota change: Felix's day off is Thursday (nursery run). No USB.", &asked);
        let found: Vec<&str> = found.words().iter().map(|name| name.word.as_str()).collect();
        assert_eq!(found, ["rota", "felix"]);
    }
}
