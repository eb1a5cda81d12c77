//! The floating-point part of the forward pass. Every function is compiled for each kind of processor.
//!
//! Sums have sixteen running totals, which fill the registers of any processor. No function of the C library is called:
//! its results differ between systems.

use super::quantised::ROUNDING;
use super::tiles::tiles;
use crate::float_weights::FloatLinear;
use crate::weights::Norm;

/// Running totals of a sum, and columns of a panel of attention.
pub(super) const LANES: usize = 16;
/// Rows that are multiplied at a time. With more, compilers keep the sums in memory.
const ROWS: usize = 4;

/// Folds numbers into sixteen totals that start at zero.
#[inline(always)]
pub(super) fn fold(numbers: &[f32], step: impl Fn(f32, f32) -> f32) -> [f32; LANES] {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut totals = [0.0; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            totals[lane] = step(totals[lane], chunk[lane]);
        }
    }
    for (total, number) in totals.iter_mut().zip(rest) {
        *total = step(*total, *number);
    }
    totals
}

/// Adds totals up in a fixed order.
#[inline(always)]
pub(super) fn sum(totals: &[f32; LANES]) -> f32 {
    let mut totals = *totals;
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            totals[lane] += totals[lane + half];
        }
        half /= 2;
    }
    totals[0]
}

#[inline(always)]
pub(super) fn add_norm(x: &mut [f32], rows: &[f32], stride: usize, norm: &Norm) {
    let width = norm.gain.len();
    for (x, row) in x.chunks_exact_mut(width).zip(rows.chunks_exact(stride)) {
        for (x, row) in x.iter_mut().zip(row) {
            *x += row;
        }
        let mean = sum(&fold(x, |total, x| total + x)) / width as f32;
        let variance = sum(&fold(x, |total, x| total + (x - mean) * (x - mean))) / width as f32;
        let factor = 1.0 / (variance + norm.epsilon).sqrt();
        for ((x, gain), shift) in x.iter_mut().zip(&norm.gain).zip(&norm.shift) {
            *x = (*x - mean) * factor * gain + shift;
        }
    }
}

/// Replaces each number `z` by `z · Φ(z)`, with the error function of Abramowitz and Stegun 7.1.28 (error below 3e-7).
#[inline(always)]
pub(super) fn gelu(rows: &mut [f32]) {
    for z in rows {
        let x = z.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let series = 0.000_043_063_8;
        let series = series * x + 0.000_276_567_2;
        let series = series * x + 0.000_152_014_3;
        let series = series * x + 0.009_270_527;
        let series = series * x + 0.042_282_01;
        let series = series * x + 0.070_523_076;
        let series = series * x + 1.0;
        let power = series * series;
        let power = power * power;
        let power = power * power;
        // 1 − erf(x): what is missing to one, so that it is exact for large negative numbers.
        let missing = 1.0 / (power * power);
        *z *= 0.5 * if *z < 0.0 { missing } else { 2.0 - missing };
    }
}

/// Returns `e` to a power of at most zero.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -0.000_212_194_44;
    // Below, the result is no normal number.
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let twos = shifted - ROUNDING;
    let rest = x - twos * LN_2_HIGH - twos * LN_2_LOW;
    let series = 1.0 / 720.0;
    let series = series * rest + 1.0 / 120.0;
    let series = series * rest + 1.0 / 24.0;
    let series = series * rest + 1.0 / 6.0;
    let series = series * rest + 0.5;
    let series = series * rest + 1.0;
    let series = series * rest + 1.0;
    // The rounded power of two is in the lowest bits; 127 is the exponent of one.
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits()).wrapping_add(127);
    series * f32::from_bits(exponent << 23)
}

/// Reusable buffers of attention.
#[derive(Debug, Default)]
pub(crate) struct AttentionScratch {
    /// The queries of a head, row by row.
    queries: Vec<f32>,
    /// Its keys in panels of sixteen pieces, and its values in panels of sixteen numbers.
    keys: Vec<[f32; LANES]>,
    values: Vec<[f32; LANES]>,
    /// The weights with which some pieces attend to all.
    weights: Vec<[f32; LANES]>,
}

#[inline(always)]
pub(super) fn attend(
    queries_keys_values: &[f32],
    stride: usize,
    (width, heads): (usize, usize),
    scratch: &mut AttentionScratch,
    out: &mut [f32],
) {
    let (pieces, head_width) = (queries_keys_values.len() / stride, width / heads);
    let (piece_panels, width_panels) = (pieces.div_ceil(LANES), head_width.div_ceil(LANES));
    let scale = 1.0 / (head_width as f32).sqrt();
    scratch.queries.resize(pieces.next_multiple_of(ROWS) * head_width, 0.0);
    scratch.keys.resize(piece_panels * head_width, [0.0; LANES]);
    scratch.values.resize(width_panels * pieces, [0.0; LANES]);
    scratch.weights.resize(ROWS * piece_panels, [0.0; LANES]);
    for head in 0..heads {
        scratch.gather(queries_keys_values, stride, (width, head_width), head, scale);
        for first in (0..pieces).step_by(ROWS) {
            let AttentionScratch { queries, keys, values, weights } = scratch;
            let queries: [&[f32]; ROWS] =
                std::array::from_fn(|row| &queries[(first + row) * head_width..(first + row + 1) * head_width]);
            for (at, keys) in keys.chunks_exact(head_width).enumerate() {
                for (row, scores) in multiply(queries, keys).into_iter().enumerate() {
                    weights[row * piece_panels + at] = scores;
                }
            }
            let mut totals = [1.0; ROWS];
            for (total, weights) in totals.iter_mut().zip(weights.chunks_exact_mut(piece_panels)) {
                *total = soften(&mut weights.as_flattened_mut()[..pieces]);
            }
            let weights = weights.as_flattened();
            let weights: [&[f32]; ROWS] = std::array::from_fn(|row| &weights[row * piece_panels * LANES..][..pieces]);
            for (at, values) in values.chunks_exact(pieces).enumerate() {
                let start = at * LANES;
                let length = LANES.min(head_width - start);
                let means = multiply(weights, values);
                for (row, (means, total)) in means.iter().zip(totals).enumerate().take(pieces - first) {
                    let start = (first + row) * width + head * head_width + start;
                    for (out, mean) in out[start..start + length].iter_mut().zip(means) {
                        *out = mean / total;
                    }
                }
            }
        }
    }
}

