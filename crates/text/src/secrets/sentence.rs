//! Finds passwords told in sentences: "the wifi password is …", "das Passwort lautet …".
//!
//! A word for a secret, a verb that names its value within a few words, and a value that is no
//! ordinary word. Words for a password, the verbs and the prepositions are those of English, German,
//! French, Spanish, Italian, Portuguese and Dutch.

use std::ops::Range;

use super::assignment::passphrase;
use super::names::{NameEvidence, SecretName, folded, means_password, name_words, secret_name};
use super::redactions::SecretKind;
use super::value::{digit_runs, is_reference, is_strongly_random, trim_closers};
use super::wordlike::{case_changes, is_wordlike};
use super::{SecretMatches, logins};
use crate::language::is_stop_word;

/// Maximum number of words between the word for the secret and the verb.
const MAX_BETWEEN: usize = 6;
/// The same before the value of a key, which is surely random.
const MAX_BETWEEN_KEY: usize = 10;
/// Maximum number of words between a login and its password.
const NEAR_LOGIN: usize = 7;
/// Maximum length of a quoted value.
const MAX_QUOTED: usize = 64;
/// Minimum length of a password in a sentence.
const MIN_PASSWORD: usize = 5;
/// Maximum number of words before `key` or `passe` that belong to the name.
const NAME_WORDS: usize = 3;

/// Verbs before the value, without accents.
pub(super) const VERBS: [&str; 18] = [
    "is", "was", "are", "equals", "ist", "war", "lautet", "lautete", "heisst", "heißt", "est", "etait", "es", "era",
    "e", "luidt", "sera", "becomes",
];

/// Prepositions after a change: "changed my password to …", "auf … geändert".
const CHANGES: [&str; 6] = ["to", "auf", "naar", "para", "por", "à"];

/// Verbs of change before the preposition, however far from the name: "the root password on db1 was changed to …".
const CHANGED: [&str; 12] = [
    "changed",
    "set",
    "reset",
    "rotated",
    "updated",
    "change",
    "cambiada",
    "cambiado",
    "cambiata",
    "alterada",
    "gewijzigd",
    "veranderd",
];

/// Prepositions before what was changed: "from … to …", "von … auf …".
const CHANGED_FROM: [&str; 5] = ["from", "von", "van", "de", "da"];

/// What is named before the value.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Password,
    Pin,
    /// A key or token: only a long random value counts.
    Key(SecretKind),
}

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    // Lines are sentences of their own; a value never stands on the next one.
    let mut line_start = 0;
    for line in text.split('\n') {
        let words = words_of(line);
        for at in 0..words.len() {
            let Some(named) = named_by(line, &words[..=at]) else { continue };
            if let Some(value) = value_after(line, &words, at, named) {
                let kind = if let Named::Key(kind) = named { kind } else { SecretKind("told_password") };
                for value in replaced_by(line, &words, &value, named).into_iter().chain([value]) {
                    matches.add(kind, line_start + value.start..line_start + value.end);
                }
            }
        }
        for value in logins::values(line, &words) {
            matches.add(SecretKind("told_password"), line_start + value.start..line_start + value.end);
        }
        line_start += line.len() + 1;
    }
}

/// Returns the ranges of the words of a line: runs without white space.
pub(super) fn words_of(line: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = 0;
    for word in line.split(char::is_whitespace) {
        if !word.is_empty() {
            words.push(from..from + word.len());
        }
        from += word.len() + line[from + word.len()..].chars().next().map_or(0, char::len_utf8);
    }
    words
}

/// Removes punctuation around a word.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Returns what the last of the words names, if it is a secret.
fn named_by(line: &str, words: &[Range<usize>]) -> Option<Named> {
    let last = words.last()?;
    let word = folded(bare(&line[last.clone()]));
    let parts = name_words(bare(&line[last.clone()]));
    if parts.last().is_some_and(|part| means_password(part)) {
        return Some(Named::Password);
    }
    // `accessKeySecret` is a secret like `secret`.
    match parts.last().map_or(word.as_str(), String::as_str) {
        "pin" | "pincode" => return Some(Named::Pin),
        "key" | "schlüssel" | "code" if follows_any(line, words, &parts, &WIRELESS) => return Some(Named::Password),
        "pw" => return Some(Named::Password),
        "key" | "token" | "secret" | "passe" | "ordine" | "d'ordine" | "d’ordine" | "accesso" => {}
        _ => return None,
    }
    let first = words.len().saturating_sub(NAME_WORDS);
    let name: Vec<String> = words[first..].iter().flat_map(|word| name_words(bare(&line[word.clone()]))).collect();
    match secret_name(&name, false)? {
        SecretName { kind, .. } if kind.as_str() == "password" => Some(Named::Password),
        SecretName { kind, evidence: NameEvidence::Name } => Some(Named::Key(kind)),
        SecretName { .. } => None,
    }
}

