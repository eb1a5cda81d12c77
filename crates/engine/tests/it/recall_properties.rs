//! What holds for every memory and every question.

use elfmem_core::BlockId;
use elfmem_engine::{AddFrame, Connect, Learn, Outcome, Recall, Strength};
use elfmem_text::tokens;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use crate::fixtures::TestMemory;
use crate::{frame_for, memory};

const TEXTS: [&str; 24] = [
    "Maria is allergic to peanuts",
    "Maria lives in Lisbon and works from home",
    "The Lisbon office closes at six",
    "Deploys go out on Tuesdays after the stand-up",
    "The staging server runs Debian",
    "The production server runs in Frankfurt",
    "Backups of the server are taken at night",
    "Caroline plays the violin in an orchestra",
    "Caroline adopted a grey cat in March 2024",
    "The cat likes to sleep on the printer",
    "The printer on the second floor is out of toner",
    "Coffee is ordered on the first of each month",
    "Ravi prefers tea without milk",
    "Ravi wrote the parser in Rust",
    "The parser rejects tabs in front of keys",
    "Invoices are sent by e-mail",
    "The lease of the office ends in 2027",
    "New colleagues get a tour of the office",
    "The orchestra rehearses on Thursday evenings",
    "Peanut butter is kept out of the kitchen",
    "getUserName returns null for guests",
    "The release of version 2 was on 2024-05-08",
    "Before the release everybody tests on Windows",
    "Who waters the plants in August?",
];
/// Not a word in common with the others, nor a topic.
const FOREIGN: [&str; 8] = [
    "Volcanoes erupt beneath glaciers",
    "Penguins incubate eggs through polar winters",
    "Medieval knights jousted wearing plate armour",
    "Saturn possesses icy rings",
    "Whales migrate thousands of kilometres",
    "Quartz crystals oscillate",
    "Emperor Trajan conquered Dacia",
    "Jellyfish drift through tropical lagoons",
];
const QUESTIONS: [&str; 8] = [
    "What is Maria allergic to?",
    "who plays an instrument?",
    "when do we deploy?",
    "server in Frankfurt",
    "what did Ravi write?",
    "what happened before the release?",
    "office lease",
    "cat printer toner",
];
const FRAMES: [&str; 5] = ["search", "attention", "task", "simulate", "self"];

fn texts() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(TEXTS.to_vec(), 1..=TEXTS.len()).prop_shuffle()
}

fn question() -> impl Strategy<Value = &'static str> {
    prop::sample::select(QUESTIONS.to_vec())
}

fn frame() -> impl Strategy<Value = &'static str> {
    prop::sample::select(FRAMES.to_vec())
}