impl AttentionScratch {
    /// Copies the queries, keys and values of a head.
    #[inline(always)]
    fn gather(&mut self, rows: &[f32], stride: usize, (width, head_width): (usize, usize), head: usize, scale: f32) {
        let pieces = rows.len() / stride;
        for (piece, row) in rows.chunks_exact(stride).enumerate() {
            let part = |at: usize| &row[at * width + head * head_width..][..head_width];
            for (query, number) in self.queries[piece * head_width..].iter_mut().zip(part(0)) {
                *query = number * scale;
            }
            let keys = &mut self.keys[piece / LANES * head_width..];
            for (key, number) in keys.iter_mut().zip(part(1)) {
                key[piece % LANES] = *number;
            }
            for (panel, numbers) in part(2).chunks(LANES).enumerate() {
                self.values[panel * pieces + piece][..numbers.len()].copy_from_slice(numbers);
            }
        }
    }
}

/// Computes `linear` of every row of `stride` numbers, some rows at a time.
#[inline(always)]
pub(super) fn product(rows: &[f32], stride: usize, linear: &FloatLinear, out: &mut [f32]) {
    let (count, outputs) = (rows.len() / stride, linear.outputs());
    for (panel, at) in linear.panels().zip((0..).step_by(LANES)) {
        for tile in tiles(count, ROWS) {
            // A low tile computes its last row several times.
            let row = |row: usize| &rows[(tile.start + row).min(tile.end - 1) * stride..];
            let sums = multiply(std::array::from_fn(row), panel);
            for (row, sums) in tile.zip(sums) {
                let bias = &linear.bias()[at..at + LANES];
                for ((out, sum), bias) in out[row * outputs + at..].iter_mut().zip(sums).zip(bias) {
                    *out = sum + bias;
                }
            }
        }
    }
}

/// Multiplies rows with a panel of columns.
#[inline(always)]
fn multiply(rows: [&[f32]; ROWS], panel: &[[f32; LANES]]) -> [[f32; LANES]; ROWS] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut sums = [[0.0; LANES]; ROWS];
    for (at, columns) in panel.iter().enumerate() {
        for row in 0..ROWS {
            let factor = rows[row][at];
            for lane in 0..LANES {
                sums[row][lane] += factor * columns[lane];
            }
        }
    }
    sums
}

/// Replaces scores by their exponentials relative to the largest; returns their sum.
#[inline(always)]
fn soften(scores: &mut [f32]) -> f32 {
    let (first, scores) = match scores {
        [] => return 1.0,
        [first, ..] => (*first, scores),
    };
    // Totals start at zero, so the folded numbers are the distances above the first score.
    let above = fold(scores, |most, score| if score - first > most { score - first } else { most });
    let largest = first + above.into_iter().fold(0.0, f32::max);
    for score in scores.iter_mut() {
        *score = exp(*score - largest);
    }
    sum(&fold(scores, |total, score| total + score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gelu_is_that_of_the_reference() {
        for (z, expected) in
            [(0.0, 0.0), (1.0, 0.841_344_7), (-1.0, -0.158_655_25), (-4.0, -0.000_126_69), (50.0, 50.0)]
        {
            let mut row = [z];
            gelu(&mut row);
            assert!((row[0] - expected).abs() < 1e-6, "{z}: {}", row[0]);
        }
        let mut row = [f32::MIN, f32::MAX];
        gelu(&mut row);
        assert_eq!(row, [0.0, f32::MAX]);
    }

    proptest! {
        #[test]
        fn exponentials_are_close(x in -86.0..0.0f32) {
            let expected = f64::from(x).exp();
            prop_assert!((f64::from(exp(x)) / expected - 1.0).abs() < 1e-6);
        }

        #[test]
        fn weights_add_up_to_one(scores in prop::collection::vec(-90.0..90.0f32, 1..40)) {
            let mut weights = scores.clone();
            let total = soften(&mut weights);
            let largest = scores.iter().copied().fold(f32::MIN, f32::max);
            let exact: Vec<f64> = scores.iter().map(|score| f64::from(score - largest).exp()).collect();
            let exact_total: f64 = exact.iter().sum();
            for (weight, exact) in weights.iter().zip(&exact) {
                prop_assert!((f64::from(weight / total) - exact / exact_total).abs() < 1e-5);
            }
        }
    }
}
