//! Compares the built-in embedder with ids and vectors of the teacher model's tokenizer.

use elfmem_models::{Embedder, StaticEmbedder};
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    tolerance: f32,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    ids: Vec<u32>,
    vector: Option<Vec<f32>>,
}

#[test]
fn the_embedder_matches_the_reference_vectors() {
    let reference: Reference = serde_json::from_str(include_str!("reference.json")).unwrap();
    let embedder = StaticEmbedder::shared().unwrap();
    let texts: Vec<&str> = reference.cases.iter().map(|case| case.text.as_str()).collect();
    let vectors = embedder.embed(&texts).unwrap();
    assert_eq!(reference.cases.len(), 31);

    for (case, vector) in reference.cases.iter().zip(vectors) {
        assert_eq!(embedder.piece_ids(&case.text), case.ids, "{:?}", case.text);
        match (&case.vector, vector) {
            (None, None) => {}
            (Some(expected), Some(got)) => {
                assert_eq!(expected.len(), got.len());
                let worst = expected.iter().zip(&got).map(|(e, g)| (e - g).abs()).fold(0.0, f32::max);
                assert!(worst <= reference.tolerance, "{:?} is off by {worst}", case.text);
            }
            (expected, got) => panic!("{:?}: expected {expected:?}, got {got:?}", case.text),
        }
    }
}
