//! Names of secrets: in settings, code and sentences, in seven languages.

use super::redactions::SecretKind;

/// How much a value must look like a secret beside a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameEvidence {
    /// The name is enough for a value that is not an ordinary word.
    Name,
    /// The value must be long and random: the name is also used for other things.
    RandomValue,
}

/// A name that announces a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SecretName {
    pub(super) kind: SecretKind,
    pub(super) evidence: NameEvidence,
}

const PASSWORD: SecretKind = SecretKind("password");

/// Words for a password, without accents, in English, German, French, Spanish, Portuguese and Dutch.
/// Italian says password.
pub(super) const PASSWORDS: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "passwort",
    "kennwort",
    "passwortes",
    "mdp",
    "contrasena",
    "contrasenya",
    "clave",
    "senha",
    "wachtwoord",
    "wachtzin",
    "pswd",
    "psk",
];

/// Words for a password in other languages and scripts. Only the sign after them announces a value, not a sentence.
const OTHER_PASSWORDS: [&str; 14] = [
    "пароль",
    "пароля",
    "hasło",
    "haslo",
    "heslo",
    "lösenord",
    "adgangskode",
    "salasana",
    "şifre",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
];

/// Ends of compound words: `Datenbankpasswort`, `PGPASSWORD`.
pub(super) const PASSWORD_ENDINGS: [&str; 5] = ["password", "passwort", "kennwort", "wachtwoord", "passphrase"];

/// Words for a password that are several words, without accents.
const PASSWORD_PHRASES: [&[&str]; 7] = [
    &["mot", "de", "passe"],
    &["phrase", "de", "passe"],
    &["parola", "d", "ordine"],
    &["parola", "di", "accesso"],
    &["parola", "d", "accesso"],
    &["palavra", "passe"],
    &["pass", "phrase"],
];

/// Lexical tokens and list positions are also called tokens.
const NO_SECRET_TOKENS: [&str; 14] = [
    "page",
    "next",
    "continuation",
    "cursor",
    "sync",
    "eos",
    "bos",
    "pad",
    "sep",
    "mask",
    "unk",
    "stop",
    "start",
    "special",
];

/// Words before `key` that make it a secret.
const SECRET_KEYS: [&str; 13] = [
    "api",
    "secret",
    "access",
    "private",
    "auth",
    "encryption",
    "signing",
    "account",
    "master",
    "service",
    "shared",
    "session",
    "license",
];

/// Words before `key` that may make it a secret.
const RANDOM_KEYS: [&str; 5] = ["deploy", "admin", "write", "project", "host"];

/// Words before `key` that make it public or part of a table.
const OPEN_KEYS: [&str; 22] = [
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "index",
    "row",
    "hash",
    "idempotency",
    "site",
    "publishable",
    "natural",
    "composite",
    "object",
    "map",
    "dedupe",
    "socket",
    "websocket",
    "verifying",
    "verification",
    "verify",
    "validation",
];

/// Last words of names whose values are random and public: positions in a list, ids, signatures.
const OPEN_VALUES: [&str; 26] = [
    "hash",
    "digest",
    "checksum",
    "integrity",
    "sha256",
    "sha512",
    "etag",
    "fingerprint",
    "commit",
    "cid",
    "ipfs",
    "address",
    "pubkey",
    "publickey",
    "boundary",
    "verification",
    "signature",
    "signed",
    "minisign",
    "cursor",
    "nonce",
    "accept",
    "challenge",
    "gclid",
    "fbclid",
    "msclkid",
];

/// Returns true if a name announces a value that looks random and is no secret: `nextPageToken`, `site key`, `signature`.
pub(super) fn is_open_name(words: &[String]) -> bool {
    // A number at the end counts values: `x-amz-id-2`.
    let named = |word: &&String| !word.bytes().all(|byte| byte.is_ascii_digit());
    let mut last_first = words.iter().rev().skip_while(|word| !named(word)).map(String::as_str);
    let (last, before) = (last_first.next().unwrap_or_default(), last_first.next().unwrap_or_default());
    if words.iter().any(|word| matches!(word.as_str(), "public" | "publishable")) {
        return true;
    }
    match last {
        "token" => NO_SECRET_TOKENS.contains(&before),
        "key" => OPEN_KEYS.contains(&before),
        // The id of a key is told together with it, and often for it.
        "id" => !matches!(before, "secret" | "key"),
        _ => OPEN_VALUES.contains(&last),
    }
}

