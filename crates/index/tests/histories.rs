//! Random histories of a vector index, checked against a plain list that is sorted for every query.

#![expect(clippy::unwrap_used, reason = "a test whose setting cannot be built has failed")]

use std::collections::BTreeMap;

use elfmem_core::BlockId;
use elfmem_index::{Neighbour, VectorIndex, kernel};
use proptest::prelude::*;

const DIMENSIONS: usize = 11;

#[derive(Debug, Clone)]
enum Step {
    Insert(u8, Vec<f32>),
    Remove(u8),
}

fn block(number: u8) -> BlockId {
    BlockId::from_stored(&format!("{number:02x}"))
}

/// Small whole numbers, so that equal cosines are common and ties are really tested.
fn vector() -> impl Strategy<Value = Vec<f32>> {
    let numbers = prop::collection::vec((-2..=2i8).prop_map(f32::from), DIMENSIONS);
    numbers.prop_filter("needs a direction", |numbers| numbers.iter().any(|x| *x != 0.0))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..24u8, vector()).prop_map(|(number, vector)| Step::Insert(number, vector)),
        1 => (0..24u8).prop_map(Step::Remove),
    ]
}

fn index_of(vectors: impl Iterator<Item = (u8, Vec<f32>)>) -> VectorIndex {
    let mut index = VectorIndex::new(DIMENSIONS).unwrap();
    vectors.for_each(|(number, vector)| index.insert(&block(number), &vector).unwrap());
    index
}

fn naive(
    vectors: &BTreeMap<u8, Vec<f32>>,
    query: &[f32],
    k: usize,
    filter: impl Fn(&BlockId) -> bool,
) -> Vec<Neighbour> {
    let query = kernel::unit(query).unwrap();
    let mut all: Vec<Neighbour> = vectors
        .iter()
        .map(|(number, vector)| {
            let cosine = kernel::dot(&query, &kernel::unit(vector).unwrap()).clamp(-1.0, 1.0);
            Neighbour { id: block(*number), cosine: f64::from(cosine) }
        })
        .filter(|neighbour| filter(&neighbour.id))
        .collect();
    all.sort_by(|a, b| b.cosine.partial_cmp(&a.cosine).unwrap().then_with(|| a.id.cmp(&b.id)));
    all.truncate(k);
    all
}

proptest! {
    #[test]
    fn any_history_answers_like_a_list_that_is_sorted(
        steps in prop::collection::vec(step(), 0..80), query in vector(), k in 0..30usize, modulus in 1..4u8,
    ) {
        let mut index = VectorIndex::new(DIMENSIONS).unwrap();
        let mut model = BTreeMap::new();
        let mut clones = Vec::new();
        for step in steps {
            if model.len() % 3 == 1 {
                clones.push((index.clone(), model.clone()));
            }
            match step {
                Step::Insert(number, vector) => {
                    index.insert(&block(number), &vector).unwrap();
                    model.insert(number, vector);
                }
                Step::Remove(number) => prop_assert_eq!(index.remove(&block(number)), model.remove(&number).is_some()),
            }
        }
        let filter = |id: &BlockId| u8::from_str_radix(id.as_str(), 16).unwrap().is_multiple_of(modulus);
        prop_assert_eq!(index.len(), model.len());
        prop_assert_eq!(index.nearest(&query, k, filter).unwrap(), naive(&model, &query, k, filter));
        for (number, vector) in &model {
            let expected = kernel::unit(vector).unwrap();
            prop_assert_eq!(index.vector(&block(*number)), Some(expected.as_slice()));
        }
        for (clone, model) in clones {
            prop_assert_eq!(clone.nearest(&query, k, filter).unwrap(), naive(&model, &query, k, filter));
        }
        let rebuilt = index_of(model.into_iter());
        prop_assert_eq!(index.nearest(&query, k, filter).unwrap(), rebuilt.nearest(&query, k, filter).unwrap());
    }

    #[test]
    fn the_order_of_insertion_does_not_show(
        vectors in prop::collection::btree_map(any::<u8>(), vector(), 1..40), seed in any::<u64>(), query in vector(),
    ) {
        let mut shuffled: Vec<(u8, Vec<f32>)> = vectors.clone().into_iter().collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
        let (one, other) = (index_of(vectors.into_iter()), index_of(shuffled.into_iter()));
        prop_assert_eq!(one.nearest(&query, 7, |_| true).unwrap(), other.nearest(&query, 7, |_| true).unwrap());
    }

    #[test]
    fn a_batch_answers_like_its_queries_one_by_one(
        vectors in prop::collection::btree_map(any::<u8>(), vector(), 0..60),
        queries in prop::collection::vec(vector(), 0..6),
    ) {
        let index = index_of(vectors.into_iter());
        let borrowed: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
        let batch = index.nearest_batch(&borrowed, 5, |number, id| !id.as_str().ends_with(&format!("{number:x}"))).unwrap();
        for (number, (query, together)) in queries.iter().zip(batch).enumerate() {
            let alone = index.nearest(query, 5, |id| !id.as_str().ends_with(&format!("{number:x}"))).unwrap();
            prop_assert_eq!(alone, together);
        }
    }
}

#[test]
fn a_batch_over_several_tiles_misses_no_row() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut index = VectorIndex::new(256).unwrap();
    let rows: Vec<Vec<f32>> = (0..301).map(|_| (0..256).map(|_| random.f32() - 0.5).collect()).collect();
    for (number, row) in rows.iter().enumerate() {
        index.insert(&BlockId::from_stored(&format!("{number:04}")), row).unwrap();
    }
    let queries: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
    for (number, found) in index.nearest_batch(&queries, 3, |_, _| true).unwrap().into_iter().enumerate() {
        assert_eq!(found[0].id.as_str(), format!("{number:04}"));
        assert_eq!(found, index.nearest(queries[number], 3, |_| true).unwrap());
    }
}
