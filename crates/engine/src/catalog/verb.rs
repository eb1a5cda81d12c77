//! The description of one verb.

use serde::Serialize;

use super::Parameter;
use crate::verbs::VerbId;

/// One verb: its names, parameters, answer and card.
#[derive(Debug)]
#[non_exhaustive]
pub struct Verb {
    /// Which one.
    pub id: VerbId,
    /// Its name in the library, and behind `elfmem_` among the tools.
    pub name: &'static str,
    /// Other names it can be called by.
    pub aliases: &'static [&'static str],
    /// The command after `elfmem`, with the option that selects the verb if there is one.
    pub command: &'static str,
    /// The shortest list of tools that contains it.
    pub profile: ToolProfile,
    /// What it does to the memory.
    pub effect: Effect,
    /// Whether a second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// Its parameters; required ones first.
    pub parameters: &'static [Parameter],
    /// The keys of its answer.
    pub fields: &'static [Field],
    /// When and how to use it.
    pub card: Card,
}

impl Verb {
    /// The words of its command, without the option that selects the verb: `connect` of `connect --by-query`.
    pub fn command_path(&self) -> &'static str {
        self.command.split_once(" --").map_or(self.command, |(path, _)| path)
    }

    /// The option that selects the verb among those with the same command: `--by-query`.
    pub fn selector(&self) -> Option<&'static str> {
        self.command.find(" --").map(|at| &self.command[at + 1..])
    }

    /// Finds a parameter by its name or another name that is accepted for it.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name || parameter.aliases.contains(&name))
    }
}

/// A list of tools. Each list contains the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolProfile {
    /// The verbs that an agent needs each day.
    Core,
    /// Also the verbs for events, contexts and links.
    Locus,
    /// All verbs.
    All,
}

/// What a verb does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changes nothing, except that recalled blocks count as used.
    Reads,
    /// It changes something, and `undo` can revert it.
    Writes,
    /// It removes something.
    Destroys,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A whole number from zero.
    Count,
    /// A list of whole numbers.
    Counts,
    /// A number.
    Number,
    /// A list of numbers.
    Numbers,
    /// True or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A date, a date and time, or words such as `yesterday`.
    Time,
    /// An object.
    Object,
    /// A list of objects.
    Objects,
}

/// One key of an answer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: ValueKind,
    /// Whether the value may be null.
    pub nullable: bool,
    /// Whether the key is left out when there is nothing to report.
    pub optional: bool,
}

/// A key that is always there.
pub(crate) const fn field(name: &'static str, kind: ValueKind) -> Field {
    Field { name, kind, nullable: false, optional: false }
}

/// A key whose value may be null.
pub(crate) const fn nullable(name: &'static str, kind: ValueKind) -> Field {
    Field { name, kind, nullable: true, optional: false }
}

/// A key that may be missing.
pub(crate) const fn optional(name: &'static str, kind: ValueKind) -> Field {
    Field { name, kind, nullable: false, optional: true }
}

/// When and how to use a verb (`AgentGuide` of seed 001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Card {
    /// What it does, in one sentence.
    pub what: &'static str,
    /// When to use it.
    pub when: &'static str,
    /// When not to use it.
    pub when_not: &'static str,
    /// Its cost: instant, fast, an LLM call or slow, and what that depends on.
    pub cost: &'static str,
    /// What comes back.
    pub returns: &'static str,
    /// What usually follows.
    pub next: &'static str,
    /// A command that works.
    pub example: &'static str,
    /// How the overview names it with its arguments, and what it says of it; otherwise the name and `what`.
    pub overview: Option<(&'static str, &'static str)>,
    /// The description of its tool; otherwise `what` and `when`.
    pub tool: Option<&'static str>,
}
