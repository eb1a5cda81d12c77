//! Decay: four tiers, one rate per block, and slower decay for edges.

use serde::{Deserialize, Serialize};

use crate::block::{Category, Tag};
use crate::time::ActiveHours;

/// The lifetime class of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecayTier {
    /// Constitutional blocks of the agent: never fade in practice.
    Permanent,
    /// Values, constraints, goals and models of minds: months of activity.
    Durable,
    /// Ordinary knowledge.
    Standard,
    /// Observations: days, unless reinforced.
    Ephemeral,
}

impl DecayTier {
    /// All tiers, longest-lived first.
    pub const ALL: [Self; 4] = [Self::Permanent, Self::Durable, Self::Standard, Self::Ephemeral];

    /// Returns the decay rate per active hour.
    pub fn rate(self) -> DecayRate {
        DecayRate(match self {
            Self::Permanent => 0.00001,
            Self::Durable => 0.001,
            Self::Standard => 0.010,
            Self::Ephemeral => 0.050,
        })
    }

    /// Returns the tier of a block: the longest-lived tier of its tags, else the tier of its
    /// category.
    pub fn of<'a>(tags: impl IntoIterator<Item = &'a Tag>, category: &Category) -> Self {
        let by_tag = tags.into_iter().filter_map(|tag| match tag.as_str() {
            "self/constitutional" => Some(Self::Permanent),
            "self/value" | "self/constraint" | "self/goal" => Some(Self::Durable),
            _ => None,
        });
        by_tag.min().unwrap_or(match category.as_str() {
            "mind" => Self::Durable,
            "observation" => Self::Ephemeral,
            _ => Self::Standard,
        })
    }

    /// Returns the rate of a block of this tier whose stored rate is `stored`: the stored one if penalties can have led
    /// to it, else the rate of the tier. Rows of other programs carry placeholders.
    pub fn rate_of(self, stored: DecayRate) -> DecayRate {
        let own = self.rate();
        let is_penalised = own > Self::Durable.rate() && (own..=DecayRate::CEILING).contains(&stored);
        if is_penalised { stored } else { own }
    }

    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Durable => "durable",
            Self::Standard => "standard",
            Self::Ephemeral => "ephemeral",
        }
    }
}

impl std::fmt::Display for DecayTier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Decay rate (lambda) per active hour. Each block has one, used by recall and curate.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DecayRate(f64);

impl DecayRate {
    /// Upper bound of the rate after negative outcomes.
    pub const CEILING: Self = Self(0.050);

    /// Creates a rate from its stored form. Negative or non-finite values become the standard rate.
    pub fn new(per_hour: f64) -> Self {
        if per_hour.is_finite() && per_hour >= 0.0 { Self(per_hour) } else { DecayTier::Standard.rate() }
    }

    /// Returns the rate.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns the recency after `hours` without reinforcement: 1 at zero, halved every `ln 2 /
    /// lambda` hours.
    pub fn recency_after(self, hours: ActiveHours) -> f64 {
        (-self.0 * hours.get()).exp()
    }

    /// Returns the rate after a negative outcome: doubled up to the ceiling. Durable and permanent
    /// blocks keep their rate.
    pub fn penalised(self) -> Self {
        if self.0 <= DecayTier::Durable.rate().0 { self } else { Self((self.0 * 2.0).min(Self::CEILING.0).max(self.0)) }
    }
}

/// Number of reinforcements from which an edge is established.
pub const ESTABLISHED_EDGE: u32 = 10;

/// Returns the decay rate of an edge: half the rate of its slower end, and half of that once
/// established.
pub fn edge_decay_rate(a: DecayRate, b: DecayRate, reinforcement_count: u32) -> DecayRate {
    let base = a.0.min(b.0) * 0.5;
    DecayRate(if reinforcement_count >= ESTABLISHED_EDGE { base * 0.5 } else { base })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_rate() -> impl Strategy<Value = DecayRate> {
        (0.0..0.1f64).prop_map(DecayRate::new)
    }

    #[test]
    fn penalties_double_up_to_the_ceiling_except_for_durable_blocks() {
        let mut rate = DecayTier::Standard.rate();
        let mut seen = vec![];
        for _ in 0..4 {
            rate = rate.penalised();
            seen.push(rate.get());
        }
        assert_eq!(seen, [0.02, 0.04, 0.05, 0.05]);
        assert_eq!(DecayTier::Durable.rate().penalised(), DecayTier::Durable.rate());
    }

    #[test]
    fn placeholders_become_the_rate_of_the_tier_and_penalties_stay() {
        let standard = DecayTier::Standard.rate();
        for tier in [DecayTier::Permanent, DecayTier::Durable, DecayTier::Ephemeral] {
            assert_eq!(tier.rate_of(standard), tier.rate());
        }
        let penalised = standard.penalised();
        assert_eq!(DecayTier::Standard.rate_of(penalised), penalised);
        assert_eq!(DecayTier::Standard.rate_of(DecayRate::new(0.001)), standard);
        assert_eq!(DecayTier::Standard.rate_of(DecayRate::new(0.2)), standard);
    }

    proptest! {
        #[test]
        fn recency_falls_with_time_and_stays_in_range(rate in any_rate(), a in 0.0..1e5f64, b in 0.0..1e5f64) {
            let (early, late) = (ActiveHours::new(a.min(b)), ActiveHours::new(a.max(b)));
            let (fresh, stale) = (rate.recency_after(early), rate.recency_after(late));
            prop_assert!((0.0..=1.0).contains(&stale));
            prop_assert!(fresh >= stale);
        }

        #[test]
        fn an_edge_never_fades_faster_than_its_slower_end(a in any_rate(), b in any_rate(), count in 0u32..50) {
            let edge = edge_decay_rate(a, b, count);
            prop_assert!(edge <= a && edge <= b);
            prop_assert_eq!(edge, edge_decay_rate(b, a, count));
        }

        #[test]
        fn a_penalty_never_slows_decay(rate in any_rate()) {
            prop_assert!(rate.penalised() >= rate);
        }
    }
}
