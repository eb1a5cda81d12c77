//! How close two blocks are: the plain similarity of the seed and the reference's composite.

use std::collections::BTreeSet;

use crate::block::{Category, Tag};
use crate::time::ActiveHours;

/// Below this cosine the composite score is zero, whatever else two blocks share.
pub const COMPOSITE_COSINE_GUARD: f64 = 0.50;

/// Hours over which two blocks count as neighbours in time.
const PROXIMITY_HOURS: f64 = 8.0;

/// Shared tags over all tags; zero when there are none.
pub fn tag_jaccard<'a>(a: impl IntoIterator<Item = &'a Tag>, b: impl IntoIterator<Item = &'a Tag>) -> f64 {
    let a: BTreeSet<&Tag> = a.into_iter().collect();
    let b: BTreeSet<&Tag> = b.into_iter().collect();
    let union = a.union(&b).count();
    if union == 0 { 0.0 } else { a.intersection(&b).count() as f64 / union as f64 }
}

/// How near in active time two blocks were stored: 1 at the same hour, falling like a bell of eight hours.
pub fn temporal_proximity(a: ActiveHours, b: ActiveHours) -> f64 {
    let apart = a.get() - b.get();
    (-(apart * apart) / (2.0 * PROXIMITY_HOURS * PROXIMITY_HOURS)).exp()
}

/// The similarity score of seed 000: the cosine itself, never below zero.
pub fn similarity_edge_score(cosine: f64) -> f64 {
    if cosine.is_nan() { 0.0 } else { cosine.clamp(0.0, 1.0) }
}

/// One side of a pair, as the composite score sees it.
#[derive(Debug, Clone, Copy)]
pub struct EdgeEnd<'a> {
    /// Its tags.
    pub tags: &'a [Tag],
    /// Its category.
    pub category: &'a Category,
    /// When it was stored.
    pub hours: ActiveHours,
}

/// The reference's score: mostly meaning, with a share for tags, category and time. Zero below the cosine guard.
pub fn composite_edge_score(cosine: f64, a: EdgeEnd<'_>, b: EdgeEnd<'_>) -> f64 {
    let cosine = similarity_edge_score(cosine);
    if cosine < COMPOSITE_COSINE_GUARD {
        return 0.0;
    }
    let category = if a.category == b.category { 1.0 } else { 0.30 };
    0.55 * cosine + 0.20 * tag_jaccard(a.tags, b.tags) + 0.15 * category + 0.10 * temporal_proximity(a.hours, b.hours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tags() -> impl Strategy<Value = Vec<Tag>> {
        prop::collection::vec("[a-e]", 0..5)
            .prop_map(|names| names.iter().map(|name| Tag::parse(name).unwrap()).collect())
    }

    proptest! {
        #[test]
        fn jaccard_is_symmetric_in_range_and_one_for_equal_sets(a in tags(), b in tags()) {
            let score = tag_jaccard(&a, &b);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert_eq!(score, tag_jaccard(&b, &a));
            if !a.is_empty() {
                prop_assert_eq!(tag_jaccard(&a, &a), 1.0);
            }
        }

        #[test]
        fn the_composite_is_symmetric_in_range_and_guarded(
            cosine in -1.0..=1.0f64, a in tags(), b in tags(), ha in 0.0..1000.0f64, hb in 0.0..1000.0f64,
        ) {
            let (knowledge, mind) = (Category::default(), Category::parse("mind").unwrap());
            let left = EdgeEnd { tags: &a, category: &knowledge, hours: ActiveHours::new(ha) };
            let right = EdgeEnd { tags: &b, category: &mind, hours: ActiveHours::new(hb) };
            let score = composite_edge_score(cosine, left, right);
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert_eq!(score, composite_edge_score(cosine, right, left));
            if cosine < COMPOSITE_COSINE_GUARD {
                prop_assert_eq!(score, 0.0);
            }
        }
    }
}
