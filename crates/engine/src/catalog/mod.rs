//! The catalog: everything a memory can be asked to do.
//!
//! Each verb is declared by its request type (see [`crate::Request`]); the catalog is the collection of what these declare.
//! The command line, the MCP tools, the HTTP API, the guide and the reference pages are made from it.

mod calls;
mod example;
mod guide;
mod guide_request;
mod page;
mod parameter;
mod verb;

use crate::verbs::VERBS;
pub use crate::verbs::VerbId;
pub use calls::{VerbCall, replace_calls, without_advice};
pub use guide::{documented, guide, overview};
pub use guide_request::Guide;
pub use page::wrap_markdown;
pub use parameter::{Input, Parameter};
pub use verb::{Card, Effect, Field, ToolProfile, ValueKind, Verb};

/// The functions that declarations of verbs are written with.
pub(crate) mod build {
    pub(crate) use super::parameter::{flag, option, place, words, words_or_standard_input};
    pub(crate) use super::verb::{field, nullable, optional};
}

/// All verbs, in the order in which they are described.
pub fn all() -> impl Iterator<Item = &'static Verb> {
    VERBS.iter().copied()
}

/// The verb of a name or of another name it answers to.
pub fn find(name: &str) -> Option<&'static Verb> {
    all().find(|verb| verb.name == name || verb.aliases.contains(&name))
}

/// The one of `names` that looks most like `given`, if one does.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let furthest = 1 + given.chars().count() / 4;
    names
        .map(|name| (strsim::levenshtein(given, name), name))
        .filter(|(distance, name)| *distance <= furthest || name.starts_with(given) && !given.is_empty())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
            let names = || verb.parameters.iter().flat_map(|one| one.aliases.iter().chain([&one.name]));
            assert_eq!(names().collect::<HashSet<_>>().len(), names().count(), "{}", verb.name);
            let fields: HashSet<_> = verb.fields.iter().map(|field| field.name).collect();
            assert_eq!(fields.len(), verb.fields.len(), "{}", verb.name);
            assert!(!fields.is_empty(), "{} answers nothing", verb.name);
        }
    }

    #[test]
    fn every_choice_has_its_default_among_its_words() {
        for parameter in all().flat_map(|verb| verb.parameters) {
            if let (ValueKind::Choice(words), Some(default)) = (parameter.kind, parameter.default) {
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
}
