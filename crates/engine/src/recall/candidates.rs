//! Candidates: one look at everything by words and by meaning, then a closer look at the best of it.

use std::collections::{HashMap, HashSet};

use elfmem_core::Timestamp;
use elfmem_index::{NO_VECTOR, Parallel, VectorQuery};
use elfmem_store::Snapshot;
use elfmem_text::temporal::{ConstraintStrength, time_fit};

use super::fusion::{self, BESIDE, Own, Settings, Voices};
use super::gate::Gate;
use super::question::Question;
use super::top::Top;
use crate::Result;
use crate::memory_index::{MemoryIndex, Scratch};

/// Blocks that get the closer look, at least.
const POOL: usize = 128;
/// For each block asked for, so many get the closer look.
const POOL_PER_RESULT: usize = 8;
/// Of the trusted ones, so many are looked at closely whatever else there is.
pub(crate) const RESERVED: usize = 8;
/// The best of the pool, whose neighbours in time join it.
const WITH_NEIGHBOURS: usize = 48;
/// Words held by a larger share of the blocks, and by more than so many, do not count where they stand beside a block.
const EVERYWHERE: f64 = 0.2;
const FEWEST_EVERYWHERE: f64 = 20.0;
/// Blocks whose scores are worked out together: both lists stay in the fastest cache.
const TILE: usize = 256;
/// What a cue counts for beside the text: it is shorter, and short texts are near everything.
const CUE_SHARE: f64 = 0.95;

/// A block that may answer, and everything that speaks for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Candidate {
    pub(crate) slot: u32,
    /// Its share of the question's words.
    pub(crate) words: f64,
    /// The cosine of its text.
    pub(crate) meaning: Option<f64>,
    /// The cosine of its nearest cue.
    pub(crate) cue: Option<f64>,
    /// What it gained from what was stored around it.
    pub(crate) context: f64,
    /// What it gained from who said it.
    pub(crate) who: f64,
    /// How well its time fits.
    pub(crate) time: Option<f64>,
    /// How well it fits the question, on a scale of its own.
    pub(crate) relevance: f64,
    /// The same relative to the best, and with everything that speaks for it: what ranking goes by.
    pub(crate) similarity: f64,
    /// The block whose edge lifted it, and the weight of that edge.
    pub(crate) via: Option<(u32, f32)>,
}

/// Chooses the blocks for a closer look: the best by themselves, and what was stored around the very best.
pub(crate) fn pool(
    index: &mut MemoryIndex,
    question: &Question,
    gate: &Gate,
    wanted: usize,
    settings: &Settings,
) -> Result<Vec<u32>> {
    let mut scratch = std::mem::take(&mut index.scratch);
    let pool =
        Gathering::new(index, question, &mut scratch).map(|gathering| gathering.pool(gate, wanted, settings, false));
    index.scratch = scratch;
    pool
}

/// The same among trusted blocks alone, from what was scored before: a flood of others must not keep them from a closer look.
pub(crate) fn trusted_pool(
    index: &MemoryIndex,
    question: &Question,
    gate: &Gate,
    wanted: usize,
    settings: &Settings,
) -> Result<Vec<u32>> {
    Ok(Gathering::again(index, question)?.pool(gate, wanted, settings, true))
}

/// Takes the closer look at a [`pool`], at all of it by coarse cosines, which are off by less than a thousandth, and at the best
/// of it by exact ones; best first. For a question that asks when, it must be known by now which of its texts are dated.
pub(crate) fn gather(
    index: &mut MemoryIndex,
    snapshot: &dyn Snapshot,
    question: &Question,
    pool: &[u32],
    reserve: &[u32],
    wanted: usize,
    settings: &Settings,
) -> Result<Vec<Candidate>> {
    let gathering = Gathering::again(index, question)?;
    let mut best = gathering.best(pool, wanted, settings);
    let reserved = gathering.best(reserve, RESERVED, settings);
    best.extend(
        reserved.into_iter().filter(|(slot, _)| !best.iter().any(|(index, _)| index == slot)).collect::<Vec<_>>(),
    );
    if question.meaning.is_some() {
        index.load_vectors(snapshot, best.iter().map(|(slot, _)| *slot))?;
    }
    Ok(Gathering::again(index, question)?.candidates(&best, settings))
}

