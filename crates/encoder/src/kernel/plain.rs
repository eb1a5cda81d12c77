//! The kernel for every processor, in a form that compilers vectorise.

use super::quantised::Quantised;
use crate::weights::{Linear, PANEL, WeightPairs};

/// Rows whose sums are kept at a time.
const ROWS: usize = 1;

super::compile_float!();

/// The weights of two inputs and all outputs of a panel, as numbers of 16 bits: those of the first input, then those of the
/// second.
type WidePairs = [[i16; PANEL]; 2];

pub(super) fn product(rows: &Quantised, linear: &Linear<'_>, out: &mut [f32]) {
    let outputs = linear.outputs();
    let mut wide = vec![[[0; PANEL]; 2]; linear.pairs];
    for (panel, at) in linear.panels().zip((0..).step_by(PANEL)) {
        widen(panel, &mut wide);
        for ((tile, row), out) in rows.tiles().zip(out.chunks_exact_mut(outputs)) {
            let (sums, scale) = (multiply(row, &wide), rows.scale(tile.start));
            for (lane, (out, sum)) in out[at..at + PANEL].iter_mut().zip(sums).enumerate() {
                *out = sum as f32 * (scale * linear.scales[at + lane]) + linear.bias[at + lane];
            }
        }
    }
}

/// Separates the weights of the two inputs. Compilers do not vectorise a product of interleaved ones.
fn widen(panel: &[WeightPairs], wide: &mut [WidePairs]) {
    for (weights, [first, second]) in panel.iter().zip(wide) {
        for lane in 0..PANEL {
            first[lane] = i16::from(weights[2 * lane].cast_signed());
            second[lane] = i16::from(weights[2 * lane + 1].cast_signed());
        }
    }
}

fn multiply(row: &[i32], panel: &[WidePairs]) -> [i32; PANEL] {
    let mut sums = [0; PANEL];
    for (pair, [first, second]) in row.iter().zip(panel) {
        let [a, b] = [*pair as i16, (pair >> 16) as i16].map(i32::from);
        for lane in 0..PANEL {
            sums[lane] += a * i32::from(first[lane]) + b * i32::from(second[lane]);
        }
    }
    sums
}
