//! The classifier of pairs against its definition in 64-bit floating point.

use elfmem_encoder::{Encoder, EncoderError, Kernel, PairClassifier, lay_out_pairs};
use proptest::prelude::*;

use crate::model::{FACTORISED, ODD, PairShape, slices};
use crate::oracle::{Layer, Matrix, Oracle, gelu, product, sum, unpack};

/// Largest difference of a probability.
const TOLERANCE: f64 = 2e-3;

const SMALL: PairShape = PairShape { encoder: ODD, first_layers: 1, layers: 2, hidden: 5, classes: 3, max_pieces: 6 };
const WIDE: PairShape =
    PairShape { encoder: FACTORISED, first_layers: 2, layers: 1, hidden: 32, classes: 4, max_pieces: 18 };

/// Returns the probabilities as they are defined.
fn expected(shape: PairShape, seed: u64, pair: [&[u32]; 2]) -> Vec<f64> {
    let encoder = Oracle::new(shape.encoder, &shape.encoder.trained(seed));
    let mut sections = unpack(&shape.trained(seed)[40..], shape.sections());
    let segments = [sections.pop_front().unwrap().remove(0), sections.pop_front().unwrap().remove(0)];
    let texts = pair.map(|text| encoder.states(text, shape.first_layers));
    let mut x: Matrix = texts
        .iter()
        .zip(&segments)
        .flat_map(|(text, segment)| text.iter().map(|row| sum(row, segment)).collect::<Vec<_>>())
        .collect();
    (0..shape.layers).for_each(|_| Layer::next(&mut sections).apply(shape.encoder.heads, &mut x));
    let (one, other) = x.split_at(texts[0].len());
    let mean = |rows: &[Vec<f64>]| {
        let total = rows.iter().fold(vec![0.0; rows[0].len()], |total, row| sum(&total, row));
        total.into_iter().map(|x| x / rows.len() as f64).collect::<Vec<f64>>()
    };
    let (a, b) = (mean(one), mean(other));
    let both = || a.iter().zip(&b);
    let marks = one[0].iter().chain(&other[0]).copied();
    let features = marks.chain(both().map(|(a, b)| a - b)).chain(both().map(|(a, b)| a * b)).collect();
    let mut linear = || (sections.pop_front().unwrap(), sections.pop_front().unwrap().remove(0));
    let ((hidden, hidden_bias), (output, output_bias)) = (linear(), linear());
    let mut inner = product(&[features], &hidden, &hidden_bias);
    gelu(&mut inner);
    let scores = product(&inner, &output, &output_bias).remove(0);
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let total: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    scores.iter().map(|score| (score - most).exp() / total).collect()
}

/// Returns pairs of random texts: also equal ones, and the same text in several pairs.
fn pairs(shape: PairShape, seed: u64) -> Vec<[Vec<u32>; 2]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let last = u32::try_from(shape.encoder.pieces).unwrap();
    let mut text = || (0..random.usize(1..=shape.max_pieces)).map(|_| random.u32(5..last)).collect::<Vec<u32>>();
    let shared = text();
    let mut pairs: Vec<[Vec<u32>; 2]> = (0..9).map(|_| [text(), text()]).collect();
    pairs.push([shared.clone(), shared.clone()]);
    pairs.extend((0..3).map(|_| [shared.clone(), text()]));
    pairs
}

fn borrow(pairs: &[[Vec<u32>; 2]]) -> Vec<[&[u32]; 2]> {
    pairs.iter().map(|pair| pair.each_ref().map(Vec::as_slice)).collect()
}