/// One question and what every block scored for it.
struct Gathering<'a> {
    index: &'a MemoryIndex,
    question: &'a Question,
    scratch: &'a Scratch,
    query: Option<VectorQuery>,
}

impl<'a> Gathering<'a> {
    /// Scores every block.
    fn new(index: &'a MemoryIndex, question: &'a Question, scratch: &'a mut Scratch) -> Result<Self> {
        index.words.score_into(&question.words, &mut scratch.words);
        let matrix = index.vectors.matrix();
        let query = question.meaning.as_ref().map(|meaning| matrix.query(meaning)).transpose()?;
        match &query {
            Some(query) => {
                matrix.scores_into(query, Parallel::default(), &mut scratch.cosines);
            }
            None => scratch.cosines.clear(),
        }
        scratch.cues = match &question.cue_meaning {
            Some(meaning) => index.cues.cosines(meaning)?,
            None => HashMap::new(),
        };
        Ok(Self { index, question, scratch, query })
    }

    /// The same from what was scored before.
    fn again(index: &'a MemoryIndex, question: &'a Question) -> Result<Self> {
        let matrix = index.vectors.matrix();
        let query = question.meaning.as_ref().map(|meaning| matrix.query(meaning)).transpose()?;
        Ok(Self { index, question, scratch: &index.scratch, query })
    }

    /// A block's share of words and its meaning, the latter to within what coarse numbers allow.
    fn own(&self, slot: u32) -> Own {
        let cosine = self.scratch.cosines.get(slot as usize).copied().filter(|cosine| *cosine != NO_VECTOR);
        Own { words: self.scratch.words.get(slot), meaning: lifted(cosine.map(f64::from), self.cue(slot)) }
    }

    /// How near the nearest cue of a block is. Most memories have few cues or none, and this is asked of every block.
    fn cue(&self, slot: u32) -> Option<f64> {
        if self.scratch.cues.is_empty() {
            return None;
        }
        self.scratch.cues.get(&slot).map(|cosine| f64::from(*cosine))
    }

    fn pool(&self, gate: &Gate, wanted: usize, settings: &Settings, trusted_only: bool) -> Vec<u32> {
        let may = |slot: u32| {
            self.index.contains(slot)
                && gate.lets_in(slot, self.index.standing(slot))
                && (!trusted_only || self.index.is_trusted(slot))
        };
        let by_id = |a: u32, b: u32| self.index.id(a).cmp(&self.index.id(b));
        let mut top = Top::new(wanted.saturating_mul(POOL_PER_RESULT).max(POOL), by_id);
        let offer = |top: &mut Top<_>, slot: u32, score: f32| {
            if score > 0.0 && top.wants(score) && may(slot) {
                top.offer(score, slot);
            }
        };
        match &gate.allowed {
            Some(allowed) => {
                allowed.iter().for_each(|slot| offer(&mut top, *slot, settings.at_first_sight(self.own(*slot)) as f32));
            }
            None if !self.scratch.cues.is_empty() => {
                (0..self.index.bound() as u32)
                    .for_each(|slot| offer(&mut top, slot, settings.at_first_sight(self.own(slot)) as f32));
            }
            None => {
                let words = self.scratch.words.by_slot();
                let bound = self.index.bound().min(words.len().max(self.scratch.cosines.len()));
                let mut scores = [0.0; TILE];
                for start in (0..bound).step_by(TILE) {
                    let scores = &mut scores[..TILE.min(bound - start)];
                    tile_scores(words, &self.scratch.cosines, settings.look, start, scores);
                    // Most tiles hold nothing that has a chance, and are passed over without a branch a block.
                    if scores.iter().map(|score| u32::from(top.wants(*score))).sum::<u32>() > 0 {
                        for (slot, score) in (start as u32..).zip(scores) {
                            offer(&mut top, slot, *score);
                        }
                    }
                }
            }
        }
        let mut pool: Vec<u32> = top.into_sorted().into_iter().map(|(_, slot)| slot).collect();
        if settings.contiguity {
            let mut seen: HashSet<u32> = pool.iter().copied().collect();
            for at in 0..pool.len().min(WITH_NEIGHBOURS) {
                let beside = self.beside(pool[at]);
                pool.extend(beside.into_iter().flatten().filter(|slot| seen.insert(*slot) && may(*slot)));
            }
        }
        pool
    }