/// Words before `key` that make it the password of a network.
const WIRELESS: [&str; 5] = ["wlan", "wifi", "fi", "router", "hotspot"];

/// Returns true if one of some words stands before the last part of a name, in the same word or the one before.
fn follows_any(line: &str, words: &[Range<usize>], parts: &[String], wanted: &[&str]) -> bool {
    let before = words.len().checked_sub(2).map(|at| name_words(bare(&line[words[at].clone()]))).unwrap_or_default();
    let nearest = before.last().into_iter().chain(parts.iter().rev().skip(1));
    nearest.into_iter().any(|word| wanted.contains(&word.as_str()))
}

/// Returns the value that the words after a name tell.
fn value_after(line: &str, words: &[Range<usize>], at: usize, named: Named) -> Option<Range<usize>> {
    let name = &line[words[at].clone()];
    let reach = if let Named::Key(_) = named { MAX_BETWEEN_KEY } else { MAX_BETWEEN };
    for (between, place) in (at + 1..words.len().min(at + 2 + reach)).enumerate() {
        let before = &line[words[place - 1].clone()];
        // The sentence ends before the value.
        if before.ends_with(['.', ';', '?', '!']) && !is_password(before) {
            return None;
        }
        let verb = folded(bare(before));
        let told = if between == 0 {
            name.ends_with(':') || follows_login(line, &words[..at])
        } else {
            // `password = …` is an assignment; "the password for staging = …" is a sentence.
            before.ends_with(':')
                || between > 1 && before == "="
                || VERBS.contains(&verb.as_str())
                || CHANGES.contains(&verb.as_str())
                    && (between < 4 || follows_from(line, &words[..place]) || follows_change(line, &words[..place]))
        };
        let found = if told { value_at(line, &words[place], named) } else { None };
        // "the app password for the printer: ujgg paoq eunx wvyd"
        let phrase = || {
            passphrase(&line[words[place].start..]).map(|phrase| words[place].start..words[place].start + phrase.len())
        };
        let found = found.or_else(|| (named == Named::Password && before.ends_with(':')).then(phrase).flatten());
        // "use the passphrase '…'", "pwd …" without a verb.
        let found = found.or_else(|| (between == 0).then(|| plain_value(line, &words[place], named)).flatten());
        if found.is_some() || told && before.ends_with(':') {
            return found;
        }
    }
    None
}

/// Returns the old value where a text tells that it was replaced by the value: "from … to …".
fn replaced_by(line: &str, words: &[Range<usize>], value: &Range<usize>, named: Named) -> Option<Range<usize>> {
    let place = words.iter().position(|word| word.contains(&value.start))?;
    let word = |back: usize| place.checked_sub(back).map(|at| folded(bare(&line[words[at].clone()])));
    let changed = CHANGES.contains(&word(1)?.as_str()) && CHANGED_FROM.contains(&word(3)?.as_str());
    if changed { value_at(line, &words[place - 2], named) } else { None }
}

/// Returns true if a login stands a few words before a name: `login ana password …`, "user root and password …".
fn follows_login(line: &str, before: &[Range<usize>]) -> bool {
    const NAMES: [&str; 14] = [
        "login",
        "user",
        "username",
        "benutzer",
        "benutzername",
        "admin",
        "root",
        "identifiant",
        "utilisateur",
        "usuario",
        "usuário",
        "utente",
        "gebruiker",
        "gebruikersnaam",
    ];
    let near = &before[before.len().saturating_sub(NEAR_LOGIN)..];
    near.iter().any(|word| NAMES.contains(&folded(bare(&line[word.clone()])).as_str()))
}

/// Returns true if words end in "from … to".
fn follows_from(line: &str, before: &[Range<usize>]) -> bool {
    let from = before.len().checked_sub(3).map(|at| folded(bare(&line[before[at].clone()])));
    from.is_some_and(|from| CHANGED_FROM.contains(&from.as_str()))
}

/// Returns true if words end in "changed to".
fn follows_change(line: &str, before: &[Range<usize>]) -> bool {
    let verb = before.len().checked_sub(2).map(|at| folded(bare(&line[before[at].clone()])));
    verb.is_some_and(|verb| CHANGED.contains(&verb.as_str()))
}

