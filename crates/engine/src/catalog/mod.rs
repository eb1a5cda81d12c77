//! The verbs: one table of everything a memory can be asked to do.
//!
//! The command line, the MCP tools, the guide and the reference pages are made from this table or checked against it, so
//! they cannot say different things. What a verb *does* is in the engine; here is what it is called, what it takes, what it
//! answers, and when to use it.

mod connecting;
mod guarding;
mod guide;
mod observing;
mod recalling;
mod remembering;
mod telling;
mod tending;

use serde::Serialize;

pub use guide::{guide, overview};

/// Which verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is told in the table")]
pub enum VerbId {
    Learn,
    LearnDocument,
    Consolidate,
    Pending,
    Curate,
    MigrateEmbeddings,
    Recall,
    Frame,
    Why,
    Frames,
    AddFrame,
    EditFrame,
    RemoveFrame,
    Connect,
    Connects,
    ConnectByQuery,
    Disconnect,
    Outcome,
    RetractOutcome,
    Contradictions,
    ResolveContradiction,
    List,
    Show,
    Edit,
    AddTags,
    RemoveTags,
    Forget,
    Restore,
    Pin,
    Unpin,
    Supersede,
    Purge,
    Undo,
    Proposals,
    AcceptProposals,
    RejectProposals,
    Blame,
    Influence,
    RetractSource,
    ScanSecrets,
    Status,
    History,
    Log,
    Verify,
    Guide,
    BeginSession,
    EndSession,
    StoreEvent,
    StoreEvents,
    ListEvents,
    RetrieveMemories,
    ListContexts,
    ShowContext,
    ContextGraph,
    Enrol,
    Link,
    Unlink,
    Links,
    Chain,
    GenerateInsights,
    Graduate,
}

/// One verb.
#[derive(Debug)]
pub struct Verb {
    /// Which one.
    pub id: VerbId,
    /// Its name in the library, and behind `elfmem_` among the tools.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// What is typed after `elfmem`, options that choose the verb included.
    pub command: &'static str,
    /// Which lists of tools it is in.
    pub profile: Profile,
    /// What it does to the memory.
    pub effect: Effect,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it answers with.
    pub fields: &'static [Field],
    /// When and how to use it.
    pub card: Card,
}

/// Which lists of tools a verb is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Every list: what an agent needs each day.
    Core,
    /// Also the list for agents that work with events, contexts and links.
    Locus,
    /// The full list only.
    All,
}

/// What a verb does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing. (What a recall shows counts as used; that is all.)
    Reads,
    /// It changes something, and `undo` can take it back.
    Writes,
    /// It takes something away.
    Destroys,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// Texts.
    Texts,
    /// A whole number from zero.
    Count,
    /// Whole numbers.
    Counts,
    /// A number.
    Number,
    /// Numbers.
    Numbers,
    /// Yes or no.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A date, a date and time, or words such as `yesterday`.
    Time,
    /// An object.
    Object,
    /// Objects.
    Objects,
}

/// One thing a verb takes.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Whether it must be given.
    pub required: bool,
    /// What holds when it is not given, where that can be said in a word.
    pub default: Option<&'static str>,
    /// What it means.
    pub help: &'static str,
    /// Whether only the full list of tools shows it; it is always accepted.
    pub more: bool,
    /// How it is typed: `--name`, or `NAME` for a place in the line. Empty where the command itself says it.
    pub typed: &'static str,
}

impl Parameter {
    const fn new(name: &'static str, kind: Kind, typed: &'static str, help: &'static str) -> Self {
        Self { name, kind, required: false, default: None, help, more: false, typed }
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    const fn more(mut self) -> Self {
        self.more = true;
        self
    }
}

/// For verbs that store a text of somebody.
const SOURCE: Parameter = Parameter::new(
    "source",
    Kind::Text,
    "--source",
    "Where the text comes from, such as tool:web; documents, tools, imports and peers are not trusted",
)
.more();

/// For verbs that store a text.
const ALLOW_SECRETS: Parameter = Parameter::new(
    "allow_secrets",
    Kind::Flag,
    "--allow-secrets",
    "Store keys, tokens and passwords as they are instead of redacting them",
)
.more();

/// One thing a verb answers with.
#[derive(Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it is only there when there is something to tell.
    pub optional: bool,
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, nullable: false, optional: false }
}

