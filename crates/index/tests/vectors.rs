//! The coarse scan against an exact one, on vectors as they come and on vectors made to be hard to tell apart.

#![expect(clippy::unwrap_used, reason = "a test whose setting cannot be built has failed")]

use elfmem_core::BlockId;
use elfmem_core::coarse::CoarseVector;
use elfmem_index::{NO_VECTOR, Parallel, VectorIndex, VectorMatrix, kernel};
use proptest::prelude::*;

/// How the vectors of a test lie.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// Anywhere.
    Random,
    /// In a few heaps.
    Clustered,
    /// All but equal: nearer to each other than the coarse rows can tell.
    Crowded,
}

fn vectors(shape: Shape, rows: usize, dimensions: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut direction = || -> Vec<f32> { (0..dimensions).map(|_| random.f32() - 0.5).collect() };
    let centres: Vec<Vec<f32>> = (0..8).map(|_| direction()).collect();
    (0..rows)
        .map(|row| {
            let (centre, width) = match shape {
                Shape::Random => (0, 0.0),
                Shape::Clustered => (row % 8, 0.3),
                Shape::Crowded => (0, 0.002),
            };
            let noise = direction();
            if width == 0.0 {
                return noise;
            }
            centres[centre].iter().zip(noise).map(|(x, noise)| x + width * noise).collect()
        })
        .collect()
}

/// The best by looking at all, in exactly the arithmetic that the matrix promises.
fn exact(rows: &[Vec<f32>], query: &[f32], k: usize, allowed: impl Fn(u32) -> bool) -> Vec<(u32, f32)> {
    let query = kernel::unit(query).unwrap();
    let cosine = |row: &Vec<f32>| kernel::dot(&query, &kernel::unit(row).unwrap()).clamp(-1.0, 1.0);
    let mut all: Vec<(u32, f32)> = (0..).zip(rows).map(|(slot, row)| (slot, cosine(row))).collect();
    all.retain(|(slot, _)| allowed(*slot));
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all
}

fn matrix(rows: &[Vec<f32>], dimensions: usize) -> VectorMatrix {
    let mut matrix = VectorMatrix::with_capacity(dimensions, rows.len()).unwrap();
    for (slot, row) in (0..).zip(rows) {
        matrix.insert(slot, row).unwrap();
    }
    matrix
}

fn shape() -> impl Strategy<Value = Shape> {
    prop::sample::select(vec![Shape::Random, Shape::Clustered, Shape::Crowded])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn vectors_in_their_coarse_form_find_the_same_once_those_that_may_win_are_here_in_full(
        shape in shape(), rows in 1..400usize, dimensions in prop::sample::select(vec![3usize, 32, 50, 256]),
        k in 0..30usize, seed in any::<u64>(),
    ) {
        let mut rows = vectors(shape, rows + 1, dimensions, seed);
        let query = rows.pop().unwrap();
        let blocks: Vec<BlockId> = (0..rows.len()).map(|row| BlockId::from_stored(&format!("{row:04}"))).collect();
        let (mut coarse, mut full) = (VectorIndex::new(dimensions).unwrap(), VectorIndex::new(dimensions).unwrap());
        for (block, row) in blocks.iter().zip(&rows) {
            full.insert(block, row).unwrap();
            let bytes = CoarseVector::encode(row).unwrap();
            let slot = coarse.admit(block);
            coarse.insert_coarse(slot, &CoarseVector::decode(&bytes).unwrap()).unwrap();
        }
        let contenders = coarse.contenders(&[&query], k, |_, _| true).unwrap().remove(0);
        prop_assert!(contenders.iter().all(|slot| coarse.matrix().lacks_exact(*slot)));
        let expected = full.nearest(&query, k, |_| true).unwrap();
        let roughly = coarse.nearest(&query, k, |_| true).unwrap();
        for (one, other) in roughly.iter().zip(&expected) {
            prop_assert!((one.cosine - other.cosine).abs() < 0.02);
        }
        for slot in &contenders {
            coarse.add_exact(&blocks[*slot as usize], &rows[*slot as usize]).unwrap();
        }
        prop_assert_eq!(coarse.nearest_among(&query, &contenders, k).unwrap(), expected);
    }

    #[test]
    fn the_nearest_are_those_of_an_exact_scan(
        shape in shape(), rows in 1..900usize, dimensions in prop::sample::select(vec![3usize, 32, 50, 256]),
        k in 0..30usize, seed in any::<u64>(), modulus in 1..4u32,
    ) {
        let mut rows = vectors(shape, rows + 1, dimensions, seed);
        let query = rows.pop().unwrap();
        let matrix = matrix(&rows, dimensions);
        let prepared = matrix.query(&query).unwrap();
        let mut scores = Vec::new();
        matrix.scores_into(&prepared, Parallel::OFF, &mut scores);
        let allowed = |slot: u32| slot.is_multiple_of(modulus);
        let found = matrix.nearest_of(&prepared, &scores, k, allowed);
        prop_assert_eq!(&found, &exact(&rows, &query, k, allowed));
        for (slot, cosine) in found {
            prop_assert_eq!(matrix.cosine_of(&prepared, slot), Some(cosine));
        }
        for (slot, score) in (0..).zip(&scores) {
            prop_assert!((score - matrix.cosine_of(&prepared, slot).unwrap()).abs() < 0.01);
        }
    }

    #[test]
    fn any_history_answers_like_a_matrix_built_at_once(
        steps in prop::collection::vec((0..40u32, any::<bool>()), 0..120), seed in any::<u64>(),
    ) {
        let rows = vectors(Shape::Random, steps.len() + 1, 24, seed);
        let mut lived = VectorMatrix::with_capacity(24, 0).unwrap();
        let mut model = std::collections::BTreeMap::new();
        for ((slot, insert), row) in steps.iter().zip(&rows) {
            if *insert {
                lived.insert(*slot, row).unwrap();
                model.insert(*slot, row);
            } else {
                prop_assert_eq!(lived.remove(*slot), model.remove(slot).is_some());
            }
        }
        let mut rebuilt = VectorMatrix::with_capacity(24, 0).unwrap();
        model.iter().rev().for_each(|(slot, row)| rebuilt.insert(*slot, row).unwrap());
        prop_assert_eq!(lived.len(), rebuilt.len());
        let query = lived.query(&rows[steps.len()]).unwrap();
        let answers = [&lived, &rebuilt].map(|matrix| {
            let mut scores = vec![7.0; 3];
            matrix.scores_into(&query, Parallel::OFF, &mut scores);
            let found = matrix.nearest_of(&query, &scores, 10, |_| true);
            scores.resize(40, NO_VECTOR);
            (found, scores)
        });
        prop_assert_eq!(&answers[0], &answers[1]);
        for slot in 0..40 {
            prop_assert_eq!(lived.vector(slot), rebuilt.vector(slot));
            prop_assert_eq!(lived.contains(slot), answers[0].1[slot as usize] > NO_VECTOR);
        }
    }

    #[test]
    fn threads_do_not_show(rows in 0..700usize, threads in 0..9usize, seed in any::<u64>()) {
        let rows = vectors(Shape::Clustered, rows, 20, seed);
        let matrix = matrix(&rows, 20);
        let query = matrix.query(&[1.0; 20]).unwrap();
        let (mut alone, mut together) = (Vec::new(), vec![1.0; 900]);
        matrix.scores_into(&query, Parallel::OFF, &mut alone);
        matrix.scores_into(&query, Parallel { threads, from_rows: 0 }, &mut together);
        prop_assert_eq!(alone, together);
    }
}