fn holding(texts: &[&'static str]) -> TestMemory {
    let memory = memory();
    for text in texts {
        let tag = if text.starts_with("The") { "self/place" } else { "topic/other" };
        memory.learn(Learn::new(*text).tag(tag)).unwrap();
    }
    memory
}

/// Edges and outcomes, so that every component of a score has something to say.
fn lived_in(memory: &TestMemory, texts: &[&'static str], edges: &[(Index, Index)], good: &[Index]) {
    memory.consolidate().unwrap();
    let id = |at: &Index| BlockId::for_content(texts[at.index(texts.len())]).to_string();
    for (a, b) in edges {
        // A block is not linked to itself, and what a dream archived is not linked at all.
        drop(memory.connect(Connect::new(id(a), id(b))));
    }
    for at in good {
        drop(memory.outcome(Outcome::new([id(at)], 0.9)));
    }
}

fn ranking(memory: &TestMemory, request: &Recall) -> Vec<(BlockId, u64)> {
    let found = memory.recall(request.clone().preview()).unwrap();
    found.blocks.into_iter().map(|block| (block.id, block.score.to_bits())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn with_contiguity_off_the_order_of_insertion_does_not_change_the_ranking(
        (one, other) in texts().prop_flat_map(|texts| (Just(texts.clone()), Just(texts).prop_shuffle())),
        top_k in 1..12usize, dreamed in any::<bool>(),
    ) {
        let (first, second) = (holding(&one), holding(&other));
        if dreamed {
            first.consolidate().unwrap();
            second.consolidate().unwrap();
        }
        for question in QUESTIONS {
            for frame in FRAMES {
                let request = Recall::new(question).frame(frame).top_k(top_k).no_contiguity();
                prop_assert_eq!(ranking(&first, &request), ranking(&second, &request), "{:?}", request);
            }
        }
    }

    #[test]
    fn adding_an_unrelated_block_never_removes_a_hit(
        texts in texts(), question in question(), stranger in prop::sample::select(FOREIGN.to_vec()),
        frame in prop::sample::select(vec!["search", "attention"]), top_k in 1..8usize,
    ) {
        let memory = holding(&texts);
        let asked = |top_k: usize| memory.recall(Recall::new(question).frame(frame).top_k(top_k).preview()).unwrap();
        let before = asked(top_k);
        // What is returned at the very floor may fall below it: a larger memory has more that is near by chance.
        prop_assume!(before.strength == Some(Strength::Strong));
        let hits = before.blocks.into_iter().filter(|block| block.relevance.unwrap() >= 0.1);
        let hits: Vec<BlockId> = hits.map(|block| block.id).collect();
        memory.learn(stranger).unwrap();
        let now: Vec<BlockId> = asked(top_k + 1).blocks.into_iter().map(|block| block.id).collect();
        for hit in hits {
            prop_assert!(now.contains(&hit), "{hit} is gone for {question}");
        }
    }

    #[test]
    fn budgets_are_never_exceeded(
        texts in texts(), question in prop::option::of(question()), budget in 1..400u32, top_k in 0..30usize,
        template in frame(), promised in any::<bool>(),
    ) {
        let memory = holding(&texts);
        let frame = AddFrame::new("tight").budget(budget).template(template);
        memory.add_frame(if promised { frame.guarantees(["self/%"]) } else { frame }).unwrap();
        let rendered = memory.frame(frame_for("tight", question).top_k(top_k)).unwrap();
        prop_assert_eq!(tokens::estimate(&rendered.text), rendered.tokens);
        prop_assert!(rendered.tokens <= rendered.token_budget);
        let any_promised = promised && texts.iter().any(|text| text.starts_with("The"));
        prop_assert_eq!(rendered.token_budget, if any_promised { 2 * budget } else { budget });
        // Guaranteed blocks and the constraints of a task come in addition.
        let plain = rendered.blocks.iter().filter(|block| !block.guaranteed && !block.constraint).count();
        prop_assert!(plain <= top_k);
        for block in &rendered.blocks {
            prop_assert!(rendered.text.contains(&block.content), "what is said to be shown is in the text");
        }
    }

    #[test]
    fn scores_and_their_parts_lie_between_zero_and_one_and_the_score_is_the_weighted_sum(
        texts in texts(), edges in prop::collection::vec((any::<Index>(), any::<Index>()), 0..12),
        good in prop::collection::vec(any::<Index>(), 0..6), question in prop::option::of(question()), frame in frame(),
    ) {
        let memory = holding(&texts);
        lived_in(&memory, &texts, &edges, &good);
        let request = question.map_or_else(Recall::all, Recall::new).frame(frame).top_k(30);
        let found = memory.recall(&request).unwrap();
        let weights = memory.frames().unwrap().into_iter().find(|row| row.name == frame).unwrap().weights;
        let weights = if question.is_some() { weights } else { weights.queryless().unwrap() };
        for block in &found.blocks {
            let parts = block.explain.components;
            let all = [parts.similarity, parts.confidence, parts.recency, parts.centrality, parts.reinforcement];
            prop_assert!(all.iter().chain([&block.score]).all(|part| (0.0..=1.0).contains(part)), "{:?}", block);
            prop_assert!(block.relevance.is_none_or(|relevance| (0.0..=1.0).contains(&relevance)));
            prop_assert!((0.0..=1.0 + 1e-9).contains(&block.explain.words));
            prop_assert!(block.explain.meaning.is_none_or(|cosine| (-1.0..=1.0).contains(&cosine)));
            let sum = weights.similarity * all[0] + weights.confidence * all[1] + weights.recency * all[2]
                + weights.centrality * all[3] + weights.reinforcement * all[4];
            let is_moved = block.explain.placed_by_time || !block.explain.displaced.is_empty();
            prop_assert!((sum - block.score).abs() < 1e-9 || is_moved, "{sum} {:?}", block);
            prop_assert!(block.score >= sum - 1e-9, "what speaks for two has the higher score of both");
        }
        let ranked: Vec<f64> = found.blocks.iter().filter(|block| !block.guaranteed).map(|block| block.score).collect();
        // A frame with a question is diverse: what resembles a block before it comes later.
        let is_diverse = question.is_some() && frame != "search";
        prop_assert!(is_diverse || ranked.windows(2).all(|pair| pair[0] >= pair[1]));
        prop_assert_eq!(question.is_some(), found.strength.is_some() && found.relevance.is_some());
    }

    #[test]
    fn the_same_memory_answers_the_same_question_the_same_way(
        texts in texts(), edges in prop::collection::vec((any::<Index>(), any::<Index>()), 0..12), frame in frame(),
        question in prop::option::of(question()), top_k in 0..20usize,
    ) {
        let [one, other] = [(); 2].map(|()| {
            let memory = holding(&texts);
            lived_in(&memory, &texts, &edges, &[]);
            memory
        });
        let request = question.map_or_else(Recall::all, Recall::new).frame(frame).top_k(top_k).preview();
        let first = one.recall(&request).unwrap();
        prop_assert_eq!(&one.recall(&request).unwrap(), &first);
        prop_assert_eq!(&other.recall(&request).unwrap(), &first);
        prop_assert_eq!(one.frame(&request).unwrap().text, other.frame(&request).unwrap().text);
    }
}
