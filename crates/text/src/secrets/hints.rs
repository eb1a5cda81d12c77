//! Whether what stands around a random string lets one suspect a secret.
//!
//! Most random strings are ids, positions and sums, and the words around them say of what. A word of
//! secrets near a string makes it suspect, and so does a line that says nothing at all about it.

use super::formats::FORMS;
use super::names::{folded, means_password, name_words};
use super::scanning::{window_end, window_start};
use crate::language::is_stop_word;

/// Words near a secret, in names and sentences, without accents.
const HINTS: [&str; 44] = [
    "access",
    "api",
    "apikey",
    "auth",
    "authkey",
    "authorization",
    "authtoken",
    "bearer",
    "client",
    "cookie",
    "credential",
    "credentials",
    "creds",
    "jwt",
    "key",
    "license",
    "licence",
    "login",
    "oauth",
    "pass",
    "pat",
    "pin",
    "private",
    "pw",
    "schlüssel",
    "sdk",
    "secret",
    "session",
    "signing",
    "ssws",
    "token",
    "unseal",
    "webhook",
    "anmeldung",
    "zugang",
    "zugangsdaten",
    "cle",
    "jeton",
    "chiave",
    "chave",
    "llave",
    "sleutel",
    "passe",
    "kennung",
];

/// Returns true if a word near `start..end` speaks of secrets, or if its line says nothing of it.
pub(super) fn is_suspected(text: &str, start: usize, end: usize) -> bool {
    let (from, to) = (window_start(text, start), window_end(text, end));
    let line_start = text[from..start].rfind('\n').map_or(from, |line| from + line + 1);
    let above = text[from..line_start].trim_end().rfind('\n').map_or(from, |line| from + line + 1);
    let line_end = text[end..to].find('\n').map_or(to, |line| end + line);
    let line = &text[line_start..start];
    has_known_prefix(&text[start..end])
        || says_nothing(line)
        || is_private_part(line)
        || [&text[above..start], &text[end..line_end]].into_iter().any(has_hint)
}

/// Minimum length of a prefix that does not stand in a random string by chance.
const MIN_PREFIX: usize = 4;

/// Returns true if a string contains the prefix of a vendor key: one that something was glued to.
fn has_known_prefix(string: &str) -> bool {
    FORMS.iter().any(|form| form.prefix.len() >= MIN_PREFIX && string.contains(form.prefix))
}

/// Returns true if no word of a line tells what follows: "it is …", "use …".
fn says_nothing(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| is_stop_word(&folded(word)) || matches!(folded(word).as_str(), "use" | "here" | "try" | "take"))
}

/// Returns true before the private part of a JSON web key.
fn is_private_part(line: &str) -> bool {
    line.contains("\"kty\"") && line.trim_end_matches(['"', ' ', ':']).ends_with("\"d")
}

fn has_hint(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).flat_map(name_words).any(|word| {
        HINTS.contains(&word.as_str()) || means_password(&word) || word.len() > 8 && word.ends_with("token")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspected(line: &str) -> bool {
        let at = line.find('@').unwrap();
        is_suspected(line, at, at + 1)
    }

    #[test]
    fn words_of_secrets_and_silence_are_suspect() {
        for line in [
            "@",
            "it is @",
            "use @ there",
            "staging API: @",
            "apiClient(\"@\")",
            "@ is the ngrok authtoken",
            "Private-Lines: 1\n@",
            "{\"kty\":\"OKP\",\"x\":\"a\",\"d\":\"@\"}",
            "das WLAN-Passwort von oben: @",
        ] {
            assert!(suspected(line), "{line}");
        }
    }

    #[test]
    fn a_vendor_key_that_something_was_glued_to_is_suspect() {
        let line = "the port is 5432@hp_a1B2c3D4e5F6g7H8i9J0".replace('@', "g");
        let start = line.find("5432").unwrap();
        assert!(is_suspected(&line, start, line.len()));
        assert!(!is_suspected("the port is 5432a1B2c3D4e5F6g7H8i9J0", start, 36));
    }

    #[test]
    fn a_line_that_says_what_a_string_is_is_not() {
        for line in [
            "solana wallet @ holds the tokens",
            "continuation=@",
            "chess PGN @",
            "_acme-challenge TXT @",
            "{\"kty\":\"EC\",\"x\":\"@\",\"y\":\"b\"}",
            "DNSKEY 257 3 13 @",
            "the trace @ shows it",
        ] {
            assert!(!suspected(line), "{line}");
        }
    }
}
