//! All kernels against sums of 64 bits, and against each other.

use proptest::prelude::*;

use super::*;
use crate::weights::{PANEL, WeightPairs};

/// A matrix of random bytes. The most negative byte is included: no sum may overflow.
fn weights(outputs: usize, pairs: usize) -> impl Strategy<Value = Vec<WeightPairs>> {
    let byte = prop_oneof![4 => any::<u8>(), 1 => Just(0x80u8), 1 => Just(0x7fu8)];
    let count = outputs / PANEL * pairs;
    prop::collection::vec(byte, 2 * PANEL * count).prop_map(|bytes| bytes.as_chunks().0.to_vec())
}

fn rows(width: usize) -> impl Strategy<Value = Vec<f32>> {
    let number = prop_oneof![4 => -3.0..3.0f32, 1 => Just(0.0), 1 => Just(700.0f32), 1 => Just(-700.0f32)];
    (1..30usize).prop_flat_map(move |count| prop::collection::vec(number.clone(), count * width))
}

fn case() -> impl Strategy<Value = (usize, usize, Vec<WeightPairs>, Vec<f32>)> {
    (1..5usize, 1..40usize).prop_flat_map(|(panels, width)| {
        let outputs = panels * PANEL;
        (Just(outputs), Just(width), weights(outputs, width.div_ceil(2)), rows(width))
    })
}

proptest! {
    #[test]
    fn products_are_exact_and_the_same_on_all_kernels((outputs, width, weights, x) in case()) {
        let scales = (0..outputs).map(|output| 0.001 + output as f32 * 1e-5).collect();
        let bias = (0..outputs).map(|output| output as f32 * 0.1).collect();
        let linear = Linear::for_tests(width.div_ceil(2), scales, bias, &weights);
        let (mut expected, mut rounded) = (None, Quantised::default());
        for kernel in Kernel::available() {
            kernel.quantise(&x, width, width, &mut rounded);
            let mut out = Vec::new();
            kernel.product(&rounded, &linear, &mut out);
            for (row, out) in out.chunks_exact(outputs).enumerate() {
                for (output, got) in out.iter().enumerate() {
                    let panel = linear.panels().nth(output / PANEL).unwrap();
                    let weight = |column: usize| panel[column / 2][2 * (output % PANEL) + column % 2].cast_signed();
                    let products = (0..width).map(|at| i64::from(rounded.value(row, at)) * i64::from(weight(at)));
                    let exact = i32::try_from(products.sum::<i64>()).unwrap();
                    let scale = rounded.scale(row) * linear.scales[output];
                    prop_assert_eq!(*got, exact as f32 * scale + linear.bias[output], "{}", kernel.name());
                }
            }
            prop_assert_eq!(expected.get_or_insert_with(|| out.clone()), &out, "{}", kernel.name());
        }
    }

    #[test]
    fn float_products_are_close_and_the_same_on_all_kernels(
        (outputs, width) in (1..40usize, 1..40usize),
        seed in any::<u64>(),
        count in 1..30usize,
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| random.f32() - 0.5).collect() };
        let (weights, bias, stride) = (numbers(outputs * width), numbers(outputs), width + 3);
        let x = numbers(count * stride);
        let linear = FloatLinear::new((outputs, width), &weights, &bias).unwrap();
        let mut expected = None;
        for kernel in Kernel::available() {
            let mut out = Vec::new();
            kernel.float_product(&x, stride, &linear, &mut out);
            for (x, out) in x.chunks_exact(stride).zip(out.chunks_exact(linear.outputs())) {
                for (output, got) in out[..outputs].iter().enumerate() {
                    let weights = &weights[output * width..(output + 1) * width];
                    let exact: f64 = x.iter().zip(weights).map(|(x, weight)| f64::from(*x) * f64::from(*weight)).sum();
                    prop_assert!((f64::from(*got) - exact - f64::from(bias[output])).abs() < 1e-5);
                }
            }
            prop_assert_eq!(expected.get_or_insert_with(|| out.clone()), &out, "{}", kernel.name());
        }
    }

    #[test]
    fn rounding_keeps_fifteen_bits(x in rows(24)) {
        let mut rounded = Quantised::default();
        Kernel::PLAIN.quantise(&x, 24, 20, &mut rounded);
        for (row, x) in x.chunks_exact(24).enumerate() {
            let largest = x[..20].iter().fold(0.0f32, |most, x| most.max(x.abs()));
            for (at, x) in x[..20].iter().enumerate() {
                let got = rounded.value(row, at) as f32 * rounded.scale(row);
                prop_assert!((got - x).abs() <= largest / 32_000.0, "{} {}", got, x);
            }
        }
    }

    #[test]
    fn the_other_functions_are_the_same_on_all_kernels(x in rows(3 * 12)) {
        let norm = Norm { gain: vec![1.5; 36], shift: vec![0.25; 36], epsilon: 1e-12 };
        let mut expected = None;
        for kernel in Kernel::available() {
            let mut scratch = AttentionScratch::default();
            let mut attended = vec![0.0; x.len() / 3];
            kernel.attend(&x, 36, (12, 2), &mut scratch, &mut attended);
            let mut normed = x.clone();
            kernel.add_norm(&mut normed, &x, 36, &norm);
            let mut activated = normed.clone();
            kernel.gelu(&mut activated);
            let got = (attended, normed, activated);
            prop_assert_eq!(expected.get_or_insert_with(|| got.clone()), &got, "{}", kernel.name());
        }
    }
}

#[test]
fn the_largest_sums_do_not_overflow() {
    // 2¹⁶ inputs at the largest weight, and all activations equal: the sum of magnitudes is the limit.
    let (width, outputs) = (1 << 16, PANEL);
    let weights = vec![[0x80u8; 2 * PANEL]; width / 2];
    let linear = Linear::for_tests(width / 2, vec![1.0; outputs], vec![0.0; outputs], &weights);
    for kernel in Kernel::available() {
        let (mut rounded, mut out) = (Quantised::default(), Vec::new());
        kernel.quantise(&vec![1.0; width], width, width, &mut rounded);
        kernel.product(&rounded, &linear, &mut out);
        let expected = -128.0 * width as f32;
        assert!((out[0] / expected - 1.0).abs() < 2e-3, "{} {}", kernel.name(), out[0]);
    }
}

#[test]
fn a_number_that_is_not_finite_shows_in_the_result() {
    let weights = vec![[1u8; 2 * PANEL]; 2];
    let linear = Linear::for_tests(2, vec![1.0; PANEL], vec![0.0; PANEL], &weights);
    for (kernel, bad) in
        Kernel::available().into_iter().flat_map(|kernel| [(kernel, f32::NAN), (kernel, f32::INFINITY)])
    {
        let (mut rounded, mut out) = (Quantised::default(), Vec::new());
        kernel.quantise(&[1.0, bad, 1.0, 1.0], 4, 4, &mut rounded);
        kernel.product(&rounded, &linear, &mut out);
        assert!(out.iter().all(|number| number.is_nan()), "{}", kernel.name());
    }
}
