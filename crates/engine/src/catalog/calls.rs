//! Calls of verbs in texts. Errors and guides name verbs as the library does, `recall(top_k=5)`; each surface says them in
//! its own words.

use super::{Parameter, Verb, find};

/// A call of a verb that a text names.
#[derive(Debug, Clone)]
pub struct VerbCall<'a> {
    /// The verb.
    pub verb: &'static Verb,
    arguments: Vec<(&'static Parameter, &'a str)>,
}

impl<'a> VerbCall<'a> {
    /// Reads `name=value` arguments. Returns `None` if they are anything else.
    fn parse(verb: &'static Verb, arguments: &'a str) -> Option<Self> {
        let given = arguments.split(", ").filter(|argument| !argument.is_empty());
        let arguments = given.map(|argument| {
            let (name, value) = argument.split_once('=')?;
            Some((verb.parameter(name)?, value))
        });
        Some(Self { verb, arguments: arguments.collect::<Option<_>>()? })
    }

    /// The call as it is typed on the command line: `elfmem recall --top-k 5`.
    pub fn typed(&self) -> String {
        let mut command = format!("elfmem {}", self.verb.command);
        for (parameter, value) in &self.arguments {
            let is_option = parameter.typed.starts_with('-');
            if is_option {
                command.push(' ');
                command.push_str(parameter.typed);
            }
            if !is_option || !parameter.value_name.is_empty() {
                command.push(' ');
                command.push_str(value);
            }
        }
        command
    }

    /// The arguments that are given: name and value, as text.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, &'a str)> + '_ {
        self.arguments.iter().map(|(parameter, value)| (parameter.name, *value))
    }

    /// The call under another name: `elfmem_recall(top_k=5)`, or the name alone if nothing is given.
    pub fn under(&self, name: &str) -> String {
        if self.arguments.is_empty() {
            return name.to_owned();
        }
        let given: Vec<String> =
            self.arguments.iter().map(|(parameter, value)| format!("{}={value}", parameter.name)).collect();
        format!("{name}({})", given.join(", "))
    }
}

/// Returns a text without the sentences that name a call: that advice was for the moment it was given.
pub fn without_advice(text: &str) -> String {
    let is_advice = |sentence: &&str| replace_calls(sentence, |_| String::new()) != **sentence;
    let kept: Vec<&str> = text.split_inclusive(". ").filter(|sentence| !is_advice(sentence)).collect();
    kept.concat().trim_end().to_owned()
}

/// Returns a text with every call of a verb as `say` puts it.
pub fn replace_calls(text: &str, say: impl Fn(&VerbCall<'_>) -> String) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, arguments) = (&rest[..open], &rest[open + 1..]);
        let start = before
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let named = before[start..].trim_start_matches("system.");
        let call = find(named).zip(arguments.find(')'));
        match call.and_then(|(verb, close)| Some((VerbCall::parse(verb, &arguments[..close])?, close))) {
            Some((call, close)) => {
                said.push_str(&before[..start]);
                said.push_str(&say(&call));
                rest = &arguments[close + 1..];
            }
            None => {
                said.push_str(&rest[..=open]);
                rest = arguments;
            }
        }
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_of_an_earlier_moment_is_left_out() {
        for (said, kept) in [
            ("Forgot block 1a2b. Bring it back with undo().", "Forgot block 1a2b."),
            ("Take it back with undo(seq=5).", ""),
            ("Stored block 1a2b. Status: created.", "Stored block 1a2b. Status: created."),
        ] {
            assert_eq!(without_advice(said), kept);
        }
    }
}
