//! Passwords in addresses: `scheme://name:password@host`.

use super::Findings;
use super::looks::is_stand_in;
use super::redactions::SecretKind;

/// The longest part of an address that names who asks.
const LONGEST: usize = 512;

pub(super) fn find(text: &str, findings: &mut Findings) {
    for (mark, _) in text.match_indices("://") {
        let scheme = text[..mark].bytes().next_back().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if !scheme {
            continue;
        }
        let from = mark + 3;
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '`' | '\\');
        let length = text[from..].char_indices().take(LONGEST).find(|(_, c)| ends(*c)).map(|(at, _)| at);
        let authority = &text[from..from + length.unwrap_or_else(|| shortened(&text[from..]))];
        let Some(at_sign) = authority.rfind('@') else { continue };
        let Some(colon) = authority[..at_sign].find(':') else { continue };
        let password = &authority[colon + 1..at_sign];
        if !password.is_empty() && !is_stand_in(password) {
            findings.add(SecretKind("url_password"), from + colon + 1..from + at_sign);
        }
    }
}

/// How much of a text is looked at where nothing ends it.
fn shortened(text: &str) -> usize {
    text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at)
}
