//! Edges: undirected, weighted associations between two blocks.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::block::{LabelError, checked_label};
use crate::id::BlockId;
use crate::time::{ActiveHours, Timestamp};
use crate::unit::EdgeWeight;

/// The two ends of an edge in canonical order, so that a pair has one edge whichever way it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeKey {
    /// The smaller id.
    pub from_id: BlockId,
    /// The larger id.
    pub to_id: BlockId,
}

impl EdgeKey {
    /// Orders the two ends; none when they are the same block.
    pub fn canonical(a: &BlockId, b: &BlockId) -> Option<Self> {
        match a.cmp(b) {
            std::cmp::Ordering::Less => Some(Self { from_id: a.clone(), to_id: b.clone() }),
            std::cmp::Ordering::Greater => Some(Self { from_id: b.clone(), to_id: a.clone() }),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The end that is not `id`.
    pub fn other(&self, id: &BlockId) -> &BlockId {
        if *id == self.from_id { &self.to_id } else { &self.from_id }
    }
}

/// What one confirmation adds to an edge's weight (seed 000).
pub const EDGE_REINFORCE_DELTA: f64 = 0.10;

/// What an edge says. Any word is allowed; a handful are known and have a default weight.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Relation(SmolStr);

impl Relation {
    /// Close in meaning.
    pub const SIMILAR: Self = Self(SmolStr::new_static("similar"));
    /// Came up together.
    pub const CO_OCCURS: Self = Self(SmolStr::new_static("co_occurs"));
    /// Served together.
    pub const OUTCOME: Self = Self(SmolStr::new_static("outcome"));
    /// Conflicts; never helps a block to be recalled.
    pub const CONTRADICTS: Self = Self(SmolStr::new_static("contradicts"));
    /// The next piece of the same document.
    pub const FOLLOWS: Self = Self(SmolStr::new_static("follows"));

    /// A relation by name, as a store holds it.
    pub fn new(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// Trims and checks what was typed.
    pub fn parse(text: &str) -> Result<Self, LabelError> {
        checked_label("relation", text).map(Self)
    }

    /// The name that is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The weight an edge of this relation starts with when none is given (seed 000).
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

/// Who made an edge.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Origin(SmolStr);

impl Origin {
    /// Dream found the two alike.
    pub const SIMILARITY: Self = Self(SmolStr::new_static("similarity"));
    /// An outcome was given for both.
    pub const OUTCOME: Self = Self(SmolStr::new_static("outcome"));
    /// An agent asserted it.
    pub const AGENT: Self = Self(SmolStr::new_static("agent"));
    /// The two were recalled together often enough.
    pub const CO_RETRIEVAL: Self = Self(SmolStr::new_static("co_retrieval"));
    /// A link between the two stands behind it, and it goes with that.
    pub const LINK: Self = Self(SmolStr::new_static("link"));
    /// The two are neighbours in a document.
    pub const DOCUMENT: Self = Self(SmolStr::new_static("document"));

    /// An origin by name, as a store holds it.
    pub fn new(name: &str) -> Self {
        Self(SmolStr::new(name))
    }

    /// The name that is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One stored edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Its two ends.
    #[serde(flatten)]
    pub key: EdgeKey,
    /// How strong it is.
    pub weight: EdgeWeight,
    /// How often it was confirmed.
    pub reinforcement_count: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// What it says.
    pub relation_type: Relation,
    /// Who made it.
    pub origin: Origin,
    /// When it last mattered; none until it first did.
    pub last_active_hours: Option<ActiveHours>,
    /// Why it exists, in the maker's words.
    pub note: Option<String>,
    /// The end it was asserted from, to show it the way it was meant; none where nobody asserted it. An edge works both ways
    /// all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asserted_from: Option<BlockId>,
}

impl Edge {
    /// A new edge with its relation's default weight, never reinforced.
    pub fn new(key: EdgeKey, relation: Relation, origin: Origin, created_at: Timestamp) -> Self {
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

    /// Confirms the edge at `now`: one more count, a little more weight, never beyond one. Stamps never move backwards.
    pub fn reinforce(&mut self, gain: f64, now: ActiveHours) {
        self.weight = EdgeWeight::saturating(self.weight.get() + gain);
        self.reinforcement_count = self.reinforcement_count.saturating_add(1);
        self.touch(now);
    }

    /// Notes that the edge mattered at `now`. Stamps never move backwards.
    pub fn touch(&mut self, now: ActiveHours) {
        self.last_active_hours = Some(self.last_active_hours.unwrap_or_default().later_of(now));
    }

    /// Whether the memory made it by itself: its ends were found alike, or came up together.
    pub fn is_machine_made(&self) -> bool {
        [Origin::SIMILARITY, Origin::CO_RETRIEVAL].contains(&self.origin)
    }

    /// What the edge contributes to the degree of its ends: its weight, and a little for every confirmation.
    pub fn effective_weight(&self) -> f64 {
        effective_weight(self.weight.get(), self.reinforcement_count)
    }
}

/// What an edge of this weight contributes to the degree of its ends when it was confirmed so often.
pub fn effective_weight(weight: f64, reinforcement_count: u32) -> f64 {
    weight + 0.10 * f64::from(reinforcement_count).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn relations_start_with_the_weights_of_the_seed() {
        let weights = ["similar", "co_occurs", "elaborates", "supports", "contradicts", "outcome", "anything else"]
            .map(|name| Relation::new(name).default_weight().get());
        assert_eq!(weights, [0.65, 0.55, 0.70, 0.75, 0.60, 0.80, 0.65]);
    }

    #[test]
    fn confirming_an_edge_counts_adds_weight_up_to_one_and_never_turns_its_stamp_back() {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored("b")).unwrap();
        let mut edge = Edge::new(key, Relation::new("supports"), Origin::AGENT, Timestamp::UNIX_EPOCH);
        let mut weights = Vec::new();
        for hours in [3.0, 5.0, 4.0, 6.0] {
            edge.reinforce(EDGE_REINFORCE_DELTA, ActiveHours::new(hours));
            weights.push((edge.weight.get() * 100.0).round());
        }
        assert_eq!(weights, [85.0, 95.0, 100.0, 100.0]);
        assert_eq!((edge.reinforcement_count, edge.last_active_hours), (4, Some(ActiveHours::new(6.0))));
    }

    #[test]
    fn relations_are_trimmed_and_bad_ones_say_what_is_wrong() {
        assert_eq!(Relation::parse("  part of ").unwrap().as_str(), "part of");
        assert_eq!(Relation::parse(" ").unwrap_err().to_string(), "relation is empty");
    }

    proptest! {
        #[test]
        fn an_edge_key_is_canonical_whichever_way_it_is_asked_for(a in "[0-9a-f]{16}", b in "[0-9a-f]{16}") {
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
