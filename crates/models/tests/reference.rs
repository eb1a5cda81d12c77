//! Compares the built-in models with reference ids and vectors.

use elfmem_models::{Embedder, EncoderEmbedder, StaticEmbedder};
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
fn the_static_table_matches_the_reference_vectors() {
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

/// The vectors of every kernel are compared in `elfmem-encoder`; here, those of whole texts.
#[test]
fn the_encoder_matches_the_reference_vectors() {
    let reference: Reference = serde_json::from_str(include_str!("../../encoder/tests/reference.json")).unwrap();
    let embedder = EncoderEmbedder::shared().unwrap();
    let texts: Vec<&str> = reference.cases.iter().map(|case| case.text.as_str()).collect();
    assert_eq!(texts.len(), 43);
    for (case, vector) in reference.cases.iter().zip(embedder.embed(&texts).unwrap()) {
        assert_eq!(embedder.piece_ids(&case.text), case.ids, "{:?}", case.text);
        assert_eq!(vector.is_some(), case.vector.is_some(), "{:?}", case.text);
        for (got, expected) in vector.iter().flatten().zip(case.vector.iter().flatten()) {
            assert!((got - expected).abs() <= 5e-4, "{:?}", case.text);
        }
    }
}
