//! The kinds of events.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::EventSource;

/// What a family of kinds stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KindGroup {
    /// Something known.
    Knowledge,
    /// Something that limits what may be done.
    Constraint,
    /// A rule to follow.
    Rule,
    /// A rule that was broken.
    ConstraintViolation,
    /// Something that was done.
    Action,
    /// Something that was decided.
    Decision,
    /// What happens all the time.
    Routine,
    /// What nobody wants to know later.
    Noise,
}

/// One row: as sent, its family, the source it implies.
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

/// A kind as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventKind(usize);

impl EventKind {
    /// Every kind there is.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS.len()).map(Self)
    }

    /// The kind of a name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        KINDS.iter().position(|(kind, _, _)| kind.eq_ignore_ascii_case(name)).map(Self)
    }

    /// As it was sent.
    pub fn as_str(self) -> &'static str {
        KINDS[self.0].0
    }

    /// Its family.
    pub fn group(self) -> KindGroup {
        KINDS[self.0].1
    }

    /// Who says so when the event does not.
    pub fn implied_source(self) -> EventSource {
        KINDS[self.0].2
    }

    /// Whether it becomes a memory; what does not is recorded all the same.
    pub fn is_admitted(self) -> bool {
        !matches!(self.group(), KindGroup::Routine | KindGroup::Noise)
    }

    /// What the memory calls it: the name of the internal type.
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

    /// Whether such an event, told in a context, was made because of that context (seed 004).
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
    /// The name that is shown and asked for.
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
    fn a_kind_is_found_in_any_case_and_an_unknown_one_is_not() {
        assert_eq!(EventKind::parse(" Fact ").map(EventKind::as_str), Some("fact"));
        assert_eq!(EventKind::parse("opinion"), None);
        assert_eq!(EventKind::parse(""), None);
    }

    #[test]
    fn three_families_derive_from_their_context() {
        let deriving: Vec<&str> =
            EventKind::all().filter(|kind| kind.derives_from_its_context()).map(EventKind::as_str).collect();
        assert_eq!(deriving, ["constraint", "rule", "constraint_violation"]);
    }
}
