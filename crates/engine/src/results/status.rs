//! Result of `status`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::health::Health;

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
    /// Total active hours.
    pub total_active_hours: f64,
    /// When blocks were last consolidated, or `never`.
    pub last_consolidated: String,
    /// The health.
    pub health: Health,
    /// The suggested next step.
    pub suggestion: String,
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
        )
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
            total_active_hours: 12.5,
            last_consolidated: "never".into(),
            health: Health::Good,
            suggestion: "Memory healthy. No action required.".into(),
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
    fn status_has_the_keys_of_the_seed() {
        let dict = serde_json::to_value(status()).unwrap();
        let mut keys: Vec<_> = dict.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            [
                "active_count",
                "archived_count",
                "health",
                "inbox_count",
                "inbox_threshold",
                "last_consolidated",
                "session_active",
                "session_hours",
                "suggestion",
                "total_active_hours",
            ]
        );
        assert_eq!(dict["health"], "good");
    }
}
