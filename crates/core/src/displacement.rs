//! Which edge gives way when a block has as many as it may have.
//!
//! A block with edges to everything says nothing, so its degree is bounded. What was merely found alike gives way first, then
//! what merely came up together; what an agent asserted or an outcome taught never does.

use crate::edge::{Edge, Origin, Relation};

/// The most edges a block has.
pub const DEGREE_CAP: usize = 10;

/// Relations that give way, the first to go first. All others are protected.
const EVICTION_ORDER: [Relation; 2] = [Relation::SIMILAR, Relation::CO_OCCURS];

/// Where an edge stands in the order of going; none when it is protected.
fn eviction_rank(edge: &Edge) -> Option<usize> {
    if edge.origin == Origin::AGENT {
        return None;
    }
    EVICTION_ORDER.iter().position(|relation| *relation == edge.relation_type)
}

/// The edge that gives way first: by relation, then the weakest, then in the order of the ends. None when all are protected.
pub fn first_to_go<'a>(edges: impl IntoIterator<Item = &'a Edge>) -> Option<&'a Edge> {
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

    fn edge(to: &str, relation: &str, origin: Origin, weight: f64) -> Edge {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored(to)).unwrap();
        let weight = EdgeWeight::saturating(weight);
        Edge { weight, ..Edge::new(key, Relation::new(relation), origin, Timestamp::UNIX_EPOCH) }
    }

    fn gone(edges: &[Edge]) -> Option<&str> {
        first_to_go(edges).map(|edge| edge.key.to_id.as_str())
    }

    #[test]
    fn similar_edges_go_before_co_occurring_ones_whatever_they_weigh() {
        let edges = [
            edge("b", "co_occurs", Origin::CO_RETRIEVAL, 0.2),
            edge("c", "similar", Origin::SIMILARITY, 0.9),
            edge("d", "similar", Origin::SIMILARITY, 0.5),
        ];
        assert_eq!(gone(&edges), Some("d"), "the weakest of the similar ones");
        assert_eq!(gone(&edges[..2]), Some("c"));
        assert_eq!(gone(&edges[..1]), Some("b"));
    }

    #[test]
    fn protected_relations_and_what_an_agent_asserted_never_go() {
        let mut edges: Vec<Edge> = ["elaborates", "supports", "contradicts", "outcome", "follows", "my own"]
            .iter()
            .enumerate()
            .map(|(at, relation)| edge(&format!("b{at}"), relation, Origin::SIMILARITY, 0.01))
            .collect();
        edges.push(edge("c", "similar", Origin::AGENT, 0.01));
        edges.push(edge("d", "co_occurs", Origin::AGENT, 0.01));
        assert_eq!(gone(&edges), None);
        assert_eq!(gone(&[]), None);
    }

    proptest! {
        #[test]
        fn the_choice_does_not_depend_on_the_order_of_the_edges(
            weights in prop::collection::vec((0..3usize, 0..4u8), 1..12), turn in 0..12usize,
        ) {
            let mut edges: Vec<Edge> = weights
                .iter()
                .enumerate()
                .map(|(at, (relation, weight))| {
                    let relation = ["similar", "co_occurs", "supports"][*relation];
                    edge(&format!("b{at:02}"), relation, Origin::SIMILARITY, f64::from(*weight) / 4.0)
                })
                .collect();
            let before = first_to_go(&edges).cloned();
            let turn = turn % edges.len();
            edges.rotate_left(turn);
            prop_assert_eq!(first_to_go(&edges).cloned(), before);
        }
    }
}
