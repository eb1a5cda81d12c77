//! Caps and thresholds that can be set (seed 000: `edge_degree_cap`; the five thresholds of an embedder).

use std::sync::Arc;

use elfmem_core::consolidation::ThresholdOverrides;
use elfmem_engine::{Connect, ErrorKind, Options, Verify};
use elfmem_models::scripted::{ScriptedAnalyst, ScriptedEmbedder};

use crate::fixtures::{FileMemory, edges, models, open_file, open_memory};
use crate::{clock, options};

fn hub(memory: &FileMemory, spokes: usize) -> Vec<elfmem_core::BlockId> {
    let words =
        ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "ivory", "jade", "kelp", "lark"];
    let ids = words[..=spokes].iter().map(|word| memory.learn(format!("Only {word}")).unwrap().block_id).collect();
    memory.consolidate().unwrap();
    ids
}

#[test]
fn a_raised_edge_degree_cap_takes_more_edges_and_holds_for_every_program() {
    let folder = tempfile::tempdir().unwrap();
    let (path, clock) = (folder.path().join("memory.db"), clock());
    let memory = open_file(&path, options(&clock));
    let ids = hub(&memory, 11);
    let connect = |memory: &FileMemory, to: usize| {
        memory.connect(Connect::new(ids[0].as_str(), ids[to].as_str()).relation("supports"))
    };
    for to in 1..=10 {
        connect(&memory, to).unwrap();
    }
    let full = connect(&memory, 11).unwrap_err();
    assert_eq!(full.kind(), ErrorKind::DegreeLimit);
    assert!(full.recovery().contains("increase edge_degree_cap in config"), "{}", full.recovery());
    let raised = open_file(&path, Options { edge_degree_cap: Some(11), ..options(&clock) });
    connect(&raised, 11).unwrap();
    assert_eq!(edges(&raised).len(), 11);
    let plain = open_file(&path, options(&clock));
    assert!(plain.verify(Verify::new()).unwrap().findings.is_empty(), "what was set is known to all");
    let more = plain.learn("Only maple").unwrap().block_id;
    plain.consolidate().unwrap();
    let full = plain.connect(Connect::new(ids[0].as_str(), more.as_str()).relation("supports")).unwrap_err();
    assert!(full.message().contains("has 11 protected edges"), "{}", full.message());
}

#[test]
fn thresholds_that_are_set_replace_those_of_the_embedder() {
    let near = |thresholds: ThresholdOverrides| {
        let (a, b) = ("The choir sings in Braga", "Kofi plays the cello");
        let embedder = ScriptedEmbedder::new(16).with_cosine(a, b, 0.70);
        let models = models(Arc::new(embedder), Arc::new(ScriptedAnalyst::new()));
        let memory = open_memory(Options { models, thresholds, ..options(&clock()) });
        let _ = [a, b].map(|text| memory.learn(text).unwrap());
        memory.consolidate().unwrap();
        edges(&memory).len()
    };
    assert_eq!(near(ThresholdOverrides::default()), 1);
    assert_eq!(near(ThresholdOverrides { edge: Some(0.75), ..ThresholdOverrides::default() }), 0);
    assert_eq!(near(ThresholdOverrides { edge: Some(0.65), ..ThresholdOverrides::default() }), 1);
    // What is not set gives way to what is: an edge needs no more than a paraphrase.
    assert_eq!(near(ThresholdOverrides { near: Some(0.65), ..ThresholdOverrides::default() }), 1);
}
