//! Sources of events and their initial confidence.

use serde::{Deserialize, Serialize};

use crate::unit::Confidence;

/// The source of an event, most trusted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EventSource {
    /// A policy set by someone in charge.
    Policy,
    /// Verified information.
    Verified,
    /// The output of a tool.
    Tool,
    /// A document.
    Document,
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// Derived from other memories.
    Derived,
    /// The system.
    System,
}

const SOURCES: [(EventSource, &str, &[&str], f64); 8] = [
    (EventSource::Policy, "policy", &[], 0.95),
    (EventSource::Verified, "verified", &["validator"], 0.9),
    (EventSource::Tool, "tool", &["executor"], 0.8),
    (EventSource::Document, "document", &[], 0.75),
    (EventSource::User, "user", &[], 0.7),
    (EventSource::Assistant, "assistant", &["agent", "model"], 0.6),
    (EventSource::Derived, "derived", &[], 0.55),
    (EventSource::System, "system", &[], 0.5),
];

impl EventSource {
    /// Returns all sources, most trusted first.
    pub fn all() -> impl Iterator<Item = Self> {
        SOURCES.iter().map(|(source, ..)| *source)
    }

    /// Parses a name or an alias, ignoring case.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        let is_it = |known: &&str| known.eq_ignore_ascii_case(name);
        SOURCES.iter().find(|(_, known, others, _)| is_it(known) || others.iter().any(&is_it)).map(|row| row.0)
    }

    fn row(self) -> &'static (EventSource, &'static str, &'static [&'static str], f64) {
        // The table is in the order of the variants.
        &SOURCES[self as usize]
    }

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the initial confidence of a memory from this source.
    pub fn starting_confidence(self) -> Confidence {
        Confidence::saturating(self.row().3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_have_the_initial_confidence_of_the_design() {
        for (name, confidence) in
            [("validator", 0.9), ("executor", 0.8), ("user", 0.7), ("agent", 0.6), ("system", 0.5), ("policy", 0.95)]
        {
            assert_eq!(EventSource::parse(name).unwrap().starting_confidence().get(), confidence, "{name}");
        }
        assert_eq!(EventSource::parse("neighbour"), None);
    }

    #[test]
    fn sources_parse_by_name_and_are_ordered_by_trust() {
        let mut last = 1.0;
        for source in EventSource::all() {
            assert_eq!(EventSource::parse(&source.as_str().to_uppercase()), Some(source));
            assert!(source.starting_confidence().get() < last, "{source:?}");
            last = source.starting_confidence().get();
        }
    }
}
