//! The health of a memory and the suggested next step.

use serde::{Deserialize, Serialize};

/// The health of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// No action required.
    Good,
    /// Action recommended.
    Attention,
    /// Something failed.
    Degraded,
}

impl Health {
    /// Returns the lowercase name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Attention => "attention",
            Self::Degraded => "degraded",
        }
    }
}

/// Returns the health and the suggested next step (texts of seed 001).
pub(crate) fn health_and_suggestion(inbox: u64, threshold: u64, active: u64) -> (Health, String) {
    let fill = inbox as f64 / threshold.max(1) as f64;
    if fill >= 1.0 {
        (Health::Attention, "Inbox full. Call consolidate() to process pending blocks.".to_owned())
    } else if fill >= 0.8 {
        (Health::Good, format!("Inbox {inbox}/{threshold}. Consolidation approaching."))
    } else if active == 0 && inbox == 0 {
        (Health::Good, "Memory empty. Call learn() to add knowledge.".to_owned())
    } else {
        (Health::Good, "Memory healthy. No action required.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suggestion_depends_on_the_inbox() {
        let at = |inbox, active| health_and_suggestion(inbox, 10, active);
        assert_eq!(at(0, 0), (Health::Good, "Memory empty. Call learn() to add knowledge.".into()));
        assert_eq!(at(0, 3), (Health::Good, "Memory healthy. No action required.".into()));
        assert_eq!(at(7, 0).1, "Memory healthy. No action required.");
        assert_eq!(at(8, 0), (Health::Good, "Inbox 8/10. Consolidation approaching.".into()));
        assert_eq!(at(10, 0).0, Health::Attention);
        assert_eq!(health_and_suggestion(1, 0, 0).0, Health::Attention);
    }
}