/// Returns the value at a word, in quotes or alone, if it looks like a secret.
fn value_at(line: &str, word: &Range<usize>, named: Named) -> Option<Range<usize>> {
    if let Some(quoted) = quoted_at(line, word.start) {
        let text = &line[quoted.clone()];
        // "in the usual place" says where it is.
        let hint = text.split_once(' ').is_some_and(|(first, _)| is_stop_word(&folded(first)));
        return (text.chars().count() >= 4 && !hint && !is_reference(text)).then_some(quoted);
    }
    let value = trim_closers(line[word.clone()].trim_end_matches(['.', ',', ';', ':']));
    let looks_secret = match named {
        Named::Password => is_password(value),
        Named::Pin => (4..=8).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit()),
        Named::Key(_) => is_strongly_random(value),
    };
    looks_secret.then(|| word.start..word.start + value.len())
}

/// Returns a value directly after its name: several quoted words, or one that can only be random.
fn plain_value(line: &str, word: &Range<usize>, named: Named) -> Option<Range<usize>> {
    if let Named::Key(_) = named {
        // Letters and digits alone: file names and ids are random and have separators.
        let value = line[word.clone()].trim_end_matches(['.', ',', ';', ':']);
        let random = is_strongly_random(value) && value.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return random.then(|| word.start..word.start + value.len());
    }
    if named != Named::Password {
        return None;
    }
    if let Some(quoted) = quoted_at(line, word.start) {
        let text = &line[quoted.clone()];
        return ((text.split(' ').count() >= 3 && !is_reference(text)) || is_password(text)).then_some(quoted);
    }
    let value = line[word.clone()].trim_end_matches(['.', ',', ';', ':']);
    let changing =
        value.bytes().all(|byte| byte.is_ascii_alphanumeric()) && digit_runs(value) >= 1 && case_changes(value) > 0.2;
    let random = (changing || is_of_every_class(value)) && is_password(value);
    random.then(|| word.start..word.start + value.len())
}

/// Returns the text between quotes that open at `at`.
fn quoted_at(line: &str, at: usize) -> Option<Range<usize>> {
    const QUOTES: [(char, &[char]); 7] = [
        ('"', &['"']),
        ('\'', &['\'']),
        ('`', &['`']),
        ('“', &['”', '“']),
        ('„', &['“', '”']),
        ('«', &['»']),
        ('‘', &['’']),
    ];
    let open = line[at..].chars().next()?;
    let (_, close) = QUOTES.iter().find(|(quote, _)| *quote == open)?;
    let from = at + open.len_utf8();
    let length = line[from..].char_indices().take(MAX_QUOTED).find(|(_, c)| close.contains(c))?.0;
    (length > 0).then_some(from..from + length)
}

/// Returns true for a word that is no word: letters with digits, with symbols, or without sense.
pub(super) fn is_password(value: &str) -> bool {
    const TECHNIQUES: [&str; 12] =
        ["sha", "md5", "base", "utf", "argon", "pbkdf", "aes", "rot", "bcrypt", "scrypt", "ascii", "tls"];
    let lower = folded(value);
    let is_address =
        value.contains("://") || value.contains('@') && value.contains('.') || value.starts_with(['/', '~']);
    if value.chars().count() < MIN_PASSWORD
        || is_address
        || is_reference(value)
        || is_measure(&lower)
        || TECHNIQUES.iter().any(|technique| lower.starts_with(technique))
    {
        return false;
    }
    let inside = &value[..value.trim_end_matches(['!', '?', ')', '"', '\'']).len()];
    let symbol = inside.contains(['!', '#', '$', '%', '^', '&', '*', '+', '=', '~', '_']);
    let letter = value.contains(char::is_alphabetic);
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let random = value.len() >= 8 && is_mixed_case(value) && !is_wordlike(value);
    letter && (digit || symbol || random)
}

/// Returns true for a long value with upper and lower case, several digits and a symbol, as generators make them.
fn is_of_every_class(value: &str) -> bool {
    let symbol =
        value.contains(['!', '#', '$', '%', '^', '&', '*', '+', '=', '~', ']', '[', '(', ')', ';', '{', '}', '<', '>']);
    value.len() >= 12 && symbol && is_mixed_case(value) && digit_runs(value) >= 1 && !is_wordlike(value)
}

