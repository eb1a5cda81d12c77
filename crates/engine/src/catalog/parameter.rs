//! The parameters of verbs, and how each is typed on the command line.

use super::ValueKind;

/// One parameter of a verb.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Parameter {
    /// Its key in JSON and in an HTTP query.
    pub name: &'static str,
    /// Other names that are accepted for it.
    pub aliases: &'static [&'static str],
    /// The kind of its value.
    pub kind: ValueKind,
    /// Whether it must be given.
    pub required: bool,
    /// The value that is used when it is not given, where that can be said in a word.
    pub default: Option<&'static str>,
    /// What it means, in one phrase without a full stop.
    pub help: &'static str,
    /// Whether only the full list of tools shows it. It is always accepted.
    pub advanced: bool,
    /// Its option (`--top-k`) or the name of its place on the command line (`QUERY`).
    pub typed: &'static str,
    /// Its short option.
    pub short: Option<char>,
    /// The name of its value in the help of the command line; empty for flags.
    pub value_name: &'static str,
    /// Where the command line takes its value from.
    pub input: Input,
    /// The value of an option that is typed without one; none when it needs a value.
    pub value_if_bare: Option<&'static str>,
    /// What each word of a choice means, in the order of the words; empty when the words say it.
    pub meanings: &'static [&'static str],
    /// An example of its value as JSON, for parameters that are objects.
    pub example: Option<&'static str>,
    /// The parameter that must be given with it.
    pub requires: Option<&'static str>,
    /// The parameter that cannot be given with it.
    pub excludes: Option<&'static str>,
    /// A group of parameters of which exactly one must be given.
    pub choose_one: Option<&'static str>,
}

/// Where the command line takes the value of a parameter from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The argument itself. An object is typed as JSON, a list by repeating the option. An object of a list is typed as the
    /// value name shows: `TYPE=TARGET` gives one with the keys `type` and `target`.
    Argument,
    /// All arguments of its place, joined by spaces. `-` reads standard input.
    Words,
    /// All arguments of its place, joined by spaces. `-` or no argument reads standard input.
    WordsOrStandardInput,
    /// The file that the argument names. `-` reads standard input.
    File,
}

impl Parameter {
    const fn typed(typed: &'static str, value_name: &'static str) -> Self {
        Self {
            name: "",
            aliases: &[],
            kind: ValueKind::Text,
            required: false,
            default: None,
            help: "",
            advanced: false,
            typed,
            short: None,
            value_name,
            input: Input::Argument,
            value_if_bare: None,
            meanings: &[],
            example: None,
            requires: None,
            excludes: None,
            choose_one: None,
        }
    }

    /// Sets what the request's field says about it: name, kind of value and help. A text may be limited to some words.
    pub(crate) const fn describe(mut self, name: &'static str, kind: ValueKind, help: &'static str) -> Self {
        self.name = name;
        if !matches!(self.kind, ValueKind::Choice(_)) {
            self.kind = kind;
        }
        self.help = help;
        self
    }

    /// Explains the words of a choice, in their order.
    pub(crate) const fn meanings(mut self, meanings: &'static [&'static str]) -> Self {
        self.meanings = meanings;
        self
    }

    /// Shows a value as JSON.
    pub(crate) const fn example(mut self, json: &'static str) -> Self {
        self.example = Some(json);
        self
    }

    /// Lets the command line refuse it without another parameter.
    pub(crate) const fn requires(mut self, name: &'static str) -> Self {
        self.requires = Some(name);
        self
    }

    /// Lets the command line refuse it together with another parameter.
    pub(crate) const fn excludes(mut self, name: &'static str) -> Self {
        self.excludes = Some(name);
        self
    }

    /// Lets the command line ask for exactly one parameter of a group.
    pub(crate) const fn choose_one(mut self, group: &'static str) -> Self {
        self.choose_one = Some(group);
        self
    }

    /// Limits a text to some words.
    pub(crate) const fn one_of(mut self, words: &'static [&'static str]) -> Self {
        self.kind = ValueKind::Choice(words);
        self
    }

    /// Adds other names that are accepted for it.
    pub(crate) const fn also(mut self, names: &'static [&'static str]) -> Self {
        self.aliases = names;
        self
    }

    /// Makes it required.
    pub(crate) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Sets the default that is shown.
    pub(crate) const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    /// Shows it in the full list of tools only.
    pub(crate) const fn advanced(mut self) -> Self {
        self.advanced = true;
        self
    }

    /// Adds a short option.
    pub(crate) const fn short(mut self, short: char) -> Self {
        self.short = Some(short);
        self
    }

    /// Lets the option be typed without a value.
    pub(crate) const fn value_if_bare(mut self, value: &'static str) -> Self {
        self.value_if_bare = Some(value);
        self
    }

    const fn input(mut self, input: Input) -> Self {
        self.input = input;
        self
    }

    /// Reads the value from a file.
    pub(crate) const fn file_contents(self) -> Self {
        self.input(Input::File)
    }

    /// Whether its value is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.kind, ValueKind::Texts | ValueKind::Counts | ValueKind::Numbers | ValueKind::Objects)
    }
}

/// An option with a value.
pub(crate) const fn option(typed: &'static str, value_name: &'static str) -> Parameter {
    Parameter::typed(typed, value_name)
}

/// An option without a value.
pub(crate) const fn flag(typed: &'static str) -> Parameter {
    Parameter::typed(typed, "")
}

/// A place on the command line.
pub(crate) const fn place(typed: &'static str) -> Parameter {
    Parameter::typed(typed, typed)
}

/// A place on the command line that takes all words up to the next option.
pub(crate) const fn words(typed: &'static str) -> Parameter {
    place(typed).input(Input::Words)
}

/// A place on the command line that takes all words, and standard input when there are none.
pub(crate) const fn words_or_standard_input(typed: &'static str) -> Parameter {
    place(typed).input(Input::WordsOrStandardInput)
}
