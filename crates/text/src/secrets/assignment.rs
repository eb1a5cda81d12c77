//! Finds secrets assigned to a name: `.env` files, settings, connection strings, code.

use super::SecretMatches;
use super::names::{NameEvidence, SecretName, name_words, secret_name};
use super::scanning::{is_mixed, is_placeholder, window_start};
use super::value::{digit_runs, is_path_in_code, is_public_token, is_reference, is_strongly_random, trim_closers};
use super::wordlike::{are_random_letters, is_random_with_symbol, is_random_word};
use crate::language::is_stop_word;

/// Maximum length of a checked name.
const MAX_NAME: usize = 64;
/// Maximum number of words in a name with spaces.
const MAX_NAME_WORDS: usize = 3;
/// Maximum length of a secret value.
const MAX_VALUE: usize = 512;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    for (sign, mark) in text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'=' | b':' | b'>' | b'(')) {
        let Some((name, secret)) = name_before(text, sign) else { continue };
        // `set_password("…")`; other calls read a secret, or check it.
        if mark == b'(' && !(sets_a_value(name) && text[sign + 1..].starts_with(['"', '\'', '`'])) {
            continue;
        }
        // `<password>…</password>`; otherwise a comparison or an arrow.
        if mark == b'>' && !text[..sign].strip_suffix(name).is_some_and(|before| before.ends_with('<')) {
            continue;
        }
        let Some(value) = AssignedValue::after(text, sign, mark) else { continue };
        // `<password>@host` is a placeholder, not an element.
        if mark == b'>' && text[value.at..].starts_with('@') {
            continue;
        }
        let is_variable = mark == b'=' && value.adjacent && !name.contains(char::is_lowercase);
        if value.is_secret(secret, is_variable) {
            matches.add(secret.kind, value.at..value.at + value.text.len());
        } else if secret.kind.as_str() == "password"
            && let Some(phrase) = passphrase(if value.quoted { value.text } else { &text[value.at..] })
        {
            matches.add(secret.kind, value.at..value.at + phrase.len());
        }
    }
}

/// Returns the name before an assignment sign, without quotes and spaces, if it announces a secret.
/// A word alone decides first; `API key` and `mot de passe` need the words before it.
fn name_before(text: &str, sign: usize) -> Option<(&str, SecretName)> {
    let before = text[window_start(text, sign)..sign].trim_end_matches([' ', '\t', ':']);
    // `ENV["TOKEN"] = …`, `key="DbPassword" value="…"`.
    let before = before.strip_suffix(']').unwrap_or(before);
    let before = before.strip_suffix(" value").filter(|before| before.ends_with(['"', '\''])).unwrap_or(before);
    let before = before.trim_end_matches(['"', '\'', '`', '*']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut start = before.len();
    for word in 1..=MAX_NAME_WORDS {
        let rest = if word == 1 { before } else { before[..start].strip_suffix([' ', '\'', '’'])? };
        let found = rest.char_indices().rev().take_while(|(_, c)| is_part(*c)).last()?;
        start = found.0;
        let name = &before[start..];
        if name.len() > MAX_NAME {
            return None;
        }
        if let Some(secret) = secret_name(&name_words(name), word == 1) {
            return Some((name, secret));
        }
    }
    None
}

/// Returns true for the name of a function that takes a secret: `setApiKey`, `with_password`, `password`.
fn sets_a_value(name: &str) -> bool {
    let words = name_words(name);
    let called = words.last().is_some_and(|last| matches!(last.as_str(), "password" | "apikey"));
    let first = name_words(name.rsplit('.').next().unwrap_or(name));
    called && first.len() == 1 || matches!(first.first().map(String::as_str), Some("set" | "with" | "use" | "login"))
}

/// The value after an assignment sign.
struct AssignedValue<'a> {
    at: usize,
    text: &'a str,
    quoted: bool,
    /// Whether the value follows the sign without a space.
    adjacent: bool,
}

