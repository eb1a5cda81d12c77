//! Many windows in few passes, on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::kernel::Kernel;
use crate::pass::{PassScratch, rows_of};
use crate::weights::Weights;

/// Rows of a forward pass over several windows. More rows use the weights better, fewer stay in the fast caches.
const MAX_ROWS: usize = 64;
/// Fewest rows for which another thread is started: about a millisecond of work.
const MIN_ROWS: usize = 16;

/// Returns the sum of the states of each window, its marks included. At most `threads` threads are used.
pub(crate) fn sum_windows(weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]], threads: usize) -> Vec<Vec<f32>> {
    let width = weights.sizes.width;
    on_threads(&rows_of_each(windows), threads, |group, scratch| {
        let windows = &windows[group];
        let sum = |rows: &[f32]| {
            let mut sum = vec![0.0; width];
            rows.chunks_exact(width).for_each(|row| add(&mut sum, 1.0, row));
            sum
        };
        each_window(scratch.run(weights, kernel, windows), width, &rows_of_each(windows)).map(sum).collect()
    })
}

/// Runs `work` on groups of windows, given the rows of each, on at most `threads` threads. It returns one result for each
/// window of its group.
pub(crate) fn on_threads<T: Clone + Default + Send>(
    windows: &[usize],
    threads: usize,
    work: impl Fn(Range<usize>, &mut PassScratch) -> Vec<T> + Sync,
) -> Vec<T> {
    let rows: usize = windows.iter().sum();
    let threads = threads.min(rows / MIN_ROWS).max(1);
    let groups = group(windows, rows.div_ceil(threads).clamp(MIN_ROWS, MAX_ROWS));
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![T::default(); windows.len()]));
    let run = || {
        let mut scratch = PassScratch::default();
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = work(group.clone(), &mut scratch);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[group.clone()].clone_from_slice(&found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the states of each window, given its rows.
pub(crate) fn each_window<'a>(
    mut states: &'a [f32],
    width: usize,
    windows: &[usize],
) -> impl Iterator<Item = &'a [f32]> {
    windows.iter().map(move |rows| {
        let (window, rest) = states.split_at(rows * width);
        states = rest;
        window
    })
}

/// Returns the rows of each window.
pub(crate) fn rows_of_each(windows: &[&[u32]]) -> Vec<usize> {
    windows.iter().map(|window| rows_of(window)).collect()
}

/// Cuts windows into groups of about `most` rows.
fn group(windows: &[usize], most: usize) -> Vec<Range<usize>> {
    let (mut groups, mut start, mut rows) = (Vec::new(), 0, 0);
    for (at, window) in windows.iter().enumerate() {
        if at > start && rows + window > most {
            groups.push(start..at);
            (start, rows) = (at, 0);
        }
        rows += window;
    }
    if start < windows.len() {
        groups.push(start..windows.len());
    }
    groups
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
        let windows = [12, 12, 92, 7, 22, 22];
        assert_eq!(group(&windows, 30), [0..2, 2..3, 3..5, 5..6]);
        assert_eq!(group(&windows, 1000).len(), 1);
        assert!(group(&[], 30).is_empty());
    }
}
