//! Precedence of trusted blocks: which of them stand before which untrusted ones.
//!
//! The word of the owner on a thing stands before the word of anybody else on the same thing, however well the other one was
//! worded for the question. Two blocks are about the same thing if a sentence of one says the same as a sentence of the other
//! or the opposite, or if the texts are near in meaning and the trusted one surely answers the question by itself.

use std::collections::{HashMap, HashSet};

use elfmem_core::{Block, BlockId};
use elfmem_text::language::Language;
use elfmem_text::statements::{PairThresholds, Statement, Verdict, judge, same_topic};

use crate::Result;
use crate::recall::candidates::scored::Candidate;
use crate::recall::pipeline::RecallContext;
use crate::recall::ranking::composite::COMPARABLE;
use crate::recall::ranking::freshness::stems;
use crate::results::Strength;

/// How many of the best untrusted and of the best trusted blocks are compared by what they say.
const COMPARED: usize = 8;
/// Sentences of a text that are compared with another.
const MAX_SENTENCES: usize = 12;
/// Pairs of sentences of two texts that are judged.
const JUDGED: usize = 3;
/// The cosine that two sentences of compared texts are judged with: both have to do with the question.
const NEAR: f64 = 0.9;
/// Words that two sentences must have in common to say the same thing, and their share of the shorter one.
const MIN_COMMON: usize = 2;
const MOST_WORDS: f64 = 0.6;
/// Smallest relevance of a trusted block that stands before untrusted ones for what its sentences say: one that does not
/// answer the question hides no part of a document that does.
const MIN_RELEVANCE: f64 = 0.03;
/// The cosine from which two texts are near.
const NEAR_TEXTS: f64 = 0.42;
/// Words at the beginning of a question that a text which is worded for it holds in a row, and the fewest words of such a question.
const REPEATED_WORDS: usize = 5;
const MIN_QUESTION_WORDS: usize = 4;

/// What a candidate is compared by.
#[derive(Debug, Clone, Copy)]
struct Measure {
    own_match: f64,
    time: Option<f64>,
    relevance: f64,
}

impl From<&Candidate> for Measure {
    fn from(candidate: &Candidate) -> Self {
        Self { own_match: candidate.balanced_match(), time: candidate.time, relevance: candidate.relevance }
    }
}

/// Which trusted candidates stand before which untrusted ones.
#[derive(Debug, Default)]
pub(in crate::recall) struct Precedence {
    trusted: HashMap<u32, Measure>,
    others: HashMap<u32, Measure>,
    /// Smallest match of a trusted candidate that matches by itself nearly as well as the best one.
    min_match: f64,
    /// Pairs of a trusted and an untrusted block of which sentences say the same or the opposite.
    same_thing: HashSet<(u32, u32)>,
    /// Those of them of which the sentence of the untrusted block is about the question.
    same_answer: HashSet<(u32, u32)>,
    /// Pairs of a trusted and an untrusted block whose texts are near.
    near: HashSet<(u32, u32)>,
    /// Untrusted blocks that repeat the question: their match says nothing about what they answer.
    repeat_question: HashSet<u32>,
    /// The compared blocks, best first.
    best_trusted: Vec<u32>,
    best_others: Vec<u32>,
    /// A trusted block that is shown although it is below the floor.
    lifted: Option<u32>,
}

impl Precedence {
    /// Returns whether a trusted block stands before an untrusted one.
    pub(in crate::recall) fn is_before(&self, trusted: u32, other: u32) -> bool {
        // Most memories hold blocks of one kind, and every pair of candidates is asked about.
        if self.trusted.is_empty() || self.others.is_empty() {
            return false;
        }
        let (Some(own), Some(theirs)) = (self.trusted.get(&trusted), self.others.get(&other)) else { return false };
        if self.answers_as_well(own, theirs) {
            return true;
        }
        match self.best_others.contains(&other) {
            true => self.is_about_the_same(trusted, own, other),
            // One that was not compared with trusted blocks stands below those that a better one of its kind stands below.
            false => self.best_others.iter().any(|better| self.is_about_the_same(trusted, own, *better)),
        }
    }

    /// Returns whether a trusted candidate answers at least as well as an untrusted one whose time does not fit better: by the
    /// text of both alone, or by their relevance. What stands around a text and what came later raise it too, and who writes
    /// many sentences chooses both.
    fn answers_as_well(&self, own: &Measure, theirs: &Measure) -> bool {
        let by_text = own.own_match >= self.min_match && own.own_match >= theirs.own_match;
        let by_relevance = own.relevance > 0.0 && own.relevance >= theirs.relevance;
        (by_text || by_relevance) && own.time >= theirs.time
    }

