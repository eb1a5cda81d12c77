//! The score of a `similar` edge: the cosine (seed 000), or the composite score of the reference.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::block::{Category, Tag};
use crate::time::ActiveHours;

/// How dream scores `similar` edges. The score decides whether there is an edge, and is its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeScoring {
    /// The cosine of the two vectors.
    #[default]
    Cosine,
    /// Cosine, tags, category and time: see [`composite_edge_score`].
    Composite,
}

impl EdgeScoring {
    /// All ways of scoring.
    pub const ALL: [Self; 2] = [Self::Cosine, Self::Composite];

    /// Names, in the order of the variants.
    pub const WORDS: [&'static str; 2] = ["cosine", "composite"];
}

/// Cosine below which the composite score is zero.
pub const COMPOSITE_COSINE_GUARD: f64 = 0.50;

/// Composite score from which two blocks get an edge.
pub const COMPOSITE_EDGE_THRESHOLD: f64 = 0.45;

/// Standard deviation of the temporal proximity, in active hours.
const PROXIMITY_HOURS: f64 = 8.0;

/// Returns the Jaccard similarity of two tag sets, or zero if both are empty.
pub fn tag_jaccard<'a>(a: impl IntoIterator<Item = &'a Tag>, b: impl IntoIterator<Item = &'a Tag>) -> f64 {
    let a: BTreeSet<&Tag> = a.into_iter().collect();
    let b: BTreeSet<&Tag> = b.into_iter().collect();
    let union = a.union(&b).count();
    if union == 0 { 0.0 } else { a.intersection(&b).count() as f64 / union as f64 }
}

/// Returns how near two active times are: 1 if equal, falling like a Gaussian with a standard deviation of eight hours.
pub fn temporal_proximity(a: ActiveHours, b: ActiveHours) -> f64 {
    let apart = a.get() - b.get();
    (-(apart * apart) / (2.0 * PROXIMITY_HOURS * PROXIMITY_HOURS)).exp()
}

/// The properties of a block that the composite score compares.
#[derive(Debug, Clone, Copy)]
pub struct EdgeEnd<'a> {
    /// The tags.
    pub tags: &'a [Tag],
    /// The category.
    pub category: &'a Category,
    /// When the block was last reinforced; for a new block, when it was stored.
    pub hours: ActiveHours,
}

/// Returns the composite score: 55 % cosine, 20 % tags, 15 % category, 10 % time. Zero below the cosine guard.
pub fn composite_edge_score(cosine: f64, a: EdgeEnd<'_>, b: EdgeEnd<'_>) -> f64 {
    let cosine = if cosine.is_nan() { 0.0 } else { cosine.clamp(0.0, 1.0) };
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
