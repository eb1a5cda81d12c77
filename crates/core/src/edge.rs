//! Edges: undirected, weighted associations between two blocks.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::block::{LabelError, checked_label};
use crate::id::BlockId;
use crate::time::{ActiveHours, Timestamp};
use crate::unit::EdgeWeight;

/// The two ends of an edge in canonical order, so that a pair of blocks has one key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeKey {
    /// The smaller id.
    pub from_id: BlockId,
    /// The larger id.
    pub to_id: BlockId,
}

impl EdgeKey {
    /// Orders the two ends. Returns `None` if they are equal.
    pub fn canonical(a: &BlockId, b: &BlockId) -> Option<Self> {
        match a.cmp(b) {
            std::cmp::Ordering::Less => Some(Self { from_id: a.clone(), to_id: b.clone() }),
            std::cmp::Ordering::Greater => Some(Self { from_id: b.clone(), to_id: a.clone() }),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Returns the end that is not `id`.
    pub fn other(&self, id: &BlockId) -> &BlockId {
        if *id == self.from_id { &self.to_id } else { &self.from_id }
    }
}

/// Weight added by one reinforcement (seed 000).
pub const EDGE_REINFORCE_DELTA: f64 = 0.10;

/// The relation of an edge. Any word is allowed; known ones have a default weight.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Relation(SmolStr);

impl Relation {
    /// Similar meaning.
    pub const SIMILAR: Self = Self(SmolStr::new_static("similar"));
    /// Often recalled together.
    pub const CO_OCCURS: Self = Self(SmolStr::new_static("co_occurs"));
    /// Useful together.
    pub const OUTCOME: Self = Self(SmolStr::new_static("outcome"));
    /// Contradictory; never raises a block in recall.
    pub const CONTRADICTS: Self = Self(SmolStr::new_static("contradicts"));
    /// The next chunk of the same document.
    pub const FOLLOWS: Self = Self(SmolStr::new_static("follows"));

    /// Creates a relation from a stored name.
    pub fn new(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// Trims and validates input.
    pub fn parse(text: &str) -> Result<Self, LabelError> {
        checked_label("relation", text).map(Self)
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the default weight of a new edge (seed 000).
    pub fn default_weight(&self) -> EdgeWeight {
        EdgeWeight::saturating(match self.as_str() {
            "co_occurs" => 0.55,
            "elaborates" => 0.70,
            "supports" => 0.75,
            "contradicts" => 0.60,
            "outcome" => 0.80,
            _ => 0.65,
        })
    }
}

impl Default for Relation {
    fn default() -> Self {
        Self::SIMILAR
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What created an edge.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EdgeOrigin(SmolStr);

impl EdgeOrigin {
    /// Dream found the blocks similar.
    pub const SIMILARITY: Self = Self(SmolStr::new_static("similarity"));
    /// An outcome covered both blocks.
    pub const OUTCOME: Self = Self(SmolStr::new_static("outcome"));
    /// An agent asserted the edge.
    pub const AGENT: Self = Self(SmolStr::new_static("agent"));
    /// The blocks were recalled together often enough.
    pub const CO_RETRIEVAL: Self = Self(SmolStr::new_static("co_retrieval"));
    /// A link between the blocks; the edge is removed with it.
    pub const LINK: Self = Self(SmolStr::new_static("link"));
    /// The blocks are neighbours in a document.
    pub const DOCUMENT: Self = Self(SmolStr::new_static("document"));

    /// Creates an origin from a stored name.
    pub fn new(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A stored edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The two ends.
    #[serde(flatten)]
    pub key: EdgeKey,
    /// The weight.
    pub weight: EdgeWeight,
    /// Number of reinforcements.
    pub reinforcement_count: u32,
    /// When the edge was created.
    pub created_at: Timestamp,
    /// The relation.
    pub relation_type: Relation,
    /// What created the edge.
    pub origin: EdgeOrigin,
    /// When the edge was last active. `None` if never.
    pub last_active_hours: Option<ActiveHours>,
    /// The reason given by its creator.
    pub note: Option<String>,
    /// The end it was asserted from, used only to display a direction. `None` if no agent asserted
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asserted_from: Option<BlockId>,
}

impl Edge {
    /// Creates an edge with the default weight of its relation.
    pub fn new(key: EdgeKey, relation: Relation, origin: EdgeOrigin, created_at: Timestamp) -> Self {
        Self {
            key,
            weight: relation.default_weight(),
            reinforcement_count: 0,
            created_at,
            relation_type: relation,
            origin,
            last_active_hours: None,
            note: None,
            asserted_from: None,
        }
    }

    /// Reinforces the edge at `now`: increments the count and adds weight up to one. The time stamp
    /// never decreases.
    pub fn reinforce(&mut self, gain: f64, now: ActiveHours) {
        self.weight = EdgeWeight::saturating(self.weight.get() + gain);
        self.reinforcement_count = self.reinforcement_count.saturating_add(1);
        self.touch(now);
    }

    /// Marks the edge as active at `now`. The time stamp never decreases.
    pub fn touch(&mut self, now: ActiveHours) {
        self.last_active_hours = Some(self.last_active_hours.unwrap_or_default().later_of(now));
    }

    /// Returns true if the edge was created automatically, by similarity or co-retrieval.
    pub fn is_machine_made(&self) -> bool {
        [EdgeOrigin::SIMILARITY, EdgeOrigin::CO_RETRIEVAL].contains(&self.origin)
    }

    /// Returns the contribution to the degree of its ends: the weight plus a bonus per
    /// reinforcement.
    pub fn effective_weight(&self) -> f64 {
        effective_weight(self.weight.get(), self.reinforcement_count)
    }
}

/// Returns the contribution of an edge to the degree of its ends.
pub fn effective_weight(weight: f64, reinforcement_count: u32) -> f64 {
    weight + 0.10 * f64::from(reinforcement_count).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn relations_have_the_default_weights_of_the_seed() {
        let weights = ["similar", "co_occurs", "elaborates", "supports", "contradicts", "outcome", "anything else"]
            .map(|name| Relation::new(name).default_weight().get());
        assert_eq!(weights, [0.65, 0.55, 0.70, 0.75, 0.60, 0.80, 0.65]);
    }

    #[test]
    fn reinforcing_an_edge_saturates_and_never_decreases_its_time() {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored("b")).unwrap();
        let mut edge = Edge::new(key, Relation::new("supports"), EdgeOrigin::AGENT, Timestamp::UNIX_EPOCH);
        let mut weights = Vec::new();
        for hours in [3.0, 5.0, 4.0, 6.0] {
            edge.reinforce(EDGE_REINFORCE_DELTA, ActiveHours::new(hours));
            weights.push((edge.weight.get() * 100.0).round());
        }
        assert_eq!(weights, [85.0, 95.0, 100.0, 100.0]);
        assert_eq!((edge.reinforcement_count, edge.last_active_hours), (4, Some(ActiveHours::new(6.0))));
    }

    #[test]
    fn relations_are_trimmed_and_validated() {
        assert_eq!(Relation::parse("  part of ").unwrap().as_str(), "part of");
        assert_eq!(Relation::parse(" ").unwrap_err().to_string(), "relation is empty");
    }

    proptest! {
        #[test]
        fn edge_keys_are_canonical(a in "[0-9a-f]{16}", b in "[0-9a-f]{16}") {
            let (a, b) = (BlockId::from_stored(&a), BlockId::from_stored(&b));
            let key = EdgeKey::canonical(&a, &b);
            prop_assert_eq!(&key, &EdgeKey::canonical(&b, &a));
            match key {
                Some(key) => {
                    prop_assert!(key.from_id < key.to_id);
                    prop_assert_eq!(key.other(&a), &b);
                }
                None => prop_assert_eq!(a, b),
            }
        }
    }
}
