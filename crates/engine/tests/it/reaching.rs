//! A model that cannot be reached yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use elfmem_engine::{Dream, EmbedderChoice, ErrorKind, LateEmbedder, Models, Recall};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_models::{Embedder, ModelError, RulesAnalyst};

use crate::fixtures::memory_with;

#[test]
fn what_needs_no_vector_works_before_a_model_is_reached_and_the_rest_after() {
    let reachable = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&reachable);
    let late = LateEmbedder::new("far-away", move || -> Result<Arc<dyn Embedder>, ModelError> {
        if asked.load(Ordering::Relaxed) {
            return Ok(Arc::new(ScriptedEmbedder::new(16).named("far-away")));
        }
        Err(ModelError::Configuration { problem: "nobody is there".to_owned() })
    });
    let memory = memory_with(Models {
        embedder: EmbedderChoice::Late(Arc::new(late)),
        analyst: Arc::new(RulesAnalyst),
        ..Models::default()
    });
    memory.learn("Deploys go out on Tuesdays").unwrap();
    assert_eq!(memory.status().unwrap().inbox_count, 1);
    assert_eq!(memory.dream(Dream::new()).unwrap_err().kind(), ErrorKind::Model);
    reachable.store(true, Ordering::Relaxed);
    assert_eq!(memory.dream(Dream::new()).unwrap().promoted, 1);
    reachable.store(false, Ordering::Relaxed);
    assert_eq!(
        memory.recall(Recall::new("Deploys go out on Tuesdays").top_k(1)).unwrap().blocks.len(),
        1,
        "it is asked for once"
    );
}
