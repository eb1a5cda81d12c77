//! The kinds of events.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::EventSource;

/// A group of event kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KindGroup {
    /// A fact.
    Knowledge,
    /// A limit on what may be done.
    Constraint,
    /// A rule to follow.
    Rule,
    /// A broken rule.
    ConstraintViolation,
    /// An action.
    Action,
    /// A decision.
    Decision,
    /// A routine event.
    Routine,
    /// An event that is not worth keeping.
    Noise,
}

/// Event kinds: name, group and implied source.
const KINDS: [(&str, KindGroup, EventSource); 23] = [
    ("fact", KindGroup::Knowledge, EventSource::User),
    ("knowledge", KindGroup::Knowledge, EventSource::User),
    ("learned", KindGroup::Knowledge, EventSource::Assistant),
    ("observation", KindGroup::Knowledge, EventSource::Assistant),
    ("feedback", KindGroup::Knowledge, EventSource::User),
    ("constraint", KindGroup::Constraint, EventSource::Verified),
    ("rule", KindGroup::Rule, EventSource::Verified),
    ("constraint_violation", KindGroup::ConstraintViolation, EventSource::Verified),
    ("action", KindGroup::Action, EventSource::Assistant),
    ("task", KindGroup::Action, EventSource::Assistant),
    ("operation", KindGroup::Action, EventSource::Tool),
    ("execution", KindGroup::Action, EventSource::Tool),
    ("completed", KindGroup::Action, EventSource::Tool),
    ("decision", KindGroup::Decision, EventSource::Assistant),
    ("choice", KindGroup::Decision, EventSource::Assistant),
    ("selection", KindGroup::Decision, EventSource::Assistant),
    ("determination", KindGroup::Decision, EventSource::Assistant),
    ("routine", KindGroup::Routine, EventSource::System),
    ("heartbeat", KindGroup::Routine, EventSource::System),
    ("status", KindGroup::Routine, EventSource::System),
    ("noise", KindGroup::Noise, EventSource::System),
    ("debug", KindGroup::Noise, EventSource::System),
    ("log", KindGroup::Noise, EventSource::System),
];

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventKind(usize);

impl EventKind {
    /// Returns all kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS.len()).map(Self)
    }

    /// Parses a name, ignoring case.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        KINDS.iter().position(|(kind, _, _)| kind.eq_ignore_ascii_case(name)).map(Self)
    }

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        KINDS[self.0].0
    }

    /// Returns the group.
    pub fn group(self) -> KindGroup {
        KINDS[self.0].1
    }

    /// Returns the source that is assumed if the event names none.
    pub fn implied_source(self) -> EventSource {
        KINDS[self.0].2
    }

    /// Returns true if the event becomes a memory. Other events are only recorded.
    pub fn is_admitted(self) -> bool {
        !matches!(self.group(), KindGroup::Routine | KindGroup::Noise)
    }

    /// Returns the name of the internal type.
    pub fn internal_type(self) -> &'static str {
        match self.group() {
            KindGroup::Knowledge | KindGroup::Constraint | KindGroup::Rule | KindGroup::ConstraintViolation => {
                "knowledge_recorded"
            }
            KindGroup::Action => "action_completed",
            KindGroup::Decision => "decision_made",
            KindGroup::Routine => "routine_operation",
            KindGroup::Noise => "noise",
        }
    }

    /// Returns true if an event of this kind is derived from its context (seed 004).
    pub fn derives_from_its_context(self) -> bool {
        matches!(self.group(), KindGroup::Constraint | KindGroup::Rule | KindGroup::ConstraintViolation)
    }
}

impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for EventKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no event kind '{name}'")))
    }
}

impl KindGroup {
    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Constraint => "constraint",
            Self::Rule => "rule",
            Self::ConstraintViolation => "constraint_violation",
            Self::Action => "action",
            Self::Decision => "decision",
            Self::Routine => "routine",
            Self::Noise => "noise",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_map_to_internal_types_as_in_the_reference() {
        for (names, internal, admitted) in [
            (&["fact", "knowledge", "learned", "observation", "feedback"][..], "knowledge_recorded", true),
            (&["constraint", "rule", "constraint_violation"], "knowledge_recorded", true),
            (&["action", "task", "operation", "execution", "completed"], "action_completed", true),
            (&["decision", "choice", "selection", "determination"], "decision_made", true),
            (&["routine", "heartbeat", "status"], "routine_operation", false),
            (&["noise", "debug", "log"], "noise", false),
        ] {
            for name in names {
                let kind = EventKind::parse(name).unwrap();
                assert_eq!((kind.as_str(), kind.internal_type(), kind.is_admitted()), (*name, internal, admitted));
            }
        }
        assert_eq!(EventKind::all().count(), 23);
    }

    #[test]
    fn kinds_parse_ignoring_case() {
        assert_eq!(EventKind::parse(" Fact ").map(EventKind::as_str), Some("fact"));
        assert_eq!(EventKind::parse("opinion"), None);
        assert_eq!(EventKind::parse(""), None);
    }

    #[test]
    fn three_groups_derive_from_their_context() {
        let deriving: Vec<&str> =
            EventKind::all().filter(|kind| kind.derives_from_its_context()).map(EventKind::as_str).collect();
        assert_eq!(deriving, ["constraint", "rule", "constraint_violation"]);
    }
}
