//! The forward pass of random models.

use elfmem_encoder::{Encoder, Kernel};

use crate::model::{FACTORISED, FIRST, ODD, Shape, slices};
use crate::oracle::Oracle;

/// Largest difference in one number.
const TOLERANCE: f64 = 5e-4;

fn difference(got: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).map(|(got, expected)| (f64::from(*got) - expected).abs()).fold(0.0, f64::max)
}

fn embed(encoder: &Encoder<'_>, texts: &[Vec<u32>], threads: usize) -> Vec<Option<Vec<f32>>> {
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    encoder.embed(&texts, threads).unwrap()
}

fn cases() -> impl Iterator<Item = (Shape, u64)> {
    (0..6).flat_map(|seed| [(ODD, seed), (FACTORISED, seed)])
}

#[test]
fn every_kernel_computes_the_defined_vector() {
    for (shape, seed) in cases() {
        let (parts, oracle) = (shape.parts(seed), Oracle::new(shape, &shape.trained(seed)));
        let texts = shape.texts(seed + 100);
        let expected: Vec<Option<Vec<f64>>> = texts.iter().map(|text| oracle.embed(text, None)).collect();
        for kernel in Kernel::available() {
            let encoder = Encoder::read(&slices(&parts)).unwrap().with_kernel(kernel);
            for (got, expected) in embed(&encoder, &texts, 1).iter().zip(&expected) {
                assert_eq!(got.is_some(), expected.is_some());
                if let (Some(got), Some(expected)) = (got, expected) {
                    let worst = difference(got, expected);
                    assert!(worst < TOLERANCE, "{shape:?} seed {seed} {}: off by {worst}", kernel.name());
                }
            }
        }
    }
}

#[test]
fn kernels_threads_and_batches_do_not_change_a_bit() {
    for (shape, seed) in cases() {
        let parts = shape.parts(seed);
        let texts: Vec<Vec<u32>> = (0..5).flat_map(|round| shape.texts(seed + round)).collect();
        let plain = Encoder::read(&slices(&parts)).unwrap().with_kernel(Kernel::PLAIN);
        let expected = embed(&plain, &texts, 1);
        let single: Vec<Option<Vec<f32>>> =
            texts.iter().flat_map(|text| embed(&plain, std::slice::from_ref(text), 1)).collect();
        assert_eq!(expected, single);
        for (kernel, threads) in Kernel::available().into_iter().flat_map(|kernel| [(kernel, 1), (kernel, 3)]) {
            let encoder = Encoder::read(&slices(&parts)).unwrap().with_kernel(kernel);
            assert_eq!(embed(&encoder, &texts, threads), expected, "{} on {threads} threads", kernel.name());
        }
    }
}

#[test]
fn weights_of_a_question_are_applied_after_the_pass() {
    for (shape, seed) in cases() {
        let (parts, oracle) = (shape.parts(seed), Oracle::new(shape, &shape.trained(seed)));
        let encoder = Encoder::read(&slices(&parts)).unwrap();
        for text in shape.texts(seed + 7) {
            let Some(states) = encoder.states(&text) else {
                assert!(!text.iter().any(|id| encoder.sizes().is_text(*id)));
                continue;
            };
            let weights: Vec<f32> = (0..states.len()).map(|at| 0.5 + (at % 3) as f32).collect();
            let exact: Vec<f64> = weights.iter().map(|weight| f64::from(*weight)).collect();
            let got = encoder.pool(&states, &weights).unwrap();
            assert!(difference(&got, &oracle.embed(&text, Some(&exact)).unwrap()) < TOLERANCE);
        }
    }
}

#[test]
fn equal_weights_and_useless_ones_give_the_plain_vector() {
    let parts = FACTORISED.parts(1);
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    let text: Vec<u32> = (FIRST..35).collect();
    let plain = embed(&encoder, std::slice::from_ref(&text), 1).remove(0).unwrap();
    let states = encoder.states(&text).unwrap();
    assert_eq!(states.len(), text.len());
    for weights in [vec![1.0; text.len()], vec![0.0; text.len()], vec![-1.0, f32::NAN], vec![], vec![f32::INFINITY; 99]]
    {
        assert_eq!(encoder.pool(&states, &weights).unwrap(), plain, "{weights:?}");
    }
}

#[test]
fn no_text_is_no_vector() {
    let parts = ODD.parts(3);
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    assert_eq!(encoder.embed(&[], 4).unwrap(), Vec::<Option<Vec<f32>>>::new());
    assert_eq!(encoder.embed(&[&[], &[0, 1, 4], &[40, u32::MAX]], 4).unwrap(), [None, None, None]);
    assert!(encoder.states(&[0]).is_none());
}
