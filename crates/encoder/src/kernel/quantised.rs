//! Activations of 16 bits.

use std::ops::Range;

use super::float::{fold, sum};
use super::tiles::tiles;

/// Largest activation.
const MAX_VALUE: f32 = 32_767.0;
/// Largest sum of magnitudes in a row: with weights of at most 128 the sum of the products stays below 2³¹, and there is
/// room for rounding in rows of 2¹⁶ numbers.
const MAX_SUM: f32 = 16_700_000.0;
/// Added to a number of at most 2²², it moves the rounded number into the lowest bits.
pub(super) const ROUNDING: f32 = 12_582_912.0;

/// Rows of integers with a factor each.
///
/// Rows come in tiles, whose sums a kernel keeps in registers. In a tile, the first pairs of all rows come first, then the
/// second pairs: the order in which the kernel reads them.
#[derive(Debug, Default)]
pub(crate) struct Quantised {
    pairs: usize,
    /// Rows of the highest tile that the kernel can handle.
    tile_rows: usize,
    /// Two activations in each number: the first in the lower half.
    values: Vec<i32>,
    scales: Vec<f32>,
    /// The pairs of one row.
    row: Vec<i32>,
}

impl Quantised {
    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns the number of pairs in a row.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns the tiles: their rows, and the pairs of these.
    #[inline(always)]
    pub(super) fn tiles(&self) -> impl Iterator<Item = (Range<usize>, &[i32])> {
        tiles(self.len(), self.tile_rows)
            .map(|tile| (tile.clone(), &self.values[tile.start * self.pairs..tile.end * self.pairs]))
    }

    /// Returns the factor of a row.
    #[inline(always)]
    pub(super) fn scale(&self, row: usize) -> f32 {
        self.scales[row]
    }

    /// Returns an integer of a row.
    #[cfg(test)]
    pub(super) fn value(&self, row: usize, column: usize) -> i32 {
        let (rows, values) = self.tiles().find(|(rows, _)| rows.contains(&row)).unwrap();
        let pair = values[column / 2 * rows.len() + row - rows.start];
        if column.is_multiple_of(2) { i32::from(pair as i16) } else { pair >> 16 }
    }
}

/// Rounds each row to integers as large as the product can hold, for a kernel with tiles of at most `tile_rows` rows.
#[inline(always)]
pub(super) fn quantise(rows: &[f32], stride: usize, width: usize, tile_rows: usize, out: &mut Quantised) {
    let count = rows.len() / stride;
    out.pairs = width.div_ceil(2);
    out.tile_rows = tile_rows;
    out.scales.clear();
    out.values.resize(count * out.pairs, 0);
    out.row.resize(out.pairs, 0);
    for tile in tiles(count, tile_rows) {
        let values = &mut out.values[tile.start * out.pairs..tile.end * out.pairs];
        for (at, row) in rows[tile.start * stride..tile.end * stride].chunks_exact(stride).enumerate() {
            out.scales.push(round_row(&row[..width], &mut out.row));
            for (value, pair) in values[at..].iter_mut().step_by(tile.len()).zip(&out.row) {
                *value = *pair;
            }
        }
    }
}

/// Rounds the numbers of a row; returns its factor.
#[inline(always)]
fn round_row(row: &[f32], pairs: &mut [i32]) -> f32 {
    let largest = fold(row, |most, x| if x.abs() > most { x.abs() } else { most });
    let largest = largest.into_iter().fold(0.0, f32::max);
    let total = sum(&fold(row, |total, x| total + x.abs()));
    let scale = (largest / MAX_VALUE).max(total / MAX_SUM);
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let (numbers, rest) = row.as_chunks::<2>();
    for (pair, [first, second]) in pairs.iter_mut().zip(numbers) {
        *pair = (round(first * inverse) & 0xffff) | (round(second * inverse) << 16);
    }
    if let ([last], Some(pair)) = (rest, pairs.last_mut()) {
        *pair = round(last * inverse) & 0xffff;
    }
    // A number that is not finite makes the whole row one, through its factor.
    if total.is_finite() { scale } else { f32::NAN }
}

#[inline(always)]
fn round(x: f32) -> i32 {
    (x + ROUNDING).to_bits().cast_signed().wrapping_sub(ROUNDING.to_bits().cast_signed())
}
