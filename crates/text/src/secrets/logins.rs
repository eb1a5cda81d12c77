//! Passwords that stand beside a name after a word for a login: `login for the shop: ana / …`.

use std::ops::Range;

use super::names::folded;
use super::sentence::{VERBS, bare, is_mixed_case, is_password};
use super::value::digit_runs;

/// Words that announce a name with its password.
const LOGINS: [&str; 10] = [
    "login",
    "logins",
    "credentials",
    "creds",
    "zugangsdaten",
    "anmeldedaten",
    "identifiants",
    "credenciales",
    "credenziali",
    "inloggegevens",
];

/// Returns the passwords of a line that stand beside a name: "login for the shop: ana / …", "credentials are ci:…".
pub(super) fn values(line: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let announced = words.iter().position(|word| LOGINS.contains(&folded(bare(&line[word.clone()])).as_str()));
    let Some(announced) = announced else { return Vec::new() };
    let is_generated = |value: &str| {
        let symbol = value.contains(|c: char| c.is_ascii_punctuation());
        value.len() >= 8 && is_password(value) && (symbol || is_mixed_case(value)) && digit_runs(value) >= 1
    };
    let ends = ['.', ',', ';', ')'];
    let mut values = Vec::new();
    for place in announced + 1..words.len() {
        let word = &line[words[place].clone()];
        let told = line[words[place - 1].clone()].ends_with(':')
            || VERBS.contains(&folded(bare(&line[words[place - 1].clone()])).as_str());
        if told
            && let Some((name, value)) = word.split_once(':')
            && !name.is_empty()
            && is_generated(value.trim_end_matches(ends))
        {
            let start = words[place].start + name.len() + 1;
            values.push(start..start + value.trim_end_matches(ends).len());
        }
        let slash = place >= 2 && &line[words[place - 1].clone()] == "/" && place - 2 > announced;
        if slash && is_generated(word.trim_end_matches(ends)) {
            values.push(words[place].start..words[place].start + word.trim_end_matches(ends).len());
        }
    }
    values
}
