//! Selects the edge to evict when a block has reached its degree cap.
//!
//! The degree is bounded, because a block with edges to everything carries no information.
//! `similar` edges are evicted first, then `co_occurs` edges. Edges asserted by an agent or created
//! by an outcome are never evicted.

use crate::edge::{Edge, EdgeOrigin, Relation};

/// Maximum number of edges per block, unless the memory has another one.
pub const DEGREE_CAP: usize = 10;

/// The stored setting with the maximum number of edges per block. It belongs to the memory and not to a program: all
/// programs must agree on it.
pub const DEGREE_CAP_SETTING: &str = "edge_degree_cap";

/// Returns the maximum number of edges per block from the stored setting.
pub fn stored_degree_cap(stored: Option<&str>) -> usize {
    stored.and_then(|text| text.parse().ok()).filter(|cap| *cap > 0).unwrap_or(DEGREE_CAP)
}

/// Evictable relations, first to be evicted first. All others are protected.
const EVICTION_ORDER: [Relation; 2] = [Relation::SIMILAR, Relation::CO_OCCURS];

/// Returns the eviction rank of an edge, or `None` if it is protected.
fn eviction_rank(edge: &Edge) -> Option<usize> {
    if edge.origin == EdgeOrigin::AGENT {
        return None;
    }
    EVICTION_ORDER.iter().position(|relation| *relation == edge.relation_type)
}

/// Returns the edge to evict: by relation, then lowest weight, then key. Returns `None` if all are
/// protected.
pub fn eviction_candidate<'a>(edges: impl IntoIterator<Item = &'a Edge>) -> Option<&'a Edge> {
    let ranked = edges.into_iter().filter_map(|edge| Some((eviction_rank(edge)?, edge)));
    let first = ranked.min_by(|(rank_a, a), (rank_b, b)| {
        rank_a.cmp(rank_b).then_with(|| a.weight.get().total_cmp(&b.weight.get())).then_with(|| a.key.cmp(&b.key))
    });
    first.map(|(_, edge)| edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::EdgeKey;
    use crate::id::BlockId;
    use crate::time::Timestamp;
    use crate::unit::EdgeWeight;
    use proptest::prelude::*;

    fn edge(to: &str, relation: &str, origin: EdgeOrigin, weight: f64) -> Edge {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored(to)).unwrap();
        let weight = EdgeWeight::saturating(weight);
        Edge { weight, ..Edge::new(key, Relation::new(relation), origin, Timestamp::UNIX_EPOCH) }
    }

    fn gone(edges: &[Edge]) -> Option<&str> {
        eviction_candidate(edges).map(|edge| edge.key.to_id.as_str())
    }

    #[test]
    fn similar_edges_are_evicted_before_co_occurring_ones() {
        let edges = [
            edge("b", "co_occurs", EdgeOrigin::CO_RETRIEVAL, 0.2),
            edge("c", "similar", EdgeOrigin::SIMILARITY, 0.9),
            edge("d", "similar", EdgeOrigin::SIMILARITY, 0.5),
        ];
        assert_eq!(gone(&edges), Some("d"), "the weakest of the similar ones");
        assert_eq!(gone(&edges[..2]), Some("c"));
        assert_eq!(gone(&edges[..1]), Some("b"));
    }

    #[test]
    fn protected_and_asserted_edges_are_never_evicted() {
        let mut edges: Vec<Edge> = ["elaborates", "supports", "contradicts", "outcome", "follows", "my own"]
            .iter()
            .enumerate()
            .map(|(at, relation)| edge(&format!("b{at}"), relation, EdgeOrigin::SIMILARITY, 0.01))
            .collect();
        edges.push(edge("c", "similar", EdgeOrigin::AGENT, 0.01));
        edges.push(edge("d", "co_occurs", EdgeOrigin::AGENT, 0.01));
        assert_eq!(gone(&edges), None);
        assert_eq!(gone(&[]), None);
    }

    proptest! {
        #[test]
        fn eviction_is_independent_of_edge_order(
            weights in prop::collection::vec((0..3usize, 0..4u8), 1..12), turn in 0..12usize,
        ) {
            let mut edges: Vec<Edge> = weights
                .iter()
                .enumerate()
                .map(|(at, (relation, weight))| {
                    let relation = ["similar", "co_occurs", "supports"][*relation];
                    edge(&format!("b{at:02}"), relation, EdgeOrigin::SIMILARITY, f64::from(*weight) / 4.0)
                })
                .collect();
            let before = eviction_candidate(&edges).cloned();
            let turn = turn % edges.len();
            edges.rotate_left(turn);
            prop_assert_eq!(eviction_candidate(&edges).cloned(), before);
        }
    }
}
