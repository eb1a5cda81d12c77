//! What is true in the world at every moment, and what of it was told.

use elfmem_text::language::Language;
use serde::Serialize;

/// Something that texts are about.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) kind: &'static str,
    /// As it is written inside a sentence.
    pub(super) name: String,
    /// The language in which it is written about.
    pub(super) language: Language,
    /// The attributes with one value at a time.
    pub(super) timelines: Vec<Timeline>,
}

/// The values of an attribute over time.
#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) attribute: &'static str,
    pub(super) changes: Vec<DatedValue>,
}

/// A value that an attribute has from a day on.
#[derive(Debug, Clone)]
pub(super) struct DatedValue {
    pub(super) day: u32,
    pub(super) value: &'static str,
    /// Whether the memory was told.
    pub(super) told: bool,
}

impl Timeline {
    /// Returns the value that holds as far as it was told: the told one with the latest day.
    pub(super) fn believed(&self) -> Option<&'static str> {
        let told = self.changes.iter().filter(|change| change.told);
        told.max_by_key(|change| change.day).map(|change| change.value)
    }

    /// Returns the true value.
    pub(super) fn value(&self) -> Option<&'static str> {
        self.changes.last().map(|change| change.value)
    }

    /// Returns the value that held on all days from `first` to before `end`, if it was told.
    pub(super) fn value_during(&self, first: u32, end: u32) -> Option<&'static str> {
        let at = self.changes.iter().rposition(|change| change.day <= first)?;
        let next = self.changes.get(at + 1).is_none_or(|change| change.day >= end);
        (next && self.changes[at].told).then_some(self.changes[at].value)
    }

    /// Returns whether everything was told.
    pub(super) fn is_told(&self) -> bool {
        self.changes.iter().all(|change| change.told)
    }
}

/// One thing that a text says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Assertion {
    /// An attribute has a value now.
    Value { subject: usize, attribute: &'static str, value: &'static str },
    /// An attribute had a value once.
    Former { subject: usize, attribute: &'static str, value: &'static str },
    /// An attribute with many values has one of them.
    One { subject: usize, attribute: &'static str, value: &'static str },
    /// Something happened, or was said in passing.
    Event(usize),
}

impl Assertion {
    /// Returns true if the assertion is about the present value of an attribute.
    pub(super) fn is_about(&self, of: usize, name: &str) -> bool {
        matches!(self, Self::Value { subject, attribute, .. } if *subject == of && *attribute == name)
    }
}

/// All subjects.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) subjects: Vec<Subject>,
}

impl Truth {
    pub(super) fn timeline(&self, subject: usize, attribute: &str) -> Option<&Timeline> {
        self.subjects[subject].timelines.iter().find(|timeline| timeline.attribute == attribute)
    }

    /// Returns true if an assertion holds as far as was told.
    pub(super) fn holds(&self, assertion: &Assertion) -> bool {
        match assertion {
            Assertion::Value { subject, attribute, value } => {
                self.timeline(*subject, attribute).and_then(Timeline::believed) == Some(*value)
            }
            Assertion::Former { .. } | Assertion::One { .. } | Assertion::Event(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_last_does_not_count_but_what_happened_last() {
        let change = |day, value, told| DatedValue { day, value, told };
        let mut timeline = Timeline {
            attribute: "city",
            changes: vec![change(3, "Porto", true), change(40, "Braga", false), change(80, "Ghent", true)],
        };
        assert_eq!(timeline.believed(), Some("Ghent"));
        timeline.changes[1].told = true;
        assert_eq!(timeline.believed(), Some("Ghent"));
        assert_eq!(timeline.value_during(31, 59), None);
        assert_eq!(timeline.value_during(40, 80), Some("Braga"));
    }
}