/// Folds a word for comparison: lower case, without the accents of the names above.
pub(super) fn folded(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'ñ' => 'n',
            'è' | 'é' => 'e',
            other => other,
        })
        .collect()
}

/// Returns true for a word that means password.
pub(super) fn means_password(folded_word: &str) -> bool {
    let compound = PASSWORD_ENDINGS.iter().any(|ending| folded_word.ends_with(ending));
    PASSWORDS.contains(&folded_word) || compound
}

/// Returns the kind of secret a name implies, or `None` for other names. `words` are the folded words
/// of the name in order; `joined` says that they are one identifier (`DB_PASS`) and not words with
/// spaces.
pub(super) fn secret_name(words: &[String], joined: bool) -> Option<SecretName> {
    let word = |back: usize| words.len().checked_sub(back).and_then(|at| words.get(at)).map_or("", String::as_str);
    let (last, before, third) = (word(1), word(2), word(3));
    // `NEXT_PUBLIC_STRIPE_KEY` is sent to every visitor.
    if words.iter().any(|word| word == "public" || word == "publishable") {
        return None;
    }
    let named = |kind| Some(SecretName { kind: SecretKind(kind), evidence: NameEvidence::Name });
    let random = |kind| Some(SecretName { kind: SecretKind(kind), evidence: NameEvidence::RandomValue });
    let is_phrase = |phrase: &&[&str]| words.len() >= phrase.len() && words[words.len() - phrase.len()..] == **phrase;
    if means_password(last) || OTHER_PASSWORDS.contains(&last) || PASSWORD_PHRASES.iter().any(is_phrase) {
        return Some(SecretName { kind: PASSWORD, evidence: NameEvidence::Name });
    }
    match last {
        "pass" | "pw" if joined && words.len() > 1 => named("password"),
        "key" if third == "shared" && before == "access" || before == "account" => named("azure_key"),
        "key" if before == "access" && third == "secret" => named("aws_secret_key"),
        "key" if before == "access" && words.len() == 2 => None,
        "key" if SECRET_KEYS.contains(&before) => named("assigned_secret"),
        "key" if RANDOM_KEYS.contains(&before) => random("assigned_secret"),
        "pat" if joined && words.len() > 1 => random("assigned_secret"),
        "key" if joined && words.len() > 1 && !OPEN_KEYS.contains(&before) => random("assigned_secret"),
        "base" if before == "key" && third == "secret" => named("assigned_secret"),
        "privatekey" => random("assigned_secret"),
        "token" if NO_SECRET_TOKENS.contains(&before) => None,
        "secret" | "token" | "apikey" | "secretkey" | "authtoken" | "accesstoken" | "credential" | "credentials" => {
            named("assigned_secret")
        }
        "sig" if words.len() == 1 => random("signed_url"),
        "signature" if before == "amz" => named("signed_url"),
        _ => None,
    }
}

/// Splits a name into folded words: `dbPassword`, `DB_PASSWORD` and `db password` are equal.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.chars() {
        let separates = matches!(c, '_' | '-' | '.' | ' ' | '\'' | '’');
        if (separates || c.is_uppercase() && before_small) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if !separates && let Some(word) = words.last_mut() {
            word.push_str(&folded(c.encode_utf8(&mut [0; 4])));
        }
        before_small = c.is_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<&'static str> {
        secret_name(&name_words(name), !name.contains(' ')).map(|name| name.kind.as_str())
    }

    #[test]
    fn names_of_secrets_are_recognised_in_every_spelling() {
        for name in
            ["password", "dbPassword", "DB_PASS", "WLAN-Passwort", "mot de passe", "Contraseña", "parola d'ordine"]
        {
            assert_eq!(kind(name), Some("password"), "{name}");
        }
        for name in ["api_key", "API key", "apiKey", "client_secret", "auth token", "OPENWEATHER_KEY"] {
            assert_eq!(kind(name), Some("assigned_secret"), "{name}");
        }
    }

    #[test]
    fn names_of_public_values_are_recognised_in_every_spelling() {
        for name in ["nextPageToken", "sync_token", "site key", "X-Amz-Id-2", "Sec-WebSocket-Key", "signature"] {
            assert!(is_open_name(&name_words(name)), "{name}");
        }
        for name in ["token", "key", "api key", "2", "", "identity"] {
            assert!(!is_open_name(&name_words(name)), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in ["Boarding pass", "primary_key", "next_page_token", "public_key", "key", "the key", "tokens"] {
            assert_eq!(kind(name), None, "{name}");
        }
    }
}
