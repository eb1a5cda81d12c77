//! An embedder that does not keep its contract, and a build without one.

use std::sync::Arc;

use elfmem_core::BlockStatus;
use elfmem_engine::{Dream, EmbedderChoice, ErrorKind, LateEmbedder, Models, Recall, SessionStyle};
use elfmem_models::{Embedder, HealthReport, ModelError, RulesAnalyst, SimilarityProfile, Usage};

use crate::fixtures::{TestMemory, blocks, clock, edges, learn, memory_on, memory_thinking, memory_with};

/// What the embedder does wrong.
#[derive(Debug, Clone, Copy)]
enum Fault {
    TooFew,
    TooMany,
    OtherSize,
    NotANumber,
}

struct Faulty(Fault);

impl Embedder for Faulty {
    fn name(&self) -> &str {
        "faulty-4"
    }

    fn dimensions(&self) -> usize {
        4
    }

    fn profile(&self) -> SimilarityProfile {
        SimilarityProfile::HOSTED
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let mut vectors = vec![Some(vec![0.5; 4]); texts.len()];
        match self.0 {
            Fault::TooFew => drop(vectors.pop()),
            Fault::TooMany => vectors.push(None),
            Fault::OtherSize => vectors[0] = Some(vec![1.0; 3]),
            Fault::NotANumber => vectors[0] = Some(vec![f32::NAN; 4]),
        }
        Ok(vectors)
    }

    fn check(&self) -> Result<HealthReport, ModelError> {
        Err(ModelError::NotFinite)
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

fn models(embedder: EmbedderChoice) -> Models {
    Models { embedder, analyst: Arc::new(RulesAnalyst), ..Models::default() }
}

fn late(make: impl Fn() -> Result<Arc<dyn Embedder>, ModelError> + Send + Sync + 'static) -> EmbedderChoice {
    EmbedderChoice::Late(Arc::new(LateEmbedder::new("faulty-4", make)))
}

#[test]
fn a_faulty_embedder_is_a_clear_error_and_stores_nothing() {
    for (fault, said) in [
        (Fault::TooFew, "gave 2 vectors for 3 texts"),
        (Fault::TooMany, "gave 4 vectors for 3 texts"),
        (Fault::OtherSize, "a vector of 3 dimensions, expected 4"),
        (Fault::NotANumber, "numbers that are not finite"),
    ] {
        let custom = EmbedderChoice::Custom(Arc::new(Faulty(fault)));
        for choice in [custom, late(move || Ok(Arc::new(Faulty(fault))))] {
            let memory = memory_with(models(choice));
            learn(&memory, &["Deploys go out on Tuesdays", "Maria likes tea", "The port is 5432"]);
            let error = memory.dream(Dream::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Model);
            assert!(error.message().contains(said), "{error}");
            assert!(error.recovery().contains("embedder"), "{error}");
            let stored = blocks(&memory);
            assert!(stored.iter().all(|block| block.embedding_model.is_none()), "{fault:?}");
            assert!(stored.iter().all(|block| block.status == BlockStatus::Inbox), "{fault:?}");
            assert_eq!(memory.filled_by().unwrap(), None);
            let answer = memory.recall(Recall::new("when do deploys go out?")).unwrap();
            assert_eq!(answer.blocks[0].content, "Deploys go out on Tuesdays");
            assert!(answer.to_string().contains("the model gave"), "{answer}");
        }
    }
}

fn without_a_model() -> EmbedderChoice {
    late(|| Err(ModelError::NotInBuild { model: "static", feature: "builtin-model" }))
}

fn status_of(memory: &TestMemory, text: &str) -> BlockStatus {
    blocks(memory).into_iter().find(|block| block.content == text).unwrap().status
}

#[test]
fn a_build_without_a_model_consolidates_by_words_and_says_so() {
    let memory = memory_with(models(without_a_model()));
    learn(&memory, &["The staging database listens on port 5432", "Deploys go out on Tuesdays at noon"]);
    let first = memory.dream(Dream::new()).unwrap();
    assert_eq!((first.processed, first.promoted), (2, 2));
    assert!(first.warnings[0].contains("by words") && first.warnings[0].contains("builtin-model"), "{first}");
    learn(
        &memory,
        &[
            "The staging database listens on port 5433",
            "Deploys go out on Tuesdays, at noon!",
            "Maria watches deploys on Tuesdays",
        ],
    );
    let second = memory.dream(Dream::new()).unwrap();
    assert_eq!((second.processed, second.contradictions_detected, second.deduplicated), (3, 1, 1), "{second}");
    assert_eq!(status_of(&memory, "The staging database listens on port 5433"), BlockStatus::Active);
    assert!(!edges(&memory).is_empty(), "what shares words is connected");
    assert_eq!(memory.filled_by().unwrap(), None, "no model is locked in");
}

#[test]
fn a_dry_run_by_words_promises_what_the_dream_does() {
    let memory = memory_with(models(without_a_model()));
    learn(&memory, &["The port is 5432", "The port is 5433", "The port is 5432.", "Ana keeps bees"]);
    let promised = memory.dream(Dream::new().dry_run()).unwrap();
    let done = memory.dream(Dream::new()).unwrap();
    assert_eq!(
        (promised.promoted, promised.deduplicated, promised.contradictions_detected, promised.edges_created),
        (done.promoted, done.deduplicated, done.contradictions_detected, done.edges_created)
    );
    assert!(done.contradictions_detected >= 1, "{done}");
}

#[test]
fn blocks_that_were_consolidated_by_words_are_embedded_once_there_is_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = memory_thinking(&path, &clock(), models(without_a_model()));
    learn(&memory, &["Maria is allergic to peanuts", "Deploys go out on Tuesdays"]);
    memory.dream(Dream::new()).unwrap();
    drop(memory);
    let memory = memory_on(&path, &clock(), SessionStyle::default());
    assert_eq!(memory.recall("who can't eat nuts?").unwrap().blocks[0].content, "Maria is allergic to peanuts");
    memory.migrate_embeddings(elfmem_engine::MigrateEmbeddings::new()).unwrap();
    assert_eq!(memory.filled_by().unwrap().as_deref(), Some(EmbedderChoice::default().name()));
}
