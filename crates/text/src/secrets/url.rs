//! Finds passwords in URLs: `scheme://name:password@host`.

use super::SecretMatches;
use super::redactions::SecretKind;
use super::scanning::is_placeholder;

/// Maximum length of the authority part of a URL.
const MAX_AUTHORITY: usize = 512;

pub(super) fn find(text: &str, matches: &mut SecretMatches) {
    for (mark, _) in text.match_indices("://") {
        let scheme = text[..mark].bytes().next_back().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if !scheme {
            continue;
        }
        let from = mark + 3;
        let ends = |c: char| ends_address(c) || matches!(c, '?' | '#');
        let length = |ends: fn(char) -> bool| {
            let end = text[from..].char_indices().take(MAX_AUTHORITY).find(|(_, c)| ends(*c)).map(|(at, _)| at);
            end.unwrap_or_else(|| shortened(&text[from..]))
        };
        let mut authority = &text[from..from + length(ends)];
        // A password with `#` or `?` that is not escaped: what stands before it is no host with a port.
        let is_host = authority.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_host && !authority.contains('@') {
            authority = &text[from..from + length(ends_address)];
        }
        let Some(at_sign) = authority.rfind('@') else { continue };
        let Some(colon) = authority[..at_sign].find(':') else { continue };
        let password = &authority[colon + 1..at_sign];
        if !password.is_empty() && !is_placeholder(password) {
            matches.add(SecretKind("url_password"), from + colon + 1..from + at_sign);
        }
    }
}

fn ends_address(c: char) -> bool {
    c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<' | '>' | '`' | '\\')
}

/// Returns how much of an unterminated URL is scanned.
fn shortened(text: &str) -> usize {
    text.char_indices().nth(MAX_AUTHORITY).map_or(text.len(), |(at, _)| at)
}
