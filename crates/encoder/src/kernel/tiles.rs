//! Cutting rows into tiles whose sums fit the registers.

use std::ops::Range;

/// Cuts `rows` into as few tiles of at most `most` rows as possible, of nearly equal height: loading the weights costs the
/// same for a low tile.
#[inline(always)]
pub(super) fn tiles(rows: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let count = rows.div_ceil(most);
    (0..count).map(move |tile| tile * rows / count..(tile + 1) * rows / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_all_rows_and_are_even() {
        for (rows, most) in [(0, 6), (1, 6), (6, 6), (7, 6), (14, 6), (22, 12), (256, 12)] {
            let found: Vec<_> = tiles(rows, most).collect();
            assert_eq!(found.iter().cloned().flatten().collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
            let heights = || found.iter().map(ExactSizeIterator::len);
            assert!(heights().max() <= heights().min().map(|low| low + 1) && heights().all(|height| height <= most));
        }
    }
}
