//! The order of an answer: the same for every number of blocks, in line with the relevance beside each, and with nothing
//! below the floor.

use elfmem_engine::{Learn, LearnDocument, LeftOutReason, Models, Options, Recall, ScoredBlock, Strength};
use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::fixtures::{TestMemory, open_memory, options};
use crate::{clock, memory};

const NOTES: [&str; 12] = [
    "Deploys happen on Tuesdays",
    "The deploy of the shop needs two reviews",
    "Ravi runs the deploys while Maria is away",
    "Maria is allergic to peanuts",
    "The office is in Bonn",
    "The office closes at six on Fridays",
    "Backups of the shop are taken at night",
    "The shop sells tea and coffee",
    "Coffee for the office is ordered by Ravi",
    "The tea kitchen of the office is on the second floor",
    "Reviews of the shop are answered by Maria",
    "Fridays are for reviews",
];
const PAGES: [&str; 5] = [
    "Since yesterday deploys happen on Fridays.\n\nDeploys happen every day. When do deploys happen? On Fridays.",
    "Who runs the deploys? Mallory runs the deploys.",
    "The office is not in Bonn. The office is in Kiel.",
    "Reviews are not needed for a deploy of the shop.",
    "The shop orders its coffee in Hamburg.",
];
const QUESTIONS: [&str; 5] = [
    "when do deploys happen",
    "who runs the deploys of the shop?",
    "where is the office?",
    "which reviews does a deploy need?",
    "who orders coffee?",
];
/// Smallest relevance that is shown, as a share of that of the answer.
const FLOOR: f64 = 0.025;

fn holding(notes: &[&str], pages: &[&str]) -> TestMemory {
    let clock = clock();
    let memory = open_memory(Options { models: Models::default(), ..options(&clock) });
    for note in notes {
        memory.learn(*note).unwrap();
        clock.forward_minutes(1.0);
    }
    for (at, page) in pages.iter().enumerate() {
        memory.learn_document(LearnDocument::new(*page).name(format!("page {at}"))).unwrap();
        clock.forward_minutes(1.0);
    }
    // Every block has a vector, however busy the machine is.
    memory.consolidate().unwrap();
    memory
}

fn blocks(memory: &TestMemory, question: &str, frame: &str, top_k: usize) -> Vec<ScoredBlock> {
    memory.recall(Recall::new(question).frame(frame).top_k(top_k).preview()).unwrap().blocks
}

fn shown(blocks: &[ScoredBlock]) -> Vec<(&str, f64)> {
    blocks.iter().map(|block| (block.content.as_str(), block.relevance.unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_shorter_answer_is_the_beginning_of_a_longer_one_and_its_numbers_agree_with_its_order(
        notes in subsequence(NOTES.to_vec(), 0..NOTES.len()), pages in subsequence(PAGES.to_vec(), 0..PAGES.len()),
    ) {
        let memory = holding(&notes, &pages);
        for question in QUESTIONS {
            for frame in ["search", "attention"] {
                let all = blocks(&memory, question, frame, 30);
                for top_k in 1..8 {
                    let some = blocks(&memory, question, frame, top_k);
                    prop_assert!(shown(&all).starts_with(&shown(&some)), "{frame} {question} {top_k}: {some:#?} {all:#?}");
                }
                // Notes are measured by the notes alone, so beside pages their answer may be the less likely one.
                let answer = match pages.is_empty() {
                    true => memory.recall(Recall::new(question).frame(frame).preview()).unwrap().relevance.unwrap(),
                    false => Strength::FLOOR,
                };
                let is_enough = |block: &ScoredBlock| block.relevance.unwrap() >= FLOOR * answer * (1.0 - 1e-9);
                prop_assert!(all.iter().all(is_enough), "{frame} {question} {answer} {all:#?}");
                let falls = all.windows(2).all(|pair| pair[0].relevance >= pair[1].relevance);
                prop_assert!(frame != "search" || falls, "{question} {all:#?}");
            }
        }
    }
}

#[test]
fn relevance_falls_where_a_page_is_put_behind_a_note() {
    let notes = [
        "Deploys happen on Tuesdays",
        "The deploy of the shop needs two reviews",
        "Maria is allergic to peanuts",
        "The office is in Bonn",
        "The office closes at six on Fridays",
        "The shop sells tea and coffee",
        "Coffee for the office is ordered by Ravi",
        "The tea kitchen of the office is on the second floor",
        "Reviews of the shop are answered by Maria",
        "Fridays are for reviews",
    ];
    let pages = [
        "The office is not in Bonn. The office is in Kiel.",
        "Reviews are not needed for a deploy of the shop.",
        "The shop orders its coffee in Hamburg.",
    ];
    let memory = holding(&notes, &pages);
    let found = blocks(&memory, "who runs the deploys of the shop?", "search", 30);
    assert!(found.windows(2).all(|pair| pair[0].relevance >= pair[1].relevance), "{:#?}", shown(&found));
}

#[test]
fn a_page_that_repeats_the_question_stays_below_the_note_that_it_speaks_against() {
    let memory = holding(&NOTES[..5], &PAGES[..1]);
    for top_k in [1, 2, 5, 30] {
        for frame in ["search", "attention"] {
            let found = blocks(&memory, QUESTIONS[0], frame, top_k);
            assert_eq!(found[0].content, NOTES[0], "{frame} {top_k} {found:#?}");
        }
    }
}

#[test]
fn what_has_nothing_to_do_with_a_question_fills_no_answer_on_any_surface() {
    let memory = holding(&NOTES, &[]);
    let question = "What is Maria allergic to?";
    let found = blocks(&memory, question, "search", 5);
    assert!(found.len() < 5 && found[0].content == NOTES[3], "{found:#?}");
    let everything = memory.recall(Recall::new(question).include_weak().preview()).unwrap();
    assert!(everything.blocks.len() > found.len(), "asked for everything");
    let rendered = memory.frame(Recall::new(question).frame("attention").preview()).unwrap();
    assert!(rendered.blocks.len() < 5 && rendered.text.contains(NOTES[3]), "{}", rendered.text);
}

#[test]
fn a_contradiction_among_blocks_that_do_not_concern_the_question_is_not_mentioned() {
    let memory = memory();
    for text in ["Maria is allergic to peanuts", "The port of the server is 5432", "The port of the server is 5433"] {
        memory.learn(Learn::new(text)).unwrap();
    }
    memory.consolidate().unwrap();
    let about = |question: &str, top_k: usize| {
        let found = memory.recall(Recall::new(question).top_k(top_k).preview()).unwrap();
        found.left_out.into_iter().filter(|left| left.reason == LeftOutReason::Contradiction).count()
    };
    assert_eq!(about("Which port does the server have?", 1), 1, "the two contradict each other");
    assert_eq!(about("What is Maria allergic to?", 1), 0);
    assert_eq!(about("What is Maria allergic to?", 2), 0);
}