    fn is_about_the_same(&self, trusted: u32, own: &Measure, other: u32) -> bool {
        let (pair, is_lifted) = ((trusted, other), self.lifted == Some(trusted));
        let answers = own.own_match >= self.min_match && own.relevance >= Strength::DOUBTFUL;
        own.relevance >= MIN_RELEVANCE && self.same_thing.contains(&pair)
            || answers && (self.near.contains(&pair) || self.repeat_question.contains(&other))
            || is_lifted && self.same_answer.contains(&pair)
    }

    /// Finds the trusted block that is shown although it is below the floor: where nothing else of the owner is shown, the best
    /// of those that say the same or the opposite as an untrusted block which is shown says about the question. Returns it with
    /// the relevance of that one.
    pub(in crate::recall) fn lift(&mut self, is_enough: impl Fn(u32) -> bool) -> Option<(u32, f64)> {
        if self.trusted.keys().any(|slot| is_enough(*slot)) {
            return None;
        }
        let shown: Vec<u32> = self.best_others.iter().copied().filter(|slot| is_enough(*slot)).collect();
        let relevance_for = |trusted: u32| {
            let about = shown.iter().filter(|other| self.same_answer.contains(&(trusted, **other)));
            about.filter_map(|other| Some(self.others.get(other)?.relevance)).reduce(f64::max)
        };
        let lifted = self.best_trusted.iter().find_map(|slot| Some((*slot, relevance_for(*slot)?)));
        self.lifted = lifted.map(|(slot, _)| slot);
        lifted
    }
}

impl RecallContext<'_> {
    /// Compares trusted and untrusted candidates, given best first.
    pub(in crate::recall) fn precedence<'c>(
        &self,
        candidates: impl Iterator<Item = &'c Candidate> + Clone,
    ) -> Result<Precedence> {
        let of = |trusted: bool| candidates.clone().filter(move |one| self.index.is_trusted(one.slot) == trusted);
        let measures = |trusted: bool| of(trusted).map(|one| (one.slot, Measure::from(one))).collect();
        let best_match = of(true).map(Candidate::balanced_match).fold(0.0, f64::max);
        let mut precedence = Precedence {
            trusted: measures(true),
            others: measures(false),
            min_match: best_match * COMPARABLE,
            ..Precedence::default()
        };
        if self.question.is_some() {
            let best = |trusted: bool| -> Vec<u32> { of(trusted).take(COMPARED).map(|one| one.slot).collect() };
            (precedence.best_trusted, precedence.best_others) = (best(true), best(false));
            self.compare_texts(&mut precedence)?;
        }
        Ok(precedence)
    }

    /// Finds the pairs of a trusted and an untrusted block, both among the best, that are about the same thing.
    fn compare_texts(&self, precedence: &mut Precedence) -> Result<()> {
        let Precedence {
            best_trusted: trusted,
            best_others: others,
            same_thing,
            same_answer,
            near,
            repeat_question,
            ..
        } = precedence;
        if trusted.is_empty() || others.is_empty() {
            return Ok(());
        }
        let slots = || trusted.iter().chain(others.iter()).copied();
        let ids: Vec<BlockId> = slots().filter_map(|slot| self.index.id(slot).cloned()).collect();
        let blocks: Vec<Block> = self.snapshot.get_blocks(&ids)?;
        let question = self.question.map(|question| question.text()).unwrap_or_default();
        let repeating = blocks.iter().filter(|block| repeats_question(question, &block.content));
        repeat_question
            .extend(repeating.filter_map(|block| self.index.slot(&block.id)).filter(|slot| others.contains(slot)));
        let sentences: HashMap<u32, Vec<AnalysedSentence>> =
            blocks.iter().filter_map(|block| Some((self.index.slot(&block.id)?, sentences(&block.content)))).collect();
        let asked = stems_of(question);
        let vectors = self.index.full_vectors(self.snapshot, slots())?;
        let contradicting: HashSet<(u32, u32)> =
            self.index.contradicting_pairs().iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        for pair in trusted.iter().flat_map(|own| others.iter().map(move |other| (*own, *other))) {
            let (Some(own), Some(theirs)) = (sentences.get(&pair.0), sentences.get(&pair.1)) else { continue };
            let said: Vec<&AnalysedSentence> = said_by_both(own, theirs).collect();
            if !said.is_empty() || contradicting.contains(&pair) {
                same_thing.insert(pair);
            }
            if about(theirs, &asked).any(|sentence| said.iter().any(|said| std::ptr::eq(*said, sentence))) {
                same_answer.insert(pair);
            }
            if vectors.cosine_between(pair.0, pair.1).is_some_and(|cosine| cosine >= NEAR_TEXTS) {
                near.insert(pair);
            }
        }
        Ok(())
    }
}