const fn maybe(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, nullable: true, optional: false }
}

const fn sometimes(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, nullable: false, optional: true }
}

/// When and how to use a verb (`AgentGuide` of seed 001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Card {
    /// One sentence.
    pub what: &'static str,
    /// When to use it.
    pub when: &'static str,
    /// When not to.
    pub when_not: &'static str,
    /// What it costs: instant, fast, an LLM call or slow, and what that depends on.
    pub cost: &'static str,
    /// What comes back.
    pub returns: &'static str,
    /// What usually follows.
    pub next: &'static str,
    /// A command that works.
    pub example: &'static str,
}

/// Every verb, in the order in which they are told.
pub fn all() -> impl Iterator<Item = &'static Verb> {
    let chapters = [
        remembering::VERBS,
        recalling::VERBS,
        connecting::VERBS,
        telling::VERBS,
        tending::VERBS,
        guarding::VERBS,
        observing::VERBS,
    ];
    chapters.into_iter().flatten()
}

/// The verb of a name or of another name it answers to.
pub fn find(name: &str) -> Option<&'static Verb> {
    all().find(|verb| verb.name == name || verb.aliases.contains(&name))
}

/// The one of `names` that looks most like `given`, if one does.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let furthest = 1 + given.chars().count() / 4;
    names
        .map(|name| (edits(given, name), name))
        .filter(|(distance, name)| *distance <= furthest || name.starts_with(given) && !given.is_empty())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many characters must be added, dropped or changed to make one word of the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_unique_and_every_verb_is_found_by_each_of_its_names() {
        let mut seen = HashSet::new();
        for verb in all() {
            for name in verb.aliases.iter().chain([&verb.name]) {
                assert!(seen.insert(*name), "{name} names two verbs");
                assert_eq!(find(name).map(|found| found.id), Some(verb.id));
            }
            assert!(seen.insert(verb.command) || verb.command == verb.name || verb.aliases.contains(&verb.command));
        }
        assert!(find("").is_none());
    }

    #[test]
    fn no_verb_has_two_parameters_or_fields_of_one_name() {
        for verb in all() {
            let parameters: HashSet<_> = verb.parameters.iter().map(|parameter| parameter.name).collect();
            assert_eq!(parameters.len(), verb.parameters.len(), "{}", verb.name);
            let fields: HashSet<_> = verb.fields.iter().map(|field| field.name).collect();
            assert_eq!(fields.len(), verb.fields.len(), "{}", verb.name);
            assert!(!fields.is_empty(), "{} answers nothing", verb.name);
        }
    }

    #[test]
    fn every_choice_has_its_default_among_its_words() {
        for parameter in all().flat_map(|verb| verb.parameters) {
            if let (Kind::Choice(words), Some(default)) = (parameter.kind, parameter.default) {
                assert!(words.contains(&default), "{}: {default}", parameter.name);
            }
        }
    }

    #[test]
    fn a_word_that_is_nearly_a_name_is_told_which() {
        let names = || all().map(|verb| verb.name);
        assert_eq!(nearest("recal", names()), Some("recall"));
        assert_eq!(nearest("conect", names()), Some("connect"));
        assert_eq!(nearest("xyzzy", names()), None);
    }

    proptest! {
        #[test]
        fn the_distance_of_two_words_is_symmetric_and_zero_only_for_the_same(a in "[a-d]{0,6}", b in "[a-d]{0,6}") {
            prop_assert_eq!(edits(&a, &b), edits(&b, &a));
            prop_assert_eq!(edits(&a, &b) == 0, a == b);
            prop_assert!(edits(&a, &b) <= a.len().max(b.len()));
        }
    }
}