#[test]
fn every_kernel_computes_the_defined_probabilities() {
    for (shape, seed) in (0..4).flat_map(|seed| [(SMALL, seed), (WIDE, seed)]) {
        let (parts, file) = (shape.encoder.parts(seed), lay_out_pairs(&shape.trained(seed)).unwrap());
        let classifier = PairClassifier::read(&file).unwrap();
        let texts = pairs(shape, seed + 50);
        let mut first = None;
        for kernel in Kernel::available() {
            let encoder = Encoder::read(&slices(&parts)).unwrap().with_kernel(kernel);
            let found = classifier.classify(&encoder, &borrow(&texts), 2).unwrap();
            for (found, pair) in found.iter().zip(&texts) {
                let expected = expected(shape, seed, [&pair[0], &pair[1]]);
                let found = found.as_ref().unwrap();
                assert_eq!(found.len(), classifier.classes());
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((f64::from(*found) - expected).abs() < TOLERANCE, "{shape:?} {seed}: {found} {expected}");
                }
            }
            assert_eq!(first.get_or_insert_with(|| found.clone()), &found, "{}", kernel.name());
        }
    }
}

#[test]
fn a_pair_does_not_depend_on_the_others_of_its_batch() {
    let (parts, file) = (WIDE.encoder.parts(3), lay_out_pairs(&WIDE.trained(3)).unwrap());
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    let classifier = PairClassifier::read(&file).unwrap();
    let texts: Vec<[Vec<u32>; 2]> = (0..30).flat_map(|seed| pairs(WIDE, seed)).collect();
    let together = classifier.classify(&encoder, &borrow(&texts), 3).unwrap();
    for (pair, found) in borrow(&texts).iter().zip(together) {
        assert_eq!(classifier.classify(&encoder, &[*pair], 1).unwrap(), [found]);
    }
}

#[test]
fn texts_without_pieces_have_no_probabilities_and_long_ones_are_read_at_their_start() {
    let (parts, file) = (SMALL.encoder.parts(1), lay_out_pairs(&SMALL.trained(1)).unwrap());
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    let classifier = PairClassifier::read(&file).unwrap();
    let (text, marks): (&[u32], &[u32]) = (&[7, 8], &[1, 2, 99]);
    let found = classifier.classify(&encoder, &[[text, &[]], [marks, text], [text, text]], 1).unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
    let long: Vec<u32> = (5..25).collect();
    let found = classifier.classify(&encoder, &[[&long, text], [&long[..classifier.max_pieces()], text]], 1).unwrap();
    assert_eq!(found[0], found[1]);
    assert!(classifier.classify(&encoder, &[], 2).unwrap().is_empty());
}

#[test]
fn a_classifier_of_another_encoder_is_refused() {
    let (parts, file) = (ODD.parts(1), lay_out_pairs(&WIDE.trained(1)).unwrap());
    let encoder = Encoder::read(&slices(&parts)).unwrap();
    let error = PairClassifier::read(&file).unwrap().classify(&encoder, &[], 1).unwrap_err();
    assert!(error.to_string().contains("18 pieces after 2 layers of width 32"), "{error}");
}

#[test]
fn files_that_are_cut_or_of_another_kind_are_refused() {
    let trained = SMALL.trained(2);
    let file = lay_out_pairs(&trained).unwrap();
    for end in 0..file.len() {
        assert!(PairClassifier::read(&file[..end]).is_err(), "cut at {end}");
    }
    for end in (0..trained.len()).step_by(7) {
        assert!(lay_out_pairs(&trained[..end]).is_err(), "trained file cut at {end}");
    }
    let longer = [file.as_slice(), &[0; 64]].concat();
    assert!(matches!(PairClassifier::read(&longer), Err(EncoderError::WrongLength { .. })));
    let other = PairClassifier::read(b"ELFP and so on").unwrap_err();
    assert_eq!(other.to_string(), "not an encoder model: it does not start with ELFC");
    let mut newer = file.clone();
    newer[4] = 2;
    assert!(PairClassifier::read(&newer).unwrap_err().to_string().contains("version 2, this program reads 1"));
}

proptest! {
    #[test]
    fn a_changed_header_is_refused_or_read(at in 4usize..40, value in any::<u8>()) {
        let mut file = lay_out_pairs(&SMALL.trained(2)).unwrap();
        file[at] = value;
        let parts = SMALL.encoder.parts(1);
        let encoder = Encoder::read(&slices(&parts)).unwrap();
        if let Ok(classifier) = PairClassifier::read(&file) {
            let text: &[u32] = &[7, 8];
            let _ = classifier.classify(&encoder, &[[text, text]], 1);
        }
    }
}
