//! The request of `guide`.

use crate::request::request;

request! {
    /// List all verbs, or explain when and how to use one.
    pub struct Guide: "guide" {
        command: "guide",
        profile: Core,
        effect: Reads,
        when: "You do not know which verb fits, or what one answers.",
        when_not: "You know which verb you need.",
        cost: "Instant. No database is read.",
        returns: "Text: the overview, one verb's card, or the valid names when the name is none.",
        next: "The verb it leads you to.",
        example: "elfmem guide recall",
        tool: "Explain the verbs, or one. Use when unsure which fits.",
        answers: &[field("text", Text)],
    }
    takes {
        /// Which verb; without one, all
        method_name: String => place("NAME"),
    }
}

impl<T: Into<String>> From<T> for Guide {
    fn from(name: T) -> Self {
        Self::new().method_name(name)
    }
}