/// Returns whether a text holds the first words of a question in a row. Statements do not, and notes that ask and answer do.
fn repeats_question(question: &str, text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let mut asked = words(question);
    asked.truncate(REPEATED_WORDS);
    asked.len() >= MIN_QUESTION_WORDS && words(text).windows(asked.len()).any(|run| run == asked)
}

/// A sentence, taken apart.
struct AnalysedSentence {
    statement: Statement,
    stems: HashSet<String>,
}

/// Returns the sentences of a text.
fn sentences(text: &str) -> Vec<AnalysedSentence> {
    let language = Language::detect(text).unwrap_or(Language::English);
    let sentences = text.split_inclusive(['.', '!', '?', ';', '\n']).map(str::trim);
    let sentences = sentences.filter(|sentence| sentence.len() > 1).take(MAX_SENTENCES);
    sentences
        .map(|text| AnalysedSentence {
            statement: Statement::parse(text),
            stems: stems(text, language).into_iter().collect(),
        })
        .collect()
}

/// Returns the stems of a question.
fn stems_of(question: &str) -> HashSet<String> {
    stems(question, Language::detect(question).unwrap_or(Language::English)).into_iter().collect()
}

/// Returns the sentences that a question is about: those with more than half as many of its words as the one with most.
fn about<'a>(
    sentences: &'a [AnalysedSentence],
    asked: &'a HashSet<String>,
) -> impl Iterator<Item = &'a AnalysedSentence> {
    let common = |sentence: &AnalysedSentence| sentence.stems.intersection(asked).count();
    let most = sentences.iter().map(common).max().unwrap_or(0);
    sentences.iter().filter(move |sentence| 2 * common(sentence) > most)
}

/// Returns the sentences of an untrusted text that say the same or the opposite as one of a trusted text. Judging takes time,
/// so it is done for the few pairs of sentences with most words in common.
fn said_by_both<'a>(
    own: &'a [AnalysedSentence],
    theirs: &'a [AnalysedSentence],
) -> impl Iterator<Item = &'a AnalysedSentence> {
    let pairs = own.iter().flat_map(|own| theirs.iter().map(move |theirs| (own, theirs)));
    let mut pairs: Vec<(usize, &AnalysedSentence, &AnalysedSentence)> =
        pairs.map(|(own, theirs)| (own.stems.intersection(&theirs.stems).count(), own, theirs)).collect();
    pairs.sort_by_key(|(common, ..)| std::cmp::Reverse(*common));
    let judged = pairs.into_iter().take(JUDGED).filter(|(_, own, theirs)| say_the_same_thing(own, theirs));
    judged.map(|(_, _, theirs)| theirs)
}

