//! Finds secrets assigned to a name: `.env` files, settings, connection strings, code.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::{is_mixed, is_placeholder, window_start};

/// Maximum length of a checked name.
const MAX_NAME: usize = 64;
/// Maximum length of a secret value.
const MAX_VALUE: usize = 512;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    for (sign, mark) in text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'=' | b':')) {
        let Some(name) = name_before(text, sign) else { continue };
        let Some(kind) = kind_of(name) else { continue };
        let Some(value) = AssignedValue::after(text, sign, mark) else { continue };
        let is_variable = mark == b'=' && value.adjacent && name.bytes().all(|byte| !byte.is_ascii_lowercase());
        if value.is_secret(is_variable) {
            matches.add(kind, value.at..value.at + value.text.len());
        }
    }
}

/// Returns the name before an assignment sign, without quotes and spaces.
fn name_before(text: &str, sign: usize) -> Option<&str> {
    let before =
        text[window_start(text, sign)..sign].trim_end_matches([' ', '\t', ':']).trim_end_matches(['"', '\'', '`']);
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = before.bytes().rev().take(MAX_NAME + 1).take_while(|byte| is_part(*byte)).count();
    let name = &before[before.len() - length..];
    (!name.is_empty() && length <= MAX_NAME).then_some(name)
}

/// Splits a name into words: `dbPassword`, `DB_PASSWORD` and `db-password` are equal.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.chars() {
        let separates = matches!(c, '_' | '-' | '.');
        if (separates || c.is_ascii_uppercase() && before_small) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if !separates && let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
        before_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the kind of secret a name implies, or `None` for other names.
fn kind_of(name: &str) -> Option<SecretKind> {
    let words = words(name);
    let word = |back: usize| words.len().checked_sub(back).and_then(|at| words.get(at)).map_or("", String::as_str);
    let (last, before, third) = (word(1), word(2), word(3));
    // Lexical tokens and list positions are also called tokens.
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
    const KEYS: [&str; 12] = [
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
    ];
    Some(SecretKind(match last {
        _ if before == "public" => return None,
        "password" | "passwd" | "passphrase" | "pwd" => "password",
        "key" if third == "shared" && before == "access" || before == "account" => "azure_key",
        "key" if before == "access" && third == "secret" => "aws_secret_key",
        "key" if before == "access" && words.len() == 2 => return None,
        "key" if KEYS.contains(&before) => "assigned_secret",
        "token" if NO_SECRET_TOKENS.contains(&before) => return None,
        "secret" | "token" | "apikey" | "secretkey" | "credential" | "credentials" => "assigned_secret",
        "signature" if before == "amz" => "signed_url",
        _ => return None,
    }))
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
            None => c.is_whitespace() || matches!(c, ',' | ';' | ')' | '}' | ']' | '"' | '\'' | '`' | '<' | '|'),
        };
        let length = body.char_indices().take(MAX_VALUE + 1).find(|(_, c)| ends(*c)).map_or(body.len(), |(at, _)| at);
        let value = body[..length].trim_end_matches(['.', '!', '?']);
        let at = text.len() - body.len();
        let fits = !value.is_empty() && value.len() <= MAX_VALUE;
        fits.then_some(Self { at, text: value, quoted: quote.is_some(), adjacent: spaced.len() == rest.len() })
    }

    /// Returns true if the value is a secret. For environment variables the name is enough; other
    /// values must look like one.
    fn is_secret(&self, is_variable: bool) -> bool {
        let text = self.text;
        let refers = text.starts_with(['/', '~', '.', '-', '#', '!']) || text.contains("://") || text.contains("${");
        let is_code = text.contains(['(', ')', '<', '>', '[', '{', '\\']) || is_path_in_code(text);
        if is_placeholder(text) || refers || is_code || text.contains(char::is_whitespace) {
            return false;
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
        written || spoken
    }
}

/// Returns true for names joined by dots: `config.password`, `self.token`, `process.env.API_KEY`.
fn is_path_in_code(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
    };
    text.contains('.') && text.split('.').all(is_name)
}
