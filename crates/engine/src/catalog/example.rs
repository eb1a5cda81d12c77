//! The example of a verb as arguments in JSON. Cards show it as it is typed; tools and requests take JSON.

use serde_json::{Map, Value, json};

use super::{Input, Parameter, ValueKind, Verb};

impl Verb {
    /// Returns the arguments of the verb's example. Options that only the command line has, such as `--yes`, are left out.
    /// Returns `None` if the example is not a call of the verb.
    pub fn example_arguments(&self) -> Option<Map<String, Value>> {
        let typed = words(self.card.example);
        let mut rest = typed.iter().map(String::as_str);
        if rest.next()? != "elfmem" || !self.command_path().split(' ').all(|word| rest.next() == Some(word)) {
            return None;
        }
        let mut places = self.parameters.iter().filter(|parameter| !parameter.typed.starts_with('-'));
        let (mut arguments, mut place) = (Map::new(), None);
        while let Some(word) = rest.next() {
            let option = self.parameters.iter().find(|parameter| parameter.typed == word);
            let (parameter, value) = match option {
                Some(flag) if flag.kind == ValueKind::Flag => (flag, "true"),
                Some(option) => (option, rest.next()?),
                None if word.starts_with("--") => continue,
                None => {
                    let current = place.filter(|parameter: &&Parameter| takes_several(parameter));
                    let parameter = current.or_else(|| places.next())?;
                    place = Some(parameter);
                    (parameter, word)
                }
            };
            let value = value_of(parameter, value)?;
            match (arguments.get_mut(parameter.name), value) {
                (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
                (Some(Value::String(known)), Value::String(more)) => *known = format!("{known} {more}"),
                (_, value) => drop(arguments.insert(parameter.name.to_owned(), value)),
            }
        }
        Some(arguments)
    }
}

fn takes_several(parameter: &Parameter) -> bool {
    parameter.is_list() || matches!(parameter.input, Input::Words | Input::WordsOrStandardInput)
}

/// Returns the value of a parameter that is typed as `text`.
fn value_of(parameter: &Parameter, text: &str) -> Option<Value> {
    let number = |text: &str| serde_json::from_str::<Value>(text).ok().filter(Value::is_number);
    Some(match parameter.kind {
        ValueKind::Text if parameter.input == Input::File => json!(format!("the text of {text}")),
        ValueKind::Text | ValueKind::Time | ValueKind::Choice(_) => json!(text),
        ValueKind::Texts => json!([text]),
        ValueKind::Count | ValueKind::Number => number(text)?,
        ValueKind::Counts => json!([number(text)?]),
        ValueKind::Numbers => Value::Array(text.split(',').map(number).collect::<Option<_>>()?),
        ValueKind::Flag => json!(true),
        ValueKind::Object if parameter.input == Input::File => serde_json::from_str(parameter.example?).ok()?,
        ValueKind::Object => serde_json::from_str(text).ok()?,
        ValueKind::Objects if parameter.input == Input::File => serde_json::from_str(parameter.example?).ok()?,
        ValueKind::Objects => {
            let ((first, second), (one, other)) = (parameter.value_name.split_once('=')?, text.split_once('=')?);
            json!([{first.to_ascii_lowercase(): one, second.to_ascii_lowercase(): other}])
        }
    })
}

/// Splits a command into words, with quotation marks and continued lines as in a shell.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.replace("\\\n", " ").chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use elfmem_core::Timestamp;

    use super::*;
    use crate::catalog::{all, find};
    use crate::request::VerbArguments;

    #[test]
    fn every_example_is_a_call_that_its_verb_takes() {
        for verb in all() {
            let arguments = verb.example_arguments();
            let arguments = arguments.unwrap_or_else(|| panic!("{}: {}", verb.name, verb.card.example));
            let checked = VerbArguments::check(verb, &arguments, Timestamp::UNIX_EPOCH);
            assert!(checked.is_ok(), "{}: {arguments:?}: {:?}", verb.name, checked.err());
        }
    }

    #[test]
    fn options_places_and_quoted_texts_become_arguments() {
        for (verb, arguments) in [
            ("recall", json!({"query": "who can't eat nuts?", "top_k": 3})),
            ("outcome", json!({"block_ids": ["1f3a", "9c02"], "signal": 0.9})),
            ("purge", json!({"block_id": "1f3a"})),
            ("curate", json!({})),
            ("consolidate", json!({"dry_run": true})),
            ("retract_outcome", json!({"outcome_id": "00c0ffee00c0ffee"})),
            ("add_tags", json!({"block_id": "1f3a", "tags": ["topic/db", "durable"]})),
        ] {
            assert_eq!(find(verb).unwrap().example_arguments().map(Value::Object), Some(arguments), "{verb}");
        }
    }
}
