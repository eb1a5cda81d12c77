//! Many windows in few passes, on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::kernel::Kernel;
use crate::pass::PassScratch;
use crate::weights::Weights;

/// Rows of a forward pass over several windows. More rows use the weights better, fewer stay in the fast caches.
const MAX_ROWS: usize = 64;
/// Fewest rows for which another thread is started: about a millisecond of work.
const MIN_ROWS: usize = 16;

/// Returns the sum of the states of each window, its marks included. At most `threads` threads are used.
pub(crate) fn sum_windows(weights: &Weights<'_>, kernel: Kernel, windows: &[&[u32]], threads: usize) -> Vec<Vec<f32>> {
    let width = weights.sizes.width;
    on_threads(windows, threads, |windows, scratch| {
        let sum = |rows: &[f32]| {
            let mut sum = vec![0.0; width];
            rows.chunks_exact(width).for_each(|row| add(&mut sum, 1.0, row));
            sum
        };
        each_window(scratch.run(weights, kernel, windows), width, windows).map(sum).collect()
    })
}

/// Runs `work` on groups of windows, on at most `threads` threads. It returns one result for each window of its group.
pub(crate) fn on_threads<T: Clone + Default + Send>(
    windows: &[&[u32]],
    threads: usize,
    work: impl Fn(&[&[u32]], &mut PassScratch) -> Vec<T> + Sync,
) -> Vec<T> {
    let rows: usize = windows.iter().map(|window| rows_of(window)).sum();
    let threads = threads.min(rows / MIN_ROWS).max(1);
    let groups = group(windows, rows.div_ceil(threads).clamp(MIN_ROWS, MAX_ROWS));
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![T::default(); windows.len()]));
    let run = || {
        let mut scratch = PassScratch::default();
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = work(&windows[group.clone()], &mut scratch);
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

/// Returns the rows of each window.
pub(crate) fn each_window<'a>(
    mut states: &'a [f32],
    width: usize,
    windows: &'a [&[u32]],
) -> impl Iterator<Item = &'a [f32]> {
    windows.iter().map(move |window| {
        let (rows, rest) = states.split_at(rows_of(window) * width);
        states = rest;
        rows
    })
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
