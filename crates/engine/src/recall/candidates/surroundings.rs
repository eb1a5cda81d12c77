//! Signals from the blocks that were stored around a block.

use std::collections::HashMap;

use crate::memory_index::MemoryIndex;
use crate::recall::candidates::fusion::{BESIDE, Signals};
use crate::recall::candidates::scores::BlockScores;
use crate::recall::question::parsed::Question;

/// Words that are held by a larger share of the blocks, and by more than so many, count only in a block itself.
const COMMON_SHARE: f64 = 0.2;
const MIN_COMMON: f64 = 20.0;

/// Returns the blocks stored around a block, in the order of [`BESIDE`].
pub(in crate::recall) fn beside(index: &MemoryIndex, slot: u32) -> [Option<u32>; BESIDE.len()] {
    let Some((members, at)) = index.sequence.place(slot) else { return [None; BESIDE.len()] };
    let before = |steps: usize| at.checked_sub(steps).map(|place| members[place]);
    let after = |steps: usize| members.get(at + steps).copied();
    [before(2), before(1), after(1), after(2)]
}

/// Returns whether what was stored around a block belongs to it: a document, or a conversation, in which somebody else
/// speaks before or after. Notes of one person that follow each other have nothing to do with each other, nor have notes of
/// the owner's programs, unless two of them take turns.
pub(in crate::recall) fn has_surroundings(index: &MemoryIndex, slot: u32, neighbours: &[Option<u32>]) -> bool {
    if index.is_in_document(slot) {
        return true;
    }
    let source = index.sources.get(slot);
    // No untrusted neighbour makes a note of the owner part of a conversation.
    let trusted = index.is_trusted(slot);
    let counts = |neighbour: u32| index.is_trusted(neighbour) || !trusted;
    let speaks = |neighbour: &u32| index.sources.get(*neighbour) != source && counts(*neighbour);
    let (before, after) = neighbours.split_at(neighbours.len() / 2);
    let in_order = before.iter().flatten().chain([&slot]).chain(after.iter().flatten());
    neighbours.iter().flatten().any(speaks)
        && (!trusted || take_turns(in_order.filter(|one| counts(**one)).map(|one| index.sources.get(*one))))
}

/// Returns true if the speaker changes at least twice and nobody speaks twice in a row more than once.
fn take_turns(speakers: impl Iterator<Item = Option<u32>>) -> bool {
    let speakers: Vec<Option<u32>> = speakers.collect();
    let changes = speakers.windows(2).filter(|two| two[0] != two[1]).count();
    changes >= 2 && changes + 2 >= speakers.len()
}

/// Returns for each block of a shortlist what the order of storing adds: words held beside it, the scores of its
/// neighbours, and the best score of its session.
pub(in crate::recall) fn surroundings(
    index: &MemoryIndex,
    question: &Question,
    scores: &BlockScores<'_>,
    shortlist: &[u32],
) -> Vec<Signals> {
    let words = &question.words;
    let neighbours: Vec<[Option<u32>; BESIDE.len()]> = shortlist.iter().map(|slot| beside(index, *slot)).collect();
    let contributions = Contributions::of(
        question,
        scores,
        shortlist.iter().copied().chain(neighbours.iter().flatten().flatten().copied()),
    );
    let related: Vec<bool> = shortlist
        .iter()
        .zip(&neighbours)
        .map(|(slot, neighbours)| has_surroundings(index, *slot, neighbours))
        .collect();
    // What is stored beside a trusted block adds to it only if it is trusted too.
    let counts = |slot: u32, beside: u32| index.is_trusted(beside) || !index.is_trusted(slot);
    let mut sessions: HashMap<(u32, bool), f64> = HashMap::new();
    for slot in shortlist {
        if let Some(group) = index.sequence.group_of(*slot) {
            let trusted = index.is_trusted(*slot);
            for of_trusted in [false, true].into_iter().take(1 + usize::from(trusted)) {
                let best = sessions.entry((group, of_trusted)).or_default();
                *best = best.max(scores.of(*slot).score());
            }
        }
    }
    // A word that is everywhere, such as the name of one of two speakers, is held beside every block.
    let common = (index.len() as f64 * COMMON_SHARE).max(MIN_COMMON);
    let common: Vec<bool> = words.document_frequencies().map(|count| f64::from(count) > common).collect();
    let mut best: Vec<f64> = Vec::with_capacity(words.len());
    shortlist
        .iter()
        .zip(neighbours)
        .zip(related)
        .map(|((slot, neighbours), related)| {
            if !related {
                return Signals::default();
            }
            best.clear();
            best.resize(words.len(), 0.0);
            let mut add = |slot: u32, share: f64, own: bool| {
                for ((best, contribution), common) in best.iter_mut().zip(contributions.get(slot)).zip(&common) {
                    if own || !common {
                        *best = best.max(share * f64::from(*contribution));
                    }
                }
            };
            add(*slot, 1.0, true);
            let mut of_neighbours = 0.0;
            for (neighbour, (word_share, score_share)) in neighbours.into_iter().zip(BESIDE) {
                if let Some(neighbour) = neighbour.filter(|neighbour| counts(*slot, *neighbour)) {
                    add(neighbour, word_share, false);
                    of_neighbours += score_share * scores.of(neighbour).score();
                }
            }
            let group = index.sequence.group_of(*slot);
            let session =
                group.and_then(|group| sessions.get(&(group, index.is_trusted(*slot)))).copied().unwrap_or(0.0);
            Signals { covered: best.iter().sum(), neighbours: of_neighbours, session, ..Signals::default() }
        })
        .collect()
}

/// What each word of a question adds to the scores of some blocks.
struct Contributions {
    /// The blocks that hold a word, sorted. Looking them up here is cheaper than hashing each of a thousand several times.
    slots: Vec<u32>,
    /// For each of them, one number per word.
    values: Vec<f32>,
    words: usize,
}

impl Contributions {
    fn of(question: &Question, scores: &BlockScores<'_>, slots: impl Iterator<Item = u32>) -> Self {
        // Most neighbours hold no word and have the score zero.
        let mut slots: Vec<u32> = slots.filter(|slot| scores.words(*slot) > 0.0).collect();
        slots.sort_unstable();
        slots.dedup();
        let words = question.words.len();
        let mut values: Vec<f32> = Vec::with_capacity(slots.len() * words);
        slots.iter().for_each(|slot| question.words.extend_contributions(*slot, &mut values));
        Self { slots, values, words }
    }

    fn get(&self, slot: u32) -> &[f32] {
        let place = self.slots.binary_search(&slot).ok();
        place.map_or(&[], |place| &self.values[place * self.words..(place + 1) * self.words])
    }
}

#[cfg(test)]
mod tests {
    use super::take_turns;

    #[test]
    fn two_voices_that_alternate_talk_and_a_single_one_between_notes_does_not() {
        let turns = |speakers: &str| take_turns(speakers.chars().map(|one| Some(one as u32)));
        for talk in ["ababa", "aabab", "abba", "aba", "abab"] {
            assert!(turns(talk), "{talk}");
        }
        for notes in ["aabaa", "aaaab", "baaaa", "aab", "ab", "aaaba"] {
            assert!(!turns(notes), "{notes}");
        }
    }
}
