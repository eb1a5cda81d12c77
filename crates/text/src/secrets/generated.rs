//! Finds values that can only be a password, in sentences that name a password, a key or a token anywhere.
//!
//! `sentence` needs the name, a verb and the value in this order and near each other. A value with upper and lower case, digits
//! and a symbol is no word of any sentence, so less has to be said of it: "… was changed to X", "X is the wifi password".

use std::ops::Range;

use super::SecretMatches;
use super::names::{folded, is_open_name, means_password, name_words};
use super::redactions::SecretKind;
use super::sentence::{VERBS, bare, is_password, words_of};
use super::wordlike::{is_mixed_with_symbol, is_random_with_symbol};

/// Maximum length of a value.
const MAX_VALUE: usize = 64;
/// Maximum number of words from a name to a value after it. Bounded, so that the scan is linear.
const MAX_BEFORE: usize = 24;
/// Maximum number of words between a value and the name after it.
const MAX_AFTER: usize = 5;
/// Number of words that belong to a name.
const NAME_WORDS: usize = 3;

/// Words for a secret beside those for a password, without accents.
const OTHER_NAMES: [&str; 14] = [
    "pass",
    "pw",
    "passe",
    "secret",
    "token",
    "key",
    "schlüssel",
    "schluessel",
    "cle",
    "clef",
    "llave",
    "chiave",
    "chave",
    "sleutel",
];

/// Words and signs before a value beside the verbs.
const BEFORE: [&str; 12] = ["to", "auf", "naar", "para", "por", "à", "en", "zu", "->", "→", "=>", "="];

/// Words between a value and the name after it beside the verbs: "X as the password".
const AS: [&str; 4] = ["as", "als", "comme", "como"];

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let mut line_start = 0;
    for line in text.split('\n') {
        let words = words_of(line);
        for place in 0..words.len() {
            let Some(value) = value_at(line, &words[place]) else { continue };
            if let Some(kind) = named_before(line, &words[..place]).or_else(|| named_after(line, &words[place + 1..])) {
                matches.add(kind, line_start + value.start..line_start + value.end);
            }
        }
        line_start += line.len() + 1;
    }
}

/// Returns the value in a word, without quotes and punctuation around it.
fn value_at(line: &str, word: &Range<usize>) -> Option<Range<usize>> {
    const QUOTES: [char; 8] = ['"', '\'', '`', '“', '”', '„', '«', '»'];
    let text = &line[word.clone()];
    let body = text.trim_start_matches(QUOTES);
    let start = word.end - body.len();
    let value = body.trim_end_matches(['.', ',', ';', ':']).trim_end_matches(QUOTES);
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let generated = is_mixed_with_symbol(value) && digit || is_random_with_symbol(value);
    (value.len() <= MAX_VALUE && generated && is_password(value)).then_some(start..start + value.len())
}

/// Returns the kind of the nearest name before a value, if a verb, a sign or the name itself announces the value.
fn named_before(line: &str, before: &[Range<usize>]) -> Option<SecretKind> {
    let last = &line[before.last()?.clone()];
    let word = folded(bare(last));
    let announced = last.ends_with([':', '=']) || VERBS.contains(&word.as_str()) || BEFORE.contains(&word.as_str());
    let announced = announced || BEFORE.contains(&last);
    for at in (before.len().saturating_sub(MAX_BEFORE)..before.len()).rev() {
        let nearest = at + 1 == before.len();
        if line[before[at].clone()].ends_with(['.', ';', '?', '!']) {
            return None;
        }
        if let Some(kind) = kind_of(line, &before[..=at]).filter(|_| announced || nearest) {
            return Some(kind);
        }
    }
    None
}

/// Returns the kind of the name after a value and a verb: "X is the wifi password".
fn named_after(line: &str, after: &[Range<usize>]) -> Option<SecretKind> {
    let verb = folded(bare(&line[after.first()?.clone()]));
    if !VERBS.contains(&verb.as_str()) && !AS.contains(&verb.as_str()) {
        return None;
    }
    let name = (1..after.len().min(1 + MAX_AFTER)).take_while(|at| {
        // The sentence ends before the name.
        !line[after[at - 1].clone()].ends_with(['.', ';', '?', '!'])
    });
    name.filter_map(|at| kind_of(line, &after[..=at])).next()
}

/// Returns the kind of secret that the last of some words names.
fn kind_of(line: &str, words: &[Range<usize>]) -> Option<SecretKind> {
    let text = |word: &Range<usize>| name_words(bare(&line[word.clone()]));
    let last = text(words.last()?);
    let name = last.last()?;
    if means_password(name) {
        return Some(SecretKind("told_password"));
    }
    let around: Vec<String> = words[words.len().saturating_sub(NAME_WORDS)..].iter().flat_map(text).collect();
    if !OTHER_NAMES.contains(&name.as_str()) || is_open_name(&around) {
        return None;
    }
    let is_password = matches!(name.as_str(), "pass" | "pw" | "passe");
    Some(SecretKind(if is_password { "told_password" } else { "assigned_secret" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets_of(text: &str) -> Vec<&str> {
        let mut matches = SecretMatches::default();
        find(text, &mut matches);
        matches.0.iter().map(|found| &text[found.at.clone()]).collect()
    }

    #[test]
    fn a_generated_value_is_found_wherever_its_sentence_names_it() {
        for text in [
            "The root password on db1 was changed to X",
            "Le mot de passe administrateur a été changé en X",
            "X is the wifi password",
            "X ist das WLAN-Passwort.",
            "X est le mot de passe du wifi",
            "The password of the NAS, set by Ana in May, is X.",
            "password (staging) -> X",
            "pass: X",
            "wifi pw = X",
            "The secret for the API is X",
            "token for the CI: X",
            "La clé API du service météo est X",
            "Der API-Schlüssel für den Wetterdienst ist \"X\".",
            "Use passphrase X to unlock the disk",
            "we set X as the wifi password",
        ] {
            for value in ["Tr0ub4dor&3", "hrCG%Mqbzy", "bbdB&IPykx"] {
                let text = text.replace('X', value);
                assert_eq!(secrets_of(&text), [value], "{text}");
            }
        }
    }

    #[test]
    fn sentences_without_a_generated_value_or_a_name_are_left_alone() {
        for text in [
            "the password policy is strict",
            "the secret of good bread is patience",
            "token for the CI: ask Ben",
            "the password was changed to something longer",
            "the token limit is GPT-4o",
            "The key to Research&Development is Ana",
            "The public key is Tr0ub4dor&3",
            "The password expired. The model is Tr0ub4dor&3",
            "the key account is Johnson&Johnson",
            "see https://host/Path?token=A1&b=2 for the password",
            "the password is in $DB_Pass1word",
            "Tr0ub4dor&3 is a comic",
        ] {
            assert_eq!(secrets_of(text), Vec::<&str>::new(), "{text}");
        }
    }
}
