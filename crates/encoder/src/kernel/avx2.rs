//! The kernel for AVX2: sixteen products of 16 bits in one instruction.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi8_epi16, _mm256_cvtepi32_ps,
    _mm256_loadu_ps, _mm256_madd_epi16, _mm256_mul_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256,
    _mm256_storeu_ps,
};

use super::quantised::Quantised;
use crate::weights::{Linear, PANEL, WeightPairs};

super::compile_float!(#[target_feature(enable = "avx2")]);

/// Rows whose sums are kept at a time: twelve registers of sums, two of weights, one of activations, one of products.
const ROWS: usize = 6;
/// Numbers in a register.
const LANES: usize = 8;

#[target_feature(enable = "avx2")]
pub(super) fn product(rows: &Quantised, linear: &Linear<'_>, out: &mut [f32]) {
    for (panel, at) in linear.panels().zip((0..).step_by(PANEL)) {
        for (tile, pairs) in rows.tiles() {
            let (first, out) = (tile.start, &mut *out);
            match tile.len() {
                1 => multiply::<1>(rows, first, pairs, panel, linear, at, out),
                2 => multiply::<2>(rows, first, pairs, panel, linear, at, out),
                3 => multiply::<3>(rows, first, pairs, panel, linear, at, out),
                4 => multiply::<4>(rows, first, pairs, panel, linear, at, out),
                5 => multiply::<5>(rows, first, pairs, panel, linear, at, out),
                _ => multiply::<ROWS>(rows, first, pairs, panel, linear, at, out),
            }
        }
    }
}

/// Multiplies `N` rows with one panel, whose first output is `at`.
#[inline]
#[target_feature(enable = "avx2")]
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
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (weights, pairs) in panel.iter().zip(pairs) {
        let weights = widen(weights);
        for row in 0..N {
            let activations = _mm256_set1_epi32(pairs[row]);
            for half in 0..2 {
                sums[row][half] = _mm256_add_epi32(sums[row][half], _mm256_madd_epi16(activations, weights[half]));
            }
        }
    }
    for (row, sums) in sums.into_iter().enumerate() {
        let scale = _mm256_set1_ps(rows.scale(first + row));
        for (half, sums) in sums.into_iter().enumerate() {
            let at = at + half * LANES;
            let out = &mut out[(first + row) * linear.outputs() + at..][..LANES];
            let (scales, bias) = (&linear.scales[at..at + LANES], &linear.bias[at..at + LANES]);
            // SAFETY: all three slices have eight numbers.
            unsafe {
                let scale = _mm256_mul_ps(scale, _mm256_loadu_ps(scales.as_ptr()));
                let products = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scale);
                _mm256_storeu_ps(out.as_mut_ptr(), _mm256_add_ps(products, _mm256_loadu_ps(bias.as_ptr())));
            }
        }
    }
}

/// Returns weights as numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn widen(weights: &WeightPairs) -> [__m256i; 2] {
    let (halves, _) = weights.as_chunks::<16>();
    // SAFETY: each half has sixteen bytes.
    let load = |half: usize| unsafe { _mm_loadu_si128(halves[half].as_ptr().cast::<__m128i>()) };
    [_mm256_cvtepi8_epi16(load(0)), _mm256_cvtepi8_epi16(load(1))]
}