    /// What was stored around a block, in the order of [`BESIDE`].
    fn beside(&self, slot: u32) -> [Option<u32>; BESIDE.len()] {
        let Some((members, at)) = self.index.sequence.place(slot) else { return [None; BESIDE.len()] };
        let before = |steps: usize| at.checked_sub(steps).map(|place| members[place]);
        let after = |steps: usize| members.get(at + steps).copied();
        [before(2), before(1), after(1), after(2)]
    }

    /// The best of the pool by coarse cosines, best first, and what speaks for each.
    fn best(&self, pool: &[u32], wanted: usize, settings: &Settings) -> Vec<(u32, Voices)> {
        let context = if settings.contiguity { self.context(pool) } else { vec![Voices::default(); pool.len()] };
        let named = self.index.sources.named(&self.question.names);
        let mut voices: Vec<Voices> = Vec::with_capacity(pool.len());
        let mut top =
            Top::new(wanted, |a: u32, b: u32| self.index.id(pool[a as usize]).cmp(&self.index.id(pool[b as usize])));
        for (at, (slot, context)) in pool.iter().zip(context).enumerate() {
            let heard = Voices { who: named.contains(&self.index.sources.of(*slot)), ..self.timed(*slot, context) };
            top.offer(fusion::fuse(self.own(*slot), &heard, settings).total as f32, at as u32);
            voices.push(heard);
        }
        let best = top.into_sorted().into_iter();
        best.map(|(_, at)| (pool[at as usize], voices[at as usize])).collect()
    }

    /// The best again by exact cosines, in the order that those make.
    fn candidates(&self, best: &[(u32, Voices)], settings: &Settings) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = best
            .iter()
            .map(|(slot, voices)| {
                let slot = *slot;
                let exact = |query| self.index.vectors.matrix().cosine_of(query, slot).map(f64::from);
                let meaning = self.query.as_ref().and_then(exact);
                let cue = self.cue(slot);
                let own = Own { words: self.scratch.words.get(slot), meaning: lifted(meaning, cue) };
                let fused = fusion::fuse(own, voices, settings);
                Candidate {
                    slot,
                    words: own.words,
                    meaning,
                    cue,
                    context: fused.context,
                    who: fused.who,
                    time: voices.time,
                    relevance: own.relevance(),
                    similarity: fused.total,
                    via: None,
                }
            })
            .collect();
        // What ranking goes by is measured by the best, so that it has a frame's full weight whatever the question; squared,
        // so that the good stand out among the also-rans before belief and use are weighed in.
        let most = found.iter().map(|candidate| candidate.similarity).fold(0.0, f64::max);
        found.retain(|candidate| candidate.similarity > 0.0);
        for candidate in &mut found {
            candidate.similarity = (candidate.similarity / most).powi(2);
        }
        found.sort_by(|a, b| {
            b.similarity.total_cmp(&a.similarity).then_with(|| self.index.id(a.slot).cmp(&self.index.id(b.slot)))
        });
        found
    }

    /// What the order of storing adds: words that stand beside a block, what its neighbours score, and its session.
    fn context(&self, pool: &[u32]) -> Vec<Voices> {
        let reach = self.index.words.reach(&self.question.words);
        let beside: Vec<[Option<u32>; BESIDE.len()]> = pool.iter().map(|slot| self.beside(*slot)).collect();
        // A block that holds no word at all is known by its score; most neighbours are such. The others are looked up in a
        // sorted list, which is cheaper than hashing each of a thousand several times.
        let mut holding: Vec<u32> = pool.iter().copied().chain(beside.iter().flatten().flatten().copied()).collect();
        holding.retain(|slot| self.scratch.words.get(*slot) > 0.0);
        holding.sort_unstable();
        holding.dedup();
        let mut worth: Vec<f32> = Vec::with_capacity(holding.len() * reach.len());
        holding.iter().for_each(|slot| reach.extend(*slot, &mut worth));
        let row = |slot: u32| -> &[f32] {
            let place = holding.binary_search(&slot).ok();
            place.map_or(&[], |place| &worth[place * reach.len()..(place + 1) * reach.len()])
        };
        let mut sessions: HashMap<u32, f64> = HashMap::new();
        for slot in pool {
            if let Some(group) = self.index.sequence.group_of(*slot) {
                let best = sessions.entry(group).or_default();
                *best = best.max(self.own(*slot).score());
            }
        }
        // A word that is everywhere, such as the name of one of two speakers, stands beside every block.
        let everywhere = (self.index.len() as f64 * EVERYWHERE).max(FEWEST_EVERYWHERE);
        let common: Vec<bool> = reach.document_frequencies().map(|holding| f64::from(holding) > everywhere).collect();
        let mut best: Vec<f64> = Vec::with_capacity(reach.len());
        pool.iter()
            .zip(beside)
            .map(|(slot, beside)| {
                best.clear();
                best.resize(reach.len(), 0.0);
                let mut take = |slot: u32, share: f64, own: bool| {
                    for ((best, worth), common) in best.iter_mut().zip(row(slot)).zip(&common) {
                        if own || !common {
                            *best = best.max(share * f64::from(*worth));
                        }
                    }
                };
                take(*slot, 1.0, true);
                let mut neighbours = 0.0;
                for (beside, (of_words, of_score)) in beside.into_iter().zip(BESIDE) {
                    if let Some(beside) = beside {
                        take(beside, of_words, false);
                        neighbours += of_score * self.own(beside).score();
                    }
                }
                let group = self.index.sequence.group_of(*slot);
                let session = group.and_then(|group| sessions.get(&group)).copied().unwrap_or(0.0);
                Voices { covered: best.iter().sum(), neighbours, session, ..Voices::default() }
            })
            .collect()
    }

    /// What the time asked about, and the manner of the block, add.
    fn timed(&self, slot: u32, context: Voices) -> Voices {
        let asking = self.index.is_asking(slot);
        let Some(time) = &self.question.time else { return Voices { asking, ..context } };
        let at = || Timestamp::from_second(self.index.happened_at(slot)?).ok();
        Voices {
            time: time.span.and_then(|_| Some(time_fit(time, at()?))),
            named_outright: time.strength == ConstraintStrength::Hard,
            dated: time.asks_when && self.index.is_dated(slot),
            asking,
            ..context
        }
    }
}

