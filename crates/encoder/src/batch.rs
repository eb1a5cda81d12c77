//! Many windows in few passes, on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::kernel::Kernel;
use crate::pass::Scratch;
use crate::weights::Weights;

/// Rows of a forward pass over several windows. More rows use the weights better, fewer stay in the fast caches.
const MAX_ROWS: usize = 64;
/// Fewest rows for which another thread is started: about a millisecond of work.
const MIN_ROWS: usize = 16;

/// Returns the sum of the states of each window, its marks included. At most `threads` threads are used.
pub(crate) fn sum_windows(weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]], threads: usize) -> Vec<Vec<f32>> {
    let rows: usize = windows.iter().map(|window| rows_of(window)).sum();
    let threads = threads.min(rows / MIN_ROWS).max(1);
    let groups = group(windows, rows.div_ceil(threads).clamp(MIN_ROWS, MAX_ROWS));
    let (next, sums) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); windows.len()]));
    let work = || {
        let mut scratch = Scratch::default();
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = sum_group(weights, kernel, &windows[group.clone()], &mut scratch);
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            sums[group.clone()].clone_from_slice(&found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    sums.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Computes the windows of one pass.
fn sum_group(weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]], scratch: &mut Scratch) -> Vec<Vec<f32>> {
    let width = weights.sizes.width;
    let mut rows = scratch.run(weights, kernel, windows).chunks_exact(width);
    let sum = |window: &&[u32]| {
        let mut sum = vec![0.0; width];
        rows.by_ref().take(rows_of(window)).for_each(|row| add(&mut sum, 1.0, row));
        sum
    };
    windows.iter().map(sum).collect()
}

/// Cuts windows into groups of about `most` rows.
fn group(windows: &[&[u32]], most: usize) -> Vec<Range<usize>> {
    let (mut groups, mut start, mut rows) = (Vec::new(), 0, 0);
    for (at, window) in windows.iter().enumerate() {
        if at > start && rows + rows_of(window) > most {
            groups.push(start..at);
            (start, rows) = (at, 0);
        }
        rows += rows_of(window);
    }
    if start < windows.len() {
        groups.push(start..windows.len());
    }
    groups
}

/// Returns the rows of a window: its pieces and two marks.
fn rows_of(window: &[u32]) -> usize {
    window.len() + 2
}

/// Adds a weighted row to a sum.
pub(crate) fn add(sum: &mut [f32], weight: f32, row: &[f32]) {
    for (total, number) in sum.iter_mut().zip(row) {
        *total += weight * number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_all_windows_in_order() {
        let pieces = [7; 100];
        let windows: Vec<&[u32]> = [10, 10, 90, 5, 20, 20].iter().map(|length| &pieces[..*length]).collect();
        assert_eq!(group(&windows, 30), [0..2, 2..3, 3..5, 5..6]);
        assert_eq!(group(&windows, 1000).len(), 1);
        assert!(group(&[], 30).is_empty());
    }
}
