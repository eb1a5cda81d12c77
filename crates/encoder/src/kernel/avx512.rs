//! The kernels for AVX-512: thirty-two products of 16 bits in one instruction, added up in a second one or, with VNNI, in
//! the same.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm512_add_epi32, _mm512_add_ps, _mm512_cvtepi8_epi16, _mm512_cvtepi32_ps,
    _mm512_dpwssd_epi32, _mm512_loadu_ps, _mm512_madd_epi16, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_setzero_si512, _mm512_storeu_ps,
};

use super::quantised::Quantised;
use crate::weights::{Linear, PANEL, WeightPairs};

super::compile_float!(#[target_feature(enable = "avx512f,avx512bw")]);

/// Rows whose sums are kept at a time: 24 of 32 registers.
const ROWS: usize = 12;

/// Defines a product for certain instructions.
macro_rules! define_product {
    ($features:literal, $product:ident, $tiles:ident, $multiply:ident, $accumulate:expr) => {
        #[target_feature(enable = $features)]
        pub(super) fn $product(rows: &Quantised, linear: &Linear<'_>, out: &mut [f32]) {
            let mut panels = linear.panels();
            let mut at = 0;
            while let Some(first) = panels.next() {
                // The last panel is alone if their number is odd.
                at += match panels.next() {
                    Some(second) => $tiles(rows, [first, second], linear, at, out),
                    None => $tiles(rows, [first], linear, at, out),
                };
            }
        }

        /// Multiplies all rows with `P` panels. Returns the number of outputs.
        #[inline]
        #[target_feature(enable = $features)]
        fn $tiles<const P: usize>(
            rows: &Quantised,
            panels: [&[WeightPairs]; P],
            linear: &Linear<'_>,
            at: usize,
            out: &mut [f32],
        ) -> usize {
            for (tile, pairs) in rows.tiles() {
                let (first, out) = (tile.start, &mut *out);
                match tile.len() {
                    1 => $multiply::<1, P>(rows, first, pairs, panels, linear, at, out),
                    2 => $multiply::<2, P>(rows, first, pairs, panels, linear, at, out),
                    3 => $multiply::<3, P>(rows, first, pairs, panels, linear, at, out),
                    4 => $multiply::<4, P>(rows, first, pairs, panels, linear, at, out),
                    5 => $multiply::<5, P>(rows, first, pairs, panels, linear, at, out),
                    6 => $multiply::<6, P>(rows, first, pairs, panels, linear, at, out),
                    7 => $multiply::<7, P>(rows, first, pairs, panels, linear, at, out),
                    8 => $multiply::<8, P>(rows, first, pairs, panels, linear, at, out),
                    9 => $multiply::<9, P>(rows, first, pairs, panels, linear, at, out),
                    10 => $multiply::<10, P>(rows, first, pairs, panels, linear, at, out),
                    11 => $multiply::<11, P>(rows, first, pairs, panels, linear, at, out),
                    _ => $multiply::<ROWS, P>(rows, first, pairs, panels, linear, at, out),
                }
            }
            P * PANEL
        }

        /// Multiplies `N` rows with `P` panels, whose first output is `at`.
        #[inline]
        #[target_feature(enable = $features)]
        fn $multiply<const N: usize, const P: usize>(
            rows: &Quantised,
            first: usize,
            pairs: &[i32],
            panels: [&[WeightPairs]; P],
            linear: &Linear<'_>,
            at: usize,
            out: &mut [f32],
        ) {
            let (pairs, _) = pairs.as_chunks::<N>();
            let panels = panels.map(|panel| &panel[..pairs.len()]);
            let mut sums = [[_mm512_setzero_si512(); P]; N];
            for (at, pairs) in pairs.iter().enumerate() {
                let mut weights = [_mm512_setzero_si512(); P];
                for panel in 0..P {
                    weights[panel] = widen(&panels[panel][at]);
                }
                for row in 0..N {
                    let activations = _mm512_set1_epi32(pairs[row]);
                    for panel in 0..P {
                        sums[row][panel] = $accumulate(sums[row][panel], activations, weights[panel]);
                    }
                }
            }
            for (row, sums) in sums.into_iter().enumerate() {
                let start = (first + row) * linear.outputs() + at;
                write(&sums, rows.scale(first + row), linear, at, &mut out[start..start + P * PANEL]);
            }
        }
    };
}

define_product!("avx512f,avx512bw", product, multiply_tiles, multiply, |sums, activations, weights| {
    _mm512_add_epi32(sums, _mm512_madd_epi16(activations, weights))
});
define_product!(
    "avx512f,avx512bw,avx512vnni",
    product_vnni,
    multiply_tiles_vnni,
    multiply_vnni,
    |sums, activations, weights| _mm512_dpwssd_epi32(sums, activations, weights)
);

/// Scales the sums of a row and adds the bias.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn write(sums: &[__m512i], scale: f32, linear: &Linear<'_>, at: usize, out: &mut [f32]) {
    let scale = _mm512_set1_ps(scale);
    let (out, _) = out.as_chunks_mut::<PANEL>();
    let (scales, _) = linear.scales[at..].as_chunks::<PANEL>();
    let (bias, _) = linear.bias[at..].as_chunks::<PANEL>();
    for (((out, sums), scales), bias) in out.iter_mut().zip(sums).zip(scales).zip(bias) {
        // SAFETY: all three arrays have sixteen numbers.
        unsafe {
            let scale = _mm512_mul_ps(scale, _mm512_loadu_ps(scales.as_ptr()));
            let products = _mm512_mul_ps(_mm512_cvtepi32_ps(*sums), scale);
            _mm512_storeu_ps(out.as_mut_ptr(), _mm512_add_ps(products, _mm512_loadu_ps(bias.as_ptr())));
        }
    }
}

/// Returns weights as numbers of 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen(weights: &WeightPairs) -> __m512i {
    // SAFETY: the array has 32 bytes.
    _mm512_cvtepi8_epi16(unsafe { _mm256_loadu_si256(weights.as_ptr().cast::<__m256i>()) })
}