/// What some blocks score at first sight, from `start` on: [`Settings::at_first_sight`] in single precision, list by list, because this is asked
/// of every block. A list that ends before the others counts as zeros.
fn tile_scores(words: &[f64], cosines: &[f32], look: (f64, f64), start: usize, scores: &mut [f32]) {
    let words = words.get(start..).unwrap_or_default();
    let cosines = cosines.get(start..).unwrap_or_default();
    scores.fill(0.0);
    for (score, words) in scores.iter_mut().zip(words) {
        *score = look.0 as f32 * words.min(1.0) as f32;
    }
    for (score, cosine) in scores.iter_mut().zip(cosines) {
        *score += look.1 as f32 * cosine.max(0.0);
    }
}

/// The meaning of a text or of its nearest cue, whichever is nearer; never below zero.
pub(super) fn lifted(cosine: Option<f64>, cue: Option<f64>) -> f64 {
    cosine.unwrap_or(0.0).max(cue.unwrap_or(0.0) * CUE_SHARE).max(0.0)
}

/// Looks at one block by itself, after [`gather`] has looked at all of them. It has no similarity of its own to begin with:
/// it was not found by the question.
pub(crate) fn look(index: &MemoryIndex, question: &Question, slot: u32) -> Candidate {
    let cosine = index.scratch.cosines.get(slot as usize).copied().filter(|cosine| *cosine != NO_VECTOR);
    let meaning = question.meaning.as_ref().and(cosine).map(f64::from);
    let cue = question.cue_meaning.as_ref().and_then(|_| index.scratch.cues.get(&slot)).copied().map(f64::from);
    let words = if question.words.is_empty() { 0.0 } else { index.scratch.words.get(slot) };
    let relevance = Own { words, meaning: lifted(meaning, cue) }.relevance();
    Candidate { slot, words, meaning, cue, relevance, ..Candidate::default() }
}
