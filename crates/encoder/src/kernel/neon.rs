//! The kernel for NEON: four products of 16 bits, multiplied and added up in one instruction.

use std::arch::aarch64::{
    int16x8_t, vaddq_f32, vcvtq_f32_s32, vdupq_n_f32, vdupq_n_s32, vget_low_s8, vget_low_s16, vld1q_f32, vld2q_s8,
    vmlal_high_n_s16, vmlal_n_s16, vmovl_high_s8, vmovl_s8, vmulq_f32, vst1q_f32,
};

use super::quantised::Quantised;
use crate::weights::{Linear, PANEL, WeightPairs};

super::compile_float!(#[target_feature(enable = "neon")]);

/// Rows whose sums are kept at a time: sixteen of 32 registers.
const ROWS: usize = 4;
/// Numbers in a register.
const LANES: usize = 4;

#[target_feature(enable = "neon")]
pub(super) fn product(rows: &Quantised, linear: &Linear<'_>, out: &mut [f32]) {
    for (panel, at) in linear.panels().zip((0..).step_by(PANEL)) {
        for (tile, pairs) in rows.tiles() {
            let (first, out) = (tile.start, &mut *out);
            match tile.len() {
                1 => multiply::<1>(rows, first, pairs, panel, linear, at, out),
                2 => multiply::<2>(rows, first, pairs, panel, linear, at, out),
                3 => multiply::<3>(rows, first, pairs, panel, linear, at, out),
                _ => multiply::<ROWS>(rows, first, pairs, panel, linear, at, out),
            }
        }
    }
}

/// Multiplies `N` rows with one panel, whose first output is `at`.
#[inline]
#[target_feature(enable = "neon")]
fn multiply<const N: usize>(
    rows: &Quantised,
    first: usize,
    pairs: &[i32],
    panel: &[WeightPairs],
    linear: &Linear<'_>,
    at: usize,
    out: &mut [f32],
) {
    let (pairs, _) = pairs.as_chunks::<N>();
    let mut sums = [[vdupq_n_s32(0); PANEL / LANES]; N];
    for (weights, pairs) in panel.iter().zip(pairs) {
        let weights = widen(weights);
        for row in 0..N {
            let activations = pairs[row];
            for (input, activation) in [activations as i16, (activations >> 16) as i16].into_iter().enumerate() {
                for half in 0..2 {
                    let weights = weights[input][half];
                    let sums = &mut sums[row];
                    sums[2 * half] = vmlal_n_s16(sums[2 * half], vget_low_s16(weights), activation);
                    sums[2 * half + 1] = vmlal_high_n_s16(sums[2 * half + 1], weights, activation);
                }
            }
        }
    }
    for (row, sums) in sums.into_iter().enumerate() {
        let scale = vdupq_n_f32(rows.scale(first + row));
        for (quarter, sums) in sums.into_iter().enumerate() {
            let at = at + quarter * LANES;
            let out = &mut out[(first + row) * linear.outputs() + at..][..LANES];
            let (scales, bias) = (&linear.scales[at..at + LANES], &linear.bias[at..at + LANES]);
            // SAFETY: all three slices have four numbers.
            unsafe {
                let products = vmulq_f32(vcvtq_f32_s32(sums), vmulq_f32(scale, vld1q_f32(scales.as_ptr())));
                vst1q_f32(out.as_mut_ptr(), vaddq_f32(products, vld1q_f32(bias.as_ptr())));
            }
        }
    }
}

/// Returns weights as numbers of 16 bits: those of the first input, then those of the second.
#[inline]
#[target_feature(enable = "neon")]
fn widen(weights: &WeightPairs) -> [[int16x8_t; 2]; 2] {
    // SAFETY: the array has 32 bytes.
    let inputs = unsafe { vld2q_s8(weights.as_ptr().cast::<i8>()) };
    [
        [vmovl_s8(vget_low_s8(inputs.0)), vmovl_high_s8(inputs.0)],
        [vmovl_s8(vget_low_s8(inputs.1)), vmovl_high_s8(inputs.1)],
    ]
}
