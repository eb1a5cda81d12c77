//! Result of `status`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::counted;
use super::health::Health;
use crate::calibration::CalibrationStatus;

/// Result of `status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SystemStatus {
    /// Whether a session is open.
    pub session_active: bool,
    /// Active hours since the session began. `None` without a session.
    pub session_hours: Option<f64>,
    /// Number of blocks in the inbox.
    pub inbox_count: u64,
    /// Number of inbox blocks at which to consolidate.
    pub inbox_threshold: u64,
    /// Number of active blocks.
    pub active_count: u64,
    /// Number of archived blocks.
    pub archived_count: u64,
    /// Number of blocks that dreams replaced and that nobody has reviewed.
    #[serde(default)]
    pub replaced_count: u64,
    /// Number of open contradictions.
    #[serde(default)]
    pub contradiction_count: u64,
    /// Number of proposals that wait for a decision.
    #[serde(default)]
    pub proposal_count: u64,
    /// Total active hours.
    pub total_active_hours: f64,
    /// When blocks were last consolidated, or `never`.
    pub last_consolidated: String,
    /// The health.
    pub health: Health,
    /// The suggested next step.
    pub suggestion: String,
    /// What outcomes taught about relevance, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<CalibrationStatus>,
}

impl SystemStatus {
    /// Returns how many blocks dreams replaced since the last review, as a sentence. `None` if there are none.
    pub fn replaced_note(&self) -> Option<String> {
        let count = self.replaced_count;
        let was = if count == 1 { "was" } else { "were" };
        let note = || {
            format!("{} {was} replaced by dreams since the last review; review() lists them.", counted(count, "block"))
        };
        (count > 0).then(note)
    }
}

impl SystemStatus {
    /// Returns what waits for a decision, as a sentence. `None` if nothing does.
    pub fn waiting_note(&self) -> Option<String> {
        let (contradictions, proposals) = (self.contradiction_count, self.proposal_count);
        let parts: Vec<String> =
            [(contradictions, "contradiction", "contradictions()"), (proposals, "proposal", "proposals()")]
                .into_iter()
                .filter(|(count, ..)| *count > 0)
                .map(|(count, noun, call)| format!("{} to settle: {call}.", counted(count, noun)))
                .collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl fmt::Display for SystemStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = match self.session_hours {
            Some(hours) => format!("session open ({hours:.1} h)"),
            None => "no session".to_owned(),
        };
        write!(
            f,
            "Health {}: inbox {}/{}, {} active, {} archived, {session}, {:.1} active hours, last consolidated {}. {}",
            self.health.as_str(),
            self.inbox_count,
            self.inbox_threshold,
            self.active_count,
            self.archived_count,
            self.total_active_hours,
            self.last_consolidated,
            self.suggestion,
        )?;
        for note in self.waiting_note().into_iter().chain(self.replaced_note()) {
            write!(f, " {note}")?;
        }
        self.calibration.as_ref().map_or(Ok(()), |calibration| write!(f, " {calibration}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> SystemStatus {
        SystemStatus {
            session_active: true,
            session_hours: Some(1.25),
            inbox_count: 3,
            inbox_threshold: 10,
            active_count: 40,
            archived_count: 2,
            replaced_count: 0,
            contradiction_count: 0,
            proposal_count: 0,
            total_active_hours: 12.5,
            last_consolidated: "never".into(),
            health: Health::Good,
            suggestion: "Memory healthy. No action required.".into(),
            calibration: None,
        }
    }

    #[test]
    fn status_reads_as_one_sentence_with_the_suggestion_last() {
        assert_eq!(
            status().to_string(),
            "Health good: inbox 3/10, 40 active, 2 archived, session open (1.2 h), 12.5 active hours, \
             last consolidated never. Memory healthy. No action required."
        );
    }

    #[test]
    fn what_waits_for_a_decision_is_named() {
        assert_eq!(status().waiting_note(), None);
        let waiting = SystemStatus { contradiction_count: 2, proposal_count: 1, ..status() };
        let note = "2 contradictions to settle: contradictions(). 1 proposal to settle: proposals().";
        assert_eq!(waiting.waiting_note().as_deref(), Some(note));
        assert!(waiting.to_string().ends_with(note));
    }

    #[test]
    fn status_has_the_keys_of_the_seed() {
        let dict = serde_json::to_value(status()).unwrap();
        let mut keys: Vec<_> = dict.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            [
                "active_count",
                "archived_count",
                "contradiction_count",
                "health",
                "inbox_count",
                "inbox_threshold",
                "last_consolidated",
                "proposal_count",
                "replaced_count",
                "session_active",
                "session_hours",
                "suggestion",
                "total_active_hours",
            ]
        );
        assert_eq!(dict["health"], "good");
    }
}