/// Returns whether two sentences speak of the same attribute of the same subject, have most words in common, or the rules
/// find that one repeats, replaces or contradicts the other.
fn say_the_same_thing(own: &AnalysedSentence, theirs: &AnalysedSentence) -> bool {
    let common = own.stems.intersection(&theirs.stems).count();
    let fewest = own.stems.len().min(theirs.stems.len());
    let alike = common >= MIN_COMMON && common as f64 >= MOST_WORDS * fewest as f64;
    let verdict = || judge(&own.statement, &theirs.statement, NEAR, PairThresholds::BUILT_IN);
    alike || same_topic(&own.statement, &theirs.statement) || !matches!(verdict(), Verdict::Related { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trusted candidate 0 and untrusted candidates 1 and 2, each with its match and its relevance.
    fn precedence(own: (f64, f64), others: [(f64, f64); 2]) -> Precedence {
        let measure = |(own_match, relevance): (f64, f64)| Measure { own_match, time: None, relevance };
        Precedence {
            trusted: HashMap::from([(0, measure(own))]),
            others: HashMap::from([(1, measure(others[0])), (2, measure(others[1]))]),
            min_match: own.0 * COMPARABLE,
            best_trusted: vec![0],
            best_others: vec![1],
            ..Precedence::default()
        }
    }

    #[test]
    fn a_trusted_block_stands_before_what_it_answers_as_well_as() {
        let before = |own, other| precedence(own, [other, other]).is_before(0, 1);
        assert!(before((0.7, 0.5), (0.6, 0.9)), "by its text");
        assert!(before((0.1, 0.9), (0.8, 0.9)), "by its relevance");
        assert!(!before((0.6, 0.5), (0.8, 0.9)));
        let mut dated = precedence((0.7, 0.5), [(0.6, 0.5), (0.6, 0.5)]);
        dated.others.get_mut(&1).unwrap().time = Some(0.9);
        assert!(!dated.is_before(0, 1), "the time that was asked for");
    }

    #[test]
    fn a_trusted_block_that_answers_stands_before_one_that_repeats_the_question() {
        let mut precedence = precedence((0.7, 0.8), [(0.9, 0.9), (0.8, 0.85)]);
        assert!(!precedence.is_before(0, 1));
        precedence.repeat_question.insert(1);
        assert!(precedence.is_before(0, 1));
        precedence.trusted.get_mut(&0).unwrap().relevance = 0.1;
        assert!(!precedence.is_before(0, 1), "it does not answer the question");
        let question = "What discount can I give a new customer?";
        assert!(repeats_question(question, "what discount can i give a new customer 90"));
        assert!(repeats_question(question, "FAQ. What discount, can I give?"));
        assert!(!repeats_question(question, "A discount of five percent can be given to a new customer"));
        assert!(!repeats_question("invoice limit 911", "invoice limit 911"), "words of a statement");
    }

    #[test]
    fn a_trusted_block_that_answers_stands_before_others_about_the_same_thing_and_what_ranks_below_them() {
        let mut precedence = precedence((0.3, 0.6), [(0.8, 0.9), (0.7, 0.8)]);
        assert!(!precedence.is_before(0, 1) && !precedence.is_before(0, 2));
        precedence.near.insert((0, 1));
        assert!(precedence.is_before(0, 1) && precedence.is_before(0, 2), "one that was not compared ranks below");
        precedence.trusted.get_mut(&0).unwrap().relevance = 0.2;
        assert!(!precedence.is_before(0, 1), "it does not answer by itself");
        precedence.same_thing.insert((0, 1));
        assert!(precedence.is_before(0, 1), "a doubtful answer that says the same or the opposite");
        precedence.trusted.get_mut(&0).unwrap().relevance = 0.02;
        assert!(!precedence.is_before(0, 1));
    }

    #[test]
    fn a_trusted_block_below_the_floor_is_lifted_where_the_owner_has_nothing_else_in_the_answer() {
        let with = |pairs: &[(u32, u32)]| {
            let mut precedence = precedence((0.2, 0.02), [(0.8, 0.9), (0.7, 0.8)]);
            precedence.same_answer.extend(pairs);
            precedence
        };
        let mut alone = with(&[(0, 1)]);
        assert!(!alone.is_before(0, 1));
        assert_eq!(alone.lift(|slot| slot != 0), Some((0, 0.9)));
        assert!(alone.is_before(0, 1));
        assert_eq!(with(&[(0, 1)]).lift(|_| true), None, "the owner has a place");
        assert_eq!(with(&[(0, 1)]).lift(|_| false), None, "nobody else is shown");
        assert_eq!(with(&[]).lift(|slot| slot != 0), None, "about something else");
    }

    #[test]
    fn the_sentences_that_a_question_is_about_have_most_of_its_words() {
        let page = sentences("Staging runs on host alder. Backups run at two. The admin is Bea.");
        let asked = stems_of("when do backups run?");
        let note = sentences("Staging runs on host cedar now.");
        let answers = |page: &[AnalysedSentence], asked| {
            about(page, asked).any(|theirs| note.iter().any(|own| say_the_same_thing(own, theirs)))
        };
        assert!(!answers(&page, &asked), "another sentence of the page says so");
        assert!(answers(&page, &stems_of("on which host does staging run?")));
    }

    #[test]
    fn sentences_about_one_attribute_say_the_same_thing() {
        let says = |own: &str, theirs: &str| {
            let theirs = sentences(theirs);
            sentences(own).iter().any(|own| theirs.iter().any(|theirs| say_the_same_thing(own, theirs)))
        };
        assert!(says("Deploys happen on Tuesdays", "Since yesterday deploys happen on Fridays.\n\nAsk Ben."));
        assert!(says("Refunds need approval by Maria", "Refunds do not need approval by Maria."));
        assert!(!says("Deploys happen on Tuesdays", "The office is in Bonn. The bakery opens at six."));
    }
}
