//! The composite edge score, turned on by `Options::edge_scoring`.

use std::sync::Arc;

use elfmem_core::{BlockId, EdgeKey, EdgeScoring};
use elfmem_engine::{Learn, Options};
use elfmem_models::RulesAnalyst;
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};

use crate::fixtures::{TestMemory, edges, edit, models, open_memory, work_for};
use crate::{clock, options};

fn open(options: Options) -> TestMemory {
    open_memory(options)
}

/// Dreams of one block, then of another one some hours later, with the composite edge score. Returns the weight of their
/// edge.
fn composite_weight(cosine: f64, tags: [&str; 2], categories: [&str; 2], hours: f64) -> Option<f64> {
    let texts = ["The garden has an apple tree", "The pond is deep"];
    let embedder = ScriptedEmbedder::new(256).with_cosine(texts[0], texts[1], cosine);
    let clock = clock();
    let options = Options {
        edge_scoring: EdgeScoring::Composite,
        models: models(Arc::new(embedder), Arc::new(RulesAnalyst)),
        ..options(&clock)
    };
    let memory = open(options);
    memory.begin_session("work").unwrap();
    for at in [0, 1] {
        memory.learn(Learn::new(texts[at]).tag(tags[at]).category(categories[at])).unwrap();
        memory.consolidate().unwrap();
        work_for(&memory, &clock, hours);
    }
    let weights: Vec<f64> = edges(&memory).iter().map(|edge| edge.weight.get()).collect();
    assert!(weights.len() <= 1);
    weights.first().copied()
}

#[test]
fn the_composite_score_adds_tags_category_and_time_to_the_cosine() {
    let near = |weight: Option<f64>, expected: f64| assert!((weight.unwrap() - expected).abs() < 1e-3, "{weight:?}");
    let same = (["garden", "garden"], ["knowledge", "knowledge"]);
    let other = (["garden", "water"], ["knowledge", "observation"]);
    // The examples of the reference.
    near(composite_weight(0.78, same.0, same.1, 0.0), 0.879);
    near(composite_weight(0.65, same.0, same.1, 5.0), 0.7898);
    near(composite_weight(0.50 + 1e-4, other.0, same.1, 0.0), 0.525);
    near(composite_weight(0.75, other.0, other.1, 100.0), 0.4575);
    assert_eq!(composite_weight(0.73, other.0, other.1, 100.0), None, "below the threshold");
    assert_eq!(composite_weight(0.49, same.0, same.1, 0.0), None, "below the cosine guard");
}

#[test]
fn a_block_is_as_new_as_its_dream_however_long_it_waited_in_the_inbox() {
    let texts = ["The garden has an apple tree", "The pond is deep"];
    let embedder = ScriptedEmbedder::new(256).with_cosine(texts[0], texts[1], 0.78);
    let clock = clock();
    let models = models(Arc::new(embedder), Arc::new(RulesAnalyst));
    let memory = open(Options { edge_scoring: EdgeScoring::Composite, models, ..options(&clock) });
    memory.begin_session("work").unwrap();
    for text in texts {
        memory.learn(Learn::new(text).tag("garden")).unwrap();
        work_for(&memory, &clock, 100.0);
    }
    memory.consolidate().unwrap();
    let weights: Vec<f64> = edges(&memory).iter().map(|edge| edge.weight.get()).collect();
    assert!(weights.len() == 1 && (weights[0] - 0.879).abs() < 1e-3, "{weights:?}");
}

#[test]
fn the_composite_score_selects_the_best_edges_and_counts_tags_of_the_analyst() {
    let center = "The garden has an apple tree";
    let others: Vec<String> = (0..12).map(|n| format!("Fact number {n} about something else")).collect();
    // The least similar block shares the tag that the analyst adds.
    let embedder = others.iter().enumerate().fold(ScriptedEmbedder::new(256), |embedder, (n, text)| {
        embedder.with_cosine(center, text, 0.80 - 0.01 * n as f64)
    });
    let analyst = ScriptedAnalyst::new().saying("apple tree", 0.0, &["self/style"]);
    let models = models(Arc::new(embedder), Arc::new(analyst));
    let options = Options { edge_scoring: EdgeScoring::Composite, models, ..options(&clock()) };
    let memory = open(options);
    for (n, text) in others.iter().enumerate() {
        let request = Learn::new(text);
        memory.learn(if n == 11 { request.tag("self/style") } else { request }).unwrap();
    }
    memory.consolidate().unwrap();
    for edge in edges(&memory) {
        edit(&memory, |transaction| transaction.delete_edge(&edge.key).map(drop));
    }
    let center = memory.learn(center).unwrap().block_id;
    assert_eq!(memory.consolidate().unwrap().edges_created, 10);
    let tagged = BlockId::for_content(&others[11]);
    let mut edges = edges(&memory);
    edges.sort_by(|a, b| b.weight.get().total_cmp(&a.weight.get()));
    assert_eq!(Some(&edges[0].key), EdgeKey::canonical(&center, &tagged).as_ref());
}