impl<'a> AssignedValue<'a> {
    fn after(text: &'a str, sign: usize, mark: u8) -> Option<Self> {
        let mut rest = &text[sign + 1..];
        // Comparisons, paths in code and URLs are not assignments; `=>` and `:=` are.
        if rest.starts_with(['=', ':']) && !(mark == b':' && rest.starts_with('=')) || rest.starts_with("//") {
            return None;
        }
        rest = rest.strip_prefix(['=', '>']).unwrap_or(rest);
        let spaced = rest.trim_start_matches([' ', '\t']);
        let quote = spaced.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let body = quote.map_or(spaced, |_| &spaced[1..]);
        let ends = |c: char| match quote {
            Some(quote) => c == quote || c == '\n',
            None => c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '`' | '<' | '|'),
        };
        let length = body.char_indices().take(MAX_VALUE + 1).find(|(_, c)| ends(*c)).map_or(body.len(), |(at, _)| at);
        let whole = &body[..length];
        // `sk-ant-...` shows how a key begins. A name in an `arn:` is followed by a path.
        if whole.ends_with("...") || whole.ends_with('…') || is_in_resource_name(text, sign) {
            return None;
        }
        // Inside a URL the next parameter ends a value.
        let whole = if is_in_query(text, sign) { whole.split('&').next().unwrap_or(whole) } else { whole };
        let value = if quote.is_some() { whole } else { trim_closers(whole.trim_end_matches(['.', '!', '?'])) };
        let at = text.len() - body.len();
        let fits = !value.is_empty() && value.len() <= MAX_VALUE;
        fits.then_some(Self { at, text: value, quoted: quote.is_some(), adjacent: spaced.len() == rest.len() })
    }

    /// Returns true for a long value in quotes with letters, digits and no call in it: some generated keys contain brackets.
    fn is_long_quoted(&self) -> bool {
        self.quoted && self.text.len() >= 24 && digit_runs(self.text) >= 2 && !is_reference(self.text)
    }

    /// Returns true if the value is a secret. For environment variables the name is enough; other
    /// values must look like one.
    fn is_secret(&self, name: SecretName, is_variable: bool) -> bool {
        let text = self.text;
        // Random passwords contain any character; keys and tokens contain no brackets.
        let is_password = name.kind.as_str() == "password";
        let is_code = is_path_in_code(text)
            || text.contains('\\')
            || !is_password && text.contains(['(', ')', '<', '>', '[', '{']) && !self.is_long_quoted();
        let is_open = if is_password { is_reference(text) } else { is_placeholder(text) || is_public_token(text) };
        let refers = text.starts_with(['/', '~', '.', '-', '#', '!']) || text.contains("://") || text.contains("${");
        if is_open || refers || is_code || text.contains(char::is_whitespace) {
            return false;
        }
        if name.evidence == NameEvidence::RandomValue {
            return is_strongly_random(text);
        }
        if is_variable {
            return text.len() >= 4;
        }
        let symbol = text.contains(|c: char| c.is_ascii_punctuation() && !matches!(c, '_' | '-' | '.' | ':' | '/'));
        let digit = text.bytes().any(|byte| byte.is_ascii_digit());
        let is_name =
            text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') && text.contains('_');
        let written = text.len() >= 8 && is_mixed(text) && (digit || symbol) && !is_name;
        let spoken = self.quoted && text.len() >= 6 && (digit || symbol) && !is_name;
        let short = is_password && text.len() >= 6 && is_mixed(text) && !is_name;
        let random = are_random_letters(text) || is_random_with_symbol(text) || is_password && is_random_word(text);
        written || spoken || short || random
    }
}

/// Returns true if an assignment is a parameter of a URL.
fn is_in_query(text: &str, sign: usize) -> bool {
    let before = &text[window_start(text, sign)..sign];
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.contains("://") && word.contains('?')
}

/// Returns true for a part of the name of a resource: `arn:aws:secretsmanager:eu-west-1:1:secret:prod/db`.
fn is_in_resource_name(text: &str, sign: usize) -> bool {
    let before = &text[window_start(text, sign)..sign];
    before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("arn:"))
}

/// Minimum and maximum number of words of a passphrase.
const PHRASE_WORDS: (usize, usize) = (4, 8);

/// Returns the passphrase that fills the rest of a line: several words of letters, none of them a
/// function word. "ask the admin first" is a sentence.
pub(super) fn passphrase(rest: &str) -> Option<&str> {
    let line = rest.lines().next()?.trim_end();
    let words: Vec<&str> = line.split(' ').collect();
    let is_part = |word: &&str| {
        word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_stop_word(word) && !is_hint(word)
    };
    ((PHRASE_WORDS.0..=PHRASE_WORDS.1).contains(&words.len()) && words.iter().all(is_part)).then_some(line)
}

/// Returns true for words that begin a hint where to find a password.
fn is_hint(word: &str) -> bool {
    matches!(word, "ask" | "see" | "use" | "same" | "siehe" | "frag" | "voir" | "demander" | "ver" | "zie" | "vedi")
}
