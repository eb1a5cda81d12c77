//! Finds PEM private keys.

use super::SecretMatches;
use super::redactions::SecretKind;

const OPENING: &str = "-----BEGIN ";
const CLOSING: &str = "-----END ";
const DASHES: &str = "-----";
/// Maximum length of the label between the dashes.
const MAX_NAME: usize = 40;
/// Minimum number of letters and digits of a key.
const MIN_BODY: usize = 8;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    let mut from = 0;
    while let Some(found) = text[from..].find(OPENING) {
        let start = from + found;
        let after = start + OPENING.len();
        from = after;
        let Some(length) = text[after..].find(DASHES).filter(|length| *length <= MAX_NAME) else { continue };
        if !text[after..after + length].contains("PRIVATE KEY") {
            continue;
        }
        let body = after + length + DASHES.len();
        let end = end_of(text, body);
        from = end;
        // "-----BEGIN PRIVATE KEY----- ... -----END" speaks of a key.
        let inside = text[body..end].split(CLOSING).next().unwrap_or_default();
        let omitted = inside.contains(['<', '…']);
        if !omitted && inside.bytes().filter(u8::is_ascii_alphanumeric).count() >= MIN_BODY {
            matches.add(SecretKind("private_key"), start..end);
        }
    }
}

/// Returns the end of the key: after the closing line, or after the last key line if the text is
/// truncated.
fn end_of(text: &str, body: usize) -> usize {
    let rest = &text[body..];
    let next = rest.find(OPENING).unwrap_or(rest.len());
    if let Some(closing) = rest[..next].find(CLOSING) {
        let name = closing + CLOSING.len();
        if let Some(dashes) = rest[name..].find(DASHES).filter(|length| *length <= MAX_NAME) {
            return body + name + dashes + DASHES.len();
        }
    }
    // Truncated: redact everything that looks like part of the key. Keys in string literals contain
    // `\n` escapes.
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '\\' | ':' | '-' | ',');
    let is_line = |line: &str| line.trim().chars().all(is_part) || line.contains(": ");
    let mut end = body;
    for line in rest.split_inclusive('\n') {
        if end > body && !is_line(line) {
            break;
        }
        let whole = line.trim_end_matches(['\n', '\r']);
        let part =
            whole.char_indices().find(|(_, c)| !is_part(*c) && !c.is_whitespace()).map_or(whole.len(), |(at, _)| at);
        end += if is_line(line) { line.len() } else { part };
        if !is_line(line) {
            break;
        }
    }
    body + rest[..end - body].trim_end().len()
}