pub(super) fn is_mixed_case(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_uppercase()) && value.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns true for a number with a unit or an ending: `12-character`, `3rd`, `90days`, `8-digit`.
fn is_measure(lower: &str) -> bool {
    let rest = lower.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    rest.len() < lower.len() && rest.chars().all(char::is_alphabetic)
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
    fn passwords_in_sentences_are_found_in_seven_languages() {
        for (text, secret) in [
            ("The wifi password for the guests is bluewhale42.", "bluewhale42"),
            ("Das WLAN-Passwort lautet Katze-2024-Haus", "Katze-2024-Haus"),
            ("Le mot de passe est soleil1234.", "soleil1234"),
            ("La contraseña del router es Girasol123", "Girasol123"),
            ("La password è Gatto1234.", "Gatto1234"),
            ("A senha é Cachorro123.", "Cachorro123"),
            ("Het wachtwoord is Tulp1234", "Tulp1234"),
            ("I changed my password to Falcon-7781", "Falcon-7781"),
            ("root password for the router: Qx7kLm9p", "Qx7kLm9p"),
            ("The password is \"swordfish\", he said", "swordfish"),
            ("The PIN for the alarm is 4711.", "4711"),
            ("the root pw is Gatto1234", "Gatto1234"),
            ("The root password on db1 was changed to Gatto1234", "Gatto1234"),
            ("De pincode van de kluis is 629707.", "629707"),
            ("WLAN-Schlüssel im Ferienhaus ist Nordwind-33, bitte", "Nordwind-33"),
            ("The Wi-Fi key is Nordwind-33", "Nordwind-33"),
            ("Per il Wi-Fi la parola d'accesso è Limone-74", "Limone-74"),
            ("identifiant mdurand, mot de passe Br0uillard.79#", "Br0uillard.79#"),
            ("met gebruiker jan en wachtwoord Fietsbel-42", "Fietsbel-42"),
            ("App password for the scanner: ujgg paoq eunx wvyd", "ujgg paoq eunx wvyd"),
            ("Password for staging = Gatto1234", "Gatto1234"),
            ("login for the shop: ana / Herbst561!", "Herbst561!"),
            ("the credentials are svc_ci:PMGKjDxhV5Y3UOON", "PMGKjDxhV5Y3UOON"),
            ("auth for docker: password 4KEQZ]M29smF(;voMGdz", "4KEQZ]M29smF(;voMGdz"),
            (
                "the API key that we got from the weather service is 7a9d7dcccdeacaec3ec95b41a8991210",
                "7a9d7dcccdeacaec3ec95b41a8991210",
            ),
            ("my login for the portal is ana@acme.com with password Gatto12!4", "Gatto12!4"),
            ("id x, accessKeySecret rvKtpxZoqPAkFWMbI9aNipa1VfwP60", "rvKtpxZoqPAkFWMbI9aNipa1VfwP60"),
            ("use the API key 0f9a1c2b3d4e5f60718293a4b5c6d7e8 today", "0f9a1c2b3d4e5f60718293a4b5c6d7e8"),
            ("the api key is 0f9a1c2b3d4e5f60718293a4b5c6d7e8", "0f9a1c2b3d4e5f60718293a4b5c6d7e8"),
        ] {
            assert_eq!(secrets_of(text), [secret], "{text}");
        }
    }

    #[test]
    fn of_a_change_both_passwords_are_found() {
        let text = "The root password was changed from old3279Pw! to new0122Pw!";
        assert_eq!(secrets_of(text), ["old3279Pw!", "new0122Pw!"]);
        assert_eq!(secrets_of("The password was moved from Bitwarden to 1Password"), Vec::<&str>::new());
    }

    #[test]
    fn sentences_about_passwords_are_left_alone() {
        for text in [
            "login: ana / Berlin",
            "logins are counted at 10:00 and 12:30 / 2024",
            "the login server is crm-2:8080",
            "The door code is 1234.",
            "The alarm code for the shed is 3076.",
            "The password is too short",
            "the password was changed to something longer",
            "The password is 12-characters long",
            "The password is SHA256-hashed",
            "The password is written on the router",
            "The password expired. It was a4f9z in 2019",
            "Das Passwort ist im Tresor",
            "La clave es la paciencia",
            "The PIN is printed on the letter",
            "He said the password is \"in the usual place\"",
            "The key is under the mat",
            "The error code is 4040",
            "The dress code is 2024",
            "the router key: ask maria about it",
            "password: \"{{ vault_db_password }}\"",
            "password for room B204 is with Ada",
        ] {
            assert_eq!(secrets_of(text), Vec::<&str>::new(), "{text}");
        }
    }
}
