//! The shipped model against its reference vectors, on every kernel.

use elfmem_encoder::{Encoder, Kernel};
use serde::Deserialize;

/// Largest difference in one number, and smallest cosine, of an integer path.
const TOLERANCE: f64 = 5e-4;
const COSINE: f64 = 0.9999;

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    ids: Vec<u32>,
    vector: Option<Vec<f64>>,
}

#[test]
fn every_kernel_matches_the_reference_vectors() {
    let reference: Reference = serde_json::from_str(include_str!("../reference.json")).unwrap();
    assert_eq!(reference.cases.len(), 43);
    let ids: Vec<&[u32]> = reference.cases.iter().map(|case| case.ids.as_slice()).collect();
    for kernel in Kernel::available() {
        let parts = [elfmem_encoder_data_1::PART, elfmem_encoder_data_2::PART];
        let encoder = Encoder::read(&parts).unwrap().with_kernel(kernel);
        let mut worst = (0.0f64, 1.0f64);
        for (case, got) in reference.cases.iter().zip(encoder.embed(&ids, 2).unwrap()) {
            assert_eq!(got.is_some(), case.vector.is_some(), "{:?}", case.text);
            let (Some(got), Some(expected)) = (got, &case.vector) else { continue };
            assert_eq!(got.len(), expected.len());
            let pairs = || got.iter().map(|x| f64::from(*x)).zip(expected);
            let off = pairs().map(|(got, expected)| (got - expected).abs()).fold(0.0, f64::max);
            let cosine: f64 = pairs().map(|(got, expected)| got * expected).sum();
            assert!(off <= TOLERANCE && cosine >= COSINE, "{} {:?}: off by {off}", kernel.name(), case.text);
            worst = (worst.0.max(off), worst.1.min(cosine));
        }
        println!("{}: off by at most {:.1e}, cosine at least {:.8}", kernel.name(), worst.0, worst.1);
    }
}
